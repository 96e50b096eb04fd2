"""Base classes with the options that several calls have, and the options of calls that write or measure an index."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from wherefrom.errors import UsageError
from wherefrom.model import ProposalKind
from wherefrom.options.fields import (
    AnyValue,
    Day,
    FilePath,
    Flag,
    LanguageName,
    LineRange,
    Listener,
    Options,
    Seconds,
    Several,
    ShareOrCount,
    Text,
    Whole,
    Words,
    fields_of,
    listener,
    option,
    switch,
    whole_bytes,
)
from wherefrom.support.values import dataclass
from wherefrom.support.workers import LEAST_PARSE_MEMORY, PARSE_MEMORY

NO_SET = "none"  # the word that means no boilerplate set at all in `without`

REPO = "a key of a repository, its last part, or a pattern; after `project:`, all that is one project with it"
"""What the options with this placeholder take."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions(Options):
    """Base of the options for an engine. Each engine has its own subclass, or no options."""


@dataclass(frozen=True, kw_only=True)
class LimitOption(Options):
    """How many hits an answer has at most."""

    limit: int = option(10, Whole(at_least=1), "The highest number of hits.", setting=True)


@dataclass(frozen=True, kw_only=True)
class QueryOptions(Options):
    """The text to look up."""

    name: str = option("<code>", Text(), "The name of the text; its ending helps to guess the language.", flag=False)
    language: str | None = option(
        None, LanguageName(), "The language of the text; by default guessed, with prose or code as a second try."
    )
    lines: tuple[int, int] | None = option(
        None, LineRange(), "Look up only these lines, first and last, 1-based and inclusive.", flag=False
    )


@dataclass(frozen=True, kw_only=True)
class PlaceOptions(Options):
    """Which locations may be in the answer."""

    repositories: Sequence[str] = option(
        (), Several(Text("REPO")), "Only this repository; repeatable.", flag="--repository"
    )
    not_repositories: Sequence[str] = option(
        (), Several(Text("REPO")), "Not this repository; repeatable.", flag="--not-repository"
    )
    paths: Sequence[str] = option(
        (),
        Several(Text("GLOB")),
        "Only paths that match: `*.py` in any folder, `src/**`, `lib/*.{c,h}`; repeatable.",
        flag="--path",
    )


@dataclass(frozen=True, kw_only=True)
class OwnOption(Options):
    """Which repositories are the user's own and do not count."""

    own: Sequence[str] = option(
        (), Several(Text("REPO")), "Your own repository, which does not count; repeatable.", setting=True
    )


@dataclass(frozen=True, kw_only=True)
class PostOptions(Options):
    """How new places of watched code are posted (`wherefrom watch add --post`)."""

    post_secret: str | None = option(
        None,
        Text(secret=True),
        "The secret that signs what is posted, in the form of Standard Webhooks.",
        setting=True,
        flag=False,
    )
    private_posts: bool = switch("Also post to hosts with a private address.", setting=True, flag=False)


@dataclass(frozen=True, kw_only=True)
class Without(Options):
    """Which boilerplate sets do not count."""

    without: Sequence[str] = option(
        (),
        Several(Text("NAME"), none=NO_SET),
        f"Leave out the boilerplate sets of this name or pattern (`license-*`), or `{NO_SET}` of them; repeatable.",
        setting=True,
    )
    allow_missing_sets: bool = switch(
        "Ignore names in `without` that match no set of the index.", compare=False, flag=False
    )


@dataclass(frozen=True, kw_only=True)
class ExplainOption(Options):
    """Whether the answer explains its scores."""

    explain: bool = switch("Show how each score is calculated.")


@dataclass(frozen=True, kw_only=True)
class EarlierOption(Options):
    """Whether locations that are older than the source stay in the answer."""

    earlier: bool = switch("With --unattributed: keep locations that are older than the source.")


@dataclass(frozen=True, kw_only=True)
class JobsOption(Options):
    """How many workers there are."""

    jobs: int | None = option(
        None, Whole(at_least=1), "Number of workers at the same time.", setting=True, default_help="one for each core"
    )


@dataclass(frozen=True, kw_only=True)
class CacheOption(Options):
    """Where clones of URLs are stored."""

    cache: Path | None = option(
        None,
        FilePath(),
        "The folder for clones of URLs.",
        setting=True,
        default_help="`wherefrom/clones` in the user's cache folder",
        flag=False,
    )


@dataclass(frozen=True, kw_only=True)
class EngineOption(Options):
    """The options for the engine of an index."""

    engine: EngineOptions | None = listener("The options of the index's engine, such as `ElasticsearchOptions`.")


@dataclass(frozen=True, kw_only=True)
class ParseMemoryOption(Options):
    """How much memory the parser may use."""

    parse_memory: int = option(
        PARSE_MEMORY, whole_bytes(LEAST_PARSE_MEMORY), "Skip files that need more memory to parse.", setting=True
    )


@dataclass(frozen=True, kw_only=True)
class FileLimits(ParseMemoryOption):
    """How large or slow a file may be to be analyzed."""

    max_file_size: int = option(1_000_000, whole_bytes(1), "Skip larger files.", setting=True)
    parse_seconds: float = option(
        5.0,
        Seconds(),
        "Read files that take longer to parse, in seconds of processor time, without their grammar.",
        setting=True,
    )

    @property
    def limits(self) -> Limits:
        """These options as `Limits`. Options of `Limits` that this class does not have are at their defaults."""
        names = [field.name for field in fields_of(Limits)]
        return Limits(**{name: getattr(self, name) for name in names if hasattr(self, name)})


@dataclass(frozen=True, kw_only=True)
class Limits(FileLimits):
    """Which files are analyzed."""

    include_generated: bool = switch("Also read generated, vendored and minified files.")
    include_data: bool = switch("Also read data files (JSON, CSV, lock files), as text.")


