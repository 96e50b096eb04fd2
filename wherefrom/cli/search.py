"""`wherefrom search` and `wherefrom similar`."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import console, files, inputs
from wherefrom.cli.answers import Answers, Form, ResultFormat
from wherefrom.cli.flags import argument, command, text_option
from wherefrom.cli.given import Given
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines, UsageError
from wherefrom.options import SearchOptions, SimilarOptions
from wherefrom.reports import boilerplate
from wherefrom.reports.look import WholeFile
from wherefrom.reports.search.text import live_line

LONG = 5_000
"""Tokens from which on a search takes longer than a person waits without a word: about two seconds."""


@command("color", "index")
def search(
    given: Given,
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
    options: SearchOptions,
    code: Annotated[str | None, typer.Option("--code", metavar="TEXT", help="The snippet itself.")] = None,
    without_file: Annotated[
        list[str] | None,
        text_option(
            "--without-file", "FILE", "Leave the code of this file, folder, archive or repository out; repeatable."
        ),
    ] = None,
    form: Form,
    output: ResultFormat = "text",
) -> None:
    """Find where else code appears, and whether it is credited.

    Several files, or a folder of them, are looked up one after the other, and so are the blocks of code of a post; its
    source is the post. A permalink such as https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20 is read from the indexed
    repository, and counts as the source of the code (`--source`). Exit code 0 where something was found, 1 where
    nothing was, 2 for an error.

    Examples:
        wherefrom search snippet.py  # a file
        cat snippet.py | wherefrom search -  # what was copied from somewhere
        wherefrom search https://stackoverflow.com/a/1094933  # an answer, and who names it
        wherefrom search --path '*.py' --limit 3 snippet.py  # only in some files
    """
    renderer = form.renderer(output)
    names = _names(named or [], code)
    files.check_standard_input([*names, *(without_file or [])])
    analyzer = given.started_analyzer()
    if without_file:
        options = replace(options, without_sets=[_set_of(without_file, given.parse_memory)])
    look = console.look(given.settings.color, explain=options.explain)
    given_code = None if code is None else [inputs.Snippet("<code>", os.fsencode(code))]
    live = console.LiveLine()
    several = inputs.is_batch(names)
    with analyzer, given.open_index() as index, Answers(form, renderer, look, several=several) as answers:
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


def _set_of(names: list[str], parse_memory: int) -> "wherefrom.BoilerplateSet":
    """The boilerplate set of files, folders, archives and repositories, stored nowhere."""
    texts, corpora = files.texts_and_corpora(names)
    with console.LiveLine(boilerplate.live_line) as live:
        return wherefrom.make_boilerplate(texts, sources=corpora, parse_memory=parse_memory, progress=live.report)


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


@command("color", "index")
def similar(
    given: Given,
    target: Annotated[
        str,
        argument(
            "FILE|REPO:PATH|URL|-",
            "A file or lines of it (`FILE:10-20`), an indexed file, a permalink, or `-` for stdin.",
        ),
    ],
    *,
    options: SimilarOptions,
    form: Form,
    output: ResultFormat = "text",
) -> None:
    """Find files like one that is given, or like one that is indexed.

    A file that exists wins over an indexed file of that name. Exit code 0 where something was found, 1 where nothing
    was, 2 for an error.

    Examples:
        wherefrom similar github.com/example/tools:measure.py  # files that contain much of it
        wherefrom similar --by resemblance github.com/example/tools:measure.py  # the same file
    """
    from wherefrom.queries.similarity.similar_files import CANDIDATES, floor  # noqa: PLC0415 -- `--help` is not to wait for it

    file = WholeFile(partial(floor, options.by), max(CANDIDATES, options.limit))
    look = replace(console.look(given.settings.color, explain=options.explain), file=file)
    answers = Answers(form, form.renderer(output), look, several=False)
    with given.open_index() as index, answers:
        if not inputs.is_readable(target):
            answers.write(index.similar(target, options))
        else:
            snippet = inputs.read_one(target, index)
            answers.write(index.similar_to(snippet.text, replace(options, name=snippet.name, lines=snippet.lines)))
    raise typer.Exit(answers.exit_code)
