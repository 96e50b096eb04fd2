"""A SARIF log: SARIF 2.1.0, as GitHub's code scanning takes it, one run.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. What code scanning reads of it, and its
limits: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wherefrom.analyzers.positions import is_utf16, newlines
from wherefrom.reports.layout import count
from wherefrom.support.printable import one_line
from wherefrom.support.version import __version__

if TYPE_CHECKING:
    from wherefrom.results import Region

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
class RuleWords:
    """A rule's name, usual level, and texts of rising length, plain and Markdown at once."""

    name: str
    level: Level
    short: str
    full: str
    help: str


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of run.

    Attributes:
        automation: distinguishes it from others on the same commit.
        rules: the words of each rule, in the order of a log.
        tags: of all rules.
        more: what is said, after their number, of results that did not fit.
    """

    automation: str
    rules: Mapping[StrEnum, RuleWords]
    tags: tuple[str, ...]
    more: str


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
class SarifResult:
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

    rule: StrEnum
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


def make_log(results: Iterable[SarifResult], kind: RunKind, notes: Sequence[str] = ()) -> Sarif:
    """A log of one run.

    The results are sorted, warnings first, then by place; where there are too many the last ones are left out, and a
    notification in the log says how many.

    Args:
        results: in any order; the same one given twice counts once.
        kind: of the run, with the rules of all results.
        notes: what the log says of the whole run, plain text.
    """
    rules = list(kind.rules)
    ordered = sorted(dict.fromkeys(results), key=lambda result: _order(result, rules))
    written = _results(ordered, rules)[:MOST_RESULTS]
    while True:
        omitted = len(ordered) - len(written)
        text = json.dumps(_log(written, omitted, kind, notes), indent=1) + "\n"
        size = len(gzip.compress(text.encode("ascii"), mtime=0))
        if size <= MOST_BYTES or not written:
            return Sarif(text, len(written), omitted)
        written = written[: int(len(written) * min(0.9, MOST_BYTES / size))]


def _order(result: SarifResult, rules: Sequence[StrEnum]) -> tuple[object, ...]:
    is_note = result.level is Level.NOTE
    return is_note, result.path, result.span, rules.index(result.rule), result.fingerprint


def _log(results: Sequence[dict[str, Any]], omitted: int, kind: RunKind, notes: Sequence[str]) -> dict[str, Any]:
    invocation: dict[str, Any] = {"executionSuccessful": True}
    notifications = [{"level": "note", "message": {"text": _plain(note)}} for note in notes]
    if omitted:
        text = f"{count(omitted, 'more finding')} did not fit into this log; {kind.more}"
        notifications.append({"level": "warning", "message": {"text": text}})
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    driver = {"name": "wherefrom", "version": __version__, "rules": [_rule(rule, kind) for rule in kind.rules]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": kind.automation},
        "columnKind": "utf16CodeUnits",
        "invocations": [invocation],
        "results": list(results),
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: StrEnum, kind: RunKind) -> dict[str, Any]:
    words = kind.rules[rule]
    return {
        "id": str(rule),
        "name": words.name,
        "shortDescription": {"text": words.short},
        "fullDescription": {"text": words.full},
        "help": {"text": words.help, "markdown": words.help},
        "defaultConfiguration": {"level": str(words.level)},
        "properties": {"tags": list(kind.tags)},
    }


def _results(ordered: Sequence[SarifResult], rules: Sequence[StrEnum]) -> list[dict[str, Any]]:
    """The results. The pieces of one match differ in a number at the end of the fingerprint."""
    seen: Counter[tuple[StrEnum, str, str]] = Counter()
    written = []
    for result in ordered:
        key = result.rule, result.path, result.fingerprint
        seen[key] += 1
        written.append(_result(result, rules, f"{result.fingerprint}/{seen[key]}"))
    return written


def _result(result: SarifResult, rules: Sequence[StrEnum], fingerprint: str) -> dict[str, Any]:
    related = list(dict.fromkeys(result.related))
    shown = related[:MOST_RELATED]
    region: dict[str, Any] = _region(result.span)
    if len(result.snippet) <= LONGEST_SNIPPET:
        region["snippet"] = {"text": result.snippet}
    uri = quote(result.path, errors="surrogatepass")
    written: dict[str, Any] = {
        "ruleId": str(result.rule),
        "ruleIndex": rules.index(result.rule),
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


_URI = "!#$%&'()*+,/:;=?@~"
"""What a URI holds beside letters and digits."""


def _region(span: Span) -> dict[str, Any]:
    return {
        "startLine": span.start_line,
        "startColumn": span.start_column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