@dataclass(frozen=True, kw_only=True)
class IndexOptions(Limits, JobsOption, CacheOption, EngineOption, PostOptions):
    """How `index_sources` reads and stores repositories."""

    rev: str | None = option(None, Text("REVISION"), "The revision to read from git sources.", default_help="HEAD")
    name: str | None = option(None, Text("KEY"), "The repository key of a single source.")
    keep_source: bool = switch("Also store the text of contents that are new to the index.")
    fingerprints_only: bool = switch(
        "Store the fingerprints of contents that are new to the index and the lines they are from, but no code."
    )
    key_from: str | None = option(
        None,
        Text("PATTERN"),
        "Take keys of clones without a remote from their path, such as {host}/{owner}/{name}.git.",
    )
    recurse_submodules: bool = switch("Also index submodules that have a local clone, each at its recorded commit.")
    versions: int = option(
        1,
        Whole(at_least=1, at_most=1000),
        "Number of versions of each package: the newest or the named one, and older ones.",
    )
    strict: bool = switch(
        "Index nothing if a source cannot be read, two have the same key, or a clone lies outside the named sources."
    )
    rebuild: bool = switch("Build a new index beside the one in use, then replace that one (only on Elasticsearch).")
    wide_terms: bool = switch("Store 48 bits of each term in a new index, not 40; for more than ten billion postings.")
    fetches: int = option(4, Whole(at_least=1, at_most=64), "Number of URLs to fetch at the same time.", setting=True)
    discard_clones: bool = switch(
        "Remove the clone of each URL once it is indexed; answers then show code only with --keep-source."
    )
    clone_space: int = option(
        20_000_000_000,
        whole_bytes(1),
        "With --discard-clones: do not start a fetch while the clones not yet indexed take more.",
        setting=True,
    )
    renew: bool = option(
        True, Flag(), "Analyze contents again if an older version analyzed them.", flag="--renew/--no-renew"
    )
    history: bool = switch("Also index where each piece of code appeared first, over all commits (see `first`).")
    since: date | None = option(None, Day(), "With --history: read only commits from this day (UTC) on.")
    branch: str | None = option(
        None, Text("REVISION"), "With --history: read the commits of this branch.", default_help="the indexed revision"
    )
    tags_only: bool = switch("With --history: read only the commits of tags, as releases.")
    progress: Listener = listener("Called with an `IndexProgress` a few times a second, and once at the end.")
    skipped: Listener = listener(
        "Called with a list of `SkippedFile` for each finished repository that has some. For this, unchanged "
        "repositories are read again."
    )

    def check_together(self) -> None:
        """Raises UsageError for options that contradict each other, or that need `history`."""
        needing = {"since": self.since, "branch": self.branch, "tags-only": self.tags_only}
        for flag, value in needing.items():
            if value and not self.history:
                raise UsageError(f"--{flag} says which commits to read, so it needs --history")
        if self.fingerprints_only and (self.keep_source or self.history):
            raise UsageError(
                "--fingerprints-only stores no code, so leave out --keep-source and --history; both store code"
            )
        if self.fingerprints_only and self.rebuild:
            raise UsageError(
                "--fingerprints-only is for an index in a folder, and --rebuild for one on Elasticsearch; leave one out"
            )
        if self.history and self.discard_clones:
            raise UsageError("--history reads the clones once more at the end; leave out --discard-clones")
        if self.history and self.rebuild:
            raise UsageError("--rebuild and --history need two runs; run --rebuild first, then --history")


@dataclass(frozen=True, kw_only=True)
class CopyOptions(JobsOption, EngineOption):
    """How `copy_index` copies indexes. `engine` has the options for the sources, the target or all."""

    replace: bool = switch("Replace what the target has in another state; of several states, take the newest.")
    progress: Listener = listener("Called with a `CopyProgress` a few times a second, and once at the end.")


@dataclass(frozen=True, kw_only=True)
class PublishOptions(EngineOption):
    """How `publish_index` publishes an index."""

    fingerprints_only: bool = switch("Publish the fingerprints and the lines they are from, but no code.")
    progress: Listener = listener("Called with a `PublishProgress` a few times a second, and once at the end.")


@dataclass(frozen=True, kw_only=True)
class LearnOptions(Options):
    """What `Index.learn_boilerplate` proposes."""

    kinds: Sequence[ProposalKind] = option(
        (),
        Words(ProposalKind, metavar="KIND"),
        f"Propose only sets of this kind: {', '.join(ProposalKind)}; repeatable.",
        flag="--kind",
        default_help="all",
    )
    min_repositories: float | None = option(
        None,
        ShareOrCount(at_least=2),
        "Number or share of the repositories that must contain the code. Forks and copies count as one.",
        default_help="0.02, and at least 3",
    )
    limit: int = option(20, Whole(at_least=1), "The highest number of sets; those that cover most come first.")
    progress: Listener = listener("Called with a `LearningProgress` a few times a second.")


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(ParseMemoryOption, CacheOption, EngineOption):
    """What the experiments of `lab` measure: sources or an index."""

    index: str | Path | None = option(None, AnyValue(), "The location of an index, instead of sources.", flag=False)
    progress: Listener = listener("Called with a `CorpusProgress` a few times a second, and once at the end.")


@dataclass(frozen=True, kw_only=True)
class SamplerOptions(CorpusOptions):
    """What `measure_samplers` measures."""

    k: int | None = option(None, Whole(1, 64), "Tokens in a k-gram.", flag="-k", default_help="the index's")
    window: int | None = option(None, Whole(at_least=1), "The window w in k-grams.", default_help="the index's")
    random_text: int = option(8_000_000, Whole(at_least=0), "Number of characters of random text.")
