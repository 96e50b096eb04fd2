"""A comparison as one HTML file that needs nothing from elsewhere: overview, pairs, both sides of each pair."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from wherefrom.errors import WherefromError
from wherefrom.reports.check.words import EVIDENCE
from wherefrom.reports.compare.graph import Edge, graph
from wherefrom.reports.compare.names import Names
from wherefrom.reports.compare.page_data import MOST_BYTES, page_data
from wherefrom.reports.compare.words import CHANGES, MEANINGS, cut_off, summary
from wherefrom.reports.dates import made_at
from wherefrom.reports.layout import NOT_AT_HAND, count, duration, lines, listed, percent
from wherefrom.reports.pages.rendering import assets, stream
from wherefrom.reports.pages.sides import Side, facing
from wherefrom.reports.sides import TextLines, rows
from wherefrom.reports.skipped import skipped_rows
from wherefrom.results import Comparison, FilePair, RegionPair, SubmissionPair
from wherefrom.support.version import __version__

PLAIN_PAIRS, PLAIN_LINES, PLAIN_REGIONS = 50, 30, 12
"""Pairs that are written without a script's help, rows of code of each, and matches that are listed."""

PLAIN_SUBMISSIONS, PLAIN_CLUSTERS, MEMBERS = 50, 100, 12
"""Rows of the tables that need no script, and submissions that are named of a cluster."""

MAPPED, VENDORED, PATHS = 500, 200, 20
"""Rows of the map of two corpora and of copied folders, and paths that are named in one of them."""

HISTOGRAM_HEIGHT, BAR = 130, 46
"""Of the picture of similarities: its height, and the width that a bar has with its margin."""


def write(
    comparison: Comparison,
    names: Names | None = None,
    most: int = MOST_BYTES,
) -> Iterator[str]:
    """The page, part by part.

    Args:
        comparison: what was found, while its contents can be read.
        names: what names are shown as; as they are unless given.
        most: characters for pairs and sources; the weakest pairs are left out where there are more.
    """
    shown = Names(comparison) if names is None else names
    packed = page_data(comparison, shown, most)
    yield from stream(
        "compare/page.html",
        title=_title(comparison, shown),
        assets=assets("common.js", "compare.js"),
        facts=[*_facts(comparison, shown)],
        evidence=EVIDENCE,
        meanings=MEANINGS,
        summary=summary(comparison),
        cards=[*_cards(comparison)],
        warnings=[shown.text(warning) for warning in comparison.warnings],
        left_out=_left_out(comparison, packed.shown),
        parameters=[*_parameters(comparison, shown)],
        cut_off=[*_cut_off(comparison)],
        skipped=[(reason, [number]) for reason, number in skipped_rows(comparison.skipped)],
        failed=[] if shown.is_anonymous else [f"{report.key}: {report.error}" for report in comparison.failed],
        failed_count=len(comparison.failed),
        bars=[*_bars(comparison)],
        bar=BAR,
        height=HISTOGRAM_HEIGHT,
        plain=[_plain_pair(number, comparison, shown) for number in range(min(PLAIN_PAIRS, packed.shown))],
        more_plain=packed.shown - PLAIN_PAIRS,
        submissions=[*_submissions(comparison, shown)],
        more_submissions=max(len(comparison.submissions) - PLAIN_SUBMISSIONS, 0),
        clusters=_clusters(comparison, shown),
        more_clusters=max(len(comparison.clusters) - PLAIN_CLUSTERS, 0),
        link=round(comparison.parameters.cluster_similarity * 100),
        graph=graph(
            [Edge(pair.left, pair.right, pair.similarity) for pair in comparison.pairs[: packed.shown]],
            comparison.parameters.cluster_similarity,
        ),
        names=shown,
        labels=_labels([shown.submission(number) for number in range(len(comparison.submissions))]),
        roles=[str(submission.role) for submission in comparison.submissions],
        hollow=_hollow(comparison),
        mapped=_map(comparison, shown),
        vendored=_vendored(comparison, shown),
        gone=f"{NOT_AT_HAND}.",
        data={
            "key": _key(comparison, shown),
            "shown": packed.shown,
            "submissions": len(comparison.submissions),
            "found": comparison.counts.found_pairs + comparison.counts.dismissed_pairs,
            "link": comparison.parameters.cluster_similarity,
        },
        packed=packed,
    )
    yield "\n"


