"""Calls that take their options as one object or as keywords, and checks of their other arguments.

A method whose last argument is an options object is decorated with `@takes(SearchOptions)`. These two calls then mean
the same, for the interpreter and for type checkers, and no field is defined twice:

```python
index.search(code, SearchOptions(limit=3))
index.search(code, limit=3)
```
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from types import MethodType
from typing import Any, Generic, ParamSpec, Protocol, Self, TypeVar, overload

from platformdirs import user_cache_path

from wherefrom.errors import UsageError

_Fields = ParamSpec("_Fields")
_Options = TypeVar("_Options")
_First = TypeVar("_First")
_Second = TypeVar("_Second")
_Result = TypeVar("_Result")
_Options_contra = TypeVar("_Options_contra", contravariant=True)
_First_contra = TypeVar("_First_contra", contravariant=True)
_Second_contra = TypeVar("_Second_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)

# Type checkers see a decorated function or method as one of these classes. At run time it is a `_Call`.


class Call0(Protocol[_Options_contra, _Fields, _Result_co]):
    """A call with no argument except its options."""

    @overload
    def __call__(self, options: _Options_contra, /) -> _Result_co: ...
    @overload
    def __call__(self, *args: _Fields.args, **fields: _Fields.kwargs) -> _Result_co: ...


class Call1(Protocol[_First_contra, _Options_contra, _Fields, _Result_co]):
    """A call with one argument before its options. That may be `self`: the bound method then takes only options."""

    @overload
    def __get__(self, instance: None, owner: type[_First_contra]) -> Self: ...
    @overload
    def __get__(
        self, instance: _First_contra, owner: type[_First_contra]
    ) -> Call0[_Options_contra, _Fields, _Result_co]: ...
    @overload
    def __call__(self, first: _First_contra, options: _Options_contra, /) -> _Result_co: ...
    @overload
    def __call__(self, first: _First_contra, /, *args: _Fields.args, **fields: _Fields.kwargs) -> _Result_co: ...


class Call2(Protocol[_First_contra, _Second_contra, _Options_contra, _Fields, _Result_co]):
    """A call with two arguments before its options. The first may be `self`: the bound method is then a `Call1`."""

    @overload
    def __get__(self, instance: None, owner: type[_First_contra]) -> Self: ...
    @overload
    def __get__(
        self, instance: _First_contra, owner: type[_First_contra]
    ) -> Call1[_Second_contra, _Options_contra, _Fields, _Result_co]: ...
    @overload
    def __call__(self, first: _First_contra, second: _Second_contra, options: _Options_contra, /) -> _Result_co: ...
    @overload
    def __call__(
        self, first: _First_contra, second: _Second_contra, /, *args: _Fields.args, **fields: _Fields.kwargs
    ) -> _Result_co: ...


class _Call:
    """A call at run time. Its signature, with the fields of the options, is made when a caller needs it."""

    def __init__(self, call: Callable[..., Any], options: Callable[..., Any], given: Callable[..., Any]) -> None:
        functools.update_wrapper(self, call)
        self._options, self._given = options, given
        self._leading = call.__code__.co_varnames[: call.__code__.co_argcount - 1]
        self._call = call

    def __get__(self, instance: object, _owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, *args: Any, **fields: Any) -> Any:
        leading = len(self._leading)
        if len(args) < leading:
            raise TypeError(f"{self._call.__name__}() needs its argument {self._leading[len(args)]!r}")
        return self._call(*args[:leading], self._given(self._call.__name__, args[leading:], fields))

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self._call)
        *leading, _ = signature.parameters.values()
        parameters = [argument.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for argument in leading]
        parameters += inspect.signature(self._options).parameters.values()
        return signature.replace(parameters=parameters)


class takes(Generic[_Options, _Fields]):  # noqa: N801 -- used as a decorator
    """Lets a function whose last argument is an options object also take the fields of that object as keywords."""

    def __init__(self, options: Callable[_Fields, _Options]) -> None:
        self._options = options

    @overload
    def __call__(self, call: Callable[[_First, _Options], _Result]) -> Call1[_First, _Options, _Fields, _Result]: ...
    @overload
    def __call__(
        self, call: Callable[[_First, _Second, _Options], _Result]
    ) -> Call2[_First, _Second, _Options, _Fields, _Result]: ...
    def __call__(self, call: Callable[..., Any]) -> Any:
        """Makes a function that takes an options object or its fields, and refuses both together."""
        return _Call(call, self._options, self._given)

    def _given(self, name: str, rest: tuple[Any, ...], fields: dict[str, Any]) -> _Options:
        """The options object that the function `name` was called with, or a new one, made from keywords."""
        if len(rest) > 1:
            raise UsageError(f"{name} takes one object of options, not {len(rest)} more arguments")
        if rest and fields:
            raise UsageError(f"{name} takes options or their fields as keywords, not both")
        if rest and not isinstance(rest[0], self._options):  # type: ignore[arg-type] # it is a class, typed as its constructor
            kind = type(rest[0]).__name__
            raise UsageError(f"the options of {name} must be {self._options.__name__}, not {kind}")
        options: _Options = rest[0] if rest else self._options(**fields)  # type: ignore[call-arg] # the fields are keyword-only
        return options


def default_cache() -> Path:
    """The default folder for clones of URLs: `wherefrom/clones` in the user's cache folder."""
    return user_cache_path("wherefrom") / "clones"


def check_lists(**given: object) -> None:
    """Raises `UsageError` for a text or path where a list is needed, since each letter would count as an item."""
    for name, value in given.items():
        if isinstance(value, str | bytes | PathLike):
            raise UsageError(f"{name} must be a list, not one value; use [{fspath(value)!r}]")


def encoded(code: str | bytes) -> bytes:
    """The bytes of a text in UTF-8. Surrogate escapes (PEP 383) become the original bytes; if the text has other
    surrogates, all surrogates are encoded as if they were characters.
    """
    if isinstance(code, bytes):
        return code
    try:
        return code.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return code.encode("utf-8", "surrogatepass")
