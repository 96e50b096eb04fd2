"""Different URLs of one source have the same target."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.references import (
    HostedPlace,
    PostLink,
    Reference,
    ReferenceKind,
    Target,
    names,
    source,
    target,
)
from wherefrom.analyzers.references.targets import Gist, OtherPage
from wherefrom.errors import UsageError
from wherefrom.support.hosts import HOSTS

SITE = "stackoverflow.com"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
GIST = "0123456789abcdef0123"


@pytest.mark.parametrize(
    ("url", "post"),
    [
        ("https://stackoverflow.com/a/12", PostLink(SITE, 12, None)),
        ("http://www.stackoverflow.com/a/12/345", PostLink(SITE, 12, None)),
        ("https://m.stackoverflow.com/a/12?s=1", PostLink(SITE, 12, None)),
        ("https://stackoverflow.com/answers/12", PostLink(SITE, 12, None)),
        ("https://stackoverflow.com/q/11", PostLink(SITE, None, 11)),
        ("https://stackoverflow.com/q/11/345", PostLink(SITE, None, 11)),
        ("https://stackoverflow.com/questions/11", PostLink(SITE, None, 11)),
        ("https://stackoverflow.com/questions/11/how-to?noredirect=1&lq=1", PostLink(SITE, None, 11)),
        ("https://stackoverflow.com/questions/11/how-to#tab-top", PostLink(SITE, None, 11)),
        ("https://stackoverflow.com/questions/11/how-to#12", PostLink(SITE, 12, 11)),
        ("https://stackoverflow.com/questions/11/how-to#answer-12", PostLink(SITE, 12, 11)),
        ("https://stackoverflow.com/questions/11/how-to/12", PostLink(SITE, 12, 11)),
        ("https://stackoverflow.com/questions/11/how-to/12#12", PostLink(SITE, 12, 11)),
        ("https://stackoverflow.com/questions/11/how-to/12?s=1|2.5#12", PostLink(SITE, 12, 11)),
        ("https://stackoverflow.com/questions/11/how-to#comment99_12", PostLink(SITE, 12, 11)),
        ("https://stackoverflow.com/questions/11/how-to#comment99_11", PostLink(SITE, None, 11)),
        ("https://stackoverflow.com/posts/12/revisions", PostLink(SITE, None, 12)),
        ("https://stackoverflow.com/revisions/12/3", PostLink(SITE, None, 12)),
        ("https://unix.stackexchange.com/a/12", PostLink("unix.stackexchange.com", 12, None)),
        ("https://meta.unix.stackexchange.com/a/12", PostLink("unix.meta.stackexchange.com", 12, None)),
        ("https://es.stackoverflow.com/a/12", PostLink("es.stackoverflow.com", 12, None)),
        ("https://askubuntu.com/questions/11/x", PostLink("askubuntu.com", None, 11)),
        ("https://web.archive.org/web/20150101000000/http://stackoverflow.com/a/12", PostLink(SITE, 12, None)),
        ("https://web.archive.org/web/2015*/http://stackoverflow.com/q/11#12", PostLink(SITE, None, 11)),
    ],
)
def test_posts(url: str, post: PostLink) -> None:
    assert target(url) == post
    assert post.kind is ReferenceKind.POST


@pytest.mark.parametrize(
    "url",
    [
        "https://stackoverflow.com/",
        "https://stackoverflow.com/users/12/name",
        "https://stackoverflow.com/questions/tagged/python",
        "https://stackoverflow.com/a/x",
        "https://stackoverflow.com/a/0",
        "https://stackoverflow.com/a/" + "9" * 13,
        "https://stackoverflow.com/a/١٢",
        "https://notstackoverflow.com/a/12",
        "https://stackoverflow.com.evil.org/a/12",
        "https://stackexchange.com/questions/12",
        "https://example.org/questions/11",
        "https://gist.github.com/octocat",
        "https://github.com/owner",
        "https://github.com/owner/name/issues/3",
    ],
)
def test_other_pages_are_pages(url: str) -> None:
    found = target(url)
    assert isinstance(found, OtherPage)
    assert found.kind is ReferenceKind.URL


@pytest.mark.parametrize(
    "url",
    [
        f"https://gist.github.com/{GIST}",
        f"https://gist.github.com/Owner/{GIST.upper()}",
        f"https://gist.github.com/owner/{GIST}/{COMMIT}#file-a-py-L3",
        f"https://gist.github.com/{GIST}.js",
        f"https://gist.github.com/raw/{GIST}/{COMMIT}/a.py",
        f"https://gist.githubusercontent.com/owner/{GIST}/raw/{COMMIT}/a.py",
    ],
)
def test_gists(url: str) -> None:
    assert target(url) == Gist(GIST)
    assert Gist(GIST).url == f"https://gist.github.com/{GIST}"


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (
            f"https://github.com/O/r/blob/{COMMIT}/a/b.py#L1-L9",
            HostedPlace("github.com", "O/r", COMMIT, "a/b.py", (1, 9)),
        ),
        (
            f"https://github.com/O/r/blame/{COMMIT}/a/b.py#L3",
            HostedPlace("github.com", "O/r", COMMIT, "a/b.py", (3, 3)),
        ),
        (
            f"https://github.com/O/r/blob/{COMMIT}/a.py#L3C1-L4C2",
            HostedPlace("github.com", "O/r", COMMIT, "a.py", (3, 4)),
        ),
        (f"https://raw.githubusercontent.com/O/r/{COMMIT}/a/b.py", HostedPlace("github.com", "O/r", COMMIT, "a/b.py")),
        (
            "https://raw.githubusercontent.com/O/r/refs/heads/main/a.py",
            HostedPlace("github.com", "O/r", "main", "a.py"),
        ),
        ("https://github.com/O/r/tree/main/src", HostedPlace("github.com", "O/r", "main", "src")),
        ("https://github.com/O/r.git", HostedPlace("github.com", "O/r")),
        ("http://www.github.com/O/r/#readme", HostedPlace("github.com", "O/r")),
        (
            f"https://gitlab.com/g/s/r/-/blob/{COMMIT}/a/b.py?ref_type=heads#L2-3",
            HostedPlace("gitlab.com", "g/s/r", COMMIT, "a/b.py", (2, 3)),
        ),
        ("https://gitlab.com/g/s/r/-/tree/main/src", HostedPlace("gitlab.com", "g/s/r", "main", "src")),
        ("https://gitlab.com/g/s/r.git", HostedPlace("gitlab.com", "g/s/r")),
        (f"https://codeberg.org/o/r/src/commit/{COMMIT}/a.py", HostedPlace("codeberg.org", "o/r", COMMIT, "a.py")),
        (
            f"https://bitbucket.org/o/r/src/{COMMIT}/a.py#lines-7",
            HostedPlace("bitbucket.org", "o/r", COMMIT, "a.py", (7, 7)),
        ),
        (
            f"https://git.sr.ht/~o/r/tree/{COMMIT}/item/a/b.c#L4",
            HostedPlace("git.sr.ht", "~o/r", COMMIT, "a/b.c", (4, 4)),
        ),
    ],
)
def test_places_at_hosts(url: str, place: HostedPlace) -> None:
    assert target(url) == place
    assert place.kind is (ReferenceKind.PERMALINK if place.revision == COMMIT else ReferenceKind.URL)


numbers = st.integers(1, 10**12 - 1)
words = st.text("abcXYZ019-_", min_size=1, max_size=8).filter(lambda word: word != "-")
posts = st.builds(
    PostLink, st.sampled_from([SITE, "unix.stackexchange.com", "es.stackoverflow.com"]), numbers, st.none()
) | st.builds(
    lambda site, answer, question: PostLink(site, None if answer == question else answer, question),
    st.sampled_from([SITE, "mathoverflow.net"]),
    st.none() | numbers,
    numbers,
)
gists = st.builds(Gist, st.text("0123456789abcdef", min_size=20, max_size=20))
ranges = st.tuples(st.integers(1, 99), st.integers(1, 99))
hosts = st.sampled_from(sorted(name for name, host in HOSTS.items() if host.repositories is None))
places = st.builds(HostedPlace, hosts, st.builds("{}/{}".format, words, words)) | st.builds(
    HostedPlace,
    hosts,
    st.builds("{}/{}".format, words, words),
    words,
    st.lists(words, min_size=1).map("/".join),
    st.none() | ranges,
)
pages = st.builds("https://example.org/{}?{}".format, words, words).map(OtherPage)


@given(posts | gists | places | pages)
def test_a_target_is_read_from_its_own_url(made: Target) -> None:
    assert target(made.url) == made
    assert made.names(made)


@given(posts | gists | places | pages, posts | gists | places | pages)
def test_naming_goes_both_ways(one: Target, other: Target) -> None:
    assert one.names(other) == other.names(one)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("https://stackoverflow.com/a/12", "https://stackoverflow.com/questions/11/x/12#12", True),
        ("https://stackoverflow.com/q/11", "https://stackoverflow.com/questions/11/x/12#12", True),
        ("https://stackoverflow.com/q/12", "https://stackoverflow.com/a/12", True),
        ("https://stackoverflow.com/a/13", "https://stackoverflow.com/questions/11/x/12#12", False),
        ("https://stackoverflow.com/questions/11/x/13", "https://stackoverflow.com/questions/11/x/12", False),
        ("https://stackoverflow.com/a/12", "https://stackoverflow.com/q/11", False),
        ("https://stackoverflow.com/a/12", "https://superuser.com/a/12", False),
        (f"https://gist.github.com/a/{GIST}", f"https://gist.github.com/{GIST}/{COMMIT}", True),
        (f"https://gist.github.com/{GIST}", "https://gist.github.com/" + "f" * 20, False),
        (f"https://github.com/o/r/blob/{COMMIT}/a.py#L1", "https://github.com/O/R/blob/main/a.py", True),
        ("https://github.com/o/r/blob/main/b.py", "https://github.com/o/r/blob/main/a.py", False),
        ("https://github.com/o/r", "https://github.com/o/r/blob/main/a.py", True),
        ("https://github.com/o/r", "https://github.com/o/s", False),
        ("https://github.com/o/r", "https://stackoverflow.com/a/12", False),
        ("http://www.example.org/a/", "https://example.org/a#part", True),
        ("https://example.org/a?b=1", "https://example.org/a", False),
    ],
)
def test_which_urls_name_one_source(one: str, other: str, is_same: bool) -> None:
    named, found = source(one), source(other)
    assert named.names(found) is is_same
    assert names(Reference(found.kind, found.url, 1, other), named) is is_same


def test_only_urls_name_a_source() -> None:
    assert not names(
        Reference(ReferenceKind.AUTHOR, "https://stackoverflow.com/a/12", 1, ""), source("stackoverflow.com/a/12")
    )


@pytest.mark.parametrize("url", ["", "nowhere", "ftp://a.org/b", "http://localhost/", "a b", "\x1b[31m"])
def test_a_source_that_is_no_url_is_refused_with_an_example(url: str) -> None:
    message = r"is not the URL of a source; give one such as https://stackoverflow\.com/a/12345"
    with pytest.raises(UsageError, match=message):
        source(url)
