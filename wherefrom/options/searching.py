"""The options of calls that look a text up, or the texts of posts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from wherefrom.model import BoilerplateSet, Strength
from wherefrom.options.fields import (
    AnyValue,
    Choice,
    Day,
    FilePath,
    Flag,
    LanguageName,
    Several,
    Share,
    Text,
    Whole,
    listener,
    option,
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

Likeness: TypeAlias = Literal["either", "containment", "resemblance"]
"""What similar files are ranked by."""

RowFormat: TypeAlias = Literal["text", "csv", "jsonl"]
"""The formats of the rows of posts, of which `wherefrom.reports.posts` has the renderers."""


@dataclass(frozen=True, kw_only=True)
class SearchOptions(QueryOptions, LimitOption, PlaceOptions, OwnOption, Without, ExplainOption, EarlierOption):
    """How `Index.search` looks a snippet up."""

    window: int | None = option(
        None,
        Whole(at_least=1),
        "For experts: the query's window w', at least the index's w; code of under 60 tokens always has w.",
        flag=True,
        default_help="2 w",
    )
    min_containment: float = option(
        0.0,
        Share(),
        "Leave out hits whose containment, the weighted share of the snippet in the file, is less, 0 to 1.",
        flag=True,
    )
    min_strength: Strength = option(
        Strength.WEAK,
        Choice(tuple(Strength)),
        "Leave out hits that are less probably copies: `weak` from 0.5, `fair` from 0.7, `strong` from 0.9.",
        flag=True,
    )
    languages: Sequence[str] = option(
        (), Several(LanguageName()), "Only files in this language; repeatable.", flag="--only-language"
    )
    without_texts: Sequence[tuple[str, bytes]] = option(
        (), Several(AnyValue()), "(name, content) of files whose code is left out."
    )
    without_sets: Sequence[BoilerplateSet] = option(
        (),
        Several(AnyValue()),
        "Boilerplate sets to leave out that no index holds (`make_boilerplate`).",
        compare=False,
    )
    max_df: float | None = option(
        None,
        Share(zero=False),
        "Ignore token runs that appear in more than this share of the indexed contents.",
        flag=True,
    )
    sources: Sequence[str] = option(
        (), Several(Text("URL")), "Say of each hit whether it names this source; repeatable.", flag="--source"
    )
    authors: Sequence[str] = option(
        (), Several(Text("NAME")), "Also accept a credit to this author of it; repeatable.", flag="--author"
    )
    licenses: Sequence[str] = option(
        (),
        Several(Text("SPDX")),
        "Say whether it states this license, if no source is named; repeatable.",
        flag="--license",
    )
    unattributed: bool = option(
        False, Flag(), "Leave out the locations that name the source, are it, or are older than it.", flag=True
    )
    written: date | None = option(
        None, Day(), "The day on which the source was written: older files are marked.", flag=True
    )
    progress: Callable[[int], None] | None = listener(
        "Called with the number of the snippet's tokens before they are looked up."
    )


@dataclass(frozen=True, kw_only=True)
class SimilarOptions(QueryOptions, LimitOption, ExplainOption):
    """How `Index.similar` and `Index.similar_to` compare a file with others."""

    by: Likeness = option(
        "either",
        Choice(get_args(Likeness)),
        "Rank by the file's containment in the others, by the likeness of the whole files, or by the larger of both.",
        flag=True,
    )
    budget: int | None = option(
        None, Whole(at_least=1), "For experts: look up only the file's N smallest hashes.", flag=True
    )


@dataclass(frozen=True, kw_only=True)
class SourcesOptions(QueryOptions, LimitOption, PlaceOptions, OwnOption, Without):
    """How `Index.sources` explains a file by others."""

    min_tokens: int | None = option(
        None,
        Whole(at_least=1),
        "Count only shared runs of so many tokens.",
        flag=True,
        default_help="the shortest that are sure to be found",
    )
    not_itself: bool = option(False, Flag(), "Leave out exact copies of the whole file.", flag=True)
    progress: Callable[[int, int], None] | None = listener(
        "Called before each window of the file is looked up: how many are done, how many there are."
    )


@dataclass(frozen=True, kw_only=True)
class PostsOptions(LimitOption, Without, EarlierOption):
    """Which imported posts are looked up, and how."""

    sites: Sequence[str] = option((), Several(Text("HOST")), "Only posts of this site; repeatable.", flag="--site")
    tags: Sequence[str] = option(
        (), Several(Text("TAG")), "Only questions with this tag, and their answers; repeatable.", flag="--tag"
    )
    posts: Sequence[str] = option((), Several(Text("URL")), "Only this question or answer; repeatable.", flag="--post")
    unattributed: bool = option(
        False, Flag(), "Leave out the locations that name the post, or are older than it.", flag=True
    )
    after: int = option(
        0, Whole(at_least=0), "Only blocks whose `PostBlock.key` is greater: those after an earlier answer."
    )
    progress: Callable[[Any], None] | None = listener(
        "Called with a `PostsProgress` a few times a second, and once at the end."
    )


@dataclass(frozen=True, kw_only=True)
class PostsReportOptions(PostsOptions):
    """The same for a report that is written to a file."""

    path: Path | None = option(
        None,
        FilePath("FILE"),
        "The file of the rows; a search that was stopped is run again and goes on.",
        flag="--output",
    )
    format: RowFormat = option("text", Choice(get_args(RowFormat)), "How the rows are written.", flag=True)
