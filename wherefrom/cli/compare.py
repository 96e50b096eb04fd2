"""`wherefrom compare`, and `wherefrom page`, which compares in a browser."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.commands import argument, command, format_option
from wherefrom.cli.files import check_writable, display_name, write
from wherefrom.cli.settings import Given
from wherefrom.errors import ExtraMissing, UsageError, WherefromError
from wherefrom.options import CompareOptions
from wherefrom.options.fields import Text, option, switch
from wherefrom.reports.compare.text import RENDERERS, live_line
from wherefrom.results import Review
from wherefrom.support.version import INSTALLED_FROM, remedy

_FACTS = "site.json"
"""The file by which a folder is known to have the page."""


@command("color", "index")
def compare(
    given: Given,
    paths: Annotated[
        list[str] | None,
        argument("PATH", "Files, folders, clones, archives, repository URLs; without one, everything in the index."),
    ] = None,
    *,
    options: CompareOptions,
    page: str | None = option(
        None, Text("FILE"), "Also write a page to send to others: all pairs with both sides.", flag="--html"
    ),
    anonymize: str | None = option(
        None, Text("KEY"), "Replace the names in the page. The file KEY has the replacements, and keeps existing ones."
    ),
    reviewed: str | None = option(
        None, Text("FILE"), "Reviews exported from a page; dismissed pairs are no longer listed or counted."
    ),
    output: str = format_option(RENDERERS),
    quiet: bool = switch("Show no progress."),
) -> int:
    """Compare submissions with each other.

    Lists the pairs that share code; the pairs least likely to be alike by chance come first. Archives are opened,
    archives in them too. Exit code 0 if pairs are found, 1 if none is, 2 for an error, or if there are not two
    submissions with a file. If a source cannot be read, the others are compared and the exit code is 2.

    Examples:
        wherefrom compare hand-ins  # every file with every other
        wherefrom compare --by folder --template handed-out hand-ins  # a folder for each author
        wherefrom compare --archive last-year hand-ins --format csv > pairs.csv  # also with earlier work
        wherefrom compare hand-ins --html report.html  # a page with both sides of every pair
        wherefrom compare old --with new  # which file is where now?
    """
    _check_page(page, anonymize)
    reviews = _reviews(reviewed, anonymize)
    if paths and options.allow_missing_sets:
        # These sets are from the setting `without`. Only an index has sets, and paths are compared without an index.
        options = replace(options, without=())
    with ExitStack() as opened:
        with console.LiveLine(live_line, quiet=quiet) as live:
            options = replace(options, reviews=reviews, progress=live.report)
            if paths and not options.without:
                comparison = wherefrom.compare_sources(paths, options)
            else:
                comparison = opened.enter_context(given.open_index()).compare(paths or [], options)
        console.warn(*comparison.warnings)
        if reviews and not any(pair.review for pair in comparison.pairs):
            console.warn(
                "none of the found pairs is in the reviews; compare the same sources as before, and if the page was "
                "made with --anonymize, name its key"
            )
        if page is not None:
            # The page is written before the answer, because the command ends if the reader of the answer goes away.
            from wherefrom.reports.compare import html, names  # noqa: PLC0415 -- `--help` does not wait for it

            shown = None if anonymize is None else names.with_key(comparison, Path(anonymize))
            write(page, "".join(html.write(comparison, shown)).encode())
        console.render(RENDERERS[output], comparison, given.settings.color)
    for failed in comparison.failed:
        console.fail(f"{failed.key}: {failed.error}")
    return 2 if comparison.failed or comparison.has_nothing_to_compare else 0 if comparison.counts.found_pairs else 1


def _reviews(reviewed: str | None, key: str | None) -> Mapping[str, Review] | None:
    """The reviews by pair id; None if no file is named. `key` is the file of the names that the page replaced."""
    if reviewed is None:
        return None
    from wherefrom.compare.reviews import read_reviews  # noqa: PLC0415 -- `--help` does not wait for it
    from wherefrom.reports.compare.names import read_key  # noqa: PLC0415

    names = {} if key is None else read_key(Path(key))[1]
    return read_reviews(Path(reviewed), names)


def _check_page(file: str | None, key: str | None) -> None:
    """Raises `UsageError` if the page cannot be written, before the comparison, which may take long."""
    if file is None:
        if key is not None:
            raise UsageError("--anonymize is about the page; add --html FILE, or leave it out")
        return
    from wherefrom.reports.compare.names import read_key  # noqa: PLC0415 -- `--help` does not wait for it
    from wherefrom.reports.renderer import made_at  # noqa: PLC0415

    made_at()
    check_writable(file)
    if key is not None:
        check_writable(key)
        read_key(Path(key))


@command()
def page(
    _given: Given, folder: Annotated[str, argument("DIR", "A new or empty folder, or one that has the page already.")]
) -> None:
    """Write a page that compares code in a browser.

    A web server that hands out files is enough for it. The reader drops folders; they are compared in the browser, and
    nothing is sent. Needs the extra 'page'.

    Examples:
        wherefrom page site  # then: python -m http.server --bind 127.0.0.1 --directory site
    """
    site, target = _site(), Path(folder)
    try:
        if target.exists() and any(target.iterdir()) and not _has_page(target):
            raise UsageError(f"{display_name(folder)} has other files; name a new or empty folder")
        for path in sorted(path for path in site.rglob("*") if path.is_file()):
            copy = target / path.relative_to(site)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    except OSError as error:
        raise WherefromError(
            f"cannot write into {display_name(folder)}: {error.strerror}; name another folder"
        ) from error
    shown = display_name(folder)
    console.say(
        f"wherefrom: wrote the page; to see it on this machine, run `python -m http.server --bind 127.0.0.1 "
        f"--directory {shown}` and open http://localhost:8000"
    )


def _site() -> Path:
    """The folder of the site: in the distribution `wherefrom-page`, or as a checkout has built it."""
    found = find_spec("wherefrom_page")
    if found is not None and found.origin is not None:
        return Path(found.origin).with_name("site")
    built = Path(__file__).parents[2] / "build" / "page"
    if (built / _FACTS).is_file():
        return built
    # Before the release, somebody else could register the name of the distribution.
    raise ExtraMissing(f"the page is missing; {'build it: ./dev page' if INSTALLED_FROM == '.' else remedy('page')}")


def _has_page(folder: Path) -> bool:
    try:
        return "wherefrom" in json.loads((folder / _FACTS).read_bytes())
    except (OSError, ValueError, TypeError):
        return False
