"""`wherefrom search` and `wherefrom similar`."""

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Literal

import typer

import wherefrom
from wherefrom.cli import console, files, gathering, snippets
from wherefrom.cli.options import (
    Color,
    Explain,
    IndexLocation,
    Limit,
    OnlyPaths,
    OnlyRepositories,
    Without,
    all_filled,
    filled,
    open_index,
    positive,
    positive_share,
    settings,
    share,
    started_analyzer,
)
from wherefrom.errors import AnalysisError, BinaryContent, UsageError
from wherefrom.model import SearchResult
from wherefrom.reports import csv_report, json_report, terminal
from wherefrom.reports.text import count

ResultFormat = Annotated[
    Literal["text", "json", "jsonl", "csv"],
    typer.Option("--format", help="How the answer is written; json is one line for each of several snippets."),
]

FOUND, NOTHING, ERROR = 0, 1, 2

LONG = 5_000
"""Tokens from which on a search takes longer than a person waits without a word: about two seconds."""

SHOWN = 3
"""Blocks that are named where they are left out."""


class Answers:
    """Writes answers one after the other, and keeps the exit code."""

    def __init__(self, output: str, look: terminal.Look, *, batch: bool) -> None:
        self.output = "jsonl" if batch and output == "json" else output
        self.look = look
        self.count = 0
        self.found = False
        self.failed = False
        self.too_short: list[str] = []

    def problem(self, message: str) -> None:
        """Something could not be looked up; the rest goes on."""
        console.fail(message)
        self.failed = True

    def skip(self, result: SearchResult) -> None:
        """Leaves out a block of a post that is too short."""
        self.too_short.append(result.query.name)

    def say_skipped(self) -> None:
        """Says which blocks of posts were left out."""
        if self.too_short:
            shown = "; ".join(self.too_short[:SHOWN]) + ("; ..." if len(self.too_short) > SHOWN else "")
            console.say(f"wherefrom: {count(len(self.too_short), 'block')} too short to be looked up: {shown}")

    def write(self, result: SearchResult, query: bytes | None, index: "wherefrom.Index") -> None:
        """Writes one answer."""
        for part in self._parts(result, query, index):
            console.emit(part)
        self.count += 1
        self.found = self.found or bool(result.hits)

    def _parts(self, result: SearchResult, query: bytes | None, index: "wherefrom.Index") -> Iterable[str]:
        match self.output:
            case "json":
                yield json_report.to_json(result)
            case "jsonl":
                yield json_report.to_jsonl(result)
            case "csv":
                if self.count == 0:
                    yield csv_report.header()
                yield csv_report.rows(result)
            case _:
                if self.count:
                    yield "\n"
                yield from terminal.blocks(result, query, index.hit_source, self.look)

    @property
    def exit_code(self) -> int:
        """2 where something failed, else 0 where something was found, else 1."""
        if self.failed:
            return ERROR
        return FOUND if self.found else NOTHING


