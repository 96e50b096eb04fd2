"""The kernel, an extension in Rust (`kernel/`); only `wherefrom/analyzers/kernel.py` uses it, and the embedded engine,
which uses `Run`.

It does what the modules of `wherefrom/analyzers` that are named below do, which are the definition of it: `Kernel`
takes the rules from them. Arrays go both ways as bytes, in the byte order of the machine.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

CORE_VERSION: str
"""The version of Tree-sitter's core in the extension, such as `0.26.13`."""

INTERFACE: str
"""The CRC-32 of this file as it was when the extension was built."""

Spelling: TypeAlias = tuple[
    Sequence[tuple[bytes, bytes, bytes]],
    bytes,
    bytes,
    bytes,
    tuple[bytes, bytes],
]
"""The quotes (mark, escapes, same), and the plain, raw and all prefixes of strings; letters behind a backslash, and
what each means.
"""

Lexer: TypeAlias = tuple[
    Sequence[tuple[int, bytes]],
    Collection[bytes],
    Sequence[tuple[bytes, Sequence[bytes]]],
    bytes,
    tuple[bool, bool, bool],
]
"""The forms with the classes of what they match; the keywords; by quotation mark, what begins code in a string;
`lexing.BEFORE_LONG`; and whether the language lists forms of operators, has here-documents, and is in pages. See
`lexing.Lexer` and `marks`."""

Noise: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[int], tuple[int, int] | None, Sequence[int]]

@final
class Grammar:
    """A grammar with its tables (`parsing.LoadedGrammar`).

    Args:
        capsule: as the grammar's wheel gives it.
        actions: one byte for each of 65,536 kind ids.
        classes: likewise.
        texts: the fixed texts by kind id, empty where there is none.
        codes: the token code of each text.
        keywords: what is not a name in a fragment.
        spelling: of strings, None where they stay as they are.
        noise: the rules of `noise.Rules`, in their order; None if there are none.
        lexer: for text that the grammar does not parse; None if the language has no lexical forms.

    Raises:
        ValueError: it is not a capsule of a grammar, a table has another length, or a form has an unknown syntax.
    """

    def __new__(
        cls,
        capsule: object,
        actions: bytes,
        classes: bytes,
        texts: Sequence[bytes],
        codes: Sequence[int],
        keywords: Collection[bytes],
        spelling: Spelling | None,
        noise: Noise | None,
        lexer: Lexer | None,
    ) -> Grammar: ...

@final
class Tokens:
    """The tokens of one text, as `parsing.Parsed` has them."""

    starts: bytes
    """int64."""
    ends: bytes
    """int64."""
    classes: bytes
    codes: bytes
    """uint64."""
    comments: list[tuple[int, int]]
    errors: int
    unparsed: int
    broken: list[tuple[int, int, bool]]
    """What did not parse (`nodes.broken_spans`); of `Kernel.parse` alone."""

@final
class Document:
    """What an index stores of one content, as far as the kernel makes it.

    Attributes:
        tokens, symbols, gaps: how many tokens there are, and how many distinct symbols and gaps.
        inside: how many of the tokens are inside of literals and comments (`insides`).
        codes, planes, symbol_words: of the stored token stream (`tokens.packed`).
        owners: of which part each segment is; 2^32 - 1 for what is inside of literals and comments.
        terms: for each scheme the terms, uint64, ascending; None where there is no k-gram.
        errors, unparsed: summed over the parts (`parsing.Parsed`).
        words: a bit for each word that is in the content.
        stretches: first byte, end, first line and words of each stretch that holds one, in order; all stretches, with
            all words, where `newlines` was given.
    """

    tokens: int
    inside: int
    symbols: int
    gaps: int
    codes: bytes
    planes: bytes
    symbol_words: bytes
    owners: list[int]
    terms: list[bytes | None]
    errors: int
    unparsed: int
    words: int
    stretches: list[tuple[int, int, int, int]]

