"""Follows the tutorials and writes what their commands print today into the pages.

An output that still fits stays as it is. One that is shortened with `...` is shortened at the same places.

    python -m tests.docs.record [PAGE...]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from tests.documentation import ROOT, Example, follow
from tests.elasticsearch.installation import Unavailable
from tests.elasticsearch.servers import shared_server

TUTORIALS = ROOT / "docs" / "tutorials"

ON_SERVER = TUTORIALS / "elasticsearch.md"


def on_server(location: str) -> dict[str, str]:
    """Maps texts of the tutorial on Elasticsearch to their replacements for an index at this location."""
    host = location.partition("://")[2].partition("/")[0]
    return {"elasticsearch://localhost:9200/code": location, "localhost:9200": host}


def recorded(text: str, printed: Mapping[Example, str]) -> str:
    """Puts outputs into the text of a page."""
    for step in sorted(printed, key=lambda step: step.at, reverse=True):
        if step.difference(printed[step]):
            text = text[: step.at] + step.updated(printed[step]) + text[step.at + len(step.output) :]
    return text


@contextmanager
def taking_place(page: Path) -> Iterator[dict[str, str]]:
    """Replacements for texts of a page, while what they name is there.

    Raises:
        Unavailable: the page needs a server, and none can be had.
    """
    if page != ON_SERVER:
        yield {}
        return
    with shared_server() as server:
        name = f"wherefrom-test-{uuid4().hex}"
        try:
            yield on_server(server.index(name))
        finally:
            server.remove(name)


def main() -> None:
    """Records the pages that are named, or all."""
    for page in [Path(name).resolve() for name in sys.argv[1:]] or sorted(TUTORIALS.glob("*.md")):
        try:
            with taking_place(page) as stands_for, tempfile.TemporaryDirectory() as folder:
                printed = follow(page, Path(folder), stands_for)
        except Unavailable as error:
            print(f"{page.name} is left as it is: {error}")
        else:
            page.write_text(recorded(page.read_text(encoding="utf-8"), printed), encoding="utf-8")


if __name__ == "__main__":
    main()
