"""The page of repositories shows a part of a long list."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from wherefrom import open_index
from wherefrom.results import Lines
from wherefrom.serve.web import file_page
from wherefrom.serve.web.search_page import file_url

CODE, GEOMETRY, MAPS = (f"github.com/example/{name}" for name in ("code", "geometry", "maps"))


@pytest.mark.parametrize(
    ("repository", "path", "lines", "expected"),
    [
        ("github.com/a/b", "c d.py", None, "/r/github.com/a/b/c%20d.py"),
        ("github.com/a/b", "c.py", Lines(3, 7), "/r/github.com/a/b/c.py#L3-7"),
        ("/home/a", "c.py", Lines(3, 3), "/r/%2Fhome/a/c.py#L3"),
    ],
)
def test_addresses(repository: str, path: str, lines: Lines | None, expected: str) -> None:
    assert file_url(repository, path, lines) == expected


@pytest.mark.thorough
def test_long_lists_are_shown_in_parts(code_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_index(code_index) as index:
        keys = index.repository_keys()

        def shown(part: str = "", after: str = "") -> tuple[list[str], list[str]]:
            text = bytes(file_page.repositories_page(index, part, after).body).decode()
            names = re.findall(r'<td class="name"><a href="/r/(.*?)/?">', text)
            return names, [unescape(url) for url in re.findall(r'href="(/repositories\?.*?)"', text)]

        assert shown() == (keys, [])
        monkeypatch.setattr(file_page, "MOST_REPOSITORIES", 2)
        assert shown() == (keys[:2], [f"/repositories?part=&after={keys[1].replace('/', '%2F')}"])
        assert shown(after=keys[1]) == (keys[2:4], [])
        assert shown("MAPS") == ([MAPS], [])
        assert shown("maps", MAPS) == ([], [])
