"""Judging: whether a document beside a window of the query is a copy of it.

The k-grams of `renamed` and `p_match` do not have the values of literals, and do not connect two uses of a name that
are more than k tokens apart. So literals and names of the stored tokens rank documents of the same form.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import neg

import numpy as np

from wherefrom.analyzers.hashing import are_among
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenClass, is_literal
from wherefrom.fitted import CHANCE_WEIGHT, LESS, OTHERS, SLACK
from wherefrom.model import Candidate, Hashes, Representation
from wherefrom.queries.alignment.aligning import Alignment, Common, DocumentTokens, Shared, align
from wherefrom.queries.alignment.runs import MatchedRun, matched_runs
from wherefrom.queries.judging.rule import STRONG, chance, probability
from wherefrom.queries.looked_up import LookedUpTerms
from wherefrom.queries.preparation.query import Query, QueryWindow, WindowGrams
from wherefrom.queries.spans import Flags
from wherefrom.results import Signs

REFUSED = 3
"""This many candidates are aligned even if they share little, so that an answer without hits can name the best one."""

KEPT_TOKENS, KEPT_KGRAMS = 1 << 19, 1 << 21
"""Limits of two caches, since neighboring windows of a query have many of the same candidates. The first limits the
tokens of the documents that were aligned last (50 bytes each). The second limits the k-grams that documents have in
common with the query (8 bytes each, 16 without the kernel)."""

NEARLY = 1 - STRONG
"""A document that is not an answer but has at least this probability is judged again, with runs that go on behind
changes of a formatter."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A document beside a window of the query.

    Attributes:
        first_stage: the engine's score.
        runs: the matching runs, ascending and without overlaps on either side.
        signs: the signs that the rule weighs.
        probability: the probability of a copy, 0 to 1.
        literal_share, agreement: see the functions of these names.
    """

    document: DocumentTokens
    first_stage: float
    part: QueryWindow
    alignment: Alignment
    runs: Sequence[MatchedRun]
    signs: Signs
    probability: float
    literal_share: float = 0.0
    agreement: float = 1.0

    @property
    def score(self) -> float:
        """The rank score of the document beside this window."""
        return self.ranked(self.alignment.score)

    def ranked(self, score: float) -> float:
        """The rank score for a score of chains. Equal literals raise it, at most to twice; different tokens lower
        it.
        """
        return score * (1 + self.literal_share) * self.agreement


class Judge:
    """Judges the candidates of a query.

    Attributes:
        refused: the most probable documents that were aligned and are not answers, by blob; as many as are wanted.
    """

    def __init__(self, query: Query, *, refused: int = REFUSED) -> None:
        self.query = query
        self._most_refused = refused
        self.refused: dict[str, Judged] = {}
        self._counted: dict[tuple[int, int], tuple[int, int]] = {}
        self._expected_at_least: dict[tuple[int, int], float] = {}
        # Keys are blob ids, in the order of the last use, the least recent first.
        self._documents: dict[str, DocumentTokens] = {}
        self._kept_tokens = 0
        self._common: dict[str, Common] = {}
        self._kept_kgrams = 0

    def judge(self, part: QueryWindow, candidate: Candidate, scores: Sequence[float], least: float) -> Judged | None:
        """Compares a candidate with a window, whose first candidates have these `scores`, the highest first. None if it
        shares no more than other documents do by chance, or if the probability of a copy is below `least`.
        """
        query = self.query
        expected = self._expected(part, candidate.score, scores)
        facts = candidate.score, candidate.blob.token_count
        # Most candidates share too little. Each check finds this out at a fraction of the cost of the next check.
        if not self._may_be(part, facts, expected, least, self._counts(part)):
            return None
        document = self._documents.get(candidate.blob.blob) or DocumentTokens(candidate.blob)
        shared = self._shared(document, part.lookup())
        if not self._may_be(part, facts, expected, least, query.patterns.among(part.begin, _reached(part, shared))):
            return None
        alignment = self._aligned(part, document, shared)
        found = self._signed(part, document, alignment, candidate.score, expected)
        if NEARLY <= found.probability < least:
            found = self._signed(part, document, alignment, candidate.score, expected, past_formatting=True)
        if found.probability < least:
            self._refuse(found)
            return None
        if len(query.parts) > 1:
            return found
        found = self._by_literals(found)
        return found if query.is_prose else replace(found, agreement=agreement(query, part, document, found.runs))

    def promising(
        self, part: QueryWindow, scores: Sequence[float], least: float, facts: Sequence[tuple[float, int]]
    ) -> list[bool]:
        """Which candidates of a window, given their scores and token counts, `judge` does not refuse at first sight.
        `scores` is as in `judge`; if it is empty, these are the first candidates.
        """
        first = scores or [score for score, _ in facts]
        expected = (self._expected(part, score, first) for score, _ in facts)
        return [
            self._may_be(part, own, share, least, self._counts(part))
            for own, share in zip(facts, expected, strict=True)
        ]

    def _may_be(
        self, part: QueryWindow, facts: tuple[float, int], expected: float, least: float, shared: tuple[int, int]
    ) -> bool:
        """Whether a document with this score and token count can be an answer if it shares at most `shared` patterns
        and literals with a window.
        """
        query = self.query
        terms, tokens = facts[0] / query.looked_up.unit, facts[1] // query.patterns.unit
        most = Signs(shared[0], self._counts(part)[0], shared[1], terms, expected, tokens)
        is_probable = len(self.refused) < self._most_refused or probability(most, query.windows) >= least
        return terms > expected and is_probable

    def beside(self, part: QueryWindow, best: Judged) -> Judged | None:
        """Compares a found document with another window. Its signs `terms` and `chance` stay as in the window that
        found it. None if it shares no more with this window than other documents do by chance.
        """
        document = best.document
        score = sum(
            weight
            for representation, weights in part.terms.items()
            for term, weight in weights.items()
            if term in document.terms[representation]
        )
        if score / self.query.looked_up.unit <= self._expected(part, score, ()):
            return None
        alignment = self._aligned(part, document, self._shared(document, part.lookup()))
        found = self._signed(part, document, alignment, best.first_stage, best.signs.chance)
        return replace(found, probability=probability(found.signs))

    def _expected(self, part: QueryWindow, score: float, scores: Sequence[float]) -> float:
        key = part.begin, part.end
        if key not in self._expected_at_least:
            self._expected_at_least[key] = least_expected(self.query.looked_up, part.terms)
        return expected_share(self.query.looked_up, self._expected_at_least[key], score, scores)

    def _counts(self, part: QueryWindow) -> tuple[int, int]:
        """How many patterns and literals a window has."""
        if part.left is not None:
            return self.query.patterns.among(part.begin, part.left)
        key = part.begin, part.end
        if key not in self._counted:
            everything = np.ones(part.end - part.begin, np.bool_)
            self._counted[key] = self.query.patterns.among(part.begin, everything)
        return self._counted[key]

    def _signed(
        self,
        part: QueryWindow,
        document: DocumentTokens,
        alignment: Alignment,
        first_stage: float,
        expected: float,
        *,
        past_formatting: bool = False,
    ) -> Judged:
        query = self.query
        sides = query.beside(document.stream)
        runs = matched_runs(sides, alignment.runs(), query.masked, past_formatting=past_formatting)
        signs = Signs(
            shared=query.patterns.shared(runs),
            patterns=self._counts(part)[0],
            literals=query.patterns.in_place(document.stream, runs),
            terms=first_stage / query.looked_up.unit,
            chance=expected,
            tokens=document.blob.token_count // query.patterns.unit,
        )
        return Judged(document, first_stage, part, alignment, runs, signs, probability(signs, query.windows))

    def _by_literals(self, found: Judged) -> Judged:
        """Adds the `literal_share`. Chains cannot tell which of several rows of one form were copied, so the document
        is also aligned where it has more of the query's literals. That alignment counts if it scores more.
        """
        query, part, document = self.query, found.part, found.document
        found = replace(found, literal_share=literal_share(query, document, found.alignment))
        begin = literal_place(query, document, found.literal_share) if found.literal_share < 1 else None
        if begin is None:
            return found
        slack = len(query.stream) // SLACK
        near = begin - slack, begin + len(query.stream) + slack
        shared = {}
        for representation, (positions, numbers) in self._shared(document, part.lookup()).items():
            low, high = positions.searchsorted(near).tolist()
            if low < high:
                shared[representation] = positions[low:high], numbers[low:high]
        alignment = align(part, document, query.masked, shared)
        share = literal_share(query, document, alignment)
        if alignment.score * (1 + share) <= found.score:
            return found
        other = self._signed(part, document, alignment, found.first_stage, found.signs.chance)
        surer = max(found, other, key=lambda judged: judged.probability)
        return replace(other, literal_share=share, signs=surer.signs, probability=surer.probability)

    def _refuse(self, found: Judged) -> None:
        known = self.refused.get(found.document.blob.blob)
        if known is None or found.probability > known.probability:
            self.refused[found.document.blob.blob] = found
        if len(self.refused) > self._most_refused:
            del self.refused[min(self.refused, key=lambda blob: self.refused[blob].probability)]

    def _shared(self, document: DocumentTokens, lookup: WindowGrams) -> Shared:
        """The k-grams that a document shares with a window. Keeps the k-grams that it shares with the whole query."""
        blob = document.blob.blob
        common = self._common.pop(blob, None)
        if common is None:
            common = Common(document, lookup)
            self._kept_kgrams += len(common)
        self._common[blob] = common
        while self._kept_kgrams > KEPT_KGRAMS and len(self._common) > 1:
            self._kept_kgrams -= len(self._common.pop(next(iter(self._common))))
        return common.within(lookup)

    def _aligned(self, part: QueryWindow, document: DocumentTokens, shared: Shared) -> Alignment:
        """Aligns a document and keeps it decoded. Forgets the least recently used documents if too many are kept."""
        blob = document.blob.blob
        before = self._documents.pop(blob, None)
        if before is None:
            self._kept_tokens += document.blob.token_count
        elif before is not document:
            before.forget()
        self._documents[blob] = document
        while self._kept_tokens > KEPT_TOKENS and len(self._documents) > 1:
            oldest = self._documents.pop(next(iter(self._documents)))
            oldest.forget()
            self._kept_tokens -= oldest.blob.token_count
        return align(part, document, self.query.masked, shared)


def expected_share(looked_up: LookedUpTerms, least: float, own: float, scores: Sequence[float]) -> float:
    """How much other documents share with a window by chance, in units of ln(1 + N): at least what `least_expected`
    gives.

    It is the score of the candidate at place `OTHERS`. There may be many copies, so only candidates that score less
    than `LESS` times the score of this candidate (`own`) are counted. `scores` are those of the first candidates of the
    window, the highest first.
    """
    other = bisect_right(scores, -LESS * own, key=neg) + OTHERS - 1
    return max(least, scores[other] / looked_up.unit) if looked_up.has_others and other < len(scores) else least


def least_expected(looked_up: LookedUpTerms, terms: Mapping[Representation, Mapping[int, float]]) -> float:
    """What a window with these weighted terms shares with other documents by chance, at least: what `chance` gives."""
    weights = [weight for those in terms.values() for weight in those.values()]
    if looked_up.has_others:
        # Frequent terms weigh less, so a document shares less weight by chance.
        return chance(len(weights)) * min(1.0, sum(weights) / (looked_up.unit * len(weights)))
    # In an index of a few files there is nothing to compare with. Terms weigh little there, so a document shares
    # little weight by chance.
    there = [
        weight
        for representation, those in terms.items()
        for term, weight in those.items()
        if looked_up.counts[representation][term]
    ]
    return chance(len(weights)) * min(1.0, sum(there) / (CHANCE_WEIGHT * looked_up.unit * max(len(there), 1)))


def _reached(part: QueryWindow, shared: Shared) -> Flags:
    """The tokens of a window that a document with these k-grams may match: tokens in a shared k-gram, and tokens near
    it that a run may grow to without containing another k-gram of `exact`.
    """
    grams = part.lookup().grams
    reached = np.zeros(part.end - part.begin, np.bool_)
    for representation, (_, numbers) in shared.items():
        reached |= grams[representation].reached(numbers, SCHEMES[Representation.EXACT].k - 1)
    return reached


def literal_share(query: Query, document: DocumentTokens, alignment: Alignment) -> float:
    """The share of the query's `literal_grams` that a document has around its chains; 0 for a query of many windows."""
    if not len(query.literal_grams) or len(query.parts) > 1:
        return 0.0
    grams = document.literal_grams
    chains = alignment.chains.values()
    first = min((int(chain.document[0]) for chain in chains), default=0) - len(query.stream)
    last = max((int(chain.document[-1]) for chain in chains), default=0) + len(query.stream)
    low, high = grams.positions.searchsorted((first, last)).tolist()
    return float(np.isin(query.literal_grams, grams.hashes[low:high]).mean())


