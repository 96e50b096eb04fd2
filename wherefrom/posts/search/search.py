"""Searches for blocks: analyzes each block in another process, looks it up, and checks whether hits name its post."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.options import PostsOptions, SearchOptions
from wherefrom.posts.blocks import PostBlock
from wherefrom.posts.search import reading
from wherefrom.posts.search.answers import BlockSkip, PostAnswer, PostsProgress, PostsReport
from wherefrom.posts.search.selection import select
from wherefrom.posts.store import PostStore
from wherefrom.queries import boilerplate, searching
from wherefrom.queries.attributing import index_references
from wherefrom.results import SearchResult
from wherefrom.support.throttle import Throttle


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
        analysis = reading.analyze_block(block, self._analyzer)
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
    """Why the block was not looked up, or None if it was."""
    query = result.query
    if query.excluded_tokens and (query.needed is not None or not query.fingerprints):
        return BlockSkip.BOILERPLATE
    return BlockSkip.TOO_SHORT if query.needed is not None else None
