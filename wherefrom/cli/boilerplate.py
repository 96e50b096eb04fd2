"""`wherefrom boilerplate`: named sets of code that weighs nothing in a search."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import wherefrom
from wherefrom.cli import completion, console, files, gathering
from wherefrom.cli.flags import Given, IndexLocation, all_filled, filled, format_option, with_options
from wherefrom.cli.help import Commands
from wherefrom.errors import UsageError
from wherefrom.model import Representation
from wherefrom.options import LearnOptions
from wherefrom.reports.boilerplate import PROPOSALS, SETS, SHOWN, TERMS, learning_line, next_step
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.queries.learning import LearningProgress

boilerplate = Commands(
    name="boilerplate",
    help="Name code that weighs nothing.\n\nLicense headers, templates, scaffolding: what many files share.",
    add_completion=False,
)

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The set.",
        callback=filled,
        show_default=False,
        autocompletion=completion.boilerplate_sets,
    ),
]


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
            metavar="REPO",
            help="All of this indexed repository, its clone is not needed; repeatable.",
            callback=all_filled,
            autocompletion=completion.repositories,
        ),
    ] = None,
    location: IndexLocation = None,
) -> None:
    """Make a set of files and repositories.

    It takes the place of one of that name.
    """
    if not texts and not repository:
        raise UsageError("nothing to make a set of; name files, folders, archives or repositories")
    given = Given(context, index=location)
    files.check_standard_input(texts or [])
    contents, corpora = files.texts_and_corpora(texts or [])
    with given.open_index() as index, gathering.progress() as show:
        made = index.add_boilerplate(name, contents, sources=corpora, repositories=repository or [], progress=show)
    console.render(SHOWN["text"], [made], console.look("never"))


@boilerplate.command()
@with_options(LearnOptions)
def learn(
    context: typer.Context,
    *,
    file: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="FILE", help="Write the sets there, for `accept`.", callback=filled, show_default=False
        ),
    ] = None,
    output: Annotated[str, format_option(PROPOSALS)] = "text",
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Propose sets: what many repositories of the index share.

    Forks and copies of one repository count as one. Nothing is stored: look at the proposals, edit the file if you
    like, and take it with `wherefrom boilerplate accept`. Exit code 1 where nothing is proposed.
    """
    given = Given(context, index=location)
    if file is not None:
        files.check_writable(file)
    live = console.LiveLine()

    def show(event: "LearningProgress") -> None:
        live.show(learning_line(event, live.width))

    options = given.options(LearnOptions, flags, progress=show if live.active else None)
    try:
        with given.open_index() as index:
            learned = index.learn_boilerplate(options)
    finally:
        live.clear()
    if file is not None and learned.proposals:
        files.write(file, wherefrom.dump_proposals(learned))
    console.render(PROPOSALS[output], learned, console.look("never"))
    if not learned.proposals:
        raise typer.Exit(1)
    if output == "text":
        console.emit(next_step(file))


@boilerplate.command()
def accept(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="What `learn` wrote; `-` for stdin.", callback=filled, show_default=False),
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="The sets to take (else all).", callback=all_filled, show_default=False),
    ] = None,
    *,
    location: IndexLocation = None,
) -> None:
    """Store learned sets, in place of those of their names."""
    given = Given(context, index=location)
    learned = wherefrom.load_proposals(files.read_file(file)[1])
    with given.open_index() as index:
        sets = index.accept_boilerplate(learned, names or [])
    console.render(SETS["text"], sets, console.look("never"))


@boilerplate.command("list")
def list_(
    context: typer.Context, *, output: Annotated[str, format_option(SETS)] = "text", location: IndexLocation = None
) -> None:
    """List the sets."""
    with Given(context, index=location).open_index() as index:
        sets = [index.boilerplate(name) for name in index.boilerplate_names()]
    console.render(SETS[output], sets, console.look("never"))


@boilerplate.command()
def show(
    context: typer.Context,
    name: Name,
    *,
    output: Annotated[str, format_option(SHOWN)] = "text",
    location: IndexLocation = None,
) -> None:
    """Show what a set was made of."""
    with Given(context, index=location).open_index() as index:
        found = index.boilerplate(name)
    console.render(SHOWN[output], [found], console.look("never"))


@boilerplate.command()
def export(
    context: typer.Context,
    name: Name,
    *,
    representation: Annotated[
        str,
        typer.Option(
            metavar=f"<{'|'.join(Representation)}>",
            help="What the field of the documents holds.",
            autocompletion=completion.words(list(Representation)),
        ),
    ] = Representation.EXACT,
    output: Annotated[str, format_option(TERMS)] = "text",
    location: IndexLocation = None,
) -> None:
    """Write a set as terms for Elasticsearch.

    A search with the Elasticsearch plug-in leaves them out by a `stop` filter. As text there is one term a line, for a
    file that `stopwords_path` names; as `filter` it is the definition of such a filter.
    """
    with Given(context, index=location).open_index() as index:
        found = index.export_boilerplate(name, representation)
    console.render(TERMS[output], found, console.look("never"))


@boilerplate.command()
def remove(context: typer.Context, name: Name, *, location: IndexLocation = None) -> None:
    """Remove a set."""
    with Given(context, index=location).open_index() as index:
        index.remove_boilerplate(name)
    console.emit(f"removed {visible(name)}\n")
