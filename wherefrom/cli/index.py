"""`wherefrom index`."""

from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.flags import Quiet, command, format_option
from wherefrom.cli.given import Given
from wherefrom.cli.spool import Skipped
from wherefrom.errors import UsageError
from wherefrom.options import IndexOptions
from wherefrom.reports.index import RENDERERS
from wherefrom.reports.index.skipped import WITH_SKIPPED, ReportWithSkipped
from wherefrom.reports.index.text import Running, failure
from wherefrom.results import IndexReport

WARNINGS = 20
"""So many warnings are shown one by one."""

_AGAIN = "run the same command again"


@command("index")
def index(
    given: Given,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE",
            help="Clones, folders of clones, plain folders, archives, repository URLs.",
            show_default=False,
        ),
    ] = None,
    *,
    options: IndexOptions,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Also the sources that FILE lists, one a line, or with columns SOURCE, NAME, REVISION; `-` for stdin.",
        ),
    ] = None,
    list_skipped: Annotated[
        bool,
        typer.Option("--skipped", help="Also list the files that are skipped, each with the reason."),
    ] = False,
    quiet: Quiet = False,
    output: Annotated[str, format_option(RENDERERS)] = "text",
) -> None:
    """Put repositories into the index, or bring them up to date.

    Known contents are not parsed again, so that a run that was stopped is simply started again. What an older version
    has analyzed is renewed. Exit code 2 if a source is not there or failed; the others are indexed all the same. Of two
    with one repository key one is indexed, and the other is named at the end.

    With --skipped, repositories that are unchanged are read again, since the index has only the number of the files
    that were skipped.

    Examples:
        wherefrom index ~/clones  # every clone in a folder
        wherefrom index --from sources.txt  # what a list names
        wherefrom index --skipped ~/clones/tools  # say which files are skipped, and why
    """
    named = [*map(wherefrom.ListedSource, sources or []), *(files.source_list(from_) if from_ is not None else [])]
    if not named or not all(source.text.strip() for source in named):
        raise UsageError(
            "no source to index; name a clone, a folder, an archive or a URL, or a list of them with --from FILE"
        )
    location = given.settings.index
    stopped = f"the index in use at {location} is as it was" if options.rebuild else _AGAIN
    with ExitStack() as opened:
        skipped = opened.enter_context(Skipped()) if list_skipped else None
        with console.LiveLine(Running().line, quiet=quiet, interrupted=stopped) as live:
            report = wherefrom.index_sources(
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
        raise typer.Exit(console.INTERRUPTED)
    if any(repository.status == "failed" for repository in report.repositories):
        raise typer.Exit(2)


def _show(report: IndexReport, skipped: Skipped | None, output: str, *, quiet: bool) -> None:
    for warning in report.warnings[:WARNINGS]:
        console.warn(warning)
    if more := report.warnings[WARNINGS:]:
        console.say(f"wherefrom: {len(more):,} more warnings (all of them with --format json)")
    is_shown = output != "text" or not quiet
    if skipped:
        answer = ReportWithSkipped(report, skipped, is_quiet=quiet)
        console.render(WITH_SKIPPED[output], answer, console.look("never"))
    elif is_shown:
        console.render(RENDERERS[output], report, console.look("never"))
    if is_shown and output == "text":
        return  # it names what failed
    for repository in report.repositories:
        if repository.status == "failed":
            console.fail(failure(repository))
