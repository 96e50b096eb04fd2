r"""Everything that the command line does, as typed calls.

```python
import wherefrom

wherefrom.index(["~/clones"], index="example.wherefrom")
with wherefrom.open_index("example.wherefrom") as index:
    result = index.search("def add(first, *others):\n    return first + sum(each for each in others)\n")
    for hit in result.hits:
        print(hit.score, hit.occurrences[0].path)
```
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import date
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import Self

from platformdirs import user_cache_path, user_data_path

from wherefrom import lab, posts, queries
from wherefrom.analyzers import references, versions
from wherefrom.analyzers.content import Limits
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.check.base import FAILING, MIN_TOKENS, CheckProgress, CheckReport, Rule, rules
from wherefrom.check.options import Options as CheckOptions
from wherefrom.check.run import Check
from wherefrom.engines import ElasticsearchOptions, is_same_index, open_engine
from wherefrom.engines import rebuild as rebuild_engine
from wherefrom.engines.base import Engine
from wherefrom.errors import (
    AnalysisError,
    BoilerplateError,
    IndexBusy,
    NotFound,
    SourceError,
    UnknownRepository,
    UsageError,
)
from wherefrom.indexer import Copy, Options, Run
from wherefrom.lab import plots
from wherefrom.languages import LANGUAGES, Language
from wherefrom.model import (
    LEAST_PARSE_MEMORY,
    MAX_FILE_SIZE,
    PARSE_MEMORY,
    PARSE_SECONDS,
    BoilerplateSet,
    CopyProgress,
    CopyReport,
    Hit,
    IndexProgress,
    IndexReport,
    IndexStats,
    Occurrence,
    RepositoryRecord,
    SearchResult,
    SourcesResult,
)
from wherefrom.sources import blob_ids, discover
from wherefrom.workers.analyzer import Analyzer

__all__ = [
    "ElasticsearchOptions",
    "Index",
    "copy",
    "default_cache",
    "default_posts",
    "dump_proposals",
    "fetch_post",
    "import_posts",
    "index",
    "list_languages",
    "load_proposals",
    "make_boilerplate",
    "measure_frequencies",
    "measure_noise",
    "measure_samplers",
    "open_index",
    "open_posts",
    "plot",
    "select_posts",
]


def index(
    sources: Iterable[str | PathLike[str]],
    *,
    index: str | Path,
    rev: str | None = None,
    name: str | None = None,
    keep_source: bool = False,
    include_generated: bool = False,
    include_data: bool = False,
    max_file_size: int = MAX_FILE_SIZE,
    parse_seconds: float = PARSE_SECONDS,
    parse_memory: int = PARSE_MEMORY,
    jobs: int | None = None,
    cache: str | Path | None = None,
    rebuild: bool = False,
    renew: bool = True,
    progress: Callable[[IndexProgress], None] | None = None,
    elasticsearch: ElasticsearchOptions | None = None,
) -> IndexReport:
    """Indexes git clones, folders of clones, plain folders, archives and repository URLs.

    Args:
        sources: paths and URLs; a folder that is no clone itself is searched for clones.
        index: path or URL of the index; made where it is not there yet.
        rev: the revision of every git source (default: HEAD of each).
        name: the repository key, for a single source.
        keep_source: store contents in the index as well; those that it holds already stay without.
        include_generated: also files that are generated, vendored or minified.
        include_data: also data files (JSON, CSV, lock files, ...), as `text`.
        max_file_size: longer files are skipped, in bytes.
        parse_seconds: a file that takes longer to parse is skipped; what counts is processor time.
        parse_memory: a file for which a worker process needs more memory is skipped, in bytes.
        jobs: worker processes (default: one for each core).
        cache: folder in which clones of URLs are kept (default: `default_cache()`).
        rebuild: build a new index beside the one in use, and replace that when all is done; only on Elasticsearch.
        renew: analyze contents again if what analyzed them is older than what is installed (grammars, parser, rules for
            skipping files, extraction of references and licenses), and contents that a new language claims.
        progress: called a few times a second, and once at the end.
        elasticsearch: how to connect, where an index is on Elasticsearch.

    Raises:
        UsageError: no source, or an argument that cannot be right.
        SourceError: a source is not there, or two have one key; nothing was written then. With `rebuild` also where
            one fails on the way: the index in use is as it was then.
        KeyboardInterrupt: with `rebuild`, where it was interrupted: the index in use is as it was then.
        UnusableIndex: the index cannot be used.
    """
    _check_lists(sources=sources)
    named = list(sources)
    if not named:
        raise UsageError("no source to index; give a clone, a folder, an archive or a URL")
    if max_file_size < 1:
        raise UsageError(f"the largest file is at least 1 byte, not {max_file_size}")
    if not 0 < parse_seconds < float("inf"):
        raise UsageError(f"the limit on parsing is a number of seconds above 0, not {parse_seconds}")
    if parse_memory < LEAST_PARSE_MEMORY:
        raise UsageError(f"the limit on memory is at least {LEAST_PARSE_MEMORY} bytes, not {parse_memory}")
    _check_jobs(jobs)
    limits = Limits(
        include_generated=include_generated,
        include_data=include_data,
        max_size=max_file_size,
        parse_seconds=parse_seconds,
        parse_memory=parse_memory,
    )
    found = discover(named, rev=rev, name=name, cache=Path(cache) if cache else default_cache())
    options = Options(limits, keep_source, jobs, renew)
    if not rebuild:
        with closing(open_engine(index, schemes=scheme_ids(), create=True, elasticsearch=elasticsearch)) as engine:
            return Run(engine, found, options, progress).run()
    with rebuild_engine(index, schemes=scheme_ids(), elasticsearch=elasticsearch) as engine:
        report = Run(engine, found, options, progress).run()
        if report.interrupted:
            raise KeyboardInterrupt
        failed = [each for each in report.repositories if each.status == "failed"]
        if failed:
            more = f" (and for {len(failed) - 1:,} more)" if failed[1:] else ""
            raise SourceError(
                f"indexing failed for {failed[0].key}{more}: {failed[0].error}; the index in use is as it was: "
                "repair the source, or leave it out"
            )
    return report


def copy(
    source: str | Path,
    target: str | Path,
    *,
    replace: bool = False,
    jobs: int | None = None,
    progress: Callable[[CopyProgress], None] | None = None,
    elasticsearch: ElasticsearchOptions | None = None,
) -> CopyReport:
    """Copies the repositories and boilerplate sets of an index into another one, without their clones.

    What the target holds already is not sent again, so that a copy that was stopped is simply made again; what else it
    holds stays. Blobs without an occurrence, and occurrences of a repository whose indexing was never finished, are not
    copied. At the end what was copied is read back from both and compared.

    Args:
        source: path or URL of an index.
        target: path or URL of another one; made where it is not there yet.
        replace: take the source's state of a repository or set that the target holds in another one.
        jobs: worker processes (default: one for each core).
        progress: called a few times a second, and once at the end.
        elasticsearch: how to connect, where an index is on Elasticsearch; the same for both.

    Raises:
        UsageError: both are the same index.
        CopyError: the source holds a repository whose last run was stopped, or the target a repository or set in
            another state (nothing was written then); or the two were not the same at the end.
        UnusableIndex: an index cannot be used.
    """
    _check_jobs(jobs)
    with (
        closing(open_engine(source, schemes=scheme_ids(), elasticsearch=elasticsearch)) as read,
        closing(open_engine(target, schemes=scheme_ids(), create=True, elasticsearch=elasticsearch)) as written,
    ):
        if is_same_index(read, written):
            raise UsageError(f"{source} and {target} are one index; name another one to copy to")
        return Copy(read, written, replace=replace, jobs=jobs, progress=progress).run()


def list_languages() -> list[Language]:
    """The languages that are told apart, in the order of their names."""
    return list(LANGUAGES.values())


def default_cache() -> Path:
    """Where clones of URLs are kept unless told otherwise: `wherefrom` in the user's cache folder."""
    return user_cache_path("wherefrom") / "clones"


