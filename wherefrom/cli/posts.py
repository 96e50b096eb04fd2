"""`wherefrom posts`: the code of a Stack Exchange data dump, and where it appears."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.commands import Commands, argument, format_option
from wherefrom.cli.settings import Given
from wherefrom.options import PostsReportOptions
from wherefrom.options.fields import Several, Text, option
from wherefrom.reports.posts import RENDERERS, SITES, import_line, import_summary, search_line, search_summary

posts = Commands(
    name="posts",
    help="""Look up the code of Stack Exchange posts.

    Import a data dump once, then search for all of its code.

    Examples:
        wherefrom posts import Posts.xml  # once
        wherefrom posts search --unattributed --output found.csv --format csv  # as a table
    """,
)


@posts.subcommand("posts", name="import")
def import_(
    given: Given,
    dump: Annotated[Path, argument("FILE", "The Posts.xml of a dump, plain or compressed with gzip, bzip2 or zstd.")],
    *,
    site: str = option("stackoverflow.com", Text("HOST"), "The site of the dump."),
    tags: Sequence[str] = option(
        (), Several(Text("TAG")), "Import only questions with this tag and their answers; repeatable.", flag="--tag"
    ),
) -> None:
    """Import the code of the posts in a data dump.

    Run a stopped import again to continue it. The same dump is not read twice.

    Examples:
        wherefrom posts import Posts.xml  # a dump of Stack Overflow
        wherefrom posts import --site unix.stackexchange.com Posts.xml  # of another site
    """
    store = given.settings.posts
    stopped = f"what was read is in {store}: run the same command again to go on"
    with console.LiveLine(import_line, interrupted=stopped) as live:
        report = wherefrom.import_posts(dump, store=store, site=site, tags=tags, progress=live.report)
    console.emit(import_summary(report))


@posts.subcommand("posts")
def stats(given: Given, *, output: str = format_option(SITES)) -> None:
    """Count the imported posts by site.

    Examples:
        wherefrom posts stats  # how much was imported?
    """
    with wherefrom.open_posts(given.settings.posts) as store:
        console.render(SITES[output], store.sites())


@posts.subcommand("posts", "index")
def search(given: Given, *, options: PostsReportOptions) -> int:
    """Find where imported code appears, and whether it is credited there.

    Writes one row for each hit of each code block. Exit code 0 if something was found, 1 if nothing was, 2 for an
    error.

    Examples:
        wherefrom posts search --tag python  # only questions with a tag
        wherefrom posts search --output found.csv --format csv  # a table in a file
    """
    stopped = f"what was found is in {options.path}: run the same command again to go on" if options.path else None
    with (
        wherefrom.open_posts(given.settings.posts) as store,
        given.open_index() as index,
        console.LiveLine(search_line, interrupted=stopped) as live,
    ):
        options = replace(options, progress=live.report)
        if options.path is not None:
            report = index.write_posts_report(store, options)
        else:
            renderer = RENDERERS[options.format]
            console.emit(renderer.header)
            found = index.search_posts(store, options)
            for answer in found:
                for row in renderer.write(answer, console.look("never")):
                    live.clear()
                    console.emit(row)
            report = found.report
    console.say(f"wherefrom: {search_summary(report)}")
    return 0 if report.rows else 1
