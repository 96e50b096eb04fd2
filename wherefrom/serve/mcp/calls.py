"""What the tools ask, answered in a process of `wherefrom.serve.desk`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wherefrom.serve.calls import LONG
from wherefrom.serve.mcp import answers

if TYPE_CHECKING:
    from wherefrom.index import Index
    from wherefrom.options import CheckOptions, SearchOptions, SourcesOptions
    from wherefrom.serve.mcp.answers import ToolAnswer


@dataclass(frozen=True, slots=True)
class SearchCode:
    """Where does this code appear?"""

    code: bytes
    options: SearchOptions

    @property
    def is_long(self) -> bool:
        """See `wherefrom.serve.calls.Call`."""
        return len(self.code) > LONG

    def answer(self, index: Index) -> ToolAnswer:
        """See there."""
        return answers.found(index, index.search(self.code, self.options))


@dataclass(frozen=True, slots=True)
class ListLocations:
    """At which places is this code? `most` are listed at most."""

    code: bytes
    options: SearchOptions
    most: int

    @property
    def is_long(self) -> bool:
        """See `wherefrom.serve.calls.Call`."""
        return len(self.code) > LONG

    def answer(self, index: Index) -> ToolAnswer:
        """See there."""
        return answers.locations(index, index.search(self.code, self.options), self.most)


@dataclass(frozen=True, slots=True)
class ExplainFile:
    """What is this file made of?"""

    code: bytes
    options: SourcesOptions

    @property
    def is_long(self) -> bool:
        """See `wherefrom.serve.calls.Call`."""
        return len(self.code) > LONG

    def answer(self, index: Index) -> ToolAnswer:
        """See there."""
        return answers.explained(index, index.sources(self.code, self.options))


@dataclass(frozen=True, slots=True)
class CheckChange:
    """What of a change appears elsewhere?

    Attributes:
        project: the folder of the project, None where only the diff is at hand.
        diff: a unified diff, None for what the work tree of the project adds to its last commit.
        options: of the check.
        most: findings at most.
    """

    project: str | None
    diff: bytes | None
    options: CheckOptions
    most: int
    is_long = True

    def answer(self, index: Index) -> ToolAnswer:
        """See `wherefrom.serve.calls.Call`."""
        options = replace(self.options, jobs=1)
        if self.project is None:
            report = index.check_diff(self.diff or b"", options)
        elif self.diff is None:
            report = index.check([self.project], replace(options, base="HEAD"))
        else:
            report = index.check([self.project], replace(options, patch=self.diff))
        return answers.checked(report, self.most)
