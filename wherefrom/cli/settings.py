"""What the user has set: flags, else environment, else the configuration file, else the defaults.

The file is TOML: `wherefrom/config.toml` in the user's configuration folder, or what WHEREFROM_CONFIG names. Its keys
are the fields of `Settings`, those fields of `wherefrom.options` that are settings, and those of an engine's options
after the engine's name and `_`. The environment variable of a key is WHEREFROM_ and the key in capitals; an empty one
counts as unset. Relative paths in the file start at its folder, those of flags and variables at the working directory.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from wherefrom.engines import KINDS, locations
from wherefrom.errors import UsageError
from wherefrom.options import (
    CheckOptions,
    CopyOptions,
    EngineOptions,
    IndexOptions,
    LearnOptions,
    PostsOptions,
    SearchOptions,
    SimilarOptions,
    SourcesOptions,
)
from wherefrom.options.fields import Choice, Field, FilePath, Kind, Options, Text, fields_of, make, option, shown
from wherefrom.options.serving import McpOptions, ServeOptions

CONFIG_VARIABLE = "WHEREFROM_CONFIG"

_Made = TypeVar("_Made", bound=Options)


@dataclass(frozen=True)
class IndexLocation(Kind):
    """The location of an index (`wherefrom.engines.locations`); a path is kept as an absolute one."""

    base: Path | None = None
    metavar: str | None = "PATH-OR-URL"

    def check(self, value: Any, name: str) -> str:
        """See `wherefrom.options.fields.Kind`."""
        if not isinstance(value, str) or not value.strip():
            raise UsageError(f"{name} must be a path or a URL, not {shown(value)}")
        try:
            return str(locations.parse(value, self.base))
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from error


@dataclass(frozen=True, kw_only=True)
class Settings(Options):
    """The settings of the program itself; those of a call are in the options of the call."""

    index: str = option(
        "",
        IndexLocation(),
        "Where the index is.",
        flag="--index",
        setting=True,
        default_help="`wherefrom/index` in the user's data folder",
    )
    posts: Path = option(
        Path(),
        FilePath("FILE"),
        "The file in which imported posts are kept.",
        flag="--posts",
        setting=True,
        default_help="`wherefrom/posts.sqlite` in the user's data folder",
    )
    color: str = option(
        "auto",
        Choice(("auto", "always", "never")),
        "Colors; auto: on a terminal, unless NO_COLOR is set.",
        flag="--color",
        setting=True,
    )
    stackexchange_key: str | None = option(
        None,
        Text(secret=True),
        "The key of an application registered with Stack Exchange: its API answers 10,000 requests a day, not 300.",
        setting=True,
    )
    stackexchange_api: str | None = option(
        None,
        Text("URL"),
        "The address of that API up to its version.",
        setting=True,
        default_help="`https://api.stackexchange.com/2.3`",
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of the configuration file, and the field of an options class that it sets."""

    key: str
    field: Field

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return f"WHEREFROM_{self.key.upper()}"


@cache
def known() -> Mapping[str, Setting]:
    """Every setting by its key: those of the program, those of the calls, those of the engines."""
    classes: list[tuple[str, type[Options]]] = [("", call) for call in CALLS]
    classes += [(f"{kind.name}_", kind.options) for kind in KINDS if kind.options]
    return {
        f"{prefix}{field.name}": Setting(f"{prefix}{field.name}", field)
        for prefix, options in classes
        for field in fields_of(options)
        if field.setting
    }


CALLS: tuple[type[Options], ...] = (
    Settings,
    IndexOptions,
    SearchOptions,
    SimilarOptions,
    SourcesOptions,
    CheckOptions,
    CopyOptions,
    PostsOptions,
    LearnOptions,
    McpOptions,
    ServeOptions,
)
"""The options whose fields may be settings. A setting that several have is the same in all of them."""


class Configuration:
    """What the environment and the configuration file set: (value, what an error calls it) by key.

    Its methods raise `UsageError` for a value that cannot be right, and for values that do not go together.
    """

    def __init__(self, values: Mapping[str, tuple[Any, str]]) -> None:
        self._values = values

    def settings(self, **flags: Any) -> Settings:
        """The settings of the program, with what the command line gives by field: None for a flag that is not given."""
        data = platformdirs.user_data_path("wherefrom")
        given = self.options(Settings, flags)
        index = given.index or str(data / "index")
        posts = data / "posts.sqlite" if given.posts == Path() else given.posts.absolute()
        return Settings(**{**vars(given), "index": index, "posts": posts})

    def options(self, call: type[_Made], flags: Mapping[str, Any], **others: Any) -> _Made:
        """The options of a call from flags, as in `settings`, and fields that are not on the command line."""
        by_name = {field.name: field for field in fields_of(call)}
        settings = [name for name in by_name if by_name[name].setting and name in self._values]
        if "without" in settings and flags.get("without") is None:
            # It holds for every index; that one of them lacks a set is not an error, as it is where a set is typed.
            others = {"allow_missing_sets": True, **others}
        return make(
            call,
            [
                *((name, *self._values[name]) for name in settings),
                *((name, value, name) for name, value in others.items()),
                *((name, value, flag_of(by_name[name])) for name, value in flags.items() if value is not None),
            ],
        )

    def engine(self, location: str) -> EngineOptions | None:
        """The options of a location's engine; None if it has none."""
        kind = locations.parse(location).kind
        if kind.options is None:
            return None
        prefix = f"{kind.name}_"
        return make(
            kind.options,
            [(key.removeprefix(prefix), *value) for key, value in self._values.items() if key.startswith(prefix)],
        )


def flag_of(field: Field) -> str:
    """What an error calls a field that the command line gives."""
    return field.flag.split()[0].partition("/")[0] if field.flag else field.name


def load(environment: Mapping[str, str] | None = None) -> Configuration:
    """What the environment (`os.environ` unless given) and the configuration file set.

    Raises:
        UsageError: a value that cannot be right, an unknown key in the file, or a file that cannot be read.
    """
    environment = os.environ if environment is None else environment
    values = _from_file(environment.get(CONFIG_VARIABLE, ""))
    for setting in known().values():
        text = environment.get(setting.variable, "")
        if text:
            values[setting.key] = setting.field.kind.parse(text, setting.variable), setting.variable
    return Configuration(values)


def config_path(named: str = "") -> Path:
    """The configuration file: the one that WHEREFROM_CONFIG names, else the user's."""
    return Path(named).expanduser() if named else platformdirs.user_config_path("wherefrom") / "config.toml"


def _from_file(named: str) -> dict[str, tuple[Any, str]]:
    path = config_path(named)
    try:
        values = tomllib.loads(path.read_bytes().decode())
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
        key: (_under(path.parent, known()[key].field, value, f"{path}: {key}"), f"{path}: {key}")
        for key, value in values.items()
    }


def _under(folder: Path, field: Field, value: Any, name: str) -> Any:
    """The value of a key, checked; a relative path starts at the folder of the file."""
    if isinstance(field.kind, IndexLocation):
        return IndexLocation(folder).check(value, name)
    checked = field.check(value, name)
    return folder.joinpath(checked).absolute() if isinstance(checked, Path) else checked
