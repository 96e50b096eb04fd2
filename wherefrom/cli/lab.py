"""`wherefrom lab`: the winnowing paper's experiments on the user's own code."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.flags import Given, IndexLocation, all_filled, format_option, with_options
from wherefrom.cli.help import Commands
from wherefrom.options import CorpusOptions, SamplerOptions
from wherefrom.reports.lab import FREQUENCIES, NOISE, SAMPLERS, live_line
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.lab.figures import CorpusProgress, FrequencyResult, NoiseResult, SamplerResult

    Result = TypeVar("Result", SamplerResult, FrequencyResult, NoiseResult)

_Options = TypeVar("_Options", bound=CorpusOptions)

lab = Commands(
    name="lab",
    help="Experiments on your own code.\n\nThose of the winnowing paper: on sources, or on what an index holds.",
    add_completion=False,
)

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="Clones, folders of clones, plain folders, archives, repository URLs; without one, the index.",
        show_default=False,
        callback=all_filled,
    ),
]

Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Also draw it, as .svg or .png (needs the extra 'lab').", show_default=False
    ),
]


@lab.command()
@with_options(SamplerOptions)
def samplers(
    context: typer.Context,
    sources: Sources = None,
    *,
    plot: Plot = None,
    output: Annotated[str, format_option(SAMPLERS)] = "text",
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Measure density and gaps of every sampler.

    On random text, on a text of one letter, on the code, and on its files of low entropy.
    """
    _run(
        wherefrom.measure_samplers,
        sources,
        _options(context, SamplerOptions, sources, location, flags),
        plot,
        SAMPLERS[output],
    )


@lab.command()
@with_options(CorpusOptions)
def frequencies(
    context: typer.Context,
    sources: Sources = None,
    *,
    plot: Plot = None,
    output: Annotated[str, format_option(FREQUENCIES)] = "text",
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Count how often fingerprints occur, by rank.

    The slope is that of log frequency over log rank.
    """
    _run(
        wherefrom.measure_frequencies,
        sources,
        _options(context, CorpusOptions, sources, location, flags),
        plot,
        FREQUENCIES[output],
    )


@lab.command()
@with_options(CorpusOptions)
def noise(
    context: typer.Context,
    sources: Sources = None,
    *,
    plot: Plot = None,
    output: Annotated[str, format_option(NOISE)] = "text",
    location: IndexLocation = None,
    **flags: Any,
) -> None:
    """Measure how much code unrelated repositories share, by k.

    The median share of a repository's k-grams that another one also has, by language.
    """
    _run(
        wherefrom.measure_noise,
        sources,
        _options(context, CorpusOptions, sources, location, flags),
        plot,
        NOISE[output],
    )


def _options(
    context: typer.Context,
    call: type[_Options],
    sources: list[str] | None,
    location: str | None,
    flags: dict[str, Any],
) -> _Options:
    """What is measured, and how: the sources, else the index."""
    given = Given(context, index=location)
    if sources:
        return given.options(call, flags)
    return given.options(call, flags, index=given.settings.index, engine=given.engine())


def _run(
    measure: "Callable[[list[str], _Options], Result]",
    sources: list[str] | None,
    options: _Options,
    plot: Path | None,
    renderer: "Renderer[Result]",
) -> None:
    """Measures, draws and writes; what prevents a plot is said before the measurement."""
    if plot is not None:
        from wherefrom.lab import plots  # noqa: PLC0415 - NumPy is loaded on use

        plots.check(plot)
    live = console.LiveLine()

    def show(event: "CorpusProgress") -> None:
        live.show(live_line(event, live.width))

    try:
        result = measure(sources or [], replace(options, progress=show if live.active else None))
    finally:
        live.clear()
    if plot is not None:
        wherefrom.plot(result, plot)
    console.render(renderer, result, console.look("never"))
