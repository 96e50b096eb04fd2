"""A check as a SARIF log: SARIF 2.1.0, as GitHub's code scanning takes it, one run.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. What code scanning reads of it, and its
limits: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wherefrom.analyzers.positions import encoding, is_utf16, newlines
from wherefrom.model import Rule
from wherefrom.printable import one_line
from wherefrom.reports.check.words import place_lines, sentence
from wherefrom.reports.layout import count, lines
from wherefrom.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wherefrom.check.findings import CheckReport, Finding, MatchedLocation
    from wherefrom.reports.look import Look
    from wherefrom.results import Region

AUTOMATION = "wherefrom/check"
"""Distinguishes this kind of run from others on the same commit."""

MOST_RESULTS = 5000
"""Code scanning shows no more of a run."""

MOST_BYTES = 10_000_000
"""Code scanning takes no more, packed with gzip."""

MOST_RELATED = 100
"""Code scanning takes no more locations of one result."""

LONGEST_SNIPPET = 2000
"""Characters; a longer piece is given by its coordinates alone."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_MARKUP = re.compile(r"[\[\]\\]")


class Level(StrEnum):
    """How a finding is shown."""

    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Words:
    """A rule's name, usual level, and texts of rising length, plain and Markdown at once."""

    name: str
    level: Level
    short: str
    full: str
    help: str


_EVIDENCE = (
    "A finding is evidence, not a verdict: that the same code appears in two places does not tell which was first, "
    "whether both have it from a third, or whether it is common enough that anybody would write it so."
)

