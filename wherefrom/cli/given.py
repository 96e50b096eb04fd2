"""The input of a command: its flags and the settings."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.settings import Configuration, load
from wherefrom.engines import PublishedOptions
from wherefrom.engines.kinds import pinned, servers
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.options.fields import Options
from wherefrom.options.shared import Limits, Without
from wherefrom.support.values import dataclass, field, replace
from wherefrom.support.version import remedy

if TYPE_CHECKING:
    from wherefrom.analyzers.analyzer import Analyzer

_Made = TypeVar("_Made", bound=Options)


@dataclass(slots=True)
class State:
    """The options before the command, which apply to all commands."""

    debug: bool = False
    flags: dict[str, Any] = field(default_factory=dict)


URL_MEMORY = 4_000_000_000
"""Limit on the bytes of memory of a command that reads an index on a server, whatever its publisher has written."""


def _bound(locations: Sequence[str]) -> None:
    from wherefrom.support.system import system  # noqa: PLC0415 -- `--help` does not wait for it

    if servers(locations):
        system.limit_memory(URL_MEMORY)


class Given:
    """The first argument of every command: has the settings, and opens the index and starts the analyzer by them.
    `flags` are those of the command that are fields of `Settings`; None for a flag that is not given.
    """

    def __init__(self, context: typer.Context, **flags: str | None) -> None:
        state = context.find_object(State) or State()
        self.configuration: Configuration = load()
        self._usual: Sequence[str] = ()
        self._flags = {**state.flags, **{name: value for name, value in flags.items() if value is not None}}
        self.settings = self.configuration.settings(**self._flags)

    def is_flag(self, name: str) -> bool:
        """Whether a setting is given on the command line."""
        return name in self._flags

    def options(self, call: type[_Made], flags: dict[str, Any]) -> _Made:
        """The options of a call, from flags and settings, as `Configuration.options` makes them."""
        options = self.configuration.options(call, flags)
        if isinstance(options, Without) and options.allow_missing_sets:
            self._usual = options.without
        return options

    def usual_options(self, own: Sequence[str]) -> Iterator[Any]:
        """The options that the calls of a server have unless its client sends others, in the order of
        `serve.calls.Defaults`.
        """
        from wherefrom import options  # noqa: PLC0415 -- one command needs them

        calls = (
            options.SearchOptions,
            options.FirstOptions,
            options.SourcesOptions,
            options.CheckOptions,
            options.TraceOptions,
        )
        return (self.options(call, {"own": own}) for call in calls)

    def engine(self, location: str | None = None) -> "wherefrom.EngineOptions | None":
        """The options for the engine of an index, by default the index in the settings. None if it has no options."""
        return self.configuration.engine(self.settings.index if location is None else location)

    def opener(self, read_from: Sequence[Path] = (), *, location: str | None = None) -> "Callable[[], wherefrom.Index]":
        """Returns a function that opens the index at a location, by default the one in the settings. It can be passed
        to another process.
        """
        from wherefrom.indexes import open_index  # noqa: PLC0415 -- `--help` does not wait for it

        engine, index, expect = self.engine(location), self.settings.index, self.settings.expect
        location = location or (index if expect is None else pinned(index, expect))
        return partial(open_index, location, engine, read_from=read_from, parse_memory=self.parse_memory)

    def open_index(self, read_from: Sequence[Path] = ()) -> "wherefrom.Index":
        """Opens the index in the settings. Warns if it lacks a boilerplate set that the setting `without` names."""
        _bound([self.settings.index])
        index = self.opener(read_from)()
        if self._usual:
            from wherefrom.queries.boilerplate import unknown_names  # noqa: PLC0415

            for name in unknown_names(self._usual, index.boilerplate_names(built_in=True)):
                console.warn(f"the setting `without` names {name!r}, and this index has no such boilerplate set")
        return index

    def open_indexes(self, locations: Sequence[str], read_from: Sequence[Path]) -> "wherefrom.Indexes":
        """Opens some indexes, by default the index in the settings. Code that they lack is read from clones."""
        from wherefrom.indexes import Indexes, open_indexes  # noqa: PLC0415 -- `--help` does not wait for it

        if len(locations) > 1:
            if self.settings.expect is not None:
                raise UsageError("--expect is for one index; write #sha256=SHA256 behind each of several")
            engines = [self.engine(location) for location in locations]
            has_user = any(isinstance(options, PublishedOptions) and options.user is not None for options in engines)
            if has_user and len(servers(locations)) > 1:
                raise UsageError(
                    "WHEREFROM_PUBLISHED_USER and WHEREFROM_PUBLISHED_PASSWORD are for one server, and these indexes "
                    "are on several; put the user and the password of each into ~/.netrc"
                )
            _bound(locations)
            return open_indexes(locations, engines, read_from=read_from, parse_memory=self.parse_memory)
        if locations:
            self.settings = replace(self.settings, index=locations[0])
        return Indexes.of(self.settings.index, self.open_index(read_from))

    @staticmethod
    def need(extra: str, *modules: str) -> None:
        """Raises `ExtraMissing` if a module that the extra installs is not installed."""
        for module in modules:
            if find_spec(module) is None:
                raise ExtraMissing(f"this command needs {module}, which is not installed; {remedy(extra)}")

    @property
    def parse_memory(self) -> int:
        """Bytes of memory that the parser process may use."""
        return self.options(Limits, {}).parse_memory

    def analyzer(self) -> "Analyzer":
        """An analyzer with the memory of the settings."""
        from wherefrom.analyzers.analyzer import Analyzer  # noqa: PLC0415 -- `--help` does not wait for it

        return Analyzer(self.parse_memory)
