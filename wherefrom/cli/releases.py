"""`wherefrom releases`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wherefrom.cli import console, files, inputs
from wherefrom.cli.flags import argument, command, format_option
from wherefrom.cli.given import Given
from wherefrom.options import ReleasesOptions
from wherefrom.reports.releases import RENDERERS


@command("color", "index", "expect")
def releases(
    given: Given,
    named: Annotated[
        str,
        argument("FOLDER|FILE|-", "A folder, a file, some lines of a file (`FILE:10-20`), or `-` for stdin."),
    ],
    *,
    options: ReleasesOptions,
    output: str = format_option(RENDERERS),
) -> None:
    """Tell which release a folder, a file or a function is from.

    The nearest release comes first, with the changes since then. Releases are indexed versions of packages, and the
    tags of indexed clones. Exit code 0 if a release was found, 1 if none was, 2 for an error.

    Examples:
        wherefrom releases vendor/lodash  # which version is this?
    """
    with given.started_analyzer(), given.open_index() as index:
        if files.is_folder(named):
            root = Path(named)
            contents = {
                path.as_posix(): content
                for name, content in files.read_files(named, console.warn)
                if ".git" not in (path := Path(name).relative_to(root)).parts
            }
            options = replace(options, name=files.display_name(named))
        else:
            snippet = inputs.read_one(named, index)
            contents = {"": snippet.text}
            options = replace(
                options, name=snippet.name, lines=snippet.lines, language=options.language or snippet.language
            )
        result = index.releases(contents, options)
        console.render(RENDERERS[output], result, given.settings.color)
    raise typer.Exit(0 if result.releases else 1)