Part = tuple[Grammar | None, bytes | None, int, tuple[NDArray[np.int64], NDArray[np.int64]] | None, bool, bool]
"""A segment of a content: its grammar, None for prose; its text, None where that is the content itself; how many bytes
at the beginning of the text are not of the content (`analysis.opening`); where in the content each of the other bytes
begins and ends, None where that is their own position; whether its language has doc strings; and whether all of it may
say where it comes from, as prose does.
"""

@final
class Text:
    """A document, ready to be aligned with a query (`Kernel.text`)."""

@final
class Evidence:
    """A query, ready to be aligned with documents (`queries.alignment.aligning`).

    Args:
        codes: uint64, for each token.
        classes: uint8.
        structure, words, renamed: int32, the units of `background.Bits`.
        rules: the fields of `Rules` in `kernel/src/evidence.rs`, by name.

    Raises:
        KeyError: a rule is missing.
        ValueError: a token lacks a value, or a seed has no tokens.
    """

    def __new__(
        cls,
        codes: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        structure: NDArray[np.int32],
        words: NDArray[np.int32],
        renamed: NDArray[np.int32],
        rules: Mapping[str, int],
    ) -> Evidence: ...
    def aligned(self, text: Text, least: int) -> tuple[int, list[tuple[int, int, int]] | None]:
        """The units of the best alignment, and of each run its shift and its first token and end in the query; None if
        the units are below `least`. Without the GIL.
        """

    def most(self, stored: bytes) -> int:
        """The most units that an alignment may have with a stored token stream, which may be compressed.

        Raises:
            ValueError: this is not a stream.
        """

    def weighed(self, text: Text, runs: Sequence[tuple[int, int, int]]) -> int:
        """The units of the best alignment by given runs: shift, first token and end of each in the query."""

@final
class Background:
    """The model of code in general (`queries.preparation.background.Model`).

    Args:
        grams: uint8, the n-grams as `hashing.packed` writes them, in four rows at most.
        costs: uint8, for each of them.
        ranks: the bits of a name and of a literal, by rank.
        salts: `background.salt_of` of each language.
        base: of the polynomial of k-gram hashes.
        letter, most_of_word, contexts, recent: as in `fitted`.

    Raises:
        ValueError: an n-gram lacks its cost, or they do not ascend.
    """

    def __new__(
        cls,
        grams: NDArray[np.uint8],
        costs: NDArray[np.uint8],
        ranks: Sequence[Sequence[float]],
        salts: Mapping[bytes, int],
        *,
        base: int,
        letter: float,
        most_of_word: float,
        contexts: Sequence[int],
        recent: int,
    ) -> Background: ...
    def bits(
        self,
        codes: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        salts: NDArray[np.uint64],
        quiet: NDArray[np.uint8],
    ) -> tuple[bytes, bytes, bytes]:
        """The columns of `background.Bits`, int32.

        Raises:
            ValueError: a token lacks a value.
        """

