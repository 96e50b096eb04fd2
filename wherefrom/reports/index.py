"""Writes in words the runs that index, copy or publish, and the lists of what an index has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from wherefrom import results
from wherefrom.extend import remedy
from wherefrom.model import Occurrence, Package, RepositoryRecord, SkipReason
from wherefrom.public import Language
from wherefrom.reports import layout
from wherefrom.reports.hit_fields import REVISION_DIGITS
from wherefrom.reports.layout import SEPARATOR, as_lines, count, duration, probable, size, table, time_left
from wherefrom.reports.renderer import Look, Renderer, dump_list, formats, list_formats
from wherefrom.reports.skipped import skipped_table, without_grammar
from wherefrom.results import SameProject
from wherefrom.support.chunks import batches, by_key
from wherefrom.support.printable import one_line, visible
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    from wherefrom.public import Watch, WatchedPlace

LISTED = 20  # a summary lists at most this many failed sources, and at most this many sources that were left out

_REASON = max(map(len, SkipReason))


class Running:
    """The live line of a run. The shown time left never grows: if the run slows down, it stays the same."""

    def __init__(self) -> None:
        self._left = inf

    def line(self, progress: results.IndexProgress, width: int = 100) -> str:
        """The progress on one line of at most `width` columns, without a newline."""
        most = inf if progress.commits_total else self._left  # a history is another stage
        if progress.share > 0 and progress.seconds >= 1:
            self._left = min(most, progress.seconds * (1 - progress.share) / progress.share)
        seconds = max(progress.seconds, 1e-9)
        facts = [f"{progress.repositories:,}/{count(progress.repositories_total, 'repository', 'repositories')}"]
        if self._left < inf:
            facts.append(f"{duration(self._left)} left")
        if progress.commits_total:
            facts.append(f"{progress.commits:,}/{count(progress.commits_total, 'commit')}")
        others = [
            f"{progress.files:,}/{count(progress.files_total, 'file')}",
            f"{size(progress.parsed_bytes / seconds)}/s",
            f"{progress.files / seconds:,.0f} files/s",
            f"{progress.known:,} known",
            f"{sum(progress.skipped.values()):,} skipped",
        ]
        return layout.live_line(facts, others, visible(progress.repository), width)


def write_run(report: results.IndexReport, _look: Look) -> Iterator[str]:
    """The summary: counts by outcome, skipped files by reason, failures."""
    by_status = by_key((it.status, it) for it in report.repositories)
    total: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for it in report.repositories:
        total.update(files=it.files, parsed=it.parsed, known=it.known, kept=it.kept, retired=it.retired)
        skipped.update(it.skipped)
    outcomes = ", ".join(f"{len(of):,} {one_line(status)}" for status, of in sorted(by_status.items()))
    repositories = count(len(report.repositories), "repository", "repositories")
    parts = [f"{repositories}: {outcomes}" if outcomes else repositories]
    known = f"{total['known']:,} known already"
    parts.append(f"{count(total['files'], 'file')}: {count(total['parsed'], 'content')} parsed, {known}")
    notes = (
        (report.parsed - total["parsed"], "content", "parsed of repositories that are not finished"),
        (report.renewed, "content", "read again, by a newer version or another name"),
        (total["kept"], "content", "of an older analysis kept: not readable or too slow to analyze again"),
        (total["retired"], "file", "gone since the last run"),
        (report.swept, "content", "without a file removed"),
    )
    parts += (f"{count(number, noun)} {words}" for number, noun, words in notes if number > 0)
    parts += skipped_table(skipped)
    parts += without_grammar(report.without_grammar)
    left_out = [
        f"{visible(it.location)}: {one_line(it.reason)}"
        + (f"; {visible(it.repository or '')} is read from {visible(it.instead)}" if it.instead is not None else "")
        for it in report.left_out
    ]
    parts += _first("left out", left_out)
    parts += _first("failed", [failure(it) for it in by_status["failed"]])
    parts += _history(report.history)
    if report.watched:
        parts.append(f"{count(report.watched, 'new place')} of watched code (`wherefrom watch report`)")
    clones = [f"{size(report.clone_bytes)} on disk"] if report.clone_bytes else []
    if report.discarded_clones:
        clones.append(f"{report.discarded_clones:,} discarded ({size(report.discarded_bytes)})")
    if clones:
        parts.append(f"clones of URLs: {', '.join(clones)}")
    rate = size(report.parsed_bytes / report.seconds) if report.seconds > 0 else ""
    amount = f", {size(report.parsed_bytes)} parsed, {rate}/s" if report.parsed_bytes and rate else ""
    parts.append(f"{duration(report.seconds)}{amount}")
    yield as_lines(parts)


def _history(reports: Sequence[results.HistoryReport]) -> Iterator[str]:
    if not reports:
        return
    commits, pieces = sum(it.commits for it in reports), sum(it.pieces for it in reports)
    done = f"{count(commits, 'commit')} read, {count(pieces, 'piece')} of code"
    statuses = Counter(it.status for it in reports)
    others = [f"{statuses[name]:,} {name}" for name in ("unchanged", "rewritten", "failed") if statuses[name]]
    yield f"history of {count(len(reports), 'repository', 'repositories')}: {'; '.join([done, *others])}"
    yield from _first("history failed", [failure(it) for it in reports if it.status == "failed"])


def failure(repository: results.RepositoryReport | results.HistoryReport) -> str:
    """The name of a repository that failed, and the reason, on one line."""
    reason = one_line(repository.error or "no reason given")
    name = visible(repository.key)
    has_name = "/" in name and name in reason  # a name without a slash could be a part of another word
    return reason if has_name else f"{name}: {reason}"


def _first(outcome: str, sources: Sequence[str]) -> Iterator[str]:
    yield from (f"{outcome}: {source}" for source in sources[:LISTED])
    if len(sources) > LISTED:
        yield f"... and {len(sources) - LISTED:,} more {outcome} (all of them with --format json)"


@dataclass(frozen=True, slots=True)
class ReportWithSkipped:
    """A report with the list of the skipped files. There may be millions, so they are read once, one after the other.
    With `is_quiet`, the text lists the files without the summary.
    """

    report: results.IndexReport
    skipped: Iterable[results.SkippedFile]
    is_quiet: bool = False


def _write_with_skipped(value: ReportWithSkipped, look: Look) -> Iterator[str]:
    for files in batches(value.skipped, 1000):
        yield as_lines(
            f"{file.reason.replace('_', ' '):<{_REASON}}  {visible(file.repository)}:{visible(file.path)}"
            for file in files
        )
    if not value.is_quiet:
        yield from write_run(value.report, look)


RENDERERS = formats(write_run)

WITH_SKIPPED: Mapping[str, Renderer[ReportWithSkipped]] = {
    "text": Renderer(_write_with_skipped),
    "json": Renderer(
        lambda value, _: dump_list(value.report.to_dict(), "skipped_files", (it.to_dict() for it in value.skipped))
    ),
}
"""The same formats with the list of the skipped files."""


def copy_line(progress: results.CopyProgress, width: int = 100) -> str:
    """The progress on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.stage} {progress.done:,}/{progress.total:,}"]
    facts += time_left(progress.done, progress.total, progress.seconds)
    others = [f"{count(progress.sent, 'content')} sent"] if progress.sent else []
    return layout.live_line(facts, others, visible(progress.repository), width)


