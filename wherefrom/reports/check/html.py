"""A check as one HTML file: both sides of each finding, nothing from elsewhere, no scripts."""

from __future__ import annotations

from collections import Counter
from html import escape
from itertools import groupby, islice
from typing import TYPE_CHECKING

from wherefrom.model import Rule
from wherefrom.printable import one_line
from wherefrom.reports import markup
from wherefrom.reports.check.entries import HEADER, counted, entries
from wherefrom.reports.check.words import (
    EVIDENCE,
    TITLES,
    folder_name,
    folder_words,
    license_names,
    likeness,
    named_by,
    not_judged,
    place_lines,
    sentence,
    summary,
)
from wherefrom.reports.layout import count, lines, size
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
    found = entries(report, accepted=look.accepted)
    yield "".join(_summary(report))
    if not look.only_summary:
        yield from _entries(found, report)
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


def _entries(found: list[Entry], report: CheckReport) -> Iterator[str]:
    """The entries: folders, then files, each closed where there are many; code as long as there is room for it."""
    state = " open" if len(found) <= OPEN else ""
    written = without_code = left_out = 0
    for entry in found:
        if entry.folder is not None:
            part = _folder(entry, entry.folder)
            written += len(part)
            yield part
    for path, group in groupby((entry for entry in found if entry.folder is None), key=lambda each: each.first.path):
        if written > MOST_BYTES:
            left_out += len([*group])
            continue
        own = Text(report.contents[path])
        parts = []
        for entry in group:
            has_room = written < CODE_BYTES
            without_code += not has_room
            for finding in entry.findings:
                parts.append(section(finding, own, report, report.texts.at, code=has_room))
                written += len(parts[-1])
        heading = f"<h2>{text(path)}</h2> {count(len(parts), 'finding')}"
        yield f"<details{state}>\n<summary>{heading}</summary>\n{''.join(parts)}</details>\n"
    if without_code or left_out:
        notes = [f"the code of {without_code:,} is left out"] * bool(without_code)
        notes += [f"{left_out:,} are left out"] * bool(left_out)
        yield (
            f'<p class="soft">To open at once, this page holds about {size(written)}: of its '
            f"{count(len(found), 'entry', 'entries')} {', and '.join(notes)}. `--format json` has all of them.</p>\n"
        )


def _folder(entry: Entry, folder: FolderCopy) -> str:
    kind = "accepted" if all(finding.accepted for finding in entry.findings) else "failing"
    rules = ", ".join(
        f"{rule} {number:,}" for rule, number in Counter(finding.rule for finding in entry.findings).items()
    )
    rows = []
    for finding in entry.files[:FILES]:
        if finding.copy is not None:
            place = finding.places[0]
            there = link(place.url, f"{place.occurrence.repository}  {place.occurrence.path}")
            rows.append(f"<li>{text(finding.path)}: {text(likeness(finding.copy))} ({there})</li>\n")
    if len(entry.files) > FILES:
        rows.append(f"<li>and {count(len(entry.files) - FILES, 'more file')}</li>\n")
    return (
        f'<details class="{kind}">\n<summary><h2>{text(folder_name(folder))}</h2> '
        f"{text(folder_words(entry, folder))}</summary>\n<p>{text(rules)}</p>\n<ul>\n{''.join(rows)}</ul>\n</details>\n"
    )


def section(
    finding: Finding,
    own: Text,
    report: CheckReport,
    source: Callable[[Occurrence], bytes | None],
    *,
    code: bool = True,
) -> str:
    """A finding: its places, and both sides of the best one.

    Args:
        finding: of the report.
        own: the file that it is in.
        report: of a check.
        source: gives the content at a place, None where it is not at hand.
        code: whether the sides are shown; those of a copied file never are.
    """
    has_code = code and finding.copy is None and finding.rule is not Rule.LICENSE_CONFLICT  # beside another rule
    sides = _sides(finding, own, source) if has_code else ()
    return "".join([*_parts(finding, report), *sides, "</section>\n"])


def _parts(finding: Finding, report: CheckReport) -> Iterator[str]:
    kind = "accepted" if finding.accepted else "failing" if finding.rule in report.fail_on else "note"
    where = lines(finding.region.start_line, finding.region.end_line)
    noun = "Line" if finding.region.start_line == finding.region.end_line else "Lines"
    noun = noun if finding.copy is None else "The whole file, lines"
    yield f'<section class="{kind}">\n<h3>{noun} {where}: {text(finding.rule)}: {text(TITLES[finding.rule])}</h3>\n'
    yield f"<p>{text(sentence(finding))}</p>\n"
    if finding.accepted is not None:
        reason = f": {finding.accepted.reason}" if finding.accepted.reason else ""
        yield f"<p>Accepted by the {text(finding.accepted.by)}{text(reason)}.</p>\n"
    yield "<ul>\n"
    for place in finding.places:
        yield from _place(place)
    if finding.more:
        yield f"<li>and {text(count(finding.more, 'more location'))}</li>\n"
    yield "</ul>\n"


def _sides(finding: Finding, own: Text, source: Callable[[Occurrence], bytes | None]) -> Iterator[str]:
    best = finding.places[0]
    first, last = place_lines(best)
    content = source(best.occurrence)
    yield '<div class="sides">\n<div><p>here</p>\n'
    yield _code(own, (finding.region.start_line, finding.region.end_line), [p.query for p in best.regions])
    yield "</div>\n<div><p>there</p>\n"
    if content is None:
        yield GONE
    else:
        yield _code(Text(content), (first, last), [pair.document for pair in best.regions])
    yield "</div>\n</div>\n"


def _place(place: MatchedLocation) -> Iterator[str]:
    at = place.occurrence
    shown = link(place.url, f"{at.repository}  {at.path}:{lines(*place_lines(place))}")
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
