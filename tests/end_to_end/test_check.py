"""`wherefrom check` on real repositories: its findings, its reports, and which findings fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from turbohtml import parse

from tests.end_to_end.conftest import Wherefrom
from tests.queries.test_frameworks import MAKE_BAT, MANAGE
from tests.repositories import Repository
from tests.schemas import sarif_schema, schema
from wherefrom.reports.pages.rendering import assets

MIT = b"""\
MIT License

Copyright (c) 2020 %s

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

ROUTES = b"""\
def shortest_routes(graph, origin):
    distances = {origin: 0}
    previous = {}
    waiting = [(0, origin)]
    while waiting:
        distance, place = heapq.heappop(waiting)
        if distance > distances[place]:
            continue
        for neighbour, length in graph.edges(place):
            through = distance + length
            if neighbour not in distances or through < distances[neighbour]:
                distances[neighbour] = through
                previous[neighbour] = place
                heapq.heappush(waiting, (through, neighbour))
    return distances, previous
"""

LEVELS = b"""\
def water_levels(heights, rainfall, rounds):
    levels = [0.0] * len(heights)
    for number in range(rounds):
        for at, height in enumerate(heights):
            levels[at] += rainfall * (1.0 if at % 2 else 0.5)
            lowest = min((levels[near] + heights[near], near) for near in (at - 1, at + 1) if 0 <= near < len(heights))
            overflow = levels[at] + height - lowest[0]
            if overflow > 0:
                levels[at] -= overflow / 2
                levels[lowest[1]] += overflow / 2
    return [round(level, 6) for level in levels]
"""

OWN = b'''\
class Ledger:
    """Keeps what everybody owes."""

    def __init__(self, currency):
        self.currency = currency
        self.owed = {}

    def add(self, who, amount, reason):
        entry = {"amount": amount, "reason": reason, "settled": False}
        self.owed.setdefault(who, []).append(entry)
        return sum(each["amount"] for each in self.owed[who] if not each["settled"])

    def settle(self, who):
        for entry in self.owed.get(who, ()):
            if not entry["settled"] and entry["amount"] > 0:
                entry["settled"] = True
                yield self.currency, entry["amount"], entry["reason"]
'''

OTHERS = {
    f"lib/other{number}.py": b"".join(
        b"def work_%d_%d(items, scale):\n    total = scale.start_%d\n    for item in items.of_%d(total):\n"
        b"        total = item.weigh_%d(total, scale.%s_%d)\n    return total.finish_%d()\n\n\n"
        % (number, part, part, number, part, b"abcdefgh"[part : part + 1], number, number)
        for part in range(8)
    )
    for number in range(12)
}
"""Code like no other, so that an index is not empty."""

FREE, COPYLEFT = "example.org/them/routes", "example.org/them/water"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two projects: `FREE` under the MIT license, `COPYLEFT` under the GPL."""
    folder = tmp_path_factory.mktemp("theirs")
    routes = Repository.make(
        folder / "routes",
        {
            "src/routes.py": b"import heapq\n\n\n" + ROUTES,
            "LICENSE": MIT % b"Them",
            "docs/make.bat": MAKE_BAT,
            "manage.py": MANAGE,
            **OTHERS,
        },
    )
    routes.git("remote", "add", "origin", f"https://{FREE}.git")
    gpl = b"# SPDX-License-Identifier: GPL-3.0-or-later\n\n"
    water = Repository.make(folder / "water", {"water.py": gpl + LEVELS})
    water.git("remote", "add", "origin", f"https://{COPYLEFT}.git")
    Wherefrom(folder).indexes("routes", "water")
    return folder / "index.wherefrom"


class Project:
    """A project of the user's own, and the command in it."""

    def __init__(self, folder: Path, index: Path) -> None:
        self.wherefrom = Wherefrom(folder, str(index))
        self.repository = Repository.make(folder / "project", {"ledger.py": OWN, "LICENSE": MIT % b"Me"})
        self.repository.git("remote", "add", "origin", "https://example.org/me/project.git")
        self.wherefrom.folder = self.repository.folder

    def write(self, files: dict[str, bytes]) -> None:
        self.repository.write(files)

    def check(self, *arguments: str, code: int = 1, stdin: bytes = b"") -> dict[str, Any]:
        """The answer, which is as the schema says."""
        answer: dict[str, Any] = self.wherefrom.json("check", *arguments, code=code, stdin=stdin)
        jsonschema_rs.validate(schema("check"), answer)
        assert (answer["failing"] > 0) == (code == 1)
        return answer

    def rules(self, *arguments: str, code: int = 1, stdin: bytes = b"") -> list[tuple[str, str, int, int]]:
        """Rule, path, first and last line of each finding that is not accepted."""
        return [
            (item["rule"], item["path"], item["region"]["start_line"], item["region"]["end_line"])
            for item in self.check(*arguments, code=code, stdin=stdin)["findings"]
            if item["accepted"] is None
        ]


@pytest.fixture
def project(tmp_path: Path, index: Path) -> Project:
    return Project(tmp_path, index)


def named(code: bytes, words: str) -> bytes:
    return f"# {words}\n".encode() + code


UNATTRIBUTED, ATTRIBUTED, CONFLICT = "copied-unattributed", "copied-attributed", "license-conflict"


def test_own_code_is_no_finding(project: Project) -> None:
    answer = project.check(code=0)
    assert (answer["findings"], answer["files"], answer["own"]) == ([], 1, [])
    assert answer["units"] >= 2


def test_a_copied_function_is_found_with_its_place_and_license(project: Project) -> None:
    project.write({"maps.py": OWN.replace(b"Ledger", b"Other") + b"\n\n" + ROUTES})
    answer = project.check()
    [finding] = answer["findings"]
    first = (OWN + b"\n\n").count(b"\n") + 1
    assert (finding["rule"], finding["path"], finding["failing"]) == (UNATTRIBUTED, "maps.py", True)
    assert (finding["region"]["start_line"], finding["region"]["end_line"]) == (first, first + ROUTES.count(b"\n") - 1)
    assert finding["licenses"] == ["MIT"]
    [place] = finding["places"]
    assert (place["repository"], place["path"], place["count"]) == (FREE, "src/routes.py", 1)
    assert place["licenses"] == ["MIT"]
    [pair] = place["regions"]
    assert (pair["document"]["start_line"], pair["representation"]) == (4, "exact")


