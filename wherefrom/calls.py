"""Calls that take their options as one object, or the same fields as keywords.

`@takes(SearchOptions)` on a method whose last argument is the options makes both of these mean the same, for the
interpreter and for type checkers, without writing a field a second time:

```python
index.search(code, SearchOptions(limit=3))
index.search(code, limit=3)
```
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, overload

from wherefrom.errors import UsageError

_Fields = ParamSpec("_Fields")
_First = TypeVar("_First")
_Second = TypeVar("_Second")
_Options = TypeVar("_Options")
_Result = TypeVar("_Result")


class _Call:
    """What the calls below share: they differ in the number of arguments before the options, for type checkers."""

    def __init__(self, call: Callable[..., Any], options: Callable[..., Any], bound: tuple[Any, ...] = ()) -> None:
        functools.update_wrapper(self, call)  # type: ignore[arg-type] # it has what a function has, but is none
        self._call = call
        self._options = options
        self._bound = bound

    def _run(self, leading: tuple[Any, ...], rest: tuple[Any, ...], fields: dict[str, Any]) -> Any:
        if len(rest) > 1:
            raise UsageError(f"{self._call.__name__} takes one object of options, not {len(rest)} more arguments")
        if rest and fields:
            raise UsageError(f"{self._call.__name__} takes options or their fields as keywords, not both")
        if rest and not isinstance(rest[0], self._options):  # type: ignore[arg-type] # the class, as its constructor
            kind = type(rest[0]).__name__
            raise UsageError(f"the options of {self._call.__name__} must be {self._options.__name__}, not {kind}")
        return self._call(*self._bound, *leading, *(rest or (self._options(**fields),)))

    def __repr__(self) -> str:
        return f"<{self._call.__module__}.{self._call.__qualname__}, takes {self._options.__name__}>"

    @property
    def __signature__(self) -> inspect.Signature:
        """The arguments before the options, then the fields of the options."""
        signature = inspect.signature(self._call)
        leading = list(signature.parameters.values())[len(self._bound) : -1]
        parameters = [parameter.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for parameter in leading]
        fields = inspect.signature(self._options).parameters.values()
        return inspect.Signature([*parameters, *fields], return_annotation=signature.return_annotation)


class Call0(_Call, Generic[_Options, _Fields, _Result]):
    """A call with no argument but its options."""

    @overload
    def __call__(self, options: _Options, /) -> _Result: ...
    @overload
    def __call__(self, *args: _Fields.args, **fields: _Fields.kwargs) -> _Result: ...
    def __call__(self, *args: Any, **fields: Any) -> _Result:
        """Calls with the options, or with options made of the fields.

        Raises:
            UsageError: both are given.
        """
        result: _Result = self._run((), args, fields)
        return result


class Call1(_Call, Generic[_First, _Options, _Fields, _Result]):
    """A call with one argument before its options; as a method, one that takes only its options."""

    @overload
    def __get__(self, instance: None, owner: type[_First]) -> Call1[_First, _Options, _Fields, _Result]: ...
    @overload
    def __get__(self, instance: _First, owner: type[_First]) -> Call0[_Options, _Fields, _Result]: ...
    def __get__(
        self, instance: _First | None, owner: type[_First]
    ) -> Call1[_First, _Options, _Fields, _Result] | Call0[_Options, _Fields, _Result]:
        return self if instance is None else Call0(self._call, self._options, (instance,))

    @overload
    def __call__(self, first: _First, options: _Options, /) -> _Result: ...
    @overload
    def __call__(self, first: _First, /, *args: _Fields.args, **fields: _Fields.kwargs) -> _Result: ...
    def __call__(self, first: _First, /, *args: Any, **fields: Any) -> _Result:
        """As `Call0`."""
        result: _Result = self._run((first,), args, fields)
        return result


class Call2(_Call, Generic[_First, _Second, _Options, _Fields, _Result]):
    """A call with two arguments before its options; as a method, with one."""

    @overload
    def __get__(self, instance: None, owner: type[_First]) -> Call2[_First, _Second, _Options, _Fields, _Result]: ...
    @overload
    def __get__(self, instance: _First, owner: type[_First]) -> Call1[_Second, _Options, _Fields, _Result]: ...
    def __get__(
        self, instance: _First | None, owner: type[_First]
    ) -> Call2[_First, _Second, _Options, _Fields, _Result] | Call1[_Second, _Options, _Fields, _Result]:
        return self if instance is None else Call1(self._call, self._options, (instance,))

    @overload
    def __call__(self, first: _First, second: _Second, options: _Options, /) -> _Result: ...
    @overload
    def __call__(self, first: _First, second: _Second, /, *args: _Fields.args, **fields: _Fields.kwargs) -> _Result: ...
    def __call__(self, first: _First, second: _Second, /, *args: Any, **fields: Any) -> _Result:
        """As `Call0`."""
        result: _Result = self._run((first, second), args, fields)
        return result


class takes(Generic[_Options, _Fields]):  # noqa: N801 -- used as a decorator
    """Makes a function that ends in an argument of options take their fields as keywords too."""

    def __init__(self, options: Callable[_Fields, _Options]) -> None:
        self._options = options

    @overload
    def __call__(self, call: Callable[[_First, _Options], _Result]) -> Call1[_First, _Options, _Fields, _Result]: ...
    @overload
    def __call__(
        self, call: Callable[[_First, _Second, _Options], _Result]
    ) -> Call2[_First, _Second, _Options, _Fields, _Result]: ...
    def __call__(self, call: Callable[..., Any]) -> Any:
        """The function with both forms of its options."""
        has_one = len(inspect.signature(call).parameters) == 2
        return (Call1 if has_one else Call2)(call, self._options)
