"""Fields of options: each is defined once, with its meaning, unit, default, range and flag.

An options class is a frozen dataclass whose fields `option` makes. The library, the command line, the configuration
file and the environment all read these definitions with `fields_of`.

```python
@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    limit: int = option(10, Whole(at_least=1), "Hits at most.", setting=True)
```
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

from wherefrom.errors import LanguageError, UsageError
from wherefrom.support.values import dataclass

_Value = TypeVar("_Value")

Listener: TypeAlias = Callable[[Any], None] | None
"""The type of a field for a function that receives reports while a call runs; None if nobody wants reports."""

_KEY = "wherefrom"  # the key in the metadata of a dataclass field under which `option` stores what `Field` needs


class Kind(ABC):
    """The values that a field accepts; `typed` is the type of a value on the command line."""

    typed: ClassVar[Any] = str

    @property
    def metavar(self) -> str | None:
        """The placeholder for the value in the help of the flag; None (the default) for a flag without a value."""
        return None

    @abstractmethod
    def check(self, value: Any, name: str) -> Any:
        """Returns the value in the form that the field stores. Raises UsageError for a value that it does not accept,
        with a message that begins with `name`, such as `--limit`.
        """

    def parse(self, text: str, name: str) -> Any:
        """Checks the text of an environment variable and returns its value."""
        return self.check(text, name)


def shown(value: Any) -> str:
    """Formats a value as a user writes it: commas between several values, `true` and `false` as in TOML."""
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value)) or "[]"
    return str(value).lower() if isinstance(value, bool) else repr(value)


class _Number(Kind):
    typed: ClassVar[Any] = float

    def _checked(self, value: Any, name: str, words: str, fits: Callable[[Any], bool]) -> Any:
        if isinstance(value, int | self.typed) and not isinstance(value, bool) and fits(value):
            return self.typed(value)
        raise UsageError(f"{name} must be {words}, not {shown(value)}")

    def parse(self, text: str, name: str) -> Any:
        """Reads a number from a text, and checks it. If the text is not a number, the error quotes it."""
        value: float | str = text
        for number in (float, int):
            with suppress(ValueError):
                value = number(text)
        return self.check(value, name)


class _List(Kind):
    typed: ClassVar[Any] = list[str]

    def parse(self, text: str, name: str) -> Any:
        """Splits a text at commas, and checks the values."""
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
        """Accepts an int in the range, but no bool."""
        of = f" of {self.unit}" if self.unit else ""
        allowed = f"at least {self.at_least}" if self.at_most is None else f"{self.at_least} to {self.at_most}"
        most = math.inf if self.at_most is None else self.at_most
        return self._checked(value, name, f"a whole number{of}, {allowed}", lambda it: self.at_least <= it <= most)


def whole_bytes(at_least: int) -> Whole:
    """A number of bytes."""
    return Whole(at_least, unit="bytes", metavar="BYTES")


@dataclass(frozen=True)
class Seconds(_Number):
    """A number of seconds above 0."""

    metavar: str | None = "SECONDS"

    def check(self, value: Any, name: str) -> Any:
        """Accepts a finite number above 0; returns a float."""
        return self._checked(value, name, "a number of seconds above 0", lambda it: 0 < it < math.inf)


@dataclass(frozen=True)
class Share(_Number):
    """A share from 0 to 1. If `zero` is False, 0 is not allowed."""

    zero: bool = True
    metavar: str | None = "SHARE"

    def check(self, value: Any, name: str) -> Any:
        """Accepts a number in the range; returns a float."""
        allowed = "from 0 to 1" if self.zero else "above 0, up to 1"
        return self._checked(value, name, f"a share {allowed}", lambda it: 0 < it <= 1 or (it == 0 and self.zero))


@dataclass(frozen=True)
class ShareOrCount(_Number):
    """A share above 0 and below 1, or a whole number of at least `at_least`."""

    at_least: int
    metavar: str | None = "N|SHARE"

    def check(self, value: Any, name: str) -> Any:
        """Accepts a share, or a whole number such as 20 or 20.0; returns a float."""
        words = f"a whole number of at least {self.at_least}, or a share between 0 and 1"
        return self._checked(
            value, name, words, lambda it: 0 < it < 1 or (self.at_least <= it < math.inf and it == int(it))
        )


@dataclass(frozen=True)
class Flag(Kind):
    """True or False."""

    typed: ClassVar[Any] = bool

    def check(self, value: Any, name: str) -> bool:
        """Accepts True and False, but no numbers."""
        if not isinstance(value, bool):
            raise UsageError(f"{name} must be true or false, not {shown(value)}")
        return value

    def parse(self, text: str, name: str) -> bool:
        """Accepts `true`, `1`, `false` and `0`, in any case."""
        return self.check({"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text), name)


@dataclass(frozen=True)
class Text(Kind):
    """A text that is not empty. Error messages do not repeat a `secret`."""

    metavar: str | None = "TEXT"
    secret: bool = False

    def check(self, value: Any, name: str) -> str:
        """Accepts a text that has more than white space, and returns it unchanged."""
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
        """Accepts one of `words`, in the same case."""
        if value not in self.words:
            raise UsageError(f"{name} must be one of {', '.join(self.words)}, not {shown(value)}")
        return value


@dataclass(frozen=True)
class Day(Kind):
    """A date, or its text in the form `YYYY-MM-DD`."""

    metavar: str | None = "YYYY-MM-DD"

    def check(self, value: Any, name: str) -> date:
        """Accepts a `date`, but no `datetime`, or its text; returns a `date`."""
        if type(value) is date:
            return value
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError):
            raise UsageError(f"{name} must be a day such as 2024-12-31, not {shown(value)}") from None


@dataclass(frozen=True)
class FilePath(Kind):
    """A path in the file system; `~` is expanded, nothing else is changed."""

    metavar: str | None = "PATH"

    def check(self, value: Any, name: str) -> Path:
        """Accepts a text or path that is not blank and has no NUL."""
        if not isinstance(value, str | os.PathLike) or not str(value).strip() or "\0" in str(value):
            raise UsageError(f"{name} must be a path, not {shown(value)}")
        try:
            return Path(value).expanduser()
        except RuntimeError as error:  # the user in `~USER` does not exist or has no home
            raise UsageError(f"{name} is {str(value)!r}: {error}; use an absolute path") from error


@dataclass(frozen=True)
class Several(_List):
    """Any number of values of the kind `item`, stored as a tuple. If `none` is set, that word alone means no values.
    A single text is an error, because its letters would count as the values.
    """

    item: Kind
    none: str | None = None

    @property
    def metavar(self) -> str | None:
        """The name of one value."""
        return self.item.metavar

    def check(self, value: Any, name: str) -> tuple[Any, ...]:
        """Checks each value with `item`."""
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
    """Any number of members of an enumeration, stored as a tuple. If `none` is set, that word alone means none."""

    members: type[StrEnum]
    none: str | None = None
    metavar: str | None = "WORD"

    def check(self, value: Any, name: str) -> tuple[Any, ...]:
        """Accepts the words of the members; returns the members."""
        words = Several(Text(), self.none).check(value, name)
        try:
            return tuple(map(self.members, words))
        except ValueError:
            known = ", ".join(self.members) + (f", or {self.none} alone" if self.none else "")
            raise UsageError(f"{name} must be some of {known}, not {shown(words)}") from None


@dataclass(frozen=True)
class LanguageName(Kind):
    """The name or an alias of a language; the name is stored."""

    metavar: str | None = "NAME"

    def check(self, value: Any, name: str) -> str:
        """Returns the name of the language. Raises `LanguageError` if the language is unknown."""
        from wherefrom import languages  # noqa: PLC0415 -- only a command that names a language loads the table

        try:
            return languages.get(Text().check(value, name)).name
        except LanguageError as error:
            raise LanguageError(f"{name}: {error}") from error


@dataclass(frozen=True)
class LineRange(Kind):
    """The first and the last line, 1-based and inclusive."""

    def check(self, value: Any, name: str) -> tuple[int, int]:
        """Accepts a pair of ints with 1 <= first <= last."""
        if isinstance(value, Sequence) and len(value) == 2 and all(type(line) is int for line in value):
            first, last = value
            if 1 <= first <= last:
                return first, last
        raise UsageError(f"{name} has to be the first and the last line, from 1, not {value!r}; use such as (10, 20)")


@dataclass(frozen=True)
class AnyPath(Kind):
    """A path or a URL, stored as it is written."""

    metavar: str | None = "PATH"

    def check(self, value: Any, name: str) -> str:
        """Accepts a text or path that is not blank and has no NUL; returns its text."""
        text = os.fspath(value) if isinstance(value, os.PathLike) else value
        if not isinstance(text, str) or not text.strip() or "\0" in text:
            raise UsageError(f"{name} must be a path or a URL, not {shown(value)}")
        return text


@dataclass(frozen=True)
class AnyValue(Kind):
    """A value that only callers of the library can set, such as a function. It is not checked at run time."""

    def check(self, value: Any, name: str) -> Any:  # noqa: ARG002 -- `Kind` has this parameter
        """Returns any value unchanged."""
        return value


@dataclass(frozen=True)
class Field:
    """One field of an options class: its name in Python and in the configuration file, the values that it accepts, its
    purpose in one or two sentences, which are also the help of its flag, and its default, with words for it in the help
    if the default itself does not tell it. `setting` is True if the configuration file and the environment may set it.
    """

    name: str
    kind: Kind
    meaning: str
    default: Any
    default_help: str | None
    flag: str | None
    setting: bool

    def check(self, value: Any, name: str | None = None) -> Any:
        """Checks a value like `Kind.check`, and also accepts None if that is the default."""
        if value is None and self.default is None:
            return None
        return self.kind.check(value, name or self.name)


def option(
    default: _Value,
    kind: Kind,
    meaning: str,
    *,
    flag: str | bool = True,
    setting: bool = False,
    default_help: str | None = None,
    compare: bool = True,
) -> _Value:
    """Declares a field of an options class. The arguments are the attributes of `Field`, but `flag` may be True for a
    flag with the name of the field, and False for no flag.

    The `repr` of an options object leaves out secrets, and fields with `compare=False`.
    """
    metadata = {_KEY: (kind, meaning, flag, setting, default_help)}
    is_secret = isinstance(kind, Text) and kind.secret
    # This returns a `dataclasses.Field`. As in `dataclasses`, its type for type checkers is the type of the default.
    return dataclasses.field(default=default, repr=compare and not is_secret, compare=compare, metadata=metadata)


def switch(meaning: str, *, flag: str | bool = True, setting: bool = False, compare: bool = True) -> bool:
    """Declares a field that is True or False (the default). The arguments are passed to `option`."""
    return option(False, Flag(), meaning, flag=flag, setting=setting, compare=compare)


def listener(meaning: str) -> Any:
    """Declares a field that only callers of the library can set: a function that receives reports while a call runs."""
    return option(None, AnyValue(), meaning, flag=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all options. The constructor checks each value, and raises `UsageError` if a value is wrong."""

    def __post_init__(self) -> None:
        for field in fields_of(type(self)):
            value = getattr(self, field.name)
            if value is not field.default:
                object.__setattr__(self, field.name, field.check(value))
        self.check_together()

    def check_together(self) -> None:
        """Raises `UsageError` for values that exclude each other; subclasses override it."""


