"""Aligns a query with a document, and adds up the evidence: the question of BLAST, asked of code.

1. Seeds: `SEED` tokens of the same structure that carry some bits. Each is extended to both sides as long as that adds
   bits (Altschul and others, 1990). The results are blocks.
2. The heaviest chain of blocks that are in the same order in both texts. A gap between two blocks costs bits, the more,
   the longer it is. Blocks that are elsewhere count if they carry more bits than it costs to say where they are.
3. The bits of the chosen blocks are added up, with each name replaced by one other name throughout.

All numbers are whole units (`background.UNIT`), so the kernel and this module give the same blocks and bits.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.tokens import Symbols, TokenClass, decode_symbols, is_prose, reading, symbol_codes
from wherefrom.fitted import CHARACTERS, DROP, FILLED, GAP, LEAST, MISFIT, OPEN, OTHER, SEED, SEED_BITS
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.preparation.background import UNIT, Bits
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    from wherefrom import _kernel

MOST_BLOCKS = 400  # at most this many blocks of a document are chained, those with the most bits. This only limits work

MOST_PAIRS, MOST_PLACES = 1 << 19, 64
"""The seeds of a query are looked up at this many pairs of places. If there are more, as in a long table, only the
`MOST_BLOCKS` shifts with the most seeds of equal literals are extended. A rare seed counts more than a frequent one,
and each counts only at its first `MOST_PLACES` places."""

_SEED, _MISFIT, _OTHER, _DROP, _LEAST, _OPEN = (
    int(bits * UNIT) for bits in (SEED_BITS, MISFIT, OTHER, DROP, LEAST, OPEN)
)
"""The costs in units."""

RULES = {
    "misfit": _MISFIT,
    "other": _OTHER,
    "least": _LEAST,
    "open": _OPEN,
    "gap": GAP,
    "most_blocks": MOST_BLOCKS,
    "characters": CHARACTERS,
}
"""Rules of every alignment, by the names that the kernel reads."""

_WHOLE = np.zeros(1, np.int64)

_LITERALS = (TokenClass.STRING, TokenClass.NUMBER)
_WORDS = (TokenClass.NAME, *_LITERALS)


class AlignedBlock(NamedTuple):
    """The tokens `begin` to `end` (half-open) of the query, beside those of the document `shift` further on."""

    shift: int
    begin: int
    end: int
    score: int


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class Aligned:
    """The best alignment with a document."""

    bits: float  # the evidence, in bits
    # the shift, begin and end of each run, from the token `begin` of the query on, or a function that finds them
    find: Sequence[tuple[int, int, int]] | Callable[[], Aligned]
    begin: int

    @cached_property
    def runs(self) -> Sequence[MatchedRun]:
        """The tokens that have the same structure, ascending in the query, without overlaps on either side. In a run,
        each name has one partner.
        """
        if callable(self.find):
            return self.find().runs
        return [MatchedRun(*run).moved(self.begin) for run in self.find]


class DocumentText:
    """A stored document, ready to be aligned."""

    def __init__(self, stored: bytes) -> None:
        native = kernel.active()
        self.native = None if native is None else native.text(stored)
        self._stored = stored

    @cached_property
    def plain(self) -> _Plain:
        """The document in the form that Python needs."""
        return _Plain(decode_symbols(self._stored).symbols())


class Aligner:
    """The tokens of a query from `begin` to `end` (half-open), ready to be aligned with documents."""

    def __init__(self, text: Symbols, bits: Bits, begin: int, end: int) -> None:
        seed, bits_of_seed = (CHARACTERS, 1) if is_prose(text) else (SEED, _SEED)
        begins, ends = begin == 0, end == len(text)
        text = Symbols(text.codes[begin:end], text.classes[begin:end], _WHOLE)
        bits = Bits(*(column[begin:end] for column in bits))
        self._begin = begin
        self._native: _kernel.Evidence | None = None
        self._plain: _Query | None = None
        native = kernel.active()
        if native is None:
            self._plain = _Query(text, bits, seed, bits_of_seed, (begins, ends))
            return
        rules = {
            **RULES,
            "seed": seed,
            "seed_bits": bits_of_seed,
            "drop": _DROP,
            "most_pairs": MOST_PAIRS,
            "most_places": MOST_PLACES,
            "filled": FILLED,
            "begins": begins,
            "ends": ends,
        }
        self._native = native.evidence(text.codes, text.classes, *bits, rules)

    def align(self, document: DocumentText, least: float = -(1 << 24)) -> Aligned:
        """The best alignment with a document. Its runs are found on first use if it has fewer bits than `least`."""
        if self._native is not None and document.native is not None:
            units, found = self._native.aligned(document.native, int(least * UNIT))
        else:
            assert self._plain is not None, "there is either the kernel or the plain form"
            units, found = self._plain.aligned(document.plain)
        return Aligned(units / UNIT, partial(self.align, document) if found is None else found, self._begin)

    def most(self, stored: bytes) -> float:
        """The most bits that an alignment may have with a stored document, by the codes of its symbols alone."""
        with reading():
            if self._native is not None:
                return self._native.most(stored) / UNIT
            assert self._plain is not None, "there is either the kernel or the plain form"
            return self._plain.bits.most(self._plain.symbols, symbol_codes(stored)) / UNIT

    def weigh(self, document: DocumentText, runs: Iterable[MatchedRun]) -> float:
        """The evidence, in bits, in an alignment of given runs: the heaviest chain of them, and those elsewhere that
        carry more bits than it costs to say where they are.
        """
        begin = self._begin
        given = [(run.shift + begin, run.begin - begin, run.end - begin) for run in runs]
        if self._native is not None and document.native is not None:
            return self._native.weighed(document.native, given) / UNIT
        assert self._plain is not None, "there is either the kernel or the plain form"
        return self._plain.weighed(document.plain, given) / UNIT


class _Plain:
    """A text, token by token: what structure has at each token, its code, its class, and the distance to the last token
    with the same name, or 0.
    """

    def __init__(self, text: Symbols) -> None:
        self.codes: list[int] = text.codes.tolist()
        self.classes: list[int] = text.classes.tolist()
        both = zip(self.codes, self.classes, strict=True)
        self.keys = [(kind, 0 if kind in _WORDS else code) for code, kind in both]
        self.back = [0] * len(self.codes)
        last: dict[int, int] = {}
        for at, (code, kind) in enumerate(zip(self.codes, self.classes, strict=True)):
            if kind == TokenClass.NAME:
                self.back[at] = at - last.get(code, at)
                last[code] = at

    def stretch(self, begin: int, end: int, *, is_exact: bool) -> tuple[object, ...]:
        """The structure of some tokens; if it is exact, with their literals and the distances of equal names."""
        if not is_exact:
            return tuple(self.keys[begin:end])
        return tuple(
            (key, self.back[at] if self.back[at] <= at - begin else 0, key[0] in _LITERALS and self.codes[at])
            for at, key in enumerate(self.keys[begin:end], begin)
        )


def logarithm(gap: int) -> int:
    """log2(1 + gap) in units, by straight lines between powers of two."""
    number = gap + 1
    power = number.bit_length() - 1
    return power * UNIT + ((number - (1 << power)) * UNIT >> power)


def _cost(here: int, there: int) -> int:
    """What a gap of these numbers of tokens in the query and in the document costs."""
    return _OPEN + GAP * (logarithm(here) + logarithm(there))


@dataclass
class _Query:
    """The definition of what the kernel does (`kernel/src/evidence.rs`)."""

    symbols: Symbols
    bits: Bits
    seed: int
    bits_of_seed: int  # the least units of a seed; 1 in prose, where the letters of a token of code share its bits
    ends: tuple[bool, bool]  # whether the first and the last token are those of the whole query

    def __post_init__(self) -> None:
        self.text = _Plain(self.symbols)
        self.structure: list[int] = self.bits.structure.tolist()
        self.words: list[int] = self.bits.words.tolist()
        self.renamed: list[int] = self.bits.renamed.tolist()
        # A quiet token has no bits of words either.
        most = [
            structure + (words if kind in _WORDS else 0)
            for structure, words, kind in zip(self.structure, self.words, self.text.classes, strict=True)
        ]
        self.begins = [
            begin
            for begin in range(len(self.symbols) - self.seed + 1)
            if sum(most[begin : begin + self.seed]) >= self.bits_of_seed
        ]

    def pair(self, here: int, document: _Plain, there: int) -> int:
        """The units of two facing tokens."""
        structure, text = self.structure[here], self.text
        if not structure:
            return 0
        if text.keys[here] != document.keys[there]:
            return -_MISFIT
        if text.classes[here] not in _WORDS:
            return structure
        if text.codes[here] == document.codes[there]:
            return structure + self.words[here]
        if text.classes[here] == TokenClass.NAME and text.back[here] and text.back[here] == document.back[there]:
            return structure + self.renamed[here]
        return structure - _OTHER

    def total(self, document: _Plain, block: AlignedBlock, begin: int, end: int) -> int:
        """The units of the tokens `begin` to `end` of a block."""
        return sum(self.pair(at, document, at + block.shift) for at in range(begin, end))

    def extended(self, document: _Plain, facing: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """The most units that facing tokens have from the first on, and the number of those tokens."""
        best = length = total = 0
        for count, (here, there) in enumerate(facing, 1):
            total += self.pair(here, document, there)
            if total > best:
                best, length = total, count
            elif total < best - _DROP:
                break
        return best, length

    def pairs(self, document: _Plain) -> list[tuple[int, int]]:
        """Where seeds are in both texts (see `MOST_PAIRS`)."""
        for is_exact in (False, True):
            places: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
            for there in range(len(document.codes) - self.seed + 1):
                places[document.stretch(there, there + self.seed, is_exact=is_exact)].append(there)
            own = [places[self.text.stretch(here, here + self.seed, is_exact=is_exact)] for here in self.begins]
            if sum(map(len, own)) <= MOST_PAIRS:
                break
        most = MOST_PLACES if is_exact else MOST_PAIRS
        pairs = [(here, there) for here, those in zip(self.begins, own, strict=True) for there in those[:most]]
        if not is_exact:
            return pairs
        votes: Counter[int] = Counter()
        for here, those in zip(self.begins, own, strict=True):
            for there in those[:most]:
                votes[there - here] += max(most // len(those), 1)
        best = set(sorted(votes, key=lambda shift: (-votes[shift], shift))[:MOST_BLOCKS])
        return [(here, there) for here, there in pairs if there - here in best]

    def blocks(self, document: _Plain) -> list[AlignedBlock]:
        """The blocks around seeds."""
        tokens, others = len(self.text.codes), len(document.codes)
        reached: dict[int, int] = {}
        found = []
        for here, there in self.pairs(document):
            shift = there - here
            same = AlignedBlock(shift, here, here + self.seed, 0)
            if reached.get(shift, 0) > there or self.total(document, same, same.begin, same.end) < self.bits_of_seed:
                continue
            right, after = self.extended(document, zip(range(here, tokens), range(there, others), strict=False))
            left, before = self.extended(document, zip(range(here - 1, -1, -1), range(there - 1, -1, -1), strict=False))
            reached[shift] = there + max(after, self.seed)
            if left + right >= _LEAST and after:
                found.append(AlignedBlock(shift, here - before, here + after, left + right))
        return found

    def chain(self, document: _Plain, blocks: list[AlignedBlock]) -> tuple[list[AlignedBlock], int]:
        """The heaviest chain, last block first, and the cost of its gaps. A block that overlaps the one before it is
        cut.
        """
        blocks.sort(key=lambda block: (block.end, block.shift, block.begin))
        sums: list[tuple[int, int, int]] = []
        for number, block in enumerate(blocks):
            best = (block.score, -1, block.begin)
            for other, earlier in enumerate(blocks[:number]):
                last = earlier.end + earlier.shift
                rises = (
                    earlier.end < block.end
                    and earlier.begin < block.begin
                    and last < block.end + block.shift
                    and earlier.begin + earlier.shift < block.begin + block.shift
                )
                if not rises or sums[other][0] + block.score <= best[0]:
                    continue
                begin = max(block.begin, earlier.end, last - block.shift)
                total = sums[other][0] + block.score - _cost(begin - earlier.end, begin + block.shift - last)
                if total > best[0]:
                    total -= self.total(document, block, block.begin, begin)
                    if total > best[0]:
                        best = (total, other, begin)
            sums.append(best)
        if not sums:
            return [], 0
        at = max(range(len(sums)), key=lambda at: (sums[at][0], -at))
        found, gaps = [], 0
        while at >= 0:
            _, before, begin = sums[at]
            found.append(blocks[at]._replace(begin=begin))
            if before >= 0:
                earlier = blocks[before]
                gaps += _cost(begin - earlier.end, begin + blocks[at].shift - earlier.end - earlier.shift)
            at = before
        return found, gaps

    def add_moved(
        self, document: _Plain, chain: list[AlignedBlock], blocks: list[AlignedBlock]
    ) -> tuple[int, list[AlignedBlock]]:
        """Adds the blocks that are elsewhere in the document, if they carry more bits than it costs to say where they
        are. Returns the costs, and long blocks that do not, but lie between the chain's first and last token of the
        query.
        """
        others: list[AlignedBlock] = []
        if not chain:
            return 0, others
        begins, ends = chain[-1].begin, chain[0].end
        first, last = begins + chain[-1].shift, ends + chain[0].shift
        taken = {at for block in chain for at in range(block.begin, block.end)}
        taken_there = {at + block.shift for block in chain for at in range(block.begin, block.end)}
        costs = 0
        for block in sorted(blocks, key=_strongest):
            begin = block.begin
            while begin < block.end:
                free = (at for at in range(begin, block.end) if at in taken or at + block.shift in taken_there)
                end = next(free, block.end)
                far = max(first - begin - block.shift, end + block.shift - last, 0)
                cost = _cost(len(self.text.codes), far)
                score = self.total(document, block, begin, end)
                is_evidence = score >= cost + _LEAST
                is_within = end - begin >= 2 * self.seed and begins <= begin and end <= ends
                if is_evidence or (is_within and score >= _LEAST):
                    costs += cost if is_evidence else 0
                    taken.update(range(begin, end))
                    taken_there.update(range(begin + block.shift, end + block.shift))
                    (chain if is_evidence else others).append(block._replace(begin=begin, end=end))
                begin = end + 1
        return costs, others

    def scored(self, document: _Plain, blocks: Iterable[AlignedBlock]) -> int:
        """The units of some blocks, which ascend in the query, with consistent names."""
        forth: dict[int, int] = {}
        back: dict[int, int] = {}
        total = 0
        for block in blocks:
            for here in range(block.begin, block.end):
                there = here + block.shift
                is_name = self.text.classes[here] == document.classes[there] == TokenClass.NAME
                if not is_name or not self.structure[here]:
                    total += self.pair(here, document, there)
                    continue
                own, theirs = self.text.codes[here], document.codes[there]
                is_new = own not in forth and theirs not in back
                is_known = forth.setdefault(own, theirs) == theirs
                is_known &= back.setdefault(theirs, own) == own
                total += self.structure[here]
                if own == theirs:
                    total += self.words[here]
                elif is_new:
                    total -= _OTHER
                else:
                    total += self.renamed[here] if is_known else -2 * _OTHER
        return total

    def aligned(self, document: _Plain) -> tuple[int, list[tuple[int, int, int]]]:
        """The best alignment with a document: its units, and the shift, begin and end of each run."""
        units, chain = self.best(document, self.blocks(document))
        return units, self.filled(document, [*self.parted(document, chain)])

    def weighed(self, document: _Plain, runs: Iterable[tuple[int, int, int]]) -> int:
        """The units of the best alignment by given runs: the shift, begin and end of each."""
        blocks = (AlignedBlock(*run, 0) for run in runs)
        scored = [block._replace(score=self.total(document, block, block.begin, block.end)) for block in blocks]
        return self.best(document, [block for block in scored if block.score >= _LEAST])[0]

    def best(self, document: _Plain, blocks: list[AlignedBlock]) -> tuple[int, list[AlignedBlock]]:
        """The best alignment by some blocks: its units, and its blocks, which ascend in the query."""
        blocks = sorted(blocks, key=_strongest)[:MOST_BLOCKS]
        chain, gaps = self.chain(document, blocks)
        costs, others = self.add_moved(document, chain, blocks)
        units = self.scored(document, sorted(chain, key=_place)) - gaps - costs
        return units, sorted([*chain, *others], key=_place)

    def parted(self, document: _Plain, blocks: Iterable[AlignedBlock]) -> Iterator[tuple[int, int, int]]:
        """The runs of some blocks: without tokens that differ in structure, and parted where a name gets another
        partner.
        """
        for shift, first, end, _ in blocks:
            begin = first
            forth: dict[int, int] = {}
            back: dict[int, int] = {}
            for at in range(first, end):
                is_same = self.text.keys[at] == document.keys[at + shift]
                own, theirs = self.text.codes[at], document.codes[at + shift]
                is_name = is_same and self.text.classes[at] == TokenClass.NAME
                is_other = is_name and (forth.get(own, theirs) != theirs or back.get(theirs, own) != own)
                if is_other or not is_same:
                    if begin < at:
                        yield shift, begin, at
                    begin = at if is_same else at + 1
                    forth.clear()
                    back.clear()
                if is_name:
                    forth[own], back[theirs] = theirs, own
            if begin < end:
                yield shift, begin, end

    def filled(self, document: _Plain, runs: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """The runs, and between them and at the ends of the query the equal tokens of short gaps, which are too few for
        a seed.
        """
        tokens = len(self.text.codes)
        found: list[tuple[int, int, int]] = []
        if not runs:
            return found
        shift, last_shift = runs[0][0], runs[-1][0]
        starts = [(end, end + shift) for shift, _, end in runs]
        stops = [(begin, begin + shift) for shift, begin, _ in runs]
        if self.ends[0]:
            starts.insert(0, (0, max(shift - FILLED, 0)))
        else:
            del stops[0]
        if self.ends[1]:
            stops.append((tokens, min(last_shift + tokens + FILLED, len(document.codes))))
        for start, stop in zip(starts, stops, strict=False):
            is_short = 0 < stop[0] - start[0] <= FILLED and 0 < stop[1] - start[1] <= 2 * FILLED
            if is_short and all(end + shift <= start[1] or stop[1] <= begin + shift for shift, begin, end in runs):
                found += self.equal(document, start, stop)
        return sorted([*runs, *found], key=lambda run: run[1])

    def equal(self, document: _Plain, start: tuple[int, int], stop: tuple[int, int]) -> Iterator[tuple[int, int, int]]:
        """The longest common subsequence of two stretches as runs, and then what is left of equal tokens in another
        order.
        """
        ours, theirs = (
            [(text.keys[at], text.codes[at]) for at in range(first, last)]
            for text, first, last in ((self.text, start[0], stop[0]), (document, start[1], stop[1]))
        )
        longest = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
        for row in reversed(range(len(ours))):
            for column in reversed(range(len(theirs))):
                longest[row][column] = (
                    longest[row + 1][column + 1] + 1
                    if ours[row] == theirs[column]
                    else max(longest[row + 1][column], longest[row][column + 1])
                )
        row = column = 0
        left, free = [], [True] * len(theirs)
        while row < len(ours):
            both = zip(ours[row:], theirs[column:], strict=False)
            length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
            if length:
                yield start[1] + column - start[0] - row, start[0] + row, start[0] + row + length
                free[column : column + length] = [False] * length
                row, column = row + length, column + length
            elif column == len(theirs) or longest[row + 1][column] >= longest[row][column + 1]:
                left.append(row)
                row += 1
            else:
                column += 1
        for row in left:
            there = next((at for at, key in enumerate(theirs) if free[at] and key == ours[row]), None)
            if there is not None:
                free[there] = False
                yield start[1] + there - start[0] - row, start[0] + row, start[0] + row + 1


def _place(block: AlignedBlock) -> int:
    return block.begin


def _strongest(block: AlignedBlock) -> tuple[int, int, int]:
    return -block.score, block.begin, block.shift