def default_posts() -> Path:
    """Where imported posts are kept unless told otherwise: `wherefrom/posts.sqlite` in the user's data folder."""
    return user_data_path("wherefrom") / "posts.sqlite"


def import_posts(
    dump: str | Path,
    *,
    store: str | Path | None = None,
    site: str = "stackoverflow.com",
    tags: Sequence[str] = (),
    progress: Callable[[posts.ImportProgress], None] | None = None,
) -> posts.ImportReport:
    """Reads the code of a Stack Exchange data dump into a store of posts, which is made where it is not there yet.

    A run that was stopped is made again and goes on; the same dump is not read twice.

    Args:
        dump: the site's `Posts.xml`, as it is or packed with gzip, bzip2 or zstd.
        store: the store's file (default: `default_posts()`).
        site: the host of the site whose dump it is.
        tags: only questions that have one of these, and their answers.
        progress: called a few times a second, and once at the end.

    Raises:
        UsageError: `site` is not a site of Stack Exchange.
        SourceError: the dump is not there, is none, or ends in the middle (what stands before that is kept); or the
            store cannot be used.
    """
    _check_lists(tags=tags)
    named = _site(site)
    wanted = tuple(tag.lower() for tag in tags)
    posts.open_dump(Path(dump)).close()  # before a store is made for nothing
    with posts.PostStore(Path(store) if store else default_posts(), create=True) as opened:
        return posts.import_dump(opened, Path(dump), site=named, tags=wanted, progress=progress)


