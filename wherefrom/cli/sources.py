"""`wherefrom sources`."""

from dataclasses import replace
from typing import Annotated

import typer

from wherefrom.cli import console, inputs
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import SourcesOptions
from wherefrom.reports.sources import RENDERERS, live_line

FOUND, NOTHING = 0, 1


@command("color", "index")
def sources(
    given: Given,
    file: Annotated[
        str,
        argument("FILE|URL|-", "The file or lines of it (`FILE:10-20`), a permalink of a code host, or `-` for stdin."),
    ],
    *,
    options: SourcesOptions,
    lines: Annotated[
        bool | None,
        typer.Option(
            "--lines/--no-lines",
            help="Show the file with the number of the document before each line.  [default: for a short file]",
            show_default=False,
        ),
    ] = None,
    output: Annotated[str, format_option(RENDERERS)] = "text",
) -> None:
    """Explain a file by the few indexed files that hold its parts.

    The document that explains most of what is left is taken, again and again. Few documents that explain a file need
    not be those that it was made of. Exit code 0 where something was explained, 1 where nothing was, 2 for an error.

    Examples:
        wherefrom sources parser.py  # which files explain this one?
    """
    with given.started_analyzer(), given.open_index() as index:
        snippet = inputs.read_one(file, index)
        with console.LiveLine(live_line) as live:
            options = replace(options, name=snippet.name, lines=snippet.lines, progress=live.report)
            result = index.sources(snippet.text, options)
        console.render(RENDERERS[output], result, replace(console.look(given.settings.color), lines=lines))
        for warning in result.warnings:
            console.warn(warning)
    raise typer.Exit(FOUND if result.documents else NOTHING)
