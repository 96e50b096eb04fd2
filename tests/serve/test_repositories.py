"""The page of repositories shows a part of a long list."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from wherefrom import open_index
from wherefrom.serve.web import file_page

CODE, GEOMETRY, MAPS = (f"github.com/example/{name}" for name in ("code", "geometry", "maps"))


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
