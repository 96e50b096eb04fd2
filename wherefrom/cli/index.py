"""`wherefrom index`."""

from typing import Annotated, Any

import typer

import wherefrom
from wherefrom.cli import INTERRUPTED, console, files
from wherefrom.cli.flags import Given, IndexLocation, format_option, with_options
from wherefrom.cli.spool import Skipped
from wherefrom.errors import UsageError
from wherefrom.options import IndexOptions
from wherefrom.reports.index import RENDERERS
from wherefrom.reports.index.skipped import WITH_SKIPPED, ReportWithSkipped
from wherefrom.reports.index.text import Running, failure
from wherefrom.results import IndexProgress, IndexReport

WARNINGS = 20
"""So many warnings are shown one by one."""


@with_options(IndexOptions)
def index(
    context: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE",
            help="Clones, folders of clones, plain folders, archives, repository URLs.",
            show_default=False,
        ),
    ] = None,
    *,
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
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Put repositories into the index, or bring them up to date.

    Known contents are not parsed again, so that a run that was stopped is simply started again. What an older version
    has analyzed is renewed. Exit code 2 if a source is not there or failed; the others are indexed all the same. Of two
    with one repository key one is indexed, and the other is named at the end.

    With --skipped, repositories that are unchanged are read again, since the index has only the number of the files
    that were skipped.
    """
    given = Given(context, index=location)
    named = [*map(wherefrom.ListedSource, sources or []), *(files.source_list(from_) if from_ is not None else [])]
    if not named or not all(source.text.strip() for source in named):
        raise UsageError(
            "no source to index; name a clone, a folder, an archive or a URL, or a list of them with --from FILE"
        )
    live, running = console.LiveLine(quiet=quiet), Running()

    def show(event: IndexProgress) -> None:
        live.show(running.line(event, live.width))

    skipped = context.with_resource(Skipped()) if list_skipped else None
    options = given.options(
        IndexOptions,
        flags,
        progress=show if live.active else None,
        skipped=skipped.add if skipped else None,
        engine=given.engine(),
    )
    try:
        report = wherefrom.index_sources(named, given.settings.index, options)
    except KeyboardInterrupt:
        live.clear()
        if options.rebuild:
            console.say(f"wherefrom: interrupted; the index in use at {given.settings.index} is as it was")
        else:
            _say_interrupted(None)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        live.clear()
    for warning in report.warnings[:WARNINGS]:
        console.warn(warning)
    if more := report.warnings[WARNINGS:]:
        console.say(f"wherefrom: {len(more):,} more warnings (all of them with --format json)")
    _render(report, skipped, output, quiet=quiet)
    if report.interrupted:
        is_finished = any(repository.status != "failed" for repository in report.repositories)
        _say_interrupted(given.settings.index if is_finished else None)
        raise typer.Exit(INTERRUPTED)
    if any(repository.status == "failed" for repository in report.repositories):
        raise typer.Exit(2)


def _say_interrupted(location: str | None) -> None:
    """Says that a run was stopped; `location` is the index if it holds what the run finished."""
    if location is None:
        console.say("wherefrom: interrupted; run the same command again")
    else:
        console.say(f"wherefrom: interrupted; what was finished is in {location}: run the same command again to go on")


def _render(report: IndexReport, skipped: Skipped | None, output: str, *, quiet: bool) -> None:
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
