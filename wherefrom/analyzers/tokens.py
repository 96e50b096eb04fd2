"""The token stream of a text, and the encoded form that an index stores.

All k-grams, byte positions and lines can be computed from the encoded form without the source.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import zstandard
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import ascending
from wherefrom.analyzers.token_words import NO_WORDS, TokenWords, opened_words, stored_words
from wherefrom.errors import IndexDamaged, NoCode
from wherefrom.model import Hashes, StoredBlob
from wherefrom.support import zstd
from wherefrom.support.streams import CODE_BYTES, FORMAT, HEADER, TABLE_BYTES, width
from wherefrom.support.values import dataclass, replace

PLACES = b"\x50"  # the first byte of term places (`fingerprints.TermPlaces`), which an index without code has

NO_CODE = (
    "this needs the code of files, and the index has their fingerprints only; use an index with code, or in a search "
    "name clones of the files with --read-from"
)
"""The message of `NoCode`."""


class TokenClass:
    """The kinds of tokens. They are plain numbers, since NumPy looks for attributes of what it compares with an array:
    of a member of an enum, Python 3.11 does that in Python, which takes long, and NumPy drops an interrupt there.
    """

    SYMBOL: Final = 0  # keywords, operators, punctuation
    NAME: Final = 1  # identifiers, types, fields, labels: what a copier may rename
    STRING: Final = 2
    NUMBER: Final = 3
    CHARACTER: Final = 4  # one letter or digit of the `text` representation


def is_literal(classes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which of these classes are strings or numbers."""
    found: NDArray[np.bool_] = (classes == TokenClass.STRING) | (classes == TokenClass.NUMBER)
    return found


def is_prose(stream: Symbols) -> bool:
    """Whether a stream has tokens, and all of them are letters or digits of prose."""
    classes = stream.classes
    return bool(len(classes)) and classes[0] == TokenClass.CHARACTER and bool(np.all(classes == TokenClass.CHARACTER))


@dataclass(frozen=True, slots=True)
class Symbols:
    """The part of a token stream from which k-grams are made."""

    codes: Hashes  # uint64, `hashing.token_code` of the symbol of each token, in order
    classes: NDArray[np.uint8]  # uint8, the `TokenClass` of each token
    # int64, ascending, the token at which each segment begins, such as a notebook cell, a fence or a script element;
    # the first is 0. No k-gram crosses segments
    segments: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True)
class TokenStream(Symbols):
    """The tokens of one text, in order, with their positions."""

    # int64, the byte span of each token in the text, 0-based, half-open
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    # int64, 1-based, the lines of the first and last byte of each token
    start_lines: NDArray[np.int64]
    end_lines: NDArray[np.int64]
    languages: tuple[str, ...]  # the language of each segment
    words: TokenWords = NO_WORDS  # the words of all tokens


_PER_TOKEN = ("codes", "classes", "starts", "ends", "start_lines", "end_lines")


def part(stream: TokenStream, begin: int, end: int) -> TokenStream:
    """The tokens `begin` to `end` (half-open, at least one) of a stream, with their positions in the whole text."""
    first = int(stream.segments.searchsorted(begin, side="right")) - 1
    last = int(stream.segments.searchsorted(end))
    segments = np.maximum(stream.segments[first:last] - begin, 0)
    words = stream.words.part(begin, end)
    return _of_tokens(stream, slice(begin, end), segments, stream.languages[first:last], words)


def language_at(stream: TokenStream, token: int) -> str:
    """The language of the segment that has a token, given by its number."""
    return stream.languages[int(stream.segments.searchsorted(token, side="right")) - 1]


def only(stream: TokenStream, chosen: NDArray[np.bool_]) -> TokenStream:
    """The chosen tokens of a stream. Segments without chosen tokens stay, empty."""
    segments = np.concatenate(([0], np.cumsum(chosen)))[stream.segments]
    is_word = chosen[stream.words.tokens]
    words = TokenWords(stream.words.codes[is_word], (np.cumsum(chosen) - 1)[stream.words.tokens[is_word]])
    return _of_tokens(stream, chosen, segments, stream.languages, words)


def _of_tokens(
    stream: TokenStream,
    chosen: NDArray[np.bool_] | slice,
    segments: NDArray[np.int64],
    languages: tuple[str, ...],
    words: TokenWords,
) -> TokenStream:
    per_token = {name: getattr(stream, name)[chosen] for name in _PER_TOKEN}
    return TokenStream(**per_token, segments=segments, languages=languages, words=words)


INSIDE = "inside"
"""The language of a segment that is inside of a literal or comment (`insides`), or of another reading of the whole text
by a name in another language. Such segments are the last ones."""

