"""`wherefrom posts`: the code of a Stack Exchange data dump, and where it appears."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import command, filled, format_option, text_option
from wherefrom.cli.given import Given
from wherefrom.cli.help import Commands
from wherefrom.options import PostsReportOptions
from wherefrom.reports.posts import RENDERERS, SITES

FOUND, NOTHING = 0, 1

posts = Commands(
    name="posts",
    help="""Look up the code of Stack Exchange posts.

    Import a data dump once, then search for all of its code.

    Examples:
        wherefrom posts import Posts.xml  # once
        wherefrom posts search --unattributed --output found.csv --format csv  # as a table
    """,
)


@posts.command("import")
@command("posts")
def import_(
    given: Given,
    dump: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The Posts.xml of a dump, plain or packed by gzip, bzip2, zstd.", show_default=False
        ),
    ],
    *,
    site: Annotated[
        str, typer.Option("--site", metavar="HOST", help="The site whose dump it is.", callback=filled)
    ] = "stackoverflow.com",
    tag: Annotated[list[str] | None, text_option("--tag", "TAG", "Only questions with this tag; repeatable.")] = None,
) -> None:
    """Read the code of a dump's posts.

    An import that was stopped is simply run again and goes on; the same dump is not read twice.

    Examples:
        wherefrom posts import Posts.xml  # a dump of Stack Overflow
        wherefrom posts import --site unix.stackexchange.com Posts.xml  # of another site
    """
    from wherefrom.reports.posts import progress  # noqa: PLC0415 -- `--help` is not to wait for it

    store = given.settings.posts
    stopped = f"what was read is in {store}: run the same command again to go on"
    with console.LiveLine(progress.import_line, interrupted=stopped) as live:
        report = wherefrom.import_posts(dump, store=store, site=site, tags=tag or [], progress=live.report)
    console.emit(progress.import_summary(report))


@posts.command()
@command("posts")
def stats(given: Given, *, output: Annotated[str, format_option(SITES)] = "text") -> None:
    """Count what was imported, by site.

    Examples:
        wherefrom posts stats  # what was imported
    """
    with wherefrom.open_posts(given.settings.posts) as store:
        console.render(SITES[output], store.sites(), console.look("never"))


@posts.command()
@command("posts", "index")
def search(given: Given, *, options: PostsReportOptions) -> None:
    """Find where imported code appears, and whether it is credited there.

    One row for each hit of each block. Exit code 0 where something was found, 1 where nothing was, 2 for an error.

    Examples:
        wherefrom posts search --tag python  # only questions with a tag
        wherefrom posts search --output found.csv --format csv  # a table in a file
    """
    from wherefrom.reports.posts import progress  # noqa: PLC0415 -- `--help` is not to wait for it

    stopped = f"what was found is in {options.path}: run the same command again to go on" if options.path else None
    with (
        wherefrom.open_posts(given.settings.posts) as store,
        given.open_index() as index,
        console.LiveLine(progress.search_line, interrupted=stopped) as live,
    ):
        options = replace(options, progress=live.report)
        if options.path is not None:
            report = index.write_posts_report(store, options)
        else:
            renderer, look = RENDERERS[options.format], console.look("never")
            console.emit(renderer.header)
            found = index.search_posts(store, options)
            for answer in found:
                for row in renderer.write(answer, look):
                    live.clear()
                    console.emit(row)
            report = found.report
    console.say(f"wherefrom: {progress.search_summary(report)}")
    raise typer.Exit(FOUND if report.rows else NOTHING)
