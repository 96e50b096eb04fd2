"""URLs are fetched early, several at a time. Temporary failures are tried again, and the clones have a limited size."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from tests.git_server import GitServer, Request, serve
from tests.repositories import Repository
from wherefrom.errors import GitError
from wherefrom.model import KeyKind
from wherefrom.sources import clones, fetching, remote
from wherefrom.sources.fetching import Fetches
from wherefrom.sources.git import GitSource
from wherefrom.sources.remote import PassingFailure, RemoteSource, Stopped

FALLS_SILENT = """
import os, subprocess, sys, time
with subprocess.Popen(["sh", "-c", sys.argv[-1]], stdout=subprocess.PIPE) as there:
    sent = 0
    while part := os.read(there.stdout.fileno(), 10_000):
        os.write(1, part)
        sent += len(part)
        if sent > 500_000:
            time.sleep(86_400)
"""
"""A host that sends half of the requested data and then nothing more."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the waits between tries, and any proxy between the tests and their server."""
    monkeypatch.setattr(remote, "RETRY_SECONDS", (0.0, 0.0, 0.0))
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    with serve(tmp_path / "served") as made:
        yield made


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def served(server: GitServer, cache: Path, *names: str) -> list[RemoteSource]:
    """Makes repositories with a file each, and gives their sources."""
    for name in names:
        Repository.make(server.folder / name, {"f": name.encode()})
    return [RemoteSource(server.url(name), cache=cache) for name in names]


def wait_for(fetches: Fetches, source: RemoteSource) -> None:
    while not fetches.is_ready(source):
        pass
    fetches.check(source)


def names(cache: Path) -> set[str]:
    found = cache.iterdir() if cache.is_dir() else ()
    return {path.name for path in found if path.suffix != ".lock"}  # on Windows, the lock of a folder is beside it


@pytest.mark.thorough
def test_as_many_are_fetched_at_a_time_as_there_are_threads(server: GitServer, cache: Path) -> None:
    sources = served(server, cache, *"abcdef")
    pairs = threading.Barrier(2, timeout=120)
    under_way: list[str] = []
    most = []

    def plan(request: Request) -> None:
        if request.command == "refs":
            under_way.append(request.repository)
            pairs.wait()  # each request waits for the others
            most.append(len(under_way))
            pairs.wait()
            under_way.remove(request.repository)

    server.plan = plan
    with Fetches(sources, threads=2) as fetches:
        for source in sources:
            wait_for(fetches, source)
            assert source.revision == Repository(server.folder / source.url[-1]).git("rev-parse", "HEAD")
            assert fetches.release([source], discard=False) == []
    assert set(most) == {2}
    assert len(names(cache)) == 6


def test_urls_are_fetched_while_sources_before_them_are_read(server: GitServer, cache: Path, tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "local", {"f": b"1"})
    local = GitSource(made.folder, key="local", key_kind=KeyKind.PATH)
    (source,) = served(server, cache, "a")
    requested = threading.Event()
    server.plan = lambda _: requested.set()
    with Fetches([local, source], threads=1) as fetches:
        assert fetches.is_ready(local)
        assert requested.wait(120)


