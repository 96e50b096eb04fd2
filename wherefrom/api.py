"""The functions that need no open index: indexing, copying, comparing, posts and boilerplate.

`wherefrom.index` opens an index and has the calls on it. The package `wherefrom` has the public names of all modules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from platformdirs import user_cache_path, user_data_path

from wherefrom import parts
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.fingerprints import places_of
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import can_lack_code, engine_options, is_index, is_same_index, open_engine
from wherefrom.engines import rebuild as rebuild_engine
from wherefrom.engines.engine import Engine, TermOrdered
from wherefrom.errors import BoilerplateError, NoCode, NotFound, SourceError, UsageError
from wherefrom.indexer.indexing import IndexingRun, settle_keys
from wherefrom.indexer.removing import remove
from wherefrom.languages import LANGUAGES, Language
from wherefrom.model import STORED_BITS, BoilerplateSet, SkipReason
from wherefrom.options import CompareOptions, CopyOptions, EngineOptions, IndexOptions, PublishOptions, SearchOptions
from wherefrom.options.calls import check_lists, default_cache, encoded, takes
from wherefrom.results import Comparison, CopyReport, IndexReport, PublishReport, RepositoryReport
from wherefrom.results.indexing import DependencyReport
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.discover import FoundSources, Unusable, combined, discover, find_sources
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.source import Source
from wherefrom.support import extension
from wherefrom.support.printable import visible
from wherefrom.support.workers import PARSE_MEMORY

if TYPE_CHECKING:
    from wherefrom.posts.importing import ImportProgress, ImportReport
    from wherefrom.posts.post import PostBlock
    from wherefrom.posts.store import PostStore
    from wherefrom.queries.boilerplate import BoilerplateProgress
    from wherefrom.queries.fingerprinted import FingerprintedQuery

_FEW = 0.05  # a source is warned of if it has at most this many indexed files for each skipped one


@takes(IndexOptions)
def index_sources(
    sources: Iterable[str | PathLike[str] | ListedSource], location: str | Path, options: IndexOptions
) -> IndexReport:
    """Indexes git clones, folders of clones, plain folders, archives, repository URLs and packages.

    A source that is missing or cannot be read does not stop the others: the report has its error. If two sources have
    the same repository key, one is indexed and the report names the other in `left_out`: a linked work tree loses to
    other sources, a URL to a local source, and an older commit to a newer one.

    Args:
        sources: paths, URLs and package URLs, or `ListedSource` for a source with its own name or revision. A folder
            that is not a clone is searched for clones.
        location: path or URL of the index; created if it does not exist.
        options: how sources are read and stored; or its fields as keywords.

    Raises:
        UsageError: there is no source, or an option is wrong.
        SourceError: no source can be indexed; with `strict` also if any source cannot; nothing was written. With
            `rebuild` also if any source fails; the index in use has not changed.
        KeyboardInterrupt: a `rebuild` was interrupted; the index in use has not changed.
        UnusableIndex: the index cannot be used.
        KernelError: the native kernel is required and cannot be used.
    """
    check_lists(sources=sources)
    named = list(sources)
    if not named:
        raise UsageError("no source to index; name a clone, a folder, an archive, a URL or a package")
    # If the kernel is required and missing, this raises before anything is fetched.
    extension.wanted()
    if options.fingerprints_only and not can_lack_code(location):
        raise UsageError(f"--fingerprints-only is for an index in a folder, and {location} is not one; name a folder")
    found = find_sources(
        named,
        cache=options.cache or default_cache(),
        rev=options.rev,
        name=options.name,
        key_from=options.key_from,
        versions=options.versions,
        recurse_submodules=options.recurse_submodules,
        strict=options.strict,
    )
    for source in found.sources:
        if isinstance(source, RemoteSource):
            source.is_whole = options.history
    term_bits, has_code = STORED_BITS[options.wide_terms], not options.fingerprints_only
    if not options.rebuild:
        with closing(_made(location, term_bits, options.engine, has_code=has_code)) as engine:
            if engine.has_code != has_code:
                kind, change = ("with", "leave out") if engine.has_code else ("without", "add")
                raise UsageError(
                    f"{engine.location} is an index {kind} code; {change} --fingerprints-only, or name another index"
                )
            kept, refused = settle_keys(engine, found.sources)
            if refused and (options.strict or not kept):
                raise combined(refused)
            with parts.looking_out(engine) as seen:
                report = IndexingRun(engine, kept, options, seen=seen).run()
            if seen is not None and not report.interrupted:
                report = parts.with_news(engine, options, report)
            if options.history and not report.interrupted:
                report = _with_history(engine, kept, options, report)
            return _with_found(report, found, refused)
    # An index that lacks a source would not replace the old one, so nothing is built if a source is unusable.
    _refuse_failed(_failed(found.unusable))
    with (
        rebuild_engine(location, schemes=scheme_ids(), term_bits=term_bits, options=options.engine) as engine,
        parts.looking_out(engine) as seen,
    ):
        report = IndexingRun(engine, found.sources, options, seen=seen).run()
        if report.interrupted:
            raise KeyboardInterrupt
        _refuse_failed(report.repositories)
    return _with_found(report, found)


@takes(IndexOptions)
def index_dependencies(paths: Iterable[str | PathLike[str]], options: IndexOptions) -> DependencyReport:
    """Indexes what a project depends on, directly and indirectly, by its lock files and manifests, into an index of its
    own: in `dependencies`, beside the folder for clones. What has not changed is not fetched again, and what the
    project no longer depends on is removed. If a package cannot be fetched, the others are indexed.

    Args:
        paths: files and folders of one project; empty for the working directory.
        options: how packages are read and stored; or its fields as keywords.

    Raises:
        SourceError: the project names no package, or none can be indexed.
        UsageError: the paths belong to different projects.
        UnusableIndex: the index cannot be used.
    """
    check_lists(paths=paths)
    cache = options.cache or default_cache()
    checkout, _ = Checkout.of([fspath(path) for path in paths] or ["."])
    made = parts.DependencyIndex(checkout, cache)

    def keep(keys: Collection[str]) -> None:
        with closing(open_engine(made.location, schemes=scheme_ids())) as engine:
            remove(engine, [record.key for record in engine.repositories() if record.key not in keys])

    return made.update(lambda sources: index_sources(sources, made.location, options), keep)


def _with_history(engine: Engine, sources: Sequence[Source], options: IndexOptions, report: IndexReport) -> IndexReport:
    run = parts.HistoryRun(engine, sources, options)
    try:
        run.run()
    except KeyboardInterrupt:
        report = dataclasses.replace(report, interrupted=True)
    warnings = (*report.warnings, *(warning for it in run.reports for warning in it.warnings))
    seconds = report.seconds + run.progress.seconds
    return dataclasses.replace(report, history=tuple(run.reports), seconds=seconds, warnings=warnings)


def _with_found(report: IndexReport, found: FoundSources, refused: Sequence[Unusable] = ()) -> IndexReport:
    """Adds to a run's report the sources that could not be part of the run, and warnings."""
    failed = _failed([*found.unusable, *refused])
    warnings = [*found.warnings, *report.warnings, *_without_files(report.repositories)]
    if why := extension.problem():
        warnings.append(f"indexing takes about twice as long without the native kernel: {why}")
    repositories = (*report.repositories, *failed)
    return dataclasses.replace(report, repositories=repositories, warnings=tuple(warnings), left_out=found.left_out)


