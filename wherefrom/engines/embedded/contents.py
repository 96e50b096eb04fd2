# ruff: noqa: S608 - the names of tables and columns are constants of this module, and values are bound
"""The contents of an embedded index. Each content has a row with its facts; its large values are in a block, which
several small contents may share.

A content that occurs somewhere but is not indexed has an id and no facts. An indexed content is called a blob.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import zstandard

from wherefrom.engines.embedded.blocks import (
    LARGEST,
    ROOM,
    dump,
    dump_numbers,
    grouped,
    in_full_pages,
    join_tiny,
    load,
    load_numbers,
)
from wherefrom.engines.embedded.database import VALUES, Database, decoded, expect, marks, row_seal
from wherefrom.engines.records import BULK, bulk, seal, unseal
from wherefrom.mappings.embedded import ID_PREFIX
from wherefrom.model import StoredBlob
from wherefrom.support import zstd
from wherefrom.support.chunks import chunks
from wherefrom.support.streams import Joined

ID_BYTES = 4  # how many leading bytes of each id are in the database's index over ids (`ID_PREFIX`)
WAITING = 16_000_000  # once the waiting blobs have more bytes than this, they are grouped into blocks and written

BLOCKS_KEPT = 4
"""How many loaded blocks `_Loader` keeps for the next rows: contents of one block have numbers near each other."""

LEVEL = 6  # the level of compression (Zstandard)

_FACTS = "content.number, id, kind, size, token_count, block, seal"
_FACTS_COUNT = 7

_BLOCK = 'contents, tokens, source, "references"'
"""The columns of a block: its contents, then `BULK` (`references` is quoted as a keyword of SQL)."""

_PUT = "INSERT OR REPLACE INTO content VALUES (?,?,?,?,?,?,?)"


def compress(data: bytes) -> bytes:
    """Compresses a value of a row."""
    return zstd.compress(data, LEVEL)


def decompress(data: bytes, most: int) -> bytes:
    """Decompresses a value. Raises ValueError if it is damaged or, before allocating memory, exceeds `most` bytes."""
    try:
        size = zstandard.frame_content_size(data)
        if 0 <= size <= most:
            return zstd.decompress(data)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    raise ValueError(f"a compressed value claims {size:,} bytes and can have {most:,}")


def _id_bytes(blob: str) -> bytes | None:
    """A blob id in its stored form; None if the text is not a blob id."""
    try:
        identity = bytes.fromhex(blob)
    except ValueError:
        return None
    return identity if identity.hex() == blob else None


class _SharedFacts(NamedTuple):
    """Facts that many blobs share, stored as one text. Bit i of `has` is set if the blobs have the field `BULK[i]`."""

    language: str
    analysis: str
    has: int


@cache
def _loaded_shared(text: str) -> _SharedFacts:
    return _SharedFacts(*json.loads(text))


@cache
def _shared_text(language: str, analysis: str, names: Sequence[str]) -> str:
    """The reverse of `_loaded_shared`, of a blob with these `BULK` fields."""
    return json.dumps([language, analysis, sum(1 << BULK.index(name) for name in names)])


class Contents:
    """The contents in a database. Raises the errors of `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[str, tuple[int, StoredBlob, dict[str, bytes]]] = {}
        """The blobs that `flush` has yet to write, by id, with their numbers and `bulk`."""
        self._waiting_bytes = 0
        self._last = 0
        self._absent: set[str] = set()
        """The ids that have no row: those that `numbers` looked for last, until contents are added."""

    def _rows(self, ids: Iterable[str], statement: str = f"SELECT {_FACTS} FROM content") -> Iterator[Any]:
        """The rows of the contents with these ids that exist. `statement` has no WHERE; its second column is the id."""
        if self._database.is_empty("content"):  # a new index has none of the contents
            return
        wanted = [given for blob in dict.fromkeys(ids) if (given := _id_bytes(blob)) is not None]
        for batch in chunks(wanted, VALUES):
            places = marks(batch)
            prefixes = (identity[:ID_BYTES] for identity in batch)
            condition = f"WHERE {ID_PREFIX} IN ({places}) AND id IN ({places})"
            rows = self._database.all(f"{statement} {condition}", (*prefixes, *batch))
            expect({row[1] for row in rows} <= set(batch))
            yield from rows

    def loaded(self, row: Any) -> dict[str, Any] | None:
        """The facts of a blob from a row with `_FACTS`; None for a content that is not indexed."""
        *values, sealed = row
        _, identity, shared, size, token_count, _ = values
        if sealed != row_seal("content", *values):
            raise ValueError("the checksum of a content does not match")
        if size is None:
            return None
        language, analysis, _ = self.shared(shared)
        facts = {"language": language, "size": size, "token_count": token_count, "analysis": analysis}
        return {"blob": identity.hex(), **facts}

    def shared(self, number: int) -> _SharedFacts:
        """The shared facts in the text with this number."""
        return _loaded_shared(self._database.text(number))

    def analyses(self, blobs: Iterable[str]) -> dict[str, str]:
        """The analysis stamps of these blobs. Blobs that are not in the index are left out."""
        found = (decoded(self.loaded, row) for row in self._rows(blobs))
        return {facts["blob"]: facts["analysis"] for facts in found if facts is not None}

    def blobs(self, blobs: Iterable[str], names: Collection[str] = BULK) -> Iterator[StoredBlob]:
        """Those of these blobs that are in the index, in any order, with only the `BULK` fields in `names`."""
        loader = _Loader(self, names)
        return filter(None, (decoded(loader.blob, row) for row in self._rows(blobs, loader.statement)))

    def numbered(self, numbers: Sequence[int], names: Collection[str]) -> dict[int, StoredBlob]:
        """The blobs with these numbers, with only the `BULK` fields in `names`. Raises Damage if a blob is missing."""
        loader = _Loader(self, names)
        rows = self._database.all_of(f"{loader.statement} WHERE content.number IN", numbers)
        found = {row[0]: blob for row in rows if (blob := decoded(loader.blob, row)) is not None}
        expect(found.keys() == set(numbers))
        return found

    def ids_after(self, after: str, count: int) -> list[str]:
        """The ids of the next `count` blobs with an id greater than `after`, ascending."""
        last = bytes.fromhex(after)
        rows = self._database.all(
            f"SELECT id FROM content WHERE {ID_PREFIX} >= ? AND id > ? AND size IS NOT NULL"
            f" ORDER BY {ID_PREFIX}, id LIMIT ?",
            (last[:ID_BYTES], last, count),
        )
        return [row[0].hex() for row in rows]

    def ids(self, numbers: Collection[int]) -> dict[int, bytes]:
        """The stored ids of the contents with these numbers, by number. Raises Damage if a content is missing."""
        found = {}
        for row in self._database.all_of(f"SELECT {_FACTS} FROM content WHERE number IN", list(numbers)):
            self.loaded(row)
            found[int(row[0])] = row[1]
        expect(len(found) == len(numbers))
        return found

    def identified(self, blobs: Iterable[str]) -> dict[int, bytes]:
        """The stored id of each of these contents, by number. Contents that are not in the index are left out."""
        rows = list(self._rows(blobs))
        for row in rows:
            decoded(self.loaded, row)
        return {int(row[0]): row[1] for row in rows}

    def count(self, column: str) -> dict[str, int]:
        """The number of blobs with each value of `column`, which is `language` or `analysis`."""
        rows = self._database.all("SELECT kind, count(*) FROM content WHERE size IS NOT NULL GROUP BY kind")
        found: Counter[str] = Counter()
        for number, count in rows:
            found[getattr(decoded(self.shared, number), column)] += count
        return found

    def totals(self) -> tuple[int, int, int]:
        """The number of blobs, their bytes and their tokens."""
        row = self._database.one("SELECT count(*), total(size), total(token_count) FROM content WHERE size IS NOT NULL")
        return decoded(lambda: (row[0], int(row[1]), int(row[2])))

    def numbers(self, blobs: Iterable[str]) -> dict[str, int]:
        """The numbers of these blobs. Blobs that are not in the index are left out."""
        wanted = list(blobs)
        found = self._waiting_numbers(wanted)
        self._absent = {blob for blob in wanted if blob not in found}
        for row in self._rows(self._absent):
            blob = row[1].hex()
            self._absent.discard(blob)
            if decoded(self.loaded, row) is not None:
                found[blob] = int(row[0])
        return found

    def _waiting_numbers(self, blobs: Iterable[str]) -> dict[str, int]:
        return {blob: self._waiting[blob][0] for blob in blobs if blob in self._waiting}

    def _numbers_for(self, blobs: Iterable[str]) -> tuple[dict[str, int], list[str]]:
        """The number of each content, and which contents are new. A new content gets a new number."""
        wanted = list(dict.fromkeys(blobs))
        for blob in wanted:
            if _id_bytes(blob) is None:
                raise ValueError(f"{blob!r} is not a blob id")
        found = self._waiting_numbers(wanted)
        unknown = [blob for blob in wanted if blob not in found and blob not in self._absent]
        self._absent = set()
        rows = self._rows(unknown, "SELECT number, id FROM content")
        found |= {row[1].hex(): int(row[0]) for row in rows}
        new = [blob for blob in wanted if blob not in found]
        first = 1 + max(self._last, self._database.last("content"))
        self._last = first + len(new) - 1
        found.update(zip(new, range(first, first + len(new)), strict=True))
        return found, new

    def put(self, blobs: Iterable[str]) -> dict[str, int]:
        """The numbers of contents that have an occurrence. Adds the contents that are new."""
        contents, new = self._numbers_for(blobs)
        self._database.do_all(_PUT, [_sealed(contents[blob], _id_bytes(blob), *(None,) * 4) for blob in new])
        return contents

    def put_blobs(self, blobs: Sequence[StoredBlob]) -> list[int]:
        """Adds or replaces distinct blobs; returns their numbers. The blobs wait until `flush` writes them."""
        numbers, _ = self._numbers_for(stored.blob for stored in blobs)
        waiting = {stored.blob: (numbers[stored.blob], stored, bulk(stored)) for stored in blobs}
        self._waiting_bytes += sum(sum(map(len, values.values())) for _, _, values in waiting.values())
        self._waiting.update(waiting)
        return [numbers[stored.blob] for stored in blobs]

    def take_back(self, blobs: Iterable[str]) -> None:
        """Forgets these waiting blobs, which must be those of the last `put_blobs`."""
        for blob in blobs:
            self._waiting.pop(blob, None)

    @property
    def is_full(self) -> bool:
        """True if the waiting blobs have enough bytes to be written."""
        return self._waiting_bytes > WAITING

    def flush(self) -> None:
        """Writes the waiting blobs. It can be called again after an interruption."""
        waiting = [*self._waiting.values()]
        groups = list(grouped((one, len(one[1].tokens), sum(map(len, one[2].values()))) for one in waiting))
        packed = [self._dump_block({number: values for number, _, values in group}) for group in groups]
        order = in_full_pages([sum(len(value) for value in values if value is not None) for values in packed])
        with self._database.together():
            self._leave_blocks([number for number, *_ in waiting])
            blocks = list(enumerate(order, 1 + self._database.last("block")))
            self._write_blocks({block: packed[at] for block, at in blocks})
            # SQLite fills its pages completely if rows are inserted in ascending order.
            rows = sorted(self._row(block, *one) for block, at in blocks for one in groups[at])
            self._database.do_all(_PUT, rows)
        self._waiting.clear()
        self._waiting_bytes = 0

    def _row(self, block: int, number: int, stored: StoredBlob, values: Mapping[str, bytes]) -> tuple[Any, ...]:
        shared = self._database.put_text(_shared_text(stored.language, stored.analysis, tuple(values)))
        return _sealed(number, bytes.fromhex(stored.blob), shared, stored.size, stored.token_count, block)

    def _write_blocks(self, blocks: Mapping[int, Sequence[bytes | None]]) -> None:
        names = ("contents", *BULK)
        rows = [
            (block, *(value and seal(f"{name} {block}", value) for name, value in zip(names, values, strict=True)))
            for block, values in blocks.items()
        ]
        self._database.do_all(f"INSERT OR REPLACE INTO block (number, {_BLOCK}) VALUES (?,?,?,?,?)", rows)

    def _leave_blocks(self, numbers: Sequence[int]) -> int:
        """Removes contents from their blocks; returns how many of the contents were in a block."""
        leaving: dict[int, set[int]] = {}
        statement = "SELECT block, number FROM content WHERE block IS NOT NULL AND number IN"
        for block, number in self._database.all_of(statement, numbers):
            leaving.setdefault(block, set()).add(number)
        for block, gone in leaving.items():
            row = self._database.one(f"SELECT {_BLOCK} FROM block WHERE number = ?", (block,))
            expect(row is not None)
            left = {at: values for at, values in decoded(_load_block, block, row).items() if at not in gone}
            if left:
                self._write_blocks({block: self._dump_block(left)})
            else:
                self._database.do("DELETE FROM block WHERE number = ?", (block,))
        return sum(map(len, leaving.values()))

    def _dump_block(self, blobs: Mapping[int, Mapping[str, bytes]]) -> list[bytes | None]:
        """The values of `_BLOCK`, from the number and the `BULK` fields of each content in the block."""
        packed: list[bytes | None] = [dump_numbers(list(blobs), compress)]
        for name in BULK:
            column = [values.get(name, b"") for values in blobs.values()]
            if not any(name in values for values in blobs.values()):
                packed.append(None)
            elif name != "tokens":
                packed.append(dump(column, compress))
            else:
                # A token stream that is alone in its block is long, and so it is compressed already.
                packed.append(join_tiny(column, compress) or dump(column, None if len(blobs) == 1 else compress))
        return packed

    def orphans(self, count: int) -> list[int]:
        """The numbers of at most `count` contents without an occurrence."""
        rows = self._database.all(
            "SELECT number FROM content WHERE NOT EXISTS (SELECT 1 FROM place WHERE content = content.number) LIMIT ?",
            (count,),
        )
        return [row[0] for row in rows]

    def delete(self, numbers: Sequence[int]) -> int:
        """Removes contents; returns how many of them were blobs."""
        removed = self._leave_blocks(numbers)
        self._database.do_all("DELETE FROM content WHERE number = ?", [(number,) for number in numbers])
        return removed

    def verify(self) -> list[int]:
        """Reads all contents and their blocks; returns the numbers of all blobs, ascending."""
        loader = _Loader(self, BULK)
        rows = self._database.do(f"{loader.statement} ORDER BY content.number")
        numbers = [int(row[0]) for row in rows if loader.blob(row) is not None]
        blocks = self._database.one("SELECT count(*) FROM block")[0]
        if blocks != len(loader.counts) or sum(loader.counts.values()) != len(numbers):
            raise ValueError("a blob is missing")
        return numbers


def _sealed(*row: Any) -> tuple[Any, ...]:
    return (*row, row_seal("content", *row))


class _Block:
    """A block from the database. Each of its columns is unpacked on first use."""

    def __init__(self, number: int, contents: bytes | None) -> None:
        packed = unseal(f"contents {number}", contents or b"")
        self.contents = load_numbers(packed, partial(decompress, most=ROOM))
        self._number = number
        self._columns: dict[str, list[bytes] | Joined] = {}

    def column(self, name: str, value: bytes | None, size: int = LARGEST) -> list[bytes] | Joined:
        """A `BULK` field of each content, from its column's stored `value`; a field has at most `size` bytes."""
        if name not in self._columns:
            count = len(self.contents)
            most = 4 * count + min(size, LARGEST if count == 1 else ROOM)
            packed = unseal(f"{name} {self._number}", value or b"")
            self._columns[name] = load(packed, count, partial(decompress, most=most))
        return self._columns[name]


def _load_block(number: int, row: Sequence[bytes | None]) -> dict[int, dict[str, bytes]]:
    """The reverse of `Contents._dump_block`: the fields of each content, by number. Missing fields are empty."""
    block = _Block(number, row[0])
    columns = {name: block.column(name, value) for name, value in zip(BULK, row[1:], strict=True) if value is not None}
    return {
        content: {name: column[at] for name, column in columns.items()} for at, content in enumerate(block.contents)
    }


class _Loader:
    """Makes blobs from the rows of `statement`, with only the `BULK` fields in `names`. Keeps loaded blocks for the
    next rows; `counts` has the number of contents of each loaded block.
    """

    def __init__(self, contents: Contents, names: Collection[str]) -> None:
        self.counts: dict[int, int] = {}
        self._contents, self._names = contents, names
        columns = ", ".join([_FACTS, "contents", *(f'"{name}"' for name in names)])
        self.statement = f"SELECT {columns} FROM content LEFT JOIN block ON block.number = content.block"
        if not names:  # a block takes several pages
            self.statement = f"SELECT {_FACTS} FROM content"
        self._kept: dict[int, _Block] = {}

    def blob(self, row: Any) -> StoredBlob | None:
        """The blob of a row; None for a content that is not indexed."""
        facts = self._contents.loaded(row[:_FACTS_COUNT])
        if facts is None:
            return None
        if self._names:
            shared, block = self._contents.shared(row[2]), self._block(row[5], row[_FACTS_COUNT])
            for name, value in zip(self._names, row[_FACTS_COUNT + 1 :], strict=True):
                if shared.has >> BULK.index(name) & 1:
                    # If a block has only one content, the size in the content's row limits the decompression.
                    size = facts["size"] if name == "source" and len(block.contents) == 1 else LARGEST
                    facts[name] = block.column(name, value, size)[block.contents.index(row[0])]
        return StoredBlob(**{"tokens": b"", **facts})

    def _block(self, number: int, contents: bytes | None) -> _Block:
        if number not in self._kept:
            block = _Block(number, contents)
            self.counts[number] = len(block.contents)
            if len(self._kept) >= BLOCKS_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = block
        return self._kept[number]
