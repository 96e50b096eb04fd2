"""A place's URL is that of its host's page, and never leads anywhere else."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.model import Occurrence, Region, RegionPair, Representation
from wherefrom.reports.addresses import address

PAIRS = (
    RegionPair(Region(0, 1, 1, 1), Region(0, 1, 7, 9), 1, Representation.EXACT),
    RegionPair(Region(0, 1, 1, 1), Region(0, 1, 3, 4), 1, Representation.EXACT),
)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("github.com/o/r", "https://github.com/o/r/blob/abc/src/a%20b%23.py#L3-L9"),
        ("gitlab.com/g/s/r", "https://gitlab.com/g/s/r/-/blob/abc/src/a%20b%23.py#L3-9"),
        ("codeberg.org/o/r", "https://codeberg.org/o/r/src/commit/abc/src/a%20b%23.py#L3-L9"),
        ("bitbucket.org/o/r", "https://bitbucket.org/o/r/src/abc/src/a%20b%23.py#lines-3:9"),
        ("git.example.org/o/r", "https://git.example.org/o/r"),
        ("/home/me/a b", "file:///home/me/a%20b/src/a%20b%23.py"),
        ("file:///srv/git/r", "file:///srv/git/r"),
    ],
)
def test_addresses(key: str, expected: str) -> None:
    assert address(Occurrence(key, "src/a b#.py", "b" * 40, "abc"), PAIRS) == expected


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_name_leads_to_another_host_or_scheme(key: str, path: str) -> None:
    url = address(Occurrence(f"github.com/{key}", path, "b" * 40, "abc"), PAIRS)
    assert url.isascii()
    assert (urlsplit(url).scheme, urlsplit(url).netloc) == ("https", "github.com")
