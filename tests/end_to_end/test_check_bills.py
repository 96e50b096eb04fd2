"""`wherefrom check` as a bill of materials, on real repositories."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.test_check import LEVELS, OTHERS, ROUTES
from tests.reports.check.bills import is_cyclonedx, is_spdx
from tests.repositories import Repository
from wherefrom.support.version import remedy

EPOCH = "1767323045"


@pytest.fixture
def project(tmp_path: Path) -> tuple[Wherefrom, Repository]:
    """The command in a project that has two functions of another one, and names it beside one of them."""
    header = b"# SPDX-License-Identifier: Apache-2.0\n"
    theirs = Repository.make(tmp_path / "theirs", {"src/a;b.py": header + ROUTES, "levels.py": LEVELS, **OTHERS})
    theirs.git("remote", "add", "origin", "https://github.com/Them/Routes.git")
    wherefrom = Wherefrom(tmp_path)
    wherefrom.indexes("theirs")
    credit = "# From https://github.com/them/routes\nname = 'ü'\n\n\n".encode()
    mine = Repository.make(tmp_path / "mine", {"ä b.py": credit + ROUTES, "levels.py": b"\n" + LEVELS})
    wherefrom.folder = mine.folder
    return wherefrom, theirs


def test_spdx_leads_to_the_same_code_on_both_sides(project: tuple[Wherefrom, Repository]) -> None:
    wherefrom, theirs = project
    text = wherefrom("check", "--format", "spdx", code=1, SOURCE_DATE_EPOCH=EPOCH)
    assert wherefrom("check", "--format", "spdx", code=1, SOURCE_DATE_EPOCH=EPOCH) == text
    value = is_spdx(text)
    assert value["creationInfo"]["created"] == "2026-01-02T03:04:05Z"
    assert value["name"] == "wherefrom check of mine"
    files = {file["SPDXID"]: file for file in value["files"]}
    assert [file["fileName"] for file in files.values()] == ["./levels.py", "./ä b.py"]
    relations = {item["spdxElementId"]: item for item in value["relationships"] if item["relationshipType"] in OF}
    found = {}
    for snippet in value["snippets"]:
        file = files[snippet["snippetFromFile"]]
        content = (wherefrom.folder / file["fileName"]).read_bytes()
        assert file["checksums"][0]["checksumValue"] == hashlib.sha1(content).hexdigest()
        offsets, numbers = snippet["ranges"]
        code = content[offsets["startPointer"]["offset"] - 1 : offsets["endPointer"]["offset"]]
        first, last = (numbers[f"{end}Pointer"]["lineNumber"] for end in ("start", "end"))
        assert b"\n".join(content.split(b"\n")[first - 1 : last]) == code
        relation = relations[snippet["SPDXID"]]
        core, *qualifiers = relation["comment"].split(";")
        there = theirs.git("cat-file", "blob", core.rpartition(":")[2]).split("\n")
        reported = dict(part.split("=", 1) for part in qualifiers)
        assert list(reported) == ["origin", "anchor", "path", "lines"]
        assert reported["origin"] == "https://github.com/Them/Routes"
        path = unquote(reported["path"]).removeprefix("/")
        assert theirs.git("rev-parse", f"{reported['anchor'].rpartition(':')[2]}:{path}") == core.rpartition(":")[2]
        first, last = map(int, reported["lines"].split("-"))
        assert "\n".join(there[first - 1 : last]).encode() == code
        found[file["fileName"]] = (relation["relationshipType"], snippet["licenseConcluded"])
    assert found == {
        "./ä b.py": ("DESCENDANT_OF", "Apache-2.0"),
        "./levels.py": ("VARIANT_OF", "NOASSERTION"),
    }


OF = {"DESCENDANT_OF", "VARIANT_OF"}


def test_cyclonedx_names_the_repository_and_where_its_code_is(project: tuple[Wherefrom, Repository]) -> None:
    wherefrom, theirs = project
    text = wherefrom("check", "--format", "cyclonedx", code=1, SOURCE_DATE_EPOCH=EPOCH)
    assert wherefrom("check", "--format", "cyclonedx", code=1, SOURCE_DATE_EPOCH=EPOCH) == text
    value = is_cyclonedx(text)
    assert value["metadata"]["timestamp"] == "2026-01-02T03:04:05+00:00"
    [component] = value["components"]
    revision = theirs.git("rev-parse", "HEAD")
    assert component["purl"] == f"pkg:github/them/routes@{revision}"
    occurrences = [(item["location"], item["line"]) for item in component["evidence"]["occurrences"]]
    assert sorted(occurrences) == [("levels.py", 2), ("ä b.py", 5)]
    assert [item["name"] for item in component["pedigree"]["ancestors"]] == ["src/a;b.py"]
    assert [item["name"] for item in component["pedigree"]["variants"]] == ["levels.py"]


@pytest.mark.parametrize("output", ["cyclonedx", "spdx"])
def test_a_wrong_date_is_told_before_anything_is_read(tmp_path: Path, output: str) -> None:
    printed = Wherefrom(tmp_path)("check", "nothing-is-here", "--format", output, code=2, SOURCE_DATE_EPOCH="today")
    assert printed == (
        "wherefrom: error: SOURCE_DATE_EPOCH is 'today', not a number of seconds since 1970; "
        "set it to one, or unset it\n"
    )


def test_without_the_extra_one_line_names_it_before_anything_is_read(tmp_path: Path) -> None:
    program = (
        "import sys\nsys.modules['cyclonedx'] = None\nfrom wherefrom.cli import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", str(tmp_path / "nothing"), "--format", "cyclonedx"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    missing = "CycloneDX needs cyclonedx-python-lib, which is not installed"
    assert done.stderr == f"wherefrom: error: {missing}; {remedy('sbom')}\n"
