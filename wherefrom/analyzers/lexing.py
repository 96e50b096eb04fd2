"""Splits text that a grammar cannot parse, by the lexical forms of its language alone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from wherefrom.analyzers.grammars import PART_CLASSES, load, too_slow
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.languages import Language
from wherefrom.support.pattern import compiled, later
from wherefrom.support.values import dataclass

_WORD = later(rb"\w+")
_NO_OPERATOR = later(rb"""^["'`]|["'`]$|[(\[{].*[)\]}]""")
"""Symbols that are not operators: those with a quote are parts of strings, and two brackets, as in `operator()`, are
nearly always two tokens."""

_BLANKS = bytes(range(0x21))

_MEMBER = (b".", b"?.", b"->")

_QUOTE = later(rb"[^\"'`\n]{0,3}([\"'`])")
BEFORE_LONG = rb"[=>(,\[{:][\ \t]*\Z"
"""What is before a long quotation mark that begins a string. A form as those of a language."""

_BEFORE_LONG = later(BEFORE_LONG)
_NEAR = 80  # how far before a long quotation mark the sign is that makes it the beginning of a string
_AHEAD = 4_000  # how much text after a string tells whether its mark closes nothing
_ALONE = 2  # a quotation mark that closes nothing is as unlikely as this number of lines inside of strings
MOST_DOUBTED = 300  # at most this many strings of a text are doubted: one costs as much as reading `_AHEAD` bytes twice
QUOTES = (b'"', b"'", b"`")
Token: TypeAlias = tuple[int, int, int]  # (start, end, `TokenClass` or `COMMENT`)


@dataclass(frozen=True, slots=True)
class Lexer:
    """Splits text in one language."""

    language: Language
    forms: Mapping[str, bytes]  # by kind, a form of its tokens or comments. They are tried in this order
    # matches white space and the token or comment after it, which is in the group named by its kind
    pattern: re.Pattern[bytes]
    keywords: frozenset[bytes]  # the reserved words, which are names only after the mark of a member, such as `.`
    begins: Mapping[bytes, tuple[bytes, ...]]  # by quotation mark, what begins code in such a string
    # by quotation mark, a pattern for strings with code in them. It matches up to the end of the string, or up to the
    # mark that begins code, which is in the group `code`
    strings: Mapping[bytes, re.Pattern[bytes]]

    def split(self, text: bytes, seconds: float) -> tuple[list[Token], list[tuple[int, int]]]:
        """The tokens of a text (start, end, `TokenClass`) and its comments (start, end), in order.

        Takes linear time, but quadratic time if the text has many quotes or comments that are not closed. Raises
        ParseTimeout if it took longer than `seconds`.
        """
        deadline = time.monotonic() + seconds
        tokens: list[Token] = []
        comments = []
        before = b""
        at = 0
        limit = len(text)
        looks = iter(range(MOST_DOUBTED))
        around: list[_Code] = []  # the code in strings around the position, the innermost last
        while match := self.pattern.match(text, at, limit):
            kind, at = match.lastgroup, match.end()
            if kind is None:  # only white space was left
                if limit == len(text):
                    break
                limit = len(text)
                continue
            if time.monotonic() > deadline:
                raise too_slow(self.language, seconds)
            start, end = match.span(kind)
            if kind == "comment":
                comments.append((start, end))
                continue
            if kind == "string" and (quote := self.doubted(text, start, end, looks)):
                kind, at, end, limit = "symbol", quote, quote, self._line_end(text, quote)
            word = text[start:end]
            marks = (mark for mark in self.strings if text.startswith(mark, start, end - len(mark)))
            if kind == "string" and (mark := next(marks, b"")):
                at = self._in_string(text, mark, start, start + len(mark), tokens, around)
                before = mark
                continue
            if kind == "name" and word in self.keywords and before not in _MEMBER:
                kind = "symbol"
            tokens.append((start, end, PART_CLASSES[kind]))
            before = word
            if around and around[-1].ends_with(word):
                at = self._in_string(text, around.pop().mark, end, end, tokens, around)
        return tokens, comments

    def end_of(self, text: bytes, start: int) -> int:
        """Where a string or comment that begins at `start` ends; 0 if none begins there or it is not closed."""
        match = self.pattern.match(text, start)
        return match.end() if match and match.lastgroup in {"string", "comment"} else 0

    def is_open(self, text: bytes, start: int, end: int, looks: Iterator[int]) -> bool:
        """Whether the grammar, without an error, ended a string over several lines at a mark that probably begins one.
        Where no such string begins by the forms, the span is that of the grammar. A string behind code in another one
        is not doubted, nor one with calls, whose marks the forms do not pair. `looks` as for `doubted`.
        """
        if self.begins and (text[start - 1 : start].isalnum() or text[start - 1 : start] == b"}"):
            return False
        found = self.end_of(text, start) or (end if text[start : start + 1] in QUOTES else 0)
        begins = self.begins.get(text[start : start + 1], ())
        has_calls = any(begin.endswith(b"(") and text.find(begin, start, found) >= 0 for begin in begins)
        return not has_calls and bool(self.doubted(text, start, found, looks))

    def doubted(self, text: bytes, start: int, end: int, looks: Iterator[int]) -> int:
        """Where the quotation mark ends that begins a string over several lines but probably closes nothing; else 0.
        Such a mark, and all others in its line that are not closed there, are symbols.

        It probably closes nothing if the mark at its end looks like the beginning of another string, and fewer lines
        are inside of strings when the text after its line is read as code. A mark looks so if a letter, two more marks
        or code in a string follow, or an odd number of marks in its line. `looks` has an item for each string that may
        still be doubted.
        """
        quote = _QUOTE.match(text, start, end)
        lines = text.count(b"\n", start, end)
        if not quote or not lines or not self._begins(text, quote, end) or next(looks, None) is None:
            return 0
        limit = end + _AHEAD
        believed, dropped = (self._cost(text, at, limit) for at in (end, self._line_end(text, start)))
        return quote.end() if dropped + _ALONE < believed + lines else 0

    def _begins(self, text: bytes, quote: re.Match[bytes], end: int) -> bool:
        """Whether the quotation mark at the end of a string over several lines looks like the beginning of another."""
        mark, start = quote[1], quote.start(1)
        is_long = text.startswith(mark * 3, start)
        if text[end : end + 1].isalnum() or (is_long and _BEFORE_LONG.search(text, max(start, end - _NEAR), end - 3)):
            return True
        if not is_long and text.startswith((mark * 2, *self.begins.get(mark, ())), end):
            return True
        return text.count(mark, end, self._line_end(text, end)) % 2 == 1

    @staticmethod
    def _line_end(text: bytes, at: int) -> int:
        end = text.find(b"\n", at)
        return len(text) if end < 0 else end

    def _cost(self, text: bytes, at: int, limit: int) -> int:
        """How many lines of a text are inside of strings, and `_ALONE` for each mark that is alone."""
        cost = 0
        while (match := self.pattern.match(text, at, limit)) and (kind := match.lastgroup) is not None:
            at = match.end()
            word = text[match.start(kind) : at]
            cost += word.count(b"\n") if kind == "string" else _ALONE * (word in QUOTES)
        return cost

    def _in_string(  # noqa: PLR0917 -- the state of `split`
        self, text: bytes, mark: bytes, start: int, at: int, tokens: list[Token], around: list[_Code]
    ) -> int:
        """Adds the tokens of a string from `start` to its end or to code. Returns the position after the last token."""
        while piece := self.strings[mark].match(text, at):
            code = piece["code"]
            end = piece.end() if code is None else piece.start("code")
            if inside := text[start:end].strip(_BLANKS):
                start = text.index(inside, start)
                tokens.append((start, start + len(inside), int(TokenClass.STRING)))
            if code is None:
                return end
            start = at = piece.end()
            word = _VARIABLE.fullmatch(code)
            name = start - len(word[1]) if word else start
            tokens.append((start - len(code), name, int(TokenClass.SYMBOL)))
            if not word:
                around.append(_Code(mark, code[-1:]))
                return start
            tokens.append((name, start, int(TokenClass.NAME)))
        return at


_VARIABLE = later(rb"\$(\w+|[@*#?])")
_CLOSING = {b"(": b")", b"{": b"}"}


@dataclass(slots=True)
class _Code:
    """Code in a string: the quotation mark of the string, the bracket before the code, and how deep brackets nest."""

    mark: bytes
    bracket: bytes
    depth: int = 1

    def ends_with(self, word: bytes) -> bool:
        """Whether a token ends the code; call it for each token in the code."""
        self.depth += word.endswith(self.bracket) - (word == _CLOSING[self.bracket])
        return not self.depth


@cache
def lexer(language: Language) -> Lexer:
    """The lexer of a language with a grammar. Errors as of `grammars.load`."""
    forms = language.lexical
    assert forms, "only a language with a grammar is split"
    symbols = load(language).symbols
    words = frozenset(symbol for symbol in symbols if _WORD.fullmatch(symbol))
    operators = [symbol for symbol in symbols - words if not _NO_OPERATOR.search(symbol)]
    operators.sort(key=lambda symbol: (-len(symbol), symbol))
    exact = [(rb"(?<!\w)" if _WORD.match(symbol) else b"") + re.escape(symbol) for symbol in operators]
    kinds = {
        "comment": forms.comments,
        "string": forms.strings,
        "number": forms.numbers,
        "name": forms.names,
        "symbol": (*forms.operators, *exact),
        "rest": (rb"[\w\x80-\xff]++", rb"."),
    }
    joined = {kind: b"|".join(found) for kind, found in kinds.items() if found}
    groups = [b"(?P<%s>%s)" % (kind.encode(), form) for kind, form in joined.items()]
    # A backslash at the end of a line continues it. Elsewhere it is an operator, as in the names of PHP.
    pattern = rb"(?:[\x00-\x20]|\\(?=\n|\Z))*+(?:" + b"|".join(groups) + rb"|\Z)"
    reserved = words - {word.encode() for word in forms.unreserved} | {word.encode() for word in forms.reserved}
    return Lexer(
        language,
        joined,
        compiled(pattern, re.VERBOSE | re.DOTALL | re.MULTILINE),
        reserved,
        forms.code_in_strings,
        {mark: _piece(mark, beginnings) for mark, beginnings in forms.code_in_strings.items()},
    )


def _piece(mark: bytes, beginnings: Iterable[bytes]) -> re.Pattern[bytes]:
    """The pattern of a piece of a string, see `Lexer.strings`. If code begins without a bracket, it is one word
    or a special variable of a shell.
    """
    code = b"|".join(
        re.escape(begin) + (b"" if begin[-1:] in _CLOSING else rb"(?:\w++|[@*#?])") for begin in beginnings
    )
    return compiled(rb"(?:(?!%b|%b)(?:\\.|.))*+(?:%b|(?P<code>%b)|\Z)" % (mark, code, mark, code), re.DOTALL)