def _without_files(repositories: Iterable[RepositoryReport]) -> Iterator[str]:
    """A warning for each source without indexed files, or with almost none."""
    for it in repositories:
        left_out = sum(it.skipped.values())
        if it.status != "failed" and it.files <= _FEW * left_out:
            skipped = ", ".join(f"{number:,} {reason.replace('_', ' ')}" for reason, number in it.skipped.items())
            few = f"only {it.files:,} of {it.files + left_out:,} files" if it.files else "no file"
            all_skipped = f"{'the others' if it.files else 'all'} are skipped ({skipped}); --skipped lists them"
            archives = "; name or unpack the archives" if SkipReason.ARCHIVE in it.skipped else ""
            yield f"{few} of {visible(it.key)} is indexed: {f'{all_skipped}{archives}' if skipped else 'it has none'}"


def _failed(sources: Iterable[Unusable]) -> list[RepositoryReport]:
    return [RepositoryReport(source.name, "failed", "", error=str(source.error)) for source in sources]


def _refuse_failed(repositories: Iterable[RepositoryReport]) -> None:
    """Raises `SourceError` if a repository failed, so that a rebuilt index without it does not replace the index."""
    failed = [repository for repository in repositories if repository.status == "failed"]
    if failed:
        more = f" (and for {len(failed) - 1:,} more)" if failed[1:] else ""
        raise SourceError(
            f"indexing failed for {visible(failed[0].key)}{more}: {failed[0].error}; the index in use is as it was: "
            "repair the source, or leave it out"
        )


