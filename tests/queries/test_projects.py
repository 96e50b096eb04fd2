"""Which indexed repositories are one project: what proves it, and what only looks like it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.repositories import Repository
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import encode
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import UnknownRepository, UsageError
from wherefrom.model import BlobDocument, KeyKind, Occurrence, Package, RepositoryRecord, StoredBlob
from wherefrom.options import SearchOptions
from wherefrom.queries.filters import AdmittedBlobs, Filters, OwnPlaces, expanded
from wherefrom.queries.projects import Projects, projects
from wherefrom.results import SameProject

CLONE, URL = "github.com/ada/engine", "https://github.com/ada/engine"

Files = Mapping[str, bytes]


def code(*names: str, folder: str = "", state: str = "") -> dict[str, bytes]:
    """A file of some lines for each name; `state` makes other files of the same names."""
    return {
        f"{folder}{name}.py": "".join(
            f"def {name}_{number}(first, second):\n    return first * {number} + second['{name}{state}']\n"
            for number in range(5)
        ).encode()
        for name in names
    }


ALL = code("api", "cli", "core", "models", "views", folder="src/engine/")
PACKED = code("api", "cli", "core", "models", "views", folder="engine/")


def index(repositories: Mapping[str, Files], urls: Mapping[str, str] | None = None) -> MemoryEngine:
    """An index of repositories; those whose key is a package URL are packages, and `urls` has their metadata."""
    engine, urls, now = MemoryEngine(scheme_ids()), urls or {}, "2026-01-01T00:00:00Z"
    with engine.writer() as writer:
        for key, files in repositories.items():
            for path, content in files.items():
                analysis = analyze_file(path, content)
                assert not isinstance(analysis, str)
                blob = hashlib.sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest()
                tokens = analysis.tokens
                stored = StoredBlob(blob, analysis.language, len(content), len(tokens), encode(tokens))
                writer.add_blobs([BlobDocument(stored, document_terms(tokens))])
                writer.put_occurrences([Occurrence(key, path, blob, "r0")])
            is_package = key.startswith("pkg:")
            writer.put_repository(
                RepositoryRecord(
                    key, key, "package" if is_package else "git", "r0", "digest", len(files), 1, {}, now,
                    key_kind=KeyKind.PACKAGE if is_package else KeyKind.REMOTE,
                    package=Package(repository=urls.get(key, "")) if is_package else None,
                )
            )  # fmt: skip
    return engine


def groups(repositories: Mapping[str, Files], urls: Mapping[str, str] | None = None) -> list[list[str]]:
    """The keys of each project with several names."""
    found = [sorted(project.keys) for project in projects(index(repositories, urls))]
    assert sorted(key for keys in found for key in keys) == sorted(repositories)  # each is in exactly one
    return [keys for keys in found if len(keys) > 1]


@pytest.mark.parametrize(
    "url",
    [
        URL,
        "git+https://GitHub.com/Ada/Engine.git",
        "git@github.com:ada/engine.git",
        "https://github.com/ada/engine/tree/main/packages/engine",
    ],
)
def test_a_package_joins_the_clone_that_its_metadata_names(url: str) -> None:
    package = "pkg:pypi/babbage@1.0"
    assert groups({CLONE: ALL, package: PACKED}, {package: url}) == [[CLONE, package]]
    assert groups({CLONE: ALL, package: PACKED}, {package: "https://github.com/ada/other"}) == []


def test_metadata_is_not_believed_without_the_files() -> None:
    package = "pkg:pypi/engine@1.0"
    other = code("api", "cli", "core", "models", "views", folder="engine/", state="other")
    assert groups({CLONE: ALL, package: other}, {package: URL}) == []


@pytest.mark.parametrize("folder", ["app/_vendor/engine/", "app/copied/engine/", "vendor/engine/"])
def test_a_package_with_a_copy_in_a_folder_is_not_the_project(folder: str) -> None:
    package = "pkg:pypi/engine@1.0"
    copy = code("api", "cli", "core", "models", "views", folder=folder)
    assert groups({CLONE: ALL, package: copy | code("main")}, {package: URL}) == []


def test_a_package_of_a_vendored_folder_is_not_the_project_that_vendors_it() -> None:
    package = "pkg:pypi/zip@1.0"
    vendored = code("inflate", "deflate", "tree", folder="deps/zip/")
    assert groups({CLONE: ALL | vendored, package: code("inflate", "deflate", "tree")}, {package: URL}) == []
    tests = code("inflate", "deflate", "tree", folder="test/zip/")
    assert groups({CLONE: ALL | tests, package: code("inflate", "deflate", "tree")}, {package: URL}) == []
    part = code("inflate", "deflate", "tree", folder="packages/zip/")
    assert groups({CLONE: ALL | part, package: code("inflate", "deflate", "tree")}, {package: URL}) == [
        [CLONE, package]
    ]


def test_most_files_of_an_older_release_may_have_changed_since() -> None:
    package = "pkg:pypi/engine@1.0"
    older = code("api", "cli", "core", folder="engine/") | code("models", "views", folder="engine/", state="old")
    assert groups({CLONE: ALL, package: older}, {package: URL}) == [[CLONE, package]]
    oldest = code("api", "cli", folder="engine/") | code("core", "models", "views", folder="engine/", state="old")
    assert groups({CLONE: ALL, package: oldest}, {package: URL}) == []


def test_a_package_with_much_other_code_joins_only_if_it_has_the_name_too() -> None:
    half = PACKED | code("one", "two", "three", "four")
    for package, joins in (("pkg:pypi/engine@1.0", True), ("pkg:pypi/everything@1.0", False)):
        assert groups({CLONE: ALL, package: half}, {package: URL}) == [[CLONE, package]] * joins


def test_a_package_of_an_older_release_is_compared_with_the_tags_of_the_clone(tmp_path: Path) -> None:
    repository = Repository.make(tmp_path / "engine", code("api", "cli", "core", folder="engine/", state="first"))
    repository.git("tag", "v1")
    revision = repository.commit(ALL)
    package = "pkg:pypi/engine@1.0"
    first = code("api", "cli", "core", folder="engine/", state="first")
    engine = index({CLONE: ALL, package: first}, {package: URL})
    assert [project.keys for project in projects(engine)] == [(CLONE,), (package,)]
    with engine.writer() as writer:
        record = engine.repositories([CLONE])[0]
        writer.put_repository(replace(record, location=str(repository.folder), revision=revision))
    assert [project.keys for project in projects(engine)] == [(CLONE, package)]


def test_the_versions_of_a_package_are_one_project_and_one_of_them_proves_it_for_all() -> None:
    newer, older = "pkg:npm/%40ada/engine@2.0", "pkg:npm/%40ada/engine@1.0"
    files = {CLONE: ALL, newer: PACKED, older: code("first", "draft")}
    assert groups(files, {newer: URL}) == [[CLONE, older, newer]]
    (project,) = projects(index(files, {newer: URL}))
    assert [(name.repository, name.same_as, name.evidence) for name in project.names] == [
        (CLONE, None, None),
        (newer, CLONE, SameProject.NAMED),
        (older, newer, SameProject.VERSION),
    ]
    assert (project.project, project.names[1].shared, project.names[1].files) == (CLONE, 5, 5)


def test_without_metadata_the_name_and_nearly_all_files_must_be_the_same() -> None:
    same, other = "pkg:cargo/engine@1.0", "pkg:cargo/motor@1.0"
    assert groups({CLONE: ALL, same: PACKED, other: PACKED}) == [[CLONE, same]]
    half = code("api", "cli", "core", folder="engine/") | code("one", "two", folder="engine/")
    assert groups({CLONE: ALL, same: half}) == []


def test_packages_that_name_one_repository_need_common_files() -> None:
    one, two, three = "pkg:pypi/engine@1.0", "pkg:npm/engine@3.0", "pkg:npm/plugin@1.0"
    urls = dict.fromkeys((one, two, three), "https://code.example/ada/engine")
    plugin = code("plugin", "more") | code("api", "cli", "core", "models", "views", folder="node_modules/engine/")
    assert groups({one: PACKED, two: PACKED | code("extra"), three: plugin}, urls) == [[two, one]]
    bundle = PACKED | code("start", "stop", "run", folder="other/")
    urls = dict.fromkeys((one, three), "https://code.example/ada/engine")
    assert groups({one: PACKED, three: bundle}, urls) == []
    assert groups({one: PACKED, three: PACKED | code("extra")}, urls) == [[three, one]]


@pytest.mark.thorough
def test_a_package_that_names_no_repository_or_a_moved_one_is_known_by_its_contents() -> None:
    package, names = "pkg:pypi/engine@1.0", [f"part{number}" for number in range(16)]
    clone, packed = code(*names, folder="src/engine/"), code(*names, folder="engine/")
    expected = [[CLONE, package]]
    assert groups({CLONE: clone, package: packed}) == expected
    assert groups({CLONE: clone, package: packed}, {package: "https://github.com/bob/engine"}) == expected
    assert groups({CLONE: clone, package: packed}, {package: "https://github.com/bob/motor"}) == []
    assert groups({CLONE: clone, package: packed | code("start", "stop", folder="other/")}) == expected
    assert groups({CLONE: clone, package: packed | code("start", "stop", "run", folder="other/")}) == []


def test_a_fork_has_most_files_and_a_repository_with_a_copy_has_them_elsewhere() -> None:
    fork = code("api", "cli", "core", "models", folder="src/engine/") | code("views", folder="src/engine/", state="own")
    assert groups({CLONE: ALL, "gitlab.com/eve/motor": fork}) == [[CLONE, "gitlab.com/eve/motor"]]
    copy = code("api", "cli", "core", "models", "views", folder="lib/engine/")
    assert groups({CLONE: ALL, "gitlab.com/eve/user": copy | code("one")}) == []
    larger = ALL | code(*(f"own{number}" for number in range(6)))
    assert groups({CLONE: ALL, "gitlab.com/eve/larger": larger}) == []


@pytest.mark.thorough
def test_files_that_many_repositories_have_and_tiny_ones_prove_nothing() -> None:
    package = "pkg:pypi/engine@1.0"
    everywhere = {f"github.com/x/repository{number}": ALL | code(f"own{number}", *(f"o{number}{at}" for at in range(9)))
                  for number in range(20)}  # fmt: skip
    assert groups({CLONE: ALL, package: PACKED, **everywhere}, {package: URL}) == []
    tiny = {f"src/engine/{number}.py": f"x = {number}\n".encode() for number in range(5)}
    packed = {path.removeprefix("src/"): content for path, content in tiny.items()}
    assert groups({CLONE: tiny, package: packed}, {package: URL}) == []


def test_a_name_with_project_means_all_names_in_every_filter() -> None:
    package, other = "pkg:pypi/engine@1.0", "github.com/bob/zlib"
    engine = index({CLONE: ALL, package: PACKED, other: code("inflate")}, {package: URL})
    for name in ("engine", CLONE, "Ada/Engine", package, "pkg:pypi/engine", "*/engine"):
        assert expanded(engine, [f"project:{name}"]).names == (CLONE, package)
    assert expanded(engine, ["engine", "project:nothing"]).names == ("engine", "project:nothing")
    without = Filters.of(engine, SearchOptions(not_repositories=[f"project:{package}"]))
    assert [key for key in (CLONE, package, other) if without.admits_repository(key)] == [other]
    exact = Filters.of(engine, SearchOptions(not_repositories=[package]))
    assert [key for key in (CLONE, package, other) if exact.admits_repository(key)] == [CLONE, other]


def test_a_name_of_several_projects_is_refused_but_not_one_of_forks() -> None:
    engine = index({CLONE: ALL, "gitlab.com/eve/engine": ALL, "github.com/bob/engine": code("own", "more")})
    with pytest.raises(UsageError, match=r"'project:engine' may be github.com/ada/engine or github.com/bob/engine"):
        expanded(engine, ["project:engine"])
    engine = index({CLONE: ALL, "gitlab.com/eve/engine": ALL})
    assert expanded(engine, ["project:engine"]).names == (CLONE, "gitlab.com/eve/engine")
    assert [project.keys for project in projects(engine, ["engine"])] == [(CLONE, "gitlab.com/eve/engine")]
    with pytest.raises(UnknownRepository, match=r"no repository in the index matches 'engin'; did you mean"):
        projects(engine, ["engin"])


def test_the_groups_are_the_same_from_each_of_their_names() -> None:
    one, two = "pkg:pypi/engine@1.0", "pkg:npm/motor@3.0"
    keys = {CLONE: ALL, "gitlab.com/eve/motor": ALL | code("own"), one: PACKED, two: PACKED}
    engine = index(keys, {one: URL, two: "https://gitlab.com/eve/motor"})
    (project,) = projects(engine)
    assert set(project.keys) == set(keys)
    assert all(Projects(engine).of([key]) == [project] for key in keys)


VENDOR = "github.com/mary/app"


def copies(repositories: Mapping[str, Files], urls: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """The vendored folders of each project that has some, as `KEY FOLDER`."""
    found = {
        project.project: [f"{name.repository} {name.folder}" for name in project.names if name.folder]
        for project in projects(index(repositories, urls))
    }
    return {project: folders for project, folders in found.items() if folders}


@pytest.mark.parametrize("folder", ["vendor/engine", "app/_vendor/engine", "deps", "engine-1.2.0/lib"])
def test_a_vendored_folder_belongs_to_the_project_that_it_is_a_copy_of(folder: str) -> None:
    vendored = code("api", "cli", "core", folder=f"{folder}/") | code("models", "views", folder=f"{folder}/", state="2")
    app = code("main", "window", "menu") | vendored
    assert copies({CLONE: ALL, VENDOR: app}) == {CLONE: [f"{VENDOR} {folder}"]}
    assert copies({"pkg:pypi/engine@1.0": PACKED, VENDOR: app}) == {"pkg:pypi/engine": [f"{VENDOR} {folder}"]}


def test_a_folder_is_not_a_copy_if_most_of_it_is_other_code() -> None:
    few = code("api", "cli", folder="vendor/engine/") | code("core", "models", folder="vendor/engine/", state="2")
    assert copies({CLONE: ALL, VENDOR: few}) == {}
    beside = code("api", "cli", "core", "models", "views", folder="vendor/engine/") | code(
        "x", "y", folder="vendor/zip/"
    )
    assert copies({CLONE: ALL, VENDOR: beside}) == {CLONE: [f"{VENDOR} vendor/engine"]}
    elsewhere = code("api", "cli", "core", "models", "views", folder="copied/engine/")
    assert copies({CLONE: ALL, VENDOR: elsewhere}) == {}
    vendored = code("api", "cli", "core", "models", "views", folder="vendor/engine/")
    larger = code("start", "stop", "run", "wait", "end") | ALL
    assert copies({"github.com/bob/all": larger, CLONE: ALL, VENDOR: vendored}) == {CLONE: [f"{VENDOR} vendor/engine"]}
    unnamed = code("api", "cli", "core", "models", "views", folder="vendor/")
    assert copies({"github.com/bob/all": larger, CLONE: ALL, VENDOR: unnamed}) == {}  # it may be from either
    bundle = code("start", "stop", "run") | code("api", "cli", "core", "models", "views", folder="vendor/engine/")
    both = copies({CLONE: ALL, VENDOR: vendored, "github.com/bob/bundle": bundle})
    assert both == {CLONE: ["github.com/bob/bundle vendor/engine", f"{VENDOR} vendor/engine"]}


def test_a_folder_from_an_older_release_is_compared_with_the_tags_of_the_clone(tmp_path: Path) -> None:
    old = code("api", "cli", "core", "models", folder="src/engine/", state="old")
    repository = Repository.make(tmp_path / "engine", old | code("views", folder="src/engine/"))
    repository.git("tag", "v1")
    revision = repository.commit(ALL)
    vendored = code("api", "cli", "core", "models", folder="vendor/engine/", state="old")
    vendored |= code("views", folder="vendor/engine/")
    engine = index({CLONE: ALL, VENDOR: code("main") | vendored})
    with engine.writer() as writer:
        (record,) = engine.repositories([CLONE])
        writer.put_repository(replace(record, location=str(repository.folder), revision=revision))
    (name,) = [name for project in projects(engine) for name in project.names if name.folder]
    assert (name.repository, name.folder, name.same_as, name.shared, name.files) == (
        VENDOR,
        "vendor/engine",
        CLONE,
        5,
        5,
    )


def test_a_name_with_project_also_means_the_vendored_folders() -> None:
    vendored = code("api", "cli", "core", "models", "views", folder="vendor/engine/")
    engine = index({CLONE: ALL, VENDOR: code("main") | vendored})
    places = {key: [*engine.occurrences(repository=key)] for key in (CLONE, VENDOR)}
    own = OwnPlaces.named(engine, ["project:engine"])
    assert [at.path for at in places[VENDOR] if at not in own] == ["main.py"]
    assert all(at in own for at in places[CLONE])
    assert own.shown() == (CLONE, f"{VENDOR} vendor/engine/")
    without = Filters.of(engine, SearchOptions(not_repositories=["project:engine"]))
    only = Filters.of(engine, SearchOptions(repositories=["project:engine"]))
    for at in (*places[CLONE], *places[VENDOR]):
        assert without.admits(at) == (at.path == "main.py") == (not only.admits(at))
    assert AdmittedBlobs(engine).of(without) == {at.blob for at in places[VENDOR] if at.path == "main.py"}
