from __future__ import annotations

import dataclasses

import pytest

from tests.reports.rendered import rendered
from wherefrom.model import SkipReason
from wherefrom.reports.index import RENDERERS, Running
from wherefrom.reports.layout import columns
from wherefrom.results import HistoryReport, IndexProgress, IndexReport, LeftOut, RepositoryReport

RUNNING = IndexProgress(
    repository="github.com/x/y",
    repositories=3,
    repositories_total=4,
    files=250,
    files_total=1000,
    parsed=200,
    parsed_bytes=25_000_000,
    known=40,
    skipped={SkipReason.BINARY: 7, SkipReason.EMPTY: 3},
    seconds=10.0,
    share=0.25,
)


def test_the_live_line_shows_the_progress_of_the_run() -> None:
    assert Running().line(RUNNING, 200) == (
        "3/4 repositories · 30 s left · 250/1,000 files · 2.5 MB/s · 25 files/s · 40 known · 10 skipped · "
        "github.com/x/y"
    )


def test_80_columns_show_the_time_left_and_the_end_of_the_repository() -> None:
    large = dataclasses.replace(
        RUNNING,
        repository="/home/somebody/clones/of/several/companies/big-company/the-repository",
        repositories=1_234,
        repositories_total=12_345,
        files=1_234_567,
        files_total=12_345_678,
        parsed_bytes=99_000_000_000,
        seconds=40_000.0,
        share=40_000 / 400_120,
    )
    line = Running().line(large, 79)
    assert line == "1,234/12,345 repositories · 100 h 02 min left · …ies/big-company/the-repository"
    assert Running().line(dataclasses.replace(RUNNING, repository="github.com/python/cpython"), 79) == (
        "3/4 repositories · 30 s left · 250/1,000 files · github.com/python/cpython"
    )


@pytest.mark.parametrize("width", range(20, 120))
def test_wide_characters_and_combining_marks_fit(width: int) -> None:
    for name in ("コード/リポジトリ/検索", "e\u0301" * 60, "👩‍💻/owner/repo"):
        line = Running().line(dataclasses.replace(RUNNING, repository=name * 3), width)
        assert columns(line) <= width
        assert line.endswith(name[-1]) or width < 50


def test_the_bytes_set_the_pace() -> None:
    large_first = dataclasses.replace(RUNNING, repositories=1, repositories_total=10, share=0.8)
    assert " · 2.5 s left · " in Running().line(large_first, 200)


def test_the_time_left_does_not_climb() -> None:
    running = Running()
    shown = []
    for seconds, share in ((10.0, 0.25), (20.0, 0.3), (30.0, 0.6), (31.0, 0.5)):
        line = running.line(dataclasses.replace(RUNNING, seconds=seconds, share=share), 200)
        shown.append(line.split(" · ")[1])
    assert shown == ["30 s left", "30 s left", "20 s left", "20 s left"]


@pytest.mark.parametrize(
    "change",
    [{"seconds": 0.0}, {"share": 0.0}],
)
def test_at_the_start_the_time_left_is_unknown(change: dict[str, float]) -> None:
    start = dataclasses.replace(RUNNING, **change)  # type: ignore[arg-type]  # one of two fields
    assert "left" not in Running().line(start, 200)


def test_the_live_line_fits_and_is_safe() -> None:
    line = Running().line(dataclasses.replace(RUNNING, repository="evil\x1b[2J\n" * 50), 119)
    assert columns(line) <= 119
    assert line.isprintable()


