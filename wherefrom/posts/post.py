"""A post of a Stack Exchange site: its license, its tags and its blocks of code."""

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


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One block of code, with its position in the post, from 1, and names of the language, the surest first (see
    `support.html_code.HtmlBlock`). Blank blocks have a position too, but are left out.
    """

    number: int
    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PostBlock:
    """A block of code and its post. From a store, the post's `body` is empty, and `key` is the block's key there, from
    1, ascending in the order of import; else it is 0.
    """

    post: Post
    block: CodeBlock
    key: int = 0

    @property
    def name(self) -> str:
        """The name of the block in answers, such as `stackoverflow.com/a/7, block 2`."""
        return f"{self.post.url.removeprefix('https://')}, block {self.block.number}"

    @property
    def content(self) -> bytes:
        """The code in UTF-8. Lone surrogates, which JSON allows, are replaced."""
        return self.block.text.encode("utf-8", "replace")


def code_blocks(body: str) -> tuple[CodeBlock, ...]:
    """The blocks of code in the HTML of a post's body. Never raises an error, even for broken HTML."""
    if "<pre" not in body.lower():  # most posts have no code
        return ()
    from wherefrom.support.html_code import read_html  # noqa: PLC0415 -- its parser takes long to load, and few calls need it

    found = (block for block in read_html(body).blocks if block.is_code and not block.is_inline)
    return tuple(
        CodeBlock(number, text, block.labels) for number, block in enumerate(found, 1) if (text := block.text).strip()
    )
