"""Tree-sitter: source bytes to the arrays of a token stream. The only module that imports tree_sitter."""

from __future__ import annotations

import importlib
import re
import time
from array import array
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import tree_sitter
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import CodeTable, token_code
from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.analyzers.values import literal_code
from wherefrom.errors import GrammarError, ParseTimeout
from wherefrom.languages import Language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from wherefrom.languages.language import Spelling
    from wherefrom.languages.nothing import Nothing
    from wherefrom.model import Hashes

_COMMENT, _BLANK, _FRAGMENT, _PROSE, _LITERAL = range(8, 13)
"""What a leaf is that is not a token by itself; beside the values of `TokenClass`, and never in a `Parsed`."""

_WHOLE, _FIXED, _ERROR_ACTION, _STRING_ACTION = 1, 2, 3, 4
"""What the walk does at a node: 0 looks at its children, `_WHOLE` takes its span, `_FIXED` knows its bytes by its kind,
`_ERROR_ACTION` counts it and looks at its children, `_STRING_ACTION` takes its span but for the children with
`_CODE_IN_STRING`, which it looks at."""

_CODE_IN_STRING = 8
"""Added to the action of a kind that is code directly inside a string."""

_KINDS = 1 << 16
_ERROR = _KINDS - 1
"""Tree-sitter's kind id of an ERROR node."""

_WORDS_BEYOND = 64
"""So far behind the end of a source its bytes may be asked for, as NUL; no fixed text is longer."""

_LAST_BLANK = 0x20
"""White space is every byte up to this one: a comparison is much faster than a table here."""

_BLANKS = bytes(range(_LAST_BLANK + 1))

_END = b"\n"

_processor_seconds = getattr(time, "thread_time", time.process_time)
"""The clock of the limit on parsing: it does not run while the process is stopped."""

