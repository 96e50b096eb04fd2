"""Runs git so that no configuration and no attribute of a clone can make it run a program or fetch anything."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast

from wherefrom.errors import GitError
from wherefrom.sources.clones import temporary_folder
from wherefrom.sources.repository_urls import without_credentials
from wherefrom.support.closing import Closing
from wherefrom.support.pattern import later
from wherefrom.support.printable import quoted
from wherefrom.support.system import system

TICK = 0.5  # longest single wait for git, in seconds. A pause of this process (Ctrl-Z) counts as at most twice this
ANSWER_BYTES = 16_000_000  # default limit on the bytes that a git command writes
MEMORY_BYTES = 4_000_000_000  # limit on the memory of git without mapped files; Linux enforces it (`RLIMIT_DATA`)
_PAGE = 1 << 16

_OUT_OF_MEMORY = later(rb"^fatal: (?:Out of memory|mmap failed)", re.MULTILINE)
ENDING_SECONDS = 5.0  # longest wait until all processes of a killed command have ended


def configured(*settings: str) -> tuple[str, ...]:
    """The options that give git these settings, each `NAME=VALUE`."""
    return tuple(word for setting in settings for word in ("-c", setting))


ARGUMENTS = (
    "--no-pager",
    *configured(
        "core.fsmonitor=false",
        f"core.hooksPath={os.devnull}",
        f"core.attributesFile={os.devnull}",
        "safe.directory=*",
        "core.protectHFS=false",
        "core.protectNTFS=false",
    ),
)
"""The options of every git command. The `protect` settings are off, since no file name is ever checked out."""

_FIXED = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
_LOCAL = {
    **_FIXED,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    # No protocol is allowed, so versions of git that do not know GIT_NO_LAZY_FETCH fail instead of fetching.
    "GIT_ALLOW_PROTOCOL": "none",
}
_NETWORK = {
    **_FIXED,
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
}
_OF_A_REPOSITORY = later(
    "GIT_(ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|CONFIG|CONFIG_PARAMETERS|DIR|GRAFT_FILE|INDEX_FILE|NAMESPACE"
    "|OBJECT_DIRECTORY|PREFIX|QUARANTINE_PATH|SHALLOW_FILE|WORK_TREE|TRACE.*)"
)
"""Variables that name a repository, such as those of hooks, or make git write a log. A fetch must not see them."""


class LimitReached(GitError):
    """git exceeded a limit on time, output or memory. The repository is hostile or broken, or the machine very slow."""


KILLS = 20
"""How often git may be killed from outside, for example by the kernel when memory runs out, before that is an error.
Until then git is started again, since the repository is not to blame."""

KILLED = "something kills git; free some memory, and run again"  # the message if other processes end git too often


class GitFailed(GitError):
    """git ended with an error. The message is only git's complaint, without a remedy."""


class GitKilled(GitFailed):
    """Another process ended git."""