def literal_place(query: Query, document: DocumentTokens, share: float) -> int | None:
    """The first token of the first stretch of a document with most of the query's `literal_grams`, as long as the query
    (of one window); None if its share of the k-grams is not larger than `share`.
    """
    wanted = query.literal_grams
    if not len(wanted):
        return None
    grams = document.literal_grams
    is_there = are_among(grams.hashes, wanted)
    hashes, positions = grams.hashes[is_there], grams.positions[is_there]
    least = round(share * len(wanted))
    if len(np.unique(hashes)) <= least:
        return None
    # Of equal k-grams in a stretch, only the first counts.
    order = np.lexsort((positions, hashes))
    hashes, ends = hashes[order], positions[order]
    is_again = hashes[1:] == hashes[:-1]
    begins = ends - len(query.stream)
    begins[1:] = np.where(is_again, np.maximum(begins[1:], ends[:-1]), begins[1:])
    counts = np.sort(begins).searchsorted(positions) - np.sort(ends).searchsorted(positions)
    best = int(counts.argmax())
    return int(positions[best]) if counts[best] > least else None


def agreement(query: Query, part: QueryWindow, document: DocumentTokens, runs: Sequence[MatchedRun]) -> float:
    """The share of the tokens of a window that a document has at the same place, 0 to 1.

    A name counts twice: once if it is the same in the document, and once if the document replaces it by the same name
    everywhere. A literal counts twice if it is the same. The `runs` ascend without overlaps; a token between two runs
    belongs to the nearer one.
    """
    if not runs:
        return 0.0
    here = np.flatnonzero(~query.masked[part.begin : part.end]) + part.begin
    middles = [(before.end + after.begin) // 2 for before, after in pairwise(runs)]
    there = here + np.array([run.shift for run in runs])[np.searchsorted(middles, here, side="right")]
    classes = query.stream.classes[here]
    is_name, literal = classes == TokenClass.NAME, is_literal(classes)
    is_inside = (there >= 0) & (there < len(document.stream))
    there = np.where(is_inside, there, 0)
    codes, others = query.stream.codes[here], document.stream.codes[there]
    equal = is_inside & (codes == others)
    faced = is_inside & is_name & (document.stream.classes[there] == TokenClass.NAME)
    twice = np.count_nonzero(is_name | literal)
    same = np.count_nonzero(equal) + np.count_nonzero(equal & literal)
    # A variable may have the same name as a member or function. Both are counted apart, since only one may be renamed.
    for which in (faced & query.kept[here], faced & ~query.kept[here]):
        same += _replaced(codes[which], others[which])
    return int(same) / (len(here) + int(twice))


def _replaced(names: Hashes, others: Hashes) -> int:
    """How many of the names face their partner. A name of the query and a name of the document are partners if each
    faces the other most often.
    """
    if not len(names):
        return 0
    ours, rows = np.unique(names, return_inverse=True)
    theirs, columns = np.unique(others, return_inverse=True)
    counts = np.bincount(rows * len(theirs) + columns, minlength=len(ours) * len(theirs)).reshape(
        len(ours), len(theirs)
    )
    # A name's partner is the name that it faces most often. In a tie, an equal name is preferred.
    order = 2 * counts + (ours[:, None] == theirs)
    best, best_of_theirs = order.argmax(axis=1), order.argmax(axis=0)
    numbers = np.arange(len(ours))
    return int(counts[numbers, best][best_of_theirs[best] == numbers].sum())
