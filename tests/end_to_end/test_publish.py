"""`wherefrom publish`, and every command that reads on a published index behind a URL."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.engines.published.server import LyingServer, Reply, serve
from tests.processes import HANGS
from tests.repositories import Repository
from tests.serve.running import serving

MODULES = ("argparse", "csv", "difflib", "heapq", "textwrap", "statistics")


class Publisher:
    """An index of real repositories, published, and a server of its files."""

    def __init__(self, wherefrom: Wherefrom, server: LyingServer, digest: str) -> None:
        self.wherefrom, self.server, self.digest = wherefrom, server, digest
        self.url = server.base


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with clones, an index of them, the published index in `www`, and a snippet. No test changes them."""
    made = Wherefrom(tmp_path_factory.mktemp("made"))
    clones = made.folder / "clones"
    for name in MODULES:
        clone = Repository.make(clones / name, {f"{name}.py": module_source(name), "LICENSE": b"MIT License\n"})
        clone.git("remote", "add", "origin", f"https://github.com/example/{name}.git")
    assert made.run("index", clones)[0] == 0
    code, output, error = made.run("publish", made.index, "www")
    assert (code, error) == (0, "")
    (made.folder / "digest").write_text(output.partition("sha256=")[2][:64])
    lines = module_source("heapq").split(b"\n")[250:290]
    (made.folder / "snippet.py").write_bytes(b"\n".join(lines) + b"\n")
    return made.folder


@pytest.fixture
def published(wherefrom: Wherefrom, made: Path) -> Iterator[Publisher]:
    """A copy of that folder, whose clones are where they were."""
    for name in ("index.wherefrom", "www"):
        shutil.copytree(made / name, wherefrom.folder / name)
    shutil.copyfile(made / "snippet.py", wherefrom.folder / "snippet.py")
    (wherefrom.folder / "clones").symlink_to(made / "clones")
    with serve(wherefrom.folder / "www") as server:
        yield Publisher(wherefrom, server, (made / "digest").read_text())


def test_a_search_by_url_answers_as_the_index(published: Publisher) -> None:
    run = published.wherefrom.run
    code, output, error = run("search", "--format", "json", "snippet.py")
    expected = json.loads(output)
    again, output, error = run("search", "--index", published.url, "--format", "json", "snippet.py")
    assert (code, again, error) == (0, 0, "")
    found = json.loads(output)
    for answer in (expected, found):
        answer.pop("took_ms")
        answer.pop("engine")
    assert found == expected
    assert "heapq.py" in run("search", "--index", published.url, "snippet.py")[1]


def test_what_was_read_is_kept_until_it_is_cleared(published: Publisher) -> None:
    run = published.wherefrom.run_installed
    assert run("search", "--index", published.url, "snippet.py")[0] == 0
    published.server.requests.clear()
    assert run("search", "--index", published.url, "snippet.py")[0] == 0
    assert not any(asked.ranges for asked in published.server.requests)
    code, output, _ = run("cache")
    assert code == 0
    assert "MB" in output or "kB" in output
    assert run("cache", "--clear")[0] == 0
    assert run("search", "--index", published.url, "snippet.py")[0] == 0
    assert any(asked.ranges for asked in published.server.requests)


def test_a_pin_accepts_one_publication(published: Publisher) -> None:
    run = published.wherefrom.run
    pinned = f"{published.url}#sha256={published.digest}"
    assert run("search", "--index", pinned, "snippet.py")[0] == 0
    code, output, error = run("search", "--index", f"{published.url}#sha256={'0' * 64}", "snippet.py")
    assert (code, output) == (2, "")
    assert "not the expected one" in error
    assert error.count("\n") == 1
    searching = ("search", "--index", published.url, "snippet.py", "--expect")
    assert run(*searching, published.digest.upper())[0] == 0
    assert "not the expected one" in run(*searching, "0" * 64)[2]
    assert "64 hexadecimal digits" in run(*searching, "0")[2]
    assert "--expect is for one index" in run(*searching, published.digest, "--index", published.wherefrom.index)[2]
    assert "is only for published indexes" in run("stats", "--expect", published.digest)[2]


