"""The options of calls that look code up: a text, the code of posts, or that of projects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from wherefrom.errors import UsageError
from wherefrom.model import BoilerplateSet, Rule, Strength
from wherefrom.options.fields import (
    AnyPath,
    AnyValue,
    Choice,
    Day,
    FilePath,
    LanguageName,
    Listener,
    Options,
    Several,
    Share,
    Text,
    Whole,
    Words,
    fields_of,
    listener,
    option,
    switch,
)
from wherefrom.options.shared import (
    CacheOption,
    EarlierOption,
    ExplainOption,
    FileLimits,
    JobsOption,
    LimitOption,
    Limits,
    OwnOption,
    PlaceOptions,
    PostOptions,
    QueryOptions,
    Without,
)
from wherefrom.support.values import dataclass, replace

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
    without_terms: bool = switch("Explain scores without the terms of each hit, which take long to list.", flag=False)
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


SHORTEST_PIECE = 15
"""`check` and `fixed` look up only pieces of code of at least this many tokens. Shorter code appears everywhere."""

NO_RULE = "none"  # the word that means no rule at all in `fail_on`

SubmissionUnit: TypeAlias = Literal["file", "folder", "repository"]
"""What counts as one submission in a comparison."""

SHORTEST_REGION = 12
"""The least allowed value of `min_tokens` in a comparison, which is the length of its k-grams in tokens."""


@dataclass(frozen=True, kw_only=True)
class CheckOptions(OwnOption, Without, FileLimits, JobsOption):
    """What `Index.check` checks, and which findings fail."""

    diff: str | None = option(
        None, Text("A..B|-"), "Check only what B adds to A (A...B: to their merge base); `-` for a diff on stdin."
    )
    staged: bool = switch("Check only what the next commit adds.")
    base: str | None = option(
        None, Text("REVISION"), "Check only what the work tree adds to the merge base of REVISION and HEAD."
    )
    patch: bytes | None = option(None, AnyValue(), "Check only what this unified diff would add.", flag=False)
    texts: Mapping[str, bytes] | None = option(
        None, AnyValue(), "Unsaved texts by path, in place of the files in the work tree.", flag=False
    )
    fail_on: Sequence[Rule] = option(
        (Rule.COPIED_UNATTRIBUTED, Rule.LICENSE_CONFLICT),
        Words(Rule, none=NO_RULE, metavar="RULE"),
        f"Exit with 1 for findings of this rule: {', '.join(Rule)}, or {NO_RULE}; repeatable.",
        setting=True,
    )
    baseline: Path | None = option(None, FilePath("FILE"), "A file of accepted findings, which do not fail.")
    update_baseline: bool = switch("Add the findings that fail to the baseline, and remove those that are gone.")
    prune_baseline: bool = switch("Remove the findings that are gone from the baseline, and add none.")
    include_frameworks: bool = switch(
        "Also check code of project generators: do not leave out the boilerplate set `frameworks`.", setting=True
    )
    min_tokens: int = option(30, Whole(SHORTEST_PIECE, unit="tokens"), "Leave out pieces of fewer tokens.")
    progress: Listener = listener("Called with a `CheckProgress` for each file, and once at the end.")

    def check_together(self) -> None:
        """Raises UsageError for more than one change, or for options of a baseline that do not go together."""
        changes = [self.diff is not None, self.staged, self.base is not None, self.patch is not None]
        if sum(changes) > 1:
            raise UsageError("a check looks at one change: use one of --diff, --staged and --base")
        if self.texts and (self.staged or self.diff is not None or self.patch is not None):
            raise UsageError("texts replace files of the work tree; leave diff, staged and patch out")
        if (self.update_baseline or self.prune_baseline) and self.baseline is None:
            raise UsageError("there is no baseline to update; name it with --baseline FILE")
        if self.update_baseline and self.prune_baseline:
            raise UsageError("--update-baseline removes what is gone as well; leave --prune-baseline out")


@dataclass(frozen=True, kw_only=True)
class TraceOptions(OwnOption, Without, FileLimits):
    """How `Index.trace` reads a text, and what it leaves out."""

    name: str | None = option(
        None,
        Text("NAME"),
        "The name of the text; its ending tells the language.",
        default_help="Markdown if it has fences, else guessed",
    )
    min_tokens: int = option(30, Whole(SHORTEST_PIECE, unit="tokens"), "Leave out pieces of fewer tokens.")


@dataclass(frozen=True, kw_only=True)
class ProjectOption(Options):
    """Where a commit is."""

    project: Path | None = option(
        None,
        FilePath("PATH|REPO"),
        "The repository of the commit: its folder, or the name of an indexed one.",
        default_help="the one of the working directory",
    )


@dataclass(frozen=True, kw_only=True)
class FixedOptions(PlaceOptions, OwnOption, Without, FileLimits, ProjectOption):
    """Which change `Index.fixed` looks up, and where."""

    diff: Path | None = option(None, FilePath("FILE|-"), "Use this unified diff of local files instead of a commit.")
    patch: bytes | None = option(None, AnyValue(), "The text of that diff.", flag=False)
    tests: bool = switch("Also look up the changes to tests.")
    itself: bool = switch("Also find locations in the fixed repository itself, as it is indexed.")
    min_tokens: int = option(
        30, Whole(SHORTEST_PIECE, unit="tokens"), "Leave out locations that share fewer tokens around the change."
    )
    progress: Listener = listener("Called with a `FixedProgress` for each function, and once at the end.")

    def check_together(self) -> None:
        """Raises UsageError if `diff` and `patch` are both given."""
        if self.diff is not None and self.patch is not None:
            raise UsageError("only one diff can be given; use diff for a file, or patch for its text")


@dataclass(frozen=True, kw_only=True)
class WatchOptions(OwnOption, FileLimits, PostOptions, ProjectOption):
    """What `Index.watch` watches for, and where it posts new places."""

    files: Mapping[str, str | bytes] | None = option(
        None, AnyValue(), "The code to watch for, by file name.", flag=False
    )
    fixed: str | None = option(
        None, Text("COMMIT"), "Watch for the code that this commit, or this range A..B, has fixed."
    )
    post: str | None = option(None, Text("URL"), "Post each new place to this address, as signed JSON.")
    min_tokens: int = option(30, Whole(SHORTEST_PIECE, unit="tokens"), "Leave out pieces of fewer tokens.")


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Without, Limits, JobsOption, CacheOption):
    """What `compare` compares, and which pairs are in its answer."""

    by: SubmissionUnit = option(
        "file",
        Choice(get_args(SubmissionUnit)),
        "What a submission is: each file, each folder directly below a PATH, or each PATH as a whole.",
    )
    author_of: str | None = option(
        None,
        Text("REGEX"),
        "Find the author in the name of a submission: the first group of this regular expression, or its whole match. "
        "Submissions of one author are not compared with each other.",
    )
    archive: Sequence[str | PathLike[str]] = option(
        (), Several(AnyPath()), "Earlier work, compared with the submissions but not with itself; repeatable."
    )
    with_sources: Sequence[str | PathLike[str]] = option(
        (), Several(AnyPath()), "A second corpus: compare only across both, and map files; repeatable.", flag="--with"
    )
    template: Sequence[str | PathLike[str]] = option(
        (), Several(AnyPath()), "Code that everyone was given (file, folder or archive); it does not count; repeatable."
    )
    committed: bool = switch(
        "Read clones as committed. Otherwise their files on the disk are read; with --with, it is always so."
    )
    max_share: float = option(
        0.5, Share(zero=False), "Leave out code that is in more than this share of submissions, and in more than 10."
    )
    min_tokens: int = option(
        SHORTEST_REGION, Whole(SHORTEST_REGION, unit="tokens"), "Leave out regions of fewer tokens."
    )
    min_containment: float = option(0.1, Share(), "Leave out pairs if neither side shares this much of its code.")
    min_probability: float = option(
        0.5, Share(), "Leave out pairs if no file is so probably a copy: they share only what everyone writes."
    )
    cluster_similarity: float = option(0.5, Share(zero=False), "Put submissions of this similarity into one cluster.")
    limit: int = option(500, Whole(at_least=1), "The highest number of pairs.")
    reviews: Mapping[str, Any] | None = option(
        None, AnyValue(), "The `Review` of each pair, by pair id; dismissed pairs do not count.", flag=False
    )
    progress: Listener = listener("Called with a `CompareProgress` a few times a second, and once at the end.")

    def check_together(self) -> None:
        """Raises UsageError for options that exclude each other, or an invalid pattern for authors."""
        if self.archive and self.with_sources:
            raise UsageError("a comparison has an archive or a second corpus; use one of --archive and --with")
        if self.author_of is not None:
            try:
                re.compile(self.author_of)
            except re.error as error:
                raise UsageError(f"--author-of is not a regular expression: {error}; correct it") from error

    @property
    def limits(self) -> Limits:
        """Which files are compared. With a second corpus, vendored files too, because copies of them are looked for."""
        return replace(super().limits, include_generated=self.include_generated or bool(self.with_sources))
