"""`wherefrom compare` on real code: which submissions share code, and which code does not count."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import renamed
from tests.repositories import Repository
from tests.schemas import schema

SCHEMA = schema("compare")


def source(name: str) -> bytes:
    return module_source(name)


def changed(name: str) -> bytes:
    """A module with all variables renamed."""
    return renamed(source(name).decode()).encode()


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def named_pairs(answer: dict[str, Any]) -> list[set[str]]:
    names = [submission["name"] for submission in answer["submissions"]]
    return [{names[pair["left"]], names[pair["right"]]} for pair in answer["pairs"]]


@pytest.fixture
def class_of_four(wherefrom: Wherefrom) -> Path:
    """Four submissions of one file each: two of them are one program, with other variables."""
    return write(
        wherefrom.folder / "hand-ins",
        {
            "ann/queue.py": source("heapq"),
            "bob/mine.py": changed("heapq"),
            "cleo/text.py": source("textwrap"),
            "dan/search.py": source("bisect") + source("fnmatch"),
        },
    )


def test_a_renamed_copy_is_the_only_pair(wherefrom: Wherefrom, class_of_four: Path) -> None:
    answer = wherefrom.json("compare", class_of_four)

    jsonschema_rs.validate(SCHEMA, answer)
    assert named_pairs(answer) == [{"ann/queue.py", "bob/mine.py"}]
    [pair] = answer["pairs"]
    assert pair["similarity"] > 0.9
    assert pair["left_containment"] > 0.9
    assert pair["right_containment"] > 0.9
    assert answer["counts"]["possible_pairs"] == 6
    assert answer["counts"]["found_pairs"] == 1
    assert sum(answer["counts"]["histogram"]) == 1
    assert [cluster["submissions"] for cluster in answer["clusters"]] == [[0, 1]]
    assert answer["submissions"][0]["best_pair"] == 0
    assert answer["submissions"][2]["best_pair"] is None


def test_the_two_sides_of_a_region_are_the_same_code(wherefrom: Wherefrom, class_of_four: Path) -> None:
    answer = wherefrom.json("compare", class_of_four)

    [pair] = answer["pairs"]
    [files] = pair["files"]
    contents = [(class_of_four / answer["files"][files[side]]["path"]).read_bytes() for side in ("left", "right")]
    assert {region["representation"] for region in files["regions"]} >= {"renamed"}
    for region in files["regions"]:
        texts = [
            content[region[side]["start_byte"] : region[side]["end_byte"]].decode()
            for side, content in zip(("left", "right"), contents, strict=True)
        ]
        for side, content, text in zip(("left", "right"), contents, texts, strict=True):
            before = content[: region[side]["start_byte"]].decode()
            assert region[side]["start_line"] == before.count("\n") + 1
            assert region[side]["end_line"] == region[side]["start_line"] + text.count("\n")
        assert region["tokens"] == region["left_span"][1] - region["left_span"][0]
        assert region["tokens"] == region["right_span"][1] - region["right_span"][0]
        if region["representation"] == "exact":
            assert "".join(texts[0].split()) == "".join(texts[1].split())


def test_the_exit_code_says_whether_pairs_were_found(wherefrom: Wherefrom, class_of_four: Path) -> None:
    assert "ann/queue.py" in wherefrom("compare", class_of_four)
    reported = wherefrom("compare", class_of_four / "cleo", class_of_four / "dan", code=1)
    assert "no pairs found among 2 submissions, 2 files" in reported
    assert "no such file or folder" in wherefrom("compare", class_of_four / "nobody", code=2)


def test_single_files_archives_and_clones_are_compared(wherefrom: Wherefrom) -> None:
    folder = wherefrom.folder
    file = write(folder, {"one.py": source("heapq")}) / "one.py"
    with zipfile.ZipFile(folder / "two.zip", "w") as archive:
        archive.writestr("two.py", changed("heapq"))
    Repository.make(folder / "three", {"inner/three.py": source("heapq") + b"\nname = 3\n"})

    answer = wherefrom.json("compare", file, folder / "two.zip", folder / "three")

    assert len(answer["submissions"]) == 3
    assert answer["counts"]["found_pairs"] == 3
    assert all(pair["similarity"] > 0.9 for pair in answer["pairs"])


def test_two_clones_of_one_remote_are_two_submissions(wherefrom: Wherefrom) -> None:
    for name in ("ann", "bob"):
        clone = Repository.make(wherefrom.folder / "clones" / name, {"queue.py": source("heapq")})
        clone.git("remote", "add", "origin", "https://github.com/example/assignment")

    answer = wherefrom.json("compare", "--by", "repository", wherefrom.folder / "clones")

    assert [submission["name"] for submission in answer["submissions"]] == ["ann", "bob"]
    assert answer["pairs"][0]["similarity"] == 1


def test_a_folder_is_one_submission_of_several_files(wherefrom: Wherefrom) -> None:
    folder = write(
        wherefrom.folder / "hand-ins",
        {
            "ann/queue.py": source("heapq"),
            "ann/text.py": source("textwrap"),
            "bob/a/all.py": changed("textwrap") + b"\n" + changed("heapq"),
            "cleo/sorted.py": source("bisect"),
        },
    )

    answer = wherefrom.json("compare", "--by", "folder", folder)

    assert named_pairs(answer) == [{"ann", "bob"}]
    [pair] = answer["pairs"]
    assert len(pair["files"]) == 2
    assert pair["left_containment"] > 0.9
    assert pair["right_containment"] > 0.9


def test_submissions_of_one_author_are_not_compared(wherefrom: Wherefrom) -> None:
    folder = write(
        wherefrom.folder / "hand-ins",
        {"ann-1.py": source("heapq"), "ann-2.py": changed("heapq"), "bob-1.py": source("heapq") + b"\nown = 1\n"},
    )

    answer = wherefrom.json("compare", "--author-of", r"^(\w+)-", folder)

    assert named_pairs(answer) == [{"ann-1.py", "bob-1.py"}, {"ann-2.py", "bob-1.py"}]
    assert [submission["author"] for submission in answer["submissions"]] == ["ann", "ann", "bob"]
    assert answer["cut_off"]["shared-author"] == 1
    assert answer["counts"]["possible_pairs"] == 2


def test_authors_are_found_whatever_else_is_named(wherefrom: Wherefrom) -> None:
    folder = write(
        wherefrom.folder / "hand-ins",
        {"ann/1.py": source("heapq"), "ann/2.py": changed("heapq"), "bob/1.py": source("heapq") + b"\nown = 1\n"},
    )
    before = write(wherefrom.folder / "before", {"ann/0.py": source("heapq") + b"\nold = 1\n"})

    for author_of in (r"^(\w+)/", r"^hand-ins/(\w+)|^before/(\w+)"):
        answer = wherefrom.json("compare", "--author-of", author_of, folder, "--archive", before)

        assert [submission["author"] for submission in answer["submissions"]][:3] == ["ann", "ann", "bob"]
        assert named_pairs(answer)[0] <= {
            "hand-ins/ann/1.py",
            "hand-ins/ann/2.py",
            "hand-ins/bob/1.py",
            "before/ann/0.py",
        }
        assert {"hand-ins/ann/1.py", "hand-ins/ann/2.py"} not in named_pairs(answer)
        assert answer["warnings"] == []


def test_names_without_an_author_are_told_of(wherefrom: Wherefrom, class_of_four: Path) -> None:
    code, _, printed = wherefrom.run("compare", "--author-of", r"^student(\d+)-", class_of_four)

    assert code == 0
    assert "no submission has an author by --author-of" in printed


def test_an_archive_is_never_compared_with_itself(wherefrom: Wherefrom) -> None:
    now = write(wherefrom.folder / "now", {"ann.py": source("heapq"), "bob.py": source("textwrap")})
    before = write(wherefrom.folder / "before", {"x.py": changed("heapq"), "y.py": source("heapq") + b"\nold = 1\n"})

    answer = wherefrom.json("compare", now, "--archive", before)

    assert named_pairs(answer) == [{"now/ann.py", "before/x.py"}, {"now/ann.py", "before/y.py"}] or named_pairs(
        answer
    ) == [{"now/ann.py", "before/y.py"}, {"now/ann.py", "before/x.py"}]
    assert all(answer["submissions"][pair["right"]]["role"] == "archive" for pair in answer["pairs"])
    assert answer["counts"]["possible_pairs"] == 5


def test_template_code_counts_for_nothing(wherefrom: Wherefrom) -> None:
    template = write(wherefrom.folder / "handed-out", {"start.py": source("heapq")})
    folder = write(
        wherefrom.folder / "hand-ins",
        {"ann.py": source("heapq") + source("textwrap"), "bob.py": source("heapq") + source("fnmatch")},
    )
    assert len(wherefrom.json("compare", folder)["pairs"]) == 1

    with zipfile.ZipFile(wherefrom.folder / "handed-out.zip", "w") as archive:
        archive.writestr("start.py", source("heapq"))

    for given in (template, template / "start.py", wherefrom.folder / "handed-out.zip"):
        answer = wherefrom.json("compare", "--template", given, folder, code=1)

        assert answer["pairs"] == []
        assert answer["counts"]["boilerplate_tokens"] > answer["counts"]["tokens"] / 3
        for file in answer["files"]:
            content = (folder / file["path"]).read_bytes()
            masked = b"".join(content[region["start_byte"] : region["end_byte"]] for region in file["boilerplate"])
            assert b"def heappush(" in masked
            assert b"class TextWrapper" not in masked
            assert b"def fnmatchcase" not in masked


def test_what_most_submissions_have_counts_for_nothing(wherefrom: Wherefrom) -> None:
    names = ("abc", "ast", "bdb", "cmd", "code", "copy", "csv", "enum", "glob", "gzip", "pprint", "sched", "shlex")
    folder = write(
        wherefrom.folder / "hand-ins",
        {f"{name}.py": source("heapq") + b"\n\n" + source(name) for name in names},
    )

    # These modules have up to a tenth in common by chance, and much more of them is heapq.
    least = ("--min-containment", "0.2")
    answer = wherefrom.json("compare", *least, folder, code=1)
    assert answer["counts"]["found_pairs"] == 0
    assert answer["cut_off"]["common-terms"] > 0
    for file in answer["files"]:
        content = (folder / file["path"]).read_bytes()
        masked = b"".join(content[region["start_byte"] : region["end_byte"]] for region in file["boilerplate"])
        assert b"def heappush(" in masked

    answer = wherefrom.json("compare", *least, "--max-share", "1", folder)
    assert "common-terms" not in answer["cut_off"]
    assert answer["counts"]["found_pairs"] > 0


def test_moved_blocks_are_found_and_marked(wherefrom: Wherefrom) -> None:
    first, second = source("heapq"), source("textwrap")
    folder = write(wherefrom.folder / "hand-ins", {"ann.py": first + second, "bob.py": second + first})

    [pair] = wherefrom.json("compare", folder)["pairs"]

    assert pair["left_containment"] > 0.95
    assert pair["right_containment"] > 0.95
    assert {region["is_moved"] for region in pair["files"][0]["regions"]} == {True, False}


def test_what_is_cut_off_is_counted(wherefrom: Wherefrom) -> None:
    folder = write(
        wherefrom.folder / "hand-ins",
        {f"{number}.py": source("heapq") + b"\nnumber = %d\n" % number for number in range(5)},
    )

    answer = wherefrom.json("compare", "--limit", "3", folder)

    assert len(answer["pairs"]) == 3
    assert answer["counts"]["found_pairs"] == 10
    assert answer["cut_off"]["pairs-beyond-limit"] == 7
    assert [len(cluster["submissions"]) for cluster in answer["clusters"]] == [5]
    reported = wherefrom("compare", "--limit", "3", folder)
    assert "7 pairs found and left out" in reported
    assert "10 pairs found among 5 submissions" in reported


def test_skipped_files_are_listed_with_their_reasons(wherefrom: Wherefrom, class_of_four: Path) -> None:
    write(class_of_four, {"ann/data.bin": b"\0\1\2" * 100, "ann/empty.py": b""})

    answer = wherefrom.json("compare", class_of_four)

    assert answer["skipped"] == {"binary": 1, "empty": 1}
    assert {file["path"]: file["reason"] for file in answer["skipped_files"]} == {
        "ann/data.bin": "binary",
        "ann/empty.py": "empty",
    }


def test_a_source_that_cannot_be_read_does_not_stop_the_others(wherefrom: Wherefrom, class_of_four: Path) -> None:
    broken = wherefrom.folder / "broken.zip"
    broken.write_bytes(b"PK\3\4 and no more")

    code, output, errors = wherefrom.run("compare", class_of_four, broken, "--format", "json")

    answer = json.loads(output)
    assert code == 2
    assert answer["counts"]["found_pairs"] == 1
    assert [failed["repository"] for failed in answer["failed"]] == [str(broken)]
    assert "broken.zip" in errors


def test_hostile_names_are_shown_and_never_obeyed(wherefrom: Wherefrom) -> None:
    names = ("=cmd.py", "<img src=x onerror=alert(1)>.py", "\x1b[31mred.py", "two\nlines.py", "\u202eright.py")
    folder = write(
        wherefrom.folder / "hand-ins",
        {name: source("heapq") + b"\nnumber = %d\n" % number for number, name in enumerate(names)},
    )

    assert "10 pairs found" in wherefrom("compare", folder)  # the fixture `harmless` checks the answer
    rows = list(csv.DictReader(io.StringIO(wherefrom("compare", folder, "--format", "csv"))))
    assert len(rows) == 10
    assert all(not row[side].startswith("=") for row in rows for side in ("left", "right", "left_file", "right_file"))
    answer = wherefrom.json("compare", folder)
    assert {submission["name"] for submission in answer["submissions"]} == set(names)


def test_everything_in_an_index_is_compared(wherefrom: Wherefrom, class_of_four: Path) -> None:
    wherefrom.indexes(class_of_four)

    answer = wherefrom.json("compare")
    by_folder = wherefrom.json("compare", wherefrom.index)

    assert named_pairs(answer) == named_pairs(by_folder) == [{"ann/queue.py", "bob/mine.py"}]
    assert answer["parameters"]["index"] == wherefrom.index
    assert "name what is to be compared" in wherefrom("compare", "--archive", class_of_four, code=2)


def test_boilerplate_sets_of_the_index_count_for_nothing(wherefrom: Wherefrom, class_of_four: Path) -> None:
    wherefrom.indexes(class_of_four / "cleo")
    wherefrom("boilerplate", "add", "queues", class_of_four / "ann" / "queue.py")

    assert wherefrom.json("compare", "--without", "queues", class_of_four, code=1)["pairs"] == []


def test_sets_that_a_setting_names_need_no_index_to_compare_files(wherefrom: Wherefrom, class_of_four: Path) -> None:
    wherefrom.environment["WHEREFROM_WITHOUT"] = "license-*,gone"
    assert len(wherefrom.json("compare", class_of_four)["pairs"]) == 1
    assert "no index" in wherefrom("compare", "--without", "gone", class_of_four, code=2)


def test_the_contents_can_be_read_after_the_files_are_gone(wherefrom: Wherefrom, class_of_four: Path) -> None:
    import wherefrom as library

    wherefrom.indexes("--keep-source", class_of_four)
    found = [library.compare_sources([path], jobs=1) for path in (class_of_four, wherefrom.index)]
    shutil.rmtree(class_of_four)

    for comparison in found:
        [pair] = comparison.pairs
        assert comparison.content(pair.files[0].left) == source("heapq")


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (("--author-of", "(", "."), "not a regular expression"),
        ((".", "--archive", "x", "--with", "y"), "use one of --archive and --with"),
        ((".", "--with", "."), "named twice"),
        (("--template", "nothing-here", "."), "nothing-here"),
        (("--min-tokens", "3", "."), "--min-tokens"),
        (("",), "empty"),
        (("~nobody-of-this-name/a.py",), "no such file or folder"),
        (("a" * 5000,), "no such file or folder"),
        (("--template", "a" * 5000, "."), "no such file or folder"),
    ],
)
def test_wrong_input_is_one_line(wherefrom: Wherefrom, arguments: tuple[str, ...], printed: str) -> None:
    write(wherefrom.folder, {"a.py": source("heapq")})
    assert printed in wherefrom("compare", *arguments, code=2)
