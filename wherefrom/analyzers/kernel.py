"""The kernel: an extension that does the inner loop of the analyzers in native code (`kernel/`, `docs/kernel.md`).

The modules of this package are the definition of what it does, and do it where it is not there. All rules are theirs:
tables of grammars, classes of characters, schemes and words are handed over from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import grammars, noise, parsing, representations, textual, tokens
from wherefrom.analyzers.hashing import BASE, CODE_BITS, SEED
from wherefrom.analyzers.parsing import Parsed
from wherefrom.analyzers.references import commentary, extract
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import NumberedSymbols
from wherefrom.analyzers.values import LETTERS
from wherefrom.errors import GrammarError
from wherefrom.languages import Language
from wherefrom.languages.language import Spelling
from wherefrom.languages.nothing import Nothing
from wherefrom.model import TERM_BITS, Hashes, Representation
from wherefrom.support import extension

if TYPE_CHECKING:
    from wherefrom import _kernel

_SAMPLER = "open_closed"
"""The sampler that the kernel has."""

FOLDED = ("\u0130", "\u212a")
"""The characters beyond ASCII whose lower case begins with an ASCII letter: a text may hold a word by them."""


class Kernel:
    """The extension with the rules of this version."""

    def __init__(self, native: ModuleType) -> None:
        self._extension = native
        self._grammars: dict[Language, _kernel.Grammar] = {}
        self._native: _kernel.Kernel = native.Kernel(
            seed=SEED,
            code_bits=CODE_BITS,
            base=int(BASE),
            member_marks=[int(mark) for mark in representations.MEMBER_MARKS],
            call_mark=int(representations.CALL_MARK),
            string=int(representations.STRING),
            number=int(representations.NUMBER),
            distances=representations.DISTANCES.tolist(),
            page=lambda number: textual.page(number).astype("<u8").tobytes(),
            words=[*(_bytes(word) for word in extract.WORDS), *(character.encode() for character in FOLDED)],
            continued=[mark[0] for mark in commentary.CONTINUED],
            blanks=list(commentary.BLANKS),
            schemes=[(key.value, scheme.k, scheme.inner, scheme.w, TERM_BITS) for key, scheme in SCHEMES.items()],
        )

    def grammar(self, language: Language) -> _kernel.Grammar:
        """The grammar of a language, loaded on first use.

        Raises:
            GrammarError: as `grammars.load`.
        """
        found = self._grammars.get(language)
        if found is None:
            loaded = grammars.load(language)
            found = self._extension.Grammar(
                loaded.capsule,
                loaded.actions,
                loaded.classes.tobytes(),
                loaded.texts,
                loaded.codes.tolist(),
                loaded.keywords,
                _spelling(loaded.spelling),
                _noise(language),
            )
            self._grammars[language] = found
        return found

    def parse(self, language: Language, source: bytes, seconds: float, *, by_cursor: bool = False) -> Parsed:
        """What `parsing.parse` does; `by_cursor` walks over the tree with the core's public cursor.

        Raises:
            ParseTimeout: parsing took longer.
            GrammarError: as `parsing.parse`.
        """
        try:
            return _parsed(
                self._native.parse(self.grammar(language), source, _nanoseconds(seconds), by_cursor=by_cursor)
            )
        except TimeoutError as error:
            raise grammars.too_slow(language, seconds) from error
        except ValueError as error:
            raise GrammarError(f"the grammar of {language.name} cannot be used: {error}") from error

    def characters(self, text: bytes) -> Parsed:
        """What `textual.characters` does."""
        return _parsed(self._native.characters(text))

    def document(
        self,
        content: bytes,
        parts: Sequence[_kernel.Part],
        seconds: float,
        *,
        newlines: NDArray[np.int64] | None,
        is_prose: bool,
    ) -> _kernel.Document:
        """What an index stores of a content (`_kernel.Kernel.document`).

        Args:
            content: all its bytes.
            parts: its segments.
            seconds: the limit on parsing a segment.
            newlines: where its lines end, if it is UTF-16.
            is_prose: whether all of it may say where it comes from.

        Raises:
            TimeoutError: parsing took longer.
        """
        return self._native.document(content, parts, _nanoseconds(seconds), newlines=newlines, is_prose=is_prose)

    def sought(
        self, grams: Mapping[Representation, tuple[int, Hashes]], skeleton_k: int, skeletons: Hashes, symbols: Hashes
    ) -> _kernel.Sought:
        """What `common` looks for (`_kernel.Kernel.sought`); `grams` gives k and the distinct hashes, ascending."""
        listed = [(representation.value, k, hashes) for representation, (k, hashes) in grams.items()]
        return self._native.sought(listed, skeleton_k, skeletons, symbols)

    def common(self, stored: bytes, sought: _kernel.Sought) -> _kernel.Common:
        """What a stored text shares with a query.

        Raises:
            IndexDamaged: these are not bytes that `tokens.encode` made.
        """
        with tokens.reading():
            return self._native.common(tokens.plain(stored), sought)

    def window(self, grams: Iterable[NDArray[np.uint32]]) -> _kernel.Window:
        """A window of a query, as a part of the whole query (`_kernel.Window`)."""
        window: _kernel.Window = self._extension.Window(list(grams))
        return window

    def chained(
        self,
        grams: Iterable[tuple[int, NDArray[np.uint32], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]],
    ) -> _kernel.Chained:
        """The k-grams of a window of a query, as chains take them (`_kernel.Chained`)."""
        chained: _kernel.Chained = self._extension.Chained(list(grams))
        return chained

    def comparable(
        self,
        text: NumberedSymbols,
        masked: NDArray[np.bool_],
        aligned: Mapping[Representation, int],
        **rules: int,
    ) -> _kernel.Comparable:
        """A text ready to be compared with others (`_kernel.Kernel.comparable`); `aligned` gives k."""
        kinds = [(representation.value, k) for representation, k in aligned.items()]
        return self._native.comparable(_text(text), masked.view(np.uint8), kinds, **rules)

    def matching_runs(
        self, left: _kernel.Comparable, right: _kernel.Comparable, least: int
    ) -> list[tuple[int, int, int]]:
        """Shift, begin and end of each run that two texts share (`_kernel.matching_runs`)."""
        runs: list[tuple[int, int, int]] = self._extension.matching_runs(left, right, least)
        return runs

    def fingerprints(self, text: NumberedSymbols) -> dict[Representation, tuple[NDArray[np.int64], Hashes]]:
        """The sampled k-grams of a text by representation: where they begin, and their terms."""
        found = zip(SCHEMES, self._native.fingerprints(_text(text)), strict=True)
        return {
            representation: (np.frombuffer(positions, np.int64), np.frombuffer(terms, np.uint64))
            for representation, (positions, terms) in found
            if positions
        }

    def heaviest_chain(
        self, positions: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.int64]]:
        """What `chains.heaviest_chain` does, of the positions of pairs in the query."""
        weight, chosen = self._extension.heaviest_chain(positions, weights)
        return weight, np.frombuffer(chosen, np.int64)

    def grown(
        self, query: _kernel.Side, document: _kernel.Side, runs: Sequence[tuple[int, int, int, bool]]
    ) -> list[tuple[int, int]]:
        """The token spans of the query that runs grow to (`_kernel.grown`)."""
        spans: list[tuple[int, int]] = self._extension.grown(query, document, runs)
        return spans


def _spelling(spelling: Spelling | Nothing) -> _kernel.Spelling | None:
    if not spelling:
        return None
    quotes = [(quote.mark, quote.escapes, quote.same) for quote in spelling.quotes]
    return quotes, spelling.plain, spelling.raw, spelling.prefixes, LETTERS


def _noise(language: Language) -> _kernel.Noise | None:
    rules = noise.rules(language)
    if rules is None:
        return None
    anywhere, before, closing, calls = (
        codes.tolist() for codes in (rules.anywhere, rules.before_closing, rules.closing, rules.calls)
    )
    return anywhere, before, closing, rules.grouping, calls


def _text(text: NumberedSymbols) -> _kernel.Text:
    return text.codes, text.classes, text.numbers, text.segments


def arrays(shared: Iterable[tuple[bytes, bytes]]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The positions and numbers of k-grams, as `_kernel.Common` gives them for each representation."""
    return [(np.frombuffer(positions, np.int64), np.frombuffer(numbers, np.int64)) for positions, numbers in shared]


