"""The fields of a hit: the values and the words of each place where code was found, for everything that shows them.

A field that is added here is in every format, on the page, in the answers to assistants, and in the editor. The words
for places (where they are, since when, and whether they name the source) are the same in every report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from wherefrom.extend import is_purl, package_parts
from wherefrom.model import UNKNOWN_LICENSE, Occurrence
from wherefrom.reports.layout import count, in_order, percent, probable
from wherefrom.results import (
    Age,
    Appearance,
    Attribution,
    Doubt,
    Evidence,
    Hit,
    HitPlace,
    QueryInfo,
    Region,
    RegionPair,
    SearchResult,
    Verdict,
    Where,
)
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place of a hit, with the hit, its rank (from 1) and the answer."""

    result: SearchResult
    rank: int
    hit: Hit
    place: HitPlace

    @property
    def query_lines(self) -> list[list[int]]:
        """The first and the last line of each match in the query, 1-based and inclusive."""
        return line_ranges(pair.query for pair in self.place.content.regions)

    @property
    def occurrences(self) -> int:
        """The number of places of the hit."""
        return len(self.hit.occurrences)

    @property
    def more_locations(self) -> int:
        """The number of the other places of the hit."""
        return self.occurrences - 1

    @property
    def unattributed(self) -> int:
        """The number of places of the hit that do not name the source."""
        return sum(attribution.verdict is Verdict.UNATTRIBUTED for attribution in self.hit.attributions)


def line_ranges(regions: Iterable[Region]) -> list[list[int]]:
    """The first and the last line of each region, 1-based and inclusive."""
    return [[region.start_line, region.end_line] for region in regions]


def found_places(result: SearchResult) -> Iterator[FoundPlace]:
    """Every place of every hit, in the order of the answer."""
    for rank, hit in enumerate(result.hits, 1):
        yield from (FoundPlace(result, rank, hit, place) for place in hit.places)


@dataclass(frozen=True, slots=True)
class HitField:
    """A field of a place."""

    name: str  # of the column or key
    meaning: str  # of the values
    path: str  # the attributes of `FoundPlace` that lead to the value, with dots between them
    figure: Callable[[Hit, QueryInfo], str | None] | None = None  # of the hit in a few words; None without a value
    note: Callable[[HitPlace], Iterable[str]] | None = None  # sentences about the place
    brief: Callable[[HitPlace], str | None] | None = None  # the same in a few words, for a list
    csv: str = "code posts"  # the searches whose CSV has it as a column: for `code`, for `posts`
    tools: str = ""  # the JSON type that assistants get, with `?` if there may be no value; empty if they get none

    def value(self, found: FoundPlace) -> Any:
        """The value of this field for a place; None if it has none."""
        value: Any = found
        for name in self.path.split("."):
            if value is None:
                return None
            value = getattr(value, name)
        return value


def _probable(hit: Hit, _query: QueryInfo) -> str | None:
    return None if hit.probability is None else f"{hit.strength}: {probable(hit.probability)}"


def _in_order(hit: Hit, query: QueryInfo) -> str | None:
    if hit.by_terms or hit.translated_from is not None or not hit.matched_tokens:
        return None
    changed = sum(pair.changed for pair in hit.regions)
    words = in_order(hit.matched_tokens, query.remaining_tokens, changed)
    return f"{words}; {query.excluded_tokens:,} left out" if query.excluded_tokens else words


def _projects(hit: Hit, _query: QueryInfo) -> str | None:
    keys = {at.repository for at in hit.occurrences}
    others = len({package_parts(key)[0] if is_purl(key) else key for key in keys}) - 1
    return f"also in {count(others, 'other project')}" if others > 0 else None


def _licensed(place: HitPlace) -> Iterator[str]:
    if place.attribution is None and place.licenses is not None:  # else the sentences about the source have it
        yield f"license {license_names(place.licenses)}" if place.licenses else NO_LICENSE


NO_LICENSE = "no license stated"

