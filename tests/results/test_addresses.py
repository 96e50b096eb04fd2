"""The URL of a location is that of a page of its host, and never leads to another host."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.model import KeyKind, Occurrence, Package, RepositoryRecord
from wherefrom.results import Location, Region

REGIONS = (
    Region(0, 1, 7, 9),
    Region(0, 1, 3, 4),
)


def record(key: str, kind: KeyKind | str) -> RepositoryRecord:
    return RepositoryRecord(key, "/clone", "git", "abc", "", 1, 1, {}, "", key_kind=kind)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("github.com/o/r", "https://github.com/o/r/blob/abc/src/a%20b%23.py#L3-L9"),
        ("gitlab.com/g/s/r", "https://gitlab.com/g/s/r/-/blob/abc/src/a%20b%23.py#L3-9"),
        ("codeberg.org/o/r", "https://codeberg.org/o/r/src/commit/abc/src/a%20b%23.py#L3-L9"),
        ("bitbucket.org/o/r", "https://bitbucket.org/o/r/src/abc/src/a%20b%23.py#lines-3:9"),
        ("git.sr.ht/~o/r", "https://git.sr.ht/~o/r/tree/abc/item/src/a%20b%23.py#L3-9"),
        ("git.example.org/o/r", "https://git.example.org/o/r"),
        ("localhost/o/r", "https://localhost/o/r"),
        ("git.example.org:8443/o/r", "https://git.example.org:8443/o/r"),
    ],
)
def test_a_remote_has_the_address_of_its_host(key: str, expected: str) -> None:
    occurrence = Occurrence(key, "src/a b#.py", "b" * 40, "abc")
    assert Location(occurrence, record(key, KeyKind.REMOTE), REGIONS).url == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("/home/me/a b", "file:///home/me/a%20b/src/a%20b%23.py"),
        ("file:///srv/git/r", "file:///srv/git/r"),
        ("C:/Users/me/a b", "file:///C:/Users/me/a%20b/src/a%20b%23.py"),
        ("//server/share/r", "file://server/share/r/src/a%20b%23.py"),
    ],
)
def test_a_path_has_the_address_of_its_file(key: str, expected: str) -> None:
    occurrence = Occurrence(key, "src/a b#.py", "b" * 40, "abc")
    assert Location(occurrence, record(key, KeyKind.PATH), REGIONS).url == expected


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("git+https://github.com/o/r.git", "https://github.com/o/r.git"),
        ("https://example.org/a b?c=%20#d", "https://example.org/a%20b?c=%20#d"),
        ("javascript:alert(1)", None),
        ("", None),
    ],
)
def test_a_package_has_the_address_of_the_repository_that_its_metadata_names(stated: str, expected: str | None) -> None:
    key = "pkg:npm/x@1"
    packaged = replace(record(key, KeyKind.PACKAGE), kind="package", package=Package(repository=stated))
    assert Location(Occurrence(key, "a.js", "b" * 40, "d" * 64), packaged, REGIONS).url == expected


@pytest.mark.parametrize("key", ["myproj", "my/proj", "github.com/o/r", "/home/me/clone", "localhost"])
@pytest.mark.parametrize("kind", [KeyKind.NAME, "of a newer version"])
def test_a_name_has_no_address(key: str, kind: str) -> None:
    occurrence = Occurrence(key, "a.py", "b" * 40, "abc")
    assert Location(occurrence, record(key, kind), REGIONS).url is None
    assert Location(occurrence, None, REGIONS).url is None


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_name_leads_to_another_host_or_scheme(key: str, path: str) -> None:
    occurrence = Occurrence(f"github.com/{key}", path, "b" * 40, "abc")
    url = Location(occurrence, record(occurrence.repository, KeyKind.REMOTE), REGIONS).url
    assert url is not None
    assert url.isascii()
    assert (urlsplit(url).scheme, urlsplit(url).netloc) == ("https", "github.com")