def _title(comparison: Comparison, names: Names) -> str:
    paths = [posixpath.basename(path.rstrip("/")) or path for path in comparison.parameters.paths]
    what = "" if names.is_anonymous else listed(paths, 3, " and {} more")
    return f"wherefrom compare: {what}" if what else "wherefrom compare"


def _key(comparison: Comparison, names: Names) -> str:
    """What decisions are kept under in a browser: the same in the next comparison of the same paths."""
    parameters = comparison.parameters
    text = "\n".join([parameters.by, *parameters.paths, parameters.index or "", *parameters.with_sources])
    return names.pair(sha256(text.encode("utf-8", "surrogateescape")).hexdigest())[:16]


def _facts(comparison: Comparison, names: Names) -> Iterator[tuple[str, str]]:
    parameters = comparison.parameters
    if not names.is_anonymous:
        if parameters.index is not None:
            yield "index", parameters.index
        elif parameters.paths:
            yield "compared", listed(parameters.paths, 3, " and {} more")
        if parameters.with_sources:
            yield "with", listed(parameters.with_sources, 3, " and {} more")
        if parameters.archive:
            yield "archive", listed(parameters.archive, 3, " and {} more")
    yield "by", parameters.by
    yield "made", f"{made_at():%Y-%m-%d %H:%M} UTC by wherefrom {__version__}"
    yield "took", duration(comparison.seconds)


def _hollow(comparison: Comparison) -> str:
    """What the hollow dots of the graph mean; empty if every dot is filled."""
    parameters = comparison.parameters
    if parameters.with_sources:
        return "submissions of the second corpus"
    return "earlier work" if parameters.archive else ""


def _cards(comparison: Comparison) -> Iterator[tuple[str, str]]:
    counts = comparison.counts
    for number, noun in (
        (counts.submissions, "submission"),
        (counts.files, "file"),
        (counts.found_pairs, "pair"),
        (len(comparison.clusters), "cluster"),
    ):
        shown, _, words = count(number, noun).partition(" ")
        yield shown, words
    best = max((pair.similarity for pair in comparison.pairs), default=0.0)
    yield percent(best), "highest similarity"
    share = counts.boilerplate_tokens / counts.tokens if counts.tokens else 0.0
    yield percent(share), "boilerplate"


def _left_out(comparison: Comparison, shown: int) -> str:
    found = comparison.counts.found_pairs + comparison.counts.dismissed_pairs
    if shown >= found:
        return ""
    room = len(comparison.pairs) - shown
    why = f", {room:,} of them since this page would be larger than {MOST_BYTES // 1_000_000} MB" if room else ""
    return (
        f"The {shown:,} strongest pairs are shown; {found - shown:,} weaker ones are left out{why}. "
        "The histogram counts all of them."
    )


def _parameters(comparison: Comparison, names: Names) -> Iterator[tuple[str, str]]:
    values = comparison.parameters.to_dict()
    private = {"paths", "archive", "with", "template", "author_of", "index"}
    for name, value in values.items():
        shown = value
        if isinstance(value, list):
            shown = listed(value, PATHS)
            if names.is_anonymous and name in private and value:
                shown = f"{len(value):,} named"
        elif names.is_anonymous and name in private and value is not None:
            shown = "given"
        if shown not in {None, ""}:
            yield name.replace("_", " "), str(shown)


def _cut_off(comparison: Comparison) -> Iterator[tuple[str, list[str]]]:
    for cause, number in sorted(comparison.cut_off.items(), key=lambda item: (-item[1], item[0])):
        if number:
            yield cut_off(cause, number), [f"{number:,}"]


