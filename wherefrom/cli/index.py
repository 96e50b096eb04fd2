"""`wherefrom index`."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from tempfile import TemporaryFile
from typing import Annotated

from wherefrom.cli import console, files
from wherefrom.cli.flags import QUIET, argument, command, format_option
from wherefrom.cli.settings import Given
from wherefrom.errors import UsageError, WherefromError
from wherefrom.model import SkipReason
from wherefrom.options import IndexOptions
from wherefrom.options.fields import Text, option, switch
from wherefrom.reports.index import RENDERERS, WITH_SKIPPED, ReportWithSkipped, Running, failure
from wherefrom.results import IndexReport, SkippedFile
from wherefrom.support.closing import Closing

WARNINGS = 20
"""At most this many warnings are shown. The others are only counted."""

_AGAIN = "run the same command again"


class Skipped(Closing):
    """A list of the files that a run skipped, in a temporary file because it may be larger than memory. Iterating
    yields them in the order added.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 -- `close` closes it

    def close(self) -> None:
        """Removes the temporary file."""
        self._file.close()

    def add(self, files: Iterable[SkippedFile]) -> None:
        """Adds files; raises `WherefromError` if the temporary file cannot be written."""
        try:
            self._file.writelines(f"{json.dumps([file.repository, file.path, file.reason])}\n" for file in files)
            self._file.flush()
        except OSError as error:
            raise WherefromError(
                f"cannot keep the list of skipped files: {error.strerror}; "
                "make room in the folder for temporary files, or name another one in TMPDIR"
            ) from error

    def __iter__(self) -> Iterator[SkippedFile]:
        self._file.seek(0)
        for line in self._file:
            repository, path, reason = json.loads(line)
            yield SkippedFile(repository, path, SkipReason(reason))


@command("index")
def index(
    given: Given,
    sources: Annotated[
        list[str] | None,
        argument(
            "SOURCE", "Clones, folders of clones, plain folders, archives, repository URLs, packages (pkg:pypi/flask)."
        ),
    ] = None,
    *,
    options: IndexOptions,
    from_: str | None = option(
        None,
        Text("FILE"),
        "Also index the sources in FILE: a list (columns SOURCE, NAME, REVISION), lock file or SBOM; `-` for stdin.",
        flag="--from",
    ),
    list_skipped: bool = switch("Also list the skipped files, each with the reason.", flag="--skipped"),
    quiet: bool = QUIET,
    output: str = format_option(RENDERERS),
) -> int:
    """Add repositories to the index, or bring them up to date.

    Known contents are not parsed again, so run a stopped command again to continue it. Contents that an older version
    analyzed are analyzed again. If a source is missing or fails, the others are indexed and the exit code is 2. If two
    sources have the same repository key, one is indexed and the other is named at the end.

    With --history, `wherefrom first` and searches tell since when code is where it is. That takes about as long as
    indexing all commits, but a later run reads only the new ones.

    With --skipped, unchanged repositories are read again, because the index stores only the number of skipped files.

    Examples:
        wherefrom index ~/clones  # every clone in a folder
        wherefrom index --history ~/clones  # also where and when code appeared first
        wherefrom index --from sources.txt  # every source of a list
        wherefrom index --from package-lock.json  # every package of a lock file
        wherefrom index --skipped ~/clones/tools  # which files are skipped, and why?
    """
    from wherefrom.api import index_sources  # noqa: PLC0415 -- without all public names, as `wherefrom` would load
    from wherefrom.sources.listed import ListedSource  # noqa: PLC0415

    named = [*map(ListedSource, sources or []), *(files.source_list(from_) if from_ is not None else [])]
    if not named:
        raise UsageError(
            "no source to index; name a clone, a folder, an archive, a URL or a package, or a list with --from FILE"
        )
    location = given.settings.index
    stopped = f"the index in use at {location} is as it was" if options.rebuild else _AGAIN
    with ExitStack() as opened:
        skipped = opened.enter_context(Skipped()) if list_skipped else None
        with console.LiveLine(Running().line, quiet=quiet, interrupted=stopped) as live:
            report = index_sources(
                named,
                location,
                replace(
                    options,
                    progress=live.report,
                    skipped=skipped.add if skipped else None,
                    engine=given.engine(),
                ),
            )
        _show(report, skipped, output, quiet=quiet)
    is_finished = any(repository.status != "failed" for repository in report.repositories)
    if report.interrupted:
        done = f"what was finished is in {location}: {_AGAIN} to go on" if is_finished else _AGAIN
        console.say(f"wherefrom: interrupted; {done}")
        return console.INTERRUPTED
    if "failed" in {*(it.status for it in report.repositories), *(it.status for it in report.history)}:
        return 2
    return 0


def _show(report: IndexReport, skipped: Skipped | None, output: str, *, quiet: bool) -> None:
    console.warn(*report.warnings[:WARNINGS])
    if more := report.warnings[WARNINGS:]:
        console.say(f"wherefrom: {len(more):,} more warnings (all of them with --format json)")
    is_shown = output != "text" or not quiet
    if skipped:
        answer = ReportWithSkipped(report, skipped, is_quiet=quiet)
        console.render(WITH_SKIPPED[output], answer)
    elif is_shown:
        console.render(RENDERERS[output], report)
    if is_shown and output == "text":
        return  # The text that was just written already names the failed repositories.
    for repository in report.repositories:
        if repository.status == "failed":
            console.fail(failure(repository))
    for history in report.history:
        if history.status == "failed":
            console.fail(f"history of {failure(history)}")
