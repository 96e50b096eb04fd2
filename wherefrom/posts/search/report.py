"""A search for posts whose rows are written to a file; a run that was stopped is resumed by the next one."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from wherefrom import queries
from wherefrom.errors import UsageError
from wherefrom.posts.search.answers import BlockSkip, PostsReport
from wherefrom.posts.search.report_file import ReportFile
from wherefrom.posts.search.search import PostSearch
from wherefrom.posts.search.selection import select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from wherefrom.analyzers.analyzer import Analyzer
    from wherefrom.engines.engine import Engine
    from wherefrom.options import PostsReportOptions
    from wherefrom.posts import PostStore
    from wherefrom.posts.search.answers import PostAnswer


def write_report(
    engine: Engine,
    store: PostStore,
    options: PostsReportOptions,
    *,
    header: str,
    rows: Callable[[PostAnswer], Iterable[str]],
    references: queries.IndexReferences,
    admitted_blobs: queries.AdmittedBlobs,
    analyzer: Analyzer,
    version: str,
) -> PostsReport:
    """Writes the rows of all selected blocks to a file, and goes on where an earlier run was stopped.

    Args:
        engine: the index.
        store: the posts.
        options: which of them, how to search, and the file.
        header: comes before the first row.
        rows: gives the rows of a block in `options.format`, with their line ends; nothing if nothing was found.
        references: as `PostSearch` takes it.
        admitted_blobs: as `PostSearch` takes it.
        analyzer: as `PostSearch` takes it.
        version: of wherefrom; another one does not resume the file.

    Returns:
        What the search came to, the earlier runs included.

    Raises:
        UsageError: as `ReportFile` and `PostSearch`.
        WherefromError: the file cannot be written; or as `PostSearch`.
    """
    if options.path is None:
        raise UsageError("a report needs a file; name it with `path`")
    with ReportFile(options.path, _identity(engine, store, options, version)) as file:
        search = PostSearch(
            engine,
            store,
            replace(options, after=max(file.after, options.after)),
            references=references,
            admitted_blobs=admitted_blobs,
            analyzer=analyzer,
            before=_report_of(file.counts),
        )
        if file.is_new:
            file.write(header, 0, {})
        with closing(search):
            for answer in search:
                file.write("".join(rows(answer)), answer.block.key, _counts_of(search.report))
        file.finish()
    return search.report


def _identity(engine: Engine, store: PostStore, options: PostsReportOptions, version: str) -> str:
    """A digest of all that the rows depend on."""
    selection = select(store, options)
    values = (
        version,
        store.state,
        (selection.sites, selection.tags, selection.posts),
        (options.after, options.limit, options.without, options.unattributed, options.earlier, options.format),
        queries.index_digest(engine, queries.left_out(engine, options)),
    )
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _counts_of(report: PostsReport) -> dict[str, int]:
    """The report as the file keeps it."""
    counts = {"searched": report.searched, "found": report.found, "rows": report.rows}
    return counts | {reason.value: number for reason, number in report.skipped.items()}


def _report_of(counts: Mapping[str, int]) -> PostsReport:
    return PostsReport(
        searched=counts.get("searched", 0),
        found=counts.get("found", 0),
        rows=counts.get("rows", 0),
        skipped={reason: counts[reason] for reason in BlockSkip if reason in counts},
    )