def search(
    context: typer.Context,
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|URL|-",
            help="Snippets: files, folders of them, posts of Stack Exchange, `-` for stdin.",
            show_default=False,
        ),
    ] = None,
    *,
    code: Annotated[str | None, typer.Option("--code", metavar="TEXT", help="The snippet itself.")] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", metavar="NAME", help="The snippet's language (else guessed).", callback=filled),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            metavar="N",
            help="The query's window w', at least the index's w.  [default: 2 w, w for a short snippet]",
            callback=positive,
        ),
    ] = None,
    limit: Limit = None,
    min_containment: Annotated[
        float,
        typer.Option(
            "--min-containment",
            metavar="SHARE",
            help="Leave out hits of which less of the snippet is found, 0 to 1.",
            callback=share,
            show_default=False,
        ),
    ] = 0.0,
    repository: OnlyRepositories = None,
    path: OnlyPaths = None,
    only_language: Annotated[
        list[str] | None,
        typer.Option(
            "--only-language", metavar="NAME", help="Only files in this language; repeatable.", callback=all_filled
        ),
    ] = None,
    without: Without = None,
    without_file: Annotated[
        list[str] | None,
        typer.Option(
            "--without-file",
            metavar="FILE",
            help="Leave the code of this file, folder, archive or repository out; repeatable.",
            callback=all_filled,
        ),
    ] = None,
    max_df: Annotated[
        float | None,
        typer.Option(
            "--max-df",
            metavar="SHARE",
            help="Ignore token runs that appear in more than this share of the indexed contents.",
            callback=positive_share,
        ),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="URL",
            help="Say of each hit whether it names this source; repeatable.",
            callback=all_filled,
        ),
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option("--author", metavar="NAME", help="... or this author of it; repeatable.", callback=all_filled),
    ] = None,
    license: Annotated[
        list[str] | None,
        typer.Option(
            "--license",
            metavar="SPDX",
            help="Say whether it states this license, where no source is given; repeatable.",
            callback=all_filled,
        ),
    ] = None,
    unattributed: Annotated[
        bool, typer.Option("--unattributed", help="Leave out the places that name the source, or are it.")
    ] = False,
    written: Annotated[
        datetime | None,
        typer.Option(
            "--written",
            metavar="YYYY-MM-DD",
            formats=["%Y-%m-%d"],
            help="The day on which the source was written: older files are marked.",
            show_default=False,
        ),
    ] = None,
    explain: Explain = False,
    output: ResultFormat = "text",
    color: Color = None,
    location: IndexLocation = None,
) -> None:
    """Find where else a snippet appears, and whether that place says where it came from.

    Several files, or a folder of them, are looked up one after the other, and so are the blocks of code of a post; its
    source is the post. Exit code 0 where something was found, 1 where nothing was, 2 for an error.
    """
    given = settings(context, index=location, limit=limit, color=color)
    analyzer = started_analyzer(given)
    names = _names(named or [], code)
    files.check_standard_input([*names, *(without_file or [])])
    without_sets = [gathering.boilerplate_set(without_file, given.parse_memory)] if without_file else []
    answers = Answers(output, console.look(given.color, explain=explain), batch=snippets.is_batch(names))
    given_code = None if code is None else [snippets.Snippet("<code>", os.fsencode(code))]
    live = console.LiveLine()
    with analyzer, open_index(given) as index:
        for snippet in given_code or snippets.read_each(names, given, answers.problem):
            try:
                result = index.search(
                    snippet.text,
                    name=snippet.name,
                    language=language or snippet.language,
                    window=window,
                    limit=given.limit,
                    min_containment=min_containment,
                    repositories=repository or [],
                    paths=path or [],
                    languages=only_language or [],
                    without=without or [],
                    without_sets=without_sets,
                    max_df=max_df,
                    explain=explain,
                    sources=[*(source or []), *snippet.sources],
                    authors=author or [],
                    licenses=license or [],
                    unattributed=unattributed,
                    written=written.date() if written else snippet.written,
                    progress=_announcement(live, snippet.name),
                )
            except BinaryContent as error:
                answers.problem(str(error))
                continue
            except AnalysisError as error:
                answers.problem(f"{snippet.name}: {error}")
                continue
            finally:
                live.clear()
            if snippet.sources and result.query.needed is not None:
                answers.skip(result)
                continue
            answers.write(result, snippet.text, index)
    answers.say_skipped()
    raise typer.Exit(answers.exit_code)


def _announcement(live: console.LiveLine, name: str) -> Callable[[int], None] | None:
    """What says on a terminal that a long snippet is being looked up."""

    def show(tokens: int) -> None:
        if tokens >= LONG:
            live.show(terminal.live_line(name, tokens, live.width))

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


def similar(
    context: typer.Context,
    target: Annotated[
        str, typer.Argument(metavar="REPO:PATH", help="An indexed file.", callback=filled, show_default=False)
    ],
    *,
    by: Annotated[
        Literal["containment", "resemblance"],
        typer.Option("--by", help="Its containment in the others, or the likeness of the whole files."),
    ] = "containment",
    budget: Annotated[
        int | None,
        typer.Option("--budget", metavar="N", help="Look up only its N smallest hashes.", callback=positive),
    ] = None,
    limit: Limit = None,
    explain: Explain = False,
    output: ResultFormat = "text",
    color: Color = None,
    location: IndexLocation = None,
) -> None:
    """Find files like one that is indexed."""
    from wherefrom.queries.similar import CANDIDATES, FLOORS  # noqa: PLC0415 -- `--help` is not to wait for it

    given = settings(context, index=location, limit=limit, color=color)
    file = terminal.WholeFile(FLOORS[by], max(CANDIDATES, given.limit))
    answers = Answers(output, replace(console.look(given.color, explain=explain), file=file), batch=False)
    with open_index(given) as index:
        result = index.similar(target, by=by, budget=budget, limit=given.limit, explain=explain)
        answers.write(result, index.target_source(target) if output == "text" else None, index)
    raise typer.Exit(answers.exit_code)