def test_what_generators_write_is_left_out_unless_it_is_asked_for(project: Project) -> None:
    project.write({"docs/make.bat": MAKE_BAT, "manage.py": MANAGE.replace(b"shop", b"store"), "maps.py": ROUTES})
    assert [rule[:2] for rule in project.rules()] == [(UNATTRIBUTED, "maps.py")]
    assert project.check()["boilerplate"] == ["docs/make.bat", "manage.py"]
    printed = project.wherefrom("check", code=1)
    assert "\nleft out as boilerplate, mostly: docs/make.bat, manage.py\n" in printed
    everything = [(UNATTRIBUTED, path) for path in ("docs/make.bat", "manage.py", "maps.py")]
    assert [rule[:2] for rule in project.rules("--include-frameworks")] == everything
    assert [rule[:2] for rule in project.rules("--without", "none")] == [(UNATTRIBUTED, "maps.py")]
    project.wherefrom.environment["WHEREFROM_INCLUDE_FRAMEWORKS"] = "true"
    assert [rule[:2] for rule in project.rules()] == everything
    project.wherefrom.environment["WHEREFROM_WITHOUT"] = "frame*"
    assert [rule[:2] for rule in project.rules()] == [(UNATTRIBUTED, "maps.py")]


def test_a_renamed_copy_is_found_too(project: Project) -> None:
    code = ROUTES
    for old, new in ((b"distance", b"cost"), (b"neighbour", b"other"), (b"waiting", b"queue"), (b"previous", b"came")):
        code = code.replace(old, new)
    project.write({"maps.py": code})
    assert project.rules() == [(UNATTRIBUTED, "maps.py", 1, 15)]


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ({"maps.py": named(ROUTES, f"From https://{FREE}/blob/main/src/routes.py#L4")}, "match"),
        ({"maps.py": named(b"\n" * 20 + ROUTES, f"Parts are from https://{FREE}.")}, "file"),
        ({"maps.py": ROUTES, "NOTICE": f"Routes: https://www.{FREE}/\n".encode()}, "notice"),
        ({"deps/maps.py": ROUTES, "deps/COPYING": b"Copyright 2020 Them\n" + MIT % b"Them"}, "notice"),
    ],
)
def test_a_copy_that_names_its_source_is_attributed(project: Project, files: dict[str, bytes], where: str) -> None:
    project.write(files)
    answer = project.check(code=0)
    [finding] = answer["findings"]
    assert (finding["rule"], finding["failing"]) == (ATTRIBUTED, False)
    evidence = finding["places"][0]["evidence"][0]
    assert evidence["where"] == finding["places"][0]["decided_by"] == where
    assert project.check("--fail-on", ATTRIBUTED)["failing"] == 1


@pytest.mark.parametrize(
    "files",
    [
        {"src/maps.py": ROUTES, "README.md": f"Routes are from https://{FREE}.\n".encode()},
        {"src/maps.py": ROUTES, "deps/routes/LICENSE": MIT % b"Them"},
        {"src/maps.py": ROUTES, "deps/NOTICE": f"https://{FREE}\n".encode()},
        {"src/maps.py": named(b"\n" * 20 + ROUTES, f"See https://{FREE}/issues/12.")},
    ],
)
def test_a_mention_elsewhere_is_shown_as_a_hint_and_credits_nothing(project: Project, files: dict[str, bytes]) -> None:
    project.write(files)
    [finding] = project.check()["findings"]
    [place] = finding["places"]
    assert (finding["rule"], place["decided_by"], place["evidence"]) == (UNATTRIBUTED, "hint", [])
    [hint] = place["hints"]
    where = f"{hint['path']}:{hint['line']}"
    assert files[hint["path"]].decode().splitlines()[hint["line"] - 1].lstrip("# ") in hint["text"]
    assert f"hint only in {where}: " in project.wherefrom("check", code=1)
    assert f"hint only in {where}: " in project.wherefrom("check", "--format", "html", code=1)
    [result] = json.loads(project.wherefrom("check", "--format", "sarif", code=1))["runs"][0]["results"]
    assert f"only in {where}, as a hint" in result["message"]["text"]


def test_a_check_says_which_license_conflicts_it_could_not_judge(project: Project) -> None:
    project.write({"flow.py": LEVELS, "LICENSE": b"The Frob License. Frob at will.\n"})
    answer = project.check()
    assert answer["not_judged"] == {"own-unknown": 1}
    [finding] = answer["findings"]
    assert (finding["licenses"], finding["license_judgment"]) == (["LicenseRef-unknown"], "own-unknown")
    words = "license conflicts not judged for 1 finding: the text of this project's license is not recognized"
    assert words in project.wherefrom("check", code=1)
    assert words in parse(project.wherefrom("check", "--format", "html", code=1)).text
    log = json.loads(project.wherefrom("check", "--format", "sarif", code=1))
    sarif_schema().validate(log)
    notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert [(note["level"], note["message"]["text"]) for note in notes] == [("note", words)]
    (project.repository.folder / "LICENSE").unlink()
    assert project.check()["not_judged"] == {"own-not-stated": 1}


