"""References that name a place, and references that do not."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.references import Reference, References, of_project_file, of_text
from wherefrom.analyzers.references.targets import target
from wherefrom.model import UNKNOWN_LICENSE, KeyKind, Package, RepositoryRecord, SkipReason
from wherefrom.options import Limits
from wherefrom.projects.check.project import Project, declared, origin_of
from wherefrom.queries.attributing.evidence import Origin, Statements, gather, people


def named(
    origin: Origin, text: str, path: str = "a.py", notices: dict[str, str] | None = None
) -> list[tuple[str, int]]:
    """Where a project names an origin, and the lines; hints come last."""
    project = Project([(notice, of_text(content)) for notice, content in (notices or {}).items()])
    gathered = gather(origin, project.statements(path, of_text(text)), [(20, 30)])
    return [(str(reference.where), reference.line) for reference in (*gathered.evidence, *gathered.hints)]


def names_of(
    repository: RepositoryRecord | None,
    own: References | None,
    lines: list[tuple[int, int]],
    notices: dict[str, str] | None = None,
) -> Origin:
    stated = [(notice, of_text(text)) for notice, text in (notices or {}).items()]
    return origin_of(repository, Statements("their.py", own, stated), lines)


def remote(key: str, kind: KeyKind = KeyKind.REMOTE) -> RepositoryRecord:
    return RepositoryRecord(key, "/clone", "git", "abc", "", 1, 1, {}, "", key_kind=kind)


@pytest.mark.parametrize(("is_file", "credited"), [(False, [2, 3]), (True, [1, 2])])
def test_links_near_a_piece_credit_it_and_those_in_the_header_credit_a_file(is_file: bool, credited: list[int]) -> None:
    """Those that are near, but not in the header, are hints for a file."""
    lines = [""] * 60
    for number, line in enumerate((1, 18, 41), 1):
        lines[line] = f"# https://stackoverflow.com/a/{number}"
    origin = origin_of(None, Statements("their.py", of_text("\n".join(lines)), []), [(20, 40)], is_file=is_file)
    assert [*origin.targets] == [target(f"https://stackoverflow.com/a/{number}") for number in credited]
    assert len(origin.in_passing) == is_file


@pytest.mark.parametrize(
    ("key", "text", "is_named"),
    [
        ("github.com/Owner/Repo", "https://github.com/owner/repo", True),
        ("github.com/owner/repo", "github.com/owner/repo.git", True),
        ("github.com/owner/repo", "https://github.com/owner/repo/blob/main/x.py#L3", True),
        ("github.com/owner/repo", "https://github.com/owner/repo/releases/tag/v1", True),
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


def package(key: str, **metadata: str) -> RepositoryRecord:
    return RepositoryRecord(
        key, "/cache", "package", "d" * 64, "", 1, 1, {}, "", key_kind=KeyKind.PACKAGE, package=Package(**metadata)
    )


@pytest.mark.parametrize(
    ("key", "text", "is_named"),
    [
        ("pkg:npm/lodash@4.17.21", "// from lodash", True),
        ("pkg:npm/lodash@4.17.21", "// from lodash.debounce", False),
        ("pkg:npm/lodash@4.17.21", "// pip install lodash", False),
        ("pkg:npm/%40vue/core@3", "// copied from @vue/core@2", True),
        ("pkg:npm/%40vue/core@3", "// copied from core", False),
        ("pkg:pypi/ruamel-yaml@1", "# pip install ruamel.yaml", True),
        ("pkg:maven/com.google.guava/guava@33", "// taken from guava", True),
        ("pkg:maven/com.google.guava/guava@33", "// taken from com.google.guava:guava", True),
        ("pkg:npm/lodash@4", "// see https://github.com/lodash/lodash/blob/main/x.js", True),
        ("pkg:npm/lodash@4", "// see https://example.org/lodash/docs", True),
        ("pkg:npm/lodash@4", "// see https://example.org/other", False),
    ],
)
def test_a_package_is_named_by_its_name_or_by_an_address_in_its_metadata(key: str, text: str, is_named: bool) -> None:
    record = package(key, repository="git+https://github.com/lodash/lodash.git", upstream="https://example.org/lodash/")
    names = names_of(record, None, [])
    project = Project([])
    gathered = gather(names, project.statements("a.js", References(packages_in(text))), [(1, 3)])
    assert bool(gathered.evidence) == is_named


def packages_in(text: str) -> tuple[Reference, ...]:
    """The references that a project's file with one comment has."""
    content = f"{text}\nx = 1\n".encode()
    path = "a.py" if text.startswith("#") else "a.js"
    analysis = Analyzer().file(path, content, Limits())
    assert not isinstance(analysis, SkipReason)
    return of_project_file(content, analysis).found


