"""`wherefrom boilerplate`: named sets of code that weighs nothing in a search."""

from dataclasses import replace
from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import completion, console, files
from wherefrom.cli.flags import argument, command, format_option, text_option
from wherefrom.cli.given import Given
from wherefrom.cli.help import Commands
from wherefrom.errors import UsageError
from wherefrom.model import Representation
from wherefrom.options import LearnOptions
from wherefrom.reports.boilerplate import PROPOSALS, SETS, SHOWN, TERMS, learning_line, live_line, next_step
from wherefrom.support.printable import visible

boilerplate = Commands(
    name="boilerplate",
    help="""Name code that weighs nothing.

    License headers, templates, scaffolding: what many files share.

    Examples:
        wherefrom boilerplate learn --output sets.json  # what many repositories share
        wherefrom boilerplate accept sets.json  # store it
    """,
)

Name = Annotated[str, argument("NAME", "The set.", completion.boilerplate_sets)]


@boilerplate.command()
@command("index")
def add(
    given: Given,
    name: Name,
    texts: Annotated[
        list[str] | None,
        argument("FILE", "Its texts: files, `-` for stdin, folders, archives, clones, repository URLs."),
    ] = None,
    *,
    repository: Annotated[
        list[str] | None,
        text_option(
            "--repository",
            "REPO",
            "All of this indexed repository, its clone is not needed; repeatable.",
            completion.repositories,
        ),
    ] = None,
) -> None:
    """Make a set of files and repositories.

    It takes the place of one of that name.

    Examples:
        wherefrom boilerplate add licenses LICENSE  # of a file
        wherefrom search --without licenses snippet.py  # then search without it
    """
    if not texts and not repository:
        raise UsageError("nothing to make a set of; name files, folders, archives or repositories")
    files.check_standard_input(texts or [])
    contents, corpora = files.texts_and_corpora(texts or [])
    with given.open_index() as index, console.LiveLine(live_line) as live:
        made = index.add_boilerplate(
            name, contents, sources=corpora, repositories=repository or [], progress=live.report
        )
    console.render(SHOWN["text"], [made], console.look("never"))


@boilerplate.command()
@command("index")
def learn(
    given: Given,
    *,
    options: LearnOptions,
    file: Annotated[
        str | None,
        text_option("--output", "FILE", "Write the sets there, for `accept`."),
    ] = None,
    output: Annotated[str, format_option(PROPOSALS)] = "text",
) -> None:
    """Propose sets: what many repositories of the index share.

    Forks and copies of one repository count as one. Nothing is stored: look at the proposals, edit the file if you
    like, and take it with `wherefrom boilerplate accept`. Exit code 1 where nothing is proposed.

    Examples:
        wherefrom boilerplate learn  # show what may be boilerplate
        wherefrom boilerplate learn --min-repositories 2 --output sets.json  # for `accept`
    """
    if file is not None:
        files.check_writable(file)
    with console.LiveLine(learning_line) as live, given.open_index() as index:
        learned = index.learn_boilerplate(replace(options, progress=live.report))
    if file is not None and learned.proposals:
        files.write(file, wherefrom.dump_proposals(learned))
    console.render(PROPOSALS[output], learned, console.look("never"))
    if not learned.proposals:
        raise typer.Exit(1)
    if output == "text":
        console.emit(next_step(file))


@boilerplate.command()
@command("index")
def accept(
    given: Given,
    file: Annotated[
        str,
        argument("FILE", "What `learn` wrote; `-` for stdin."),
    ],
    names: Annotated[
        list[str] | None,
        argument("NAME", "The sets to take (else all)."),
    ] = None,
) -> None:
    """Store learned sets, in place of those of their names.

    Examples:
        wherefrom boilerplate accept sets.json  # all that were learned
        wherefrom boilerplate accept sets.json shared-board.py  # one of them
    """
    learned = wherefrom.load_proposals(files.read_file(file)[1])
    with given.open_index() as index:
        sets = index.accept_boilerplate(learned, names or [])
    console.render(SETS["text"], sets, console.look("never"))


@boilerplate.command("list")
@command("index")
def list_(given: Given, *, output: Annotated[str, format_option(SETS)] = "text") -> None:
    """List the sets.

    Examples:
        wherefrom boilerplate list  # their names and sizes
    """
    with given.open_index() as index:
        sets = [index.boilerplate(name) for name in index.boilerplate_names()]
    console.render(SETS[output], sets, console.look("never"))


@boilerplate.command()
@command("index")
def show(
    given: Given,
    name: Name,
    *,
    output: Annotated[str, format_option(SHOWN)] = "text",
) -> None:
    """Show what a set was made of.

    Examples:
        wherefrom boilerplate show licenses  # what it was made of
    """
    with given.open_index() as index:
        found = index.boilerplate(name)
    console.render(SHOWN[output], [found], console.look("never"))


@boilerplate.command()
@command("index")
def export(
    given: Given,
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
) -> None:
    """Write a set as terms for Elasticsearch.

    A search with the Elasticsearch plug-in leaves them out by a `stop` filter. As text there is one term a line, for a
    file that `stopwords_path` names; as `filter` it is the definition of such a filter.

    Examples:
        wherefrom boilerplate export --representation text licenses > stopwords.txt  # for the Elasticsearch plug-in
    """
    with given.open_index() as index:
        found = index.export_boilerplate(name, representation)
    console.render(TERMS[output], found, console.look("never"))


@boilerplate.command()
@command("index")
def remove(given: Given, name: Name) -> None:
    """Remove a set.

    Examples:
        wherefrom boilerplate remove licenses  # count it again in searches
    """
    with given.open_index() as index:
        index.remove_boilerplate(name)
    console.emit(f"removed {visible(name)}\n")