INSIDES_VERSION = 2  # a part of every stamp (`stamps`): raise it with each change of the rules for reading them


def joined(one: TokenStream, other: TokenStream) -> TokenStream:
    """The tokens of two streams of a text in one stream, which keeps their order."""
    both = {name: np.concatenate((getattr(one, name), getattr(other, name))) for name in _PER_TOKEN}
    segments = np.concatenate((one.segments, other.segments + len(one)))
    codes = np.concatenate((one.words.codes, other.words.codes))
    words = TokenWords(codes, np.concatenate((one.words.tokens, other.words.tokens + len(one))))
    return TokenStream(**both, segments=segments, languages=one.languages + other.languages, words=words)


def outside(stream: TokenStream) -> TokenStream:
    """The stream without what is inside of literals and comments."""
    count = len(stream.languages) - stream.languages.count(INSIDE)
    if count == len(stream.languages):
        return stream
    end = int(stream.segments[count])
    segments, languages = stream.segments[:count], stream.languages[:count]
    return _of_tokens(stream, slice(end), segments, languages, stream.words.part(0, end))


_MAX_TOKENS = 1 << 24
_SYMBOL_BITS = 24  # bits of the number of a symbol: a text has no more symbols than tokens, fewer than 2^24
_MAX_BYTES = 1 << 31
_LEVEL = 5

PLAIN = 4096
"""Planes of at most this many bytes are not compressed. Short planes compress badly alone; an index that stores several
streams together compresses their planes together.
"""


def encode(stream: TokenStream, *, is_compressed: bool = True) -> bytes:
    """The stored form of a stream (little-endian). Raises ValueError for 2^24 tokens or more.

    - the header;
    - the codes of the distinct symbols, 5 bytes each, uncompressed;
    - planes: the classes, byte lengths and line breaks of the symbols; the distinct gaps (bytes and line breaks between
      two tokens); the number of the symbol of each token; the number of the gap before each token, with the tokens in
      the order of `_by_neighbors`; the tokens at which segments begin; the words of the symbols
      (`token_words.stored_words`); the languages of the segments (`INSIDE` inside of literals and
      comments). For numbers of several bytes, a plane of all lowest bytes comes first, then a plane of all next bytes.
      Planes of more than `PLAIN` bytes in total are compressed with zstd.

    Symbols and gaps are numbered by descending frequency, so that most numbers are small. The gap between the same two
    symbols is mostly the same.
    """
    check_count(len(stream))
    lengths = stream.ends - stream.starts
    breaks = stream.end_lines - stream.start_lines
    gaps = stream.starts.copy()
    gaps[1:] -= stream.ends[:-1]
    gap_breaks = stream.start_lines.copy()
    gap_breaks[1:] -= stream.end_lines[:-1]
    gap_breaks[:1] -= 1

    order = ascending(stream.codes)
    # Each symbol is compared only with the one before it in the sorted order. So a code whose tokens have changing
    # lengths, such as an escape in a notebook, can be in the table more than once.
    symbols, symbol_of = _number(order, stream.codes[order], stream.classes[order], lengths[order], breaks[order])
    order = ascending((gaps << 24) ^ gap_breaks)
    gap_table, gap_of = _number(order, gaps[order], gap_breaks[order])

    numbers = (
        (lengths[symbols], TABLE_BYTES),
        (breaks[symbols], TABLE_BYTES),
        (gaps[gap_table], TABLE_BYTES),
        (gap_breaks[gap_table], TABLE_BYTES),
        (symbol_of, width(len(symbols))),
        (gap_of[_by_neighbors(symbol_of)], width(len(gap_table))),
        (stream.segments, TABLE_BYTES),
    )
    # Of each number the lowest byte, then of each the next one, and so on: similar bytes compress best.
    planes = [(each >> (8 * place)).astype(np.uint8).tobytes() for each, size in numbers for place in range(size)]
    codes = stream.codes[symbols].astype("<u8").view(np.uint8).reshape(-1, 8)[:, :CODE_BYTES].tobytes()
    return packed(
        len(stream),
        symbols=len(symbols),
        gaps=len(gap_table),
        codes=codes,
        planes=b"".join((stream.classes[symbols].tobytes(), *planes)),
        words=stored_words(stream.words, symbols, stream.codes[symbols]),
        languages=stream.languages,
        is_compressed=is_compressed,
    )


def check_count(count: int) -> None:
    """Checks that a stream of `count` tokens can be stored. Raises ValueError for 2^24 tokens or more."""
    if count >= _MAX_TOKENS:
        raise ValueError(f"a token stream holds fewer than {_MAX_TOKENS} tokens, not {count}")