@takes(CompareOptions)
def compare_sources(paths: Iterable[str | PathLike[str]], options: CompareOptions) -> Comparison:
    """Compares submissions with each other. The answer has the code that each pair shares. The pairs least likely to be
    alike by chance come first.

    The submissions are read into a temporary index, which lives as long as the answer. A source that cannot be read
    does not stop the others: `Comparison.failed` names it.

    Args:
        paths: files, folders, clones (as committed), archives, URLs; or only the folder of an index, to compare
            everything in that index.
        options: what is compared; or its fields as keywords.

    Raises:
        UsageError: there is no path, a path is named twice, or an option is wrong.
        SourceError: no path can be read.
        BoilerplateError: the template has no code; or `without` names a stored set, which only `Index.compare` can use.
    """
    check_lists(paths=paths)
    named = list(paths)
    if not named:
        raise UsageError("nothing to compare; name files, folders, clones or archives")
    comparer, cache = parts.Comparer(options), options.cache or default_cache()
    if len(named) == 1 and is_index(named[0]):
        engine = open_engine(Path(named[0]).expanduser(), schemes=scheme_ids())
        # The engine stays open because the answer reads contents from it.
        return comparer.index(engine, cache=cache, sets=parts.boilerplate.left_out(engine, options))
    if options.without:
        raise BoilerplateError("boilerplate sets are stored in an index; open it, and use its compare")
    return comparer.paths(named, cache=cache)


