"""The models of requests and answers, and of the OpenAPI description.

The models of requests are made from the options of the library. The published schemas describe the answers that the
command line also gives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import replace
from datetime import date
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model

from wherefrom.extend import LANGUAGES, LONGEST_NOTE
from wherefrom.options import CheckOptions, CompareOptions, FirstOptions, ReleasesOptions, SearchOptions, SourcesOptions
from wherefrom.options import fields as kinds
from wherefrom.options.asking import NEED_CODE
from wherefrom.results import ReviewState
from wherefrom.serve.jobs.store import JobKind, JobState

MOST_HITS = 200  # the highest number of hits in an answer
MOST_CODE = 10_000_000  # the highest number of characters of code

_FLAG = re.compile(r"--[a-z][a-z-]*")

_Options = TypeVar("_Options", bound=kinds.Options)


class Request(BaseModel):
    """Base of the body of a request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


Code = Annotated[str, Field(max_length=MOST_CODE, description="The code or other text itself.")]

Blob = Annotated[str, Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$", description="Its git blob id.")]


def _type_of(kind: kinds.Kind) -> Any:
    """The JSON type of a field; None if only the library can pass it."""
    match kind:
        case kinds.Whole(at_least=low, at_most=high):
            return Annotated[int, Field(ge=low, le=high)]
        case kinds.Share(zero=zero):
            return Annotated[float, Field(ge=0, le=1) if zero else Field(gt=0, le=1)]
        case kinds.Seconds() | kinds.ShareOrCount():
            return Annotated[float, Field(gt=0)]
        case kinds.Flag():
            return bool
        case kinds.Choice(words=words):
            return Literal[words]
        case kinds.LanguageName():
            return Annotated[str, Field(json_schema_extra={"enum": list(LANGUAGES)})]
        case kinds.Day():
            return Annotated[date, Field(strict=False)]
        case kinds.LineRange():
            line = Annotated[int, Field(ge=1)]
            return Annotated[tuple[line, line], Field(strict=False)]
        case kinds.Text():
            return Annotated[str, Field(pattern=r"\S")]
        case kinds.Words(members=members):
            word: Any = Literal[tuple(map(str, members))]
            return Annotated[list[word], Field(max_length=20)]
        case kinds.Several(item=item) if not isinstance(item, kinds.AnyValue):
            one: Any = _type_of(item)
            return Annotated[list[one], Field(max_length=100)]
    return None


def _request(name: str, options: type[kinds.Options], *, leave_out: Collection[str], **others: Any) -> type[Request]:
    """The model of a request: `others`, and the fields of an options class that a client may set."""
    fields: dict[str, Any] = dict(others)
    names = {field.flag: field.name for field in kinds.fields_of(options) if field.flag}

    def meaning(text: str) -> str:
        """The help of a flag in the words of the API: names of fields in place of flags."""
        return _FLAG.sub(lambda flag: names.get(flag[0], flag[0]), text.replace("; repeatable", ""))

    for field in kinds.fields_of(options):
        if field.name in leave_out or (kind := _type_of(field.kind)) is None:
            continue
        if field.name == "limit":
            kind = Annotated[int, Field(ge=1, le=MOST_HITS)]
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        kind = kind | None if default is None else kind
        fields[field.name] = (kind, Field(default, description=meaning(field.meaning)))
    return cast("type[Request]", create_model(name, __base__=Request, **fields))


_OF_A_PROJECT = ("diff", "staged", "base", "baseline", "update_baseline", "prune_baseline", "jobs")
_OF_THE_SERVER = ("max_file_size", "parse_seconds", "parse_memory", "allow_missing_sets", "without_terms")

SearchRequest = _request("SearchRequest", SearchOptions, leave_out=_OF_THE_SERVER, code=(Code, Field()))

FingerprintsRequest = _request(
    "FingerprintsRequest",
    SearchOptions,
    leave_out=(*_OF_THE_SERVER, *NEED_CODE),
    fingerprints=(Annotated[dict[str, Any], Field(description="What `wherefrom fingerprint` writes.")], Field()),
)

FirstRequest = _request("FirstRequest", FirstOptions, leave_out=_OF_THE_SERVER, code=(Code, Field()))

ReleasesRequest = _request("ReleasesRequest", ReleasesOptions, leave_out=_OF_THE_SERVER, code=(Code, Field()))

SourcesRequest = _request("SourcesRequest", SourcesOptions, leave_out=_OF_THE_SERVER, code=(Code, Field()))

CheckRequest = _request(
    "CheckRequest",
    CheckOptions,
    leave_out=(*_OF_A_PROJECT, *_OF_THE_SERVER),
    diff=(Annotated[str, Field(max_length=MOST_CODE, description="A unified diff, as `git diff` writes it.")], Field()),
)


CheckJobOptions = _request("CheckJobOptions", CheckOptions, leave_out=(*_OF_A_PROJECT, *_OF_THE_SERVER))

CompareJobOptions = _request(
    "CompareJobOptions",
    CompareOptions,
    leave_out=(*_OF_THE_SERVER, "without", "archive", "with_sources", "template", "reviews", "limit", "jobs", "cache"),
)


def options_of(request: Request, defaults: _Options) -> _Options:
    """The options of a call: `defaults`, which the owner of the server has set, with the fields of the request."""
    return replace(defaults, **sent(request, defaults))


def sent(request: Request, defaults: kinds.Options) -> dict[str, Any]:
    """The fields of a request that replace those of `defaults`."""
    # The field `diff` of a request is the diff itself, unlike the field `diff` of the options.
    names = {field.name for field in kinds.fields_of(type(defaults))} - {*_OF_A_PROJECT}
    values = {name: getattr(request, name) for name in request.model_fields_set if name in names}
    # The repositories of the server's owner never count, whatever the client asks.
    if "own" in values:
        values["own"] = [*getattr(defaults, "own", ()), *values["own"]]
    if "without" in values:
        values["allow_missing_sets"] = False
    return values


class TextSide(Request):
    """A text to compare."""

    code: Code
    name: Annotated[
        str, Field(pattern=r"\S", max_length=1000, description="Its ending helps to guess the language.")
    ] = "text"


class DocumentSide(Request):
    """An indexed document to compare."""

    blob: Blob


_Side = TextSide | DocumentSide

CompareRequest = _request(
    "CompareRequest",
    CompareOptions,
    leave_out={field.name for field in kinds.fields_of(CompareOptions)} - {"without", "min_tokens", "min_containment"},
    left=(_Side, Field()),
    right=(_Side, Field()),
    language=(
        Annotated[
            str | None,
            Field(
                description="The language of both; guessed if not given.",
                json_schema_extra={"enum": [*LANGUAGES, None]},
            ),
        ],
        None,
    ),
)


class DocumentLocation(BaseModel):
    """A location of a document."""

    repository: str
    path: str
    revision: str
    blob: str
    swhid: str | None
    purl: str | None
    url: str | None
    licenses: list[str]


class DocumentResult(BaseModel):
    """An indexed content and its locations; `content` is null if the text is not available or not UTF-8."""

    format: Literal[1]
    blob: str
    swhid: str | None
    language: str
    size: Annotated[int, Field(ge=0)]
    tokens: Annotated[int, Field(ge=0)]
    content: str | None
    occurrences: list[DocumentLocation]


class PackageMetadata(BaseModel):
    """What the metadata of a package says of it. A field that the metadata lacks is empty."""

    form: str
    released: str
    license: str
    author: str
    repository: str
    upstream: str


class Repository(BaseModel):
    """An indexed repository, as in `wherefrom list`."""

    repository: str
    key_kind: str
    location: str
    kind: str
    revision: str
    files: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(ge=0)]
    skipped: dict[str, int]
    indexed_at: str
    package: PackageMetadata | None


