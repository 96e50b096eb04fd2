"""Calls to an index. A call is a function and plain values, so that it can be sent to the process that answers it.

Each function that returns bytes gives the answer of the command with its name and `--format json`, on one line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from wherefrom.options import CheckOptions, CompareOptions, FirstOptions, SearchOptions, SourcesOptions, TraceOptions
from wherefrom.options.fields import Options
from wherefrom.public import Index
from wherefrom.reports.renderer import dumps
from wherefrom.support.contract import FORMAT
from wherefrom.support.values import dataclass

_Result = TypeVar("_Result")
_Result_co = TypeVar("_Result_co", covariant=True)
_Values = ParamSpec("_Values")

LONG = 100_000  # a call about more bytes of code than this counts as long
ALWAYS_LONG = math.inf  # the size of a call that may always take long


@dataclass(frozen=True, slots=True)
class Call(Generic[_Result_co]):
    """A call about an index: a function of a module, so that another process finds it, and its arguments after the
    index. The function raises `WherefromError` if the call is wrong or the index cannot be used. Calls that may take
    long (`is_long`) leave one process free for the others.
    """

    function: Callable[..., _Result_co]
    values: tuple[Any, ...] = ()
    is_long: bool = False


def make_call(
    size: float, function: Callable[Concatenate[Index, _Values], _Result], *values: _Values.args, **_: _Values.kwargs
) -> Call[_Result]:
    """Makes the call of a function; it is long if `size`, the number of bytes of code, is more than `LONG`."""
    return Call(function, values, size > LONG)


@dataclass(frozen=True, slots=True)
class Defaults:
    """The settings of the server's owner: the options that a call has unless its client sends others."""

    search: SearchOptions
    first: FirstOptions
    sources: SourcesOptions
    check: CheckOptions
    trace: TraceOptions


def json_line(value: object) -> bytes:
    """Encodes JSON values on one line, in ASCII."""
    return dumps(value, is_one_line=True).encode("ascii")


def answer_of(index: Index, method: str, about: object, options: Options) -> bytes:
    """The answer of a method of the index, such as `search`, about some code."""
    return json_line(getattr(index, method)(about, options).to_dict())


Side = tuple[str, bytes] | str  # a name and a content, or the blob id of an indexed document


def compare(index: Index, left: Side, right: Side, options: CompareOptions, language: str | None) -> bytes:
    """What do two texts of one language share? The language is guessed if it is None."""

    def content(side: Side) -> tuple[str, bytes]:
        return side if not isinstance(side, str) else ((found := index.document(side)).name, found.content())

    names, contents = zip(*map(content, (left, right)), strict=True)
    result = index.compare_texts(*contents, names=names, language=language, options=options)
    return json_line(result.to_dict())


def document(index: Index, blob: str) -> bytes:
    """Which content has this blob id, and where is it?"""
    return json_line(index.document(blob).to_dict())


def repositories(index: Index) -> bytes:
    """Which repositories are indexed? The answer is that of `wherefrom list`."""
    return json_line({"format": FORMAT, "repositories": [record.to_dict() for record in index.repositories()]})


def health(index: Index) -> int:
    """Can the index be read? The answer is its number of boilerplate sets, for which few bytes are read."""
    return len(index.boilerplate_names())
