"""`wherefrom index`, `list`, `stats`, `remove`, `prune`, `sweep`, `languages`, `copy`, `publish` and `cache`."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated
from zlib import crc32

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.commands import QUIET, argument, command, format_option, repositories
from wherefrom.cli.settings import Given
from wherefrom.errors import UnusableIndex, UsageError, WherefromError
from wherefrom.model import SkipReason
from wherefrom.options import CopyOptions, IndexOptions, PublishOptions
from wherefrom.options.fields import Text, option, switch
from wherefrom.reports import index as reports
from wherefrom.reports.layout import count, size
from wherefrom.results import IndexReport, SkippedFile
from wherefrom.support.closing import Closing
from wherefrom.support.printable import visible

NOT_REMOVED = 1  # the exit code if repositories could be removed, but were not

YES = switch("Remove without asking.")


@command("index", "expect")
def list_(
    given: Given,
    repository: Annotated[
        str | None,
        argument(
            "REPO",
            "List the files of this repository (key or last part of a key), or the repositories that match a pattern.",
            repositories,
        ),
    ] = None,
    *,
    projects: bool = switch(
        "Group the repositories by project: a clone, its packages, and forks with most of its files."
    ),
    output: str = format_option(reports.REPOSITORIES),
) -> None:
    """List the indexed repositories, or the files of one of them.

    Examples:
        wherefrom list  # all repositories
        wherefrom list github.com/example/tools  # the files of a repository
        wherefrom list --projects  # which repositories are one project, and why
    """
    from wherefrom.extend import is_key_pattern  # noqa: PLC0415 -- `--help` does not wait for it

    names = [] if repository is None else [repository]
    with given.open_index() as index:
        if projects:
            console.render(reports.PROJECTS[output], index.projects(*names))
            return
        if repository is not None and not is_key_pattern(repository):
            console.render(reports.FILES[output], index.files(repository))
            return
        records = index.repositories(*names)
    console.render(reports.REPOSITORIES[output], records)


@command("index", "expect")
def stats(
    given: Given,
    *,
    verify: bool = switch("Read the whole index and look for damage."),
    output: str = format_option(reports.STATS),
) -> None:
    """Show the size of the index.

    Examples:
        wherefrom stats  # how much is indexed
        wherefrom stats --verify  # is the index damaged?
    """
    with given.open_index() as index:
        counts = index.stats(verify=verify)
    console.render(reports.STATS[output], counts)
    if verify and output == "text":
        console.emit("\nno damage found\n")


@command("index")
def remove(
    given: Given,
    patterns: Annotated[
        list[str],
        argument(
            "REPO",
            "Keys of repositories as `list` shows them, last parts of keys, or patterns for keys (`*`, `?`).",
            repositories,
        ),
    ],
    *,
    yes: bool = YES,
) -> int:
    """Remove repositories from the index.

    Also removes the contents that no other repository has. The clones themselves are not touched. If patterns match
    several repositories, the command asks first; without a terminal it needs --yes, and exits with 1 without it. If a
    name matches no repository, or is the last part of several keys, nothing is removed.

    Examples:
        wherefrom remove github.com/example/tools  # one repository
        wherefrom remove --yes 'github.com/example/*'  # several, without asking
    """
    with given.open_index() as index:
        records = index.repositories(*patterns)
        matched = [record.key for record in records if record.key not in patterns]
        if len(matched) > 1 and not yes:
            for record in records:
                console.say(f"{visible(record.key)}: {count(record.files, 'file')}")
            if not console.confirm(f"Remove these {len(records):,} repositories from the index?"):
                advice = "" if console.can_ask() else "; to remove these repositories, give --yes"
                console.say(f"wherefrom: nothing was removed{advice}")
                return NOT_REMOVED
        removed = index.remove(*(record.key for record in records))
    _say_removed(removed)
    return 0


@command("index")
def prune(given: Given, *, yes: bool = YES, output: str = format_option(reports.MISSING)) -> int:
    """Remove repositories whose source is gone.

    Lists these repositories and asks before it removes them. Without a terminal, or with --format json, it needs --yes.
    A source is gone if its path does not exist, and the folder above exists and is not empty. A repository in doubt is
    listed but stays: if that folder is missing or empty too (perhaps a disk is not mounted) or cannot be read, or if
    the repository was fetched from a URL. Run the command on the machine where the sources were indexed. Exit code 1 if
    something could be removed and was not.

    Examples:
        wherefrom prune  # list the repositories, and ask
        wherefrom prune --yes  # remove them without asking
    """
    with given.open_index() as index:
        missing = index.missing_sources()
        gone = [source.repository for source in missing if source.is_gone]
        # With --yes the repositories are removed before they are listed, because the command ends if the reader of the
        # list goes away early.
        is_listed = output == "text" and not yes
        if is_listed:
            console.render(reports.MISSING[output], missing)
        removed = {}
        question = f"Remove {count(len(gone), 'repository', 'repositories')} whose source is gone from the index?"
        is_wanted = bool(gone) and (yes or (is_listed and console.confirm(question)))
        if is_wanted:
            removed = {source.repository: source for source in index.prune(gone)}
    if not is_listed:
        console.render(reports.MISSING[output], [removed.get(source.repository, source) for source in missing])
    if output == "text":
        _say_removed({key: source.files for key, source in removed.items()})
    if len(removed) < len(gone):
        if is_wanted:
            kept = count(len(gone) - len(removed), "repository", "repositories")
            console.say(f"wherefrom: {kept} not removed: the source is there again")
        else:
            console.say("wherefrom: not removed; to remove what is gone, run `wherefrom prune --yes`")
        return NOT_REMOVED
    return 0


def _say_removed(files: Mapping[str, int]) -> None:
    console.emit("".join(f"removed {visible(key)}: {count(number, 'file')}\n" for key, number in files.items()))


@command("index")
def sweep(given: Given) -> None:
    """Remove contents that no repository has any longer.

    Examples:
        wherefrom sweep  # after a removal while another process wrote
    """
    with given.open_index() as index:
        contents = index.sweep()
    console.emit(f"removed {count(contents, 'content')}\n")


@command()
def languages(_given: Given, *, output: str = format_option(reports.LANGUAGES)) -> None:
    """List the known languages, with other names and file endings.

    Examples:
        wherefrom languages  # which are known, and which are installed?
    """
    console.render(reports.LANGUAGES[output], wherefrom.list_languages())


@command()
def copy(
    given: Given,
    sources: Annotated[list[str], argument("FROM-INDEX", "Paths or URLs of the indexes to copy.")],
    target: Annotated[str, argument("TO-INDEX", "Path or URL of the index to copy to; created if it does not exist.")],
    *,
    options: CopyOptions,
    quiet: bool = QUIET,
    output: str = format_option(reports.COPY),
) -> None:
    """Copy or merge indexes, without their clones.

    Adds the repositories, contents, histories and boilerplate sets of each FROM-INDEX to TO-INDEX. A repository or set
    that differs there is an error, unless --replace is given. If several FROM-INDEX have a repository of a host, or a
    package, the state that was indexed last is copied; other repositories and sets must be the same in all, unless
    --replace is given. Run a stopped copy again to continue it: nothing is sent twice. Contents that no file refers to
    are not copied. At the end all indexes are read back and compared, and the digest of the contents is printed. If
    several are clusters, all get the same user and password.

    Examples:
        wherefrom copy code.wherefrom copy.wherefrom  # to another folder
        wherefrom copy one.wherefrom two.wherefrom all.wherefrom  # what two machines indexed
        wherefrom copy code.wherefrom elasticsearch://localhost:9200/code  # to a server
    """
    stopped = f"what was committed is in {target}: run the same command again to go on and compare"
    with console.LiveLine(reports.copy_line, quiet=quiet, interrupted=stopped) as live:
        engine = next(filter(None, map(given.engine, [*sources, target])), None)
        report = wherefrom.copy_index(sources, target, replace(options, progress=live.report, engine=engine))
    if output != "text" or not quiet:
        console.render(reports.COPY[output], report)


@command()
def publish(
    given: Given,
    source: Annotated[str, argument("INDEX", "Path or URL of the index to publish.")],
    folder: Annotated[Path, argument("DIRECTORY", "The folder of the files; created if it does not exist.")],
    *,
    options: PublishOptions,
    quiet: bool = QUIET,
    output: str = format_option(reports.PUBLISH),
) -> None:
    """Write an index as files that any static web server can serve.

    Others search it by its URL: `wherefrom search --index https://HOST/PATH/ FILE`. Nothing runs on the server, which
    only needs to support ranges, as nearly all do. Publish again after each change of the index: only changed files are
    written, and readers of the last publication go on. The printed SHA-256 can be put behind the URL, as
    `https://HOST/PATH/#sha256=SHA256`, to accept this publication alone.

    Examples:
        wherefrom publish code.wherefrom /srv/www/code  # write the files
        wherefrom search --index https://example.com/code/ snippet.py  # search them from anywhere
    """
    with console.LiveLine(
        reports.publish_line, quiet=quiet, interrupted=f"run the same command again to publish {source}"
    ) as live:
        options = replace(options, progress=live.report, engine=given.engine(source))
        report = wherefrom.publish_index(source, folder, options)
    if output != "text" or not quiet:
        console.render(reports.PUBLISH[output], report)


@command()
def cache(_given: Given, *, clear: bool = switch("Remove what is kept.")) -> None:
    """Show or remove what is kept of published indexes.

    Examples:
        wherefrom cache  # where it is, and how large
        wherefrom cache --clear  # remove it
    """
    from wherefrom.extend import clear_kept, kept_bytes, kept_folder  # noqa: PLC0415 -- `--help` does not wait for it

    folder = kept_folder()
    try:
        if clear:
            clear_kept(folder)
        console.emit(f"{folder}: {size(kept_bytes(folder))}\n")
    except OSError as error:
        raise UnusableIndex(f"{folder} cannot be used: {error.strerror}; remove the folder yourself") from error


if TYPE_CHECKING:
    from wherefrom.public import ListedSource

WARNINGS = 20  # at most this many warnings are shown. The others are only counted

_AGAIN = "run the same command again"


class Skipped(Closing):
    """A list of the files that a run skipped, in a temporary file because it may be larger than memory. Iterating
    yields them in the order added.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 -- `close` closes it

    def close(self) -> None:
        """Removes the temporary file."""
        self._file.close()

    def add(self, files: Iterable[SkippedFile]) -> None:
        """Adds files; raises `WherefromError` if the temporary file cannot be written."""
        try:
            self._file.writelines(f"{json.dumps([file.repository, file.path, file.reason])}\n" for file in files)
            self._file.flush()
        except OSError as error:
            raise WherefromError(
                f"cannot keep the list of skipped files: {error.strerror}; "
                "make room in the folder for temporary files, or name another one in TMPDIR"
            ) from error

    def __iter__(self) -> Iterator[SkippedFile]:
        self._file.seek(0)
        for line in self._file:
            repository, path, reason = json.loads(line)
            yield SkippedFile(repository, path, SkipReason(reason))


