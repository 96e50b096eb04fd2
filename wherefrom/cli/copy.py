"""`wherefrom copy`."""

from typing import Annotated, Any

import typer

import wherefrom
from wherefrom.cli import INTERRUPTED, console
from wherefrom.cli.flags import Given, filled, format_option, with_options
from wherefrom.options import CopyOptions
from wherefrom.reports.copy import RENDERERS, live_line
from wherefrom.results import CopyProgress


@with_options(CopyOptions)
def copy(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FROM-INDEX", help="Path or URL of the index to copy.", callback=filled, show_default=False
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="TO-INDEX",
            help="Path or URL of the one to copy to; made where nothing is yet.",
            callback=filled,
            show_default=False,
        ),
    ],
    *,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    **flags: Any,
) -> None:
    """Copy an index to another place or engine, without the clones.

    Repositories, their contents and boilerplate sets are added to what TO-INDEX holds; a repository or set that it
    holds in another state is an error, unless --replace is given. What is there already is not sent again: a copy that
    was stopped is simply started again. Contents without a file are left behind. At the end both sides are read back
    and compared, and the digest of what they hold is printed. Two clusters are given the same user and password.
    """
    given = Given(context)
    live = console.LiveLine(quiet=quiet)

    def show(event: CopyProgress) -> None:
        live.show(live_line(event, live.width))

    options = given.options(
        CopyOptions, flags, progress=show if live.active else None, engine=given.engine(source) or given.engine(target)
    )
    try:
        report = wherefrom.copy_index(source, target, options)
    except KeyboardInterrupt:
        live.clear()
        console.say(
            f"wherefrom: interrupted; what was committed is in {target}: "
            "run the same command again to go on and compare"
        )
        raise typer.Exit(INTERRUPTED) from None
    finally:
        live.clear()
    if output != "text" or not quiet:
        console.render(RENDERERS[output], report, console.look("never"))
