"""The options of calls that look up a text or the code of posts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from wherefrom.errors import UsageError
from wherefrom.model import BoilerplateSet, Strength
from wherefrom.options.fields import (
    AnyValue,
    Choice,
    Day,
    FilePath,
    LanguageName,
    Listener,
    Several,
    Share,
    Text,
    Whole,
    fields_of,
    listener,
    option,
    switch,
)
from wherefrom.options.shared import (
    EarlierOption,
    ExplainOption,
    LimitOption,
    OwnOption,
    PlaceOptions,
    QueryOptions,
    Without,
)
from wherefrom.support.values import dataclass

Likeness: TypeAlias = Literal["either", "containment", "resemblance"]
"""The measure that ranks similar files."""

RowFormat: TypeAlias = Literal["text", "csv", "jsonl"]
"""The formats of `Index.write_posts_report`; `wherefrom.reports.posts` renders them."""


NEED_CODE = ("name", "language", "lines", "explain", "without", "without_texts", "without_sets", "max_df")
"""The fields of `SearchOptions` that need the code of the query, so they do not go together with fingerprints."""


def needs_code(name: str) -> UsageError:
    """The error for an option that does not go together with fingerprints."""
    return UsageError(f"{name} needs the code of the query, and fingerprints have none; leave it out")


@dataclass(frozen=True, kw_only=True)
class SearchOptions(QueryOptions, LimitOption, PlaceOptions, OwnOption, Without, ExplainOption, EarlierOption):
    """How `Index.search` looks a snippet up."""

    min_containment: float = option(
        0.0, Share(), "Leave out hits with less containment, the weighted share of the snippet in the file (0 to 1)."
    )
    min_strength: Strength = option(
        Strength.WEAK,
        Choice(tuple(Strength)),
        "Leave out hits less likely to be copies: `weak` is from 0.5, `fair` from 0.7, `strong` from 0.9.",
    )
    languages: Sequence[str] = option(
        (), Several(LanguageName()), "Only files in this language; repeatable.", flag="--only-language"
    )
    without_texts: Sequence[tuple[str, bytes]] = option(
        (), Several(AnyValue()), "(name, content) of files whose code does not count.", flag=False
    )
    without_sets: Sequence[BoilerplateSet] = option(
        (), Several(AnyValue()), "Sets from `make_boilerplate` whose code does not count.", compare=False, flag=False
    )
    max_df: float | None = option(
        None, Share(zero=False), "Ignore token runs that appear in more than this share of the indexed contents."
    )
    sources: Sequence[str] = option(
        (), Several(Text("URL")), "Tell for each hit whether it names this source; repeatable.", flag="--source"
    )
    authors: Sequence[str] = option(
        (), Several(Text("NAME")), "Also accept a credit that names this author; repeatable.", flag="--author"
    )
    licenses: Sequence[str] = option(
        (), Several(Text("SPDX")), "Without --source: tell which hits state this license; repeatable.", flag="--license"
    )
    unattributed: bool = switch("Leave out locations that name the source, are the source, or are older.")
    written: date | None = option(None, Day(), "The day when the source was written; older files are marked.")
    oldest: bool = switch(
        "Show the hits, and the places of each, by the day on which the code appeared there, the oldest first."
    )
    progress: Callable[[int], None] | None = listener("Called with the number of tokens before they are looked up.")

    def check_without_code(self) -> None:
        """Raises `UsageError` for an option that needs the code of the query. Settings do not count: sets in `without`
        that need not exist.
        """
        for field in fields_of(SearchOptions):
            is_set = field.name in NEED_CODE and getattr(self, field.name) != field.default
            if is_set and not (field.name == "without" and self.allow_missing_sets):
                raise needs_code(field.flag or field.name)


@dataclass(frozen=True, kw_only=True)
class FirstOptions(QueryOptions, LimitOption, PlaceOptions, OwnOption, Without):
    """How `Index.first` finds where code appeared first."""


@dataclass(frozen=True, kw_only=True)
class ReleasesOptions(QueryOptions, LimitOption):
    """How `Index.releases` finds the release that code is from."""


@dataclass(frozen=True, kw_only=True)
class SimilarOptions(QueryOptions, LimitOption, ExplainOption):
    """How `Index.similar` and `Index.similar_to` compare a file with others."""

    by: Likeness = option(
        "either",
        Choice(get_args(Likeness)),
        "Rank by containment of the file in the other, by resemblance of the whole files, or by the larger one.",
    )


@dataclass(frozen=True, kw_only=True)
class SourcesOptions(QueryOptions, LimitOption, PlaceOptions, OwnOption, Without):
    """How `Index.sources` explains a file by others."""

    min_tokens: int | None = option(
        None,
        Whole(at_least=1),
        "Count only shared runs of at least N tokens.",
        default_help="the shortest that is always found",
    )
    not_itself: bool = switch("Leave out exact copies of the whole file.")
    progress: Callable[[int, int], None] | None = listener(
        "Called before each window of the file with the number of finished windows and of all windows."
    )


@dataclass(frozen=True, kw_only=True)
class PostsOptions(LimitOption, Without, EarlierOption):
    """Which imported posts `Index.search_posts` looks up, and how."""

    sites: Sequence[str] = option((), Several(Text("HOST")), "Only posts of this site; repeatable.", flag="--site")
    tags: Sequence[str] = option(
        (), Several(Text("TAG")), "Only questions with this tag, and their answers; repeatable.", flag="--tag"
    )
    posts: Sequence[str] = option((), Several(Text("URL")), "Only this question or answer; repeatable.", flag="--post")
    unattributed: bool = switch("Leave out locations that name the post or are older.")
    after: int = option(
        0, Whole(at_least=0), "Only blocks with a greater `PostBlock.key`: those after an earlier answer.", flag=False
    )
    progress: Listener = listener("Called with a `PostsProgress` a few times a second, and once at the end.")


@dataclass(frozen=True, kw_only=True)
class PostsReportOptions(PostsOptions):
    """The options of `Index.search_posts`, and the file that `Index.write_posts_report` writes."""

    path: Path | None = option(
        None, FilePath("FILE"), "Write the rows to FILE. Run a stopped search again to continue it.", flag="--output"
    )
    format: RowFormat = option("text", Choice(get_args(RowFormat)), "The format of the rows.")
