"""`wherefrom sources`."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from wherefrom.cli import console, inputs
from wherefrom.cli.flags import Color, Given, IndexLocation, filled, format_option, with_options
from wherefrom.options import SourcesOptions
from wherefrom.reports.sources import RENDERERS, live_line

FOUND, NOTHING = 0, 1


@with_options(SourcesOptions)
def sources(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL|-",
            help="The file or lines of it (`FILE:10-20`), a permalink of a code host, or `-` for stdin.",
            callback=filled,
            show_default=False,
        ),
    ],
    *,
    lines: Annotated[
        bool | None,
        typer.Option(
            "--lines/--no-lines",
            help="Show the file with the number of the document before each line.  [default: for a short file]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    color: Color = None,
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Explain a file by the few indexed files that hold its parts.

    The document that explains most of what is left is taken, again and again. Few documents that explain a file need
    not be those that it was made of. Exit code 0 where something was explained, 1 where nothing was, 2 for an error.
    """
    given = Given(context, index=location, color=color)
    live = console.LiveLine()

    def show(done: int, total: int) -> None:
        live.show(live_line(done, total, live.width))

    options = given.options(SourcesOptions, flags, progress=show if live.active else None)
    with given.started_analyzer(), given.open_index() as index:
        snippet = inputs.read_one(file, index)
        try:
            result = index.sources(snippet.text, replace(options, name=snippet.name, lines=snippet.lines))
        finally:
            live.clear()
        look = replace(console.look(given.settings.color), lines=lines)
        console.render(RENDERERS[output], result, look)
        for warning in result.warnings:
            console.warn(warning)
    raise typer.Exit(FOUND if result.documents else NOTHING)
