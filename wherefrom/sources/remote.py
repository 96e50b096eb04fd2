"""Repositories elsewhere: cloned shallowly into a cache, later brought up to date."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from wherefrom.errors import GitError, SourceError
from wherefrom.model import KeyKind
from wherefrom.printable import visible
from wherefrom.sources.command import LimitReached, complaint, network_environment, run
from wherefrom.sources.git import GitSource, git_dir, resolve
from wherefrom.sources.repository_urls import url_key, url_key_kind, without_credentials
from wherefrom.sources.source import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import CompletedProcess

_NETWORK = (
    "-c",
    "gc.auto=0",  # an index still reads the blobs of the revision that it was made at
    "-c",
    "maintenance.auto=false",
    "-c",
    "http.lowSpeedLimit=1000",
    "-c",
    "http.lowSpeedTime=60",
)
FETCH_SECONDS = 7200.0
"""For a fetch of one revision."""

FETCH_BYTES = 20_000_000_000
"""By which a fetch may make a clone grow."""

_NO_REF_NAME = re.compile(r"[\0-\x20\x7f~^:?*\[\\]|^[-+/]|\.\.|@\{|//|/$|\.lock$|^$")


class RemoteSource(GitSource):
    """A repository given by its URL. Nothing goes over the network before its revision is asked for.

    Args:
        url: with or without credentials; they are given to git and to nothing else.
        cache: the folder in which wherefrom keeps its clones.
        key: a name to use as the repository key (default: made from the URL).
        rev: a branch, a tag or a full commit id (default: HEAD there).
        max_bytes: longer blobs are not read.
    """

    def __init__(
        self, url: str, *, cache: Path, key: str | None = None, rev: str | None = None, max_bytes: int = MAX_BYTES
    ) -> None:
        kind = KeyKind.NAME if key else url_key_kind(url)
        super().__init__(cache / clone_name(url), key=key or url_key(url), key_kind=kind, rev=rev, max_bytes=max_bytes)
        self.url = url

    @cached_property
    def revision(self) -> str:
        """The commit id that `rev` has there now; empty where the repository has no commit yet.

        Raises:
            GitError: it cannot be fetched, or has no such revision.
        """
        return update(self.url, self.folder, self.rev)


def clone_name(url: str) -> str:
    """The folder name of a URL's clone: a digest of the URL without credentials, and its last part to know it by."""
    shown = without_credentials(url)
    digest = hashlib.sha256(f"{shown.partition('://')[0]} {url_key(url)}".encode()).hexdigest()[:16]
    tail = re.sub(r"[^A-Za-z0-9._-]", "", url_key(url).rpartition("/")[2])[:40]
    return f"{digest}-{tail or 'repository'}"


def update(url: str, folder: Path, rev: str | None) -> str:
    """Fetches the tip of `rev` (default: HEAD) into the clone, which is made first where it is not there.

    Args:
        url: the remote.
        folder: the clone, in a folder that may not be there yet.
        rev: a branch, a tag or a full commit id.

    Returns:
        The commit id, empty where the remote has no commit.

    Raises:
        GitError: it cannot be fetched, or has no such revision.
        SourceError: the cache cannot be written.
    """
    if rev is not None and _NO_REF_NAME.search(rev):
        raise _unknown(url, rev)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        if git_dir(folder) is not None:
            return _fetch(url, folder, rev)
        return _clone(url, folder, rev)
    except OSError as error:
        raise SourceError(
            f"cannot write the clone of {without_credentials(url)} to {visible(folder.parent)}: "
            f"{error.strerror}; make room or give another cache folder"
        ) from None


def _clone(url: str, folder: Path, rev: str | None) -> str:
    """Clones under another name, so that an interrupted clone is never taken for a whole one."""
    _remove_stale(folder)
    half = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        revision = _clone_into(half, url, rev)
        try:
            half.rename(folder)
        except OSError:
            if git_dir(folder) is None:
                raise
            return _fetch(url, folder, rev)  # another process was faster
        return revision
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _remove_stale(folder: Path) -> None:
    """Removes what clones left that were killed; one that still grows is never a day old."""
    for half in folder.parent.glob(f".{folder.name}.*"):
        if time.time() - half.stat().st_mtime > 86_400:
            shutil.rmtree(half, ignore_errors=True)


def _clone_into(folder: Path, url: str, rev: str | None) -> str:
    """Clones into an empty folder; which hash the remote uses shows only when it refuses the usual one."""
    _git(url, folder, ["init", "--quiet", "--bare", "--template="])
    try:
        return _fetch(url, folder, rev)
    except _OtherHash:
        (folder / "config").unlink()
        _git(url, folder, ["init", "--quiet", "--bare", "--template=", "--object-format=sha256"])
        return _fetch(url, folder, rev)


class _OtherHash(GitError):
    """The remote names its objects by another hash than the clone."""


def _fetch(url: str, folder: Path, rev: str | None) -> str:
    wanted = "HEAD" if rev is None else rev
    ref = f"refs/wherefrom/{hashlib.sha256(os.fsencode(wanted)).hexdigest()[:16]}"
    options = ["--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--force"]
    answer = _run(folder, ["fetch", *options, "--", url, f"{wanted}:{ref}"])
    if not answer.returncode:
        return resolve(folder, ref)
    if b"mismatched algorithms" in answer.stderr:
        raise _OtherHash(_failed(url, answer.stderr))
    if b"find remote ref" not in answer.stderr and b"not our ref" not in answer.stderr:
        raise GitError(_failed(url, answer.stderr))
    if rev is not None:
        raise _unknown(url, rev)
    if _git(url, folder, ["ls-remote", "--", url]):
        raise GitError(f"HEAD of {without_credentials(url)} names no commit; name a revision with --rev")
    return ""


def _git(url: str, folder: Path, arguments: Sequence[str]) -> bytes:
    answer = _run(folder, arguments)
    if answer.returncode:
        raise GitError(_failed(url, answer.stderr))
    return answer.stdout


def _run(folder: Path, arguments: Sequence[str]) -> CompletedProcess[bytes]:
    before = _size(folder)

    def watch() -> None:
        if _size(folder) > before + FETCH_BYTES:
            raise LimitReached(f"the remote sends more than {FETCH_BYTES:,} bytes; leave it out")

    environment = network_environment(folder)
    try:
        return run([*_NETWORK, *arguments], environment, seconds=FETCH_SECONDS, detached=True, watch=watch)
    except LimitReached:
        for half in folder.glob("objects/pack/tmp_*"):
            half.unlink(missing_ok=True)
        raise


def _size(folder: Path) -> int:
    """Bytes in the files of a clone, also of those that are just being written."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118  # called for very many
    return size


def _failed(url: str, stderr: bytes) -> str:
    reason = complaint(stderr.replace(url.encode(), without_credentials(url).encode()))
    return f"cannot fetch {without_credentials(url)}: {reason}; check the URL, the network and your credentials for it"


def _unknown(url: str, rev: str) -> GitError:
    return GitError(
        f"{without_credentials(url)} has no revision {visible(rev)!r}; name a branch, a tag or a full commit id of it"
    )