def local_environment(git_dir: Path, **more: str) -> dict[str, str]:
    """The environment for reading a clone on this machine. It ignores the user's settings of git."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**inherited, **_LOCAL, "GIT_DIR": str(git_dir), **more}


def network_environment(git_dir: Path) -> dict[str, str]:
    """The environment for fetching into wherefrom's own clone. It keeps the user's settings (proxy, credentials)."""
    inherited = {name: value for name, value in os.environ.items() if not _OF_A_REPOSITORY.fullmatch(name)}
    return {**inherited, **_NETWORK, "GIT_DIR": str(git_dir)}


@contextmanager
def object_environment(objects: Path, digits: int) -> Iterator[dict[str, str]]:
    """The environment for commands that need only the objects of a clone. The commands run in an empty temporary
    repository that reads the clone's objects. They never read the clone's configuration, hooks, attributes or index,
    and never write into the clone. The object ids of the clone have 40 (SHA-1) or 64 digits (SHA-256).
    """
    with temporary_folder("git") as git_dir:
        (git_dir / "refs").mkdir()
        (git_dir / "HEAD").write_text("ref: refs/heads/none\n")
        (git_dir / "config").write_text(
            "[core]\nrepositoryformatversion = 1\nbare = true\n"
            f"[extensions]\nobjectformat = {'sha256' if digits == 64 else 'sha1'}\n"
        )
        yield local_environment(git_dir, GIT_OBJECT_DIRECTORY=str(objects))


class TimeLeft:
    """A limit on the time that this process waits for git. Handling its output does not count, and each pause of this
    process counts as at most twice `TICK`. Waits also count for `whole`, a longer limit of several objects.
    """

    def __init__(self, seconds: float, whole: TimeLeft | None = None) -> None:
        self.seconds = self.left = seconds
        self._whole = whole

    def wait(self, descriptors: Collection[int]) -> list[int]:
        """Waits at most `TICK` seconds; returns those that are ready. Raises TimeoutError if no time is left."""
        spending = [self] if self._whole is None else [self, self._whole]
        left = min(patience.left for patience in spending)
        if left <= 0:
            raise TimeoutError
        before = time.monotonic()
        ready = system.readable(descriptors, min(TICK, left))
        spent = min(time.monotonic() - before, 2 * TICK)
        for patience in spending:
            patience.left -= spent
        return ready


class Output:
    """Reads the output of git piece by piece."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor = stream.fileno()
        self._buffer = bytearray()

    def line(self, patience: TimeLeft) -> bytes:
        """The next line, cut off after about 64 kB or where git ends. Raises TimeoutError if no time is left."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) >= _PAGE or not self._read(patience):
                return self._taken(len(self._buffer))
        return self._taken(end + 1)[:-1]

    def take(self, length: int, patience: TimeLeft, end: bytes) -> bytes:
        """The next `length` bytes; fewer if git ends, or what came so far ends with `end`. Raises TimeoutError."""
        while len(self._buffer) < length and not self._buffer.endswith(end) and self._read(patience):
            pass
        return self._taken(length)

    def _taken(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _read(self, patience: TimeLeft) -> bool:
        """Waits for more output. False if git has ended."""
        while not patience.wait((self._descriptor,)):
            pass
        more = os.read(self._descriptor, _PAGE)
        self._buffer += more
        return bool(more)


def start(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    stdin: int | IO[bytes] = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
    detached: bool = False,
) -> subprocess.Popen[bytes]:
    """Starts git with a pipe for its output. If `detached`, git has no terminal and ends with this process, and `stdin`
    must be a pipe. Raises GitError if git is not installed.
    """
    if shutil.which("git") is None:
        raise GitError("git is not installed, or not on PATH; install it (https://git-scm.com/downloads)")
    return system.start(
        ["git", *ARGUMENTS, *arguments],
        memory=MEMORY_BYTES,
        alone=detached,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment,
        cwd="/",
    )


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],  # from one of the functions above
    *,
    seconds: float,  # after this time git is stopped
    most_bytes: int = ANSWER_BYTES,  # git is stopped if it writes more than this
    stdin: Iterable[bytes] = (),
    detached: bool = False,
    watch: Callable[[], None] | None = None,  # called twice a second and at the end; git is stopped if it raises
) -> subprocess.CompletedProcess[bytes]:
    """Runs git to its end, whether it succeeds or fails. If `detached`, git has no terminal, so neither git nor ssh can
    ask the user, and ends when this process is killed; `stdin` must be empty. Raises LimitReached if git took too long,
    wrote too much or needs too much memory; GitError if git is not installed.
    """
    with _Run(arguments, environment, seconds, most_bytes, stdin, detached=detached) as running:
        output = b"".join(running.output(watch))
        return subprocess.CompletedProcess(list(arguments), running.process.returncode, output, running.errors)


def records(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    seconds: float,
    most_bytes: int,
    stdin: Iterable[bytes] = (),
    separator: bytes = b"\0",
    success: Collection[int] = (0,),
) -> Generator[bytes]:
    """Yields the records of git's output as they come. Drops anything after the last separator. A record ends with the
    byte `separator`. An exit code that is not in `success` is a failure. The other parameters are the same as for
    `run`. Raises GitKilled if another process ended git; GitFailed if git failed; the message is its complaint;
    LimitReached, GitError as for `run`.
    """
    with _Run(arguments, environment, seconds, most_bytes, stdin) as running:
        begun: list[bytes] = []  # the parts of a record whose end has not come yet
        for part in running.output():
            first, *others = part.split(separator)
            begun.append(first)
            if others:
                yield b"".join(begun)
                yield from others[:-1]
                begun = [others[-1]]
        if running.process.returncode in system.ENDINGS:
            raise GitKilled(KILLED)
        if running.process.returncode not in success:
            raise GitFailed(complaint(running.errors))


@contextmanager
def _file_of(parts: Iterable[bytes]) -> Iterator[IO[bytes]]:
    with ExitStack() as stack:
        try:
            file = stack.enter_context(TemporaryFile())
            file.writelines(parts)
            file.seek(0)
        except OSError as error:
            raise GitError(
                f"cannot write a temporary file for git: {error.strerror}; make room, or set TMPDIR"
            ) from None
        yield file


class _Run(Closing):
    """One command of git under limits, killed at the end of its `with` block. Its process has ended when `output` is
    exhausted. `errors` is the beginning of git's complaints.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        seconds: float,
        most_bytes: int,
        stdin: Iterable[bytes],
        *,
        detached: bool = False,
    ) -> None:
        self._name = next(word for word in arguments if not word.startswith("-") and "=" not in word)
        self._patience, self._most_bytes, self._detached = TimeLeft(seconds), most_bytes, detached
        self.errors = b""
        nothing = nullcontext(subprocess.PIPE if detached else subprocess.DEVNULL)
        # git reads its input from a file. A pipe would have to be filled while this process reads the output.
        with _file_of(stdin) if stdin else nothing as given:
            self.process = start(arguments, environment, stdin=given, stderr=subprocess.PIPE, detached=detached)

    def close(self) -> None:
        if self.process.returncode is None and self._detached:
            system.end_group(self.process.pid)  # the id cannot be reused before `wait`
            # Waits until all of these processes have closed their pipes. After that, none of them can create a file.
            with suppress(TimeoutError):
                for _ in self._parts(TimeLeft(ENDING_SECONDS)):
                    pass
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.process.wait()

    def output(self, watch: Callable[[], None] | None = None) -> Iterator[bytes]:
        """Yields git's output as it comes, until git has ended. Raises LimitReached."""
        size, watched = 0, time.monotonic()
        try:
            for is_output, part in self._parts(self._patience):
                size += len(part)
                if size > self._most_bytes:
                    raise self._limit_reached(f"wrote more than {self._most_bytes:,} bytes")
                if is_output:
                    yield part
                elif len(self.errors) < _PAGE:
                    self.errors += part
                if watch is not None and time.monotonic() - watched >= TICK:
                    watch()
                    watched = time.monotonic()
            self.process.wait(max(self._patience.left, TICK))
            if _OUT_OF_MEMORY.search(self.errors):
                raise self._limit_reached(f"needs more than {MEMORY_BYTES:,} bytes of memory")
            if watch is not None:
                watch()
        except (TimeoutError, subprocess.TimeoutExpired):
            raise self._limit_reached(f"took longer than {self._patience.seconds:g} seconds") from None

    def _parts(self, patience: TimeLeft) -> Iterator[tuple[bool, bytes]]:
        """Yields what git writes until it ends, as pairs: True for output or False for complaints, and the bytes. After
        a `TICK` without either, yields True and no bytes. Raises TimeoutError if no time is left.
        """
        output, errors = (cast(IO[bytes], stream).fileno() for stream in (self.process.stdout, self.process.stderr))
        is_open = {output, errors}
        while is_open:
            ready = patience.wait(is_open)
            for descriptor in ready:
                part = os.read(descriptor, _PAGE)
                if not part:
                    is_open.remove(descriptor)
                yield descriptor == output, part
            if not ready:
                yield True, b""

    def _limit_reached(self, what: str) -> LimitReached:
        return LimitReached(f"git {self._name} {what}; is this repository sound?")


def complaint(stderr: bytes) -> str:
    """The first fatal line of git's complaints, or else the first line, without credentials."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith("fatal:")), lines[0] if lines else "no reason given")
    return quoted(without_credentials(first.removeprefix("fatal:").removeprefix("error:").strip()))
