"""`wherefrom check`, `fixed` and `watch` for the code of a project, `compare` and `page` for that of submissions."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.commands import Commands, argument, command, format_option
from wherefrom.cli.files import STANDARD_INPUT, check_writable, diff_on_standard_input, display_name, write
from wherefrom.cli.settings import Given
from wherefrom.errors import ExtraMissing, IndexMissing, UsageError, WherefromError
from wherefrom.options import CheckOptions, CompareOptions, FixedOptions, IndexOptions, PostOptions, WatchOptions
from wherefrom.options.fields import Text, option, switch
from wherefrom.reports.check.text import RENDERERS, live_line
from wherefrom.reports.compare.text import RENDERERS as COMPARE
from wherefrom.reports.compare.text import live_line as compare_line
from wherefrom.reports.fixed import RENDERERS as FIXED
from wherefrom.reports.fixed import live_line as fixed_line
from wherefrom.reports.index import PLACES, WATCHES, Running
from wherefrom.reports.layout import count
from wherefrom.results import Review
from wherefrom.support.printable import visible
from wherefrom.support.version import INSTALLED_FROM, remedy


@command("color", "index", "expect")
def check(
    given: Given,
    paths: Annotated[
        list[str] | None, argument("PATH", "Files and folders of one project.  [default: the working directory]")
    ] = None,
    *,
    options: CheckOptions,
    dependencies: bool = switch(
        "Check against what the project depends on, by its lock files and manifests, in an index that this keeps."
    ),
    allow_missing_index: bool = switch("If there is no index, warn and exit with 0; for a hook that a team shares."),
    only_summary: bool = switch("Show only the counts by rule, repository and license.", flag="--summary"),
    all_findings: bool = switch("List all findings, even if there are many.", flag="--all"),
    accepted: bool = switch("Also list accepted findings."),
    output: str = format_option(RENDERERS),
) -> int:
    """Find code in your project that is copied without credit.

    Looks up every function of the project or of a change to it. Indexed copies of the project itself do not count. A
    comment `wherefrom: ok REASON` beside the code accepts a finding. Exit code 0 if nothing fails, 1 if a finding
    fails, 2 for an error.

    Examples:
        wherefrom check  # the project in the working directory
        wherefrom check --dependencies  # against what its lock files name
        wherefrom check --staged  # what the next commit adds
        wherefrom check --base main --format sarif > found.sarif  # a branch, as a file for a code host
        wherefrom check --diff - < change.patch  # a change that is not applied yet
    """
    renderer = RENDERERS[output]
    if renderer.ready is not None:
        renderer.ready()
    if only_summary and all_findings:
        raise UsageError("--summary shows no findings, --all shows every one; use one of them")
    if options.diff == STANDARD_INPUT:
        options = replace(options, diff=None, patch=diff_on_standard_input("check"))
    if dependencies:
        _index_dependencies(given, paths or [], options)
    try:
        with given.open_index() as index:
            with console.LiveLine(live_line, interrupted="run the same command again to go on") as live:
                report = index.check(paths or [], replace(options, progress=live.report))
            console.warn(*report.warnings)
            console.render(
                renderer,
                report,
                given.settings.color,
                only_summary=only_summary,
                all_findings=all_findings,
                accepted=accepted,
            )
            is_written = options.update_baseline or options.prune_baseline
            if output == "text" and is_written and options.baseline is not None:
                entries = count(len(report.baseline), "accepted finding")
                console.emit(f"{entries} written to {visible(options.baseline)}\n")
    except IndexMissing as error:
        if not allow_missing_index:
            raise IndexMissing(
                f"{error}, or use --dependencies: it checks against what the project depends on"
            ) from error
        console.warn(f"nothing was checked: {error}")
        return 0
    return 1 if report.failing else 0


def _index_dependencies(given: Given, paths: list[str], options: CheckOptions) -> None:
    """Brings the index of what a project depends on up to date, and makes it the index in the settings."""
    if "index" in given.flags:
        raise UsageError("--dependencies has an index of its own; leave --index out")
    indexing = given.options(IndexOptions, {"jobs": options.jobs})
    with console.LiveLine(Running().line, interrupted="run the same command again to go on") as live:
        report = wherefrom.index_dependencies(paths, replace(indexing, progress=live.report))
    console.warn(*report.warnings)
    console.say(f"wherefrom: checked against {count(report.packages, 'package')} that the project depends on")
    given.settings = replace(given.settings, index=report.location, expect=None)


@command("color", "index", "expect")
def fixed(
    given: Given,
    commit: Annotated[str | None, argument("COMMIT", "The commit with the fix, or a range A..B.")] = None,
    *,
    options: FixedOptions,
    output: str = format_option(FIXED),
) -> int:
    """Find who still has the code that a commit fixed.

    Looks up the old and the new form of each function that the commit changed. Indexed copies of the project itself do
    not count, nor do changes to tests. Exit code 1 if an old form is found, 0 if none is, 2 for an error.

    Examples:
        wherefrom fixed HEAD  # who has the code that the last commit fixed?
        wherefrom fixed --project ~/clones/tools HEAD  # a commit of another repository
        wherefrom fixed --diff - < change.patch  # a fix as a diff
    """
    if str(options.diff) == STANDARD_INPUT:
        options = replace(options, diff=None, patch=diff_on_standard_input("fixed"))
    with given.open_index() as index:
        with console.LiveLine(fixed_line) as live:
            report = index.fixed(commit, replace(options, progress=live.report))
        console.render(FIXED[output], report, given.settings.color)
    return 1 if report.has_old else 0


watch = Commands(
    name="watch",
    help="""Watch for code in all that is indexed from now on.

    Each run of `wherefrom index` looks for the code in the contents that it adds.

    Examples:
        wherefrom watch add parser parser.py  # who copies this file, or a function of it?
        wherefrom watch add leak --fixed HEAD  # who adds the code that the last commit fixed?
        wherefrom watch report  # what is new?
    """,
)

Name = Annotated[str, argument("NAME", "The name of the watch.")]


@watch.subcommand("color", "index")
def add(
    given: Given,
    name: Name,
    paths: Annotated[list[str] | None, argument("FILE", "The files with the code; `-` for stdin.")] = None,
    *,
    options: WatchOptions,
    output: str = format_option(PLACES),
) -> None:
    """Watch for the code of files, or for the code that a commit fixed.

    Each function, and each stretch between them, is watched for by itself. The clone that has the files does not count.
    Lists the places that have the code by now; they are not new. With --post, each new place is posted by the run that
    finds it, at least once, signed as Standard Webhooks has it.

    Examples:
        wherefrom watch add parser parser.py  # the functions of a file
        wherefrom watch add leak --fixed 1a2b3c4 --project ~/tools  # a fix in another repository
        wherefrom watch add parser parser.py --post https://example.org/hook  # and tell a server
    """
    from wherefrom.extend import Checkout  # noqa: PLC0415 -- `--help` does not wait for it

    contents, folders = files.texts_and_corpora(paths or [])
    if folders:
        raise UsageError(f"{folders[0]} is not a file; name the files with the code to watch for")
    projects = {Checkout.of([path])[0] for path in paths or () if path != files.STANDARD_INPUT}
    own = [*options.own, *sorted(key for project in projects for key in project.keys())]  # noqa: SIM118
    options = replace(options, files=dict(contents) or None, own=own)
    with given.open_index() as index:
        found = index.watch(name, options)
        console.render(PLACES[output], found, given.settings.color)
    console.say(f"wherefrom: watching; {count(len(found), 'place')} with this code by now")


@watch.subcommand("index", name="list")
def list_(given: Given, *, output: str = format_option(WATCHES)) -> None:
    """List the watches.

    Examples:
        wherefrom watch list  # what is watched for?
    """
    with given.open_index() as index:
        console.render(WATCHES[output], index.watches())


@watch.subcommand("color", "index")
def report(
    given: Given,
    names: Annotated[list[str] | None, argument("NAME", "Only these watches.")] = None,
    *,
    options: PostOptions,
    all_: bool = switch("List the places that were reported before too, and post nothing.", flag="--all"),
    output: str = format_option(PLACES),
) -> int:
    """List the places with watched code that were not reported yet.

    A place is reported once, also if its file changes later. What could not be posted is posted again. Exit code 1 if
    there is a new place, 0 if there is none.

    Examples:
        wherefrom watch report  # what is new since the last report?
        wherefrom watch report parser --all  # all places of one watch
    """
    with given.open_index() as index:
        if all_:
            console.render(PLACES[output], index.watched(*(names or [])), given.settings.color)
            return 0
        news = index.watch_news(names or [], options)
        console.warn(*news.warnings)
        console.render(PLACES[output], news.places, given.settings.color)
        index.mark_reported([*news.posted, *news.unposted])
    return 1 if news.places else 0


@watch.subcommand("index")
def remove(given: Given, name: Name) -> None:
    """Remove a watch and its places.

    Examples:
        wherefrom watch remove parser  # no run looks for it any more
    """
    with given.open_index() as index:
        index.unwatch(name)
    console.say(f"wherefrom: removed the watch {name}")


_FACTS = "site.json"  # the file by which a folder is known to have the page


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
    output: str = format_option(COMPARE),
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
        with console.LiveLine(compare_line, quiet=quiet) as live:
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
        console.render(COMPARE[output], comparison, given.settings.color)
    for failed in comparison.failed:
        console.fail(f"{failed.key}: {failed.error}")
    return 2 if comparison.failed or comparison.has_nothing_to_compare else 0 if comparison.counts.found_pairs else 1


def _reviews(reviewed: str | None, key: str | None) -> Mapping[str, Review] | None:
    """The reviews by pair id; None if no file is named. `key` is the file of the names that the page replaced."""
    if reviewed is None:
        return None
    from wherefrom.public import read_reviews  # noqa: PLC0415 -- `--help` does not wait for it
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
