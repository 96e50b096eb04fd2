"""`wherefrom posts`: the code of a Stack Exchange data dump, and where it appears."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import wherefrom
from wherefrom.cli import INTERRUPTED, console
from wherefrom.cli.options import Format, IndexLocation, Limit, Without, all_filled, filled, open_index, settings
from wherefrom.reports.json import dumps

if TYPE_CHECKING:
    from wherefrom.posts import ImportProgress, PostStore, Selection
    from wherefrom.queries import PostAnswer

FOUND, NOTHING = 0, 1

LIVE_EVERY = 20
"""Blocks between two live lines."""

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
    from wherefrom.reports import posts_progress  # noqa: PLC0415 -- `--help` is not to wait for it

    given = settings(context, posts=location)
    live = console.LiveLine()

    def show(event: "ImportProgress") -> None:
        live.show(posts_progress.import_line(event, live.width))

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
    console.emit(posts_progress.import_summary(report))


@posts.command()
def stats(context: typer.Context, *, output: Format = "text", location: Posts = None) -> None:
    """Count what was imported, by site."""
    from wherefrom.reports import posts_progress  # noqa: PLC0415 -- `--help` is not to wait for it

    with wherefrom.open_posts(settings(context, posts=location).posts) as store:
        held = store.sites()
    if output == "json":
        console.emit(dumps(posts_progress.sites_to_dict(held)))
    else:
        console.emit(posts_progress.sites(held))


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
    given = settings(context, index=index_location, limit=limit, posts=location)
    selection = wherefrom.select_posts(site or [], tag or [], post or [])
    options: dict[str, Any] = {"limit": given.limit, "without": without or [], "unattributed": unattributed}
    with wherefrom.open_posts(given.posts) as store, open_index(given) as index:
        running = _Search(store, index, selection, options, output)
        try:
            if file is None:
                running.to_standard_output()
            else:
                running.to_file(file)
        except KeyboardInterrupt:
            if file is None:
                raise
            console.say(f"wherefrom: interrupted; what was found is in {file}: run the same command again to go on")
            raise typer.Exit(INTERRUPTED) from None
    raise typer.Exit(FOUND if running.counts["rows"] else NOTHING)


class _Search:
    """A search for the code of posts under way."""

    def __init__(
        self,
        store: "PostStore",
        index: "wherefrom.Index",
        selection: "Selection",
        options: dict[str, Any],
        output: str,
    ) -> None:
        self.store = store
        self.index = index
        self.selection = selection
        self.options = options
        self.output = output
        self.counts: Counter[str] = Counter()

    def to_standard_output(self) -> None:
        """Writes the rows as they are found."""
        from wherefrom.reports import posts as report  # noqa: PLC0415 -- `--help` is not to wait for it

        console.emit(report.header(self.output))
        for _, rows in self.rows(0):
            console.emit(rows)
        self.say_summary()

    def to_file(self, path: Path) -> None:
        """Writes them into a file, and goes on where an earlier run was stopped."""
        from wherefrom.reports import posts as report  # noqa: PLC0415 -- `--help` is not to wait for it
        from wherefrom.reports.posts_file import PostsFile  # noqa: PLC0415

        with PostsFile(path, self.identity()) as file:
            self.counts.update(file.counts)
            if file.is_new:
                file.write(report.header(self.output), 0, {})
            for key, rows in self.rows(file.after):
                file.write(rows, key, self.counts)
            file.finish()
        self.say_summary()

    def rows(self, after: int) -> Iterator[tuple[int, str]]:
        """The key of each block behind one, and its rows; counts them."""
        from wherefrom.reports import posts as report  # noqa: PLC0415 -- `--help` is not to wait for it
        from wherefrom.reports import posts_progress  # noqa: PLC0415

        live = console.LiveLine()
        total = self.store.count(self.selection) if live.active else 0
        try:
            for number, block in enumerate(self.store.blocks(self.selection, after)):
                if number % LIVE_EVERY == 0:
                    live.show(posts_progress.search_line(self.counts, total, live.width))
                answer = self.index.search_post(block, **self.options)
                self._count(answer)
                rows = report.rows(answer, self.output)
                if rows:
                    live.clear()
                yield block.key, rows
        finally:
            live.clear()

    def _count(self, answer: "PostAnswer") -> None:
        if answer.result is None:
            self.counts[str(answer.skipped)] += 1
            return
        self.counts["searched"] += 1
        self.counts["found"] += bool(answer.result.hits)
        self.counts["rows"] += len(answer.result.hits)

    def say_summary(self) -> None:
        """Says what came of it."""
        from wherefrom.reports import posts_progress  # noqa: PLC0415 -- `--help` is not to wait for it

        console.say(f"wherefrom: {posts_progress.search_summary(self.counts)}")

    def identity(self) -> str:
        """A digest of all that the rows depend on."""
        selected = (self.selection.sites, self.selection.tags, self.selection.posts)
        held = sorted((each.key, each.revision, each.settings, each.files) for each in self.index.repositories())
        left_out = [self._digest(name) for name in self.options["without"]]
        values = (wherefrom.__version__, self.store.state, selected, self.options, self.output, held, left_out)
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()

    def _digest(self, name: str) -> str:
        """A digest of a boilerplate set."""
        digest = hashlib.sha256()
        for representation, hashes in sorted(self.index.boilerplate(name).hashes.items()):
            digest.update(f"{representation} {len(hashes)} ".encode() + hashes.tobytes())
        return digest.hexdigest()
