"""The words for a search for posts during the run and at its end."""

from __future__ import annotations

import pytest

from wherefrom.options import PostsReportOptions
from wherefrom.options.fields import Choice, fields_of
from wherefrom.posts.search import BlockSkip, PostsProgress, PostsReport
from wherefrom.reports.posts import RENDERERS, search_line, search_summary


@pytest.mark.parametrize(("rows", "expected"), [(0, "0 rows"), (1, "1 row"), (1200, "1,200 rows")])
def test_one_of_a_thing_is_written_in_the_singular(rows: int, expected: str) -> None:
    assert search_line(PostsProgress(PostsReport(rows=rows), 5, 0.0)).endswith(f" · {expected}")


def test_every_reason_to_skip_a_block_is_counted_in_words() -> None:
    report = PostsReport(7, 5, 6, {reason: number for number, reason in enumerate(BlockSkip, 1)})
    assert search_summary(report) == (
        "17 blocks: 5 found (6 rows), skipped: 1 too short, 2 boilerplate, 3 unreadable, "
        "4 crashed or stalled the analysis"
    )


def test_there_is_a_renderer_for_each_format() -> None:
    [field] = [field for field in fields_of(PostsReportOptions) if field.name == "format"]
    assert field.kind == Choice(tuple(RENDERERS))