READING = [
    ("search", "snippet.py"),
    ("similar", "github.com/example/heapq:heapq.py"),
    ("first", "snippet.py"),
    ("sources", "snippet.py"),
    ("check", "project"),
    ("list",),
    ("list", "github.com/example/heapq"),
    ("list", "--projects"),
    ("stats",),
    ("stats", "--verify"),
    ("boilerplate", "list"),
    ("boilerplate", "learn"),
    ("releases", "project"),
]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_command_that_reads_works(published: Publisher, command: tuple[str, ...]) -> None:
    folder = published.wherefrom.folder
    Repository.make(folder / "project", {"own.py": (folder / "snippet.py").read_bytes()})
    local = published.wherefrom.run(*command)
    code, output, error = published.wherefrom.run(*command, WHEREFROM_INDEX=published.url)
    assert code == local[0], error
    assert "Traceback" not in error
    assert code in {0, 1}
    assert bool(output) == bool(local[1])


WRITING = [
    ("index", "clones"),
    ("remove", "--yes", "github.com/example/heapq"),
    ("prune", "--yes"),
    ("sweep",),
    ("boilerplate", "add", "mine", "snippet.py"),
]


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_command_that_writes_says_that_it_cannot(published: Publisher, command: tuple[str, ...]) -> None:
    before = {path.name: path.read_bytes() for path in published.server.folder.iterdir()}
    code, _, error = published.wherefrom.run(*command, WHEREFROM_INDEX=published.url)
    assert "Traceback" not in error
    if command[0] != "prune":  # nothing is known to be gone
        assert code == 2
        assert "publish it again" in error
        assert len(error.splitlines()) == 1
    assert {path.name: path.read_bytes() for path in published.server.folder.iterdir()} == before


def test_several_indexes(published: Publisher) -> None:
    run, index = published.wherefrom.run, published.wherefrom.index
    both = ("--index", index, "--index", published.url)
    code, output, error = run("search", *both, "--format", "json", "snippet.py")
    assert (code, error) == (0, "")
    [hit, *_] = json.loads(output)["hits"]
    assert {place["index"] for place in hit["occurrences"]} == {index, published.url}
    assert published.url in run("search", *both, "snippet.py")[1]
    missing = (*both, "--index", "missing")
    code, output, error = run("search", *missing, "snippet.py")
    assert code == 0
    assert "no index" in error
    assert run("search", "--strict", *missing, "snippet.py")[0] == 2


def test_one_user_is_not_sent_to_several_servers(published: Publisher) -> None:
    index = published.wherefrom.index
    run = partial(
        published.wherefrom.run, "search", WHEREFROM_PUBLISHED_USER="me", WHEREFROM_PUBLISHED_PASSWORD="secret"
    )
    with serve(published.server.folder) as other:
        published.server.requests.clear()
        code, output, error = run("--index", published.url, "--index", other.base, "snippet.py")
        assert (code, output) == (2, "")
        assert "~/.netrc" in error
        assert len(error.splitlines()) == 1
        assert published.server.requests == other.requests == []
        assert run("--index", index, "--index", published.url, "snippet.py")[0] == 0
        assert {asked.headers["authorization"] for asked in published.server.requests} == {"Basic bWU6c2VjcmV0"}


def test_a_folder_and_elasticsearch_and_a_published_index(
    published: Publisher, elasticsearch_location: Callable[[], str]
) -> None:
    run, index, server = published.wherefrom.run, published.wherefrom.index, elasticsearch_location()
    assert run("copy", index, server)[0] == 0
    wanted = [argument for location in (server, index, published.url) for argument in ("--index", location)]
    code, output, error = run("search", *wanted, "--format", "csv", "snippet.py")
    assert (code, error) == (0, "")
    rows = [row for row in csv.DictReader(io.StringIO(output)) if row["rank"] == "1"]
    assert {row["path"] for row in rows} == {"heapq.py"}
    assert {row["index"] for row in rows} == {server, index, published.url}
    assert {row["by_terms"] for row in rows} == {"false"}


