"""Boilerplate of what the user names, and the live line while it is read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import wherefrom
from wherefrom.cli import console, files
from wherefrom.reports.boilerplate import live_line

if TYPE_CHECKING:
    from wherefrom.model import BoilerplateSet
    from wherefrom.queries import BoilerplateProgress


@contextmanager
def progress() -> Iterator["Callable[[BoilerplateProgress], None] | None"]:
    """What shows the progress of reading; None where there is no terminal."""
    live = console.LiveLine()

    def show(event: "BoilerplateProgress") -> None:
        live.show(live_line(event, live.width))

    try:
        yield show if live.active else None
    finally:
        live.clear()


def boilerplate_set(names: list[str], parse_memory: int) -> "BoilerplateSet":
    """The set of files, folders, archives and repositories, stored nowhere; parsed within so many bytes of memory."""
    texts, corpora = files.texts_and_corpora(names)
    with progress() as show:
        return wherefrom.make_boilerplate(
            texts, sources=corpora, name="given with the query", parse_memory=parse_memory, progress=show
        )
