"""Runs a comparison."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from wherefrom.analyzers import kernel, stamps
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.containers import may_have_prose
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.compare import comparing, native
from wherefrom.compare.answer import with_statements
from wherefrom.compare.collection import Collection, collect_paths, collect_texts, collected, plain_file
from wherefrom.compare.counting import rarest_weight
from wherefrom.compare.mapping import corpus_map, with_identical
from wherefrom.compare.translated import with_translations
from wherefrom.compare.vendored import vendored_folders
from wherefrom.engines.engine import Engine, Postings, TermOrdered
from wherefrom.engines.terms import in_term_order, narrowed
from wherefrom.errors import UsageError
from wherefrom.fitted import MANY_RARE_TERMS
from wherefrom.model import OF_TOKENS, BoilerplateSet, Representation
from wherefrom.options import CompareOptions
from wherefrom.queries.boilerplate import SetBuilder
from wherefrom.queries.occurrences import texts
from wherefrom.queries.snippet import analyze_query
from wherefrom.results import CompareParameters, CompareProgress, Comparison, Role
from wherefrom.sources.directory import FilesSource
from wherefrom.sources.discover import find_trees
from wherefrom.support.throttle import Throttle


class Comparer:
    """One comparison."""

    def __init__(self, options: CompareOptions) -> None:
        self._options = options
        self._progress: Throttle[CompareProgress] = Throttle(options.progress)
        self._begin = time.perf_counter()

    def paths(
        self, paths: Sequence[str | PathLike[str]], *, cache: Path, sets: Sequence[BoilerplateSet] = ()
    ) -> Comparison:
        """Compares the sources at some paths (`wherefrom.compare_sources` has the errors)."""
        collection = collect_paths(
            paths,
            self._options,
            cache=cache,
            progress=lambda event: self._tell("reading", event.files, event.files_total),
        )
        return self._compared(collection, (*sets, *self._template(cache)), tuple(map(str, paths)), None)

    def index(self, engine: Engine, *, cache: Path, sets: Sequence[BoilerplateSet] = ()) -> Comparison:
        """Compares everything in an index (`wherefrom.Index.compare` has the errors)."""
        if self._options.archive or self._options.with_sources:
            raise UsageError("an archive or a second corpus is compared with paths; name what is to be compared")
        roles = {record.key: Role.SUBMISSION for record in engine.repositories()}
        collection = collected(engine, roles, self._options)
        return self._compared(collection, (*sets, *self._template(cache)), (), engine.location)

    def texts(
        self,
        texts: Sequence[tuple[str, bytes]],
        *,
        language: str | None = None,
        analyzer: Analyzer,
        sets: Sequence[BoilerplateSet] = (),
    ) -> Comparison:
        """Compares two texts (name, content). The first one is on the left. AnalysisError if one cannot be analyzed."""
        analyzed = [
            (name, content, analyze_query(content, name=name, language=language, analyzer=analyzer))
            for name, content in texts
        ]
        collection = collect_texts(analyzed, self._options)
        return self._compared(collection, sets, tuple(name for name, _ in texts), None)

    def _tell(self, stage: str, done: int, total: int, *, last: bool = False) -> None:
        self._progress.report(
            lambda: CompareProgress(stage, done, total, self._progress.seconds),  # type: ignore[arg-type] # a literal
            last=last,
        )

    def _template(self, cache: Path) -> Iterator[BoilerplateSet]:
        if not self._options.template:
            return
        builder = SetBuilder("template", analyzer=Analyzer(self._options.parse_memory))
        for named in self._options.template:
            file = plain_file(named)
            if file is None:
                sources = find_trees([named], cache=cache, committed=self._options.committed, apart=False).sources
            else:
                sources = [FilesSource(file.parent, [file.name])]
            for source in sources:
                builder.add_source(source)
        yield builder.made()

    def _compared(
        self, collection: Collection, sets: Sequence[BoilerplateSet], paths: tuple[str, ...], location: str | None
    ) -> Comparison:
        compared = comparing.compared if kernel.active() is None else native.compared
        found = compared(collection, self._with_progress(_postings(collection)), sets, self._options, self._tell)
        found = with_translations(found, collection, self._options)
        collection = replace(collection, files=found.files)
        has_map = collection.members.has_two_sides
        shared = with_identical(found.matches, collection) if has_map else []
        least = MANY_RARE_TERMS * rarest_weight(collection.members.unit_count)
        options = self._options
        values: dict[str, Any] = {field.name: getattr(options, field.name, None) for field in fields(CompareParameters)}
        for name in ("archive", "with_sources", "template", "without"):
            values[name] = tuple(map(str, values[name]))
        comparison = Comparison(
            parameters=CompareParameters(**{**values, "paths": paths, "index": location}),
            counts=found.counts,
            cut_off=found.cut_off,
            failed=collection.failed,
            skipped=collection.skipped,
            skipped_files=collection.skipped_files,
            files=with_statements(collection, found.named),
            submissions=found.submissions,
            pairs=found.pairs,
            clusters=found.clusters,
            map=corpus_map(shared, collection, least=least) if has_map else None,
            vendored=vendored_folders(shared, collection) if has_map else (),
            warnings=collection.warnings,
            repositories=collection.records,
            seconds=round(time.perf_counter() - self._begin, 3),
            texts=texts(collection.engine),
        )
        self._tell("done", found.counts.compared_pairs, found.counts.compared_pairs, last=True)
        return comparison

    def _with_progress(self, postings: Iterable[Postings]) -> Iterator[Postings]:
        done = 0
        for part in postings:
            yield part
            done += len(part.terms)
            self._tell("counting", done, 0)


def _postings(collection: Collection) -> Iterator[Postings]:
    """The postings of all blobs. They are made from the tokens if the engine cannot give them, or if a blob has several
    readings, whose postings the engine has, too. An index also has the postings of prose inside of literals and
    comments, so those of prose are made again.
    """
    blobs, engine = collection.members.blobs, collection.engine
    made_again: Sequence[Representation] = OF_TOKENS
    has_one = all(len(stamps.named(collection.blobs[blob].analysis)) <= 1 for blob in blobs)
    if isinstance(engine, TermOrdered) and has_one:
        made_again = () if collection.has_only_places else (Representation.TEXT,)
        given = {*OF_TOKENS} - {*made_again}
        yield from (part for part in engine.postings(blobs) if part.representation in given)
        if not made_again:
            return
    nothing = np.zeros(0, np.uint64)
    made = [
        stored_terms(collection.blobs[blob].tokens)
        if made_again == OF_TOKENS or may_have_prose(collection.blobs[blob].language)
        else {}
        for blob in blobs
    ]
    for representation in made_again:
        found_terms = [narrowed(of_blob.get(representation, nothing), engine.term_bits) for of_blob in made]
        yield from in_term_order(representation, found_terms)
