"""Writes logs for code hosts: SARIF 2.1.0 with one run, for GitHub's code scanning, and the code quality of GitLab.

SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. The parts that code scanning reads, and its
limits:
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
GitLab: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from wherefrom.model import Rule
from wherefrom.public import CheckReport, Finding
from wherefrom.reports.check.words import not_judged, place_lines, sentence
from wherefrom.reports.fixed import EVIDENCE, title
from wherefrom.reports.layout import count
from wherefrom.reports.renderer import Look
from wherefrom.results import Certainty, FixedFunction, FixedReport, Form, Lines, Region
from wherefrom.results.locations import Identified
from wherefrom.support.contract import JsonObject
from wherefrom.support.paths import likely_path
from wherefrom.support.pattern import later
from wherefrom.support.positions import encoding, newlines, unit
from wherefrom.support.printable import one_line
from wherefrom.support.values import dataclass
from wherefrom.support.version import __version__

MOST_RESULTS = 5000  # code scanning shows at most this many results of a run
MOST_BYTES = 10_000_000  # code scanning accepts a log of at most this many bytes, packed with gzip
MOST_RELATED = 100  # code scanning accepts at most this many related locations of a result
LONGEST_SNIPPET = 2000  # a piece of code with more characters has only its coordinates in the log, without a snippet

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_MARKUP = later(r"[\[\]\\]")


Level: TypeAlias = Literal["warning", "note"]
"""The level at which code scanning shows a finding."""


@dataclass(frozen=True, slots=True)
class RuleWords:
    """The name and usual level of a rule, and its texts from short to long, which are valid Markdown."""

    name: str
    level: Level
    short: str
    full: str
    help: str


@dataclass(frozen=True, slots=True)
class RunKind:
    """What all logs of one kind of run have in common, such as those of checks: the id that distinguishes them from
    others of the same commit, the words for each rule in the order of a log, the tags of all rules, and the end of the
    sentence about results that did not fit.
    """

    automation: str
    rules: Mapping[str, RuleWords]
    tags: tuple[str, ...]
    more: str


@dataclass(frozen=True, slots=True, order=True)
class SarifSpan(JsonObject):
    """A piece of a file: 1-based lines, inclusive; 1-based columns in UTF-16 code units, `end_column` exclusive."""

    JSON = "startLine=start_line startColumn=start_column endLine=end_line endColumn=end_column"

    start_line: int
    start_column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """A place where the code also appears: an absolute URI, a name, and its lines. A place without a URI cannot be a
    location of the log, so only the message names it.
    """

    uri: str | None
    name: str
    span: SarifSpan


@dataclass(frozen=True, slots=True)
class SarifResult:
    """A finding: a contiguous piece of the user's code that appears elsewhere too. The message is plain text, and the
    path relative to the root of the user's repository, with `/` between its parts. The fingerprint, printable ASCII,
    identifies the finding when lines move. The best related places come first.
    """

    rule: str
    level: Level
    message: str
    path: str
    span: SarifSpan
    snippet: str
    fingerprint: str
    related: tuple[Related, ...] = ()


def related(place: Identified, lines: Lines) -> Related:
    """Describes a place by its URI, its name, and its first and last line."""
    at = place.occurrence
    # The columns are unknown without the file's content. So the span is whole lines, up to the beginning of the next.
    return Related(place.url, f"{at.repository} {at.path}:{lines}", SarifSpan(lines.first, 1, lines.last + 1, 1))


def snippet(content: bytes, region: Region) -> str:
    """The text of a region of a file."""
    return content[region.start_byte : region.end_byte].decode(encoding(content), "replace")


def span(content: bytes, region: Region) -> SarifSpan:
    """The span of a region of a file in any encoding that `positions.decode` reads."""
    return SarifSpan(
        region.start_line,
        _column(content, region.start_line, region.start_byte),
        region.end_line,
        _column(content, region.end_line, region.end_byte),
    )


def _column(content: bytes, line: int, position: int) -> int:
    """The column (1-based, in UTF-16 code units) of a byte (0-based) in a line (1-based)."""
    start = int(newlines(content)[line - 2]) + unit(content) if line > 1 else 0
    before = content[start:position].decode(encoding(content), "replace")
    return len(before.encode("utf-16-le", "replace")) // 2 + 1


def make_log(results: Iterable[SarifResult], kind: RunKind, notes: Sequence[str] = ()) -> str:
    """The log of a run as ASCII text.

    Warnings come first. Results of the same level are ordered by path and position, and repeated ones count once. If
    there are too many, the last ones are left out, and a notification in the log says how many. `notes` are plain texts
    about the whole run.
    """
    rules = list(kind.rules)
    ordered = sorted(
        dict.fromkeys(results),
        key=lambda it: (it.level == "note", it.path, it.span, rules.index(it.rule), it.fingerprint),
    )
    # A number at the end of each fingerprint tells the pieces of one match apart.
    seen: Counter[tuple[str, str, str]] = Counter()
    written = []
    for result in ordered[:MOST_RESULTS]:
        key = result.rule, result.path, result.fingerprint
        seen[key] += 1
        written.append(_result(result, rules.index(result.rule), f"{result.fingerprint}/{seen[key]}"))
    while True:
        text = json.dumps(_log(written, len(ordered) - len(written), kind, notes), indent=1) + "\n"
        size = len(gzip.compress(text.encode("ascii"), mtime=0))
        if size <= MOST_BYTES or not written:
            return text
        written = written[: int(len(written) * min(0.9, MOST_BYTES / size))]


def _log(results: Sequence[dict[str, Any]], omitted: int, kind: RunKind, notes: Sequence[str]) -> dict[str, Any]:
    invocation: dict[str, Any] = {"executionSuccessful": True}
    notifications = [{"level": "note", "message": {"text": _plain(note)}} for note in notes]
    if omitted:
        text = f"{count(omitted, 'more finding')} did not fit into this log; {kind.more}"
        notifications.append({"level": "warning", "message": {"text": text}})
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    rules = [
        {
            "id": rule,
            "name": words.name,
            "shortDescription": {"text": words.short},
            "fullDescription": {"text": words.full},
            "help": {"text": words.help, "markdown": words.help},
            "defaultConfiguration": {"level": words.level},
            "properties": {"tags": kind.tags},
        }
        for rule, words in kind.rules.items()
    ]
    run = {
        "tool": {"driver": {"name": "wherefrom", "version": __version__, "rules": rules}},
        "automationDetails": {"id": kind.automation},
        "columnKind": "utf16CodeUnits",
        "invocations": [invocation],
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(result: SarifResult, rule_index: int, fingerprint: str) -> dict[str, Any]:
    places = list(dict.fromkeys(result.related))
    # Code scanning shows only related locations that the message names.
    names: list[str] = []
    linked: list[dict[str, Any]] = []
    for place in places[:MOST_RELATED]:
        name = _plain(place.name)
        if place.uri is not None:
            physical = _physical(quote(place.uri, safe=_URI, errors="surrogatepass"), place.span.to_dict())
            linked.append({"id": len(linked) + 1, "physicalLocation": physical, "message": {"text": name}})
            name = f"[{name}]({len(linked)})"
        names.append(name)
    more = len(places) - len(names)
    rest = f" and {count(more, 'more location')}" if more else ""
    region = result.span.to_dict()
    if len(result.snippet) <= LONGEST_SNIPPET:
        region["snippet"] = {"text": result.snippet}
    uri = quote(likely_path(result.path))
    written = {
        "ruleId": result.rule,
        "ruleIndex": rule_index,
        "level": result.level,
        "message": {"text": f"{_plain(result.message)} {', '.join(names)}{rest}".strip()},
        "locations": [{"physicalLocation": _physical(uri, region, uriBaseId="%SRCROOT%")}],
        # Code scanning tells findings apart by the first fingerprint. If there is none, it makes one from the text of
        # the line.
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "matchedTokens/v1": fingerprint},
    }
    return written | ({"relatedLocations": linked} if linked else {})


def _physical(uri: str, region: dict[str, Any], **base: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": uri, **base}, "region": region}


def _plain(text: str) -> str:
    """A text on one line, without invisible characters and without anything that SARIF reads as a link."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", one_line(text))


