"""Places of code in words, the same in every report: where they are, since when, and whether they name the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from wherefrom.model import UNKNOWN_LICENSE, Occurrence
from wherefrom.reports.layout import count
from wherefrom.results import (
    Age,
    Appearance,
    Attribution,
    Doubt,
    Evidence,
    Hit,
    HitPlace,
    Region,
    RegionPair,
    Verdict,
    Where,
)
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible

REVISION_DIGITS = 12
"""Reports show this many digits of a revision, the first ones."""


def location(at: Occurrence, pairs: Sequence[RegionPair] = (), *, revision: bool = False) -> str:
    """`REPOSITORY  PATH:3-25`: a location with its first and last line that match, if regions match. With `revision`:
    `REPOSITORY@REVISION  PATH:3-25`, if there is one.
    """
    shown = f"@{visible(at.revision[:REVISION_DIGITS])}" if revision and at.revision else ""
    matched = line_range(pair.document for pair in pairs)
    return f"{visible(at.repository)}{shown}  {visible(at.path)}{f':{matched}' if matched else ''}"


def best_location(hit: Hit) -> str:
    """The location that matches best; the blob if the location has been removed since."""
    return location(hit.best, hit.regions) if hit.best else f"blob {visible(hit.blob)}"


def region_lines(region: Region) -> str:
    """`line 3`, `lines 3-25`."""
    noun = "line" if region.start_line == region.end_line else "lines"
    return f"{noun} {region.lines}"


def more_locations(places: Sequence[HitPlace]) -> str:
    """`12 more locations (10 attributed, 2 unattributed)`; without verdicts if no source was given."""
    verdicts = Counter(str(place.attribution.verdict) for place in places if place.attribution)
    shown = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(verdicts.items()))
    if len(verdicts) == 1 and len(places) > 1:
        shown = f"all {next(iter(verdicts))}"
    return f"{count(len(places), 'more location')}{f' ({shown})' if shown else ''}"


DOUBTS = {
    Doubt.IMPORT: "most files of that commit are new, so the code may be older",
    Doubt.BASE: "the commits before it are not known, so the code may be older",
    Doubt.OUT_OF_ORDER: "the commit before it has a later date, so one of the two dates is wrong",
    Doubt.OUT_OF_RANGE: "no commit can be of that day, so the date is wrong",
    Doubt.RELEASE: "only releases are known, so the code may be older",
    Doubt.VENDORED: "the folder is for code of other projects, so the code may be older elsewhere",
    Doubt.MOVED: "code moved there from elsewhere, so it may be older",
}
"""For each doubt a clause about the first commit."""


def day(appearance: Appearance) -> str:
    """The day of a commit."""
    return appearance.day or "an impossible date"


def tag(appearance: Appearance) -> list[str]:
    """The oldest tag that contains a commit, if there is one."""
    return [] if appearance.tag is None else [visible(appearance.tag)]


def commit(appearance: Appearance) -> str:
    """`commit 1a2b3c4d5e6f`, `merged by 1a2b3c4d5e6f`, `release` for that of a package."""
    if appearance.commit is None:
        return "release"
    name = visible(appearance.commit[:REVISION_DIGITS])
    where = f" of {visible(appearance.repository)}" if appearance.repository else ""
    return f"merged by {name}{where}" if appearance.is_merge else f"commit {name}{where}"


def doubts(age: Age) -> list[str]:
    """Why the day of the first appearance may be wrong, each as a clause."""
    return [DOUBTS[doubt] for doubt in age.first.doubts]


def here_since(age: Age) -> str:
    """`here since 2019-03-02 (v1.2), as it is now since 2020-01-01; most files of that commit are new, ...`."""
    tags = "".join(f" ({name})" for name in tag(age.first))
    now = f", as it is now since {day(age.since)}" if age.since != age.first else ""
    where = "here" if age.first.repository is None else f"in {visible(age.first.repository)}"
    return "; ".join([f"{where} since {day(age.first)}{tags}{now}", *doubts(age)])


def short_age(age: Age) -> str:
    """`since 2019-03-02`, with `(in doubt)` if the day may be wrong."""
    return f"since {day(age.first)}{' (in doubt)' if age.first.doubts else ''}"


def since(appearance: Appearance | None) -> str:
    """`since 2019-03-02`, with the reasons why the day may be wrong; empty if it is not known."""
    if appearance is None or appearance.day is None:
        return ""
    doubts = f" (in doubt: {', '.join(appearance.doubts)})" if appearance.doubts else ""
    return f"since {appearance.day}{doubts}"


_WHERE = {
    Where.MATCH: "beside the match",
    Where.FILE: "elsewhere in the file",
    Where.NOTICE: "in a notice for its folder",
    Where.ELSEWHERE: "elsewhere in the repository",
}

PEOPLE = frozenset({"author", "copyright"})
"""The kinds of statements and evidence that name people."""


def sentences(attribution: Attribution, *, posted: str = "") -> Iterator[str]:
    """Plain lines: the verdict with the line that decided it, the best hint, then the license and the first day, beside
    the day on which the source was posted.
    """
    first = attribution.best_evidence
    match attribution.verdict:
        case Verdict.SOURCE:
            yield "this is the source itself"
        case Verdict.ATTRIBUTED if first is not None:
            yield f"attributed, {_where(first)}: {quoted(first)}"
        case Verdict.STATED if first is not None:
            yield f"the license is stated {_where(first)}: {quoted(first)}"
        case Verdict.UNSTATED:
            yield "neither the file nor a notice for its folder states the license"
        case Verdict.EARLIER:
            yield "earlier: these lines are older than the source, and the file does not name it"
        case Verdict.UNKNOWN if first is not None:
            yield f"unknown whether attributed; this may be the same post: {quoted(first)}"
        case Verdict.UNKNOWN:
            yield "unknown whether attributed: not all that the file says is in the index"
        case _:
            yield "unattributed: neither the file nor a notice for its folder names the source"
    if attribution.verdict not in {Verdict.SOURCE, Verdict.ATTRIBUTED, Verdict.STATED}:
        yield from hint(attribution.hints)
    facts = [f"license {license_names(attribution.licenses)}"] if attribution.licenses else []
    if attribution.first_seen:
        older = ", before the source was written" if attribution.is_older else ""
        posts = f"posted {posted}, " if posted else ""
        facts.append(f"{posts}there since {attribution.first_seen}{older}")
    if facts:
        yield "; ".join(facts)


def decisive_line(attribution: Attribution) -> Iterator[str]:
    """The line that decided the verdict, and where it is. For an unattributed location, the best hint if it has any."""
    if attribution.verdict is not Verdict.SOURCE and attribution.evidence:
        yield f"{_where(attribution.evidence[0])}: {quoted(attribution.evidence[0])}"
    elif attribution.verdict in {Verdict.UNATTRIBUTED, Verdict.UNSTATED}:
        yield from hint(attribution.hints)


def hint(hints: Sequence[Evidence]) -> Iterator[str]:
    """One line with the best hint and the number of the others; nothing without a hint."""
    if hints:
        others = f" (and {count(len(hints) - 1, 'more hint')})" if len(hints) > 1 else ""
        yield f"hint, {_where(hints[0])}: {quoted(hints[0])}{others}"


def license_names(licenses: Sequence[str]) -> str:
    """The licenses in one line."""
    words = {UNKNOWN_LICENSE: "unknown (its text is not recognized)"}
    return one_line(", ".join(words.get(license, license) for license in licenses))


def _where(evidence: Evidence) -> str:
    by = " by its author or copyright holder" if evidence.kind in PEOPLE else ""
    return f"{_WHERE[evidence.where]}{by}"


def quoted(evidence: Evidence) -> str:
    """The path, line number and text of an evidence."""
    return f"{visible(evidence.path)}:{evidence.line}: {one_line(evidence.text)}"
