"""The options of calls that fill an index, or say what is in it or in a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wherefrom.model import ProposalKind
from wherefrom.options.fields import AnyValue, Flag, Options, ShareOrCount, Text, Whole, Words, listener, option
from wherefrom.options.shared import CacheOption, EngineOption, JobsOption, Limits, ParseMemoryOption, limits_of


@dataclass(frozen=True, kw_only=True)
class IndexOptions(Limits, JobsOption, CacheOption, EngineOption):
    """How `index_sources` reads and stores repositories."""

    rev: str | None = option(None, Text("REVISION"), "The revision of git sources.", flag=True, default_help="HEAD")
    name: str | None = option(None, Text("KEY"), "The repository key, for a single source.", flag=True)
    keep_source: bool = option(False, Flag(), "Store contents that are new to the index in it as well.", flag=True)
    key_from: str | None = option(
        None,
        Text("PATTERN"),
        "Take the key of a clone without a remote from the end of its path: {host}/{owner}/{name}.git.",
        flag=True,
    )
    recurse_submodules: bool = option(
        False, Flag(), "Also the submodules whose clones are at hand, each at the commit that is recorded.", flag=True
    )
    strict: bool = option(
        False,
        Flag(),
        "Index nothing if a source cannot be read, two have one key, or a clone is read from outside what was named.",
        flag=True,
    )
    rebuild: bool = option(
        False,
        Flag(),
        "Build a new index beside the one in use, and replace that when all is done (on Elasticsearch).",
        flag=True,
    )
    wide_terms: bool = option(
        False,
        Flag(),
        "Store 48 bits of each term in a new index, and not 40: for more than ten billion postings.",
        flag=True,
    )
    fetches: int = option(4, Whole(at_least=1, at_most=64), "URLs that are fetched at a time.", flag=True, setting=True)
    discard_clones: bool = option(
        False,
        Flag(),
        "Remove the clone of each URL once its repository is in the index; results then show the code only with "
        "--keep-source.",
        flag=True,
    )
    clone_space: int = option(
        20_000_000_000,
        Whole(at_least=1, unit="bytes", metavar="BYTES"),
        "With --discard-clones: begin no fetch while clones that wait take more.",
        flag=True,
        setting=True,
    )
    renew: bool = option(
        True, Flag(), "Analyze contents again that an older version has analyzed.", flag="--renew/--no-renew"
    )
    progress: Callable[[Any], None] | None = listener(
        "Called with an `IndexProgress` a few times a second, and once at the end."
    )
    skipped: Callable[[Any], None] | None = listener(
        "Called with a list of `SkippedFile` when a repository with such files is finished. Unchanged repositories are "
        "listed again for it."
    )

    @property
    def limits(self) -> Limits:
        """Which files are analyzed."""
        return limits_of(self)


@dataclass(frozen=True, kw_only=True)
class CopyOptions(JobsOption, EngineOption):
    """How `copy_index` copies an index; `engine` is for those of the two that have such an engine."""

    replace: bool = option(
        False, Flag(), "Take the source's state of a repository or set that the target holds in another one.", flag=True
    )
    progress: Callable[[Any], None] | None = listener(
        "Called with a `CopyProgress` a few times a second, and once at the end."
    )


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
        flag=True,
        default_help="0.02, and at least 3",
    )
    limit: int = option(20, Whole(at_least=1), "Sets at most, those that cover most of the index.", flag=True)
    progress: Callable[[Any], None] | None = listener("Called with a `LearningProgress` a few times a second.")


@dataclass(frozen=True, kw_only=True)
class CorpusOptions(ParseMemoryOption, CacheOption, EngineOption):
    """What the experiments of `lab` measure: the sources that they are given, or an index."""

    index: str | Path | None = option(None, AnyValue(), "The location of an index, in place of sources.")
    progress: Callable[[Any], None] | None = listener(
        "Called with a `CorpusProgress` a few times a second, and once at the end."
    )


@dataclass(frozen=True, kw_only=True)
class SamplerOptions(CorpusOptions):
    """What `measure_samplers` measures."""

    k: int | None = option(None, Whole(1, 64), "Tokens in a k-gram.", flag="-k", default_help="the index's")
    window: int | None = option(None, Whole(at_least=1), "The window w.", flag=True, default_help="the index's")
    random_text: int = option(8_000_000, Whole(at_least=0), "Characters of random text.", flag=True)