_URI = "!#$%&'()*+,/:;=?@~"
"""The punctuation that stays unescaped in a URI."""


_CHECK_EVIDENCE = (
    "A finding is evidence, not a verdict: that the same code appears in two places does not tell which was first, "
    "whether both have it from a third, or whether it is common enough that anybody would write it so."
)

CHECK_RULES: Mapping[str, RuleWords] = {
    Rule.COPIED_UNATTRIBUTED: RuleWords(
        "CopiedUnattributed",
        "warning",
        "Code that also appears elsewhere, with no credit here",
        "This code is the same as code elsewhere, up to names and layout, and neither the file nor a notice or "
        "license file that speaks for its folder names that place.",
        "Look at both pieces. If one comes from the other, name the source in a comment beside the code (a link is "
        "enough for most licenses) and check that its license permits the use. If not, accept the finding in the "
        f"baseline, or beside the code with `wherefrom: ok` and a reason.\n\n{_CHECK_EVIDENCE}",
    ),
    Rule.COPIED_ATTRIBUTED: RuleWords(
        "CopiedAttributed",
        "note",
        "Code that also appears elsewhere, with credit here",
        "This code is the same as code elsewhere, up to names and layout, and that place is named beside it, in "
        "the file, or in a notice or license file that speaks for its folder.",
        "Nothing seems to be missing. Check that the license of the source permits the use and that "
        f"its other conditions are met, such as keeping a notice.\n\n{_CHECK_EVIDENCE}",
    ),
    Rule.LICENSE_CONFLICT: RuleWords(
        "LicenseConflict",
        "warning",
        "Code that also appears elsewhere, under a license that may not go with this one",
        "This code is the same as code elsewhere, up to names and layout, and the license found there is not one "
        "that the policy of this check permits here.",
        "Look at both pieces and at both licenses. If the code comes from there, ask the author, replace it, or "
        "put it where its license permits. Licenses are read from tags, notices and well-known texts, and may be "
        f"missed or misread.\n\n{_CHECK_EVIDENCE}",
    ),
}
"""The words for each rule, in the order that a log lists them."""