def test_a_summary_counts_by_outcome_and_reason_and_names_failures() -> None:
    report = IndexReport(
        repositories=(
            RepositoryReport("a", "indexed", "r1", 10, 8, 2, 1, {SkipReason.BINARY: 2, SkipReason.TOO_LARGE: 5}),
            RepositoryReport("b", "unchanged", "r1", 5, 0, 5, 0, {SkipReason.BINARY: 1}),
            RepositoryReport("c\x1b[2J", "failed", "", error="git: no such\nrevision"),
        ),
        parsed=8,
        parsed_bytes=4_000_000,
        swept=2,
        seconds=2.0,
    )
    assert rendered(RENDERERS["text"], report).splitlines() == [
        "3 repositories: 1 failed, 1 indexed, 1 unchanged",
        "15 files: 8 contents parsed, 7 known already",
        "1 file gone since the last run",
        "2 contents without a file removed",
        "skipped    files",
        "too large      5",
        "binary         3",
        "failed: c␛[2J: git: no such revision",
        "2.0 s, 4 MB parsed, 2 MB/s",
    ]


def test_contents_of_unfinished_repositories_are_counted_on_their_own_line() -> None:
    finished = RepositoryReport("a", "indexed", "r1", 10, 8, 2)
    text = rendered(RENDERERS["text"], IndexReport((finished,), 20, 1000, 0, 1.0, interrupted=True))
    assert text.splitlines()[1:3] == [
        "10 files: 8 contents parsed, 2 known already",
        "12 contents parsed of repositories that are not finished",
    ]


def test_the_live_line_of_the_history_shows_the_commits() -> None:
    running = Running()
    assert " · 30 s left · " in running.line(RUNNING, 200)
    line = running.line(dataclasses.replace(RUNNING, commits=1_234, commits_total=12_345), 200)
    assert line.startswith("3/4 repositories · 30 s left · 1,234/12,345 commits · 250/1,000 files · ")


def test_a_summary_has_one_line_for_the_history_and_names_what_failed() -> None:
    report = IndexReport(
        (RepositoryReport("a", "unchanged", "r1"),),
        0,
        0,
        0,
        0.0,
        history=(
            HistoryReport("a", "indexed", commits=12_000, pieces=4_000),
            HistoryReport("b", "unchanged", pieces=500),
            HistoryReport("c\x1b", "failed", commits=1, error="git: no such\ncommit"),
        ),
    )
    assert rendered(RENDERERS["text"], report).splitlines()[-3:-1] == [
        "history of 3 repositories: 12,001 commits read, 4,500 pieces of code; 1 unchanged; 1 failed",
        "history failed: c␛: git: no such commit",
    ]
    assert "history" not in rendered(RENDERERS["text"], dataclasses.replace(report, history=()))


def test_a_summary_of_many_failures_is_shortened() -> None:
    failed = tuple(RepositoryReport(f"r{at}", "failed", "", error="no") for at in range(50))
    text = rendered(RENDERERS["text"], IndexReport(failed, 0, 0, 0, 0.0))
    assert "failed: r19: no\n... and 30 more failed" in text


def test_a_reason_that_names_the_source_is_not_preceded_by_it() -> None:
    path = RepositoryReport("/srv/a", "failed", "", error="no such file or folder: /srv/a; check the path")
    name = RepositoryReport("path", "failed", "", error="cannot list it; check the path")
    text = rendered(RENDERERS["text"], IndexReport((path, name), 0, 0, 0, 0.0))
    assert "failed: no such file or folder: /srv/a; check the path\n" in text
    assert "failed: path: cannot list it; check the path\n" in text


def test_a_left_out_source_is_named_with_the_one_read_instead() -> None:
    one = LeftOut("/srv/two\x1b[2J", "duplicate", "a linked work tree", "github.com/a/b", "/srv/one")
    many = tuple(LeftOut(f"/srv/{at:02}", "folder", "a plain folder") for at in range(25))
    text = rendered(RENDERERS["text"], IndexReport((), 0, 0, 0, 0.0, left_out=(one, *many)))
    assert "left out: /srv/two␛[2J: a linked work tree; github.com/a/b is read from /srv/one\n" in text
    assert "left out: /srv/18: a plain folder\n... and 6 more left out (all of them with --format json)\n" in text
