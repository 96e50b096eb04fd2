"""`wherefrom fixed`."""

from dataclasses import replace
from typing import Annotated

import typer

from wherefrom.cli import console
from wherefrom.cli.files import STANDARD_INPUT, diff_on_standard_input
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import FixedOptions
from wherefrom.reports.fixed import RENDERERS
from wherefrom.reports.fixed.text import live_line

NOTHING, FOUND = 0, 1


@command("color", "index")
def fixed(
    given: Given,
    commit: Annotated[str | None, argument("COMMIT", "The commit that fixed something, or a range A..B.")] = None,
    *,
    options: FixedOptions,
    output: Annotated[str, format_option(RENDERERS)] = "text",
) -> None:
    """Find who still has the code that a commit fixed.

    Each function that the commit changed is looked up in its old and its new form, in everything that is indexed. What
    is indexed of the project itself does not count, nor do changes to tests. Exit code 1 where an old form is found, 0
    where none is, 2 for an error.

    Examples:
        wherefrom fixed HEAD  # what the last commit fixed
        wherefrom fixed --project ~/clones/tools HEAD  # in another repository
        wherefrom fixed --diff - < change.patch  # what a diff fixes
    """
    if str(options.diff) == STANDARD_INPUT:
        options = replace(options, diff=None, patch=diff_on_standard_input("fixed"))
    with given.started_analyzer(), given.open_index() as index:
        with console.LiveLine(live_line) as live:
            report = index.fixed(commit, replace(options, progress=live.report))
        console.render(RENDERERS[output], report, console.look(given.settings.color))
    raise typer.Exit(FOUND if report.has_old else NOTHING)