def _bars(comparison: Comparison) -> Iterator[dict[str, float]]:
    """The histogram: of each bar its place, how many pairs it counts, and from which similarity on to which. A bar
    grows with the square root of its count, so that few pairs are seen beside many.
    """
    histogram = comparison.counts.histogram
    highest = max(histogram, default=0) ** 0.5 or 1.0
    step = 100 / len(histogram)
    for number, pairs in enumerate(histogram):
        height = 0.0 if not pairs else max(pairs**0.5 / highest * (HISTOGRAM_HEIGHT - 34), 2.0)
        yield {
            "x": number * BAR,
            "y": round(HISTOGRAM_HEIGHT - 18 - height, 1),
            "height": round(height, 1),
            "pairs": pairs,
            "low": round(number * step),
            "high": round((number + 1) * step),
        }


def _plain_pair(number: int, comparison: Comparison, names: Names) -> dict[str, Any]:
    """A pair without a script: its figures, which lines match, and the code of the heaviest match."""
    pair = comparison.pairs[number]
    files = pair.files[0] if pair.files else None
    return {
        "id": names.pair(pair.id),
        "rank": number + 1,
        "left": names.submission(pair.left),
        "right": names.submission(pair.right),
        "cells": [
            percent(pair.similarity),
            percent(pair.left_containment),
            percent(pair.right_containment),
            f"{pair.longest_run:,}",
            f"{pair.left_matched_lines:,} / {pair.right_matched_lines:,}",
            f"{pair.score:,.2f}",
        ],
        "matches": _plain_matches(pair, comparison, names),
        "sides": () if files is None or names.is_anonymous else _plain_sides(files, comparison),
    }


def _plain_matches(pair: SubmissionPair, comparison: Comparison, names: Names) -> list[str]:
    regions = [(files, region) for files in pair.files for region in files.regions]
    shown = []
    for files, region in regions[:PLAIN_REGIONS]:
        left, right = (names.path(comparison.files[side]) for side in (files.left, files.right))
        here = lines(region.left.start_line, region.left.end_line)
        there = lines(region.right.start_line, region.right.end_line)
        moved = ", moved" if region.is_moved else ""
        shown.append(
            f"{left}:{here} and {right}:{there}: {count(region.tokens, 'token')}, {region.representation}{moved}"
        )
    if len(regions) > PLAIN_REGIONS:
        shown.append(f"and {count(len(regions) - PLAIN_REGIONS, 'more match', 'more matches')}")
    return shown


def _plain_sides(files: FilePair, comparison: Comparison) -> tuple[Side, ...]:
    """Both sides of the heaviest pair of files; empty where one of them is not at hand."""
    contents = []
    for side in (files.left, files.right):
        try:
            content = comparison.content(side)
        except WherefromError:
            content = None
        if content is None:
            return ()
        contents.append(TextLines(content))
    pairs = [
        RegionPair(region.left, region.right, region.tokens, region.representation, region.facing)
        for region in files.regions
    ]
    texts = contents[0], contents[1]
    left, right = facing(rows(pairs, texts, most=PLAIN_LINES), texts, pairs)
    one, other = comparison.files[files.left], comparison.files[files.right]
    return (
        Side("left", one.path, None, one.language, tuple(left)),
        Side("right", other.path, None, other.language, tuple(right)),
    )


def _submissions(comparison: Comparison, names: Names) -> Iterator[tuple[str, list[str]]]:
    """The submissions with the highest match, and what it is."""
    order = sorted(
        range(len(comparison.submissions)), key=lambda number: -comparison.submissions[number].best_similarity
    )
    for number in order[:PLAIN_SUBMISSIONS]:
        submission = comparison.submissions[number]
        if submission.best_pair is not None:
            pair = comparison.pairs[submission.best_pair]
            other = pair.right if pair.left == number else pair.left
            yield names.submission(number), [percent(submission.best_similarity), names.submission(other)]


