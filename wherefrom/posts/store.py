"""A store of code out of posts: one SQLite file.

It holds the posts that have code, each block of it, the tags of the questions, and how far each dump was read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from wherefrom.errors import NotFound, SourceError
from wherefrom.posts.blocks import CodeBlock, PostBlock
from wherefrom.posts.post import Post
from wherefrom.support.closing import Closing
from wherefrom.support.contract import JsonObject, encoded
from wherefrom.support.formats import Format
from wherefrom.support.writing import make_folder

FORMAT = Format(version=1, reader=1, oldest=1)
"""The format of the tables. Both numbers are in SQLite's `user_version`, 16 bits each, `reader` first."""

APPLICATION = 0x7766726D
"""What SQLite's header says of the file's owner: `wfrm`."""

PAGE = 256
"""Blocks that are read at a time; between two pages others may write."""

BUSY_SECONDS = 30.0
"""How long another process that writes is waited for."""

# AUTOINCREMENT: a key is never given twice, so that a reader who stopped behind one misses nothing.
_TABLES = """
CREATE TABLE site (id INTEGER PRIMARY KEY, host TEXT NOT NULL UNIQUE);
CREATE TABLE question (
  site INTEGER NOT NULL, number INTEGER NOT NULL, tags TEXT NOT NULL, PRIMARY KEY (site, number)
) WITHOUT ROWID;
CREATE TABLE post (
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, number INTEGER NOT NULL, question INTEGER NOT NULL,
  created TEXT NOT NULL, license TEXT NOT NULL, UNIQUE (site, number)
);
CREATE TABLE block (
  id INTEGER PRIMARY KEY AUTOINCREMENT, post INTEGER NOT NULL, number INTEGER NOT NULL,
  labels TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (post, number)
);
CREATE TABLE dump (
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL, only_tags TEXT NOT NULL,
  position INTEGER NOT NULL, done INTEGER NOT NULL, UNIQUE (site, size, digest, only_tags)
);
CREATE TABLE state (identity TEXT NOT NULL, changes INTEGER NOT NULL);
INSERT INTO state VALUES (lower(hex(randomblob(16))), 0)
"""

_FROM = (
    "FROM block JOIN post ON post.id = block.post JOIN site ON site.id = post.site"
    " LEFT JOIN question ON question.site = post.site AND question.number = post.question"
)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which blocks are meant: those that fit all three.

    Attributes:
        sites: hosts; none means all.
        tags: the question has one of them; none means all.
        posts: (site, id); none means all.
    """

    sites: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    posts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SiteCounts(JsonObject):
    """What a store holds of a site: posts with code, their blocks, the days (ISO 8601) of the first and the last one;
    `unfinished` counts the dumps that were not read to their end.
    """

    site: str
    posts: int
    blocks: int
    first: str
    last: str
    unfinished: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; a day that is not known is null."""
        return {**encoded(self), "first": self.first or None, "last": self.last or None}


