"""`wherefrom watch`: code that each indexing run looks for."""

from dataclasses import replace
from typing import Annotated

from wherefrom.cli import console, files
from wherefrom.cli.flags import argument, format_option
from wherefrom.cli.given import Given
from wherefrom.cli.help import Commands
from wherefrom.errors import UsageError
from wherefrom.options import PostOptions, WatchOptions
from wherefrom.options.fields import switch
from wherefrom.reports.layout import count
from wherefrom.reports.listings import PLACES, WATCHES
from wherefrom.sources.checkout import Checkout

watch = Commands(
    name="watch",
    help="""Watch for code in all that is indexed from now on.

    Each run of `wherefrom index` looks for the code in the contents that it adds.

    Examples:
        wherefrom watch add parser parser.py  # who copies this file, or a function of it?
        wherefrom watch add leak --fixed HEAD  # who adds the code that the last commit fixed?
        wherefrom watch report  # what is new?
    """,
)

Name = Annotated[str, argument("NAME", "The name of the watch.")]


@watch.subcommand("color", "index")
def add(
    given: Given,
    name: Name,
    paths: Annotated[list[str] | None, argument("FILE", "The files with the code; `-` for stdin.")] = None,
    *,
    options: WatchOptions,
    output: str = format_option(PLACES),
) -> None:
    """Watch for the code of files, or for the code that a commit fixed.

    Each function, and each stretch between them, is watched for by itself. The clone that has the files does not count.
    Lists the places that have the code by now; they are not new. With --post, each new place is posted by the run that
    finds it, at least once, signed as Standard Webhooks has it.

    Examples:
        wherefrom watch add parser parser.py  # the functions of a file
        wherefrom watch add leak --fixed 1a2b3c4 --project ~/tools  # a fix in another repository
        wherefrom watch add parser parser.py --post https://example.org/hook  # and tell a server
    """
    contents, folders = files.texts_and_corpora(paths or [])
    if folders:
        raise UsageError(f"{folders[0]} is not a file; name the files with the code to watch for")
    projects = {Checkout.of([path])[0] for path in paths or () if path != files.STANDARD_INPUT}
    own = [*options.own, *sorted(key for project in projects for key in project.keys())]  # noqa: SIM118
    options = replace(options, files=dict(contents) or None, own=own)
    with given.analyzer(), given.open_index() as index:
        found = index.watch(name, options)
        console.render(PLACES[output], found, given.settings.color)
    console.say(f"wherefrom: watching; {count(len(found), 'place')} with this code by now")


@watch.subcommand("index", name="list")
def list_(given: Given, *, output: str = format_option(WATCHES)) -> None:
    """List the watches.

    Examples:
        wherefrom watch list  # what is watched for?
    """
    with given.open_index() as index:
        console.render(WATCHES[output], index.watches())


@watch.subcommand("color", "index")
def report(
    given: Given,
    names: Annotated[list[str] | None, argument("NAME", "Only these watches.")] = None,
    *,
    options: PostOptions,
    all_: bool = switch("List the places that were reported before too, and post nothing.", flag="--all"),
    output: str = format_option(PLACES),
) -> int:
    """List the places with watched code that were not reported yet.

    A place is reported once, also if its file changes later. What could not be posted is posted again. Exit code 1 if
    there is a new place, 0 if there is none.

    Examples:
        wherefrom watch report  # what is new since the last report?
        wherefrom watch report parser --all  # all places of one watch
    """
    with given.open_index() as index:
        if all_:
            console.render(PLACES[output], index.watched(*(names or [])), given.settings.color)
            return 0
        news = index.watch_news(names or [], options)
        for warning in news.warnings:
            console.warn(warning)
        console.render(PLACES[output], news.places, given.settings.color)
        index.mark_reported([*news.posted, *news.unposted])
    return 1 if news.places else 0


@watch.subcommand("index")
def remove(given: Given, name: Name) -> None:
    """Remove a watch and its places.

    Examples:
        wherefrom watch remove parser  # no run looks for it any more
    """
    with given.open_index() as index:
        index.unwatch(name)
    console.say(f"wherefrom: removed the watch {name}")