@command("index")
def index(
    given: Given,
    sources: Annotated[
        list[str] | None,
        argument(
            "SOURCE", "Clones, folders of clones, plain folders, archives, repository URLs, packages (pkg:pypi/flask)."
        ),
    ] = None,
    *,
    options: IndexOptions,
    from_: str | None = option(
        None,
        Text("FILE"),
        "Also index the sources in FILE: a list (columns SOURCE, NAME, REVISION), lock file or SBOM; `-` for stdin.",
        flag="--from",
    ),
    part: str | None = option(
        None,
        Text("K/N"),
        "Index only part K of N of the named sources, each part on a machine of its own; `copy` joins the indexes.",
    ),
    list_skipped: bool = switch("Also list the skipped files, each with the reason.", flag="--skipped"),
    quiet: bool = QUIET,
    output: str = format_option(reports.RENDERERS),
) -> int:
    """Add repositories to the index, or bring them up to date.

    Known contents are not parsed again, so run a stopped command again to continue it. Contents that an older version
    analyzed are analyzed again. If a source is missing or fails, the others are indexed and the exit code is 2. If two
    sources have the same repository key, one is indexed and the other is named at the end.

    With --history, `wherefrom first` and searches tell since when code is where it is. That takes about as long as
    indexing all commits, but a later run reads only the new ones.

    With --skipped, unchanged repositories are read again, because the index stores only the number of skipped files.

    Examples:
        wherefrom index ~/clones  # every clone in a folder
        wherefrom index --history ~/clones  # also where and when code appeared first
        wherefrom index --from sources.txt  # every source of a list
        wherefrom index --from package-lock.json  # every package of a lock file
        wherefrom index --from sources.txt --part 1/8  # on the first of eight machines
        wherefrom index --skipped ~/clones/tools  # which files are skipped, and why?
    """
    from wherefrom.public import ListedSource, index_sources  # noqa: PLC0415 -- `--help` does not wait for it

    named = [*map(ListedSource, sources or []), *(files.source_list(from_) if from_ is not None else [])]
    if not named:
        raise UsageError(
            "no source to index; name a clone, a folder, an archive, a URL or a package, or a list with --from FILE"
        )
    if part is not None:
        named = _of_part(named, part)
    location = given.settings.index
    stopped = f"the index in use at {location} is as it was" if options.rebuild else _AGAIN
    with ExitStack() as opened:
        skipped = opened.enter_context(Skipped()) if list_skipped else None
        with console.LiveLine(reports.Running().line, quiet=quiet, interrupted=stopped) as live:
            report = index_sources(
                named,
                location,
                replace(options, progress=live.report, skipped=skipped.add if skipped else None, engine=given.engine()),
            )
        _show(report, skipped, output, quiet=quiet)
    is_finished = any(repository.status != "failed" for repository in report.repositories)
    if report.interrupted:
        done = f"what was finished is in {location}: {_AGAIN} to go on" if is_finished else _AGAIN
        console.say(f"wherefrom: interrupted; {done}")
        return console.INTERRUPTED
    if "failed" in {*(it.status for it in report.repositories), *(it.status for it in report.history)}:
        return 2
    return 0


