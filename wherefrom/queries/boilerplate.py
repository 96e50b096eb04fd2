"""Boilerplate sets: every k-gram of some texts, of whole corpora, or of indexed repositories."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from os import PathLike
from pathlib import Path

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.hashing import distinct, terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import Symbols, decode_symbols
from wherefrom.engines.elasticsearch.documents import plugin_terms
from wherefrom.engines.engine import Engine
from wherefrom.errors import BoilerplateError
from wherefrom.model import BoilerplateSet, Hashes, Representation, SkipReason
from wherefrom.options.shared import Limits, Without
from wherefrom.queries import frameworks
from wherefrom.queries.frameworks import framework_set
from wherefrom.queries.globs import Globs
from wherefrom.queries.snippet import analyze_text
from wherefrom.results import BoilerplateTerms
from wherefrom.sources.source import UNWANTED, Source
from wherefrom.support.throttle import Throttle

MOST_STORED, MOST_KGRAMS = 1 << 23, 1 << 25
"""Distinct k-grams at most, over all representations, of a set that an index stores (67 MB, about 15 MB of source; what
Elasticsearch takes in one request unless told otherwise) and of one that is given with a query (270 MB)."""

BUILT_IN: Mapping[str, Callable[[], BoilerplateSet]] = {frameworks.NAME: framework_set}
"""The sets that every index has."""

_GLOB = re.compile(r"[*?\[{]")
"""What makes a glob of a name."""

_PENDING = 1 << 22
"""Hashes that are gathered before they are merged with the distinct ones."""

_BATCH = 256
"""Contents that are asked of an engine at once."""

_ALL = Limits(include_generated=True, include_data=True)

_UNREADABLE = frozenset({SkipReason.UNREADABLE, SkipReason.ENCRYPTED, SkipReason.PARSE_TIMEOUT, SkipReason.WORKER_DIED})
"""Why a content is missing that should be in the set."""


@dataclass(frozen=True, slots=True)
class BoilerplateProgress:
    """The progress of making a set: `files` of `source` are read, `kgrams` were gathered (not all of them
    distinct), `seconds` have gone by.
    """

    source: str
    files: int
    kgrams: int
    seconds: float


class SetBuilder:
    """Gathers the k-grams of a set, at most `most` distinct ones; memory is bounded by about four times that of these.
    `progress` is called a few times a second.
    """

    def __init__(
        self,
        name: str,
        progress: Callable[[BoilerplateProgress], None] | None = None,
        *,
        most: int = MOST_KGRAMS,
        analyzer: Analyzer | None = None,
    ) -> None:
        self.name = name
        self._analyzer = analyzer or Analyzer()
        self._most = most
        self._files: list[str] = []
        self._pending: dict[Representation, list[Hashes]] = {}
        self._waiting = 0
        self._distinct: dict[Representation, Hashes] = {}
        self._progress = Throttle(progress)
        self._gathered = 0

    def add_text(self, file: str, content: bytes, language: str | None = None) -> None:
        """A text in any state; its name helps to tell the language. An `AnalysisError` says why it is none."""
        self._files.append(file)
        found = analyze_text(content, name=file, language=language, analyzer=self._analyzer)
        self.add_tokens(found.tokens)

    def add_all(self, texts: Iterable[tuple[str, bytes]], sources: Iterable[str | PathLike[str]], cache: Path) -> None:
        """Texts in any state as (file name, content), and every file of what is at some paths and URLs; `cache` is the
        folder where clones of URLs are kept.
        """
        from wherefrom.sources.discover import discover  # noqa: PLC0415 -- searches do not wait for it

        for file, content in texts:
            self.add_text(file, content)
        for source in discover(sources, cache=cache):
            self.add_source(source)

    def add_source(self, source: Source) -> None:
        """Every file of a clone, a folder or an archive, generated and vendored ones too; binary ones are passed over.

        Raises:
            SourceError: the source as a whole cannot be read.
        """
        files = unreadable = 0
        wanted = (each for each in source.entries() if each.skip is None or each.skip in UNWANTED | _UNREADABLE)
        for entry, content in source.read(wanted):
            found = content if isinstance(content, SkipReason) else self._analyzer.file(entry.path, content, _ALL)
            if not isinstance(found, SkipReason):
                files += 1
                self.add_tokens(found.tokens)
            unreadable += found in _UNREADABLE if isinstance(found, SkipReason) else 0
            self._tell(source.key, files)
        missing = f", {unreadable:,} unreadable" if unreadable else ""
        self._files.append(f"{source.key} ({_files(files)}{missing})")

    def add_repository(self, engine: Engine, key: str) -> None:
        """Every file of the indexed repository with this key, from its stored tokens."""
        blobs = iter(sorted({each.blob for each in engine.occurrences(repository=key)}))
        files = 0
        while batch := list(islice(blobs, _BATCH)):
            for _, blob in sorted(engine.blobs(batch).items()):
                files += 1
                self.add_tokens(decode_symbols(blob.tokens).symbols())
                self._tell(key, files)
        self._files.append(f"{key} ({_files(files)})")

    def add_tokens(self, stream: Symbols) -> None:
        """Every k-gram (w = 1) of a token stream, in every representation."""
        for representation, scheme in SCHEMES.items():
            self.add_hashes(representation, kgrams(stream, representation, scheme.k).hashes)

    def add_hashes(self, representation: Representation, hashes: Hashes) -> None:
        """Some k-grams.

        Raises:
            BoilerplateError: there are too many by now.
        """
        if len(hashes):
            self._pending.setdefault(representation, []).append(hashes)
            self._waiting += len(hashes)
            self._gathered += len(hashes)
        if self._waiting >= _PENDING:
            self._merge()

    def made(self) -> BoilerplateSet:
        """The set.

        Raises:
            BoilerplateError: there is no k-gram in it.
        """
        self._merge()
        if not self._distinct:
            shortest = SCHEMES[Representation.EXACT].k
            raise BoilerplateError(
                f"boilerplate {self.name!r} has no text of {shortest} tokens or more; give longer files"
            )
        return BoilerplateSet(self.name, tuple(self._files), scheme_ids(), dict(self._distinct))

    def _merge(self) -> None:
        for representation, parts in self._pending.items():
            held = self._distinct.get(representation)
            self._distinct[representation] = distinct(np.concatenate(parts if held is None else [held, *parts]))
        self._pending = {}
        self._waiting = 0
        if sum(map(len, self._distinct.values())) > self._most:
            raise BoilerplateError(
                f"boilerplate {self.name!r} has more than {self._most:,} k-grams; make several sets of fewer files"
            )

    def _tell(self, source: str, files: int) -> None:
        self._progress.report(lambda: BoilerplateProgress(source, files, self._gathered, self._progress.seconds))


def make_set(
    name: str,
    texts: Sequence[tuple[str, bytes]],
    *,
    language: str | None = None,
    analyzer: Analyzer | None = None,
) -> BoilerplateSet:
    """A set of every k-gram (w = 1) of some texts, each (file name, content), in every representation; in one language,
    else told or guessed for each.

    Raises:
        BoilerplateError: none of them has a k-gram, or they have too many.
        AnalysisError: one of them is not text, or cannot be analyzed.
    """
    builder = SetBuilder(name, analyzer=analyzer)
    for file, content in texts:
        builder.add_text(file, content, language)
    return builder.made()


def set_names(engine: Engine) -> list[str]:
    """The names of the sets of an index, ascending: the stored ones, and those of `BUILT_IN`."""
    return sorted({*engine.boilerplate_names(), *BUILT_IN})


def stored_set(engine: Engine, name: str) -> BoilerplateSet:
    """A set of an index. Those of `BUILT_IN` are in every one; a stored set takes the place of one of its name.

    Raises:
        BoilerplateError: it is not there, or was made by another scheme.
    """
    found = engine.boilerplate(name) or (BUILT_IN[name]() if name in BUILT_IN else None)
    if found is None:
        raise _missing(name, set_names(engine))
    if dict(found.schemes) != scheme_ids():
        raise BoilerplateError(
            f"boilerplate set {name!r} was made by another scheme; add it again with `wherefrom boilerplate add`"
        )
    return found


def left_out(engine: Engine, options: Without) -> list[BoilerplateSet]:
    """The sets that a query leaves out, each once, in the order of `options.without`.

    Raises:
        BoilerplateError: a name or pattern fits no set, unless `allow_missing_sets`; or another scheme made a set.
    """
    names = set_names(engine) if options.without else []
    fitting: dict[str, None] = {}
    for pattern in options.without:
        found = fitting_names(pattern, names)
        if not found and not options.allow_missing_sets:
            raise _missing(pattern, names)
        fitting |= dict.fromkeys(found)
    return [stored_set(engine, name) for name in fitting]


def fitting_names(pattern: str, names: Sequence[str]) -> list[str]:
    """The name that is the pattern itself, else those that it matches as a glob."""
    return [pattern] if pattern in names else [*filter(Globs([pattern]).match, names)]


def unknown_names(patterns: Iterable[str], names: Collection[str]) -> list[str]:
    """The patterns that are plain names, and none of these."""
    return [pattern for pattern in patterns if not _GLOB.search(pattern) and pattern not in names]


def _missing(name: str, names: Sequence[str]) -> BoilerplateError:
    near = get_close_matches(name, names) or names
    return BoilerplateError(f"no boilerplate set {name!r} in this index; there are: {', '.join(near)}")


def boilerplate_terms(boilerplate: BoilerplateSet, representation: Representation) -> BoilerplateTerms:
    """The set as terms of a representation.

    Raises:
        BoilerplateError: it has none.
    """
    hashes = boilerplate.hashes.get(representation)
    if hashes is None or not len(hashes):
        there = ", ".join(str(key) for key, those in boilerplate.hashes.items() if len(those)) or "none"
        raise BoilerplateError(
            f"boilerplate set {boilerplate.name!r} has no k-grams of {representation}; "
            f"name a representation that it has: {there}"
        )
    found = plugin_terms(terms(hashes))
    return BoilerplateTerms(boilerplate.name, representation, tuple(found))


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number:,} files"
