"""What a check says while it runs."""

from __future__ import annotations

import pytest

from wherefrom.check.findings import CheckProgress
from wherefrom.reports.check.text import live_line


@pytest.mark.parametrize(
    ("files", "units", "findings", "expected"),
    [
        (0, 0, 0, "0/1 file · 0 pieces looked up · 0 findings · a.py"),
        (1, 1, 1, "1/1 file · 1 piece looked up · 1 finding · a.py"),
        (1, 1200, 2, "1/1 file · 1,200 pieces looked up · 2 findings · a.py"),
    ],
)
def test_one_is_not_many(files: int, units: int, findings: int, expected: str) -> None:
    assert live_line(CheckProgress("a.py", files, 1, units, findings, 0.5)) == expected
