"""The words for a comparison: how much it compared, found and left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wherefrom.reports.layout import count
from wherefrom.results import Change, Comparison, CutOff, VendoredFolder
from wherefrom.support.printable import visible

CUT_OFF: Mapping[CutOff, str] = {
    CutOff.COMMON_TERMS: "term{s} in too many submissions left out (--max-share)",
    CutOff.TERMS_BEYOND_BUDGET: "common term{s} not counted, since rarer ones gave as many pairs as are counted",
    CutOff.LIGHT_PAIRS: "pair{s} of files share{verb_s} too little to be compared token by token",
    CutOff.PAIRS_BEYOND_BUDGET: "pair{s} of files not compared token by token, since too many share more",
    CutOff.SHORT_PAIRS: "pair{s} of files compared, and no region is long enough (--min-tokens)",
    CutOff.UNLIKELY_PAIRS: (
        "pair{s} of submissions share{verb_s} too little (--min-containment), or only what many have"
    ),
    CutOff.PAIRS_BEYOND_LIMIT: "pair{s} found and left out at the end of the ranking (--limit)",
    CutOff.SHARED_AUTHOR: "pair{s} of submissions of one author not compared (--author-of)",
}
"""The words that follow the number of things left out. `{s}` is an `s` for a plural noun, `{verb_s}` an `s` for a
singular verb."""


def cut_off(reason: CutOff, number: int) -> str:
    """The words after the number of things that were left out."""
    return CUT_OFF[reason].format(s="" if number == 1 else "s", verb_s="s" if number == 1 else "")


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
"""The meanings of the figures of a page, for a first reader."""

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
"""The words for changes of files."""


def vendored(folder: VendoredFolder) -> str:
    """A copied folder with its origin on one line: `src/zlib is github.com/madler/zlib v1.2.11; 3 files changed`."""
    here = visible(folder.folder) or "all"
    there = f" {visible(folder.origin_folder)}" if folder.origin_folder else ""
    revision = f" {visible(folder.tag)}" if folder.tag else f" at {folder.revision[:12]}" if folder.revision else ""
    counts = (("changed", folder.changed), ("missing", folder.missing), ("added", folder.added))
    counted = [f"{count(len(paths), 'file')} {what}" for what, paths in counts if paths] or ["no file changed"]
    return f"{visible(folder.repository)} {here} is {visible(folder.origin)}{there}{revision}; {', '.join(counted)}"


def summary(comparison: Comparison) -> str:
    """The numbers of pairs found and of submissions, files and pairs compared, on one line."""
    counts = comparison.counts
    found = count(counts.found_pairs, "pair") if counts.found_pairs else "no pairs"
    dismissed = f" ({counts.dismissed_pairs:,} dismissed)" if counts.dismissed_pairs else ""
    compared = f"{count(counts.submissions, 'submission')}, {count(counts.files, 'file')}"
    pairs = count(counts.compared_pairs, "pair")
    return f"{found} found{dismissed} among {compared}, {pairs} of files compared token by token"