BY_TERMS = "by fingerprints alone, so less sure"
"""What every report says of a hit that has no code to compare (`Hit.by_terms`)."""

TRANSLATED = "translated from {}"  # what every report says of code in another language (`Hit.translated_from`)

_CONTENT, _AT, _SAYS, _FIRST = "place.content", "place.occurrence", "place.attribution", "place.age.first"

FIELDS = (
    HitField("rank", "the number of the hit; the best is 1", "rank"),
    HitField("score", "the score that ranks hits", f"{_CONTENT}.score", lambda hit, _: f"score {hit.score:,.2f}"),
    HitField(
        "match",
        "percent of the query's tokens that match, without boilerplate",
        f"{_CONTENT}.match",
        lambda hit, _: f"match {percent(hit.match / 100)}",
        tools="number",
    ),
    HitField("strength", "strong, fair or weak, by the probability", f"{_CONTENT}.strength", tools="string?"),
    HitField(
        "probability", "how probable a copy is, from 0 to 1", f"{_CONTENT}.probability", _probable, tools="number?"
    ),
    HitField(
        "containment",
        "the share of the query that the file has in any order, rare code weighing more, from 0 to 1",
        f"{_CONTENT}.containment",
        lambda hit, _: f"containment {hit.containment:.2f}" if hit.translated_from is None else None,
    ),
    HitField(
        "longest_run",
        "tokens of the longest match",
        f"{_CONTENT}.longest_run",
        lambda hit, _: f"longest run {count(hit.longest_run, 'token')}" if hit.longest_run else None,
    ),
    HitField("matched_tokens", "tokens of the query that match", f"{_CONTENT}.matched_tokens", _in_order),
    HitField("remaining_tokens", "tokens of the query that are not boilerplate", "result.query.remaining_tokens"),
    HitField("excluded_tokens", "tokens of the query that are boilerplate", "result.query.excluded_tokens"),
    HitField(
        "language",
        "the language of the best content of the hit",
        "hit.language",
        lambda hit, _: visible(hit.language) or None,
        csv="code",
    ),
    HitField("repository", "the key of the repository", f"{_AT}.repository", _projects, tools="string"),
    HitField("path", "the path in the repository", f"{_AT}.path", tools="string"),
    HitField("revision", "the indexed revision", f"{_AT}.revision", tools="string"),
    HitField("blob", "the git blob id of the content", f"{_AT}.blob", csv="code"),
    HitField("swhid", "the identifier of the place at Software Heritage", "place.location.swhid", csv="posts"),
    HitField("purl", "the package URL of the repository", "place.location.purl", csv="posts"),
    HitField("query_lines", "lines of the query that match", "query_lines"),
    HitField("document_lines", "lines of the place that match", "place.line_ranges"),
    HitField("first_line", "the first matching line, from 1", "place.first_line", csv="code", tools="integer?"),
    HitField("last_line", "the last matching line", "place.lines.last", csv="", tools="integer?"),
    HitField("more_locations", "the number of other places of the hit", "more_locations", csv="", tools="integer"),
    HitField("occurrences", "the number of places of the hit", "occurrences", csv="posts"),
    HitField("unattributed", "how many of these places do not name the source", "unattributed", csv="posts"),
    HitField(
        "verdict",
        "whether the place names the source",
        f"{_SAYS}.verdict",
        note=lambda place: () if place.attribution is None else sentences(place.attribution),
        brief=lambda place: None if place.attribution is None else str(place.attribution.verdict),
        tools="string?",
    ),
    HitField("where", "where the line that names the source is", f"{_SAYS}.best_evidence.where"),
    HitField("evidence", "the line that names the source", f"{_SAYS}.best_evidence"),
    HitField(
        "licenses",
        "the licenses of the place, as SPDX identifiers",
        "place.licenses",
        note=_licensed,
        brief=lambda place: f"[{license_names(place.licenses)}]" if place.licenses else None,
        tools="array?",
    ),
    HitField(
        "first_seen", "the day since which the oldest matched line, else the file, is there", f"{_SAYS}.first_seen"
    ),
    HitField("is_older", "whether the file had the code before the source was written", f"{_SAYS}.is_older"),
    HitField("decided_by", "the rule that gave the verdict", f"{_SAYS}.decided_by"),
    HitField("hint", "a line that names the source, but not for this code", f"{_SAYS}.best_hint"),
    HitField(
        "first_day",
        "the day on which the code appeared there, if that is known",
        f"{_FIRST}.day",
        note=lambda place: () if place.age is None else [here_since(place.age)],
        brief=lambda place: None if place.age is None else short_age(place.age),
        csv="code",
    ),
    HitField("first_commit", "the commit that brought it there", f"{_FIRST}.commit", csv="code"),
    HitField("first_tag", "the oldest tag that contains this commit", f"{_FIRST}.tag", csv="code"),
    HitField("first_doubts", "why the day may be wrong", f"{_FIRST}.doubts", csv="code"),
    HitField("since_day", "the day since which the code is as it is now", "place.age.since.day", csv="code"),
    HitField(
        "by_terms",
        "whether fingerprints alone were compared, without code",
        "hit.by_terms",
        lambda hit, _: BY_TERMS if hit.by_terms else None,
        csv="code",
        tools="boolean",
    ),
    HitField(
        "translated_from",
        "its language, if it is another one than the query's",
        "hit.translated_from",
        lambda hit, _: None if hit.translated_from is None else TRANSLATED.format(hit.translated_from),
        csv="code",
        tools="string?",
    ),
    HitField(
        "index",
        "the index that has it, if several were searched",
        "place.index",
        note=lambda place: [f"in the index {visible(place.index)}"] if place.index else (),
        brief=lambda place: f"in {visible(place.index)}" if place.index else None,
        csv="code",
    ),
)
"""All fields, in the order of the columns."""