@pytest.fixture
def relicensed(tmp_path: Path) -> Project:
    """A project with a credited copy of another one, which is indexed under the MIT license and, as it is today, under
    the GPL.
    """
    theirs = Repository.make(tmp_path / "theirs", {"water.py": LEVELS, "LICENSE": MIT % b"Them", **OTHERS})
    theirs.git("remote", "add", "origin", f"https://{COPYLEFT}.git")
    theirs.git("tag", "v1.0")
    theirs.commit({"water.py": LEVELS + b"\n\n" + ROUTES, "LICENSE": b"SPDX-License-Identifier: GPL-3.0-or-later\n"})
    Wherefrom(tmp_path).indexes("--from", "-", stdin=b"theirs\ntheirs\twater-1.0\tv1.0\n")
    (tmp_path / "own").mkdir()
    project = Project(tmp_path / "own", tmp_path / "index.wherefrom")
    project.write({"flow.py": named(LEVELS, f"from https://{COPYLEFT}/blob/main/water.py")})
    return project


@pytest.mark.nightly
def test_a_conflict_that_a_release_under_another_license_settles_is_a_note(relicensed: Project) -> None:
    credited, settled = relicensed.check("--baseline", "known.json", "--update-baseline", code=0)["findings"]
    assert (credited["rule"], credited["places"][0]["licenses"]) == (ATTRIBUTED, ["GPL-3.0-or-later"])
    assert (settled["rule"], settled["failing"], settled["accepted"]) == (CONFLICT, False, None)
    where = settled["relicensed"]
    assert (where["repository"], where["path"], where["licenses"]) == ("water-1.0", "water.py", ["MIT"])
    assert json.loads((relicensed.repository.folder / "known.json").read_text())["findings"] == []
    printed = relicensed.wherefrom("check")
    assert "license-conflict: " in printed
    assert "under a license that may not go with this one; it was MIT in water-1.0 (a note)" in printed
    assert "license-conflict (relicensed)" in relicensed.wherefrom("check", "--summary")
    _, result = json.loads(relicensed.wherefrom("check", "--format", "sarif"))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == (CONFLICT, "note")
    assert "; this project is under MIT; the code was MIT in water-1.0." in result["message"]["text"]
    assert "the code was MIT in water-1.0." in parse(relicensed.wherefrom("check", "--format", "html")).text
    for bill in ("spdx", "cyclonedx"):
        assert "license-conflict (MIT in water-1.0)" in relicensed.wherefrom("check", "--format", bill)


def test_code_that_the_release_lacks_stays_a_conflict(relicensed: Project) -> None:
    relicensed.write({"flow.py": named(LEVELS + b"\n\n" + ROUTES, f"from https://{COPYLEFT}/blob/main/water.py")})
    found = [item for item in relicensed.check()["findings"] if item["rule"] == CONFLICT]
    assert [item["relicensed"] for item in found if item["failing"]] == [None]


@pytest.mark.nightly
def test_code_of_restricted_use_is_a_conflict_and_terms_that_are_not_known_are_told(tmp_path: Path) -> None:
    tag = b"# SPDX-License-Identifier: %s\n\n"
    Repository.make(
        tmp_path / "theirs", {"a.py": tag % b"BUSL-1.1" + LEVELS, "b.py": tag % b"Artistic-2.0" + ROUTES, **OTHERS}
    )
    Wherefrom(tmp_path).indexes("theirs")
    (tmp_path / "own").mkdir()
    project = Project(tmp_path / "own", tmp_path / "index.wherefrom")
    project.write({"flow.py": LEVELS, "maps.py": ROUTES})
    answer = project.check()
    assert [(item["rule"], item["path"], item["license_judgment"]) for item in answer["findings"]] == [
        (UNATTRIBUTED, "flow.py", "conflict"),
        (CONFLICT, "flow.py", "conflict"),
        (UNATTRIBUTED, "maps.py", "not-in-table"),
    ]
    assert answer["not_judged"] == {"not-in-table": 1}
    words = "license conflicts not judged for 1 finding: the terms of the license there are not known"
    assert words in project.wherefrom("check", code=1)


@pytest.mark.parametrize("words", ["https://example.org/them/routes2", "https://example.org/them", "them/routes"])
def test_what_names_something_else_attributes_nothing(project: Project, words: str) -> None:
    project.write({"maps.py": named(ROUTES, words)})
    assert project.rules() == [(UNATTRIBUTED, "maps.py", 2, 16)]


def test_a_name_given_by_the_user_makes_no_link(tmp_path: Path) -> None:
    routes = Repository.make(tmp_path / "routes", {"src/routes.py": ROUTES, **OTHERS})
    routes.git("remote", "add", "origin", f"https://{FREE}.git")
    Wherefrom(tmp_path).indexes("--name", "myproj", "routes")
    (tmp_path / "own").mkdir()
    project = Project(tmp_path / "own", tmp_path / "index.wherefrom")
    project.write({"maps.py": named(ROUTES, "see https://myproj")})
    [finding] = project.check()["findings"]
    assert [(place["repository"], place["url"]) for place in finding["places"]] == [("myproj", None)]
    assert finding["rule"] == UNATTRIBUTED
    log = project.wherefrom("check", "--format", "sarif", code=1)
    sarif_schema().validate(json.loads(log))
    page = project.wherefrom("check", "--format", "html", code=1)
    assert "myproj" in log
    assert "https://myproj" not in log
    document = parse(page)
    assert "myproj" in "".join(item.text for item in document.select(".places"))
    links = [str(link.attrs["href"]) for link in document.select("a[href]")]
    assert all(link.startswith("#") for link in links), links
    assert page.count("https://myproj") == 1  # in the code that is shown


def test_what_a_key_is_is_told_by_the_last_run(tmp_path: Path) -> None:
    routes = Repository.make(tmp_path / "routes", {"src/routes.py": ROUTES})
    routes.git("remote", "add", "origin", f"https://{FREE}.git")
    wherefrom = Wherefrom(tmp_path)
    for options, kind in (["--name", FREE], "name"), ([], "remote"):
        assert wherefrom.indexes("routes", *options)["routes"]["status"] == "indexed"
        listed = wherefrom.json("list")["repositories"]
        assert [(item["repository"], item["key_kind"]) for item in listed] == [(FREE, kind)]


