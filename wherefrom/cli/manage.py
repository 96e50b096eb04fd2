"""`wherefrom list`, `stats`, `remove`, `prune` and `sweep`: what an index holds, and how to take things out."""

from collections.abc import Mapping
from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import completion, console
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.reports.layout import count
from wherefrom.reports.listings import FILES, LANGUAGES, MISSING, REPOSITORIES, STATS
from wherefrom.support.printable import visible

NOT_REMOVED = 1
"""The exit code where there was something to remove, and it was not removed."""

Yes = Annotated[bool, typer.Option("--yes", help="Remove without a question.")]


@command("index")
def list_(
    given: Given,
    repository: Annotated[
        str | None,
        argument(
            "REPO",
            "List the files of this repository (key or last part of it), or the repositories that fit a pattern.",
            completion.repositories,
        ),
    ] = None,
    *,
    output: Annotated[str, format_option(REPOSITORIES)] = "text",
) -> None:
    """List the indexed repositories, or the files of one.

    Examples:
        wherefrom list  # the repositories
        wherefrom list github.com/example/tools  # the files of one
    """
    from wherefrom.sources.repository_urls import is_key_pattern  # noqa: PLC0415 -- `--help` is not to wait for it

    with given.open_index() as index:
        if repository is not None and not is_key_pattern(repository):
            console.render(FILES[output], index.files(repository), console.look("never"))
            return
        records = index.repositories(*([] if repository is None else [repository]))
    console.render(REPOSITORIES[output], records, console.look("never"))


@command("index")
def stats(
    given: Given,
    *,
    verify: Annotated[bool, typer.Option("--verify", help="First read the whole index and look for damage.")] = False,
    output: Annotated[str, format_option(STATS)] = "text",
) -> None:
    """Count what the index holds.

    Examples:
        wherefrom stats  # how much is indexed
        wherefrom stats --verify  # is the index as it was written?
    """
    with given.open_index() as index:
        counts = index.stats(verify=verify)
    console.render(STATS[output], counts, console.look("never"))
    if verify and output == "text":
        console.emit("\nno damage found\n")


@command("index")
def remove(
    given: Given,
    patterns: Annotated[
        list[str],
        argument(
            "REPO",
            "Keys of repositories, as listed, last parts of them, or patterns over them (`*`, `?`).",
            completion.repositories,
        ),
    ],
    *,
    yes: Yes = False,
) -> None:
    """Remove repositories from the index.

    Contents that no other repository holds go with them; the clones themselves are not touched. Where patterns match
    several repositories, they are removed after a question; without a terminal only with --yes, else the exit code is
    1. If a name matches no repository, or is the last part of several keys, nothing is removed.

    Examples:
        wherefrom remove github.com/example/tools  # one repository
        wherefrom remove --yes 'github.com/example/*'  # several, without a question
    """
    with given.open_index() as index:
        records = index.repositories(*patterns)
        matched = [record.key for record in records if record.key not in patterns]
        if len(matched) > 1 and not yes:
            for record in records:
                console.say(f"{visible(record.key)}: {count(record.files, 'file')}")
            if not console.can_ask():
                console.say("wherefrom: nothing was removed; to remove these repositories, give --yes")
                raise typer.Exit(NOT_REMOVED)
            if not console.confirm(f"Remove these {len(records):,} repositories from the index?"):
                console.say("wherefrom: nothing was removed")
                raise typer.Exit(NOT_REMOVED)
        removed = index.remove(*(record.key for record in records))
    _say_removed(removed)


@command("index")
def prune(
    given: Given,
    *,
    yes: Yes = False,
    output: Annotated[str, format_option(MISSING)] = "text",
) -> None:
    """Remove repositories whose source is gone.

    They are listed, and removed after a question; without a terminal, or as data, only with --yes. A source is gone if
    its path does not exist, and the folder that held it exists and is not empty. In doubt a repository is listed and
    stays: one whose folder is missing or empty too (a disk that is not mounted), or cannot be read, and one that was
    fetched from a URL. Paths are looked up on this machine: run it where the sources were indexed. Exit code 1 where
    something could be removed, and was not.

    Examples:
        wherefrom prune  # list what is gone, and ask
        wherefrom prune --yes  # remove it without a question
    """
    with given.open_index() as index:
        missing = index.missing_sources()
        gone = [source.repository for source in missing if source.is_gone]
        # Listed before only to be asked about: a reader of the list who goes away early does not keep --yes from it.
        is_listed = output == "text" and not yes
        if is_listed:
            console.render(MISSING[output], missing, console.look("never"))
        removed = {}
        is_wanted = bool(gone) and (yes or (is_listed and _is_confirmed(gone)))
        if is_wanted:
            removed = {source.repository: source for source in index.prune(gone)}
    if not is_listed:
        console.render(
            MISSING[output], [removed.get(source.repository, source) for source in missing], console.look("never")
        )
    if output == "text":
        _say_removed({key: source.files for key, source in removed.items()})
    if len(removed) < len(gone):
        if is_wanted:
            kept = count(len(gone) - len(removed), "repository", "repositories")
            console.say(f"wherefrom: {kept} not removed: the source is there again")
        else:
            console.say("wherefrom: not removed; to remove what is gone, run `wherefrom prune --yes`")
        raise typer.Exit(NOT_REMOVED)


def _is_confirmed(gone: list[str]) -> bool:
    noun = count(len(gone), "repository", "repositories")
    return console.can_ask() and console.confirm(f"Remove {noun} whose source is gone from the index?")


def _say_removed(files: Mapping[str, int]) -> None:
    console.emit("".join(f"removed {visible(key)}: {count(number, 'file')}\n" for key, number in files.items()))


@command("index")
def sweep(given: Given) -> None:
    """Remove contents that no repository holds any longer.

    Examples:
        wherefrom sweep  # after a removal beside another writer
    """
    with given.open_index() as index:
        contents = index.sweep()
    console.emit(f"removed {count(contents, 'content')}\n")


@command()
def languages(_given: Given, *, output: Annotated[str, format_option(LANGUAGES)] = "text") -> None:
    """List the languages, with their other names and file endings.

    Examples:
        wherefrom languages  # which are known, which are installed
    """
    console.render(LANGUAGES[output], wherefrom.list_languages(), console.look("never"))
