"""`wherefrom sources`."""

from dataclasses import replace
from typing import Annotated

import typer

from wherefrom.cli import console, inputs
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import SourcesOptions
from wherefrom.options.fields import Flag, option
from wherefrom.reports.sources import RENDERERS, live_line


@command("color", "index", "expect")
def sources(
    given: Given,
    file: Annotated[
        str,
        argument(
            "FILE|URL|-", "A file, some lines of a file (`FILE:10-20`), a permalink of a code host, or `-` for stdin."
        ),
    ],
    *,
    options: SourcesOptions,
    lines: bool | None = option(
        None,
        Flag(),
        "Show the file, with the number of the source file before each line.",
        flag="--lines/--no-lines",
        default_help="for a short file",
    ),
    output: str = format_option(RENDERERS),
) -> None:
    """Explain a file by the few indexed files that contain its parts.

    Takes the indexed file that explains the largest part, then the file that explains most of the rest, and so on. The
    explained file was not necessarily made from these files. Exit code 0 if a part was explained, 1 if none was, 2 for
    an error.

    Examples:
        wherefrom sources parser.py  # which files explain this one?
    """
    with given.started_analyzer(), given.open_index() as index:
        snippet = inputs.read_one(file, index)
        with console.LiveLine(live_line) as live:
            options = replace(options, name=snippet.name, lines=snippet.lines, progress=live.report)
            result = index.sources(snippet.text, options)
        console.render(RENDERERS[output], result, given.settings.color, lines=lines)
        for warning in result.warnings:
            console.warn(warning)
    raise typer.Exit(0 if result.documents else 1)
