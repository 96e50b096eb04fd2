"""Packages in one run: from lock files, by several processes, again, and beside packages that fail."""

from __future__ import annotations

import heapq
import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import source_of
from tests.engines.published.server import serve
from tests.sources.packages.registries import METADATA, Answer, Server, pypi_file, serving, sha256, tar

SNIPPET = source_of(heapq.merge).encode()
MODULES = {"first": "heapq", "second": "textwrap", "third": "shlex"}


@pytest.fixture
def server(wherefrom: Wherefrom) -> Iterator[Server]:
    """A Python index with two versions of three packages, which the command uses."""
    with serving() as made:
        for name, module in MODULES.items():
            files = []
            for version in ("1.0", "1.1"):
                stem = f"{name}-{version}"
                inner = {f"{stem}/{module}.py": module_source(module), f"{stem}/PKG-INFO": METADATA}
                inner[f"{stem}/version.py"] = f"version = {version!r}\n".encode()
                files.append(pypi_file(made, f"{stem}.tar.gz", tar(inner)))
            made.put(f"/simple/{name}/", {"files": files})
        wherefrom.environment |= {"PIP_INDEX_URL": f"{made.url}/simple/", "no_proxy": "127.0.0.1"}
        yield made


def lock(wherefrom: Wherefrom, server: Server, *names: str) -> str:
    """A `requirements.txt` that pins packages, with their checksums."""
    path = wherefrom.folder / "requirements.txt"
    lines = [
        f"{name}==1.1 --hash=sha256:{sha256(server.answers[f'/files/{name}-1.1.tar.gz'][0].body)}" for name in names
    ]
    path.write_text("\n".join(lines))
    return str(path)


def cached(wherefrom: Wherefrom) -> list[Path]:
    folder = wherefrom.folder / "home/.cache/wherefrom/clones"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_a_package_is_found_and_named_by_its_purl(wherefrom: Wherefrom, server: Server) -> None:
    wherefrom("index", "pkg:pypi/first")
    (hit,) = wherefrom.search(SNIPPET)["hits"]
    place = hit["occurrences"][0]
    assert (place["repository"], place["path"]) == ("pkg:pypi/first@1.1", "heapq.py")
    assert place["purl"] == "pkg:pypi/first@1.1#heapq.py"
    assert place["age"]["first"] == {
        "commit": None,
        "day": "2024-03-01",
        "written": "2024-03-01",
        "tag": "1.1",
        "merge": False,
        "brought_by": None,
        "doubts": ["release"],
        "repository": None,
    }
    assert "pkg:pypi/first@1.1" in (found := wherefrom("search", "-", stdin=SNIPPET))
    assert "def merge" in found  # read again from the archive
    (record,) = wherefrom.json("list")["repositories"]
    assert (record["key_kind"], record["kind"]) == ("package", "package")
    assert record["package"] == {
        "form": "source",
        "released": "2024-03-01",
        "license": "MIT",
        "author": "Ada",
        "repository": "https://code.invalid/ada/greeter",
        "upstream": "https://greeter.invalid",
    }
    table = wherefrom("list")
    assert "https://code.invalid/ada/greeter" in table
    assert "2024-03-01" in table


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({"a.py": SNIPPET}, {"copied-unattributed"}),
        ({"a.py": b"# copied from first 1.1\n" + SNIPPET}, {"copied-attributed"}),
        ({"a.py": SNIPPET, "requirements.txt": b"first>=1\n"}, {"copied-attributed"}),
        ({"a.py": SNIPPET, "requirements.txt": b"second>=1\n"}, {"copied-unattributed"}),
    ],
)
def test_check_counts_the_name_of_a_package_and_takes_its_license(
    wherefrom: Wherefrom, server: Server, files: dict[str, bytes], rules: set[str]
) -> None:
    wherefrom("index", "pkg:pypi/first")
    project = wherefrom.folder / "project"
    project.mkdir()
    for name, content in files.items():
        (project / name).write_bytes(content)
    _, output, _ = wherefrom.run("check", str(project), "--format", "json")
    found = json.loads(output)["findings"]
    assert {finding["rule"] for finding in found} == rules
    assert [finding["places"][0]["licenses"] for finding in found] == [["MIT"]]
    _, bill, _ = wherefrom.run("check", str(project), "--format", "cyclonedx")
    [component] = json.loads(bill)["components"]
    assert (component["purl"], component["version"]) == ("pkg:pypi/first@1.1", "1.1")


