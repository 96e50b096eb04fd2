"""JSON: what `to_dict` of a result gives, as text.

The text is ASCII: whatever an indexed path or a snippet's name holds, nothing reaches a terminal raw.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from wherefrom.reports.look import Look


class Encodable(Protocol):
    """What can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""


WIDTH = 120
"""Characters of the longest object that is written on one line."""

_encoded = json.JSONEncoder(allow_nan=False).encode


def dumps(value: object, *, is_one_line: bool = False) -> str:
    """A JSON text with a newline at its end.

    An object is written with a value on each line, one that is short and holds no object on one line. A list without
    objects is on one line, however long. So nearly all of a large answer is written by the standard library's encoder
    in C, which cannot indent.

    Args:
        value: what `json` can write.
        is_one_line: whether all of it is on one line.
    """
    return (_encoded(value) if is_one_line else _indented(value)) + "\n"


def _indented(value: object, margin: str = "") -> str:
    """A value as JSON; what is on further lines begins with the margin."""
    parts: list[str] = []
    _add(value, margin, parts)
    return "".join(parts)


def _add(value: object, margin: str, parts: list[str]) -> None:
    """Adds the parts of `_indented`: one list for all of them is faster than iterators in iterators."""
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
    """The key of an object; most are those of a few kinds of objects."""
    return f"{_encoded(key)}: "


def _float(value: float) -> str:
    return repr(value) if isfinite(value) else _encoded(value)


_WRITTEN: Mapping[type, Callable[[Any], str]] = {
    str: encode_basestring_ascii,
    int: str,
    float: _float,
    bool: {True: "true", False: "false"}.__getitem__,
}
"""How the encoder writes values that a large answer has many of: to call it takes longer than they do."""


def _hold_object(values: Iterable[object]) -> bool:
    """Whether one of some values is an object, or a list that holds one."""
    for value in values:  # noqa: SIM110 -- `any` with a generator takes half as long again
        if isinstance(value, dict) or (isinstance(value, list | tuple) and _hold_object(value)):
            return True
    return False


def dump_list(value: Mapping[str, object], key: str, items: Iterable[object]) -> Iterator[str]:
    """A JSON object with a list behind its other values, in parts: the list may be longer than memory.

    Args:
        value: the other values, one at least.
        key: of the list.
        items: of the list.
    """
    yield dumps(value).removesuffix("\n}\n") + f",\n  {json.dumps(key)}: ["
    is_empty = True
    for item in items:
        yield ("\n    " if is_empty else ",\n    ") + _indented(item, "    ")
        is_empty = False
    yield "]\n}\n" if is_empty else "\n  ]\n}\n"


def write_line(result: Encodable, _look: Look) -> Iterator[str]:
    """An answer on one line."""
    yield dumps(result.to_dict(), is_one_line=True)