class RepositoriesResult(BaseModel):
    """The indexed repositories."""

    format: Literal[1]
    repositories: list[Repository]


class JobResult(BaseModel):
    """A check or a comparison in the background. Times are in ISO 8601; `progress` is a line for people, and `message`
    the summary of the report, or why it failed. `before` counts the jobs that run first. `reports` has the addresses of
    the report by format.
    """

    format: Literal[1]
    id: str
    kind: JobKind
    state: JobState
    title: str
    made: str
    deleted: str | None
    before: Annotated[int, Field(ge=0)]
    progress: str
    message: str
    reports: dict[str, str]


class JobsResult(BaseModel):
    """The jobs of whoever asks, the newest first."""

    format: Literal[1]
    jobs: list[JobResult]


PairId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]  # the id of a pair of submissions


class ReviewRequest(Request):
    """The decision of a reader about a pair of submissions."""

    state: Annotated[ReviewState, Field(strict=False)]
    note: Annotated[str, Field(max_length=LONGEST_NOTE)] = ""


class InvalidValue(BaseModel):
    """A wrong value: its position in the request, and the reason."""

    at: str
    detail: str


class Problem(BaseModel):
    """An error in the form of RFC 9457; `type` is `urn:wherefrom:problem:` and a kind."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[InvalidValue] | None = None


PUBLISHED = {
    name: f"{name.lower().removesuffix('result')}-result.schema.json"
    for name in ("SearchResult", "FirstResult", "ReleasesResult", "SourcesResult", "CheckResult", "CompareResult")
}
"""The answers with a published schema, each with the file of the schema."""


def published_schemas() -> dict[str, Any]:
    """The published schemas and their parts, by name, as components of an OpenAPI description."""
    components: dict[str, Any] = {}
    for name, file in PUBLISHED.items():
        text = files("wherefrom.reports.schemas").joinpath(file).read_text("utf-8")
        schema = json.loads(text.replace('"#/$defs/', f'"#/components/schemas/{name}_'))
        parts = schema.pop("$defs", {})
        for key in ("$schema", "$id"):
            schema.pop(key, None)
        components |= {name: schema, **{f"{name}_{part}": value for part, value in parts.items()}}
    return components
