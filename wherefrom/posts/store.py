"""A store of the code in posts: one SQLite file with the posts that have code, their blocks of code, the tags of
questions, and how far each dump was read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from wherefrom.errors import NotFound, SourceError
from wherefrom.posts.post import CodeBlock, Post, PostBlock
from wherefrom.support.closing import Closing
from wherefrom.support.contract import JsonObject
from wherefrom.support.formats import Format
from wherefrom.support.values import dataclass
from wherefrom.support.writing import make_folder

FORMAT = Format(version=1, reader=1, oldest=1)
"""The format of the tables. `reader` is in the upper 16 bits of SQLite's `user_version`, `version` in the lower 16."""

APPLICATION = 0x7766726D  # the application id in SQLite's header: `wfrm`
PAGE = 256  # the number of blocks that one query reads. Other processes can write to the store between two queries
BUSY_SECONDS = 30.0  # the longest wait, in seconds, while another process writes to the store

# AUTOINCREMENT never reuses a key, so that a reader can resume after the last key that it has read.
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
    """Which blocks to read: those of these hosts, of questions with at least one of these tags and of their answers,
    and of the posts with one of these (site, id). An empty condition is for all.
    """

    sites: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    posts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SiteCounts(JsonObject):
    """Counts what a store has of one site: posts with code, blocks of code in them, the days (ISO 8601) of the first
    and the last post (None without posts), and the dumps that were not read to their end.
    """

    site: str
    posts: int
    blocks: int
    first: str | None
    last: str | None
    unfinished: int


class PostStore(Closing):
    """An open store, for use in a `with` block. With `create`, the file is made if it does not exist. Raises NotFound
    if it does not, and SourceError if it is not a store of this version, or cannot be opened.
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
        """Closes the file, and rolls back an open transaction. A second call does nothing."""
        self._is_closed = True
        self.connection.close()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turns errors of SQLite into `SourceError` with a remedy. Raises `SourceError` if the store is closed."""
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
        """A text that is different after each change of the posts, and in each store."""
        with self.errors():
            identity, changes = self.connection.execute("SELECT identity, changes FROM state").fetchone()
        return f"{identity}-{changes}"

    def check(self, selection: Selection) -> None:
        """Raises NotFound if the selection names a post, and the store has no code of that post."""
        self._where(selection)

    def blocks(self, selection: Selection, after: int = 0) -> Iterator[PostBlock]:
        """Yields the selected blocks with keys above `after`, by key, in constant memory. Raises the errors of `check`,
        and SourceError if the file cannot be read.
        """
        where, values = self._where(selection)
        query = (
            "SELECT block.id, host, post.number, post.question, created, license, coalesce(tags, ''),"
            f" block.number, labels, text {_FROM} WHERE block.id > ?{where} ORDER BY block.id LIMIT {PAGE}"
        )
        while True:
            with self.errors():
                page = self.connection.execute(query, (after, *values)).fetchall()
            for after, site, number, question, created, license, tags, block, labels, text in page:  # noqa: PLR1704  # the next page begins after the last key
                post = Post(site, number, question, date.fromisoformat(created), license, tuple(tags.split()), "")
                yield PostBlock(post, CodeBlock(block, text, tuple(labels.split())), after)
            if len(page) < PAGE:
                return

    def count(self, selection: Selection, after: int = 0) -> int:
        """The number of blocks that `blocks` yields. Raises the same errors."""
        where, values = self._where(selection)
        with self.errors():
            found = self.connection.execute(f"SELECT count(*) {_FROM} WHERE block.id > ?{where}", (after, *values))
            return int(found.fetchone()[0])

    def sites(self) -> list[SiteCounts]:
        """Counts by site, ordered by host. Raises SourceError if the file cannot be read."""
        with self.errors():
            rows = self.connection.execute(
                "SELECT host, count(number), coalesce(sum(blocks), 0), min(created), max(created),"
                " (SELECT count(*) FROM dump WHERE dump.site = site.id AND NOT done)"
                " FROM site LEFT JOIN (SELECT site, number, created,"
                " (SELECT count(*) FROM block WHERE block.post = post.id) AS blocks FROM post) AS counted"
                " ON counted.site = site.id GROUP BY site.id ORDER BY host"
            ).fetchall()
        return [SiteCounts(*row) for row in rows]

    def _where(self, selection: Selection) -> tuple[str, list[str | int]]:
        """The SQL conditions of a selection, each with AND before it, and the values for their placeholders."""
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
        """Makes the tables if the file is empty. Raises SourceError if it is not a store of this version."""
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
