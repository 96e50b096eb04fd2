"""`wherefrom publish` and `wherefrom cache`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import QUIET, argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.errors import UnusableIndex
from wherefrom.options import PublishOptions
from wherefrom.options.fields import switch
from wherefrom.reports.layout import size
from wherefrom.reports.publish import RENDERERS, live_line


@command()
def publish(
    given: Given,
    source: Annotated[str, argument("INDEX", "Path or URL of the index to publish.")],
    folder: Annotated[Path, argument("DIRECTORY", "The folder of the files; created if it does not exist.")],
    *,
    options: PublishOptions,
    quiet: bool = QUIET,
    output: str = format_option(RENDERERS),
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
        live_line, quiet=quiet, interrupted=f"run the same command again to publish {source}"
    ) as live:
        options = replace(options, progress=live.report, engine=given.engine(source))
        report = wherefrom.publish_index(source, folder, options)
    if output != "text" or not quiet:
        console.render(RENDERERS[output], report)


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
