"""The pages of files and repositories, made in the process that reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from wherefrom.errors import NotFound
from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.options import SourcesOptions
from wherefrom.reports.attribution_text import license_names
from wherefrom.reports.layout import NOT_AT_HAND, size
from wherefrom.reports.location_text import REVISION_DIGITS
from wherefrom.reports.pages.sides import COLUMNS, colors_of_line
from wherefrom.reports.sides import TextLines, pieces
from wherefrom.serve.calls import Answer
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.search_page import Page, file_url
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.index import Index

MOST_LINES = 20_000
"""Lines of a file that are shown."""

MOST_PLACES = 100
"""Identical files that are listed."""

MOST_FILES = 5_000
"""Files of a repository that are listed."""

DOCUMENTS = 20
"""Other files whose lines are marked."""


def file_page(index: Index, place: str) -> Page:
    """An indexed file, named by what follows `/r/`: `REPOSITORY/PATH`; or the files of a repository."""
    key, path = _split(index, place)
    if not path:
        return _files(index, key)
    occurrence = _occurrence(index, key, path)
    document = index.document(occurrence.blob)
    content = document.texts.of(document.blob, [occurrence, *document.occurrences])
    location = next(
        (at for at in document.locations if at.occurrence.path == path and at.occurrence.repository == key), None
    )
    text = None if content is None else TextLines(content)
    colors = [] if content is None else index.highlights(path, content)
    numbers = range(1, min(text.count, MOST_LINES) + 1) if text is not None else range(0)
    html = page(
        "file",
        title=f"{key}  {path}",
        facts=[
            ("language", document.language),
            ("tokens", f"{document.tokens:,}"),
            ("size", size(document.size)),
            ("revision", occurrence.revision[:REVISION_DIGITS] or "none"),
            ("license", license_names(index.licenses(occurrence)) or "none stated"),
        ],
        host_url=None if location is None else location.url,
        repository=(key, file_url(key, "")),
        language=document.language,
        lines=None
        if text is None
        else [(number, parts) for number, parts in zip(numbers, _lines(text, colors), strict=False)],
        is_colored=bool(colors),
        more=0 if text is None else max(text.count - MOST_LINES, 0),
        gone=f"{NOT_AT_HAND}. To see it, index it again with --keep-source.",
        places=[
            (f"{at.repository}  {at.path}", file_url(at.repository, at.path))
            for at in document.occurrences
            if (at.repository, at.path) != (key, path)
        ][:MOST_PLACES],
        marks=f"/lines/{file_url(key, path).removeprefix('/r/')}",
    )
    return Page(html)


def file_lines(index: Index, place: str) -> Answer:
    """Which lines of an indexed file also exist elsewhere, and where: JSON with `places`, and ranges of `lines` with
    the positions of these.
    """
    key, path = _split(index, place)
    occurrence = _occurrence(index, key, path)
    content = index.document(occurrence.blob).content()
    found = index.sources(content, SourcesOptions(name=path.rpartition("/")[2], limit=DOCUMENTS, not_itself=True))
    places: list[dict[str, Any]] = []
    marked: list[tuple[int, int, int]] = []
    for number, document in enumerate(found.documents):
        at = document.occurrences[0]
        extent = [
            (pair.query.start_line, pair.query.end_line, pair.document.start_line, pair.document.end_line)
            for pair in document.regions
        ]
        places.append(
            {
                "title": visible(f"{at.repository}  {at.path}"),
                "url": file_url(at.repository, at.path),
                "more": len(document.occurrences) - 1,
                "license": license_names(index.licenses(at)) or "no license stated",
                "regions": extent,
            }
        )
        marked += [(span.first, span.last, number) for span in document.all_lines]
    return Answer.of({"lines": sorted(marked), "places": places}, len(places))


def repositories_page(index: Index) -> Page:
    """What is indexed."""
    records = index.repositories()
    stats = index.stats()
    html = page(
        "repositories",
        facts=[
            ("repositories", f"{stats.repositories:,}"),
            ("contents", f"{stats.blobs:,}"),
            ("files", f"{sum(record.files for record in records):,}"),
            ("size", size(sum(record.size for record in records))),
        ],
        repositories=[
            {
                "name": name,
                "url": file_url(record.key, ""),
                "files": record.files,
                "bytes": record.size,
                "size": size(record.size),
                "revision": record.revision[:REVISION_DIGITS],
                "indexed_at": record.indexed_at[:16].replace("T", " "),
                "skipped": sum(record.skipped.values()),
                "skips": ", ".join(
                    f"{str(reason).replace('_', ' ')} {number:,}"
                    for reason, number in sorted(record.skipped.items())
                    if number
                ),
            }
            for record, name in zip(records, _names(records), strict=True)
        ],
        languages=[
            (name, [f"{number:,}"]) for name, number in sorted(stats.languages.items(), key=lambda item: -item[1])
        ],
    )
    return Page(html)


def _names(records: Sequence[RepositoryRecord]) -> list[str]:
    """The names of repositories on the page: their keys. A key that is a path on the server is shortened to its last
    parts, as many as tell it from the others.
    """
    ends = {record.key: _ends(record.key) for record in records if record.key_kind == KeyKind.PATH}
    counts = Counter(end for of_key in ends.values() for end in of_key)
    return [next((end for end in ends.get(record.key, ()) if counts[end] == 1), record.key) for record in records]


def _ends(key: str) -> list[str]:
    """The last part of a key, the last two, and so on."""
    parts = key.split("/")
    return ["/".join(parts[-number:]) for number in range(1, len(parts) + 1)]


def _files(index: Index, key: str) -> Page:
    [record] = index.repositories(key)
    found = list(islice(index.files(key), MOST_FILES))
    html = page(
        "files",
        title=key,
        facts=[
            ("files", f"{record.files:,}"),
            ("revision", record.revision[:REVISION_DIGITS] or "none"),
            ("indexed", record.indexed_at[:16].replace("T", " ")),
        ],
        skipped=[
            (str(reason).replace("_", " "), [f"{number:,}"])
            for reason, number in sorted(record.skipped.items())
            if number
        ],
        files=[(at.path, file_url(at.repository, at.path)) for at in found],
        more=max(record.files - len(found), 0),
    )
    return Page(html)


def _split(index: Index, place: str) -> tuple[str, str]:
    """Repository and path of a place: a key may hold slashes, and one may be the beginning of another."""
    keys = [record.key for record in index.repositories() if place == record.key or place.startswith(f"{record.key}/")]
    if not keys:
        raise NotFound(f"no indexed repository is called as {visible(place[:200])!r} begins; see /repositories")
    key = max(keys, key=len)
    return key, place[len(key) + 1 :]


def _occurrence(index: Index, key: str, path: str) -> Occurrence:
    found = next((at for at in index.files(key) if at.path == path), None)
    if found is None:
        raise NotFound(f"{visible(key)} has no indexed file {visible(path[:500])!r}; see its list of files")
    return found


def _lines(text: TextLines, colors: Sequence[tuple[int, int, str]]) -> Iterator[list[tuple[str, str]]]:
    """Each line as it is shown: runs of characters with their colors (`Index.highlights`), empty for none."""
    for number in range(1, text.count + 1):
        of_line = colors_of_line(number, text, colors)
        yield [(piece.text, piece.color) for piece in pieces(text.line(number), (), 10 * COLUMNS, of_line)]
