"""A post of a Stack Exchange site, its license and its tags."""

from __future__ import annotations

import re
from datetime import date

from wherefrom.support.values import dataclass

_LICENSES = ((date(2018, 5, 2), "CC-BY-SA-4.0"), (date(2011, 4, 8), "CC-BY-SA-3.0"), (date.min, "CC-BY-SA-2.5"))
"""The licenses of posts, each with the first day (UTC) on which it applied, the latest first:
https://stackoverflow.com/help/licensing."""

_TAG = re.compile(r"[^<>|\s]+")


@dataclass(frozen=True, slots=True)
class Post:
    """A question or an answer.

    Attributes:
        site: the site's host, such as `stackoverflow.com`.
        id: the number of the post on its site.
        question: the id of the question that the post answers; if the post is a question, its own id.
        created: the day (UTC) on which the post was written.
        license: an SPDX identifier.
        tags: the tags of the question, in their order; empty if they are not known.
        body: the text of the post in HTML; empty if the post is from a store, which has only the code.
    """

    site: str
    id: int
    question: int
    created: date
    license: str
    tags: tuple[str, ...]
    body: str

    @property
    def url(self) -> str:
        """The short link to the post."""
        return f"https://{self.site}/{'q' if self.id == self.question else 'a'}/{self.id}"

    @property
    def question_url(self) -> str:
        """The short link to the question that the post answers; if the post is a question, the link to the post."""
        return f"https://{self.site}/q/{self.question}"

    @property
    def source_url(self) -> str:
        """The link that names both an answer and its question; if the post is a question, its short link."""
        return self.url if self.id == self.question else f"https://{self.site}/questions/{self.question}#{self.id}"


def license(created: date, stated: str | None = None) -> str:
    """The SPDX identifier of a post's license: `stated` if given, or else the license of posts of that day (UTC)."""
    if stated and stated.split():
        return "-".join(stated.split())
    return next(name for start, name in _LICENSES if created >= start)


def tags(written: str) -> tuple[str, ...]:
    """The tags in a row of a dump, in their order. They are written `<c#><.net>`, in dumps since 2024 `|c#|.net|`."""
    return tuple(_TAG.findall(written))
