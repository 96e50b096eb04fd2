"""`wherefrom list`, `stats`, `remove` and `sweep`: what an index holds."""

from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.options import Format, IndexLocation, filled, open_index, settings
from wherefrom.printable import visible
from wherefrom.reports import json_report, listings
from wherefrom.reports.text import count


def list_(context: typer.Context, *, output: Format = "text", location: IndexLocation = None) -> None:
    """List the indexed repositories."""
    with open_index(settings(context, index=location)) as index:
        records = index.repositories()
    if output == "json":
        console.emit(json_report.dumps(json_report.repositories_to_dict(records)))
    else:
        console.emit(listings.repositories(records))


def stats(
    context: typer.Context,
    *,
    verify: Annotated[bool, typer.Option("--verify", help="First read the whole index and look for damage.")] = False,
    output: Format = "text",
    location: IndexLocation = None,
) -> None:
    """Count what the index holds."""
    with open_index(settings(context, index=location)) as index:
        counts = index.stats(verify=verify)
    if output == "json":
        console.emit(json_report.dumps(json_report.stats_to_dict(counts)))
    else:
        console.emit(listings.stats(counts) + ("\nno damage found\n" if verify else ""))


def remove(
    context: typer.Context,
    repository: Annotated[
        str, typer.Argument(metavar="REPO", help="A repository key, as listed.", callback=filled, show_default=False)
    ],
    *,
    location: IndexLocation = None,
) -> None:
    """Remove a repository and every content that only it holds."""
    with open_index(settings(context, index=location)) as index:
        files = index.remove(repository)
    console.emit(f"removed {visible(repository)}: {count(files, 'file')}\n")


def sweep(context: typer.Context, *, location: IndexLocation = None) -> None:
    """Remove contents that no repository holds any longer."""
    with open_index(settings(context, index=location)) as index:
        contents = index.sweep()
    console.emit(f"removed {count(contents, 'content')}\n")


def languages(*, output: Format = "text") -> None:
    """List the languages, with their other names and file endings."""
    known = wherefrom.list_languages()
    if output == "json":
        console.emit(json_report.dumps(json_report.languages_to_dict(known)))
    else:
        console.emit(listings.languages(known))
