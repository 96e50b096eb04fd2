"""Searches for blocks: analyzes each block in another process, looks it up, and checks whether hits name its post.

A report file grows block by block. Until it is finished, `FILE.position` beside it has the key of the last block that
was written, and the length of the report after that block. A resumed run cuts the report to that length.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from wherefrom.analyzers import references
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer, ParserDied
from wherefrom.analyzers.wrapping import clean, labelled
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError, ParseTimeout, UsageError, WherefromError
from wherefrom.options import PostsOptions, PostsReportOptions, SearchOptions
from wherefrom.posts.post import PostBlock
from wherefrom.posts.store import PostStore, Selection
from wherefrom.queries import boilerplate, searching, statistics
from wherefrom.queries.attributing import index_references
from wherefrom.queries.snippet import analyze_query
from wherefrom.results import SearchResult
from wherefrom.support.closing import Closing
from wherefrom.support.formats import Format, OtherFormat
from wherefrom.support.system import system
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass, field, replace
from wherefrom.support.version import __version__
from wherefrom.support.writing import write_whole

MOST_ERRORS = 0.2
"""At most this share of a block may fail to parse in the language of its labels or tags. If more fails, the block is
probably something else, such as output or shell commands."""


def analyze_block(block: PostBlock, analyzer: Analyzer) -> Analysis | BlockSkip:
    """Analyzes a block in its language (`language_of_post`). If that fails, returns why the block is skipped."""
    try:
        language = language_of_post(block, analyzer)
        return analyze_query(block.content, name=block.name, language=language, analyzer=analyzer)
    except (ParserDied, ParseTimeout):
        return BlockSkip.WORKER_DIED
    except AnalysisError:
        return BlockSkip.UNREADABLE


def language_of_post(block: PostBlock, analyzer: Analyzer) -> str | None:
    """The language that the labels of a block name, or else the tags of its question.

    Returns None if labels and tags name no language, the language's grammar is not installed, or the code is probably
    in another language. The analysis then guesses the language from the code. Raises ParserDied or ParseTimeout if the
    analyzer's process crashed, or took too long.
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
    """The counts of a search for the code of posts: blocks that were looked up, those of them that appear in the index,
    the hits of all blocks, and the blocks that were not looked up, by reason.
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
    """Makes the selection of blocks from the sites, tags and posts in the options. Raises UsageError if a site or a URL
    is not one of Stack Exchange, and NotFound if the store has no code of a post.
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


def is_post(url: str) -> bool:
    """Whether a URL is that of a question or an answer."""
    return isinstance(references.target(url), references.PostLink)


def named_site(host: str) -> str:
    """The present host of a site, which may have been renamed. Raises UsageError if it is not a Stack Exchange site."""
    named = references.target(f"https://{host}/q/1")
    if isinstance(named, references.PostLink):
        return named.site
    raise UsageError(f"{host[:200]!a} is not a site of Stack Exchange; give its host, such as unix.stackexchange.com")


class PostSearch(Iterator[PostAnswer]):
    """A running search: an iterator over its answers, one for each selected block, by key. Several searches can share
    `references` and `analyzer`. `before` has the counts of an earlier run that stopped after the block `options.after`.

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


_COUNTS = ("searched", "found", "rows")


def write_report(
    engine: Engine,
    store: PostStore,
    options: PostsReportOptions,
    *,
    header: str,
    rows: Callable[[PostAnswer], Iterable[str]],
    search: Callable[[PostsReportOptions, PostsReport], PostSearch],
) -> PostsReport:
    """Writes the rows of all selected blocks to a file, and returns the counts. Resumes an earlier run that was
    stopped.

    `header` comes before the first row. `rows` returns the rows of an answer in `options.format`, with their line ends;
    empty if nothing was found. `search` begins a search, with the counts of earlier runs, to which it adds.

    Raises:
        UsageError: as `ReportFile` and `PostSearch`.
        WherefromError: the file cannot be written; or as `PostSearch`.
    """
    if options.path is None:
        raise UsageError("a report needs a file; name it with `path`")
    with ReportFile(options.path, _identity(engine, store, options)) as file:
        skipped = {reason: file.counts[reason] for reason in BlockSkip if reason in file.counts}
        searched, found, hits = (file.counts.get(name, 0) for name in _COUNTS)
        before = PostsReport(searched, found, hits, skipped)
        answers = search(replace(options, after=max(file.after, options.after)), before)
        if file.is_new:
            file.write(header, 0, {})
        with closing(answers):
            for answer in answers:
                report = answers.report
                counts = {name: getattr(report, name) for name in _COUNTS}
                counts |= {str(reason): number for reason, number in report.skipped.items()}
                file.write("".join(rows(answer)), answer.block.key, counts)
        file.finish()
    return answers.report


def _identity(engine: Engine, store: PostStore, options: PostsReportOptions) -> str:
    """A digest of all that the rows depend on, even wherefrom's version. A run with another digest is not resumed."""
    selection = select(store, options)
    history = engine.history()
    values = (
        __version__,
        store.state,
        (selection.sites, selection.tags, selection.posts),
        (options.after, options.limit, options.without, options.unattributed, options.earlier, options.format),
        statistics.index_digest(engine, boilerplate.left_out(engine, options)),
        None if history is None else statistics.index_digest(history),
    )
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


