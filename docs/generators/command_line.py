"""The page of the command line: the help of every command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from wherefrom.cli.app import app

WIDTH = 100

INTRODUCTION = """\
# Command line

Results go to standard output, everything else to standard error. `wherefrom COMMAND --help-all` shows the same help,
`--help` the options that most people need.

| exit code | meaning |
| --- | --- |
| 0 | something was found or done; `check`: nothing fails |
| 1 | nothing was found; `check`: something fails |
| 2 | an error; `index` and `compare` go on with the other sources first |
| 130 | interrupted by Ctrl-C |

A reader that goes away early (`| head`) is not an error.

`wherefrom --install-completion` installs completion for bash, zsh or fish. It completes commands, options, languages,
the keys of indexed repositories and the names of boilerplate sets. `wherefrom --show-completion` prints the script.
"""


def page() -> str:
    """The page in Markdown."""
    return "\n".join([INTRODUCTION, *_sections("wherefrom", get_command(app), None)])


# `Any`, because typer's classes of commands and contexts are private.
def _sections(name: str, command: Any, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], parent, resilient_parsing=True, terminal_width=WIDTH)
    command.shows_all = True
    yield f"## `{context.command_path}`\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(command, TyperGroup):
        for sub, subcommand in command.commands.items():
            yield from _sections(sub, subcommand, context)
