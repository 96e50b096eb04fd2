"""The contents of a repository's blobs, read through `git cat-file --batch`."""

from __future__ import annotations

import os
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import IO, cast

from wherefrom.errors import GitError
from wherefrom.model import SkipReason
from wherefrom.sources.command import KILLED, KILLS, LimitReached, Output, TimeLeft, object_environment, start
from wherefrom.sources.git_folder import objects
from wherefrom.sources.source import Entry, refusal
from wherefrom.support.system import system

WINDOW = 32
"""At most this many requests to `cat-file` are unanswered at a time. Even with SHA-256 they take 2,400 bytes, which fit
into the smallest pipe (4,096). So this process never waits for git while git waits for an answer to be read."""

DEATHS = 100  # reading a repository fails if more objects are broken. Each broken one ends a `cat-file` process
ENDING_SECONDS = 1.0  # longest wait for the end of a process after the end of its output
BLOB_SECONDS = 60.0  # limit on reading one blob
READING_SECONDS = 3600.0  # limit on reading all blobs of a repository
STALLS = 3  # reading a repository fails after git has taken longer than `BLOB_SECONDS` for this many blobs


def read_listed(
    folder: Path, entries: Iterable[Entry], digits: int, max_bytes: int
) -> Iterator[tuple[Entry, bytes | SkipReason]]:
    """Yields entries and contents as `Files.read` does. The object ids of the repository have `digits` digits. Raises
    GitError if `folder` is not a repository, or too many of its objects are broken.
    """
    with object_environment(objects(folder), digits) as environment:
        yield from blob_contents(entries, environment, max_bytes)


def blob_contents(
    entries: Iterable[Entry], environment: Mapping[str, str], max_bytes: int
) -> Iterator[tuple[Entry, bytes | SkipReason]]:
    """Yields each entry with its content, or with `UNREADABLE` if the blob is missing or broken. Requests up to
    `WINDOW` blobs before it reads the first answer. Raises GitError if too many are broken, or git takes too long.
    """
    waiting = iter(entries)
    first = next(waiting, None)
    if first is None:
        return  # without a start of git
    waiting = chain((first,), waiting)
    pending: deque[tuple[Entry, SkipReason | None]] = deque()
    batch = _CatFile(environment, max_bytes)
    patience = TimeLeft(READING_SECONDS)
    deaths = stalls = kills = 0
    try:
        while True:
            if not batch.is_ready:
                batch.close()
                batch = _CatFile(environment, max_bytes)
                batch.ask(entry for entry, reason in pending if reason is None)
            if len(pending) <= WINDOW // 2:
                more = [(entry, refusal(entry, max_bytes)) for entry in islice(waiting, WINDOW - len(pending))]
                batch.ask(entry for entry, reason in more if reason is None)
                pending.extend(more)
            if not pending:
                return
            entry, reason = pending.popleft()
            if reason is not None:
                yield entry, reason
                continue
            try:
                content = batch.take(patience)
            except (EOFError, TimeoutError) as error:
                if isinstance(error, EOFError) and batch.was_killed():
                    kills += 1
                    if kills > KILLS:
                        raise GitError(KILLED) from None
                    pending.appendleft((entry, None))
                    continue
                deaths += 1
                stalls += isinstance(error, TimeoutError)
                if deaths > DEATHS:
                    raise GitError(
                        "more than 100 objects are broken; run `git fsck` there, or clone it again"
                    ) from None
                if stalls >= STALLS or patience.left <= 0:
                    raise LimitReached("git takes too long to read objects; run `git fsck` there") from None
                content = SkipReason.UNREADABLE
            yield entry, content
    finally:
        batch.close()


class _CatFile:
    """A process of `git cat-file --batch`. `is_ready` tells whether it can give another answer: not after git died,
    took too long, or began to write a blob of more than `max_bytes`. After each blob it also requests an object that
    does not exist, and the answer to this shows where the blob ends. The announced size is not enough: git writes it
    before it reads the blob, and a broken blob can be shorter.
    """

    def __init__(self, environment: Mapping[str, str], max_bytes: int) -> None:
        self.process = start(["cat-file", "--batch"], environment)
        self.requests = cast(IO[bytes], self.process.stdin)
        self.answers = Output(cast(IO[bytes], self.process.stdout))
        self.max_bytes = max_bytes
        self.is_ready = True
        self._nowhere = f".{os.urandom(4).hex()}"  # not a valid name, so git knows at once that it is missing
        self._end = f"{self._nowhere} missing\n".encode()

    def ask(self, entries: Iterable[Entry]) -> None:
        """Sends the requests in one write, which fits into the pipe. If git has ended, `take` reports that."""
        if requests := "".join(f"{entry.blob}\n{self._nowhere}\n" for entry in entries):
            with suppress(BrokenPipeError):
                os.write(self.requests.fileno(), requests.encode())

    def take(self, whole: TimeLeft) -> bytes | SkipReason:
        """Reads the next answer, within the time left for all. Raises EOFError if git ended first, or TimeoutError."""
        patience = TimeLeft(BLOB_SECONDS, whole)
        self.is_ready = False
        header = self.answers.line(patience)
        fields = header.split()
        if header.endswith(b" missing"):
            length, end = 0, self._end
        elif len(fields) == 3:
            length, end = int(fields[2]), b"\n" + self._end
        else:
            raise EOFError
        if length > self.max_bytes:
            return SkipReason.TOO_LARGE
        answer = self.answers.take(length + len(end), patience, end)
        if end not in answer:
            raise EOFError
        self.is_ready = answer.endswith(end) and len(answer) == length + len(end)
        is_whole = self.is_ready and len(fields) == 3 and fields[1] == b"blob"
        return answer[:length] if is_whole else SkipReason.UNREADABLE

    def was_killed(self) -> bool:
        """Whether git was killed by another process. Call this after an incomplete answer."""
        try:
            return self.process.wait(ENDING_SECONDS) in system.ENDINGS
        except subprocess.TimeoutExpired:
            return False

    def close(self) -> None:
        self.process.kill()
        self.requests.close()
        cast(IO[bytes], self.process.stdout).close()
        self.process.wait()
