"""The experiments of the lab on any sources, or on an index, and their plots, for which the extra `lab` is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.errors import ExtraMissing, UsageError, WherefromError
from wherefrom.lab import measures
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.figures import FrequencyResult, NoiseResult, SamplerResult
from wherefrom.options import CorpusOptions, SamplerOptions
from wherefrom.options.calls import check_lists, default_cache, takes
from wherefrom.sources.discover import discover
from wherefrom.support.version import remedy

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        return measures.sampler_figures(corpus, k=options.k, window=options.window, random_text=options.random_text)


@takes(CorpusOptions)
def measure_frequencies(sources: Iterable[str | PathLike[str]], options: CorpusOptions) -> FrequencyResult:
    """Counts fingerprints by rank, and fits a power law. Arguments and errors: see `measure_samplers`."""
    with _corpus(sources, options) as corpus:
        return measures.frequencies(corpus)


@takes(CorpusOptions)
def measure_noise(sources: Iterable[str | PathLike[str]], options: CorpusOptions) -> NoiseResult:
    """Measures how much code unrelated repositories share, by k. Arguments and errors: see `measure_samplers`."""
    with _corpus(sources, options) as corpus:
        return measures.noise(corpus)


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


SUFFIXES = (".svg", ".png")


def check_plot(path: Path) -> None:
    """Makes sure that a plot can be drawn, before a long run. Raises UsageError if the file has another ending or its
    folder does not exist, and ExtraMissing if matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"a plot is a file {' or '.join(SUFFIXES)}, not {path.name!r}; name one of these")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {str(path.parent)!r} for the plot; make it, or name another")
    if find_spec("matplotlib") is None:
        raise ExtraMissing(f"a plot needs matplotlib, which is not installed; {remedy('lab')}")


def plot(result: SamplerResult | FrequencyResult | NoiseResult, path: str | Path) -> None:
    """Draws a result into a file, SVG or PNG by its ending. Replaces an existing file. Equal results give equal bytes.

    Raises:
        UsageError, ExtraMissing: as `check_plot`.
        WherefromError: the file cannot be written.
    """
    path = Path(path)
    check_plot(path)
    import matplotlib as mpl  # noqa: PLC0415 - loaded on use
    from matplotlib.figure import Figure  # noqa: PLC0415 - loaded on use

    kind = path.suffix.lower().removeprefix(".")
    with mpl.rc_context({"svg.hashsalt": "wherefrom", "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 6), layout="constrained")
        if isinstance(result, SamplerResult):
            _draw_samplers(result, figure)
        elif isinstance(result, FrequencyResult):
            _draw_frequencies(result, figure)
        else:
            _draw_noise(result, figure)
        try:
            figure.savefig(path, format=kind, metadata={"Date": None} if kind == "svg" else None)
        except OSError as error:
            raise WherefromError(f"cannot write {str(path)!r}: {error.strerror}; name another file") from error


def _draw_samplers(result: SamplerResult, figure: Figure) -> None:
    densities, gaps = figure.subplots(1, 2, sharey=True)
    labels = [f"{it.data}: {it.sampler} {it.parameters}" for it in result.figures]
    places = range(len(labels))
    densities.barh(places, [it.density for it in result.figures])
    expected = [(it.expected, place) for place, it in zip(places, result.figures, strict=True) if it.expected]
    densities.plot([it for it, _ in expected], [place for _, place in expected], "k|", label="expected at random")
    densities.set_yticks(places, labels, fontsize=7)
    densities.invert_yaxis()
    densities.set(xlabel="density")
    densities.set_xscale("symlog", linthresh=1e-4)  # unlike `log`, this scale can show 0
    densities.legend(fontsize=7)
    gaps.barh(places, [it.longest_gap for it in result.figures], color="tab:orange")
    gaps.set(xlabel="longest gap, k-grams")
    gaps.set_xscale("symlog", linthresh=1)


def _draw_frequencies(result: FrequencyResult, figure: Figure) -> None:
    axes = figure.subplots()
    for selected in result.frequencies:
        name = selected.representation
        fitted = "" if selected.slope is None else f", slope {selected.slope:.2f}"
        [line] = axes.plot(*zip(*selected.points, strict=True), ".-", label=f"{name}{fitted}")
        for kgrams in result.kgrams:
            if kgrams.representation is name:
                points = zip(*kgrams.points, strict=True)
                axes.plot(*points, ":", color=line.get_color(), label=f"{name}, all k-grams")
    axes.set(xscale="log", yscale="log", xlabel="rank", ylabel="frequency")
    if result.frequencies:
        axes.legend()


def _draw_noise(result: NoiseResult, figure: Figure) -> None:
    from matplotlib import colormaps  # noqa: PLC0415 - loaded on use

    representations = list(dict.fromkeys(curve.representation for curve in result.curves))
    languages = sorted({curve.language for curve in result.curves})
    lines = {}
    panels = figure.subplots(1, max(len(representations), 1), sharey=True, squeeze=False)[0]
    for axes, representation in zip(panels, representations, strict=False):  # without curves, the one panel is empty
        for curve in result.curves:
            if curve.representation is not representation:
                continue
            ks, medians, _ = zip(*curve.shares, strict=True)
            color = colormaps["tab20"](languages.index(curve.language) % 20)
            lines[curve.language] = axes.plot(ks, medians, ".-", color=color, label=curve.language)[0]
        axes.set(title=f"{representation}", xlabel="k")
    panels[0].set_ylabel("median share of k-grams shared")
    panels[0].set_yscale("symlog", linthresh=1e-4)  # unlike `log`, this scale can show 0
    panels[0].set_ylim(0, 1)
    if lines:
        figure.legend(handles=[lines[name] for name in languages], loc="outside lower center", ncols=8, fontsize=7)
