"""An open index, and everything that can be asked of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom import languages, queries, results
from wherefrom.analyzers import stamps
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.errors import BoilerplateError, IndexBusy, NotFound, UsageError
from wherefrom.model import BoilerplateSet, Occurrence, RepositoryRecord, Representation
from wherefrom.options import (
    CheckOptions,
    CompareOptions,
    EngineOptions,
    FixedOptions,
    LearnOptions,
    PostsOptions,
    PostsReportOptions,
    SearchOptions,
    SimilarOptions,
    SourcesOptions,
)
from wherefrom.options.arguments import check_lists, default_cache, encoded
from wherefrom.options.calls import takes
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.look import Look
from wherefrom.results.display import rendered_by
from wherefrom.results.texts import Texts
from wherefrom.support import extension
from wherefrom.support.closing import Closing
from wherefrom.support.version import __version__
from wherefrom.support.workers import PARSE_MEMORY

if TYPE_CHECKING:
    from wherefrom.posts.search.answers import PostsReport
    from wherefrom.posts.search.search import PostSearch
    from wherefrom.posts.store import PostStore
    from wherefrom.queries.learning import Proposals

rendered_by("wherefrom.reports.notebook")


class Index(Closing):
    """An open index: warm, so that the second search is faster than the first. Use it in a `with` block.

    Calls that take options take one object of them, or its fields as keywords.

    Raises:
        UsageError: by every call, for an argument or an option that cannot be right.
        BinaryContent, NoSuchLines: by calls that take a text, if it is not text or has fewer lines than are named.
        UnknownRepository: by calls that name a repository or a file of one, if it is not indexed.
        BoilerplateError: by calls that name a boilerplate set, if it is not there or of another scheme.
        IndexBusy: by calls that change the index, if another process is writing to it.
        IndexClosed: by every call after `close`.
    """

    def __init__(
        self, engine: Engine, analyzer: Analyzer | None = None, reopen: Callable[[], Engine] | None = None
    ) -> None:
        self._engine = engine
        self._reopen = reopen
        self._analyzer = analyzer or Analyzer()
        self._references = queries.IndexReferences(engine)

    def close(self) -> None:
        """Frees what is held open; closing again does nothing. Every later call raises `IndexClosed`."""
        self._engine.close()
        self._analyzer.close()

    @takes(SearchOptions)
    def search(self, code: str | bytes, options: SearchOptions) -> results.SearchResult:
        """Finds where a snippet appears, and whether each location says where it came from. A snippet may be
        incomplete and dirty.
        """
        return queries.search(
            self._engine,
            encoded(code),
            options,
            references=self._references,
            analyzer=self._analyzer,
        )

    @takes(PostsOptions)
    def search_posts(self, store: PostStore, options: PostsOptions) -> PostSearch:
        """Finds where the code of imported posts (`open_posts`) appears, and whether that location names the post.

        A block's source is its post, named by the answer or by its question, and the source's day is the post's. The
        blocks are analyzed in another process: one whose analysis crashes or stalls is skipped.
        The answers come block after block, and the iterator's `report` counts them. To end it early, close it.

        Raises:
            NotFound: the store has no code of a post that the options name.
            SourceError: the store cannot be read, perhaps only on the way.
        """
        return self._post_search(store, options)

    def _post_search(self, store: PostStore, options: PostsOptions, before: PostsReport | None = None) -> PostSearch:
        from wherefrom.posts.search.search import PostSearch  # noqa: PLC0415 -- searches do not wait for it

        return PostSearch(
            self._engine,
            store,
            options,
            references=self._references,
            analyzer=self._analyzer,
            before=before,
        )

    @takes(PostsReportOptions)
    def write_posts_report(self, store: PostStore, options: PostsReportOptions) -> PostsReport:
        """Writes what `search_posts` finds to a file, one row for each hit of each block.

        A run that was stopped is made again and goes on: `PATH.position` beside the file says how far it is. The answer
        counts all runs. The file is never overwritten, and never resumed for other options, or after the posts or the
        index have changed.

        Raises:
            UsageError: also if the file is there and is not such a report that was stopped.
            NotFound, SourceError: as `search_posts`.
            WherefromError: the file cannot be written; what is in it is safe.
        """
        from wherefrom.posts.search.report import write_report  # noqa: PLC0415 -- searches do not wait for it
        from wherefrom.reports.posts import RENDERERS  # noqa: PLC0415 -- searches do not wait for it

        renderer = RENDERERS[options.format]
        return write_report(
            self._engine,
            store,
            options,
            header=renderer.header,
            rows=lambda answer: renderer.write(answer, Look()),
            search=lambda options, before: self._post_search(store, options, before),
            version=__version__,
        )

    @takes(SourcesOptions)
    def sources(self, code: str | bytes, options: SourcesOptions) -> results.SourcesResult:
        """Explains a file by few documents that hold its parts, each the one that explains most of what is left.

        They need not be those that it was made of: `docs/sources.md`.
        """
        from wherefrom.queries.decomposition import sources  # noqa: PLC0415 -- searches do not wait for it

        return sources(self._engine, encoded(code), options, references=self._references, analyzer=self._analyzer)

    @takes(SimilarOptions)
    def similar(self, target: str, options: SimilarOptions) -> results.SearchResult:
        """Finds files like one that is indexed, `REPOSITORY:PATH`; the repository as `repositories` takes it."""
        return queries.similar(self._engine, target, options)

    @takes(SimilarOptions)
    def similar_to(self, code: str | bytes, options: SimilarOptions) -> results.SearchResult:
        """Finds files like one that need not be indexed; if it is, it is a hit itself."""
        return queries.similar_to(self._engine, encoded(code), options, analyzer=self._analyzer)

    def compare_texts(
        self,
        left: str | bytes,
        right: str | bytes,
        *,
        names: tuple[str, str] = ("left", "right"),
        language: str | None = None,
        options: CompareOptions | None = None,
    ) -> results.Comparison:
        """Compares two texts as `compare` does two files; boilerplate sets are those of this index. The answer has one
        pair or none, and the first text is on its left.

        Args:
            left: one text.
            right: the other one; to `compare`, this is the archive.
            names: what the answer calls them; their endings help to guess the language.
            language: of both, else guessed.
            options: what counts, and from which share on there is a pair.
        """
        from wherefrom.compare.comparer import Comparer  # noqa: PLC0415 -- searches do not wait for it

        options = options or CompareOptions()
        both = list(zip(names, (encoded(left), encoded(right)), strict=True))
        sets = queries.left_out(self._engine, options)
        return Comparer(options).texts(both, language=language, analyzer=self._analyzer, sets=sets)

    @takes(CheckOptions)
    def check(self, paths: Sequence[str | Path], options: CheckOptions) -> CheckReport:
        """Looks up every function of your own project, or of a change to it, and tells which also exist elsewhere, and
        whether the project says so.

        The paths are files and folders of one project, none for the working directory; of a change only what is under
        them counts. What is indexed under the project's path or one of its remotes does not count. Files that are done
        are kept in the user's cache folder until the check is: a check that was stopped goes on there.

        Raises:
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BaselineError: the baseline is not there, or of another version; or it cannot be written.
        """
        check_lists(paths=paths)
        return self._checked(paths, options)

    @takes(CheckOptions)
    def check_diff(self, content: str | bytes, options: CheckOptions) -> CheckReport:
        """Looks up what a unified diff, as git writes it, adds, without the project that it is of: each of its files is
        known only as far as the diff shows it, and what else the project says of its sources is not known.

        Raises:
            UsageError: also for an option that names a state of a project.
            DiffError: it is not a diff.
        """
        return self._checked(None, dataclasses.replace(options, patch=encoded(content)))

    def _checked(self, paths: Sequence[str | Path] | None, options: CheckOptions) -> CheckReport:
        from wherefrom.projects.check.checker import Check  # noqa: PLC0415 -- searches do not wait for it

        analyzer = self._analyzer.with_memory(options.parse_memory)
        return Check(self._engine, paths, options, analyzer, self._reopen).run()

    @takes(FixedOptions)
    def fixed(self, commit: str | None, options: FixedOptions) -> results.FixedReport:
        """Finds who has the code that a commit changed: which locations still hold the old form of each function, and
        which already hold the new one.

        The commit is a revision of the repository (of a merge, what it changes in its first parent), a range, `A..B` or
        `A...B` (from their merge base), or None for a diff. The repository that was fixed is not counted: what is
        indexed under its path or one of its remotes.

        Raises:
            SourceError: the repository, the commit or the diff cannot be read, or the diff is not of these files.
        """
        from wherefrom.projects.fixed.finder import Fixed  # noqa: PLC0415 -- searches do not wait for it

        return Fixed(self._engine, commit, options, self._analyzer.with_memory(options.parse_memory)).run()

    @takes(CompareOptions)
    def compare(self, paths: Iterable[str | PathLike[str]], options: CompareOptions) -> results.Comparison:
        """Compares submissions with each other, as `compare_sources` does; without a path, everything in this index.
        Boilerplate sets are those of this index.

        Raises:
            SourceError: nothing that is named can be read.
            BoilerplateError: also if there is no code in the template.
        """
        from wherefrom.compare.comparer import Comparer  # noqa: PLC0415 -- searches do not wait for it

        check_lists(paths=paths)
        sets = queries.left_out(self._engine, options)
        comparer, cache, named = Comparer(options), options.cache or default_cache(), list(paths)
        if named:
            return comparer.paths(named, cache=cache, sets=sets)
        return comparer.index(self._engine, cache=cache, sets=sets)

    def linked_code(self, url: str, *, dated: bool = False) -> results.LinkedCode:
        """The code that a permalink of a code host names, to be looked up with `search`, `sources` or `similar_to`.

        It is read from the clone of the indexed repository at the revision that the URL names, else from what is
        indexed of it. Nothing is fetched.

        Args:
            url: such as `https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20`, or of another host in
                `wherefrom.support.hosts`.
            dated: find in the history of the clone also since when the lines are there, which takes up to 10 seconds.

        Raises:
            NotFound: it has no such file, or its content is neither in the index nor in the clone.
        """
        return queries.linked_code(self._engine, url, dated=dated)

    def target_source(self, target: str) -> bytes | None:
        """The content of the file that `similar` takes, as `source` finds it."""
        return self.source(queries.find_occurrence(self._engine, target))

    def source(self, occurrence: Occurrence) -> bytes | None:
        """The content at an occurrence: from the index where it was kept, else from the clone by blob id; None where
        neither has it (any longer).
        """
        return queries.content_at(self._engine, occurrence.repository, occurrence.path, occurrence.blob)

    def document(self, blob: str) -> results.IndexedDocument:
        """An indexed content, by its git blob id: what it is, everywhere it is, and the licenses that hold there.

        Raises:
            NotFound: the index does not hold it.
        """
        stored = self._engine.blobs([blob]).get(blob)
        places = queries.current_occurrences(self._engine, [blob])[blob]
        if stored is None or not places:
            raise NotFound(f"no content {blob[:80]!a} is in this index; use the blob of a hit")
        self._references.refresh()
        return results.IndexedDocument(
            blob,
            stored.language,
            stored.size,
            stored.token_count,
            tuple(places),
            tuple(self.licenses(at) for at in places),
            queries.records_at(self._engine, places),
            queries.texts(self._engine),
        )

    def licenses(self, occurrence: Occurrence, lines: Sequence[tuple[int, int]] = ()) -> tuple[str, ...]:
        """The licenses that hold for a file of this index, or for ranges of its lines (first and last, 1-based,
        inclusive): those of the SPDX snippet around them, else of the file, else of the nearest license files.
        """
        check_lists(lines=lines)
        return self._references.statements(occurrence).licenses(lines)

    def highlights(
        self, name: str, content: bytes, *, language: str | None = None, within: tuple[int, int] | None = None
    ) -> list[tuple[int, int, str]]:
        """How code is colored: stretches (byte offsets, half-open, ascending) that are a `keyword`, `string`, `number`
        or `comment` by the highlight query of the language's grammar. Nothing where there is none, or for long files.

        Args:
            name: of the file; it tells the language.
            content: all its bytes.
            language: of the file, if its name does not tell it.
            within: the bytes (half-open) whose colors are wanted, None for all: others have some colors or none.
        """
        known = language and languages.get(language).name
        return [*self._analyzer.highlights(name, content, language=known, within=within)]

    def hit_source(self, hit: results.Hit) -> bytes | None:
        """The content of a hit's best blob, by the first of its occurrences that can be read."""
        return Texts(at=self.source).of(hit.blob, hit.occurrences)

    def repositories(self, *names: str) -> list[RepositoryRecord]:
        """The indexed repositories, by key; with names only those with one of these keys, with a key like one of these
        (`*`, `?`), or the one whose key has this last part.
        """
        return queries.repositories(self._engine, names) if names else self._engine.repositories()

    def files(self, repository: str) -> Iterator[Occurrence]:
        """The indexed files of one repository, named as in `repositories`, by path; a few are held at a time."""
        return self._engine.occurrences(repository=queries.repository(self._engine, repository).key)

    def stats(self, *, verify: bool = False) -> results.IndexStats:
        """Counts over the index. To `verify`, everything that is stored is first read and compared with its checksums,
        which takes as long as reading all files of the index.

        Raises:
            IndexDamaged: something has changed, or is missing.
        """
        if verify:
            self._engine.verify()
        stats = self._engine.stats()
        return dataclasses.replace(
            stats,
            older=stamps.count_older(stats.analyses),
            without_grammar=stamps.count_without_grammar(stats.analyses),
            analyzer=extension.description(),
        )

    def remove(self, *names: str) -> dict[str, int]:
        """Removes repositories, named as in `repositories`, and every blob that only they had; nothing if one
        of the names is wrong. The answer is how many occurrences each of them had, by key.
        """
        if not names:
            raise UsageError("no repository to remove; give a key, or a pattern over keys such as 'github.com/old/*'")
        return self._remove([record.key for record in self.repositories(*names)])

    def missing_sources(self) -> list[results.MissingSource]:
        """The repositories whose source is not where it was indexed, by key; `MissingSource.doubt` says if in doubt."""
        from wherefrom.sources.presence import missing_source  # noqa: PLC0415 -- searches do not wait for it

        return [missing for record in self._engine.repositories() if (missing := missing_source(record))]

    def prune(self, repositories: Iterable[str] | None = None) -> list[results.MissingSource]:
        """Removes repositories whose source is gone and not in doubt, of those with these keys if any; gives these."""
        check_lists(repositories=repositories)
        allowed = None if repositories is None else set(repositories)
        gone = {missing.repository: missing for missing in self.missing_sources() if missing.is_gone}
        removed = [key for key in gone if allowed is None or key in allowed]
        if removed:
            self._remove(removed)
        return [dataclasses.replace(gone[key], removed=True) for key in removed]

    def _remove(self, keys: Iterable[str]) -> dict[str, int]:
        files = {key: sum(1 for _ in self._engine.occurrences(repository=key)) for key in keys}
        with self._engine.writer() as writer:
            for key in files:
                writer.delete_occurrences(key)
                writer.delete_repository(key)
            writer.commit()
            # Beside other writers it is put off: the next sweep finds what is left.
            with suppress(IndexBusy):
                writer.sweep()
        return files

    def sweep(self) -> int:
        """Removes blobs that no repository refers to any longer; returns how many."""
        with self._engine.writer() as writer:
            return writer.sweep()

    def add_boilerplate(
        self,
        name: str,
        texts: Iterable[tuple[str, bytes]] = (),
        *,
        sources: Iterable[str | PathLike[str]] = (),
        repositories: Iterable[str] = (),
        cache: str | Path | None = None,
        progress: Callable[[queries.BoilerplateProgress], None] | None = None,
    ) -> BoilerplateSet:
        """Makes a boilerplate set and stores it; one of that name is replaced.

        Args:
            name: of the set.
            texts: (file name, content) of files.
            sources: corpora, as `index_sources` takes them.
            repositories: of this index, as `repositories` takes them; their clones are not needed.
            cache: folder in which clones of URLs are kept (default: `default_cache()`).
            progress: called a few times a second.

        Raises:
            BoilerplateError: nothing in them is long enough, or they are too large; or the name does not print.
            SourceError: a source cannot be read.
        """
        if not name or not name.isprintable():
            raise BoilerplateError(f"a boilerplate set needs a printable name, not {name!r}")
        check_lists(repositories=repositories, texts=texts, sources=sources)
        builder = queries.SetBuilder(name, progress, most=queries.MOST_STORED, analyzer=self._analyzer)
        builder.add_all(texts, sources, Path(cache) if cache else default_cache())
        if names := list(repositories):
            for record in self.repositories(*names):
                builder.add_repository(self._engine, record.key)
        [boilerplate] = self._stored([builder.made()])
        return boilerplate

    @takes(LearnOptions)
    def learn_boilerplate(self, options: LearnOptions) -> Proposals:
        """Proposes boilerplate sets from what many repositories of the index share; writes nothing to it."""
        from wherefrom.queries.learning import learn  # noqa: PLC0415 -- searches do not wait for it

        return learn(self._engine, options)

    def accept_boilerplate(self, proposals: Proposals, names: Iterable[str] = ()) -> list[BoilerplateSet]:
        """Stores the proposals of these names as sets, or all of them, or none if one is not there; sets of
        their names are replaced.
        """
        check_lists(names=names)
        return self._stored(proposals.chosen(names))

    def _stored(self, sets: list[BoilerplateSet]) -> list[BoilerplateSet]:
        with self._engine.writer() as writer:
            for boilerplate in sets:
                writer.put_boilerplate(boilerplate)
        return sets

    def boilerplate_names(self, *, built_in: bool = False) -> list[str]:
        """The stored sets, by name; with `built_in` also those that every index has."""
        return queries.set_names(self._engine) if built_in else self._engine.boilerplate_names()

    def boilerplate(self, name: str) -> BoilerplateSet:
        """One stored set."""
        return queries.stored_set(self._engine, name)

    def export_boilerplate(self, name: str, representation: str = Representation.EXACT) -> results.BoilerplateTerms:
        """The terms of one stored set in a representation, as the Elasticsearch plug-in writes them."""
        if representation not in list(Representation):
            raise UsageError(f"a representation is one of {', '.join(Representation)}, not {representation!r}")
        return queries.boilerplate_terms(self.boilerplate(name), Representation(representation))

    def remove_boilerplate(self, name: str) -> None:
        """Removes a stored set."""
        if name not in self._engine.boilerplate_names():
            raise BoilerplateError(f"no boilerplate set {name!r} in this index; see `wherefrom boilerplate list`")
        with self._engine.writer() as writer:
            writer.delete_boilerplate(name)


def open_index(
    location: str | Path, options: EngineOptions | None = None, *, parse_memory: int = PARSE_MEMORY
) -> Index:
    """Opens an index.

    Args:
        location: path or URL.
        options: what its engine needs, such as `ElasticsearchOptions`.
        parse_memory: what may be used to parse a snippet or a file, in bytes; a process of its own does that.

    Raises:
        UsageError: no such engine, options of another one, or too little memory.
        IndexMissing, IndexFormatError, SchemeMismatch: nothing is there, or not an index that this version can read.
        UnusableIndex: it cannot be used for another reason.
    """
    analyzer = Analyzer(parse_memory)
    reopen = partial(open_engine, location, schemes=scheme_ids(), options=options)
    return Index(reopen(), analyzer, reopen)