SYNC_SECONDS = 1.0  # the seconds between two writes of the position
_FORMAT = Format(version=1, reader=1, oldest=1)  # the version of `FILE.position`

_REMEDY = "remove it to begin again, or name another file"


class ReportFile(Closing):
    """A report file, for use in a `with` statement. At the end of the statement all that was written is on the disk.

    A report of a search with another `identity` is not resumed. `after` is the key of the last block that was written
    (0 before the first one), and `counts` are those that were written with it.

    Raises:
        UsageError: the file exists, and is not an unfinished report of this identity.
        WherefromError: the file cannot be written.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self._identity = identity
        self._sidecar = path.with_name(f"{path.name}.position")
        self._synced = time.monotonic()
        self._is_whole = False
        self._length = self.after = 0
        self.counts: Mapping[str, int] = {}
        with self._errors():
            if not os.path.lexists(path):
                self._keep()
            self._file = path.open("ab")
        try:
            self._resume()
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Closes the file. If the last rows cannot be written, a resumed run continues before these rows."""
        try:
            if not self._is_whole:
                with self._errors():
                    self._sync()
        finally:
            with suppress(OSError):
                self._file.close()

    @property
    def is_new(self) -> bool:
        """True if nothing was written yet, not even the position after a block without rows."""
        return self._length == 0 and self.after == 0

    def write(self, text: str, after: int, counts: Mapping[str, int]) -> None:
        """Writes the rows of a block, its key and the counts. Raises WherefromError if they cannot be written."""
        content = text.encode("utf-8", "backslashreplace")
        with self._errors():
            self._file.write(content)
            self._length += len(content)
            self.after, self.counts = after, counts
            if time.monotonic() - self._synced >= SYNC_SECONDS:
                self._sync()

    def finish(self) -> None:
        """Marks the report as finished, by removing its position. Raises the errors of `write`."""
        with self._errors():
            self._sync()
            self._sidecar.unlink(missing_ok=True)
        self._is_whole = True

    def _resume(self) -> None:
        try:
            system.lock(self._file.fileno())
        except BlockingIOError:
            raise UsageError(f"another run writes to {self.path}; let it end, or name another file") from None
        except OSError as error:
            raise UsageError(f"{self.path} cannot be locked ({error.strerror}); name a file on a local disk") from None
        self._read_position()
        with self._errors():
            if self._file.seek(0, os.SEEK_END) < self._length:
                raise UsageError(f"{self.path} was cut since its search was stopped; remove it to begin again")
            self._file.truncate(self._length)
            self._file.seek(0, os.SEEK_END)

    def _read_position(self) -> None:
        values = None
        try:
            values = _FORMAT.load(self._sidecar.read_bytes(), _REMEDY)
        except OSError:
            raise UsageError(f"{self.path} is there already; remove it, or name another file") from None
        except OtherFormat as error:
            raise UsageError(f"the report {self.path} {error}") from None
        except (ValueError, TypeError, KeyError):
            pass  # another program wrote the file, so `values` stays None
        match values:
            case {"identity": self._identity, "length": int(length), "after": int(after), "counts": dict(counts)}:
                self._length, self.after, self.counts = length, after, counts
            case _:
                raise UsageError(
                    f"{self.path} was begun by another search, or the posts or the index have changed since; {_REMEDY}"
                )

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._keep()
        self._synced = time.monotonic()

    def _keep(self) -> None:
        values = {"identity": self._identity, "length": self._length, "after": self.after, "counts": dict(self.counts)}
        write_whole(self._sidecar, json.dumps(_FORMAT.stamp() | values).encode("ascii"))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WherefromError(
                f"cannot write {self.path}: {error.strerror}; make room, or name another file with --output"
            ) from error
