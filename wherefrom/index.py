"""An open index, and all calls on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom import parts, results
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.errors import BoilerplateError, NotFound, UsageError
from wherefrom.model import OF_TOKENS, BoilerplateSet, Occurrence, RepositoryRecord, Representation
from wherefrom.options import (
    CheckOptions,
    CompareOptions,
    FirstOptions,
    FixedOptions,
    LearnOptions,
    PostOptions,
    PostsOptions,
    PostsReportOptions,
    ReleasesOptions,
    SearchOptions,
    SimilarOptions,
    SourcesOptions,
    TraceOptions,
    WatchOptions,
)
from wherefrom.options.calls import check_lists, default_cache, encoded, takes
from wherefrom.queries import boilerplate, filters, occurrences, repository_names, searching
from wherefrom.queries.attributing import index_references
from wherefrom.queries.fingerprinted import FingerprintedQuery
from wherefrom.results.locations import rendered_by
from wherefrom.support.closing import Closing

if TYPE_CHECKING:
    from wherefrom.posts.search import PostSearch, PostsReport
    from wherefrom.posts.store import PostStore
    from wherefrom.projects.check.findings import CheckReport
    from wherefrom.projects.trace import TraceResult
    from wherefrom.projects.watch.places import WatchedPlace
    from wherefrom.projects.watch.watches import Watch
    from wherefrom.projects.watch.watching import WatchNews
    from wherefrom.queries.learning import Proposals

rendered_by("wherefrom.reports.notebook")


class Index(Closing):
    """An open index, for use in a `with` block. It caches data, so the second search is faster than the first.

    Calls with options take an options object, or its fields as keywords.

    Raises:
        UsageError: every call, for a wrong argument or option.
        BinaryContent, NoSuchLines: calls with a text, if the text is binary or does not have the lines to look up.
        UnknownRepository: calls with a repository or a file in a repository, if the repository is not indexed.
        BoilerplateError: calls with a boilerplate set, if the set does not exist or has another scheme.
        IndexBusy: calls that change the index, if another process is writing to it.
        IndexClosed: every call after `close`.
    """

    def __init__(
        self, engine: Engine, analyzer: Analyzer | None = None, reopen: Callable[[], Engine] | None = None
    ) -> None:
        self._engine = engine
        self._reopen = reopen
        self._analyzer = analyzer or Analyzer()
        self._references = index_references.IndexReferences(engine)

    def close(self) -> None:
        """Closes the index; closing again does nothing. Every later call raises `IndexClosed`."""
        self._engine.close()
        self._analyzer.close()

    @takes(SearchOptions)
    def search(self, code: str | bytes | FingerprintedQuery, options: SearchOptions) -> results.SearchResult:
        """Finds where a snippet appears, and whether each location credits its source. The snippet need not parse.

        If the index, or the query (`wherefrom.fingerprint`), has no code, terms alone are compared: see `Hit.by_terms`.
        A query without code is searched without the options that need code, such as `language` and `explain`.
        """
        self._refuse_unknown(options.repositories)
        return self._search(code, options)

    def _refuse_unknown(self, names: Sequence[str]) -> None:
        for error in filters.unknown_names(self._engine, names).values():
            raise error

    def _search(self, code: str | bytes | FingerprintedQuery, options: SearchOptions) -> results.SearchResult:
        if isinstance(code, FingerprintedQuery):
            found = searching.search_fingerprinted(self._engine, code, options, references=self._references)
        else:
            found = searching.search(
                self._engine, encoded(code), options, references=self._references, analyzer=self._analyzer
            )
        return self._references.with_licenses(found)

    @takes(FirstOptions)
    def first(self, code: str | bytes, options: FirstOptions) -> results.FirstResult:
        """Finds where code appeared first: at each place that has it, and where it is gone, the oldest place first.

        Only repositories that were indexed with `IndexOptions.history` have a known age. The oldest place is the oldest
        that the index knows, which need not be the origin of the code.
        """
        self._refuse_unknown(options.repositories)
        return parts.first(self._engine, encoded(code), options, references=self._references, analyzer=self._analyzer)

    @takes(ReleasesOptions)
    def releases(self, files: Mapping[str, bytes], options: ReleasesOptions) -> results.ReleasesResult:
        """Tells which releases (versions of packages, tags of clones) code may be from, the nearest first.

        `files` has the contents of a folder by their paths in it, or the content of a single file under the empty path,
        which alone `language` and `lines` are about.
        """
        return parts.releases(self._engine, files, options, references=self._references, analyzer=self._analyzer)

    @takes(PostsOptions)
    def search_posts(self, store: PostStore, options: PostsOptions) -> PostSearch:
        """Finds where the code of imported posts (`open_posts`) appears, and whether these locations credit the post.

        Returns an iterator over the answers, one for each code block; its `report` counts them. Close the iterator to
        end the search early. Blocks that crash or stall the analysis are skipped.

        Raises:
            NotFound: the options name a post, and the store has no code of that post.
            SourceError: the store cannot be read. The iterator may raise this too.
        """
        return self._post_search(store, options)

    def _post_search(self, store: PostStore, options: PostsOptions, before: PostsReport | None = None) -> PostSearch:
        return parts.PostSearch(
            self._engine, store, options, references=self._references, analyzer=self._analyzer, before=before
        )

    @takes(PostsReportOptions)
    def write_posts_report(self, store: PostStore, options: PostsReportOptions) -> PostsReport:
        """Writes the hits of `search_posts` to a file, one row for each hit of each block.

        Call this method again to continue a stopped run: `PATH.position` beside the file tells how far the run came.
        The answer counts all runs. The file is never overwritten. A run cannot be continued with other options, or
        after a change of the posts or the index.

        Raises:
            UsageError: also if the file exists and is not the report of a stopped run.
            NotFound, SourceError: as `search_posts`.
            WherefromError: the file cannot be written. Rows that were written before stay in the file.
        """
        # Reports are built on the library, so it names this one as it names that of notebooks.
        header, rows = import_module("wherefrom.reports.posts").rows(options.format)
        return parts.write_report(
            self._engine,
            store,
            options,
            header=header,
            rows=rows,
            search=lambda options, before: self._post_search(store, options, before),
        )

    @takes(SourcesOptions)
    def sources(self, code: str | bytes, options: SourcesOptions) -> results.SourcesResult:
        """Explains a file by a few documents that contain its parts. Each document explains most of the tokens that the
        earlier ones leave unexplained. The file need not be made from them: see `docs/how-to/explain-file.md`.
        """
        self._refuse_unknown(options.repositories)
        return parts.sources(self._engine, encoded(code), options, references=self._references, analyzer=self._analyzer)

    @takes(SimilarOptions)
    def similar(self, target: str, options: SimilarOptions) -> results.SearchResult:
        """Finds files similar to an indexed file, `REPOSITORY:PATH`. For names of repositories see `repositories`."""
        return parts.similar_files.similar(self._engine, target, options)

    @takes(SimilarOptions)
    def similar_to(self, code: str | bytes, options: SimilarOptions) -> results.SearchResult:
        """Finds indexed files similar to a given file. If the given file itself is indexed, it is a hit too."""
        return parts.similar_files.similar_to(self._engine, encoded(code), options, analyzer=self._analyzer)

    def compare_texts(
        self,
        left: str | bytes,
        right: str | bytes,
        *,
        names: tuple[str, str] = ("left", "right"),
        language: str | None = None,
        options: CompareOptions | None = None,
    ) -> results.Comparison:
        """Compares two texts like two files in `compare`. The answer has at most one pair.

        Args:
            left: the text on the left of the pair.
            right: the text on the right. It counts as earlier work (`Role.ARCHIVE`), so that `left` stays on the left.
            names: names of the texts for the answer; their endings help to guess the language.
            language: the language of both texts; guessed if None.
            options: as for `compare`; `without` names boilerplate sets of this index.
        """
        options = options or CompareOptions()
        both = list(zip(names, (encoded(left), encoded(right)), strict=True))
        sets = boilerplate.left_out(self._engine, options)
        return parts.Comparer(options).texts(both, language=language, analyzer=self._analyzer, sets=sets)

    @takes(CheckOptions)
    def check(self, paths: Sequence[str | Path], options: CheckOptions) -> CheckReport:
        """Looks up every function of a project, or of a change to it, and tells which functions also exist elsewhere
        and whether the project credits them.

        The paths are files and folders of one project, by default the working directory. In a change only files under
        the paths count. Repositories indexed under the project's path or one of its remotes do not count. A stopped
        check leaves its results in the user's cache folder, so the next call with the same arguments continues it.

        Raises:
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BaselineError: the baseline does not exist, has another version, or cannot be written.
        """
        check_lists(paths=paths)
        return self._checked(paths, options)

    @takes(CheckOptions)
    def check_diff(self, content: str | bytes, options: CheckOptions) -> CheckReport:
        """Looks up the code that a unified diff of git adds, without its project. Only the lines in the diff are known,
        so credits elsewhere in the project do not count.

        Raises:
            UsageError: also for an option that needs the project.
            DiffError: the content is not a diff.
        """
        return self._checked(None, dataclasses.replace(options, patch=encoded(content)))

    def _checked(self, paths: Sequence[str | Path] | None, options: CheckOptions) -> CheckReport:
        analyzer = self._analyzer.with_memory(options.parse_memory)
        return parts.Check(self._engine, paths, options, analyzer, self._reopen).run()

    @takes(TraceOptions)
    def trace(self, text: str | bytes, options: TraceOptions) -> TraceResult:
        """Finds which spans of a text, such as the answer of an assistant, are in the index too: functions, stretches
        between them, and paragraphs. In Markdown, each fence is read in its language. Raises AnalysisError if the text
        cannot be analyzed.
        """
        return parts.trace(self._engine, encoded(text), options, self._analyzer.with_memory(options.parse_memory))

    @takes(FixedOptions)
    def fixed(self, commit: str | None, options: FixedOptions) -> results.FixedReport:
        """Finds which locations still have the old form of each function that a commit changed, and which already have
        the new form.

        The commit is a revision of the repository (a merge is compared with its first parent), a range `A..B` or
        `A...B` (from the merge base of both), or None if the options have a diff. Locations in the repository of the
        commit itself do not count; it may be indexed under its path or one of its remotes. Raises SourceError if the
        repository, the commit or the diff cannot be read, or the diff does not fit the files.
        """
        self._refuse_unknown(options.repositories)
        return parts.Fixed(self._engine, commit, options, self._analyzer.with_memory(options.parse_memory)).run()

    @takes(WatchOptions)
    def watch(self, name: str, options: WatchOptions) -> list[WatchedPlace]:
        """Watches for some code, or for the code that a commit fixed: each indexing run looks for it in the contents
        that it adds. Returns the places that have it by now.

        Raises:
            UsageError: also if there is such a watch, or nothing to watch for.
            SourceError: the commit cannot be read.
            NoCode: the index has no code.
        """
        return parts.watching.add(self._engine, name, options, self._analyzer.with_memory(options.parse_memory))

    def watches(self) -> list[Watch]:
        """The watches, by name."""
        return parts.watches.watches(self._engine)

    def watched(self, *names: str) -> list[WatchedPlace]:
        """The places that have the code of some watches, or of all; those that were reported too."""
        return parts.places.places(self._engine, parts.watches.watches(self._engine, names))

    @takes(PostOptions)
    def watch_news(self, names: Sequence[str], options: PostOptions) -> WatchNews:
        """The places of some watches, or of all, that were not reported yet. Posts those of watches with an address.
        They stay new until `mark_reported` gets them.
        """
        check_lists(names=names)
        return parts.watching.news(self._engine, names, options)

    def mark_reported(self, places: Iterable[WatchedPlace]) -> None:
        """Notes that places are not new any more."""
        check_lists(places=places)
        parts.mark_reported(self._engine, places)

    def unwatch(self, name: str) -> None:
        """Removes a watch and its places."""
        parts.watches.remove(self._engine, name)

    @takes(CompareOptions)
    def compare(self, paths: Iterable[str | PathLike[str]], options: CompareOptions) -> results.Comparison:
        """Compares submissions with each other like `compare_sources`, but `without` may name boilerplate sets of this
        index. Without a path, compares everything in this index.

        Raises:
            SourceError: no path can be read.
            BoilerplateError: also if the template has no code.
        """
        check_lists(paths=paths)
        sets = boilerplate.left_out(self._engine, options)
        comparer, cache, named = parts.Comparer(options), options.cache or default_cache(), list(paths)
        if named:
            return comparer.paths(named, cache=cache, sets=sets)
        return comparer.index(self._engine, cache=cache, sets=sets)

    def linked_code(self, url: str, *, dated: bool = False) -> results.LinkedCode:
        """Reads the code that a permalink of a code host names, for `search`, `sources` or `similar_to`.

        The code comes from the clone of the indexed repository, at the revision in the URL; if the clone does not have
        that revision, from the indexed revision. Nothing is fetched.

        Args:
            url: such as `https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20`, or of another host in
                `wherefrom.support.hosts`.
            dated: also find out from the clone's history when the lines were written, which takes up to 10 seconds.

        Raises:
            NotFound: there is no such file, or neither the index nor the clone has its content.
        """
        return parts.permalinks.linked_code(self._engine, url, dated=dated)

    def target_source(self, target: str) -> bytes | None:
        """The content of an indexed file, `REPOSITORY:PATH`, read like `source`. None if it cannot be read."""
        return self.source(parts.similar_files.find_occurrence(self._engine, target))

    def source(self, occurrence: Occurrence) -> bytes | None:
        """The content of an occurrence, from the index or else from the clone. None if neither has the content."""
        return occurrences.content_at(self._engine, occurrence.repository, occurrence.path, occurrence.blob)

    def document(self, blob: str) -> results.IndexedDocument:
        """Looks up the content with a git blob id. The answer has all its locations and the licenses there. Raises
        NotFound if the index does not have this content.
        """
        stored = self._engine.blobs([blob]).get(blob)
        places = occurrences.current_occurrences(self._engine, [blob])[blob]
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
            occurrences.records_at(self._engine, places),
            occurrences.texts(self._engine),
        )

    def licenses(self, occurrence: Occurrence, lines: Sequence[tuple[int, int]] = ()) -> tuple[str, ...]:
        """The licenses of an indexed file, or of ranges of its lines (first and last, 1-based, inclusive): from the
        SPDX snippet around the lines, else from the file, else from the nearest license files.
        """
        check_lists(lines=lines)
        return self._references.statements(occurrence).licenses(lines)

    def ages(self, places: Sequence[tuple[Occurrence, Sequence[tuple[int, int]]]]) -> list[results.Age | None]:
        """How old indexed files are, or ranges of their lines (first and last, 1-based, inclusive; empty for the whole
        file), by the history of the index; for a package by its release. The age is None if it is not known.
        """
        check_lists(places=places)
        self._references.refresh()
        return self._references.histories.ages(places)

    def hit_source(self, hit: results.Hit) -> bytes | None:
        """The content of a hit's best blob, from its first readable occurrence; None if no occurrence can be read."""
        return occurrences.texts(self._engine).of(hit.blob, hit.occurrences)

    def repositories(self, *names: str) -> list[RepositoryRecord]:
        """The indexed repositories with some names, by key; without names, all. A name is a key, a pattern for keys
        (`*`, `?`) or the last part of a key.
        """
        return repository_names.repositories(self._engine, names) if names else self._engine.repositories()

    def repository_at(self, address: str) -> tuple[RepositoryRecord, str] | None:
        """The repository and the path that an address `KEY/PATH` names, with or without such a file. None if no key of
        a repository is its beginning.
        """
        return repository_names.at_address(self._engine, address)

    def projects(self, *names: str) -> list[results.IndexedProject]:
        """The repositories, grouped by project: a clone, the versions of its packages, and its forks. With names, only
        the projects that they mean; a name may also be that of a package without a version. Raises UnknownRepository
        if a name means no project.
        """
        return parts.projects.projects(self._engine, names)

    def repository_keys(self, *places: str) -> list[str]:
        """The keys of all repositories, ascending; with `places`, of those that have one of these keys (in any case) or
        were read from one of these paths.
        """
        return sorted(repository_names.keys_at(self._engine, places)) if places else self._engine.repository_keys()

    def files(self, repository: str) -> Iterator[Occurrence]:
        """Yields the indexed files of one repository, by path, in constant memory. For names see `repositories`."""
        record = repository_names.repository(self._engine, repository)
        # An unchanged file is not written again for a new revision.
        files = self._engine.occurrences(repository=record.key)
        return (dataclasses.replace(at, revision=record.revision) for at in files)

    def shared(self, repository: str, folder: str = "", *, begin: int = 0, seconds: float = 5.0) -> results.SharedCode:
        """Finds the repositories that share code with an indexed one, and whether either side credits the other.

        All files with code are looked up as a whole. Of those whose content is nowhere else, parts of the largest ones
        are looked up too, which takes long.

        Args:
            repository: a name as in `repositories`.
            folder: look only at its files whose path begins with this text, such as `src/`.
            begin: do not look up parts of this many of the largest files: the `end` of the answer before.
            seconds: how long parts are looked up, and at least those of one file.
        """
        references, analyzer = self._references, self._analyzer
        return parts.shared(
            self._engine, repository, folder, begin=begin, seconds=seconds, references=references, analyzer=analyzer
        )

    def stats(self, *, verify: bool = False) -> results.IndexStats:
        """Counts what the index has. With `verify`, first reads all files of the index and checks their checksums.
        Raises IndexDamaged if stored data has changed or is missing.
        """
        return parts.statistics.stats(self._engine, verify=verify)

    def remove(self, *names: str) -> dict[str, int]:
        """Removes repositories, and every blob that no other repository has. Returns the number of occurrences of each
        removed repository, by key. If one of the names (see `repositories`) is wrong, removes nothing.
        """
        if not names:
            raise UsageError("no repository to remove; give a key, or a pattern over keys such as 'github.com/old/*'")
        return parts.removing.remove(self._engine, [record.key for record in self.repositories(*names)])

    def missing_sources(self) -> list[results.MissingSource]:
        """The repositories whose source is not where it was indexed, by key. `doubt` tells why it may still exist."""
        return [missing for record in self._engine.repositories() if (missing := parts.missing_source(record))]

    def prune(self, repositories: Iterable[str] | None = None) -> list[results.MissingSource]:
        """Removes repositories (all, or with these keys) whose source certainly no longer exists, and returns them."""
        check_lists(repositories=repositories)
        allowed = None if repositories is None else set(repositories)
        return parts.removing.prune(self._engine, self.missing_sources(), allowed)

    def sweep(self) -> int:
        """Removes blobs that no repository refers to any longer; returns their number."""
        return parts.removing.sweep(self._engine)

    def add_boilerplate(
        self,
        name: str,
        texts: Iterable[tuple[str, bytes]] = (),
        *,
        sources: Iterable[str | PathLike[str]] = (),
        repositories: Iterable[str] = (),
        cache: str | Path | None = None,
        progress: Callable[[boilerplate.BoilerplateProgress], None] | None = None,
    ) -> BoilerplateSet:
        """Makes and stores a boilerplate set; an existing set of this name is replaced.

        Args:
            name: the name of the set.
            texts: (file name, content) of files.
            sources: as for `index_sources`.
            repositories: repositories of this index (names as in `repositories`); their clones are not needed.
            cache: the folder for clones of URLs (default: `default_cache()`).
            progress: called a few times a second.

        Raises:
            BoilerplateError: no code is long enough, the set would be too large, or the name is not printable.
            SourceError: a source cannot be read.
        """
        if not name or not name.isprintable():
            raise BoilerplateError(f"a boilerplate set needs a printable name, not {name!r}")
        check_lists(repositories=repositories, texts=texts, sources=sources)
        builder = boilerplate.SetBuilder(name, progress, most=boilerplate.MOST_STORED, analyzer=self._analyzer)
        builder.add_all(texts, parts.discover(sources, cache=Path(cache) if cache else default_cache()))
        if names := list(repositories):
            for record in self.repositories(*names):
                builder.add_repository(self._engine, record.key)
        [stored] = self._stored([builder.made()])
        return stored

    @takes(LearnOptions)
    def learn_boilerplate(self, options: LearnOptions) -> Proposals:
        """Proposes boilerplate sets of code that many repositories of the index share, without storing them."""
        return parts.learn(self._engine, options)

    def accept_boilerplate(self, proposals: Proposals, names: Iterable[str] = ()) -> list[BoilerplateSet]:
        """Stores the proposals with these names as sets, by default all; existing sets of the same names are replaced.
        If a name has no proposal, nothing is stored.
        """
        check_lists(names=names)
        return self._stored(proposals.chosen(names))

    def _stored(self, sets: list[BoilerplateSet]) -> list[BoilerplateSet]:
        with self._engine.writer() as writer:
            for boilerplate in sets:
                writer.put_boilerplate(boilerplate)
        return sets

    def boilerplate_names(self, *, built_in: bool = False) -> list[str]:
        """The names of the stored boilerplate sets; with `built_in` also of the sets that every index has."""
        return boilerplate.set_names(self._engine) if built_in else self._engine.boilerplate_names()

    def boilerplate(self, name: str) -> BoilerplateSet:
        """The boilerplate set with a name: a stored set, or one that every index has."""
        return boilerplate.stored_set(self._engine, name)

    def export_boilerplate(self, name: str, representation: str = Representation.EXACT) -> results.BoilerplateTerms:
        """The terms of a boilerplate set in one representation, as the Elasticsearch plug-in writes them."""
        if representation not in OF_TOKENS:
            raise UsageError(f"a representation is one of {', '.join(OF_TOKENS)}, not {representation!r}")
        return parts.plugin.boilerplate_terms(self.boilerplate(name), Representation(representation))

    def remove_boilerplate(self, name: str) -> None:
        """Removes a stored boilerplate set; raises `BoilerplateError` if the index does not store it."""
        if name not in self._engine.boilerplate_names():
            raise BoilerplateError(f"no boilerplate set {name!r} in this index; see `wherefrom boilerplate list`")
        with self._engine.writer() as writer:
            writer.delete_boilerplate(name)
