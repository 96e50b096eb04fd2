# ruff: noqa: S608 - the names of tables and columns are constants of this module, and values are bound
"""The records of an embedded index: contents, listings, runs, and records with a name, in one database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wherefrom.engines.embedded.contents import Contents
from wherefrom.engines.embedded.database import Database, decode, decoded, encode, marks
from wherefrom.engines.embedded.listings import Listings
from wherefrom.engines.embedded.runs import Description
from wherefrom.engines.records import seal, unseal

NAMED = ("repository", "boilerplate", "refusal", "note")  # the tables whose rows have a name and values of bytes


class Records(Database):
    """The records. For one thread at a time; raises the errors of `Database`."""

    def __init__(self, path: Path, *, writes: bool = False) -> None:
        super().__init__(path, writes=writes)
        self.contents = Contents(self)
        self.listings = Listings(self, self.contents)

    def runs(self) -> list[tuple[Description, bytes]]:
        """The runs, oldest first, with a bit for each document: 1 if it is alive. No bits mean that all are alive."""
        return [decoded(_run, *row) for row in self.all("SELECT name, record, alive FROM run ORDER BY name")]

    def next_run(self) -> int:
        """A number that no run had before."""
        return 1 + (self.one("SELECT seq FROM sqlite_sequence WHERE name = 'run'") or (0,))[0]

    def put_run(self, description: Description, alive: bytes = b"") -> None:
        """Adds a run, or replaces its row."""
        name = description.name
        record = seal(f"run {name}", json.dumps(asdict(description)).encode())
        self.do("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", (name, record, seal(f"alive {name}", alive)))

    def keep_runs(self, names: Iterable[int]) -> None:
        """Removes the rows of all runs except these."""
        kept = list(names)
        self.do(f"DELETE FROM run WHERE name NOT IN ({marks(kept)})", kept)

    def named(self, table: str, names: Iterable[str]) -> Iterator[tuple[bytes, ...]]:
        """The values of the rows with these names in one of the tables `NAMED`: first the stored name."""
        for row in self.all_of(f"SELECT * FROM {table} WHERE name IN", list(map(encode, names))):
            yield row[0], *decoded(_unsealed, row)

    def all_named(self, table: str) -> list[bytes]:
        """The column `record` of all rows in one of the tables `NAMED`."""
        return [decoded(unseal, "record", row[0]) for row in self.all(f"SELECT record FROM {table}")]

    def names(self, table: str) -> list[str]:
        """The names of all rows in one of the tables `NAMED`, ascending. They have no checksum, but the records do."""
        return [decoded(decode, row[0]) for row in self.all(f"SELECT name FROM {table} ORDER BY name")]

    def notes(self, begin: str) -> dict[str, bytes]:
        """The records of the notes whose names begin with some text, by name, ascending."""
        statement, first = "SELECT name, record FROM note WHERE name >= ? AND name < ? ORDER BY name", encode(begin)
        rows = self.all(statement, (first, first + b"\xff"))
        return {decoded(decode, name): decoded(unseal, "record", record) for name, record in rows}

    def put_named(self, table: str, name: str, **values: bytes) -> None:
        """Adds or replaces a row with `values` for all columns. Without `values`, removes the row."""
        if not values:
            self.do(f"DELETE FROM {table} WHERE name = ?", (encode(name),))
            return
        sealed = [seal(column, value) for column, value in values.items()]
        self.do(f"INSERT OR REPLACE INTO {table} VALUES (?,{marks(sealed)})", (encode(name), *sealed))

    def verify(self) -> list[int]:
        """Compares everything with its checksums; returns the numbers of all blobs, ascending."""
        self.check_file()
        numbers = decoded(self.contents.verify)
        decoded(self.listings.verify)
        for table in NAMED:
            for row in self.do(f"SELECT * FROM {table}"):
                decoded(_unsealed, row)
        return numbers


def _run(name: int, record: bytes, alive: bytes) -> tuple[Description, bytes]:
    description = Description.load(json.loads(unseal(f"run {name}", record)))
    living = unseal(f"alive {name}", alive)
    if len(living) not in {0, -(-description.documents // 8)}:
        raise ValueError("the documents of a run that live are not as many as it has")
    return description, living


def _unsealed(row: Sequence[Any]) -> tuple[bytes, ...]:
    """The values of a row in one of the tables `NAMED`, without checksums."""
    return tuple(unseal(field, value) for field, value in zip(("record", "hashes"), row[1:], strict=False))
