"""Tree-sitter: source bytes to the arrays of a token stream. The only module that imports tree_sitter."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import tree_sitter
from numpy.typing import NDArray

from whence.analyzers.hashing import CodeCache, token_code
from whence.analyzers.languages import Language
from whence.analyzers.tokens import TokenClass
from whence.errors import GrammarError, ParseTimeout

if TYPE_CHECKING:
    from whence.model import Hashes

_COMMENT, _BLANK, _FRAGMENT, _PROSE, _LITERAL = range(8, 13)
"""What a leaf is that is no token as it stands; beside the values of `TokenClass`, and never in a `Parsed`."""

_WHOLE, _FIXED, _ERROR_ACTION = 1, 2, 3
"""What the walk does at a node: 0 looks at its children, `_WHOLE` takes its span, `_FIXED` knows its bytes by its kind,
`_ERROR_ACTION` counts it and looks at its children."""

_KINDS = 1 << 16
_ERROR = _KINDS - 1
"""Tree-sitter's kind id of an ERROR node."""

_LAST_BLANK = 0x20
"""White space is every byte up to this one: a comparison is much faster than a table here."""

_BLANKS = bytes(range(_LAST_BLANK + 1))

_END = b"\n"

_DIRECTIVE = re.compile(r"#[a-z_]+")
_FRAGMENT_PART = re.compile(
    rb"""(?P<blank> [\x00-\x20\\]+ )
    | (?P<comment> /\*.*?(?:\*/|\Z) | //[^\n]* )
    | (?P<string> (?:[LuU]|u8)?(?: "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+' ) )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])* )
    | (?P<name> [A-Za-z_$\x80-\xff][\w$\x80-\xff]* )
    | (?P<symbol> <<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|[-+*/%&|^!=<>]=|&&|\|\||::|\#\#|. )""",
    re.VERBOSE | re.DOTALL,
)
_PROSE_PART = re.compile(rb"(?P<blank>[\x00-\x20]+)|(?P<symbol>[\w\x80-\xff]+|.)", re.DOTALL)
_PART_CLASSES = {
    "comment": _COMMENT,
    "string": int(TokenClass.STRING),
    "number": int(TokenClass.NUMBER),
    "name": int(TokenClass.NAME),
    "symbol": int(TokenClass.SYMBOL),
}

_PRIMITIVE_TYPES = frozenset(b"void bool char int float double size_t true false auto".split())

_codes = CodeCache()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tokens of one source, in order, none of them empty, none overlapping another.

    Attributes:
        starts, ends: int64, byte span of each token, 0-based, half-open.
        classes: uint8, the `TokenClass` of each.
        comments: byte spans of the comments, in order.
        errors: how badly the source fits the grammar: the bytes under ERROR nodes plus the tokens that the parser made
            up.
        codes: uint64, `hashing.token_code` of the bytes of each token.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    classes: NDArray[np.uint8]
    comments: tuple[tuple[int, int], ...]
    errors: int
    codes: Hashes


@dataclass(frozen=True, slots=True)
class _Grammar:
    """A loaded grammar with its tables, by kind id.

    Attributes:
        language: the grammar.
        actions: what the walk does.
        careful: the same, but nothing is fixed.
        classes: uint8, a `TokenClass`, or one of the values from `_COMMENT` on.
        texts: `texts[i]` (uint8) is byte i of the kinds' fixed texts.
        lengths: int64, of the fixed texts, 0 where there is none.
        codes: uint64, the token codes of the fixed texts.
        keywords: the words among the fixed texts, and what else is no name in a fragment.
    """

    language: tree_sitter.Language
    actions: bytes
    careful: bytes
    classes: NDArray[np.uint8]
    texts: tuple[NDArray[np.uint8], ...]
    lengths: NDArray[np.int64]
    codes: Hashes
    keywords: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class _Text:
    """A source, and the same without its white space: `solid` are the positions of all other bytes, and
    `solid_before[i]` of them are before position i (one entry more than bytes).
    """

    source: bytes
    content: NDArray[np.uint8]
    solid: NDArray[np.int64]
    solid_before: NDArray[np.int32]

    @classmethod
    def of(cls, source: bytes) -> _Text:
        content = np.frombuffer(source, np.uint8)
        is_solid = content > _LAST_BLANK
        if b"\\\n" in source:  # a line that goes on is white space in the C family, Python and shells
            is_solid[:-1] &= (content[:-1] != ord("\\")) | (content[1:] != ord("\n"))
        solid_before = np.zeros(len(content) + 1, np.int32)
        np.cumsum(is_solid, dtype=np.int32, out=solid_before[1:])
        return cls(source, content, np.flatnonzero(is_solid), solid_before)


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The leaves of a tree in order: kind ids, byte spans, and whether the bytes are the kind's fixed ones."""

    kinds: NDArray[np.uint16]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    fixed: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Walk:
    """What a walk found: the kinds of all leaves, the spans of those not `_FIXED`, and the bytes under ERROR nodes."""

    kinds: NDArray[np.uint16]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    error_bytes: int


