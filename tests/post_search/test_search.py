"""All blocks of a store are looked up in a real index: counted, in order, even if analyzing one of them crashes."""

from __future__ import annotations

import heapq
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import islice
from pathlib import Path

import pytest

from tests.end_to_end.conftest import module_source
from tests.end_to_end.edits import source_of
from tests.post_search import deadly
from tests.post_search.deadly import DEADLY
from tests.posts.conftest import dump, row
from wherefrom import Index, api
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.errors import BoilerplateError, NotFound, UsageError
from wherefrom.indexes import open_index
from wherefrom.options import PostsOptions, PostsReportOptions
from wherefrom.posts.search import BlockSkip, PostsProgress, PostsReport
from wherefrom.posts.store import PostStore
from wherefrom.support.workers import PARSE_MEMORY

PROJECT = Path(__file__).parents[2]

BLOCKS = (source_of(heapq.merge), DEADLY, "short()", source_of(textwrap.dedent), f"{DEADLY}again()", "x = 1")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index of two modules of the standard library, from which two blocks were copied."""
    folder = tmp_path_factory.mktemp("posts")
    (folder / "src").mkdir()
    for module in ("heapq", "textwrap"):
        (folder / "src" / f"{module}.py").write_bytes(module_source(module))
    api.index_sources([folder / "src"], folder / "index", jobs=1)
    with open_index(folder / "index") as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PostStore]:
    """A store with a question for each of `BLOCKS`, numbered from 1."""
    rows = (
        row(number, Tags="<python>", Body=f"<pre><code>{escape(text)}</code></pre>")
        for number, text in enumerate(BLOCKS, 1)
    )
    (tmp_path / "Posts.xml").write_bytes(dump(*rows))
    api.import_posts(tmp_path / "Posts.xml", store=tmp_path / "posts.sqlite")
    with api.open_posts(tmp_path / "posts.sqlite") as opened:
        yield opened


@pytest.fixture
def dying(index: Index, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An analyzer whose process dies of two of the blocks."""
    monkeypatch.syspath_prepend(PROJECT)  # the worker imports `deadly`
    monkeypatch.setattr("wherefrom.analyzers.analyzer.answer", deadly.answer)
    with Analyzer(PARSE_MEMORY - 1) as analyzer:  # another limit, so that no other test shares this process
        monkeypatch.setattr(index, "_analyzer", analyzer)
        yield


AFTER_ALL = PostsReport(searched=2, found=2, rows=2, skipped={BlockSkip.WORKER_DIED: 2, BlockSkip.TOO_SHORT: 2})


@pytest.mark.slow
@pytest.mark.usefixtures("dying")
def test_a_block_that_kills_its_analysis_is_skipped_and_counted(index: Index, store: PostStore) -> None:
    search = index.search_posts(store)
    answers = list(search)
    assert [(answer.block.post.id, answer.skipped) for answer in answers] == [
        (1, None),
        (2, BlockSkip.WORKER_DIED),
        (3, BlockSkip.TOO_SHORT),
        (4, None),
        (5, BlockSkip.WORKER_DIED),
        (6, BlockSkip.TOO_SHORT),
    ]
    assert [answer.result.hits[0].occurrences[0].path for answer in answers if answer.result] == [
        "heapq.py",
        "textwrap.py",
    ]
    assert search.report == AFTER_ALL
    assert search.report.blocks == len(BLOCKS)


@pytest.mark.usefixtures("dying")
@pytest.mark.parametrize("last", range(len(BLOCKS)))
@pytest.mark.slow
def test_a_stopped_report_goes_on_behind_a_block_that_kills_its_analysis(
    index: Index, store: PostStore, tmp_path: Path, last: int
) -> None:
    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv"
    assert index.write_posts_report(store, path=whole, format="csv") == AFTER_ALL

    def stop(progress: PostsProgress) -> None:
        if progress.report.blocks == last:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wherefrom.support.throttle.SECONDS", 0.0)
        with pytest.raises(KeyboardInterrupt):
            index.write_posts_report(store, PostsReportOptions(path=parts, format="csv", progress=stop))
    assert whole.read_bytes().startswith(parts.read_bytes())
    assert index.write_posts_report(store, path=parts, format="csv") == AFTER_ALL
    assert parts.read_bytes() == whole.read_bytes()
    assert not parts.with_name("parts.csv.position").exists()


@pytest.mark.thorough
def test_progress_counts_every_block_of_all_runs(
    index: Index, store: PostStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wherefrom.support.throttle.SECONDS", 0.0)
    seen: list[tuple[int, int]] = []

    def note(progress: PostsProgress) -> None:
        seen.append((progress.report.blocks, progress.total))
        if len(seen) == 4:
            raise KeyboardInterrupt

    options = PostsReportOptions(path=tmp_path / "rows", progress=note)
    with pytest.raises(KeyboardInterrupt):
        index.write_posts_report(store, options)
    report = index.write_posts_report(store, options)
    assert seen == [(at, len(BLOCKS)) for at in (0, 1, 2, 3, 3, 4, 5, 6)]
    assert report.blocks == len(BLOCKS)


def test_a_search_that_is_closed_ends(index: Index, store: PostStore) -> None:
    search = index.search_posts(store)
    assert [answer.block.post.id for answer in islice(search, 2)] == [1, 2]
    search.close()
    assert list(search) == []
    assert search.report.blocks == 2


def test_the_options_choose_blocks_and_hits(index: Index, store: PostStore) -> None:
    first = next(index.search_posts(store, PostsOptions(tags=["Python"])))
    rest = index.search_posts(store, PostsOptions(after=first.block.key, posts=["stackoverflow.com/q/4"]))
    assert [answer.block.post.id for answer in rest] == [4]
    index.add_boilerplate("heaps", [("heapq.py", module_source("heapq"))])
    [masked] = index.search_posts(store, PostsOptions(without=["heaps"], posts=["https://stackoverflow.com/q/1"]))
    assert masked.skipped is BlockSkip.BOILERPLATE
    index.remove_boilerplate("heaps")


def test_what_cannot_be_searched_is_refused_before_a_file_is_made(
    index: Index, store: PostStore, tmp_path: Path
) -> None:
    for options, error in (
        (PostsReportOptions(sites=["nowhere"]), UsageError),
        (PostsReportOptions(posts=["https://example.org/"]), UsageError),
        (PostsReportOptions(without=["nothing"]), BoilerplateError),
        (PostsReportOptions(posts=["https://stackoverflow.com/q/77"]), NotFound),
    ):
        with pytest.raises(error):
            index.write_posts_report(store, replace(options, path=tmp_path / "rows"))
        assert not (tmp_path / "rows").exists()
        assert not (tmp_path / "rows.position").exists()
        with pytest.raises(error):
            index.search_posts(store, options)
