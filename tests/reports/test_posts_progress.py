"""What a search for posts says while it runs."""

from __future__ import annotations

import pytest

from wherefrom.reports.posts_progress import search_line


@pytest.mark.parametrize(("rows", "expected"), [(0, "0 rows"), (1, "1 row"), (1200, "1,200 rows")])
def test_one_is_not_many(rows: int, expected: str) -> None:
    assert search_line({"rows": rows}, 5).endswith(f" · {expected}")
