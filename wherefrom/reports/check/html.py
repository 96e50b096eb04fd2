"""A check as one HTML file: both sides of each finding, nothing from elsewhere, no scripts."""

from __future__ import annotations

from html import escape
from itertools import groupby, islice
from typing import TYPE_CHECKING

from wherefrom.printable import one_line
from wherefrom.reports import markup
from wherefrom.reports.check.entries import HEADER, counted, entries, importance
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
)
from wherefrom.reports.layout import count, lines
from wherefrom.reports.markup import GONE, code_line, link, text
from wherefrom.reports.sides import Text
from wherefrom.reports.skipped import skipped_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wherefrom.check.findings import CheckReport, Finding, FolderCopy, MatchedLocation
    from wherefrom.model import Occurrence
    from wherefrom.reports.check.entries import Entry
    from wherefrom.reports.look import Look
    from wherefrom.results import Region

LINES = 60
"""Lines of a side that are shown."""

OPEN = 20
"""Entries up to which all of them are shown open."""

ROWS, FILES = 20, 2000
"""Rows of each table of the summary, and files of a copied folder that are listed."""

CODE_BYTES, MOST_BYTES = 500_000, 1_000_000
"""Characters of the page up to which sides are shown, and up to which entries are listed."""

_STYLE = f"""
:root {{ color-scheme: light dark; {markup.VARIABLES} }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; }}
h1 {{ font-size: 1.4em; }} h2 {{ font-size: 1.1em; margin-top: 2em; }} h3 {{ font-size: 1em; margin: 0 0 .3em; }}
summary h2 {{ display: inline; }} details {{ margin: .6em 0; }}
table {{ border-collapse: collapse; margin: 1em 0; }} td, th {{ padding: .1em .8em; text-align: right; }}
td:first-child, th:first-child {{ text-align: left; }}
{markup.STYLE}"""


def write(report: CheckReport, look: Look) -> Iterator[str]:
    """The page, part by part; its size is bounded."""
    title = f"wherefrom check: {one_line(report.project)}"
    yield (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{text(title)}</h1>\n<p>{text(report.state)}: {text(summary(report))}.</p>\n"
        f'<p class="soft">{text(EVIDENCE)}</p>\n'
    )
    yield "".join(_summary(report))
    if not look.only_summary:
        yield from _entries(entries(report, accepted=look.accepted), report)
    yield "".join(_end(report))


def _summary(report: CheckReport) -> Iterator[str]:
    for title, rows in counted(report).tables():
        if rows:
            head = "".join(f"<th>{text(name)}</th>" for name in (title, *HEADER))
            yield f"<table>\n<tr>{head}</tr>\n"
            for name, row in [*rows.items()][:ROWS]:
                yield f"<tr><td>{text(name)}</td>{''.join(f'<td>{cell}</td>' for cell in row.cells())}</tr>\n"
            yield "</table>\n"
            if len(rows) > ROWS:
                yield f'<p class="soft">and {len(rows) - ROWS:,} more</p>\n'


def _entries(found: Sequence[Entry], report: CheckReport) -> Iterator[str]:
    """The entries in their order, each file closed where there are many; what there is no room for is left out."""
    shown, without_code = _sections(found, report)
    left_out = len(found) - len(shown)
    if without_code or left_out:
        notes = [f"the code of {without_code:,} is left out"] * bool(without_code)
        notes += [f"{left_out:,} are left out, which do not fail or are shorter"] * bool(left_out)
        yield (
            f'<p class="soft">So that this page opens at once, of its {count(len(found), "entry", "entries")} '
            f"{', and '.join(notes)}. `--format json` has all of them.</p>\n"
        )
    state = " open" if len(found) <= OPEN else ""
    for path, numbers in groupby(sorted(shown), key=lambda number: found[number].path):
        group = [*numbers]
        if found[group[0]].folder is not None:
            yield "".join(shown[number] for number in group)
            continue
        failing = sum(report.is_failing(finding) for number in group for finding in found[number].findings)
        facts = [count(len(group), "entry", "entries"), *([f"{failing:,} to look at"] if failing else [])]
        sections = "".join(shown[number] for number in group)
        yield f"<details{state}>\n<summary><h2>{text(path)}</h2> {', '.join(facts)}</summary>\n{sections}</details>\n"


def _sections(found: Sequence[Entry], report: CheckReport) -> tuple[dict[int, str], int]:
    """The entries that there is room for, the most important ones first, by their numbers; and how many of them have
    no room for their code.
    """
    shown: dict[int, str] = {}
    texts: dict[str, Text] = {}
    written = without_code = 0
    for number in sorted(range(len(found)), key=lambda number: importance(found[number], report)):
        entry = found[number]
        if written > MOST_BYTES:
            break
        has_room = written < CODE_BYTES
        without_code += entry.copy is None and not has_room
        if entry.path not in texts and entry.folder is None:
            texts[entry.path] = Text(report.contents[entry.path])
        shown[number] = section(entry, texts.get(entry.path), report, report.texts.at, code=has_room)
        written += len(shown[number])
    return shown, without_code


