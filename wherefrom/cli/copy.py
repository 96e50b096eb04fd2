"""`wherefrom copy`."""

from dataclasses import replace
from typing import Annotated

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import Quiet, argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import CopyOptions
from wherefrom.reports.copy import RENDERERS, live_line


@command()
def copy(
    given: Given,
    source: Annotated[str, argument("FROM-INDEX", "Path or URL of the index to copy.")],
    target: Annotated[str, argument("TO-INDEX", "Path or URL of the one to copy to; made where nothing is yet.")],
    *,
    options: CopyOptions,
    quiet: Quiet = False,
    output: Annotated[str, format_option(RENDERERS)] = "text",
) -> None:
    """Copy an index to another place or engine, without the clones.

    Repositories, their contents and boilerplate sets are added to what TO-INDEX holds; a repository or set that it
    holds in another state is an error, unless --replace is given. What is there already is not sent again: a copy that
    was stopped is simply started again. Contents without a file are left behind. At the end both sides are read back
    and compared, and the digest of what they hold is printed. Two clusters are given the same user and password.

    Examples:
        wherefrom copy code.wherefrom copy.wherefrom  # to another folder
        wherefrom copy code.wherefrom elasticsearch://localhost:9200/code  # to a server
    """
    stopped = f"what was committed is in {target}: run the same command again to go on and compare"
    with console.LiveLine(live_line, quiet=quiet, interrupted=stopped) as live:
        engine = given.engine(source) or given.engine(target)
        report = wherefrom.copy_index(source, target, replace(options, progress=live.report, engine=engine))
    if output != "text" or not quiet:
        console.render(RENDERERS[output], report, console.look("never"))
