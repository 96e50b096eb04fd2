"""The input of a command: its flags, and the user's settings. These are from flags, environment variables, the
configuration file and defaults: the first of these wins.

The file is TOML: `wherefrom/config.toml` in the user's configuration folder, or the file that WHEREFROM_CONFIG names.
Its keys are all fields with `setting=True`: of `Settings`, of the classes in `wherefrom.options`, and of the options of
engines (such keys begin with the name of the engine and `_`). The environment variable of a key is WHEREFROM_ and the
key in capitals; an empty variable counts as unset. A relative path in the file starts at the folder of the file, a
relative path in a flag or variable at the working directory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import platformdirs
import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.errors import ExtraMissing, UsageError
from wherefrom.extend import KINDS, parse_location, pinned, servers
from wherefrom.options import EngineOptions
from wherefrom.options.fields import AnyPath, Choice, Field, FilePath, Kind, Options, Text, fields_of, make, option
from wherefrom.options.shared import Limits, Without
from wherefrom.public import PublishedOptions
from wherefrom.support.values import dataclass, field, replace
from wherefrom.support.version import remedy

if TYPE_CHECKING:
    from wherefrom.extend import Analyzer

CONFIG_VARIABLE = "WHEREFROM_CONFIG"

_Made = TypeVar("_Made", bound=Options)


@dataclass(frozen=True)
class IndexLocation(Kind):
    """The location of an index (`wherefrom.engines.kinds`); paths become absolute, starting at `base`."""

    base: Path | None = None
    metavar: str | None = "PATH-OR-URL"

    def check(self, value: Any, name: str) -> str:
        """Accepts a path or a URL; returns it with the path made absolute."""
        location = AnyPath().check(value, name)
        try:
            return str(parse_location(location, self.base))
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from error


@dataclass(frozen=True, kw_only=True)
class Settings(Options):
    """The settings of the program itself. Settings for a call of the library are fields of the options of that call."""

    index: str = option(
        "",
        IndexLocation(),
        "The location of the index.",
        setting=True,
        default_help="`wherefrom/index` in the user's data folder",
    )
    expect: str | None = option(
        None, Text("SHA256"), "The SHA-256 that `publish` printed; an index published since is refused.", setting=True
    )
    posts: Path = option(
        Path(),
        FilePath("FILE"),
        "The file for imported posts.",
        setting=True,
        default_help="`wherefrom/posts.sqlite` in the user's data folder",
    )
    tokens: Path = option(
        Path(),
        FilePath("FILE"),
        "The file of the tokens that `serve` accepts.",
        setting=True,
        default_help="`wherefrom/tokens.json` in the user's data folder",
    )
    color: str = option(
        "auto",
        Choice(("auto", "always", "never")),
        "When to use colors; auto: on a terminal, unless NO_COLOR is set.",
        setting=True,
    )
    stackexchange_key: str | None = option(
        None,
        Text(secret=True),
        "The key of an application registered with Stack Exchange; its API then allows 10,000 requests a day, not 300.",
        setting=True,
        flag=False,
    )
    stackexchange_api: str | None = option(
        None,
        Text("URL"),
        "The address of that API, up to its version.",
        setting=True,
        default_help="`https://api.stackexchange.com/2.3`",
        flag=False,
    )


def variable(key: str) -> str:
    """The environment variable of a key of the configuration file."""
    return f"WHEREFROM_{key.upper()}"


@cache
def known() -> Mapping[str, Field]:
    """The fields of all settings (of the program, the calls and the engines), by the key in the configuration file. If
    several classes have a field of one name, one setting sets it in all.
    """
    from wherefrom import options  # noqa: PLC0415 -- most commands have no settings, and need one of these classes
    from wherefrom.options.serving import ServeOptions  # noqa: PLC0415

    calls: tuple[type[Options], ...] = (
        Settings,
        options.IndexOptions,
        options.SearchOptions,
        options.SimilarOptions,
        options.SourcesOptions,
        options.CheckOptions,
        options.CopyOptions,
        options.PostsOptions,
        options.LearnOptions,
        ServeOptions,
    )
    classes: list[tuple[str, type[Options]]] = [("", call) for call in calls]
    classes += [(f"{kind.name}_", kind.options) for kind in KINDS if kind.options]
    return {f"{prefix}{field.name}": field for prefix, call in classes for field in fields_of(call) if field.setting}


class Configuration:
    """Combines the values of the environment and the configuration file (`values`: by key, the value and its name in
    error messages) with flags. The methods raise `UsageError` for wrong values, and for values that exclude each other.
    """

    def __init__(self, values: Mapping[str, tuple[Any, str]]) -> None:
        self._values = values

    def settings(self, **flags: Any) -> Settings:
        """The settings of the program. `flags` has the values of flags by field name; None for a flag not given."""
        data = platformdirs.user_data_path("wherefrom")
        given = self.options(Settings, flags)
        index = given.index or str(data / "index")
        files = {
            name: data / usual if getattr(given, name) == Path() else getattr(given, name).absolute()
            for name, usual in (("posts", "posts.sqlite"), ("tokens", "tokens.json"))
        }
        return Settings(**{**vars(given), "index": index, **files})

    def options(self, call: type[_Made], flags: Mapping[str, Any]) -> _Made:
        """The options of class `call`, from the settings and from `flags` (as in `settings`), which take precedence."""
        by_name = {field.name: field for field in fields_of(call)}
        settings = [name for name in by_name if by_name[name].setting and name in self._values]
        values = [(name, *self._values[name]) for name in settings]
        if "without" in settings and flags.get("without") is None:
            # The setting `without` applies to every index, so an index may lack some of the sets without an error.
            values.append(("allow_missing_sets", True, "allow_missing_sets"))
        values += [(name, value, flag_of(by_name[name])) for name, value in flags.items() if value is not None]
        return make(call, values)

    def engine(self, location: str) -> EngineOptions | None:
        """The options for the engine of an index at a location; None if that engine has no options."""
        kind = parse_location(location).kind
        if kind.options is None:
            return None
        prefix = f"{kind.name}_"
        return make(
            kind.options,
            [(key.removeprefix(prefix), *value) for key, value in self._values.items() if key.startswith(prefix)],
        )


def flag_of(field: Field) -> str:
    """How error messages name a field whose value is from the command line: its first flag."""
    return field.flag.split()[0].partition("/")[0] if field.flag else field.name


def load(environment: Mapping[str, str] | None = None) -> Configuration:
    """Reads the environment (`os.environ` unless given) and the configuration file. Raises UsageError if a value is
    wrong, a key is unknown, or the file cannot be read.
    """
    environment = os.environ if environment is None else environment
    values = _from_file(environment.get(CONFIG_VARIABLE, ""))
    # Most environments set nothing, and then the classes of other calls are not loaded.
    for key, known_field in known().items() if any(name.startswith(variable("")) for name in environment) else ():
        if text := environment.get(variable(key), ""):
            values[key] = known_field.kind.parse(text, variable(key)), variable(key)
    return Configuration(values)


def config_path(named: str = "") -> Path:
    """The configuration file: `named` (by WHEREFROM_CONFIG), or `config.toml` in the user's configuration folder."""
    return Path(named).expanduser() if named else platformdirs.user_config_path("wherefrom") / "config.toml"


