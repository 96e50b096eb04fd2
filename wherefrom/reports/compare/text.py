"""Writes a comparison: for a person a table of the pairs, the clusters, and the files and pairs left out; or as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from wherefrom.reports import layout
from wherefrom.reports.hit_fields import line_ranges
from wherefrom.reports.layout import as_lines, clip_apart, clip_left, count, duration, listed, percent, table
from wherefrom.reports.renderer import Look, Renderer, cell, formats, row
from wherefrom.reports.skipped import skipped_table
from wherefrom.results import (
    Change,
    CompareProgress,
    Comparison,
    CorpusMap,
    CutOff,
    MapEntry,
    SubmissionPair,
    VendoredFolder,
)
from wherefrom.support.printable import one_line, visible

CUT_OFF: Mapping[CutOff, str] = {
    CutOff.COMMON_TERMS: "term{s} in too many submissions left out (--max-share)",
    CutOff.TERMS_BEYOND_BUDGET: "common term{s} not counted, since rarer ones gave as many pairs as are counted",
    CutOff.LIGHT_PAIRS: "pair{s} of files share{verb_s} too little to be compared token by token",
    CutOff.PAIRS_BEYOND_BUDGET: "pair{s} of files not compared token by token, since too many share more",
    CutOff.SHORT_PAIRS: "pair{s} of files compared, and no region is long enough (--min-tokens)",
    CutOff.UNLIKELY_PAIRS: (
        "pair{s} of submissions share{verb_s} too little (--min-containment), or only what many have or everyone "
        "writes (--min-probability)"
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
    ("similarity", "the mean of the tokens that match left and right, by those of the larger side"),
    ("of left, of right", "the share of each side that matches: a short submission may be in a long one"),
    ("longest", "tokens (names, signs, numbers, texts) of the longest match"),
    ("lines", "lines with something that matches, left and right"),
    ("left out", "tokens left and right that no figure counts: code that was given, or that too many submissions have"),
    ("score", "what the pairs are ranked by: the similarity, and how few submissions have what both share"),
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


TRANSLATED = "in different languages, by the words of names and literals"
"""What every report says of pairs that share code only in different languages."""

PAIRS = 50  # at most this many pairs of each kind are listed
CLUSTERS = 10  # at most this many clusters are listed
MEMBERS = 6  # a cluster names at most this many submissions
ENTRIES = 50  # at most this many entries of the map are listed. Files without a change are never listed

_OTHERS, _MAP_OTHERS, _LEFT_OUT = 57, 42, 10
"""The terminal columns that a row of the pairs, and one of the map, takes without its two names; and those of the
column that only a comparison with left-out code has.
"""


def write(comparison: Comparison, look: Look) -> Iterator[str]:
    """The answer. Each block ends with a newline. With two corpora the map replaces the pairs."""
    if comparison.vendored:
        yield as_lines([*map(vendored, comparison.vendored), ""])
    if comparison.map is not None:
        yield as_lines(_map(comparison.map, comparison, look))
    elif copies := [pair for pair in _counting(comparison) if not pair.is_translated]:
        yield as_lines(_pairs(copies, comparison, look))
    if translated := [pair for pair in _counting(comparison) if pair.is_translated]:
        yield as_lines([look.bold(TRANSLATED), *_pairs(translated, comparison, look)])
    if comparison.clusters and comparison.map is None:
        yield as_lines(["", *_clusters(comparison, look)])
    yield as_lines(_end(comparison, look))


def _pairs(pairs: Sequence[SubmissionPair], comparison: Comparison, look: Look) -> Iterator[str]:
    left_out = [max(pair.left_boilerplate_tokens, pair.right_boilerplate_tokens) for pair in pairs[:PAIRS]]
    is_full = not any(left_out)
    room = max(12, (look.width - _OTHERS - (0 if is_full else _LEFT_OUT)) // 2)
    sides = [visible(comparison.name(side)) for pair in pairs[:PAIRS] for side in (pair.left, pair.right)]
    names = clip_apart(sides, room)
    rows = [
        (
            str(rank),
            f"{pair.score:,.2f}",
            *map(percent, (pair.similarity, pair.left_containment, pair.right_containment)),
            f"{pair.longest_run:,}",
            f"{max(pair.left_matched_lines, pair.right_matched_lines):,}",
            *(() if is_full else (f"{left_out[rank - 1]:,}",)),
            *names[2 * rank - 2 : 2 * rank],
        )
        for rank, pair in enumerate(pairs[:PAIRS], 1)
    ]
    titles = ("", "score", "similar", "of left", "of right", "run", "lines", *(() if is_full else ("left out",)))
    header, *lines = table((*titles, "left", "right"), rows, right=range(len(titles)))
    yield look.bold(header)
    yield from lines
    if len(pairs) > PAIRS:
        yield look.dim(f"... {count(len(pairs) - PAIRS, 'more pair')} (--format csv lists all)")


def _counting(comparison: Comparison) -> Sequence[SubmissionPair]:
    return [pair for pair in comparison.pairs if not pair.is_dismissed]


def _map(found: CorpusMap, comparison: Comparison, look: Look) -> Iterator[str]:
    other = [entry for entry in found.entries if entry.change is not Change.SAME]
    room = max(12, (look.width - _MAP_OTHERS) // 2)
    if other:
        rows = [_map_row(entry, comparison, room) for entry in other[:ENTRIES]]
        header, *lines = table(("", "of left", "of right", "left", "right"), rows, right=(1, 2))
        yield look.bold(header)
        yield from lines
        if len(other) > ENTRIES:
            yield look.dim(f"... {len(other) - ENTRIES:,} more (--format json lists all)")
    counts = Counter(entry.change for entry in found.entries)
    changes = [f"{number:,} {CHANGES[change]}" for change in Change if (number := counts[change])]
    yield f"files: {', '.join(changes)}" if changes else "files: none of one corpus appears in the other"
    yield f"only left: {count(len(found.only_left), 'file')}, only right: {count(len(found.only_right), 'file')}"


def _map_row(entry: MapEntry, comparison: Comparison, room: int) -> Sequence[str]:
    sides = ([visible(comparison.files[file].path) for file in files] for files in (entry.left, entry.right))
    names = [f"{paths[0]} + {len(paths) - 1} more" if len(paths) > 1 else paths[0] for paths in sides]
    return (
        CHANGES[entry.change],
        percent(entry.left_share),
        percent(entry.right_share),
        *(clip_left(name, room) for name in names),
    )


def _clusters(comparison: Comparison, look: Look) -> Iterator[str]:
    least = percent(comparison.parameters.cluster_similarity)
    yield look.bold(f"{count(len(comparison.clusters), 'cluster')} (linked by a similarity of {least} and more)")
    for number, cluster in enumerate(comparison.clusters[:CLUSTERS], 1):
        names = listed([visible(comparison.name(member)) for member in cluster.submissions], MEMBERS, ", {} more")
        yield f"{number:>4}  {count(len(cluster.submissions), 'submission')}: {names}"
    if len(comparison.clusters) > CLUSTERS:
        yield look.dim(f"  ... {count(len(comparison.clusters) - CLUSTERS, 'more cluster')}")


def _end(comparison: Comparison, look: Look) -> Iterator[str]:
    if _counting(comparison):
        yield ""
    for reason, number in comparison.cut_off.items():
        yield look.dim(f"{number:,} {cut_off(reason, number)}")
    yield from skipped_table(comparison.skipped)
    for failed in comparison.failed:
        yield f"not compared: {visible(failed.key)}: {one_line(failed.error or '')}"
    yield f"{summary(comparison)}, {duration(comparison.seconds)}"


def live_line(progress: CompareProgress, width: int = 100) -> str:
    """The progress of a comparison on one line of at most `width` columns, without a newline."""
    of = f"/{progress.total:,}" if progress.total else ""
    noun = {"reading": "files read", "counting": "postings counted"}.get(progress.stage, "pairs compared")
    return layout.live_line([f"{progress.done:,}{of} {noun}"], [duration(progress.seconds)], "", width)


HEADER = (
    "rank,id,score,similarity,left,right,left_containment,right_containment,resemblance,longest_run,"
    "left_matched_lines,right_matched_lines,cluster,review,note,left_file,right_file,left_file_containment,"
    "right_file_containment,matched_tokens,left_lines,right_lines,left_boilerplate_tokens,right_boilerplate_tokens,is_translated\n"
)
"""The first line of CSV. There is one row for each pair of files of each pair of submissions."""


def _write_csv(comparison: Comparison, _look: Look) -> Iterator[str]:
    """The header and the rows. `rank` and `cluster` count from 1, and lines are ranges such as `L3-L9 L12-L12`."""
    yield HEADER
    for rank, pair in enumerate(comparison.pairs, 1):
        left, right = comparison.submissions[pair.left], comparison.submissions[pair.right]
        of_pair = (
            *(rank, pair.id, pair.score, pair.similarity, left.name, right.name),
            *(pair.left_containment, pair.right_containment, pair.resemblance, pair.longest_run),
            *(pair.left_matched_lines, pair.right_matched_lines),
            None if left.cluster is None or left.cluster != right.cluster else left.cluster + 1,
            pair.review and pair.review.state,
            pair.review and pair.review.note,
        )
        for match in pair.files:
            of_files = (
                *(comparison.files[side].path for side in (match.left, match.right)),
                *(match.left_containment, match.right_containment, match.matched_tokens),
                line_ranges(region.left for region in match.regions),
                line_ranges(region.right for region in match.regions),
                *(pair.left_boilerplate_tokens, pair.right_boilerplate_tokens, match.is_translated),
            )
            yield row(map(cell, (*of_pair, *of_files)))


RENDERERS = {**formats(write), "csv": Renderer(_write_csv)}
