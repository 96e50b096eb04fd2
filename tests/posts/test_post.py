"""Licenses by day, tags, links."""

from __future__ import annotations

from datetime import date

import pytest

from wherefrom.posts.post import Post, license, tags


@pytest.mark.parametrize(
    ("day", "name"),
    [
        ("2008-07-31", "CC-BY-SA-2.5"),
        ("2011-04-07", "CC-BY-SA-2.5"),
        ("2011-04-08", "CC-BY-SA-3.0"),
        ("2018-05-01", "CC-BY-SA-3.0"),
        ("2018-05-02", "CC-BY-SA-4.0"),
        ("2026-01-01", "CC-BY-SA-4.0"),
    ],
)
def test_the_license_follows_from_the_day(day: str, name: str) -> None:
    assert license(date.fromisoformat(day)) == name


def test_what_the_site_says_comes_first() -> None:
    assert license(date(2010, 1, 1), "CC BY-SA 4.0") == "CC-BY-SA-4.0"
    assert license(date(2010, 1, 1), "  ") == "CC-BY-SA-2.5"


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("<c#><.net><c++>", ("c#", ".net", "c++")),
        ("|c#|.net|c++|", ("c#", ".net", "c++")),
        ("", ()),
        ("python", ("python",)),
    ],
)
def test_tags_of_old_and_new_dumps(written: str, names: tuple[str, ...]) -> None:
    assert tags(written) == names


def test_links() -> None:
    day = date(2012, 1, 1)
    assert Post("stackoverflow.com", 11, 11, day, "", (), "").url == "https://stackoverflow.com/q/11"
    assert Post("stackoverflow.com", 12, 11, day, "", (), "").url == "https://stackoverflow.com/a/12"