def test_a_source_that_both_name_is_attribution(tmp_path: Path) -> None:
    post = b"# https://stackoverflow.com/a/123456\n"
    Repository.make(tmp_path / "theirs", {"a.py": post + ROUTES, **OTHERS})
    Wherefrom(tmp_path).indexes("theirs")
    (tmp_path / "own").mkdir()
    project = Project(tmp_path / "own", tmp_path / "index.wherefrom")
    project.write({"maps.py": b"# see https://stackoverflow.com/questions/9/x/123456#123456\n" + ROUTES})
    [finding] = project.check(code=0)["findings"]
    assert finding["rule"] == ATTRIBUTED
    project.write({"maps.py": b"# see https://stackoverflow.com/a/654321\n" + ROUTES})
    assert project.rules() == [(UNATTRIBUTED, "maps.py", 2, 16)]


def test_a_copied_file_is_named_by_the_links_in_its_header_and_not_by_those_of_its_parts(tmp_path: Path) -> None:
    post = b"# https://stackoverflow.com/a/123456\n"
    ledger = b"import sys\n\n\n" + OWN
    Repository.make(tmp_path / "inside", {"a.py": ledger + post + ROUTES, **OTHERS})
    Repository.make(tmp_path / "header", {"b.py": post + LEVELS + ledger})
    Wherefrom(tmp_path).indexes("inside", "header")
    (tmp_path / "own").mkdir()
    project = Project(tmp_path / "own", tmp_path / "index.wherefrom")
    project.write({"ledger.py": b"", "maps.py": ledger + post + ROUTES, "flow.py": post + LEVELS + ledger})
    flow, maps = project.check()["findings"]
    assert flow["copy"]["identical"]
    assert maps["copy"]["identical"]
    assert (flow["rule"], flow["places"][0]["evidence"][0]["line"]) == (ATTRIBUTED, 1)
    [hint] = maps["places"][0]["hints"]
    assert (maps["rule"], maps["places"][0]["decided_by"], hint["value"]) == (
        UNATTRIBUTED,
        "hint",
        "https://stackoverflow.com/a/123456",
    )


def test_copyleft_code_in_a_permissive_project_is_a_conflict_even_where_it_is_attributed(project: Project) -> None:
    project.write({"flow.py": LEVELS})
    assert [item[0] for item in project.rules()] == [UNATTRIBUTED, CONFLICT]
    project.write({"flow.py": named(LEVELS, f"from https://{COPYLEFT}")})
    assert [item[0] for item in project.rules()] == [ATTRIBUTED, CONFLICT]
    assert [item[0] for item in project.rules("--fail-on", UNATTRIBUTED, code=0)] == [ATTRIBUTED, CONFLICT]
    project.write({"flow.py": b"# SPDX-License-Identifier: GPL-3.0-only\n" + LEVELS})
    assert [item[0] for item in project.rules()] == [UNATTRIBUTED]


