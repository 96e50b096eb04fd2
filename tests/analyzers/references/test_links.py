"""URLs are found in prose and comments, without the text after them, and normalized."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.references.targets import LONGEST, canonical, urls


def found(text: str) -> list[str]:
    return [url for _, url in urls(text)]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see http://a.org/b.", "http://a.org/b"),
        ("(http://a.org/b)", "http://a.org/b"),
        ("(see http://a.org/b, or not)", "http://a.org/b"),
        ("http://a.org/b_(c)", "http://a.org/b_(c)"),
        ("(http://a.org/b_(c)).", "http://a.org/b_(c)"),
        ("[text](http://a.org/b)more", "http://a.org/b"),
        ("[http://a.org/b]: x", "http://a.org/b"),
        ("<http://a.org/b>", "http://a.org/b"),
        ("'http://a.org/b';", "http://a.org/b"),
        ("http://a.org/Newton's_law", "http://a.org/Newton's_law"),
        ("*http://a.org/b*c", "http://a.org/b"),
        ("**http://a.org/b**", "http://a.org/b"),
        ('"http://a.org/b\\n"', "http://a.org/b"),
        ("`http://a.org/b`_", "http://a.org/b"),
        ("/*http://a.org/b*/", "http://a.org/b"),
        ("<!--http://a.org/b-->", "http://a.org/b"),
        ("http://a.org/b--c", "http://a.org/b--c"),
        ("«http://a.org/b»。", "http://a.org/b"),
        ("http://a.org/b\x1b[31m", "http://a.org/b"),
        ("HTTPS://a.org/b?c=d&e=f#g!", "HTTPS://a.org/b?c=d&e=f#g"),
        ("from stackoverflow.com/a/12", "https://stackoverflow.com/a/12"),
        ("//www.stackoverflow.com/a/12", "https://www.stackoverflow.com/a/12"),
        ("unix.stackexchange.com/q/5)", "https://unix.stackexchange.com/q/5"),
        ("gist.github.com/a/123,", "https://gist.github.com/a/123"),
    ],
)
def test_what_prose_puts_around_a_url_is_no_part_of_it(text: str, url: str) -> None:
    assert found(text) == [url]


@pytest.mark.parametrize(
    "text",
    ["me@github.com/x", "notgithub.com/x", "a_github.com/x", "http://", "https:// x", "ftp://a.org/b", "a.org/b"],
)
def test_what_is_no_url_is_not_found(text: str) -> None:
    assert found(text) == []


def test_positions_are_those_of_the_first_character() -> None:
    text = "see http://a.org/b and github.com/c/d"
    assert [start for start, _ in urls(text)] == [text.index("http"), text.index("github")]


def test_a_url_without_end_is_left_out_and_the_next_one_found() -> None:
    longest = "http://a.org/" + "b" * (LONGEST - 13)
    assert found(f"{longest} {longest}b http://c.org/d") == [longest, "http://c.org/d"]


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("HTTP://User:secret@A.Org:80/B", "http://a.org/B"),
        ("https://a.org:443", "https://a.org/"),
        ("https://a.org:8443/", "https://a.org:8443/"),
        ("https://a.org./x", "https://a.org/x"),
        ("https://a.org/?utm_source=x&b=1&UTM_medium=y&&c#d", "https://a.org/?b=1&c#d"),
        ("https://a.org/?utm_source=x", "https://a.org/"),
        ("https://a.org/é b%c3%a9\x1b", "https://a.org/%C3%A9%20b%C3%A9%1B"),
        ("https://a.org/100%", "https://a.org/100%"),
    ],
)
def test_a_url_is_written_in_one_way(url: str, written: str) -> None:
    assert canonical(url) == written


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.org/b",
        "http://localhost/b",
        "http:///b",
        "http://a.org:port/",
        "http://[::1/b",
        "http://$host.org/",
        "a.org/b",
        f"http://a.org/{'é' * 500}",
        f"http://{'a' * 64}.org/",
        "",
    ],
)
def test_what_cannot_be_opened_anywhere_is_no_url(url: str) -> None:
    assert canonical(url) is None


@given(st.text(), st.sampled_from(["", "http://a.org/", "https://user@A.org:443/?utm_x=1&"]))
def test_writing_twice_changes_nothing_and_all_is_printable_ascii(text: str, start: str) -> None:
    written = canonical(start + text)
    if written is not None:
        assert written.isascii()
        assert written.isprintable()
        assert " " not in written
        assert canonical(written) == written


@given(st.text("ab:/.()[]<>*_'\"\n\x1b "), st.text("ab.()[]*_' \n"))
def test_whatever_stands_around_it_a_url_is_found_where_it_begins(before: str, after: str) -> None:
    text = f"{before} http://a.org/path {after}"
    assert (len(before) + 1, "http://a.org/path") in list(urls(text))
