"""`wherefrom compare A --with B` maps the files of one corpus to the other, and finds copied folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import renamed
from tests.end_to_end.test_compare import SCHEMA, write
from tests.repositories import Repository

HEAP, WRAP, SHLEX, SCHED, GLOB = (module_source(name) for name in ("heapq", "textwrap", "shlex", "sched", "glob"))


def changed(code: bytes) -> bytes:
    return renamed(code.decode()).encode()


def mapped(answer: dict[str, Any]) -> dict[str, tuple[list[str], list[str]]]:
    """For each change the paths on both sides; of one entry each."""
    paths = [file["path"] for file in answer["files"]]
    return {
        entry["change"]: ([paths[file] for file in entry["left"]], [paths[file] for file in entry["right"]])
        for entry in answer["map"]["entries"]
    }


def test_the_map_tells_what_became_of_every_file(wherefrom: Wherefrom) -> None:
    old = write(
        wherefrom.folder / "old",
        {
            "same.py": b"LENGTH = 3\n",
            "lib/moved.py": b"WIDTH = 4\n",
            "changed.py": HEAP,
            "text.py": WRAP,
            "whole.py": SHLEX + b"\n\n" + module_source("bisect"),
            "part1.py": SCHED,
            "part2.py": GLOB,
            "gone.py": module_source("fnmatch"),
        },
    )
    new = write(
        wherefrom.folder / "new",
        {
            "same.py": b"LENGTH = 3\n",
            "src/elsewhere.py": b"WIDTH = 4\n",
            "changed.py": changed(HEAP),
            "wrapping/other.py": changed(WRAP),
            "first.py": changed(SHLEX),
            "second.py": module_source("bisect"),
            "both.py": SCHED + b"\n\n" + changed(GLOB),
            "added.py": module_source("stat"),
        },
    )

    answer = wherefrom.json("compare", old, "--with", new)

    jsonschema_rs.validate(SCHEMA, answer)
    assert mapped(answer) == {
        "same": (["same.py"], ["same.py"]),
        "moved": (["lib/moved.py"], ["src/elsewhere.py"]),
        "changed": (["changed.py"], ["changed.py"]),
        "moved-changed": (["text.py"], ["wrapping/other.py"]),
        "split": (["whole.py"], ["first.py", "second.py"]),
        "merged": (["part2.py", "part1.py"], ["both.py"]),
    }
    paths = [file["path"] for file in answer["files"]]
    assert [paths[file] for file in answer["map"]["only_left"]] == ["gone.py"]
    assert [paths[file] for file in answer["map"]["only_right"]] == ["added.py"]
    for entry in answer["map"]["entries"]:
        assert entry["left_share"] > 0.85
        assert entry["right_share"] > 0.85
        shares = [(edge["left_share"], edge["right_share"]) for edge in entry["edges"]]
        if entry["change"] == "split":
            assert all(left < 0.9 and right > 0.9 for left, right in shares)
        if entry["change"] == "merged":
            assert all(left > 0.9 and right < 0.9 for left, right in shares)


def test_a_few_usual_lines_are_no_part_of_another_file(wherefrom: Wherefrom) -> None:
    usual = b"with open(path, encoding='utf-8') as file:\n    lines = file.read().splitlines()\n"
    old = write(
        wherefrom.folder / "old", {"count.py": usual + b"print(len(lines))\n", "heap.py": HEAP, "glob.py": GLOB}
    )
    new = write(wherefrom.folder / "new", {"lexer.py": SHLEX + b"\n\n" + usual, "queue.py": changed(HEAP)})
    answer = wherefrom.json("compare", old, "--with", new)
    assert mapped(answer) == {"moved-changed": (["heap.py"], ["queue.py"])}
    paths = [file["path"] for file in answer["files"]]
    assert [paths[file] for file in answer["map"]["only_left"]] == ["count.py", "glob.py"]


def test_an_entry_begins_with_the_files_that_share_most(wherefrom: Wherefrom) -> None:
    old = write(wherefrom.folder / "old", {"whole.py": SHLEX + b"\n\n" + GLOB, "text.py": WRAP})
    new = write(wherefrom.folder / "new", {"a.py": GLOB + b"\n\n" + SCHED + b"\n\n" + HEAP, "b.py": SHLEX})
    answer = wherefrom.json("compare", old, "--with", new)
    assert mapped(answer) == {"split": (["whole.py"], ["b.py", "a.py"])}


def test_only_pairs_across_both_are_compared(wherefrom: Wherefrom) -> None:
    old = write(wherefrom.folder / "old", {"a.py": HEAP, "b.py": HEAP + b"\nnumber = 1\n"})
    new = write(wherefrom.folder / "new", {"c.py": HEAP + b"\nnumber = 2\n", "d.py": HEAP + b"\nnumber = 3\n"})

    answer = wherefrom.json("compare", old, "--with", new)

    assert answer["counts"]["possible_pairs"] == 4
    roles = [submission["role"] for submission in answer["submissions"]]
    assert {(roles[pair["left"]], roles[pair["right"]]) for pair in answer["pairs"]} == {("submission", "with")}
    assert len(answer["pairs"]) == 4
    for entry in answer["map"]["entries"]:
        assert len(entry["left"]) + len(entry["right"]) > 2


def test_the_table_says_what_changed(wherefrom: Wherefrom) -> None:
    old = write(wherefrom.folder / "old", {"text.py": WRAP, "kept.py": HEAP, "gone.py": SHLEX})
    new = write(wherefrom.folder / "new", {"wrapping/other.py": changed(WRAP), "kept.py": HEAP})

    reported = wherefrom("compare", old, "--with", new)

    assert "moved and changed" in reported
    assert "wrapping/other.py" in reported
    assert "files: 1 same, 1 moved and changed" in reported
    assert "only left: 1 file, only right: 0 files" in reported


@pytest.fixture
def upstream(wherefrom: Wherefrom) -> Repository:
    """A library with three releases."""
    library = Repository.make(wherefrom.folder / "upstream")
    files = {"lib/heap.py": HEAP, "lib/wrap.py": WRAP, "lib/shlex.py": SHLEX, "lib/sched.py": SCHED, "README.md": b"#"}
    for number in (1, 2, 3):
        library.commit({**files, "lib/version.py": b"VERSION = %d\nNAMES = ['a', 'b', 'c', 'd', 'e']\n" % number})
        library.git("tag", f"v{number}")
    library.commit({"lib/glob.py": GLOB, "lib/version.py": b"VERSION = 4\nNAMES = ['a', 'b', 'c', 'd', 'e']\n"})
    return library


def copied(upstream: Repository, tag: str) -> dict[str, bytes]:
    """The library as it is in a project."""
    paths = upstream.git("ls-tree", "-r", "--name-only", tag, "lib/").splitlines()
    return {
        f"third_party/{path.removeprefix('lib/')}": upstream.git("show", f"{tag}:{path}").encode() + b"\n"
        for path in paths
    }


def test_a_vendored_folder_is_named_with_its_release(wherefrom: Wherefrom, upstream: Repository) -> None:
    files = copied(upstream, "v2")
    del files["third_party/sched.py"]
    files["third_party/heap.py"] = HEAP.replace(b"return", b"return ", 3)
    files["third_party/own.py"] = module_source("stat")
    project = Repository.make(wherefrom.folder / "project", {**files, "main.py": module_source("bisect")})

    answer = wherefrom.json("compare", project.folder, "--with", upstream.folder)

    jsonschema_rs.validate(SCHEMA, answer)
    [found] = answer["vendored"]
    assert (found["folder"], found["origin_folder"]) == ("third_party", "lib")
    assert (found["tag"], found["revision"]) == ("v2", upstream.git("rev-parse", "v2^{commit}"))
    assert found["changed"] == ["heap.py"]
    assert found["missing"] == ["lib/sched.py"]
    assert found["added"] == ["own.py"]
    assert (found["files"], found["identical"]) == (5, 3)
    reported = wherefrom("compare", project.folder, "--with", upstream.folder)
    assert "third_party is " in reported
    assert "v2; 1 file changed, 1 file missing, 1 file added" in reported


def test_the_nearest_release_is_found_where_every_file_has_changed(wherefrom: Wherefrom, upstream: Repository) -> None:
    files = {path: b"# from the library\n" + content for path, content in copied(upstream, "v3").items()}
    project = Repository.make(wherefrom.folder / "project", files)

    [found] = wherefrom.json("compare", project.folder, "--with", upstream.folder)["vendored"]

    assert found["tag"] == "v3"
    assert found["identical"] == 0


def test_without_a_clone_at_hand_there_is_no_release(wherefrom: Wherefrom, upstream: Repository) -> None:
    plain = write(wherefrom.folder / "plain", {f"lib/{Path(p).name}": c for p, c in copied(upstream, "v1").items()})
    project = write(wherefrom.folder / "project", copied(upstream, "v1"))

    [found] = wherefrom.json("compare", project, "--with", plain)["vendored"]

    assert (found["tag"], found["revision"], found["changed"], found["missing"]) == (None, "", [], [])
    assert found["identical"] == found["files"] == 5


def test_a_hostile_tag_is_shown_and_never_obeyed(wherefrom: Wherefrom, upstream: Repository) -> None:
    commit = upstream.git("rev-parse", "v2^{commit}")
    for name in ("--upload-pack=x", "\u202eevil"):
        packed = Path(upstream.folder, ".git", "packed-refs")
        lines = packed.read_text() if packed.exists() else ""
        packed.write_text(f"{lines}{commit} refs/tags/{name}\n")
    project = Repository.make(wherefrom.folder / "project", copied(upstream, "v2"))

    assert "third_party is " in wherefrom("compare", project.folder, "--with", upstream.folder)
    assert json.loads(wherefrom("compare", project.folder, "--with", upstream.folder, "--format", "json"))["vendored"]
