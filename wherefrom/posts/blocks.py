"""The code in a post: its `<pre><code>` blocks, unescaped, with the languages that the author names."""

from __future__ import annotations

from wherefrom.posts.post import Post
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One block of code.

    Attributes:
        number: the position of the block in the post, from 1. Blank blocks have a position too, but are left out.
        text: the code.
        labels: names of the language, the surest first; see `support.html_code.HtmlBlock`.
    """

    number: int
    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PostBlock:
    """A block of code and its post.

    Attributes:
        post: the post; its `body` is empty if it is from a store.
        block: the code.
        key: the block's key in the store, from 1, ascending in the order of import; 0 if it is not from a store.
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
