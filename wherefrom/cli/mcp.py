"""`wherefrom mcp`."""

from dataclasses import replace

from wherefrom.cli.extras import needed
from wherefrom.cli.flags import command
from wherefrom.cli.given import Given
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.options.serving import McpOptions


@command("index")
def mcp(given: Given, *, options: McpOptions) -> None:
    """Answer a coding assistant.

    The assistant starts this command itself, and talks to it on standard input and output by the Model Context
    Protocol; docs/mcp.md says how to set it up. Its tools only read: where does code appear, and under which license?

    Examples:
        wherefrom mcp --index code.wherefrom  # the command that an assistant starts
        wherefrom mcp --own 'github.com/me/*'  # my own repositories do not count
    """
    needed("mcp", "mcp")
    from wherefrom.serve.mcp.stdio import run  # noqa: PLC0415 -- an extra, which `--help` is not to wait for

    search = replace(given.options(SearchOptions, {}), own=options.own)
    check = replace(given.options(CheckOptions, {}), own=options.own)
    given.open_index().close()  # an error is told before an assistant waits
    run(given.settings.index, given.engine(), options, parse_memory=given.parse_memory, search=search, check=check)
