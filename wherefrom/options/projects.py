"""The options of calls about projects: a check, a fix, a comparison."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from wherefrom.errors import UsageError
from wherefrom.model import Rule
from wherefrom.options.fields import (
    AnyPath,
    AnyValue,
    Choice,
    FilePath,
    Flag,
    Several,
    Share,
    Text,
    Whole,
    Words,
    listener,
    option,
)
from wherefrom.options.shared import (
    CacheOption,
    JobsOption,
    LimitedOptions,
    Limits,
    OwnOption,
    PlaceOptions,
    Without,
    limits_of,
)

SHORTEST_PIECE = 15
"""Tokens of the shortest piece that a check reports at all: shorter ones appear anywhere."""

NO_RULE = "none"
"""What is named where no rule fails."""

SubmissionUnit: TypeAlias = Literal["file", "folder", "repository"]
"""What one submission of a comparison is."""

SHORTEST_REGION = 12
"""Tokens of the shortest region of a comparison: those of the k-grams that are compared."""


@dataclass(frozen=True, kw_only=True)
class CheckOptions(OwnOption, Without, LimitedOptions, JobsOption):
    """What `Index.check` looks at, and which findings fail."""

    diff: str | None = option(
        None,
        Text("A..B|-"),
        "Only what is added from A to B (A...B: from their merge base); `-` for a diff on stdin.",
        flag=True,
    )
    staged: bool = option(False, Flag(), "Only what the next commit adds.", flag=True)
    base: str | None = option(
        None, Text("REVISION"), "Only what the work tree adds to the merge base of REVISION and HEAD.", flag=True
    )
    patch: bytes | None = option(None, AnyValue(), "Only what this unified diff would add to the work tree.")
    fail_on: Sequence[Rule] = option(
        (Rule.COPIED_UNATTRIBUTED, Rule.LICENSE_CONFLICT),
        Words(Rule, none=NO_RULE, metavar="RULE"),
        f"Exit with 1 for findings of this rule: {', '.join(Rule)}, or {NO_RULE}; repeatable.",
        flag=True,
        setting=True,
    )
    baseline: Path | None = option(None, FilePath("FILE"), "The file of findings that do not fail.", flag=True)
    update_baseline: bool = option(
        False, Flag(), "Write what fails into the baseline, and leave out what is gone.", flag=True
    )
    prune_baseline: bool = option(
        False, Flag(), "Remove from the baseline what is gone, and accept nothing new.", flag=True
    )
    include_frameworks: bool = option(
        False,
        Flag(),
        "Also check what generators of projects write: do not leave out the boilerplate set `frameworks`.",
        flag=True,
        setting=True,
    )
    min_tokens: int = option(30, Whole(at_least=SHORTEST_PIECE, unit="tokens"), "Leave out shorter pieces.", flag=True)
    progress: Callable[[Any], None] | None = listener(
        "Called with a `CheckProgress` for each file, and once at the end."
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
class FixedOptions(PlaceOptions, OwnOption, Without, LimitedOptions):
    """Which change `Index.fixed` looks up, and where."""

    project: Path | None = option(
        None,
        FilePath("PATH|REPO"),
        "The repository of the commit: its folder, or the name of an indexed one.",
        flag=True,
        default_help="that of the working directory",
    )
    diff: Path | None = option(
        None, FilePath("FILE|-"), "In place of a commit, a unified diff of files that are here.", flag=True
    )
    patch: bytes | None = option(None, AnyValue(), "The same as the text of the diff.")
    tests: bool = option(False, Flag(), "Also what the change did to tests.", flag=True)
    itself: bool = option(
        False, Flag(), "Also locations in the repository that was fixed, as it is indexed.", flag=True
    )
    min_tokens: int = option(
        30,
        Whole(at_least=SHORTEST_PIECE, unit="tokens"),
        "Leave out locations that share fewer tokens with what is around the change.",
        flag=True,
    )
    progress: Callable[[Any], None] | None = listener(
        "Called with a `FixedProgress` for each function, and once at the end."
    )

    def check_together(self) -> None:
        """See `Options`."""
        if self.diff is not None and self.patch is not None:
            raise UsageError("a diff is given once: use diff for a file, or patch for its text")


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Without, Limits, JobsOption, CacheOption):
    """What `compare` compares with what, and which pairs are in its answer."""

    by: SubmissionUnit = option(
        "file",
        Choice(get_args(SubmissionUnit)),
        "What one submission is: a file, a folder directly in what is named, or each clone, archive or folder that is "
        "named.",
        flag=True,
    )
    author_of: str | None = option(
        None,
        Text("REGEX"),
        "The author in the name of a submission: the first group of this regular expression, or all that it matches. "
        "Submissions of one author are not compared with each other.",
        flag=True,
    )
    archive: Sequence[str | PathLike[str]] = option(
        (), Several(AnyPath()), "Earlier work: compared with the submissions, never with itself; repeatable.", flag=True
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
        flag=True,
    )
    max_share: float = option(
        0.5,
        Share(zero=False),
        "Leave out what is in more than this share of the submissions, and in more than 10.",
        flag=True,
    )
    min_tokens: int = option(
        SHORTEST_REGION, Whole(at_least=SHORTEST_REGION, unit="tokens"), "Leave out shorter regions.", flag=True
    )
    min_containment: float = option(
        0.1, Share(), "Leave out pairs of which neither side has this share in the other.", flag=True
    )
    cluster_similarity: float = option(
        0.5, Share(zero=False), "Link submissions of this similarity to clusters.", flag=True
    )
    limit: int = option(500, Whole(at_least=1), "Pairs at most.", flag=True)
    reviews: Mapping[str, Any] | None = option(
        None, AnyValue(), "The `Review` of pairs, by their ids: dismissed ones count for nothing."
    )
    progress: Callable[[Any], None] | None = listener(
        "Called with a `CompareProgress` a few times a second, and once at the end."
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
        return limits_of(self, include_generated=self.include_generated or bool(self.with_sources))
