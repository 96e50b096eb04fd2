"""`wherefrom posts`: the code of a Stack Exchange data dump, and where it appears."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import wherefrom
from wherefrom.cli import INTERRUPTED, console
from wherefrom.cli.options import Format, IndexLocation, Limit, Without, all_filled, filled, open_index, settings

if TYPE_CHECKING:
    from wherefrom.post_search import PostsProgress
    from wherefrom.posts import ImportProgress

FOUND, NOTHING = 0, 1

posts = typer.Typer(
    name="posts",
    help="Look up the code of Stack Exchange posts.\n\nImport a data dump once, then search for all of its code.",
    rich_markup_mode=None,
    add_completion=False,
)

Posts = Annotated[
    str | None,
    typer.Option(
        "--posts",
        metavar="FILE",
        help="Where imported posts are kept (else WHEREFROM_POSTS, the configuration file, the user's data folder).",
        show_default=False,
    ),
]

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
    location: Posts = None,
) -> None:
    """Read the code of a dump's posts.

    An import that was stopped is simply run again and goes on; the same dump is not read twice.
    """
    from wherefrom.reports.posts import progress  # noqa: PLC0415 -- `--help` is not to wait for it

    given = settings(context, posts=location)
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
def stats(context: typer.Context, *, output: Format = "text", location: Posts = None) -> None:
    """Count what was imported, by site."""
    from wherefrom.reports.posts import sites  # noqa: PLC0415 -- `--help` is not to wait for it

    with wherefrom.open_posts(settings(context, posts=location).posts) as store:
        console.emit(sites.RENDERERS[output](store.sites()))


@posts.command()
def search(
    context: typer.Context,
    *,
    site: Annotated[
        list[str] | None,
        typer.Option("--site", metavar="HOST", help="Only posts of this site; repeatable.", callback=all_filled),
    ] = None,
    tag: Tags = None,
    post: Annotated[
        list[str] | None,
        typer.Option("--post", metavar="URL", help="Only this question or answer; repeatable.", callback=all_filled),
    ] = None,
    unattributed: Annotated[
        bool, typer.Option("--unattributed", help="Leave out the places that name the post.")
    ] = False,
    limit: Limit = None,
    without: Without = None,
    output: Annotated[
        Literal["text", "csv", "jsonl"], typer.Option("--format", help="How the rows are written.")
    ] = "text",
    file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Write the rows there; a search that was stopped is run again and goes on.",
            show_default=False,
        ),
    ] = None,
    location: Posts = None,
    index_location: IndexLocation = None,
) -> None:
    """Find where the code of imported posts appears, and whether that place names the post.

    One row for each hit of each block. Exit code 0 where something was found, 1 where nothing was, 2 for an error.
    """
    from wherefrom.post_search import PostsReportOptions  # noqa: PLC0415 -- `--help` is not to wait for it
    from wherefrom.reports.posts import RENDERERS, progress  # noqa: PLC0415

    given = settings(context, index=index_location, limit=limit, posts=location)
    live = console.LiveLine()

    def show(event: "PostsProgress") -> None:
        live.show(progress.search_line(event, live.width))

    options = PostsReportOptions(
        sites=site or [],
        tags=tag or [],
        posts=post or [],
        limit=given.limit,
        without=without or [],
        unattributed=unattributed,
        format=output,
        progress=show if live.active else None,
    )
    with wherefrom.open_posts(given.posts) as store, open_index(given) as index:
        try:
            if file is not None:
                report = index.write_posts_report(store, file, options)
            else:
                search = index.search_posts(store, options)
                console.emit(RENDERERS[output].header)
                for answer in search:
                    if rows := RENDERERS[output].rows(answer):
                        live.clear()
                        console.emit(rows)
                report = search.report
        except KeyboardInterrupt:
            if file is None:
                raise
            live.clear()
            console.say(f"wherefrom: interrupted; what was found is in {file}: run the same command again to go on")
            raise typer.Exit(INTERRUPTED) from None
        finally:
            live.clear()
    console.say(f"wherefrom: {progress.search_summary(report)}")
    raise typer.Exit(FOUND if report.rows else NOTHING)