def parse(language: Language, source: bytes, seconds: float) -> Parsed:
    """Parses a source and lists its tokens.

    White space and comments never change the codes. Tokens under ERROR nodes are kept.

    Args:
        language: one with a grammar.
        source: UTF-8; other bytes end up under ERROR nodes.
        seconds: the time limit.

    Raises:
        ParseTimeout: parsing took longer.
        GrammarError: the grammar is not installed, or not in the pinned version.
    """
    grammar = _load(language)
    tree = _tree(language, grammar, source, seconds)
    text = _Text.of(source)
    has_error = tree.root_node.has_error  # then some tokens may have no width, and no text that their kind tells
    leaves = None if has_error else _unpacked(grammar, text, _walk(tree, grammar.actions, len(source)))
    error_bytes = made_up = 0
    if leaves is None:
        walk = _walk(tree, grammar.careful, len(source))
        fixed = _are_fixed(grammar, text, walk.kinds, walk.starts, walk.ends)
        leaves = _Leaves(walk.kinds, walk.starts, walk.ends, fixed)
        error_bytes = walk.error_bytes
        made_up = int(np.count_nonzero(walk.starts == walk.ends)) if has_error else 0
    return _tokens(grammar, text, _filled(leaves), error_bytes + made_up)


@cache
def _load(language: Language) -> _Grammar:
    """The grammar of a language with its tables, made on first use."""
    if language.grammar is None:
        message = f"{language.name} has no grammar; parse a language that has one"
        raise GrammarError(message)
    remedy = f"install it with: pip install '{language.distribution}=={language.version}.*'"
    try:
        found = importlib.metadata.version(language.distribution)
        loaded = tree_sitter.Language(getattr(importlib.import_module(language.grammar), language.function)())
    except (ImportError, AttributeError, ValueError) as error:
        message = f"the grammar {language.distribution} cannot be loaded ({type(error).__name__}); {remedy}"
        raise GrammarError(message) from error
    if not found.startswith(f"{language.version}."):
        message = f"{language.distribution} is {found}, but the scheme names {language.version}; {remedy}"
        raise GrammarError(message)
    return _tables(language, loaded)


def _tables(language: Language, loaded: tree_sitter.Language) -> _Grammar:
    # Generated parsers number their terminals first, then the start rule (the kind of the root), then all other rules.
    first_rule = tree_sitter.Parser(loaded).parse(b"").root_node.kind_id
    listed = {kind: value for kinds, value in _listed_classes(language) for kind in kinds}
    actions = bytearray(_KINDS)
    actions[_ERROR] = _ERROR_ACTION
    classes = np.full(_KINDS, TokenClass.SYMBOL, np.uint8)
    classes[_ERROR] = _PROSE
    texts = [b""] * (loaded.node_kind_count + 1)  # the last stands for ERROR
    for kind in range(1, loaded.node_kind_count):
        text = loaded.node_kind_for_id(kind) or ""
        is_named = loaded.node_kind_is_named(kind)
        if kind < first_rule or (is_named and text in listed):
            actions[kind] = _WHOLE
        if is_named:
            classes[kind] = listed.get(text, TokenClass.SYMBOL)
        elif not text.strip():
            classes[kind] = _BLANK
        elif _DIRECTIVE.fullmatch(text):  # the grammars of the C family let `#  define` be one token
            classes[kind] = _PROSE
        elif kind < first_rule and len(text.split()) == 1:
            actions[kind] = _FIXED
            texts[kind] = text.encode()
    return _Grammar(
        language=loaded,
        actions=bytes(actions),
        careful=bytes(actions).replace(bytes([_FIXED]), bytes([_WHOLE])),
        classes=classes,
        texts=tuple(
            np.array([text[step] if step < len(text) else 0 for text in texts], np.uint8)
            for step in range(max(map(len, texts)))
        ),
        lengths=np.array([len(text) for text in texts], np.int64),
        codes=np.array([token_code(text) for text in texts], np.uint64),
        keywords=frozenset(text for text in texts if text.isalpha()) | _PRIMITIVE_TYPES,
    )


