"""Code that takes gigabytes to parse: every command says so, or leaves it out, and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom, harmless, module_source
from tests.end_to_end.runs import start
from tests.repositories import Repository

HEAPQ = module_source("heapq")
BOMBS = {"a.java": b"a<" * 100_000, "b.cs": b"b<" * 100_000, "c.c": b"a => " * 20_000}
"""Each would take more than 6 GB."""

TOO_MUCH = "to parse it takes more than 0.3 GB of memory, or crashes the parser; allow more with parse_memory"


@pytest.fixture
def wherefrom(wherefrom: Wherefrom) -> Wherefrom:
    """The command with an index, and a limit that is small enough for any machine."""
    Repository.make(wherefrom.folder / "clone", {"heap.py": HEAPQ})
    wherefrom.indexes("clone")
    wherefrom.environment["WHEREFROM_PARSE_MEMORY"] = "300000000"
    return wherefrom


def run(wherefrom: Wherefrom, *arguments: str | Path) -> tuple[int, str, str]:
    """Runs the command in processes that cannot take all memory of the machine where wherefrom lets them."""
    command = ("sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", *wherefrom.command, *arguments)
    running = start(wherefrom, *command)
    output, errors = map(harmless, running.communicate(timeout=300))
    return running.returncode, output, errors


def written(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.mark.nightly
def test_search_says_so_and_goes_on_with_the_next_snippet(wherefrom: Wherefrom) -> None:
    written(wherefrom.folder / "snippets", {**BOMBS, "heap.py": HEAPQ})
    code, output, errors = run(wherefrom, "search", "snippets", "--format", "jsonl")
    assert (code, [line.split(": ")[-1].partition(", or look")[0] for line in errors.splitlines()]) == (
        2,
        [TOO_MUCH] * 3,
    )
    assert [json.loads(line)["query"]["name"] for line in output.splitlines()] == ["snippets/heap.py"]


@pytest.mark.parametrize("name", BOMBS)
def test_sources_says_so(wherefrom: Wherefrom, name: str) -> None:
    folder = written(wherefrom.folder / "files", BOMBS)
    code, output, errors = run(wherefrom, "sources", folder / name)
    assert (code, output) == (2, "")
    assert errors == f"wherefrom: error: {TOO_MUCH}, or look up a part of it\n"


@pytest.mark.nightly
def test_check_counts_such_files_as_skipped(wherefrom: Wherefrom) -> None:
    folder = written(
        wherefrom.folder / "project", {**BOMBS, "mine.py": HEAPQ, "README.md": b"```java\n%s\n```" % BOMBS["a.java"]}
    )
    code, output, errors = run(wherefrom, "check", folder, "--format", "json")
    report = json.loads(output)
    assert (code, errors, report["skipped"]) == (1, "", {"worker_died": 3})
    assert {finding["path"] for finding in report["findings"]} == {"mine.py"}


@pytest.mark.nightly
def test_boilerplate_leaves_such_files_of_a_corpus_out_and_names_a_single_one(wherefrom: Wherefrom) -> None:
    folder = written(wherefrom.folder / "corpus", {**BOMBS, "heap.py": HEAPQ})
    code, output, errors = run(wherefrom, "boilerplate", "add", "corpus", folder)
    assert (code, errors) == (0, "")
    assert "1 file, 3 unreadable" in output
    code, output, errors = run(wherefrom, "boilerplate", "add", "one", folder / "a.java")
    assert (code, output) == (2, "")
    assert TOO_MUCH in errors
    code, output, errors = run(wherefrom, "search", folder / "heap.py", "--without-file", folder / "a.java")
    assert (code, output) == (2, "")
    assert TOO_MUCH in errors


@pytest.mark.nightly
def test_the_lab_leaves_such_files_out(wherefrom: Wherefrom) -> None:
    folder = written(wherefrom.folder / "corpus", {**BOMBS, "heap.py": HEAPQ})
    code, output, errors = run(wherefrom, "lab", "frequencies", folder, "--format", "json")
    assert (code, errors) == (0, "")
    assert json.loads(output)["corpus"]["contents"] == 1
