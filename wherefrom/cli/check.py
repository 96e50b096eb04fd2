"""`wherefrom check` and `fixed`, and `wherefrom watch`: code that each indexing run looks for."""

from dataclasses import replace
from typing import Annotated

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.commands import Commands, argument, command, format_option
from wherefrom.cli.files import STANDARD_INPUT, diff_on_standard_input
from wherefrom.cli.settings import Given
from wherefrom.errors import IndexMissing, UsageError
from wherefrom.options import CheckOptions, FixedOptions, IndexOptions, PostOptions, WatchOptions
from wherefrom.options.fields import switch
from wherefrom.reports.check.text import RENDERERS, live_line
from wherefrom.reports.fixed import RENDERERS as FIXED
from wherefrom.reports.fixed import live_line as fixed_line
from wherefrom.reports.index import PLACES, WATCHES, Running
from wherefrom.reports.layout import count
from wherefrom.support.printable import visible


@command("color", "index", "expect")
def check(
    given: Given,
    paths: Annotated[
        list[str] | None, argument("PATH", "Files and folders of one project.  [default: the working directory]")
    ] = None,
    *,
    options: CheckOptions,
    dependencies: bool = switch(
        "Check against what the project depends on, by its lock files and manifests, in an index that this keeps."
    ),
    allow_missing_index: bool = switch("If there is no index, warn and exit with 0; for a hook that a team shares."),
    only_summary: bool = switch("Show only the counts by rule, repository and license.", flag="--summary"),
    all_findings: bool = switch("List all findings, even if there are many.", flag="--all"),
    accepted: bool = switch("Also list accepted findings."),
    output: str = format_option(RENDERERS),
) -> int:
    """Find code in your project that is copied without credit.

    Looks up every function of the project or of a change to it. Indexed copies of the project itself do not count. A
    comment `wherefrom: ok REASON` beside the code accepts a finding. Exit code 0 if nothing fails, 1 if a finding
    fails, 2 for an error.

    Examples:
        wherefrom check  # the project in the working directory
        wherefrom check --dependencies  # against what its lock files name
        wherefrom check --staged  # what the next commit adds
        wherefrom check --base main --format sarif > found.sarif  # a branch, as a file for a code host
        wherefrom check --diff - < change.patch  # a change that is not applied yet
    """
    renderer = RENDERERS[output]
    if renderer.ready is not None:
        renderer.ready()
    if only_summary and all_findings:
        raise UsageError("--summary shows no findings, --all shows every one; use one of them")
    if options.diff == STANDARD_INPUT:
        options = replace(options, diff=None, patch=diff_on_standard_input("check"))
    if dependencies:
        _index_dependencies(given, paths or [], options)
    try:
        with given.analyzer(), given.open_index() as index:
            with console.LiveLine(live_line, interrupted="run the same command again to go on") as live:
                report = index.check(paths or [], replace(options, progress=live.report))
            console.warn(*report.warnings)
            console.render(
                renderer,
                report,
                given.settings.color,
                only_summary=only_summary,
                all_findings=all_findings,
                accepted=accepted,
            )
            is_written = options.update_baseline or options.prune_baseline
            if output == "text" and is_written and options.baseline is not None:
                entries = count(len(report.baseline), "accepted finding")
                console.emit(f"{entries} written to {visible(options.baseline)}\n")
    except IndexMissing as error:
        if not allow_missing_index:
            raise IndexMissing(
                f"{error}, or use --dependencies: it checks against what the project depends on"
            ) from error
        console.warn(f"nothing was checked: {error}")
        return 0
    return 1 if report.failing else 0


def _index_dependencies(given: Given, paths: list[str], options: CheckOptions) -> None:
    """Brings the index of what a project depends on up to date, and makes it the index in the settings."""
    if given.is_flag("index"):
        raise UsageError("--dependencies has an index of its own; leave --index out")
    indexing = given.options(IndexOptions, {"jobs": options.jobs})
    with console.LiveLine(Running().line, interrupted="run the same command again to go on") as live:
        report = wherefrom.index_dependencies(paths, replace(indexing, progress=live.report))
    console.warn(*report.warnings)
    console.say(f"wherefrom: checked against {count(report.packages, 'package')} that the project depends on")
    given.settings = replace(given.settings, index=report.location, expect=None)


@command("color", "index", "expect")
def fixed(
    given: Given,
    commit: Annotated[str | None, argument("COMMIT", "The commit with the fix, or a range A..B.")] = None,
    *,
    options: FixedOptions,
    output: str = format_option(FIXED),
) -> int:
    """Find who still has the code that a commit fixed.

    Looks up the old and the new form of each function that the commit changed. Indexed copies of the project itself do
    not count, nor do changes to tests. Exit code 1 if an old form is found, 0 if none is, 2 for an error.

    Examples:
        wherefrom fixed HEAD  # who has the code that the last commit fixed?
        wherefrom fixed --project ~/clones/tools HEAD  # a commit of another repository
        wherefrom fixed --diff - < change.patch  # a fix as a diff
    """
    if str(options.diff) == STANDARD_INPUT:
        options = replace(options, diff=None, patch=diff_on_standard_input("fixed"))
    with given.analyzer(), given.open_index() as index:
        with console.LiveLine(fixed_line) as live:
            report = index.fixed(commit, replace(options, progress=live.report))
        console.render(FIXED[output], report, given.settings.color)
    return 1 if report.has_old else 0


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
    from wherefrom.sources.checkout import Checkout  # noqa: PLC0415 -- `--help` does not wait for it

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
        console.warn(*news.warnings)
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
