"""The formats of an answer. Each package of reports has a table of them, which the command offers as `--format`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Generic, TypeVar

from wherefrom.errors import UsageError
from wherefrom.reports.json import dump_list, dumps
from wherefrom.reports.look import Look
from wherefrom.support.contract import FORMAT, JsonObject
from wherefrom.support.values import dataclass

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
"""The environment variable that sets the date of a document, in seconds since 1970 (UTC):
https://reproducible-builds.org/specs/source-date-epoch/"""

_Answer = TypeVar("_Answer", bound=JsonObject)
_Answers = TypeVar("_Answers", bound=Iterable[JsonObject])
_Answer_contra = TypeVar("_Answer_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Renderer(Generic[_Answer_contra]):
    """Writes an answer in one format.

    Attributes:
        write: yields the text of an answer part by part, with all line ends.
        header: comes before the first answer.
        separator: comes between two answers.
        footer: comes after the last answer.
        several: replaces this renderer if several answers are written one after the other; None to use this one.
        ready: checks before a long run that an answer can be written. Raises ExtraMissing or UsageError if not.
    """

    write: Callable[[_Answer_contra, Look], Iterable[str]]
    header: str = ""
    separator: str = ""
    footer: str = ""
    several: Renderer[_Answer_contra] | None = None
    ready: Callable[[], object] | None = None


def on_use(module: str, function: str = "write") -> Callable[..., Any]:
    """Returns a function that calls a function of a module (by its full name). It imports the module at the first call,
    so that `--help` does not wait for it.
    """

    def write(*arguments: Any) -> Any:
        return getattr(import_module(module), function)(*arguments)

    return write


JSON: Renderer[JsonObject] = Renderer(
    lambda answer, _look: [dumps(answer.to_dict())],
    several=Renderer(lambda answer, _look: [dumps(answer.to_dict()).removesuffix("\n")], "[\n", ",\n", "\n]\n"),
)
"""Writes an answer as the JSON values that its `to_dict` returns, and several answers as an array of them."""


def formats(write: Callable[[_Answer, Look], Iterable[str]]) -> dict[str, Renderer[_Answer]]:
    """The formats of an answer: text, which `write` yields and which is the default, and JSON."""
    return {"text": Renderer(write), "json": JSON}


def list_formats(write: Callable[[_Answers, Look], Iterable[str]], key: str) -> dict[str, Renderer[_Answers]]:
    """The formats of a list of values: text, which is the default, and a JSON object with the list under `key`."""

    def write_json(results: Iterable[JsonObject], _look: Look) -> Iterator[str]:
        yield from dump_list({"format": FORMAT}, key, (result.to_dict() for result in results))

    return {"text": Renderer(write), "json": Renderer(write_json)}


def made_at() -> datetime:
    """The date of a document, in whole seconds: `SOURCE_DATE_EPOCH` if it is set, else now.

    Raises:
        UsageError: the variable is not a number of seconds.
    """
    value = os.environ.get(DATE_VARIABLE, "")
    if not value:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        if value.isascii() and value.isdecimal():
            return datetime.fromtimestamp(int(value), UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise UsageError(
        f"{DATE_VARIABLE} is {value[:100]!a}, not a number of seconds since 1970; set it to one, or unset it"
    )
