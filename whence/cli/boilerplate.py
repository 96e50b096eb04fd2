"""`whence boilerplate`: named sets of code that weighs nothing in a search."""

from typing import Annotated

import typer

from whence.cli import console, files, gathering
from whence.cli.options import Format, IndexLocation, all_filled, filled, open_index, settings
from whence.errors import UsageError
from whence.reports import json_report, listings
from whence.reports.text import visible

boilerplate = typer.Typer(
    name="boilerplate",
    help="Name code that weighs nothing.\n\nLicence headers, templates, scaffolding: what many files share.",
    rich_markup_mode=None,
    add_completion=False,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The set.", callback=filled, show_default=False)]


@boilerplate.command()
def add(
    context: typer.Context,
    name: Name,
    texts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Its texts: files, `-` for stdin, folders, archives, clones, repository URLs.",
            callback=all_filled,
            show_default=False,
        ),
    ] = None,
    *,
    repository: Annotated[
        list[str] | None,
        typer.Option(
            "--repository",
            metavar="KEY",
            help="All of this indexed repository, its clone is not needed; repeatable.",
            callback=all_filled,
        ),
    ] = None,
    location: IndexLocation = None,
) -> None:
    """Make a set of these files and repositories, in place of one of that name."""
    if not texts and not repository:
        raise UsageError("nothing to make a set of; name files, folders, archives or repositories")
    given = settings(context, index=location)
    files.check_standard_input(texts or [])
    contents, corpora = files.texts_and_corpora(texts or [])
    with open_index(given) as index, gathering.progress() as show:
        made = index.add_boilerplate(name, contents, sources=corpora, repositories=repository or [], progress=show)
    console.emit(listings.boilerplate_set(made))


@boilerplate.command("list")
def list_(context: typer.Context, *, output: Format = "text", location: IndexLocation = None) -> None:
    """List the sets."""
    with open_index(settings(context, index=location)) as index:
        sets = [index.boilerplate(name) for name in index.boilerplate_names()]
    if output == "json":
        console.emit(json_report.dumps(json_report.boilerplate_to_dict(sets)))
    else:
        console.emit(listings.boilerplate_sets(sets))


@boilerplate.command()
def show(context: typer.Context, name: Name, *, output: Format = "text", location: IndexLocation = None) -> None:
    """Show what a set was made of."""
    with open_index(settings(context, index=location)) as index:
        found = index.boilerplate(name)
    if output == "json":
        console.emit(json_report.dumps(json_report.boilerplate_to_dict([found])))
    else:
        console.emit(listings.boilerplate_set(found))


@boilerplate.command()
def remove(context: typer.Context, name: Name, *, location: IndexLocation = None) -> None:
    """Remove a set."""
    with open_index(settings(context, index=location)) as index:
        index.remove_boilerplate(name)
    console.emit(f"removed {visible(name)}\n")
