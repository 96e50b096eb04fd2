"""Options that several calls have: bases of the classes of options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wherefrom.options.fields import (
    FilePath,
    Flag,
    LanguageName,
    LineRange,
    Options,
    Seconds,
    Several,
    Text,
    Whole,
    fields_of,
    listener,
    option,
)
from wherefrom.support.workers import LEAST_PARSE_MEMORY, PARSE_MEMORY

NO_SET = "none"
"""What is named where no boilerplate set is left out."""

_NAMED = " (key, last part of it, or pattern)"


@dataclass(frozen=True, kw_only=True)
class EngineOptions(Options):
    """Base of what an engine needs to open an index; the location chooses the engine."""


@dataclass(frozen=True, kw_only=True)
class LimitOption(Options):
    """How many hits are in the answer."""

    limit: int = option(10, Whole(at_least=1), "Hits at most.", flag=True, setting=True)


@dataclass(frozen=True, kw_only=True)
class QueryOptions(Options):
    """A text that is looked up."""

    name: str = option("<code>", Text(), "What the answer calls the text; its ending helps to guess the language.")
    language: str | None = option(
        None,
        LanguageName(),
        "The language of the text (else guessed, and read as prose or code as well where it matches little).",
        flag=True,
    )
    lines: tuple[int, int] | None = option(
        None, LineRange(), "Look up only these lines of the text, which is analyzed whole: first and last, inclusive."
    )


@dataclass(frozen=True, kw_only=True)
class PlaceOptions(Options):
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
class OwnOption(Options):
    """Which repositories do not count."""

    own: Sequence[str] = option(
        (),
        Several(Text("REPO")),
        f"This repository{_NAMED} is yours and does not count; repeatable.",
        flag=True,
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
        flag=True,
        setting=True,
    )
    allow_missing_sets: bool = option(
        False, Flag(), "Ignore names in `without` that fit no set of the index.", compare=False
    )


@dataclass(frozen=True, kw_only=True)
class ExplainOption(Options):
    """Whether scores are explained."""

    explain: bool = option(False, Flag(), "Show what each score is made of.", flag=True)


@dataclass(frozen=True, kw_only=True)
class EarlierOption(Options):
    """Whether locations that are older than the source stay."""

    earlier: bool = option(
        False, Flag(), "With --unattributed: keep the locations that are older than the source.", flag=True
    )


@dataclass(frozen=True, kw_only=True)
class JobsOption(Options):
    """How many processes work."""

    jobs: int | None = option(
        None, Whole(at_least=1), "Worker processes.", flag=True, setting=True, default_help="one on each core"
    )


@dataclass(frozen=True, kw_only=True)
class CacheOption(Options):
    """Where clones are kept."""

    cache: Path | None = option(
        None,
        FilePath(),
        "The folder in which clones of URLs are kept.",
        setting=True,
        default_help="`wherefrom/clones` in the user's cache folder",
    )


@dataclass(frozen=True, kw_only=True)
class EngineOption(Options):
    """What the engine needs."""

    engine: EngineOptions | None = listener("What the engine of the index needs, such as `ElasticsearchOptions`.")


@dataclass(frozen=True, kw_only=True)
class ParseMemoryOption(Options):
    """What a file may take to be parsed."""

    parse_memory: int = option(
        PARSE_MEMORY,
        Whole(at_least=LEAST_PARSE_MEMORY, unit="bytes", metavar="BYTES"),
        "Skip files that need more memory to parse.",
        flag=True,
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class FileLimits(ParseMemoryOption):
    """Which files are analyzed, by what that takes."""

    max_file_size: int = option(
        1_000_000, Whole(at_least=1, unit="bytes", metavar="BYTES"), "Skip longer files.", flag=True, setting=True
    )
    parse_seconds: float = option(
        5.0, Seconds(), "Skip files that take longer to parse, in seconds of a processor.", flag=True, setting=True
    )


@dataclass(frozen=True, kw_only=True)
class Limits(FileLimits):
    """Which files are analyzed."""

    include_generated: bool = option(False, Flag(), "Also files that are generated, vendored or minified.", flag=True)
    include_data: bool = option(False, Flag(), "Also data files (JSON, CSV, lock files), as text.", flag=True)


def limits_of(options: FileLimits, **others: bool) -> Limits:
    """The limits among some options; others in place of those of their names."""
    values = {field.name: getattr(options, field.name) for field in fields_of(Limits) if hasattr(options, field.name)}
    return Limits(**{**values, **others})


@dataclass(frozen=True, kw_only=True)
class LimitedOptions(FileLimits):
    """Base of calls that analyze files of the user."""

    @property
    def limits(self) -> Limits:
        """Which files are analyzed."""
        return limits_of(self)
