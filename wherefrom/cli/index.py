"""`wherefrom index`."""

from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import INTERRUPTED, console, files
from wherefrom.cli.options import IndexLocation, filled, format_option, settings
from wherefrom.errors import UsageError
from wherefrom.model import MAX_FILE_SIZE, PARSE_SECONDS
from wherefrom.reports.index import RENDERERS
from wherefrom.reports.index.text import live_line
from wherefrom.results import IndexProgress, IndexReport


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
        typer.Option("--from", metavar="FILE", help="Also the sources that FILE lists, one a line; `-` for stdin."),
    ] = None,
    rev: Annotated[
        str | None,
        typer.Option(
            "--rev", metavar="REVISION", help="The revision of git sources.  [default: HEAD]", callback=filled
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="KEY", help="The repository key, for a single source.", callback=filled),
    ] = None,
    keep_source: Annotated[
        bool, typer.Option("--keep-source", help="Store contents that are new to the index in it as well.")
    ] = False,
    include_generated: Annotated[
        bool, typer.Option("--include-generated", help="Also files that are generated, vendored or minified.")
    ] = False,
    include_data: Annotated[
        bool, typer.Option("--include-data", help="Also data files (JSON, CSV, lock files), as text.")
    ] = False,
    max_file_size: Annotated[
        int | None,
        typer.Option(
            "--max-file-size",
            metavar="BYTES",
            help=f"Skip longer files.  [default: {MAX_FILE_SIZE}]",
            show_default=False,
        ),
    ] = None,
    parse_seconds: Annotated[
        float | None,
        typer.Option(
            "--parse-seconds",
            metavar="SECONDS",
            help=f"Skip files that take longer to parse.  [default: {PARSE_SECONDS:g}]",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Worker processes.  [default: one on each core]", show_default=False),
    ] = None,
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="Build a new index beside the one in use, and replace that when all is done (on Elasticsearch).",
        ),
    ] = False,
    no_renew: Annotated[
        bool,
        typer.Option("--no-renew", help="Leave contents as they are that an older version has analyzed."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    location: IndexLocation = None,
) -> None:
    """Put repositories into the index, or bring them up to date.

    Known contents are not parsed again, so that a run that was stopped is simply started again. What an older version
    has analyzed is renewed. Exit code 2 if a source failed; the others are indexed all the same.
    """
    given = settings(context, index=location, max_file_size=max_file_size, parse_seconds=parse_seconds, jobs=jobs)
    named = [*(sources or []), *(files.source_list(from_) if from_ is not None else [])]
    if not named or not all(source.strip() for source in named):
        raise UsageError(
            "no source to index; give a clone, a folder, an archive or a URL, or a list of them with --from FILE"
        )
    live = console.LiveLine(quiet=quiet)

    def show(event: IndexProgress) -> None:
        live.show(live_line(event, live.width))

    try:
        report = wherefrom.index(
            named,
            index=given.index,
            rev=rev,
            name=name,
            keep_source=keep_source,
            include_generated=include_generated,
            include_data=include_data,
            max_file_size=given.max_file_size,
            parse_seconds=given.parse_seconds,
            jobs=given.jobs,
            cache=given.cache,
            rebuild=rebuild,
            renew=not no_renew,
            progress=show if live.active else None,
            elasticsearch=given.elasticsearch,
        )
    except KeyboardInterrupt:
        live.clear()
        if rebuild:
            console.say(f"wherefrom: interrupted; the index in use at {given.index} is as it was")
        else:
            _say_interrupted(None)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        live.clear()
    _render(report, output, quiet=quiet)
    if report.interrupted:
        _say_interrupted(given.index if report.repositories else None)
        raise typer.Exit(INTERRUPTED)
    if any(repository.status == "failed" for repository in report.repositories):
        raise typer.Exit(2)


def _say_interrupted(location: str | None) -> None:
    """Says that a run was stopped; `location` is the index if it holds what the run finished."""
    if location is None:
        console.say("wherefrom: interrupted; run the same command again")
    else:
        console.say(f"wherefrom: interrupted; what was finished is in {location}: run the same command again to go on")


def _render(report: IndexReport, output: str, *, quiet: bool) -> None:
    is_shown = output != "text" or not quiet
    if is_shown:
        console.render(RENDERERS[output], report, console.look("never"))
    if is_shown and output == "text":
        return  # it names what failed
    for repository in report.repositories:
        if repository.status == "failed":
            console.fail(f"{repository.key}: {repository.error or 'failed'}")
