"""A check as one HTML file: summary, contents, both sides of each finding; nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from wherefrom.analyzers.guessing import guess
from wherefrom.model import Occurrence
from wherefrom.projects.check import baseline
from wherefrom.projects.check.findings import BaselineEntry, CheckReport, Finding, FolderCopy, MatchedLocation
from wherefrom.reports.check.counts import HEADER, counted
from wherefrom.reports.check.entries import Entry, entries, importance
from wherefrom.reports.check.words import (
    EVIDENCE,
    acceptance,
    folder_name,
    folder_words,
    license_names,
    likeness,
    named_by,
    not_judged,
    place_lines,
    rule_counts,
    sentence,
    summary,
    to_look_at,
)
from wherefrom.reports.dates import made_at
from wherefrom.reports.layout import NOT_AT_HAND, count, lines
from wherefrom.reports.location_text import region_lines
from wherefrom.reports.pages.rendering import assets, render, stream
from wherefrom.reports.pages.sides import Side, facing, shown_lines
from wherefrom.reports.sides import CONTEXT, TextLines, rows
from wherefrom.reports.skipped import skipped_rows
from wherefrom.support.printable import one_line
from wherefrom.support.version import __version__

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

LINES = 60
"""Rows of both sides that are shown."""

OPEN = 20
"""Entries up to which all of them are shown open."""

ROWS, FILES = 20, 2000
"""Rows of each table of the summary, and files of a copied folder that are listed."""

QUOTES = 3
"""Lines that are quoted of what names a place."""

CODE_BYTES, MOST_BYTES = 500_000, 1_000_000
"""Characters of the page up to which sides are shown, and up to which entries are listed."""

GONE = f"{NOT_AT_HAND}."
"""In place of a content that cannot be read."""


def write(report: CheckReport, look: Look) -> Iterator[str]:
    """The page, part by part; its size is bounded."""
    found = [] if look.only_summary else entries(report, accepted=look.accepted)
    shown, without_code = _sections(found, report)
    order = sorted(shown)
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
        summary=summary(report),
        evidence=EVIDENCE,
        cards=_cards(report),
        header=HEADER,
        tables=[
            {
                "title": title,
                "rows": [(name, row.cells()) for name, row in [*table.items()][:ROWS]],
                "more": max(len(table) - ROWS, 0),
            }
            for title, table in counted(report).items()
            if table
        ],
        left_out=_left_out(len(found), len(found) - len(shown), without_code),
        rules=list(dict.fromkeys(str(rule) for entry in found for rule in entry.rules)),
        contents=[_row(_id(number), found[number], report) for number in order],
        files=_files(found, shown, order, report),
        is_open=len(found) <= OPEN,
        rest=[*_rest(report)],
        skipped=[(reason, [number]) for reason, number in skipped_rows(report.skipped)],
        data=_data([(_id(number), found[number]) for number in order], report),
    )
    yield "\n"


def _cards(report: CheckReport) -> Iterator[tuple[str, str, str]]:
    """What is told at the top: a number, what it counts, and its kind."""
    failing = to_look_at(report)
    accepted = sum(finding.accepted is not None for finding in report.findings)
    yield f"{failing:,}", "to look at", "alarm" if failing else ""
    yield f"{len(report.findings) - len(report.failing) - accepted:,}", "notes", ""
    yield f"{accepted:,}", "accepted", ""
    yield f"{len(report.folders):,}", "copied folders", ""
    yield f"{report.files:,}", "files checked", ""


def _left_out(all_entries: int, left_out: int, without_code: int) -> str:
    notes = [f"the code of {without_code:,} is left out"] * bool(without_code)
    notes += [f"{left_out:,} are left out, which do not fail or are shorter"] * bool(left_out)
    if not notes:
        return ""
    return (
        f"So that this page opens at once, of its {count(all_entries, 'entry', 'entries')} {', and '.join(notes)}. "
        "--format json has all of them."
    )


def _id(number: int) -> str:
    """The name of an entry in links to it: entries are numbered in their order, from 1."""
    return f"entry-{number + 1}"


def _row(name: str, entry: Entry, report: CheckReport) -> dict[str, Any]:
    """An entry in the contents."""
    region = entry.first.region
    place = entry.places[0]
    kind = _kind(entry, report)
    if entry.folder is not None:
        where, also = folder_name(entry.folder), f"{entry.folder.repository} {entry.folder.there or '.'}/"
    else:
        span = "" if entry.copy is not None else f":{lines(region.start_line, region.end_line)}"
        where, also = f"{entry.path}{span}", f"{place.occurrence.repository}  {place.occurrence.path}"
    return {
        "id": name,
        "kind": kind,
        "rules": [str(rule) for rule in entry.rules],
        "name": where,
        "tokens": entry.tokens,
        "also": also,
        "license": license_names(place.licenses),
        "state": {"failing": "to look at", "note": "note", "accepted": "accepted"}[kind],
    }


def _files(
    found: Sequence[Entry], shown: dict[int, Markup], order: Sequence[int], report: CheckReport
) -> list[dict[str, Any]]:
    """The entries in their order, those of a file together; a folder is by itself, without a path."""
    files: list[dict[str, Any]] = []
    for path, numbers in groupby(order, key=lambda number: (found[number].folder is not None, found[number].path)):
        group = [*numbers]
        failing = sum(report.is_failing(finding) for number in group for finding in found[number].findings)
        facts = [count(len(group), "entry", "entries"), *([f"{failing:,} to look at"] if failing else [])]
        files.append(
            {
                "path": None if path[0] else path[1],
                "facts": ", ".join(facts),
                "entries": [shown[number] for number in group],
            }
        )
    return files


def _sections(found: Sequence[Entry], report: CheckReport) -> tuple[dict[int, Markup], int]:
    """The entries that there is room for, the most important ones first, by their numbers; and how many of them have
    no room for their code.
    """
    shown: dict[int, Markup] = {}
    texts: dict[str, TextLines] = {}
    written = without_code = 0
    for number in sorted(range(len(found)), key=lambda number: importance(found[number], report)):
        entry = found[number]
        if written > MOST_BYTES:
            break
        has_room = written < CODE_BYTES
        without_code += entry.copy is None and not has_room
        if entry.path not in texts and entry.folder is None:
            texts[entry.path] = TextLines(report.contents[entry.path])
        shown[number] = section(entry, texts.get(entry.path), report, report.texts.at, name=_id(number), code=has_room)
        written += len(shown[number])
    return shown, without_code


def section(
    entry: Entry,
    own: TextLines | None,
    report: CheckReport,
    source: Callable[[Occurrence], bytes | None],
    *,
    name: str = "",
    code: bool = True,
) -> Markup:
    """An entry: a folder with its files; or a piece with its rules, its places, and both sides of the best one.

    Args:
        entry: of the report.
        own: the file that it is in; None for a folder.
        report: of a check.
        source: gives the content at a place, None where it is not at hand.
        name: what links lead to; empty for none.
        code: whether the sides are shown; those of a copied file never are.
    """
    shared = {"id": name, "kind": _kind(entry, report), "rules": [str(rule) for rule in entry.rules]}
    if entry.folder is not None:
        return render("check/folder.html", entry={**shared, **_folder(entry, entry.folder)})
    assert own is not None, "a piece is in a file"
    first = entry.first
    where = region_lines(first.region).capitalize()
    if entry.copy is not None:
        where = f"The whole file, lines {lines(first.region.start_line, first.region.end_line)}"
    return render(
        "check/entry.html",
        gone=GONE,
        entry={
            **shared,
            "title": where,
            "sentences": [
                f"{sentence(finding)}{'' if finding.accepted is None else f' ({acceptance(finding.accepted)})'}"
                for finding in entry.findings
            ],
            "places": [_place(place, first) for place in first.places],
            "more": count(first.more, "more location") if first.more else "",
            "sides": _sides(first, own, report.contents[first.path], source) if code and entry.copy is None else (),
        },
    )


def _kind(entry: Entry, report: CheckReport) -> str:
    """The class of its element."""
    if any(report.is_failing(finding) for finding in entry.findings):
        return "failing"
    return "accepted" if all(finding.accepted for finding in entry.findings) else "note"


def _folder(entry: Entry, folder: FolderCopy) -> dict[str, Any]:
    files = entry.files
    return {
        "title": folder_name(folder),
        "words": folder_words(entry, folder),
        "rule_counts": rule_counts(entry),
        "files": [
            (finding.path, likeness(finding.copy), _named(finding.places[0]))
            for finding in files[:FILES]
            if finding.copy is not None
        ],
        "more": count(len(files) - FILES, "more file") if len(files) > FILES else "",
    }


def _named(place: MatchedLocation, extent: str = "") -> dict[str, str | None]:
    at = place.occurrence
    return {"url": place.url, "text": f"{at.repository}  {at.path}{extent}"}


def _place(place: MatchedLocation, finding: Finding) -> dict[str, Any]:
    """A place of a finding, as `place_item` of the macros shows it."""
    others = [f"and {count(place.count - 1, 'more location')}"] if place.count > 1 else []
    return {
        **_named(place, f":{lines(*place_lines(place, finding))}"),
        "notes": [*others, f"({license_names(place.licenses)})"],
        "quotes": [
            (f"{how} in {evidence.path}:{evidence.line}", one_line(evidence.text))
            for how, evidence in islice(named_by(place), QUOTES)
        ],
    }


def _sides(
    finding: Finding, own: TextLines, written: bytes, source: Callable[[Occurrence], bytes | None]
) -> tuple[Side, Side]:
    best = finding.places[0]
    there = f"{best.occurrence.repository}  {best.occurrence.path}"
    content = source(best.occurrence)
    extent = finding.region.start_line, finding.region.end_line
    language = guess(finding.path, written)
    if content is None:
        regions = [(pair.query, pair.representation) for pair in best.regions]
        here = shown_lines(range(extent[0], min(extent[1], extent[0] + LINES - 1) + 1), own, regions)
        return Side("here", finding.path, None, language, tuple(here)), Side("there", there, best.url, "", None)
    texts = own, TextLines(content)
    shown = rows(best.regions, texts, CONTEXT, LINES, within=extent)
    query, document = facing(shown, texts, best.regions)
    return (
        Side("here", finding.path, None, language, tuple(query)),
        Side("there", there, best.url, language, tuple(document)),
    )


def _rest(report: CheckReport) -> Iterator[tuple[str, list[str]]]:
    """Titles with what is listed below them."""
    yield (
        "Entries of the baseline that fit nothing any longer",
        [f"{entry.path}: {entry.rule}" for entry in report.stale],
    )
    yield "wherefrom: ok without a reason", [f"{path}:{line}" for path, line in report.unexplained]
    yield "License conflicts that could not be judged", not_judged(report)
    yield "Mostly boilerplate, which was left out", list(report.boilerplate)
    yield "Left out as your own", list(report.own)


def _data(shown: Sequence[tuple[str, Entry]], report: CheckReport) -> dict[str, Any]:
    """What the script needs to make a baseline of what a reader accepts."""
    return {
        "key": report.project,
        "baseline": baseline.to_json(report.baseline),
        "entries": {name: _decision(entry, report) for name, entry in shown},
    }


def _decision(entry: Entry, report: CheckReport) -> dict[str, Any]:
    """What accepting an entry puts into the baseline, and a key that stays when lines move."""
    failing = [
        BaselineEntry(finding.path, finding.rule, finding.fingerprint).to_dict()
        for finding in entry.findings
        if report.is_failing(finding)
    ]
    first = entry.first
    return {"key": f"{entry.path}\n{first.fingerprint}", "findings": failing}
