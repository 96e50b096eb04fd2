"""`wherefrom mcp`, `lsp` and `serve`: an index for assistants, editors and a team."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import platformdirs

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import command
from wherefrom.cli.given import Given
from wherefrom.options.serving import LspOptions, McpOptions, ServeOptions
from wherefrom.serve.people import People, TokenFile


@command("index", "expect")
def mcp(given: Given, *, options: McpOptions) -> None:
    """Answer the questions of a coding assistant.

    The assistant starts this command itself, and talks to it on standard input and output by the Model Context
    Protocol; docs/how-to/assistants.md shows how to set it up. The tools only read: they tell where code appears, and
    under which license.

    Examples:
        wherefrom mcp --index code.wherefrom  # the command that an assistant starts
        wherefrom mcp --own 'github.com/me/*'  # my own repositories do not count
    """
    given.need("mcp", "mcp")
    from wherefrom.serve.calls import Defaults  # noqa: PLC0415 -- `--help` does not wait for it
    from wherefrom.serve.mcp.server import run  # noqa: PLC0415 -- an extra

    defaults = Defaults(*given.usual_options(options.own))
    given.open_index().close()  # if the index cannot be opened, the command fails now, and not at the first call
    run(given.opener(), options, defaults)


@command("index", "expect")
def lsp(given: Given, *, options: LspOptions) -> None:
    """Show in an editor where else the code is.

    The editor starts this command itself, and talks to it on standard input and output by the Language Server Protocol;
    docs/how-to/editor.md shows how to set it up. A saved file is checked as `wherefrom check` does it, and commands ask
    where else a selection is, compare both sides, credit a source and accept a finding.

    Examples:
        wherefrom lsp --index code.wherefrom  # the command that an editor starts
        wherefrom lsp --own 'github.com/me/*'  # my own repositories do not count
    """
    given.need("lsp", "pygls", "lsprotocol")
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
    from wherefrom.serve.web.server import run  # noqa: PLC0415 -- an extra, and `--help` does not wait for it
    from wherefrom.serve.web.site import WebDefaults  # noqa: PLC0415

    defaults = WebDefaults(
        *given.usual_options(options.own),
        posts=partial(
            wherefrom.fetch_post, key=given.settings.stackexchange_key, base=given.settings.stackexchange_api
        ),
    )
    given.open_index().close()  # if the index cannot be opened, the command fails now, and not at the first request
    if options.reports == Path():
        options = replace(options, reports=platformdirs.user_data_path("wherefrom") / "reports")
    people = People(options.token, TokenFile(given.settings.tokens))

    def say(line: str) -> None:
        console.say(f"wherefrom: {line}")

    run(given.settings.index, given.opener(), options, defaults, people, say=say)
