"""What to check, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wherefrom.analyzers.content import Limits
from wherefrom.analyzers.units import LEAST
from wherefrom.check.base import FAILING, MIN_TOKENS, Rule
from wherefrom.errors import UsageError


@dataclass(frozen=True, slots=True)
class Options:
    """The meaning of each is in `wherefrom.api.Index.check`."""

    paths: Sequence[str | Path] = (".",)
    diff: str | None = None
    staged: bool = False
    base: str | None = None
    patch: bytes | None = None
    own: Sequence[str] = ()
    without: Sequence[str] = ()
    fail_on: Sequence[Rule] = FAILING
    baseline: Path | None = None
    update_baseline: bool = False
    min_tokens: int = MIN_TOKENS
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        changes = [self.diff is not None, self.staged, self.base is not None, self.patch is not None]
        if sum(changes) > 1:
            raise UsageError("a check looks at one change: give one of --diff, --staged and --base")
        if self.min_tokens < LEAST:
            raise UsageError(f"a piece has at least {LEAST} tokens, not {self.min_tokens}; shorter ones stand anywhere")
        if self.update_baseline and self.baseline is None:
            raise UsageError("there is no baseline to update; name it with --baseline FILE")
