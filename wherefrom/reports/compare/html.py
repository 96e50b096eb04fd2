"""Writes a comparison as one HTML file that loads nothing: the overview, the pairs, both sides of each pair."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from wherefrom.reports.check.words import EVIDENCE
from wherefrom.reports.compare.graph import graph
from wherefrom.reports.compare.names import Names
from wherefrom.reports.compare.page_data import MOST_BYTES, page_data
from wherefrom.reports.compare.words import CHANGES, MEANINGS, cut_off, summary
from wherefrom.reports.dates import made_at
from wherefrom.reports.layout import NOT_AT_HAND, count, duration, listed, percent
from wherefrom.reports.pages.rendering import assets, stream
from wherefrom.reports.pages.sides import ShownSide, facing, readable
from wherefrom.reports.sides import TextLines, rows
from wherefrom.reports.skipped import skipped_rows
from wherefrom.results import Cluster, Comparison, FilePair, MapEntry, RegionPair, SubmissionPair
from wherefrom.support.version import __version__

PLAIN_PAIRS, PLAIN_LINES, PLAIN_REGIONS = 50, 30, 12
"""The limits of a page whose script does not run: pairs, and for each pair rows of code and matches."""

PLAIN_SUBMISSIONS, PLAIN_CLUSTERS, MEMBERS = 50, 100, 12
"""The limits of the tables that need no script: submissions, clusters, and names in a cluster."""

MAPPED, VENDORED, PATHS = 500, 200, 20
"""The limits of other tables: rows of the map of two corpora, rows of copied folders, and paths in a row."""

HISTOGRAM_HEIGHT, BAR = 130, 46
"""The height of the histogram, and the width of a bar with its margin."""


def write(comparison: Comparison, names: Names | None = None, most: int = MOST_BYTES) -> Iterator[str]:
    """The page, part by part.

    Args:
        comparison: the result. Its contents must be readable.
        names: how names are shown; the real names by default.
        most: the highest number of characters of pairs and sources. If there are more, the weakest pairs are left out.
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
        clusters=[*_clusters(comparison, shown)],
        more_clusters=max(len(comparison.clusters) - PLAIN_CLUSTERS, 0),
        link=round(comparison.parameters.cluster_similarity * 100),
        graph=graph(comparison.pairs[: packed.shown], comparison.parameters.cluster_similarity),
        names=shown,
        labels=_labels([shown.submission(number) for number in range(len(comparison.submissions))]),
        roles=[str(submission.role) for submission in comparison.submissions],
        hollow=_hollow(comparison),
        mapped=_map(comparison, shown),
        vendored=[*_vendored(comparison, shown)],
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
    """The key under which a browser stores decisions. The next comparison of the same paths has the same key."""
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
        for name, paths in (("with", parameters.with_sources), ("archive", parameters.archive)):
            if paths:
                yield name, listed(paths, 3, " and {} more")
    yield "by", parameters.by
    yield "made", f"{made_at():%Y-%m-%d %H:%M} UTC by wherefrom {__version__}"
    yield "took", duration(comparison.seconds)


def _hollow(comparison: Comparison) -> str:
    """The meaning of the hollow dots of the graph; empty if every dot is filled."""
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
    private = {"paths", "archive", "with", "template", "author_of", "index"} if names.is_anonymous else set()
    for name, value in comparison.parameters.to_dict().items():
        shown = listed(value, PATHS) if isinstance(value, list) else value
        if name in private and shown not in {None, ""}:
            shown = f"{len(value):,} named" if isinstance(value, list) else "given"
        if shown not in {None, ""}:
            yield name.replace("_", " "), str(shown)


def _cut_off(comparison: Comparison) -> Iterator[tuple[str, list[str]]]:
    for cause, number in sorted(comparison.cut_off.items(), key=lambda item: (-item[1], item[0])):
        if number:
            yield cut_off(cause, number), [f"{number:,}"]