@takes(CopyOptions)
def copy_index(sources: str | Path | Sequence[str | Path], target: str | Path, options: CopyOptions) -> CopyReport:
    """Copies the repositories, histories, boilerplate sets and watches of one or several indexes into another index.
    The clones are not needed. The watches of the target look at the copied contents, too.

    No data is sent twice: call this function again to continue a stopped copy. Other data in the target stays. Blobs
    without an occurrence are not copied, and neither are repositories that were never completely indexed. If several
    sources have a repository of a host, or a package, the one that was indexed last is copied. If they read a blob in
    different ways, that of the newest analysis counts, then that of the first source. At the end the copied data is
    read back from all indexes and compared.

    Args:
        sources: path or URL of an index, or several.
        target: path or URL of another index; created if it does not exist.
        options: how to copy; or its fields as keywords.

    Raises:
        UsageError: there is no source, two of the indexes are the same, or the target is without code.
        NoCode: a source is without code.
        CopyError: the last indexing run of a repository in a source was stopped; a repository, set or watch differs in
            the target, or between sources, and it is not known to be the same one (in all cases nothing was written);
            or the indexes differ at the end.
        UnusableIndex: an index cannot be used.
    """
    named = [sources] if isinstance(sources, str | Path) else list(sources)
    if not named:
        raise UsageError("no index to copy; name at least one")
    with ExitStack() as opened:
        read: list[Engine] = []
        for source in named:
            engine = open_engine(source, schemes=scheme_ids(), options=engine_options(source, options.engine))
            opened.enter_context(closing(engine))
            if not engine.has_code:
                raise NoCode(
                    f"{source} is an index without code, and a copy makes terms from code; copy its folder, or publish "
                    "it"
                )
            _refuse_same(read, engine)
            read.append(engine)
        union = parts.Union(read, replace=options.replace)
        histories = [past for engine in read if (past := engine.history()) is not None]
        pasts = parts.Union(histories, replace=options.replace)
        term_bits = max(engine.term_bits for engine in read)
        written = opened.enter_context(closing(_made(target, term_bits, engine_options(target, options.engine))))
        if not written.has_code:
            raise UsageError(f"{target} is an index without code; name another index to copy to")
        _refuse_same(read, written)
        with parts.taking_along(read, written, replaces=options.replace):
            report = parts.Copy(union, written, options).run()
        if not histories:
            return report
        copied = parts.Copy(pasts, written.make_history(), options, is_history=True).run()
        return dataclasses.replace(report, history=copied.repositories, seconds=report.seconds + copied.seconds)


def _refuse_same(engines: Iterable[Engine], engine: Engine) -> None:
    for other in engines:
        if is_same_index(other, engine):
            raise UsageError(f"{other.location} and {engine.location} are one index; name another one")


@takes(PublishOptions)
def publish_index(source: str | Path, folder: str | Path, options: PublishOptions) -> PublishReport:
    """Publishes an index as files that any static web server can serve. Others open it by its URL.

    Files that are already in the folder are not written again, and those of the last publication stay, so readers of it
    go on. The URL may end with `#sha256=` and the SHA-256 in the report: then nothing else is read.

    Args:
        source: path or URL of an index.
        folder: the folder of the files; created if it does not exist.
        options: how to publish; or its fields as keywords.

    Raises:
        UsageError: the folder has other files, or names no folder.
        IndexBusy: somebody wrote to the index meanwhile, or is publishing into the folder.
        UnusableIndex: the index cannot be used, or the folder cannot be written.
    """
    try:
        target = Path(folder).expanduser().absolute()
    except RuntimeError as error:  # `~NAME` names no user, or a user without a home
        raise UsageError(f"{folder} does not name a home folder; use an absolute path") from error
    with closing(open_engine(source, schemes=scheme_ids(), options=engine_options(source, options.engine))) as engine:
        without_code = places_of if options.fingerprints_only else None
        if isinstance(engine, TermOrdered):
            return parts.Publisher(engine, target, options, without_code).run()
        # An engine that cannot list its terms is copied into one that can.
        with TemporaryDirectory() as between:
            copy_index(source, Path(between, "index"), engine=options.engine)
            with closing(open_engine(Path(between, "index"), schemes=scheme_ids())) as copied:
                return parts.Publisher(copied, target, options, without_code).run()


def _made(location: str | Path, term_bits: int, options: EngineOptions | None, *, has_code: bool = True) -> Engine:
    """Opens an index to write to; creates it if it does not exist."""
    return open_engine(
        location, schemes=scheme_ids(), create=True, term_bits=term_bits, options=options, has_code=has_code
    )


@takes(SearchOptions)
def fingerprint(code: str | bytes, options: SearchOptions) -> FingerprintedQuery:
    """Makes the terms of a snippet, which `Index.search` takes in place of the snippet, so whoever looks them up never
    sees the code. `FingerprintedQuery.dump` writes them as JSON.

    Args:
        code: the snippet.
        options: only the name, the language, the lines and the sets to leave out have an effect.

    Raises:
        AnalysisError: the snippet cannot be analyzed.
    """
    return parts.fingerprinted(encoded(code), options, Analyzer())


