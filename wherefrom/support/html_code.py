"""Finds the blocks of code in HTML: the unescaped text of its `<pre>` and `<code>` elements, and its position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Token, TokenType, tokenize

from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass, field

_CLASS = later(r"(?<!\S)lang(?:uage)?-(\S+)")
_COMMENT = later(r"\s*language(?P<all>-all)?:\s*(?:lang(?:uage)?-)?(?P<label>\S+)")
_LINES = frozenset({"br", "div", "li", "p", "tr"})  # elements that end a line

_STYLING = later(
    "a|abbr|b|big|br|code|del|div|em|font|i|ins|kbd|li|mark|ol|p|pre|s|samp|small|span|strike|strong|sub|sup|table|"
    "tbody|td|tr|tt|u|ul|var|wbr"
)
"""Elements that highlighters and editors put into code. Any other tag in a block is code that was not escaped."""


class HtmlPiece(NamedTuple):
    """A part of a block's text, and the half-open span of characters of the HTML that it comes from."""

    text: str
    begin: int
    end: int


@dataclass(slots=True)
class HtmlBlock:
    """One block of code."""

    is_code: bool  # whether it is a `<code>` element, or a `<pre>` without one
    is_inline: bool  # whether it is a `<code>` element outside of any `<pre>`
    # names that the author gives to the language of the block, the surest first; some may be nonsense. They come from
    # the class of the block (`lang-py`), a comment before it (`<!-- language: lang-py -->`) and a comment for the whole
    # text (`<!-- language-all: lang-py -->`)
    labels: tuple[str, ...] = ()
    pieces: list[HtmlPiece] = field(default_factory=list)  # its text, in order

    @property
    def text(self) -> str:
        """The code."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class HtmlCode:
    """The parts of a piece of HTML: the blocks of code, and the text and tags outside of them."""

    blocks: list[HtmlBlock]  # blank ones too
    outside: str  # the text outside of the blocks
    tags: frozenset[str]  # in lower case (`!`: a declaration or an instruction)
    markup: int  # the number of characters of markup; 0 unless `is_located`


def read_html(html: str, *, is_located: bool = False) -> HtmlCode:
    """Reads a piece of HTML. It never fails, and takes time in proportion to the length. With `is_located` the pieces
    have their spans, which takes longer; otherwise the spans are empty.
    """
    reader = _Reader()
    tokens = _located(html) if is_located else ((token, 0, 0) for token in tokenize(html, capture_source=True))
    for token, begin, end in tokens:
        reader.take(token, begin, end)
    reader.finish_block()
    return HtmlCode(reader.blocks, "".join(reader.outside), frozenset(reader.tags), reader.markup)


def _located(html: str) -> Iterator[tuple[Token, int, int]]:
    """The tokens with their spans. Each character reference is a token."""
    end = 0
    for token in tokenize(html, resolve_references=False, capture_source=True):
        begin = end
        end += len(token.data or "" if token.source is None else token.source)
        yield token, begin, end


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[HtmlBlock] = []
        self.outside: list[str] = []
        self.tags: set[str] = set()
        self.markup = 0
        self.block: HtmlBlock | None = None
        self.is_in_pre = False
        self.classes: list[str] = []
        self.before: list[str] = []
        self.everywhere: list[str] = []

    def take(self, token: Token, begin: int, end: int) -> None:
        match token.type, token.tag:
            case ((TokenType.TEXT | TokenType.CHARACTER_REFERENCE), _):
                self._take_text(HtmlPiece(token.data or "", begin, end))
            case TokenType.COMMENT, _:
                self.markup += end - begin
                if named := _COMMENT.match(token.data or ""):
                    (self.everywhere if named["all"] else self.before)[:] = [named["label"]]
            case TokenType.START_TAG, "pre":
                self.finish_block()
                self.is_in_pre = True
                self.classes = _CLASS.findall(token.attr("class") or "")
                self.block = HtmlBlock(is_code=False, is_inline=False)
            case TokenType.START_TAG, "code" if self.block is None or not self.block.is_code:
                self.block = HtmlBlock(is_code=True, is_inline=not self.is_in_pre)
                if self.is_in_pre:
                    self.classes += _CLASS.findall(token.attr("class") or "")
            case TokenType.END_TAG, "code" if self.block is not None and self.block.is_code:
                self.finish_block()
            case TokenType.END_TAG, "pre":
                self.finish_block()
                self.is_in_pre = False
            case _:
                self._take_markup(token, begin, end)

    def _take_text(self, piece: HtmlPiece) -> None:
        if self.block is not None:
            self.block.pieces.append(piece)
        elif not self.is_in_pre:
            self.outside.append(piece.text)

    def _take_markup(self, token: Token, begin: int, end: int) -> None:
        name = token.tag or "!"
        if self.block is None or self.block.is_inline:
            self.tags.add(name)
            self.markup += end - begin
        elif not _STYLING.fullmatch(name):
            self.block.pieces.append(HtmlPiece(token.source or "", begin, end))
        elif name in _LINES and (token.type is TokenType.END_TAG or name == "br"):
            last = self.block.pieces[-1].text if self.block.pieces else ""
            if name == "br" or not last.endswith("\n"):
                self.block.pieces.append(HtmlPiece("\n", begin, end))

    def finish_block(self) -> None:
        if self.block is None:
            return
        if not self.block.is_inline:
            self.block.labels = tuple(dict.fromkeys([*self.classes, *self.before, *self.everywhere]))
            self.before.clear()
        self.blocks.append(self.block)
        self.block = None
