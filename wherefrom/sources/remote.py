"""Repositories elsewhere: cloned shallowly into a cache, later brought up to date."""

from __future__ import annotations

import hashlib
import os
import random
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from subprocess import CompletedProcess
from threading import Event

from wherefrom.errors import GitError, SourceError
from wherefrom.model import KeyKind
from wherefrom.sources import clones
from wherefrom.sources.clones import clone_name, clone_size
from wherefrom.sources.command import LimitReached, complaint, configured, network_environment, run
from wherefrom.sources.git import GitSource, resolve
from wherefrom.sources.git_folder import git_dir
from wherefrom.sources.repository_urls import url_key, url_key_kind, without_credentials
from wherefrom.sources.source import MAX_BYTES, Entry, is_object_id
from wherefrom.support.printable import visible

_NETWORK = configured(
    "gc.auto=0",  # an index still reads the blobs of the revision that it was made at
    "maintenance.auto=false",
    "http.lowSpeedLimit=1000",
)
STALL_SECONDS = 60
"""A transfer over HTTP of less than 1,000 bytes a second in this time has failed."""

FETCH_SECONDS = 7200.0
"""For a fetch of one revision."""

FETCH_BYTES = 20_000_000_000
"""By which a fetch may make a clone grow."""

RETRY_SECONDS = (2.0, 10.0, 60.0)
"""Waits before a fetch that failed for a cause that may pass is tried again, each up to a half longer by chance."""

_SCHEME = re.compile(r"^[A-Za-z0-9+]+(?=://)")

_NO_REF_NAME = re.compile(r"[\0-\x20\x7f~^:?*\[\\]|^[-+/]|\.\.|@\{|//|/$|\.lock$|^$")

_BUSY = re.compile(rb"returned error: (5\d\d|408|429)|rate limit|too many requests", re.IGNORECASE)
"""What git says of a server that asks to come again later."""

_LASTING = re.compile(
    rb"not found|does not exist|not appear to be a git repository|Authentication failed|could not read Username"
    rb"|could not read Password|Permission denied|Host key verification failed|certificate|returned error: 4\d\d"
    rb"|not allowed|not supported|Unsupported|repository corruption"
)
"""What git says where trying again is of no use, even where it says that the connection was closed as well."""

_UNREACHABLE = re.compile(
    rb"Could not resolve|Temporary failure in name resolution|Name or service not known|Failed to connect"
    rb"|Couldn't connect|Connection refused|Connection timed out|Network is unreachable|Network is down"
    rb"|No route to host|unable to connect",
    re.IGNORECASE,
)
"""What git says where a host does not answer at all."""

_BROKEN_OFF = re.compile(
    rb"timed out|timeout|too slow|Connection (was )?(reset|closed)|closed by remote host|hung up unexpectedly|early EOF"
    rb"|unexpected disconnect|RPC failed|Empty reply|Recv failure|Send failure|SSL_ERROR|SSL connect|TLS connection"
    rb"|GnuTLS|HTTP/2|unexpected eof|transfer closed|kex_exchange",
    re.IGNORECASE,
)
"""What git says of a transfer that did not come to its end."""


class PassingFailure(GitError):
    """A fetch failed for a cause that may pass, such as the network or a server that is busy."""

    is_unreachable = False
    """Whether its host does not answer at all."""


