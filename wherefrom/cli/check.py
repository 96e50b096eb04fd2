"""`wherefrom check`."""

from dataclasses import replace
from typing import Annotated

import typer

from wherefrom.cli import console
from wherefrom.cli.files import STANDARD_INPUT, diff_on_standard_input
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.errors import IndexMissing, UsageError
from wherefrom.options import CheckOptions
from wherefrom.reports.check import RENDERERS
from wherefrom.reports.check.text import live_line
from wherefrom.reports.layout import count
from wherefrom.support.printable import visible

NOTHING, FOUND = 0, 1


@command("color", "index")
def check(
    given: Given,
    paths: Annotated[
        list[str] | None,
        argument("PATH", "Files and folders of one project.  [default: the working directory]"),
    ] = None,
    *,
    options: CheckOptions,
    missing_allowed: Annotated[
        bool,
        typer.Option(
            "--allow-missing-index", help="Where there is no index, warn and exit with 0: for a hook that all share."
        ),
    ] = False,
    only_summary: Annotated[
        bool, typer.Option("--summary", help="Show only the counts by rule, repository and license.")
    ] = False,
    all_findings: Annotated[bool, typer.Option("--all", help="List every finding, however many there are.")] = False,
    accepted: Annotated[bool, typer.Option("--accepted", help="Also list the findings that are accepted.")] = False,
    output: Annotated[str, format_option(RENDERERS)] = "text",
) -> None:
    """Find what your code shares with others without credit.

    Every function of a project, or of a change to it, is looked up. What is indexed of the project itself does not
    count. A comment `wherefrom: ok REASON` beside the code accepts it. Exit code 0 where nothing fails, 1 where
    something does, 2 for an error.

    Examples:
        wherefrom check  # the project in the working directory
        wherefrom check --staged  # what the next commit adds
        wherefrom check --base main --format sarif > found.sarif  # a branch, for a code host
        wherefrom check --diff - < change.patch  # a change that is not applied yet
    """
    renderer = RENDERERS[output]
    if renderer.ready is not None:
        renderer.ready()
    if only_summary and all_findings:
        raise UsageError("--summary shows no finding, --all every one; use one of them")
    if options.diff == STANDARD_INPUT:
        options = replace(options, diff=None, patch=diff_on_standard_input("check"))
    try:
        with given.started_analyzer(), given.open_index() as index:
            with console.LiveLine(live_line, interrupted="run the same command again to go on") as live:
                report = index.check(paths or [], replace(options, progress=live.report))
            look = replace(
                console.look(given.settings.color),
                only_summary=only_summary,
                all_findings=all_findings,
                accepted=accepted,
            )
            console.render(renderer, report, look)
            is_written = options.update_baseline or options.prune_baseline
            if output == "text" and is_written and options.baseline is not None:
                entries = count(len(report.baseline), "accepted finding")
                console.emit(f"{entries} written to {visible(options.baseline)}\n")
    except IndexMissing as error:
        if not missing_allowed:
            raise
        console.warn(f"nothing was checked: {error}")
        raise typer.Exit(NOTHING) from None
    raise typer.Exit(FOUND if report.failing else NOTHING)
