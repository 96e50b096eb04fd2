"""The pages of files, folders and repositories, and those that say which of their lines are also elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi.responses import HTMLResponse

from wherefrom.errors import NotFound
from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.options import SourcesOptions
from wherefrom.public import Index
from wherefrom.reports.hit_fields import NO_LICENSE, REVISION_DIGITS, here_since, license_names, quoted, short_age
from wherefrom.reports.layout import count, size
from wherefrom.reports.pages.sides import COLUMNS, colors_of_line
from wherefrom.reports.sides import TextLines, pieces
from wherefrom.results import Age, Lines, SharedCode, SharedFile, SharingRepository
from wherefrom.results.attribution import by_age
from wherefrom.serve.calls import json_line
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.search_page import GONE, file_url
from wherefrom.support.printable import visible

MOST_LINES = 20_000  # the highest number of lines of a file on its page
MOST_PLACES = 100  # the highest number of identical files in the list

AGE_UNKNOWN = "not known, see wherefrom index --history"

MOST_REPOSITORIES = 1_000  # the highest number of repositories on their page
MOST_ENTRIES = 5_000  # the highest number of files and folders in the list of a folder


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
    shown = None if text is None else (0, text.start(MOST_LINES + 1))
    colors = [] if content is None else document.texts.colors(content, document.blob, shown)
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
    parts = {record.key: record.key.split("/") for record in records if record.key_kind == KeyKind.PATH}
    # The possible short names: `c`, `b/c` and `a/b/c` for the key `a/b/c`.
    ends = {key: ["/".join(of[-number:]) for number in range(1, len(of) + 1)] for key, of in parts.items()}
    counts = Counter(end for of_key in ends.values() for end in of_key)
    return [next((end for end in ends.get(record.key, ()) if counts[end] == 1), record.key) for record in records]


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
    """The lines as runs of characters with their colors (`Texts.colors`); an empty text for no color."""
    for number in range(1, text.count + 1):
        of_line = colors_of_line(number, text, colors)
        yield [(piece.text, piece.color) for piece in pieces(text.line(number), (), 10 * COLUMNS, of_line)]


DOCUMENTS = 20
"""The lines that a file shares with at most this many other files, and with others like these, are marked."""

MOST_NOTED = 200  # the highest number of places that are named for the lines of a file. The others only count
MOST_STRETCHES = 1_000  # the highest number of stretches of lines in the list of a file
MOST_NAMED = 10  # the highest number of places that the list names for a stretch

SIDES = ("here", "there")

PARTS_SECONDS = 3.0  # how long parts of the files of a folder are looked up, before the page offers a link to go on
MOST_RANGES = 5  # the highest number of ranges of lines that an example names


class LineHolders(NamedTuple):
    """Nearly identical files that have some lines of the looked up file. `regions` has lines of that file, and those
    that face them in the first of `files`; it may be empty.
    """

    files: Sequence[Occurrence]
    lines: Sequence[Lines]
    regions: Sequence[tuple[Lines, Lines]] = ()


class MarkedLines(NamedTuple):
    """Consecutive lines that the same files have: how many `files`, and the positions of their `places`."""

    lines: Lines
    files: int
    places: Sequence[int]


def elsewhere_page(index: Index, place: str, begin: str) -> HTMLResponse:
    """The page about a file, or about a folder or a repository. `place` is as in `file_page`. `begin` is, for a folder,
    the number of its largest files whose parts are not looked up; other texts than numbers count as 0.
    """
    key, path = located(index, place)
    if not path or path.endswith("/"):
        return _of_folder(index, key, path, int(begin) if begin.isdecimal() and len(begin) < 10 else 0)
    return _of_file(index, key, path)


def file_lines(index: Index, place: str) -> bytes:
    """The lines of an indexed file that also exist elsewhere. The JSON has the number of other `files`, their `places`,
    and in `lines` the first and last line of each stretch, the number of files that have it, and the positions of their
    places.
    """
    places = _elsewhere(index, *located(index, place))
    files = {(at.repository, at.path) for place in places for at in place.files}
    shown = [
        {
            "title": visible(f"{place.files[0].repository}  {place.files[0].path}"),
            "url": file_url(place.files[0].repository, place.files[0].path),
            "more": len(place.files) - 1,
            "notes": notes,
            "regions": [(here.first, here.last, there.first, there.last) for here, there in place.regions],
        }
        for place, notes in zip(places, _notes(index, places), strict=False)
    ]
    lines = [
        (it.lines.first, it.lines.last, it.files, [number for number in it.places if number < len(shown)])
        for it in _stretches(places)
    ]
    return json_line({"files": len(files), "lines": lines, "places": shown})


def _elsewhere(index: Index, key: str, path: str) -> list[LineHolders]:
    content = index.document(occurrence_at(index, key, path).blob).content()
    options = SourcesOptions(name=path.rpartition("/")[2], limit=DOCUMENTS, not_itself=True)
    places = []
    for document in index.sources(content, options).documents:
        regions = [(pair.query.lines, pair.document.lines) for pair in document.regions]
        places.append(LineHolders(document.occurrences, document.all_lines, regions))
        places += [LineHolders([at], document.lines) for at in document.alternatives]
    return places


def _stretches(places: Sequence[LineHolders]) -> Iterator[MarkedLines]:
    """The lines of all places, divided where another file begins or ends; ascending."""
    changes: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, place in enumerate(places):
        for span in place.lines:
            changes[span.first].append((number, 1))
            changes[span.last + 1].append((number, -1))
    present: set[int] = set()
    files: Counter[tuple[str, str]] = Counter()
    for (first, changed), (end, _) in pairwise(sorted(changes.items())):
        for number, by in changed:
            present ^= {number}
            for at in places[number].files:
                files[at.repository, at.path] += by
        files = +files  # without those that have the lines no longer
        if present:
            yield MarkedLines(Lines(first, end - 1), len(files), sorted(present))


def _notes(index: Index, places: Sequence[LineHolders]) -> Iterator[str]:
    """For each of the first places its license, and since when its first file has the lines."""
    named = places[:MOST_NOTED]
    matched = [_numbers([there for _, there in place.regions]) for place in named]
    ages = index.ages([(place.files[0], lines) for place, lines in zip(named, matched, strict=True)])
    for place, lines, age in zip(named, matched, ages, strict=True):
        license = license_names(index.licenses(place.files[0], lines)) or NO_LICENSE
        yield ", ".join([license, *([short_age(age)] if age is not None else [])])


def _of_file(index: Index, key: str, path: str) -> HTMLResponse:
    places = _elsewhere(index, key, path)
    notes, stretches = [*_notes(index, places)], [*_stretches(places)]

    def shown(number: int, line: int) -> dict[str, Any]:
        at, *more = places[number].files
        facing = next((there for here, there in places[number].regions if here.first <= line <= here.last), None)
        return {
            "title": f"{at.repository}  {at.path}{'' if facing is None else f':{facing}'}",
            "url": file_url(at.repository, at.path, facing),
            "more": len(more),
            "notes": notes[number],
        }

    return page(
        "elsewhere",
        title=f"Lines elsewhere: {key}  {path}",
        folders=[*folders_above(key, path), (path.rpartition("/")[2], file_url(key, path))],
        stretches=[
            {
                "lines": it.lines,
                "url": file_url(key, path, it.lines),
                "files": it.files,
                "places": [shown(number, it.lines.first) for number in it.places[:MOST_NAMED] if number < len(notes)],
            }
            for it in stretches[:MOST_STRETCHES]
        ],
        more=max(len(stretches) - MOST_STRETCHES, 0),
    )


def _of_folder(index: Index, key: str, folder: str, begin: int) -> HTMLResponse:
    found = index.shared(key, folder, begin=begin, seconds=PARTS_SECONDS)
    pairs = [pair for sharing in found.repositories for pair in sharing.examples]
    ages = iter(index.ages([(at, _numbers(lines)) for pair in pairs for at, lines in pair.sides]))
    if folder and not found.files:
        raise NotFound(f"{visible(key)} has no folder {visible(folder[:500])!r} with code; see its other folders")
    own = f"{file_url(key, folder)}?elsewhere=1"
    return page(
        "shared",
        title=f"Shared code: {key}  {folder}" if folder else f"Shared code: {key}",
        folders=folders_above(key, folder),
        facts=[
            ("files with code", f"{found.files:,}"),
            ("also elsewhere as a whole", f"{found.same:,}"),
            ("repositories with shared code", f"{found.total:,}"),
        ],
        looked_up=[*_looked_up(found)],
        next_url=f"{own}&from={found.end}" if found.end < found.fitting else None,
        first_url=own if found.begin else None,
        repositories=[_repository(index, sharing, ages) for sharing in found.repositories],
        more=found.total - len(found.repositories),
    )


def _looked_up(found: SharedCode) -> Iterator[str]:
    yield "All files with code were looked up as a whole."
    if found.others and found.end > found.begin:
        which = f"number {found.begin + 1:,} to {found.end:,} by size" if found.begin else f"the {found.end:,} largest"
        yield f"Of the {found.others:,} contents that are nowhere else, parts of {which} were looked up too."
    if 0 < found.fitting < found.others:
        yield f"{found.others - found.fitting:,} are too large for that; their own pages tell."
    if found.unread:
        yield f"The text of {found.unread:,} of these is not at hand."


def _repository(index: Index, sharing: SharingRepository, ages: Iterator[Age | None]) -> dict[str, Any]:
    pairs = sharing.examples
    credited = sum(pair.is_credited for pair in pairs)
    return {
        "name": sharing.repository,
        "url": file_url(sharing.repository, ""),
        "verdict": "attributed" if credited == len(pairs) else "partly attributed" if credited else "unattributed",
        "amount": [
            *([f"{count(sharing.same, 'file')} with the same content"] if sharing.same else []),
            *([f"{count(sharing.lines, 'line')} of other files"] if sharing.lines else []),
        ],
        "licenses": [
            (side, _licenses(index, [pair.sides[number] for pair in pairs])) for number, side in enumerate(SIDES)
        ],
        "examples": [_example(pair, next(ages), next(ages)) for pair in pairs],
    }


def _licenses(index: Index, places: Sequence[tuple[Occurrence, Sequence[Lines]]]) -> str:
    found = dict.fromkeys(license for at, lines in places for license in index.licenses(at, _numbers(lines)))
    return license_names([*found]) or NO_LICENSE


def _example(pair: SharedFile, age_here: Age | None, age_there: Age | None) -> dict[str, Any]:
    here, there = ((at.path, file_url(at.repository, at.path, lines[0] if lines else None)) for at, lines in pair.sides)
    ages, lines = (age_here, age_there), (pair.credit_here, pair.credit_there)
    notes = [f"{side} {short_age(age)}" for side, age in zip(SIDES, ages, strict=True) if age is not None]
    notes += [f"credited {side} by {quoted(it)}" for side, it in zip(SIDES, lines, strict=True) if it is not None]
    ranges = ", ".join(map(str, pair.lines[:MOST_RANGES]))
    more = f" and {len(pair.lines) - MOST_RANGES:,} more" if len(pair.lines) > MOST_RANGES else ""
    return {
        "here": here,
        "there": there,
        "lines": f"lines {ranges}{more}" if pair.lines else "",
        "notes": notes,
        "verdict": "attributed" if pair.is_credited else "unattributed",
    }


def _numbers(lines: Sequence[Lines]) -> list[tuple[int, int]]:
    return [(span.first, span.last) for span in lines]