_DIRECTIVE = re.compile(r"#[a-z_]+")
_FRAGMENT_PART = re.compile(
    rb"""[\x00-\x20\\]*+ (?:
    (?P<comment> /\*.*?(?:\*/|\Z) | //[^\n]* )
    | (?P<string> (?:[LuU]|u8)?(?: "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)+' ) )
    | (?P<number> \.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])* )
    | (?P<name> [A-Za-z_$\x80-\xff][\w$\x80-\xff]* )
    | (?P<symbol> <<=|>>=|\.\.\.|->\*?|\+\+|--|<<|>>|[-+*/%&|^!=<>]=|&&|\|\||::|\#\#|. )
    | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_PROSE_PART = re.compile(rb"[\x00-\x20]*+(?:(?P<symbol>[\w\x80-\xff]+|.)|\Z)", re.DOTALL)
_PART_CLASSES = {
    "comment": _COMMENT,
    "string": int(TokenClass.STRING),
    "number": int(TokenClass.NUMBER),
    "name": int(TokenClass.NAME),
    "symbol": int(TokenClass.SYMBOL),
}

_STRING, _NUMBER = int(TokenClass.STRING), int(TokenClass.NUMBER)

_codes = CodeTable()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tokens of one source, in order, none of them empty, none overlapping another.

    Attributes:
        starts, ends: int64, byte span of each token, 0-based, half-open.
        classes: uint8, the `TokenClass` of each.
        comments: byte spans of the comments, in order.
        errors: how badly the source fits the grammar: the bytes under ERROR nodes plus the tokens that the parser made
            up.
        codes: uint64, `hashing.token_code` of the bytes of each token, of a literal that of its value.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    classes: NDArray[np.uint8]
    comments: tuple[tuple[int, int], ...]
    errors: int
    codes: Hashes


@dataclass(frozen=True, slots=True, eq=False)
class LoadedGrammar:
    """A loaded grammar with its tables, by kind id.

    Attributes:
        language: the grammar.
        capsule: it, as its wheel gives it.
        actions: what the walk does.
        careful: the same, but nothing is fixed.
        classes: uint8, a `TokenClass`, or one of the values from `_COMMENT` on.
        texts: the fixed texts, empty for a kind without one; the last one is that of ERROR.
        words: `words[i]` (uint64) are the bytes from 8 * i on of these, filled up with NUL.
        masks: the bits of those words that belong to the texts.
        lengths: int64, of the fixed texts, 0 where there is none.
        codes: uint64, the token codes of the fixed texts.
        keywords: the words among the fixed texts, and what else is not a name in a fragment.
        symbols: the fixed texts that a source may have; the others are the grammar's own.
        spelling: of strings.
    """

    language: tree_sitter.Language
    capsule: object
    actions: bytes
    careful: bytes
    classes: NDArray[np.uint8]
    texts: tuple[bytes, ...]
    words: tuple[NDArray[np.uint64], ...]
    masks: tuple[NDArray[np.uint64], ...]
    lengths: NDArray[np.int64]
    codes: Hashes
    keywords: frozenset[bytes]
    symbols: frozenset[bytes]
    spelling: Spelling | Nothing


@dataclass(slots=True)
class _Text:
    """A source, and the same without its white space: `solid` are the positions of all other bytes, and
    `solid_before[i]` of them are before position i (one entry more than bytes). `words[i]` are the eight bytes from
    position i on, little-endian, NUL behind the end; there are `_WORDS_BEYOND` entries more than bytes.
    """

    source: bytes
    content: NDArray[np.uint8]
    words: NDArray[np.uint64]
    solid: NDArray[np.int64]
    solid_before: NDArray[np.int32]

    @classmethod
    def of(cls, source: bytes) -> _Text:
        content = np.frombuffer(source, np.uint8)
        count = len(source) + _WORDS_BEYOND
        words: NDArray[np.uint64] = np.ndarray((count,), "<u8", source + bytes(_WORDS_BEYOND + 7), strides=(1,))
        is_solid = content > _LAST_BLANK
        # A line that goes on is white space in the C family, Python and shells.
        if b"\\" in source and b"\\\n" in source:
            is_solid[:-1] &= (content[:-1] != ord("\\")) | (content[1:] != ord("\n"))
        solid_before = np.zeros(len(content) + 1, np.int32)
        is_solid.cumsum(dtype=np.int32, out=solid_before[1:])
        return cls(source, content, words, is_solid.nonzero()[0], solid_before)


@dataclass(slots=True)
class _Leaves:
    """The leaves of a tree in order: kind ids, byte spans, and whether the bytes are the kind's fixed ones."""

    kinds: NDArray[np.intp]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    fixed: NDArray[np.bool_]


@dataclass(slots=True)
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
        GrammarError: the grammar is not installed, or in a version that is not supported.
    """
    grammar = load(language)
    tree = _tree(language, grammar, source, seconds)
    text = _Text.of(source)
    has_error = tree.root_node.has_error  # then some tokens may have no width, and no text that their kind tells
    leaves = None if has_error else _unpacked(grammar, text, _walk(tree, grammar.actions, len(source)))
    error_bytes = made_up = 0
    if leaves is None:
        walk = _walk(tree, grammar.careful, len(source))
        kinds = walk.kinds.astype(np.intp)
        solid = _without_blanks(text, walk.starts, walk.ends)
        fixed = _are_fixed(grammar, text, kinds, solid, walk.ends)
        leaves = _Leaves(kinds, np.where(fixed, solid, walk.starts), walk.ends, fixed)
        error_bytes = walk.error_bytes
        made_up = int(np.count_nonzero(walk.starts == walk.ends)) if has_error else 0
    return _tokens(grammar, text, _filled(leaves), error_bytes + made_up)


def broken_spans(language: Language, source: bytes, seconds: float) -> list[tuple[int, int, bool]]:
    """The byte spans of the leaves that the grammar has no place for, in order: those directly under an ERROR node, and
    ERROR nodes without children. What is under an ERROR node by way of another node parsed as that.

    Returns:
        (start, end, whether it is text that the grammar did not take apart), half-open.

    Raises:
        ParseTimeout: parsing took longer.
        GrammarError: as `parse`.
    """
    grammar = load(language)
    size = len(source)
    found: list[tuple[int, int, bool]] = []
    cursor: Any = _tree(language, grammar, source, seconds).walk()
    in_error = [False]  # of each node from the root to the cursor, whether it is in an ERROR node
    while True:
        node = cursor.node
        kind = node.kind_id
        is_error = kind == _ERROR
        is_leaf = grammar.careful[kind] == _WHOLE or not node.child_count
        if is_leaf and (in_error[-1] or is_error):
            start, end = node.start_byte, min(node.end_byte, size)
            is_word = not is_error and grammar.classes[kind] not in (TokenClass.STRING, *range(_COMMENT, _LITERAL + 1))
            is_raw = is_error or (is_word and len(source[start:end].split()) > 1)
            found.append((start, end, is_raw))
        if not is_leaf and node.has_error and cursor.goto_first_child():
            in_error.append(is_error)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
            in_error.pop()


def coded(
    language: Language, source: bytes, spans: Iterable[tuple[int, int, int]], comments: Iterable[tuple[int, int]]
) -> Parsed:
    """Tokens of a source that are known by their spans and classes (start, end, `TokenClass`), in order."""
    found = np.array(list(spans), np.int64).reshape(-1, 3)
    tokens = found[:, 0].copy(), found[:, 1].copy(), found[:, 2].astype(np.uint8)
    unknown = np.ones(len(found), np.bool_)
    parsed = Parsed(*tokens, tuple(comments), 0, np.zeros(len(found), np.uint64))
    return _coded(load(language), _Text.of(source), parsed, unknown)


def node_spans(
    language: Language, source: bytes, seconds: float, kinds: Collection[str], shortest: int
) -> list[tuple[int, int]]:
    """The byte spans of the nodes of some kinds, in the order in which they begin, an outer one before those in it.

    Args:
        language: of the source; one with a grammar.
        source: UTF-8.
        seconds: the limit on parsing.
        kinds: names of node kinds; those that the grammar does not have are passed over.
        shortest: nodes of fewer bytes are left out, with all that is in them.

    Raises:
        ParseTimeout: parsing took longer.
        GrammarError: the grammar is not installed, or in a version that is not supported.
    """
    grammar = load(language)
    wanted = _kind_ids(grammar.language, kinds)
    size = len(source)
    found: list[tuple[int, int]] = []
    cursor: Any = _tree(language, grammar, source, seconds).walk()
    while True:
        node = cursor.node
        start, end = node.start_byte, min(node.end_byte, size)
        is_long = end - start >= shortest
        if is_long and node.kind_id in wanted:
            found.append((start, end))
        if is_long and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found


def captured(
    language: Language, source: bytes, query: str, within: tuple[int, int] | None = None
) -> list[tuple[int, int, str]]:
    """What a query of Tree-sitter captures in a source: byte spans with the names of the captures, in no order.

    Nothing stops it, neither the parse nor the query, so it is called only in a process that has a limit.

    Args:
        language: of the source; one with a grammar.
        source: UTF-8.
        query: as the wheels of grammars have them.
        within: the bytes (half-open) with which a node must share some, None for all of the source.

    Raises:
        GrammarError: the grammar is not installed, or in a version that is not supported; or the query is for another.
    """
    compiled = _compiled(language, query)
    tree = tree_sitter.Parser(load(language).language).parse(source)
    cursor = tree_sitter.QueryCursor(compiled)
    if within is not None:
        cursor.set_byte_range(*within)
    found = cursor.captures(tree.root_node)
    size = len(source)
    return [(node.start_byte, min(node.end_byte, size), name) for name, nodes in found.items() for node in nodes]


@cache
def _compiled(language: Language, query: str) -> tree_sitter.Query:
    """A query, made once and kept: py-tree-sitter 0.26.1 crashes some time after one was freed.

    Raises:
        GrammarError: as `captured`.
    """
    try:
        return tree_sitter.Query(load(language).language, query)
    except (tree_sitter.QueryError, ValueError) as error:
        raise GrammarError(f"the query does not fit the grammar of {language.name}: {error}; leave it out") from error


def _kind_ids(language: tree_sitter.Language, kinds: Collection[str]) -> frozenset[int]:
    named = (kind for kind in range(language.node_kind_count) if language.node_kind_is_named(kind))
    return frozenset(kind for kind in named if language.node_kind_for_id(kind) in kinds)


@cache
def load(language: Language) -> LoadedGrammar:
    """The grammar of a language with its tables, made on first use.

    Raises:
        GrammarError: the grammar is not installed, or in a version that is not supported.
    """
    grammar = language.grammar
    if not grammar:
        message = f"{language.name} has no grammar; parse a language that has one"
        raise GrammarError(message)
    remedy = f"install it with: pip install '{grammar.requirement}'"
    version = grammar.version
    if version is None:
        message = f"the grammar {grammar.distribution} is not installed; {remedy}"
        raise GrammarError(message)
    if not grammar.supports(version):
        message = f"{grammar.distribution} {version} is not supported; {remedy}"
        raise GrammarError(message)
    try:
        capsule = getattr(importlib.import_module(grammar.module), grammar.function)()
        loaded = tree_sitter.Language(capsule)
    except (ImportError, AttributeError, ValueError) as error:
        message = f"the grammar {grammar.distribution} cannot be loaded ({type(error).__name__}); {remedy}"
        raise GrammarError(message) from error
    return _tables(language, loaded, capsule)


def _tables(language: Language, loaded: tree_sitter.Language, capsule: object) -> LoadedGrammar:
    # Generated parsers number their terminals first, then the start rule (the kind of the root), then all other rules.
    first_rule = tree_sitter.Parser(loaded).parse(b"").root_node.kind_id
    listed = {kind: value for kinds, value in _listed_classes(language) for kind in kinds}
    actions = bytearray(_KINDS)
    actions[_ERROR] = _ERROR_ACTION
    classes = np.full(_KINDS, TokenClass.SYMBOL, np.uint8)
    classes[_ERROR] = _PROSE
    texts = [b""] * (loaded.node_kind_count + 1)  # the last one is that of ERROR
    reserved = language.lexical.reserved_in_fragments if language.lexical else ()
    string_action = _STRING_ACTION if language.code_in_strings else _WHOLE
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
        if is_named and text in language.strings and actions[kind] == _WHOLE:
            actions[kind] = string_action
        if text in language.code_in_strings:
            actions[kind] |= _CODE_IN_STRING
    return LoadedGrammar(
        language=loaded,
        capsule=capsule,
        actions=bytes(actions),
        careful=bytes(actions).translate(
            bytes(_WHOLE | of & _CODE_IN_STRING if of % 8 == _FIXED else of for of in range(256))
        ),
        classes=classes,
        texts=tuple(texts),
        words=_words(texts),
        masks=_words([b"\xff" * len(text) for text in texts]),
        lengths=np.array([len(text) for text in texts], np.int64),
        codes=np.array([token_code(text) for text in texts], np.uint64),
        keywords=frozenset(text for text in texts if text.isalpha()) | {word.encode() for word in reserved},
        symbols=frozenset(text for kind, text in enumerate(texts[:-1]) if text and loaded.node_kind_is_visible(kind)),
        spelling=language.spelling,
    )


def _words(texts: list[bytes]) -> tuple[NDArray[np.uint64], ...]:
    """The texts, eight bytes at a time, as little-endian numbers."""
    return tuple(
        np.array([int.from_bytes(text[at : at + 8], "little") for text in texts], np.uint64)
        for at in range(0, max(map(len, texts)), 8)
    )


def _listed_classes(language: Language) -> tuple[tuple[tuple[str, ...], int], ...]:
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


def _tree(language: Language, grammar: LoadedGrammar, source: bytes, seconds: float) -> tree_sitter.Tree:
    view = memoryview(source)
    now, clock = _processor_seconds, time.monotonic
    deadline, earliest = now() + seconds, clock() + seconds

    def read(offset: int, _point: tree_sitter.Point) -> memoryview | bytes:
        # A line feed follows the source: scanners that wait for white space (Kotlin's, after `@Name`) never return at
        # the end of the input, and no callback can stop them.
        return _END if offset == len(source) else view[offset:]

    def is_late(_offset: int, _has_error: bool) -> bool:
        # It is asked a hundred times a file, and the clock on the wall needs no call of the system.
        return clock() > earliest and now() > deadline

    # A progress callback works with a read callback only; one that gives all that is left costs nothing measurable.
    # A parser that was stopped would resume at its next use, so each source gets its own.
    try:
        return tree_sitter.Parser(grammar.language).parse(read, progress_callback=is_late)
    except ValueError as error:
        raise too_slow(language, seconds) from error


def too_slow(language: Language, seconds: float) -> ParseTimeout:
    """The error of a parse that took longer than that."""
    return ParseTimeout(f"parsing as {language.name} took longer than {seconds:g} s; raise the time limit")


def _walk(tree: tree_sitter.Tree, actions: bytes, size: int) -> _Walk:
    """Lists the leaves of a tree in order, as far as they are within the first `size` bytes.

    Access to nodes is what costs here (half as much as the parse), so nothing is read that follows from the rest, and
    flat arrays of numbers leave the garbage collector nothing to do.
    """
    kinds, starts, ends = array("H"), array("I"), array("I")
    add_kind, add_start, add_end = kinds.append, starts.append, ends.append
    fixed, error, string, code = _FIXED, _ERROR_ACTION, _STRING_ACTION, _CODE_IN_STRING
    error_bytes = error_end = 0
    # Nodes at which the walk goes on, and the pieces of strings between them, the next one last.
    waiting: list[Any] = [tree.walk()]  # a tree's cursor is always at a node; its type says that it might not
    while waiting:
        cursor = waiting.pop()
        if isinstance(cursor, tuple):
            kind, start, end = cursor
            add_kind(kind)
            add_start(start)
            add_end(end)
            continue
        to_child, to_sibling, to_parent = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        while True:
            node = cursor.node
            kind = node.kind_id
            action = actions[kind] & ~code
            parts: list[Any] = []
            if action == fixed:
                add_kind(kind)
            elif action == string and (parts := _parts_of_string(node, actions)):
                pass
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
    spans = _positions(starts, size), _positions(ends, size)
    return _Walk(np.frombuffer(kinds, np.uint16), *spans, error_bytes)


def _parts_of_string(node: tree_sitter.Node, actions: bytes) -> list[Any]:
    """What a string with code in it is made of, the last part first: a cursor for each code, and (kind, start, end) of
    the text between. Empty for a string without code.
    """
    parts: list[Any] = []
    kind, start = node.kind_id, node.start_byte
    for child in node.children:
        if actions[child.kind_id] & _CODE_IN_STRING:
            if start < child.start_byte:
                parts.append((kind, start, child.start_byte))
            parts.append(child.walk())
            start = child.end_byte
    if parts and start < node.end_byte:
        parts.append((kind, start, node.end_byte))
    return parts[::-1]


def _positions(values: array[int], size: int) -> NDArray[np.int64]:
    return np.minimum(np.frombuffer(values, np.uint32), size, dtype=np.int64)


def _unpacked(grammar: LoadedGrammar, text: _Text, walk: _Walk) -> _Leaves | None:
    """Finds the spans of the fixed leaves: without the white space, each begins where the one before it ends.

    None where that, or one of the fixed texts, does not hold: hidden tokens, keywords in any case (PHP), other brackets
    under the same kind (Ruby's `%w[`).
    """
    kinds = walk.kinds.astype(np.intp)
    lengths = grammar.lengths.take(kinds)
    is_fixed = lengths > 0
    fixed = is_fixed.nonzero()[0]
    whole = np.logical_not(is_fixed).nonzero()[0]
    before_whole = text.solid_before.take(walk.starts)
    lengths[whole] = text.solid_before.take(walk.ends) - before_whole
    solid_ends = lengths.cumsum()
    solid_starts = solid_ends - lengths
    if not len(text.solid) or solid_ends[-1] != len(text.solid):
        return None
    if np.count_nonzero(solid_starts[whole] != before_whole):
        return None
    starts = text.solid.take(solid_starts, mode="clip")
    if not _have_texts(grammar, text, kinds[fixed], starts[fixed]):
        return None
    starts[whole] = walk.starts
    ends = starts + lengths
    ends[whole] = walk.ends
    return _Leaves(kinds, starts, ends, is_fixed)


def _have_texts(grammar: LoadedGrammar, text: _Text, kinds: NDArray[np.intp], starts: NDArray[np.int64]) -> bool:
    """Whether the fixed text of each kind, if it has one, is where it should be."""
    for words, masks in zip(grammar.words, grammar.masks, strict=True):
        of_kinds = masks.take(kinds)
        if words is not grammar.words[0]:
            longer = of_kinds.nonzero()[0]
            if not len(longer):
                break
            kinds, starts, of_kinds = kinds[longer], starts[longer] + 8, of_kinds[longer]
        if np.count_nonzero((text.words[starts] & of_kinds) != words.take(kinds)):
            return False
    return True


def _without_blanks(text: _Text, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where leaves begin without the white space before them: Bash's ` $(` in a string has some."""
    if not len(text.solid):
        return starts
    return np.minimum(np.maximum(text.solid.take(text.solid_before.take(starts), mode="clip"), starts), ends)


def _are_fixed(
    grammar: LoadedGrammar,
    text: _Text,
    kinds: NDArray[np.intp],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether the bytes of each leaf are the fixed ones of its kind."""
    kinds = np.minimum(kinds, len(grammar.lengths) - 1)  # the last one is that of ERROR
    lengths = grammar.lengths.take(kinds)
    fixed: NDArray[np.bool_] = (lengths > 0) & (ends - starts == lengths)
    for step, (words, masks) in enumerate(zip(grammar.words, grammar.masks, strict=True)):
        rest = (fixed & (lengths > 8 * step)).nonzero()[0]
        if not len(rest):
            break
        of_rest = kinds[rest]
        found = text.words[starts[rest] + 8 * step] & masks.take(of_rest)
        fixed[rest] = found == words.take(of_rest)
    return fixed


def _filled(leaves: _Leaves) -> _Leaves:
    """The leaves that are not empty."""
    is_filled = leaves.starts < leaves.ends
    if np.count_nonzero(is_filled) == len(is_filled):
        return leaves
    filled = is_filled.nonzero()[0]
    return _Leaves(leaves.kinds[filled], leaves.starts[filled], leaves.ends[filled], leaves.fixed[filled])


def _tokens(grammar: LoadedGrammar, text: _Text, leaves: _Leaves, errors: int) -> Parsed:
    """Turns leaves into tokens: comments and white space out, raw text split, codes looked up."""
    source = text.source
    starts, ends, classes = leaves.starts, leaves.ends, grammar.classes.take(leaves.kinds)
    fixed_kinds = leaves.kinds * leaves.fixed  # 0, the kind of the end, has no text and means "not fixed"
    odd = _odd(text, starts, ends, classes, np.logical_not(leaves.fixed).nonzero()[0])
    comments: list[tuple[int, int]] = []
    if len(odd):
        spans = zip(starts[odd].tolist(), ends[odd].tolist(), classes[odd].tolist(), strict=True)
        parts = array("q")
        for start, end, kind in spans:
            leaf = source[start:end]
            if kind == _COMMENT:
                comments.append((start, start + len(leaf.rstrip())))
                continue
            split = _split_again if len(leaf) <= _LIKELY_AGAIN else _split
            for begin, stop, part_kind in split(leaf, kind, grammar.keywords):
                if part_kind == _COMMENT:
                    comments.append((start + begin, start + stop))
                else:
                    parts.extend((start + begin, start + stop, part_kind))
        is_kept = np.ones(len(starts), np.bool_)
        is_kept[odd] = False
        kept = is_kept.nonzero()[0]
        starts, ends, classes, fixed_kinds = starts[kept], ends[kept], classes[kept], fixed_kinds[kept]
        if parts:
            added = np.frombuffer(parts, np.int64).reshape(-1, 3)
            starts = np.concatenate([starts, added[:, 0]])
            order = starts.argsort(kind="stable")
            starts = starts[order]
            ends = np.concatenate([ends, added[:, 1]])[order]
            classes = np.concatenate([classes, added[:, 2].astype(np.uint8)])[order]
            fixed_kinds = np.concatenate([fixed_kinds, np.zeros(len(added), fixed_kinds.dtype)])[order]
    found = Parsed(starts, ends, classes, tuple(comments), errors, grammar.codes.take(fixed_kinds))
    return _coded(grammar, text, found, fixed_kinds == 0)


def _coded(grammar: LoadedGrammar, text: _Text, parsed: Parsed, unknown: NDArray[np.bool_]) -> Parsed:
    """The tokens with the codes that are not known yet, and without the pieces of strings that have no value."""
    starts, ends, classes, codes = parsed.starts, parsed.ends, parsed.classes, parsed.codes
    literals = is_literal(classes)
    others = (unknown > literals).nonzero()[0]
    codes[others] = _codes.of(text.source, text.words, starts[others], ends[others])
    places = literals.nonzero()[0]
    spans = zip(starts[places].tolist(), ends[places].tolist(), (classes[places] == _NUMBER).tolist(), strict=True)
    found = [
        literal_code(text.source[start:end], None if is_number else grammar.spelling) for start, end, is_number in spans
    ]
    codes[places] = [code or 0 for code in found]
    if None not in found:
        return parsed
    kept = np.ones(len(codes), np.bool_)
    kept[places] = [code is not None for code in found]
    return Parsed(starts[kept], ends[kept], classes[kept], parsed.comments, parsed.errors, codes[kept])


def _odd(
    text: _Text,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    whole: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Which of the leaves `whole` are not tokens by themselves.

    That is those that are not of a `TokenClass`, those with white space in them, and strings with white space around
    them.
    """
    starts, ends, classes = starts[whole], ends[whole], classes[whole]
    is_odd = text.solid_before.take(ends) - text.solid_before.take(starts) < ends - starts
    strings = (is_odd & (classes == _STRING)).nonzero()[0]
    if len(strings):
        edges = np.minimum(text.content[starts[strings]], text.content[ends[strings] - 1])
        is_odd[strings] = edges <= _LAST_BLANK
    is_odd |= classes >= _COMMENT
    return whole[is_odd]


def _split(leaf: bytes, kind: int, keywords: frozenset[bytes]) -> list[tuple[int, int, int]]:
    """The tokens and comments in an odd leaf: (start, end, class) in the leaf, the class `_COMMENT` for a comment.

    Args:
        leaf: its bytes.
        kind: its class.
        keywords: words that are not names in a fragment.
    """
    if kind in (_LITERAL, _STRING):
        stripped = leaf.strip(_BLANKS)
        if not stripped:
            return []
        start = leaf.index(stripped)
        return [(start, start + len(stripped), _literal_class(stripped) if kind == _LITERAL else kind)]
    if kind == _BLANK:
        return []
    # A name with white space in it is one under an ERROR node, or a grammar's keyword of two words.
    pattern = _FRAGMENT_PART if kind == _FRAGMENT else _PROSE_PART
    parts = []
    for match in pattern.finditer(leaf):
        group = match.lastgroup
        if group is not None:  # else only white space was left
            start, end = match.span(group)
            if group == "name" and leaf[start:end] in keywords:
                group = "symbol"
            parts.append((start, end, _PART_CLASSES[group]))
    return parts


_split_again = lru_cache(4096)(_split)
"""For short leaves: `#define` and the like come again and again."""

_LIKELY_AGAIN = 32


def _literal_class(text: bytes) -> int:
    """Whether a literal is a string, a number, or a word such as NULL, by its first and last byte."""
    if text[-1:] in (b"'", b'"', b"`", b"$"):
        return TokenClass.STRING
    return TokenClass.NUMBER if text[0] in b"0123456789+-." else TokenClass.SYMBOL
