"""What an index holds, in words: its repositories, its counts; and the languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from wherefrom.errors import ExtraMissing
from wherefrom.languages import Language
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.reports import data
from wherefrom.reports.layout import as_lines, count, size, table
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.skipped import extras_for, skipped_table, without_grammar
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.look import Look
    from wherefrom.results import IndexStats, MissingSource

REVISION = 12
"""Leading characters of a revision that are shown."""


def write_repositories(records: Sequence[RepositoryRecord], _look: Look) -> Iterator[str]:
    """A table of the indexed repositories."""
    if not records:
        yield "no repositories\n"
        return
    rows = [
        (
            visible(record.key),
            visible(record.kind),
            visible(record.revision[:REVISION]),
            f"{record.files:,}",
            size(record.size),
            f"{sum(record.skipped.values()):,}",
            visible(record.indexed_at),
        )
        for record in records
    ]
    header = ("repository", "kind", "revision", "files", "size", "skipped", "indexed at")
    yield as_lines(table(header, rows, right=(3, 4, 5)))


def write_files(files: Iterable[Occurrence], _look: Look) -> Iterator[str]:
    """The paths of a repository's files, one on each line."""
    rest = iter(files)
    while some := list(islice(rest, 1000)):
        yield as_lines(visible(file.path) for file in some)


def write_missing(missing: Sequence[MissingSource], _look: Look) -> Iterator[str]:
    """The repositories whose source is gone, and those of which that is not sure."""
    gone = [source for source in missing if source.is_gone]
    in_doubt = [source for source in missing if not source.is_gone]
    if not missing:
        yield "the source of every repository is where it was\n"
    if gone:
        rows = [(visible(source.repository), f"{source.files:,}", visible(source.location)) for source in gone]
        yield as_lines(["the source is gone:", *table(("repository", "files", "source"), rows, right=(1,))])
    if gone and in_doubt:
        yield "\n"
    if in_doubt:
        rows = [
            (visible(source.repository), visible(source.location), one_line(source.doubt or "")) for source in in_doubt
        ]
        yield as_lines(["not there, but perhaps not gone:", *table(("repository", "source", "why"), rows)])


def write_stats(value: IndexStats, _look: Look) -> Iterator[str]:
    """The counts over an index."""
    stored = "unknown" if value.stored is None else size(value.stored)
    if value.stored is not None and value.size:
        stored += f" ({value.stored / value.size:.2f} bytes for each byte of source)"
    schemes = [f"{key} {visible(name)}" for key, name in value.schemes.items()]
    facts = [
        ("index", f"{visible(value.location)} ({visible(value.engine)}, format {value.format})"),
        ("schemes", f"{', '.join(schemes)}, terms of {value.term_bits} bits"),
        ("repositories", f"{value.repositories:,}"),
        ("files", f"{value.occurrences:,}"),
        ("contents", f"{value.blobs:,} distinct, {size(value.size)}, {count(value.tokens, 'token')}"),
        ("on disk", stored),
        ("analyzed by", value.analyzer),
    ]
    width = max(len(name) for name, _ in facts)
    parts = [f"{name:<{width}}  {fact}" for name, fact in facts]
    languages = sorted(value.languages.items(), key=lambda it: (-it[1], it[0]))
    if languages:
        parts += ["", *_languages_table(languages, value.older)]
    if value.without_grammar:
        parts += ["", *without_grammar(value.without_grammar)]
    skipped = skipped_table(value.skipped)
    if skipped:
        parts += ["", *skipped]
    yield as_lines(parts)


def _languages_table(languages: Sequence[tuple[str, int]], older: Mapping[str, int]) -> list[str]:
    """Contents by language; and how many are of an older analysis, if any are."""
    if not older:
        return table(("language", "contents"), [(visible(name), f"{number:,}") for name, number in languages], (1,))
    rows = [(visible(name), f"{number:,}", f"{older.get(name, 0):,}") for name, number in languages]
    return [
        *table(("language", "contents", "older"), rows, right=(1, 2)),
        "An older version analyzed these. To renew them, index their sources again.",
    ]


def write_languages(values: Sequence[Language], _look: Look) -> Iterator[str]:
    """A table of the languages, and how to install those that are not."""
    rows = [
        (
            language.name,
            _grammar(language),
            ", ".join((*language.aliases, *language.extensions, *language.filenames)),
        )
        for language in values
    ]
    parts = table(("language", "grammar", "other names, files"), rows)
    if extras := extras_for(values):
        parts += ["", "Files in languages that are not installed are indexed as text. To have them as code,"]
        parts += [f"  {ExtraMissing.remedy(extra)}" for extra in extras]
    yield as_lines(parts)


def _grammar(language: Language) -> str:
    grammar = language.grammar
    if not grammar:
        return ""
    version = grammar.version
    return f"{grammar.distribution} {visible(version) if version else '(not installed)'}"


REPOSITORIES: Mapping[str, Renderer[Sequence[RepositoryRecord]]] = {
    "text": Renderer(write_repositories),
    **data.list_formats("repositories"),
}

FILES: Mapping[str, Renderer[Iterable[Occurrence]]] = {"text": Renderer(write_files), **data.list_formats("files")}

MISSING: Mapping[str, Renderer[Sequence[MissingSource]]] = {
    "text": Renderer(write_missing),
    **data.list_formats("missing"),
}

STATS: Mapping[str, Renderer[IndexStats]] = {"text": Renderer(write_stats), **data.formats()}

LANGUAGES: Mapping[str, Renderer[Sequence[Language]]] = {
    "text": Renderer(write_languages),
    **data.list_formats("languages"),
}
