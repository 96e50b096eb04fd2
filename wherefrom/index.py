"""An open index, and everything that can be asked of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom import __version__, languages, queries
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
from wherefrom.options.arguments import check_lists, check_set_name, default_cache, encoded
from wherefrom.options.calls import takes
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.look import Look
from wherefrom.results import (
    BoilerplateTerms,
    Comparison,
    FixedReport,
    Hit,
    IndexedDocument,
    IndexStats,
    LinkedCode,
    MissingSource,
    SearchResult,
    SourcesResult,
)
from wherefrom.results.display import rendered_by
from wherefrom.results.texts import Texts
from wherefrom.support import extension
from wherefrom.support.closing import Closing
from wherefrom.support.workers import PARSE_MEMORY

if TYPE_CHECKING:
    from wherefrom.posts import PostStore
    from wherefrom.posts.search import PostSearch, PostsReport
    from wherefrom.queries.learning import Proposals

rendered_by("wherefrom.reports.notebook")


class Index(Closing):
    """An open index: warm, so that the second search is faster than the first. Use it in a `with` block."""

    def __init__(
        self, engine: Engine, analyzer: Analyzer | None = None, reopen: Callable[[], Engine] | None = None
    ) -> None:
        self._engine = engine
        self._reopen = reopen
        self._analyzer = analyzer or Analyzer()
        self._references = queries.IndexReferences(engine)
        self._admitted_blobs = queries.AdmittedBlobs(engine)

    def close(self) -> None:
        """Frees what is held open; closing again does nothing. Every later call raises `IndexClosed`."""
        self._engine.close()
        self._analyzer.close()

    @takes(SearchOptions)
    def search(self, code: str | bytes, options: SearchOptions) -> SearchResult:
        """Finds where a snippet appears, and whether each location says where it came from.

        Args:
            code: the snippet; incomplete and dirty ones are normal.
            options: how to search; or its fields as keywords.

        Raises:
            UsageError: an option that cannot be right.
            BoilerplateError: a set that is not there, or of another scheme.
            NoSuchLines: the snippet has fewer lines than the options name.
            BinaryContent: the snippet is not text.
        """
        return queries.search(
            self._engine,
            encoded(code),
            options,
            references=self._references,
            admitted_blobs=self._admitted_blobs,
            analyzer=self._analyzer,
        )

    @takes(PostsOptions)
    def search_posts(self, store: PostStore, options: PostsOptions) -> PostSearch:
        """Finds where the code of imported posts appears, and whether that location names the post.

        A block's source is its post, named by the answer or by its question, and the source's day is the post's. The
        blocks are analyzed in another process: one whose analysis crashes or stalls is skipped.

        Args:
            store: the posts, see `open_posts`.
            options: which of them, and how to search; or its fields as keywords.

        Returns:
            An iterator over the answers, block after block, whose `report` counts them. To end it early, close it.

        Raises:
            UsageError: a site or a URL that is not one of Stack Exchange.
            BoilerplateError: a set that is not there, or of another scheme.
            NotFound: the store has no code of a post that the options name.
            SourceError: the store cannot be read, perhaps only on the way.
        """
        from wherefrom.posts.search import PostSearch  # noqa: PLC0415 -- searches do not wait for it

        return PostSearch(
            self._engine,
            store,
            options,
            references=self._references,
            admitted_blobs=self._admitted_blobs,
            analyzer=self._analyzer,
        )

    @takes(PostsReportOptions)
    def write_posts_report(self, store: PostStore, options: PostsReportOptions) -> PostsReport:
        """Writes what `search_posts` finds to a file, one row for each hit of each block.

        A run that was stopped is made again and goes on: `PATH.position` beside the file says how far it is. The file
        is never overwritten, and never resumed for other options, or after the posts or the index have changed.

        Args:
            store: the posts, see `open_posts`.
            options: which posts, how to search, the file and the format of its rows; or its fields as keywords.

        Returns:
            What the search came to, the runs before included.

        Raises:
            UsageError: the file is there and is not such a report that was stopped; or as `search_posts`.
            BoilerplateError, NotFound, SourceError: as `search_posts`.
            WherefromError: the file cannot be written; what is in it is safe.
        """
        from wherefrom.posts.search import write_report  # noqa: PLC0415 -- searches do not wait for it
        from wherefrom.reports.posts import RENDERERS  # noqa: PLC0415 -- searches do not wait for it

        renderer = RENDERERS[options.format]
        return write_report(
            self._engine,
            store,
            options,
            header=renderer.header,
            rows=lambda answer: renderer.write(answer, Look()),
            references=self._references,
            admitted_blobs=self._admitted_blobs,
            analyzer=self._analyzer,
            version=__version__,
        )

    @takes(SourcesOptions)
    def sources(self, code: str | bytes, options: SourcesOptions) -> SourcesResult:
        """Explains a file by few documents that hold its parts, each the one that explains most of what is left.

        Few documents that explain a file need not be those that it was made of: `docs/sources.md`.

        Args:
            code: the file.
            options: which documents, and how many; or its fields as keywords.

        Raises:
            UsageError: an option that cannot be right.
            BoilerplateError: a set that is not there, or of another scheme.
            NoSuchLines: the file has fewer lines than the options name.
            BinaryContent: the file is not text.
        """
        from wherefrom.queries.decomposition import sources  # noqa: PLC0415 -- searches do not wait for it

        return sources(
            self._engine, encoded(code), options, admitted_blobs=self._admitted_blobs, analyzer=self._analyzer
        )

    @takes(SimilarOptions)
    def similar(self, target: str, options: SimilarOptions) -> SearchResult:
        """Finds files like one that is indexed.

        Args:
            target: `REPOSITORY:PATH`; the repository as `repositories` takes it.
            options: how files are compared; or its fields as keywords.

        Raises:
            UsageError: an option that cannot be right.
            UnknownRepository: no such repository, or no such path in it.
        """
        return queries.similar(self._engine, target, options)

    @takes(SimilarOptions)
    def similar_to(self, code: str | bytes, options: SimilarOptions) -> SearchResult:
        """Finds files like one that need not be indexed; if it is, it is a hit itself.

        Args:
            code: the file.
            options: how files are compared; or its fields as keywords.

        Raises:
            UsageError: an option that cannot be right.
            NoSuchLines: the file has fewer lines than the options name.
            BinaryContent: the file is not text.
        """
        return queries.similar_to(self._engine, encoded(code), options, analyzer=self._analyzer)

    def compare_texts(
        self,
        left: str | bytes,
        right: str | bytes,
        *,
        names: tuple[str, str] = ("left", "right"),
        language: str | None = None,
        options: CompareOptions | None = None,
    ) -> Comparison:
        """Compares two texts as `compare` does two files, whatever the index holds; boilerplate sets are its own. The
        answer has one pair or none, and the first text is on its left.

        Args:
            left: one text.
            right: the other one; to `compare`, this is the archive.
            names: what the answer calls them; their endings help to guess the language.
            language: of both, else guessed.
            options: what counts, and from which share on there is a pair.

        Raises:
            BinaryContent: one of them is not text.
            LanguageError: no language has that name.
            BoilerplateError: a set is not there.
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

        The project itself is not counted: what is indexed under its path or one of its remotes. Files that are done are
        kept in the user's cache folder until the check is: the same one goes on there after it was stopped.

        Args:
            paths: files and folders of one project, empty for the working directory; of a change only what is under
                them counts.
            options: what to check, and which findings fail; or its fields as keywords.

        Raises:
            UsageError: an option that cannot be right, or options that do not go together.
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BaselineError: the baseline is not there, or of another version; or it cannot be written.
            BoilerplateError: a set is not there.
        """
        from wherefrom.projects.check.checker import Check  # noqa: PLC0415 -- searches do not wait for it

        check_lists(paths=paths)
        analyzer = self._analyzer.with_memory(options.parse_memory)
        return Check(self._engine, paths, options, analyzer, self._reopen).run()

    @takes(CheckOptions)
    def check_diff(self, content: str | bytes, options: CheckOptions) -> CheckReport:
        """Looks up what a diff adds, without the project that it is of: each of its files is known only as far as the
        diff shows it, and what else the project says of its sources is not known.

        Args:
            content: a unified diff, as git writes it.
            options: which findings fail, and what does not count; or its fields as keywords.

        Raises:
            UsageError: an option that names a state of a project, or that cannot be right.
            DiffError: it is not a diff.
            BoilerplateError: a set is not there.
        """
        from wherefrom.projects.check.checker import Check  # noqa: PLC0415 -- searches do not wait for it

        options = dataclasses.replace(options, patch=encoded(content))
        analyzer = self._analyzer.with_memory(options.parse_memory)
        return Check(self._engine, None, options, analyzer, self._reopen).run()

    @takes(FixedOptions)
    def fixed(self, commit: str | None, options: FixedOptions) -> FixedReport:
        """Finds who has the code that a commit changed: which locations still hold the old form of each function, and
        which already hold the new one.

        The repository that was fixed is not counted: what is indexed under its path or one of its remotes.

        Args:
            commit: a revision of the repository; of a merge, what it changes in its first parent. Or a range, `A..B` or
                `A...B` (from their merge base). None for a diff.
            options: where the repository, or the diff, is, and where to look; or its fields as keywords.

        Raises:
            UsageError: neither a commit nor a diff, or both; or an option that cannot be right.
            SourceError: the repository, the commit or the diff cannot be read, or the diff is not of these files.
            UnknownRepository: the repository is neither a folder nor indexed.
            BoilerplateError: a set is not there.
        """
        from wherefrom.projects.fixed.finder import Fixed  # noqa: PLC0415 -- searches do not wait for it

        return Fixed(self._engine, commit, options, self._analyzer.with_memory(options.parse_memory)).run()

    @takes(CompareOptions)
    def compare(self, paths: Iterable[str | PathLike[str]], options: CompareOptions) -> Comparison:
        """Compares submissions with each other, as `compare_sources` does; boilerplate sets are those of this index.

        Args:
            paths: as there; empty for everything in this index.
            options: what is compared with what; or its fields as keywords.

        Raises:
            UsageError: a path that is named twice, or an option that cannot be right.
            SourceError: nothing that is named can be read.
            BoilerplateError: a set is not there, or there is no code in the template.
        """
        from wherefrom.compare.comparer import Comparer  # noqa: PLC0415 -- searches do not wait for it

        check_lists(paths=paths)
        sets = queries.left_out(self._engine, options)
        comparer = Comparer(options)
        cache = options.cache or default_cache()
        if named := list(paths):
            return comparer.paths(named, cache=cache, sets=sets)
        return comparer.index(self._engine, cache=cache, sets=sets)

    def linked_code(self, url: str, *, dated: bool = False) -> LinkedCode:
        """The code that a permalink of a code host names, to be looked up with `search`, `sources` or `similar_to`.

        It is read from the clone of the indexed repository at the revision that the URL names, else from what is
        indexed of it. Nothing is fetched.

        Args:
            url: such as `https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20`, or of another host in
                `wherefrom.support.hosts`.
            dated: find in the history of the clone also since when the lines are there, which takes up to 10 seconds.

        Raises:
            UsageError: it is not such a URL.
            UnknownRepository: the repository is not in this index.
            NotFound: it has no such file, or its content is neither in the index nor in the clone.
        """
        return queries.linked_code(self._engine, url, dated=dated)

    def target_source(self, target: str) -> bytes | None:
        """The content of the file that `similar` takes, as `source` finds it.

        Raises:
            UnknownRepository: no such repository, or no such path in it.
        """
        return self.source(queries.find_occurrence(self._engine, target))

    def source(self, occurrence: Occurrence) -> bytes | None:
        """The content at an occurrence: from the index where it was kept, else from the clone by blob id; None where
        neither has it (any longer).
        """
        return queries.content_at(self._engine, occurrence.repository, occurrence.path, occurrence.blob)

    def document(self, blob: str) -> IndexedDocument:
        """An indexed content: what it is, everywhere it is, and the licenses that hold there.

        Args:
            blob: its git blob id.

        Raises:
            NotFound: the index does not hold it.
        """
        stored = self._engine.blobs([blob]).get(blob)
        places = queries.current_occurrences(self._engine, [blob])[blob]
        if stored is None or not places:
            raise NotFound(f"no content {blob[:80]!a} is in this index; use the blob of a hit")
        self._references.refresh()
        return IndexedDocument(
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
        """The licenses that hold for a file, or for lines of it: those of the SPDX snippet around these, else its own,
        else those of the nearest license files; as `Attribution.licenses`.

        Args:
            occurrence: of the file, from an answer of this index.
            lines: ranges of them, first and last, 1-based, inclusive.

        Raises:
            UsageError: `lines` is not a list.
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

        Raises:
            LanguageError: no language has that name.
        """
        known = None if language is None else languages.get(language).name
        return [*self._analyzer.highlights(name, content, language=known, within=within)]

    def hit_source(self, hit: Hit) -> bytes | None:
        """The content of a hit's best blob, by the first of its occurrences that can be read."""
        return Texts(at=self.source).of(hit.blob, hit.occurrences)

    def repositories(self, *names: str) -> list[RepositoryRecord]:
        """The indexed repositories, by key.

        Args:
            names: only those with one of these keys, with a key like one of these (`*`, `?`), or the one whose key has
                this last part; none for all.

        Raises:
            UnknownRepository: a name matches none.
            UsageError: a name is the last part of several keys.
        """
        return queries.repositories(self._engine, names) if names else self._engine.repositories()

    def files(self, repository: str) -> Iterator[Occurrence]:
        """The indexed files of a repository, by path; a few are held at a time.

        Args:
            repository: its key, the last part of it, or a pattern, as `repositories` takes them.

        Raises:
            UnknownRepository: it is not indexed.
            UsageError: several are meant.
        """
        return self._engine.occurrences(repository=queries.repository(self._engine, repository).key)

    def stats(self, *, verify: bool = False) -> IndexStats:
        """Counts over the index.

        Args:
            verify: first read everything that is stored, and compare it with its checksums; this takes as long as
                reading all files of the index.

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
        """Removes repositories and every blob that only they had.

        Args:
            names: of the repositories, as `repositories` takes them.

        Returns:
            How many occurrences each of them had, by key.

        Raises:
            UsageError: no name, or one that is the last part of several keys; nothing is removed then.
            UnknownRepository: a name matches none; nothing is removed then.
        """
        if not names:
            raise UsageError("no repository to remove; give a key, or a pattern over keys such as 'github.com/old/*'")
        return self._remove([record.key for record in self.repositories(*names)])

    def missing_sources(self) -> list[MissingSource]:
        """The repositories whose source is not where it was indexed, by key: those that are gone, and those of which
        that is not sure (`MissingSource.doubt`).

        Locations are looked up on this machine: ask where the sources were indexed.
        """
        from wherefrom.sources.presence import missing_source  # noqa: PLC0415 -- searches do not wait for it

        return [missing for record in self._engine.repositories() if (missing := missing_source(record))]

    def prune(self, repositories: Iterable[str] | None = None) -> list[MissingSource]:
        """Removes repositories whose source is gone, as `missing_sources` tells; those in doubt stay.

        Args:
            repositories: keys of the only ones that may be removed (default: any).

        Returns:
            What was removed.
        """
        check_lists(repositories=repositories)
        allowed = None if repositories is None else set(repositories)
        gone = [
            missing
            for missing in self.missing_sources()
            if missing.is_gone and (allowed is None or missing.repository in allowed)
        ]
        if gone:
            self._remove([missing.repository for missing in gone])
        return [dataclasses.replace(missing, removed=True) for missing in gone]

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
        """Removes blobs that no repository refers to any longer; returns how many.

        Raises:
            IndexBusy: others are writing.
        """
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
            sources: corpora, as `index` takes them.
            repositories: of this index, as `repositories` takes them; their clones are not needed.
            cache: folder in which clones of URLs are kept (default: `default_cache()`).
            progress: called a few times a second.

        Raises:
            BoilerplateError: nothing in them is long enough, or they are too large; or the name does not print.
            BinaryContent: one of the files is not text.
            SourceError: a source cannot be read.
            UnknownRepository: a repository is not indexed.
        """
        check_set_name(name)
        check_lists(repositories=repositories)
        builder = queries.SetBuilder(name, progress, most=queries.MOST_STORED, analyzer=self._analyzer)
        check_lists(texts=texts, sources=sources)
        builder.add_all(texts, sources, Path(cache) if cache else default_cache())
        if names := list(repositories):
            for record in self.repositories(*names):
                builder.add_repository(self._engine, record.key)
        boilerplate = builder.made()
        with self._engine.writer() as writer:
            writer.put_boilerplate(boilerplate)
        return boilerplate

    @takes(LearnOptions)
    def learn_boilerplate(self, options: LearnOptions) -> Proposals:
        """Proposes boilerplate sets from what many repositories of the index share; writes nothing to it.

        Args:
            options: what to look for; or its fields as keywords.

        Raises:
            UsageError: an option that cannot be right.
        """
        from wherefrom.queries.learning import learn  # noqa: PLC0415 -- searches do not wait for it

        return learn(self._engine, options)

    def accept_boilerplate(self, proposals: Proposals, names: Iterable[str] = ()) -> list[BoilerplateSet]:
        """Stores the proposals of these names as sets, or all of them; sets of their names are replaced.

        Raises:
            BoilerplateError: none is of that name, or there is none at all; nothing is stored then.
        """
        check_lists(names=names)
        sets = proposals.chosen(names)
        with self._engine.writer() as writer:
            for boilerplate in sets:
                writer.put_boilerplate(boilerplate)
        return sets

    def boilerplate_names(self, *, built_in: bool = False) -> list[str]:
        """The stored sets, by name.

        Args:
            built_in: also those that every index has.
        """
        return queries.set_names(self._engine) if built_in else self._engine.boilerplate_names()

    def boilerplate(self, name: str) -> BoilerplateSet:
        """One stored set.

        Raises:
            BoilerplateError: it is not there.
        """
        return queries.stored_set(self._engine, name)

    def export_boilerplate(self, name: str, representation: str = Representation.EXACT) -> BoilerplateTerms:
        """The terms of one stored set, as the Elasticsearch plug-in writes them.

        Args:
            name: of the set.
            representation: `exact`, `renamed`, `p_match` or `text`.

        Raises:
            BoilerplateError: the set is not there, or has no k-grams of that representation.
            UsageError: there is no such representation.
        """
        if representation not in list(Representation):
            raise UsageError(f"a representation is one of {', '.join(Representation)}, not {representation!r}")
        return queries.boilerplate_terms(self.boilerplate(name), Representation(representation))

    def remove_boilerplate(self, name: str) -> None:
        """Removes a stored set.

        Raises:
            BoilerplateError: it is not there.
        """
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
        IndexMissing: nothing is there.
        IndexFormatError: it is not an index, or of another format version.
        SchemeMismatch: it was made by another scheme.
        UnusableIndex: it cannot be used for another reason.
    """
    analyzer = Analyzer(parse_memory)
    reopen = partial(open_engine, location, schemes=scheme_ids(), options=options)
    return Index(reopen(), analyzer, reopen)
