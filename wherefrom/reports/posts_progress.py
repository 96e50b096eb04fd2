"""Imports of posts and searches for their code in words: a live line while they go on, a summary at their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wherefrom.contract import FORMAT
from wherefrom.printable import visible
from wherefrom.reports.layout import clip, count, duration, percent, size, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wherefrom.posts import ImportProgress, ImportReport, SiteCounts

SKIPPED = {
    "too_short": "too short",
    "boilerplate": "boilerplate",
    "unreadable": "unreadable",
}
"""Why blocks are skipped, in words."""


def import_line(progress: ImportProgress, width: int = 100) -> str:
    """Where an import stands, on one line of at most `width` columns, without a newline."""
    parts = [size(progress.position), count(progress.posts, "post")]
    if progress.total:
        parts[0] = f"{size(progress.position)} of {size(progress.total)}"
        parts.append(percent(min(progress.position / progress.total, 1.0)))
    return clip(" · ".join(parts), width)


def import_summary(report: ImportReport) -> str:
    """An import at its end."""
    if report.is_repeated:
        return f"{visible(report.site)}: this dump was imported already; nothing to do\n"
    rows = [
        ("posts with code, new or changed", report.written),
        ("posts with code, known already", report.known),
        ("blocks of code", report.blocks),
        ("posts without code", report.without_code),
        ("posts with other tags", report.other_tags),
        *((f"rows skipped: {reason.replace('_', ' ')}", number) for reason, number in sorted(report.skipped.items())),
    ]
    shown = table((visible(report.site), "number"), [(name, f"{number:,}") for name, number in rows if number], (1,))
    went_on = f", gone on with at byte {report.start:,}" if report.start else ""
    return "".join(f"{line}\n" for line in [*shown, f"{duration(report.seconds)}{went_on}"])


def sites(held: Iterable[SiteCounts]) -> str:
    """What a store holds."""
    rows = [
        (
            visible(each.site),
            f"{each.posts:,}",
            f"{each.blocks:,}",
            each.first,
            each.last,
            f"{each.unfinished:,}" if each.unfinished else "",
        )
        for each in held
    ]
    header = ("site", "posts", "blocks", "first", "last", "dumps not read to their end")
    return "".join(f"{line}\n" for line in table(header, rows, (1, 2, 5)))


def sites_to_dict(held: Iterable[SiteCounts]) -> dict[str, Any]:
    """The same for JSON."""
    return {
        "format": FORMAT,
        "sites": [
            {
                "site": each.site,
                "posts": each.posts,
                "blocks": each.blocks,
                "first": each.first or None,
                "last": each.last or None,
                "unfinished": each.unfinished,
            }
            for each in held
        ],
    }


def search_line(counts: Mapping[str, int], total: int, width: int = 100) -> str:
    """Where a search stands: blocks done of all, and what was found."""
    done = _done(counts)
    parts = [
        f"{done:,}/{count(total, 'block')}",
        f"{counts.get('found', 0):,} found",
        count(counts.get("rows", 0), "row"),
    ]
    return clip(" · ".join(parts), width)


def search_summary(counts: Mapping[str, int]) -> str:
    """A search at its end, on one line."""
    skipped = [f"{counts[reason]:,} {name}" for reason, name in SKIPPED.items() if counts.get(reason)]
    found, rows = counts.get("found", 0), counts.get("rows", 0)
    parts = [f"{count(_done(counts), 'block')}: {found:,} found ({count(rows, 'row')})"]
    return ", ".join([*parts, *([f"skipped: {', '.join(skipped)}"] if skipped else [])])


def _done(counts: Mapping[str, int]) -> int:
    return counts.get("searched", 0) + sum(counts.get(reason, 0) for reason in SKIPPED)
