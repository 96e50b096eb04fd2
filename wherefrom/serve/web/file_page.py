"""The pages of files and repositories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse

from wherefrom.errors import NotFound
from wherefrom.index import Index
from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.queries.history import by_age
from wherefrom.reports.layout import size
from wherefrom.reports.pages.sides import COLUMNS, colors_of_line
from wherefrom.reports.place_text import REVISION_DIGITS, here_since, license_names, short_age
from wherefrom.reports.sides import TextLines, pieces
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.search_page import GONE, file_url
from wherefrom.support.printable import visible

MOST_LINES = 20_000
"""The highest number of lines of a file on its page."""

MOST_PLACES = 100
"""The highest number of identical files in the list."""

AGE_UNKNOWN = "not known, see wherefrom index --history"

MOST_REPOSITORIES = 1_000
"""The highest number of repositories on their page."""

MOST_ENTRIES = 5_000
"""The highest number of files and folders in the list of a folder."""


def file_page(index: Index, place: str) -> HTMLResponse:
    """The page of an indexed file, or of a folder. `place` is the address after `/r/`: `REPOSITORY/PATH`, with a
    slash at the end for a folder.
    """
    key, path = located(index, place)
    if not path or path.endswith("/"):
        return _folder(index, key, path)
    occurrence = occurrence_at(index, key, path)
    document = index.document(occurrence.blob)
    content = document.texts.of(document.blob, [occurrence, *document.occurrences])
    location = next(
        (at for at in document.locations if at.occurrence.path == path and at.occurrence.repository == key), None
    )
    same = [at for at in document.occurrences if (at.repository, at.path) != (key, path)][:MOST_PLACES]
    own_age, *ages = index.ages([(at, ()) for at in (occurrence, *same)])
    text = None if content is None else TextLines(content)
    colors = [] if content is None else index.highlights(path, content)
    return page(
        "file",
        title=f"{key}  {path}",
        facts=[
            ("language", document.language),
            ("tokens", f"{document.tokens:,}"),
            ("size", size(document.size)),
            ("revision", occurrence.revision[:REVISION_DIGITS] or "none"),
            ("license", license_names(index.licenses(occurrence)) or "none stated"),
            ("here since", AGE_UNKNOWN if own_age is None else here_since(own_age).removeprefix("here since ")),
        ],
        host_url=None if location is None else location.url,
        folders=folders_above(key, path),
        language=document.language,
        lines=None if text is None else [*enumerate(islice(_lines(text, colors), MOST_LINES), 1)],
        is_colored=bool(colors),
        more=0 if text is None else max(text.count - MOST_LINES, 0),
        gone=GONE,
        places=[
            (f"{at.repository}  {at.path}", file_url(at.repository, at.path), short_age(age) if age else "")
            for at, age in sorted(zip(same, ages, strict=True), key=lambda pair: by_age(pair[1]))
        ],
        is_dated=any(ages),
        more_places=len(document.occurrences) - 1 - len(same),
        elsewhere_url=f"{file_url(key, path)}?elsewhere=1",
        marks=f"/lines/{file_url(key, path).removeprefix('/r/')}",
    )


def repositories_page(index: Index, part: str = "", after: str = "") -> HTMLResponse:
    """The page of the indexed repositories: those with a part of a name, behind a key."""
    stats = index.stats()
    named = [key for key in index.repository_keys() if part.lower() in key.lower()]
    behind = [key for key in named if key > after]
    shown = behind[:MOST_REPOSITORIES]
    records = index.repositories(*shown) if shown else []
    return page(
        "repositories",
        facts=[
            ("repositories", f"{stats.repositories:,}"),
            ("contents", f"{stats.blobs:,}"),
            ("files", f"{stats.occurrences:,}"),
            ("size of the contents", size(stats.size)),
        ],
        part=part,
        total=len(named),
        is_part=part or after or len(behind) > len(shown),
        next_url=f"/repositories?{urlencode({'part': part, 'after': shown[-1]})}" if behind[len(shown) :] else "",
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
                "skips": ", ".join(f"{reason} {number}" for reason, number in _skips(record)),
            }
            for record, name in zip(records, _names(records), strict=True)
        ],
        languages=[
            (name, [f"{number:,}"]) for name, number in sorted(stats.languages.items(), key=lambda item: -item[1])
        ],
    )


def _names(records: Sequence[RepositoryRecord]) -> list[str]:
    """The names of repositories on the page. A key that is a path on the server is shortened to the fewest last parts
    that distinguish it from the others.
    """
    ends = {record.key: _ends(record.key) for record in records if record.key_kind == KeyKind.PATH}
    counts = Counter(end for of_key in ends.values() for end in of_key)
    return [next((end for end in ends.get(record.key, ()) if counts[end] == 1), record.key) for record in records]


def _ends(key: str) -> list[str]:
    """The possible short names of a repository, shortest first: `c`, `b/c` and `a/b/c` for the key `a/b/c`."""
    parts = key.split("/")
    return ["/".join(parts[-number:]) for number in range(1, len(parts) + 1)]


def _skips(record: RepositoryRecord) -> list[tuple[str, str]]:
    return [(reason.replace("_", " "), f"{number:,}") for reason, number in sorted(record.skipped.items()) if number]


def _folder(index: Index, key: str, folder: str) -> HTMLResponse:
    [record] = index.repositories(key)
    numbers = Counter[str]()
    """The number of files for each name in the folder; those of folders end with a slash."""
    for at in index.files(key):
        if at.path.startswith(folder):
            name, slash, _ = at.path[len(folder) :].partition("/")
            numbers[name + slash] += 1
    if folder and not numbers:
        raise NotFound(
            f"{visible(key)} has no folder {visible(folder[:500])!r} with indexed files; see its other folders"
        )
    names = sorted(numbers, key=lambda name: (not name.endswith("/"), name))
    return page(
        "folder",
        title=f"{key}  {folder}" if folder else key,
        elsewhere_url=f"{file_url(key, folder)}?elsewhere=1",
        folders=folders_above(key, folder.removesuffix("/")),
        facts=[
            ("files", f"{record.files:,}"),
            ("revision", record.revision[:REVISION_DIGITS] or "none"),
            ("indexed", record.indexed_at[:16].replace("T", " ")),
        ],
        skipped=[] if folder else [(reason, [number]) for reason, number in _skips(record)],
        entries=[
            (name, file_url(key, folder + name), numbers[name] if name.endswith("/") else 0)
            for name in names[:MOST_ENTRIES]
        ],
        more=max(len(names) - MOST_ENTRIES, 0),
    )


def folders_above(key: str, path: str) -> list[tuple[str, str]]:
    """The repository and the folders that a path is in: names and addresses, the repository first."""
    parts = path.split("/")[:-1]
    ends = ["/".join(parts[: number + 1]) + "/" for number in range(len(parts))]
    return [(key, file_url(key, "")), *((part, file_url(key, end)) for part, end in zip(parts, ends, strict=True))]


def located(index: Index, place: str) -> tuple[str, str]:
    """The key of the repository and the path that an address after `/r/` names."""
    found = index.repository_at(place)
    if found is None:
        raise NotFound(f"no indexed repository is called as {visible(place[:200])!r} begins; see /repositories")
    return found[0].key, found[1]


def occurrence_at(index: Index, key: str, path: str) -> Occurrence:
    """An indexed file; raises NotFound if there is none."""
    found = next((at for at in index.files(key) if at.path == path), None)
    if found is None:
        raise NotFound(f"{visible(key)} has no indexed file {visible(path[:500])!r}; see its list of files")
    return found


def _lines(text: TextLines, colors: Sequence[tuple[int, int, str]]) -> Iterator[list[tuple[str, str]]]:
    """The lines as runs of characters with their colors (`Index.highlights`); an empty text for no color."""
    for number in range(1, text.count + 1):
        of_line = colors_of_line(number, text, colors)
        yield [(piece.text, piece.color) for piece in pieces(text.line(number), (), 10 * COLUMNS, of_line)]
