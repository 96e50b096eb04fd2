"""Loads the grammars of languages with tables of their node kinds, and parses sources to trees."""

from __future__ import annotations

import importlib
import time
from functools import cache

import numpy as np
import tree_sitter
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.errors import GrammarError, ParseTimeout
from wherefrom.languages import Language
from wherefrom.model import Hashes
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

COMMENT, BLANK, FRAGMENT, PROSE, LITERAL = range(8, 13)  # classes of leaves that are not one token, after `TokenClass`

PART_CLASSES = {
    "comment": COMMENT,
    "string": int(TokenClass.STRING),
    "number": int(TokenClass.NUMBER),
    "name": int(TokenClass.NAME),
    "symbol": int(TokenClass.SYMBOL),
    "rest": int(TokenClass.SYMBOL),
}
"""The class of a token or comment that a regular expression finds, by the name of its group."""

WHOLE, ERROR_ACTION, STRING_ACTION = 1, 3, 4
"""What a walk does at a node. 0: visit the children. `WHOLE`: take the span. `ERROR_ACTION`: count the node as an error
and visit the children. `STRING_ACTION`: take the span, except children with `CODE_IN_STRING`, which are visited."""

CODE_IN_STRING = 8  # a flag, added to the action of each kind that is code directly inside a string
_KINDS = 1 << 16
ERROR = _KINDS - 1  # Tree-sitter's kind id of an ERROR node
_END = b"\n"
CHUNK = 65_536  # the parser gets this many bytes at a time
_processor_seconds = getattr(time, "thread_time", time.process_time)  # it stops while the process is stopped

_DIRECTIVE = later(r"#[a-z_]+")


@dataclass(frozen=True, slots=True, eq=False)
class LoadedGrammar:
    """A loaded grammar with tables by kind id."""

    language: tree_sitter.Language
    capsule: object  # the grammar as the module in its wheel returns it
    actions: bytes  # what a walk does at a node of each kind (see `WHOLE`)
    classes: NDArray[np.uint8]  # uint8, a `TokenClass` or one of the values from `COMMENT` on
    texts: tuple[bytes, ...]  # the fixed text of each kind, empty if it has none; the last one is for ERROR
    codes: Hashes  # uint64, the token code of each text, 0 for an empty one
    keywords: frozenset[bytes]  # the texts that are words, and other words that are reserved in raw fragments
    symbols: frozenset[bytes]  # the texts that a source may contain; all other texts are internal to the grammar


@cache
def load(language: Language) -> LoadedGrammar:
    """Loads the grammar of a language with its tables. Later calls return the same object. Raises GrammarError if the
    language has no grammar, or its grammar is missing, unsupported, or cannot be loaded.
    """
    grammar = language.grammar
    if not grammar:
        raise GrammarError(f"{language.name} has no grammar; parse a language that has one")
    remedy = f"install it with: pip install '{grammar.requirement}'"
    version = grammar.version
    if version is None:
        raise GrammarError(f"the grammar {grammar.distribution} is not installed; {remedy}")
    if not grammar.supports(version):
        raise GrammarError(f"{grammar.distribution} {version} is not supported; {remedy}")
    try:
        capsule = getattr(importlib.import_module(grammar.module), grammar.function)()
        loaded = tree_sitter.Language(capsule)
    except (ImportError, AttributeError, ValueError) as error:
        raise GrammarError(
            f"the grammar {grammar.distribution} cannot be loaded ({type(error).__name__}); {remedy}"
        ) from error
    return _tables(language, loaded, capsule)


def _tables(language: Language, loaded: tree_sitter.Language, capsule: object) -> LoadedGrammar:
    # Generated parsers number their terminals first, then the start rule (the kind of the root), then all other rules.
    first_rule = tree_sitter.Parser(loaded).parse(b"").root_node.kind_id
    classes_of_kinds = {
        language.names: TokenClass.NAME,
        language.strings: TokenClass.STRING,
        language.numbers: TokenClass.NUMBER,
        language.literals: LITERAL,
        language.comments: COMMENT,
        language.blanks: BLANK,
        language.fragments: FRAGMENT,
        language.prose: PROSE,
    }
    listed = {kind: value for kinds, value in classes_of_kinds.items() for kind in kinds}
    actions = bytearray(_KINDS)
    actions[ERROR] = ERROR_ACTION
    classes = np.full(_KINDS, TokenClass.SYMBOL, np.uint8)
    classes[ERROR] = PROSE
    texts = [b""] * (loaded.node_kind_count + 1)  # the last one is for ERROR
    reserved = language.lexical.reserved_in_fragments if language.lexical else ()
    string_action = STRING_ACTION if language.code_in_strings else WHOLE
    for kind in range(1, loaded.node_kind_count):
        text = loaded.node_kind_for_id(kind) or ""
        is_named = loaded.node_kind_is_named(kind)
        if kind < first_rule or (is_named and text in listed):
            actions[kind] = WHOLE
        if is_named:
            classes[kind] = listed.get(text, TokenClass.SYMBOL)
        elif not text.strip():
            classes[kind] = BLANK
        elif _DIRECTIVE.fullmatch(text):  # in the C family, `#  define` is one leaf, which is split
            classes[kind] = PROSE
        elif kind < first_rule and len(text.split()) == 1:
            texts[kind] = text.encode()
        if is_named and text in language.strings and actions[kind] == WHOLE:
            actions[kind] = string_action
        if text in language.code_in_strings:
            actions[kind] |= CODE_IN_STRING
    return LoadedGrammar(
        language=loaded,
        capsule=capsule,
        actions=bytes(actions),
        classes=classes,
        texts=tuple(texts),
        codes=np.array([token_code(text) if text else 0 for text in texts], np.uint64),
        keywords=frozenset(text for text in texts if text.isalpha()) | {word.encode() for word in reserved},
        symbols=frozenset(text for kind, text in enumerate(texts[:-1]) if text and loaded.node_kind_is_visible(kind)),
    )


def tree_of(language: Language, source: bytes, seconds: float) -> tree_sitter.Tree:
    """Parses a source; bytes that are not UTF-8 become errors in the tree. Raises ParseTimeout if parsing took longer
    than `seconds`; GrammarError as `load`.
    """
    now, clock = _processor_seconds, time.monotonic
    deadline, earliest = now() + seconds, clock() + seconds

    def read(offset: int, _point: tree_sitter.Point) -> bytes:
        # A line feed follows the source: scanners that wait for white space (Kotlin's, after `@Name`) never return at
        # the end of the input, and no callback can stop them.
        return _END if offset == len(source) else source[offset : offset + CHUNK]

    def is_late(_offset: int, _has_error: bool) -> bool:
        # The parser calls this about a hundred times a file. The wall clock comes first: it needs no system call.
        return clock() > earliest and now() > deadline

    # Tree-sitter takes a progress callback only with a read callback. Its binding never frees a memoryview that this
    # returns, and with it the source. Each source gets a new parser, since a stopped parser would resume at its next
    # use.
    try:
        return tree_sitter.Parser(load(language).language).parse(read, progress_callback=is_late)
    except ValueError as error:
        raise too_slow(language, seconds) from error


def too_slow(language: Language, seconds: float) -> ParseTimeout:
    """The error for a parse that took longer than `seconds`."""
    return ParseTimeout(f"parsing as {language.name} took longer than {seconds:g} s; raise the time limit")
