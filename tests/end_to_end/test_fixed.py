"""`wherefrom fixed` on real repositories: who has the old form of what a commit changed, and who has the new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.test_check import LEVELS, OTHERS, OWN, ROUTES
from tests.repositories import Repository
from tests.schemas import sarif_schema, schema

OLD = b"""\
def read_block(stream, limit):
    header = stream.take(8)
    kind, length = header.unpack("<II")
    if kind not in stream.kinds:
        raise stream.refuse("kind", kind)
    body = stream.take(length)
    checksum = stream.take(4).unpack("<I")
    if checksum != stream.sum(body):
        raise stream.refuse("checksum", checksum)
    return kind, body.expand(limit)
"""

NEW = OLD.replace(
    b"    body = stream.take(length)\n",
    b'    if length > limit:\n        raise stream.refuse("length", length)\n    body = stream.take(length)\n',
)
"""The same with a check that was missing."""


def renamed(code: bytes) -> bytes:
    """The same with other variables."""
    for old, new in (
        (b"stream", b"source"),
        (b"limit", b"most"),
        (b"header", b"head"),
        (b" length", b" size_of"),
        (b"(length", b"(size_of"),
        (b"kind,", b"what,"),
        (b"(kind", b"(what"),
        (b"if kind ", b"if what "),
        (b", kind)", b", what)"),
        (b"body", b"content"),
        (b"checksum ", b"mark "),
        (b", checksum)", b", mark)"),
    ):
        code = code.replace(old, new)
    return code


def respaced(code: bytes) -> bytes:
    """The same with other white space, comments and line ends."""
    return (
        code.replace(b"    ", b"\t")
        .replace(b'("checksum", ', b'(\n\t\t\t"checksum",  # bad\n\t\t\t')
        .replace(b"\n", b"\r\n")
    )


def split(code: bytes) -> bytes:
    """The same as two functions."""
    head, tail = code.split(b"    checksum = ")
    return (
        head
        + b"    return checked(stream, kind, body, limit)\n\n\ndef checked(stream, kind, body, limit):\n    checksum = "
        + tail
    )


class Fix:
    """A project with a commit that fixed `src/blocks.py`, forks of it in an index, and the command in the project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wherefrom = Wherefrom(folder, str(folder / "index.wherefrom"))
        self.project = Repository.make(folder / "project", {"src/blocks.py": OLD + b"\n\n" + LEVELS})
        self.project.git("remote", "add", "origin", "https://example.org/me/blocks.git")
        self.forks: list[str] = []
        self.fork("others", OTHERS)

    def fork(self, name: str, files: dict[str, bytes]) -> None:
        """A repository that the index will hold."""
        made = Repository.make(self.folder / name, files)
        made.git("remote", "add", "origin", f"https://example.org/{name}/blocks.git")
        self.forks.append(name)

    def commit(self, files: dict[str, bytes] | None = None) -> str:
        return self.project.commit(files or {"src/blocks.py": NEW + b"\n\n" + LEVELS})

    def index(self, *more: str) -> None:
        self.wherefrom.indexes(*self.forks, *more)
        self.wherefrom.folder = self.project.folder

    def answer(self, *arguments: str, code: int, stdin: bytes = b"") -> dict[str, Any]:
        """The answer, which is as the schema says."""
        found: dict[str, Any] = self.wherefrom.json("fixed", *arguments, code=code, stdin=stdin)
        jsonschema_rs.validate(schema("fixed"), found)
        assert (found["old"] > 0) == (code == 1)
        return found

    def forms(self, *arguments: str, code: int, stdin: bytes = b"") -> dict[str, tuple[str, str | None]]:
        """The form and its certainty for each owner of an occurrence, of the only function that was changed."""
        [function] = self.answer(*arguments, code=code, stdin=stdin)["functions"]
        return {
            at["repository"].split("/")[1]: (location["form"], location["certainty"])
            for location in function["locations"]
            for at in location["occurrences"]
        }


