"""Many URLs in one run: whatever fails or stops it, the others are indexed, and nothing is fetched twice."""

from __future__ import annotations

import heapq
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wherefrom as library
from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of, start
from tests.git_server import Answer, GitServer, Request, serve
from tests.repositories import Repository
from wherefrom.sources import fetching, remote

MODULES = {"a": "heapq", "b": "textwrap", "c": "shlex", "d": "bisect", "e": "fnmatch"}
"""The module that each of the served repositories holds."""

SNIPPET = source_of(heapq.merge).encode()


@pytest.fixture(scope="module", autouse=True)
def no_proxy() -> Iterator[None]:
    """No proxy between the command and the server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "127.0.0.1")
        yield


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    with serve(tmp_path / "served") as made:
        for name, module in MODULES.items():
            Repository.make(made.folder / name, {f"{module}.py": module_source(module), "shared.py": b"x = [1, 2]\n"})
        yield made


@pytest.fixture
def urls(server: GitServer) -> list[str]:
    return [server.url(name) for name in MODULES]


def cached(wherefrom: Wherefrom) -> list[Path]:
    """The files and folders in the cache of clones, including unfinished clones."""
    folder = wherefrom.folder / "home/.cache/wherefrom/clones"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def quiet_run(wherefrom: Wherefrom, urls: list[str]) -> dict[str, Any]:
    """The contents of a new index of these URLs that one run has made, one URL after the other."""
    other = str(wherefrom.folder / "quiet.wherefrom")
    wherefrom("index", "--fetches", "1", "--index", other, *urls)
    return contents_of(other)


def test_urls_that_fail_do_not_stop_the_others(wherefrom: Wherefrom, server: GitServer, urls: list[str]) -> None:
    urls[2:2] = [server.url("missing"), f"file://{wherefrom.folder}/nothing"]
    listed = wherefrom.folder / "urls.txt"
    listed.write_text("\n".join(urls))
    code, output, errors = wherefrom.run("index", "--from", listed, "--format", "json")
    assert (code, errors.count("\n")) == (2, 2)
    report = json.loads(output)
    assert [item["status"] for item in report["repositories"]] == [*["indexed"] * 2, *["failed"] * 2, *["indexed"] * 3]
    reasons = [item["error"] for item in report["repositories"] if item["error"]]
    assert reasons[0].startswith(f"cannot fetch {server.url('missing')}: repository")
    assert reasons[1].startswith(f"cannot fetch file://{wherefrom.folder}/nothing: ")
    assert server.count("missing", "refs") == 1
    assert report["clone_bytes"] == sum(
        path.stat().st_size for path in cached(wherefrom)[0].parent.rglob("*") if path.is_file()
    )
    assert report["discarded_clones"] == report["discarded_bytes"] == 0


def test_a_url_is_not_fetched_where_a_clone_has_its_key(wherefrom: Wherefrom, server: GitServer) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"heapq.py": module_source("heapq")})
    made.git("remote", "add", "origin", server.url("missing"))
    report = wherefrom.json("index", server.url("missing"), "clone", "--discard-clones", code=0)
    assert [at["status"] for at in report["repositories"]] == ["indexed"]
    assert [at["location"] for at in report["left_out"]] == [server.url("missing")]
    assert server.requests == []
    assert cached(wherefrom) == []


def test_the_index_does_not_depend_on_which_is_fetched_first(
    wherefrom: Wherefrom, server: GitServer, urls: list[str]
) -> None:
    expected = quiet_run(wherefrom, urls)
    for path in cached(wherefrom):
        subprocess.run(["rm", "-r", path], check=True)
    others_done = {"a": False}

    def plan(request: Request) -> Answer:
        while request.repository == "a" and not all((server.count(name, "fetch") > 1) for name in "bcde"):
            others_done["a"] = True
        return None

    server.plan = plan
    wherefrom("index", *urls, "--fetches", "5")
    assert others_done["a"]
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_discarded_clones(wherefrom: Wherefrom, server: GitServer, urls: list[str]) -> None:
    report = wherefrom.json("index", *urls, "--discard-clones")
    assert (report["clone_bytes"], report["discarded_clones"]) == (0, 5)
    assert report["discarded_bytes"] > 10_000
    assert cached(wherefrom) == []
    fetches = {name: server.count(name, "fetch") for name in MODULES}

    # Nothing has changed: every remote gets a query, and none is fetched.
    printed = wherefrom("index", *urls, "--discard-clones")
    assert printed.startswith("5 repositories: 5 unchanged\n")
    assert "clones" not in printed
    assert {name: server.count(name, "fetch") for name in MODULES} == fetches

    # What was found can be told, and how its source comes back.
    assert [hit["occurrences"][0]["path"] for hit in wherefrom.search(SNIPPET)["hits"]] == ["heapq.py"]
    found = wherefrom("search", "-", stdin=SNIPPET)
    assert "The source is not at hand" in found
    assert "name a clone with --read-from, or an index" in " ".join(found.split())
    wherefrom("index", urls[0])
    assert len(cached(wherefrom)) == 1
    assert "not at hand" not in wherefrom("search", "-", stdin=SNIPPET)

    # Only what has changed is fetched; a clone of an earlier run goes as well.
    Repository(server.folder / "b").commit({"new.py": module_source("bisect")})
    report = wherefrom.json("index", *urls, "--discard-clones")
    assert [item["status"] for item in report["repositories"]] == ["unchanged", "indexed", *["unchanged"] * 3]
    assert {name for name in MODULES if server.count(name, "fetch") > fetches[name]} == {"a", "b"}
    assert report["discarded_clones"] == 2
    assert cached(wherefrom) == []
    assert "clones of URLs: 5 discarded (" in wherefrom("index", *urls, "--discard-clones", "--include-data")


def test_a_discarded_clone_whose_contents_are_in_the_index(wherefrom: Wherefrom, urls: list[str]) -> None:
    wherefrom("index", urls[0], "--discard-clones", "--keep-source")
    assert cached(wherefrom) == []
    assert "not at hand" not in wherefrom("search", "-", stdin=SNIPPET)


def test_a_failed_run_over_a_remote_that_is_away_leaves_the_index_alone(
    wherefrom: Wherefrom, server: GitServer, urls: list[str]
) -> None:
    wherefrom("index", *urls, "--discard-clones")
    counts = wherefrom.counts()
    server.plan = lambda request: 404 if request.repository == "c" else None
    report = wherefrom.json("index", *urls, "--discard-clones", code=2)
    assert [item["status"] for item in report["repositories"]] == ["unchanged"] * 2 + ["failed"] + ["unchanged"] * 2
    assert wherefrom.counts() == counts


@pytest.mark.parametrize("space", [10**9, 1])
def test_the_disk_that_clones_take_is_bounded(
    tmp_path: Path, server: GitServer, urls: list[str], monkeypatch: pytest.MonkeyPatch, space: int
) -> None:
    monkeypatch.setattr(fetching, "AHEAD", 2)
    cache = tmp_path / "cache"
    seen: list[int] = []
    server.plan = lambda request: seen.append(len(list(cache.iterdir()))) if request.command == "refs" else None
    report = library.index_sources(
        urls, tmp_path / "index", cache=cache, fetches=1, discard_clones=True, clone_space=space, jobs=1
    )
    assert [item.status for item in report.repositories] == ["indexed"] * 5
    assert len(seen) == 5
    assert max(seen) <= (2 if space > 1 else 1)
    assert list(cache.iterdir()) == []


def test_what_may_pass_is_tried_again(
    tmp_path: Path, server: GitServer, urls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "RETRY_SECONDS", (0.0, 0.0, 0.0))
    server.fail_first(a=[503, "reset"], c=[503] * 4)
    report = library.index_sources(urls, tmp_path / "index", cache=tmp_path / "cache", jobs=1)
    assert [item.status for item in report.repositories] == ["indexed", "indexed", "failed", "indexed", "indexed"]
    assert "(tried 4 times)" in (report.repositories[2].error or "")
    assert server.count("a", "refs") == 3


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=lambda number: number.name)
def test_a_run_that_was_stopped_goes_on(
    wherefrom: Wherefrom, server: GitServer, urls: list[str], number: signal.Signals
) -> None:
    server.plan = lambda request: "hang" if request == Request("c", "fetch") else None
    with start(wherefrom, *wherefrom.command, "index", *urls) as running:
        while len([path for path in cached(wherefrom) if not path.name.startswith(".")]) < 4:
            assert running.poll() is None
        while not server.count("c", "fetch"):
            assert running.poll() is None
        os.killpg(running.pid, number)
        _, errors = running.communicate(timeout=120)
    assert server.left.wait(120)  # nothing is left that fetches
    half = [path for path in cached(wherefrom) if path.name.startswith(".")]
    if number == signal.SIGINT:
        assert running.returncode == 130
        assert errors.startswith(b"wherefrom: interrupted; ")
        assert half == []
    else:
        assert len(half) == 1

    server.plan = lambda _: None
    wherefrom("index", *urls)
    assert {name: server.count(name, "fetch") for name in MODULES} == {"a": 1, "b": 1, "c": 2, "d": 1, "e": 1}
    assert [path for path in cached(wherefrom) if path.name.startswith(".")] == []
    assert contents_of(wherefrom.index) == quiet_run(wherefrom, urls)


@pytest.mark.nightly
def test_kill_at_any_moment_and_run_again(wherefrom: Wherefrom, server: GitServer, urls: list[str]) -> None:
    killed = 0
    for requests in range(1, 14, 2):
        with start(wherefrom, *wherefrom.command, "index", *urls, "--discard-clones", "--fetches", "2") as running:
            server.requests.clear()

            def plan(_: Request, running: subprocess.Popen[bytes] = running, requests: int = requests) -> Answer:
                if len(server.requests) >= requests and running.poll() is None:
                    os.killpg(running.pid, signal.SIGKILL)
                    running.wait()
                return None

            server.plan = plan
            running.communicate(timeout=120)
        killed += running.returncode == -signal.SIGKILL
        for clone in (path for path in cached(wherefrom) if not path.name.startswith(".")):
            Repository(clone).git("fsck", "--no-dangling")
    assert killed > 4
    server.plan = lambda _: None
    wherefrom("index", *urls, "--discard-clones")
    assert cached(wherefrom) == []
    assert contents_of(wherefrom.index) == quiet_run(wherefrom, urls)
