"""`wherefrom mcp`, `lsp` and `serve`: an index for assistants, editors and a team; `token`: who may ask for what."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import platformdirs

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.commands import Commands, argument, command, format_option
from wherefrom.cli.settings import Given
from wherefrom.options.fields import Choice, Several, Whole, option
from wherefrom.options.serving import ProgramOptions, ServeOptions
from wherefrom.reports.layout import as_lines, table
from wherefrom.reports.renderer import Look, list_formats
from wherefrom.serve.people import People, Person, Right, TokenFile
from wherefrom.support.printable import visible


@command("index", "expect")
def mcp(given: Given, *, options: ProgramOptions) -> None:
    """Answer the questions of a coding assistant.

    The assistant starts this command itself, and talks to it on standard input and output by the Model Context
    Protocol; docs/how-to/assistants.md shows how to set it up. The tools only read: they tell where code appears, and
    under which license.

    Examples:
        wherefrom mcp --index code.wherefrom  # the command that an assistant starts
        wherefrom mcp --own 'github.com/me/*'  # my own repositories do not count
    """
    given.need("mcp", "mcp")
    console.need_both_streams()
    from wherefrom.serve.calls import Defaults  # noqa: PLC0415 -- `--help` does not wait for it
    from wherefrom.serve.mcp.server import run  # noqa: PLC0415 -- an extra

    defaults = Defaults(*given.usual_options(options.own))
    given.open_index().close()  # if the index cannot be opened, the command fails now, and not at the first call
    run(given.opener(), options, defaults)


@command("index", "expect")
def lsp(given: Given, *, options: ProgramOptions) -> None:
    """Show in an editor where else the code is.

    The editor starts this command itself, and talks to it on standard input and output by the Language Server Protocol;
    docs/how-to/editor.md shows how to set it up. A saved file is checked as `wherefrom check` does it, and commands ask
    where else a selection is, compare both sides, credit a source and accept a finding.

    Examples:
        wherefrom lsp --index code.wherefrom  # the command that an editor starts
        wherefrom lsp --own 'github.com/me/*'  # my own repositories do not count
    """
    given.need("lsp", "pygls", "lsprotocol")
    console.need_both_streams()
    from wherefrom.serve.calls import Defaults  # noqa: PLC0415 -- `--help` does not wait for it
    from wherefrom.serve.lsp.server import run  # noqa: PLC0415 -- an extra

    defaults = Defaults(*given.usual_options(options.own))
    run(lambda location: given.opener(location=location), options, defaults)


@command("index", "expect", "tokens")
def serve(given: Given, *, options: ServeOptions) -> None:
    """Serve a web page, an API and tools for assistants.

    Only this machine can ask, unless there are tokens (`wherefrom token`) and --host names another address. The API is
    described at /api, and the tools for coding assistants are at /mcp; docs/how-to/serve.md has more. Answers include
    at once what another process adds to the index.

    Examples:
        wherefrom serve  # a page and an API for this machine
        wherefrom serve --port 8080 --own 'github.com/me/*'  # my own repositories do not count
    """
    given.need("web", "fastapi", "uvicorn", "python_multipart", "prometheus_client", "mcp")
    from wherefrom.serve.web.search_page import WebDefaults  # noqa: PLC0415
    from wherefrom.serve.web.server import run  # noqa: PLC0415 -- an extra, and `--help` does not wait for it

    posts = partial(wherefrom.fetch_post, key=given.settings.stackexchange_key, base=given.settings.stackexchange_api)
    defaults = WebDefaults(*[*given.usual_options(options.own), posts])
    given.open_index().close()  # if the index cannot be opened, the command fails now, and not at the first request
    if options.reports == Path():
        options = replace(options, reports=platformdirs.user_data_path("wherefrom") / "reports")
    people = People(options.token, TokenFile(given.settings.tokens))

    def say(line: str) -> None:
        console.say(f"wherefrom: {line}")

    run(given.settings.index, given.opener(), options, defaults, people, say=say)


token = Commands(
    name="token",
    help="""Manage the tokens of `wherefrom serve`.

    Each person or program has a token with rights: `search` looks up code, `check` checks changes and compares, `read`
    shows the indexed code. The file does not reveal a token. Running servers follow each change.

    Examples:
        wherefrom token add ann  # a token with all rights
        wherefrom token add ci --right check --per-minute 60  # for a program
        wherefrom token list  # who may do what?
    """,
)


def _write(people: Sequence[Person], _look: Look) -> Iterator[str]:
    if not people:
        yield "no tokens\n"
        return
    rows = [
        (
            visible(person.name),
            ", ".join(person.rights),
            "" if person.per_minute is None else f"{person.per_minute:,}",
            visible(person.made),
        )
        for person in people
    ]
    yield as_lines(table(("name", "rights", "per minute", "made"), rows, right=(2,)))


TOKENS = list_formats(_write, "tokens")  # the formats of a list of tokens

Name = Annotated[str, argument("NAME", "The name of the holder, as the audit log has it.")]


@token.subcommand("tokens")
def add(
    given: Given,
    name: Name,
    *,
    rights: Sequence[str] = option(
        (),
        Several(Choice(tuple(Right))),
        "What the token allows; repeatable.",
        flag="--right",
        default_help="all rights",
    ),
    per_minute: int | None = option(None, Whole(at_least=1), "Refuse more requests than this in a minute."),
) -> None:
    """Make a token and print it.

    Examples:
        wherefrom token add ann  # a token with all rights
        wherefrom token add guest --right search  # may search, and does not see the indexed code
    """
    chosen = [Right(right) for right in rights] or [*Right]
    file = TokenFile(given.settings.tokens)
    is_first = not file.path.exists()
    made = file.add(name, chosen, per_minute)
    try:
        console.emit(f"{made}\n")
    except BaseException:
        file.remove(name)  # nobody has seen it
        raise
    console.say("wherefrom: this token is not shown again; send it as `Authorization: Bearer TOKEN`")
    if is_first:
        console.say("wherefrom: it is the first one: servers that needed no token need one from now on")


@token.subcommand("tokens", name="list")
def list_(given: Given, *, output: str = format_option(TOKENS)) -> None:
    """List the holders of tokens.

    Examples:
        wherefrom token list  # who may do what?
    """
    console.render(TOKENS[output], TokenFile(given.settings.tokens).people())


@token.subcommand("tokens")
def remove(given: Given, name: Name) -> None:
    """Remove the token of a holder.

    Examples:
        wherefrom token remove ann  # servers refuse it from now on
    """
    file = TokenFile(given.settings.tokens)
    file.remove(name)
    console.say(f"wherefrom: removed the token of {name}")
    if not file.people():
        console.say(
            "wherefrom: no token is left, so servers refuse everybody; to serve without tokens, remove "
            f"{file.path} and start the server again"
        )