def _listed_classes(language: Language) -> tuple[tuple[frozenset[str], int], ...]:
    return (
        (language.names, TokenClass.NAME),
        (language.strings, TokenClass.STRING),
        (language.numbers, TokenClass.NUMBER),
        (language.literals, _LITERAL),
        (language.comments, _COMMENT),
        (language.blanks, _BLANK),
        (language.fragments, _FRAGMENT),
        (language.prose, _PROSE),
    )


def _tree(language: Language, grammar: _Grammar, source: bytes, seconds: float) -> tree_sitter.Tree:
    view = memoryview(source)
    deadline = time.monotonic() + seconds

    def read(offset: int, _point: tree_sitter.Point) -> memoryview | bytes:
        # A line feed follows the source: scanners that wait for white space (Kotlin's, after `@Name`) never return at
        # the end of the input, and no callback can stop them.
        return _END if offset == len(source) else view[offset:]

    def is_late(_offset: int, _has_error: bool) -> bool:
        return time.monotonic() > deadline

    # A progress callback works with a read callback only; one that gives all that is left costs nothing measurable.
    # A parser that was stopped would resume at its next use, so each source gets its own.
    try:
        return tree_sitter.Parser(grammar.language).parse(read, progress_callback=is_late)
    except ValueError as error:
        message = f"parsing as {language.name} took longer than {seconds:g} s; raise the time limit"
        raise ParseTimeout(message) from error


def _walk(tree: tree_sitter.Tree, actions: bytes, size: int) -> _Walk:
    """Lists the leaves of a tree in order, as far as they are within the first `size` bytes.

    Access to nodes is what costs here (half as much as the parse), so nothing is read that follows from the rest, and
    flat arrays of numbers leave the garbage collector nothing to do.
    """
    kinds, starts, ends = array("H"), array("I"), array("I")
    add_kind, add_start, add_end = kinds.append, starts.append, ends.append
    fixed, error = _FIXED, _ERROR_ACTION
    error_bytes = error_end = 0
    cursor: Any = tree.walk()  # a tree's cursor always stands at a node; its type says that it might not
    to_child, to_sibling, to_parent = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        node = cursor.node
        kind = node.kind_id
        action = actions[kind]
        if action == fixed:
            add_kind(kind)
        elif action or not to_child():
            start, end = node.start_byte, node.end_byte
            if action == error:
                if end > error_end:  # else it is in the one before
                    error_bytes += max(min(end, size) - start, 0)
                    error_end = end
                if to_child():
                    continue
            add_kind(kind)
            add_start(start)
            add_end(end)
        else:
            continue
        while not to_sibling():
            if not to_parent():
                spans = _positions(starts, size), _positions(ends, size)
                return _Walk(np.frombuffer(kinds, np.uint16), *spans, error_bytes)


def _positions(values: array[int], size: int) -> NDArray[np.int64]:
    return np.minimum(np.frombuffer(values, np.uint32), size, dtype=np.int64)


def _unpacked(grammar: _Grammar, text: _Text, walk: _Walk) -> _Leaves | None:
    """Finds the spans of the fixed leaves: without the white space, each begins where the one before it ends.

    None where that, or one of the fixed texts, does not hold: hidden tokens, keywords in any case (PHP), other brackets
    under the same kind (Ruby's `%w[`).
    """
    kinds = walk.kinds
    lengths = grammar.lengths[kinds]
    fixed = lengths > 0
    whole = np.flatnonzero(~fixed)
    before_whole = text.solid_before[walk.starts]
    lengths[whole] = text.solid_before[walk.ends] - before_whole
    solid_ends = np.cumsum(lengths)
    solid_starts = solid_ends - lengths
    if not len(text.solid) or solid_ends[-1] != len(text.solid) or (solid_starts[whole] != before_whole).any():
        return None
    starts = text.solid.take(solid_starts, mode="clip")
    starts[whole] = walk.starts
    ends = starts + lengths
    ends[whole] = walk.ends
    if not np.array_equal(_are_fixed(grammar, text, kinds, starts, ends), fixed):
        return None
    return _Leaves(kinds, starts, ends, fixed)


