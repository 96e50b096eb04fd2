"""Repository keys from remote URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.sources.repository_urls import (
    comparable,
    is_url,
    key_fits,
    normalised,
    url_key,
    url_key_kind,
    without_credentials,
)
from wherefrom.support.system import system


@pytest.mark.parametrize(
    "url",
    [
        "https://user:pw@GitHub.com/Owner/Repo.git",
        "git@github.com:Owner/Repo",
        "github.com:Owner/Repo.git",
        "ssh://git@github.com:22/Owner/Repo",
        "ssh://git@github.com/Owner/Repo.git/",
        "https://github.com:443//Owner//Repo/",
        "HTTP://GITHUB.com:80/Owner/Repo",
        "git://github.com:9418/Owner/Repo.git",
        "git+ssh://git@github.com/Owner/Repo",
        "git@github.com:/Owner/Repo.git",
        "https://token@github.com/Owner/Repo?token=secret#part",
    ],
)
def test_one_repository_has_one_key(url: str) -> None:
    assert normalised(url) == url_key(url) == "github.com/Owner/Repo"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://example.org:8443/a", "example.org:8443/a"),
        ("ssh://[2001:DB8::1]:2222/a/b.git", "[2001:db8::1]:2222/a/b"),
        ("git@[2001:db8::1]:a/b", "[2001:db8::1]/a/b"),
        ("https://example.org/a.github", "example.org/a.github"),
        ("ssh://host/~user/a", "host/~user/a"),
        ("https://example.org/a\x1b[31m\nb c", "example.org/a%1B[31mb%20c"),
        ("https://example.org/é", "example.org/é"),
    ],
)
def test_different_repositories_have_different_keys(url: str, key: str) -> None:
    assert normalised(url) == key


@pytest.mark.parametrize(
    "url",
    [
        "/srv/repo.git",
        "../repo",
        "~/repo",
        "file:///srv/repo.git",
        "\\\\server\\share\\repo",
        *(("C:/Users/me/repo", "C:\\Users\\me\\repo") if system.HAS_DRIVES else ()),
        "ext::sh -c evil",
        "fd::17",
        "ftp://example.org/a",
        "https://",
        "https:///path",
        "https://example.org",
        "https://example.org/",
        "https://example.org:port/a",
        "https://[::1/a",
        "",
        "repo",
    ],
)
def test_local_paths_and_other_texts_have_no_key(url: str) -> None:
    assert normalised(url) is None


@pytest.mark.skipif(not system.HAS_DRIVES, reason="what would be a path on Windows names a host of ssh here")
def test_paths_of_windows_are_the_same_in_any_case_and_with_any_slash() -> None:
    for one, other in (("C:/Code/a", "c:\\code\\A"), ("//Server/share", "\\\\server\\share")):
        assert comparable(one) == comparable(other)
        assert key_fits(one, f"*{other[-1]}")
    assert comparable("c/Code") != comparable("c/code")


def test_a_file_url_given_by_the_user_is_its_own_key() -> None:
    assert url_key("file:///srv/git/repo.git/") == "file:///srv/git/repo"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://localhost/a", "remote"),
        ("http://localhost:3000/a/b.git", "remote"),
        ("ssh://git@host:2222/a", "remote"),
        ("git@host:a/b", "remote"),
        ("file:///srv/git/repo.git", "path"),
        ("https://example.org", "name"),
        ("https://example.org:port/a", "name"),
    ],
)
def test_the_kind_of_the_key_of_a_url(url: str, kind: str) -> None:
    assert url_key_kind(url) == kind


@pytest.mark.parametrize(
    "spec", ["https://a/b", "http://a/b", "ssh://a/b", "git://a/b", "file:///b", "git@a:b", "u@a:~/b"]
)
def test_urls_are_told_from_paths(spec: str) -> None:
    assert is_url(spec)


@pytest.mark.parametrize(
    "spec", ["a/b", "/a:b", "host:path", "./git@a:b", "ext::sh -c x", "c@d", "a/b@c:d", "u@h::d", ""]
)
def test_paths_are_told_from_urls(spec: str) -> None:
    assert not is_url(spec)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:pw@host/a", "https://host/a"),
        ("https://token@host/a", "https://host/a"),
        ("https://us@er:p@w@host/a", "https://host/a"),
        ("unable to access 'https://u:p/w@host/a': no", "unable to access 'https://host/a': no"),
        ("https://host/@scope/a@1", "https://host/@scope/a@1"),
        ("https://u@host:8443/@scope", "https://host:8443/@scope"),
        ("https://host:8443/@scope", "https://host:8443/@scope"),
        ("https://host/a\x1b[2J", "https://host/a%1B[2J"),
    ],
)
def test_credentials_are_never_shown(text: str, shown: str) -> None:
    assert without_credentials(text) == shown


@given(st.text(), st.sampled_from(["", "https://", "git@", "ssh://", "file://"]))
def test_any_text_gives_a_key_of_one_line_or_none(text: str, start: str) -> None:
    key = normalised(start + text)
    assert key is None or (key.isprintable() and not key.endswith(("/", ".git/")))


@given(st.text("abc:@/%", min_size=1), st.text("abc:%", min_size=1))
def test_no_password_is_left_in_key_or_message(user: str, password: str) -> None:
    secret = f"SECRET{password}"
    url = f"https://{user.replace('/', '')}:{secret}@example.org/a/b.git"
    assert "SECRET" not in without_credentials(url)
    assert "SECRET" not in url_key(url)