def _bars(comparison: Comparison) -> Iterator[dict[str, float]]:
    """The bars of the histogram: position, height, number of pairs, and range of similarities in percent. The height
    grows with the square root of the number, so that small numbers stay visible beside large ones.
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
    """A pair as the page shows it without its script: figures, matching lines, and the code of the first files."""
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
        where = f"{left}:{region.left.lines} and {right}:{region.right.lines}"
        moved = ", moved" if region.is_moved else ""
        shown.append(f"{where}: {count(region.tokens, 'token')}, {region.representation}{moved}")
    if len(regions) > PLAIN_REGIONS:
        shown.append(f"and {count(len(regions) - PLAIN_REGIONS, 'more match', 'more matches')}")
    return shown


def _plain_sides(files: FilePair, comparison: Comparison) -> tuple[ShownSide, ...]:
    """Both sides of a pair of files; empty if one of them is not at hand."""
    left, right = (readable(comparison.content, side) for side in (files.left, files.right))
    if left is None or right is None:
        return ()
    texts = TextLines(left), TextLines(right)
    pairs = [
        RegionPair(region.left, region.right, region.tokens, region.representation, region.facing)
        for region in files.regions
    ]
    one, other = comparison.files[files.left], comparison.files[files.right]
    sides = ShownSide("left", one.path, None, one.language), ShownSide("right", other.path, None, other.language)
    return facing(rows(pairs, texts, most=PLAIN_LINES), texts, pairs, sides)


def _submissions(comparison: Comparison, names: Names) -> Iterator[tuple[str, list[str]]]:
    """The submissions with the highest similarities, each with its best match."""
    ordered = sorted(enumerate(comparison.submissions), key=lambda item: -item[1].best_similarity)
    for number, submission in ordered[:PLAIN_SUBMISSIONS]:
        if submission.best_pair is not None:
            pair = comparison.pairs[submission.best_pair]
            other = pair.right if pair.left == number else pair.left
            yield names.submission(number), [percent(submission.best_similarity), names.submission(other)]


def _clusters(comparison: Comparison, names: Names) -> Iterator[tuple[Cluster, str, int]]:
    """The clusters, each with the names of its first members and the number of the others."""
    for cluster in comparison.clusters[:PLAIN_CLUSTERS]:
        members = ", ".join(map(names.submission, cluster.submissions[:MEMBERS]))
        yield cluster, members, len(cluster.submissions) - MEMBERS


def _labels(names: Sequence[str]) -> list[str]:
    """The names without the folders at the beginning of all of them, and without their common ending."""
    before = posixpath.commonprefix(names).rpartition("/")
    after = posixpath.commonprefix([name[::-1] for name in names])[::-1]
    ending = after[min((at for at in (after.find("/"), after.find(".")) if at >= 0), default=len(after)) :]
    start = len(before[0] + before[1])
    return [name[start:].removesuffix(ending) or name for name in names]


def _map(comparison: Comparison, names: Names) -> dict[str, Any] | None:
    """Where the files of one corpus are in the other, as rows and as a picture; None if there is only one corpus."""
    if comparison.map is None:
        return None

    def paths(files: Sequence[int]) -> list[str]:
        shown = [names.path(comparison.files[file]) for file in files[:PATHS]]
        return [*shown, f"and {len(files) - PATHS:,} more"] if len(files) > PATHS else shown

    entries = comparison.map.entries
    return {
        "rows": [(entry, CHANGES[entry.change], paths(entry.left), paths(entry.right)) for entry in entries[:MAPPED]],
        "more": max(len(entries) - MAPPED, 0),
        "picture": _map_picture(entries, comparison, names),
        "only_left": paths(comparison.map.only_left),
        "only_right": paths(comparison.map.only_right),
    }


PICTURED, ROW = 60, 22
"""The picture has at most `PICTURED` files on each side. Each file takes a height of `ROW`."""


def _map_picture(entries: Sequence[MapEntry], comparison: Comparison, names: Names) -> dict[str, Any] | None:
    """The files of both corpora in two columns, with a line from each to its matches; unchanged files are left out."""
    edges = [edge for entry in entries if entry.change != "same" for edge in entry.edges]
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


def _vendored(comparison: Comparison, names: Names) -> Iterator[dict[str, Any]]:

    def place(repository: str, folder: str) -> str:
        return names.text(f"{repository} {folder}/" if folder else repository)

    for folder in comparison.vendored[:VENDORED]:
        paths = {"changed": folder.changed, "added": folder.added, "missing": folder.missing}
        yield {
            "place": place(folder.repository, folder.folder),
            "origin": place(folder.origin, folder.origin_folder),
            "revision": folder.tag or folder.revision[:12],
            "cells": [percent(folder.containment), f"{folder.files:,}", f"{folder.identical:,}"],
            "counts": " / ".join(f"{len(some):,}" for some in paths.values()),
            "paths": [(what, listed(some, PATHS, ", and {} more")) for what, some in paths.items() if some],
        }
