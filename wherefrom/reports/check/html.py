"""Writes a check as one HTML file that loads nothing: summary, contents, both sides of each finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, islice
from typing import Any

from markupsafe import Markup

from wherefrom.extend import baseline_of, guess
from wherefrom.public import BaselineEntry, CheckReport, Finding, FolderCopy, MatchedLocation
from wherefrom.reports.check import words
from wherefrom.reports.hit_fields import region_lines
from wherefrom.reports.layout import NOT_AT_HAND, count
from wherefrom.reports.pages.rendering import assets, render, stream
from wherefrom.reports.pages.sides import ShownSide, facing, with_lines
from wherefrom.reports.renderer import Look, made_at
from wherefrom.reports.sides import CONTEXT, TextLines, rows
from wherefrom.reports.skipped import skipped_rows
from wherefrom.support.printable import one_line
from wherefrom.support.version import __version__

LINES = 60  # the code of a finding, here and there side by side, has at most this many rows
OPEN = 20  # a page with at most this many entries shows all of them open

ROWS, FILES = 20, 2000
"""A table of the summary has at most `ROWS` rows, and a copied folder lists at most `FILES` files."""

QUOTES = 3  # at most this many lines are quoted as evidence for a place

CODE_BYTES, MOST_BYTES = 500_000, 1_000_000
"""The page stops showing code after the first number of characters, and stops listing entries after the second."""

GONE = f"{NOT_AT_HAND}."  # the text that replaces code if its content cannot be read


def write(report: CheckReport, look: Look) -> Iterator[str]:
    """The page, part by part; its size is bounded."""
    found = [] if look.only_summary else words.entries(report, accepted=look.accepted)
    shown, without_code = _sections(found, report)
    order = sorted(shown)
    failing, accepted, notes = words.tallies(report)
    others = {
        "notes": notes,
        "accepted": accepted,
        "copied folders": len(report.folders),
        "files checked": report.files,
    }
    yield from stream(
        "check/page.html",
        title=f"wherefrom check: {one_line(report.project)}",
        assets=assets("common.js", "check.js"),
        facts=[
            ("checked", report.state),
            ("index", report.index or report.engine),
            ("made", f"{made_at():%Y-%m-%d %H:%M} UTC"),
            ("with", f"wherefrom {__version__}"),
        ],
        summary=words.summary(report),
        evidence=words.EVIDENCE,
        # Each figure at the top has a number, a noun, and a CSS class for its color.
        cards=[
            (f"{failing:,}", "to look at", "alarm" if failing else ""),
            *((f"{number:,}", noun, "") for noun, number in others.items()),
        ],
        header=words.HEADER,
        tables=[
            (title, [(name, row.cells()) for name, row in [*table.items()][:ROWS]], max(len(table) - ROWS, 0))
            for title, table in words.counted(report).items()
            if table
        ],
        left_out=_left_out(len(found), len(found) - len(shown), without_code),
        rules=list(dict.fromkeys(str(rule) for entry in found for rule in entry.rules)),
        contents=[_row(_id(number), found[number], report) for number in order],
        files=_files(found, shown, order, report),
        is_open=len(found) <= OPEN,
        # The lists at the end: title and items.
        rest=[
            ("Entries of the baseline that fit nothing any longer", [f"{it.path}: {it.rule}" for it in report.stale]),
            ("wherefrom: ok without a reason", [f"{path}:{line}" for path, line in report.unexplained]),
            ("License conflicts that could not be judged", words.not_judged(report)),
            ("Mostly boilerplate, which was left out", report.boilerplate),
            ("Left out as your own", report.own),
        ],
        skipped=[(reason, [number]) for reason, number in skipped_rows(report.skipped)],
        data=_data([(_id(number), found[number]) for number in order], report),
    )
    yield "\n"


def _left_out(all_entries: int, left_out: int, without_code: int) -> str:
    notes = [f"the code of {without_code:,} is left out"] if without_code else []
    notes += [f"{left_out:,} are left out, which do not fail or are shorter"] if left_out else []
    if not notes:
        return ""
    return (
        f"So that this page opens at once, of its {count(all_entries, 'entry', 'entries')} {', and '.join(notes)}. "
        "--format json has all of them."
    )


def _id(number: int) -> str:
    return f"entry-{number + 1}"


def _row(name: str, entry: words.ReportEntry, report: CheckReport) -> dict[str, Any]:
    place = entry.first.places[0]
    kind = _kind(entry, report)
    if entry.folder is not None:
        where, also = words.folder_name(entry.folder), f"{entry.folder.repository} {entry.folder.there or '.'}/"
    else:
        span = "" if entry.first.copy is not None else f":{entry.first.region.lines}"
        where, also = f"{entry.path}{span}", f"{place.occurrence.repository}  {place.occurrence.path}"
    return {
        "id": name,
        "kind": kind,
        "rules": [str(rule) for rule in entry.rules],
        "name": where,
        "tokens": entry.tokens,
        "also": also,
        "license": words.license_names(place.licenses),
        "state": {"failing": "to look at", "note": "note", "accepted": "accepted"}[kind],
    }


def _files(
    found: Sequence[words.ReportEntry], shown: dict[int, Markup], order: Sequence[int], report: CheckReport
) -> list[tuple[str | None, str, list[Markup]]]:
    """The entries in their order, grouped by file. A folder is a group of its own, without a path."""
    files = []
    for path, numbers in groupby(order, key=lambda number: (found[number].folder is not None, found[number].path)):
        group = [*numbers]
        failing = sum(any(map(report.is_failing, found[number].findings)) for number in group)
        facts = [count(len(group), "entry", "entries"), *([f"{failing:,} to look at"] if failing else [])]
        files.append((None if path[0] else path[1], ", ".join(facts), [shown[number] for number in group]))
    return files


def _sections(found: Sequence[words.ReportEntry], report: CheckReport) -> tuple[dict[int, Markup], int]:
    """The sections of the most important entries that there is room for, by position, and how many lack their code."""
    lines_of = cache(lambda path: TextLines(report.contents[path]))
    shown: dict[int, Markup] = {}
    written = without_code = 0
    for number in sorted(range(len(found)), key=lambda number: words.importance(found[number], report)):
        entry = found[number]
        if written > MOST_BYTES:
            break
        has_room = written < CODE_BYTES
        without_code += entry.folder is None and not has_room
        shown[number] = section(entry, report, lines_of, name=_id(number), code=has_room)
        written += len(shown[number])
    return shown, without_code


def section(
    entry: words.ReportEntry,
    report: CheckReport,
    lines_of: Callable[[str], TextLines],
    *,
    name: str = "",
    code: bool = True,
) -> Markup:
    """The section of an entry: a folder with its files, or a piece with its rules, its places, and both sides of the
    best place. The report's `texts` read the contents at the places, and `lines_of` returns the lines of a file of the
    project. `name` is the anchor of the section, if any. Folders are shown without code.
    """
    shared = {"id": name, "kind": _kind(entry, report), "rules": [str(rule) for rule in entry.rules]}
    if entry.folder is not None:
        return render("check/folder.html", entry={**shared, **_folder(entry, entry.folder)})
    first = entry.first
    is_piece = first.copy is None
    return render(
        "check/entry.html",
        gone=GONE,
        entry={
            **shared,
            "title": region_lines(first.region).capitalize()
            if is_piece
            else f"The whole file, lines {first.region.lines}",
            "sentences": [
                f"{words.sentence(finding)}{f' ({words.acceptance(finding.accepted)})' if finding.accepted else ''}"
                for finding in entry.findings
            ],
            "places": [_place(place, first) for place in first.places],
            "more": count(first.more, "more location") if first.more else "",
            "sides": _sides(first, report, lines_of) if code else (),
        },
    )


def _kind(entry: words.ReportEntry, report: CheckReport) -> str:
    """The CSS class of an entry: `failing`, `note` or `accepted`."""
    if any(report.is_failing(finding) for finding in entry.findings):
        return "failing"
    return "accepted" if all(finding.accepted for finding in entry.findings) else "note"


def _folder(entry: words.ReportEntry, folder: FolderCopy) -> dict[str, Any]:
    files = entry.files
    return {
        "title": words.folder_name(folder),
        "words": words.folder_words(entry, folder),
        "rule_counts": words.rule_counts(entry),
        "files": [
            (finding.path, words.likeness(finding.copy), _named(finding.places[0]))
            for finding in files[:FILES]
            if finding.copy is not None
        ],
        "more": count(len(files) - FILES, "more file") if len(files) > FILES else "",
    }


def _named(place: MatchedLocation, extent: str = "") -> dict[str, str | None]:
    at = place.occurrence
    return {"url": place.url, "text": f"{at.repository}  {at.path}{extent}"}


def _place(place: MatchedLocation, finding: Finding) -> dict[str, Any]:
    others = [f"and {count(place.count - 1, 'more location')}"] if place.count > 1 else []
    days = words.ages(place, finding)
    return {
        **_named(place, f":{words.place_lines(place, finding)}"),
        "notes": [*others, f"({words.license_names(place.licenses)})", *([days] if days else [])],
        "quotes": [
            (f"{how} in {evidence.path}:{evidence.line}", one_line(evidence.text))
            for how, evidence in islice(words.named_by(place), QUOTES)
        ],
    }


def _sides(finding: Finding, report: CheckReport, lines_of: Callable[[str], TextLines]) -> tuple[ShownSide, ShownSide]:
    best = finding.places[0]
    content = report.texts.at(best.occurrence)
    extent = finding.region.start_line, finding.region.end_line
    here = ShownSide("here", finding.path, None, guess(finding.path, report.contents[finding.path]))
    there = ShownSide("there", f"{best.occurrence.repository}  {best.occurrence.path}", best.url)
    own = lines_of(finding.path)
    if content is None:
        regions = [(pair.query, pair.representation) for pair in best.regions]
        shown_lines = range(extent[0], min(extent[1], extent[0] + LINES - 1) + 1)
        return with_lines(here, shown_lines, own, regions), there
    texts = own, TextLines(content)
    shown = rows(best.regions, texts, CONTEXT, LINES, within=extent)
    return facing(shown, texts, best.regions, (here, replace(there, language=here.language)))


def _data(shown: Sequence[tuple[str, words.ReportEntry]], report: CheckReport) -> dict[str, Any]:
    """The data from which the script makes a baseline when a reader accepts entries."""
    decisions = {}
    for name, entry in shown:
        failing = [
            BaselineEntry(finding.path, finding.rule, finding.fingerprint).to_dict()
            for finding in entry.findings
            if report.is_failing(finding)
        ]
        # The browser stores a reader's decision under this key, which stays the same when lines move.
        decisions[name] = {"key": f"{entry.path}\n{entry.first.fingerprint}", "findings": failing}
    return {"key": report.project, "baseline": baseline_of(report.baseline), "entries": decisions}
