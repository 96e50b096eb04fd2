"""The page of the files that wherefrom writes and reads: the docstrings of the modules that define them."""

from __future__ import annotations

import inspect
from importlib import import_module

MODULES = {
    "An index in a folder": "wherefrom.engines.embedded.folder",
    "Postings: runs": "wherefrom.engines.embedded.runs",
    "Postings: the table of buckets": "wherefrom.engines.embedded.buckets",
    "Postings: packed numbers": "wherefrom.engines.embedded.packing",
    "Records: the database": "wherefrom.engines.embedded.database",
    "Records: occurrences": "wherefrom.engines.embedded.listings",
    "Records: contents": "wherefrom.engines.embedded.blocks",
    "Token streams": "wherefrom.support.streams",
    "The store of posts": "wherefrom.posts.store",
    "Baselines of a check": "wherefrom.projects.check.baseline",
    "Lists of sources": "wherefrom.sources.listed",
    "Format numbers": "wherefrom.support.formats",
}

INTRODUCTION = """\
# Formats of files

This page says what is in the files that wherefrom writes and reads. [Upgrades](../upgrades.md) says which versions read
which formats.
"""


def page() -> str:
    """The page in Markdown."""
    sections = (f"## {title}\n\n`{name}`\n\n{inspect.getdoc(import_module(name))}\n" for title, name in MODULES.items())
    return "\n".join([INTRODUCTION, *sections])
