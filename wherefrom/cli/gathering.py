"""Boilerplate of what the user names, which no index holds."""

from typing import TYPE_CHECKING

import wherefrom
from wherefrom.cli import console, files
from wherefrom.reports.boilerplate import live_line

if TYPE_CHECKING:
    from wherefrom.model import BoilerplateSet


def boilerplate_set(names: list[str], parse_memory: int) -> "BoilerplateSet":
    """The set of files, folders, archives and repositories, stored nowhere; parsed within so many bytes of memory."""
    texts, corpora = files.texts_and_corpora(names)
    with console.LiveLine(live_line) as live:
        return wherefrom.make_boilerplate(
            texts, sources=corpora, name="given with the query", parse_memory=parse_memory, progress=live.report
        )
