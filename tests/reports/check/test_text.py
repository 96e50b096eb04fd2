"""The live line of a check."""

from __future__ import annotations

import pytest

from wherefrom.projects.check.findings import CheckProgress
from wherefrom.reports.check.text import live_line


@pytest.mark.parametrize(
    ("files", "units", "findings", "expected"),
    [
        (0, 0, 0, "0/1 file · 0 findings · 0 pieces looked up · a.py"),
        (1, 1, 1, "1/1 file · 1 finding · 1 piece looked up · a.py"),
        (1, 1200, 2, "1/1 file · 2 findings · 1,200 pieces looked up · a.py"),
    ],
)
def test_one_of_a_thing_is_written_in_the_singular(files: int, units: int, findings: int, expected: str) -> None:
    assert live_line(CheckProgress("a.py", files, 1, units, findings, 0.5)) == expected


def test_80_columns_show_the_time_left_and_the_end_of_the_path() -> None:
    progress = CheckProgress("src/deep/down/in/a/large/project/of/many/parts/parser.py", 1234, 56789, 98765, 432, 4e4)
    assert live_line(progress, 79) == (
        "1,234/56,789 files · 432 findings · 500 h 13 min left · …f/many/parts/parser.py"
    )
