"""The formats for programs, which all answers share: what `to_dict` of a result gives, written as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from wherefrom.reports.json import Encodable, dump_list, dumps
from wherefrom.reports.renderer import Renderer
from wherefrom.support.contract import FORMAT

if TYPE_CHECKING:
    from wherefrom.reports.look import Look


def formats(schema: str | None = None) -> dict[str, Renderer[Encodable]]:
    """A renderer of an answer for each of these formats; several answers are an array.

    Args:
        schema: see `Renderer`.
    """

    def write(result: Encodable, _look: Look) -> Iterator[str]:
        yield dumps(result.to_dict())

    def write_value(result: Encodable, _look: Look) -> Iterator[str]:
        yield dumps(result.to_dict()).removesuffix("\n")

    return {"json": Renderer(write, schema=schema, several=Renderer(write_value, "[\n", ",\n", "\n]\n"))}


def list_formats(key: str) -> dict[str, Renderer[Iterable[Encodable]]]:
    """A renderer of values as an object with a list of them, for each of these formats.

    Args:
        key: of the list.
    """

    def write(results: Iterable[Encodable], _look: Look) -> Iterator[str]:
        yield from dump_list({"format": FORMAT}, key, (result.to_dict() for result in results))

    return {"json": Renderer(write)}