@pytest.mark.parametrize(
    ("manifest", "path", "where"),
    [
        ("package.json", "src/a.js", ["notice"]),
        ("web/package.json", "web/a.js", ["notice"]),
        ("web/package.json", "src/a.js", []),
    ],
)
def test_a_dependency_that_the_manifest_of_a_folder_declares_names_the_package(
    manifest: str, path: str, where: list[str]
) -> None:
    stated = declared(manifest, b'{"dependencies": {"lodash": "^4"}}')
    project = Project([], [(manifest, stated)])
    names = names_of(package("pkg:npm/lodash@4"), None, [])
    gathered = gather(names, project.statements(path, References(())), [(1, 3)])
    assert [str(evidence.where) for evidence in gathered.evidence] == where


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


@pytest.mark.parametrize("page", ["issues/3", "pull/12", "wiki/Home", "discussions"])
def test_a_link_to_a_page_where_people_talk_credited_no_code(page: str) -> None:
    names = names_of(remote("github.com/owner/repo"), None, [])
    link = f"https://github.com/owner/repo/{page}"
    assert named(names, link) == [("elsewhere", 1)]
    assert named(names, "\n" * 19 + link) == [("elsewhere", 20)]
    assert named(names, "", notices={"NOTICE": link}) == [("elsewhere", 1)]


def test_a_header_with_the_author_of_the_origin_names_it() -> None:
    theirs = of_text("Copyright (c) 2010-2014 Jane Doe <jane@example.org>\n")
    mine = "Copyright 2024 Jane Doe. All rights reserved."
    for names in (names_of(None, theirs, [(1, 1)]), names_of(None, None, [], {"COPYING": "(c) 2009-Present Jane Doe"})):
        assert named(names, mine) == [("file", 1)]
        assert named(names, "", notices={"LICENSE": mine}) == [("notice", 1)]
        assert named(names, "", "src/a.py", notices={"deps/LICENSE": mine}) == [("elsewhere", 1)]
        assert named(names, "", notices={"AUTHORS": mine}) == [("elsewhere", 1)]
        assert named(names, "Copyright 2024 John Doe <john@example.org>") == []


def test_the_license_of_a_project_does_not_speak_for_what_it_vendors() -> None:
    names = names_of(None, of_text("Copyright 2010 Jane Doe"), [(1, 1)])
    notices = {"LICENSE": "\nCopyright 2024 Jane Doe", "NOTICE": "\n\nCopyright 2024 Jane Doe"}
    assert named(names, "", "deps/x/a.py", notices) == [("notice", 2), ("notice", 3)]
    vendored = {**notices, "deps/x/COPYING": "Copyright 2001 John Roe"}
    assert named(names, "", "deps/x/a.py", vendored) == [("notice", 3), ("elsewhere", 2)]
    assert named(names, "", "deps/x/a.py", {**notices, "deps/x/COPYING": "(c) 2001 Jane Doe"})[0] == ("notice", 1)


@pytest.mark.parametrize(
    ("line", "is_named"),
    [
        ("Copyright (c) 2023 HashiCorp, Inc.", True),
        ("Copyright (c) The HashiCorp Authors", True),
        ("Copyright 2014 Terraform contributors", True),
        ("Copyright 2014 HashiCorp Labs", False),
        ("Copyright 2014 IBM Corp.", False),
        ("# thanks to HashiCorp", False),
    ],
)
def test_a_header_with_the_owner_of_the_repository_names_it(line: str, is_named: bool) -> None:
    names = names_of(remote("github.com/hashicorp/terraform"), of_text("Copyright Somebody Else 2026"), [(1, 1)])
    assert named(names, line) == ([("file", 1)] if is_named else [])


