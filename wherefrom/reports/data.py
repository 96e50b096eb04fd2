"""The formats for programs, which all answers share: what `to_dict` of a result gives, written as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from wherefrom.reports.json import dump_list, dumps
from wherefrom.reports.renderer import Renderer
from wherefrom.support.contract import FORMAT

if TYPE_CHECKING:
    from wherefrom.reports.json import Result
    from wherefrom.reports.look import Look

_DUMPS: Mapping[str, Callable[[object], str]] = {"json": dumps}
"""How a value is written in each of them, with a newline at its end."""

_LISTS: Mapping[str, Callable[[Mapping[str, object], str, Iterable[object]], Iterator[str]]] = {"json": dump_list}
"""How an object that ends with a list is written in each of them, part by part."""


_ARRAYS: Mapping[str, tuple[str, str, str]] = {"json": ("[\n", ",\n", "\n]\n")}
"""What comes before, between and after the values of an array in each of them."""


def formats(schema: str | None = None) -> dict[str, Renderer[Result]]:
    """A renderer of an answer for each of these formats; several answers are an array.

    Args:
        schema: see `Renderer`.
    """
    return {name: _answer(name, schema) for name in _DUMPS}


def list_formats(key: str) -> dict[str, Renderer[Iterable[Result]]]:
    """A renderer of values as an object with a list of them, for each of these formats.

    Args:
        key: of the list.
    """
    return {name: _listing(name, key) for name in _DUMPS}


def _answer(name: str, schema: str | None) -> Renderer[Result]:
    def write(result: Result, _look: Look) -> Iterator[str]:
        yield _DUMPS[name](result.to_dict())

    def write_value(result: Result, _look: Look) -> Iterator[str]:
        yield _DUMPS[name](result.to_dict()).removesuffix("\n")

    header, separator, footer = _ARRAYS[name]
    return Renderer(write, schema=schema, several=Renderer(write_value, header, separator, footer))


def _listing(name: str, key: str) -> Renderer[Iterable[Result]]:
    def write(results: Iterable[Result], _look: Look) -> Iterator[str]:
        yield from _LISTS[name]({"format": FORMAT}, key, (result.to_dict() for result in results))

    return Renderer(write)
