"""`wherefrom compare`."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Self

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.files import check_writable, write
from wherefrom.cli.flags import argument, command, format_option, text_option
from wherefrom.cli.given import Given
from wherefrom.errors import UsageError
from wherefrom.options import CompareOptions
from wherefrom.reports.compare import RENDERERS
from wherefrom.reports.compare.text import live_line
from wherefrom.results import Comparison, Review

FOUND, NOTHING, FAILED = 0, 1, 2


@command("color", "index")
def compare(
    given: Given,
    paths: Annotated[
        list[str] | None,
        argument("PATH", "Files, folders, clones, archives, repository URLs; none for what is indexed."),
    ] = None,
    *,
    options: CompareOptions,
    page: Annotated[
        str | None,
        text_option(
            "--html",
            "FILE",
            "Also write a page that can be sent: all pairs with both sides, and nothing from elsewhere.",
        ),
    ] = None,
    anonymize: Annotated[
        str | None,
        text_option(
            "--anonymize",
            "KEY",
            "Replace names in the page, and write the key to KEY; names that it holds already keep theirs.",
        ),
    ] = None,
    reviewed: Annotated[
        str | None,
        text_option(
            "--reviewed",
            "FILE",
            "Reviews that a page exported: pairs that were dismissed are no longer listed or counted.",
        ),
    ] = None,
    output: Annotated[str, format_option(RENDERERS)] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Compare submissions with each other.

    Pairs that share code are listed, those that cannot be chance first. Clones are read as they are committed. Exit
    code 0 where pairs are found, 1 where none is, 2 for an error, also where a source could not be read; the others are
    compared all the same.

    Examples:
        wherefrom compare hand-ins  # every file with every other
        wherefrom compare --by folder --template handed-out hand-ins  # a folder for each author
        wherefrom compare --archive last-year hand-ins --format csv > pairs.csv  # also with earlier work
        wherefrom compare hand-ins --html report.html  # a page with both sides of every pair
        wherefrom compare old --with new  # which file is where now?
    """
    written = _Page.of(page, anonymize)
    reviews = _reviews(reviewed, anonymize)
    if paths and options.allow_missing_sets:
        options = replace(options, without=())  # a setting does not make a comparison of files need an index
    with ExitStack() as opened:
        with console.LiveLine(live_line, quiet=quiet) as live:
            options = replace(options, reviews=reviews, progress=live.report)
            if paths and not options.without:
                comparison = wherefrom.compare_sources(paths, options)
            else:
                comparison = opened.enter_context(given.open_index()).compare(paths or [], options)
        for warning in comparison.warnings:
            console.warn(warning)
        if reviews and not any(pair.review for pair in comparison.pairs):
            console.warn(
                "no pair that was found is in the reviews; compare what was compared before, and where the page was "
                "made with --anonymize, name its key"
            )
        if written is not None:
            written.write(comparison)  # before the answer, whose reader may go away early
        console.render(RENDERERS[output], comparison, console.look(given.settings.color))
    for failed in comparison.failed:
        console.fail(f"{failed.key}: {failed.error}")
    raise typer.Exit(FAILED if comparison.failed else FOUND if comparison.counts.found_pairs else NOTHING)


def _reviews(reviewed: str | None, key: str | None) -> Mapping[str, Review] | None:
    """What was decided before, by the id of the pair; None where no file is named.

    Raises:
        UsageError: a file cannot be read.
    """
    if reviewed is None:
        return None
    from wherefrom.compare.reviews import read_reviews  # noqa: PLC0415 -- `--help` is not to wait for it
    from wherefrom.reports.compare.names import read_key  # noqa: PLC0415

    _, names = (None, {}) if key is None else read_key(Path(key))
    return read_reviews(Path(reviewed), names)


@dataclass(frozen=True, slots=True)
class _Page:
    """The page that is written besides.

    Attributes:
        file: where.
        key: the file with the names that are replaced; None where none is.
    """

    file: str
    key: Path | None

    @classmethod
    def of(cls, file: str | None, key: str | None) -> Self | None:
        """The page that the flags ask for, None where they ask for none; all that can fail is tried before the work.

        Raises:
            UsageError: the flags do not go together, or a file cannot be read or written.
        """
        if file is None:
            if key is not None:
                raise UsageError("--anonymize is about the page; add --html FILE, or leave it out")
            return None
        from wherefrom.reports.compare.names import read_key  # noqa: PLC0415 -- `--help` is not to wait for it
        from wherefrom.reports.dates import made_at  # noqa: PLC0415

        made_at()
        check_writable(file)
        if key is not None:
            check_writable(key)
            read_key(Path(key))
        return cls(file, None if key is None else Path(key))

    def write(self, comparison: Comparison) -> None:
        """Writes it whole or not at all.

        Raises:
            WherefromError: it cannot be written.
        """
        from wherefrom.reports.compare import html, names  # noqa: PLC0415 -- `--help` is not to wait for it

        shown = names.names_of(comparison, self.key)
        write(self.file, "".join(html.write(comparison, shown)).encode())
