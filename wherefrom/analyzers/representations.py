"""Representations: how tokens are written before their k-grams are hashed.

- `exact`: a token is written as its symbol;
- `renamed`: symbols, and names after `.`, `->`, `::` or directly before `(`, are written as themselves; any other name
  as its distance, in tokens, to its previous occurrence inside the k-gram, 0 for its first occurrence (Baker's p-match,
  section 2.4 of the winnowing paper); a literal as its class;
- `p_match`: as `renamed`, but every name is a distance;
- `text`: a letter or digit is written as itself.

The rules for names are lexical, so that they work in code that does not parse. They depend on the token before and the
token after a name, so a name at the edge of a shared run may be written differently in the two texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import ascending, kgram_hashes, powers, token_code
from wherefrom.analyzers.tokens import Symbols, TokenClass
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes, Representation
from wherefrom.support.values import dataclass

NORMALISER_VERSION = 2  # a part of every scheme: raise it with each change in how tokens are written
_OF_LANGUAGES = [language.lexical.members for language in LANGUAGES.values() if language.lexical]
MEMBER_MARKS = tuple(np.uint64(token_code(mark.encode())) for mark in sorted({*chain.from_iterable(_OF_LANGUAGES)}))
CALL_MARK = np.uint64(token_code(b"("))
_NAME = int(TokenClass.NAME)
_CHARACTER = int(TokenClass.CHARACTER)

# These codes cannot be those of a token: no token begins with a NUL byte and one of these words.
_FIRST = np.uint64(token_code(b"\0first"))
STRING = np.uint64(token_code(b"\0string"))
NUMBER = np.uint64(token_code(b"\0number"))
_LITERALS = np.zeros(256, np.uint64)
_LITERALS[[TokenClass.STRING, TokenClass.NUMBER]] = STRING, NUMBER
"""The codes of literals by class, 0 for other classes. It has 256 entries, since a damaged index may have any class."""
_MAX_K = 64
DISTANCES = np.array([int(_FIRST), *(token_code(b"\0distance %d" % d) for d in range(1, _MAX_K))], np.uint64)

_NONE: Hashes = np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True)
class KGrams:
    """Every k-gram of a text in one representation, in order."""

    k: int  # tokens in each k-gram
    hashes: Hashes  # uint64, shape (n,): Karp-Rabin hashes, unmixed
    positions: NDArray[np.int64]  # int64, shape (n,): the token at which each k-gram begins; ascending
    bounds: tuple[int, ...]  # the indices in `hashes` at which the k-grams of each segment begin, and n
    # uint64, the hashes of all s-grams of the same segments, in order; each segment has k - s more s-grams than
    # k-grams. None without s-grams
    inner: Hashes | None = None

    def parts(self) -> Iterator[tuple[int, Hashes, Hashes]]:
        """Yields (index of the first k-gram, hashes of the k-grams, hashes of the s-grams) for each segment."""
        inner = _NONE if self.inner is None else self.inner
        more = (len(inner) - len(self.hashes)) // max(len(self.bounds) - 1, 1)
        for number, (begin, end) in enumerate(pairwise(self.bounds)):
            yield begin, self.hashes[begin:end], inner[begin + number * more : end + (number + 1) * more]


def kgrams(stream: Symbols, representation: Representation, k: int, s: int = 0) -> KGrams:
    """The k-grams of a stream: of its prose for `text`, else of its code. No k-gram crosses segments.

    k-grams have `k` tokens, s-grams have `s` (at most k; 0 for no s-grams). Raises ValueError if k is below 1,
    or above 64 for a representation of distances, or s is above k.
    """
    if k < 1 or (k > _MAX_K and representation in (Representation.RENAMED, Representation.P_MATCH)):
        raise ValueError(f"k is from 1 to {_MAX_K}, not {k}")
    if s > k:
        raise ValueError(f"an s-gram is no longer than a k-gram: s is at most {k}, not {s}")
    spans = [
        (begin, end)
        for begin, end in segment_spans(stream)
        if end - begin >= k and (stream.classes[begin] == _CHARACTER) == (representation is Representation.TEXT)
    ]
    if not spans:
        return KGrams(k, _NONE, np.empty(0, np.int64), (0,))
    hashes, inner = (
        [_segment_hashes(stream.codes[b:e], stream.classes[b:e], representation, length) for b, e in spans if length]
        for length in (k, s)
    )
    positions = [np.arange(begin, begin + len(part)) for (begin, _), part in zip(spans, hashes, strict=True)]
    bounds = accumulate(map(len, hashes), initial=0)
    joined = np.concatenate(inner) if s else None
    return KGrams(k, np.concatenate(hashes), np.concatenate(positions), tuple(bounds), joined)


def segment_spans(stream: Symbols) -> Iterator[tuple[int, int]]:
    """The half-open token span of each segment."""
    yield from pairwise([*stream.segments.tolist(), len(stream)])


def kept_names(stream: Symbols) -> NDArray[np.bool_]:
    """Which tokens come after a member mark or directly before `(`: `renamed` writes such names as themselves."""
    # A text may have many short segments, so all are handled at once.
    return _member_or_called(stream.codes, stream.segments[(stream.segments > 0) & (stream.segments < len(stream))])


def _segment_hashes(codes: Hashes, classes: NDArray[np.uint8], representation: Representation, k: int) -> Hashes:
    if representation in (Representation.EXACT, Representation.TEXT):
        return kgram_hashes(codes, k)
    is_name = classes == _NAME
    if representation is Representation.RENAMED:
        is_name = is_name > _member_or_called(codes)
    return _hashes_with_distances(codes, classes, is_name, k)


def _member_or_called(codes: Hashes, begins: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
    """As `kept_names`. `begins` are the tokens, from 1, at which another segment begins."""
    called, member = codes[1:] == CALL_MARK, np.zeros(len(codes[1:]), np.bool_)
    for mark in MEMBER_MARKS:
        member |= codes[:-1] == mark
    if begins is not None:
        called[begins - 1] = member[begins - 1] = False
    kept = np.zeros(len(codes), np.bool_)
    kept[:-1] = called
    kept[1:] |= member
    return kept


def _hashes_with_distances(codes: Hashes, classes: NDArray[np.uint8], is_name: NDArray[np.bool_], k: int) -> Hashes:
    """The k-gram hashes of a text. Literals are written as classes, and the names chosen by `is_name` as distances.

    The names are first hashed as first occurrences. If a name occurred d tokens before, each k-gram with the name at
    offset d or later contains both occurrences. The difference between distance d and a first occurrence is then added
    to the hash of that k-gram.
    """
    names = is_name.nonzero()[0]
    written: Hashes = _LITERALS.take(classes)
    np.copyto(written, codes, where=written == 0)
    written[names] = _FIRST
    hashes = kgram_hashes(written, k)
    later, distances = _distances(codes, names)
    near = (distances < k).nonzero()[0]
    if not len(hashes) or not len(near):
        return hashes
    # Entry i belongs to the k-gram that begins at token i - k + 1, so that no index is negative.
    added = np.zeros(len(written) + k - 1, np.uint64)
    places = later[near][:, np.newaxis] + np.arange(k - 1, -1, -1)
    np.add.at(added, places, _differences(k).take(distances[near], axis=0))
    hashes += added[k - 1 : len(written)]
    return hashes


@cache
def _differences(k: int) -> Hashes:
    """How much more a name at distance d and offset o adds to a hash than a first occurrence; shape (k, k), [d, o]."""
    differences = (DISTANCES[:k] - _FIRST)[:, np.newaxis] * powers(k)
    return np.triu(differences)


def _distances(codes: Hashes, names: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The positions of names that occurred before, and the distance of each to its previous occurrence."""
    positions = names[ascending(codes[names])]
    ordered = codes[positions]
    repeated = (ordered[1:] == ordered[:-1]).nonzero()[0]
    later = positions[repeated + 1]
    return later, later - positions[repeated]