@final
class Kernel:
    """The inner loop with its rules.

    Args:
        seed, code_bits: of token codes (`hashing`).
        base: of the polynomial of k-gram hashes.
        member_marks, call_mark, string, number, distances: codes (`representations`).
        page: gives the codes of a page of characters (`insides.page`), as bytes.
        words: at most 64, in lower case; found whatever the case of ASCII letters.
        continued, blanks: single bytes (`references.commentary`).
        insides: the least number of words, `LONGEST`, `AVERAGE` and `HEAD`; `JOINING`, `OPENING` and `NOTICES`
            (`insides`).
        schemes: representation, k, s, w and bits of a term of each; `samplers.open_closed` samples them.
        sub_words: `words.LEFT_OUT`, `words.LONGEST`; k, s, w and bits of a term of `words.SCHEME`.

    Raises:
        ValueError: an argument is out of range.
    """

    def __new__(
        cls,
        *,
        seed: int,
        code_bits: int,
        base: int,
        member_marks: Sequence[int],
        call_mark: int,
        string: int,
        number: int,
        distances: Sequence[int],
        page: Callable[[int], bytes],
        words: Sequence[bytes],
        continued: Sequence[int],
        blanks: Sequence[int],
        insides: tuple[tuple[int, int, int, int], Sequence[bytes], Sequence[bytes], Sequence[bytes]],
        schemes: Sequence[tuple[str, int, int, int, int]],
        sub_words: tuple[Collection[bytes], int, tuple[int, int, int, int]],
    ) -> Kernel: ...
    def read(self, grammar: Grammar, source: bytes, nanoseconds: int) -> Tokens:
        """What `mending.read` does; without the GIL. Arguments and errors are as those of `parse`."""

    def merged(
        self,
        grammar: Grammar,
        source: bytes,
        nanoseconds: int,
        *,
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        classes: NDArray[np.uint8],
        comments: Sequence[tuple[int, int]],
        errors: int,
        broken: Sequence[tuple[int, int, bool]],
    ) -> Tokens:
        """What `mending.merged` does; without the GIL. Errors are as those of `parse`, and ValueError if a token is not
        in the source, or the language has no lexical forms.
        """

    def parse(self, grammar: Grammar, source: bytes, nanoseconds: int, *, by_cursor: bool = False) -> Tokens:
        """What `parsing.parse` does; without the GIL.

        Args:
            grammar: of the language.
            source: UTF-8.
            nanoseconds: of processor time of this thread that the parse may take.
            by_cursor: walk over the tree with the public cursor of the core; the result is the same.

        Raises:
            TimeoutError: the parse took longer.
            ValueError: the core cannot read grammars of this version, or the source is of 4 GB or more.
        """

    def characters(self, text: bytes) -> Tokens:
        """What `insides.characters` does; without the GIL."""

    def document(
        self,
        content: bytes,
        parts: Sequence[Part],
        nanoseconds: int,
        *,
        newlines: NDArray[np.int64] | None,
        is_prose: bool,
        is_kept: bool,
    ) -> Document:
        """Everything that an index stores of a content, in one call without the GIL.

        Args:
            content: all bytes of the file.
            parts: its segments, in the order of `containers.segments`.
            nanoseconds: as in `parse`, for each part.
            newlines: where the lines end; None: at its line feeds, and it is not UTF-16.
            is_prose: whether all of it may say where it comes from.
            is_kept: whether what is inside of its literals and comments is read, and its words have terms.

        Raises:
            TimeoutError: as `parse`.
            ValueError: as `parse`, or an argument is out of range.
        """
    def stored_terms(self, stored: bytes) -> list[bytes | None]:
        """The terms of a stored token stream (`tokens.plain`), as in `Document.terms`; without the GIL.

        Raises:
            ValueError: the stream is not what was stored.
        """

    def words(
        self,
        content: bytes,
        codes: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
    ) -> list[bytes]:
        """What `words.words_of` does: the words and the token of each, both uint32.

        Raises:
            ValueError: a token lacks a value.
        """

    def word_terms(self, words: NDArray[np.uint32], is_query: bool) -> bytes | None:
        """What `words.word_terms` does, uint64; None if the words have no k-gram."""

    def stored_words(self, stored: bytes) -> list[bytes]:
        """The words of an uncompressed stored text, as `words` gives them.

        Raises:
            ValueError: this is not a stream.
        """

    def stored_stream(self, stored: bytes) -> tuple[list[bytes], str]:
        """The columns of an uncompressed stored text as `tokens.TokenStream` orders them, without the languages; and
        these, with a NUL between two. All columns are int64, but codes uint64, classes uint8, and words as `words`
        gives them.

        Raises:
            ValueError: this is not a stream.
        """

    def text(self, stored: bytes) -> Text:
        """A text in its uncompressed stored form, ready to be aligned.

        Raises:
            ValueError: this is not a stream.
        """

    def kgrams(self, text: Text, representation: str, k: int) -> tuple[list[tuple[int, int]], bytes]:
        """What `representations.kgrams` does: the first token and the number of k-grams of each segment that has some,
        and the hashes of all, uint64; without the GIL.

        Raises:
            ValueError: there is no such representation, or k is not from 1 to 64.
        """

    def shared(self, text: Text, wanted: Sequence[tuple[str, int, NDArray[np.uint64]]]) -> list[bytes]:
        """What `chains.Grams.shared` does, for each representation with its k and its ascending hashes: a bool for each
        hash. Without the GIL. Raises ValueError as `kgrams` does.
        """

    def sketch(self, text: Text, ks: tuple[int, int], end: int, size: int) -> bytes:
        """What `grouping.copies.sketch` does, with these lengths of k-grams of code and of prose, before the token
        `end`: at most `size` hashes, uint64. Without the GIL.

        Raises:
            ValueError: there are no k-grams of such a length, or no such sketch.
        """

    def query_kgrams(
        self,
        codes: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        segments: NDArray[np.int64],
        windows: Sequence[tuple[int, int, int]],
    ) -> list[tuple[list[int], list[bytes]] | None]:
        """What `fingerprints.query_kgrams` does, for each scheme: the bounds of the k-grams without the last one; their
        hashes and positions, and the other fields of `QueryKGrams`. None without k-grams. `windows` has what
        `fingerprints.query_windows` gives for each scheme. Without the GIL.

        Raises:
            ValueError: a token lacks a value, or a scheme its windows.
        """

