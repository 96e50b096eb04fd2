"""What is found of a query: candidates are asked for, judged and grouped until more are not worth it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wherefrom.model import Candidate
from wherefrom.queries.alignment.aligning import Document
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates
from wherefrom.queries.grouping.groups import Groups
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.preparation.query import Query, QueryWindow


@dataclass(frozen=True, slots=True)
class Copies:
    """What is found of a query: for each blob the `best` (most probable) window and the sum of its `scores` over the
    windows by which it was found, the `groups` of nearly identical blobs by the first of them, and whether the search
    was `truncated`.
    """

    best: Mapping[str, Judged]
    scores: Mapping[str, float]
    groups: Mapping[str, Sequence[str]]
    truncated: bool = False

    def leader(self, group: str) -> str:
        """The blob of a group that holds most of the query."""
        return min(self.groups[group], key=lambda blob: (-self.scores[blob], blob))


def gather(
    query: Query, candidates: Candidates, judge: Judge, *, least: float, limit: int, min_containment: float
) -> Copies:
    """Asks for candidates in batches until the weaker half of one adds nothing that is found, there are as many groups
    as the limit, or nothing is left. A copy is at least `least` probable and holds `min_containment` of the query.
    """
    best: dict[str, Judged] = {}
    scores: dict[str, float] = {}
    groups = Groups()
    first_scores: dict[int, list[float]] = {}

    def judged(part: QueryWindow, batch: Sequence[Candidate]) -> dict[str, Judged]:
        found = (judge.judge(part, candidate, first_scores[part.begin], least) for candidate in batch)
        return {
            each.document.blob.blob: each
            for each in found
            if each is not None
            and (
                not min_containment
                or each.document.blob.blob in best
                or containment(query, each.document) >= min_containment
            )
        }

    def keep(part: QueryWindow, batch: Sequence[Candidate]) -> int:
        """Keeps what appears somewhere that fits; few are copies, so where they appear is asked last. Gives how many of
        the weaker half are answers that were not before, at any rank.
        """
        copies = judged(part, batch)
        weaker = (candidate.blob.blob for candidate in batch[BATCH // 2 :])
        late = sum(blob in copies and blob not in best for blob in weaker)
        for candidate in candidates.with_locations([each for each in batch if each.blob.blob in copies]):
            blob, found = candidate.blob.blob, copies[candidate.blob.blob]
            if blob not in best:
                groups.add(found.document)
            if blob not in best or found.probability > best[blob].probability:
                best[blob] = found
            scores[blob] = scores.get(blob, 0.0) + found.score * len(part.distances)
        return late

    offsets = dict.fromkeys(range(len(query.parts)), 0)
    while offsets:
        late = 0
        for number in list(offsets):
            part = query.parts[number]
            batch = candidates.batch(part, offsets[number])
            if not offsets[number]:
                first_scores[part.begin] = [candidate.score for candidate in batch]
            offsets[number] += len(batch)
            late += keep(part, batch)
            if len(batch) < BATCH:
                del offsets[number]
        if not late or len(groups) >= limit or any(number >= MOST_CANDIDATES for number in offsets.values()):
            return Copies(best, scores, groups.members, truncated=bool(late and offsets))
    return Copies(best, scores, groups.members)


def containment(query: Query, document: Document) -> float:
    """The idf-weighted share of the query's k-grams that the document holds, the larger over the representations."""
    return max(
        (
            grams.shared_weight(document.grams(representation, grams.k).hashes) / grams.total
            for representation, grams in query.whole.items()
            if grams.total
        ),
        default=0.0,
    )