@pytest.mark.slow
def test_leftovers_are_looked_for_once_a_run(server: GitServer, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []
    monkeypatch.setattr(clones, "remove_leftovers", looks.append)
    sources = served(server, cache, *"abc")
    with Fetches(sources, threads=1) as fetches:
        for source in sources:
            wait_for(fetches, source)
    assert looks == [cache]


@pytest.mark.slow
@pytest.mark.parametrize("answer", [503, 500, 429, "reset"])
def test_a_failure_that_may_pass_is_tried_again(server: GitServer, cache: Path, answer: int | str) -> None:
    sources = served(server, cache, "a", "b")
    server.fail_first(a=[answer, answer])
    with Fetches(sources, threads=1) as fetches:
        for source in sources:
            wait_for(fetches, source)
    assert server.count("a", "refs") == 3
    assert server.count("b", "refs") == 1


def test_a_failure_that_does_not_pass_is_an_error_after_some_tries(server: GitServer, cache: Path) -> None:
    (source,) = served(server, cache, "a")
    server.plan = lambda _: 503
    with Fetches([source], threads=1) as fetches, pytest.raises(PassingFailure, match=r"503.*\(tried 4 times\)$"):
        wait_for(fetches, source)
    assert server.count("a", "refs") == 4
    assert names(cache) == set()


@pytest.mark.parametrize("answer", [404, 401, 403, 410])
def test_a_failure_that_cannot_pass_is_tried_once(server: GitServer, cache: Path, answer: int) -> None:
    (source,) = served(server, cache, "a")
    server.plan = lambda _: answer
    with Fetches([source], threads=1) as fetches, pytest.raises(GitError, match=r"^cannot fetch http://127") as caught:
        wait_for(fetches, source)
    assert not isinstance(caught.value, PassingFailure)
    assert server.count("a", "refs") == 1


@pytest.mark.parametrize(
    ("complaint", "passes"),
    [
        ("fatal: unable to access 'URL': Could not resolve host: nowhere.example", True),
        ("fatal: unable to access 'URL': Failed to connect to h port 443 after 3 ms: Couldn't connect to server", True),
        ("error: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly: CANCEL (err 8)\nfatal: early EOF", True),
        ("fatal: unable to access 'URL': GnuTLS recv error (-110): The TLS connection was non-properly ended.", True),
        ("kex_exchange_identification: Connection closed by remote host\nfatal: Could not read from remote", True),
        (
            "remote: You have exceeded a secondary rate limit.\nfatal: unable: The requested URL returned error: 403",
            True,
        ),
        ("git@h: Permission denied (publickey).\nfatal: the remote end hung up unexpectedly", False),
        ("remote: Repository not found.\nfatal: repository 'URL/' not found", False),
        ("fatal: could not read Username for 'https://github.com': terminal prompts disabled", False),
        ("fatal: unable to access 'URL': SSL certificate problem: certificate has expired", False),
        ("fatal: unable to access 'URL': The requested URL returned error: 403", False),
        (
            "fatal: git upload-pack: aborting due to possible repository corruption on the remote side.\nearly EOF",
            False,
        ),
        ("fatal: something that nobody has seen yet", False),
    ],
)
def test_which_failures_may_pass(complaint: str, passes: bool) -> None:
    url = "https://h/connection reset/rate limit"  # the name of a repository does not count
    failure = remote._failure(url, complaint.replace("URL", url).encode())
    assert isinstance(failure, PassingFailure) == passes


@pytest.mark.slow
def test_a_server_that_falls_silent_is_tried_again(
    server: GitServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "STALL_SECONDS", 1)
    (source,) = served(server, cache, "a")
    server.fail_first(a=["hang"])
    with Fetches([source], threads=1) as fetches:
        wait_for(fetches, source)
    assert server.count("a", "refs") == 2


@pytest.mark.slow
def test_a_host_that_does_not_answer_is_not_tried_as_often_for_each_url(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []
    update = RemoteSource._update

    def counted(source: RemoteSource) -> str:
        tries.append(source.url[-1])
        return update(source)

    monkeypatch.setattr(RemoteSource, "_update", counted)
    sources = [RemoteSource(f"http://127.0.0.1:9/{name}", cache=cache) for name in "abc"]  # nobody answers at port 9
    with Fetches(sources, threads=1) as fetches:
        for source in sources:
            with pytest.raises(PassingFailure):
                wait_for(fetches, source)
    assert "".join(tries) == "aaaabc"


@pytest.mark.slow
def test_closing_ends_fetches_and_waits(server: GitServer, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "RETRY_SECONDS", (86_400.0,))
    sources = served(server, cache, "hangs", "waits", "later")
    requests = threading.Barrier(3, timeout=120)

    def plan(request: Request) -> int | str:
        requests.wait()
        return "hang" if request.repository == "hangs" else 503

    server.plan = plan
    with Fetches(sources, threads=2) as fetches:
        assert not fetches.is_ready(sources[0])
        requests.wait()
    assert server.left.wait(120)
    assert {request.repository for request in server.requests} == {"hangs", "waits"}
    assert names(cache) == set()
    assert not fetches.is_ready(sources[2], seconds=0)


@pytest.mark.slow
def test_no_more_repositories_are_fetched_than_there_is_room_for(
    server: GitServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "AHEAD", 2)
    sources = served(server, cache, *"abcdefg")
    begun: list[int] = []
    server.plan = lambda request: begun.append(len(names(cache))) if request.command == "refs" else None
    with Fetches(sources, threads=1) as fetches:
        for source, following in pairwise(sources):
            wait_for(fetches, source)
            wait_for(fetches, following)
            assert not fetches.is_blocked_by([])
            assert fetches.is_blocked_by([source]) == (following is not sources[-1])
            assert len(server.requests) == 3 * len(begun)  # no further fetch has begun
            assert fetches.release([source], discard=True) > [0]
        fetches.release(sources[-1:], discard=True)
    assert begun == [1, *[2] * 6]  # the first alone, each other while the previous clone is in use
    assert names(cache) == set()


@pytest.mark.slow
def test_the_bytes_of_clones_are_limited_too(server: GitServer, cache: Path) -> None:
    sources = served(server, cache, *"abcd")
    begun: list[int] = []
    server.plan = lambda request: begun.append(len(names(cache))) if request.command == "refs" else None
    with Fetches(sources, threads=1, space=1) as fetches:
        for source in sources:
            wait_for(fetches, source)
            assert fetches.is_blocked_by([source]) == (source is not sources[-1])
            fetches.release([source], discard=True)
    assert begun == [1, 1, 1, 1]


@pytest.mark.slow
def test_a_clone_that_has_the_tip_is_not_fetched_again(server: GitServer, cache: Path) -> None:
    (first,) = served(server, cache, "a")
    made = Repository(server.folder / "a")
    made.git("tag", "-a", "v1", "-m", "tag")
    made.git("branch", "topic/one")
    made.git(
        "update-ref", os.fsencode("refs/heads/") + b"\xff/main", "HEAD"
    )  # the server's answer includes this branch, because its name ends with `main` too
    wanted = (None, "main", "v1", "topic/one", "refs/tags/v1", made.git("rev-parse", "HEAD"))
    for rev in wanted:
        assert RemoteSource(first.url, cache=cache, rev=rev).revision == made.git("rev-parse", "main")
    fetches, refs = server.count("a", "fetch"), server.count("a", "refs")
    for rev in wanted:
        assert RemoteSource(first.url, cache=cache, rev=rev).revision == made.git("rev-parse", "main")
    assert server.count("a", "fetch") == fetches
    assert server.count("a", "refs") == refs + len(wanted) - 1  # a commit id needs no request

    tip = made.commit({"f": b"newer"})
    assert RemoteSource(first.url, cache=cache, rev="main").revision == tip
    assert server.count("a", "fetch") == fetches + 1
    made.git("checkout", "--quiet", "-b", "v1")
    branch = made.commit({"f": b"on a branch with the name of a tag"})
    assert RemoteSource(first.url, cache=cache, rev="v1").revision == made.git("rev-parse", "refs/tags/v1^{commit}")
    assert RemoteSource(first.url, cache=cache, rev="heads/v1").revision == branch


def test_a_known_revision_needs_no_clone_until_it_is_read(server: GitServer, cache: Path) -> None:
    (source,) = served(server, cache, "a")
    source.known = Repository(server.folder / "a").git("rev-parse", "HEAD")
    assert source.revision == source.known
    assert names(cache) == set()
    assert server.count("a", "fetch") == 0
    assert [entry.path for entry in source.entries()] == ["f"]


@pytest.mark.thorough
def test_leftovers_of_a_killed_fetch_are_removed(server: GitServer, cache: Path) -> None:
    (source,) = served(server, cache, "a")
    assert source.revision
    tip = Repository(server.folder / "a").commit({"f": b"newer"})
    clone = source.path
    reference = next((clone / "refs" / "wherefrom").iterdir())
    left = [clone / "shallow.lock", reference.with_name(f"{reference.name}.lock"), clone / "objects/pack/tmp_pack_1"]
    for path in left:
        path.write_bytes(b"")
    half = cache / f".{clone.name}.half"
    (half / "objects").mkdir(parents=True)
    assert RemoteSource(source.url, cache=cache).revision == tip
    assert not any(path.exists() for path in left)
    assert half.exists()  # the next run removes it
    with clones.in_use(half) as is_there:
        assert is_there
        clones.remove_leftovers(cache)
        assert half.exists()
    clones.remove_leftovers(cache)
    assert names(cache) == {clone.name}


@pytest.mark.slow
def test_a_fetch_that_is_stopped_leaves_no_half_pack(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = tmp_path / "host"  # a script in place of ssh, which runs the remote command here
    monkeypatch.setenv("GIT_SSH_COMMAND", str(host))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    host.write_text('#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n')
    host.chmod(0o700)
    made = Repository.make(tmp_path / "made", {"f": b"1"})
    url = f"ssh://example.org{made.folder}"
    clone = RemoteSource(url, cache=cache)
    assert clone.revision
    made.commit({str(number): os.urandom(10_000) for number in range(150)})  # git would keep fewer objects loose
    host.write_text(f"#!{sys.executable}\n{FALLS_SILENT}")
    source = RemoteSource(url, cache=cache)
    with Fetches([source], threads=1) as fetches:
        while not list(clone.path.glob("objects/pack/tmp_*")):
            assert not fetches.is_ready(source)
    with pytest.raises(Stopped):
        fetches.check(source)
    assert not list(clone.path.glob("objects/pack/tmp_*"))
    assert not list(clone.path.glob("*.lock"))


def test_a_clone_in_use_is_not_discarded(server: GitServer, cache: Path) -> None:
    (source,) = served(server, cache, "a")
    assert source.revision
    with clones.in_use(source.path):
        assert clones.discard(source.path) == 0
        assert names(cache) == {source.path.name}
    assert clones.discard(source.path) > 0
    assert names(cache) == set()
    assert clones.discard(source.path) == 0


@pytest.mark.slow
def test_a_clone_that_another_process_makes_and_discards_is_made_again(
    server: GitServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source,) = served(server, cache, "a")
    others: list[str] = []
    freed: list[int] = []

    def plan(request: Request) -> None:
        if request.command == "fetch" and not others:
            others.append("")
            other = RemoteSource(source.url, cache=cache)
            other.fetch(threading.Event())
            others.append(other.revision)

    @contextmanager
    def late(folder: Path, stop: threading.Event) -> Iterator[bool]:
        if len(others) == 2 and not freed:
            freed.append(clones.discard(folder))
        with alone(folder, stop) as is_alone:
            yield is_alone

    alone = clones.alone
    monkeypatch.setattr(clones, "alone", late)
    server.plan = plan
    source.fetch(threading.Event())
    assert source.revision == others[1]
    assert freed > [0]
    assert names(cache) == {source.path.name}


def test_a_stop_ends_the_wait_for_another_fetch(server: GitServer, cache: Path) -> None:
    (source,) = served(server, cache, "a")
    assert source.revision
    stop = threading.Event()
    tip = Repository(server.folder / "a").commit({"f": b"newer"})
    with clones.alone(source.path, stop):
        stop.set()
        with pytest.raises(Stopped, match=r"^the fetch of http://127.*/a was stopped$"):
            RemoteSource(source.url, cache=cache, rev=tip).fetch(stop)
    assert names(cache) == {source.path.name}


def test_a_clone_that_is_discarded_at_once_is_fetched_again(
    server: GitServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source,) = served(server, cache, "a")
    freed: list[int] = []
    fetch = source.fetch

    def discarded_once(stop: threading.Event, *, tries: int) -> None:
        fetch(stop, tries=tries)
        if not freed:
            freed.append(clones.discard(source.path))

    monkeypatch.setattr(source, "fetch", discarded_once)
    with Fetches([source], threads=1) as fetches:
        wait_for(fetches, source)
        assert freed > [0]
        assert clones.discard(source.path) == 0  # its lease is in use now
        assert [entry.path for entry in source.entries()] == ["f"]


def test_a_fetch_waits_for_another_one_into_the_same_clone(server: GitServer, cache: Path) -> None:
    (source,) = served(server, cache, "a")
    assert source.revision
    never, now = threading.Event(), threading.Event()
    now.set()
    with clones.alone(source.path, never) as is_alone:
        assert is_alone
        with clones.alone(source.path, now) as is_alone_too:
            assert not is_alone_too
    with clones.alone(source.path, now) as is_alone:
        assert is_alone
