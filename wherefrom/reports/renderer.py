"""The formats of an answer, and how its text looks. Each module of reports has a table of formats, for `--format`.

JSON is ASCII, so that no character of a path or of a name reaches a terminal raw. No spreadsheet evaluates CSV cells.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from importlib import import_module
from json.encoder import encode_basestring_ascii
from math import isfinite
from typing import Any, Generic, TypeVar

from wherefrom.errors import UsageError
from wherefrom.reports.sides import CONTEXT, MOST_LINES
from wherefrom.support.contract import FORMAT, JsonObject
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
"""The environment variable that sets the date of a document, in seconds since 1970 (UTC):
https://reproducible-builds.org/specs/source-date-epoch/"""

_Answer = TypeVar("_Answer", bound=JsonObject)
_Answers = TypeVar("_Answers", bound=Iterable[JsonObject])
_Answer_contra = TypeVar("_Answer_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class WholeFile:
    """The limits for comparing whole files. `least` returns the lowest score of a similar file, given the number of
    tokens of the query. At most `compared` files are compared.
    """

    least: Callable[[int], float]
    compared: int


@dataclass(frozen=True, slots=True)
class Look:
    """The settings of an answer. They change only what people read: the text of an answer, and the page of a check.

    The width is in terminal columns, 20 at least. `file` is set if the query is a whole file. `lines` tells whether
    `sources` shows the file line by line; None shows a short file only. `context` lines that do not match are shown
    before and after matching ones, and at most `max_lines` (None for all) of each side of a hit. The `legend` explains
    the marks before lines. The last three are those of a check: its summary alone, every finding, and the accepted ones
    too.
    """

    color: bool = False
    width: int = 100
    explain: bool = False
    file: WholeFile | None = None
    lines: bool | None = None
    context: int = CONTEXT
    max_lines: int | None = MOST_LINES
    legend: bool = True
    only_summary: bool = False
    all_findings: bool = False
    accepted: bool = False

    @property
    def query(self) -> str:
        """The word for the query: `snippet` or `file`."""
        return "snippet" if self.file is None else "file"

    def bold(self, text: str) -> str:
        """The text in bold, for headings."""
        return self._styled("1", text)

    def dim(self, text: str) -> str:
        """The text dimmed, for side notes."""
        return self._styled("2", text)

    def matched(self, text: str) -> str:
        """The text in green, for code that is on both sides."""
        return self._styled("32", text)

    def _styled(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


@dataclass(frozen=True, slots=True)
class Renderer(Generic[_Answer_contra]):
    """Writes an answer in one format. `write` yields its text part by part, with all line ends. The header comes before
    the first answer, the separator between two, the footer after the last. `several` replaces this renderer if several
    answers are written one after the other. `ready` checks before a long run that an answer can be written, and raises
    ExtraMissing or UsageError if not.
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
    """The date of a document, in whole seconds: `SOURCE_DATE_EPOCH` if it is set, else now. Raises UsageError if the
    variable is not a number of seconds.
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


WIDTH = 120  # an object with more characters than this is not written on one line

_encoded = json.JSONEncoder(allow_nan=False).encode


def dumps(value: object, *, is_one_line: bool = False) -> str:
    """A JSON text with a newline at its end.

    Each value of an object is on its own line. A short object without inner objects is on one line, and so is any list
    without objects. Most of a large answer is written on such lines, for speed: the standard library's fast encoder
    cannot indent. `is_one_line` writes all of it on one line.
    """
    return (_encoded(value) if is_one_line else _indented(value)) + "\n"


def _indented(value: object, margin: str = "") -> str:
    """A value as JSON. Every line but the first begins with the margin."""
    parts: list[str] = []
    _add(value, margin, parts)
    return "".join(parts)


def _add(value: object, margin: str, parts: list[str]) -> None:
    """Adds the parts of `_indented`. One list for all parts is faster than nested iterators."""
    if isinstance(value, dict):
        if not value or (margin and not _hold_object(value.values())):
            line = _encoded(value)
            if len(line) <= WIDTH:
                parts.append(line)
                return
        brackets, items = "{}", [(_name(key), item) for key, item in value.items()]
    elif isinstance(value, list | tuple) and _hold_object(value):
        brackets, items = "[]", [("", item) for item in value]
    else:
        parts.append(_encoded(value))
        return
    inner = margin + "  "
    between = f",\n{inner}"
    before = f"{brackets[0]}\n{inner}"
    for name, item in items:
        written = _WRITTEN.get(type(item))
        if written is not None:
            parts.append(before + name + written(item))
        elif isinstance(item, dict) or (isinstance(item, list | tuple) and _hold_object(item)):
            parts.append(before + name)
            _add(item, inner, parts)
        else:
            parts.append(before + name + _encoded(item))
        before = between
    parts.append(f"\n{margin}{brackets[1]}")


@lru_cache(maxsize=1024)
def _name(key: str) -> str:
    """The key of an object with its colon. It is cached, since most objects have the same few keys."""
    return f"{_encoded(key)}: "


_WRITTEN: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring_ascii,
    int: str,
    float: lambda value: repr(value) if isfinite(value) else _encoded(value),
    bool: {True: "true", False: "false"}.__getitem__,
}
"""Functions that write the most frequent types of values as the JSON encoder does, but faster than a call of the
encoder."""


def _hold_object(values: Iterable[object]) -> bool:
    for value in values:  # noqa: SIM110 -- `any` with a generator takes half as long again
        if isinstance(value, dict) or (isinstance(value, list | tuple) and _hold_object(value)):
            return True
    return False


def dump_list(value: Mapping[str, object], key: str, items: Iterable[object]) -> Iterator[str]:
    """Yields a JSON object part by part, since its list may be larger than memory. The list `items` comes under `key`
    after the other values, one at least.
    """
    yield dumps(value).removesuffix("\n}\n") + f",\n  {json.dumps(key)}: ["
    is_empty = True
    for item in items:
        yield ("\n    " if is_empty else ",\n    ") + _indented(item, "    ")
        is_empty = False
    yield "]\n}\n" if is_empty else "\n  ]\n}\n"


_FORMULA = later(r"""(?:^|(?<=;))(?=[\s"]*[=+\-@＝＋－＠])""")
"""The places where a spreadsheet would read a formula. In many languages, spreadsheets separate cells by semicolons,
even in quotes, so a cell may begin after each semicolon. Full-width signs, which some keyboards have, count too."""


def guarded(text: str) -> str:
    """A text that no spreadsheet evaluates and no terminal acts on: an apostrophe precedes each formula, and control
    characters, also tabs and line ends, become visible.
    """
    return _FORMULA.sub("'", visible(text))


def cell(value: Any) -> str | int | float:
    """A value as a cell: ranges of lines as `L3-L9 L12-L12` (a spreadsheet reads `3-9` as a date), other lists with
    commas, None as an empty cell.
    """
    match value:
        case None:
            return ""
        case str():
            return guarded(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return value
        case [[_, _], *_]:
            return " ".join(f"L{first}-L{last}" for first, last in value)
    from wherefrom.reports.hit_fields import quoted  # noqa: PLC0415 -- most commands write no table
    from wherefrom.results import Evidence  # noqa: PLC0415 -- as above

    return guarded(quoted(value) if isinstance(value, Evidence) else ", ".join(value))


def row(cells: Iterable[str | int | float]) -> str:
    """A line of CSV. Texts among the cells must come from `guarded` or `cell`."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
