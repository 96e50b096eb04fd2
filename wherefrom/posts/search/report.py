"""Writes the rows of a search for posts to a file. A stopped run can be resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace

from wherefrom.engines.engine import Engine
from wherefrom.errors import UsageError
from wherefrom.options import PostsReportOptions
from wherefrom.posts.search.report_file import ReportFile
from wherefrom.posts.search.search import BlockSkip, PostAnswer, PostSearch, PostsReport, select
from wherefrom.posts.store import PostStore
from wherefrom.queries import boilerplate, digests
from wherefrom.support.version import __version__

_COUNTS = ("searched", "found", "rows")


def write_report(
    engine: Engine,
    store: PostStore,
    options: PostsReportOptions,
    *,
    header: str,
    rows: Callable[[PostAnswer], Iterable[str]],
    search: Callable[[PostsReportOptions, PostsReport], PostSearch],
) -> PostsReport:
    """Writes the rows of all selected blocks to a file. If an earlier run was stopped, resumes it.

    Args:
        engine: the index.
        store: the posts.
        options: which blocks to look up, how to search, and the file to write.
        header: the text before the first row.
        rows: returns the rows of an answer in `options.format`, with their line ends; empty if nothing was found.
        search: begins a search. Its arguments are the options, and the counts of earlier runs, to which it adds.

    Returns:
        The counts of the search, earlier runs included.

    Raises:
        UsageError: as `ReportFile` and `PostSearch`.
        WherefromError: the file cannot be written; or as `PostSearch`.
    """
    if options.path is None:
        raise UsageError("a report needs a file; name it with `path`")
    with ReportFile(options.path, _identity(engine, store, options)) as file:
        answers = search(replace(options, after=max(file.after, options.after)), _report_of(file.counts))
        if file.is_new:
            file.write(header, 0, {})
        with closing(answers):
            for answer in answers:
                file.write("".join(rows(answer)), answer.block.key, _counts_of(answers.report))
        file.finish()
    return answers.report


def _identity(engine: Engine, store: PostStore, options: PostsReportOptions) -> str:
    """A digest of all that the rows depend on, even wherefrom's version. A run with another digest is not resumed."""
    selection = select(store, options)
    history = engine.history()
    values = (
        __version__,
        store.state,
        (selection.sites, selection.tags, selection.posts),
        (options.after, options.limit, options.without, options.unattributed, options.earlier, options.format),
        digests.index_digest(engine, boilerplate.left_out(engine, options)),
        None if history is None else digests.index_digest(history),
    )
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _counts_of(report: PostsReport) -> dict[str, int]:
    return {name: getattr(report, name) for name in _COUNTS} | {str(reason): n for reason, n in report.skipped.items()}


def _report_of(counts: Mapping[str, int]) -> PostsReport:
    skipped = {reason: counts[reason] for reason in BlockSkip if reason in counts}
    searched, found, rows = (counts.get(name, 0) for name in _COUNTS)
    return PostsReport(searched, found, rows, skipped)
