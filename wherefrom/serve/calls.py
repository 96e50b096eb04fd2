"""What can be asked: a call is a function and plain values, so that it can be sent to the process that answers it.

The functions here answer as the command of their name does with `--format json`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from wherefrom.reports.json import dumps
from wherefrom.support.contract import FORMAT

if TYPE_CHECKING:
    from wherefrom.index import Index
    from wherefrom.options import CheckOptions, CompareOptions, SearchOptions, SourcesOptions

_Result = TypeVar("_Result")
_Result_co = TypeVar("_Result_co", covariant=True)
_Values = ParamSpec("_Values")

LONG = 100_000
"""Bytes of code from which on a call is long."""

ALWAYS_LONG = math.inf
"""The size of a call that may take long whatever it is about."""


@dataclass(frozen=True, slots=True)
class Call(Generic[_Result_co]):
    """One question to an index.

    Attributes:
        function: answers it. It belongs to a module, so that another process finds it.
        values: its arguments behind the index.
        is_long: whether it may take long: such calls leave a process free for the others.
    """

    function: Callable[..., _Result_co]
    values: tuple[Any, ...] = ()
    is_long: bool = False

    def answer(self, index: Index) -> _Result_co:
        """The answer, in values that can be sent to another process; `WherefromError` where there is none."""
        return self.function(index, *self.values)


def asked(
    size: float, function: Callable[Concatenate[Index, _Values], _Result], *values: _Values.args, **_: _Values.kwargs
) -> Call[_Result]:
    """A call of a function, about code of so many bytes."""
    return Call(function, values, size > LONG)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as JSON: what `--format json` of the command writes, on one line, and how many were found."""

    body: bytes
    found: int

    @staticmethod
    def of(value: object, found: int) -> Answer:
        """The answer with these JSON values."""
        return Answer(dumps(value, is_one_line=True).encode("ascii"), found)


def search(index: Index, code: bytes, options: SearchOptions) -> Answer:
    """Where does this code appear?"""
    result = index.search(code, options)
    return Answer.of(result.to_dict(), result.total)


def sources(index: Index, code: bytes, options: SourcesOptions) -> Answer:
    """Which indexed files explain this one?"""
    result = index.sources(code, options)
    return Answer.of(result.to_dict(), len(result.documents))


def check(index: Index, diff: bytes, options: CheckOptions) -> Answer:
    """What of a change appears elsewhere? The project is not at hand, so the diff is all that is known of it."""
    report = index.check_diff(diff, replace(options, jobs=1))
    return Answer.of(report.to_dict(), len(report.findings))


Side = tuple[str, bytes] | str
"""A content with its name, or the blob id of an indexed document."""


def compare(index: Index, left: Side, right: Side, options: CompareOptions, language: str | None) -> Answer:
    """What do two texts share? The language is that of both, None to have it guessed."""
    names, contents = zip(*(_content(index, side) for side in (left, right)), strict=True)
    result = index.compare_texts(*contents, names=names, language=language, options=options)
    return Answer.of(result.to_dict(), len(result.pairs))


def document(index: Index, blob: str) -> Answer:
    """What is an indexed content, and where is it?"""
    found = index.document(blob)
    return Answer.of(found.to_dict(), len(found.occurrences))


def repositories(index: Index) -> Answer:
    """What is indexed? The answer is that of `wherefrom list`."""
    records = index.repositories()
    return Answer.of({"format": FORMAT, "repositories": [record.to_dict() for record in records]}, len(records))


def health(index: Index) -> int:
    """Can the index be read? The answer is how many contents it holds."""
    return index.stats().blobs


def _content(index: Index, side: Side) -> tuple[str, bytes]:
    if not isinstance(side, str):
        return side
    found = index.document(side)
    return found.name, found.content()
