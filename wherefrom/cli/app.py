"""The command `wherefrom`: its commands, the options before them, and what becomes of an error."""

import os
import traceback
from typing import Annotated

import typer
from typer.completion import shell_complete
from typer.main import get_command

import wherefrom
from wherefrom.cli import (
    boilerplate,
    check,
    compare,
    completion,
    console,
    copy,
    fixed,
    index,
    lab,
    manage,
    mcp,
    posts,
    search,
    serve,
    sources,
)
from wherefrom.cli.flags import IndexLocation, State
from wherefrom.cli.help import Commands
from wherefrom.errors import WherefromError

DEBUG_VARIABLE = "WHEREFROM_DEBUG"

ERROR = 2

HELP_OPTIONS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

app = Commands(
    name="wherefrom",
    help="Find where else code appears: index repositories, then look snippets up in them.",
    context_settings=HELP_OPTIONS,
)
app.command("index")(index.index)
app.command("search")(search.search)
app.command("similar")(search.similar)
app.command("check")(check.check)
app.command("fixed")(fixed.fixed)
app.command("compare")(compare.compare)
app.command("sources")(sources.sources)
app.command("mcp")(mcp.mcp)
app.command("serve")(serve.serve)
app.add_typer(posts.posts)
app.add_typer(boilerplate.boilerplate)
app.command("copy")(copy.copy)
app.command("list")(manage.list_)
app.command("stats")(manage.stats)
app.command("remove")(manage.remove)
app.command("prune")(manage.prune)
app.command("sweep")(manage.sweep)
app.command("languages")(manage.languages)
app.add_typer(lab.lab)


def _show_version(wanted: bool) -> None:
    if wanted:
        from wherefrom.analyzers import extension  # noqa: PLC0415 -- only this asks for it so early

        console.emit(f"wherefrom {wherefrom.__version__} ({extension.description()})\n")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    *,
    location: IndexLocation = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Takes the options that come before the command."""
    state = context.ensure_object(State)
    state.debug = state.debug or debug
    if location is not None:
        state.flags["index"] = location


def run(arguments: list[str]) -> int:
    """Runs a command, whatever goes wrong with it.

    Args:
        arguments: without the program's name.

    Returns:
        The exit code, as `wherefrom.cli.main` says.

    Raises:
        KeyboardInterrupt: as it comes.
        RuntimeError: caused by one, which Python 3.11 makes of it while a class is being made.
    """
    state = State(debug=bool(os.environ.get(DEBUG_VARIABLE)))
    console.prepare()
    try:
        return _invoke(arguments, state)
    except typer.TyperException as error:
        console.fail(_usage(error))
        return ERROR
    except WherefromError as error:
        console.fail(str(error) or type(error).__name__)
        _trace(error, state)
    except Exception as error:  # the last resort: whatever it is, the user gets one line
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise
        if isinstance(error, BrokenPipeError) and console.reader_is_gone():
            console.discard_output()
            return 0
        console.fail(f"unexpected {type(error).__name__}: {error}; {_advice(state)}")
        _trace(error, state)
    return ERROR


def _trace(error: Exception, state: State) -> None:
    if state.debug:
        for line in "".join(traceback.format_exception(error)).splitlines():
            console.say_as_it_is(line)


def _invoke(arguments: list[str], state: State) -> int:
    command = get_command(app)
    if asked := os.environ.get(completion.VARIABLE):
        return shell_complete(command, {"obj": state}, "wherefrom", completion.VARIABLE, asked)
    try:
        with command.make_context("wherefrom", arguments, obj=state) as context:
            command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    return 0


def _usage(error: typer.TyperException) -> str:
    """What is wrong with the arguments, and where the right ones are told."""
    command = getattr(getattr(error, "ctx", None), "command_path", "wherefrom")
    return f"{error.format_message().removesuffix('.')} (see `{command} --help`)"


def _advice(state: State) -> str:
    if state.debug:
        return "please report it with the traceback below"
    return f"please report it with what `wherefrom --debug ...` ({DEBUG_VARIABLE}=1) shows"
