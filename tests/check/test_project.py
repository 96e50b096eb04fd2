"""By what a place is named, and by what it is not."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references import References, of_text
from wherefrom.check.project import Names, Project, names_of, person
from wherefrom.model import KeyKind, RepositoryRecord


def named(names: Names, text: str, path: str = "a.py", notices: dict[str, str] | None = None) -> list[tuple[str, int]]:
    project = Project([(notice, of_text(said)) for notice, said in (notices or {}).items()])
    return [(str(each.where), each.line) for each in project.evidence(path, of_text(text), (20, 30), names)]


def remote(key: str, kind: KeyKind = KeyKind.REMOTE) -> RepositoryRecord:
    return RepositoryRecord(key, "/clone", "git", "abc", "", 1, 1, {}, "", key_kind=kind)


@pytest.mark.parametrize(
    ("key", "text", "is_named"),
    [
        ("github.com/Owner/Repo", "https://github.com/owner/repo", True),
        ("github.com/owner/repo", "github.com/owner/repo.git", True),
        ("github.com/owner/repo", "https://github.com/owner/repo/blob/main/x.py#L3", True),
        ("github.com/owner/repo", "https://github.com/owner/repo/issues/3", True),
        ("github.com/owner/repo", "https://raw.githubusercontent.com/owner/repo/main/x.py", True),
        ("github.com/owner/repo", "https://github.com/owner/repository", False),
        ("github.com/owner/repo", "https://github.com/owner", False),
        ("gitlab.com/a/b/c", "https://www.gitlab.com/a/b/c/-/tree/main", True),
        ("gitlab.com/a/b/c", "https://gitlab.com/a/b", False),
        ("git.example.org:8080/a", "http://git.example.org:8080/a/", True),
    ],
)
def test_a_repository_is_named_by_its_address(key: str, text: str, is_named: bool) -> None:
    assert bool(named(names_of(remote(key), None, []), f"# see {text}\n")) == is_named


@pytest.mark.parametrize(
    ("key", "kind", "text"),
    [
        ("/home/me/clone", KeyKind.PATH, "https://home/me/clone"),
        ("example.org/mine", KeyKind.NAME, "https://example.org/mine"),
    ],
)
def test_a_path_or_a_name_is_not_an_address(key: str, kind: KeyKind, text: str) -> None:
    assert named(names_of(remote(key, kind), None, []), f"# see {text}\n") == []
    assert named(names_of(None, None, []), f"# see {text}\n") == []


def test_a_source_that_the_place_names_near_the_code_names_it() -> None:
    theirs = of_text(
        "https://stackoverflow.com/a/11\n" + "\n" * 40 + "https://stackoverflow.com/a/22\nhttps://docs.example.org/"
    )
    names = names_of(None, theirs, [(3, 9)])
    assert named(names, "https://stackoverflow.com/questions/5#11") == [("file", 1)]
    assert named(names, "https://stackoverflow.com/a/22") == []
    assert named(names_of(None, theirs, [(40, 50)]), "https://docs.example.org/") == []


def test_people_are_named_by_the_file_that_holds_the_code_alone() -> None:
    names = names_of(None, of_text("Copyright (c) 2010-2014 Jane Doe <jane@example.org>\n"), [(1, 1)])
    mine = "Copyright 2024 Jane Doe <jane@example.org>"
    assert named(names, mine) == [("file", 1)]
    assert named(names, "", notices={"LICENSE": mine}) == []
    assert named(names, "Copyright 2024 John Doe <john@example.org>") == []
    assert person("2011") == person("(c)") == ""


def test_the_nearest_evidence_comes_first_and_a_notice_speaks_for_its_folder() -> None:
    names = names_of(remote("github.com/o/r"), None, [])
    url = "https://github.com/o/r"
    text = f"{url}/blob/a/b\n" + "\n" * 18 + f"{url}/blob/c/d\n"
    notices = {"README.md": f"\n{url}", "src/NOTICE": url, "src/deep/NOTICE": url}
    assert named(names, text, "src/a.py", notices) == [("match", 20), ("file", 1), ("repository", 2), ("repository", 1)]
    assert len(named(names, f"{url}\n{url}/x\n" + "".join(f"{url}/{at}\n" for at in range(20)))) == 10


def test_licenses_are_those_of_the_file_else_of_the_nearest_folder() -> None:
    project = Project(
        [("LICENSE", of_text("SPDX-License-Identifier: MIT")), ("src/COPYING", of_text("SPDX-License-Identifier: ISC"))]
    )
    assert project.licenses("a.py", References(())) == ("MIT",)
    assert project.licenses("src/a.py", References(())) == ("ISC",)
    assert project.licenses("src/a.py", of_text("SPDX-License-Identifier: 0BSD")) == ("0BSD",)