def _of_part(named: list["ListedSource"], part: str) -> list["ListedSource"]:
    """The sources in part K of N. A source stays in its part if others join the list, or if it gets a new version."""
    from wherefrom.extend import without_version  # noqa: PLC0415 -- `--help` does not wait for it

    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", part)
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"--part is {part!a}; give K/N, such as 1/8 for the first of eight parts")
    number, parts = int(found[1]), int(found[2])
    chosen = [one for one in named if 1 + crc32(os.fsencode(without_version(one.text))) % parts == number]
    if not chosen:
        raise UsageError(f"part {part} has none of the {len(named):,} sources; divide them into fewer parts")
    return chosen


def _show(report: IndexReport, skipped: Skipped | None, output: str, *, quiet: bool) -> None:
    console.warn(*report.warnings[:WARNINGS])
    if more := report.warnings[WARNINGS:]:
        console.say(f"wherefrom: {len(more):,} more warnings (all of them with --format json)")
    if skipped:
        console.render(reports.WITH_SKIPPED[output], reports.ReportWithSkipped(report, skipped, is_quiet=quiet))
    elif output != "text" or not quiet:
        console.render(reports.RENDERERS[output], report)
    if output == "text" and not quiet:
        return  # The text that was just written already names the failed repositories.
    for repository in report.repositories:
        if repository.status == "failed":
            console.fail(reports.failure(repository))
    for history in report.history:
        if history.status == "failed":
            console.fail(f"history of {reports.failure(history)}")
