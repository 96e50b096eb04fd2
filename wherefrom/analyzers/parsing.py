"""Parses a source with Tree-sitter and lists its tokens as arrays."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import tree_sitter
from numpy.typing import NDArray

from wherefrom.analyzers.grammars import (
    BLANK,
    CODE_IN_STRING,
    COMMENT,
    ERROR_ACTION,
    FRAGMENT,
    LITERAL,
    PART_CLASSES,
    STRING_ACTION,
    LoadedGrammar,
    load,
    tree_of,
)
from wherefrom.analyzers.hashing import CodeCache, token_code
from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.languages import Language
from wherefrom.languages.forms import Nothing
from wherefrom.languages.language import Spelling
from wherefrom.model import Hashes
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

LETTERS = b"abefnrtv", b"\a\b\x1b\f\n\r\t\v"
"""Letters, and the bytes that they mean after a backslash. A line feed after a backslash means nothing; digits, `x`,
`u` and `U` begin a number."""

_MEANINGS = dict(zip(*LETTERS, strict=True)) | {ord("\n"): None}
_ESCAPED = later(
    rb"""\\(?: x([0-9A-Fa-f]{1,2}) | u([0-9A-Fa-f]{4}) | u\{([0-9A-Fa-f]{1,6})\} | U([0-9A-Fa-f]{8}) | ([0-7]{1,3})
    | . )""",
    re.VERBOSE | re.DOTALL,
)
_LINE_START = later(rb"\n[\x00-\x20]+")
_WITH_POINT = later(rb"([-+]?)([0-9]*)\.([0-9]*)(.*)", re.DOTALL)


@lru_cache(100_000)
def literal_code(text: bytes, spelling: Spelling | Nothing | None) -> int | None:
    """The code of a literal, or None for a piece of a string that is only a quotation mark.

    `spelling` describes the strings of the language; it is None for a number.
    """
    value = number_value(text) if spelling is None else string_value(text, spelling)
    return token_code(value) if value else None


def number_value(text: bytes) -> bytes:
    """A number in lower case without digit separators, trailing zeros of the fraction and a plus in the exponent."""
    text = text.translate(None, b"_'").lower()
    if text[:2] in (b"0x", b"0b", b"0o"):
        return text
    text = text.replace(b"e+", b"e")
    found = _WITH_POINT.fullmatch(text)
    if found is None:
        return text
    sign, whole, fraction, rest = found.groups()
    return b"%s%s.%s%s" % (sign, whole or b"0", fraction.rstrip(b"0"), rest)


def string_value(text: bytes, spelling: Spelling | Nothing) -> bytes:
    """The value of a string, or of a piece of a string that has code in it, in normalized quotation marks.

    A text with no known quotation mark at either end is returned unchanged. A lone quotation mark has an empty value.
    """
    if not spelling:
        return text
    begin = next((at for at, byte in enumerate(text) if byte not in spelling.prefixes), len(text))
    opening = next((quote for quote in spelling.quotes if text.startswith(quote.mark, begin)), None)
    prefix = text[:begin] if opening else b""
    begin = begin + len(opening.mark) if opening else 0
    hashes = b"#" * prefix.count(b"#")
    end = len(text) - len(hashes) if text.endswith(hashes) else len(text)
    possible = (opening,) if opening else spelling.quotes
    fitting = (quote for quote in possible if text.endswith(quote.mark, begin, end))
    closing = next(fitting, None)
    quote = opening or closing
    if quote is None:
        return text
    content = text[begin : end - len(quote.mark)] if closing else text[begin:]
    if not content and not (opening and closing):
        return b""
    is_raw = any(byte in spelling.raw for byte in prefix)
    if quote.escapes and not is_raw and b"\\" in content:
        content = _unescaped(content, quote.escapes)
    if len(quote.mark) > 1:
        content = _LINE_START.sub(b"\n", content).strip(b" \t\n")
    return prefix.translate(None, spelling.plain + spelling.raw) + quote.same + content + quote.same


def _unescaped(content: bytes, escapes: bytes) -> bytes:
    def meant(found: re.Match[bytes]) -> bytes:
        whole = found[0]
        if whole[1] not in escapes:
            return whole
        if found.lastindex is None:
            meaning = _MEANINGS.get(whole[1], whole[1])
            return b"" if meaning is None else bytes((meaning,))
        character = int(found[found.lastindex], 8 if found[5] else 16)
        return chr(character).encode(errors="surrogatepass") if character <= 0x10FFFF else whole

    return _ESCAPED.sub(meant, content)


_LAST_BLANK = 0x20  # every byte up to this one is white space: a comparison is much faster than a table here
_BLANKS = bytes(range(_LAST_BLANK + 1))

_FRAGMENT_PART = later(
    rb"""[\x00-\x20\\]*+ (?:
    (?P<comment> /\*.*?(?:\*/|\Z) | //[^\n]* )
    | (?P<string> (?:[LuU]|u8)?(?: "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+' ) )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])* )
    | (?P<name> [A-Za-z_$\x80-\xff][\w$\x80-\xff]* )
    | (?P<symbol> <<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|[-+*/%&|^!=<>]=|&&|\|\||::|\#\#|. )
    | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_PROSE_PART = later(rb"[\x00-\x20]*+(?:(?P<symbol>[\w\x80-\xff]+|.)|\Z)", re.DOTALL)

_STRING, _NUMBER = int(TokenClass.STRING), int(TokenClass.NUMBER)

_codes = CodeCache()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tokens of one source, in order. No token is empty, and tokens do not overlap."""

    # int64, the byte span of each token, 0-based, half-open
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    classes: NDArray[np.uint8]  # uint8, the `TokenClass` of each token
    comments: tuple[tuple[int, int], ...]  # the byte spans of the comments, in order
    errors: int  # the number of bytes under ERROR nodes plus the number of tokens that the parser made up
    codes: Hashes  # uint64, `hashing.token_code` of the bytes of each token; for a literal, of its value
    unparsed: int = 0  # the number of bytes that the grammar did not parse; `mending.read` counts them

    def only(self, chosen: NDArray[Any] | slice) -> Parsed:
        """The chosen tokens, with all comments."""
        spans = self.starts[chosen], self.ends[chosen]
        return Parsed(*spans, self.classes[chosen], self.comments, self.errors, self.codes[chosen], self.unparsed)


@dataclass(slots=True)
class _Text:
    """A source and the bytes in it that are not white space."""

    source: bytes
    content: NDArray[np.uint8]
    solid: NDArray[np.int64]  # the positions of these bytes
    solid_before: NDArray[np.int32]  # how many are before each position from 0 to the length of the source

    @classmethod
    def of(cls, source: bytes) -> _Text:
        content = np.frombuffer(source, np.uint8)
        is_solid = content > _LAST_BLANK
        # A line continuation is white space in the C family, Python and shells.
        if b"\\" in source and b"\\\n" in source:
            is_solid[:-1] &= (content[:-1] != ord("\\")) | (content[1:] != ord("\n"))
        solid_before = np.zeros(len(content) + 1, np.int32)
        is_solid.cumsum(dtype=np.int32, out=solid_before[1:])
        return cls(source, content, is_solid.nonzero()[0], solid_before)


def parse(language: Language, source: bytes, seconds: float) -> Parsed:
    """Parses a source and lists its tokens.

    White space and comments never change the codes. Tokens under ERROR nodes are kept, and so are bytes that are not
    UTF-8, which the parser puts under ERROR nodes. The language must have a grammar. Errors as of `grammars.tree_of`.
    """
    grammar = load(language)
    tree = tree_of(language, source, seconds)
    kinds, starts, ends, errors = _leaves(tree, grammar.actions, len(source))
    is_filled = starts < ends
    # If the source has errors, empty leaves are tokens that the parser made up; otherwise the grammar has empty tokens.
    errors += int(np.count_nonzero(~is_filled)) if tree.root_node.has_error else 0
    tokens = _tokens(grammar, _Text.of(source), kinds[is_filled], starts[is_filled], ends[is_filled], errors)
    return _coded(language, source, tokens)


def coded(
    language: Language, source: bytes, spans: Iterable[tuple[int, int, int]], comments: Iterable[tuple[int, int]]
) -> Parsed:
    """Makes tokens from their (start, end, `TokenClass`) in order, and computes their codes from the source."""
    found = np.array(list(spans), np.int64).reshape(-1, 3)
    tokens = found[:, 0].copy(), found[:, 1].copy(), found[:, 2].astype(np.uint8)
    parsed = Parsed(*tokens, tuple(comments), 0, np.zeros(len(found), np.uint64))
    return _coded(language, source, parsed)


def _leaves(
    tree: tree_sitter.Tree, actions: bytes, size: int
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64], int]:
    """Lists the leaves of a tree in order, cut at `size` bytes: their kinds, starts and ends, and the number of bytes
    under ERROR nodes.

    Reading nodes costs half as much as the parse, so as little as possible is read. Flat arrays of numbers cost the
    garbage collector nothing.
    """
    found = array("I")  # kind, start and end of each leaf
    add = found.extend
    error, string, code = ERROR_ACTION, STRING_ACTION, CODE_IN_STRING
    error_bytes = error_end = 0
    # A stack of nodes at which the walk continues, and of pieces of strings. The walk takes its last entry next.
    waiting: list[Any] = [tree.walk()]  # typed as Any, since a cursor's node is typed as optional but never None here
    while waiting:
        cursor = waiting.pop()
        if isinstance(cursor, tuple):
            add(cursor)
            continue
        to_child, to_sibling, to_parent = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        while True:
            node = cursor.node
            kind = node.kind_id
            action = actions[kind] & ~code
            parts: list[Any] = []
            if action == string and (parts := _parts_of_string(node, actions)):
                pass
            elif action or not to_child():
                start, end = node.start_byte, node.end_byte
                if action == error:
                    if end > error_end:  # otherwise this node is inside an ERROR node that is already counted
                        error_bytes += max(min(end, size) - start, 0)
                        error_end = end
                    if to_child():
                        continue
                add((kind, start, end))
            else:
                continue
            has_next = True
            while not to_sibling():
                if not to_parent():
                    has_next = False
                    break
            if parts:
                waiting += [cursor, *parts] if has_next else parts
                break
            if not has_next:
                break
    kinds, starts, ends = np.frombuffer(found, np.uint32).reshape(-1, 3).astype(np.int64).T
    return kinds, np.minimum(starts, size), np.minimum(ends, size), error_bytes


def _parts_of_string(node: tree_sitter.Node, actions: bytes) -> list[Any]:
    """The parts of a string with code in it, the last one first: a cursor for each code, and (kind, start, end) for the
    text between. Empty for a string without code.
    """
    parts: list[Any] = []
    kind, start = node.kind_id, node.start_byte
    for child in node.children:
        if actions[child.kind_id] & CODE_IN_STRING:
            if start < child.start_byte:
                parts.append((kind, start, child.start_byte))
            parts.append(child.walk())
            start = child.end_byte
    if parts and start < node.end_byte:
        parts.append((kind, start, node.end_byte))
    return parts[::-1]


def _fixed(
    grammar: LoadedGrammar, text: _Text, kinds: NDArray[np.intp], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Hashes]:
    """The start and code of each leaf. A leaf that is not the fixed text of its kind has code 0. White space before the
    fixed text is skipped.
    """
    codes = grammar.codes.take(kinds, mode="clip")  # clips ERROR to the last entry
    solid = starts
    if len(text.solid):  # Bash's ` $(` in a string begins with white space
        solid = np.minimum(np.maximum(text.solid.take(text.solid_before.take(starts), mode="clip"), starts), ends)
    fixed = ((codes > 0) & (solid < ends)).nonzero()[0]
    differs = _codes_of(text.source, solid[fixed], ends[fixed]) != codes[fixed]
    codes[fixed[differs]] = 0
    codes[solid == ends] = 0
    return np.where(codes > 0, solid, starts), codes


def _tokens(  # noqa: PLR0917 -- leaves are three arrays
    grammar: LoadedGrammar,
    text: _Text,
    kinds: NDArray[np.intp],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    errors: int,
) -> Parsed:
    """The tokens of leaves that are not empty. Comments and white space are left out, raw text is split, and tokens
    without a fixed text have code 0.
    """
    source = text.source
    starts, codes = _fixed(grammar, text, kinds, starts, ends)
    classes = grammar.classes.take(kinds)
    odd = _odd(text, starts, ends, classes, (codes == 0).nonzero()[0])
    comments: list[tuple[int, int]] = []
    parts = array("q")
    for start, end, kind in zip(starts[odd].tolist(), ends[odd].tolist(), classes[odd].tolist(), strict=True):
        leaf = source[start:end]
        if kind == COMMENT:
            comments.append((start, start + len(leaf.rstrip())))
            continue
        split = _split_again if len(leaf) <= _LIKELY_AGAIN else _split
        for begin, stop, part_kind in split(leaf, kind, grammar.keywords):
            if part_kind == COMMENT:
                comments.append((start + begin, start + stop))
            else:
                parts.extend((start + begin, start + stop, part_kind))
    added = np.frombuffer(parts, np.int64).reshape(-1, 3).T
    columns = ((starts, added[0]), (ends, added[1]), (classes, added[2]), (codes, np.zeros_like(added[0])))
    starts, ends, classes, codes = (
        np.append(np.delete(of_leaves, odd), of_parts.astype(of_leaves.dtype)) for of_leaves, of_parts in columns
    )
    return Parsed(starts, ends, classes, tuple(comments), errors, codes).only(starts.argsort(kind="stable"))


def _codes_of(source: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Hashes:
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return np.array([_codes[source[start:end]] for start, end in spans], np.uint64)


def _coded(language: Language, source: bytes, parsed: Parsed) -> Parsed:
    starts, ends, classes, codes = parsed.starts, parsed.ends, parsed.classes, parsed.codes
    literals = is_literal(classes)
    others = ((codes == 0) > literals).nonzero()[0]
    codes[others] = _codes_of(source, starts[others], ends[others])
    places = literals.nonzero()[0]
    spans = zip(starts[places].tolist(), ends[places].tolist(), (classes[places] == _NUMBER).tolist(), strict=True)
    found = [
        literal_code(source[start:end], None if is_number else language.spelling) for start, end, is_number in spans
    ]
    codes[places] = [code or 0 for code in found]
    if None not in found:
        return parsed
    kept = np.ones(len(codes), np.bool_)
    kept[places] = [code is not None for code in found]
    return parsed.only(kept)


def _odd(
    text: _Text,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    whole: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The leaves among `whole` that are not exactly one token: leaves of a class that is not in `TokenClass`, leaves
    with white space in them, and strings with white space around them.
    """
    starts, ends, classes = starts[whole], ends[whole], classes[whole]
    is_odd = text.solid_before.take(ends) - text.solid_before.take(starts) < ends - starts
    strings = (is_odd & (classes == _STRING)).nonzero()[0]
    if len(strings):
        edges = np.minimum(text.content[starts[strings]], text.content[ends[strings] - 1])
        is_odd[strings] = edges <= _LAST_BLANK
    is_odd |= classes >= COMMENT
    return whole[is_odd]


def _split(leaf: bytes, kind: int, keywords: frozenset[bytes]) -> list[tuple[int, int, int]]:
    if kind in (LITERAL, _STRING):
        stripped = leaf.strip(_BLANKS)
        if not stripped:
            return []
        start = leaf.index(stripped)
        return [(start, start + len(stripped), _literal_class(stripped) if kind == LITERAL else kind)]
    if kind == BLANK:
        return []
    # A leaf with white space in it is either under an ERROR node or a keyword of two words.
    pattern = _FRAGMENT_PART if kind == FRAGMENT else _PROSE_PART
    parts = []
    for match in pattern.finditer(leaf):
        group = match.lastgroup
        if group is not None:  # None: only white space was left
            start, end = match.span(group)
            if group == "name" and leaf[start:end] in keywords:
                group = "symbol"
            parts.append((start, end, PART_CLASSES[group]))
    return parts


_split_again = lru_cache(4096)(_split)  # `_split` with a cache, for short leaves such as `#define`, which are frequent
_LIKELY_AGAIN = 32


def _literal_class(text: bytes) -> int:
    """The class of a literal by its first and last byte: a string, a number, or a word such as NULL."""
    if text[-1:] in (b"'", b'"', b"`", b"$"):
        return TokenClass.STRING
    return TokenClass.NUMBER if text[0] in b"0123456789+-." else TokenClass.SYMBOL
