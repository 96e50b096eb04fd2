from __future__ import annotations

import dataclasses

from tests.reports.rendered import rendered
from wherefrom.reports.index import COPY, copy_line
from wherefrom.reports.layout import columns
from wherefrom.results import CopyProgress, CopyReport

RUNNING = CopyProgress("copying", "github.com/x/y", 250, 1000, 1200, 10.0)
DONE = CopyReport(
    repositories=1, files=3, blobs=2, sets=0, sent=1, kept=0, retired=0, swept=0, digest="ab" * 20, seconds=2.0
)


def test_the_live_line_shows_the_progress_of_the_run() -> None:
    assert copy_line(RUNNING, 200) == "copying 250/1,000 · 30 s left · 1,200 contents sent · github.com/x/y"
    comparing = dataclasses.replace(RUNNING, stage="comparing", repository="", sent=0, done=0)
    assert copy_line(comparing, 200) == "comparing 0/1,000"


def test_the_live_line_fits_and_is_safe() -> None:
    line = copy_line(dataclasses.replace(RUNNING, repository="evil\x1b[2J\n" * 50), 99)
    assert columns(line) <= 99
    assert line.isprintable()


def test_a_summary_says_what_both_hold_and_what_was_done() -> None:
    assert rendered(COPY["text"], DONE).splitlines() == [
        "1 repository, 3 files, 2 contents, 0 boilerplate sets: 1 content sent, 1 there already",
        f"read back, all is the same: {'ab' * 20}",
        "2.0 s",
    ]
    assert rendered(COPY["text"], dataclasses.replace(DONE, kept=1, retired=2, swept=3)).splitlines()[1:4] == [
        "1 content kept there as read before",
        "2 files of another state gone",
        "3 contents without a file removed",
    ]


def test_80_columns_show_the_time_left_and_the_end_of_the_repository() -> None:
    large = dataclasses.replace(
        RUNNING,
        repository="/home/somebody/clones/of/several/companies/big-company/the-repository",
        sent=1_234_567,
        done=1_234_567,
        total=12_345_678,
        seconds=40_000.0,
    )
    assert copy_line(large, 79) == ("copying 1,234,567/12,345,678 · 100 h 00 min left · …/big-company/the-repository")
