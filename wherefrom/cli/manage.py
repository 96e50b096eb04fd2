"""`wherefrom list`, `stats`, `remove` and `sweep`: what an index holds."""

from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import Given, IndexLocation, filled, format_option
from wherefrom.printable import visible
from wherefrom.reports.layout import count
from wherefrom.reports.listings import LANGUAGES, REPOSITORIES, STATS


def list_(
    context: typer.Context,
    *,
    output: Annotated[str, format_option(REPOSITORIES)] = "text",
    location: IndexLocation = None,
) -> None:
    """List the indexed repositories."""
    with Given(context, index=location).open_index() as index:
        records = index.repositories()
    console.render(REPOSITORIES[output], records, console.look("never"))


def stats(
    context: typer.Context,
    *,
    verify: Annotated[bool, typer.Option("--verify", help="First read the whole index and look for damage.")] = False,
    output: Annotated[str, format_option(STATS)] = "text",
    location: IndexLocation = None,
) -> None:
    """Count what the index holds."""
    with Given(context, index=location).open_index() as index:
        counts = index.stats(verify=verify)
    console.render(STATS[output], counts, console.look("never"))
    if verify and output == "text":
        console.emit("\nno damage found\n")


def remove(
    context: typer.Context,
    repository: Annotated[
        str, typer.Argument(metavar="REPO", help="A repository key, as listed.", callback=filled, show_default=False)
    ],
    *,
    location: IndexLocation = None,
) -> None:
    """Remove a repository and every content that only it holds."""
    with Given(context, index=location).open_index() as index:
        files = index.remove(repository)
    console.emit(f"removed {visible(repository)}: {count(files, 'file')}\n")


def sweep(context: typer.Context, *, location: IndexLocation = None) -> None:
    """Remove contents that no repository holds any longer."""
    with Given(context, index=location).open_index() as index:
        contents = index.sweep()
    console.emit(f"removed {count(contents, 'content')}\n")


def languages(*, output: Annotated[str, format_option(LANGUAGES)] = "text") -> None:
    """List the languages, with their other names and file endings."""
    console.render(LANGUAGES[output], wherefrom.list_languages(), console.look("never"))
