"""`wherefrom copy`, `publish` and `cache`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import QUIET, argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.errors import UnusableIndex
from wherefrom.options import CopyOptions, PublishOptions
from wherefrom.options.fields import switch
from wherefrom.reports.index import COPY, PUBLISH, copy_line, publish_line
from wherefrom.reports.layout import size


@command()
def copy(
    given: Given,
    sources: Annotated[list[str], argument("FROM-INDEX", "Paths or URLs of the indexes to copy.")],
    target: Annotated[str, argument("TO-INDEX", "Path or URL of the index to copy to; created if it does not exist.")],
    *,
    options: CopyOptions,
    quiet: bool = QUIET,
    output: str = format_option(COPY),
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
    with console.LiveLine(copy_line, quiet=quiet, interrupted=stopped) as live:
        engine = next(filter(None, map(given.engine, [*sources, target])), None)
        report = wherefrom.copy_index(sources, target, replace(options, progress=live.report, engine=engine))
    if output != "text" or not quiet:
        console.render(COPY[output], report)


@command()
def publish(
    given: Given,
    source: Annotated[str, argument("INDEX", "Path or URL of the index to publish.")],
    folder: Annotated[Path, argument("DIRECTORY", "The folder of the files; created if it does not exist.")],
    *,
    options: PublishOptions,
    quiet: bool = QUIET,
    output: str = format_option(PUBLISH),
) -> None:
    """Write an index as files that any static web server can serve.

    Others search it by its URL: `wherefrom search --index https://HOST/PATH/ FILE`. Nothing runs on the server, which
    only needs to support ranges, as nearly all do. Publish again after each change of the index: only changed files are
    written, and readers of the last publication go on. The printed SHA-256 can be put behind the URL, as
    `https://HOST/PATH/#sha256=SHA256`, to accept this publication alone.

    Examples:
        wherefrom publish code.wherefrom /srv/www/code  # write the files
        wherefrom search --index https://example.com/code/ snippet.py  # search them from anywhere
    """
    with console.LiveLine(
        publish_line, quiet=quiet, interrupted=f"run the same command again to publish {source}"
    ) as live:
        options = replace(options, progress=live.report, engine=given.engine(source))
        report = wherefrom.publish_index(source, folder, options)
    if output != "text" or not quiet:
        console.render(PUBLISH[output], report)


@command()
def cache(
    _given: Given,
    *,
    clear: bool = switch("Remove what is kept."),
) -> None:
    """Show or remove what is kept of published indexes.

    Examples:
        wherefrom cache  # where it is, and how large
        wherefrom cache --clear  # remove it
    """
    from wherefrom.engines.published import kept  # noqa: PLC0415 -- `--help` does not wait for it

    folder = kept.folder()
    try:
        if clear:
            kept.clear(folder)
        console.emit(f"{folder}: {size(kept.kept_bytes(folder))}\n")
    except OSError as error:
        raise UnusableIndex(f"{folder} cannot be used: {error.strerror}; remove the folder yourself") from error