@pytest.mark.nightly
def test_the_project_itself_does_not_count_by_remote_path_or_name(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    files = {"maps.py": b"import heapq\n\n\n" + ROUTES, **OTHERS}
    clone = Repository.make(tmp_path / "clone", files)
    clone.git("remote", "add", "origin", "git@example.org:Me/Project.git")
    Wherefrom(tmp_path).indexes("clone")
    project = Project(tmp_path / "own", tmp_path / "index.wherefrom")
    project.write(files)
    assert project.check(code=0)["own"] == ["example.org/Me/Project"]
    project.repository.git("remote", "set-url", "origin", "https://example.org/somebody/else")
    assert project.check()["own"] == []
    assert project.check("--own", "example.org/me/*", code=1)["own"] == []
    assert project.check("--own", "example.org/Me/*", code=0)["own"] == ["example.org/Me/Project"]
    assert project.wherefrom.run("check", str(clone.folder))[0] == 0


@pytest.mark.parametrize("by", ["path", "file URL"])
def test_a_clone_of_an_indexed_mirror_is_that_project(tmp_path: Path, by: str) -> None:
    original = Repository.make(tmp_path / "original", {"maps.py": b"import heapq\n\n\n" + ROUTES, **OTHERS})
    mirror = tmp_path / "mirrors/project.git"
    original.git("clone", "--quiet", "--bare", original.folder, mirror)
    Repository(mirror).git("remote", "remove", "origin")
    Wherefrom(tmp_path).indexes("mirrors")
    Repository(tmp_path).git("clone", "--quiet", mirror if by == "path" else mirror.as_uri(), "clone")
    code, output, _ = Wherefrom(tmp_path / "clone", str(tmp_path / "index.wherefrom")).run("check", "--format", "json")
    assert (code, json.loads(output)["own"]) == (0, [str(mirror)])


def test_only_what_is_staged_counts(project: Project) -> None:
    project.write({"maps.py": ROUTES})
    assert project.rules("--staged", code=0) == []
    project.repository.git("add", "maps.py")
    project.write({"maps.py": b"# changed since\n", "flow.py": LEVELS})
    assert project.rules("--staged") == [(UNATTRIBUTED, "maps.py", 1, 15)]
    assert [item[1] for item in project.rules()] == ["flow.py", "flow.py"]


def test_a_change_is_what_it_adds_and_nothing_else(project: Project) -> None:
    base = project.repository.commit({"maps.py": ROUTES})
    lines = ROUTES.splitlines(keepends=True)
    changed = b"".join([*lines[:3], b"    print('started', origin)\n", *lines[3:]])
    project.repository.commit({"maps.py": changed, "README.md": b"words\n"})
    assert project.rules("--diff", f"{base}..HEAD", code=0) == []
    assert project.rules("--diff", "HEAD~1..", code=0) == []
    half = project.repository.commit({"maps.py": b"".join([*lines[:8], b"        pass\n"])})
    project.repository.commit({"maps.py": ROUTES})
    assert project.rules("--diff", f"{half}..HEAD") == [(UNATTRIBUTED, "maps.py", 9, 15)]
    assert project.rules("--diff", f"{half}...HEAD", "maps.py") == [(UNATTRIBUTED, "maps.py", 9, 15)]
    assert project.rules("--diff", f"{half}..HEAD", "ledger.py", code=0) == []


def test_against_a_merge_base_only_what_the_work_tree_adds_counts(project: Project) -> None:
    project.repository.commit({"flow.py": LEVELS})
    project.repository.git("checkout", "--quiet", "-b", "topic")
    project.repository.commit({"maps.py": ROUTES})
    project.repository.git("checkout", "--quiet", "main")
    project.repository.commit({"more.py": ROUTES.replace(b"\n", b"\n\n")})
    project.repository.git("checkout", "--quiet", "topic")
    assert project.rules("--base", "main") == [(UNATTRIBUTED, "maps.py", 1, 15)]
    project.write({"untracked.py": LEVELS})
    assert [item[:2] for item in project.rules("--base", "main")] == [
        (UNATTRIBUTED, "maps.py"),
        (UNATTRIBUTED, "untracked.py"),
        (CONFLICT, "untracked.py"),
    ]


def test_a_file_that_was_moved_adds_nothing(project: Project) -> None:
    base = project.repository.commit({"maps.py": OWN + b"\n\n" + ROUTES})
    project.repository.git("mv", "maps.py", "moved.py")
    assert project.rules("--staged", code=0) == []
    edited = OWN.replace(b"Ledger", b"Book") + b"\n\n" + ROUTES
    project.write({"moved.py": edited})
    assert project.rules("--base", base, code=0) == []
    project.repository.commit()
    assert project.rules("--diff", f"{base}..HEAD", code=0) == []
    project.write({"moved.py": edited, "again.py": ROUTES})
    assert project.rules("--base", base) == [(UNATTRIBUTED, "again.py", 1, 15)]


def test_a_diff_on_standard_input_is_applied_to_the_work_tree(project: Project) -> None:
    project.write({"ledger.py": OWN + b"\n\n" + ROUTES, "new file.py": LEVELS})
    project.repository.git("add", "--all")
    diff = project.repository.git("diff", "--cached").encode() + b"\n"
    project.repository.git("reset", "--quiet", "--hard")
    first = OWN.count(b"\n") + 3
    expected = [
        (UNATTRIBUTED, "ledger.py", first, first + 14),
        (UNATTRIBUTED, "new file.py", 1, 11),
        (CONFLICT, "new file.py", 1, 11),
    ]
    assert project.rules("--diff", "-", stdin=diff) == expected
    assert not (project.repository.folder / "new file.py").exists()
    project.write({"ledger.py": OWN.replace(b"yield self.currency", b"yield self.money")})
    printed = project.wherefrom("check", "--diff", "-", code=2, stdin=diff)
    assert re.fullmatch(r"wherefrom: error: the diff does not apply to ledger\.py at line \d+; .*\n", printed)


def test_a_baseline_lets_only_new_findings_fail_and_tells_what_is_gone(project: Project) -> None:
    baseline = project.repository.folder / "known.json"
    project.write({"maps.py": ROUTES, "flow.py": LEVELS})
    printed = project.wherefrom("check", "--baseline", "known.json", code=2)
    assert "no baseline known.json; make it with --update-baseline" in printed
    printed = project.wherefrom("check", "--baseline", "known.json", "--update-baseline")
    assert printed.endswith("\n3 accepted findings written to known.json\n")
    kept = json.loads(baseline.read_text())
    assert [(item["path"], item["rule"]) for item in kept["findings"]] == [
        ("flow.py", UNATTRIBUTED), ("flow.py", CONFLICT), ("maps.py", UNATTRIBUTED),
    ]  # fmt: skip
    answer = project.check("--baseline", "known.json", code=0)
    assert {item["accepted"]["by"] for item in answer["findings"]} == {"baseline"}

    # Lines move, a second copy is new, and so is another file; what was known before is still known.
    project.write({"maps.py": b"\n\n# words\n" + ROUTES + b"\n\n" + ROUTES, "more.py": ROUTES})
    assert project.rules("--baseline", "known.json") == [
        (UNATTRIBUTED, "maps.py", 21, 35),
        (UNATTRIBUTED, "more.py", 1, 15),
    ]
    project.repository.git("add", "maps.py")
    assert project.rules("--baseline", "known.json", "--staged") == [(UNATTRIBUTED, "maps.py", 21, 35)]

    project.write({"maps.py": OWN, "more.py": b""})
    assert [item["path"] for item in project.check("--baseline", "known.json", code=0)["stale"]] == ["maps.py"]
    assert "1 entry of the baseline fit" in project.wherefrom("check", "--baseline", "known.json")
    project.repository.git("add", "--all")
    (project.repository.folder / "flow.py").write_bytes(b"")
    staged = project.check("--baseline", "known.json", "--staged", code=0)
    assert [item["path"] for item in staged["stale"]] == ["maps.py"]
    assert project.check("ledger.py", "--baseline", "known.json", code=0)["stale"] == []
    project.check("--baseline", "known.json", "--update-baseline", code=0)
    assert json.loads(baseline.read_text())["findings"] == []


def test_an_entry_of_a_file_that_a_change_only_touches_is_not_stale(project: Project) -> None:
    project.repository.commit({"maps.py": ROUTES})
    project.check("--baseline", "known.json", "--update-baseline", code=0)
    project.write({"maps.py": ROUTES + b"\n\n" + OWN})
    project.repository.git("add", "maps.py")
    assert project.check("--baseline", "known.json", "--staged", code=0)["stale"] == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (
            '{"format": 3, "reader": 2, "findings": []}',
            "this version reads up to 1); upgrade wherefrom, or move it away",
        ),
        ('{"format": 1, "reader": 1, "findings": [{"path": 3}]}', "is not a baseline"),
        ('{"format": 1, "findings": []}', "is not a baseline"),
        ("[]", "is not a baseline"),
        ("\0", "known.json is not a baseline (not JSON); name another file"),
        ("[" * 100_000, "is not a baseline"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_told_and_kept(project: Project, text: str, printed: str) -> None:
    project.write({"known.json": text.encode()})
    for more in ([], ["--update-baseline"]):
        assert printed in project.wherefrom("check", "--baseline", "known.json", *more, code=2)
        assert (project.repository.folder / "known.json").read_text() == text


def test_a_comment_with_a_reason_accepts_a_piece(project: Project) -> None:
    project.write({"maps.py": named(ROUTES, "wherefrom: ok both are from a textbook")})
    [finding] = project.check(code=0)["findings"]
    assert finding["accepted"] == {"by": "comment", "reason": "both are from a textbook"}
    lines = ROUTES.splitlines(keepends=True)
    inside = b"".join([*lines[:4], b"    # wherefrom: ok: agreed with them\n", *lines[4:]])
    project.write({"maps.py": inside})
    assert project.rules(code=0) == []
    project.write({"maps.py": named(ROUTES, "wherefrom: ok")})
    answer = project.check()
    assert answer["unexplained"] == [{"path": "maps.py", "line": 1}]
    assert "`wherefrom: ok` without a reason accepts nothing" in project.wherefrom("check", code=1)
    project.write({"maps.py": b"text = 'wherefrom: ok because'\n" + ROUTES})
    assert len(project.rules()) == 1


def test_policies_choose_what_fails(project: Project) -> None:
    project.write({"flow.py": LEVELS})
    assert project.check("--fail-on", "none", code=0)["fail_on"] == []
    assert project.check("--fail-on", CONFLICT)["failing"] == 1
    config = project.repository.folder / "wherefrom.toml"
    config.write_text('fail_on = ["copied-attributed"]\n')
    assert project.wherefrom.run("check", WHEREFROM_CONFIG=str(config))[0] == 0
    printed = project.wherefrom("check", "--fail-on", "everything", code=2)
    assert (
        "--fail-on must be some of copied-unattributed, copied-attributed, license-conflict, or none alone" in printed
    )


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["--staged", "--base", "main"], "use one of --diff, --staged and --base"),
        (["--diff", "main"], "give A..B or A...B"),
        (["--diff", "main..nothing"], "has no revision 'nothing'"),
        (["--base", "nothing"], "has no revision 'nothing'"),
        (["--diff", "-"], "not a unified diff"),
        (["--update-baseline"], "name it with --baseline FILE"),
        (["--min-tokens", "14"], "--min-tokens must be a whole number of tokens, at least 15, not 14"),
        (["nowhere"], "no such file or folder"),
        (["--without", "nothing"], "no boilerplate set 'nothing'"),
    ],
)
def test_what_cannot_be_checked_is_one_clear_line(project: Project, arguments: list[str], printed: str) -> None:
    assert printed in project.wherefrom("check", *arguments, code=2, stdin=b"what\n")


