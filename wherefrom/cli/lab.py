"""`wherefrom lab`: the experiments of the winnowing paper on the user's own code."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.commands import Commands, argument, format_option
from wherefrom.cli.settings import Given
from wherefrom.options import CorpusOptions, SamplerOptions
from wherefrom.options.fields import FilePath, option
from wherefrom.reports.lab import FREQUENCIES, NOISE, SAMPLERS, live_line
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.public import FrequencyResult, NoiseResult, SamplerResult

    Result = TypeVar("Result", SamplerResult, FrequencyResult, NoiseResult)

_Options = TypeVar("_Options", bound=CorpusOptions)

lab = Commands(
    name="lab",
    help="""Run experiments on your own code.

    Repeats the experiments of the winnowing paper on sources or on an index.

    Examples:
        wherefrom lab noise ~/clones  # how much do unrelated repositories share?
    """,
)

Sources = Annotated[
    list[str] | None,
    argument("SOURCE", "Clones, folders of clones, plain folders, archives, repository URLs; without one, the index."),
]

PLOT: Path | None = option(None, FilePath("FILE"), "Also draw the result, as .svg or .png (needs the extra 'lab').")


@lab.subcommand("index")
def samplers(
    given: Given,
    sources: Sources = None,
    *,
    options: SamplerOptions,
    plot: Path | None = PLOT,
    output: str = format_option(SAMPLERS),
) -> None:
    """Measure density and gaps of every sampler.

    Measures random text, a text of one letter, the code, and its files of low entropy.

    Examples:
        wherefrom lab samplers ~/clones  # on your own code
        wherefrom lab samplers --random-text 100000 -k 8 --window 8 ~/clones  # other settings
    """
    _run(wherefrom.measure_samplers, given, sources, options, plot=plot, renderer=SAMPLERS[output])


@lab.subcommand("index")
def frequencies(
    given: Given,
    sources: Sources = None,
    *,
    options: CorpusOptions,
    plot: Path | None = PLOT,
    output: str = format_option(FREQUENCIES),
) -> None:
    """Count how often fingerprints occur, by rank.

    The slope is the slope of log frequency over log rank.

    Examples:
        wherefrom lab frequencies  # on the index
    """
    _run(wherefrom.measure_frequencies, given, sources, options, plot=plot, renderer=FREQUENCIES[output])


@lab.subcommand("index")
def noise(
    given: Given,
    sources: Sources = None,
    *,
    options: CorpusOptions,
    plot: Path | None = PLOT,
    output: str = format_option(NOISE),
) -> None:
    """Measure how much code unrelated repositories share, by k.

    Shows, for each language, the median share of a repository's k-grams that another repository also has.

    Examples:
        wherefrom lab noise ~/clones  # on your own code
    """
    _run(wherefrom.measure_noise, given, sources, options, plot=plot, renderer=NOISE[output])


def _run(
    measure: "Callable[[list[str], _Options], Result]",
    given: Given,
    sources: list[str] | None,
    options: _Options,
    *,
    plot: Path | None,
    renderer: "Renderer[Result]",
) -> None:
    """Measures the sources, or the index if none are named, and shows the result. Fails first if it cannot be drawn."""
    if not sources:
        options = replace(options, index=given.settings.index, engine=given.engine())
    if plot is not None:
        from wherefrom.extend import check_plot  # noqa: PLC0415 -- NumPy is loaded on use

        check_plot(plot)
    with console.LiveLine(live_line) as live:
        result = measure(sources or [], replace(options, progress=live.report))
    if plot is not None:
        wherefrom.plot(result, plot)
    console.render(renderer, result)
