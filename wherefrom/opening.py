"""Opening an index. It is apart from `wherefrom.api`, so that a search does not wait for what makes indexes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.index import Index
from wherefrom.model import PARSE_MEMORY
from wherefrom.options import EngineOptions
from wherefrom.workers.analyzer import Analyzer


def open_index(
    location: str | Path, options: EngineOptions | None = None, *, parse_memory: int = PARSE_MEMORY
) -> Index:
    """Opens an index.

    Args:
        location: path or URL.
        options: what its engine needs, such as `ElasticsearchOptions`.
        parse_memory: what may be used to parse a snippet or a file, in bytes; a process of its own does that.

    Raises:
        UsageError: no such engine, options of another one, or too little memory.
        IndexMissing: nothing is there.
        IndexFormatError: it is not an index, or of another format version.
        SchemeMismatch: it was made by another scheme.
        UnusableIndex: it cannot be used for another reason.
    """
    analyzer = Analyzer(parse_memory)
    reopen = partial(open_engine, location, schemes=scheme_ids(), options=options)
    return Index(reopen(), analyzer, reopen)
