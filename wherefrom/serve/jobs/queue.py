"""Runs the jobs of a server, each in a process of its own."""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from wherefrom.errors import NotFound, WherefromError
from wherefrom.index import Index
from wherefrom.options import CheckOptions
from wherefrom.options.serving import JobOptions
from wherefrom.serve.jobs.store import PROGRESS, JobKind, JobState, JobStore, UploadJob
from wherefrom.serve.jobs.work import OUTCOME, Order
from wherefrom.support.system import system
from wherefrom.support.workers import Meter

MOST_WAITING, MOST_OWN = 20, 4
"""The highest numbers of unfinished jobs: of all, and of one owner."""

MOST_KEPT = 500
"""The highest number of jobs with a report. The records of all are read whenever they are listed."""

MOST_STARTS = 5
"""A job that was started this often, and always stopped with its server, has failed."""

LOOK_SECONDS = 0.3
"""Seconds between two looks at the running job."""

CLEAN_SECONDS = 60.0
"""Seconds between two looks for jobs that are over, and for those that another server has left behind."""


class QueueFull(WherefromError):
    """Too many jobs are unfinished, or they take too much space."""


class JobQueue:
    """The jobs of a server. One check and one comparison run at a time, each in the order of the requests.

    A job that was running when a server was stopped is run again. A finished job stays until its time is over.

    Args:
        store: stores the jobs.
        opener: opens the index; the process of each check calls it.
        given: the settings of the server's owner for checks.
        limits: the limits of jobs.
        processes: the number of processes that analyze the files of a job.
    """

    def __init__(
        self, store: JobStore, opener: Callable[[], Index], given: CheckOptions, limits: JobOptions, *, processes: int
    ) -> None:
        self.store = store
        self._opener, self._given, self._limits, self._processes = opener, given, limits, processes
        self._news = asyncio.Event()

    def begin(self, owner: str) -> str:
        """Makes room for a new job of an owner, and returns its id. Its uploads go into its folder.

        Raises:
            QueueFull: too many jobs are unfinished, or they take too much space.
            OSError: the folder cannot be made.
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
        """Waits for the end of a process, or until it exceeds a limit. Returns which one, or an empty text.

        Raises:
            NotFound: the job was removed.
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