def fields_of(options: type[Options]) -> tuple[Field, ...]:
    """The fields of an options class: first the fields of its base classes, then those that it declares itself."""
    if options not in _FIELDS:
        declared = {field.name: field for field in dataclasses.fields(options)}
        owners = (*options.__mro__[1:], options)
        names = dict.fromkeys(name for owner in owners for name in inspect.get_annotations(owner))
        _FIELDS[options] = tuple(field_of(name, declared[name]) for name in names if name in declared)
    return _FIELDS[options]


_FIELDS: dict[type[Options], tuple[Field, ...]] = {}


def field_of(name: str, declared: dataclasses.Field[Any]) -> Field:
    """The `Field` for a dataclass field that `option` made."""
    kind, meaning, flag, setting, default_help = declared.metadata[_KEY]
    if flag is True:
        flag = f"--{name.replace('_', '-')}"
    return Field(name, kind, meaning, declared.default, default_help, flag or None, setting)


_Options = TypeVar("_Options", bound=Options)


def make(options: type[_Options], values: Iterable[tuple[str, Any, str]]) -> _Options:
    """Makes options from triples: the name of a field, its value, and (for error messages) the flag, variable or key
    that gave the value. A later value of a field replaces an earlier one.
    """
    by_name = {field.name: field for field in fields_of(options)}
    checked = {name: by_name[name].check(value, called) for name, value, called in values}
    construct = cast("Callable[..., _Options]", options)
    return construct(**checked)