@pytest.fixture
def fix(tmp_path: Path) -> Fix:
    return Fix(tmp_path)


OLD_SURE, NEW_SURE = ("old", "sure"), ("new", "sure")


def test_forks_with_the_old_form_and_with_the_new_one(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("ahead", {"src/blocks.py": NEW})
    fix.fork("renamed-behind", {"a/reader.py": renamed(OLD)})
    fix.fork("renamed-ahead", {"a/reader.py": renamed(NEW)})
    fix.fork("respaced-behind", {"deep/er/x.py": ROUTES + b"\n\n" + respaced(OLD)})
    fix.fork("respaced-ahead", {"deep/er/x.py": ROUTES + b"\n\n" + respaced(NEW)})
    fix.fork("split-behind", {"src/blocks.py": split(OLD)})
    fix.fork("split-ahead", {"src/blocks.py": split(NEW)})
    fix.fork("without", {"src/blocks.py": LEVELS})
    fix.commit()
    fix.index()
    assert fix.forms("HEAD", code=1) == {
        "behind": OLD_SURE,
        "renamed-behind": OLD_SURE,
        "respaced-behind": OLD_SURE,
        "split-behind": OLD_SURE,
        "ahead": NEW_SURE,
        "renamed-ahead": NEW_SURE,
        "respaced-ahead": NEW_SURE,
        "split-ahead": NEW_SURE,
    }
    [function] = fix.answer("HEAD", code=1)["functions"]
    assert (function["path"], function["name"]) == ("src/blocks.py", "read_block")
    assert [
        (change["old"], change["new"]["start_line"], change["new"]["end_line"]) for change in function["changes"]
    ] == [(None, 6, 7)]
    behind = next(item for item in function["locations"] if "/behind/" in item["occurrences"][0]["repository"])
    assert (behind["score"], behind["start_line"], behind["end_line"]) == (-1.0, 5, 6)
    [at] = behind["occurrences"]
    there = f"example.org/behind/blocks;anchor=swh:1:rev:{at['revision']};path=/src/blocks.py;lines=5-6"
    assert behind["swhid"] == f"swh:1:cnt:{at['blob']};lines=5-6"
    assert at["swhid"] == f"swh:1:cnt:{at['blob']};origin=https://{there}"
    assert at["purl"] == f"pkg:git/example.org/behind/blocks@{at['revision']}#src/blocks.py"


def test_no_old_form_is_no_failure(fix: Fix) -> None:
    fix.fork("ahead", {"lib/blocks.py": NEW})
    fix.commit()
    fix.index()
    assert fix.forms("HEAD", code=0) == {"ahead": NEW_SURE}


def test_what_was_rewritten_otherwise_is_unclear(fix: Fix) -> None:
    other = OLD.replace(b"    body =", b"    while not stream.has(length):\n        stream.wait(kind)\n    body =")
    fix.fork("other", {"src/blocks.py": other})
    fix.commit()
    fix.index()
    form, certainty = fix.forms("HEAD", code=0)["other"]
    assert (form, certainty) == ("unclear", None)


def test_a_changed_literal_is_told_from_another_and_a_rename_is_none(fix: Fix) -> None:
    old, new = OLD.replace(b"take(8)", b"take(16)"), OLD.replace(b"take(8)", b"take(32)")
    fix.project.commit({"src/blocks.py": old})
    fix.fork("behind", {"b.py": old})
    fix.fork("renamed-behind", {"b.py": renamed(old)})
    fix.fork("ahead", {"b.py": renamed(new)})
    fix.commit({"src/blocks.py": new})
    fix.index()
    assert fix.forms("HEAD", code=1) == {"behind": OLD_SURE, "renamed-behind": OLD_SURE, "ahead": NEW_SURE}


def test_a_moved_file_and_a_moved_function_are_no_change(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.index()
    fix.project.git("mv", "src/blocks.py", "blocks.py")
    fix.project.commit()
    assert fix.answer("HEAD", code=0)["functions"] == []
    fix.project.commit({"blocks.py": LEVELS, "reading.py": b"import os\n\n\n" + OLD})
    assert fix.answer("HEAD", code=0)["functions"] == []
    # A change in a function that is moved at once is one.
    fix.project.commit({"reading.py": b"import os\n", "again.py": b"import sys\n\n\n" + NEW})
    assert fix.forms("HEAD", code=1) == {"behind": OLD_SURE}


def test_the_fix_may_split_a_function(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("ahead", {"src/blocks.py": split(NEW)})
    fix.commit({"src/blocks.py": split(NEW)})
    fix.index()
    found = fix.answer("HEAD", code=1)["functions"]
    first = {
        at["repository"].split("/")[1]: item["form"] for item in found[0]["locations"] for at in item["occurrences"]
    }
    assert first == {"behind": "old", "ahead": "new"}


def test_a_removed_function_has_no_new_form_and_an_added_one_no_old_form(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("ahead", {"src/new.py": ROUTES})
    fix.index()
    fix.project.commit({"src/blocks.py": LEVELS})
    assert fix.forms("HEAD", code=1) == {"behind": OLD_SURE}
    fix.project.commit({"src/new.py": ROUTES})
    assert fix.forms("HEAD", code=0) == {"ahead": NEW_SURE}


def test_white_space_comments_imports_tests_and_other_files_are_no_fix(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD, "tests/test_blocks.py": OLD, "logo.png": b"\x89PNG\0\0", "x.json": b"{}"})
    fix.index()
    fix.project.commit(
        {"src/blocks.py": respaced(OLD) + b"\r\n\r\n" + LEVELS, "logo.png": b"\x89PNG\0\1", "x.json": b"[]"}
    )
    answer = fix.answer("HEAD", code=0)
    assert answer["functions"] == []
    assert answer["skipped"] == {"binary": 1, "data_file": 1}
    fix.project.commit({"src/blocks.py": b"import os\n" + OLD + b"\n\n" + LEVELS, "NEWS.md": b"# News\n\nFixed.\n"})
    assert fix.answer("HEAD", code=0)["functions"] == []
    fix.project.commit({"tests/test_blocks.py": OLD})
    fix.project.commit({"tests/test_blocks.py": NEW})
    answer = fix.answer("HEAD", code=0)
    assert (answer["functions"], answer["tests"]) == ([], 1)
    assert fix.forms("--tests", "HEAD", code=1) == {"behind": OLD_SURE}


def test_code_outside_of_functions_is_looked_up(fix: Fix) -> None:
    table = (
        b"LIMITS = {\n"
        + b"".join(b'    "name_%d": (%d, "unit_%d", True),\n' % (n, n * 7, n % 3) for n in range(20))
        + b"}\n"
    )
    fixed = table.replace(b'"name_9": (63,', b'"name_9": (64,')
    fix.project.commit({"limits.py": table})
    fix.fork("behind", {"limits.py": table})
    fix.fork("ahead", {"limits.py": fixed})
    fix.commit({"limits.py": fixed})
    fix.index()
    assert fix.forms("HEAD", code=1) == {"behind": OLD_SURE, "ahead": NEW_SURE}
    [function] = fix.answer("HEAD", code=1)["functions"]
    assert not function["is_function"]


def test_a_merge_is_compared_with_its_first_parent_and_a_root_commit_with_nothing(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("ahead", {"src/blocks.py": NEW})
    fix.index()
    root = fix.project.git("rev-parse", "HEAD")
    fix.project.git("checkout", "--quiet", "-b", "fix")
    fix.commit()
    fix.project.git("checkout", "--quiet", "main")
    fix.project.commit({"other.py": ROUTES})
    fix.project.git("merge", "--quiet", "--no-ff", "-m", "Merge", "fix")
    assert fix.forms("HEAD", code=1) == {"behind": OLD_SURE, "ahead": NEW_SURE}
    names = {item["name"]: {loc["form"] for loc in item["locations"]} for item in fix.answer(root, code=0)["functions"]}
    assert names["read_block"] <= {"new", "unclear"}


def test_a_range_is_all_that_its_commits_changed_together(fix: Fix) -> None:
    half = NEW.replace(b'"length", length', b'"size", 0')
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("half", {"src/blocks.py": half})
    fix.fork("ahead", {"src/blocks.py": NEW})
    fix.commit({"src/blocks.py": half + b"\n\n" + LEVELS})
    fix.commit()
    fix.index()
    assert fix.forms("HEAD", code=1)["half"] == OLD_SURE
    found = fix.forms("HEAD~2..HEAD", code=1)
    assert (found["behind"], found["ahead"]) == (OLD_SURE, NEW_SURE)
    assert found["half"][0] != "old"


def test_the_project_itself_counts_where_that_is_asked_for(fix: Fix) -> None:
    fix.index("project")
    fix.commit()
    answer = fix.answer("HEAD", code=0)
    assert answer["own"] == ["example.org/me/blocks"]
    assert [item["locations"] for item in answer["functions"]] == [[]]
    assert fix.forms("--itself", "HEAD", code=1) == {"me": OLD_SURE}
    assert fix.answer("--itself", "--own", "example.org/*", "HEAD", code=0)["old"] == 0
    assert fix.answer("--itself", "--not-repository", "example.org/me/*", "HEAD", code=0)["old"] == 0


@pytest.mark.parametrize("state", ["before", "after"])
def test_a_diff_of_files_as_they_were_or_as_they_are(fix: Fix, state: str) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.index()
    fix.commit()
    diff = fix.project.git("diff", "HEAD^", "HEAD").encode() + b"\n"
    if state == "before":
        fix.project.git("checkout", "--quiet", "HEAD^")
    assert fix.forms("--diff", "-", code=1, stdin=diff) == {"behind": OLD_SURE}
    (fix.folder / "fix.patch").write_bytes(diff)
    assert fix.forms("--diff", "../fix.patch", code=1) == {"behind": OLD_SURE}
    fix.project.write({"src/blocks.py": ROUTES})
    printed = fix.wherefrom("fixed", "--diff", "../fix.patch", code=2)
    assert "the diff does not apply to src/blocks.py at line" in printed


@pytest.mark.parametrize("state", ["before", "after", "half"])
def test_a_diff_says_the_same_as_its_commit(fix: Fix, state: str) -> None:
    fix.project.commit({"lib/moved.py": ROUTES, "gone.py": OTHERS["lib/other1.py"][:240]})
    fix.fork("behind", {"src/blocks.py": OLD, "b/routes.py": ROUTES, "x.py": OTHERS["lib/other1.py"][:240]})
    fix.index()
    (fix.project.folder / "gone.py").unlink()
    fix.project.git("mv", "lib/moved.py", "routes.py")
    fixed_routes = ROUTES.replace(b"if distance > ", b"if place is None or distance > ")
    fix.project.commit({"src/blocks.py": NEW + b"\n\n" + LEVELS, "routes.py": fixed_routes, "src/new.py": OWN})
    expected = fix.answer("HEAD", code=1)["functions"]
    assert {item["path"]: (item["old_path"], item["old"] is None, item["new"] is None) for item in expected} == {
        "src/blocks.py": ("src/blocks.py", False, False),
        "routes.py": ("lib/moved.py", False, False),
        "src/new.py": (None, True, False),
        "gone.py": ("gone.py", False, True),
    }
    diff = fix.project.git("diff", "-M", "HEAD^", "HEAD").encode() + b"\n"
    if state == "before":
        fix.project.git("checkout", "--quiet", "HEAD^")
    elif state == "half":
        fix.project.git("checkout", "--quiet", "HEAD^", "--", "src/blocks.py", "gone.py")
    assert fix.answer("--diff", "-", code=1, stdin=diff)["functions"] == expected


def test_a_file_of_a_diff_that_is_too_large_is_counted(fix: Fix) -> None:
    fix.index()
    fix.commit()
    diff = fix.project.git("diff", "HEAD^", "HEAD").encode() + b"\n"
    for given in (("HEAD",), ("--diff", "-")):
        answer = fix.answer(*given, "--max-file-size", "200", code=0, stdin=diff)
        assert (answer["functions"], answer["skipped"]) == ([], {"too_large": 1})


def test_hostile_paths_are_shown_as_they_can_be(fix: Fix) -> None:
    name = "a\x1b[31m\nb'\".py"
    fix.project.commit({name: OLD})
    fix.fork("behind", {name: OLD, "-rf.py": OLD})
    fix.commit({name: NEW})
    fix.index()
    assert fix.forms("HEAD", code=1) == {"behind": OLD_SURE}
    for form in ("text", "sarif"):
        shown = fix.wherefrom("fixed", "--format", form, "HEAD", code=1)
        assert "\x1b" not in shown
    assert "␛[31m␊b" in fix.wherefrom("fixed", "HEAD", code=1)


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (("no-such",), "has no revision 'no-such'"),
        (("--output",), "No such option"),
        ((), "name the commit that fixed something"),
        (("HEAD", "--diff", "x.patch"), "cannot read the diff"),
        (("--project", "nowhere", "HEAD"), "nowhere is not a folder here, and no repository in the index matches"),
        (
            ("--project", "../index.wherefrom", "HEAD"),
            "is not a git repository; name the one that was fixed (--project), or give the change (--diff FILE)\n",
        ),
    ],
)
def test_what_is_wrong_is_said_on_one_line(fix: Fix, arguments: tuple[str, ...], printed: str) -> None:
    fix.index()
    assert printed in fix.wherefrom("fixed", *arguments, code=2)


def test_the_project_may_be_an_indexed_repository(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.commit()
    fix.index("project")
    fix.wherefrom.folder = fix.folder
    for name in ("me/blocks", "example.org/me/*"):
        assert fix.forms("--project", name, "HEAD", code=1) == {"behind": OLD_SURE}
    assert "may be example.org/" in fix.wherefrom("fixed", "--project", "blocks", "HEAD", code=2)


def test_what_is_indexed_nowhere_is_named_once(fix: Fix) -> None:
    fix.project.commit({"a.py": OLD, "b.py": OLD})
    fix.commit({"a.py": NEW, "b.py": NEW})
    fix.index()
    assert "\nindexed nowhere: read_block\n" in fix.wherefrom("fixed", "HEAD", code=0)


def test_a_shallow_clone_without_the_commit_before(fix: Fix) -> None:
    fix.commit()
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.index()
    fix.project.git("clone", "--quiet", "--depth=1", f"file://{fix.project.folder}", "../shallow")
    printed = fix.wherefrom("fixed", "--project", "../shallow", "HEAD", code=2)
    assert "not the commit before it" in printed
    assert "--deepen" in printed


def test_sarif_has_a_result_for_each_function_with_an_old_form(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("ahead", {"src/blocks.py": NEW})
    fix.commit()
    fix.index()
    log = json.loads(fix.wherefrom("fixed", "--format", "sarif", "HEAD", code=1))
    sarif_schema().validate(log)
    [result] = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("old-form", "warning")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/blocks.py"
    [related] = result["relatedLocations"]
    assert "behind" in related["message"]["text"]


def test_text_shows_both_sides_of_what_was_changed(fix: Fix) -> None:
    fix.fork("behind", {"src/blocks.py": OLD})
    fix.fork("ahead", {"src/blocks.py": NEW})
    fix.commit()
    fix.index()
    shown = fix.wherefrom("fixed", "HEAD", code=1)
    assert "     6 +     if length > limit:" in shown
    assert "  old form, sure (-1.00)  example.org/behind/blocks  src/blocks.py:5-6" in shown
    assert '     5           raise stream.refuse("kind", kind)\n     6       body = stream.take(length)' in shown
    assert "  new form, sure (+1.00)  example.org/ahead/blocks  src/blocks.py:" in shown
    assert "1 location with an old form, 1 with a new one, of 1 changed function" in shown
