"""Writes the results of the lab as tables."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.public import CorpusProgress, CorpusSize, Frequencies, FrequencyResult, NoiseResult, SamplerResult
from wherefrom.reports import layout
from wherefrom.reports.layout import as_lines, clip, count, table
from wherefrom.reports.renderer import Look, formats
from wherefrom.support.printable import one_line, visible

RANKS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
"""The ranks in the table of frequencies. For a rank that was not counted, the table shows the next one that was."""


def live_line(progress: CorpusProgress, width: int = 100) -> str:
    """The progress of reading on one line of at most `width` columns, without a newline."""
    facts = [f"{progress.repositories:,}/{count(progress.repositories_total, 'repository', 'repositories')}"]
    others = [
        count(progress.contents, "content"),
        count(progress.tokens, "token"),
        f"{progress.tokens / max(progress.seconds, 1e-9):,.0f} tokens/s",
    ]
    return layout.live_line(facts, others, visible(progress.repository), width)


def _write_samplers(result: SamplerResult, _look: Look) -> Iterator[str]:
    rows = [
        (
            it.data,
            it.sampler,
            it.parameters,
            f"{it.kgrams:,}",
            f"{it.density:.4f}",
            "" if it.expected is None else f"{it.expected:.4f}",
            f"{it.longest_gap:,}",
            _percent(it.uncovered / it.windows if it.windows else 0.0),
        )
        for it in result.figures
    ]
    header = ("texts", "sampler", "", "k-grams", "density", "at random", "longest gap", "empty windows")
    yield as_lines([*_corpus(result.corpus), "", *table(header, rows, right=(3, 4, 5, 6, 7))])


def _write_frequencies(result: FrequencyResult, look: Look) -> Iterator[str]:
    """The counts, slope and frequencies of each representation, of its fingerprints and of all k-grams. The most common
    fingerprints follow as code.
    """
    parts = _corpus(result.corpus)
    if not result.frequencies:
        yield as_lines(parts)
        return
    every = {it.representation: it for it in result.kgrams}
    rows = []
    for it in result.frequencies:
        rows.append(_frequency_row(f"{it.representation}", it))
        if it.representation in every:
            rows.append(_frequency_row(f"{it.representation}, all k-grams", every[it.representation]))
    ranks = [f"rank {rank:,}" for rank in RANKS]
    header = ("representation", "fingerprints", "different", "once", "twice", "3 times", "slope", *ranks)
    parts += ["", *table(header, rows, right=range(1, len(header)))]
    parts += (
        f"{it.representation}: frequencies are exact for {_percent(it.sampled)} of the different ones, drawn evenly"
        for it in result.frequencies
        if it.sampled < 1
    )
    for it in result.frequencies:
        width = max(look.width - 20, 20)
        codes = ("(not at hand)" if common.code is None else clip(one_line(common.code), width) for common in it.common)
        shown = [(f"{common.frequency:,}", code) for common, code in zip(it.common, codes, strict=True)]
        if shown:
            parts += ["", f"{it.representation}, most common:", *table(("times", "code of one place"), shown, (0,))]
    yield as_lines(parts)


def _frequency_row(name: str, it: Frequencies) -> tuple[str, ...]:
    return (
        name,
        f"{it.fingerprints:,}",
        f"{it.distinct:,}",
        *map(_percent, (it.once, it.twice, it.thrice)),
        "too few" if it.slope is None else f"{it.slope:.2f}",
        *(next((f"{frequency:,}" for at, frequency in it.points if at >= rank), "") for rank in RANKS),
    )


def _write_noise(result: NoiseResult, _look: Look) -> Iterator[str]:
    parts = _corpus(result.corpus)
    if not result.curves:
        parts.append("no two repositories have enough code in one language to compare")
    for representation in dict.fromkeys(curve.representation for curve in result.curves):
        curves = [curve for curve in result.curves if curve.representation is representation]
        ks = sorted({k for curve in curves for k, _, _ in curve.shares})
        rows = []
        for curve in curves:
            medians = {k: median for k, median, _ in curve.shares}
            shown = (_percent(medians[k]) if k in medians else "" for k in ks)
            rows.append((visible(curve.language), f"{curve.repositories:,}", *shown))
        header = (f"{representation}", "repositories", *(f"k={k}" for k in ks))
        parts += ["", *table(header, rows, right=range(1, len(header)))]
    yield as_lines(parts)


def _corpus(size: CorpusSize) -> list[str]:
    of = count(size.repositories, "repository", "repositories")
    parts = [f"{count(size.contents, 'different content')} of {of}, {count(size.tokens, 'token')}"]
    return parts + [f"failed: {visible(key)}: {one_line(why)}" for key, why in size.failed.items()]


def _percent(share: float) -> str:
    return f"{share * 100:.2g}%" if share < 0.995 else f"{share * 100:.0f}%"


SAMPLERS = formats(_write_samplers)

FREQUENCIES = formats(_write_frequencies)

NOISE = formats(_write_noise)
