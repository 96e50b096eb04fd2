"""The reference of the command line, `docs/cli.md`, made from the commands: `python -m wherefrom.cli.reference`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from wherefrom.cli.app import app
from wherefrom.cli.settings import known
from wherefrom.options.fields import Field, shown

WIDTH = 100

INTRODUCTION = """# Command line

This page is made from the commands by `python -m wherefrom.cli.reference > docs/cli.md`; a test compares the two.

Results are written to standard output, all else to standard error. The exit code is 0 where something was found or
done, 1 where nothing was found, 2 for an error, 130 where the command was interrupted; a reader that goes away early
(`| head`) is not an error, and files that a command is asked to write are written before its answer. Of `check` it is
0 where no finding fails, and 1 where one does. `index` indexes what it can: where a source failed, it goes on with the
others and ends with 2.

## Settings

A flag comes before its environment variable, that before the configuration file. The file is `wherefrom/config.toml` in
the user's configuration folder, or what `WHEREFROM_CONFIG` names; relative paths in it start at its folder.
A variable for several values has commas between them.

{settings}

## Completion

`wherefrom --install-completion` installs completion for the shell in which it is run: bash, zsh or fish. It takes
effect in the next terminal. `wherefrom --show-completion` prints the script, to be put where a system keeps such
scripts. Keys of repositories and names of boilerplate sets come from the index that the line or the settings name,
unless it is on a server. A name with characters on which a shell would act is not offered.

## Colors and debugging

`NO_COLOR` (not empty) takes the colors of `auto` away. `WHEREFROM_DEBUG` (not empty) is as good as `--debug`.
`WHEREFROM_KERNEL` says whether the native kernel is used: `0` never, `1` where it can be (the default), `require`.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION.replace("{settings}", _settings()), *_sections("wherefrom", get_command(app), None)])


def _settings() -> str:
    """A table of all that the configuration file, the environment and the command line may set."""
    rows = [
        "| key in the file | variable | flag | default | |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| `{setting.key}` | `{setting.variable}` | {f'`{flag}`' if flag else ''} | {_default(setting.field)} | "
            f"{setting.field.meaning} |"
            for setting in known().values()
            for flag in [setting.field.flag]
        ),
    ]
    return "\n".join(rows)


def _default(field: Field) -> str:
    if field.default_help:
        return field.default_help
    if field.default in (None, ()):
        return "none"
    if isinstance(field.default, bool):
        return f"`{shown(field.default)}`"
    return "`" + (",".join(field.default) if isinstance(field.default, tuple) else f"{field.default}") + "`"


# typer's classes of commands and contexts are private, hence `Any`.
def _sections(name: str, command: Any, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], parent, resilient_parsing=True, terminal_width=WIDTH)
    yield f"## `{context.command_path}`\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(command, TyperGroup):
        for sub, subcommand in command.commands.items():
            yield from _sections(sub, subcommand, context)


if __name__ == "__main__":
    sys.stdout.write(reference())
