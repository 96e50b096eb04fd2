"""The command `wherefrom`: its subcommands, the options before them, and its error messages."""

import errno
import os
import traceback
from collections import UserDict
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.completion import shell_complete
from typer.main import get_command

from wherefrom.cli import console
from wherefrom.cli.commands import VARIABLE, Commands, Group, IndexFlag
from wherefrom.cli.settings import State
from wherefrom.errors import WherefromError

DEBUG_VARIABLE = "WHEREFROM_DEBUG"

ERROR = 2

HELP_OPTIONS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

COMMANDS: Mapping[str, tuple[str, str]] = {
    "index": ("index", "Add repositories to the index, or bring them up to date."),
    "search": ("search", "Find where else code appears, and whether it is credited."),
    "similar": ("search", "Find indexed files that are similar to a file."),
    "fingerprint": ("search", "Write what a search of a snippet needs, without its code."),
    "first": ("origins", "Find the commit that brought code first."),
    "releases": ("origins", "Tell which release a folder, a file or a function is from."),
    "check": ("projects", "Find code in your project that is copied without credit."),
    "fixed": ("projects", "Find who still has the code that a commit fixed."),
    "compare": ("projects", "Compare submissions with each other."),
    "page": ("projects", "Write a page that compares code in a browser."),
    "sources": ("origins", "Explain a file by the few indexed files that contain its parts."),
    "trace": ("origins", "Find where the code of an assistant's answer is from."),
    "watch": ("projects", "Watch for code in all that is indexed from now on."),
    "mcp": ("serve", "Answer the questions of a coding assistant."),
    "lsp": ("serve", "Show in an editor where else the code is."),
    "serve": ("serve", "Serve a web page, an API and tools for assistants."),
    "token": ("serve", "Manage the tokens of `wherefrom serve`."),
    "copy": ("index", "Copy or merge indexes, without their clones."),
    "publish": ("index", "Write an index as files that any static web server can serve."),
    "cache": ("index", "Show or remove what is kept of published indexes."),
    "list": ("index", "List the indexed repositories, or the files of one of them."),
    "stats": ("index", "Show the size of the index."),
    "remove": ("index", "Remove repositories from the index."),
    "prune": ("index", "Remove repositories whose source is gone."),
    "sweep": ("index", "Remove contents that no repository has any longer."),
    "languages": ("index", "List the known languages, with other names and file endings."),
    "posts": ("posts", "Look up the code of Stack Exchange posts."),
    "boilerplate": ("boilerplate", "Manage sets of code that does not count in searches."),
    "lab": ("lab", "Run experiments on your own code."),
}
"""For each command its module in this package, which has its function or group, and the first sentence of its help."""


class _CommandsOnUse(UserDict[str, Any]):
    """The commands by name. A module is loaded on the first use of its command."""

    def __getitem__(self, name: str) -> Any:
        return _made(name)


@cache
def _made(name: str) -> Any:
    module = import_module(f"wherefrom.cli.{COMMANDS[name][0]}")
    found = getattr(module, "list_" if name == "list" else name)
    if not isinstance(found, Commands):
        alone = Commands(name, help="")
        alone.command(name)(found)
        found = alone
    return get_command(found)


class _Wherefrom(Group):
    def __init__(self, **others: Any) -> None:
        super().__init__(**others)
        self.commands = _CommandsOnUse(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 -- as typer has it
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in COMMANDS.items()])


app = Commands(
    name="wherefrom",
    help="""Find where else code appears: index repositories, then look up snippets in them.

    Examples:
        wherefrom index ~/clones  # read every clone in a folder
        wherefrom search snippet.py  # where else does this code appear?
        wherefrom check --staged  # does code of the next commit appear elsewhere?
    """,
    add_completion=True,
    context_settings=HELP_OPTIONS,
    cls=_Wherefrom,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from wherefrom.cli import version  # noqa: PLC0415 -- only `--version` needs it

        raise typer.Exit(version.show())


@app.callback()
def options(
    context: typer.Context,
    *,
    index_: IndexFlag = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")] = False,
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show the version and exit; with --verbose, those of all parts.",
            callback=_show_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Stores the options that come before the command."""
    state = context.ensure_object(State)
    state.debug = state.debug or debug
    if index_ is not None:
        state.flags["index"] = index_


def run(arguments: list[str]) -> int:
    """Runs a command, reports every error and returns the exit code; see `wherefrom.cli.main`. Raises KeyboardInterrupt
    if the user interrupts it, or RuntimeError while Python 3.11 makes a class.
    """
    state = State(debug=bool(os.environ.get(DEBUG_VARIABLE)))
    console.prepare()
    try:
        return _invoke(arguments, state)
    except typer.TyperException as error:
        command = getattr(getattr(error, "ctx", None), "command_path", "wherefrom")
        console.fail(f"{error.format_message().removesuffix('.')} (see `{command} --help`)")
        return ERROR
    except WherefromError as error:
        console.fail(str(error) or type(error).__name__)
        _trace(error, state)
    except Exception as error:  # The user gets one line for any error.
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise
        if console.reader_is_gone(error):
            console.discard_output()
            return 0
        room = _of_system(error)
        shown = "the traceback below" if state.debug else f"what `wherefrom --debug ...` ({DEBUG_VARIABLE}=1) shows"
        console.fail(room or f"unexpected {type(error).__name__}: {error}; please report it with {shown}")
        _trace(error, state)
    return ERROR


def _of_system(error: Exception) -> str | None:
    """The message for an error of the system that any module may meet; None for others."""
    if isinstance(error, MemoryError):
        return "there is too little memory; free some, raise the limit (ulimit), or ask for less"
    if not isinstance(error, OSError):
        return None
    if error.errno in {errno.ENAMETOOLONG, errno.ELOOP}:
        return f"a path cannot be used ({error.strerror}): {os.fsdecode(error.filename or '')}; name another one"
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return "the current folder was removed; change to another one"
    return _no_room(error)


def _no_room(error: OSError) -> str | None:
    """The message for a full disk; None for other errors. Any module may write temporary files."""
    import tempfile  # noqa: PLC0415 -- few commands need it

    from wherefrom.support.writing import NO_ROOM  # noqa: PLC0415

    remedy = "make room, or name another folder for temporary files in TMPDIR"
    place = error.filename
    if error.errno in NO_ROOM and place is None:
        try:
            place = tempfile.gettempdir()
        except FileNotFoundError as no_folder:
            error = no_folder
    if isinstance(error, FileNotFoundError) and "temporary directory" in str(error.strerror):
        return f"every disk for temporary files is full or cannot be written: {error.strerror}; {remedy}"
    if error.errno in NO_ROOM:
        return f"the disk of {place} is full; {remedy}"
    return None


def _trace(error: Exception, state: State) -> None:
    if state.debug:
        for line in "".join(traceback.format_exception(error)).splitlines():
            console.say_as_it_is(line)


def _invoke(arguments: list[str], state: State) -> int:
    command = get_command(app)
    if shell := os.environ.get(VARIABLE):
        return shell_complete(command, {"obj": state}, "wherefrom", VARIABLE, shell)
    try:
        with command.make_context("wherefrom", arguments, obj=state) as context:
            command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    return 0