def _are_fixed(
    grammar: _Grammar,
    text: _Text,
    kinds: NDArray[np.uint16],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether the bytes of each leaf are the fixed ones of its kind."""
    lengths = grammar.lengths.take(kinds, mode="clip")
    fixed: NDArray[np.bool_] = (lengths > 0) & (ends - starts == lengths)
    rest = np.flatnonzero(fixed)
    for step, texts in enumerate(grammar.texts):
        same = text.content.take(starts[rest] + step, mode="clip") == texts.take(kinds[rest])
        if not same.all():
            fixed[rest[~same]] = False
            rest = rest[same]
        rest = rest[lengths[rest] > step + 1]
        if not len(rest):
            break
    return fixed


def _filled(leaves: _Leaves) -> _Leaves:
    """The leaves that are not empty."""
    is_filled = leaves.starts < leaves.ends
    if is_filled.all():
        return leaves
    filled = np.flatnonzero(is_filled)
    return _Leaves(leaves.kinds[filled], leaves.starts[filled], leaves.ends[filled], leaves.fixed[filled])


def _tokens(grammar: _Grammar, text: _Text, leaves: _Leaves, errors: int) -> Parsed:
    """Turns leaves into tokens: comments and white space out, raw text split, codes looked up."""
    source = text.source
    starts, ends, classes = leaves.starts, leaves.ends, grammar.classes[leaves.kinds]
    fixed_kinds = np.where(leaves.fixed, leaves.kinds, 0)
    odd = _odd(text, starts, ends, classes, np.flatnonzero(~leaves.fixed))
    comments: list[tuple[int, int]] = []
    if len(odd):
        spans = zip(starts[odd].tolist(), ends[odd].tolist(), classes[odd].tolist(), strict=True)
        parts: list[tuple[int, int, int]] = []
        for start, end, kind in spans:
            if kind == _COMMENT:
                comments.append((start, start + len(source[start:end].rstrip())))
            else:
                parts.extend(_split(source[start:end], start, kind, grammar.keywords))
        is_kept = np.ones(len(starts), np.bool_)
        is_kept[odd] = False
        kept = np.flatnonzero(is_kept)
        starts, ends, classes, fixed_kinds = starts[kept], ends[kept], classes[kept], fixed_kinds[kept]
        if parts:
            comments = sorted(comments + [(start, end) for start, end, kind in parts if kind == _COMMENT])
            added = np.array([part for part in parts if part[2] != _COMMENT], np.int64).reshape(-1, 3)
            order = np.argsort(np.concatenate([starts, added[:, 0]]), kind="stable")
            starts = np.concatenate([starts, added[:, 0]])[order]
            ends = np.concatenate([ends, added[:, 1]])[order]
            classes = np.concatenate([classes, added[:, 2].astype(np.uint8)])[order]
            fixed_kinds = np.concatenate([fixed_kinds, np.zeros(len(added), fixed_kinds.dtype)])[order]
    codes = grammar.codes[fixed_kinds]
    unknown = np.flatnonzero(fixed_kinds == 0)
    symbols = [source[start:end] for start, end in zip(starts[unknown].tolist(), ends[unknown].tolist(), strict=True)]
    codes[unknown] = np.fromiter(map(_codes.__getitem__, symbols), np.uint64, len(symbols))
    return Parsed(starts, ends, classes, tuple(comments), errors, codes)


def _odd(
    text: _Text,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    whole: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Which of the leaves `whole` are no tokens as they stand.

    That is those that are not of a `TokenClass`, those with white space in them, and strings with white space around
    them.
    """
    starts, ends, classes = starts[whole], ends[whole], classes[whole]
    has_blank = text.solid_before[ends] - text.solid_before[starts] < ends - starts
    strings = np.flatnonzero(has_blank & (classes == TokenClass.STRING))
    edges = np.minimum(text.content[starts[strings]], text.content[ends[strings] - 1])
    has_blank[strings] = edges <= _LAST_BLANK
    return whole[has_blank | (classes >= _COMMENT)]


def _split(text: bytes, start: int, kind: int, keywords: frozenset[bytes]) -> Iterator[tuple[int, int, int]]:
    """The tokens and comments in an odd leaf: (start, end, class), the class `_COMMENT` for a comment.

    Args:
        text: the leaf's bytes.
        start: where they stand in the source.
        kind: the leaf's class.
        keywords: words that are no names in a fragment.
    """
    if kind in (_LITERAL, TokenClass.STRING):
        stripped = text.strip(_BLANKS)
        if stripped:
            start += text.index(stripped)
            yield start, start + len(stripped), _literal_class(stripped) if kind == _LITERAL else kind
    elif kind != _BLANK:
        # A name with white space in it is one under an ERROR node, or a grammar's keyword of two words.
        pattern = _FRAGMENT_PART if kind == _FRAGMENT else _PROSE_PART
        for match in pattern.finditer(text):
            group = cast("str", match.lastgroup)
            if group == "name" and match.group() in keywords:
                group = "symbol"
            if group != "blank":
                yield start + match.start(), start + match.end(), _PART_CLASSES[group]


def _literal_class(text: bytes) -> int:
    """Whether a literal is a string, a number, or a word such as NULL, by its first and last byte."""
    if text[-1:] in (b"'", b'"', b"`", b"$"):
        return TokenClass.STRING
    return TokenClass.NUMBER if text[0] in b"0123456789+-." else TokenClass.SYMBOL
