"""Makes and finds boilerplate sets, which have all k-grams of some texts, corpora or indexed repositories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.hashing import distinct, packed, unpacked
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, token_scheme_ids
from wherefrom.analyzers.tokens import Symbols, decode_symbols
from wherefrom.engines.engine import Engine
from wherefrom.errors import BoilerplateError
from wherefrom.model import BoilerplateSet, Hashes, Representation, SkipReason
from wherefrom.options.shared import Limits, Without
from wherefrom.queries.globs import Globs
from wherefrom.queries.snippet import analyze_text
from wherefrom.sources.source import UNWANTED, Source
from wherefrom.support.chunks import chunks
from wherefrom.support.pattern import later
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass

MOST_STORED, MOST_KGRAMS = 1 << 23, 1 << 25
"""The highest number of distinct k-grams, over all representations, in a set that an index stores, and in a set that is
given with a query. The first takes 67 MB, for about 15 MB of source, which is as much as Elasticsearch allows in one
request by default. The second takes 270 MB."""

_GLOB = later(r"[*?\[{]")  # a name with one of these characters is a glob
_PENDING = 1 << 22  # this many hashes are gathered before they are merged with the distinct hashes
_BATCH = 256  # the number of contents that are read from an engine at once
_ALL = Limits(include_generated=True, include_data=True)

_UNREADABLE = frozenset({SkipReason.UNREADABLE, SkipReason.ENCRYPTED, SkipReason.PARSE_TIMEOUT, SkipReason.WORKER_DIED})
"""Files that are skipped for one of these reasons are reported, since the set lacks their k-grams."""

FRAMEWORKS = "frameworks"
"""The name of the set of files that project generators write, such as sphinx-quickstart or Gradle. Every index has it.
`python -m benchmarks.frameworks` makes it from the packages of the generators. It has k-grams and no text."""

FRAMEWORK_REPRESENTATIONS = (Representation.EXACT, Representation.TEXT)
"""The representations of the set. The others are left out: a user's own code often has the form of a list of settings,
but seldom the same names and values."""

_SOURCES = "sources"


@dataclass(frozen=True, slots=True)
class BoilerplateProgress:
    """The progress of making a set: `files` of `source` were read, `kgrams` were gathered (duplicates included)."""

    source: str
    files: int
    kgrams: int
    seconds: float


class SetBuilder:
    """Gathers the k-grams of a set: at most `most` distinct ones. This takes about four times their memory."""

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

    def add_text(self, file: str, content: bytes) -> None:
        """Adds a text, which may be broken. Its file name helps to guess the language. Errors as of `analyze_text`."""
        self._files.append(file)
        self._add_tokens(analyze_text(content, name=file, analyzer=self._analyzer).tokens)

    def add_all(self, texts: Iterable[tuple[str, bytes]], sources: Iterable[Source]) -> None:
        """Adds texts, as (file name, content), and the files of sources."""
        for file, content in texts:
            self.add_text(file, content)
        for source in sources:
            self.add_source(source)

    def add_source(self, source: Source) -> None:
        """Adds all files of a clone, a folder or an archive, generated and vendored ones too, but not binary ones.
        Raises SourceError if the source as a whole cannot be read.
        """
        files = unreadable = 0
        wanted = (entry for entry in source.entries() if entry.skip is None or entry.skip in UNWANTED | _UNREADABLE)
        for entry, content in source.read(wanted):
            found = content if isinstance(content, SkipReason) else self._analyzer.file(entry.path, content, _ALL)
            if isinstance(found, SkipReason):
                unreadable += found in _UNREADABLE
            else:
                files += 1
                self._add_tokens(found.tokens)
            self._report(source.key, files)
        missing = f", {unreadable:,} unreadable" if unreadable else ""
        self._files.append(f"{source.key} ({_files(files)}{missing})")

    def add_repository(self, engine: Engine, key: str) -> None:
        """Adds all files of the indexed repository with a key, from its stored tokens."""
        files = 0
        for batch in chunks(sorted({found.blob for found in engine.occurrences(repository=key)}), _BATCH):
            for _, blob in sorted(engine.blobs(batch).items()):
                files += 1
                self._add_tokens(decode_symbols(blob.tokens).symbols())
                self._report(key, files)
        self._files.append(f"{key} ({_files(files)})")

    def _add_tokens(self, stream: Symbols) -> None:
        for representation, scheme in SCHEMES.items():
            self.add_hashes(representation, kgrams(stream, representation, scheme.k).hashes)

    def add_hashes(self, representation: Representation, hashes: Hashes) -> None:
        """Adds some k-grams. Raises BoilerplateError if the set has too many."""
        if len(hashes):
            self._pending.setdefault(representation, []).append(hashes)
            self._waiting += len(hashes)
            self._gathered += len(hashes)
        if self._waiting >= _PENDING:
            self._merge()

    def made(self) -> BoilerplateSet:
        """The finished set. Raises BoilerplateError if it has no k-grams, or too many."""
        self._merge()
        if not self._distinct:
            shortest = SCHEMES[Representation.EXACT].k
            raise BoilerplateError(
                f"boilerplate {self.name!r} has no text of {shortest} tokens or more; give longer files"
            )
        return BoilerplateSet(self.name, tuple(self._files), token_scheme_ids(), dict(self._distinct))

    def _merge(self) -> None:
        for representation, parts in self._pending.items():
            known = [self._distinct[representation]] if representation in self._distinct else []
            self._distinct[representation] = distinct(np.concatenate([*known, *parts]))
        self._pending = {}
        self._waiting = 0
        if sum(map(len, self._distinct.values())) > self._most:
            raise BoilerplateError(
                f"boilerplate {self.name!r} has more than {self._most:,} k-grams; make several sets of fewer files"
            )

    def _report(self, source: str, files: int) -> None:
        self._progress.report(lambda: BoilerplateProgress(source, files, self._gathered, self._progress.seconds))


def make_set(name: str, texts: Sequence[tuple[str, bytes]], *, analyzer: Analyzer | None = None) -> BoilerplateSet:
    """A set of some texts, each (file name, content). Raises BoilerplateError if the texts have no k-grams, or too
    many; AnalysisError if one of them is not text, or cannot be analyzed.
    """
    builder = SetBuilder(name, analyzer=analyzer)
    for file, content in texts:
        builder.add_text(file, content)
    return builder.made()


def save_frameworks(file: BinaryIO, hashes: Mapping[Representation, Hashes], sources: Sequence[str]) -> None:
    """Writes a NumPy archive: for each of `FRAMEWORK_REPRESENTATIONS` its ascending k-grams, named by the id of the
    scheme; and generator, package and version of each source.
    """
    arrays: dict[str, np.ndarray] = {_SOURCES: np.array(sources, np.str_)}
    arrays |= {SCHEMES[key].id: packed(hashes[key]) for key in FRAMEWORK_REPRESENTATIONS}
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # its flag `allow_pickle` is newer than our oldest NumPy


@cache
def framework_set() -> BoilerplateSet:
    """The boilerplate set, with the ids of the schemes that made it."""
    with np.load(Path(__file__).with_name("data") / "frameworks.npz") as arrays:
        made = {Representation(name.partition("-")[0]): name for name in arrays if name != _SOURCES}
        return BoilerplateSet(
            name=FRAMEWORKS,
            files=tuple(map(str, arrays[_SOURCES])),
            schemes={**token_scheme_ids(), **made},
            hashes={
                representation: unpacked(arrays[name]).astype(np.uint64, copy=False)
                for representation, name in made.items()
            },
        )


def set_names(engine: Engine) -> list[str]:
    """The names of the sets of an index, ascending: the stored sets and the set of the frameworks."""
    return sorted({*engine.boilerplate_names(), FRAMEWORKS})


def stored_set(engine: Engine, name: str) -> BoilerplateSet:
    """A set of an index. Every index has the set of the frameworks, unless it stores another set of that name. Raises
    BoilerplateError if there is no such set, or another scheme made it.
    """
    found = engine.boilerplate(name) or (framework_set() if name == FRAMEWORKS else None)
    if found is None:
        raise _missing(name, set_names(engine))
    if dict(found.schemes) != token_scheme_ids():
        raise BoilerplateError(
            f"boilerplate set {name!r} was made by another scheme; add it again with `wherefrom boilerplate add`"
        )
    return found


def left_out(engine: Engine, options: Without) -> list[BoilerplateSet]:
    """The sets that a query leaves out, without duplicates, in the order of `options.without`. Raises BoilerplateError
    if a name or pattern fits no set, unless `allow_missing_sets`; or another scheme made a set.
    """
    names = set_names(engine) if options.without else []
    fitting: dict[str, None] = {}
    for pattern in options.without:
        found = fitting_names(pattern, names)
        if not found and not options.allow_missing_sets:
            raise _missing(pattern, names)
        fitting |= dict.fromkeys(found)
    return [stored_set(engine, name) for name in fitting]


def lacking_sets(options: Without, names: Mapping[str, Sequence[str]]) -> list[str]:
    """A warning for each name or pattern of `options.without` that fits no set of some indexes, but of others. `names`
    has the names of the sets of each index, by its location. Raises BoilerplateError if a name or pattern fits no set
    of any index, unless `allow_missing_sets`.
    """
    warnings = []
    for pattern in options.without:
        lacking = [location for location, own in names.items() if not fitting_names(pattern, own)]
        if len(lacking) == len(names) and not options.allow_missing_sets:
            raise _missing(pattern, sorted({*chain.from_iterable(names.values())}), "any of these indexes")
        if lacking and not (options.allow_missing_sets and _GLOB.search(pattern)):
            warnings.append(
                f"no boilerplate set {pattern!r} in {', '.join(lacking)}, so nothing of it is left out there"
            )
    return warnings


def fitting_names(pattern: str, names: Sequence[str]) -> list[str]:
    """The pattern itself if it is a name, else the names that it matches as a glob."""
    return [pattern] if pattern in names else [*filter(Globs([pattern]).match, names)]


def unknown_names(patterns: Iterable[str], names: Collection[str]) -> list[str]:
    """The patterns that are not globs, and not among the names."""
    return [pattern for pattern in patterns if not _GLOB.search(pattern) and pattern not in names]


def _missing(name: str, names: Sequence[str], where: str = "this index") -> BoilerplateError:
    near = get_close_matches(name, names) or names
    return BoilerplateError(f"no boilerplate set {name!r} in {where}; there are: {', '.join(near)}")


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number:,} files"