def _write_copy(report: results.CopyReport, _look: Look) -> Iterator[str]:
    counts = (
        count(report.repositories, "repository", "repositories"),
        count(report.files, "file"),
        count(report.blobs, "content"),
        count(report.sets, "boilerplate set"),
    )
    yield f"{', '.join(counts)}: {count(report.sent, 'content')} sent, {report.blobs - report.sent:,} there already\n"
    notes = (
        (report.left_out, "older state", "of a repository left out"),
        (report.kept, "content", "kept there as read before"),
        (report.retired, "file", "of another state gone"),
        (report.swept, "content", "without a file removed"),
    )
    yield as_lines(f"{count(number, noun)} {words}" for number, noun, words in notes if number)
    yield f"read back, all is the same: {report.digest}\n{duration(report.seconds)}\n"


COPY = formats(_write_copy)


def publish_line(progress: results.PublishProgress, width: int = 100) -> str:
    """The progress on one line of at most `width` columns, without a newline."""
    facts = [f"publishing {progress.done:,}/{progress.total:,}"]
    return layout.live_line([*facts, *time_left(progress.done, progress.total, progress.seconds)], [], "", width)


def _write_publication(report: results.PublishReport, _look: Look) -> Iterator[str]:
    there = report.files - report.written
    kept = f", {there:,} of them there already" if there > 0 else ""
    yield f"{visible(report.folder)}: {count(report.blobs, 'content')} in {count(report.files, 'file')}{kept}\n"
    yield f"{report.size / 1e6:,.1f} MB, {duration(report.seconds)}\n"
    yield f"sha256={report.sha256}\n"