def section(
    entry: Entry,
    own: Text | None,
    report: CheckReport,
    source: Callable[[Occurrence], bytes | None],
    *,
    code: bool = True,
) -> str:
    """An entry: a folder with its files; or a piece with its rules, its places, and both sides of the best one.

    Args:
        entry: of the report.
        own: the file that it is in; None for a folder.
        report: of a check.
        source: gives the content at a place, None where it is not at hand.
        code: whether the sides are shown; those of a copied file never are.
    """
    if entry.folder is not None:
        return "".join(_folder(entry, entry.folder, report))
    assert own is not None, "a piece is in a file"
    sides = _sides(entry.first, own, source) if code and entry.copy is None else ()
    return "".join([*_piece(entry, report), *sides, "</section>\n"])


def _kind(entry: Entry, report: CheckReport) -> str:
    """The class of its element."""
    if any(report.is_failing(finding) for finding in entry.findings):
        return "failing"
    return "accepted" if all(finding.accepted for finding in entry.findings) else "note"


def _folder(entry: Entry, folder: FolderCopy, report: CheckReport) -> Iterator[str]:
    yield (
        f'<details class="{_kind(entry, report)}">\n<summary><h2>{text(folder_name(folder))}</h2> '
        f"{text(folder_words(entry, folder))}</summary>\n"
        f"<p>{text(rule_counts(entry))}</p>\n<ul>\n"
    )
    files = entry.files
    for finding in files[:FILES]:
        if finding.copy is not None:
            place = finding.places[0]
            there = link(place.url, f"{place.occurrence.repository}  {place.occurrence.path}")
            yield f"<li>{text(finding.path)}: {text(likeness(finding.copy))} ({there})</li>\n"
    if len(files) > FILES:
        yield f"<li>and {count(len(files) - FILES, 'more file')}</li>\n"
    yield "</ul>\n</details>\n"


def _piece(entry: Entry, report: CheckReport) -> Iterator[str]:
    first = entry.first
    where = lines(first.region.start_line, first.region.end_line)
    noun = "Line" if first.region.start_line == first.region.end_line else "Lines"
    noun = noun if entry.copy is None else "The whole file, lines"
    rules = ", ".join(map(str, entry.rules))
    yield f'<section class="{_kind(entry, report)}">\n<h3>{noun} {where}: {text(rules)}</h3>\n'
    for finding in entry.findings:
        accepted = "" if finding.accepted is None else f" ({acceptance(finding.accepted)})"
        yield f"<p>{text(sentence(finding))}{text(accepted)}</p>\n"
    yield "<ul>\n"
    for place in first.places:
        yield from _place(place, first)
    if first.more:
        yield f"<li>and {text(count(first.more, 'more location'))}</li>\n"
    yield "</ul>\n"


def _sides(finding: Finding, own: Text, source: Callable[[Occurrence], bytes | None]) -> Iterator[str]:
    best = finding.places[0]
    first, last = place_lines(best, finding)
    content = source(best.occurrence)
    yield '<div class="sides">\n<div><p>here</p>\n'
    yield _code(own, (finding.region.start_line, finding.region.end_line), [p.query for p in best.regions])
    yield "</div>\n<div><p>there</p>\n"
    if content is None:
        yield GONE
    else:
        yield _code(Text(content), (first, last), [pair.document for pair in best.regions])
    yield "</div>\n</div>\n"


def _place(place: MatchedLocation, finding: Finding) -> Iterator[str]:
    at = place.occurrence
    shown = link(place.url, f"{at.repository}  {at.path}:{lines(*place_lines(place, finding))}")
    others = f" and {count(place.count - 1, 'more location')}" if place.count > 1 else ""
    yield f"<li>{shown}{text(others)} ({text(license_names(place.licenses))})"
    for how, evidence in islice(named_by(place), 3):
        where = text(f"{how} in {evidence.path}:{evidence.line}")
        yield f"<blockquote>{where}: <q>{text(one_line(evidence.text))}</q></blockquote>"
    yield "</li>\n"


def _code(source: Text, extent: tuple[int, int], regions: Sequence[Region]) -> str:
    first, last = extent
    rows = [code_line(source, number, regions) for number in range(first, min(last, first + LINES - 1) + 1)]
    if last - first >= LINES:
        rows.append(f'<span class="number">   ...</span>  {count(last - first + 1 - LINES, "more line")}\n')
    return f"<pre>{''.join(rows)}</pre>\n"


def _end(report: CheckReport) -> Iterator[str]:
    for title, listed in (
        (
            "Entries of the baseline that fit nothing any longer",
            [f"{entry.path}: {entry.rule}" for entry in report.stale],
        ),
        ("`wherefrom: ok` without a reason", [f"{path}:{line}" for path, line in report.unexplained]),
        ("License conflicts that could not be judged", not_judged(report)),
        ("Left out as your own", list(report.own)),
    ):
        if listed:
            items = "".join(f"<li>{text(item)}</li>\n" for item in listed)
            yield f"<h2>{text(title)}</h2>\n<ul>\n{items}</ul>\n"
    if report.skipped:
        yield f"<h2>Not looked at</h2>\n<pre>{escape(chr(10).join(skipped_table(report.skipped)))}</pre>\n"
    yield "</body>\n</html>\n"
