"""What a store of posts holds, by site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wherefrom.contract import FORMAT
from wherefrom.printable import visible
from wherefrom.reports.json import dumps
from wherefrom.reports.layout import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from wherefrom.posts import SiteCounts


def to_text(held: Iterable[SiteCounts]) -> str:
    """What a store holds."""
    rows = [
        (
            visible(each.site),
            f"{each.posts:,}",
            f"{each.blocks:,}",
            each.first,
            each.last,
            f"{each.unfinished:,}" if each.unfinished else "",
        )
        for each in held
    ]
    header = ("site", "posts", "blocks", "first", "last", "dumps not read to their end")
    return "".join(f"{line}\n" for line in table(header, rows, (1, 2, 5)))


def to_dict(held: Iterable[SiteCounts]) -> dict[str, Any]:
    """The same for JSON."""
    return {
        "format": FORMAT,
        "sites": [
            {
                "site": each.site,
                "posts": each.posts,
                "blocks": each.blocks,
                "first": each.first or None,
                "last": each.last or None,
                "unfinished": each.unfinished,
            }
            for each in held
        ],
    }


def to_json(held: Iterable[SiteCounts]) -> str:
    """The same as JSON."""
    return dumps(to_dict(held))


RENDERERS: Mapping[str, Callable[[Iterable[SiteCounts]], str]] = {"text": to_text, "json": to_json}
