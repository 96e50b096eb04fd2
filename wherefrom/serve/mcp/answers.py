"""What the tools ask and answer: few values of a result, and the same as a few words for a model that pays for each.

The functions without `_` are calls of `wherefrom.serve.calls`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from wherefrom.model import Occurrence
from wherefrom.reports.attribution_text import license_names
from wherefrom.reports.figures import nearest, too_short
from wherefrom.reports.layout import count, percent, probable
from wherefrom.reports.location_text import REVISION_DIGITS
from wherefrom.results import Hit, QueryInfo, Region, SearchResult, SourceDocument
from wherefrom.results.regions import Lines, line_range
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.index import Index
    from wherefrom.options import CheckOptions, SearchOptions, SourcesOptions
    from wherefrom.projects.check.findings import Finding


class _Place(TypedDict):
    """What every location has."""

    repository: str
    path: str
    first_line: int
    last_line: int
    licenses: list[str]
    revision: str


class _Match(TypedDict):
    """How well code matches."""

    match: float
    strength: str
    probability: float | None


class FoundLocation(_Match, _Place):
    """Where code appears: first and last line are 1-based and inclusive; `licenses` are SPDX identifiers that hold
    there, empty where none is stated; `revision` is the beginning of the commit; `credit` says whether it names the
    source that was asked for; `probability` says how probable a copy is, 0 to 1, `strength` its band (weak from 0.5,
    fair from 0.7, strong from 0.9).
    """

    credit: str | None
    more_locations: int


class Found(TypedDict):
    """What a search found; `total` counts all hits, `note` says what is left out or in doubt."""

    language: str
    tokens: int
    total: int
    hits: list[FoundLocation]
    note: str


class Listed(TypedDict):
    """One location."""

    repository: str
    path: str
    licenses: list[str]


class Locations(TypedDict):
    """All locations of a snippet, the best matches first; `total` counts them."""

    total: int
    locations: list[Listed]
    note: str


class _Explaining(TypedDict):
    """What a place explains."""

    lines: list[list[int]]
    share: float


class Part(_Explaining, _Place):
    """Lines of a file (first and last, 1-based, inclusive) and the place that explains them; `share` is that of the
    file's tokens, 0 to 1.
    """

    more_locations: int


class Explained(TypedDict):
    """What a file is made of; `unexplained_share` of its tokens, 0 to 1, appears nowhere else."""

    language: str
    tokens: int
    parts: list[Part]
    unexplained_share: float
    unexplained_lines: list[list[int]]
    note: str


class CheckFinding(TypedDict):
    """A piece of a change that appears elsewhere: `rule` is `copied-unattributed`, `copied-attributed` or
    `license-conflict`; `first_line` and `last_line` are in `path`, the others in `found_path` of `repository`.
    """

    rule: str
    fails: bool
    path: str
    first_line: int
    last_line: int
    tokens: int
    repository: str
    found_path: str
    found_first_line: int
    found_last_line: int
    licenses: list[str]
    revision: str
    more_locations: int


class Checked(TypedDict):
    """What of a change appears elsewhere; `failing` counts what should be looked at."""

    files: int
    failing: int
    total: int
    findings: list[CheckFinding]
    note: str


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a tool: values, and the same in words, a line for each hit."""

    values: Found | Locations | Explained | Checked
    text: str


def search_code(index: Index, code: bytes, options: SearchOptions) -> ToolAnswer:
    """Where does this code appear? A line for each hit: what share matches, where, under which license."""
    result = index.search(code, options)
    hits = [_hit(index, hit) for hit in result.hits]
    note = _note(result)
    values = Found(language=result.query.language, tokens=result.query.tokens, total=result.total, hits=hits, note=note)
    if not hits:
        return ToolAnswer(values, note or "Not found in the index.")
    head = f"{count(result.total, 'hit')} for {count(result.query.tokens, 'token')} of {result.query.language}"
    shown = f", {len(hits):,} shown" if result.total > len(hits) else ""
    lines = [
        f"{percent(hit['match'] / 100)} {hit['strength']}{_probable(hit['probability'])} "
        f"{_place(hit['repository'], hit['path'], hit['first_line'], hit['last_line'])} "
        f"{_license(hit['licenses'])}{_credit(hit['credit'])}{_more(hit['more_locations'])}"
        for hit in hits
    ]
    return ToolAnswer(values, "\n".join([f"{head}{shown}:", *lines, *([note] if note else [])]))


def list_locations(index: Index, code: bytes, options: SearchOptions, limit: int) -> ToolAnswer:
    """At which places is this code? A line for each, `limit` at most."""
    result = index.search(code, options)
    places = [at for hit in result.hits for at in hit.occurrences]
    listed = [
        Listed(repository=visible(at.repository), path=visible(at.path), licenses=list(index.licenses(at)))
        for at in places[:limit]
    ]
    note = _note(result)
    values = Locations(total=len(places), locations=listed, note=note)
    if not listed:
        return ToolAnswer(values, note or "Not found in the index.")
    shown = f", {limit:,} shown" if len(places) > limit else ""
    lines = [f"{at['repository']} {at['path']} {_license(at['licenses'])}" for at in listed]
    return ToolAnswer(
        values, "\n".join([f"{count(len(places), 'location')}{shown}:", *lines, *([note] if note else [])])
    )


