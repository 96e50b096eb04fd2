"""The fields of a hit: the values of each place where code was found, for every format that shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from wherefrom.reports.layout import count, percent, probable
from wherefrom.results import Hit, HitPlace, Region, SearchResult, Verdict
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
    """A field of a place.

    Attributes:
        name: the name of the column or key.
        meaning: the meaning of the values.
        path: the attributes of `FoundPlace` that lead to the value, with dots between them.
        words: for a field that the text shows for the best place of a hit, a function that returns its words, or None
            if the hit has no value. None for other fields.
        csv: True for a column of a search.
        posts: True for a column of a search for posts.
    """

    name: str
    meaning: str
    path: str
    words: Callable[[Hit], str | None] | None = None
    csv: bool = True
    posts: bool = True

    def value(self, found: FoundPlace) -> Any:
        """The value of this field for a place; None if it has none."""
        value: Any = found
        for name in self.path.split("."):
            if value is None:
                return None
            value = getattr(value, name)
        return value


_CONTENT, _AT, _SAYS, _FIRST = "place.content", "place.occurrence", "place.attribution", "place.age.first"

FIELDS = (
    HitField("rank", "the number of the hit; the best is 1", "rank"),
    HitField("score", "the score that ranks hits", f"{_CONTENT}.score", lambda hit: f"score {hit.score:.2f}"),
    HitField(
        "match",
        "percent of the query's tokens that match, without boilerplate",
        f"{_CONTENT}.match",
        lambda hit: f"match {percent(hit.match / 100)}",
    ),
    HitField("strength", "strong, fair or weak, by the probability", f"{_CONTENT}.strength"),
    HitField(
        "probability",
        "how probable a copy is, from 0 to 1",
        f"{_CONTENT}.probability",
        lambda hit: None if hit.probability is None else f"{hit.strength}: {probable(hit.probability)}",
    ),
    HitField(
        "containment",
        "the share of the query that the file has in any order, rare code weighing more, from 0 to 1",
        f"{_CONTENT}.containment",
        lambda hit: f"containment {hit.containment:.2f}" if hit.translated_from is None else None,
    ),
    HitField(
        "longest_run",
        "tokens of the longest match",
        f"{_CONTENT}.longest_run",
        lambda hit: f"longest run {count(hit.longest_run, 'token')}" if hit.longest_run else None,
    ),
    HitField("matched_tokens", "tokens of the query that match", f"{_CONTENT}.matched_tokens"),
    HitField("remaining_tokens", "tokens of the query that are not boilerplate", "result.query.remaining_tokens"),
    HitField("excluded_tokens", "tokens of the query that are boilerplate", "result.query.excluded_tokens"),
    HitField("language", "the language of the best content of the hit", "hit.language", posts=False),
    HitField("repository", "the key of the repository", f"{_AT}.repository"),
    HitField("path", "the path in the repository", f"{_AT}.path"),
    HitField("revision", "the indexed revision", f"{_AT}.revision"),
    HitField("blob", "the git blob id of the content", f"{_AT}.blob", posts=False),
    HitField("swhid", "the identifier of the place at Software Heritage", "place.location.swhid", csv=False),
    HitField("purl", "the package URL of the repository", "place.location.purl", csv=False),
    HitField("query_lines", "lines of the query that match", "query_lines"),
    HitField("document_lines", "lines of the place that match", "place.line_ranges"),
    HitField("first_line", "the first line of the place that matches, from 1", "place.first_line", posts=False),
    HitField("occurrences", "the number of places of the hit", "occurrences", csv=False),
    HitField("unattributed", "how many of these places do not name the source", "unattributed", csv=False),
    HitField("verdict", "whether the place names the source", f"{_SAYS}.verdict"),
    HitField("where", "where the line that names the source is", f"{_SAYS}.best_evidence.where"),
    HitField("evidence", "the line that names the source", f"{_SAYS}.best_evidence"),
    HitField("licenses", "the licenses of the place, as SPDX identifiers", "place.licenses"),
    HitField(
        "first_seen", "the day since which the oldest matched line, else the file, is there", f"{_SAYS}.first_seen"
    ),
    HitField("is_older", "whether the file had the code before the source was written", f"{_SAYS}.is_older"),
    HitField("decided_by", "the rule that gave the verdict", f"{_SAYS}.decided_by"),
    HitField("hint", "a line that names the source, but not for this code", f"{_SAYS}.best_hint"),
    HitField("first_day", "the day on which the code appeared there, if that is known", f"{_FIRST}.day", posts=False),
    HitField("first_commit", "the commit that brought it there", f"{_FIRST}.commit", posts=False),
    HitField("first_tag", "the oldest tag that contains this commit", f"{_FIRST}.tag", posts=False),
    HitField("first_doubts", "why the day may be wrong", f"{_FIRST}.doubts", posts=False),
    HitField("since_day", "the day since which the code is as it is now", "place.age.since.day", posts=False),
    HitField("by_terms", "whether fingerprints alone were compared, without code", "hit.by_terms", posts=False),
    HitField(
        "translated_from", "its language, if it is another one than the query's", "hit.translated_from", posts=False
    ),
    HitField("index", "the index that has it, if several were searched", "place.index", posts=False),
)
"""All fields, in the order of the columns."""

BY_TERMS = "by fingerprints alone, so less sure"
"""What every report says of a hit that has no code to compare (`Hit.by_terms`)."""

TRANSLATED = "translated from {}"
"""What every report says of code in another language (`Hit.translated_from`)."""

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

_WORDS = {field.name: field.words for field in FIELDS if field.words is not None}


def figures(hit: Hit, names: str = "match probability score containment longest_run") -> list[str]:
    """The figures of the best place of a hit in words, the match first. `names` are the names of fields, with blanks
    between them.
    """
    found = [words for name in names.split() if (words := _WORDS[name](hit)) is not None]
    return [*found, *kinds(hit)]


def kinds(hit: Hit) -> list[str]:
    """What the figures of a hit do not say of it, in words."""
    translated = [] if hit.translated_from is None else [TRANSLATED.format(hit.translated_from)]
    return [*([BY_TERMS] if hit.by_terms else []), *translated]
