"""`wherefrom sources`."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from wherefrom.cli import console, files
from wherefrom.cli.flags import Color, Given, IndexLocation, filled, format_option, with_options
from wherefrom.options import SourcesOptions
from wherefrom.reports.sources import RENDERERS
from wherefrom.reports.sources.text import live_line

FOUND, NOTHING = 0, 1


@with_options(SourcesOptions)
def sources(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The file, or `-` for stdin.", callback=filled, show_default=False)
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
    """Explain a file by the few indexed documents that hold its parts.

    The document that explains most of what is left is taken, again and again. Few documents that explain a file need
    not be those that it was made of. Exit code 0 where something was explained, 1 where nothing was, 2 for an error.
    """
    given = Given(context, index=location, color=color)
    name, content = files.read_file(file)
    live = console.LiveLine()

    def show(done: int, total: int) -> None:
        live.show(live_line(done, total, live.width))

    options = given.options(SourcesOptions, flags, name=name, progress=show if live.active else None)
    with given.started_analyzer(), given.open_index() as index:
        try:
            result = index.sources(content, options)
        finally:
            live.clear()
        look = replace(console.look(given.settings.color), lines=lines)
        console.render(RENDERERS[output], result, look)
        for warning in result.warnings:
            console.warn(warning)
    raise typer.Exit(FOUND if result.documents else NOTHING)
