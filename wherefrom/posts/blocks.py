"""The code in a post: its `<pre><code>` blocks, unescaped, each with what its author says of its language."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.posts.post import Post


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One block of code.

    Attributes:
        number: which one of its post it is, from 1; blank ones are counted and not given.
        text: the code.
        labels: what its author calls its language, the surest first; see `HtmlBlock`.
    """

    number: int
    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PostBlock:
    """A block of code and its post.

    Attributes:
        post: its body may be left out.
        block: the code.
        key: its place in the order of a store, from 1; 0 where it comes from none.
    """

    post: Post
    block: CodeBlock
    key: int = 0

    @property
    def name(self) -> str:
        """What it is called, such as `stackoverflow.com/a/7, block 2`."""
        return f"{self.post.url.removeprefix('https://')}, block {self.block.number}"

    @property
    def content(self) -> bytes:
        """The code as bytes; half a character, which JSON may hold, is replaced."""
        return self.block.text.encode("utf-8", "replace")


def code_blocks(body: str) -> tuple[CodeBlock, ...]:
    """The blocks of code of a post's body.

    Args:
        body: HTML, as a dump (after the XML is unescaped) or the API gives it; nothing in it makes this fail.
    """
    if "<pre" not in body.lower():  # most posts have no code
        return ()
    from wherefrom.support.html_code import read_html  # noqa: PLC0415 -- its parser takes long to load, and few calls need it

    found = (block for block in read_html(body).blocks if block.is_code and not block.is_inline)
    return tuple(
        CodeBlock(number, text, block.labels) for number, block in enumerate(found, 1) if (text := block.text).strip()
    )
