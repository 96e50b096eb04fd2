"""`wherefrom lsp`."""

from wherefrom.cli.flags import command
from wherefrom.cli.given import Given
from wherefrom.options.serving import LspOptions


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
