"""Repository keys from the paths of mirrors."""

from __future__ import annotations

from pathlib import Path

import pytest

from wherefrom.errors import UsageError
from wherefrom.sources.repository_urls import KeyPattern

GITHUB = "{owner}+{name}=github.com/{owner}/{name}"


@pytest.mark.parametrize(
    ("pattern", "path", "key"),
    [
        ("{host}/{owner}/{name}.git", "/srv/m.d/github.com/vuejs/vue.js.git", "github.com/vuejs/vue.js"),
        ("{host}/{owner}/{name}.git", "/github.com/vuejs/vue.git", "github.com/vuejs/vue"),
        ("{host}/{owner}/{name}", "/srv/GitHub.com/Owner/Repo.git", "github.com/Owner/Repo"),
        ("{host}/{owner}/{name}.git", "/srv/github.com/owner/repo", None),
        ("{host}/{owner}/{name}.git", "/srv/github/owner/repo.git", None),
        ("{host}/{owner}/{name}.git", "/srv/.hidden/owner/repo.git", None),
        ("{host}/{owner}/{name}.git", "/srv/me@github.com/owner/repo.git", None),
        ("{host}/{path}/{name}.git", "/srv/gitlab.com/a/b/c/d.git", "gitlab.com/a/b/c/d"),
        ("/srv/{host}/{path}/{name}.git", "/srv/gitlab.com/a.io/b/c.git", "gitlab.com/a.io/b/c"),
        ("/srv/{host}/{path}/{name}.git", "/x/srv/gitlab.com/a.io/b/c.git", None),
        (GITHUB, "/srv/owner+c++-like.git", "github.com/owner/c++-like"),
        (GITHUB, "/srv/owner/repo", None),
        (GITHUB, "/srv/owner+what?x", None),
        ("mirrors/{name}=git-server:8080/all/{name}", "/srv/mirrors/x", "git-server:8080/all/x"),
        ("{host}/{owner}/{name}", "/srv/example.org/a\x1b[2J/b c", "example.org/a%1B[2J/b%20c"),
    ],
)
def test_the_end_of_a_path_gives_the_key(pattern: str, path: str, key: str | None) -> None:
    assert KeyPattern(pattern).key(Path(path)) == key


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ("", "not a path with fields"),
        ("/", "not a path with fields"),
        ("{host/{owner}/{name}", "not a path with fields"),
        ("{a b}/x", "not the name of a field"),
        ("{}/x", "not the name of a field"),
        ("{a}/{a}=x.y/{a}", "a field twice"),
        ("{host}{owner}/{name}", "some text between them"),
        ("x", "no {host}, so the key must be given behind a ="),
        ("{owner}+{name}", "no {host}, so the key must be given behind a ="),
        ("{name}=github.com/{owner}/{name}", "no {owner};"),
        ("{name}={name}", "the key must be a host and a path"),
        ("{name}=/a/{name}", "the key must be a host and a path"),
    ],
)
def test_an_invalid_pattern_is_refused(pattern: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=r"^--key-from is .*; use a pattern such as ") as caught:
        KeyPattern(pattern)
    assert wrong in str(caught.value)


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/" + "-" * 4000, "/" + "a.b/" * 1000, "/" + "-/a.b" * 800])
def test_no_path_makes_the_matching_slow(path: str) -> None:
    for pattern in ("{a}-{b}-{c}-{d}-{e}-{f}.git=github.com/{a}/{b}", "{host}/{path}/{name}.git"):
        assert KeyPattern(pattern).key(Path(path)) is None
