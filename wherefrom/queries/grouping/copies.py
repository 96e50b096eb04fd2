"""Finds the copies of a query: reads candidates, judges them, and groups nearly identical ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.fingerprints import are_places
from wherefrom.analyzers.hashing import are_among, distinct, mix
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import NEARLY_IDENTICAL, PATIENCE
from wherefrom.model import Candidate, Hashes, Representation, StoredBlob
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.preparation.query import Query, QueryWindow
from wherefrom.results import Hit
from wherefrom.support.values import dataclass

_SKETCH = 512  # the number of hashes in a sketch. The standard error of an estimate of 0.9 is 0.013


@dataclass(frozen=True, slots=True)
class Copies:
    """The copies of a query."""

    best: Mapping[str, Judged]  # for each blob the result for the window where it is most probable
    scores: Mapping[str, float]  # for each blob the summed bits of the windows that found it
    groups: Mapping[str, Sequence[str]]  # nearly identical blobs, by the first of them
    truncated: bool = False  # whether there may be more
    has_places: bool = False  # whether a candidate has no code in the index, only the places of its terms

    def stored(self, hits: Iterable[Hit]) -> Mapping[str, StoredBlob]:
        """The contents of hits as the index stores them, by id."""
        shown = (content.blob for hit in hits for content in hit.contents)
        return {blob: self.best[blob].document.blob for blob in shown if blob in self.best}

    def leader(self, group: str) -> str:
        """The blob of a group with the highest score."""
        return min(self.groups[group], key=lambda blob: (-self.scores[blob], blob))


def gather(
    query: Query, candidates: Candidates, judge: Judge, *, least: float, limit: int, min_containment: float
) -> Copies:
    """Reads the candidates of each window until the last `PATIENCE` ones have added no copy, there are `limit` groups,
    or no candidates are left. A copy has at least the probability `least` and the share `min_containment` of the query.
    """
    best: dict[str, Judged] = {}
    scores: dict[str, float] = {}
    groups = Groups()
    without_code: set[str] = set()

    def keep(part: QueryWindow, batch: Iterable[Candidate], behind: int) -> int:
        """Keeps the copies with an admitted location. Locations are read last, since few candidates are copies. Counts
        on from `behind`, the candidates since the last new copy of this window, to the end or to `PATIENCE`.
        """
        copies: dict[str, Judged] = {}
        holding: list[Candidate] = []
        for candidate in batch:
            if behind >= PATIENCE:
                break
            behind += 1
            blob = candidate.blob.blob
            if are_places(candidate.blob.tokens):
                without_code.add(blob)
                continue
            judged, is_known = judge.judge(part, candidate, least), not min_containment or blob in best
            if judged is not None and (is_known or containment(query, judged.document) >= min_containment):
                copies[blob] = judged
                holding.append(candidate)
                behind = behind if blob in best else 0
        for candidate in candidates.with_locations(holding):
            blob, found = candidate.blob.blob, copies[candidate.blob.blob]
            if blob not in best:
                groups.add(blob, sketch(found.document))
            if blob not in best or found.probability > best[blob].probability:
                best[blob] = found
            scores[blob] = scores.get(blob, 0.0) + found.aligned.bits * len(part.distances)
        return behind

    batches = {
        number: candidates.batches(part.terms, partial(judge.promising, part, least))
        for number, part in enumerate(query.parts)
    }
    read, behind = Counter[int](), Counter[int]()
    while batches:
        for number in list(batches):
            batch = next(batches[number], [])
            read[number] += len(batch)
            behind[number] = keep(query.parts[number], batch, behind[number])
            if len(batch) < PATIENCE or behind[number] >= PATIENCE:
                del batches[number]
        most = max(map(read.__getitem__, batches), default=0)
        if (len(groups) >= limit and most >= BATCH) or most >= MOST_CANDIDATES:
            break
    truncated = candidates.are_cut or bool(batches)
    return Copies(best, scores, groups.members, truncated, bool(without_code))


def containment(query: Query, document: DocumentTokens) -> float:
    """The idf-weighted share of the query's k-grams that a document has: the largest of any representation."""
    weighed = {key: grams for key, grams in query.whole.items() if grams.total}
    both = zip(weighed.values(), document.shared(weighed), strict=True)
    return max((float(grams.sums[shared].sum()) / grams.total for grams, shared in both), default=0.0)


def sketch(document: DocumentTokens) -> Hashes:
    """The smallest distinct mixed hashes of a document's exact k-grams and prose (a bottom-n sketch, Broder 1997).
    What is inside of literals and comments is left out.
    """
    native, text = kernel.active(), document.text.native
    if native is not None and text is not None:
        return native.sketch(text, document.blob.token_count, _SKETCH)
    both = (document.grams(kind, SCHEMES[kind].k) for kind in (Representation.EXACT, Representation.TEXT))
    parts = [grams.hashes[grams.positions < document.blob.token_count] for grams in both]
    hashes = mix(np.concatenate(parts))
    # Copied, since a slice would keep the whole array in memory.
    return distinct(hashes)[:_SKETCH].copy()


def jaccard(one: Hashes, other: Hashes) -> float:
    """An estimate of the Jaccard index of two texts from their sketches, 0 to 1."""
    union = distinct(np.concatenate((one, other)))[:_SKETCH]
    if not len(union):
        return 1.0
    shared = are_among(union, one) & are_among(union, other)
    return float(np.count_nonzero(shared)) / len(union)


class PlainSketches:
    """The sketches of texts that are not nearly identical to each other. The kernel has the same (`Sketches`)."""

    def __init__(self) -> None:
        self._all: list[Hashes] = []

    def find(self, sketch: Hashes) -> int:
        """The number, from 0, of the first sketch of a nearly identical text. Adds the sketch if no text is."""
        for number, other in enumerate(self._all):
            if jaccard(sketch, other) >= NEARLY_IDENTICAL:
                return number
        self._all.append(sketch)
        return len(self._all) - 1


class Groups:
    """Groups blobs as they come: each joins the first leader that is nearly identical to it, or becomes a leader."""

    def __init__(self) -> None:
        self.members: dict[str, list[str]] = {}
        self._leaders: list[str] = []
        native = kernel.active()
        self._sketches = PlainSketches() if native is None else native.sketches(_SKETCH, NEARLY_IDENTICAL)

    def add(self, blob: str, own: Hashes) -> None:
        """Adds a blob with its sketch to its group."""
        number = self._sketches.find(own)
        if number == len(self._leaders):
            self._leaders.append(blob)
        self.members.setdefault(self._leaders[number], []).append(blob)

    def __len__(self) -> int:
        return len(self.members)