def test_sarif_is_as_code_scanning_takes_it(project: Project) -> None:
    project.write({"a folder/flow.py": LEVELS, "maps.py": named(ROUTES, f"https://{FREE}")})
    log = json.loads(project.wherefrom("check", "--format", "sarif", code=1))
    sarif_schema().validate(log)
    [run] = log["runs"]
    assert run["automationDetails"]["id"] == "wherefrom/check"
    found = [
        (item["ruleId"], item["level"], item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        for item in run["results"]
    ]
    assert found == [
        (UNATTRIBUTED, "warning", "a%20folder/flow.py"),
        (CONFLICT, "warning", "a%20folder/flow.py"),
        (ATTRIBUTED, "note", "maps.py"),
    ]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert {key: region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")} == {
        "startLine": 1, "startColumn": 1, "endLine": 11, "endColumn": 49,
    }  # fmt: skip
    before = [item["partialFingerprints"] for item in run["results"]]
    project.write({"a folder/flow.py": b"\n\n\n" + LEVELS})
    again = json.loads(project.wherefrom("check", "--format", "sarif", code=1))
    assert [item["partialFingerprints"] for item in again["runs"][0]["results"]] == before


def test_the_page_shows_both_sides_and_runs_nothing(project: Project) -> None:
    hostile = b"# <script>alert(1)</script> \xe2\x80\xae <img src=x onerror=alert(1)>\n"
    lines = ROUTES.splitlines(keepends=True)
    project.write({"maps <b>.py": b"".join([*lines[:5], hostile, *lines[5:]])})
    page = project.wherefrom("check", "--format", "html", code=1)
    document = parse(page)
    own = assets("common.js", "check.js")
    data, script = document.select("script")
    assert data.attrs == {"type": "application/json", "id": "report"}
    json.loads(data.text)
    assert not script.attrs
    assert script.text == own.script
    [policy] = document.select("meta[http-equiv=Content-Security-Policy]")
    assert policy.attrs["content"] == own.policy
    assert not document.select("img, iframe, link, [onerror]")
    assert [item.text for item in document.select("details.file summary h2")] == ["maps <b>.py"]
    sides = [
        "".join(item.text for item in document.select(f".row > {side}")) for side in (":first-child", ":last-child")
    ]
    assert all("heapq.heappush(waiting, (through, neighbour))" in side for side in sides)
    assert "<script>alert(1)</script>" in sides[0]
    assert "\u202e" not in page
    assert {*re.findall(r"https?://[^\s\"<]+", page.replace(own.script, ""))} == {f"https://{FREE}"}


def test_the_text_names_places_and_stays_quiet_in_a_pipe(project: Project) -> None:
    project.write({"maps.py": ROUTES, "flow.py": named(LEVELS, f"from https://{COPYLEFT}")})
    done, text, errors = project.wherefrom.run("check")
    assert (done, errors) == (1, "")
    assert f"{FREE}  src/routes.py:4-18  [MIT]" in text
    assert f"named in flow.py:1: # from https://{COPYLEFT}" in text
    assert "2 findings to look at in 3 files" in text
    assert "evidence, not a verdict" in text


def test_a_plain_folder_and_hostile_names(tmp_path: Path, index: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    wherefrom = Wherefrom(tmp_path, str(index))
    (folder / "-\n\x1b[31m.py").write_bytes(ROUTES)
    (folder / "data.json").write_bytes(b"{}")
    answer = wherefrom.json("check", "plain", code=1)
    assert [item["path"] for item in answer["findings"]] == ["-\n\x1b[31m.py"]
    assert answer["skipped"] == {"data_file": 1}
    assert "is not a git repository" in wherefrom("check", "plain", "--staged", code=2)
    for output in ("text", "html", "sarif"):
        done, _, errors = wherefrom.run("check", "plain", "--format", output)
        assert (done, errors) == (1, "")


def copied_files(*, edited: bool) -> dict[str, bytes]:
    """Four files of a library with two functions each; of one a line may be another."""
    code = {
        f"lib/{name}.py": name_all(ROUTES, name) + b"\n\n" + name_all(LEVELS, name) for name in ("a", "b", "c", "d")
    }
    if edited:
        added = b"    if origin not in graph.names or 0 < graph.count(origin, 7) < 9:\n        raise KeyError(origin)\n"
        code["lib/b.py"] = code["lib/b.py"].replace(b"    previous = {}\n", b"    previous = {}\n" + added)
    return code


def name_all(code: bytes, name: str) -> bytes:
    """The code with names of members that no other file has."""
    words = (b"heappop", b"heappush", b"edges", b"append", b"rainfall", b"overflow", b"lowest", b"neighbour")
    for word in words:
        code = code.replace(word, word + b"_" + name.encode())
    return code


@pytest.fixture(scope="module")
def library_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of a library of four files with two functions each, and of code that is like nothing else."""
    folder = tmp_path_factory.mktemp("library")
    made = Repository.make(folder / "library", {**copied_files(edited=False), "LICENSE": MIT % b"Them"})
    made.git("remote", "add", "origin", f"https://{FREE}.git")
    others = Repository.make(folder / "others", OTHERS)
    others.git("remote", "add", "origin", "https://example.org/some/others.git")
    Wherefrom(folder).indexes("library", "others")
    return folder / "index.wherefrom"


@pytest.fixture
def vendoring(tmp_path: Path, library_index: Path) -> Project:
    """A project that holds that library, one file of it edited."""
    made = Project(tmp_path, library_index)
    made.write({path.replace("lib/", "vendor/lib/"): code for path, code in copied_files(edited=True).items()})
    return made


def test_a_copied_file_is_one_finding_and_a_copied_folder_one_entry(vendoring: Project) -> None:
    answer = vendoring.check()
    copies = {item["path"]: item["copy"] for item in answer["findings"]}
    assert copies.keys() == {f"vendor/lib/{name}.py" for name in "abcd"}
    assert [copies[path]["identical"] for path in sorted(copies)] == [True, False, True, True]
    assert {copy["functions"] for copy in copies.values()} == {2}
    assert 0.8 < copies["vendor/lib/b.py"]["share"] < 1
    assert answer["units"] == 2  # the units of the ledger; no unit of the copies is looked up
    [folder] = answer["folders"]
    assert folder == {
        "path": "vendor/lib", "repository": FREE, "there": "lib", "files": sorted(copies), "checked": 4,
    }  # fmt: skip
    text = vendoring.wherefrom("check", code=1)
    assert f"vendor/lib/  a copy of {FREE} lib/: 4 of 4 files, 3 of them identical; 8 functions" in text
    assert "1 finding to look at in 5 files" in text
    page = parse(vendoring.wherefrom("check", "--format", "html", code=1))
    assert [item.text for item in page.select("section.entry h3")] == ["vendor/lib/"]
    assert len(page.select("#contents tbody tr")) == 1
    assert not page.select("details.file")
    assert not page.select(".sides")


def test_a_copied_file_is_accepted_by_the_baseline_where_it_is_edited_or_renamed(vendoring: Project) -> None:
    vendoring.check("--baseline", "known.json", "--update-baseline", code=0)
    folder = vendoring.repository.folder
    (folder / "vendor/lib").rename(folder / "other")
    edited = copied_files(edited=False)["lib/a.py"] + b"\n\n" + OWN
    vendoring.write({"other/a.py": edited})
    answer = vendoring.check("--baseline", "known.json", code=0)
    assert {item["path"] for item in answer["findings"]} == {f"other/{name}.py" for name in "abcd"}
    assert answer["stale"] == []
    vendoring.check("--baseline", "known.json", "--prune-baseline", code=0)
    kept = json.loads((folder / "known.json").read_text())["findings"]
    assert {item["path"] for item in kept} == {f"other/{name}.py" for name in "abcd"}
    vendoring.write({"more.py": ROUTES + b"\n\n" + copied_files(edited=False)["lib/d.py"]})
    assert {item[1] for item in vendoring.rules("--baseline", "known.json")} == {"more.py"}


def test_a_mark_at_the_top_accepts_a_copied_file_and_one_inside_does_not(vendoring: Project) -> None:
    code = copied_files(edited=False)["lib/a.py"]
    path = "vendor/lib/a.py"
    vendoring.write({path: b"# wherefrom: ok taken with permission\n\nimport heapq\n" + code})
    assert path not in {item[1] for item in vendoring.rules()}
    first, rest = code.split(b"\n", 1)
    vendoring.write({path: first + b"\n    # wherefrom: ok only this\n" + rest})
    assert path in {item[1] for item in vendoring.rules()}


@pytest.mark.parametrize(("lines_before", "is_file"), [(3, True), (22, False)])
def test_a_file_most_of_which_a_change_adds_is_one_finding(
    project: Project, library_index: Path, lines_before: int, is_file: bool
) -> None:
    project.wherefrom.environment["WHEREFROM_INDEX"] = str(library_index)
    code = copied_files(edited=False)["lib/a.py"]
    assert code.count(b"\n") == 28
    project.repository.commit({"vendor/a.py": b"".join(code.splitlines(keepends=True)[:lines_before])})
    project.write({"vendor/a.py": code})
    project.repository.git("add", "vendor")
    [finding] = project.check("--staged")["findings"]
    assert (finding["copy"] is not None) == is_file
    assert finding["region"]["start_line"] == (1 if is_file else lines_before + 1)


def test_what_a_copied_file_has_beyond_the_copy_is_looked_up(vendoring: Project) -> None:
    [(other, code)] = list(OTHERS.items())[:1]
    lines = code.split(b"\n\n\n")[:2]
    path = "vendor/lib/a.py"
    copied = copied_files(edited=False)["lib/a.py"] * 2
    vendoring.write({path: copied + b"\n\n" + b"\n\n\n".join(lines)})
    found = [item for item in vendoring.check()["findings"] if item["path"] == path]
    assert {place["path"] for item in found for place in item["places"]} >= {other, "lib/a.py"}


def test_a_baseline_fits_a_renamed_file_and_not_a_copy_of_it(project: Project) -> None:
    project.write({"maps.py": named(ROUTES, "mine"), "flow.py": LEVELS})
    project.check("--baseline", "known.json", "--update-baseline", code=0)
    (project.repository.folder / "maps.py").rename(project.repository.folder / "renamed.py")
    assert project.check("--baseline", "known.json", code=0)["stale"] == []
    # What a scope leaves out may be where the file is now.
    assert project.check("flow.py", "--baseline", "known.json", code=0)["stale"] == []
    project.write({"again.py": ROUTES, "flow2.py": LEVELS})
    assert {item[1] for item in project.rules("--baseline", "known.json")} == {"flow2.py", "renamed.py"}


def test_pruning_a_baseline_accepts_nothing_new(project: Project) -> None:
    baseline = project.repository.folder / "known.json"
    project.write({"maps.py": ROUTES, "flow.py": LEVELS})
    project.check("--baseline", "known.json", "--update-baseline", code=0)
    project.write({"maps.py": OWN, "more.py": ROUTES + b"\n\n" + ROUTES.replace(b"distances", b"costs")})
    assert project.check("--baseline", "known.json", "--prune-baseline")["stale"] == []
    assert {item["path"] for item in json.loads(baseline.read_text())["findings"]} == {"flow.py"}
    printed = project.wherefrom("check", "--prune-baseline", code=2)
    assert "name it with --baseline FILE" in printed


def test_without_an_index_a_check_fails_and_a_hook_warns(tmp_path: Path) -> None:
    project = Project(tmp_path, tmp_path / "nothing.wherefrom")
    said = project.wherefrom("check", code=2)
    assert "there is no index at" in said
    assert said.endswith("or use --dependencies: it checks against what the project depends on\n")
    done, output, errors = project.wherefrom.run("check", "--staged", "--allow-missing-index")
    assert (done, output) == (0, "")
    assert "warning: nothing was checked: there is no index at" in errors
    hooks = yaml_entries(Path(__file__).parents[2] / ".pre-commit-hooks.yaml")
    assert hooks == ["wherefrom check --staged --allow-missing-index", "wherefrom check --staged --dependencies"]


def test_dependencies_are_indexed_apart_from_the_index_in_use(project: Project) -> None:
    assert "leave --index out" in project.wherefrom("check", "--dependencies", "--index", "other", code=2)
    assert "names no package to index" in project.wherefrom("check", "--dependencies", code=2)


def test_a_check_of_a_fork_names_the_option_for_it(tmp_path: Path) -> None:
    samples = Path(__file__).parents[1] / "analyzers" / "samples"
    files = {f"code.{end}": (samples / f"{name}.sample").read_bytes() for name, end in (("python", "py"), ("go", "go"))}
    wherefrom = Wherefrom(tmp_path, str(tmp_path / "index"))
    for name in ("origin", "fork"):
        Repository.make(tmp_path / name, files)
    wherefrom("index", "origin")
    assert f"Most of it is in {tmp_path}/origin too; if one is a fork" in wherefrom("check", "fork", code=1)
    assert "Most of it" not in wherefrom("check", "fork", "--own", "origin")


def yaml_entries(path: Path) -> list[str]:
    """The commands of the hooks in a file."""
    return [line.partition(": ")[2] for line in path.read_text().splitlines() if line.strip().startswith("entry: ")]


@pytest.mark.nightly
def test_the_text_of_many_findings_is_a_summary_and_the_longest(project: Project) -> None:
    project.write({f"part{number}/maps.py": ROUTES for number in range(40)})
    text = project.wherefrom("check", code=1)
    assert text.count("\n") < 48
    assert "rule                 folders  files  pieces  tokens" in text
    assert "more entries: --all lists them" in text
    everything = project.wherefrom("check", "--all", code=1)
    assert everything.count("/maps.py\n") == 40
    summary = project.wherefrom("check", "--summary", code=1)
    assert "maps.py" not in summary
    assert "40 findings to look at" in summary
    project.check("--baseline", "known.json", "--update-baseline", code=0)
    quiet = project.wherefrom("check", "--baseline", "known.json")
    assert "maps.py" not in quiet
    assert "40 accepted" in quiet
    assert "accepted by the baseline" in project.wherefrom("check", "--baseline", "known.json", "--accepted", "--all")
    assert "use one of them" in project.wherefrom("check", "--all", "--summary", code=2)


def test_several_processes_give_the_answer_of_one(vendoring: Project) -> None:
    vendoring.write({f"part{number}/maps.py": ROUTES + OWN * (number % 3) for number in range(38)})
    vendoring.write({"data.json": b"{}", "part1/notes.md": b"words\n"})
    one, two = (vendoring.check("--jobs", jobs) for jobs in ("1", "2"))
    assert len(one["findings"]) > 38
    del one["seconds"], two["seconds"]
    assert one == two
