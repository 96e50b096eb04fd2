"""URLs of files at code hosts are parsed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.errors import UsageError
from wherefrom.sources.repository_urls import Permalink, permalink

GITHUB = "https://github.com/o/r"
SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("url", "repository", "steps", "lines"),
    [
        (f"{GITHUB}/blob/main/a.py", "github.com/o/r", "main/a.py", None),
        (f"{GITHUB}/blob/{SHA}/lib/a.py#L10", "github.com/o/r", f"{SHA}/lib/a.py", (10, 10)),
        (f"{GITHUB}/blob/main/a.py#L10-L20", "github.com/o/r", "main/a.py", (10, 20)),
        (f"{GITHUB}/blob/main/a.py#L10C5-L20C7", "github.com/o/r", "main/a.py", (10, 20)),
        (f"{GITHUB}/blob/main/README.md?plain=1#L3-L4", "github.com/o/r", "main/README.md", (3, 4)),
        (f"{GITHUB}/blame/main/a.py#L2", "github.com/o/r", "main/a.py", (2, 2)),
        (f"{GITHUB}/blob/refs/heads/x/y/a.py", "github.com/o/r", "x/y/a.py", None),
        ("github.com/o/r/blob/main/a%20b/c%23.py#L1", "github.com/o/r", "main/a b/c#.py", (1, 1)),
        ("HTTPS://WWW.GitHub.com/O/R/blob/main/a.py#about", "github.com/O/R", "main/a.py", None),
        ("https://raw.githubusercontent.com/o/r/main/a.py", "github.com/o/r", "main/a.py", None),
        ("https://raw.githubusercontent.com/o/r/refs/tags/v1/a.py", "github.com/o/r", "v1/a.py", None),
        ("https://gitlab.com/g/s/r/-/blob/main/a.py#L10-20", "gitlab.com/g/s/r", "main/a.py", (10, 20)),
        ("https://git.example.org:8443/g/r/-/raw/v1/a.py", "git.example.org:8443/g/r", "v1/a.py", None),
        ("https://gitlab.com/g/r/-/blob/f%2Fx/a.py?ref_type=heads#L3", "gitlab.com/g/r", "f/x/a.py", (3, 3)),
        (f"https://bitbucket.org/o/r/src/{SHA}/a.py#lines-10:20", "bitbucket.org/o/r", f"{SHA}/a.py", (10, 20)),
        ("https://bitbucket.org/o/r/src/main/a.py#lines-7", "bitbucket.org/o/r", "main/a.py", (7, 7)),
        (f"https://codeberg.org/o/r/src/commit/{SHA}/a.py#L1-L2", "codeberg.org/o/r", f"{SHA}/a.py", (1, 2)),
        ("https://codeberg.org/o/r/src/branch/f/x/a.py", "codeberg.org/o/r", "f/x/a.py", None),
        ("https://git.sr.ht/~o/r/tree/main/item/lib/a.py#L3", "git.sr.ht/~o/r", "main/lib/a.py", (3, 3)),
        ("gitee.com/o/r/blob/main/a.py#L3-L4", "gitee.com/o/r", "main/a.py", (3, 4)),
        ("https://git.example.org/o/r/src/tag/v1/a.py#L5", "git.example.org/o/r", "v1/a.py", (5, 5)),
        ("https://user:secret@github.com/o/r/blob/main/a.py", "github.com/o/r", "main/a.py", None),
        (f"{GITHUB}/blob/main/-/x.py", "github.com/o/r", "main/-/x.py", None),
        (f"{GITHUB}/blob/main/-/blob/v1/x.py", "github.com/o/r", "main/-/blob/v1/x.py", None),
        ("https://raw.githubusercontent.com/o/r/main/-/a.py", "github.com/o/r", "main/-/a.py", None),
        ("https://bitbucket.org/o/r/src/main/-/a.py", "bitbucket.org/o/r", "main/-/a.py", None),
        ("https://gitlab.com/g/s/blob/-/blob/main/a.py", "gitlab.com/g/s/blob", "main/a.py", None),
        ("https://gitlab.com/g/r/-/blob/main/-/a.py", "gitlab.com/g/r", "main/-/a.py", None),
    ],
)
def test_urls_of_files(url: str, repository: str, steps: str, lines: tuple[int, int] | None) -> None:
    found = permalink(url)
    assert found is not None
    assert (found.repository, "/".join(found.steps), found.lines) == (repository, steps, lines)


@pytest.mark.parametrize(
    "text",
    [
        "a.py",
        "a.py#L10",
        GITHUB,
        f"{GITHUB}/tree/main/lib",
        f"{GITHUB}/issues/7",
        f"{GITHUB}:src/blob/x",
        "github.com/o/r:src/blob/main/x",
        "https://stackoverflow.com/a/12345",
        "https://example.org/a.py#L10",
        "ftp://github.com/o/r/blob/main/a.py",
        "https://[broken/o/r/blob/main/a.py",
        "https://example.com:99999/o/r/blob/main/a.py",
        "https://example.com:abc/o/r/blob/main/a.py",
        "https://github.com/o/r/blob/main/a\n.py",
        f"{GITHUB}/blob/main/{'a' * 5000}",
    ],
)
def test_other_texts_give_none(text: str) -> None:
    assert permalink(text) is None


def test_credentials_are_neither_kept_nor_shown() -> None:
    found = permalink("https://user:secret@github.com/o/r/blob/main/a@b.py?token=x#L1")
    assert found is not None
    assert found.url == "https://github.com/o/r/blob/main/a@b.py"
    with pytest.raises(UsageError) as refused:
        permalink("https://user:secret@github.com/o/r/blob/main")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "end", ["main", "main/..", "main/%2e%2e/a.py", "main/a%00.py", "main/a.py#L0", "main/a.py#L9-L3", "main//%2F/a.py"]
)
def test_a_url_that_names_no_file_is_an_error(end: str) -> None:
    with pytest.raises(UsageError, match=r"\A'https://github.com/o/r/blob/[^\n]* names no (file|lines); [^\n]*\Z"):
        permalink(f"{GITHUB}/blob/{end}")


def test_a_branch_may_have_slashes() -> None:
    found = permalink(f"{GITHUB}/blob/feature/x/lib/a.py")
    assert found is not None
    assert list(found.readings()) == [
        ("feature", "x/lib/a.py"),
        ("feature/x", "lib/a.py"),
        ("feature/x/lib", "a.py"),
    ]


@pytest.mark.parametrize("revision", ["--upload-pack=x", "HEAD~1", "a..b", "HEAD^{/x}", "@{-1}", ":0", "a b", "x*"])
def test_a_revision_is_a_name_and_not_an_expression(revision: str) -> None:
    assert list(Permalink("", "", (revision, "a.py"), None).readings()) == []


@given(st.text(max_size=60).map(lambda end: f"{GITHUB}/blob/{end}"))
def test_any_url_is_read_or_refused(url: str) -> None:
    try:
        found = permalink(url)
    except UsageError as error:
        assert "\n" not in str(error)  # noqa: PT017 -- most texts raise nothing
    else:
        assert found is None or (".." not in found.steps and "" not in found.steps)
