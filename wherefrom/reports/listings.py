"""Lists in words: the repositories, files and counts of an index, the languages, and the watches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from wherefrom.languages import Language, remedy
from wherefrom.model import Occurrence, Package, RepositoryRecord
from wherefrom.reports.layout import SEPARATOR, as_lines, count, probable, size, table
from wherefrom.reports.look import Look
from wherefrom.reports.place_text import REVISION_DIGITS
from wherefrom.reports.renderer import formats, list_formats
from wherefrom.reports.skipped import skipped_table, without_grammar
from wherefrom.results import IndexedProject, IndexStats, MissingSource, SameProject
from wherefrom.support.chunks import batches
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.projects.watch.places import WatchedPlace
    from wherefrom.projects.watch.watches import Watch

_LICENSE = 40
"""A table shows at most this many characters of a license: older metadata may have its whole text."""

_BECAUSE: Mapping[SameProject | None, str] = {
    SameProject.VERSION: "another version",
    SameProject.NAMED: "its metadata names it",
    SameProject.SIBLING: "both name one repository",
    SameProject.CONTENTS: "same name and files",
    SameProject.FORK: "fork",
    SameProject.VENDORED: "vendored copy",
}


def write_repositories(records: Sequence[RepositoryRecord], _look: Look) -> Iterator[str]:
    """A table of the indexed repositories."""
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


def write_projects(projects: Sequence[IndexedProject], _look: Look) -> Iterator[str]:
    """A table of the projects, each with its other repositories below it."""
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


def write_files(files: Iterable[Occurrence], _look: Look) -> Iterator[str]:
    """The paths of a repository's files, one on each line."""
    for some in batches(files, 1000):
        yield as_lines(visible(file.path) for file in some)


def write_missing(missing: Sequence[MissingSource], _look: Look) -> Iterator[str]:
    """The repositories whose source is gone, then those whose source may be gone."""
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


def write_stats(value: IndexStats, _look: Look) -> Iterator[str]:
    """The counts over an index."""
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


def write_languages(values: Sequence[Language], _look: Look) -> Iterator[str]:
    """A table of the languages, with commands that install the missing ones."""
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


REPOSITORIES = list_formats(write_repositories, "repositories")

PROJECTS = list_formats(write_projects, "projects")

FILES = list_formats(write_files, "files")

MISSING = list_formats(write_missing, "missing")

STATS = formats(write_stats)

LANGUAGES = list_formats(write_languages, "languages")


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
