"""Repositories at URLs: cloned shallowly into a cache, and fetched again later."""

from __future__ import annotations

import hashlib
import os
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from threading import Event

from wherefrom.errors import GitError, SourceError
from wherefrom.sources import clones
from wherefrom.sources.clones import clone_name
from wherefrom.sources.command import LimitReached, complaint, configured, network_environment, run
from wherefrom.sources.git import GitSource, names, resolve
from wherefrom.sources.git_folder import git_dir
from wherefrom.sources.repository_urls import url_key, url_key_kind, without_credentials
from wherefrom.sources.source import Entry, FetchedSource, is_object_id
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.system import system
from wherefrom.support.writing import folder_size

_NETWORK = configured(
    "gc.auto=0",  # keeps the blobs of older revisions, which an index may need
    "maintenance.auto=false",
    "http.lowSpeedLimit=1000",
)
STALL_SECONDS = 60  # a transfer over HTTP fails if it stays below 1,000 bytes a second for this many seconds
FETCH_SECONDS = 7200.0  # limit on the fetch of one revision
FETCH_BYTES = 20_000_000_000  # limit on the bytes that one fetch adds to a clone
RETRY_SECONDS = (2.0, 10.0, 60.0)  # waits before each new try of a fetch that may succeed; up to half as much is added
_SCHEME = later(r"^[A-Za-z0-9+]+(?=://)")

_NO_REF_NAME = later(r"[\0-\x20\x7f~^:?*\[\\]|^[-+/]|\.\.|@\{|//|/$|\.lock$|^$")
_BUSY = later(rb"returned error: (5\d\d|408|429)|rate limit|too many requests", re.IGNORECASE)  # of a busy server

_LASTING = later(
    rb"not found|does not exist|not appear to be a git repository|Authentication failed|could not read Username"
    rb"|could not read Password|Permission denied|Host key verification failed|certificate|returned error: 4\d\d"
    rb"|not allowed|not supported|Unsupported|repository corruption"
)
"""Complaints of git about lasting causes. They decide, even if git also complains about a closed connection."""

_UNREACHABLE = later(
    rb"Could not resolve|Temporary failure in name resolution|Name or service not known|Failed to connect"
    rb"|Couldn't connect|Connection refused|Connection timed out|Network is unreachable|Network is down"
    rb"|No route to host|unable to connect",
    re.IGNORECASE,
)
"""Complaints of git about a host that does not answer at all."""

_BROKEN_OFF = later(
    rb"timed out|timeout|too slow|Connection (was )?(reset|closed)|closed by remote host|hung up unexpectedly|early EOF"
    rb"|unexpected disconnect|RPC failed|Empty reply|Recv failure|Send failure|SSL_ERROR|SSL connect|TLS connection"
    rb"|GnuTLS|HTTP/2|unexpected eof|transfer closed|kex_exchange",
    re.IGNORECASE,
)
"""Complaints of git about an interrupted transfer."""


class PassingFailure(GitError):
    """A fetch failed for a cause that may pass, such as the network or a server that is busy."""

    is_unreachable = False  # whether the host does not answer at all


class Stopped(GitError):
    """This process stopped a fetch before its end."""


class _OtherHash(GitError):
    """The remote and the clone use different hashes (SHA-1, SHA-256) for the ids of objects."""


