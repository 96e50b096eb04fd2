"""`wherefrom mcp`."""

from wherefrom.cli.flags import command
from wherefrom.cli.given import Given
from wherefrom.options.serving import McpOptions


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