def test_each_further_version_costs_only_its_new_contents(wherefrom: Wherefrom, server: Server) -> None:
    wherefrom("index", "pkg:pypi/first")
    report = wherefrom.json("index", "pkg:pypi/first", "--versions", "2")
    newest, older = report["repositories"]
    assert (newest["repository"], newest["status"]) == ("pkg:pypi/first@1.1", "unchanged")
    assert (older["repository"], older["parsed"], older["known"]) == ("pkg:pypi/first@1.0", 1, 2)


def test_the_version_of_a_vendored_folder_is_found(wherefrom: Wherefrom, server: Server) -> None:
    wherefrom("index", "pkg:pypi/first", "--versions", "2")
    folder = wherefrom.folder / "vendored"
    folder.mkdir()
    (folder / "heapq.py").write_bytes(module_source("heapq"))
    (folder / "version.py").write_bytes(b"version = '1.0'\n")
    best, other = wherefrom.json("releases", str(folder))["releases"]
    assert (best["purl"], best["version"], best["released"]) == ("pkg:pypi/first@1.0", "1.0", "2024-03-01")
    assert (best["likeness"], best["changed"], other["changed"]) == (1.0, [], ["version.py"])
    (folder / "heapq.py").write_bytes(module_source("heapq") + b"# more\n")
    text = wherefrom("releases", str(folder))
    assert "1. pkg:pypi/first@1.0\n" in text
    assert "1 of 2 files identical" in text
    assert "changed: heapq.py" in text
    code, text, _ = wherefrom.run("releases", "-", stdin=b"x = 1\n")
    assert (code, "no release fits" in text) == (1, True)


def test_a_lock_file_is_indexed_and_indexing_it_again_asks_nothing(wherefrom: Wherefrom, server: Server) -> None:
    path = lock(wherefrom, server, *MODULES)
    report = wherefrom.json("index", "--from", path)
    assert [it["repository"] for it in report["repositories"]] == [f"pkg:pypi/{name}@1.1" for name in MODULES]
    asked = len(server.asked)
    again = wherefrom.json("index", "--from", path)
    assert {it["status"] for it in again["repositories"]} == {"unchanged"}
    assert len(server.asked) == asked


def test_a_bad_package_does_not_stop_the_others(wherefrom: Wherefrom, server: Server) -> None:
    path = lock(wherefrom, server, *MODULES)
    server.answers["/files/second-1.1.tar.gz"][0].body += b"\0"
    arguments = ("index", "--from", path, "pkg:pypi/missing@1", "pkg:nuget/a@1", "--format", "json")
    code, output, errors = wherefrom.run(*arguments)
    assert (code, len(errors.splitlines())) == (2, 3)
    by_name = {it["repository"]: it for it in json.loads(output)["repositories"]}
    assert {name: it["status"] for name, it in by_name.items()} == {
        "pkg:pypi/missing@1": "failed",
        "pkg:pypi/first@1.1": "indexed",
        "pkg:pypi/second@1.1": "failed",
        "pkg:pypi/third@1.1": "indexed",
        "pkg:nuget/a@1": "failed",
    }
    assert "another checksum" in by_name["pkg:pypi/second@1.1"]["error"]
    assert len(cached(wherefrom)) == 2


def test_what_is_discarded_is_not_fetched_again(wherefrom: Wherefrom, server: Server) -> None:
    report = wherefrom.json("index", "pkg:pypi/first@1.1", "--discard-clones")
    assert (report["discarded_clones"], cached(wherefrom)) == (1, [])
    asked = len(server.asked)
    again = wherefrom.json("index", "pkg:pypi/first@1.1", "--discard-clones")
    assert [it["status"] for it in again["repositories"]] == ["unchanged"]
    assert len(server.asked) == asked
    wherefrom("index", "pkg:pypi/first@1.1")
    assert len(cached(wherefrom)) == 1


