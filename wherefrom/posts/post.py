"""A post of a Stack Exchange site, its license and its tags."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_LICENSES = ((date(2018, 5, 2), "CC-BY-SA-4.0"), (date(2011, 4, 8), "CC-BY-SA-3.0"), (date.min, "CC-BY-SA-2.5"))
"""From which day (UTC) on contributions are under which license: https://stackoverflow.com/help/licensing."""

_TAG = re.compile(r"[^<>|\s]+")


@dataclass(frozen=True, slots=True)
class Post:
    """A question or an answer.

    Attributes:
        site: the site's host, such as `stackoverflow.com`.
        id: its own id.
        question: the id of its question; its own where it is one.
        created: the day (UTC) on which it was written.
        license: SPDX identifier.
        tags: those of the question, in its order; empty where they are not known.
        body: HTML; empty where only its code was kept.
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
        """The short link to it."""
        return f"https://{self.site}/{'q' if self.id == self.question else 'a'}/{self.id}"

    @property
    def question_url(self) -> str:
        """The short link to its question, which may be itself."""
        return f"https://{self.site}/q/{self.question}"

    @property
    def source_url(self) -> str:
        """The link that names an answer and its question alike."""
        return self.url if self.id == self.question else f"https://{self.site}/questions/{self.question}#{self.id}"


def license(created: date, stated: str | None = None) -> str:
    """The license of a post, as an SPDX identifier: the one that the site states, else by the day (UTC)."""
    if stated and stated.split():
        return "-".join(stated.split())
    return next(name for start, name in _LICENSES if created >= start)


def tags(written: str) -> tuple[str, ...]:
    """The tags in a row of a dump, in their order: `<c#><.net>`, in dumps since 2024 `|c#|.net|`."""
    return tuple(_TAG.findall(written))
