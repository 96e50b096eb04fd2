"""The model of code in general: how many bits of evidence it is if a document has a token of the query.

A token that everyone would write there is no evidence. The model knows how probable a token is after up to five others:
with all names and literals alike (the structure), as they are written (the words), a word after structure, and a name
by how long ago it was used (as in `this.x = x`). It is counted in many projects of every language by
`python -m benchmarks.background`. It has hashes of n-grams and their costs, but no text.

A bit is evidence that halves the probability of a coincidence: ten bits are one coincidence in a thousand.
"""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import BASE, are_among, kgram_hashes, mix, token_code, unpacked
from wherefrom.analyzers.tokens import Symbols, TokenClass, TokenStream, is_literal, is_prose
from wherefrom.errors import KernelError
from wherefrom.fitted import CHARACTERS, CONTEXTS, LETTER, MOST_OF_WORD, RECENT
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes
from wherefrom.queries.spans import Flags, Floats, Numbers
from wherefrom.support import arrays
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    from wherefrom import _kernel

UNIT = 64  # bits are counted in units of 1/64, so that the kernel and Python add whole numbers

STRUCTURE, WORDS, MIXED, RANKED = range(4)
"""The kinds of n-grams: of structure, of words, of structure with a word at the end, and of structure with the ranks of
names (`last_used`), which end with a known name."""

ORDERS = (range(1, 7), range(1, 7), range(2, 7), range(2, 7))
"""The lengths of the n-grams of each kind. A single word is counted among the words of its class."""

HASH_BITS = 28  # bits of the hash of an n-gram: one in 400 other n-grams equals a stored one

FAMILIES = {"cpp": "c", "objc": "c", "tsx": "javascript", "typescript": "javascript"}
"""Languages whose code is counted with that of another one, since they share most of their syntax."""

STEP = 0.5  # costs are stored in steps of this many bits
RANKS = 64  # a name or literal is known if it is among this many that were used last
_SALT = 0xD6E8FEB86659FD93


class Bits(NamedTuple):
    """The evidence in each token of a query, in units: int32, shape (n,)."""

    structure: NDArray[np.int32]  # if the document has a token of that kind there. 0 if the token proves nothing
    words: NDArray[np.int32]  # in addition, if it is the same name or literal
    renamed: NDArray[np.int32]  # in addition, if it is the name that has replaced this name before

    def counted(self, text: Symbols) -> float:
        """How many tokens of the text count as evidence, at least 1. Some letters of prose count as one token."""
        unit = CHARACTERS if is_prose(text) else 1
        return max(int(np.count_nonzero(self.structure)) / unit, 1.0)

    def most(self, text: Symbols, codes: Hashes) -> int:
        """The most units of an alignment of the text with a document whose symbols have these codes."""
        is_there, structure = np.isin(text.codes, codes), self.structure
        is_word = ((text.classes == TokenClass.NAME) | is_literal(text.classes)) & (structure != 0)
        words = structure + np.maximum(self.renamed, np.where(is_there, self.words, 0))
        return int(np.where(is_word, words, np.where(is_there, structure, 0)).sum())

    def total(self, begin: int, end: int) -> float:
        """The bits of the tokens `begin` to `end` (half-open) in a verbatim copy."""
        return float(self.structure[begin:end].sum() + self.words[begin:end].sum()) / UNIT