RULES: Mapping[Rule, Words] = MappingProxyType(
    {
        Rule.COPIED_UNATTRIBUTED: Words(
            "CopiedUnattributed",
            Level.WARNING,
            "Code that also appears elsewhere, with no credit here",
            "This code is the same as code elsewhere, up to names and layout, and neither the file nor its repository "
            "names that place.",
            "Look at both pieces. If one comes from the other, name the source in a comment beside the code (a link is "
            "enough for most licenses) and check that its license permits the use. If not, accept the finding in the "
            f"baseline, or beside the code with `wherefrom: ok` and a reason.\n\n{_EVIDENCE}",
        ),
        Rule.COPIED_ATTRIBUTED: Words(
            "CopiedAttributed",
            Level.NOTE,
            "Code that also appears elsewhere, with credit here",
            "This code is the same as code elsewhere, up to names and layout, and that place is named beside it, in "
            "the file or in the repository.",
            "Nothing is missing as far as can be seen. Check that the license of the source permits the use and that "
            f"its other conditions are met, such as keeping a notice.\n\n{_EVIDENCE}",
        ),
        Rule.LICENSE_CONFLICT: Words(
            "LicenseConflict",
            Level.WARNING,
            "Code that also appears elsewhere, under a license that may not go with this one",
            "This code is the same as code elsewhere, up to names and layout, and the license found there is not one "
            "that the policy of this check permits here.",
            "Look at both pieces and at both licenses. If the code comes from there, ask the author, replace it, or "
            "put it where its license permits. Licenses are read from tags, notices and well-known texts, and may be "
            f"missed or misread.\n\n{_EVIDENCE}",
        ),
    }
)
"""The words of each rule, in the order of a log."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a file: lines from 1, inclusive; columns from 1, in UTF-16 code units, `end_column` behind its end."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """Where the code also appears: an absolute URI, what to call it, and the piece of it where that is known. One
    without a URI is only named in the message: a location has to have one.
    """

    uri: str | None
    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A finding as a log has it: one contiguous piece of the user's code that appears elsewhere too.

    Attributes:
        rule: that it is a finding of.
        level: how it is shown.
        message: one sentence or more, plain text.
        path: of the file, relative to the root of the user's repository, with `/` between its parts.
        span: the piece.
        snippet: the text of the piece.
        fingerprint: by which the finding is known again when lines move; printable ASCII.
        related: where the code also appears, the best first.
    """

    rule: Rule
    level: Level
    message: str
    path: str
    span: Span
    snippet: str
    fingerprint: str
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Sarif:
    """A SARIF log: its text (ASCII), how many results it holds, and how many findings were beyond the limits."""

    text: str
    results: int
    omitted: int


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The log of a check."""
    yield to_sarif(report).text


def to_sarif(report: CheckReport) -> Sarif:
    """The findings that are not accepted: a warning where it fails, else a note."""
    return make_log(_of(finding, report) for finding in report.findings if finding.accepted is None)


def _of(finding: Finding, report: CheckReport) -> Result:
    content = report.contents[finding.path]
    code = content[finding.region.start_byte : finding.region.end_byte]
    return Result(
        rule=finding.rule,
        level=Level.WARNING if finding.rule in report.fail_on else Level.NOTE,
        message=sentence(finding),
        path=finding.path,
        span=span(content, finding.region),
        snippet=code.decode(encoding(content), "replace"),
        fingerprint=finding.fingerprint,
        related=tuple(_place(place) for place in finding.places),
    )


def _place(place: MatchedLocation) -> Related:
    first, last = place_lines(place)
    at = place.occurrence
    name = f"{at.repository} {at.path}:{lines(first, last)}"
    # Of the lines there no columns are known without its source; a span of whole lines ends where the next one begins.
    return Related(place.url, name, Span(first, 1, last + 1, 1))


def span(content: bytes, region: Region) -> Span:
    """A region's lines with its columns, as SARIF counts them.

    Args:
        content: all bytes of the file, in UTF-8 or, with its byte order mark, in UTF-16.
        region: of that content.
    """
    return Span(
        region.start_line,
        _column(content, region.start_line, region.start_byte),
        region.end_line,
        _column(content, region.end_line, region.end_byte),
    )


def _column(content: bytes, line: int, position: int) -> int:
    """The column, from 1 and in UTF-16 code units, of a byte (0-based) in a line (1-based)."""
    unit = 2 if is_utf16(content) else 1
    start = int(newlines(content)[line - 2]) + unit if line > 1 else 0
    before = content[start:position]
    units = len(before) // 2 if unit == 2 else len(before.decode("utf-8", "replace").encode("utf-16-le")) // 2
    return units + 1


def make_log(results: Iterable[Result]) -> Sarif:
    """A log of one run.

    The results are sorted, warnings first, then by place; where there are too many the last ones are left out, and a
    notification in the log says how many.

    Args:
        results: in any order; the same one given twice counts once.
    """
    ordered = sorted(dict.fromkeys(results), key=_order)
    written = _results(ordered)[:MOST_RESULTS]
    while True:
        omitted = len(ordered) - len(written)
        text = json.dumps(_log(written, omitted), indent=1) + "\n"
        size = len(gzip.compress(text.encode("ascii"), mtime=0))
        if size <= MOST_BYTES or not written:
            return Sarif(text, len(written), omitted)
        written = written[: int(len(written) * min(0.9, MOST_BYTES / size))]


def _order(result: Result) -> tuple[object, ...]:
    is_note = result.level is Level.NOTE
    return is_note, result.path, result.span, list(RULES).index(result.rule), result.fingerprint


def _log(results: Sequence[dict[str, Any]], omitted: int) -> dict[str, Any]:
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if omitted:
        text = f"{count(omitted, 'more finding')} did not fit into this log; check fewer files at a time to see all."
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": text}}]
    driver = {"name": "wherefrom", "version": __version__, "rules": [_rule(rule) for rule in RULES]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": AUTOMATION},
        "columnKind": "utf16CodeUnits",
        "invocations": [invocation],
        "results": list(results),
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    words = RULES[rule]
    return {
        "id": str(rule),
        "name": words.name,
        "shortDescription": {"text": words.short},
        "fullDescription": {"text": words.full},
        "help": {"text": words.help, "markdown": words.help},
        "defaultConfiguration": {"level": str(words.level)},
        "properties": {"tags": ["attribution", "license"]},
    }


def _results(ordered: Sequence[Result]) -> list[dict[str, Any]]:
    """The results. The pieces of one match differ in a number at the end of the fingerprint."""
    seen: Counter[tuple[Rule, str, str]] = Counter()
    written = []
    for result in ordered:
        key = result.rule, result.path, result.fingerprint
        seen[key] += 1
        written.append(_result(result, f"{result.fingerprint}/{seen[key]}"))
    return written


def _result(result: Result, fingerprint: str) -> dict[str, Any]:
    related = list(dict.fromkeys(result.related))
    shown = related[:MOST_RELATED]
    region: dict[str, Any] = _region(result.span)
    if len(result.snippet) <= LONGEST_SNIPPET:
        region["snippet"] = {"text": result.snippet}
    uri = quote(result.path, errors="surrogatepass")
    written: dict[str, Any] = {
        "ruleId": str(result.rule),
        "ruleIndex": list(RULES).index(result.rule),
        "level": str(result.level),
        "message": {"text": _message(result.message, shown, len(related) - len(shown))},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
                    "region": region,
                }
            }
        ],
        # The first is the one that code scanning goes by, and makes of the line's text where a log has none.
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "matchedTokens/v1": fingerprint},
    }
    linked = [(place, place.uri) for place in shown if place.uri is not None]
    if linked:
        written["relatedLocations"] = [_related(number, *place) for number, place in enumerate(linked, 1)]
    return written


def _message(message: str, related: Sequence[Related], more: int) -> str:
    """The message and links to the related locations, which code scanning shows only where the message names them."""
    numbers = itertools.count(1)
    links = ", ".join(
        _plain(place.name) if place.uri is None else f"[{_plain(place.name)}]({next(numbers)})" for place in related
    )
    rest = f" and {count(more, 'more location')}" if more else ""
    return f"{_plain(message)} {links}{rest}".strip()


def _plain(text: str) -> str:
    """A text without what SARIF takes for a link, on one line, with nothing invisible in it."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", one_line(text))


def _related(number: int, place: Related, uri: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(uri, safe=_URI, errors="surrogatepass")}}
    if place.span is not None:
        physical["region"] = _region(place.span)
    return {"id": number, "physicalLocation": physical, "message": {"text": _plain(place.name)}}


_URI = "!#$%&'()*+,/:;=?@[]~"
"""What a URI holds beside letters and digits."""


def _region(span: Span) -> dict[str, Any]:
    return {
        "startLine": span.start_line,
        "startColumn": span.start_column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
