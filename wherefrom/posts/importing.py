"""Imports a dump into a store, in constant memory. A stopped import can be resumed."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import BufferedReader
from pathlib import Path

from wherefrom.errors import SourceError
from wherefrom.posts.dump import Dump, RowSkip, open_dump
from wherefrom.posts.post import CodeBlock, Post, code_blocks
from wherefrom.posts.store import PostStore
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass, field

COMMIT_SECONDS = 5.0  # the time between two commits. Each commit stores how far the dump was read

_LEADING = 1_000_000
"""A dump is recognized by its size and this many bytes at its beginning, whatever the name of the file."""


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """The progress of an import: the bytes of the XML that were read in all runs, of `total` (None if the file is
    packed, so that its length is not known), and the posts with code and the seconds of this run.
    """

    position: int
    total: int | None
    posts: int
    seconds: float


@dataclass(slots=True)
class ImportReport:
    """What an import did: it counts posts that are new or have changed (`written`), posts that the store had already,
    the blocks of code in both, posts without code, posts whose question has none of the wanted tags, and rows without a
    post, by reason. `start` is the offset in bytes of the XML at which this run began; above 0 if it resumed an earlier
    run. `is_repeated` is True if the whole dump was in the store already, so that nothing was read.
    """

    site: str
    written: int = 0
    known: int = 0
    blocks: int = 0
    without_code: int = 0
    other_tags: int = 0
    skipped: Mapping[RowSkip, int] = field(default_factory=dict)
    start: int = 0
    is_repeated: bool = False
    seconds: float = 0.0


def import_dump(
    store: PostStore,
    path: Path,
    *,
    site: str,
    tags: Sequence[str] = (),
    progress: Callable[[ImportProgress], None] | None = None,
) -> ImportReport:
    """Imports the code of the posts in a `Posts.xml`, packed or not. Resumes a stopped run, and replaces posts that
    have changed since. With `tags`, only posts whose question has one of them. `progress` is called a few times a
    second, and at the end.

    Raises:
        NotFound: the file does not exist.
        SourceError: the file is cut off, damaged (posts before the damage are imported) or not a dump; or the store
            cannot be written.
    """
    return _Import(store, path, ImportReport(site), sorted(set(tags)), Throttle(progress)).run()


@dataclass
class _Import:
    store: PostStore
    path: Path
    report: ImportReport
    tags: Sequence[str]
    progress: Throttle[ImportProgress]
    size: int = 0
    site_key: int = 0
    dump_key: int = 0
    changes: int = 0
    total: int | None = None

    def run(self) -> ImportReport:
        with self.store.errors():
            self._resume()
            if not self.report.is_repeated:
                self._read()
        self.report.seconds = self.progress.seconds
        return self.report

    def _resume(self) -> None:
        if self.path.exists() and not self.path.is_file():
            raise SourceError(f"{self.path} is not a file; give the Posts.xml of a data dump")
        open_dump(self.path).close()
        with self.path.open("rb") as file:
            digest = hashlib.blake2b(file.read(_LEADING), digest_size=20).hexdigest()
        self.size = self.path.stat().st_size
        execute = self.store.connection.execute
        execute("BEGIN IMMEDIATE")
        execute("INSERT OR IGNORE INTO site (host) VALUES (?)", (self.report.site,))
        [self.site_key] = execute("SELECT id FROM site WHERE host = ?", (self.report.site,)).fetchone()
        name = (self.site_key, self.size, digest, " ".join(self.tags))
        execute(
            "INSERT OR IGNORE INTO dump (site, size, digest, only_tags, position, done) VALUES (?, ?, ?, ?, 0, 0)", name
        )
        self.dump_key, self.report.start, done = execute(
            "SELECT id, position, done FROM dump WHERE site = ? AND size = ? AND digest = ? AND only_tags = ?", name
        ).fetchone()
        self.report.is_repeated = bool(done)
        execute("COMMIT")

    def _read(self) -> None:
        with open_dump(self.path) as file:
            self.total = self.size if isinstance(file, BufferedReader) else None
            dump = Dump(file, name=str(self.path), site=self.report.site, start=self.report.start)
            try:
                self._take_all(dump)
            except SourceError as error:
                if not dump.position:
                    self._forget()
                    raise
                self._commit(dump, is_done=False)
                raise type(error)(f"{error}; what comes before that is in {self.store.path}") from None
            except BaseException:
                if self.store.connection.in_transaction:
                    self.store.connection.execute("ROLLBACK")
                raise
            self._commit(dump, is_done=True)
            self._tell(dump, last=True)

    def _take_all(self, dump: Dump) -> None:
        self.store.connection.execute("BEGIN IMMEDIATE")
        committed = time.monotonic()
        for post in dump:
            self._take(post)
            now = time.monotonic()
            if now - committed >= COMMIT_SECONDS:
                self._commit(dump, is_done=False)
                self.store.connection.execute("BEGIN IMMEDIATE")
                committed = now
            self._tell(dump)

    def _commit(self, dump: Dump, *, is_done: bool) -> None:
        execute = self.store.connection.execute
        execute("UPDATE dump SET position = ?, done = ? WHERE id = ?", (dump.position, is_done, self.dump_key))
        if self.changes:
            execute("UPDATE state SET changes = changes + 1")
        execute("COMMIT")
        self.changes = 0
        self.report.skipped = Counter(dump.skipped)

    def _forget(self) -> None:
        """Removes the record of a file that is not a dump, and its site's record if the site has nothing else."""
        execute = self.store.connection.execute
        execute("DELETE FROM dump WHERE id = ?", (self.dump_key,))
        execute(
            "DELETE FROM site WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM dump WHERE site = ?1)"
            " AND NOT EXISTS (SELECT 1 FROM post WHERE site = ?1)"
            " AND NOT EXISTS (SELECT 1 FROM question WHERE site = ?1)",
            (self.site_key,),
        )
        execute("COMMIT")

    def _take(self, post: Post) -> None:
        tags = post.tags
        if not tags:
            query = "SELECT tags FROM question WHERE site = ? AND number = ?"
            found = self.store.connection.execute(query, (self.site_key, post.question)).fetchone()
            tags = tuple(found[0].split()) if found else ()
        if self.tags and not set(self.tags) & set(tags):
            self.report.other_tags += 1
            return
        if post.id == post.question:
            written = self.store.connection.execute(
                "INSERT INTO question (site, number, tags) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET tags = excluded.tags WHERE tags <> excluded.tags",
                (self.site_key, post.id, " ".join(post.tags)),
            )
            self.changes += written.rowcount
        blocks = code_blocks(post.body)
        if self._put(post, blocks):
            self.report.written += bool(blocks)
        else:
            self.report.known += bool(blocks)
        self.report.without_code += not blocks
        self.report.blocks += len(blocks)

    def _put(self, post: Post, blocks: Sequence[CodeBlock]) -> bool:
        """Writes a post in place of its older state in the store; a post without code is only removed. Returns False if
        the store has it in this state, or neither the store nor the post has code.
        """
        execute = self.store.connection.execute
        own = self.site_key, post.id
        facts = [post.question, post.created.isoformat(), post.license]
        rows = [(block.number, " ".join(block.labels), block.text) for block in blocks]
        found = execute("SELECT id, question, created, license FROM post WHERE site = ? AND number = ?", own).fetchone()
        key, *before = found or (None, *facts)
        stored = execute("SELECT number, labels, text FROM block WHERE post = ? ORDER BY number", (key,)).fetchall()
        if before == facts and stored == rows:
            return False
        self.changes += 1
        execute("DELETE FROM block WHERE post = ?", (key,))
        execute("DELETE FROM post WHERE id = ?", (key,))
        if rows:
            written = "INSERT INTO post (site, number, question, created, license) VALUES (?, ?, ?, ?, ?)"
            key = execute(written, (*own, *facts)).lastrowid
            self.store.connection.executemany(
                "INSERT INTO block (post, number, labels, text) VALUES (?, ?, ?, ?)", [(key, *row) for row in rows]
            )
        return True

    def _tell(self, dump: Dump, *, last: bool = False) -> None:
        taken = self.report.written + self.report.known
        self.progress.report(lambda: ImportProgress(dump.position, self.total, taken, self.progress.seconds), last=last)
