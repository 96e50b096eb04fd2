"""What an index holds, in words: its repositories, its counts, its boilerplate sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.reports.progress import skipped_table
from wherefrom.reports.text import count, size, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wherefrom.analyzers.languages import Language
    from wherefrom.model import BoilerplateSet, IndexStats, RepositoryRecord

REVISION = 12
"""Leading characters of a revision that are shown."""


def repositories(records: Sequence[RepositoryRecord]) -> str:
    """A table of the indexed repositories."""
    if not records:
        return "no repositories\n"
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
    return _text(table(header, rows, right=(3, 4, 5)))


def stats(value: IndexStats) -> str:
    """The counts over an index."""
    stored = "unknown" if value.stored is None else size(value.stored)
    if value.stored is not None and value.size:
        stored += f" ({value.stored / value.size:.2f} bytes for each byte of source)"
    facts = [
        ("index", f"{visible(value.location)} ({visible(value.engine)}, format {value.format})"),
        ("schemes", ", ".join(f"{key} {visible(name)}" for key, name in value.schemes.items())),
        ("repositories", f"{value.repositories:,}"),
        ("files", f"{value.occurrences:,}"),
        ("contents", f"{value.blobs:,} distinct, {size(value.size)}, {count(value.tokens, 'token')}"),
        ("on disk", stored),
    ]
    width = max(len(name) for name, _ in facts)
    parts = [f"{name:<{width}}  {fact}" for name, fact in facts]
    languages = sorted(value.languages.items(), key=lambda it: (-it[1], it[0]))
    if languages:
        rows = [(visible(name), f"{number:,}") for name, number in languages]
        parts += ["", *table(("language", "contents"), rows, right=(1,))]
    skipped = skipped_table(value.skipped)
    if skipped:
        parts += ["", *skipped]
    return _text(parts)


def boilerplate_sets(sets: Sequence[BoilerplateSet]) -> str:
    """A table of boilerplate sets."""
    if not sets:
        return "no boilerplate sets\n"
    rows = [(visible(it.name), f"{len(it.files):,}", f"{sum(map(len, it.hashes.values())):,}") for it in sets]
    return _text(table(("name", "sources", "k-grams"), rows, right=(1, 2)))


def boilerplate_set(value: BoilerplateSet) -> str:
    """One boilerplate set: how many k-grams it holds of which scheme, and what it was made of."""
    rows = [(str(key), visible(value.schemes.get(key, "")), f"{len(hashes):,}") for key, hashes in value.hashes.items()]
    return _text(
        [
            f"{visible(value.name)}: from {count(len(value.files), 'source')}",
            *table(("representation", "scheme", "k-grams"), rows, right=(2,)),
            *(f"  {visible(name)}" for name in value.files),
        ]
    )


def languages(values: Iterable[Language]) -> str:
    """A table of the languages."""
    rows = [
        (
            language.name,
            f"{language.distribution} {language.version}" if language.grammar else "",
            ", ".join((*language.aliases, *language.extensions, *language.filenames)),
        )
        for language in values
    ]
    return _text(table(("language", "grammar", "other names, files"), rows))


def _text(parts: Iterable[str]) -> str:
    return "".join(f"{part}\n" for part in parts)