def _from_file(named: str) -> dict[str, tuple[Any, str]]:
    path = config_path(named)
    try:
        content = path.read_bytes()
        import tomllib  # noqa: PLC0415 -- most users have no such file

        values = tomllib.loads(content.decode())
    except FileNotFoundError:
        if not named:
            return {}
        raise UsageError(f"{CONFIG_VARIABLE} names {path}, which is not there; unset it or name a file") from None
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}; fix its permissions or name another in {CONFIG_VARIABLE}"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML ({error}); fix it") from error
    unknown = sorted(set(values) - set(known()))
    if unknown:
        raise UsageError(f"{path}: unknown key {', '.join(map(repr, unknown))}; known are {', '.join(known())}")
    return {
        key: (_under(path.parent, known()[key], value, f"{path}: {key}"), f"{path}: {key}")
        for key, value in values.items()
    }


def _under(folder: Path, field: Field, value: Any, name: str) -> Any:
    """Checks the value of a key; a relative path starts at the folder of the file."""
    if isinstance(field.kind, IndexLocation):
        return IndexLocation(folder).check(value, name)
    checked = field.check(value, name)
    return folder.joinpath(checked).absolute() if isinstance(checked, Path) else checked


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
        self.flags = {**state.flags, **{name: value for name, value in flags.items() if value is not None}}
        self.settings = self.configuration.settings(**self.flags)

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

    def engine(self, location: str | None = None) -> wherefrom.EngineOptions | None:
        """The options for the engine of an index, by default the index in the settings. None if it has no options."""
        return self.configuration.engine(self.settings.index if location is None else location)

    def opener(self, read_from: Sequence[Path] = (), *, location: str | None = None) -> Callable[[], wherefrom.Index]:
        """Returns a function that opens the index at a location, by default the one in the settings. It can be passed
        to another process.
        """
        from wherefrom.public import open_index  # noqa: PLC0415 -- `--help` does not wait for it

        engine, index, expect = self.engine(location), self.settings.index, self.settings.expect
        location = location or (index if expect is None else pinned(index, expect))
        return partial(open_index, location, engine, read_from=read_from, parse_memory=self.parse_memory)

    def open_index(self, read_from: Sequence[Path] = ()) -> wherefrom.Index:
        """Opens the index in the settings. Warns if it lacks a boilerplate set that the setting `without` names."""
        _bound([self.settings.index])
        index = self.opener(read_from)()
        if self._usual:
            from wherefrom.extend import unknown_names  # noqa: PLC0415

            for name in unknown_names(self._usual, index.boilerplate_names(built_in=True)):
                console.warn(f"the setting `without` names {name!r}, and this index has no such boilerplate set")
        return index

    def open_indexes(self, locations: Sequence[str], read_from: Sequence[Path]) -> wherefrom.Indexes:
        """Opens some indexes, by default the index in the settings. Code that they lack is read from clones."""
        from wherefrom.public import Indexes, open_indexes  # noqa: PLC0415 -- `--help` does not wait for it

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

    def analyzer(self) -> Analyzer:
        """An analyzer with the memory of the settings."""
        from wherefrom.extend import Analyzer  # noqa: PLC0415 -- `--help` does not wait for it

        return Analyzer(self.parse_memory)
