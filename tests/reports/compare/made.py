"""Comparisons made by hand: submissions that share functions, some renamed or moved, with every part of an answer."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from wherefrom.model import Occurrence, Representation
from wherefrom.results import (
    Cluster,
    CompareCounts,
    ComparedFile,
    CompareParameters,
    Comparison,
    CutOff,
    Evidence,
    FilePair,
    MatchedRegion,
    Region,
    Review,
    Role,
    Submission,
    SubmissionPair,
    Where,
)
from wherefrom.results.comparison import BINS
from wherefrom.results.locations import Texts

HEADER = b'"""An exercise of the course."""\n\nimport sys\n\n\n'
"""Boilerplate of every file."""


@dataclass(frozen=True)
class Written:
    """A function in a file, with its number, its variant and its place."""

    function: int
    variant: int
    start: int
    end: int
    line: int
    lines: int


@cache
def function(number: int, variant: int) -> bytes:
    """A function of some lines; a variant has other names."""
    chance = random.Random(number)
    names = [f"{word}{variant or ''}" for word in ("total", "values", "limit", "entry", "found")]
    total, values, limit, entry, found = names
    body = [f"def compute_{number}({values}, {limit}):", f"    # the sum of those below {number}"]
    body += [f"    {total} = {chance.randrange(100)}", f"    for {entry} in {values}:"]
    for _ in range(chance.randrange(3, 12)):
        operator = chance.choice(["+", "-", "*", "//", "%"])
        body.append(
            f"        {total} = {total} {operator} ({entry} ^ {chance.randrange(1, 1000)}) if {limit} else {total}"
        )
    body += [f"    {found} = 'value of {number}', {total}", f"    return {found}"]
    return "\n".join(body).encode() + b"\n"


def file_of(parts: list[tuple[int, int]]) -> tuple[bytes, list[Written]]:
    """A file with these functions (number, variant), and where they are."""
    text = HEADER
    written = []
    for number, variant in parts:
        code = function(number, variant)
        line = text.count(b"\n") + 1
        written.append(Written(number, variant, len(text), len(text) + len(code) - 1, line, code.count(b"\n")))
        text += code + b"\n\n"
    return text, written


def region(text: bytes, written: Written) -> Region:
    gap = text.index(b"\n    #", written.start)
    end = text.index(b"\n    ", gap + 1) + 5
    return Region(written.start, written.end, written.line, written.line + written.lines - 1, ((gap, end),))


def matches(one: tuple[bytes, list[Written]], other: tuple[bytes, list[Written]]) -> tuple[MatchedRegion, ...]:
    """The functions that two files share, in the order of the left one."""
    found = []
    theirs = {written.function: written for written in other[1]}
    highest = -1
    for here in one[1]:
        there = theirs.get(here.function)
        if there is None:
            continue
        tokens = here.lines * 8
        kind = Representation.EXACT if here.variant == there.variant else Representation.P_MATCH
        facing = tuple((here.line + at, there.line + at) for at in range(here.lines) if at != 1)
        found.append(
            MatchedRegion(
                left=region(one[0], here),
                right=region(other[0], there),
                left_span=(here.line * 8, here.line * 8 + tokens),
                right_span=(there.line * 8, there.line * 8 + tokens),
                representation=kind,
                weight=tokens * 1.25,
                rarity=0.9,
                submissions=2,
                is_moved=there.start < highest,
                facing=facing,
            )
        )
        highest = max(highest, there.start)
    return tuple(found)


def comparison(
    submissions: int = 12,
    *,
    seed: int = 0,
    shared: float = 0.4,
    functions: int = 8,
    pool: int = 30,
    names: dict[int, str] | None = None,
    replaced: dict[int, bytes] | None = None,
    limit: int = 1_000_000,
) -> Comparison:
    """A comparison of submissions with one file each.

    Args:
        submissions: the number of submissions.
        seed: the seed of all random choices.
        shared: the probability that a function is from the pool that all submissions share.
        functions: the number of functions in each file.
        pool: the number of functions in the pool.
        names: other names, by the number of the submission.
        replaced: texts that are appended to files.
        limit: the comparison has at most this many pairs.
    """
    chance = random.Random(seed)
    files = []
    for number in range(submissions):
        parts: dict[int, int] = {}
        for at in range(functions):
            if chance.random() < shared:
                parts[chance.randrange(pool)] = chance.choice([0, 0, 1, 2])
            else:
                parts[1_000_000 + number * 1000 + at] = 0
        order = [*parts.items()]
        chance.shuffle(order)
        text, written = file_of(order)
        files.append((text + (replaced or {}).get(number, b""), written))
    paths = {number: f"student{number:04}/exercise.py" for number in range(submissions)} | (names or {})
    contents = {paths[number]: files[number][0] for number in range(submissions)}
    compared = tuple(
        ComparedFile(
            submission=number,
            occurrence=Occurrence("/course", paths[number], hashlib.sha1(text).hexdigest(), "r1"),
            language="python",
            size=len(text),
            tokens=len(text) // 5,
            boilerplate_tokens=5,
            boilerplate=(Region(0, HEADER.rindex(b"sys") + 3, 1, 3),),
            statements=(Evidence(Where.FILE, "url", "https://x.org/a", "# from https://x.org/a", paths[number], 1),),
        )
        for number, (text, _) in enumerate(files)
    )
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for number, (_, written) in enumerate(files):
        for one in written:
            holders[one.function].append(number)
    sharing = {pair for group in holders.values() for pair in combinations(group, 2)}
    pairs = sorted((made_pair(files, paths, *pair) for pair in sorted(sharing)), key=lambda pair: -pair.score)
    histogram = [0] * BINS
    for pair in pairs:
        histogram[min(int(pair.similarity * BINS), BINS - 1)] += 1
    kept = pairs[:limit]
    best: dict[int, int] = {}
    for place, pair in enumerate(kept):
        for side in (pair.left, pair.right):
            if side not in best or kept[best[side]].similarity < pair.similarity:
                best[side] = place
    linking = [place for place, pair in enumerate(kept) if pair.similarity >= 0.5]
    clusters = linked(kept, linking)
    return Comparison(
        parameters=CompareParameters(
            paths=("/course",), by="file", max_share=0.5, min_tokens=20, cluster_similarity=0.5, limit=limit
        ),
        counts=CompareCounts(
            submissions=submissions,
            files=submissions,
            tokens=sum(file.tokens for file in compared),
            boilerplate_tokens=5 * submissions,
            size=sum(file.size for file in compared),
            possible_pairs=submissions * (submissions - 1) // 2,
            sharing_pairs=len(sharing),
            compared_pairs=len(sharing),
            found_pairs=len(pairs),
            histogram=tuple(histogram),
        ),
        cut_off={CutOff.COMMON_TERMS: 12, CutOff.PAIRS_BEYOND_LIMIT: len(pairs) - len(kept)},
        failed=(),
        skipped={"binary": 2},
        skipped_files=(),
        files=compared,
        submissions=tuple(
            Submission(
                name=paths[number],
                role=Role.SUBMISSION,
                author=None,
                files=(number,),
                tokens=compared[number].tokens,
                boilerplate_tokens=5,
                best_pair=best.get(number),
                best_similarity=kept[best[number]].similarity if number in best else 0.0,
                cluster=next((at for at, one in enumerate(clusters) if number in one.submissions), None),
            )
            for number in range(submissions)
        ),
        pairs=tuple(kept),
        clusters=clusters,
        seconds=1.5,
        texts=Texts(None, lambda at: contents[at.path]),
    )


def made_pair(files: list[tuple[bytes, list[Written]]], paths: dict[int, str], left: int, right: int) -> SubmissionPair:
    regions = matches(files[left], files[right])
    tokens = sum(one.tokens for one in regions)
    lines = sum(one.left.end_line - one.left.start_line + 1 for one in regions)
    whole = [sum(one.lines * 8 for one in files[side][1]) for side in (left, right)]
    shares = [min(tokens / size, 1.0) for size in whole]
    identifier = hashlib.sha1(f"{paths[left]}\n{paths[right]}".encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return SubmissionPair(
        id=identifier,
        left=left,
        right=right,
        score=2 * tokens / sum(whole) * (1 - 1 / tokens),
        probability=1.0,
        similarity=2 * tokens / sum(whole),
        left_containment=shares[0],
        right_containment=shares[1],
        resemblance=tokens / (sum(whole) - tokens) if sum(whole) > tokens else 1.0,
        longest_run=max(one.tokens for one in regions),
        left_matched_tokens=tokens,
        right_matched_tokens=tokens,
        left_matched_lines=lines,
        right_matched_lines=lines,
        files=(FilePair(left, right, False, shares[0], shares[1], regions),),
    )


def reviewed(made: Comparison, reviews: Mapping[str, Review]) -> Comparison:
    """A comparison with reviews of its pairs."""
    return replace(made, pairs=tuple(replace(pair, review=reviews.get(pair.id)) for pair in made.pairs))


def linked(pairs: list[SubmissionPair], linking: list[int]) -> tuple[Cluster, ...]:
    groups: list[set[int]] = []
    for place in linking:
        ends = {pairs[place].left, pairs[place].right}
        touching = [group for group in groups if group & ends]
        groups = [group for group in groups if not group & ends] + [ends.union(*touching)]
    clusters = [
        Cluster(
            tuple(sorted(group)),
            tuple(place for place in linking if pairs[place].left in group),
            max(pairs[place].similarity for place in linking if pairs[place].left in group),
        )
        for group in groups
    ]
    return tuple(sorted(clusters, key=lambda one: (-len(one.submissions), one.submissions)))


def with_author(made: Comparison, number: int, author: str) -> Comparison:
    """The same comparison with the author of a submission."""
    submissions = [*made.submissions]
    submissions[number] = replace(submissions[number], author=author)
    return replace(made, submissions=tuple(submissions))
