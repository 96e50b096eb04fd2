"""Writes results as JSON text, from the values that their `to_dict` returns.

The text is ASCII, so that no character of a path or of a name reaches a terminal raw.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from math import isfinite
from typing import Any

WIDTH = 120
"""An object with more characters than this is not written on one line."""

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
    """True if one of the values is an object, or a list that has one."""
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