def open_posts(store: str | Path | None = None) -> posts.PostStore:
    """Opens a store of posts for reading.

    Raises:
        NotFound: nothing is there.
        SourceError: it is none, of another format, or cannot be read.
    """
    return posts.PostStore(Path(store) if store else default_posts())


def select_posts(sites: Sequence[str] = (), tags: Sequence[str] = (), urls: Sequence[str] = ()) -> posts.Selection:
    """Which imported posts are meant, as `Index.search_posts` takes them.

    Raises:
        UsageError: a site or a URL that is none of Stack Exchange.
    """
    _check_lists(sites=sites, tags=tags, urls=urls)
    named = [_post(url) for url in urls]
    return posts.Selection(
        sites=tuple(_site(site) for site in sites),
        tags=tuple(tag.lower() for tag in tags),
        posts=tuple((each.site, each.answer or each.question or 0) for each in named),
    )


def fetch_post(
    url: str, *, key: str | None = None, base: str | None = None, cache: str | Path | None = None
) -> tuple[posts.PostBlock, ...]:
    """The blocks of code of one post of Stack Exchange, by the public API; a post is kept for a month.

    Args:
        url: of a question or an answer.
        key: of an application that is registered with Stack Exchange; it allows for more requests a day.
        base: the address of the API up to its version, for a mirror.
        cache: folder in which posts are kept (default: `wherefrom/posts` in the user's cache folder).

    Raises:
        UsageError: the URL names no such post.
        NotFound: there is no such post or site, or no code in it.
        SourceError: the API cannot be reached or refuses.
    """
    named = _post(url)
    number, is_answer = (named.question, False) if named.answer is None else (named.answer, True)
    api = posts.Api(Path(cache) if cache else user_cache_path("wherefrom") / "posts", key=key, base=base or posts.BASE)
    found = api.post(named.site, number or 0, is_answer=is_answer).post
    blocks = tuple(posts.PostBlock(found, block) for block in posts.code_blocks(found.body))
    if not blocks:
        raise NotFound(f"{found.url} has no block of code; give a post that has one, or the code itself")
    return blocks


def _post(url: str) -> references.Post:
    """The post that a URL names."""
    named = references.source(url)
    if isinstance(named, references.Post):
        return named
    raise UsageError(
        f"{url[:200]!a} is not a post of a Stack Exchange site; give a URL such as https://stackoverflow.com/a/12345, "
        "or the code itself in a file"
    )


def _site(host: str) -> str:
    """A site's host as its URLs have it today."""
    named = references.target(f"https://{host}/q/1")
    if isinstance(named, references.Post):
        return named.site
    raise UsageError(f"{host[:200]!a} is not a site of Stack Exchange; give its host, such as unix.stackexchange.com")


