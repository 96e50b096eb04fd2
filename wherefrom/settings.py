"""What the user has set: flags, else environment, else the configuration file, else the defaults.

The file is TOML: `wherefrom/config.toml` in the user's configuration folder, or what WHEREFROM_CONFIG names. Its keys
are the fields of `Settings`. The environment variable of a key is WHEREFROM_ and the key in capitals; an empty one
counts as unset. Relative paths in the file start at its folder, those of flags and variables at the working directory.
"""

from __future__ import annotations

import math
import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from wherefrom.check.base import FAILING, Rule, rules
from wherefrom.engines import ElasticsearchOptions, locations
from wherefrom.errors import UsageError
from wherefrom.model import LEAST_PARSE_MEMORY, MAX_FILE_SIZE, PARSE_MEMORY, PARSE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CONFIG_VARIABLE = "WHEREFROM_CONFIG"

COLORS = ("auto", "always", "never")

NO_RULE = "none"
"""What is named where no rule fails."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run.

    Attributes:
        index: where the index is: the absolute path of a folder, or a URL (`wherefrom.engines.locations`).
        cache: the folder for clones of repository URLs.
        jobs: worker processes of an indexing run, None for one on each core.
        limit: hits at most.
        max_file_size: longer files are not indexed, in bytes.
        parse_seconds: files that take longer to parse are not indexed.
        parse_memory: what a process that parses may use at most, in bytes.
        color: `auto` (on a terminal), `always` or `never`.
        own: repository keys that are the user's own (`*`, `?`), for `wherefrom check`.
        fail_on: the rules that fail in `wherefrom check`, empty for none.
        posts: the file in which imported posts are kept.
        stackexchange_key: of an application registered with Stack Exchange, for its API.
        stackexchange_api: the address of that API up to its version, None for the public one.
        elasticsearch_user: and the other fields of that beginning: `wherefrom.engines.ElasticsearchOptions`.
    """

    index: str
    cache: Path
    posts: Path
    jobs: int | None = None
    limit: int = 10
    max_file_size: int = MAX_FILE_SIZE
    parse_seconds: float = PARSE_SECONDS
    parse_memory: int = PARSE_MEMORY
    color: str = "auto"
    stackexchange_key: str | None = field(default=None, repr=False)
    stackexchange_api: str | None = None
    elasticsearch_user: str | None = None
    elasticsearch_password: str | None = field(default=None, repr=False)
    elasticsearch_api_key: str | None = field(default=None, repr=False)
    elasticsearch_ca_file: Path | None = None
    elasticsearch_timeout: float = 60.0
    elasticsearch_shards: int = 1
    elasticsearch_replicas: int | None = None
    own: tuple[str, ...] = ()
    fail_on: tuple[Rule, ...] = FAILING

    @property
    def elasticsearch(self) -> ElasticsearchOptions:
        """How to connect to Elasticsearch.

        Raises:
            UsageError: settings that do not go together.
        """
        return ElasticsearchOptions(
            user=self.elasticsearch_user,
            password=self.elasticsearch_password,
            api_key=self.elasticsearch_api_key,
            ca_file=self.elasticsearch_ca_file,
            timeout=self.elasticsearch_timeout,
            shards=self.elasticsearch_shards,
            replicas=self.elasticsearch_replicas,
        )


