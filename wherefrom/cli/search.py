"""`wherefrom search` and `wherefrom similar`."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer

from wherefrom.cli import console, files, gathering, inputs
from wherefrom.cli.answers import Answers, Brief, Context, Count, Form, Locations, MaxLines, ResultFormat
from wherefrom.cli.flags import Color, Given, IndexLocation, all_filled, filled, with_options
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines, UsageError
from wherefrom.options import SearchOptions, SimilarOptions
from wherefrom.reports.look import WholeFile
from wherefrom.reports.search.text import live_line

LONG = 5_000
"""Tokens from which on a search takes longer than a person waits without a word: about two seconds."""


@with_options(SearchOptions)
def search(
    context: typer.Context,
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|URL|-",
            help="Snippets: files, folders of them, lines (`FILE:10-20`), permalinks of code hosts, posts of Stack "
            "Exchange, `-` for stdin.",
            show_default=False,
        ),
    ] = None,
    *,
    code: Annotated[str | None, typer.Option("--code", metavar="TEXT", help="The snippet itself.")] = None,
    without_file: Annotated[
        list[str] | None,
        typer.Option(
            "--without-file",
            metavar="FILE",
            help="Leave the code of this file, folder, archive or repository out; repeatable.",
            callback=all_filled,
        ),
    ] = None,
    brief: Brief = False,
    locations: Locations = False,
    count: Count = False,
    context_lines: Context = None,
    max_lines: MaxLines = None,
    output: ResultFormat = "text",
    color: Color = None,
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Find where else code appears, and whether it is credited.

    Several files, or a folder of them, are looked up one after the other, and so are the blocks of code of a post; its
    source is the post. A permalink such as https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20 is read from the indexed
    repository, and counts as the source of the code (`--source`). Exit code 0 where something was found, 1 where
    nothing was, 2 for an error.
    """
    form = Form(output, brief, locations, count, context_lines, max_lines)
    given = Given(context, index=location, color=color)
    names = _names(named or [], code)
    files.check_standard_input([*names, *(without_file or [])])
    options = given.options(SearchOptions, flags)
    analyzer = given.started_analyzer()
    if without_file:
        options = replace(options, without_sets=[gathering.boilerplate_set(without_file, given.parse_memory)])
    look = console.look(given.settings.color, explain=options.explain)
    given_code = None if code is None else [inputs.Snippet("<code>", os.fsencode(code))]
    live = console.LiveLine()
    several = inputs.is_batch(names)
    with analyzer, given.open_index() as index, Answers(form, look, several=several) as answers:
        for snippet in given_code or inputs.read_each(
            names, given.settings, index, analyzer, answers.problem, dated=options.written is None
        ):
            try:
                result = index.search(
                    snippet.text,
                    replace(
                        options,
                        name=snippet.name,
                        language=options.language or snippet.language,
                        lines=snippet.lines,
                        sources=[*options.sources, *snippet.sources],
                        written=options.written or snippet.written,
                        progress=_announcement(live, snippet.name),
                    ),
                )
            except (BinaryContent, NoSuchLines) as error:
                answers.problem(str(error))
                continue
            except AnalysisError as error:
                answers.problem(f"{snippet.name}: {error}")
                continue
            finally:
                live.clear()
            if snippet.is_block and result.query.needed is not None:
                answers.skip(result)
                continue
            answers.write(result)
    answers.say_skipped()
    raise typer.Exit(answers.exit_code)


def _announcement(live: console.LiveLine, name: str) -> Callable[[int], None] | None:
    """What says on a terminal that a long snippet is being looked up."""

    def show(tokens: int) -> None:
        if tokens >= LONG:
            live.show(live_line(name, tokens, live.width))

    return show if live.active else None


def _names(snippets: list[str], code: str | None) -> list[str]:
    """The files to look up; standard input where nothing is named and something is sent there."""
    if code is not None:
        if snippets:
            raise UsageError("both files and --code are given; give one of them")
        if not code.strip():
            raise UsageError("--code is empty; give it the snippet")
        return []
    if not all(name.strip() for name in snippets):
        raise UsageError("a file name is empty; name a file, a folder or `-`")
    if snippets:
        return snippets
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            "no snippet; usage: wherefrom search FILE... | wherefrom search - | wherefrom search --code TEXT"
        )
    return [files.STANDARD_INPUT]


@with_options(SimilarOptions)
def similar(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="FILE|REPO:PATH|URL|-",
            help="A file or lines of it (`FILE:10-20`), an indexed file, a permalink, or `-` for stdin.",
            callback=filled,
            show_default=False,
        ),
    ],
    *,
    brief: Brief = False,
    locations: Locations = False,
    count: Count = False,
    context_lines: Context = None,
    max_lines: MaxLines = None,
    output: ResultFormat = "text",
    color: Color = None,
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Find files like one that is given, or like one that is indexed.

    A file that exists wins over an indexed file of that name. Exit code 0 where something was found, 1 where nothing
    was, 2 for an error.
    """
    from wherefrom.queries.similarity.similar_files import CANDIDATES, floor  # noqa: PLC0415 -- `--help` is not to wait for it

    form = Form(output, brief, locations, count, context_lines, max_lines)
    given = Given(context, index=location, color=color)
    options = given.options(SimilarOptions, flags)
    file = WholeFile(partial(floor, options.by), max(CANDIDATES, options.limit))
    look = console.look(given.settings.color, explain=options.explain)
    answers = Answers(form, replace(look, file=file), several=False)
    with given.open_index() as index, answers:
        if not inputs.is_readable(target):
            answers.write(index.similar(target, options))
        else:
            snippet = inputs.read_one(target, index)
            answers.write(index.similar_to(snippet.text, replace(options, name=snippet.name, lines=snippet.lines)))
    raise typer.Exit(answers.exit_code)
