"""The options of every call, each written once: the library, the command line and the configuration file share them.

An options class has no behavior beyond its checks. Options that several calls share are bases of theirs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from wherefrom.errors import LanguageError, UsageError
from wherefrom.model import BoilerplateSet, ProposalKind, Rule, Strength
from wherefrom.options.fields import (
    AnyValue,
    Choice,
    Day,
    FilePath,
    Flag,
    Options,
    Seconds,
    Several,
    Share,
    ShareOrCount,
    Text,
    Whole,
    Words,
    option,
    shown,
)
from wherefrom.support.workers import LEAST_PARSE_MEMORY, PARSE_MEMORY

SHORTEST_PIECE = 15
"""Tokens of the shortest piece that a check reports at all: shorter ones appear anywhere."""

NO_RULE = "none"
"""What is named where no rule fails."""

NO_SET = "none"
"""What is named where no boilerplate set is left out."""

Likeness: TypeAlias = Literal["either", "containment", "resemblance"]
"""What similar files are ranked by."""

SubmissionUnit: TypeAlias = Literal["file", "folder", "repository"]
"""What one submission of a comparison is."""

SHORTEST_REGION = 12
"""Tokens of the shortest region of a comparison: those of the k-grams that are compared."""

RowFormat: TypeAlias = Literal["text", "csv", "jsonl"]
"""The formats of the rows of posts, of which `wherefrom.reports.posts` has the renderers."""


@dataclass(frozen=True)
class LanguageName:
    """The name of a language, or an alias of it; kept as the name."""

    metavar: str | None = "NAME"

    def check(self, value: Any, name: str) -> str:
        """See `Kind`."""
        from wherefrom import languages  # noqa: PLC0415 -- only a command that names a language waits for the table

        try:
            return languages.get(Text().check(value, name)).name
        except LanguageError as error:
            raise LanguageError(f"{name}: {error}") from error

    def parse(self, text: str, name: str) -> str:
        """See `Kind`."""
        return self.check(text, name)


@dataclass(frozen=True)
class LineRange:
    """First and last line, from 1, inclusive."""

    metavar: str | None = None

    def check(self, value: Any, name: str) -> tuple[int, int]:
        """See `Kind`."""
        if isinstance(value, Sequence) and len(value) == 2 and all(type(line) is int for line in value):
            first, last = value
            if 1 <= first <= last:
                return first, last
        raise UsageError(f"{name} has to be the first and the last line, from 1, not {value!r}; use such as (10, 20)")

    def parse(self, text: str, name: str) -> tuple[int, int]:
        """See `Kind`."""
        return self.check(text, name)


@dataclass(frozen=True)
class AnyPath:
    """A path or a URL, kept as it is written."""

    metavar: str | None = "PATH"

    def check(self, value: Any, name: str) -> str:
        """See `Kind`."""
        text = os.fspath(value) if isinstance(value, PathLike) else value
        if not isinstance(text, str) or not text.strip() or "\0" in text:
            raise UsageError(f"{name} must be a path or a URL, not {shown(value)}")
        return text

    def parse(self, text: str, name: str) -> str:
        """See `Kind`."""
        return self.check(text, name)


@dataclass(frozen=True, kw_only=True)
class EngineOptions(Options):
    """Base of what an engine needs to open an index; the location chooses the engine."""


@dataclass(frozen=True, kw_only=True)
class _Limit(Options):
    limit: int = option(10, Whole(at_least=1), "Hits at most.", flag="--limit", setting=True)


@dataclass(frozen=True, kw_only=True)
class _Query(Options):
    """A text that is looked up."""

    name: str = option("<code>", Text(), "What the answer calls the text; its ending helps to guess the language.")
    language: str | None = option(
        None,
        LanguageName(),
        "The language of the text (else guessed, and read as prose or code as well where it matches little).",
        flag="--language",
    )
    lines: tuple[int, int] | None = option(
        None, LineRange(), "Look up only these lines of the text, which is analyzed whole: first and last, inclusive."
    )


_NAMED = " (key, last part of it, or pattern)"


@dataclass(frozen=True, kw_only=True)
class _Where(Options):
    """Which locations may be in the answer."""

    repositories: Sequence[str] = option(
        (), Several(Text("REPO")), f"Only this repository{_NAMED}; repeatable.", flag="--repository"
    )
    not_repositories: Sequence[str] = option(
        (), Several(Text("REPO")), f"Not this repository{_NAMED}; repeatable.", flag="--not-repository"
    )
    paths: Sequence[str] = option(
        (),
        Several(Text("GLOB")),
        "Only paths like this: `*.py` in any folder, `src/**`, `lib/*.{c,h}`; repeatable.",
        flag="--path",
    )


@dataclass(frozen=True, kw_only=True)
class _Own(Options):
    own: Sequence[str] = option(
        (),
        Several(Text("REPO")),
        f"This repository{_NAMED} is yours and does not count; repeatable.",
        flag="--own",
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class Without(Options):
    """Which boilerplate sets are left out."""

    without: Sequence[str] = option(
        (),
        Several(Text("NAME"), none=NO_SET),
        f"Leave out the boilerplate set of this name, or those that fit this pattern (`license-*`); `{NO_SET}` leaves "
        "nothing out; repeatable.",
        flag="--without",
        setting=True,
    )
    allow_missing_sets: bool = option(
        False, Flag(), "Ignore names in `without` that fit no set of the index.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class _Explain(Options):
    explain: bool = option(False, Flag(), "Show what each score is made of.", flag="--explain")


@dataclass(frozen=True, kw_only=True)
class _Earlier(Options):
    earlier: bool = option(
        False, Flag(), "With --unattributed: keep the locations that are older than the source.", flag="--earlier"
    )


@dataclass(frozen=True, kw_only=True)
class _Jobs(Options):
    jobs: int | None = option(
        None, Whole(at_least=1), "Worker processes.", flag="--jobs", setting=True, default_help="one on each core"
    )


@dataclass(frozen=True, kw_only=True)
class _Cache(Options):
    cache: Path | None = option(
        None,
        FilePath(),
        "The folder in which clones of URLs are kept.",
        setting=True,
        default_help="`wherefrom/clones` in the user's cache folder",
    )


@dataclass(frozen=True, kw_only=True)
class _Engine(Options):
    engine: EngineOptions | None = option(
        None, AnyValue(), "What the engine of the index needs, such as `ElasticsearchOptions`.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class _ParseMemory(Options):
    parse_memory: int = option(
        PARSE_MEMORY,
        Whole(at_least=LEAST_PARSE_MEMORY, unit="bytes", metavar="BYTES"),
        "Skip files that need more memory to parse.",
        flag="--parse-memory",
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class _FileLimits(_ParseMemory):
    max_file_size: int = option(
        1_000_000,
        Whole(at_least=1, unit="bytes", metavar="BYTES"),
        "Skip longer files.",
        flag="--max-file-size",
        setting=True,
    )
    parse_seconds: float = option(
        5.0,
        Seconds(),
        "Skip files that take longer to parse, in seconds of a processor.",
        flag="--parse-seconds",
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class Limits(_FileLimits):
    """Which files are analyzed."""

    include_generated: bool = option(
        False, Flag(), "Also files that are generated, vendored or minified.", flag="--include-generated"
    )
    include_data: bool = option(
        False, Flag(), "Also data files (JSON, CSV, lock files), as text.", flag="--include-data"
    )


@dataclass(frozen=True, kw_only=True)
class _Limited(_FileLimits):
    @property
    def limits(self) -> Limits:
        """Which files are analyzed."""
        return Limits(
            max_file_size=self.max_file_size, parse_seconds=self.parse_seconds, parse_memory=self.parse_memory
        )


@dataclass(frozen=True, kw_only=True)
class IndexOptions(Limits, _Jobs, _Cache, _Engine):
    """How `index_sources` reads and stores repositories."""

    rev: str | None = option(None, Text("REVISION"), "The revision of git sources.", flag="--rev", default_help="HEAD")
    name: str | None = option(None, Text("KEY"), "The repository key, for a single source.", flag="--name")
    keep_source: bool = option(
        False, Flag(), "Store contents that are new to the index in it as well.", flag="--keep-source"
    )
    key_from: str | None = option(
        None,
        Text("PATTERN"),
        "Take the key of a clone without a remote from the end of its path: {host}/{owner}/{name}.git.",
        flag="--key-from",
    )
    recurse_submodules: bool = option(
        False,
        Flag(),
        "Also the submodules whose clones are at hand, each at the commit that is recorded.",
        flag="--recurse-submodules",
    )
    strict: bool = option(
        False,
        Flag(),
        "Index nothing if a source cannot be read, two have one key, or a clone is read from outside what was named.",
        flag="--strict",
    )
    rebuild: bool = option(
        False,
        Flag(),
        "Build a new index beside the one in use, and replace that when all is done (on Elasticsearch).",
        flag="--rebuild",
    )
    wide_terms: bool = option(
        False,
        Flag(),
        "Store 48 bits of each term in a new index, and not 40: for more than ten billion postings.",
        flag="--wide-terms",
    )
    fetches: int = option(
        4, Whole(at_least=1, at_most=64), "URLs that are fetched at a time.", flag="--fetches", setting=True
    )
    discard_clones: bool = option(
        False,
        Flag(),
        "Remove the clone of each URL once its repository is in the index; results then show the code only with "
        "--keep-source.",
        flag="--discard-clones",
    )
    clone_space: int = option(
        20_000_000_000,
        Whole(at_least=1, unit="bytes", metavar="BYTES"),
        "With --discard-clones: begin no fetch while clones that wait take more.",
        flag="--clone-space",
        setting=True,
    )
    renew: bool = option(
        True, Flag(), "Analyze contents again that an older version has analyzed.", flag="--renew/--no-renew"
    )
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with an `IndexProgress` a few times a second, and once at the end.", compare=False
    )
    skipped: Callable[[Any], None] | None = option(
        None,
        AnyValue(),
        "Called with a list of `SkippedFile` when a repository with such files is finished. Unchanged repositories are "
        "listed again for it.",
        compare=False,
    )

    @property
    def limits(self) -> Limits:
        """Which files are analyzed."""
        return Limits(
            max_file_size=self.max_file_size,
            parse_seconds=self.parse_seconds,
            parse_memory=self.parse_memory,
            include_generated=self.include_generated,
            include_data=self.include_data,
        )


@dataclass(frozen=True, kw_only=True)
class CopyOptions(_Jobs, _Engine):
    """How `copy_index` copies an index; `engine` is for those of the two that have such an engine."""

    replace: bool = option(
        False,
        Flag(),
        "Take the source's state of a repository or set that the target holds in another one.",
        flag="--replace",
    )
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `CopyProgress` a few times a second, and once at the end.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class SearchOptions(_Query, _Limit, _Where, _Own, Without, _Explain, _Earlier):
    """How `Index.search` looks a snippet up."""

    window: int | None = option(
        None,
        Whole(at_least=1),
        "For experts: the query's window w', at least the index's w; code of under 60 tokens always has w.",
        flag="--window",
        default_help="2 w",
    )
    min_containment: float = option(
        0.0,
        Share(),
        "Leave out hits whose containment, the weighted share of the snippet in the file, is less, 0 to 1.",
        flag="--min-containment",
    )
    min_strength: Strength = option(
        Strength.WEAK,
        Choice(tuple(Strength)),
        "Leave out hits that are less probably copies: `weak` from 0.5, `fair` from 0.7, `strong` from 0.9.",
        flag="--min-strength",
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
        flag="--max-df",
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
        False,
        Flag(),
        "Leave out the locations that name the source, are it, or are older than it.",
        flag="--unattributed",
    )
    written: date | None = option(
        None, Day(), "The day on which the source was written: older files are marked.", flag="--written"
    )
    progress: Callable[[int], None] | None = option(
        None, AnyValue(), "Called with the number of the snippet's tokens before they are looked up.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class SimilarOptions(_Query, _Limit, _Explain):
    """How `Index.similar` and `Index.similar_to` compare a file with others."""

    by: Likeness = option(
        "either",
        Choice(get_args(Likeness)),
        "Rank by the file's containment in the others, by the likeness of the whole files, or by the larger of both.",
        flag="--by",
    )
    budget: int | None = option(
        None, Whole(at_least=1), "For experts: look up only the file's N smallest hashes.", flag="--budget"
    )


@dataclass(frozen=True, kw_only=True)
class SourcesOptions(_Query, _Limit, _Where, _Own, Without):
    """How `Index.sources` explains a file by others."""

    min_tokens: int | None = option(
        None,
        Whole(at_least=1),
        "Count only shared runs of so many tokens.",
        flag="--min-tokens",
        default_help="the shortest that are sure to be found",
    )
    not_itself: bool = option(False, Flag(), "Leave out exact copies of the whole file.", flag="--not-itself")
    progress: Callable[[int, int], None] | None = option(
        None,
        AnyValue(),
        "Called before each window of the file is looked up: how many are done, how many there are.",
        compare=False,
    )


@dataclass(frozen=True, kw_only=True)
class CheckOptions(_Own, Without, _Limited, _Jobs):
    """What `Index.check` looks at, and which findings fail."""

    diff: str | None = option(
        None,
        Text("A..B|-"),
        "Only what is added from A to B (A...B: from their merge base); `-` for a diff on stdin.",
        flag="--diff",
    )
    staged: bool = option(False, Flag(), "Only what the next commit adds.", flag="--staged")
    base: str | None = option(
        None,
        Text("REVISION"),
        "Only what the work tree adds to the merge base of REVISION and HEAD.",
        flag="--base",
    )
    patch: bytes | None = option(None, AnyValue(), "Only what this unified diff would add to the work tree.")
    fail_on: Sequence[Rule] = option(
        (Rule.COPIED_UNATTRIBUTED, Rule.LICENSE_CONFLICT),
        Words(Rule, none=NO_RULE, metavar="RULE"),
        f"Exit with 1 for findings of this rule: {', '.join(Rule)}, or {NO_RULE}; repeatable.",
        flag="--fail-on",
        setting=True,
    )
    baseline: Path | None = option(None, FilePath("FILE"), "The file of findings that do not fail.", flag="--baseline")
    update_baseline: bool = option(
        False, Flag(), "Write what fails into the baseline, and leave out what is gone.", flag="--update-baseline"
    )
    prune_baseline: bool = option(
        False, Flag(), "Remove from the baseline what is gone, and accept nothing new.", flag="--prune-baseline"
    )
    include_frameworks: bool = option(
        False,
        Flag(),
        "Also check what generators of projects write: do not leave out the boilerplate set `frameworks`.",
        flag="--include-frameworks",
        setting=True,
    )
    min_tokens: int = option(
        30, Whole(at_least=SHORTEST_PIECE, unit="tokens"), "Leave out shorter pieces.", flag="--min-tokens"
    )
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `CheckProgress` for each file, and once at the end.", compare=False
    )

    def check_together(self) -> None:
        """See `Options`."""
        changes = [self.diff is not None, self.staged, self.base is not None, self.patch is not None]
        if sum(changes) > 1:
            raise UsageError("a check looks at one change: use one of --diff, --staged and --base")
        if (self.update_baseline or self.prune_baseline) and self.baseline is None:
            raise UsageError("there is no baseline to update; name it with --baseline FILE")
        if self.update_baseline and self.prune_baseline:
            raise UsageError("--update-baseline removes what is gone as well; leave --prune-baseline out")


@dataclass(frozen=True, kw_only=True)
class FixedOptions(_Where, _Own, Without, _Limited):
    """Which change `Index.fixed` looks up, and where."""

    project: Path | None = option(
        None,
        FilePath("PATH|REPO"),
        "The repository of the commit: its folder, or the name of an indexed one.",
        flag="--project",
        default_help="that of the working directory",
    )
    diff: Path | None = option(
        None, FilePath("FILE|-"), "In place of a commit, a unified diff of files that are here.", flag="--diff"
    )
    patch: bytes | None = option(None, AnyValue(), "The same as the text of the diff.")
    tests: bool = option(False, Flag(), "Also what the change did to tests.", flag="--tests")
    itself: bool = option(
        False, Flag(), "Also locations in the repository that was fixed, as it is indexed.", flag="--itself"
    )
    min_tokens: int = option(
        30,
        Whole(at_least=SHORTEST_PIECE, unit="tokens"),
        "Leave out locations that share fewer tokens with what is around the change.",
        flag="--min-tokens",
    )
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `FixedProgress` for each function, and once at the end.", compare=False
    )

    def check_together(self) -> None:
        """See `Options`."""
        if self.diff is not None and self.patch is not None:
            raise UsageError("a diff is given once: use diff for a file, or patch for its text")


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Without, Limits, _Jobs, _Cache):
    """What `compare` compares with what, and which pairs are in its answer."""

    by: SubmissionUnit = option(
        "file",
        Choice(get_args(SubmissionUnit)),
        "What one submission is: a file, a folder directly in what is named, or each clone, archive or folder that is "
        "named.",
        flag="--by",
    )
    author_of: str | None = option(
        None,
        Text("REGEX"),
        "The author in the name of a submission: the first group of this regular expression, or all that it matches. "
        "Submissions of one author are not compared with each other.",
        flag="--author-of",
    )
    archive: Sequence[str | PathLike[str]] = option(
        (),
        Several(AnyPath()),
        "Earlier work: compared with the submissions, never with itself; repeatable.",
        flag="--archive",
    )
    with_sources: Sequence[str | PathLike[str]] = option(
        (),
        Several(AnyPath()),
        "A second corpus: only pairs across both are compared, and a map tells which file is where; repeatable.",
        flag="--with",
    )
    template: Sequence[str | PathLike[str]] = option(
        (),
        Several(AnyPath()),
        "Code that was handed out, a file, folder or archive: it counts for nothing; repeatable.",
        flag="--template",
    )
    max_share: float = option(
        0.5,
        Share(zero=False),
        "Leave out what is in more than this share of the submissions, and in more than 10.",
        flag="--max-share",
    )
    min_tokens: int = option(
        SHORTEST_REGION,
        Whole(at_least=SHORTEST_REGION, unit="tokens"),
        "Leave out shorter regions.",
        flag="--min-tokens",
    )
    min_containment: float = option(
        0.1, Share(), "Leave out pairs of which neither side has this share in the other.", flag="--min-containment"
    )
    cluster_similarity: float = option(
        0.5, Share(zero=False), "Link submissions of this similarity to clusters.", flag="--cluster-similarity"
    )
    limit: int = option(500, Whole(at_least=1), "Pairs at most.", flag="--limit")
    reviews: Mapping[str, Any] | None = option(
        None, AnyValue(), "The `Review` of pairs, by their ids: dismissed ones count for nothing."
    )
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `CompareProgress` a few times a second, and once at the end.", compare=False
    )

    def check_together(self) -> None:
        """See `Options`."""
        if self.archive and self.with_sources:
            raise UsageError("a comparison has an archive or a second corpus; use one of --archive and --with")
        if self.author_of is not None:
            try:
                re.compile(self.author_of)
            except re.error as error:
                raise UsageError(f"--author-of is not a regular expression: {error}; correct it") from error

    @property
    def limits(self) -> Limits:
        """Which files are compared; beside a second corpus vendored ones too, for that is what it tells of."""
        return Limits(
            max_file_size=self.max_file_size,
            parse_seconds=self.parse_seconds,
            parse_memory=self.parse_memory,
            include_generated=self.include_generated or bool(self.with_sources),
            include_data=self.include_data,
        )


@dataclass(frozen=True, kw_only=True)
class PostsOptions(_Limit, Without, _Earlier):
    """Which imported posts are looked up, and how."""

    sites: Sequence[str] = option((), Several(Text("HOST")), "Only posts of this site; repeatable.", flag="--site")
    tags: Sequence[str] = option(
        (), Several(Text("TAG")), "Only questions with this tag, and their answers; repeatable.", flag="--tag"
    )
    posts: Sequence[str] = option((), Several(Text("URL")), "Only this question or answer; repeatable.", flag="--post")
    unattributed: bool = option(
        False, Flag(), "Leave out the locations that name the post, or are older than it.", flag="--unattributed"
    )
    after: int = option(
        0, Whole(at_least=0), "Only blocks whose `PostBlock.key` is greater: those after an earlier answer."
    )
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `PostsProgress` a few times a second, and once at the end.", compare=False
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
    format: RowFormat = option("text", Choice(get_args(RowFormat)), "How the rows are written.", flag="--format")


@dataclass(frozen=True, kw_only=True)
class LearnOptions(Options):
    """What `Index.learn_boilerplate` proposes."""

    kinds: Sequence[ProposalKind] = option(
        (),
        Words(ProposalKind, metavar="KIND"),
        f"Look for this alone: {', '.join(ProposalKind)}; repeatable.",
        flag="--kind",
        default_help="all",
    )
    min_repositories: float | None = option(
        None,
        ShareOrCount(at_least=2),
        "The number of repositories that must contain it, or the share of them. Forks and copies count as one.",
        flag="--min-repositories",
        default_help="0.02, and at least 3",
    )
    limit: int = option(20, Whole(at_least=1), "Sets at most, those that cover most of the index.", flag="--limit")
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `LearningProgress` a few times a second.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(_ParseMemory, _Cache, _Engine):
    """What the experiments of `lab` measure: the sources that they are given, or an index."""

    index: str | Path | None = option(None, AnyValue(), "The location of an index, in place of sources.")
    progress: Callable[[Any], None] | None = option(
        None, AnyValue(), "Called with a `CorpusProgress` a few times a second, and once at the end.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class SamplerOptions(CorpusOptions):
    """What `measure_samplers` measures."""

    k: int | None = option(None, Whole(1, 64), "Tokens in a k-gram.", flag="-k", default_help="the index's")
    window: int | None = option(None, Whole(at_least=1), "The window w.", flag="--window", default_help="the index's")
    random_text: int = option(8_000_000, Whole(at_least=0), "Characters of random text.", flag="--random-text")


@dataclass(frozen=True, kw_only=True)
class _Calls(Options):
    call_seconds: float = option(20.0, Seconds(), "End a call that takes longer.", flag="--call-seconds", setting=True)
    call_memory: int = option(
        2_000_000_000,
        Whole(at_least=LEAST_PARSE_MEMORY, unit="bytes", metavar="BYTES"),
        "End a call that needs more memory, without that of the parser.",
        flag="--call-memory",
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class McpOptions(_Calls, _Own):
    """How `wherefrom mcp` serves an assistant."""


@dataclass(frozen=True, kw_only=True)
class ServeOptions(_Calls, _Own):
    """How `wherefrom serve` serves."""

    host: str = option(
        "127.0.0.1",
        Text("ADDRESS"),
        "The address to listen at; one that other machines reach needs a token (WHEREFROM_TOKEN).",
        flag="--host",
        setting=True,
    )
    port: int = option(8765, Whole(0, 65535), "The port; 0 for any that is free.", flag="--port", setting=True)
    token: str | None = option(
        None, Text(secret=True), "What a request has to show; without it only this machine is served.", setting=True
    )
    trusted_hosts: Sequence[str] = option(
        (),
        Several(Text("NAME")),
        "A name by which this server is reached, beside localhost and addresses; repeatable.",
        flag="--trusted-host",
        setting=True,
    )
    processes: int | None = option(
        None,
        Whole(1, 256),
        "Processes that answer, each with the index open.",
        flag="--processes",
        setting=True,
        default_help="one on each core",
    )
    waiting: int = option(
        64, Whole(at_least=0), "Calls that may wait for a process; more are refused.", flag="--waiting", setting=True
    )
    max_body: int = option(
        12_000_000,
        Whole(at_least=1000, unit="bytes", metavar="BYTES"),
        "Refuse longer requests.",
        flag="--max-body",
        setting=True,
    )
