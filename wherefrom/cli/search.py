"""`wherefrom search` and `wherefrom similar`."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import console, files, snippets
from wherefrom.cli.commands import argument, command
from wherefrom.cli.settings import Given, IndexLocation
from wherefrom.cli.snippets import RESULT_FORMAT, Code, SearchWriter, Snippets, TextForm
from wherefrom.errors import UsageError
from wherefrom.options import SearchOptions, SimilarOptions
from wherefrom.options.asking import needs_code
from wherefrom.options.fields import FilePath, LanguageName, Several, Text, option, switch
from wherefrom.reports.renderer import WholeFile
from wherefrom.reports.search.text import live_line

LONG = 5_000
"""Looking up this many tokens takes about two seconds, so a message is shown for snippets of at least this length."""


@command("color", "expect")
def search(
    given: Given,
    named: Snippets = None,
    *,
    options: SearchOptions,
    code: Code = None,
    without_files: Sequence[str] = option(
        (),
        Several(Text("FILE")),
        "Leave out the code of this file, folder, archive or repository; repeatable.",
        flag="--without-file",
    ),
    form: TextForm,
    output: str = RESULT_FORMAT,
    indexes: Sequence[str] = option(
        (),
        Several(IndexLocation()),
        "The location of the index; repeatable, to search several.",
        flag="--index",
        default_help="the index that WHEREFROM_INDEX or config.toml names",
    ),
    strict: bool = switch("Exit with code 2 if one of several indexes cannot be searched."),
    read_from: Sequence[Path] = option(
        (),
        Several(FilePath("CLONES")),
        "Clones, or folders with clones, from which code is read that the index lacks; repeatable.",
    ),
    fingerprints: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Look up what `wherefrom fingerprint` wrote, not a snippet.")
    ] = None,
) -> int:
    """Find where else code appears, and whether it is credited.

    Looks up several files, or the code blocks of a post, one after the other. The source of a block is its post. A
    permalink such as https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20 is read from the indexed repository and counts
    as the source of the code (see --source). Exit code 0 if something was found, 1 if nothing was, 2 for an error.

    Examples:
        wherefrom search snippet.py  # a file
        cat snippet.py | wherefrom search -  # code from another command
        wherefrom search https://stackoverflow.com/a/1094933  # who uses an answer, and who credits it?
        wherefrom search --path '*.py' --limit 3 snippet.py  # only in Python files
        wherefrom search --index mine --index https://example.com/code/ snippet.py  # in two indexes
    """
    renderer = form.renderer(output)
    if fingerprints is not None:
        if named or code is not None:
            raise UsageError("--fingerprints is given with a snippet; give one of them")
        of_code = {
            "--without-file": without_files,
            "--read-from": read_from,
            "--context": form.context is not None,
            "--max-lines": form.max_lines is not None,
        }
        for name, is_given in of_code.items():
            if is_given:
                raise needs_code(name)
    names = [] if fingerprints is not None else snippets.named("search", named or [], code)
    files.check_standard_input([*names, *without_files])
    analyzer = given.analyzer()
    if without_files:
        from wherefrom.reports import boilerplate  # noqa: PLC0415 -- most searches leave nothing out

        texts, corpora = files.texts_and_corpora(without_files)
        with console.LiveLine(boilerplate.live_line) as live:
            left_out = wherefrom.make_boilerplate(
                texts, sources=corpora, parse_memory=given.parse_memory, progress=live.report
            )
        options = replace(options, without_sets=[left_out])
    look = console.look(given.settings.color, explain=options.explain)
    several = snippets.is_batch(names)
    with (
        analyzer,
        given.open_indexes(indexes, read_from) as index,
        SearchWriter(form, renderer, look, several=several) as answers,
    ):
        if fingerprints is not None:
            answers.write(index.search(snippets.fingerprints(fingerprints), options))
        for snippet in snippets.read_each(
            names,
            given.settings,
            index.first,
            analyzer,
            code=code,
            problem=answers.problem,
            dated=options.written is None,
        ):
            sources, written = [*options.sources, *snippet.sources], options.written or snippet.written
            wanted = replace(snippet.options(options), sources=sources, written=written)
            with answers.reporting(snippet.name):
                with console.LiveLine(partial(_announcement, snippet.name)) as live:
                    result = index.search(snippet.text, replace(wanted, progress=live.report))
                answers.write(result, is_block=snippet.is_block)
        if strict and index.problems:
            answers.problem("not all indexes were searched; leave out --strict to accept that")
    return answers.exit_code


@command()
def fingerprint(
    _given: Given,
    named: Annotated[str, argument("FILE|-", "The snippet: a file, lines of a file (`FILE:10-20`), or `-` for stdin.")],
    *,
    language: str | None = option(None, LanguageName(), "The language of the snippet; by default guessed."),
) -> None:
    """Write what a search of a snippet needs, without its code.

    `wherefrom search --fingerprints FILE` looks them up. They do not have the code, but say which code of a known index
    it is: see the documentation on confidentiality.

    Examples:
        wherefrom fingerprint snippet.py > snippet.json  # to be sent to whoever has an index
        wherefrom search --fingerprints snippet.json  # what they run
    """
    snippet = snippets.read_plain(named)
    made = wherefrom.fingerprint(snippet.text, name=snippet.name, language=language, lines=snippet.lines)
    console.emit(made.dump())


def _announcement(name: str, tokens: int, width: int) -> str:
    return live_line(name, tokens, width) if tokens >= LONG else ""


@command("color", "index", "expect")
def similar(
    given: Given,
    target: Annotated[
        str,
        argument(
            "FILE|REPO:PATH|URL|-",
            "A file, some lines of a file (`FILE:10-20`), an indexed file, a permalink, or `-` for stdin.",
        ),
    ],
    *,
    options: SimilarOptions,
    form: TextForm,
    output: str = RESULT_FORMAT,
) -> int:
    """Find indexed files that are similar to a file.

    A local file wins over an indexed file of the same name. Exit code 0 if something was found, 1 if nothing was, 2 for
    an error.

    Examples:
        wherefrom similar github.com/example/tools:measure.py  # files with the same parts
        wherefrom similar --by resemblance github.com/example/tools:measure.py  # files that are alike as a whole
    """
    from wherefrom.extend import COMPARED_FILES, least_similar  # noqa: PLC0415 -- `--help` does not wait for it

    file = WholeFile(partial(least_similar, options.by), max(COMPARED_FILES, options.limit))
    look = console.look(given.settings.color, explain=options.explain, file=file)
    answers = SearchWriter(form, form.renderer(output), look, several=False)
    with given.open_index() as index, answers:
        if not snippets.is_readable(target):
            answers.write(index.similar(target, options))
        else:
            snippet = snippets.read_one(target, index)
            answers.write(index.similar_to(snippet.text, snippet.options(options)))
    return answers.exit_code