@final
class Comparison:
    """What `compare.comparing.compared` does, in steps: `take` all postings, `choose`, `mask` each text of `to_mask`,
    `steps` until it returns 0, `answer`. Each without the GIL. Texts are numbered by the caller.

    Args:
        kernel: the rules of terms.
        rules: the numbers of a comparison, a line for each: name, space, value (`compare.native`).
        tokens: the number of tokens of each text, uint32.
        text_of: the text of each file, by submission, uint32.
        submissions: name (UTF-8), position of the role in `results.Role`, number of the author, and number of files.
        sets: k-grams that do not count, uint64, ascending, by set and scheme.
        weights: the weight of a term by the number of units that have it, from 0 to their number, at least to 2.
        model: the model of code in general.
        load: gives the token stream of a text (`tokens.plain`).

    Raises:
        ValueError: an argument is out of range; by `mask`, `step` and `answer`: a stream is not what was stored.
    """

    def __new__(
        cls,
        kernel: Kernel,
        rules: str,
        *,
        tokens: NDArray[np.uint32],
        text_of: NDArray[np.uint32],
        submissions: Sequence[tuple[bytes, int, int, int]],
        sets: Sequence[Sequence[NDArray[np.uint64]]],
        weights: NDArray[np.float64],
        model: Background,
        load: Callable[[int], bytes],
    ) -> Comparison: ...
    def take(self, scheme: int, terms: NDArray[np.uint64], texts: NDArray[np.int64]) -> None:
        """Takes postings of the scheme at a position: terms, ascending, each with a text that has it. All postings of a
        term are in one call.
        """

    def choose(self) -> int:
        """Counts the terms that files share, and chooses the pairs of files to compare. Returns their number."""

    def to_mask(self) -> list[int]:
        """The texts that may have tokens that do not count."""

    def mask(self, text: int) -> None:
        """Finds the tokens of a text that do not count."""

    def steps(self) -> int:
        """Does some steps, and returns their number; 0 if none is left. A step compares the next chosen pair of files
        token by token, or after the last one, judges the pairs of a text.
        """

    def answer(self, dismissed: Collection[str]) -> str:
        """The answer as JSON, with the names of `results.comparison`. It has `gaps` and `facing` too, each as one list
        with the numbers of all pairs in turn. `dismissed` has the ids of the pairs that a reader dismissed.
        """

    def matches(self) -> list[tuple[int, int, list[tuple[int, int, int, float]], bool]]:
        """The pairs of files that match: left, right; shift, begin, end and weight of each run; whether the two are
        identical.
        """

