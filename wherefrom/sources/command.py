"""Runs git so that nothing in a clone, its configuration or its attributes can run or fetch anything."""

from __future__ import annotations

import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, cast

from wherefrom.errors import GitError
from wherefrom.sources.repository_urls import without_credentials
from wherefrom.sources.temporary import temporary_folder
from wherefrom.support.printable import quoted

TICK = 0.5
"""Seconds after which a wait for git looks up. A process that was stopped (Ctrl-Z) meanwhile has waited no longer."""

ANSWER_BYTES = 16_000_000
"""What git may answer in one piece, where nothing else is said."""

MEMORY_BYTES = 4_000_000_000
"""Of memory that a process of git may claim, without the files that it maps, such as packs, however large these are.
Linux enforces it (`RLIMIT_DATA`)."""

_PAGE = 1 << 16

_OUT_OF_MEMORY = re.compile(rb"^fatal: (?:Out of memory|mmap failed)", re.MULTILINE)

_LEASH = Path(__file__).with_name("leash.py")

ENDING_SECONDS = 5.0
"""For the processes of a command that was killed, until the last of them has let go of what it writes to."""


def configured(*settings: str) -> tuple[str, ...]:
    """The options of git for settings, each `NAME=VALUE`."""
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
"""The options of every git command. The `protect` settings would refuse names that are only listed here."""

_FIXED = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
_LOCAL = {
    **_FIXED,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    # No protocol at all: versions of git that do not know GIT_NO_LAZY_FETCH fail before they start a transport.
    "GIT_ALLOW_PROTOCOL": "none",
}
_NETWORK = {
    **_FIXED,
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
}
_OF_A_REPOSITORY = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
"""Variables that name a repository, set for instance inside a hook."""


class LimitReached(GitError):
    """git took longer, wrote more or needs more memory than it may; the repository is hostile or broken, or the machine
    very slow.
    """


KILLS = 20
"""How often git may be killed by another process, such as the kernel for want of memory, before it counts as failed.
Until then it is started again, since what it was asked is not to blame."""

ENDINGS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""What another process ends git with; a broken object ends it with an exit code or a crash."""

KILLED = "something kills git; free some memory, and run again"
"""What is said where another process ends git again and again."""


class GitFailed(GitError):
    """git ended with an error; the message is its complaint alone."""


class GitKilled(GitFailed):
    """Another process ended git."""


def local_environment(git_dir: Path, **more: str) -> dict[str, str]:
    """The environment in which a clone on this machine is read; nothing that is set for git outside counts."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**inherited, **_LOCAL, "GIT_DIR": str(git_dir), **more}


def network_environment(git_dir: Path) -> dict[str, str]:
    """The environment in which wherefrom's own clone is fetched: the user's own settings (proxy, credentials) count."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in _OF_A_REPOSITORY and not name.startswith("GIT_TRACE")
    }
    return {**inherited, **_NETWORK, "GIT_DIR": str(git_dir)}


@contextmanager
def object_environment(objects: Path, digits: int) -> Iterator[dict[str, str]]:
    """The environment for commands that need nothing of a clone but its objects.

    They run in an empty repository of their own, in a temporary folder, that looks into the clone's objects: the
    clone's configuration, hooks, attributes and index are never read, and nothing is ever written into it.

    Args:
        objects: the clone's `objects` folder.
        digits: the length of its object ids, 40 (SHA-1) or 64 (SHA-256).
    """
    with temporary_folder("git") as git_dir:
        (git_dir / "refs").mkdir()
        (git_dir / "HEAD").write_text("ref: refs/heads/none\n")
        (git_dir / "config").write_text(
            "[core]\nrepositoryformatversion = 1\nbare = true\n"
            f"[extensions]\nobjectformat = {'sha256' if digits == 64 else 'sha1'}\n"
        )
        yield local_environment(git_dir, GIT_OBJECT_DIRECTORY=str(objects))


class Patience:
    """Seconds that may be spent waiting for git. Only what passes while this process runs counts, not what passes while
    it is stopped, or while what git wrote is being used.

    Args:
        seconds: how many.
        whole: of which these are a part.
    """

    def __init__(self, seconds: float, whole: Patience | None = None) -> None:
        self.seconds = self.left = seconds
        self._whole = whole

    def wait(self, poll: select.poll) -> list[int]:
        """The descriptors that are ready, none after at most `TICK` seconds.

        Raises:
            TimeoutError: no time is left.
        """
        left = self.left if self._whole is None else min(self.left, self._whole.left)
        if left <= 0:
            raise TimeoutError
        before = time.monotonic()
        ready = poll.poll(min(TICK, left) * 1000)
        self._spend(min(time.monotonic() - before, 2 * TICK))
        return [descriptor for descriptor, _ in ready]

    def _spend(self, seconds: float) -> None:
        self.left -= seconds
        if self._whole is not None:
            self._whole._spend(seconds)


class Answers:
    """Takes what git writes piece by piece."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor = stream.fileno()
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)
        self._buffer = b""
        self._position = 0

    def line(self, patience: Patience) -> bytes:
        """The next line, without its end; cut off where it is longer than a page, or where git ends in it.

        Raises:
            TimeoutError: no time is left.
        """
        while (end := self._buffer.find(b"\n", self._position)) < 0:
            rest = self._buffer[self._position :]
            more = b"" if len(rest) >= _PAGE else self._read(patience)
            if not more:
                self._buffer, self._position = b"", 0
                return rest
            self._buffer, self._position = rest + more, 0
        line = self._buffer[self._position : end]
        self._position = end + 1
        return line

    def take(self, length: int, patience: Patience, end: bytes) -> bytes:
        """The next so many bytes; fewer where git ends, or waits after `end`.

        Raises:
            TimeoutError: no time is left.
        """
        parts = []
        last = b""
        while length:
            if self._position == len(self._buffer):
                if last == end:
                    break
                self._buffer, self._position = self._read(patience), 0
                if not self._buffer:
                    break
            parts.append(self._buffer[self._position : self._position + length])
            last = (last + parts[-1][-len(end) :])[-len(end) :]
            self._position += len(parts[-1])
            length -= len(parts[-1])
        return b"".join(parts)

    def _read(self, patience: Patience) -> bytes:
        while not patience.wait(self._poll):
            pass
        return os.read(self._descriptor, _PAGE)


