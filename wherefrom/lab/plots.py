"""Draws results with matplotlib, which the extra `lab` installs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom.errors import ExtraMissing, UsageError, WherefromError
from wherefrom.lab.figures import FrequencyResult, NoiseResult, SamplerResult
from wherefrom.support.version import remedy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")


def check(path: Path) -> None:
    """Makes sure that a plot can be drawn, before a long run.

    Raises:
        UsageError: the name of the file has another ending, or its folder does not exist.
        ExtraMissing: matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"a plot is a file {' or '.join(SUFFIXES)}, not {path.name!r}; name one of these")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {str(path.parent)!r} for the plot; make it, or name another")
    if find_spec("matplotlib") is None:
        raise ExtraMissing(f"a plot needs matplotlib, which is not installed; {remedy('lab')}")


def plot(result: SamplerResult | FrequencyResult | NoiseResult, path: Path) -> None:
    """Draws a result into a file, SVG or PNG by its ending. Replaces an existing file. Equal results give equal bytes.

    Raises:
        UsageError: as `check`.
        ExtraMissing: as `check`.
        WherefromError: the file cannot be written.
    """
    check(path)
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
