"""`wherefrom sources`."""

from typing import Annotated

import typer

from wherefrom.cli import console, files
from wherefrom.cli.options import (
    Color,
    Format,
    IndexLocation,
    OnlyPaths,
    OnlyRepositories,
    Without,
    all_filled,
    filled,
    open_index,
    positive,
    settings,
    started_analyzer,
)
from wherefrom.reports import json_report, sources_report

FOUND, NOTHING = 0, 1


def sources(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The file, or `-` for stdin.", callback=filled, show_default=False)
    ],
    *,
    language: Annotated[
        str | None,
        typer.Option("--language", metavar="NAME", help="Its language; guessed unless given.", callback=filled),
    ] = None,
    repository: OnlyRepositories = None,
    not_repository: Annotated[
        list[str] | None,
        typer.Option(
            "--not-repository", metavar="GLOB", help="No repositories like this; repeatable.", callback=all_filled
        ),
    ] = None,
    path: OnlyPaths = None,
    not_itself: Annotated[bool, typer.Option("--not-itself", help="Leave out exact copies of the whole file.")] = False,
    without: Without = None,
    min_tokens: Annotated[
        int | None,
        typer.Option(
            "--min-tokens",
            metavar="N",
            help="Count only shared runs of so many tokens.  [default: the shortest that is sure to be found]",
            callback=positive,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", help="Documents at most.  [default: 10]", show_default=False),
    ] = None,
    lines: Annotated[
        bool | None,
        typer.Option(
            "--lines/--no-lines",
            help="Show the file with the number of the document before each line.  [default: for a short file]",
            show_default=False,
        ),
    ] = None,
    output: Format = "text",
    color: Color = None,
    location: IndexLocation = None,
) -> None:
    """Explain a file by the few indexed documents that hold its parts.

    The document that explains most of what is left is taken, again and again. Few documents that explain a file need
    not be those that it was made of. Exit code 0 where something was explained, 1 where nothing was, 2 for an error.
    """
    given = settings(context, index=location, limit=limit, color=color)
    name, content = files.read_file(file)
    live = console.LiveLine()

    def show(done: int, total: int) -> None:
        live.show(sources_report.live_line(done, total, live.width))

    with started_analyzer(given), open_index(given) as index:
        try:
            result = index.sources(
                content,
                name=name,
                language=language,
                min_tokens=min_tokens,
                limit=given.limit,
                repositories=repository or [],
                paths=path or [],
                not_repositories=not_repository or [],
                not_itself=not_itself,
                without=without or [],
                progress=show if live.active else None,
            )
        finally:
            live.clear()
    if output == "json":
        console.emit(json_report.dumps(json_report.sources_to_dict(result)))
    else:
        console.emit(sources_report.report(result, content, console.look(given.color), with_lines=lines))
    raise typer.Exit(FOUND if result.documents else NOTHING)
