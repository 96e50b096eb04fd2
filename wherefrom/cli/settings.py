"""The user's settings, from flags, environment variables, the configuration file and defaults: the first of these wins.

The file is TOML: `wherefrom/config.toml` in the user's configuration folder, or the file that WHEREFROM_CONFIG names.
Its keys are all fields with `setting=True`: of `Settings`, of the classes in `wherefrom.options`, and of the options of
engines (such keys begin with the name of the engine and `_`). The environment variable of a key is WHEREFROM_ and the
key in capitals; an empty variable counts as unset. A relative path in the file starts at the folder of the file, a
relative path in a flag or variable at the working directory.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from wherefrom.engines import KINDS
from wherefrom.engines.kinds import parse_location
from wherefrom.errors import UsageError
from wherefrom.options import EngineOptions
from wherefrom.options.fields import AnyPath, Choice, Field, FilePath, Kind, Options, Text, fields_of, make, option
from wherefrom.support.values import dataclass

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
        None,
        Text("SHA256"),
        "The SHA-256 that `publish` printed; an index published since is refused.",
        setting=True,
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
    from wherefrom.options import serving  # noqa: PLC0415

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
        serving.LspOptions,
        serving.McpOptions,
        serving.ServeOptions,
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
    """Reads the environment (`os.environ` unless given) and the configuration file.

    Raises:
        UsageError: a value is wrong, a key is unknown, or the file cannot be read.
    """
    environment = os.environ if environment is None else environment
    values = _from_file(environment.get(CONFIG_VARIABLE, ""))
    # Most environments set nothing, and then the classes of other calls are not loaded.
    for key, field in known().items() if any(name.startswith(variable("")) for name in environment) else ():
        if text := environment.get(variable(key), ""):
            values[key] = field.kind.parse(text, variable(key)), variable(key)
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
