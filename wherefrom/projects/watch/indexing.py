"""What an indexing run does for watches: it looks for their code in new contents, and posts what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine, Note
from wherefrom.model import BlobDocument
from wherefrom.options.shared import PostOptions
from wherefrom.projects.watch.watches import watched_code, watches
from wherefrom.results import IndexReport
from wherefrom.support.values import replace


@contextmanager
def looking_out(engine: Engine) -> Iterator[Callable[[Sequence[BlobDocument]], dict[str, Note]] | None]:
    """A block that indexes. Gives a function that tells which notes to write before some new contents; None if nothing
    is watched for. Looks up at the end what another process has begun to watch for in the meantime.
    """
    if not engine.has_code:
        yield None
        return
    before = {watch.name for watch in watches(engine)}
    with closing(Analyzer()) as analyzer:
        if before:
            from wherefrom.projects.watch.watching import Lookout  # noqa: PLC0415 -- few indexes have watches

            lookout = Lookout(engine, watched_code(engine, before), analyzer)
            yield lambda documents: {pair.name: pair.note for pair in lookout.found(documents)}
        else:
            yield None
        added = {watch.name for watch in watches(engine)} - before
        if added:
            from wherefrom.projects.watch.watching import look_up  # noqa: PLC0415 -- as above

            with engine.writer() as writer:
                look_up(engine, writer, watched_code(engine, added), analyzer)


def with_news(engine: Engine, options: PostOptions, report: IndexReport) -> IndexReport:
    """Posts the new places of watched code; returns the report with their number."""
    from wherefrom.projects.watch.places import mark_reported  # noqa: PLC0415 -- as above
    from wherefrom.projects.watch.watching import news  # noqa: PLC0415

    found = news(engine, (), options)
    mark_reported(engine, found.posted)
    return replace(report, watched=len(found.places), warnings=(*report.warnings, *found.warnings))
