"""`wherefrom compare`."""

from contextlib import ExitStack
from typing import Annotated, Any

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import Color, Given, IndexLocation, all_filled, format_option, with_options
from wherefrom.options import CompareOptions
from wherefrom.reports.compare import RENDERERS
from wherefrom.reports.compare.text import live_line
from wherefrom.results import CompareProgress

FOUND, NOTHING, FAILED = 0, 1, 2


@with_options(CompareOptions)
def compare(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files, folders, clones, archives, repository URLs; none for what is indexed.",
            callback=all_filled,
            show_default=False,
        ),
    ] = None,
    *,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
    color: Color = None,
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Compare submissions with each other.

    Pairs that share code are listed, those that cannot be chance first. Clones are read as they are committed. Exit
    code 0 where pairs are found, 1 where none is, 2 for an error, also where a source could not be read; the others are
    compared all the same.
    """
    given = Given(context, index=location, color=color)
    live = console.LiveLine(quiet=quiet)

    def show(event: CompareProgress) -> None:
        live.show(live_line(event, live.width))

    options = given.options(CompareOptions, flags, progress=show if live.active else None)
    with ExitStack() as opened:
        try:
            if paths and not options.without:
                comparison = wherefrom.compare_sources(paths, options)
            else:
                comparison = opened.enter_context(given.open_index()).compare(paths or [], options)
        finally:
            live.clear()
        for warning in comparison.warnings:
            console.warn(warning)
        console.render(RENDERERS[output], comparison, console.look(given.settings.color))
    for failed in comparison.failed:
        console.fail(f"{failed.key}: {failed.error}")
    raise typer.Exit(FAILED if comparison.failed else FOUND if comparison.counts.found_pairs else NOTHING)
