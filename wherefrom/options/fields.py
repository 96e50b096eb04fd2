"""Fields of options: each is written once, with its meaning, unit, default, range and flag.

An options class is a frozen dataclass whose fields are made by `option`. The library, the command line, the
configuration file and the environment all take them from there: `fields_of` lists them.

```python
@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    limit: int = option(10, Whole(at_least=1), "Hits at most.", flag=True, setting=True)
```
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

from wherefrom.errors import LanguageError, UsageError

_Value = TypeVar("_Value")

_KEY = "wherefrom"
"""The key of our metadata in a dataclass field."""


class Kind(ABC):
    """What values a field takes; `typed` is the type of a value on the command line."""

    typed: ClassVar[Any] = str

    @property
    @abstractmethod
    def metavar(self) -> str | None:
        """What the help of the command line calls the value; None for a flag without a value."""

    @abstractmethod
    def check(self, value: Any, name: str) -> Any:
        """The value as the field keeps it.

        Raises:
            UsageError: the field does not take this value. The error calls it `name`: `--limit`, `WHEREFROM_LIMIT`.
        """

    def parse(self, text: str, name: str) -> Any:
        """The value of an environment variable, checked."""
        return self.check(text, name)


def shown(value: Any) -> str:
    """A value as a user writes it: several with commas between them, `true` and `false` as in TOML."""
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value)) or "[]"
    return str(value).lower() if isinstance(value, bool) else repr(value)


class _Number(Kind):
    typed: ClassVar[Any] = float

    def _checked(self, value: Any, name: str, words: str, fits: Callable[[Any], bool]) -> Any:
        """A number that fits what the words say."""
        if isinstance(value, int | self.typed) and not isinstance(value, bool) and fits(value):
            return self.typed(value)
        raise UsageError(f"{name} must be {words}, not {shown(value)}")

    def parse(self, text: str, name: str) -> Any:
        """See `Kind`. A text that is not a number is refused as such."""
        for kind in (int, float):
            try:
                return self.check(kind(text), name)
            except ValueError as error:
                if isinstance(error, UsageError):
                    raise
        return self.check(text, name)


class _List(Kind):
    typed: ClassVar[Any] = list[str]

    def parse(self, text: str, name: str) -> Any:
        """See `Kind`. There are commas between the values."""
        return self.check([item.strip() for item in text.split(",")], name)


@dataclass(frozen=True)
class Whole(_Number):
    """A whole number in a range, both ends inclusive."""

    typed: ClassVar[Any] = int
    at_least: int
    at_most: int | None = None
    unit: str = ""
    metavar: str | None = "N"

    def check(self, value: Any, name: str) -> Any:
        """See `Kind`."""
        of = f" of {self.unit}" if self.unit else ""
        allowed = f"at least {self.at_least}" if self.at_most is None else f"{self.at_least} to {self.at_most}"
        most = math.inf if self.at_most is None else self.at_most
        return self._checked(value, name, f"a whole number{of}, {allowed}", lambda it: self.at_least <= it <= most)


@dataclass(frozen=True)
class Seconds(_Number):
    """A number of seconds above 0."""

    metavar: str | None = "SECONDS"

    def check(self, value: Any, name: str) -> Any:
        """See `Kind`."""
        return self._checked(value, name, "a number of seconds above 0", lambda it: 0 < it < math.inf)


@dataclass(frozen=True)
class Share(_Number):
    """A share of a whole, up to 1; 0 only if `zero` says so."""

    zero: bool = True
    metavar: str | None = "SHARE"

    def check(self, value: Any, name: str) -> Any:
        """See `Kind`."""
        allowed = "from 0 to 1" if self.zero else "above 0, up to 1"
        return self._checked(value, name, f"a share {allowed}", lambda it: 0 < it <= 1 or (it == 0 and self.zero))


@dataclass(frozen=True)
class ShareOrCount(_Number):
    """A share above 0 and below 1, or a whole number of at least `at_least`."""

    at_least: int
    metavar: str | None = "N|SHARE"

    def check(self, value: Any, name: str) -> Any:
        """See `Kind`."""
        words = f"a whole number of at least {self.at_least}, or a share between 0 and 1"
        return self._checked(
            value, name, words, lambda it: 0 < it < 1 or (self.at_least <= it < math.inf and it == int(it))
        )


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no."""

    typed: ClassVar[Any] = bool
    metavar: str | None = None

    def check(self, value: Any, name: str) -> bool:
        """See `Kind`."""
        if not isinstance(value, bool):
            raise UsageError(f"{name} must be true or false, not {shown(value)}")
        return value

    def parse(self, text: str, name: str) -> bool:
        """See `Kind`."""
        return self.check({"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text), name)


@dataclass(frozen=True)
class Text(Kind):
    """A text that is not empty. A wrong value of a `secret` is not repeated."""

    metavar: str | None = "TEXT"
    secret: bool = False

    def check(self, value: Any, name: str) -> str:
        """See `Kind`."""
        if not isinstance(value, str) or not value.strip():
            wrong = "" if self.secret or isinstance(value, str) else f", not {shown(value)}"
            raise UsageError(f"{name} must be a text that is not empty{wrong}")
        return value


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words."""

    words: tuple[str, ...]
    metavar: str | None = "WORD"

    def check(self, value: Any, name: str) -> Any:
        """See `Kind`."""
        if value not in self.words:
            raise UsageError(f"{name} must be one of {', '.join(self.words)}, not {shown(value)}")
        return value


@dataclass(frozen=True)
class Day(Kind):
    """A day, `YYYY-MM-DD` as a text."""

    metavar: str | None = "YYYY-MM-DD"

    def check(self, value: Any, name: str) -> date:
        """See `Kind`."""
        if type(value) is date:
            return value
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError):
            raise UsageError(f"{name} must be a day such as 2024-12-31, not {shown(value)}") from None


@dataclass(frozen=True)
class FilePath(Kind):
    """A path in the file system; kept as it is, `~` expanded."""

    metavar: str | None = "PATH"

    def check(self, value: Any, name: str) -> Path:
        """See `Kind`."""
        if not isinstance(value, str | os.PathLike) or not str(value).strip() or "\0" in str(value):
            raise UsageError(f"{name} must be a path, not {shown(value)}")
        try:
            return Path(value).expanduser()
        except RuntimeError as error:  # no such user, no home
            raise UsageError(f"{name} is {str(value)!r}: {error}; use an absolute path") from error


@dataclass(frozen=True)
class Several(_List):
    """Any number of values of the kind `item`, kept as a tuple; the word `none` alone means no value at all. A single
    text is refused: it would be taken letter by letter.
    """

    item: Kind
    none: str | None = None

    @property
    def metavar(self) -> str | None:
        """See `Kind`."""
        return self.item.metavar

    def check(self, value: Any, name: str) -> tuple[Any, ...]:
        """See `Kind`."""
        if isinstance(value, str | bytes | os.PathLike):
            raise UsageError(f"{name} must be a list, not one value; use [{os.fspath(value)!r}]")
        try:
            values = tuple(value)
        except TypeError:
            raise UsageError(f"{name} must be a list, not {shown(value)}") from None
        if self.none is not None and values == (self.none,):
            return ()
        return tuple(self.item.check(item, name) for item in values)


@dataclass(frozen=True)
class Words(_List):
    """Any number of the members of an enumeration, kept as a tuple; the word `none` alone means no member at all."""

    members: type[StrEnum]
    none: str | None = None
    metavar: str | None = "WORD"

    def check(self, value: Any, name: str) -> tuple[Any, ...]:
        """See `Kind`."""
        words = Several(Text()).check(value, name)
        if self.none is not None and words == (self.none,):
            return ()
        try:
            return tuple(map(self.members, words))
        except ValueError:
            known = ", ".join(self.members) + (f", or {self.none} alone" if self.none else "")
            raise UsageError(f"{name} must be some of {known}, not {shown(words)}") from None


@dataclass(frozen=True)
class LanguageName(Kind):
    """The name of a language, or an alias of it; kept as the name."""

    metavar: str | None = "NAME"

    def check(self, value: Any, name: str) -> str:
        """See `Kind`."""
        from wherefrom import languages  # noqa: PLC0415 -- only a command that names a language waits for the table

        try:
            return languages.get(Text().check(value, name)).name
        except LanguageError as error:
            raise LanguageError(f"{name}: {error}") from error


@dataclass(frozen=True)
class LineRange(Kind):
    """First and last line, from 1, inclusive."""

    metavar: str | None = None

    def check(self, value: Any, name: str) -> tuple[int, int]:
        """See `Kind`."""
        if isinstance(value, Sequence) and len(value) == 2 and all(type(line) is int for line in value):
            first, last = value
            if 1 <= first <= last:
                return first, last
        raise UsageError(f"{name} has to be the first and the last line, from 1, not {value!r}; use such as (10, 20)")


@dataclass(frozen=True)
class AnyPath(Kind):
    """A path or a URL, kept as it is written."""

    metavar: str | None = "PATH"

    def check(self, value: Any, name: str) -> str:
        """See `Kind`."""
        text = os.fspath(value) if isinstance(value, os.PathLike) else value
        if not isinstance(text, str) or not text.strip() or "\0" in text:
            raise UsageError(f"{name} must be a path or a URL, not {shown(value)}")
        return text


@dataclass(frozen=True)
class AnyValue(Kind):
    """A value that only the library passes, such as a callable: its type is its only check."""

    metavar: str | None = None

    def check(self, value: Any, name: str) -> Any:  # noqa: ARG002 -- as `Kind` has it
        """See `Kind`."""
        return value

    def parse(self, text: str, name: str) -> Any:
        """See `Kind`."""
        raise UsageError(f"{name} cannot be set by a text ({shown(text)}); unset it")


@dataclass(frozen=True)
class Field:
    """One field of an options class.

    Attributes:
        name: in Python, and in the configuration file.
        kind: the values it takes.
        meaning: what it is for, one sentence or two; the help of its flag.
        default: the value where nothing is given.
        default_help: what the help calls the default, if its value does not say it.
        flag: on the command line; None if only the library has it.
        setting: whether the configuration file and the environment may set it.
    """

    name: str
    kind: Kind
    meaning: str
    default: Any
    default_help: str | None
    flag: str | None
    setting: bool

    def check(self, value: Any, name: str | None = None) -> Any:
        """The value as the field keeps it; None is kept where it is the default. See `Kind.check`."""
        if value is None and self.default is None:
            return None
        return self.kind.check(value, name or self.name)


def option(
    default: _Value,
    kind: Kind,
    meaning: str,
    *,
    flag: str | bool = False,
    setting: bool = False,
    default_help: str | None = None,
    compare: bool = True,
) -> _Value:
    """A field of an options class; the arguments are those of `Field`, and `flag` is True for one of the field's name.

    A secret is left out of the `repr`, what has no flag and is not compared (`compare`) too.
    """
    metadata = {_KEY: (kind, meaning, flag, setting, default_help)}
    is_secret = isinstance(kind, Text) and kind.secret
    # What `dataclasses.field` returns is a Field; to type checkers it has the type of the default, as this function.
    return dataclasses.field(default=default, repr=compare and not is_secret, compare=compare, metadata=metadata)


def listener(meaning: str) -> Any:
    """A field for a function that is called while the work goes on; only the library has it."""
    return option(None, AnyValue(), meaning, compare=False)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all options: every value is checked when the object is made, and `UsageError` names a wrong one."""

    def __post_init__(self) -> None:
        for field in fields_of(type(self)):
            value = getattr(self, field.name)
            if value is not field.default:
                object.__setattr__(self, field.name, field.check(value))
        self.check_together()

    def check_together(self) -> None:
        """Refuses values that do not go together; for subclasses."""


def fields_of(options: type[Options]) -> tuple[Field, ...]:
    """The fields of an options class: those of its bases in their order, then its own."""
    known = _FIELDS.get(options)
    if known is None:
        known = _FIELDS[options] = _fields_of(options)
    return known


_FIELDS: dict[type[Options], tuple[Field, ...]] = {}


def _fields_of(options: type[Options]) -> tuple[Field, ...]:
    declared = {field.name: field for field in dataclasses.fields(options)}
    names = dict.fromkeys(name for owner in (*options.__mro__[1:], options) for name in inspect.get_annotations(owner))
    return tuple(_field(declared[name]) for name in names if name in declared)


def _field(declared: dataclasses.Field[Any]) -> Field:
    kind, meaning, flag, setting, default_help = declared.metadata[_KEY]
    if flag is True:
        flag = f"--{declared.name.replace('_', '-')}"
    return Field(declared.name, kind, meaning, declared.default, default_help, flag or None, setting)


_Options = TypeVar("_Options", bound=Options)


def make(options: type[_Options], values: Iterable[tuple[str, Any, str]]) -> _Options:
    """Options from (field, value, what an error calls it), each given by a flag, a variable or a key of a file; a later
    one replaces an earlier one.
    """
    by_name = {field.name: field for field in fields_of(options)}
    checked = {name: by_name[name].check(value, called) for name, value, called in values}
    construct = cast("Callable[..., _Options]", options)
    return construct(**checked)
