"""The answers of the tools for assistants, without a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest

from tests.service.indexed import RENAMED
from wherefrom import open_index
from wherefrom.options import FirstOptions
from wherefrom.serve.mcp.answers import find_first


@pytest.mark.thorough
def test_a_first_place_has_its_commit_if_the_index_has_a_history(dated_index: Path, code_index: Path) -> None:
    for location, is_known in ((dated_index, True), (code_index, False)):
        with open_index(location) as index:
            found, _ = find_first(index, RENAMED.encode(), FirstOptions())
        commits = [place["commit"] for place in cast("dict[str, Any]", found)["places"]]
        assert len(commits) > 1
        assert all(re.fullmatch("[0-9a-f]{12}", commit or "") if is_known else commit is None for commit in commits)
