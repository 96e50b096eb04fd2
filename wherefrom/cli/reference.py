"""The reference of the command line, `docs/cli.md`, made from the commands: `python -m wherefrom.cli.reference`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup
from typer.main import get_command

from wherefrom.check.base import FAILING
from wherefrom.cli.app import app
from wherefrom.model import MAX_FILE_SIZE, PARSE_MEMORY, PARSE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 100

INTRODUCTION = f"""# Command line

This page is made from the commands by `python -m wherefrom.cli.reference > docs/cli.md`; a test compares the two.

Results are written to standard output, all else to standard error. The exit code is 0 where something was found or
done, 1 where nothing was found, 2 for an error, 130 where the command was interrupted; a reader that goes away early
(`| head`) is no error. Of `check` it is 0 where no finding fails, and 1 where one does. `index` indexes what it can:
where a source failed, it goes on with the others and ends with 2.

## Settings

A flag comes before its environment variable, that before the configuration file. The file is `wherefrom/config.toml` in
the user's configuration folder, or what `WHEREFROM_CONFIG` names; relative paths in it start at its folder.

| key in the file | variable | flag | default |
| --- | --- | --- | --- |
| `index` | `WHEREFROM_INDEX` | `--index` | `wherefrom/index` in the user's data folder |
| `cache` | `WHEREFROM_CACHE` | | `wherefrom/clones` in the user's cache folder |
| `posts` | `WHEREFROM_POSTS` | `--posts` | `wherefrom/posts.sqlite` in the user's data folder |
| `jobs` | `WHEREFROM_JOBS` | `--jobs` | one on each core |
| `limit` | `WHEREFROM_LIMIT` | `--limit` | 10 |
| `max_file_size` | `WHEREFROM_MAX_FILE_SIZE` | `--max-file-size` | {MAX_FILE_SIZE} |
| `parse_seconds` | `WHEREFROM_PARSE_SECONDS` | `--parse-seconds` | {PARSE_SECONDS:g} |
| `parse_memory` | `WHEREFROM_PARSE_MEMORY` | `--parse-memory` | {PARSE_MEMORY} |
| `color` | `WHEREFROM_COLOR` | `--color` | `auto` |
| `own` | `WHEREFROM_OWN` | `--own` | none; in a variable with commas between them |
| `fail_on` | `WHEREFROM_FAIL_ON` | `--fail-on` | `{",".join(FAILING)}` |
| `stackexchange_key` | `WHEREFROM_STACKEXCHANGE_KEY` | | none: the API answers 300 requests a day, with a key 10,000 |
| `stackexchange_api` | `WHEREFROM_STACKEXCHANGE_API` | | `https://api.stackexchange.com/2.3` |
| `elasticsearch_user` | `WHEREFROM_ELASTICSEARCH_USER` | | none |
| `elasticsearch_password` | `WHEREFROM_ELASTICSEARCH_PASSWORD` | | none |
| `elasticsearch_api_key` | `WHEREFROM_ELASTICSEARCH_API_KEY` | | none |
| `elasticsearch_ca_file` | `WHEREFROM_ELASTICSEARCH_CA_FILE` | | the system's certificates |
| `elasticsearch_timeout` | `WHEREFROM_ELASTICSEARCH_TIMEOUT` | | 60 seconds |
| `elasticsearch_shards` | `WHEREFROM_ELASTICSEARCH_SHARDS` | | 1, for a new index |
| `elasticsearch_replicas` | `WHEREFROM_ELASTICSEARCH_REPLICAS` | | 1 where there is a second node |

`NO_COLOR` (not empty) takes the colors of `auto` away. `WHEREFROM_DEBUG` (not empty) is as good as `--debug`.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *_sections("wherefrom", get_command(app), None)])


# typer's classes of commands and contexts are private, hence `Any`.
def _sections(name: str, command: Any, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], parent, resilient_parsing=True, terminal_width=WIDTH)
    yield f"## `{context.command_path}`\n\n```text\n{context.get_help()}\n```\n"
    if isinstance(command, TyperGroup):
        for sub, subcommand in command.commands.items():
            yield from _sections(sub, subcommand, context)


if __name__ == "__main__":
    sys.stdout.write(reference())
