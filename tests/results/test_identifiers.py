"""SWHIDs follow their specification, and a reader of package URLs accepts the package URLs."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packageurl import PackageURL

import wherefrom
from tests.repositories import Repository
from tests.results import answers
from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.results import Location, Region
from wherefrom.results.locations import content_swhid
from wherefrom.support.paths import path_text

BLOB, REVISION = "4d99d2d18326621ccdd70f5ea66c2e2ac236ad8b", "2db189928c94d62a3b4757b3eec68f0a4d4113f0"
REGIONS = (
    Region(0, 1, 12, 15),
    Region(0, 1, 9, 10),
)
SWHID = re.compile(
    r"swh:1:cnt:[0-9a-f]{40}(;origin=(?P<origin>[!-:<-~]+))?(;anchor=swh:1:rev:[0-9a-f]{40})?"
    r"(;path=(?P<path>/[!-:<-~]*))?(;lines=\d+(-\d+)?)?"
)


def record(key: str, kind: KeyKind = KeyKind.REMOTE, source: str = "git") -> RepositoryRecord:
    return RepositoryRecord(key, "/clone", source, REVISION, "", 1, 1, {}, "", key_kind=kind)


def purl(found: RepositoryRecord | None, there: Occurrence) -> str | None:
    return Location(there, found).purl


def swhid_of(found: RepositoryRecord | None, there: Occurrence, regions: tuple[Region, ...] = ()) -> str | None:
    return Location(there, found, regions).swhid


def at(key: str = "github.com/o/r", path: str = "src/a.py", blob: str = BLOB, revision: str = REVISION) -> Occurrence:
    return Occurrence(key, path, blob, revision)


def test_the_example_of_the_specification() -> None:
    key, path = "gitorious.org/ocamlp3l/ocamlp3l_cvs", "Examples/SimpleFarm/simplefarm.ml"
    assert swhid_of(record(key), at(key, path), REGIONS) == (
        "swh:1:cnt:4d99d2d18326621ccdd70f5ea66c2e2ac236ad8b"
        ";origin=https://gitorious.org/ocamlp3l/ocamlp3l_cvs"
        ";anchor=swh:1:rev:2db189928c94d62a3b4757b3eec68f0a4d4113f0"
        ";path=/Examples/SimpleFarm/simplefarm.ml"
        ";lines=9-15"
    )
    assert content_swhid(BLOB, REGIONS[1:]) == f"swh:1:cnt:{BLOB};lines=9-10"
    assert content_swhid(BLOB, (Region(0, 1, 7, 7),)) == f"swh:1:cnt:{BLOB};lines=7"
    assert content_swhid(BLOB) == f"swh:1:cnt:{BLOB}"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (record("/home/me/secret", KeyKind.PATH), f";anchor=swh:1:rev:{REVISION};path=/src/a.py"),
        (record("named", KeyKind.NAME), f";anchor=swh:1:rev:{REVISION};path=/src/a.py"),
        (record("github.com/o/r", source="archive"), ";origin=https://github.com/o/r;path=/src/a.py"),
        (record("/folder", KeyKind.PATH, "directory"), ";path=/src/a.py"),
        (None, ";path=/src/a.py"),
    ],
)
def test_only_what_is_known_is_said_and_no_path_of_this_machine(found: RepositoryRecord | None, expected: str) -> None:
    assert swhid_of(found, at()) == f"swh:1:cnt:{BLOB}{expected}"
    if found is None or found.kind != "git" or found.key_kind is not KeyKind.REMOTE:
        assert purl(found, at()) is None


def test_a_sha256_repository_has_package_urls_and_no_swhid() -> None:
    there = at(blob="a" * 64, revision="b" * 64)
    assert swhid_of(record("github.com/o/r"), there, REGIONS) is None
    assert content_swhid("a" * 64, REGIONS) is None
    assert purl(record("github.com/o/r"), there) == f"pkg:github/o/r@{'b' * 64}#src/a.py"
    assert swhid_of(record("github.com/o/r"), at(revision="b" * 64)) == (
        f"swh:1:cnt:{BLOB};origin=https://github.com/o/r;path=/src/a.py"
    )


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("github.com/Owner/Name", "pkg:github/owner/name@REV#src/A%20b%23.py"),
        ("bitbucket.org/Owner/name", "pkg:bitbucket/owner/name@REV#src/A%20b%23.py"),
        ("gitlab.com/Group/sub/name", "pkg:git/gitlab.com/Group/sub/name@REV#src/A%20b%23.py"),
        ("codeberg.org/forgejo/forgejo", "pkg:git/codeberg.org/forgejo/forgejo@REV#src/A%20b%23.py"),
        ("git.example.org:8443/linux", "pkg:git/git.example.org:8443/linux@REV#src/A%20b%23.py"),
        ("github.com/odd/three/parts", "pkg:git/github.com/odd/three/parts@REV#src/A%20b%23.py"),
        ("github.com/one", "pkg:git/github.com/one@REV#src/A%20b%23.py"),
    ],
)
def test_a_remote_has_the_package_url_of_its_host(key: str, expected: str) -> None:
    shown = purl(record(key), at(key, "src/A b#.py"))
    assert shown == expected.replace("REV", REVISION)
    assert Location(at(key), record(key)).repository_purl == shown.partition("#")[0]


@pytest.mark.parametrize("path", ["../etc/passwd", "a/../b", "./a", "a//b", "/a", "\r"])
def test_a_path_that_a_package_url_would_change_has_none(path: str) -> None:
    assert purl(record("github.com/o/r"), at(path=path)) is None


@pytest.mark.parametrize("key", ["host", "host/", "host//a", "host/ ", "host/a/\r", "github.com/a/\udcff"])
def test_a_key_that_a_package_url_cannot_hold_has_none(key: str) -> None:
    assert purl(record(key), at(key)) is None


@given(st.text(min_size=1), st.text(min_size=1))
def test_whatever_a_repository_is_called_both_stay_what_they_are(name: str, path: str) -> None:
    key = f"example.org/{name}"
    swhid = swhid_of(record(key), at(key, path), REGIONS)
    assert swhid is not None
    assert swhid.isascii()
    assert swhid.isprintable()
    found = SWHID.fullmatch(swhid)
    assert found is not None, swhid
    assert unquote(found["origin"], errors="surrogatepass") == f"https://{key}"
    named = purl(record(key), at(key, path))
    if named is not None:
        assert named.isascii()
        assert named.isprintable()
        assert PackageURL.from_string(named).subpath == path


@given(st.binary(min_size=1).filter(lambda path: b"\0" not in path))
def test_the_path_of_a_swhid_has_the_bytes_of_the_file_name(path: bytes) -> None:
    if b"%" in path:  # such a path is ambiguous: it may be percent-encoded bytes or plain text
        return
    swhid = swhid_of(None, at(path=path_text(path)))
    assert swhid is not None
    found = SWHID.fullmatch(swhid)
    assert found is not None, swhid
    assert unquote_to_bytes(found["path"]) == b"/" + path


def test_a_percent_sign_in_a_name_is_one() -> None:
    assert swhid_of(None, at(path="100%25;a")) == f"swh:1:cnt:{BLOB};path=/100%2525%3Ba"
    assert swhid_of(None, at(path="100%ff")) == f"swh:1:cnt:{BLOB};path=/100%25ff"


def test_lines_are_those_of_the_blob_in_which_they_match() -> None:
    hit = answers.search_result().hits[0]
    other, best, *_ = hit.locations
    assert (other.occurrence.blob, best.occurrence.blob) == (answers.OTHER, answers.BLOB)
    assert other.swhid == f"swh:1:cnt:{answers.OTHER};path=/src/near.py;lines=3-6"
    assert best.swhid == f"swh:1:cnt:{answers.BLOB};path=/src/best.py;lines=3-25"
    assert hit.swhid == f"swh:1:cnt:{answers.BLOB};lines=3-25"


@pytest.mark.slow
def test_git_finds_by_them_what_was_found(tmp_path: Path) -> None:
    code = "".join(f"def handler_{name}(request, limit):\n    return request.{name}[limit + 1]\n" for name in "abcdef")
    path = "src/a b;c\udcff/Ünï.py"
    made = Repository.make(tmp_path / "clone", {path: f"import os\n\n\n{code}".encode()})
    made.git("remote", "add", "origin", "https://user:secret@GitHub.com/Owner/Name.git")
    revision, blob = made.git("rev-parse", "HEAD"), made.git("rev-parse", f"HEAD:{path}")
    wherefrom.index_sources([made.folder], tmp_path / "index")
    with wherefrom.open_index(tmp_path / "index") as index:
        result = index.search(code, name="a.py")
        [explained] = index.sources(code, name="a.py").documents
    [location] = result.hits[0].locations
    assert location == explained.locations[0]
    assert location.swhid == (
        f"swh:1:cnt:{blob};origin=https://github.com/Owner/Name;anchor=swh:1:rev:{revision}"
        ";path=/src/a%20b%3Bc%FF/%C3%9Cn%C3%AF.py;lines=4-15"
    )
    assert location.purl == f"pkg:github/owner/name@{revision}#src/a%20b%3Bc%25FF/%C3%9Cn%C3%AF.py"
    written = result.to_dict()["hits"][0]["occurrences"][0]
    assert (written["swhid"], written["purl"]) == (location.swhid, location.purl)