def test_a_lost_or_broken_package_is_fetched_again(wherefrom: Wherefrom, server: Server) -> None:
    wherefrom("index", "pkg:pypi/first@1.1")
    (folder,) = cached(wherefrom)
    (folder / "package.json").write_bytes(b"{")
    wherefrom("index", "pkg:pypi/first@1.1")
    assert json.loads((folder / "package.json").read_bytes())["archive"] == "first-1.1.tar.gz"
    shutil.rmtree(folder)
    wherefrom("index", "pkg:pypi/first@1.1")
    assert cached(wherefrom) == [folder]


@pytest.mark.slow
def test_several_processes_share_the_cache(wherefrom: Wherefrom, server: Server) -> None:
    path = lock(wherefrom, server, *MODULES)
    runs = [
        subprocess.Popen(
            [*wherefrom.command, "index", "--from", path, "--index", str(wherefrom.folder / f"{number}.wherefrom")],
            env=wherefrom.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(3)
    ]
    ended = [(run.communicate(), run.returncode) for run in runs]
    assert [code for _, code in ended] == [0, 0, 0], ended
    assert len(cached(wherefrom)) == 3


@pytest.mark.slow
def test_a_killed_run_goes_on(wherefrom: Wherefrom, server: Server) -> None:
    path = lock(wherefrom, server, *MODULES)
    body = server.answers["/files/third-1.1.tar.gz"][0].body
    runs: list[subprocess.Popen[bytes]] = []

    def half(handler: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.send_header("Content-Length", str(len(body)))  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        handler.wfile.write(body[: len(body) // 2])  # type: ignore[attr-defined]
        runs[0].kill()

    server.put("/files/third-1.1.tar.gz", Answer(send=half), Answer(body))
    runs.append(
        subprocess.Popen([*wherefrom.command, "index", "--fetches", "1", "--from", path], env=wherefrom.environment)
    )
    assert runs[0].wait() == -signal.SIGKILL
    assert len(cached(wherefrom)) == 3  # two packages, and a half one with a hidden name
    assert server.paths.count("/files/first-1.1.tar.gz") == 1
    wherefrom("index", "--from", path)
    assert server.paths.count("/files/first-1.1.tar.gz") == 1
    assert [folder.name[0] for folder in cached(wherefrom)].count(".") == 0
    assert wherefrom.counts()[0] == 3


def test_parts_on_several_machines_make_one_published_index(wherefrom: Wherefrom, server: Server) -> None:
    names = wherefrom.folder / "list.txt"
    names.write_text("".join(f"pkg:pypi/{name}\n" for name in MODULES))

    def published() -> set[str]:
        for part in ("1/2", "2/2"):
            at = str(wherefrom.folder / f"part-{part[0]}")
            wherefrom("index", "--from", str(names), "--part", part, "--discard-clones", "--keep-source", "--index", at)
        wherefrom("copy", *(str(wherefrom.folder / f"part-{number}") for number in (1, 2)), "all")
        wherefrom("publish", "all", "www")
        with serve(wherefrom.folder / "www") as site:
            [hit] = wherefrom.json("search", "-", "--index", site.base, stdin=SNIPPET)["hits"]
            assert "def merge" in wherefrom("search", "-", "--index", site.base, stdin=SNIPPET)
            listed = wherefrom.json("list", "--index", site.base)["repositories"]
        assert {record["package"]["license"] for record in listed} == {"MIT"}
        return {place["repository"] for place in hit["occurrences"]} | {record["repository"] for record in listed}

    assert published() == {f"pkg:pypi/{name}@1.1" for name in MODULES}
    files = json.loads(server.answers["/simple/first/"][0].body)["files"]
    inner = {"first-1.2/heapq.py": module_source("heapq"), "first-1.2/PKG-INFO": METADATA}
    server.put("/simple/first/", {"files": [*files, pypi_file(server, "first-1.2.tar.gz", tar(inner))]})
    server.asked.clear()
    assert published() == {"pkg:pypi/first@1.2", *(f"pkg:pypi/{name}@1.1" for name in MODULES)}
    assert [path for path in server.paths if path.startswith("/files/")] == ["/files/first-1.2.tar.gz"]
    code, _, error = wherefrom.run("index", "--from", str(names), "--part", "3/2")
    assert (code, "give K/N" in error) == (2, True)
