"""The options that several commands share, and the checks of values."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import wherefrom
from wherefrom.settings import Settings, load

if TYPE_CHECKING:
    from wherefrom.workers.analyzer import Analyzer

Format = Annotated[Literal["text", "json"], typer.Option("--format", help="How the answer is written.")]

IndexLocation = Annotated[
    str | None,
    typer.Option(
        "--index",
        metavar="PATH-OR-URL",
        help="Where the index is (else WHEREFROM_INDEX, the configuration file, the user's data folder).",
        show_default=False,
    ),
]

Color = Annotated[
    Literal["auto", "always", "never"] | None,
    typer.Option("--color", help="Colors; auto: on a terminal, unless NO_COLOR is set.", show_default=False),
]

Limit = Annotated[
    int | None, typer.Option("--limit", metavar="N", help="Hits at most.  [default: 10]", show_default=False)
]

Explain = Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")]


@dataclass(slots=True)
class State:
    """What stands before the command: options for all of them."""

    debug: bool = False
    flags: dict[str, Any] = field(default_factory=dict)


def settings(context: typer.Context, **flags: Any) -> Settings:
    """The settings in force: a command's own flags come before those that stand before the command."""
    state = context.find_object(State) or State()
    return load({**state.flags, **{name: value for name, value in flags.items() if value is not None}})


def open_index(given: Settings) -> "wherefrom.Index":
    """The index that the settings name, opened."""
    return wherefrom.open_index(given.index, parse_memory=given.parse_memory, elasticsearch=given.elasticsearch)


def started_analyzer(given: Settings) -> "Analyzer":
    """What parses, for a command that needs it at once: its process gets ready while this one loads the library."""
    from wherefrom.workers.analyzer import Analyzer  # noqa: PLC0415 -- `--help` is not to wait for it

    analyzer = Analyzer(given.parse_memory)
    analyzer.start()
    return analyzer


def share(value: float | None) -> float | None:
    """A share, 0 to 1.

    Raises:
        typer.BadParameter: it is none.
    """
    if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
        raise typer.BadParameter(f"{value:g} is not a share; give a number from 0 to 1.")
    return value


def positive_share(value: float | None) -> float | None:
    """A share above 0, up to 1.

    Raises:
        typer.BadParameter: it is none.
    """
    if value is not None and not (math.isfinite(value) and 0 < value <= 1):
        raise typer.BadParameter(f"{value:g} is not a share; give a number above 0, up to 1.")
    return value


def positive(value: int | None) -> int | None:
    """A whole number from 1 on.

    Raises:
        typer.BadParameter: it is none.
    """
    if value is not None and value < 1:
        raise typer.BadParameter(f"{value} is too small; give a whole number from 1 on.")
    return value


def filled(value: str | None) -> str | None:
    """A text that is not empty.

    Raises:
        typer.BadParameter: it is.
    """
    if value is not None and not value.strip():
        raise typer.BadParameter("it is empty; give a value or leave it out.")
    return value


def all_filled(values: list[str] | None) -> list[str]:
    """Texts none of which is empty.

    Raises:
        typer.BadParameter: one is.
    """
    for value in values or []:
        filled(value)
    return values or []


OnlyRepositories = Annotated[
    list[str] | None,
    typer.Option("--repository", metavar="GLOB", help="Only repositories like this; repeatable.", callback=all_filled),
]

OnlyPaths = Annotated[
    list[str] | None,
    typer.Option(
        "--path",
        metavar="GLOB",
        help="Only paths like this: `*.py`, `src/**`, `lib/*.{c,h}`; repeatable.",
        callback=all_filled,
    ),
]

Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="NAME", help="Leave this boilerplate set out; repeatable.", callback=all_filled),
]