class RemoteSource(FetchedSource, GitSource):
    """A repository at a URL, cloned into the folder `cache`. Its revision is the commit id that `rev` (a branch, tag or
    full commit id; default: HEAD) now names there; empty if there is none. Only git gets the credentials.
    """

    def __init__(self, url: str, *, cache: Path, rev: str | None = None) -> None:
        url = _SCHEME.sub(lambda scheme: scheme[0].lower(), url)
        super().__init__(cache / clone_name(url), key=url_key(url), key_kind=url_key_kind(url), rev=rev)
        self.url = url
        self.is_whole = False  # whether to fetch all commits and tags, not only the files of the revision
        self._wanted = "HEAD" if rev is None else rev
        self._ref = f"refs/wherefrom/{hashlib.sha256(os.fsencode(self._wanted)).hexdigest()[:16]}"

    @property
    def host(self) -> str:
        """Its host, with the port if that is unusual; empty for `file://`."""
        return "" if self.url.lower().startswith("file:") else url_key(self.url).partition("/")[0]

    def entries(self) -> Iterator[Entry]:
        """Every file of the revision, sorted by path."""
        if self.revision and git_dir(self.path) is None:  # nothing was fetched, since `known` is current
            self.known = None
            self.fetch(Event())
        yield from super().entries()

    def _fetched(self, stop: Event, tries: int) -> str:
        self._stop = stop
        waits = [*RETRY_SECONDS[: tries - 1]]
        while True:
            try:
                return self._update()
            except PassingFailure as error:
                if not waits:
                    error.args = (f"{error} (tried {tries} times)",) if tries > 1 else error.args
                    raise
            if self._stop.wait(waits.pop(0) * random.uniform(1, 1.5)):  # noqa: S311  # so that not all come back at once
                raise self._stopped()

    def _update(self) -> str:
        """Tries once to fetch the revision into the clone, which it makes if there is none; returns the commit id."""
        if self.rev is not None and _NO_REF_NAME.search(self.rev):
            raise self._unknown()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            tip = self._tip() if self.known or git_dir(self.path) is not None else None
            if tip is not None and tip == self.known:
                return tip
            while True:
                with clones.alone(self.path, self._stop) as is_alone:
                    if is_alone and git_dir(self.path) is not None:
                        # `_ref` names the commit that was fetched last for this revision.
                        is_current = tip is not None and names(self.path, self._ref, tip)
                        # Only a fetch tells whether there are new tags.
                        return tip if tip is not None and is_current and not self.is_whole else self._fetch(self.path)
                if self._stop.is_set():
                    raise self._stopped()
                revision = self._clone()
                if revision is not None:
                    return revision
        except OSError as error:
            raise SourceError(
                f"cannot write the clone of {without_credentials(self.url)} to {visible(self.path.parent)}: "
                f"{error.strerror}; make room or give another cache folder"
            ) from None

    def _tip(self) -> str | None:
        """The commit that the revision now names at the URL; None if only a fetch can tell."""
        if is_object_id(self._wanted):
            return self._wanted
        try:
            answer = self._git(self.path, ["ls-remote", "--", self.url, self._wanted, f"{self._wanted}^{{}}"])
        except LimitReached:
            return None
        lines = system.path_of(answer).split("\n")
        refs = {name: commit for commit, _, name in (line.partition("\t") for line in lines)}
        for form in ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}"):  # in the order of git's own search
            name = form.format(self._wanted)
            if name in refs:
                return refs.get(f"{name}^{{}}", refs[name])
        return None

    def _clone(self) -> str | None:
        """Makes the clone under another name, so that an interrupted clone never looks complete. Returns the commit id,
        or None if another process has made the clone meanwhile.
        """
        with clones.half_made(self.path) as half:
            self._git(half, ["init", "--quiet", "--bare", "--template="])
            try:
                revision = self._fetch(half)
            except _OtherHash:  # the remote uses SHA-256, which only a fetch shows
                (half / "config").unlink()
                self._git(half, ["init", "--quiet", "--bare", "--template=", "--object-format=sha256"])
                revision = self._fetch(half)
            try:
                system.replace(half, self.path)
            except OSError:
                if git_dir(self.path) is None:
                    raise
                return None
            return revision

    def _fetch(self, folder: Path) -> str:
        """Fetches into a clone; returns the commit id, empty if the remote has no commit."""
        is_shallow = (folder / "shallow").exists()
        if self.is_whole:
            options = ["--tags", *["--unshallow"] * is_shallow]
        else:
            # A clone that was fetched whole stays whole: `--depth` would cut its history.
            options = ["--no-tags", *["--depth=1"] * (folder != self.path or is_shallow)]
        options += ["--quiet", "--no-write-fetch-head", "--no-recurse-submodules", "--force"]
        answer = self._run(folder, ["fetch", *options, "--", self.url, f"{self._wanted}:{self._ref}"])
        if not answer.returncode:
            return resolve(folder, self._ref)
        if b"mismatched algorithms" in answer.stderr:
            raise _OtherHash(_message(self.url, answer.stderr))
        if b"find remote ref" not in answer.stderr and b"not our ref" not in answer.stderr:
            raise _failure(self.url, answer.stderr)
        if self.rev is not None:
            raise self._unknown()
        if self._git(folder, ["ls-remote", "--", self.url]):
            raise GitError(f"HEAD of {without_credentials(self.url)} names no commit; name a revision with --rev")
        return ""

    def _git(self, folder: Path, arguments: Sequence[str]) -> bytes:
        answer = self._run(folder, arguments)
        if answer.returncode:
            raise _failure(self.url, answer.stderr)
        return answer.stdout

    def _run(self, folder: Path, arguments: Sequence[str]) -> CompletedProcess[bytes]:
        before = folder_size(folder)

        def watch() -> None:
            if self._stop.is_set():
                raise self._stopped()
            if folder_size(folder) > before + FETCH_BYTES:
                raise LimitReached(
                    f"{without_credentials(self.url)} sends more than {FETCH_BYTES:,} bytes; leave it out"
                )

        environment = network_environment(folder)
        options = [*_NETWORK, *configured(f"http.lowSpeedTime={STALL_SECONDS}")]
        return run([*options, *arguments], environment, seconds=FETCH_SECONDS, detached=True, watch=watch)

    def _stopped(self) -> Stopped:
        return Stopped(f"the fetch of {without_credentials(self.url)} was stopped")

    def _unknown(self) -> GitError:
        return GitError(
            f"{without_credentials(self.url)} has no revision {visible(self._wanted)!r}; "
            "name a branch, a tag or a full commit id of it"
        )


def _failure(url: str, stderr: bytes) -> GitError:
    """The error for a complaint of git: a `PassingFailure` if its cause may pass."""
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