MEANINGS: Sequence[tuple[str, str]] = (
    ("match", "the share of your code's tokens that is in the marked lines"),
    ("tokens", "the words and signs of code; comments and layout do not count"),
    (
        "probable",
        "how sure it is that this is a copy and not a coincidence: strong from 0.9 on, fair from 0.7 on, weak",
    ),
    ("score", "what hits are ranked by: the bits of evidence in the match"),
    ("containment", "the share of your code that the file has in any order; rare code weighs more than common code"),
    ("longest run", "the longest piece that matches without a gap, in tokens"),
)
"""The meanings of the figures of a hit, for a first reader. `docs/answers/match.md` has the same."""

_BY_NAME = {field.name: field for field in FIELDS}

FIGURES = "match probability matched_tokens repository by_terms translated_from language"
"""What every screen says of a hit, as names of fields; the first is its heading."""

FILE_FIGURES = f"{FIGURES} score"  # the same of a whole file. Its score says how much the files have in common

MODEL_FIGURES = "score containment longest_run"
"""The figures in the terms of the model, which a screen says only to those who ask for an explanation."""


def figures(hit: Hit, query: QueryInfo, names: str = FIGURES) -> list[str]:
    """The figures of the best place of a hit in words, in the order of `names`, which has blanks between them."""
    made = (figure(hit, query) for name in names.split() if (figure := _BY_NAME[name].figure) is not None)
    return [words for words in made if words is not None]


def notes(place: HitPlace) -> list[str]:
    """What is known about a place, in sentences: credit, license, index and age."""
    return [sentence for field in FIELDS if field.note is not None for sentence in field.note(place)]


def brief(place: HitPlace) -> list[str]:
    """What is known about a place, in a few words each."""
    made = (field.brief(place) for field in FIELDS if field.brief is not None)
    return [words for words in made if words is not None]


REVISION_DIGITS = 12  # reports show this many digits of a revision, the first ones


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

PEOPLE = frozenset({"author", "copyright"})  # the kinds of statements and evidence that name people


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