def packed(
    count: int,
    *,
    symbols: int,
    gaps: int,
    codes: bytes,
    planes: bytes,
    words: bytes,
    languages: Sequence[str],
    is_compressed: bool = True,
) -> bytes:
    """The stored form of a stream, as `encode` describes it.

    `count`, `symbols` and `gaps` are the numbers of tokens, distinct symbols and distinct gaps; `codes` has 5 bytes for
    each symbol; `planes` has all planes before the words.
    """
    names = "\0".join(languages).encode()
    planes += words + names
    compressed = b""
    if is_compressed and len(planes) > PLAIN:
        compressed = zstd.compress(planes, _LEVEL)
    header = HEADER.pack(FORMAT, count, symbols, gaps, len(languages), len(names), len(words), len(compressed))
    return header + codes + (compressed or planes)


def _number(order: NDArray[np.int64], *keys: NDArray[np.generic]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers the distinct rows of `keys` by descending frequency; only rows next to each other are compared. `order`
    has the token of each row. Returns one token for each number, and the number of each token.
    """
    first = np.zeros(len(order), np.bool_)
    first[:1] = True
    for key in keys:
        first[1:] |= key[1:] != key[:-1]
    begins = np.flatnonzero(first)
    by_frequency = np.argsort(-np.diff(begins, append=len(order)), kind="stable")
    rank = np.empty(len(begins), np.int64)
    rank[by_frequency] = np.arange(len(begins))
    numbers = np.empty(len(order), np.int64)
    numbers[order] = rank[np.cumsum(first) - 1]
    return order[begins[by_frequency]], numbers


def _by_neighbors(symbol_of: NDArray[Any]) -> NDArray[np.int64]:
    """A stable order of tokens: by the number of the symbol of the previous token (or 0), then of the token."""
    keys = symbol_of.astype(np.uint64)
    keys[1:] += keys[:-1] << np.uint64(_SYMBOL_BITS)
    return ascending(keys)


@dataclass(slots=True)
class _Planes:
    data: bytes
    at: int = 0

    def raw(self, count: int) -> NDArray[np.uint8]:
        part = np.frombuffer(self.data, np.uint8, count, self.at)
        self.at += count
        return part

    def table(self, count: int) -> NDArray[np.int64]:
        """Signed numbers of `TABLE_BYTES` bytes."""
        planes = self.raw(count * TABLE_BYTES).reshape(TABLE_BYTES, count)
        return np.ascontiguousarray(planes.T).view("<i4").reshape(-1).astype(np.int64)

    def numbers(self, count: int, different: int) -> NDArray[np.unsignedinteger[Any]]:
        size = width(different)
        result: NDArray[np.unsignedinteger[Any]] = self.raw(count)
        if size > 1:
            result = result.astype(np.uint16 if size == 2 else np.uint32)
        for place in range(1, size):
            result |= self.raw(count).astype(result.dtype) << (8 * place)
        return result


@dataclass(frozen=True, slots=True)
class NumberedSymbols:
    """Symbols as an index stores them: a table of the distinct symbols, and for each token its number in the table.

    So a property of a symbol is computed once for all its tokens.
    """

    codes: Hashes  # uint64, the code of each symbol in the table
    classes: NDArray[np.uint8]  # uint8, the class of each symbol in the table
    numbers: NDArray[np.unsignedinteger[Any]]  # unsigned, the position of each token's symbol in the table
    segments: NDArray[np.int64]  # as in `Symbols`

    def __len__(self) -> int:
        return len(self.numbers)

    def symbols(self) -> Symbols:
        """The same symbols, one for each token."""
        return Symbols(self.codes[self.numbers], self.classes[self.numbers], self.segments)


def decode_symbols(data: bytes) -> NumberedSymbols:
    """The symbols of a stream that `encode` stored, without positions. Most candidates of a search need only these.
    Raises IndexDamaged if `encode` did not make these bytes; NoCode if the index has term places in place of a stream.
    """
    with reading():
        return _opened(data)[0]


def count(data: bytes) -> int:
    """The number of tokens of a stream that `encode` stored, with those inside of literals and comments."""
    return int(HEADER.unpack_from(data)[1])


def symbol_codes(data: bytes) -> Hashes:
    """The codes of the distinct symbols of a stream that `encode` stored. Reads nothing else of it."""
    kind, _, symbols, *_ = HEADER.unpack_from(data)
    if kind != FORMAT:
        raise ValueError(f"a stream of format {kind}")
    stored = np.frombuffer(data, np.uint8, symbols * CODE_BYTES, HEADER.size).reshape(symbols, CODE_BYTES)
    return np.pad(stored, ((0, 0), (0, 8 - CODE_BYTES))).view("<u8").reshape(-1).astype(np.uint64)


def decode(data: bytes) -> TokenStream:
    """The stream that `encode` stored. Raises IndexDamaged if `encode` did not make these bytes; NoCode if the index
    has term places in place of a stream.
    """
    with reading():
        symbols, planes, languages, gaps, words = _opened(data)
        own = opened_words(words, symbols.codes, symbols.numbers)
        numbers = symbols.numbers
        planes.at = len(symbols.codes)
        lengths, breaks = planes.table(len(symbols.codes)), planes.table(len(symbols.codes))
        gap_table, gap_breaks = planes.table(gaps), planes.table(gaps)
        planes.at += len(numbers) * width(len(symbols.codes))
        stored_gap_of = planes.numbers(len(numbers), gaps)
        if len(numbers) and int(stored_gap_of.max()) >= gaps:
            raise ValueError("wrong numbers")
    length, line_breaks = lengths[numbers], breaks[numbers]
    gap_of = np.empty_like(stored_gap_of)
    gap_of[_by_neighbors(numbers)] = stored_gap_of
    ends = np.cumsum(gap_table[gap_of] + length)
    end_lines = 1 + np.cumsum(gap_breaks[gap_of] + line_breaks)
    return TokenStream(
        codes=symbols.codes[numbers],
        classes=symbols.classes[numbers],
        segments=symbols.segments,
        starts=ends - length,
        ends=ends,
        start_lines=end_lines - line_breaks,
        end_lines=end_lines,
        languages=languages,
        words=own,
    )


def without_insides(stored: StoredBlob) -> StoredBlob:
    """A stored text without what is inside of its literals and comments, for comparisons of whole texts: there, other
    comments must not make two files less alike. Errors as of `decode`.
    """
    with reading():
        if not plain(stored.tokens).endswith(INSIDE.encode()):
            return stored
    return replace(stored, tokens=encode(outside(decode(stored.tokens)), is_compressed=False))


@contextmanager
def reading() -> Iterator[None]:
    """A context for reading a stored stream. It turns the errors of a damaged stream into `IndexDamaged`."""
    try:
        yield
    except (ValueError, IndexError, struct.error, zstandard.ZstdError) as error:
        raise IndexDamaged(
            "a stored token stream cannot be read; index its repository again into a new index"
        ) from error


def plain(data: bytes) -> bytes:
    """A stored stream with its planes decompressed. Call it in a `reading` context. Raises ValueError, struct.error or
    ZstdError if `encode` did not make these bytes; NoCode if these bytes are term places.
    """
    if data[:1] == PLACES:
        raise NoCode(NO_CODE)
    kind, count, symbols, gaps, segments, languages, words, packed = HEADER.unpack_from(data)
    at = HEADER.size + symbols * CODE_BYTES
    size = symbols * 9 + gaps * 8 + count * (width(symbols) + width(gaps)) + segments * 4 + languages + words
    if kind != FORMAT or size > _MAX_BYTES or len(data) != at + (packed or size):
        raise ValueError("wrong format or length")
    if not packed:
        return data
    # The decompressor allocates the size that a frame claims, so the claim is compared with the header first.
    frame = memoryview(data)[at:]
    if zstandard.get_frame_parameters(frame).content_size != size:
        raise ValueError("wrong size")
    header = HEADER.pack(kind, count, symbols, gaps, segments, languages, words, 0)
    return header + data[HEADER.size : at] + zstd.decompress(frame)


def _opened(data: bytes) -> tuple[NumberedSymbols, _Planes, tuple[str, ...], int, bytes]:
    data = plain(data)
    _, count, symbols, gaps, segments, _, words, _ = HEADER.unpack_from(data)
    at = HEADER.size + symbols * CODE_BYTES
    payload = data[at:]
    planes = _Planes(payload)
    classes = planes.raw(symbols)
    planes.at += symbols * 8 + gaps * 8
    numbers = planes.numbers(count, symbols)
    planes.at += count * width(gaps)
    begins = planes.table(segments)
    own = planes.raw(words).tobytes()
    names = payload[planes.at :].decode().split("\0") if segments else []
    rising = [0, *begins.tolist(), count]
    if len(names) != segments or rising != sorted(rising) or any(rising[1:-1][:1]):
        raise ValueError("wrong segments")
    if count and int(numbers.max()) >= symbols:
        raise ValueError("wrong numbers")
    found = NumberedSymbols(symbol_codes(data), classes, numbers, begins)
    return found, planes, tuple(names), gaps, own