@final
class Translations:
    """Tells which texts may be translations of another one, by their words (`compare.translated`).

    Args:
        kernel: the rules of terms.
        words: the codes of the words of each text, uint32.
        bits: the bits of each word by its code.
        terms: the terms of all texts, ascending; `holders` has a text for each.
        weights: the weight of a term by the number of texts that have it.
        lengths: by what the weight of a text's terms is divided for its rank.
        most: at most this many texts are aligned with one.
        odds: `TranslationOdds.pairs` and `share`, and what their sum must be.

    Raises:
        ValueError: these do not belong together.
    """

    def __new__(
        cls,
        kernel: Kernel,
        *,
        words: Sequence[NDArray[np.uint32]],
        bits: NDArray[np.int32],
        terms: NDArray[np.uint64],
        holders: NDArray[np.uint32],
        weights: NDArray[np.float64],
        lengths: NDArray[np.float64],
        most: int,
        odds: tuple[float, float, float],
    ) -> Translations: ...
    def likely(self, text: int, allowed: NDArray[np.uint8]) -> list[tuple[int, float]]:
        """The allowed texts that may be translations of a text, each with the weight of their common terms, the best
        first: what `_Words._best` gives, without texts whose alignment cannot be evidence enough. Without the GIL.

        Raises:
            ValueError: there is no such text, or not a flag for each.
        """

class Sketches:
    """Keeps sketches of at most `size` hashes, as `grouping.copies.PlainSketches` does."""

    def __init__(self, size: int, least: float) -> None: ...
    def find(self, sketch: NDArray[np.uint64]) -> int:
        """What `grouping.copies.PlainSketches.find` does. With the GIL."""

def aligned_words(
    query: NDArray[np.uint32], bits: NDArray[np.int32], gap: int, most: int, document: NDArray[np.uint32]
) -> tuple[int, int, int, bytes, bytes]:
    """What `translation.alignment.plain_aligned` does; the places as int64. Without the GIL."""

def heaviest_chain(positions: NDArray[np.int64], weights: NDArray[np.float64]) -> tuple[float, bytes]:
    """What `chains.heaviest_chain` does, of the positions of pairs in the query; the indices as int64. Without the GIL.

    Raises:
        ValueError: there are not as many weights as positions.
    """

@final
class Run:
    """A run of the embedded engine, open to be read (`engines.embedded.runs`). With the GIL.

    Args:
        file: its bytes, which do not change.
        checked: for each block whether it was compared with its checksum; what is compared here is noted in it.
        block: bytes under one checksum.
        table, kept, checks: where these sections begin; that of postings begins the file.
        table_bytes: the length of the first one.
        is_wide: whether the numbers of the second one have 8 bytes, and not 4.
        first_buckets: of each representation; None for one without postings.
        term_bits, bucket_bits, rest_bits, document_bits, documents: as `runs.Description` has them.

    Raises:
        ValueError: by each method: the file is not what was written; or an argument is out of range.
    """

    def __new__(
        cls,
        file: memoryview,
        checked: NDArray[np.uint8],
        *,
        block: int,
        table: int,
        kept: int,
        checks: int,
        table_bytes: int,
        is_wide: bool,
        first_buckets: Sequence[int | None],
        term_bits: int,
        bucket_bits: int,
        rest_bits: int,
        document_bits: int,
        documents: int,
    ) -> Run: ...
    def bounds(self, representations: NDArray[np.int64], terms: NDArray[np.uint64]) -> tuple[bytes, bytes]:
        """What `runs.Run.bounds` does; where the ranges begin and end, int64."""

    def summed(
        self, first: NDArray[np.int64], end: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> tuple[bytes, bytes]:
        """What `runs.Run.summed` does, in no order; the documents as int64 and the sums as float64."""

def join_streams(streams: Sequence[bytes]) -> tuple[bytes, int, list[bytes]] | None:
    """What `streams.plain_columns` does. Without the GIL."""

def joined_stream(
    codes: bytes,
    tables: bytes,
    symbol_numbers: bytes,
    symbol_of: bytes,
    gap_of: bytes,
    *,
    gaps: int,
    place: int,
    count: int,
) -> bytes:
    """One of several token streams that are stored as one value (`streams.Joined`).

    Args:
        codes: of the distinct symbols; like the next four it is stored for all streams, and decompressed.
        tables: the counts of each stream, facts of symbols, gaps, the gaps of each stream, and what is left of it.
        symbol_numbers: the symbols of each stream.
        symbol_of: of each token.
        gap_of: of each token.
        gaps: how many distinct gaps there are.
        place: of the stream, from 0.
        count: how many streams there are.

    Raises:
        ValueError: it is not what was written.
    """