def test_a_server_that_fails_is_one_line(published: Publisher) -> None:
    published.server.plan = lambda _, honest: Reply(500, {}, [b"no"])
    code, output, error = published.wherefrom.run("search", "--index", published.url, "snippet.py")
    assert (code, output) == (2, "")
    assert len(error.splitlines()) == 1
    assert "HTTP 500" in error


def test_an_index_without_code(published: Publisher) -> None:
    run = published.wherefrom.run
    assert run("publish", published.wherefrom.index, "plain", "--fingerprints-only")[0] == 0
    code, output, _ = run("search", "--index", "plain", "snippet.py")
    assert code == 0
    assert "by fingerprints alone" in output
    assert "heapq.py" in output
    assert " of the file" in output
    assert "> " not in output  # no code, and so no marks
    assert "by fingerprints alone" in run("search", "--index", "plain", "--brief", "snippet.py")[1]
    code, output, _ = run("search", "--index", "plain", "--read-from", "clones", "snippet.py")
    assert code == 0
    assert "by fingerprints alone" not in output
    assert "only fingerprints" in run("stats", "--index", "plain")[1]
    assert "only fingerprints" not in run("stats")[1]
    code, _, error = run("similar", "--index", "plain", "snippet.py")
    assert code == 2
    assert "use an index with code" in error
    assert len(error.splitlines()) == 1


def test_a_query_without_code(published: Publisher) -> None:
    wherefrom = published.wherefrom
    code, output, error = wherefrom.run("fingerprint", "snippet.py")
    assert (code, error) == (0, "")
    (wherefrom.folder / "q.json").write_text(output)
    for index in (wherefrom.index, published.url):
        code, output, _ = wherefrom.run("search", "--index", index, "--fingerprints", "q.json")
        assert code == 0
        assert "heapq.py" in output
        assert "by fingerprints alone" in output
    for given in (
        ["snippet.py"],
        ["--code", "x = 1"],
        ["--language", "python"],
        ["--explain"],
        ["--context", "3"],
        ["--max-lines", "0"],
        ["--without-file", "snippet.py"],
        ["--without", "frameworks"],
        ["--read-from", "clones"],
    ):
        code, output, error = wherefrom.run("search", "--fingerprints", "q.json", *given)
        assert (code, output, len(error.splitlines())) == (2, "", 1), given
        assert given[0] in error or "a snippet" in error
    code, _, error = wherefrom.run("search", "--fingerprints", "q.json", WHEREFROM_WITHOUT="frameworks")
    assert (code, len(error.splitlines())) == (0, 1)
    assert "the setting `without`" in error
    (wherefrom.folder / "q.json").write_text("{}")
    for name in ("q.json", "missing.json", "clones", "/dev/zero"):
        code, output, error = wherefrom.run("search", "--fingerprints", name)
        assert (code, output, len(error.splitlines())) == (2, "", 1), name


def test_the_page_says_that_a_hit_by_fingerprints_is_less_sure(published: Publisher) -> None:
    folder = published.wherefrom.folder
    assert published.wherefrom.run("publish", published.wherefrom.index, "plain", "--fingerprints-only")[0] == 0
    with serving(str(folder / "plain"), HOME=str(folder / "home")) as address:
        form = urlencode({"code": (folder / "snippet.py").read_text(), "name": "snippet.py"}).encode()
        with urlopen(Request(f"{address}/search", form, {"Origin": address}), timeout=HANGS) as response:
            shown = response.read().decode()
    assert "heapq.py" in shown
    heading, _, _ = shown.partition("<summary>In the terms of the model</summary>")
    assert "by fingerprints alone, so less sure" in heading


def test_a_server_answers_from_a_published_index(published: Publisher) -> None:
    snippet = (published.wherefrom.folder / "snippet.py").read_text()
    with serving(published.url, HOME=str(published.wherefrom.folder / "home")) as address:
        body = json.dumps({"code": snippet}).encode()
        request = Request(f"{address}/api/v1/search", body, {"Content-Type": "application/json"})
        with urlopen(request, timeout=HANGS) as response:
            [hit, *_] = json.load(response)["hits"]
    assert hit["occurrences"][0]["path"] == "heapq.py"
