"""`wherefrom serve`."""

from dataclasses import replace

from wherefrom.cli import console
from wherefrom.cli.extras import needed
from wherefrom.cli.flags import command
from wherefrom.cli.given import Given
from wherefrom.options import CheckOptions, SearchOptions, SourcesOptions
from wherefrom.options.serving import ServeOptions


@command("index")
def serve(given: Given, *, options: ServeOptions) -> None:
    """Serve a web page, an API and tools for assistants.

    It serves this machine alone, unless a token is set (WHEREFROM_TOKEN) and --host names another address. The API is
    described at /openapi.json, the tools for coding assistants are at /mcp; docs/serve.md has the rest. What another
    process commits to the index is seen at once.

    Examples:
        wherefrom serve  # a page and an API for this machine
        wherefrom serve --port 8080 --own 'github.com/me/*'  # my own repositories do not count
    """
    needed("web", "fastapi", "uvicorn", "prometheus_client", "mcp")
    from wherefrom.serve.web.api import Defaults  # noqa: PLC0415 -- an extra, which `--help` is not to wait for
    from wherefrom.serve.web.search_page import PostsAccess  # noqa: PLC0415 -- likewise
    from wherefrom.serve.web.server import run  # noqa: PLC0415 -- likewise

    own = options.own
    defaults = Defaults(
        replace(given.options(SearchOptions, {}), own=own),
        replace(given.options(SourcesOptions, {}), own=own),
        replace(given.options(CheckOptions, {}), own=own),
        PostsAccess(given.settings.stackexchange_key, given.settings.stackexchange_api),
    )
    given.open_index().close()  # an error is told before anybody asks
    run(
        given.settings.index,
        given.engine(),
        options,
        defaults,
        parse_memory=given.parse_memory,
        say=lambda line: console.say(f"wherefrom: {line}"),
    )