def list_languages() -> list[Language]:
    """The known languages, by name."""
    return list(LANGUAGES.values())


def default_posts() -> Path:
    """The default file for imported posts: `wherefrom/posts.sqlite` in the user's data folder."""
    return user_data_path("wherefrom") / "posts.sqlite"


def import_posts(
    dump: str | Path,
    *,
    store: str | Path | None = None,
    site: str = "stackoverflow.com",
    tags: Sequence[str] = (),
    progress: Callable[[ImportProgress], None] | None = None,
) -> ImportReport:
    """Imports the code of a Stack Exchange data dump into a store of posts, which is created if it does not exist.

    Call this function again to continue a stopped run. The same dump is not read twice.

    Args:
        dump: the `Posts.xml` of the site, plain or compressed with gzip, bzip2 or zstd.
        store: the file of the store (default: `default_posts()`).
        site: the host of the site.
        tags: import only questions with one of these tags, and their answers.
        progress: called a few times a second, and once at the end.

    Raises:
        UsageError: `site` is not a site of Stack Exchange.
        SourceError: the dump is missing, is not a dump, or is cut off (the posts before the cut are kept); or the store
            cannot be used.
    """
    check_lists(tags=tags)
    named = parts.named_site(site)
    wanted = tuple(tag.lower() for tag in tags)
    # If the dump cannot be opened, this raises before a store is created.
    parts.open_dump(Path(dump)).close()
    with parts.PostStore(Path(store) if store else default_posts(), create=True) as opened:
        return parts.import_dump(opened, Path(dump), site=named, tags=wanted, progress=progress)


def open_posts(store: str | Path | None = None) -> PostStore:
    """Opens a store of posts for reading; raises `SourceError` if it cannot be read."""
    return parts.PostStore(Path(store) if store else default_posts())


def fetch_post(
    url: str, *, key: str | None = None, base: str | None = None, cache: str | Path | None = None
) -> tuple[PostBlock, ...]:
    """Fetches the code blocks of one post from the public API of Stack Exchange; a post is cached for a month.

    Args:
        url: the URL of a question or an answer.
        key: the key of an application registered with Stack Exchange, for more requests a day.
        base: the address of a mirror of the API, including the version.
        cache: the folder for posts (default: `wherefrom/posts` in the user's cache folder).

    Raises:
        UsageError: the URL is not that of a post.
        SourceError: the post or site does not exist or the post has no code (`NotFound`); or the API cannot be reached
            or refuses the request.
    """
    named = parts.named_post(url)
    number, is_answer = (named.question, False) if named.answer is None else (named.answer, True)
    api = parts.Api(Path(cache) if cache else user_cache_path("wherefrom") / "posts", key=key, base=base or parts.BASE)
    found = api.post(named.site, number or 0, is_answer=is_answer).post
    blocks = tuple(parts.PostBlock(found, block) for block in parts.code_blocks(found.body))
    if not blocks:
        raise NotFound(f"{found.url} has no block of code; give a post that has one, or the code itself")
    return blocks


def make_boilerplate(
    texts: Iterable[tuple[str, bytes]] = (),
    *,
    sources: Iterable[str | PathLike[str]] = (),
    name: str = "given with the query",
    cache: str | Path | None = None,
    parse_memory: int = PARSE_MEMORY,
    progress: Callable[[BoilerplateProgress], None] | None = None,
) -> BoilerplateSet:
    """Makes a boilerplate set for `SearchOptions.without_sets`. Arguments and errors: see `Index.add_boilerplate`."""
    builder = parts.boilerplate.SetBuilder(name, progress, analyzer=Analyzer(parse_memory))
    check_lists(texts=texts, sources=sources)
    builder.add_all(texts, discover(sources, cache=Path(cache) if cache else default_cache()))
    return builder.made()
