"""Base classes with the options that several calls have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wherefrom.options.fields import (
    FilePath,
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
    switch,
    whole_bytes,
)
from wherefrom.support.values import dataclass
from wherefrom.support.workers import LEAST_PARSE_MEMORY, PARSE_MEMORY

NO_SET = "none"
"""The word that means no boilerplate set at all in `without`."""

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
