# ruff: noqa: S608 - the names of tables and columns are constants of this module, and values are bound
"""The occurrences in an embedded index. Occurrences at neighboring paths of a repository share a row, called a listing.

Neighboring paths begin alike, and their contents mostly have neighboring numbers. So together they compress to a
fraction of the size of separate rows. The listings of a repository divide its sorted paths into consecutive ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from wherefrom.engines.embedded.blocks import LARGEST
from wherefrom.engines.embedded.contents import Contents, compress, decompress
from wherefrom.engines.embedded.database import VALUES, Database, decode, decoded, encode, expect
from wherefrom.engines.records import seal, unseal
from wherefrom.model import Occurrence
from wherefrom.support.chunks import chunks

LISTED = 128  # the highest number of occurrences in a listing, since reading one occurrence decompresses all of them

_ROW = "number, repository, first, count, places"


class ListedPlace(NamedTuple):
    """The number of the content at a path, and the number of the text that names the revision."""

    content: int
    revision: int


Places = Mapping[bytes, ListedPlace]  # the `ListedPlace` at each path of a listing, ascending by path


def parts(places: Mapping[bytes, ListedPlace]) -> Iterator[dict[bytes, ListedPlace]]:
    """Divides places, given in any order, into as few listings as possible, all of about the same length."""
    paths = sorted(places)
    number = max(1, -(-len(paths) // LISTED))
    for part in chunks(paths, max(1, -(-len(paths) // number))):
        yield {path: places[path] for path in part}


def dump(places: Places, compress: Callable[[bytes], bytes]) -> bytes:
    """Places as compressed bytes: the contents, then the revisions, the lengths of the paths, and last the paths. Each
    content's number is stored as the difference from the number before. In each column of numbers, the lowest bytes
    come first, then the second-lowest bytes, and so on, since similar bytes compress well.
    """
    numbers = np.array([(place.content, place.revision, len(path)) for path, place in places.items()], "<u4").T.copy()
    numbers[0, 1:] -= numbers[0, :-1].copy()
    planes = np.ascontiguousarray(numbers.view(np.uint8).reshape(3, -1, 4).transpose(0, 2, 1))
    return compress(planes.tobytes() + b"".join(places))


def load(data: bytes, count: int, decompress: Callable[[bytes], bytes]) -> dict[bytes, ListedPlace]:
    """The reverse of `dump`, for `count` places. Raises ValueError if they are damaged."""
    plain = decompress(data)
    planes = np.frombuffer(plain, np.uint8, 12 * count).reshape(3, 4, count)
    numbers = np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<u4").reshape(3, count)
    contents = np.cumsum(numbers[0], dtype=np.uint32).tolist()
    ends = 12 * count + np.cumsum(numbers[2], dtype=np.int64)
    bounds = [12 * count, *ends.tolist()]
    if bounds[-1] != len(plain):
        raise ValueError("a listing has another length")
    paths = [plain[begin:end] for begin, end in pairwise(bounds)]
    return dict(zip(paths, map(ListedPlace, contents, numbers[1].tolist()), strict=True))


class Listings:
    """The listings in a database. Raises the errors of `Database`."""

    def __init__(self, database: Database, contents: Contents) -> None:
        self._database, self._contents = database, contents

    def occurrences(self, blobs: Collection[str] | None, repository: str | None) -> list[Occurrence]:
        """The occurrences of these blobs (None: of all) in this repository (None: in all), in any order."""
        number = None if repository is None else self._database.number_of(repository)
        if repository is not None and number is None:
            return []
        if blobs is None:
            where, of_repository = ("", ()) if number is None else (" WHERE repository = ?", (number,))
            listed = self._database.do(f"SELECT {_ROW} FROM listing{where}", of_repository)
            return decoded(self._located, listed, None)
        contents = self._contents.identified(blobs)
        found = []
        for batch in chunks(list(contents), VALUES):
            rows = self._database.all_of("SELECT DISTINCT listing FROM place WHERE content IN", batch)
            listings = [row[0] for row in rows]
            found_rows = list(self._database.all_of(f"SELECT {_ROW} FROM listing WHERE number IN", listings))
            expect(len(found_rows) == len(listings))
            wanted = [row for row in found_rows if number in (None, row[1])]
            found += decoded(self._located, wanted, {content: contents[content] for content in batch})
        return found

    def _located(self, rows: Iterable[Any], contents: Mapping[int, bytes] | None) -> list[Occurrence]:
        """The occurrences in these rows, only those of `contents` (their stored ids by number; None: all contents)."""
        found = []
        for row in rows:
            repository, places = self._database.text(row[1]), _places(row)
            ids = contents
            if ids is None:
                ids = self._contents.ids({place.content for place in places.values()})
            for path, place in places.items():
                if place.content in ids:
                    identity, revision = ids[place.content], self._database.text(place.revision)
                    found.append(Occurrence(repository, decode(path), identity.hex(), revision))
        return found

    def repositories(self) -> list[str]:
        """The repositories that have occurrences, ascending."""
        numbers = self._database.all("SELECT DISTINCT repository FROM listing")
        return sorted(decoded(self._database.text, number) for (number,) in numbers)

    def count(self) -> int:
        """The number of occurrences."""
        return int(self._database.one("SELECT total(count) FROM listing")[0])

    def put(self, occurrences: Sequence[Occurrence]) -> None:
        """Adds occurrences, or replaces those at the same paths."""
        with self._database.together():
            contents = self._contents.put(occurrence.blob for occurrence in occurrences)
            by_repository: dict[int, dict[bytes, ListedPlace | None]] = {}
            numbers = {
                text: self._database.put_text(text)
                for text in dict.fromkeys(text for it in occurrences for text in (it.repository, it.revision))
            }
            for occurrence in occurrences:
                here = by_repository.setdefault(numbers[occurrence.repository], {})
                place = ListedPlace(contents[occurrence.blob], numbers[occurrence.revision])
                here[encode(occurrence.path)] = place
            for repository, here in by_repository.items():
                self._change(repository, here)

    def delete(self, repository: str, paths: Iterable[str] | None) -> None:
        """Removes the occurrences at these paths of a repository (None: at all of its paths)."""
        number = self._database.number_of(repository)
        if number is None:
            return
        with self._database.together():
            if paths is not None:
                self._change(number, {encode(path): None for path in paths})
                return
            for row in self._database.all(f"SELECT {_ROW} FROM listing WHERE repository = ?", (number,)):
                self._put(number, row[0], decoded(_places, row), {})

    def _change(self, repository: int, changes: Mapping[bytes, ListedPlace | None]) -> None:
        """Sets the places at these paths of a repository; None removes a place."""
        paths = sorted(changes)
        if not paths:
            return
        statement = "SELECT number, first FROM listing WHERE repository = ?"
        ask = self._database.one
        nearest = ask(f"{statement} AND first <= ? ORDER BY first DESC LIMIT 1", (repository, paths[0]))
        nearest = nearest or ask(f"{statement} ORDER BY first LIMIT 1", (repository,)) or (None, b"")
        later = f"{statement} AND first > ? AND first <= ? ORDER BY first"
        near = [nearest, *self._database.all(later, (repository, nearest[1], paths[-1]))]
        of_listing: dict[int | None, dict[bytes, ListedPlace | None]] = {}
        for path in paths:
            at = bisect_right(near, path, key=itemgetter(1)) - 1
            of_listing.setdefault(near[max(0, at)][0], {})[path] = changes[path]
        for number, own in of_listing.items():
            before: dict[bytes, ListedPlace] = {}
            if number is not None:
                before = decoded(_places, ask(f"SELECT {_ROW} FROM listing WHERE number = ?", (number,)))
            after = {path: place for path, place in {**before, **own}.items() if place is not None}
            self._put(repository, number, before, after)

    def _put(
        self,
        repository: int,
        number: int | None,
        before: Mapping[bytes, ListedPlace],
        after: Mapping[bytes, ListedPlace],
    ) -> None:
        """Puts the places `after` into as many listings as needed, in place of listing `number` (None: a new one)."""
        if number is not None and not after:
            self._database.do("DELETE FROM listing WHERE number = ?", (number,))
            self._note_contents(number, before, {})
        for part in parts(after):
            if number is None:
                number = 1 + self._database.last("listing")
            sealed = seal(f"listing {number} {repository} {len(part)}", dump(part, compress))
            values = (number, repository, next(iter(part)), len(part), sealed)
            self._database.do("INSERT OR REPLACE INTO listing VALUES (?,?,?,?,?)", values)
            self._note_contents(number, before, part)
            number, before = None, {}

    def _note_contents(
        self, listing: int, before: Mapping[bytes, ListedPlace], after: Mapping[bytes, ListedPlace]
    ) -> None:
        """Updates the table `place`, which tells which contents are in a listing."""
        had = {place.content for place in before.values()}
        has = {place.content for place in after.values()}
        gone = [(content, listing) for content in sorted(had - has)]
        self._database.do_all("DELETE FROM place WHERE content = ? AND listing = ?", gone)
        new = [(content, listing) for content in sorted(has - had)]
        self._database.do_all("INSERT OR REPLACE INTO place VALUES (?,?)", new)

    def verify(self) -> None:
        """Reads all listings. Raises ValueError if their order or the table `place` is wrong."""
        listed: set[tuple[int, int]] = set()
        last = (0, b"")
        for row in self._database.do(f"SELECT {_ROW} FROM listing ORDER BY repository, first"):
            places = _places(row)
            self._located([row], None)
            paths = list(places)
            if (row[1], paths[0]) <= last or paths != sorted(paths):
                raise ValueError("the places of a repository are not in their order")
            last = (row[1], paths[-1])
            listed.update((place.content, row[0]) for place in places.values())
        if listed != set(self._database.do("SELECT content, listing FROM place")):
            raise ValueError("a place is missing")


def _places(row: Any) -> dict[bytes, ListedPlace]:
    number, repository, first, count, sealed = row
    data = unseal(f"listing {number} {repository} {count}", sealed)
    places = load(data, count, partial(decompress, most=LARGEST))
    if next(iter(places), None) != first:
        raise ValueError("a listing begins with another path")
    return places
