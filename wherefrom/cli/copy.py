"""`wherefrom copy`."""

from dataclasses import replace
from typing import Annotated

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import QUIET, argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import CopyOptions
from wherefrom.reports.copy import RENDERERS, live_line


@command()
def copy(
    given: Given,
    sources: Annotated[list[str], argument("FROM-INDEX", "Paths or URLs of the indexes to copy.")],
    target: Annotated[str, argument("TO-INDEX", "Path or URL of the index to copy to; created if it does not exist.")],
    *,
    options: CopyOptions,
    quiet: bool = QUIET,
    output: str = format_option(RENDERERS),
) -> None:
    """Copy or merge indexes, without their clones.

    Adds the repositories, contents, histories and boilerplate sets of each FROM-INDEX to TO-INDEX. A repository or set
    that differs there is an error, unless --replace is given. If several FROM-INDEX have a repository of a host, or a
    package, the state that was indexed last is copied; other repositories and sets must be the same in all, unless
    --replace is given. Run a stopped copy again to continue it: nothing is sent twice. Contents that no file refers to
    are not copied. At the end all indexes are read back and compared, and the digest of the contents is printed. If
    several are clusters, all get the same user and password.

    Examples:
        wherefrom copy code.wherefrom copy.wherefrom  # to another folder
        wherefrom copy one.wherefrom two.wherefrom all.wherefrom  # what two machines indexed
        wherefrom copy code.wherefrom elasticsearch://localhost:9200/code  # to a server
    """
    stopped = f"what was committed is in {target}: run the same command again to go on and compare"
    with console.LiveLine(live_line, quiet=quiet, interrupted=stopped) as live:
        engine = next(filter(None, map(given.engine, [*sources, target])), None)
        report = wherefrom.copy_index(sources, target, replace(options, progress=live.report, engine=engine))
    if output != "text" or not quiet:
        console.render(RENDERERS[output], report)
