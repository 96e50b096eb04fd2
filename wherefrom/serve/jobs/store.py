"""Stores jobs and runs them: a folder for each, with its uploads while it is unfinished, and then its report. Each runs
in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import re
import secrets
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from wherefrom.errors import NotFound, UsageError, WherefromError
from wherefrom.extend import dump_reviews
from wherefrom.options import CheckOptions
from wherefrom.options.serving import JobOptions
from wherefrom.public import Index, read_reviews
from wherefrom.results import Review
from wherefrom.support.formats import Format
from wherefrom.support.printable import one_line
from wherefrom.support.system import system
from wherefrom.support.values import asdict, dataclass, field, replace
from wherefrom.support.workers import Meter
from wherefrom.support.writing import folder_size, make_folder, write_whole

FORMAT = Format(version=1, reader=1, oldest=1)  # the version of the file `job.json`

UPLOADS, REPORT, PROGRESS, REVIEWS = "uploads", "report", "progress.txt", "reviews.json"
"""The names in the folder of a job: folders for uploads and the report, the progress in a line, and the reviews."""

OUTCOME = "outcome.json"
"""The file in the folder of the job that tells how it ended: the fields of `UploadJob` from `message` to `policy`."""

_RECORD, _LOCK = "job.json", "lock"

MOST_REVIEWS = 10_000  # the highest number of reviews of a comparison

_ID = re.compile(r"[A-Za-z0-9_-]{22}")

UPLOAD_SECONDS = 86_400  # a folder without a record is an upload that was cut off, once it is as old as this


class JobKind(StrEnum):
    """What a job does."""

    CHECK = "check"
    COMPARE = "compare"


class JobState(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class UploadJob:
    """A check or a comparison that somebody asked for."""

    id: str  # 22 characters that nobody can guess
    kind: JobKind
    owner: str  # the identity of the `Person` who asked for it, who alone sees it
    title: str  # the names of the main uploads
    made: float  # the time of the request, in seconds since 1970
    state: JobState = JobState.WAITING
    options: Mapping[str, Any] = field(default_factory=dict)  # fields of its options that the request has set
    ended: float = 0.0  # the time of its end, in seconds since 1970; 0.0 if it is unfinished
    message: str = ""  # the summary of the report, or why it failed
    formats: Mapping[str, str] = field(default_factory=dict)  # the files of the report, as offered; empty if it failed
    page: str = ""  # the file of the report that the server shows
    policy: str = ""  # its content security policy
    starts: int = 0  # how often it was started; a server that was stopped starts it again

    @property
    def has_ended(self) -> bool:
        """True if it is done or has failed."""
        return self.state in {JobState.DONE, JobState.FAILED}


class Order(NamedTuple):
    """What the process of a job gets: how to open the index, the settings of the server's owner for checks, and the
    number of processes that analyze files.
    """

    job: UploadJob
    opener: Callable[[], Index]
    given: CheckOptions
    processes: int


def _check(job: UploadJob, name: str) -> None:
    """Raises an error of Python if a field of a job has another type, or its id is not the name of its folder."""
    texts = (job.owner, job.title, job.message, job.page, job.policy, *job.formats, *job.formats.values())
    is_counted = all(type(number) in {int, float} for number in (job.made, job.ended, job.starts))
    is_text = all(isinstance(text, str) for text in texts)
    if job.id != name or not (is_text and is_counted and isinstance(job.options, dict)):
        raise ValueError("a field has another type")
    datetime.fromtimestamp(int(job.made), UTC)


class JobStore:
    """The jobs of a server. Several servers may share a folder, which is made when it is needed, for its owner alone. A
    job is deleted some days after its end.
    """

    def __init__(self, folder: Path, days: float) -> None:
        self._folder, self._days = folder, timedelta(days=days)
        self._told: set[str] = set()  # the broken records that the log has

    def path(self, job: str) -> Path:
        """The folder of a job. Raises NotFound for a text that is not an id."""
        if _ID.fullmatch(job) is None:
            raise NotFound("there is no such job; see /jobs for yours")
        return self._folder / job

    def begin(self) -> str:
        """Makes the folder of a new job, for its uploads, and returns its id. Raises OSError."""
        make_folder(self._folder)
        made = secrets.token_urlsafe(16)
        self.path(made).mkdir(mode=0o700)
        (self.path(made) / UPLOADS).mkdir()
        return made

    def save(self, job: UploadJob) -> None:
        """Writes the record of a job. Raises OSError, also if the job was removed."""
        write_whole(self.path(job.id) / _RECORD, json.dumps({**FORMAT.stamp(), **asdict(job)}).encode("ascii"))

    def job(self, job: str, owner: str | None = None) -> UploadJob:
        """A job by its id. Raises NotFound if there is none, or if it is somebody else's (None: anybody's)."""
        found = self._read(job)
        if found is None or owner not in {None, found.owner} or self._is_over(found):
            raise NotFound("there is no such job; it may be deleted by now, see /jobs for yours")
        return found

    def jobs(self, owner: str | None = None) -> list[UploadJob]:
        """The jobs of an owner (None: of all), the newest first."""
        found = [job for name in self._names() if (job := self._read(name)) is not None]
        seen = [job for job in found if owner in {None, job.owner} and not self._is_over(job)]
        return sorted(seen, key=lambda job: job.made, reverse=True)

    def ends_at(self, job: UploadJob) -> datetime | None:
        """When a job is deleted, in whole seconds of UTC; None if it is unfinished."""
        return datetime.fromtimestamp(int(job.ended), UTC) + self._days if job.has_ended else None

    def reviews(self, job: str) -> dict[str, Review]:
        """The reviews of a comparison, by the id of their pair. Raises UsageError if they cannot be read."""
        path = self.path(job) / REVIEWS
        return {**read_reviews(path)} if path.exists() else {}

    def keep_review(self, job: str, pair: str, review: Review) -> None:
        """Keeps the review of a pair of a comparison. Raises UsageError if there are `MOST_REVIEWS` already or they
        cannot be read, and OSError if they cannot be written.
        """
        reviews = {**self.reviews(job), pair: review}
        if len(reviews) > MOST_REVIEWS:
            raise UsageError(
                f"a comparison has at most {MOST_REVIEWS:,} reviews; export them, and go on with a new one"
            )
        write_whole(self.path(job) / REVIEWS, dump_reviews(reviews))

    def end(self, job: UploadJob, state: JobState) -> None:
        """Ends a job: saves its record, and removes its uploads. If the disk is full, the job fails, which frees its
        report. Raises OSError if the job was removed.
        """
        ended = replace(job, state=state, ended=time.time())
        try:
            self.save(ended)
        except OSError as error:
            for name in (UPLOADS, REPORT):
                shutil.rmtree(self.path(job.id) / name, ignore_errors=True)
            why = f"the report could not be kept: {error.strerror}; tell the owner of the server"
            self.save(replace(ended, state=JobState.FAILED, message=why, formats={}, page=""))
        shutil.rmtree(self.path(job.id) / UPLOADS, ignore_errors=True)

    def remove(self, job: str) -> None:
        """Removes all of a job. A server that runs it stops it."""
        path = self.path(job)
        (path / _RECORD).unlink(missing_ok=True)  # first, so that no half of it is seen
        shutil.rmtree(path, ignore_errors=True)

    def clean(self) -> None:
        """Removes the jobs whose time is over, and uploads that were cut off."""
        for name in self._names():
            found = self._read(name)
            if self._is_cut_off(name) if found is None else self._is_over(found):
                self.remove(name)

    def size(self) -> int:
        """The bytes of all jobs together."""
        return folder_size(self._folder)

    @contextmanager
    def taken(self, job: str) -> Iterator[bool]:
        """Takes a job, so that no other server runs it; yields False if one does already, or the job was removed."""
        lock, is_ours = -1, False
        with suppress(OSError):
            lock = os.open(self.path(job) / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            system.lock(lock)
            is_ours = True
        try:
            yield is_ours
        finally:
            if lock >= 0:
                os.close(lock)

    def _names(self) -> list[str]:
        paths = self._folder.iterdir() if self._folder.exists() else ()
        return [path.name for path in paths if _ID.fullmatch(path.name)]

    def _read(self, job: str) -> UploadJob | None:
        try:
            values = FORMAT.load((self.path(job) / _RECORD).read_bytes(), "")
            for name in FORMAT.stamp():
                del values[name]
            found = UploadJob(**{**values, "kind": JobKind(values["kind"]), "state": JobState(values["state"])})
            _check(found, job)
            self._is_over(found)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError) as error:
            if job not in self._told:
                self._told.add(job)
                what = "a job is left out, since its record is broken (%s); repair it, or remove the folder %s"
                logging.getLogger(__name__).error(what, one_line(str(error))[:200], self.path(job))
            return None
        return found

    def _is_over(self, job: UploadJob) -> bool:
        end = self.ends_at(job)
        return end is not None and end < datetime.now(UTC)

    def _is_cut_off(self, name: str) -> bool:
        try:
            return time.time() - self.path(name).stat().st_mtime > UPLOAD_SECONDS
        except OSError:
            return False


MOST_WAITING, MOST_OWN = 20, 4  # the highest numbers of unfinished jobs: of all, and of one owner
MOST_KEPT = 500  # the highest number of jobs with a report. The records of all are read whenever they are listed
MOST_STARTS = 5  # a job that was started this often, and always stopped with its server, has failed
LOOK_SECONDS = 0.3  # seconds between two looks at the running job

CLEAN_SECONDS = 60.0
"""Seconds between two looks for jobs that are over, and for those that another server has left behind."""


class QueueFull(WherefromError):
    """Too many jobs are unfinished, or they take too much space."""


class JobQueue:
    """The jobs of a server. One check and one comparison run at a time, each in the order of the requests.

    A job that was running when a server was stopped is run again. A finished job stays until its time is over. The
    process of each check calls `opener`, with the settings of the server's owner for checks (`given`), and analyzes the
    files in some processes.
    """

    def __init__(
        self, store: JobStore, opener: Callable[[], Index], given: CheckOptions, limits: JobOptions, *, processes: int
    ) -> None:
        self.store = store
        self._opener, self._given, self._limits, self._processes = opener, given, limits, processes
        self._news = asyncio.Event()

    def begin(self, owner: str) -> str:
        """Makes room for a new job of an owner, and returns its id. Its uploads go into its folder. Raises QueueFull if
        too many jobs are unfinished or they take too much space, and OSError if the folder cannot be made.
        """
        jobs = self.store.jobs()
        unfinished = [job for job in jobs if not job.has_ended]
        if len(unfinished) >= MOST_WAITING:
            raise QueueFull(f"{len(unfinished)} jobs are waiting already; ask again later")
        if sum(job.owner == owner for job in unfinished) >= MOST_OWN:
            raise QueueFull(f"{MOST_OWN} jobs of yours are unfinished; wait for one of them, or cancel it")
        if len(jobs) >= MOST_KEPT or self.store.size() > self._limits.job_space:
            raise QueueFull("the reports on this server take all of their space; delete some of yours at /jobs")
        return self.store.begin()

    def submit(self, job: UploadJob) -> None:
        """Puts a job into the queue, after its uploads are in its folder. Raises OSError."""
        self.store.save(job)
        self._news.set()

    def place(self, job: UploadJob) -> int:
        """How many jobs of its kind are before a waiting one."""
        others = [other for other in self.store.jobs() if other.kind is job.kind and not other.has_ended]
        return sum(other.made < job.made for other in others)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs jobs meanwhile. At its end, those that are running are stopped."""
        runners = [asyncio.create_task(self._run_all(kind)) for kind in JobKind]
        try:
            yield
        finally:
            for runner in runners:
                runner.cancel()
            await asyncio.gather(*runners, return_exceptions=True)

    async def _run_all(self, kind: JobKind) -> None:
        while True:
            self._news.clear()
            with suppress(OSError):  # the folder cannot be read; tried again later
                self.store.clean()
                while await self._take_next(kind):
                    pass
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), CLEAN_SECONDS)

    async def _take_next(self, kind: JobKind) -> bool:
        """Runs the oldest job of a kind that no other server runs; returns False if there is none."""
        for waiting in reversed(self.store.jobs()):
            if waiting.kind is kind and not waiting.has_ended:
                with self.store.taken(waiting.id) as is_ours, suppress(NotFound, OSError):
                    if is_ours and not (job := self.store.job(waiting.id)).has_ended:
                        await self._take(job)
                        return True
        return False

    async def _take(self, job: UploadJob) -> None:
        """Runs a job and saves how it ended. Raises NotFound if it is removed meanwhile."""
        job = replace(job, state=JobState.RUNNING, starts=job.starts + 1)
        self.store.save(job)
        message = "the server was stopped several times while this ran; ask for less"
        outcome = {"message": message} if job.starts > MOST_STARTS else await self._run(job)
        self.store.job(job.id)
        self.store.end(replace(job, **outcome), JobState.DONE if "formats" in outcome else JobState.FAILED)

    async def _run(self, job: UploadJob) -> dict[str, Any]:
        """Runs a job in a process, and returns how it ended. Raises NotFound if the job was removed meanwhile."""
        folder = self.store.path(job.id)
        for name in (OUTCOME, PROGRESS):
            (folder / name).unlink(missing_ok=True)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "wherefrom.serve.jobs.work",
            str(folder.absolute()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            **system.group(),  # so that it is stopped together with the processes that it starts
        )
        assert process.stdin is not None
        try:
            process.stdin.write(pickle.dumps(Order(job, self._opener, self._given, self._processes)))
            reason = await self._watch(process, job)
        finally:
            system.end_group(process.pid)
            await process.wait()
        if not reason:
            with suppress(OSError, ValueError):
                return dict(json.loads((folder / OUTCOME).read_bytes()))
        return {"message": reason or "the process of this job crashed; the log of the server may say why"}

    async def _watch(self, process: asyncio.subprocess.Process, job: UploadJob) -> str:
        """Waits for the end of a process, or until it exceeds a limit. Returns which one, or an empty text. Raises
        NotFound if the job was removed.
        """
        meter: Meter | None = None
        seconds, memory = self._limits.job_seconds, self._limits.job_memory
        end = asyncio.get_running_loop().time() + seconds
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), LOOK_SECONDS)
                return ""
            self.store.job(job.id)
            if meter is None:
                meter = Meter(process.pid)
            meter.look()
            if asyncio.get_running_loop().time() > end:
                return f"this takes more than {seconds:g} s; ask for less, or set `job_seconds` on the server"
            if meter.memory > memory:
                return f"this takes more than {memory / 1e9:g} GB of memory; ask for less"
