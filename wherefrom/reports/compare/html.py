"""Writes a comparison as one HTML file that loads nothing: the overview, the pairs, both sides of each pair."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from wherefrom.reports.check.words import EVIDENCE
from wherefrom.reports.compare.names import Names
from wherefrom.reports.compare.page_data import MOST_BYTES, page_data
from wherefrom.reports.compare.text import CHANGES, CUT_OFF, MEANINGS, summary
from wherefrom.reports.layout import NOT_AT_HAND, count, listed, percent
from wherefrom.reports.pages.rendering import Assets, asset, assets, render, stream
from wherefrom.reports.pages.sides import ShownSide, facing, readable
from wherefrom.reports.sides import TextLines, rows
from wherefrom.results import Comparison, FilePair, RegionPair, SubmissionPair
from wherefrom.support.version import __version__

PLAIN_PAIRS, PLAIN_LINES, PLAIN_REGIONS = 50, 30, 12
"""The limits of a page whose script does not run: pairs, and for each pair rows of code and matches."""

PLAIN_SUBMISSIONS, PLAIN_CLUSTERS, MEMBERS = 50, 100, 12
"""The limits of the tables that need no script: submissions, clusters, and names in a cluster."""

SCRIPTS = ("common.js", "overview.js", "compare.js")  # the files of the script that draws the report, in their order

TEXTS: dict[str, Any] = {
    "evidence": EVIDENCE,
    "meanings": MEANINGS,
    "words": {"cutOff": CUT_OFF, "changes": CHANGES, "version": __version__},
}
"""The texts that are the same in every report."""


def page_assets(reviews: str = "") -> Assets:
    """The style sheet and the script of the page; see `write`."""
    return assets(*SCRIPTS, "embedded.js", asks_server=bool(reviews))


def write(
    comparison: Comparison, names: Names | None = None, most: int = MOST_BYTES, reviews: str = ""
) -> Iterator[str]:
    """The page, part by part. The contents of the comparison must be readable. If pairs and sources have more than
    `most` characters, the weakest pairs are left out. `reviews` is the address at which a server keeps the reviews; by
    default the browser keeps them.
    """
    shown = Names(comparison) if names is None else names
    packed = page_data(comparison, shown, most)
    bases = [posixpath.basename(path.rstrip("/")) or path for path in comparison.parameters.paths]
    paths = "" if shown.is_anonymous else listed(bases, 3, " and {} more")
    yield from stream(
        "compare/page.html",
        title=": ".join(filter(None, ("wherefrom compare", paths))),
        assets=page_assets(reviews),
        reviews=reviews,
        plain=_plain(comparison, shown, packed.shown),
        packed=packed.parts,
        **TEXTS,
    )
    yield "\n"


def _plain(comparison: Comparison, names: Names, shown: int) -> dict[str, Any]:
    """What a reader without scripts sees: the summary, and the first `shown` pairs, submissions and clusters."""
    return {
        "summary": summary(comparison),
        "pairs": [_plain_pair(number, comparison, names) for number in range(min(PLAIN_PAIRS, shown))],
        "more_pairs": max(shown - PLAIN_PAIRS, 0),
        "submissions": [*_submissions(comparison, names)],
        "more_submissions": max(len(comparison.submissions) - PLAIN_SUBMISSIONS, 0),
        # Each cluster with the names of its first members and the number of the others.
        "clusters": [
            (
                cluster,
                ", ".join(map(names.submission, cluster.submissions[:MEMBERS])),
                len(cluster.submissions) - MEMBERS,
            )
            for cluster in comparison.clusters[:PLAIN_CLUSTERS]
        ],
        "more_clusters": max(len(comparison.clusters) - PLAIN_CLUSTERS, 0),
        "link": percent(comparison.parameters.cluster_similarity),
        "gone": f"{NOT_AT_HAND}.",
    }


def _plain_pair(number: int, comparison: Comparison, names: Names) -> dict[str, Any]:
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
    ordered = sorted(enumerate(comparison.submissions), key=lambda item: -item[1].best_similarity)
    for number, submission in ordered[:PLAIN_SUBMISSIONS]:
        if submission.best_pair is not None:
            pair = comparison.pairs[submission.best_pair]
            other = pair.right if pair.left == number else pair.left
            yield names.submission(number), [percent(submission.best_similarity), names.submission(other)]


# The parts of the report for the page that compares in a browser (`page/`), which has no Python. `release.page` writes
# them as files of that page, and `page/report.js` fills them.

TITLE, BLOCK_NAME, BLOCK = "%TITLE%", "%BLOCK-NAME%", "%BLOCK%"
"""The marks in the skeleton: the title; in a line of its own that is repeated, the name of a block and its text."""


def style() -> str:
    """The style sheet of the report."""
    return assets(*SCRIPTS).style


def drawing() -> str:
    """The ES module that draws the report; it exports `showReport`, and two functions of all pages."""
    return f"{''.join(map(asset, SCRIPTS))}\nexport {{ make, plural, showReport }};\n"


def report_markup() -> str:
    """The markup of a report, to be put below a heading of the first level."""
    return f'<dl class="facts" id="facts"></dl>\n{render("compare/report.html", plain=None, **TEXTS)}'


def skeleton() -> str:
    """The file of a comparison without a comparison: `TITLE`, `BLOCK_NAME` and `BLOCK` are where its data belongs."""
    return render(
        "compare/page.html",
        title=TITLE,
        assets=assets(*SCRIPTS, "embedded.js"),
        plain=None,
        reviews="",
        packed=[(BLOCK_NAME, Markup(BLOCK))],  # noqa: S704 -- a constant
        **TEXTS,
    )
