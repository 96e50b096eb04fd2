"""Runs git so that no configuration and no attribute of a clone can make it run a program or fetch anything."""

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
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast

from wherefrom.errors import GitError
from wherefrom.sources.repository_urls import without_credentials
from wherefrom.sources.temporary import temporary_folder
from wherefrom.support.closing import Closing
from wherefrom.support.printable import quoted

TICK = 0.5
"""Seconds between two looks while waiting for git. A pause of this process (Ctrl-Z) counts at most twice that."""

ANSWER_BYTES = 16_000_000
"""Default for the most bytes of one answer of git."""

MEMORY_BYTES = 4_000_000_000
"""Most bytes of memory of one process of git, without the files that it maps, such as packs. Linux enforces it
(`RLIMIT_DATA`)."""

_PAGE = 1 << 16

_OUT_OF_MEMORY = re.compile(rb"^fatal: (?:Out of memory|mmap failed)", re.MULTILINE)

_LEASH = Path(__file__).with_name("leash.py")

ENDING_SECONDS = 5.0
"""Longest wait until all processes of a killed command have ended."""


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
"""The options of every git command. The `protect` settings would refuse names that are only listed, not checked out."""

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
    # No protocol: versions of git that do not know GIT_NO_LAZY_FETCH fail before they start a transport.
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
"""Variables that name a repository. git sets them in hooks, for example."""


class LimitReached(GitError):
    """git exceeded a limit on time, output or memory. The repository is hostile or broken, or the machine very slow."""


KILLS = 20
"""How often another process, such as the kernel when memory runs out, may kill git before that is an error. Until then
git is started again, since its task is not to blame."""

ENDINGS = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that other processes end git with. A broken object ends it with an exit code or a crash."""

KILLED = "something kills git; free some memory, and run again"
"""The message if other processes end git too often."""


class GitFailed(GitError):
    """git ended with an error; the message is only its complaint."""


class GitKilled(GitFailed):
    """Another process ended git."""


def local_environment(git_dir: Path, **more: str) -> dict[str, str]:
    """The environment for reading a clone on this machine. It ignores the user's settings of git."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**inherited, **_LOCAL, "GIT_DIR": str(git_dir), **more}


def network_environment(git_dir: Path) -> dict[str, str]:
    """The environment for fetching into wherefrom's own clone. It keeps the user's settings (proxy, credentials)."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in _OF_A_REPOSITORY and not name.startswith("GIT_TRACE")
    }
    return {**inherited, **_NETWORK, "GIT_DIR": str(git_dir)}


@contextmanager
def object_environment(objects: Path, digits: int) -> Iterator[dict[str, str]]:
    """The environment for commands that need only the objects of a clone.

    They run in an empty temporary repository that reads the clone's objects. They never read the clone's
    configuration, hooks, attributes and index, and never write into it.

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


class TimeLeft:
    """The time that is left to wait for git. Only waiting uses it up, not handling what git wrote. A pause of this
    process counts at most twice `TICK`.

    Args:
        seconds: how long it may wait.
        whole: a second, longer limit for several such times together; each wait uses it up too.
    """

    def __init__(self, seconds: float, whole: TimeLeft | None = None) -> None:
        self.seconds = self.left = seconds
        self._whole = whole

    def wait(self, poll: select.poll) -> list[int]:
        """Waits at most `TICK` seconds. Returns the descriptors that are ready; an empty list if there are none.

        Raises:
            TimeoutError: no time is left.
        """
        spending = [self] if self._whole is None else [self, self._whole]
        left = min(patience.left for patience in spending)
        if left <= 0:
            raise TimeoutError
        before = time.monotonic()
        ready = poll.poll(min(TICK, left) * 1000)
        spent = min(time.monotonic() - before, 2 * TICK)
        for patience in spending:
            patience.left -= spent
        return [descriptor for descriptor, _ in ready]


