"""SARIF 2.1.0, as GitHub's code scanning takes it: findings of a check, one run.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. What code scanning reads of it, and its
limits: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wherefrom.model import Rule
from wherefrom.printable import one_line
from wherefrom.reports.sarif_rules import RULES, Level
from wherefrom.reports.text import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a file: lines from 1, inclusive; columns from 1, in UTF-16 code units, `end_column` behind its end."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """Where the code also stands: an absolute URI, what to call it, and the piece of it where that is known. One
    without a URI is only named in the message: a location has to have one.
    """

    uri: str | None
    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One contiguous piece of the user's code that stands elsewhere too.

    Attributes:
        rule: what is said of it.
        level: how it is shown.
        message: one sentence or more, plain text.
        path: of the file, relative to the root of the user's repository, with `/` between its parts.
        span: the piece.
        snippet: the text of the piece.
        fingerprint: by which the finding is known again when lines move; printable ASCII.
        related: where the code also stands, the best first.
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


def to_sarif(findings: Iterable[Finding], *, automation: str, version: str) -> Sarif:
    """A log of one run.

    The findings are sorted, warnings first, then by place; where there are too many the last ones are left out, and a
    notification in the log says how many.

    Args:
        findings: in any order; the same one given twice counts once.
        automation: what tells this run's kind from others on the same commit, such as `wherefrom/check`.
        version: of wherefrom.
    """
    ordered = sorted(dict.fromkeys(findings), key=_order)
    results = _results(ordered)[:MOST_RESULTS]
    while True:
        omitted = len(ordered) - len(results)
        text = json.dumps(_log(results, omitted, automation, version), indent=1) + "\n"
        size = len(gzip.compress(text.encode("ascii"), mtime=0))
        if size <= MOST_BYTES or not results:
            return Sarif(text, len(results), omitted)
        results = results[: int(len(results) * min(0.9, MOST_BYTES / size))]


def _order(finding: Finding) -> tuple[object, ...]:
    is_note = finding.level is Level.NOTE
    return is_note, finding.path, finding.span, list(RULES).index(finding.rule), finding.fingerprint


def _log(results: Sequence[dict[str, Any]], omitted: int, automation: str, version: str) -> dict[str, Any]:
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if omitted:
        text = f"{count(omitted, 'more finding')} did not fit into this log; check fewer files at a time to see all."
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": text}}]
    driver = {"name": "wherefrom", "version": version, "rules": [_rule(rule) for rule in RULES]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": automation},
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


def _results(ordered: Sequence[Finding]) -> list[dict[str, Any]]:
    """The results. One piece of a match is told from the next by its number, which is put behind."""
    seen: Counter[tuple[Rule, str]] = Counter()
    results = []
    for finding in ordered:
        key = finding.rule, finding.fingerprint
        seen[key] += 1
        results.append(_result(finding, f"{finding.fingerprint}/{seen[key]}"))
    return results


def _result(finding: Finding, fingerprint: str) -> dict[str, Any]:
    related = list(dict.fromkeys(finding.related))
    shown = related[:MOST_RELATED]
    region: dict[str, Any] = _region(finding.span)
    if len(finding.snippet) <= LONGEST_SNIPPET:
        region["snippet"] = {"text": finding.snippet}
    uri = quote(finding.path, errors="surrogatepass")
    result: dict[str, Any] = {
        "ruleId": str(finding.rule),
        "ruleIndex": list(RULES).index(finding.rule),
        "level": str(finding.level),
        "message": {"text": _message(finding.message, shown, len(related) - len(shown))},
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
        result["relatedLocations"] = [_related(number, *place) for number, place in enumerate(linked, 1)]
    return result


def _message(message: str, related: Sequence[Related], more: int) -> str:
    """The message and links to the related locations, which code scanning shows only where the message names them."""
    numbers = itertools.count(1)
    links = ", ".join(
        _plain(place.name) if place.uri is None else f"[{_plain(place.name)}]({next(numbers)})" for place in related
    )
    rest = f" and {count(more, 'more place')}" if more else ""
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
