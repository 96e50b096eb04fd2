"""The command, a job of the server and the page take the same for a submission."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from release.rules import rules
from tests.compare.handing_in import CASES, CODES, packed, write, zipped
from tests.node import ROOT, WEB, Node
from tests.repositories import Repository
from wherefrom import compare_sources
from wherefrom.compare.collection import likely_unit
from wherefrom.errors import NotFound
from wherefrom.index import Index
from wherefrom.model import SkipReason
from wherefrom.options import CheckOptions
from wherefrom.serve.jobs import work
from wherefrom.serve.jobs.store import REPORT, UPLOADS, JobKind, Order, UploadJob
from wherefrom.sources.trees import DEEPEST, ArchiveTree

cases = pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])

SCRIPT = Path(__file__).with_suffix(".mjs").with_name("submissions.mjs")


def said(comparison: dict[str, Any]) -> dict[str, Any]:
    """What a comparison (as JSON) says of submissions, in the form of a case."""
    named = {one["name"]: len(one["files"]) for one in comparison["submissions"]}
    return {
        "names": {name: number for name, number in named.items() if number},
        "left_out": {file["path"]: file["reason"] for file in comparison["skipped_files"]},
        "warnings": comparison["warnings"],
    }


def expected(case: dict[str, Any]) -> dict[str, Any]:
    warnings = [case["warning"]] if "warning" in case else []
    return {"names": case["names"], "left_out": case.get("left_out", {}), "warnings": warnings}


@pytest.mark.thorough
@cases
def test_the_command(case: dict[str, Any], tmp_path: Path) -> None:
    comparison = compare_sources(write(tmp_path, case["given"]), by=case["by"], jobs=1)
    assert said(comparison.to_dict()) == expected(case)


@pytest.mark.thorough
@cases
def test_a_job(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = tmp_path / "job" / UPLOADS / work.SUBMISSIONS
    uploads.mkdir(parents=True)
    (tmp_path / "job" / REPORT).mkdir()
    for path in write(tmp_path / "given", case["given"]):
        if path.is_dir():
            (uploads / f"{path.name}.zip").write_bytes(zipped(path))
        else:
            shutil.copy(path, uploads)
    monkeypatch.chdir(tmp_path / "job" / UPLOADS)
    options = {"by": case["by"]}
    job = UploadJob("0" * 22, JobKind.COMPARE, "somebody", "hand-ins", 0.0, options={} if is_likely(case) else options)
    assert likely_unit(work._names(work.SUBMISSIONS)) == case["likely"]
    order = Order(job, no_index, CheckOptions(), 1)
    if case.get("warning", "").startswith("there is nothing"):
        with pytest.raises(NotFound, match="there is nothing to compare") as error:
            work._compare(order, tmp_path / "job")
        assert case["warning"] in str(error.value)
        return
    outcome = work._compare(order, tmp_path / "job")
    assert said(json.loads((tmp_path / "job" / REPORT / outcome["formats"]["json"]).read_text())) == expected(case)
    assert case.get("warning", "") in outcome["message"]


def no_index() -> Index:
    raise AssertionError("a comparison needs no index")


def is_likely(case: dict[str, Any]) -> bool:
    return bool(case["by"] == case["likely"])


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    if shutil.which("node") is None:
        pytest.skip("node is not found")
    site = tmp_path_factory.mktemp("site")
    for folder in (ROOT / "page", WEB):
        for script in folder.glob("*.js"):
            shutil.copy(script, site)
    (site / "package.json").write_text('{"type": "module"}')
    (site / "rules.json").write_text(json.dumps(rules()))
    with Node(SCRIPT, site, site / "rules.json") as process:
        yield process


@cases
def test_the_page(case: dict[str, Any], tmp_path: Path, page: Node) -> None:
    paths = [str(path) for path in write(tmp_path, case["given"])]
    answer = page.ask({"paths": paths, "by": case["by"]})
    assert answer == {"likely": case["likely"], **expected(case)}


@pytest.mark.thorough
def test_a_clone_is_read_as_committed_if_that_is_asked_for(tmp_path: Path) -> None:
    repository = Repository.make(tmp_path / "all" / "ann", {"q.c": CODES[1].encode()})
    repository.write({"q.c": CODES[2].encode(), "more.c": CODES[3].encode()})
    (tmp_path / "all" / "bob").mkdir()
    (tmp_path / "all" / "bob" / "q.c").write_text(CODES[1])

    for by in ("folder", "repository"):
        on_disk = compare_sources([tmp_path / "all"], by=by, jobs=1)
        committed = compare_sources([tmp_path / "all"], by=by, committed=True, jobs=1)
        for comparison in (on_disk, committed):
            assert [one.name for one in comparison.submissions] == ["ann", "bob"]
        assert len(on_disk.files) == 3
        assert [pair.similarity for pair in on_disk.pairs] != [1.0]
        assert len(committed.files) == 2
        assert [pair.similarity for pair in committed.pairs] == [1.0]


@pytest.mark.parametrize("inside", ["empty", "gitdir: ../gone\n", ""])
def test_what_is_no_clone_is_read_from_the_disk_though_commits_are_asked_for(tmp_path: Path, inside: str) -> None:
    write(tmp_path / "all", {"ann": {"q.c": 1, ".git": inside}, "bob": {"q.c": 1}})
    comparison = compare_sources([tmp_path / "all"], by="folder", committed=True, jobs=1)
    assert [pair.similarity for pair in comparison.pairs] == [1.0]


def test_template_code_may_be_in_archives_of_an_archive_that_has_broken_ones_too(tmp_path: Path) -> None:
    write(tmp_path, {"all": {"ann": {"q.c": 1}, "bob": {"q.c": 1}}})
    write(
        tmp_path, {"given.zip": {"one": {"code.zip": {"q.c": 1}, "broken.zip": "no zip"}}, "given": {"b.zip": "none"}}
    )
    (tmp_path / "given" / "q.c").write_text(CODES[1])
    for given in ("given.zip", "given"):
        comparison = compare_sources([tmp_path / "all"], by="folder", template=[tmp_path / given], jobs=1)
        assert comparison.pairs == ()


def test_many_archives_are_read_in_one_pass_and_in_the_order_of_their_files(tmp_path: Path) -> None:
    inner = {f"s{number:02}": {"hw.tar.gz": {"q.c": CODES[1] + f"\nint n{number};", "r.c": 2}} for number in range(20)}
    write(tmp_path, {"course.tar.gz": inner, "course.zip": inner})
    for name in ("course.tar.gz", "course.zip"):
        tree = ArchiveTree(tmp_path / name)
        entries = [*tree.entries()]
        assert len(entries) == 40
        for chosen in (entries, entries[::-1], entries[3:30:4]):
            for entry, content in tree.read(chosen):
                assert isinstance(content, bytes)
                number = int(entry.path[1:3])
                assert content.endswith(f"int n{number};".encode()) == entry.path.endswith("q.c")


@pytest.mark.thorough
def test_an_archive_that_contains_itself_ends(tmp_path: Path) -> None:
    data = packed("a.zip", {"q.c": 1})
    for _ in range(9):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as opened:
            for name in ("a.zip", "b.zip"):
                opened.writestr(name, data)
        data = made.getvalue()
    (tmp_path / "bomb.zip").write_bytes(data)
    entries = [*ArchiveTree(tmp_path / "bomb.zip").entries()]
    assert len(entries) == 2 ** (DEEPEST + 1)
    assert {entry.skip for entry in entries} == {SkipReason.ARCHIVE}


@pytest.mark.thorough
def test_bare_repositories_are_read_as_committed(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        made = Repository.make(tmp_path / name, {"q.c": CODES[1].encode()})
        made.git("clone", "--quiet", "--bare", ".", tmp_path / "all" / f"{name}.git")
    (tmp_path / "all" / "cleo").mkdir()
    (tmp_path / "all" / "cleo" / "q.c").write_text(CODES[1])
    comparison = compare_sources([tmp_path / "all"], by="folder", jobs=1)
    assert [one.name for one in comparison.submissions] == ["ann.git", "bob.git", "cleo"]
    assert len(comparison.pairs) == 3
