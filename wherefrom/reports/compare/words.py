"""What a comparison found and left out, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wherefrom.reports.layout import count
from wherefrom.results import Change, Comparison, CutOff, VendoredFolder
from wherefrom.support.printable import visible

_CUT_OFF: Mapping[CutOff, tuple[str, str, str]] = {
    CutOff.COMMON_TERMS: ("term", "terms", "in too many submissions left out (--max-share)"),
    CutOff.TERMS_BEYOND_BUDGET: (
        "common term",
        "common terms",
        "not counted, since rarer ones gave as many pairs as are counted",
    ),
    CutOff.LIGHT_PAIRS: (
        "pair of files shares",
        "pairs of files share",
        "too little to be compared token by token",
    ),
    CutOff.PAIRS_BEYOND_BUDGET: (
        "pair of files",
        "pairs of files",
        "not compared token by token, since too many share more",
    ),
    CutOff.SHORT_PAIRS: (
        "pair of files",
        "pairs of files",
        "compared, and no region is long enough (--min-tokens)",
    ),
    CutOff.UNLIKELY_PAIRS: (
        "pair of submissions shares",
        "pairs of submissions share",
        "too little (--min-containment), or only what many have",
    ),
    CutOff.PAIRS_BEYOND_LIMIT: (
        "pair",
        "pairs",
        "found and left out at the end of the ranking (--limit)",
    ),
    CutOff.SHARED_AUTHOR: (
        "pair of submissions",
        "pairs of submissions",
        "of one author not compared (--author-of)",
    ),
}
"""What was left out: how the words begin for one and for several, and how they end."""


def cut_off(reason: CutOff, number: int) -> str:
    """What was left out so many times, as the words after the number."""
    one, several, end = _CUT_OFF[reason]
    return f"{one if number == 1 else several} {end}"


MEANINGS: Sequence[tuple[str, str]] = (
    ("similarity", "the share of the larger side that matches; 100% is the whole of both"),
    ("of left, of right", "the share of each side that matches: a short submission may be in a long one"),
    ("longest", "tokens (names, signs, numbers, texts) of the longest match"),
    ("lines", "lines with something that matches, left and right"),
    (
        "score",
        "what the pairs are ranked by: the similarity, and how few submissions have what both share",
    ),
    ("weight", "of a match: it is the heavier the longer it is and the fewer submissions have it"),
)
"""What a reader who sees the page for the first time has to know of its figures."""

CHANGES: Mapping[Change, str] = {
    Change.SAME: "same",
    Change.MOVED: "moved",
    Change.CHANGED: "changed",
    Change.MOVED_CHANGED: "moved and changed",
    Change.COPIED: "copied several times",
    Change.SPLIT: "split",
    Change.MERGED: "merged",
    Change.MIXED: "split and merged",
}
"""What became of files, in words."""


def vendored(folder: VendoredFolder) -> str:
    """What a folder is a copy of, on one line: `src/zlib is github.com/madler/zlib v1.2.11; 3 files changed`."""
    here = visible(folder.folder) or "all"
    there = f" {visible(folder.origin_folder)}" if folder.origin_folder else ""
    revision = f" {visible(folder.tag)}" if folder.tag else f" at {folder.revision[:12]}" if folder.revision else ""
    counts = (("changed", folder.changed), ("missing", folder.missing), ("added", folder.added))
    counted = [f"{count(len(paths), 'file')} {what}" for what, paths in counts if paths] or ["no file changed"]
    return f"{visible(folder.repository)} {here} is {visible(folder.origin)}{there}{revision}; {', '.join(counted)}"


def summary(comparison: Comparison) -> str:
    """How much was compared, and what was found, on one line."""
    counts = comparison.counts
    found = count(counts.found_pairs, "pair") if counts.found_pairs else "no pairs"
    dismissed = f" ({counts.dismissed_pairs:,} dismissed)" if counts.dismissed_pairs else ""
    compared = f"{count(counts.submissions, 'submission')}, {count(counts.files, 'file')}"
    pairs = count(counts.compared_pairs, "pair")
    return f"{found} found{dismissed} among {compared}, {pairs} of files compared token by token"
