"""A run with the list of the files that it skipped, of which there may be millions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from wherefrom.model import SkipReason
from wherefrom.reports.index import text
from wherefrom.reports.json import dump_list
from wherefrom.reports.layout import as_lines
from wherefrom.reports.renderer import Renderer
from wherefrom.results import IndexReport, SkippedFile
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

_REASON = max(len(reason) for reason in SkipReason)


@dataclass(frozen=True, slots=True)
class ReportWithSkipped:
    """A report, and the files that were skipped; they are read once, one after the other.

    Attributes:
        report: of the run.
        skipped: the files.
        is_quiet: whether the text has the files alone.
    """

    report: IndexReport
    skipped: Iterable[SkippedFile]
    is_quiet: bool = False


def _write_text(value: ReportWithSkipped, look: Look) -> Iterator[str]:
    """A line for each file with the reason, then the summary."""
    rest = iter(value.skipped)
    while some := list(islice(rest, 1000)):
        yield as_lines(
            f"{file.reason.replace('_', ' '):<{_REASON}}  {visible(file.repository)}:{visible(file.path)}"
            for file in some
        )
    if not value.is_quiet:
        yield from text.write(value.report, look)


def _write_json(value: ReportWithSkipped, _look: Look) -> Iterator[str]:
    """The report with the files in `skipped_files`."""
    yield from dump_list(value.report.to_dict(), "skipped_files", (file.to_dict() for file in value.skipped))


WITH_SKIPPED: Mapping[str, Renderer[ReportWithSkipped]] = {
    "text": Renderer(_write_text),
    "json": Renderer(_write_json),
}
"""The formats of `RENDERERS`, with the list."""