def start(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts git with pipes to both sides.

    Raises:
        GitError: git is not installed.
    """
    return _started(arguments, environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _started(arguments: Sequence[str], environment: Mapping[str, str], **options: Any) -> subprocess.Popen[bytes]:
    try:
        process = subprocess.Popen(
            ["git", *ARGUMENTS, *arguments], stdout=subprocess.PIPE, env=environment, cwd="/", **options
        )
    except FileNotFoundError:
        raise _not_installed() from None
    if sys.platform == "linux":
        with suppress(OSError):  # it has ended already
            # Not by what runs in the child before git does: that is not safe where this process has threads.
            _, most = resource.prlimit(process.pid, resource.RLIMIT_DATA)
            limit = MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MEMORY_BYTES, most)
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (limit, limit))
    return process


def _started_on_leash(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts git in a session of its own, without the terminal; it ends with this process, however that ends."""
    if shutil.which("git") is None:
        raise _not_installed()
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_LEASH), str(MEMORY_BYTES), "git", *ARGUMENTS, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd="/",
        start_new_session=True,
    )


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    seconds: float,
    most_bytes: int = ANSWER_BYTES,
    stdin: Iterable[bytes] = (),
    detached: bool = False,
    watch: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Runs git to its end, whatever it answers.

    Args:
        arguments: the command and its arguments.
        environment: one of the environments above.
        seconds: git is stopped after that time.
        most_bytes: git is stopped when it has written more.
        stdin: what it is given to read.
        detached: without the terminal, so that nothing below git (ssh) can ask there, and ended with this process even
            where that is killed; `stdin` is not used then.
        watch: called about twice a second while git runs, and at the end; what it raises stops git.

    Raises:
        LimitReached: git took too long, wrote too much or needs too much memory.
        GitError: git is not installed.
    """
    with _Run(arguments, environment, seconds, most_bytes, stdin, detached=detached) as running:
        output = b"".join(running.output(watch))
        return subprocess.CompletedProcess(list(arguments), running.returncode, output, running.errors)


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
    """What git writes, record by record as it comes; what comes behind the last separator is left out.

    Args:
        arguments: the command and its arguments.
        environment: one of the environments above.
        seconds: git is stopped after that time.
        most_bytes: git is stopped when it has written more.
        stdin: what it is given to read.
        separator: what ends a record, one byte.
        success: the exit codes that are not a failure.

    Raises:
        GitKilled: another process ended git.
        GitFailed: git failed; the message is its complaint.
        LimitReached: git took too long, wrote too much or needs too much memory.
        GitError: git is not installed.
    """
    with _Run(arguments, environment, seconds, most_bytes, stdin) as running:
        begun: list[bytes] = []  # of a record that is longer than what comes at once
        for part in running.output():
            first, *others = part.split(separator)
            begun.append(first)
            if others:
                yield b"".join(begun)
                yield from others[:-1]
                begun = [others[-1]]
        if -running.returncode in ENDINGS:
            raise GitKilled(KILLED)
        if running.returncode not in success:
            raise GitFailed(complaint(running.errors))


@contextmanager
def _file_of(parts: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """A file that holds these, to be read from its beginning."""
    try:
        file = TemporaryFile() if parts else open(os.devnull, "rb")  # noqa: SIM115, PTH123  # closed below
    except OSError as error:
        raise _no_room(error) from None
    with file:
        try:
            if parts:
                file.writelines(parts)
                file.seek(0)
        except OSError as error:
            raise _no_room(error) from None
        yield file


def _no_room(error: OSError) -> GitError:
    return GitError(f"cannot write a temporary file for git: {error.strerror}; make room, or set TMPDIR")


class _Run:
    """One command of git under limits. It is killed when the block ends, whatever it is doing."""

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
        self._patience, self._most_bytes, self._detached = Patience(seconds), most_bytes, detached
        if detached:
            self._process = _started_on_leash(arguments, environment)
        else:
            with _file_of(stdin) as given:  # a pipe would have to be filled while the answer is taken
                self._process = _started(arguments, environment, stdin=given, stderr=subprocess.PIPE)
        self.errors = b""
        """The beginning of what git complained about."""

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is None and self._detached:
            os.killpg(self._process.pid, signal.SIGKILL)  # also what git has started; nobody else has its number yet
            self._await_silence()
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._process.wait()

    def _await_silence(self) -> None:
        """Waits until all processes that were killed are gone, so that none of them makes another file."""
        poll, streams = self._polled()
        end = time.monotonic() + ENDING_SECONDS
        while streams and (left := end - time.monotonic()) > 0:
            for descriptor, _ in poll.poll(left * 1000):
                if not os.read(descriptor, _PAGE):
                    poll.unregister(descriptor)
                    streams.remove(descriptor)

    def _polled(self) -> tuple[select.poll, list[int]]:
        """A poll of what git writes and of what it complains about, and the descriptors of both."""
        poll = select.poll()
        streams = [cast(IO[bytes], stream).fileno() for stream in (self._process.stdout, self._process.stderr)]
        for descriptor in streams:
            poll.register(descriptor, select.POLLIN)
        return poll, streams

    @property
    def returncode(self) -> int:
        """The exit code, once all output was taken."""
        return self._process.wait()

    def output(self, watch: Callable[[], None] | None = None) -> Iterator[bytes]:
        """What git writes, as it comes, until it has ended.

        Raises:
            LimitReached: it took too long, wrote too much or needs too much memory.
        """
        poll, streams = self._polled()
        is_open = set(streams)
        size, watched = 0, time.monotonic()
        try:
            while is_open:
                for descriptor in self._patience.wait(poll):
                    part = os.read(descriptor, _PAGE)
                    if not part:
                        poll.unregister(descriptor)
                        is_open.remove(descriptor)
                    size += len(part)
                    if size > self._most_bytes:
                        raise self._limit_reached(f"wrote more than {self._most_bytes:,} bytes")
                    if descriptor == streams[0]:
                        yield part
                    elif len(self.errors) < _PAGE:
                        self.errors += part
                if watch is not None and time.monotonic() - watched >= TICK:
                    watch()
                    watched = time.monotonic()
            self._process.wait(max(self._patience.left, TICK))
            if _OUT_OF_MEMORY.search(self.errors):
                raise self._limit_reached(f"needs more than {MEMORY_BYTES:,} bytes of memory")
            if watch is not None:
                watch()
        except (TimeoutError, subprocess.TimeoutExpired):
            raise self._limit_reached(f"took longer than {self._patience.seconds:g} seconds") from None

    def _limit_reached(self, what: str) -> LimitReached:
        return LimitReached(f"git {self._name} {what}; is this repository sound?")


def complaint(stderr: bytes) -> str:
    """What git complained about, on one line, without credentials: its first fatal line, else its first one."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith("fatal:")), lines[0] if lines else "no reason given")
    return quoted(without_credentials(first.removeprefix("fatal:").removeprefix("error:").strip()))


def _not_installed() -> GitError:
    return GitError("git is not installed, or not on PATH; install it (https://git-scm.com/downloads)")