def _clusters(comparison: Comparison, names: Names) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "size": len(cluster.submissions),
            "similarity": percent(cluster.similarity),
            "members": ", ".join(names.submission(member) for member in cluster.submissions[:MEMBERS]),
            "more": len(cluster.submissions) - MEMBERS,
        }
        for number, cluster in enumerate(comparison.clusters[:PLAIN_CLUSTERS], 1)
    ]


def _labels(names: Sequence[str]) -> list[str]:
    """Names without the folders that all of them begin with, and the ending that all of them have."""
    before = posixpath.commonprefix(names).rpartition("/")
    after = posixpath.commonprefix([name[::-1] for name in names])[::-1]
    ending = after[min((at for at in (after.find("/"), after.find(".")) if at >= 0), default=len(after)) :]
    start = len(before[0] + before[1])
    return [name[start:].removesuffix(ending) or name for name in names]


def _map(comparison: Comparison, names: Names) -> dict[str, Any] | None:
    """Which files of one corpus are where in the other: as rows, and how many appear in one alone."""
    if comparison.map is None:
        return None

    def paths(files: Sequence[int]) -> list[str]:
        shown = [names.path(comparison.files[file]) for file in files[:PATHS]]
        return [*shown, f"and {len(files) - PATHS:,} more"] if len(files) > PATHS else shown

    entries = comparison.map.entries
    return {
        "rows": [
            {
                "change": CHANGES[entry.change],
                "left": paths(entry.left),
                "right": paths(entry.right),
                "left_share": percent(entry.left_share),
                "right_share": percent(entry.right_share),
            }
            for entry in entries[:MAPPED]
        ],
        "more": max(len(entries) - MAPPED, 0),
        "picture": _map_picture(comparison, names),
        "only_left": paths(comparison.map.only_left),
        "only_right": paths(comparison.map.only_right),
    }


PICTURED, ROW = 60, 22
"""Files of a side that are drawn, and the height that each takes."""


def _map_picture(comparison: Comparison, names: Names) -> dict[str, Any] | None:
    """Files of both corpora in two columns, with a line for each share; those that stayed as they are are left out."""
    assert comparison.map is not None
    edges = [edge for entry in comparison.map.entries if entry.change != "same" for edge in entry.edges]
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    drawn = []
    for edge in edges:
        if len(left | {edge.left: 0}) <= PICTURED and len(right | {edge.right: 0}) <= PICTURED:
            left.setdefault(edge.left, len(left))
            right.setdefault(edge.right, len(right))
            drawn.append(edge)
    if not drawn:
        return None

    def middle(place: int) -> float:
        return place * ROW + ROW / 2

    return {
        "height": max(len(left), len(right)) * ROW,
        "left": [(middle(place), names.path(comparison.files[file])) for file, place in left.items()],
        "right": [(middle(place), names.path(comparison.files[file])) for file, place in right.items()],
        "lines": [
            (
                middle(left[edge.left]),
                middle(right[edge.right]),
                round(1 + 7 * max(edge.left_share, edge.right_share), 1),
                f"{percent(edge.left_share)} of the left file, {percent(edge.right_share)} of the right file",
            )
            for edge in drawn
        ],
        "more": len(edges) - len(drawn),
    }


def _vendored(comparison: Comparison, names: Names) -> list[dict[str, Any]]:
    more = ", and {} more"

    def place(repository: str, folder: str) -> str:
        return names.text(f"{repository} {folder}/" if folder else repository)

    return [
        {
            "folder": place(folder.repository, folder.folder),
            "origin": place(folder.origin, folder.origin_folder),
            "revision": folder.tag or folder.revision[:12],
            "files": f"{folder.files:,}",
            "identical": f"{folder.identical:,}",
            "share": percent(folder.containment),
            "changed": listed(folder.changed, PATHS, more),
            "added": listed(folder.added, PATHS, more),
            "missing": listed(folder.missing, PATHS, more),
            "counts": f"{len(folder.changed):,} / {len(folder.added):,} / {len(folder.missing):,}",
        }
        for folder in comparison.vendored[:VENDORED]
    ]