class PostStore(Closing):
    """An open store; use it in a `with` block.

    Args:
        path: the file.
        create: make it where it is not there yet.

    Raises:
        NotFound: it is not there.
        SourceError: it is not such a store, of another version, or cannot be opened.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        self._is_closed = False
        if not create and not path.exists():
            raise NotFound(f"no posts at {path}; import a data dump first: wherefrom posts import Posts.xml")
        if create:
            try:
                make_folder(path.parent.absolute())
            except OSError as error:
                raise SourceError(f"cannot make {path}: {error.strerror}; name another file with --posts") from None
        with self.errors():
            self.connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            with self.errors():
                self._check(create=create)
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        """Closes the file; what is not committed is gone. Closing it again does nothing."""
        self._is_closed = True
        self.connection.close()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Makes the errors of the file ones that name it and the remedy, and refuses to use it once it is closed."""
        if self._is_closed:
            raise SourceError(f"the posts store {self.path} is closed; open it again")
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                message = f"another process writes to {self.path}; try again when it has ended"
            else:
                message = f"cannot use {self.path}: {error}; make room, fix its permissions or name another file"
            raise SourceError(message) from None
        except sqlite3.DatabaseError as error:
            raise SourceError(
                f"{self.path} is not a store of posts ({error}); name another file with --posts"
            ) from None

    @property
    def state(self) -> str:
        """A text that changes with every change of the posts."""
        with self.errors():
            identity, changes = self.connection.execute("SELECT identity, changes FROM state").fetchone()
        return f"{identity}-{changes}"

    def check(self, selection: Selection) -> None:
        """Raises NotFound if a selection names a post of which the store has no code."""
        self._where(selection)

    def blocks(self, selection: Selection, after: int = 0) -> Iterator[PostBlock]:
        """The selected blocks behind a key, in the order of their keys; in constant memory.

        Raises:
            NotFound: the store has no such post.
            SourceError: the file cannot be read.
        """
        where, values = self._where(selection)
        query = (
            "SELECT block.id, host, post.number, post.question, created, license, coalesce(tags, ''),"
            f" block.number, labels, text {_FROM} WHERE block.id > ?{where} ORDER BY block.id LIMIT {PAGE}"
        )
        while True:
            with self.errors():
                page = self.connection.execute(query, (after, *values)).fetchall()
            for after, site, number, question, created, license, tags, block, labels, text in page:  # noqa: PLR1704  # the key of the last one is where the next page begins
                post = Post(site, number, question, date.fromisoformat(created), license, tuple(tags.split()), "")
                yield PostBlock(post, CodeBlock(block, text, tuple(labels.split())), after)
            if len(page) < PAGE:
                return

    def count(self, selection: Selection, after: int = 0) -> int:
        """How many blocks `blocks` gives; raises as that."""
        where, values = self._where(selection)
        with self.errors():
            found = self.connection.execute(f"SELECT count(*) {_FROM} WHERE block.id > ?{where}", (after, *values))
            return int(found.fetchone()[0])

    def sites(self) -> list[SiteCounts]:
        """What it holds of each site, by host. Raises SourceError if the file cannot be read."""
        with self.errors():
            rows = self.connection.execute(
                "SELECT host, count(number), coalesce(sum(blocks), 0), coalesce(min(created), ''),"
                " coalesce(max(created), ''), (SELECT count(*) FROM dump WHERE dump.site = site.id AND NOT done)"
                " FROM site LEFT JOIN (SELECT site, number, created,"
                " (SELECT count(*) FROM block WHERE block.post = post.id) AS blocks FROM post) AS counted"
                " ON counted.site = site.id GROUP BY site.id ORDER BY host"
            ).fetchall()
        return [SiteCounts(*row) for row in rows]

    def _where(self, selection: Selection) -> tuple[str, list[str | int]]:
        """The conditions, each with an AND before it, and the values in them."""
        conditions = ""
        values: list[str | int] = []
        if selection.sites:
            conditions += f" AND host IN ({_places(selection.sites)})"
            values += selection.sites
        if selection.tags:
            named = " OR ".join("instr(' ' || tags || ' ', ?)" for _ in selection.tags)
            conditions += f" AND ({named})"
            values += (f" {tag} " for tag in selection.tags)
        if selection.posts:
            keys = [self._post_key(site, number) for site, number in selection.posts]
            conditions += f" AND block.post IN ({_places(keys)})"
            values += keys
        return conditions, values

    def _post_key(self, site: str, number: int) -> int:
        with self.errors():
            found = self.connection.execute(
                "SELECT post.id FROM post JOIN site ON site.id = post.site WHERE host = ? AND number = ?",
                (site, number),
            ).fetchone()
        if found is None:
            raise NotFound(
                f"{self.path} has no code of post {number} of {site}; import a dump that has it, or look it up with "
                f"`wherefrom search https://{site}/a/{number}`"
            )
        return int(found[0])

    def _check(self, *, create: bool) -> None:
        """Makes the tables in an empty file, and refuses any other that is not a store of this version."""
        if create:
            self.connection.execute("BEGIN IMMEDIATE")
            if not self._header() and not self.connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in _TABLES.split(";"):
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA application_id = {APPLICATION}")
                self.connection.execute(f"PRAGMA user_version = {FORMAT.reader << 16 | FORMAT.version}")
            self.connection.execute("COMMIT")
        if self._header() != APPLICATION:
            raise SourceError(f"{self.path} is not a store of posts; name another file with --posts")
        [stamp] = self.connection.execute("PRAGMA user_version").fetchone()
        try:
            refusal = FORMAT.refusal(stamp & 0xFFFF, stamp >> 16, "import the dump into another file with --posts")
        except ValueError as error:
            raise SourceError(
                f"{self.path} is damaged ({error}); import the dump into another file with --posts"
            ) from None
        if refusal is not None:
            raise SourceError(f"the store of posts {self.path} {refusal}")

    def _header(self) -> int:
        [application] = self.connection.execute("PRAGMA application_id").fetchone()
        return int(application)


def _places(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