def explain_file(index: Index, code: bytes, options: SourcesOptions) -> ToolAnswer:
    """What is this file made of? A line for each document."""
    result = index.sources(code, options)
    parts = [_part(index, document) for document in result.documents]
    note = "; ".join([*_too_short(result.query), *result.warnings])
    rest = result.unexplained
    values = Explained(
        language=result.query.language,
        tokens=result.query.tokens,
        parts=parts,
        unexplained_share=round(rest.share, 4),
        unexplained_lines=[[each.first, each.last] for each in rest.lines],
        note=note,
    )
    lines = [
        f"{percent(part['share'])} lines {_ranges(part['lines'])}: "
        f"{_place(part['repository'], part['path'], part['first_line'], part['last_line'])} "
        f"{_license(part['licenses'])}{_more(part['more_locations'])}"
        for part in parts
    ]
    if not _too_short(result.query):
        where = f" (lines {_ranges(values['unexplained_lines'])})" if parts and rest.lines else ""
        lines.append(f"{percent(rest.share)} of the file is not in the index{where}.")
    return ToolAnswer(values, "\n".join([*lines, *([note] if note else [])]))


def check_change(
    index: Index, project: str | None, diff: bytes | None, options: CheckOptions, limit: int
) -> ToolAnswer:
    """What of a change appears elsewhere? A line for each finding, those that fail first, `limit` at most.

    A change is a diff of a project; without a diff it is what the work tree adds to its last commit, and without a
    project the diff is all that is known of it.
    """
    options = replace(options, jobs=1)
    if project is None:
        report = index.check_diff(diff or b"", options)
    else:
        report = index.check([project], replace(options, base="HEAD" if diff is None else None, patch=diff))
    order = sorted(report.findings, key=lambda finding: not report.is_failing(finding))
    findings = [_finding(finding, fails=report.is_failing(finding)) for finding in order[:limit]]
    skipped = sum(report.skipped.values())
    note = f"{count(skipped, 'file')} not looked at" if skipped else ""
    values = Checked(files=report.files, failing=len(report.failing), total=len(order), findings=findings, note=note)
    head = f"{count(len(order), 'finding')} in {count(report.files, 'file')}, {len(report.failing):,} to look at"
    shown = f", {limit:,} shown" if len(order) > limit else ""
    lines = [
        f"{finding['rule']} {visible(finding['path'])}:{finding['first_line']}-{finding['last_line']} = "
        + _place(finding["repository"], finding["found_path"], finding["found_first_line"], finding["found_last_line"])
        + f" {_license(finding['licenses'])}{_more(finding['more_locations'])}"
        for finding in findings
    ]
    return ToolAnswer(values, "\n".join([f"{head}{shown}{':' if lines else '.'}", *lines, *([note] if note else [])]))


def _hit(index: Index, hit: Hit) -> FoundLocation:
    place = hit.places[0]
    at = place.occurrence
    return FoundLocation(
        match=hit.match,
        strength=str(hit.strength or ""),
        probability=hit.probability,
        **_at(index, at, hit.matched_regions),
        credit=str(place.attribution.verdict) if place.attribution else None,
        more_locations=len(hit.occurrences) - 1,
    )


def _probable(probability: float | None) -> str:
    return "" if probability is None else f", {probable(probability)}"


def _part(index: Index, document: SourceDocument) -> Part:
    return Part(
        lines=[[lines.first, lines.last] for lines in document.lines],
        share=round(document.share, 4),
        **_at(index, document.locations[0].occurrence, document.matched_regions),
        more_locations=len(document.occurrences) - 1,
    )


def _finding(finding: Finding, *, fails: bool) -> CheckFinding:
    place = finding.places[0]
    first, last = _lines(place.matched_regions)
    return CheckFinding(
        rule=str(finding.rule),
        fails=fails,
        path=visible(finding.path),
        first_line=finding.region.start_line,
        last_line=finding.region.end_line,
        tokens=finding.tokens,
        repository=visible(place.occurrence.repository),
        found_path=visible(place.occurrence.path),
        found_first_line=first,
        found_last_line=last,
        licenses=list(place.licenses),
        revision=_revision(place.occurrence),
        more_locations=place.count - 1 + len(finding.places) - 1 + finding.more,
    )


def _at(index: Index, at: Occurrence, regions: Sequence[Region]) -> _Place:
    first, last = _lines(regions)
    licenses = index.licenses(at, [(region.start_line, region.end_line) for region in regions])
    return _Place(
        repository=visible(at.repository),
        path=visible(at.path),
        first_line=first,
        last_line=last,
        licenses=list(licenses),
        revision=_revision(at),
    )


def _revision(at: Occurrence) -> str:
    """The beginning of the indexed revision, which is all that a code host needs: the rest costs a model 20 tokens."""
    return visible(at.revision[:REVISION_DIGITS])


def _lines(regions: Sequence[Region]) -> tuple[int, int]:
    """The first and the last line of regions; of a whole file 1 and 1."""
    found = line_range(regions) or Lines(1, 1)
    return found.first, found.last


def _place(repository: str, path: str, first: int, last: int) -> str:
    return f"{repository} {path}:{first}-{last}"


def _license(licenses: Sequence[str]) -> str:
    return license_names(licenses) if licenses else "no license stated"


def _credit(verdict: str | None) -> str:
    return f" {verdict}" if verdict else ""


def _more(number: int) -> str:
    return f" (+{number:,} more)" if number > 0 else ""


def _ranges(lines: Sequence[Sequence[int]]) -> str:
    return ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in lines[:10]) + (
        ", ..." if len(lines) > 10 else ""
    )


def _too_short(query: QueryInfo) -> list[str]:
    short = too_short(query)
    return [] if short is None else [f"The code ({count(query.tokens, 'token')}) is {short}."]


def _note(result: SearchResult) -> str:
    more = ["The search stopped early; there may be more."] if result.truncated and result.hits else []
    near = [] if result.refused is None else [f"Not found in the index; {nearest(result.refused)}."]
    return " ".join([*_too_short(result.query), *more, *near, *map(one_line, result.warnings)])
