"""What the start page shows beside the form: what is indexed, and examples that work on this index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from wherefrom.errors import WherefromError
from wherefrom.index import Index
from wherefrom.languages import LANGUAGES
from wherefrom.model import KeyKind, RepositoryRecord
from wherefrom.sources.permalinks import permalink
from wherefrom.sources.repository_urls import package_parts

TRIED_REPOSITORIES, TRIED_FILES = 5, 60
"""At most this many repositories are listed, and this many files read, to find an example."""

EXAMPLE_TOKENS = range(60, 3_000)
"""The tokens of a file that is an example."""

EXAMPLE_BYTES = 1_500
"""An example of code has at most this many bytes."""


def start(index: Index, *, may_read: bool) -> dict[str, Any]:
    """The values of the template for an empty form: `facts` about the index, and `examples` as words and addresses.
    Without `may_read`, no example has code.
    """
    records = index.repositories()
    packages = [record for record in records if record.key_kind == KeyKind.PACKAGE]
    days = sorted(record.indexed_at[:10] for record in records)
    facts = [
        ("repositories", f"{len(records) - len(packages):,}"),
        *([("packages", f"{len(packages):,}")] if packages else []),
        ("files", f"{sum(record.files for record in records):,}"),
        *([("indexed since", days[0]), ("last run", days[-1])] if days else []),
    ]
    found = [*_examples(index, records, may_read=may_read)]
    return {"facts": facts, "examples": [(words, f"/search?{urlencode({'code': code})}") for words, code in found]}


def _examples(index: Index, records: Sequence[RepositoryRecord], *, may_read: bool) -> Iterator[tuple[str, str]]:
    """What to put into the form, each with words for it."""
    package = next((record.key for record in records if record.key_kind == KeyKind.PACKAGE), None)
    if package is not None:
        yield "a package", package_parts(package)[0]
    # Small repositories are listed quickly.
    smallest = nsmallest(TRIED_REPOSITORIES, (record for record in records if record.files), attrgetter("files"))
    files = (at for record in smallest for at in index.files(record.key))
    for at in islice(files, TRIED_FILES):
        try:
            document = index.document(at.blob)
            if document.tokens not in EXAMPLE_TOKENS or not LANGUAGES[document.language].grammar:
                continue
            content = document.content()
        except WherefromError:
            continue
        link = next((place.url for place in document.locations if place.url), None)
        if link is not None and permalink(link) is not None:
            yield "a permalink", link.partition("#")[0]  # without lines
        if may_read:
            yield "some code", content[:EXAMPLE_BYTES].rpartition(b"\n")[0].decode("utf-8", "replace")
        return