class Stopped(GitError):
    """A fetch was stopped before its end by the process itself."""


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
        url = _SCHEME.sub(lambda scheme: scheme[0].lower(), url)
        kind = KeyKind.NAME if key else url_key_kind(url)
        super().__init__(cache / clone_name(url), key=key or url_key(url), key_kind=kind, rev=rev, max_bytes=max_bytes)
        self.url = url
        self.known: str | None = None
        """A commit that is indexed already. If `rev` is this commit, nothing is fetched, even if there is no clone."""

    @property
    def host(self) -> str:
        """Its host, with the port if that is unusual; empty for `file://`."""
        return "" if self.url.lower().startswith("file:") else url_key(self.url).partition("/")[0]

    @cached_property
    def revision(self) -> str:
        """The commit id that `rev` has there now; empty where the repository has no commit yet.

        Raises:
            GitError: it cannot be fetched, or has no such revision.
        """
        return self._update(Event(), tries=1 + len(RETRY_SECONDS))

    def fetch(self, stop: Event, *, tries: int = 1 + len(RETRY_SECONDS)) -> None:
        """Finds out the revision, and fetches it unless the clone has it or it is `known`.

        Args:
            stop: ends the fetch, and the wait for another try, when it is set.
            tries: how often it is tried where it fails for a cause that may pass.

        Raises:
            GitError: it cannot be fetched, or has no such revision.
        """
        # Not by asking for `revision`: Python 3.11 computes the cached properties of a class one at a time.
        self.revision = self._update(stop, tries=tries)

    def entries(self) -> Iterator[Entry]:
        """Every file of the revision, by path."""
        if self.revision and git_dir(self.folder) is None:  # only `known`
            self.known = None
            self.fetch(Event())
        yield from super().entries()

    def _update(self, stop: Event, *, tries: int) -> str:
        waits = [*RETRY_SECONDS[: tries - 1]]
        while True:
            try:
                return update(self.url, self.folder, self.rev, known=self.known, stop=stop)
            except PassingFailure as error:
                if not waits:
                    error.args = (f"{error} (tried {tries} times)",) if tries > 1 else error.args
                    raise
            if stop.wait(waits.pop(0) * random.uniform(1, 1.5)):  # noqa: S311  # so that not all come back at once
                raise _stopped(self.url)


def update(url: str, folder: Path, rev: str | None, *, known: str | None = None, stop: Event) -> str:
    """Fetches the tip of `rev` (default: HEAD) into the clone, which is made first if it is not there; gives its commit
    id, empty if the remote has no commit. If the clone has the tip already, or it is `known`, nothing is fetched.

    Args:
        url: the remote.
        folder: the clone, in a folder that may not be there yet.
        rev: a branch, a tag or a full commit id.
        known: a commit that is not needed.
        stop: ends the fetch when it is set.

    Raises:
        GitError: it cannot be fetched, or has no such revision.
        SourceError: the cache cannot be written.
    """
    if rev is not None and _NO_REF_NAME.search(rev):
        raise _unknown(url, rev)
    remote = _Remote(url, folder, rev, stop)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        tip = remote.tip() if known or git_dir(folder) is not None else None
        if tip is not None and tip == known:
            return tip
        while True:
            with clones.alone(folder, stop) as is_alone:
                if is_alone and git_dir(folder) is not None:
                    return tip if tip is not None and remote.holds(tip) else remote.fetch(folder)
            if stop.is_set():
                raise _stopped(url)
            revision = _clone(remote)
            if revision is not None:
                return revision
    except OSError as error:
        raise SourceError(
            f"cannot write the clone of {without_credentials(url)} to {visible(folder.parent)}: "
            f"{error.strerror}; make room or give another cache folder"
        ) from None


def _clone(remote: _Remote) -> str | None:
    """Clones under another name, so that an interrupted clone is never taken for a whole one; gives what `update` does,
    or None if another process has made the clone meanwhile.
    """
    folder = remote.folder
    with clones.half_made(folder) as half:
        revision = remote.clone(half)
        try:
            half.rename(folder)
        except OSError:
            if git_dir(folder) is None:
                raise
            return None
        return revision


class _OtherHash(GitError):
    """The remote names its objects by another hash than the clone."""