def measure_samplers(
    sources: Iterable[str | PathLike[str]] = (),
    *,
    index: str | Path | None = None,
    k: int | None = None,
    window: int | None = None,
    random_text: int = 8_000_000,
    cache: str | Path | None = None,
    parse_memory: int = PARSE_MEMORY,
    progress: Callable[[lab.CorpusProgress], None] | None = None,
    elasticsearch: ElasticsearchOptions | None = None,
) -> lab.SamplerResult:
    """Measures density and gaps of every sampler on random text, on a corpus, and on its texts of low entropy.

    Args:
        sources: as `index` takes them.
        index: an index, in place of sources.
        k: tokens in a k-gram of the corpus (default: that of each scheme).
        window: w on the corpus (default: that of each scheme).
        random_text: characters of random text; 0 for none.
        cache: folder in which clones of URLs are kept (default: `default_cache()`).
        parse_memory: a file that needs more memory to parse is left out, in bytes.
        progress: called a few times a second, and once at the end.
        elasticsearch: how to connect, where an index is on Elasticsearch.

    Raises:
        UsageError: both sources and an index, or neither; or a number that cannot be right.
        SourceError: a source is not there.
        UnusableIndex: the index cannot be used.
    """
    if k is not None and not 1 <= k <= 64:
        raise UsageError(f"a k-gram has from 1 to 64 tokens, not {k}")
    if window is not None and window < 1:
        raise UsageError(f"a window holds at least one k-gram, not {window}")
    if random_text < 0:
        raise UsageError(f"random text has 0 characters or more, not {random_text}")
    with _corpus(sources, index, elasticsearch, cache=cache, parse_memory=parse_memory, progress=progress) as corpus:
        return lab.measure_samplers(corpus, k=k, window=window, random_text=random_text)


def measure_frequencies(
    sources: Iterable[str | PathLike[str]] = (),
    *,
    index: str | Path | None = None,
    cache: str | Path | None = None,
    parse_memory: int = PARSE_MEMORY,
    progress: Callable[[lab.CorpusProgress], None] | None = None,
    elasticsearch: ElasticsearchOptions | None = None,
) -> lab.FrequencyResult:
    """Counts how often fingerprints occur, by rank, and fits a power law; arguments and errors: `measure_samplers`."""
    with _corpus(sources, index, elasticsearch, cache=cache, parse_memory=parse_memory, progress=progress) as corpus:
        return lab.measure_frequencies(corpus)


def measure_noise(
    sources: Iterable[str | PathLike[str]] = (),
    *,
    index: str | Path | None = None,
    cache: str | Path | None = None,
    parse_memory: int = PARSE_MEMORY,
    progress: Callable[[lab.CorpusProgress], None] | None = None,
    elasticsearch: ElasticsearchOptions | None = None,
) -> lab.NoiseResult:
    """Measures what unrelated repositories share, by k; arguments and errors: `measure_samplers`."""
    with _corpus(sources, index, elasticsearch, cache=cache, parse_memory=parse_memory, progress=progress) as corpus:
        return lab.measure_noise(corpus)


def plot(result: lab.SamplerResult | lab.FrequencyResult | lab.NoiseResult, path: str | Path) -> None:
    """Draws the result of a measurement into a file, SVG or PNG by its ending.

    Raises:
        UsageError: another ending, or a folder that is not there.
        ExtraMissing: the extra `wherefrom[lab]` is not installed.
        WherefromError: the file cannot be written.
    """
    plots.plot(result, Path(path))


@contextmanager
def _corpus(
    sources: Iterable[str | PathLike[str]],
    location: str | Path | None,
    elasticsearch: ElasticsearchOptions | None,
    *,
    cache: str | Path | None,
    parse_memory: int,
    progress: Callable[[lab.CorpusProgress], None] | None,
) -> Iterator[lab.Corpus]:
    _check_lists(sources=sources)
    named = list(sources)
    if bool(named) == (location is not None):
        raise UsageError("the corpus is either sources or an index; give one of the two")
    if location is None:
        found = discover(named, cache=Path(cache) if cache else default_cache())
        yield lab.Corpus.of_sources(found, analyzer=Analyzer(parse_memory), progress=progress)
        return
    with closing(open_engine(location, schemes=scheme_ids(), elasticsearch=elasticsearch)) as engine:
        yield lab.Corpus.of_engine(engine, progress)


def make_boilerplate(
    texts: Iterable[tuple[str, bytes]] = (),
    *,
    sources: Iterable[str | PathLike[str]] = (),
    name: str = "given with the query",
    cache: str | Path | None = None,
    parse_memory: int = PARSE_MEMORY,
    progress: Callable[[queries.BoilerplateProgress], None] | None = None,
) -> BoilerplateSet:
    """Makes a boilerplate set that no index holds, for `Index.search`; see `Index.add_boilerplate` and `open_index`."""
    builder = queries.SetBuilder(name, progress, analyzer=Analyzer(parse_memory))
    _gather(builder, texts, sources, cache)
    return builder.made()


def dump_proposals(proposals: queries.Proposals) -> bytes:
    """The file (JSON, ASCII) of what `Index.learn_boilerplate` proposes, to be edited and kept."""
    return queries.dump_proposals(proposals)


