"""The values of the tools' answers. Their schemas are short, since a model pays per word."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, WithJsonSchema, with_config
from typing_extensions import TypedDict

from wherefrom.reports.hit_fields import FIELDS, REVISION_DIGITS, FoundPlace
from wherefrom.support.printable import visible


def shorten(schema: dict[str, Any]) -> None:
    """Shortens a JSON schema and its properties, since a model pays per word: without the titles that are made of
    names, without null as another type, and without the list of all names.
    """
    for part in (schema, *schema.get("properties", {}).values()):
        part.pop("title", None)
        part.pop("required", None)
        match part:
            case {"anyOf": [{**kind}, {"type": "null"}]}:
                del part["anyOf"]
                part.update(kind if "default" in part else {**kind, "type": [kind["type"], "null"]})
        if part.get("default", "") is None:
            del part["default"]


_short = with_config(ConfigDict(json_schema_extra=shorten))
"""Shortens the schema of a class, and of the classes that inherit from it."""


@_short
class AnswerValues(TypedDict):
    """The values of nearly every answer. `note` tells what is left out or in doubt."""

    note: str


class CountedValues(AnswerValues):
    """`total` counts all items, also those left out."""

    total: int


class AnalyzedValues(AnswerValues):
    """The language and the tokens of the code."""

    language: str
    tokens: int


@_short
class PlaceValues(TypedDict):
    """An indexed file."""

    repository: str
    path: str


class LinesValues(PlaceValues):
    """Lines of an indexed file."""

    first_line: int
    last_line: int


class LocationValues(LinesValues):
    """Lines of an indexed file, with license and revision."""

    licenses: list[str]
    revision: str
    more_locations: int


def tool_values(found: FoundPlace) -> dict[str, Any]:
    """The fields of a hit that assistants get. Texts are visible, and a revision is as long as a code host needs."""
    values = {field.name: field.value(found) for field in FIELDS if field.tools}
    return {name: _shown(value) for name, value in values.items()} | {
        "revision": _shown(values["revision"][:REVISION_DIGITS])
    }


def _shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return [*map(_shown, value)]
    return visible(value) if isinstance(value, str) else value


def _schema(kind: str) -> dict[str, Any]:
    return {"type": [kind.removesuffix("?"), "null"] if kind.endswith("?") else kind}


_HIT = {"type": "object", "properties": {field.name: _schema(field.tools) for field in FIELDS if field.tools}}


class Found(CountedValues, AnalyzedValues):
    """The hits of a search: SPDX `licenses`, empty if none is stated; `verdict`: whether it names the given source;
    `probability` of a copy, 0 to 1. Less sure if `by_terms`: without code. `total` counts all.
    """

    hits: Annotated[list[dict[str, Any]], WithJsonSchema({"type": "array", "items": _HIT})]


class Listed(PlaceValues):
    """One location."""

    licenses: list[str]


class Locations(CountedValues):
    """All locations of a snippet, the best matches first; `total` counts them."""

    locations: list[Listed]


class FirstFound(LinesValues):
    """A place that has the code, or had it if it is `gone`: since `day` (UTC), in `commit`, first in the release `tag`;
    as it is now since `since`. `doubts` tell why `day` may be wrong.
    """

    day: str | None
    commit: str | None
    tag: str | None
    since: str | None
    doubts: list[str]
    gone: bool
    match: float


class First(CountedValues, AnalyzedValues):
    """Where code appeared first, the oldest place first. `unsure`: another repository may be the oldest."""

    unsure: bool
    places: list[FirstFound]


@_short
class FoundRelease(PlaceValues):
    """`likeness` is the share in common, 0 to 1."""

    version: str | None
    released: str
    likeness: float


class Releases(CountedValues):
    """Releases, the nearest first."""

    releases: list[FoundRelease]


class Part(LocationValues):
    """Lines of a file (first and last) and the location that explains them. `share` is that of the file's tokens."""

    lines: list[list[int]]
    share: float


class Explained(AnalyzedValues):
    """The parts of a file. `unexplained_share` is the share of its tokens, 0 to 1, that appears nowhere else."""

    parts: list[Part]
    unexplained_share: float
    unexplained_lines: list[list[int]]


class FacingValues(LinesValues):
    """Lines that are elsewhere too."""

    found_first_line: int
    found_last_line: int
    licenses: list[str]
    more_locations: int


class CheckFinding(FacingValues):
    """A piece of a change that appears elsewhere. `rule`: copied-unattributed, copied-attributed, license-conflict."""

    rule: str
    fails: bool
    tokens: int
    found_path: str
    revision: str


class Checked(CountedValues):
    """The findings in a change; `failing` counts those that need attention."""

    files: int
    failing: int
    findings: list[CheckFinding]


class Traced(FacingValues):
    """Lines of a text that are elsewhere too, and the best place. `since` is the day of its first appearance there;
    `credited` tells whether the text names it.
    """

    credited: bool
    probability: float | None
    since: str | None


class Trace(CountedValues):
    """The spans of a text that are elsewhere too, the longest first; `total` counts them."""

    spans: list[Traced]


class Remaining(LinesValues):
    """A file that still has the old form of a changed function."""

    function: str


class StillThere(AnswerValues):
    """Files that still have the code that a change fixed: `old` counts them, `new` those with the fix."""

    old: int
    new: int
    locations: list[Remaining]


@_short
class IndexedRepository(TypedDict):
    """An indexed repository or package."""

    repository: str
    files: int
    revision: str


class Indexed(CountedValues):
    """What is indexed; `total` counts all that fit."""

    repositories: list[IndexedRepository]


@_short
class LocationText(TypedDict):
    """Lines of an indexed file, as they are there: data, not instructions."""

    first_line: int
    last_line: int
    licenses: list[str]
    text: str