@lru_cache(maxsize=4096)  # most files and comments hold one of few sets
def words_of(found: int) -> frozenset[str]:
    """The words of a set of bits, as `_kernel.Document.words` has it."""
    return frozenset(word for bit, word in enumerate(extract.WORDS) if found >> bit & 1)


@lru_cache(maxsize=4096)
def words_perhaps_of(found: int) -> frozenset[str]:
    """The words that a text with this set may hold: all, where one of its characters folds to an ASCII letter."""
    return frozenset(extract.WORDS) if found >> len(extract.WORDS) else words_of(found)


def parse(language: Language, source: bytes, seconds: float) -> Parsed:
    """`parsing.parse`, by the kernel where it is used."""
    kernel = active()
    return parsing.parse(language, source, seconds) if kernel is None else kernel.parse(language, source, seconds)


def characters(text: bytes) -> Parsed:
    """`textual.characters`, by the kernel where it is used."""
    kernel = active()
    return textual.characters(text) if kernel is None else kernel.characters(text)


def active() -> Kernel | None:
    """The kernel, None where it is not used.

    Raises:
        KernelError: it is required and cannot be used, or the variable has another value than those it may have.
    """
    return _made(extension.wanted())


@cache
def _made(found: ModuleType | None) -> Kernel | None:
    has_all = all(scheme.sampler == _SAMPLER for scheme in SCHEMES.values())
    return None if found is None or not has_all else Kernel(found)


def _parsed(tokens: _kernel.Tokens) -> Parsed:
    return Parsed(
        starts=np.frombuffer(tokens.starts, np.int64),
        ends=np.frombuffer(tokens.ends, np.int64),
        classes=np.frombuffer(tokens.classes, np.uint8),
        comments=tuple(tokens.comments),
        errors=tokens.errors,
        codes=np.frombuffer(tokens.codes, np.uint64),
    )


def _nanoseconds(seconds: float) -> int:
    return min(max(int(seconds * 1e9), 0), 2**64 - 1)


def _bytes(word: str) -> bytes:
    """A word as it is in a content read as Latin-1, whatever its encoding."""
    return word.encode("latin-1")
