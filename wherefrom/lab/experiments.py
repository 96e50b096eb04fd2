"""The experiments of the lab on any sources, or on an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from os import PathLike
from pathlib import Path

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.errors import UsageError
from wherefrom.lab import frequencies, plots, sampler_experiment
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.figures import FrequencyResult, NoiseResult, SamplerResult
from wherefrom.options import CorpusOptions, SamplerOptions
from wherefrom.options.arguments import check_lists, default_cache
from wherefrom.options.calls import takes
from wherefrom.sources.discover import discover


@takes(SamplerOptions)
def measure_samplers(sources: Iterable[str | PathLike[str]], options: SamplerOptions) -> SamplerResult:
    """Measures density and gaps of every sampler on random text, on a corpus, and on the corpus's texts of low entropy.

    Args:
        sources: as for `index_sources`; empty if `options.index` names an index to measure.
        options: what is measured; or its fields as keywords.

    Raises:
        UsageError: there are both sources and an index, or neither; or an option is wrong.
        SourceError: a source is missing.
        UnusableIndex: the index cannot be used.
    """
    with _corpus(sources, options) as corpus:
        return sampler_experiment.measure(corpus, k=options.k, window=options.window, random_text=options.random_text)


@takes(CorpusOptions)
def measure_frequencies(sources: Iterable[str | PathLike[str]], options: CorpusOptions) -> FrequencyResult:
    """Counts fingerprints by rank, and fits a power law. Arguments and errors: see `measure_samplers`."""
    with _corpus(sources, options) as corpus:
        return frequencies.measure(corpus)


@takes(CorpusOptions)
def measure_noise(sources: Iterable[str | PathLike[str]], options: CorpusOptions) -> NoiseResult:
    """Measures how much code unrelated repositories share, by k. Arguments and errors: see `measure_samplers`."""
    with _corpus(sources, options) as corpus:
        return frequencies.noise(corpus)


def plot(result: SamplerResult | FrequencyResult | NoiseResult, path: str | Path) -> None:
    """Draws the result of a measurement into a file, `.svg` or `.png`.

    Raises:
        UsageError: the file name has another ending, or the folder does not exist.
        ExtraMissing: the extra `lab` is not installed.
        WherefromError: the file cannot be written.
    """
    plots.plot(result, Path(path))


@contextmanager
def _corpus(sources: Iterable[str | PathLike[str]], options: CorpusOptions) -> Iterator[Corpus]:
    check_lists(sources=sources)
    named = list(sources)
    if bool(named) == (options.index is not None):
        raise UsageError("the corpus is either sources or an index; name one of the two")
    if options.index is None:
        found = discover(named, cache=options.cache or default_cache())
        analyzer = Analyzer(options.parse_memory)
        yield Corpus.of_sources(found, analyzer=analyzer, progress=options.progress)
        return
    with closing(open_engine(options.index, schemes=scheme_ids(), options=options.engine)) as engine:
        yield Corpus.of_engine(engine, options.progress)
