"""Opens indexes: one, or several that are searched together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TypeVar

from wherefrom import parts
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.errors import UnusableIndex, UsageError
from wherefrom.index import Index
from wherefrom.options import EngineOptions, SearchOptions
from wherefrom.options.calls import check_lists, default_cache, encoded, takes
from wherefrom.queries import filters
from wherefrom.queries.boilerplate import lacking_sets
from wherefrom.queries.fingerprinted import FingerprintedQuery
from wherefrom.queries.several import joined
from wherefrom.queries.snippet import analyze_query
from wherefrom.results import SearchResult
from wherefrom.support.closing import Closing
from wherefrom.support.workers import PARSE_MEMORY

_Answer = TypeVar("_Answer")


class Indexes(Closing):
    """Several open indexes, for use in a `with` block: folders, published indexes and indexes on Elasticsearch.

    Attributes:
        problems: why an index could not be opened or searched, by its location.
    """

    def __init__(self, indexes: dict[str, Index], analyzer: Analyzer, problems: dict[str, str]) -> None:
        self.problems = problems
        self._indexes, self._analyzer = indexes, analyzer

    @classmethod
    def of(cls, location: str, index: Index) -> Indexes:
        """A single open index."""
        return cls({location: index}, Analyzer(), {})

    def close(self) -> None:
        """Closes all indexes."""
        for index in self._indexes.values():
            index.close()

    @property
    def first(self) -> Index:
        """The first index that could be opened."""
        return next(iter(self._indexes.values()))

    @takes(SearchOptions)
    def search(self, code: str | bytes | FingerprintedQuery, options: SearchOptions) -> SearchResult:
        """Searches all indexes. Hits of the same content become one hit, ordered by the probability of a copy. An index
        that cannot be searched is a warning of the answer, and in `problems`. So is a boilerplate set that only some
        indexes have, but it is not in `problems`.

        Raises:
            UsageError, BinaryContent, NoSuchLines, BoilerplateError: as for `Index.search`.
            UnusableIndex: no index can be searched.
        """
        if len(self._indexes) == 1 and not self.problems:
            return self.first.search(code, options)
        snippet = code if isinstance(code, FingerprintedQuery) else encoded(code)
        if options.repositories:
            unknown = self._ask(lambda index: filters.unknown_names(index._engine, options.repositories))
            for name, error in next(iter(unknown.values())).items():
                if all(name in own for own in unknown.values()):
                    raise error
        lacking: list[str] = []
        if options.without and not isinstance(snippet, FingerprintedQuery):
            lacking = lacking_sets(options, self._ask(lambda index: index.boilerplate_names(built_in=True)))
            options = replace(options, allow_missing_sets=True)
        answers = [*self._ask(lambda index: index._search(snippet, options)).items()]
        stream = None
        if not isinstance(snippet, FingerprintedQuery):
            read = partial(analyze_query, snippet, name=options.name, lines=options.lines, analyzer=self._analyzer)
            stream = read(language=answers[0][1].query.language).tokens
        answer = joined(answers, stream, options)
        return replace(answer, warnings=(*answer.warnings, *lacking, *self.problems.values()))

    def _ask(self, call: Callable[[Index], _Answer]) -> dict[str, _Answer]:
        """The answer of each index that can be used; `problems` gets the others. Raises UnusableIndex if none can."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 -- one index needs no threads

        with ThreadPoolExecutor(len(self._indexes)) as pool:
            answers = {location: pool.submit(call, index) for location, index in self._indexes.items()}
        failed = {location: error for location, answer in answers.items() if (error := answer.exception()) is not None}
        others = [error for error in failed.values() if not isinstance(error, UnusableIndex)]
        if others or len(failed) == len(answers):
            raise [*others, *failed.values()][0]
        self.problems |= {location: str(error) for location, error in failed.items()}
        return {location: answer.result() for location, answer in answers.items() if location not in failed}


def open_index(
    location: str | Path,
    options: EngineOptions | None = None,
    *,
    read_from: Sequence[str | PathLike[str]] = (),
    parse_memory: int = PARSE_MEMORY,
) -> Index:
    """Opens an index.

    Args:
        location: the path or URL of the index.
        options: the options of the index's engine, such as `ElasticsearchOptions`.
        read_from: clones, or folders with clones, from which code is read that the index lacks.
        parse_memory: bytes of memory that the parser may use; it runs in another process.

    Raises:
        UsageError: no engine has such a location, the options are for another engine, or `parse_memory` is too small.
        IndexMissing, IndexFormatError, SchemeMismatch: there is no index, or this version cannot read it.
        UnusableIndex: the index cannot be used for another reason.
    """
    check_lists(read_from=read_from)
    analyzer = Analyzer(parse_memory)
    reopen = partial(open_engine, location, schemes=scheme_ids(), options=options)
    index = Index(reopen(), analyzer, reopen)
    if read_from:
        index._engine.clones = parts.Clones(parts.find_all(read_from, cache=default_cache()).sources, analyzer)
    return index


def open_indexes(
    locations: Sequence[str | Path],
    options: Sequence[EngineOptions | None] = (),
    *,
    strict: bool = False,
    read_from: Sequence[str | PathLike[str]] = (),
    parse_memory: int = PARSE_MEMORY,
) -> Indexes:
    """Opens several indexes, to search them together.

    Args:
        locations: the paths or URLs of the indexes.
        options: for each index the options of its engine; by default none.
        strict: raise an error if any index cannot be opened, not only if none can.
        read_from: as for `open_index`.
        parse_memory: as for `open_index`.

    Raises:
        UsageError: there is no location, or one is named twice; otherwise as for `open_index`.
        UnusableIndex: no index can be opened, or with `strict` any cannot.
    """
    check_lists(locations=locations, read_from=read_from)
    names = [str(location) for location in locations]
    if not names or len(set(names)) < len(names):
        raise UsageError("name each index once, and at least one")
    opened: dict[str, Index] = {}
    problems: dict[str, str] = {}
    for name, own in zip(names, options or [None] * len(names), strict=True):
        try:
            opened[name] = open_index(name, own, read_from=read_from, parse_memory=parse_memory)
        except UnusableIndex as error:
            if strict or (len(problems) == len(names) - 1 and not opened):
                for index in opened.values():
                    index.close()
                raise
            problems[name] = str(error)
    return Indexes(opened, Analyzer(parse_memory), problems)
