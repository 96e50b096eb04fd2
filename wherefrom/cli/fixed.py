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


@command("color", "index", "expect")
def fixed(
    given: Given,
    commit: Annotated[str | None, argument("COMMIT", "The commit with the fix, or a range A..B.")] = None,
    *,
    options: FixedOptions,
    output: str = format_option(RENDERERS),
) -> None:
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
    with given.started_analyzer(), given.open_index() as index:
        with console.LiveLine(live_line) as live:
            report = index.fixed(commit, replace(options, progress=live.report))
        console.render(RENDERERS[output], report, given.settings.color)
    raise typer.Exit(1 if report.has_old else 0)
