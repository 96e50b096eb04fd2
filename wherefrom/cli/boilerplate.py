"""`wherefrom boilerplate`: named sets of code that does not count in a search."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.commands import Commands, argument, boilerplate_sets, format_option
from wherefrom.cli.settings import Given
from wherefrom.errors import UsageError
from wherefrom.model import OF_TOKENS, Representation
from wherefrom.options import LearnOptions
from wherefrom.options.fields import Choice, Several, Text, option
from wherefrom.reports.boilerplate import PROPOSALS, SETS, SHOWN, TERMS, learning_line, live_line, next_step
from wherefrom.support.printable import visible

boilerplate = Commands(
    name="boilerplate",
    help="""Manage sets of code that does not count in searches.

    Such as license headers, templates and scaffolding, which many files share.

    Examples:
        wherefrom boilerplate learn --output sets.json  # find code that many repositories share
        wherefrom boilerplate accept sets.json  # store it as sets
    """,
)

Name = Annotated[str, argument("NAME", "The name of the set.", boilerplate_sets)]


@boilerplate.subcommand("index")
def add(
    given: Given,
    name: Name,
    texts: Annotated[
        list[str] | None,
        argument("FILE", "The code of the set: files, `-` for stdin, folders, archives, clones, repository URLs."),
    ] = None,
    *,
    repositories: Sequence[str] = option(
        (), Several(Text("REPO")), "Add all code of this indexed repository; repeatable.", flag="--repository"
    ),
) -> None:
    """Make a set of files and repositories.

    Replaces an existing set of this name.

    Examples:
        wherefrom boilerplate add licenses LICENSE  # make a set of a file
        wherefrom search --without licenses snippet.py  # then search without its code
    """
    if not texts and not repositories:
        raise UsageError("nothing to make a set of; name files, folders, archives or repositories")
    files.check_standard_input(texts or [])
    contents, corpora = files.texts_and_corpora(texts or [])
    with given.open_index() as index, console.LiveLine(live_line) as live:
        made = index.add_boilerplate(name, contents, sources=corpora, repositories=repositories, progress=live.report)
    console.render(SHOWN["text"], [made])


@boilerplate.subcommand("index")
def learn(
    given: Given,
    *,
    options: LearnOptions,
    file: str | None = option(None, Text("FILE"), "Write the proposed sets to FILE, for `accept`.", flag="--output"),
    output: str = format_option(PROPOSALS),
) -> int:
    """Propose sets of code that many indexed repositories share.

    Forks and copies of a repository count as one. Nothing is stored: read the proposals, edit the file if you like, and
    store it with `wherefrom boilerplate accept`. Exit code 1 if nothing is proposed.

    Examples:
        wherefrom boilerplate learn  # show the proposals
        wherefrom boilerplate learn --min-repositories 2 --output sets.json  # write them to a file for `accept`
    """
    if file is not None:
        files.check_writable(file)
    with console.LiveLine(learning_line) as live, given.open_index() as index:
        learned = index.learn_boilerplate(replace(options, progress=live.report))
    if file is not None and learned.proposals:
        files.write(file, wherefrom.dump_proposals(learned))
    if file is not None and output == "text":  # the code is in the file
        learned = replace(learned, proposals=tuple(replace(each, code=None) for each in learned.proposals))
    console.render(PROPOSALS[output], learned)
    if not learned.proposals:
        return 1
    if output == "text":
        console.emit(next_step(file))
    return 0


@boilerplate.subcommand("index")
def accept(
    given: Given,
    file: Annotated[str, argument("FILE", "The file that `learn` wrote; `-` for stdin.")],
    names: Annotated[list[str] | None, argument("NAME", "The sets to store; without one, all.")] = None,
) -> None:
    """Store learned sets, and replace those of the same names.

    Examples:
        wherefrom boilerplate accept sets.json  # all learned sets
        wherefrom boilerplate accept sets.json shared-board.py  # one of them
    """
    learned = wherefrom.load_proposals(files.read_file(file)[1])
    with given.open_index() as index:
        sets = index.accept_boilerplate(learned, names or [])
    console.render(SETS["text"], sets)


@boilerplate.subcommand("index", name="list")
def list_(given: Given, *, output: str = format_option(SETS)) -> None:
    """List the sets, with those that every index has.

    Examples:
        wherefrom boilerplate list  # names and sizes
    """
    with given.open_index() as index:
        sets = [index.boilerplate(name) for name in index.boilerplate_names(built_in=True)]
    console.render(SETS[output], sets)


@boilerplate.subcommand("index")
def show(given: Given, name: Name, *, output: str = format_option(SHOWN)) -> None:
    """Show how a set was made.

    Examples:
        wherefrom boilerplate show licenses  # its sources and sizes
    """
    with given.open_index() as index:
        found = index.boilerplate(name)
    console.render(SHOWN[output], [found])


@boilerplate.subcommand("index")
def export(
    given: Given,
    name: Name,
    *,
    representation: str = option(
        Representation.EXACT, Choice(OF_TOKENS), "The representation of the field in your documents."
    ),
    output: str = format_option(TERMS),
) -> None:
    """Write a set as terms for Elasticsearch.

    A `stop` filter leaves these terms out of a search with the Elasticsearch plug-in. The format `text` writes one term
    a line, for a file that `stopwords_path` names; `filter` writes the definition of such a filter.

    Examples:
        wherefrom boilerplate export --representation text licenses > stopwords.txt  # a file for the plug-in
    """
    with given.open_index() as index:
        found = index.export_boilerplate(name, representation)
    console.render(TERMS[output], found)


@boilerplate.subcommand("index")
def remove(given: Given, name: Name) -> None:
    """Remove a set.

    Examples:
        wherefrom boilerplate remove licenses  # its code counts again
    """
    with given.open_index() as index:
        index.remove_boilerplate(name)
    console.emit(f"removed {visible(name)}\n")
