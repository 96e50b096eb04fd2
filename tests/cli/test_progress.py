"""The live line on a real terminal of 80 columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import clean_environment
from tests.cli.terminal import TERMINAL_COLUMNS, on_terminal
from tests.repositories import Repository
from wherefrom.cli import console
from wherefrom.reports.layout import columns

if TYPE_CHECKING:
    from pathlib import Path


def live_lines(terminal: str) -> list[str]:
    """The successive contents of the live line."""
    return [line for line in re.split(r"\r\x1b\[K", terminal) if line.strip()]


PROGRAM = """
import sys
from wherefrom.cli.console import LiveLine
from wherefrom.reports.index import Running
from wherefrom.results import IndexProgress

show = LiveLine(Running().line).report
show(IndexProgress(sys.argv[1], 12, 3456, 1200, 90000, 800, 1 << 30, 400, {}, 3000.0, 3000 / 864_000))
print("done")
"""


def test_without_a_terminal_a_long_run_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for seconds, said in ((60.0, ""), (0.0, "wherefrom: 3 of 120\n")):
        monkeypatch.setattr(console, "LOG_SECONDS", seconds)
        with console.LiveLine(lambda done, width: f"{done} of {width}") as live:
            assert live.report is not None
            live.report(3)
        assert capsys.readouterr().err == said
    assert console.LiveLine(lambda: "", quiet=True).report is None


@pytest.mark.slow
def test_a_run_draws_lines_that_fit(tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    Repository.make(folder, {"a.py": b"def add(first, second):\n    return first + second\n"})
    ended = on_terminal(["-m", "wherefrom", "index", str(folder)], clean_environment(tmp_path), tmp_path)
    assert (ended.code, ended.output.splitlines()[0]) == (0, "1 repository: 1 indexed")
    lines = live_lines(ended.terminal)
    assert lines[-1].startswith("1/1 repository · ")
    assert all(columns(line) < TERMINAL_COLUMNS for line in lines)


def test_the_terminal_is_measured_although_standard_output_goes_to_a_file(tmp_path: Path) -> None:
    key = "/home/somebody/たくさんのリポジトリ/long-names-of-folders-are-not-unheard-of/the-repository"
    [line] = live_lines(on_terminal(["-c", PROGRAM, key], clean_environment(tmp_path), tmp_path).terminal)
    assert line == "12/3,456 repositories · 239 h 10 min left · …-are-not-unheard-of/the-repository"
    assert columns(line) < TERMINAL_COLUMNS


@pytest.mark.thorough
def test_a_search_for_a_long_table_says_that_it_takes_long_and_can_be_interrupted(tmp_path: Path) -> None:
    rows = [f"({number}, 'x{number % 7}', {number * 3})" for number in range(50_000)]
    (tmp_path / "code").mkdir()
    for place, count in (("code/rows.sql", 10_000), ("rows.sql", len(rows))):
        values = ",\n".join(rows[:count])
        (tmp_path / place).write_text(f"INSERT INTO t (a, b, c) VALUES\n{values};\n")
    environment = clean_environment(tmp_path)
    assert on_terminal(["-m", "wherefrom", "index", "code"], environment, tmp_path).code == 0
    done = on_terminal(["-m", "wherefrom", "search", "rows.sql"], environment, tmp_path, until="this takes a while")
    assert (done.code, done.output) == (130, "")
    assert done.terminal.rstrip().endswith("interrupted")