class _Remote:
    """One revision of a remote, and git to get it.

    Args:
        url: the remote.
        folder: where its clone is, or is to be.
        rev: a branch, a tag or a full commit id; None for HEAD.
        stop: ends what git is doing when it is set.
    """

    def __init__(self, url: str, folder: Path, rev: str | None, stop: Event) -> None:
        self.url, self.folder, self.rev, self.stop = url, folder, rev, stop
        self._wanted = "HEAD" if rev is None else rev
        self._ref = f"refs/wherefrom/{hashlib.sha256(os.fsencode(self._wanted)).hexdigest()[:16]}"

    def tip(self) -> str | None:
        """The commit that the revision is there now, without fetching it; None where only a fetch can tell.

        Raises:
            GitError: the remote cannot be asked.
        """
        if is_object_id(self._wanted):
            return self._wanted
        try:
            answer = self._git(self.folder, ["ls-remote", "--", self.url, self._wanted, f"{self._wanted}^{{}}"])
        except LimitReached:
            return None
        refs = {name: commit for commit, _, name in (line.partition("\t") for line in os.fsdecode(answer).split("\n"))}
        for form in ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}"):  # the order in which git looks
            name = form.format(self._wanted)
            if name in refs:
                return refs.get(f"{name}^{{}}", refs[name])
        return None

    def holds(self, tip: str) -> bool:
        """Whether this commit is the one that was fetched into the clone last for this revision."""
        try:
            return resolve(self.folder, self._ref) == tip
        except GitError:
            return False

    def clone(self, folder: Path) -> str:
        """Clones into an empty folder; which hash the remote uses shows only when it refuses the usual one."""
        self._git(folder, ["init", "--quiet", "--bare", "--template="])
        try:
            return self.fetch(folder)
        except _OtherHash:
            (folder / "config").unlink()
            self._git(folder, ["init", "--quiet", "--bare", "--template=", "--object-format=sha256"])
            return self.fetch(folder)

    def fetch(self, folder: Path) -> str:
        """Fetches into a clone; gives the commit id, empty where the remote has no commit."""
        options = ["--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--force"]
        answer = self._run(folder, ["fetch", *options, "--", self.url, f"{self._wanted}:{self._ref}"])
        if not answer.returncode:
            return resolve(folder, self._ref)
        if b"mismatched algorithms" in answer.stderr:
            raise _OtherHash(_message(self.url, answer.stderr))
        if b"find remote ref" not in answer.stderr and b"not our ref" not in answer.stderr:
            raise _failure(self.url, answer.stderr)
        if self.rev is not None:
            raise _unknown(self.url, self.rev)
        if self._git(folder, ["ls-remote", "--", self.url]):
            raise GitError(f"HEAD of {without_credentials(self.url)} names no commit; name a revision with --rev")
        return ""

    def _git(self, folder: Path, arguments: Sequence[str]) -> bytes:
        answer = self._run(folder, arguments)
        if answer.returncode:
            raise _failure(self.url, answer.stderr)
        return answer.stdout

    def _run(self, folder: Path, arguments: Sequence[str]) -> CompletedProcess[bytes]:
        before = clone_size(folder)

        def watch() -> None:
            if self.stop.is_set():
                raise _stopped(self.url)
            if clone_size(folder) > before + FETCH_BYTES:
                raise LimitReached(
                    f"{without_credentials(self.url)} sends more than {FETCH_BYTES:,} bytes; leave it out"
                )

        environment = network_environment(folder)
        options = [*_NETWORK, *configured(f"http.lowSpeedTime={STALL_SECONDS}")]
        return run([*options, *arguments], environment, seconds=FETCH_SECONDS, detached=True, watch=watch)


def _stopped(url: str) -> Stopped:
    return Stopped(f"the fetch of {without_credentials(url)} was stopped")


def _failure(url: str, stderr: bytes) -> GitError:
    """What git said, as an error that also tells whether it may pass."""
    message = _message(url, stderr)
    reason = stderr.replace(os.fsencode(url), b"")
    is_lasting = _LASTING.search(reason) and not _BUSY.search(reason)
    if is_lasting or not any(cause.search(reason) for cause in (_BUSY, _UNREACHABLE, _BROKEN_OFF)):
        return GitError(message)
    failure = PassingFailure(message)
    failure.is_unreachable = _UNREACHABLE.search(reason) is not None
    return failure


def _message(url: str, stderr: bytes) -> str:
    reason = complaint(stderr.replace(os.fsencode(url), os.fsencode(without_credentials(url))))
    return f"cannot fetch {without_credentials(url)}: {reason}; check the URL, the network and your credentials for it"


def _unknown(url: str, rev: str) -> GitError:
    return GitError(
        f"{without_credentials(url)} has no revision {visible(rev)!r}; name a branch, a tag or a full commit id of it"
    )
