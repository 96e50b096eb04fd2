"""`wherefrom posts`: the code of a Stack Exchange data dump, and where it appears."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wherefrom
from wherefrom.cli import INTERRUPTED, console
from wherefrom.cli.flags import Given, IndexLocation, PostsLocation, all_filled, filled, format_option, with_options
from wherefrom.cli.help import Commands
from wherefrom.options import PostsReportOptions
from wherefrom.reports.posts import RENDERERS, SITES

if TYPE_CHECKING:
    from wherefrom.posts import ImportProgress
    from wherefrom.posts.search import PostsProgress

FOUND, NOTHING = 0, 1

posts = Commands(
    name="posts",
    help="Look up the code of Stack Exchange posts.\n\nImport a data dump once, then search for all of its code.",
    add_completion=False,
)

Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Only questions with this tag; repeatable.", callback=all_filled),
]


@posts.command("import")
def import_(
    context: typer.Context,
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
    tag: Tags = None,
    location: PostsLocation = None,
) -> None:
    """Read the code of a dump's posts.

    An import that was stopped is simply run again and goes on; the same dump is not read twice.
    """
    from wherefrom.reports.posts import progress  # noqa: PLC0415 -- `--help` is not to wait for it

    given = Given(context, posts=location).settings
    live = console.LiveLine()

    def show(event: "ImportProgress") -> None:
        live.show(progress.import_line(event, live.width))

    try:
        report = wherefrom.import_posts(
            dump, store=given.posts, site=site, tags=tag or [], progress=show if live.active else None
        )
    except KeyboardInterrupt:
        live.clear()
        console.say(f"wherefrom: interrupted; what was read is in {given.posts}: run the same command again to go on")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        live.clear()
    console.emit(progress.import_summary(report))


@posts.command()
def stats(
    context: typer.Context,
    *,
    output: Annotated[str, format_option(SITES)] = "text",
    location: PostsLocation = None,
) -> None:
    """Count what was imported, by site."""
    with wherefrom.open_posts(Given(context, posts=location).settings.posts) as store:
        console.render(SITES[output], store.sites(), console.look("never"))


@posts.command()
@with_options(PostsReportOptions)
def search(
    context: typer.Context,
    *,
    location: PostsLocation = None,
    index_location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Find where imported code appears, and whether it is credited there.

    One row for each hit of each block. Exit code 0 where something was found, 1 where nothing was, 2 for an error.
    """
    from wherefrom.reports.posts import progress  # noqa: PLC0415 -- `--help` is not to wait for it

    given = Given(context, index=index_location, posts=location)
    live = console.LiveLine()

    def show(event: "PostsProgress") -> None:
        live.show(progress.search_line(event, live.width))

    options = given.options(PostsReportOptions, flags, progress=show if live.active else None)
    with wherefrom.open_posts(given.settings.posts) as store, given.open_index() as index:
        try:
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
        except KeyboardInterrupt:
            if options.path is None:
                raise
            live.clear()
            console.say(
                f"wherefrom: interrupted; what was found is in {options.path}: run the same command again to go on"
            )
            raise typer.Exit(INTERRUPTED) from None
        finally:
            live.clear()
    console.say(f"wherefrom: {progress.search_summary(report)}")
    raise typer.Exit(FOUND if report.rows else NOTHING)