def load_proposals(data: bytes) -> queries.Proposals:
    """The proposals of a file that `dump_proposals` wrote, perhaps edited by hand since.

    Raises:
        BoilerplateError: it is no such file, or of another version or scheme.
    """
    return queries.load_proposals(data)


def _gather(
    builder: queries.SetBuilder,
    texts: Iterable[tuple[str, bytes]],
    sources: Iterable[str | PathLike[str]],
    cache: str | Path | None,
) -> None:
    _check_lists(texts=texts, sources=sources)
    for file, content in texts:
        builder.add_text(file, content)
    for source in discover(sources, cache=Path(cache) if cache else default_cache()):
        builder.add_source(source)


def _check_set_name(name: str) -> None:
    if not name or not name.isprintable():
        raise BoilerplateError(f"a boilerplate set needs a printable name, not {name!r}")


def open_index(
    location: str | Path, *, parse_memory: int = PARSE_MEMORY, elasticsearch: ElasticsearchOptions | None = None
) -> Index:
    """Opens an index for searching.

    Args:
        location: path or URL.
        parse_memory: what may be used to parse a snippet or a file, in bytes; a process of its own does that.
        elasticsearch: how to connect, where it is on Elasticsearch.

    Raises:
        UsageError: `parse_memory` is too small.
        IndexMissing: nothing is there.
        IndexFormatError: it is no index, or of another format version.
        SchemeMismatch: it was made by another scheme.
        UnusableIndex: it cannot be used for another reason.
    """
    analyzer = Analyzer(parse_memory)
    return Index(open_engine(location, schemes=scheme_ids(), elasticsearch=elasticsearch), analyzer)