def load(flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in force.

    Args:
        flags: what the command line gives, by field; None stands for a flag that is not given.
        environment: `os.environ` unless given.

    Raises:
        UsageError: a value that cannot be right, an unknown key in the file, or a file that cannot be read.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {
        "index": str(platformdirs.user_data_path("wherefrom") / "index"),
        "cache": platformdirs.user_cache_path("wherefrom") / "clones",
        "posts": platformdirs.user_data_path("wherefrom") / "posts.sqlite",
    }
    values |= _from_file(environment.get(CONFIG_VARIABLE, ""))
    for name, kind in _KINDS.items():
        text = environment.get(variable(name), "")
        if text:
            values[name] = kind(_parsed(name, text), variable(name), Path())
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _KINDS[name](value, f"--{name.replace('_', '-')}", Path())
    return Settings(**values)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"WHEREFROM_{name.upper()}"


def config_path(named: str = "") -> Path:
    """The configuration file: the one that WHEREFROM_CONFIG names, else the user's."""
    return Path(named).expanduser() if named else platformdirs.user_config_path("wherefrom") / "config.toml"


def _from_file(named: str) -> dict[str, Any]:
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
    unknown = sorted(set(values) - set(_KINDS))
    if unknown:
        raise UsageError(f"{path}: unknown key {', '.join(map(repr, unknown))}; known are {', '.join(_KINDS)}")
    return {name: _KINDS[name](value, f"{path}: {name}", path.parent) for name, value in values.items()}


def _parsed(name: str, text: str) -> int | float | str:
    """A variable's text as a number where the setting is one; what is none stays text, and is refused as such."""
    if name not in _NUMBERS:
        return text
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _wrong(where: str, value: Any, remedy: str) -> UsageError:
    return UsageError(f"{where} is {_as_typed(value)}; {remedy}")


def _as_typed(value: Any) -> str:
    """A value as a user writes it: several with commas between them, `true` and `false` as in TOML."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_as_typed, value)) or "[]"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _location(value: Any, where: str, base: Path) -> str:
    """The location of an index; a path is made absolute."""
    if not isinstance(value, str) or not value.strip():
        raise _wrong(where, value, "give a path or a URL")
    try:
        return str(locations.parse(value, base))
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error


def _path(value: Any, where: str, base: Path) -> Path:
    if not isinstance(value, str | Path) or not str(value).strip():
        raise _wrong(where, value, "give a path")
    return _absolute(str(value), base)


def _absolute(value: str, base: Path) -> Path:
    try:
        return (base / Path(value).expanduser()).absolute()
    except RuntimeError as error:  # no such user, no home
        raise UsageError(f"{value!r}: {error}; give an absolute path") from error


def _text(value: Any, where: str, base: Path) -> str:  # noqa: ARG001 -- one signature for every kind
    """A text that is not shown where it is wrong: it may be a secret."""
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{where} is not text; give one, or leave it out")
    return value


def _positive_int(value: Any, where: str, base: Path) -> int:  # noqa: ARG001 -- one signature for every kind
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _wrong(where, value, "give a whole number from 1 on")
    return value


def _count(value: Any, where: str, base: Path) -> int:  # noqa: ARG001 -- one signature for every kind
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong(where, value, "give a whole number from 0 on")
    return value


def _memory(value: Any, where: str, base: Path) -> int:  # noqa: ARG001 -- one signature for every kind
    if isinstance(value, bool) or not isinstance(value, int) or value < LEAST_PARSE_MEMORY:
        raise _wrong(where, value, f"give a number of bytes from {LEAST_PARSE_MEMORY} on")
    return value


def _positive_seconds(value: Any, where: str, base: Path) -> float:  # noqa: ARG001 -- one signature for every kind
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        raise _wrong(where, value, "give a number of seconds above 0")
    return float(value)


def _color(value: Any, where: str, base: Path) -> str:  # noqa: ARG001 -- one signature for every kind
    if value not in COLORS:
        raise _wrong(where, value, f"give one of {', '.join(COLORS)}")
    return str(value)


def _texts(value: Any, where: str, base: Path) -> tuple[str, ...]:  # noqa: ARG001 -- one signature for every kind
    """Several texts: a list, or one text with commas between them."""
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) and each.strip() for each in given):
        raise _wrong(where, value, "give a list of texts, or one with commas between them")
    return tuple(each.strip() for each in given)


def _rules(value: Any, where: str, base: Path) -> tuple[Rule, ...]:
    names = _texts(value, where, base)
    if names == (NO_RULE,):
        return ()
    try:
        given = rules(names)
    except UsageError:
        given = ()
    if not given:
        raise _wrong(where, value, f"give some of {', '.join(Rule)}, or {NO_RULE} alone")
    return given


_KINDS: dict[str, Callable[[Any, str, Path], Any]] = {
    "index": _location,
    "cache": _path,
    "posts": _path,
    "jobs": _positive_int,
    "limit": _positive_int,
    "max_file_size": _positive_int,
    "parse_seconds": _positive_seconds,
    "parse_memory": _memory,
    "color": _color,
    "stackexchange_key": _text,
    "stackexchange_api": _text,
    "elasticsearch_user": _text,
    "elasticsearch_password": _text,
    "elasticsearch_api_key": _text,
    "elasticsearch_ca_file": _path,
    "elasticsearch_timeout": _positive_seconds,
    "elasticsearch_shards": _positive_int,
    "elasticsearch_replicas": _count,
    "own": _texts,
    "fail_on": _rules,
}
"""Each setting with what checks a value: (value, what to call it, the folder that a relative path starts at)."""

_NUMBERS = {name for name, kind in _KINDS.items() if kind in (_positive_int, _positive_seconds, _count, _memory)}

assert tuple(_KINDS) == tuple(field.name for field in fields(Settings))