@dataclass(frozen=True, eq=False)  # `cached_property` needs a class without slots
class Model:
    """The counted model."""

    packed: NDArray[np.uint8]  # uint8, the hashes of the n-grams as `hashing.packed` wrote them
    costs: NDArray[np.uint8]  # for each the bits of its last token after the others, in `STEP`s
    # float64, shape (2, RANKS + 1), the bits of a name, and of a literal: in column 0 of a new one, then by its rank in
    # the order of the last use, from 1
    ranks: Floats
    projects: dict[str, int]  # how many projects of each language were counted

    @cached_property
    def grams(self) -> NDArray[np.uint32]:
        """The hashes of the n-grams, ascending."""
        return unpacked(self.packed).astype(np.uint32, copy=False)

    @cached_property
    def native(self) -> _kernel.Background:
        """The model for the kernel. Raises KernelError if the kernel is not used."""
        native = kernel.active()
        if native is None:
            raise KernelError("the kernel is not used; call `Model.plain_bits`")
        return native.background(
            self.packed,
            self.costs,
            self.ranks.tolist(),
            {name.encode(): salt_of(name) for name in LANGUAGES},
            base=int(BASE),
            letter=LETTER,
            most_of_word=MOST_OF_WORD,
            contexts=CONTEXTS,
            recent=RECENT,
        )

    def bits(self, text: TokenStream, quiet: Flags) -> Bits:
        """The evidence in each token of a text. The `quiet` tokens prove nothing."""
        if kernel.active() is None:
            return self.plain_bits(text, quiet)
        found = self.native.bits(text.codes, text.classes, language_salts(text), quiet.view(np.uint8))
        return Bits(*(np.frombuffer(column, np.int32) for column in found))

    def plain_bits(self, text: TokenStream, quiet: Flags) -> Bits:
        """The definition of `bits`, which the kernel does (`kernel/src/background.rs`)."""
        if is_prose(text):
            nothing = np.zeros(len(text))
            return Bits(in_units(nothing + LETTER, quiet, 1), *[in_units(nothing, quiet, 0)] * 2)
        salts = language_salts(text)
        ways = Ways.of(text)
        cost = self._cost(ways, STRUCTURE, salts, np.full(len(text), MOST_OF_WORD))
        alone = self._found(gram_hashes(ways, 1, WORDS, salts))
        alone = np.where(alone < 0, MOST_OF_WORD, np.minimum(alone, MOST_OF_WORD))
        word, back = np.zeros(len(text)), np.zeros(len(text))
        is_name = text.classes == TokenClass.NAME
        for row, which in enumerate((is_name, is_literal(text.classes))):
            ranks = last_used(text.codes[which]) if row else ways.ranks[which]
            fresh = self.ranks[row][0] + alone[which]
            known = np.minimum(self.ranks[row][ranks], fresh)
            word[which] = np.where(ranks > 0, known, np.minimum(fresh, MOST_OF_WORD))
            back[which] = np.where(ranks > 0, known, 0) if row == 0 else 0
        total = self._cost(ways, MIXED, salts, self._cost(ways, WORDS, salts, cost + word))
        total = np.where(ways.ranks > 0, self._cost(ways, RANKED, salts, total), total)
        structure: Floats = np.minimum(cost, total)
        words = total - structure
        letters = text.classes == TokenClass.CHARACTER
        structure[letters], words[letters] = LETTER, 0
        again, repeated = expected(ways.skeleton), expected(text.codes)
        structure = np.minimum(structure, again)
        words = np.maximum(np.minimum(words, repeated - structure), 0)
        structure = np.minimum(structure, repeated)
        back = np.minimum(back, words)
        return Bits(in_units(structure, quiet, 1), in_units(words, quiet, 0), in_units(back, quiet, 0))

    def _cost(self, ways: Ways, kind: int, salts: Hashes, cost: Floats) -> Floats:
        """The least bits of each token after any number of tokens before it, at most `cost`."""
        cost = cost.copy()
        for order in ORDERS[kind]:
            if len(salts) >= order and (kind == STRUCTURE or order > 1):
                found = self._found(gram_hashes(ways, order, kind, salts))
                inside = cost[order - 1 :]
                np.minimum(inside, np.where(found < 0, np.inf, found), out=inside)
        return cost

    def _found(self, hashes: NDArray[np.uint32]) -> Floats:
        """The stored bits of n-grams; -1 if one is not stored."""
        nearest = np.minimum(self.grams.searchsorted(hashes), max(len(self.grams) - 1, 0))
        return np.where(are_among(hashes, self.grams), self.costs[nearest] * STEP, -1.0)


class Ways(NamedTuple):
    """The tokens of a text as the kinds of n-grams have them: uint64, shape (n,)."""

    codes: Hashes  # as they are written
    skeleton: Hashes  # with the class in place of the code of a name or literal
    ranked: Hashes  # with the rank of a name, too, if it is `RECENT`
    ranks: NDArray[np.integer[Any]]  # the rank of each name (`last_used`); 0 for other tokens

    @classmethod
    def of(cls, text: Symbols, ranks: NDArray[np.integer[Any]] | None = None) -> Ways:
        """The ways of a text. `ranks` are those of its names, if they are known."""
        is_name = text.classes == TokenClass.NAME
        if ranks is None:
            ranks = np.zeros(len(text.codes), np.int64)
            ranks[is_name] = last_used(text.codes[is_name])
        skeleton = np.where(is_name | is_literal(text.classes), text.classes, text.codes).astype(np.uint64)
        near = np.where(ranks <= RECENT, ranks, 0).astype(np.uint64)
        return cls(text.codes, skeleton, skeleton + (near << np.uint64(3)), ranks)


def language_salts(text: TokenStream) -> Hashes:
    """What the hash of an n-gram has of the language of each token: languages of one family are counted together."""
    if len(text.languages) == 1:
        return np.full(len(text), salt_of(text.languages[0]), np.uint64)
    lengths = np.diff(text.segments, append=len(text))
    return np.repeat(np.array([salt_of(name) for name in text.languages], np.uint64), lengths)


