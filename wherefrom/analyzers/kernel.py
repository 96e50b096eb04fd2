"""The kernel: an extension that runs the inner loops of the analyzers in native code (`kernel/`).

The modules of this package define what the kernel does, and do the same if it is missing. The kernel contains no rules:
this module passes it the tables of grammars, the classes of characters, the schemes and the words of references.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import (
    fingerprints,
    grammars,
    insides,
    lexing,
    mending,
    noise,
    parsing,
    representations,
    tokens,
    words,
)
from wherefrom.analyzers.fingerprints import QueryKGrams, query_windows
from wherefrom.analyzers.hashing import BASE, CODE_BITS, SEED
from wherefrom.analyzers.insides import AVERAGE, HEAD, JOINING, LONGEST, NOTICES, OPENING
from wherefrom.analyzers.marks import has_here_documents
from wherefrom.analyzers.nodes import Broken, broken_spans
from wherefrom.analyzers.parsing import LETTERS, Parsed
from wherefrom.analyzers.references import commentary, extract
from wherefrom.analyzers.representations import KGrams
from wherefrom.analyzers.schemes import SCHEMES, WORDS
from wherefrom.analyzers.token_words import TokenWords
from wherefrom.analyzers.tokens import Symbols, TokenStream
from wherefrom.errors import GrammarError
from wherefrom.fitted import PROSE_WORDS
from wherefrom.languages import Language
from wherefrom.languages.forms import Nothing
from wherefrom.languages.language import Spelling
from wherefrom.model import TERM_BITS, Hashes, PackedTerms, Representation
from wherefrom.support import extension

if TYPE_CHECKING:
    from wherefrom import _kernel

FOLDED = ("\u0130", "\u212a")
"""The characters beyond ASCII whose lower case begins with an ASCII letter. A word written with such a letter cannot be
found by its bytes, so a text with one of these characters may contain any word."""


_QUERY_KGRAMS = (np.uint64, np.int64, np.int64, np.uint64, np.int64, np.bool_)


class Kernel:
    """The extension, set up with the rules of this version. `wherefrom/_kernel.pyi` describes its functions."""

    def __init__(self, extension: ModuleType) -> None:
        self.evidence: type[_kernel.Evidence] = extension.Evidence
        self.background: type[_kernel.Background] = extension.Background
        self._extension = extension
        self._grammars: dict[Language, _kernel.Grammar] = {}
        made = extension.Kernel(
            **rules(),
            page=lambda number: insides.page(number).astype("<u8").tobytes(),
            # The kernel looks for words in the bytes of a content, which it reads as Latin-1 whatever the encoding.
            words=[*(word.encode("latin-1") for word in extract.WORDS), *(character.encode() for character in FOLDED)],
            continued=[mark[0] for mark in commentary.CONTINUED],
            blanks=list(commentary.BLANKS),
            insides=((PROSE_WORDS, LONGEST, AVERAGE, HEAD), JOINING, OPENING, NOTICES),
            sub_words=(words.LEFT_OUT, words.LONGEST, (WORDS.k, WORDS.inner, WORDS.w, TERM_BITS)),
        )
        self._native = cast("_kernel.Kernel", made)
        self.document = self._native.document

    def grammar(self, language: Language) -> _kernel.Grammar:
        """The grammar of a language, loaded on first use. Errors as of `grammars.load`."""
        if language not in self._grammars:
            capsule = grammars.load(language).capsule
            self._grammars[language] = self._extension.Grammar(capsule, *tables(language))
        return self._grammars[language]

    def parse(
        self, language: Language, source: bytes, seconds: float, *, by_cursor: bool = False
    ) -> tuple[Parsed, Sequence[Broken]]:
        """Does what `parsing.parse` and `nodes.broken_spans` do. With `by_cursor`, it walks over the tree with
        Tree-sitter's public cursor. Errors as of `parsing.parse`.
        """
        with _limited(language, seconds):
            found = self._native.parse(self.grammar(language), source, nanoseconds(seconds), by_cursor=by_cursor)
        return _parsed(found), found.broken

    def merged(
        self, language: Language, source: bytes, parsed: Parsed, broken: Sequence[Broken], seconds: float
    ) -> Parsed:
        """Does what `mending.merged` does, with its errors."""
        with _limited(language, seconds):
            found = self._native.merged(
                self.grammar(language),
                source,
                nanoseconds(seconds),
                starts=np.ascontiguousarray(parsed.starts),
                ends=np.ascontiguousarray(parsed.ends),
                classes=np.ascontiguousarray(parsed.classes),
                comments=parsed.comments,
                errors=parsed.errors,
                broken=broken,
            )
        return _parsed(found)

    def read(self, language: Language, source: bytes, seconds: float) -> Parsed:
        """Does what `mending.read` does, with its errors."""
        with _limited(language, seconds):
            found = self._native.read(self.grammar(language), source, nanoseconds(seconds))
        return _parsed(found)

    def characters(self, text: bytes) -> Parsed:
        """Does what `insides.characters` does."""
        return _parsed(self._native.characters(text))

    def text(self, stored: bytes) -> _kernel.Text:
        """A stored text, ready to be aligned. Raises IndexDamaged if `stored` is not a stream that `tokens.encode`
        made.
        """
        with tokens.reading():
            return self._native.text(tokens.plain(stored))

    def kgrams(self, text: _kernel.Text, representation: Representation, k: int) -> KGrams:
        """Does what `representations.kgrams` does, without s-grams."""
        spans, hashes = self._native.kgrams(text, representation, k)
        begins, counts = np.array(spans, np.int64).reshape(-1, 2).T
        bounds = np.append(0, counts.cumsum())
        positions = np.arange(bounds[-1]) + np.repeat(begins - bounds[:-1], counts)
        return KGrams(k, np.frombuffer(hashes, np.uint64), positions, tuple(bounds.tolist()))

    def shared(
        self, text: _kernel.Text, wanted: Sequence[tuple[Representation, int, Hashes]]
    ) -> list[NDArray[np.bool_]]:
        """Does what `chains.Grams.shared` does, for each representation with its k and its ascending hashes."""
        return [np.frombuffer(found, np.bool_) for found in self._native.shared(text, wanted)]

    def sketch(self, text: _kernel.Text, tokens: int, size: int) -> Hashes:
        """Does what `grouping.copies.sketch` does for the first `tokens` tokens: at most `size` hashes."""
        ks = SCHEMES[Representation.EXACT].k, SCHEMES[Representation.TEXT].k
        return np.frombuffer(self._native.sketch(text, ks, tokens, size), np.uint64)

    def sketches(self, size: int, least: float) -> _kernel.Sketches:
        """Does what `grouping.copies.PlainSketches` does, with sketches of at most `size` hashes."""
        made: _kernel.Sketches = self._extension.Sketches(size, least)
        return made

    def query_kgrams(self, stream: Symbols, window: int) -> dict[Representation, QueryKGrams]:
        """Does what `fingerprints.query_kgrams` does, without s-grams."""
        windows = [query_windows(scheme, window) for scheme in SCHEMES.values()]
        found = self._native.query_kgrams(stream.codes, stream.classes, stream.segments, windows)
        made = {}
        for scheme, own in zip(SCHEMES.values(), found, strict=True):
            if own is not None:
                bounds, columns = own
                arrays: list[NDArray[Any]] = list(map(np.frombuffer, columns, _QUERY_KGRAMS))
                grams = KGrams(scheme.k, arrays[0], arrays[1], (*bounds, len(arrays[0])))
                made[scheme.representation] = QueryKGrams(grams, *arrays[2:])
        return made

    def document_terms(self, stream: Symbols) -> dict[Representation, Hashes]:
        """Does what `fingerprints.document_terms` does."""
        windows = [(scheme.w, scheme.w, 0) for scheme in SCHEMES.values()]
        found = self._native.query_kgrams(stream.codes, stream.classes, stream.segments, windows)
        return {key: np.frombuffer(own[1][3], np.uint64) for key, own in zip(SCHEMES, found, strict=True) if own}

    def stored_terms(self, stored: bytes) -> Mapping[Representation, Hashes]:
        """Does what `stored_terms` does."""
        with tokens.reading():
            return PackedTerms(self._native.stored_terms(tokens.plain(stored)))

    def words(self, content: bytes, stream: TokenStream) -> TokenWords:
        """Does what `words.words_of` does."""
        return _words(self._native.words(content, stream.codes, stream.classes, stream.starts, stream.ends))

    def word_terms(self, words: TokenWords, *, is_query: bool = False) -> Hashes:
        """Does what `words.word_terms` does."""
        return np.frombuffer(self._native.word_terms(words.codes, is_query) or b"", np.uint64)

    def stored_words(self, stored: bytes) -> TokenWords:
        """Does what `stored_words` does."""
        with tokens.reading():
            return _words(self._native.stored_words(tokens.plain(stored)))

    def stored_stream(self, stored: bytes) -> TokenStream:
        """Does what `tokens.decode` does."""
        with tokens.reading():
            (codes, classes, *columns, words, owners), names = self._native.stored_stream(tokens.plain(stored))
        segments, starts, ends, start_lines, end_lines = (np.frombuffer(column, np.int64) for column in columns)
        symbols = np.frombuffer(codes, np.uint64), np.frombuffer(classes, np.uint8), segments
        languages = tuple(names.split("\0")) if len(segments) else ()
        return TokenStream(*symbols, starts, ends, start_lines, end_lines, languages, _words((words, owners)))

    def comparison(self, rules: str, **given: Any) -> _kernel.Comparison:
        """A comparison of submissions (`_kernel.Comparison`)."""
        made: _kernel.Comparison = self._extension.Comparison(self._native, rules, **given)
        return made

    def translations(self, **given: Any) -> _kernel.Translations:
        """Which texts may be translations of others (`_kernel.Translations`)."""
        made: _kernel.Translations = self._extension.Translations(self._native, **given)
        return made

    def aligned_words(
        self, query: NDArray[np.uint32], bits: NDArray[np.int32], gap: int, most: int, document: NDArray[np.uint32]
    ) -> tuple[int, int, int, NDArray[np.int64], NDArray[np.int64]]:
        """Does what `translation.alignment.plain_aligned` does."""
        *counts, here, there = self._extension.aligned_words(query, bits, gap, most, document)
        return *counts, np.frombuffer(here, np.int64), np.frombuffer(there, np.int64)

    def heaviest_chain(
        self, positions: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.int64]]:
        """Does what `chains.heaviest_chain` does; `positions` has the position of each pair in the query."""
        weight, chosen = self._extension.heaviest_chain(positions, weights)
        return weight, np.frombuffer(chosen, np.int64)


@contextmanager
def _limited(language: Language, seconds: float) -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise grammars.too_slow(language, seconds) from error
    except ValueError as error:
        raise GrammarError(f"the grammar of {language.name} cannot be used: {error}") from error


def rules() -> dict[str, Any]:
    """The rules by which tokens are coded and terms are made, for the kernel in any form."""
    return {
        "seed": SEED,
        "code_bits": CODE_BITS,
        "base": int(BASE),
        "member_marks": [int(mark) for mark in representations.MEMBER_MARKS],
        "call_mark": int(representations.CALL_MARK),
        "string": int(representations.STRING),
        "number": int(representations.NUMBER),
        "distances": representations.DISTANCES.tolist(),
        "schemes": [(key.value, scheme.k, scheme.inner, scheme.w, TERM_BITS) for key, scheme in SCHEMES.items()],
    }


def tables(
    language: Language,
) -> tuple[
    bytes,
    bytes,
    Sequence[bytes],
    list[int],
    frozenset[bytes],
    _kernel.Spelling | None,
    _kernel.Noise | None,
    _kernel.Lexer | None,
]:
    """The tables of a language's grammar, as `_kernel.Grammar` takes them, for the kernel in any form. Errors as of
    `grammars.load`.
    """
    loaded = grammars.load(language)
    codes, spelling, noise = loaded.codes.tolist(), _spelling(language.spelling), _noise(language)
    lexer = _lexer(language)
    return loaded.actions, loaded.classes.tobytes(), loaded.texts, codes, loaded.keywords, spelling, noise, lexer


def _spelling(spelling: Spelling | Nothing) -> _kernel.Spelling | None:
    if not spelling:
        return None
    quotes = [(quote.mark, quote.escapes, quote.same) for quote in spelling.quotes]
    return quotes, spelling.plain, spelling.raw, spelling.prefixes, LETTERS


def _lexer(language: Language) -> _kernel.Lexer | None:
    if not language.lexical:
        return None
    found, lexical = lexing.lexer(language), language.lexical
    forms = [(grammars.PART_CLASSES[kind], form) for kind, form in found.forms.items()]
    flags = bool(lexical.operators), has_here_documents(language), bool(language.opening)
    return forms, found.keywords, [*lexical.code_in_strings.items()], lexing.BEFORE_LONG, flags


def _noise(language: Language) -> _kernel.Noise | None:
    rules = language.noise
    if not rules:
        return None
    anywhere, before, closing = (
        noise.codes_of(symbols).tolist() for symbols in (rules.anywhere, rules.before_closing, noise.CLOSING)
    )
    grouping = (noise.OPEN, noise.CLOSE) if rules.has_groups else None
    return anywhere, before, closing, grouping, noise.codes_of_calls(rules).tolist()


@lru_cache(maxsize=4096)  # few different sets of words occur
def words_of(found: int) -> frozenset[str]:
    """The words in a bit mask such as `_kernel.Document.words`: bit i is word i of `extract.WORDS`."""
    return frozenset(word for bit, word in enumerate(extract.WORDS) if found >> bit & 1)


@lru_cache(maxsize=4096)
def words_perhaps_of(found: int) -> frozenset[str]:
    """The words that a text with these bits may contain: all words if the text has one of `FOLDED`."""
    return frozenset(extract.WORDS) if found >> len(extract.WORDS) else words_of(found)


def parse(language: Language, source: bytes, seconds: float) -> tuple[Parsed, Sequence[Broken]]:
    """Does what `parsing.parse` and `nodes.broken_spans` do, by the kernel if it is used."""
    kernel = active()
    if kernel is not None:
        return kernel.parse(language, source, seconds)
    parsed = parsing.parse(language, source, seconds)
    return parsed, broken_spans(language, source, seconds) if parsed.errors else ()


def merged(language: Language, source: bytes, parsed: Parsed, broken: Sequence[Broken], seconds: float) -> Parsed:
    """Does what `mending.merged` does, by the kernel if it is used."""
    kernel = active()
    merge = mending.merged if kernel is None else kernel.merged
    return merge(language, source, parsed, broken, seconds)


def read(language: Language, source: bytes, seconds: float) -> Parsed:
    """Does what `mending.read` does, by the kernel if it is used."""
    kernel = active()
    return mending.read(language, source, seconds) if kernel is None else kernel.read(language, source, seconds)


def characters(text: bytes) -> Parsed:
    """Does what `insides.characters` does, by the kernel if it is used."""
    kernel = active()
    return insides.characters(text) if kernel is None else kernel.characters(text)


def stored_terms(stored: bytes) -> Mapping[Representation, Hashes]:
    """The terms of a stored token stream, as `words.index_terms` makes them; by the kernel if it is used. Raises
    IndexDamaged if this is not a stream that `tokens.encode` made; NoCode if these are term places.
    """
    kernel = active()
    return words.index_terms(tokens.decode(stored)) if kernel is None else kernel.stored_terms(stored)


def query_kgrams(stream: Symbols, window: int) -> dict[Representation, QueryKGrams]:
    """Does what `fingerprints.query_kgrams` does, by the kernel if it is used."""
    kernel = active()
    return (fingerprints if kernel is None else kernel).query_kgrams(stream, window)


def document_terms(stream: Symbols) -> dict[Representation, Hashes]:
    """Does what `fingerprints.document_terms` does, by the kernel if it is used."""
    kernel = active()
    return (fingerprints if kernel is None else kernel).document_terms(stream)


def word_terms(found: TokenWords, *, is_query: bool = False) -> Hashes:
    """Does what `words.word_terms` does, by the kernel if it is used."""
    kernel = active()
    return (words if kernel is None else kernel).word_terms(found, is_query=is_query)


def text_words(content: bytes, stream: TokenStream) -> TokenWords:
    """Does what `words.words_of` does, by the kernel if it is used."""
    kernel = active()
    return words.words_of(content, stream) if kernel is None else kernel.words(content, stream)


def stored_words(stored: bytes) -> TokenWords:
    """The words of a stored token stream; by the kernel if it is used. Errors as of `stored_terms`."""
    kernel = active()
    return tokens.decode(stored).words if kernel is None else kernel.stored_words(stored)


def stored_stream(stored: bytes) -> TokenStream:
    """Does what `tokens.decode` does, by the kernel if it is used."""
    kernel = active()
    return tokens.decode(stored) if kernel is None else kernel.stored_stream(stored)


def _words(found: Sequence[bytes]) -> TokenWords:
    codes, places = (np.frombuffer(column, np.uint32) for column in found)
    return TokenWords(codes, places.astype(np.int64))


def active() -> Kernel | None:
    """The kernel, or None if it is not used. Raises KernelError if the kernel is required and cannot be used, or
    `extension.VARIABLE` has an invalid value.
    """
    return _made(extension.wanted())


@cache
def _made(found: ModuleType | None) -> Kernel | None:
    has_all = all(scheme.sampler == "open_closed" for scheme in SCHEMES.values())  # the kernel knows only this sampler
    return None if found is None or not has_all else Kernel(found)


def _parsed(tokens: _kernel.Tokens) -> Parsed:
    return Parsed(
        starts=np.frombuffer(tokens.starts, np.int64),
        ends=np.frombuffer(tokens.ends, np.int64),
        classes=np.frombuffer(tokens.classes, np.uint8),
        comments=tuple(tokens.comments),
        errors=tokens.errors,
        codes=np.frombuffer(tokens.codes, np.uint64),
        unparsed=tokens.unparsed,
    )


def nanoseconds(seconds: float) -> int:
    """Converts a time limit for the kernel to nanoseconds, from 0 to 2^64 - 1."""
    return min(max(int(seconds * 1e9), 0), 2**64 - 1)