@pytest.mark.parametrize(
    ("theirs", "mine", "is_named"),
    [
        (
            "2009-2022 Jeremy Ashkenas, Julian Gonggrijp, and DocumentCloud",
            "2009-2016 Jeremy Ashkenas, DocumentCloud and Investigative Reporters & Editors",
            True,
        ),
        ("2008-2020 Jane Doe and contributors", "2011 Jane Doe", True),
        ("jQuery Foundation, Inc. and other contributors", "2014 jQuery Foundation and other contributors", True),
        ("Django Software Foundation and individual contributors", "2010 Django authors", True),
        ("2001 Smith and Jones", "2001 Adams, Smith and Meyer", False),
        ("Jane Doe, 12 Long Street, Old Town", "John Roe, 12 Long Street, Old Town", False),
        ("Free Software Foundation, 51 Franklin Street, Fifth Floor, Boston", "Free Software Foundation", False),
        ("2012-2020 the original author or authors.", "2012 the original author or authors.", False),
        ("2012 Jane Doe, see the AUTHORS file", "2013 John Roe, see the AUTHORS file", False),
        ("[yyyy] [name of copyright owner]", "[yyyy] [name of copyright owner]", False),
    ],
)
def test_one_of_several_holders_is_enough_and_what_names_nobody_is_not(theirs: str, mine: str, is_named: bool) -> None:
    names = names_of(None, of_text(f"Copyright (c) {theirs}"), [(1, 1)])
    assert bool(named(names, f"Copyright (c) {mine}")) == is_named


def test_a_foundation_that_is_called_like_the_repository_names_it() -> None:
    names = names_of(remote("github.com/jquery/jquery"), of_text("Copyright OpenJS Foundation"), [(1, 1)])
    assert named(names, "Copyright 2005, 2014 jQuery Foundation, Inc. and other contributors") == [("file", 1)]


def test_whom_a_license_names_itself_is_nobody() -> None:
    gpl = "Copyright (C) 1989, 1991 Free Software Foundation, Inc.,"
    assert named(names_of(None, None, [], {"COPYING": gpl}), "", notices={"COPYING": gpl}) == []
    assert people("2011") == people("(c)") == people("[yyyy] [name of copyright owner]") == frozenset()


def test_the_nearest_evidence_comes_first_and_a_notice_speaks_for_its_folder() -> None:
    names = names_of(remote("github.com/o/r"), None, [])
    url = "https://github.com/o/r"
    text = f"{url}/blob/a/b\n" + "\n" * 18 + f"{url}/blob/c/d\n"
    notices = {
        "README.md": f"\n{url}",
        "src/NOTICE": url,
        "src/deep/NOTICE": f"\n\n{url}",
        "NOTICE.txt": f"\n\n\n{url}",
    }
    assert named(names, text, "src/a.py", notices) == [
        *(("match", 20), ("file", 1), ("notice", 1), ("notice", 4)),
        *(("elsewhere", 2), ("elsewhere", 3)),
    ]
    assert len(named(names, f"{url}\n{url}/x\n" + "".join(f"{url}/{at}\n" for at in range(20)))) == 10


def licenses(notices: dict[str, str], path: str, text: str = "") -> tuple[str, ...]:
    project = Project([(notice, of_text(content)) for notice, content in notices.items()])
    return project.statements(path, of_text(text)).licenses([(20, 30)])


def tag(license: str) -> str:
    return f"SPDX-License-Identifier: {license}"


def test_licenses_are_those_of_the_file_else_of_the_nearest_folder() -> None:
    notices = {"LICENSE": tag("MIT"), "src/COPYING": tag("ISC")}
    assert licenses(notices, "a.py") == ("MIT",)
    assert licenses(notices, "src/a.py") == ("ISC",)
    assert licenses(notices, "src/a.py", tag("0BSD")) == ("0BSD",)