PUBLISH = formats(_write_publication)


_LICENSE = 40  # a table shows at most this many characters of a license: older metadata may have its whole text

_BECAUSE: Mapping[SameProject | None, str] = {
    SameProject.VERSION: "another version",
    SameProject.NAMED: "its metadata names it",
    SameProject.SIBLING: "both name one repository",
    SameProject.CONTENTS: "same name and files",
    SameProject.FORK: "fork",
    SameProject.VENDORED: "vendored copy",
}


def _write_repositories(records: Sequence[RepositoryRecord], _look: Look) -> Iterator[str]:
    if not records:
        yield "no repositories\n"
        return
    has_packages = any(record.package for record in records)
    rows = [
        (
            visible(record.key),
            visible(record.kind),
            visible(record.revision[:REVISION_DIGITS]),
            f"{record.files:,}",
            size(record.size),
            f"{sum(record.skipped.values()):,}",
            visible(record.indexed_at),
            *(_metadata(record.package) if has_packages else ()),
        )
        for record in records
    ]
    header = ["repository", "kind", "revision", "files", "size", "skipped", "indexed at"]
    header += ["released", "license", "source repository"] if has_packages else []
    yield as_lines(table(header, rows, right=(3, 4, 5)))


def _metadata(package: Package | None) -> tuple[str, ...]:
    facts = (package.released, package.license[:_LICENSE], package.repository) if package else ("", "", "")
    return tuple(one_line(fact) for fact in facts)


def _write_projects(projects: Sequence[results.IndexedProject], _look: Look) -> Iterator[str]:
    if not projects:
        yield "no repositories\n"
        return
    rows = [
        (
            f"{'  ' if name.same_as else ''}{visible(name.repository)}{name.folder and f' {visible(name.folder)}/'}",
            visible(name.same_as or ""),
            _BECAUSE.get(name.evidence, ""),
            f"{name.shared:,} of {name.files:,}" if name.files else "",
        )
        for project in projects
        for name in project.names
    ]
    yield as_lines(table(("project", "same as", "because", "same files"), rows, right=(3,)))


def _write_files(files: Iterable[Occurrence], _look: Look) -> Iterator[str]:
    for some in batches(files, 1000):
        yield as_lines(visible(file.path) for file in some)


def _write_missing(missing: Sequence[results.MissingSource], _look: Look) -> Iterator[str]:
    gone = [(visible(it.repository), f"{it.files:,}", visible(it.location)) for it in missing if it.is_gone]
    in_doubt = [
        (visible(it.repository), visible(it.location), one_line(it.doubt)) for it in missing if it.doubt is not None
    ]
    if not missing:
        yield "the source of every repository is where it was\n"
    if gone:
        yield as_lines(["the source is gone:", *table(("repository", "files", "source"), gone, right=(1,))])
    if gone and in_doubt:
        yield "\n"
    if in_doubt:
        yield as_lines(["not there, but perhaps not gone:", *table(("repository", "source", "why"), in_doubt)])


