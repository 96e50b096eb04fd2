"""The options of calls that write an index, learn boilerplate from an index, or measure a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from wherefrom.errors import UsageError
from wherefrom.model import ProposalKind
from wherefrom.options.fields import (
    AnyValue,
    Day,
    Flag,
    Listener,
    Options,
    ShareOrCount,
    Text,
    Whole,
    Words,
    listener,
    option,
    switch,
    whole_bytes,
)
from wherefrom.options.shared import CacheOption, EngineOption, JobsOption, Limits, ParseMemoryOption, PostOptions
from wherefrom.support.values import dataclass


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