@cache
def salt_of(language: str) -> int:
    """What the hash of an n-gram has of its language."""
    return token_code(FAMILIES.get(language, language).encode()) << 20


def gram_hashes(ways: Ways, order: int, kind: int, salts: Hashes) -> NDArray[np.uint32]:
    """The hash of the n-gram that ends at each token from token `order` - 1 on, in the language of that token."""
    salt = np.uint64((len(ORDERS) * order + kind) * _SALT & ((1 << 64) - 1))
    hashes = ngrams(ways, order, kind) + salt + salts[order - 1 :]
    return (mix(hashes) >> np.uint64(64 - HASH_BITS)).astype(np.uint32)


def ngrams(ways: Ways, order: int, kind: int) -> Hashes:
    """A hash of the n-gram that ends at each token from token `order` - 1 on."""
    if kind == MIXED:
        return mix(kgram_hashes(ways.skeleton, order - 1)[:-1]) + ways.codes[order - 1 :]
    return kgram_hashes({STRUCTURE: ways.skeleton, WORDS: ways.codes, RANKED: ways.ranked}[kind], order)


def last_used(codes: Hashes) -> Numbers:
    """For each code its place among the last `RANKS` different ones, from 1 for the last one; 0 for a new one."""
    order: list[int] = []
    ranks = np.zeros(len(codes), np.int64)
    for at, code in enumerate(codes.tolist()):
        if code in order:
            ranks[at] = order.index(code) + 1
            order.remove(code)
        order.insert(0, code)
        del order[RANKS:]
    return ranks


def expected(codes: Hashes) -> Floats:
    """The bits of each token after the same tokens earlier in this text: what a text says again says little.

    Of each length in `CONTEXTS`, it is -log2 of the share of the token among all that have followed these tokens, of
    which half a token is kept for new ones (Krichevsky and Trofimov 1981). Infinite for a token that is new there.
    """
    found = np.full(len(codes), np.inf)
    for length in CONTEXTS:
        if len(codes) > length:
            same, all_ = occurred(kgram_hashes(codes, length + 1)), occurred(kgram_hashes(codes, length)[:-1])
            with np.errstate(divide="ignore"):
                bits = -np.log2(np.maximum(same - 0.5, 0) / np.maximum(all_, 1))
            found[length:] = np.minimum(found[length:], bits)
    return found


def occurred(keys: Hashes) -> Numbers:
    """How often each key occurs before."""
    order = keys.argsort(kind="stable")
    place = np.arange(len(keys))
    first = np.diff(keys[order], prepend=~keys[order[:1]]) != 0
    found = np.empty(len(keys), np.int64)
    found[order] = place - np.maximum.accumulate(np.where(first, place, 0))
    return found


def tokens_at(letters: TokenStream, code: TokenStream) -> Numbers:
    """For each letter the token of code that it is in or behind, or else the first one. The code has a token."""
    return np.maximum(np.searchsorted(code.starts, letters.starts, side="right") - 1, 0)


def bits_of_letters(letters: TokenStream, code: TokenStream, bits: Bits) -> NDArray[np.int32]:
    """The most evidence in each letter of a text of prose that is likely code, in units: the letters of a token have
    its bits together. A letter of a literal or comment has those of prose.
    """
    if not len(code):
        return in_units(np.full(len(letters), LETTER), np.zeros(len(letters), np.bool_), 1)
    at = tokens_at(letters, code)
    inside = (code.starts[at] <= letters.starts) & (letters.starts < code.ends[at]) & ~is_literal(code.classes[at])
    number = np.bincount(at[inside], minlength=len(code))
    share = (bits.structure + bits.words) // np.maximum(number, 1)
    return np.where(inside, share[at], round(LETTER * UNIT)).astype(np.int32)


def in_units(bits: Floats, quiet: Flags, least: int) -> NDArray[np.int32]:
    """Bits in units, at least `least` units; 0 for quiet tokens."""
    return np.where(quiet, 0, np.maximum(np.rint(bits * UNIT), least)).astype(np.int32)


def load(path: Path) -> Model:
    """Reads a model that `benchmarks.background` wrote."""
    found = arrays.read(path)
    projects = dict(zip(found["languages"].tolist(), found["projects"].tolist(), strict=True))
    return Model(found["grams"], found["costs"], found["ranks"], projects)


@cache
def background() -> Model:
    """The model of this version."""
    return load(Path(__file__).parents[1] / "data" / "background.zst")
