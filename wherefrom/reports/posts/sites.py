"""What a store of posts holds, by site, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.reports.layout import table
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wherefrom.posts import SiteCounts
    from wherefrom.reports.look import Look


def write(sites: Iterable[SiteCounts], _look: Look) -> Iterator[str]:
    """One line for each site."""
    rows = [
        (
            visible(site.site),
            f"{site.posts:,}",
            f"{site.blocks:,}",
            site.first,
            site.last,
            f"{site.unfinished:,}" if site.unfinished else "",
        )
        for site in sites
    ]
    header = ("site", "posts", "blocks", "first", "last", "dumps not read to their end")
    yield from (f"{line}\n" for line in table(header, rows, (1, 2, 5)))