class Index:
    """An open index: warm, so that the second search is faster than the first. Use it in a `with` block."""

    def __init__(self, engine: Engine, analyzer: Analyzer | None = None) -> None:
        self._engine = engine
        self._analyzer = analyzer or Analyzer()
        self._said = queries.Places(engine)
        self._admitted_blobs = queries.AdmittedBlobs(engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees what is held open; closing again does nothing. Every later call raises `IndexClosed`."""
        self._engine.close()
        self._analyzer.close()

    def search(
        self,
        code: str | bytes,
        *,
        name: str = "<code>",
        language: str | None = None,
        window: int | None = None,
        limit: int = 10,
        min_containment: float = 0.0,
        repositories: Sequence[str] = (),
        paths: Sequence[str] = (),
        languages: Sequence[str] = (),
        without: Sequence[str] = (),
        without_texts: Sequence[tuple[str, bytes]] = (),
        without_sets: Sequence[BoilerplateSet] = (),
        max_df: float | None = None,
        explain: bool = False,
        sources: Sequence[str] = (),
        authors: Sequence[str] = (),
        licenses: Sequence[str] = (),
        unattributed: bool = False,
        written: date | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> SearchResult:
        """Finds where a snippet stands, and whether that place says where it came from.

        Args:
            code: the snippet; incomplete and dirty ones are normal.
            name: what the answer calls it; its ending helps to guess the language.
            language: else guessed.
            window: w', at least the index's w (default: 2 w, and w for a query of under 60 tokens).
            limit: hits at most.
            min_containment: 0 to 1; hits below are left out.
            repositories: only these repositories (keys, `*` and `?` allowed).
            paths: only paths that match one of these globs: `*.py` in any folder, `src/**`, `lib/*.{c,h}`.
            languages: only blobs in these languages.
            without: names of boilerplate sets to leave out.
            without_texts: (name, content) of files to leave out.
            without_sets: sets to leave out that no index holds, as `make_boilerplate` gives them.
            max_df: k-grams in more than this share of the blobs weigh nothing, 0 to 1.
            explain: give each hit its explanation.
            sources: URLs of the source (an answer and its question are one); each hit is told whether it names one.
            authors: names, any of which names the source too.
            licenses: SPDX identifiers; without sources and authors, the places that state one are told.
            unattributed: leave out the places that name the source, or are it.
            written: the day on which the source was written: files that are older are marked.
            progress: called with the number of the snippet's tokens before they are looked up.

        Raises:
            UsageError: an argument that cannot be right.
            BoilerplateError: a set that is not there, or of another scheme.
            AnalysisError: the snippet is not text (BinaryContent), or to parse it takes too much memory (ParserDied).
        """
        _check_lists(
            repositories=repositories,
            paths=paths,
            languages=languages,
            without=without,
            without_texts=without_texts,
            without_sets=without_sets,
            sources=sources,
            authors=authors,
            licenses=licenses,
        )
        options = queries.Options(
            language=language,
            window=window,
            limit=limit,
            min_containment=min_containment,
            filters=queries.Filters.of(repositories, paths, languages),
            without=tuple(without),
            without_texts=tuple(without_texts),
            without_sets=tuple(without_sets),
            max_df=max_df,
            explain=explain,
            asked=queries.Asked.of(sources, authors, licenses, unattributed=unattributed, written=written),
            progress=progress,
        )
        return queries.search(
            self._engine,
            _bytes(code),
            name=name,
            options=options,
            said=self._said,
            admitted_blobs=self._admitted_blobs,
            analyzer=self._analyzer,
        )

    def search_posts(
        self,
        store: posts.PostStore,
        *,
        sites: Sequence[str] = (),
        tags: Sequence[str] = (),
        urls: Sequence[str] = (),
        after: int = 0,
        limit: int = 10,
        without: Sequence[str] = (),
        unattributed: bool = False,
    ) -> Iterator[queries.PostAnswer]:
        """Finds where the code of imported posts stands, and whether that place names the post: block after block.

        A block's source is its post, be it named by the answer or by its question, and the source's day the post's.

        Args:
            store: the posts, see `open_posts`.
            sites: only posts of these hosts.
            tags: only posts whose question has one of these.
            urls: only these posts.
            after: only blocks behind this `PostBlock.key`: where an earlier search was stopped.
            limit: hits of each block at most.
            without: names of boilerplate sets to leave out.
            unattributed: leave out the places that name the post.

        Raises:
            UsageError: an argument that cannot be right.
            NotFound: the store has no code of a post.
            SourceError: the store cannot be read.
            BoilerplateError: a set that is not there, or of another scheme.
        """
        _check_lists(without=without)
        blocks = store.blocks(select_posts(sites, tags, urls), after)
        return (self.search_post(block, limit=limit, without=without, unattributed=unattributed) for block in blocks)

    def search_post(
        self, block: posts.PostBlock, *, limit: int = 10, without: Sequence[str] = (), unattributed: bool = False
    ) -> queries.PostAnswer:
        """Finds where one block of code of a post stands; see `search_posts`."""
        _check_lists(without=without)
        try:
            result = self.search(
                queries.encoded(block),
                name=block.name,
                language=queries.language_of(block),
                limit=limit,
                without=without,
                sources=[block.post.source_url],
                unattributed=unattributed,
                written=block.post.created,
            )
        except AnalysisError:
            return queries.PostAnswer(block, None, queries.BlockSkip.UNREADABLE)
        skipped = queries.skip_of(result)
        return queries.PostAnswer(block, None if skipped else result, skipped)

    def sources(
        self,
        code: str | bytes,
        *,
        name: str = "<code>",
        language: str | None = None,
        min_tokens: int | None = None,
        limit: int = 10,
        repositories: Sequence[str] = (),
        paths: Sequence[str] = (),
        not_repositories: Sequence[str] = (),
        not_itself: bool = False,
        without: Sequence[str] = (),
        progress: Callable[[int, int], None] | None = None,
    ) -> SourcesResult:
        """Explains a file by few documents that hold its parts, each the one that explains most of what is left.

        Few documents that explain a file need not be those that it was made of: `docs/sources.md`.

        Args:
            code: the file.
            name: what the answer calls it; its ending helps to guess the language.
            language: else guessed.
            min_tokens: tokens of a run from which on it counts (default: t = w + k - 1 of the index, the length from
                which a shared run is always seen).
            limit: documents at most.
            repositories: only these repositories (keys, `*` and `?` allowed).
            paths: only paths that match one of these globs: `*.py` in any folder, `src/**`, `lib/*.{c,h}`.
            not_repositories: none of these repositories.
            not_itself: leave out exact copies of the whole file.
            without: names of boilerplate sets to leave out.
            progress: called before each window of the file is looked up: how many are done, how many there are.

        Raises:
            UsageError: an argument that cannot be right.
            BoilerplateError: a set that is not there, or of another scheme.
            AnalysisError: the file is not text (BinaryContent), or to parse it takes too much memory (ParserDied).
        """
        _check_lists(repositories=repositories, paths=paths, not_repositories=not_repositories, without=without)
        content = _bytes(code)
        options = queries.SourcesOptions(
            language=language,
            filters=queries.Filters.of(
                repositories, paths, (), not_repositories, blob_ids(content) if not_itself else ()
            ),
            without=tuple(without),
            min_tokens=min_tokens,
            limit=limit,
            progress=progress,
        )
        return queries.sources(
            self._engine,
            content,
            name=name,
            options=options,
            admitted_blobs=self._admitted_blobs,
            analyzer=self._analyzer,
        )

    def similar(
        self,
        target: str,
        *,
        by: str = "containment",
        budget: int | None = None,
        limit: int = 10,
        explain: bool = False,
    ) -> SearchResult:
        """Finds files like one that is indexed.

        Args:
            target: `REPOSITORY:PATH`.
            by: `containment` (of the target in the others) or `resemblance`.
            budget: look up only the N smallest hashes of the target.
            limit: hits at most.
            explain: give each hit its explanation.

        Raises:
            UnknownRepository: no such repository, or no such path in it.
        """
        return queries.similar(self._engine, target, by=by, budget=budget, limit=limit, explain=explain)

    def check(
        self,
        *paths: str | Path,
        diff: str | None = None,
        staged: bool = False,
        base: str | None = None,
        patch: bytes | None = None,
        own: Sequence[str] = (),
        without: Sequence[str] = (),
        fail_on: Sequence[Rule] = FAILING,
        baseline: str | Path | None = None,
        update_baseline: bool = False,
        min_tokens: int = MIN_TOKENS,
        max_file_size: int = MAX_FILE_SIZE,
        parse_seconds: float = PARSE_SECONDS,
        progress: Callable[[CheckProgress], None] | None = None,
    ) -> CheckReport:
        """Looks up every function of your own project, or of a change to it, and tells which stand elsewhere, and
        whether the project says so.

        The project itself is not counted: what is indexed under its path or one of its remotes.

        Args:
            paths: files and folders of one project (default: the working directory); of a change only what stands
                under them counts.
            diff: only what is added from A to B: `A..B`, or from their merge base: `A...B`.
            staged: only what the next commit adds.
            base: only what the work tree adds to the merge base of this revision and HEAD.
            patch: only what this unified diff would add to the work tree.
            own: keys of repositories that are yours as well (`*`, `?`).
            without: names of boilerplate sets to leave out.
            fail_on: the rules whose findings are in `CheckReport.failing`.
            baseline: file of findings that do not fail.
            update_baseline: write what fails into it, and leave out what is gone.
            min_tokens: of a piece, at least 15.
            max_file_size: longer files are skipped, in bytes.
            parse_seconds: a file that takes longer to parse is skipped.
            progress: called for each file, and once at the end.

        Raises:
            UsageError: arguments that do not go together, or a rule that does not exist.
            SourceError: the project, a revision or the diff cannot be read, or the diff does not apply.
            BaselineError: the baseline is not there, or of another version; or it cannot be written.
            BoilerplateError: a set is not there.
        """
        _check_lists(own=own, without=without, fail_on=fail_on)
        options = CheckOptions(
            paths=paths,
            diff=diff,
            staged=staged,
            base=base,
            patch=patch,
            own=tuple(own),
            without=tuple(without),
            fail_on=rules(fail_on),
            baseline=None if baseline is None else Path(baseline),
            update_baseline=update_baseline,
            min_tokens=min_tokens,
            limits=Limits(max_size=max_file_size, parse_seconds=parse_seconds),
        )
        return Check(self._engine, options, progress, self._analyzer).run()

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

    def hit_source(self, hit: Hit) -> bytes | None:
        """The content of a hit's best blob, by the first of its occurrences that can be read."""
        own = (occurrence for occurrence in hit.occurrences if occurrence.blob == hit.blob)
        return next((content for each in own if (content := self.source(each)) is not None), None)

    def repositories(self) -> list[RepositoryRecord]:
        """The indexed repositories, by key."""
        return self._engine.repositories()

    def stats(self) -> IndexStats:
        """Counts over the index."""
        stats = self._engine.stats()
        return dataclasses.replace(
            stats,
            older=versions.count_older(stats.analyses),
            without_grammar=versions.count_without_grammar(stats.analyses),
        )

    def remove(self, repository: str) -> int:
        """Removes a repository and every blob that only it had; returns how many occurrences went.

        Raises:
            UnknownRepository: it is not indexed.
        """
        if self._engine.repository(repository) is None:
            raise UnknownRepository(f"no repository {repository!r} is in this index; see `wherefrom list`")
        gone = sum(1 for _ in self._engine.occurrences(repository=repository))
        with self._engine.writer() as writer:
            writer.delete_occurrences(repository)
            writer.delete_repository(repository)
            writer.commit()
            # Beside other writers it is put off: the next sweep finds what is left.
            with suppress(IndexBusy):
                writer.sweep()
        return gone

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
            repositories: keys of repositories of this index; their clones are not needed.
            cache: folder in which clones of URLs are kept (default: `default_cache()`).
            progress: called a few times a second.

        Raises:
            BoilerplateError: nothing in them is long enough, or they are too large; or the name does not print.
            AnalysisError: one of the files is not text, or cannot be analyzed.
            SourceError: a source cannot be read.
            UnknownRepository: a repository is not indexed.
        """
        _check_set_name(name)
        _check_lists(repositories=repositories)
        builder = queries.SetBuilder(name, progress, most=queries.MOST_STORED, analyzer=self._analyzer)
        _gather(builder, texts, sources, cache)
        for key in repositories:
            builder.add_repository(self._engine, key)
        boilerplate = builder.made()
        with self._engine.writer() as writer:
            writer.put_boilerplate(boilerplate)
        return boilerplate

    def learn_boilerplate(
        self,
        *,
        kinds: Iterable[str] = (),
        min_repositories: float | None = None,
        limit: int = 20,
        progress: Callable[[queries.LearningProgress], None] | None = None,
    ) -> queries.Proposals:
        """Proposes boilerplate sets from what many repositories of the index share; writes nothing to it.

        Args:
            kinds: of `shared`, `license`, `generated` and `framework`; empty for all.
            min_repositories: in how many repositories it stands at least: a whole number from 2 on, or a share between
                0 and 1 (default: 2%, and at least 3). Forks and copies of one repository count as one.
            limit: proposals at most, those that cover most of the index.
            progress: called a few times a second.

        Raises:
            UsageError: an argument that cannot be right.
        """
        _check_lists(kinds=kinds)
        try:
            wanted = frozenset(queries.ProposalKind(each) for each in kinds)
        except ValueError:
            known = ", ".join(queries.ProposalKind)
            raise UsageError(f"boilerplate is of the kinds {known}; give one of these") from None
        return queries.learn(
            self._engine, kinds=wanted, min_repositories=min_repositories, limit=limit, progress=progress
        )

    def accept_boilerplate(self, proposals: queries.Proposals, names: Iterable[str] = ()) -> list[BoilerplateSet]:
        """Stores the proposals of these names as sets, or all of them; sets of their names are replaced.

        Raises:
            BoilerplateError: none is of that name, or there is none at all; nothing is stored then.
        """
        _check_lists(names=names)
        sets = proposals.chosen(names)
        with self._engine.writer() as writer:
            for each in sets:
                writer.put_boilerplate(each)
        return sets

    def boilerplate_names(self) -> list[str]:
        """The stored sets, by name."""
        return self._engine.boilerplate_names()

    def boilerplate(self, name: str) -> BoilerplateSet:
        """One stored set.

        Raises:
            BoilerplateError: it is not there.
        """
        return queries.stored_sets(self._engine, [name])[0]

    def remove_boilerplate(self, name: str) -> None:
        """Removes a stored set.

        Raises:
            BoilerplateError: it is not there.
        """
        if name not in self._engine.boilerplate_names():
            raise BoilerplateError(f"no boilerplate set {name!r} in this index; see `wherefrom boilerplate list`")
        with self._engine.writer() as writer:
            writer.delete_boilerplate(name)


def _check_jobs(jobs: int | None) -> None:
    if jobs is not None and jobs < 1:
        raise UsageError(f"there is at least 1 worker process, not {jobs}")


def _check_lists(**given: object) -> None:
    """Refuses one text or path for a parameter that takes several: it would be taken letter by letter."""
    for name, value in given.items():
        if isinstance(value, str | bytes | PathLike):
            raise UsageError(f"{name} takes a list, not one value; pass [{fspath(value)!r}]")


def _bytes(code: str | bytes) -> bytes:
    """A text as it stood in a file: what Python made surrogates of are bytes again, others are encoded as they are."""
    if isinstance(code, bytes):
        return code
    try:
        return code.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return code.encode("utf-8", "surrogatepass")
