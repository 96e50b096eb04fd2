"""A check as one HTML file: both sides of each finding, nothing from elsewhere, no scripts."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from wherefrom.model import Rule
from wherefrom.printable import one_line
from wherefrom.reports import markup
from wherefrom.reports.check.words import EVIDENCE, TITLES, license_names, place_lines, sentence, summary
from wherefrom.reports.layout import count, lines
from wherefrom.reports.markup import GONE, code_line, link, text
from wherefrom.reports.sides import Text
from wherefrom.reports.skipped import skipped_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wherefrom.check.findings import CheckReport, Finding, MatchedLocation
    from wherefrom.model import Occurrence
    from wherefrom.reports.look import Look
    from wherefrom.results import Region

LINES = 60
"""Lines of a side that are shown."""

_STYLE = f"""
:root {{ color-scheme: light dark; {markup.VARIABLES} }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; }}
h1 {{ font-size: 1.4em; }} h2 {{ font-size: 1.1em; margin-top: 2em; }} h3 {{ font-size: 1em; margin: 0 0 .3em; }}
{markup.STYLE}"""


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The page, part by part."""
    title = f"wherefrom check: {one_line(report.project)}"
    yield (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{text(title)}</h1>\n<p>{text(report.state)}: {text(summary(report))}.</p>\n"
        f'<p class="soft">{text(EVIDENCE)}</p>\n'
    )
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        yield f"<h2>{text(path)}</h2>\n"
        own = Text(report.contents[path])
        for finding in findings:
            yield section(finding, own, report, report.texts.at)
    yield "".join(_end(report))


def section(finding: Finding, own: Text, report: CheckReport, source: Callable[[Occurrence], bytes | None]) -> str:
    """A finding: its places, and both sides of the best one.

    Args:
        finding: of the report.
        own: the file that it is in.
        report: of a check.
        source: gives the content at a place, None where it is not at hand.
    """
    return "".join(_parts(finding, own, report, source))


def _parts(
    finding: Finding, own: Text, report: CheckReport, source: Callable[[Occurrence], bytes | None]
) -> Iterator[str]:
    kind = "accepted" if finding.accepted else "failing" if finding.rule in report.fail_on else "note"
    where = lines(finding.region.start_line, finding.region.end_line)
    noun = "Line" if finding.region.start_line == finding.region.end_line else "Lines"
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
    if finding.rule is not Rule.LICENSE_CONFLICT:  # its code is shown with the rule beside it
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
    yield "</section>\n"


def _place(place: MatchedLocation) -> Iterator[str]:
    at = place.occurrence
    shown = link(place.url, f"{at.repository}  {at.path}:{lines(*place_lines(place))}")
    others = f" and {count(place.count - 1, 'more location')}" if place.count > 1 else ""
    yield f"<li>{shown}{text(others)} ({text(license_names(place.licenses))})"
    for evidence in place.evidence[:3]:
        where = text(f"{evidence.path}:{evidence.line}")
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
        ("Left out as your own", list(report.own)),
    ):
        if listed:
            items = "".join(f"<li>{text(item)}</li>\n" for item in listed)
            yield f"<h2>{text(title)}</h2>\n<ul>\n{items}</ul>\n"
    if report.skipped:
        yield f"<h2>Not looked at</h2>\n<pre>{escape(chr(10).join(skipped_table(report.skipped)))}</pre>\n"
    yield "</body>\n</html>\n"
