"""`wherefrom trace`."""

from dataclasses import replace
from typing import Annotated

import typer

from wherefrom.cli import console, files
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import TraceOptions
from wherefrom.reports.trace import RENDERERS


@command("color", "index", "expect")
def trace(
    given: Given,
    file: Annotated[str, argument("FILE|-", "The text, such as the answer of an assistant; `-` for stdin.")],
    *,
    options: TraceOptions,
    output: str = format_option(RENDERERS),
) -> None:
    """Find where the code of an assistant's answer is from.

    Looks up each function, and each stretch between them, of all fences of the text, and its prose. Names the places,
    the longest spans first, with license, probability and, in an index with history, first appearance. Exit code 0 if a
    span was found, 1 if none was, 2 for an error.

    Examples:
        wherefrom trace answer.md  # who has written this before?
        pbpaste | wherefrom trace - --own 'github.com/me/*'  # my own repositories do not count
    """
    with given.started_analyzer(), given.open_index() as index:
        name, text = files.read_file(file)
        if options.name is None and file != files.STANDARD_INPUT:
            options = replace(options, name=name)
        result = index.trace(text, options)
        console.render(RENDERERS[output], result, given.settings.color)
    raise typer.Exit(0 if result.spans else 1)
