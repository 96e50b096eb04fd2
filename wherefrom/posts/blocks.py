"""The code in a post: its `<pre><code>` blocks, unescaped, each with what its author says of its language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turbohtml import TokenType, tokenize

if TYPE_CHECKING:
    from turbohtml import Token

    from wherefrom.posts.post import Post

_CLASS = re.compile(r"(?<!\S)lang(?:uage)?-(\S+)")
_COMMENT = re.compile(r"\s*language(?P<all>-all)?:\s*(?:lang(?:uage)?-)?(?P<label>\S+)")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One block of code.

    Attributes:
        number: which one of its post it is, from 1; blank ones are counted and not given.
        text: the code.
        labels: what its author calls its language, the surest first: the class of the block (`lang-py`), a comment
            before it (`<!-- language: lang-py -->`), one for the whole post (`<!-- language-all: lang-py -->`).
            Anybody's words: names of languages, of highlighters, of tags, or nonsense.
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
    reader = _Reader()
    for token in tokenize(body):
        reader.take(token)
    reader.finish_block()
    return tuple(reader.blocks)


class _Reader:
    """The state between two tokens of the HTML."""

    def __init__(self) -> None:
        self.blocks: list[CodeBlock] = []
        self.number = 0
        self.code: list[str] | None = None
        self.is_in_pre = False
        self.classes: list[str] = []
        self.before: list[str] = []
        self.everywhere: list[str] = []

    def take(self, token: Token) -> None:
        """Takes the next token."""
        match token.type, token.tag:
            case TokenType.TEXT, _:
                if self.code is not None:
                    self.code.append(token.data or "")
            case TokenType.COMMENT, _:
                if named := _COMMENT.match(token.data or ""):
                    (self.everywhere if named["all"] else self.before)[:] = [named["label"]]
            case TokenType.START_TAG, "pre":
                self.finish_block()
                self.is_in_pre = True
                self.classes = _CLASS.findall(token.attr("class") or "")
            case TokenType.START_TAG, "code" if self.is_in_pre and self.code is None:
                self.code = []
                self.classes += _CLASS.findall(token.attr("class") or "")
            case TokenType.END_TAG, "code":
                self.finish_block()
            case TokenType.END_TAG, "pre":
                self.finish_block()
                self.is_in_pre = False

    def finish_block(self) -> None:
        """Ends the block that is being read, if one is."""
        if self.code is None:
            return
        text = "".join(self.code)
        self.number += 1
        if text.strip():
            labels = dict.fromkeys([*self.classes, *self.before, *self.everywhere])
            self.blocks.append(CodeBlock(self.number, text, tuple(labels)))
        self.code = None
        self.before.clear()