def _write_stats(value: results.IndexStats, _look: Look) -> Iterator[str]:
    stored = _size(value.stored)
    if value.stored is not None and value.size:
        stored += f" ({value.stored / value.size:.2f} bytes for each byte of source)"
    schemes = [f"{key} {visible(name)}" for key, name in value.schemes.items()]
    facts = [
        ("index", f"{visible(value.location)} ({visible(value.engine)}, format {value.format})"),
        ("schemes", f"{', '.join(schemes)}, terms of {value.term_bits} bits"),
        ("repositories", f"{value.repositories:,}"),
        ("files", f"{value.occurrences:,}"),
        ("contents", f"{value.blobs:,} distinct, {size(value.size)}, {count(value.tokens, 'token')}"),
    ]
    if not value.has_code:
        facts.append(("code", "none, only fingerprints and their lines"))
    if (past := value.history) is not None:
        of_repositories = count(past.repositories, "repository", "repositories")
        facts.append(("history", f"{count(past.pieces, 'piece')} of code of {of_repositories}, {_size(past.stored)}"))
    facts += [("on disk", stored), ("analyzed by", value.analyzer)]
    width = max(len(name) for name, _ in facts)
    parts = [f"{name:<{width}}  {fact}" for name, fact in facts]
    languages = sorted(value.languages.items(), key=lambda it: (-it[1], it[0]))
    if languages:
        older = ["older"] if value.older else []
        rows = [
            (visible(name), f"{number:,}", *(f"{value.older.get(name, 0):,}" for _ in older))
            for name, number in languages
        ]
        parts += ["", *table(("language", "contents", *older), rows, right=(1, 2))]
        if older:
            parts.append("An older version analyzed these. To renew them, index their sources again.")
    if value.without_grammar:
        parts += ["", *without_grammar(value.without_grammar)]
    if skipped := skipped_table(value.skipped):
        parts += ["", *skipped]
    yield as_lines(parts)


def _size(stored: int | None) -> str:
    return "unknown size" if stored is None else size(stored)


def _write_languages(values: Sequence[Language], _look: Look) -> Iterator[str]:
    rows = [(it.name, _grammar(it), ", ".join((*it.aliases, *it.extensions, *it.filenames))) for it in values]
    parts = table(("language", "grammar", "other names, files"), rows)
    if how := remedy(values):
        parts += [
            "",
            "Files in languages that are not installed are indexed as text. To have them as code,",
            f"  {how}",
        ]
    yield as_lines(parts)


def _grammar(language: Language) -> str:
    if not language.grammar:
        return ""
    version = language.grammar.version
    return f"{language.grammar.distribution} {visible(version) if version else '(not installed)'}"


REPOSITORIES = list_formats(_write_repositories, "repositories")

PROJECTS = list_formats(_write_projects, "projects")

FILES = list_formats(_write_files, "files")

MISSING = list_formats(_write_missing, "missing")

STATS = formats(_write_stats)

LANGUAGES = list_formats(_write_languages, "languages")


def _write_watches(watches: Sequence[Watch], _look: Look) -> Iterator[str]:
    if not watches:
        yield "nothing is watched for; `wherefrom watch add NAME FILE` adds a watch\n"
        return
    rows = [
        (
            watch.name,
            visible(watch.since),
            one_line(", ".join(watch.what)),
            "fix" if watch.is_fix else "code",
            one_line(watch.post or ""),
        )
        for watch in watches
    ]
    yield as_lines(table(("name", "since", "what", "kind", "posted to"), rows))


def _write_places(places: Sequence[WatchedPlace], look: Look) -> Iterator[str]:
    for place in places:
        at = place.occurrence
        where = f"{visible(at.repository)} {visible(at.path)}:{place.lines}"
        sure = "has the code from before the fix" if place.probability is None else probable(place.probability)
        part = f"{one_line(place.part)} and {place.more:,} more" if place.more else one_line(place.part)
        facts = SEPARATOR.join([sure, part, *([place.url] if place.url else [])])
        yield f"{look.bold(place.watch)}: {where}  {look.dim(facts)}\n"


WATCHES = list_formats(_write_watches, "watches")

PLACES = list_formats(_write_places, "places")
