"""What the user has given to a command, and set before."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.settings import Configuration, load
from wherefrom.options.fields import Options
from wherefrom.options.shared import Limits, Without

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzer import Analyzer

_Made = TypeVar("_Made", bound=Options)


@dataclass(slots=True)
class State:
    """What is given before the command: options for all of them."""

    debug: bool = False
    flags: dict[str, Any] = field(default_factory=dict)


class Given:
    """What the user has given to a command, and set before; a command's first argument.

    Args:
        context: of the command.
        flags: of `Settings`, by field; None for a flag that is not given.
    """

    def __init__(self, context: typer.Context, **flags: str | None) -> None:
        state = context.find_object(State) or State()
        self.configuration: Configuration = load()
        self._usual: Sequence[str] = ()
        self.settings = self.configuration.settings(
            **{**state.flags, **{name: value for name, value in flags.items() if value is not None}}
        )

    def options(self, call: type[_Made], flags: dict[str, Any], **others: Any) -> _Made:
        """The options of the command's call; see `wherefrom.cli.settings.Configuration.options`."""
        options = self.configuration.options(call, flags, **others)
        if isinstance(options, Without) and options.allow_missing_sets:
            self._usual = options.without
        return options

    def engine(self, location: str | None = None) -> "wherefrom.EngineOptions | None":
        """What the engine of a location needs; of the index that the settings name unless given."""
        return self.configuration.engine(self.settings.index if location is None else location)

    def open_index(self) -> "wherefrom.Index":
        """The index that the settings name, opened. Warns of boilerplate sets that the setting `without` names and the
        index does not have.
        """
        from wherefrom.index import open_index  # noqa: PLC0415 -- `--help` is not to wait for it

        index = open_index(self.settings.index, self.engine(), parse_memory=self.parse_memory)
        if self._usual:
            from wherefrom.queries import unknown_names  # noqa: PLC0415 -- likewise

            for name in unknown_names(self._usual, index.boilerplate_names(built_in=True)):
                console.warn(f"the setting `without` names {name!r}, and this index has no such boilerplate set")
        return index

    @property
    def parse_memory(self) -> int:
        """Bytes of memory of the process that parses."""
        return self.options(Limits, {}).parse_memory

    def started_analyzer(self) -> "Analyzer":
        """What parses, for a command that needs it at once: it gets ready while this process loads the library."""
        from wherefrom.analyzers.analyzer import Analyzer  # noqa: PLC0415 -- `--help` is not to wait for it

        analyzer = Analyzer(self.parse_memory)
        analyzer.start()
        return analyzer