def test_a_license_file_of_an_unknown_license_is_not_passed_over() -> None:
    notices = {"LICENSE": tag("MIT"), "deps/x/LICENSE": "The Frob License.\nCopyright 2020 Jane Doe\nFrob at will."}
    assert licenses(notices, "deps/x/a.py") == (UNKNOWN_LICENSE,)
    assert licenses(notices, "a.py") == ("MIT",)
    assert licenses({"LICENSE": "See COPYING.", "COPYING": tag("MIT")}, "a.py") == ("MIT",)
    assert licenses({"README.md": f"words\n{tag('MIT')}"}, "a.py") == ("MIT",)
    reuse = {"LICENSES/curl.txt": tag("curl"), "LICENSES/ISC.txt": tag("ISC")}
    assert licenses(reuse, "a.py") == ("curl", "ISC")
    assert licenses({**reuse, "COPYING": tag("curl")}, "a.py") == ("curl",)
    data = {"LICENSE": tag("MIT"), "test/README.md": f"The texts in here: {tag('CC-BY-3.0')}"}
    assert licenses(data, "test/a.py") == ("MIT",)
    assert licenses({"README.md": "words", "AUTHORS": "Jane"}, "a.py") == ()


@pytest.mark.parametrize(
    "pointer",
    [
        "BSD-3-Clause License\n====================\n\n.. literalinclude:: ../LICENSE.txt\n    :language: text\n",
        "# License\n\nLicensed under the [MIT](https://example.org/mit) license: https://github.com/o/r/blob/main/LICENSE.\n",
    ],
)
def test_a_license_file_that_only_points_to_another_leaves_it_to_the_folder_above(pointer: str) -> None:
    license = f"Copyright 2020 Jane Doe\n{tag('BSD-3-Clause')}"
    notices = {"LICENSE.txt": license, "docs/license.rst": pointer}
    assert licenses(notices, "docs/conf.py") == ("BSD-3-Clause",)
    names = names_of(None, of_text("Copyright 2019 Jane Doe"), [(1, 1)])
    assert named(names, "", "docs/conf.py", notices) == [("notice", 1)]
    # Its links still name their targets, and the nearer license applies.
    linked = names_of(remote("github.com/o/r"), None, [])
    links = {**notices, "docs/license.rst": "https://github.com/o/r/blob/main/LICENSE"}
    assert named(linked, "", "docs/conf.py", links) == [("notice", 1)]
    assert licenses({**notices, "docs/theme/COPYING": tag("ISC")}, "docs/theme/a.py") == ("ISC",)
    assert licenses({"docs/license.rst": pointer, "docs/api/license.rst": pointer}, "docs/api/a.py") == (
        UNKNOWN_LICENSE,
    )


SNIPPET = """\
{outer}
# SPDX-SnippetBegin
# SPDX-SnippetCopyrightText: 2014 Jane Doe
# SPDX-License-Identifier: {license}
{code}
# SPDX-SnippetEnd
"""


def test_an_spdx_snippet_speaks_for_its_own_lines_alone() -> None:
    names = names_of(None, of_text("Copyright 2010 Jane Doe"), [(1, 1)])
    long = "\n" * 60
    around = SNIPPET.format(outer=tag("MIT"), license="ISC", code=long)
    before = SNIPPET.format(outer=tag("MIT"), license="ISC", code="") + long
    assert named(names, around) == [("match", 3)]
    assert named(names, before) == [("elsewhere", 3)]
    assert licenses({}, "a.py", around) == ("ISC",)
    assert licenses({}, "a.py", before) == ("MIT",)
    half = "\n" * 22 + around
    assert named(names, half) == [("elsewhere", 25)]


def test_of_nested_snippets_the_inner_license_holds_and_the_outer_one_speaks_too() -> None:
    names = names_of(None, of_text("Copyright 2010 Jane Doe"), [(1, 1)])
    inner = SNIPPET.format(outer="", license="ISC", code="\n" * 60).replace("Jane Doe", "John Roe")
    both = SNIPPET.format(outer="", license="0BSD", code=inner)
    assert licenses({}, "a.py", both) == ("ISC",)
    assert named(names, both) == [("match", 3)]
    silent = inner.replace("# SPDX-License-Identifier: ISC", "#")
    assert licenses({}, "a.py", SNIPPET.format(outer="", license="0BSD", code=silent)) == ("0BSD",)


def test_an_end_without_a_beginning_ends_nothing_and_a_beginning_without_an_end_goes_on() -> None:
    names = names_of(None, of_text("Copyright 2010 Jane Doe"), [(1, 1)])
    around = SNIPPET.format(outer="# SPDX-SnippetEnd", license="ISC", code="\n" * 60)
    assert named(names, around) == [("match", 3)]
    assert named(names, around.replace("# SPDX-SnippetEnd", "")) == [("match", 3)]
