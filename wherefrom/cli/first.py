"""`wherefrom first`."""

from dataclasses import replace
from typing import Annotated

import typer

from wherefrom.cli import console, files, inputs
from wherefrom.cli.answers import AnswerWriter
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import FirstOptions
from wherefrom.reports.first import RENDERERS


@command("color", "index", "expect")
def first(
    given: Given,
    named: Annotated[
        list[str] | None,
        argument(
            "FILE|URL|-",
            "Snippets: files, folders, lines of a file (`FILE:10-20`), permalinks of code hosts, URLs of Stack "
            "Exchange posts, `-` for stdin.",
        ),
    ] = None,
    *,
    options: FirstOptions,
    code: Annotated[str | None, typer.Option("--code", metavar="TEXT", help="The snippet itself.")] = None,
    output: str = format_option(RENDERERS, "The format of the answer; json is an array for several snippets."),
) -> None:
    """Find the commit that brought code first.

    Finds places that have the code now, and places where it is gone. The repositories have to be indexed with
    `wherefrom index --history`. The oldest place is the oldest that the index knows. The answer tells what makes a date
    doubtful. Exit code 0 if a place was found, 1 if none was, 2 for an error.

    Examples:
        wherefrom first parse.py  # who had this file first?
        wherefrom first parse.py:10-40  # only these lines
        wherefrom first https://github.com/OWNER/REPO/blob/REV/PATH#L10-L40  # lines of an indexed repository
    """
    names = inputs.named("first", named or [], code)
    files.check_standard_input(names)
    analyzer = given.started_analyzer()
    look = console.look(given.settings.color)
    with (
        analyzer,
        given.open_index() as index,
        AnswerWriter(RENDERERS[output], look, several=inputs.is_batch(names)) as answers,
    ):
        for snippet in inputs.given_code(code) or inputs.read_each(
            names, given.settings, index, analyzer, answers.problem, dated=False
        ):
            wanted = replace(
                options,
                name=snippet.name,
                language=options.language or snippet.language,
                lines=snippet.lines,
            )
            with answers.reporting(snippet.name):
                result = index.first(snippet.text, wanted)
                if snippet.is_block and result.query.needed is not None:
                    answers.too_short.append(result.query.name)
                else:
                    answers.write(result)
    answers.say_skipped()
    raise typer.Exit(answers.exit_code)
