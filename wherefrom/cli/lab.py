"""`wherefrom lab`: the winnowing paper's experiments on the user's own code."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

import wherefrom
from wherefrom.cli import console
from wherefrom.cli.options import Format, IndexLocation, all_filled, positive, settings
from wherefrom.reports import json_report, lab_report

if TYPE_CHECKING:
    from wherefrom.lab import CorpusProgress, FrequencyResult, NoiseResult, SamplerResult

    Result = TypeVar("Result", SamplerResult, FrequencyResult, NoiseResult)

lab = typer.Typer(
    name="lab",
    help="Experiments on your own code.\n\nThose of the winnowing paper: on sources, or on what an index holds.",
    rich_markup_mode=None,
    add_completion=False,
)

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="Clones, folders of clones, plain folders, archives, repository URLs; the index where there is none.",
        show_default=False,
        callback=all_filled,
    ),
]

Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Also draw it, as .svg or .png (needs wherefrom[lab]).", show_default=False
    ),
]


@lab.command()
def samplers(
    context: typer.Context,
    sources: Sources = None,
    *,
    k: Annotated[
        int | None,
        typer.Option(
            "-k", metavar="N", help="Tokens in a k-gram.  [default: the index's]", callback=positive, show_default=False
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            "--window", metavar="N", help="The window w.  [default: the index's]", callback=positive, show_default=False
        ),
    ] = None,
    random_text: Annotated[
        int, typer.Option("--random-text", metavar="N", help="Characters of random text.", min=0)
    ] = 8_000_000,
    plot: Plot = None,
    output: Format = "text",
    location: IndexLocation = None,
) -> None:
    """Measure density and gaps of every sampler.

    On random text, on a text of one letter, on the code, and on its files of low entropy.
    """
    _run(
        lambda **corpus: wherefrom.measure_samplers(k=k, window=window, random_text=random_text, **corpus),
        _corpus(context, sources, location),
        plot,
        lab_report.samplers if output == "text" else lambda it: json_report.dumps(lab_report.samplers_to_dict(it)),
    )


@lab.command()
def frequencies(
    context: typer.Context,
    sources: Sources = None,
    *,
    plot: Plot = None,
    output: Format = "text",
    location: IndexLocation = None,
) -> None:
    """Count how often fingerprints occur, by rank.

    The slope is that of log frequency over log rank.
    """
    _run(
        wherefrom.measure_frequencies,
        _corpus(context, sources, location),
        plot,
        lab_report.frequencies
        if output == "text"
        else lambda it: json_report.dumps(lab_report.frequencies_to_dict(it)),
    )


@lab.command()
def noise(
    context: typer.Context,
    sources: Sources = None,
    *,
    plot: Plot = None,
    output: Format = "text",
    location: IndexLocation = None,
) -> None:
    """Measure how much code unrelated repositories share, by k.

    The median share of a repository's k-grams that another one also has, by language.
    """
    _run(
        wherefrom.measure_noise,
        _corpus(context, sources, location),
        plot,
        lab_report.noise if output == "text" else lambda it: json_report.dumps(lab_report.noise_to_dict(it)),
    )


def _corpus(context: typer.Context, sources: list[str] | None, location: str | None) -> dict[str, Any]:
    """The arguments that say what is measured."""
    given = settings(context, index=location)
    if sources:
        return {"sources": sources, "cache": given.cache, "parse_memory": given.parse_memory}
    return {"index": given.index, "elasticsearch": given.elasticsearch}


def _run(
    measure: "Callable[..., Result]", corpus: dict[str, Any], plot: Path | None, render: "Callable[[Result], str]"
) -> None:
    """Measures, draws and writes; what stands in the way of a plot is said before the measurement."""
    if plot is not None:
        from wherefrom.lab import plots  # noqa: PLC0415 - NumPy is loaded on use

        plots.check(plot)
    live = console.LiveLine()

    def show(event: "CorpusProgress") -> None:
        live.show(lab_report.live_line(event, live.width))

    try:
        result = measure(progress=show if live.active else None, **corpus)
    finally:
        live.clear()
    if plot is not None:
        wherefrom.plot(result, plot)
    console.emit(render(result))