CHECK_KIND = RunKind(
    "wherefrom/check", CHECK_RULES, ("attribution", "license"), "check fewer files at a time to see all."
)
"""What all logs of checks have in common."""


def write_check(report: CheckReport, _look: Look) -> Iterator[str]:
    """The log of a check. Failing findings are warnings, and others are notes. Accepted findings are left out."""
    results = (_of_finding(finding, report) for finding in report.findings if finding.accepted is None)
    yield make_log(results, CHECK_KIND, notes=not_judged(report))


def _of_finding(finding: Finding, report: CheckReport) -> SarifResult:
    content = report.contents[finding.path]
    return SarifResult(
        rule=finding.rule,
        level="warning" if report.is_failing(finding) else "note",
        message=sentence(finding),
        path=finding.path,
        span=span(content, finding.region),
        snippet=snippet(content, finding.region),
        fingerprint=finding.fingerprint,
        related=tuple(related(place, place_lines(place, finding)) for place in finding.places),
    )


PLACES = 3  # the most places that a description names


def write_gitlab(report: CheckReport, _look: Look) -> Iterator[str]:
    """The report as ASCII text. Accepted findings are left out."""
    seen: Counter[str] = Counter()
    written = []
    for finding in report.findings:
        if finding.accepted is None:
            key = "\0".join((finding.rule, finding.path, finding.fingerprint))
            seen[key] += 1  # tells the pieces of one match apart: GitLab drops a finding whose fingerprint is known
            severity = "critical" if finding.rule is Rule.LICENSE_CONFLICT else "major"
            issue = {
                "description": _description(finding),
                "check_name": finding.rule,
                "fingerprint": hashlib.sha256(f"{key}\0{seen[key]}".encode(errors="surrogatepass")).hexdigest(),
                "severity": severity if report.is_failing(finding) else "info",
                "location": {"path": finding.path, "lines": {"begin": finding.region.start_line}},
            }
            written.append(issue)
    yield json.dumps(written, indent=1) + "\n"


def _description(finding: Finding) -> str:
    places = [
        f"{place.occurrence.repository} {place.occurrence.path}:{place_lines(place, finding)}"
        for place in finding.places[:PLACES]
    ]
    hidden = len(finding.places) - len(places) + finding.more
    rest = f" and {count(hidden, 'more location')}" if hidden else ""
    return one_line(f"{sentence(finding)} {', '.join(places)}{rest}")


OLD_FORM = "old-form"  # the id of the only rule of this log: the old form of a fixed function is indexed

FIXED_KIND = RunKind(
    "wherefrom/fixed",
    {
        OLD_FORM: RuleWords(
            "OldForm",
            "warning",
            "Fixed code whose old form is elsewhere",
            "This function was changed, and its old form is still in other repositories that are indexed.",
            "Look at each place. If the change fixed a defect, the place may have it: bring the fix there, or tell its "
            f"owner.\n\n{EVIDENCE}",
        )
    },
    ("fix", "vendored"),
    "look up a smaller change to see all.",
)
"""What all logs of searches for fixed code have in common."""


def write_fixed(report: FixedReport, _look: Look) -> Iterator[str]:
    """The log. A function is a warning if one of its old forms is sure, else a note."""
    results = (_of_function(function, report) for function in report.functions if function.of_form(Form.OLD))
    yield make_log(results, FIXED_KIND)


def _of_function(function: FixedFunction, report: FixedReport) -> SarifResult:
    old = function.of_form(Form.OLD)
    here = function.new or function.old
    content = report.after.get(function.path) or report.before.get(function.old_path or "") or b""
    places = sum(len(location.occurrences) for location in old)
    sure = sum(len(location.occurrences) for location in old if location.certainty is Certainty.SURE)
    digest = blake2b(f"{function.path}\0{function.name}\0{report.commit}".encode(errors="surrogatepass"), digest_size=8)
    return SarifResult(
        rule=OLD_FORM,
        level="warning" if sure else "note",
        message=f"The old form of {title(function)} is still at {count(places, 'location')}, {sure:,} of them sure.",
        path=function.path,
        span=SarifSpan(1, 1, 1, 1) if here is None else span(content, here),
        snippet="" if here is None else snippet(content, here),
        fingerprint=digest.hexdigest(),
        related=tuple(related(place, Lines(*location.lines)) for location in old for place in location.locations),
    )
