"""`wherefrom fixed`."""

from typing import Annotated, Any

import typer

from wherefrom.cli import console
from wherefrom.cli.files import STANDARD_INPUT, diff_on_standard_input
from wherefrom.cli.flags import Color, Given, IndexLocation, filled, format_option, with_options
from wherefrom.options import FixedOptions
from wherefrom.reports.fixed import RENDERERS
from wherefrom.reports.fixed.text import live_line
from wherefrom.results import FixedProgress

NOTHING, FOUND = 0, 1


@with_options(FixedOptions)
def fixed(
    context: typer.Context,
    commit: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMIT",
            help="The commit that fixed something, or a range A..B.",
            callback=filled,
            show_default=False,
        ),
    ] = None,
    *,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    color: Color = None,
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Find who still has the code that a commit fixed.

    Each function that the commit changed is looked up in its old and its new form, in everything that is indexed. What
    is indexed of the project itself does not count, nor do changes to tests. Exit code 1 where an old form is found, 0
    where none is, 2 for an error.
    """
    given = Given(context, index=location, color=color)
    patch = None
    if flags["diff"] == STANDARD_INPUT:
        flags["diff"], patch = None, diff_on_standard_input("fixed")
    live = console.LiveLine(quiet=False)

    def show(event: FixedProgress) -> None:
        live.show(live_line(event, live.width))

    options = given.options(FixedOptions, flags, patch=patch, progress=show if live.active else None)
    with given.started_analyzer(), given.open_index() as index:
        try:
            report = index.fixed(commit, options)
        finally:
            live.clear()
        console.render(RENDERERS[output], report, console.look(given.settings.color))
    raise typer.Exit(FOUND if report.has_old else NOTHING)