class Output:
    """Reads the output of git piece by piece."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._descriptor = stream.fileno()
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)
        self._buffer = bytearray()

    def line(self, patience: TimeLeft) -> bytes:
        """The next line, without its end. It is cut off if it is longer than a page, or if git ends within it.

        Raises:
            TimeoutError: no time is left.
        """
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) >= _PAGE or not self._read(patience):
                return self._taken(len(self._buffer))
        return self._taken(end + 1)[:-1]

    def take(self, length: int, patience: TimeLeft, end: bytes) -> bytes:
        """The next `length` bytes; fewer if git ends, or if all that has come ends with `end`.

        Raises:
            TimeoutError: no time is left.
        """
        while len(self._buffer) < length and not self._buffer.endswith(end) and self._read(patience):
            pass
        return self._taken(length)

    def _taken(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _read(self, patience: TimeLeft) -> bool:
        """Waits for more output. False if git has ended."""
        while not patience.wait(self._poll):
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
    """Starts git with a pipe for its output. If `detached`, it runs below `leash.py`, which needs a pipe as `stdin`.

    Raises:
        GitError: git is not installed.
    """
    command = ["git", *ARGUMENTS, *arguments]
    if detached:
        if shutil.which("git") is None:
            raise _not_installed()
        command = [sys.executable, "-I", "-S", str(_LEASH), str(MEMORY_BYTES), *command]
    try:
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=environment,
            cwd="/",
            start_new_session=detached,
        )
    except FileNotFoundError:
        raise _not_installed() from None
    if sys.platform == "linux" and not detached:
        with suppress(OSError):  # the process has ended already
            # Popen's `preexec_fn` could set the limit in the child, but it is not safe in a process with threads.
            _, most = resource.prlimit(process.pid, resource.RLIMIT_DATA)
            limit = MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MEMORY_BYTES, most)
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (limit, limit))
    return process


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
    """Runs git to its end, whether it succeeds or fails.

    Args:
        arguments: the command and its arguments.
        environment: one of the environments above.
        seconds: git is stopped after that time.
        most_bytes: git is stopped when it has written more.
        stdin: git's input.
        detached: runs git without the terminal, so that nothing that it starts (ssh) can ask the user. git also ends
            when this process is killed. `stdin` must be empty then.
        watch: called about twice a second while git runs, and at the end; an exception that it raises stops git.

    Raises:
        LimitReached: git took too long, wrote too much or needs too much memory.
        GitError: git is not installed.
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
    """The output of git, record by record as it comes, without anything after the last separator.

    A record ends with the byte `separator`. An exit code that is not in `success` is a failure. The other parameters
    are the same as for `run`.

    Raises:
        GitKilled: another process ended git.
        GitFailed: git failed; the message is its complaint.
        LimitReached, GitError: as for `run`.
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
        if -running.process.returncode in ENDINGS:
            raise GitKilled(KILLED)
        if running.process.returncode not in success:
            raise GitFailed(complaint(running.errors))


@contextmanager
def _file_of(parts: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """A temporary file with these contents, open at its beginning."""
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
    """One command of git under limits, killed at the end of its `with` block.

    Attributes:
        process: git, which has ended when `output` has.
        errors: the beginning of git's complaints.
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
        # The input is a file: a pipe would have to be filled while this process reads the output.
        with _file_of(stdin) if stdin else nothing as given:
            self.process = start(arguments, environment, stdin=given, stderr=subprocess.PIPE, detached=detached)

    def close(self) -> None:
        """Kills git, whatever it is doing."""
        if self.process.returncode is None and self._detached:
            os.killpg(
                self.process.pid, signal.SIGKILL
            )  # with all processes that git started; the id cannot be reused before `wait`
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
        """What git writes, as it comes, until git has ended.

        Raises:
            LimitReached: git took too long, wrote too much or needs too much memory.
        """
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
        """What git writes until it ends, as pairs: True for output or False for complaints, and the bytes. After each
        `TICK` without output the bytes are empty.

        Raises:
            TimeoutError: no time is left.
        """
        output, errors = (cast(IO[bytes], stream).fileno() for stream in (self.process.stdout, self.process.stderr))
        poll, is_open = select.poll(), {output, errors}
        for descriptor in is_open:
            poll.register(descriptor, select.POLLIN)
        while is_open:
            ready = patience.wait(poll)
            for descriptor in ready:
                part = os.read(descriptor, _PAGE)
                if not part:
                    poll.unregister(descriptor)
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


def _not_installed() -> GitError:
    return GitError("git is not installed, or not on PATH; install it (https://git-scm.com/downloads)")
