"""Searches for blocks: analyzes each block in another process, looks it up, and checks whether hits name its post."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from enum import StrEnum

from wherefrom.analyzers import references
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer, ParserDied
from wherefrom.analyzers.cleaning import clean
from wherefrom.analyzers.labels import labelled
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError, ParseTimeout, UsageError
from wherefrom.options import PostsOptions, SearchOptions
from wherefrom.posts.post import PostBlock
from wherefrom.posts.store import PostStore, Selection
from wherefrom.queries import boilerplate, searching
from wherefrom.queries.attributing import index_references
from wherefrom.queries.snippet import analyze_query
from wherefrom.results import SearchResult
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass, field, replace

MOST_ERRORS = 0.2
"""At most this share of a block may fail to parse in the language of its labels or tags. If more fails, the block is
probably something else, such as output or shell commands."""


def analyze_block(block: PostBlock, analyzer: Analyzer) -> Analysis | BlockSkip:
    """Analyzes a block in the language that `language_of` returns. If that fails, returns why the block is skipped."""
    try:
        language = language_of(block, analyzer)
        return analyze_query(block.content, name=block.name, language=language, analyzer=analyzer)
    except (ParserDied, ParseTimeout):
        return BlockSkip.WORKER_DIED
    except AnalysisError:
        return BlockSkip.UNREADABLE


def language_of(block: PostBlock, analyzer: Analyzer) -> str | None:
    """The language that the labels of a block name, or else the tags of its question.

    Returns None if labels and tags name no language, the language's grammar is not installed, or the code is probably
    in another language. The analysis then guesses the language from the code.

    Raises:
        ParserDied, ParseTimeout: the analyzer's process crashed, or took too long.
    """
    label = labelled(block.block.labels) or labelled(block.post.tags)
    content = block.content
    if label in {None, "text"} or content.lstrip().startswith(b"#!") or any(piece.language for piece in clean(content)):
        return None
    try:
        errors = analyze_query(content, name=block.name, language=label, analyzer=analyzer).errors
    except (ParserDied, ParseTimeout):
        raise
    except AnalysisError:
        return None
    return None if errors > MOST_ERRORS * len(content) else label


class BlockSkip(StrEnum):
    """Why a block was not looked up."""

    TOO_SHORT = "too_short"
    BOILERPLATE = "boilerplate"
    """Too little of the block remains after boilerplate is left out."""
    UNREADABLE = "unreadable"
    WORKER_DIED = "worker_died"
    """The analysis of the block crashed, or took too long."""


@dataclass(frozen=True, slots=True)
class PostAnswer:
    """The answer for a block. If the block was not looked up, `result` is None and `skipped` tells why."""

    block: PostBlock
    result: SearchResult | None
    skipped: BlockSkip | None = None


@dataclass(frozen=True, slots=True)
class PostsReport:
    """The counts of a search for the code of posts.

    Attributes:
        searched: blocks that were looked up.
        found: blocks that appear in the index.
        rows: hits of all blocks.
        skipped: blocks that were not looked up, by reason.
    """

    searched: int = 0
    found: int = 0
    rows: int = 0
    skipped: Mapping[BlockSkip, int] = field(default_factory=dict)

    @property
    def blocks(self) -> int:
        """All blocks, looked up or skipped."""
        return self.searched + sum(self.skipped.values())

    def with_answer(self, answer: PostAnswer) -> PostsReport:
        """The counts after one more block."""
        if answer.skipped is not None:
            number = self.skipped.get(answer.skipped, 0) + 1
            return replace(self, skipped={**self.skipped, answer.skipped: number})
        hits = len(answer.result.hits) if answer.result else 0
        return replace(self, searched=self.searched + 1, found=self.found + bool(hits), rows=self.rows + hits)


@dataclass(frozen=True, slots=True)
class PostsProgress:
    """The progress of a search: the counts so far, the number of all selected blocks, and the seconds of this run."""

    report: PostsReport
    total: int
    seconds: float


def select(store: PostStore, options: PostsOptions) -> Selection:
    """Makes the selection of blocks from the sites, tags and posts in the options.

    Raises:
        UsageError: a site or a URL is not one of Stack Exchange.
        NotFound: the store has no code of a post in `options.posts`.
    """
    named = [named_post(url) for url in options.posts]
    selection = Selection(
        sites=tuple(named_site(site) for site in options.sites),
        tags=tuple(tag.lower() for tag in options.tags),
        posts=tuple((post.site, post.answer or post.question or 0) for post in named),
    )
    store.check(selection)
    return selection


def named_post(url: str) -> references.PostLink:
    """The post at a URL. Raises UsageError if it is not on a Stack Exchange site."""
    named = references.source(url)
    if isinstance(named, references.PostLink):
        return named
    raise UsageError(
        f"{url[:200]!a} is not a post of a Stack Exchange site; give a URL such as https://stackoverflow.com/a/12345, "
        "or the code itself in a file"
    )


def named_site(host: str) -> str:
    """The present host of a site, which may have been renamed. Raises UsageError if it is not a Stack Exchange site."""
    named = references.target(f"https://{host}/q/1")
    if isinstance(named, references.PostLink):
        return named.site
    raise UsageError(f"{host[:200]!a} is not a site of Stack Exchange; give its host, such as unix.stackexchange.com")


class PostSearch(Iterator[PostAnswer]):
    """A running search: an iterator over its answers, one for each selected block, by key.

    Args:
        engine: the index.
        store: the posts.
        options: which blocks to look up, and how to search.
        references: the cached references and records of the index; several searches can share it.
        analyzer: analyzes the blocks; several searches can share it.
        before: the counts of an earlier run that stopped after the block `options.after`.

    Raises:
        UsageError: a site or a URL is not one of Stack Exchange.
        NotFound: the options name a post, and the store has no code of that post.
        SourceError: the store cannot be read.
        BoilerplateError: a boilerplate set does not exist, or has another scheme.
    """

    def __init__(
        self,
        engine: Engine,
        store: PostStore,
        options: PostsOptions,
        *,
        references: index_references.IndexReferences,
        analyzer: Analyzer,
        before: PostsReport | None = None,
    ) -> None:
        self.report = before or PostsReport()
        """The counts so far, including the counts of the earlier run."""
        self._engine = engine
        self._store = store
        self._options = options
        self._references = references
        self._analyzer = analyzer
        self._selection = select(store, options)
        self._without = boilerplate.left_out(engine, options)
        self._answers = self._search()

    def __next__(self) -> PostAnswer:
        """The next answer. Raises SourceError if the store cannot be read."""
        return next(self._answers)

    def close(self) -> None:
        """Ends the search early. After the last answer this is not needed."""
        self._answers.close()

    def _search(self) -> Generator[PostAnswer, None, None]:
        after = self._options.after
        total = 0
        if self._options.progress is not None:
            total = self.report.blocks + self._store.count(self._selection, after)
        throttle = Throttle(self._options.progress)
        for block in self._store.blocks(self._selection, after):
            throttle.report(lambda: PostsProgress(self.report, total, throttle.seconds))
            answer = self._answer(block)
            self.report = self.report.with_answer(answer)
            yield answer
        throttle.report(lambda: PostsProgress(self.report, total, throttle.seconds), last=True)

    def _answer(self, block: PostBlock) -> PostAnswer:
        analysis = analyze_block(block, self._analyzer)
        if isinstance(analysis, BlockSkip):
            return PostAnswer(block, None, analysis)
        options = SearchOptions(
            limit=self._options.limit,
            without_sets=self._without,
            sources=[block.post.source_url],
            unattributed=self._options.unattributed,
            earlier=self._options.earlier,
            written=block.post.created,
        )
        result = searching.search_tokens(
            self._engine,
            analysis.tokens,
            options,
            name=block.name,
            language=analysis.language,
            references=self._references,
        )
        skipped = _skip_of(result)
        return PostAnswer(block, None if skipped else result, skipped)


def _skip_of(result: SearchResult) -> BlockSkip | None:
    query = result.query
    if query.excluded_tokens and (query.needed is not None or not query.fingerprints):
        return BlockSkip.BOILERPLATE
    return BlockSkip.TOO_SHORT if query.needed is not None else None
