"""Runs git so that nothing in a clone, its configuration or its attributes can run or fetch anything."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wherefrom.errors import GitError
from wherefrom.printable import quoted
from wherefrom.sources.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ARGUMENTS = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    f"core.attributesFile={os.devnull}",
    "-c",
    "safe.directory=*",
    "-c",
    "core.protectHFS=false",
    "-c",
    "core.protectNTFS=false",
)
"""What stands before every git command. The `protect` settings would refuse names that are only listed here."""

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
    with TemporaryDirectory(prefix="wherefrom-git-") as folder:
        git_dir = Path(folder)
        (git_dir / "refs").mkdir()
        (git_dir / "HEAD").write_text("ref: refs/heads/none\n")
        (git_dir / "config").write_text(
            "[core]\nrepositoryformatversion = 1\nbare = true\n"
            f"[extensions]\nobjectformat = {'sha256' if digits == 64 else 'sha1'}\n"
        )
        yield local_environment(git_dir, GIT_OBJECT_DIRECTORY=str(objects))


def start(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Starts git with pipes to both sides.

    Raises:
        GitError: git is not installed.
    """
    try:
        return subprocess.Popen(
            ["git", *ARGUMENTS, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/",
        )
    except FileNotFoundError:
        raise _not_installed() from None


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    stdin: bytes = b"",
    seconds: float | None = None,
    detached: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """Runs git to its end, whatever it answers.

    Args:
        arguments: the command and its arguments.
        environment: one of the environments above.
        stdin: what it is given to read.
        seconds: git is stopped after that time.
        detached: without the terminal, so that nothing below git (ssh) can ask there.

    Raises:
        GitError: git is not installed, or took too long.
    """
    try:
        return subprocess.run(
            ["git", *ARGUMENTS, *arguments],
            input=stdin,
            capture_output=True,
            env=environment,
            cwd="/",
            timeout=seconds,
            check=False,
            start_new_session=detached,
        )
    except FileNotFoundError:
        raise _not_installed() from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {seconds:g} seconds; is this repository sound?") from None


def complaint(stderr: bytes) -> str:
    """What git complained about, on one line, without credentials: its first fatal line, else its first one."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith("fatal:")), lines[0] if lines else "no reason given")
    return quoted(without_credentials(first.removeprefix("fatal:").removeprefix("error:").strip()))


def _not_installed() -> GitError:
    return GitError("git is not installed, or not on PATH; install it (https://git-scm.com/downloads)")
