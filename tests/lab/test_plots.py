"""Plots drawn with matplotlib, and the error if it is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import wherefrom
from wherefrom.errors import UsageError, WherefromError
from wherefrom.lab.figures import (
    CorpusSize,
    Frequencies,
    FrequencyResult,
    Noise,
    NoiseResult,
    SamplerFigures,
    SamplerResult,
)
from wherefrom.model import Representation
from wherefrom.support.version import remedy

pytestmark = pytest.mark.thorough

SIZE = CorpusSize(2, 3, 1000)
SAMPLERS = SamplerResult(
    SIZE,
    (
        SamplerFigures("exact", "winnow", "w=8", 1000, 222, 2 / 9, 7, 993, 0),
        SamplerFigures("exact", "bottom_n", "n=64", 1000, 0, None, 1000, 993, 993),
    ),
)
FREQUENCIES = FrequencyResult(
    SIZE, (Frequencies(Representation.EXACT, 300, 100, 0.5, 0.2, 0.1, 1.0, ((1, 40), (10, 9), (100, 1)), -0.7),)
)
NOISE = NoiseResult(SIZE, (Noise(Representation.RENAMED, "python", 2, ((4, 0.4, 0.5), (32, 0.0, 0.0))),))
EMPTY = (SamplerResult(SIZE, ()), FrequencyResult(SIZE, ()), NoiseResult(SIZE, ()))


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (SAMPLERS, {"exact: winnow w=8", "density", "longest gap, k-grams"}),
        (FREQUENCIES, {"exact, slope -0.70", "rank", "frequency"}),
        (NOISE, {"python", "renamed", "k"}),
    ],
)
@pytest.mark.slow
def test_an_svg_says_what_is_drawn_and_is_the_same_each_time(
    result: SamplerResult | FrequencyResult | NoiseResult, words: set[str], tmp_path: Path
) -> None:
    drawn = []
    for name in ("a.svg", "b.SVG"):
        wherefrom.plot(result, tmp_path / name)
        drawn.append((tmp_path / name).read_bytes())
    assert drawn[0] == drawn[1]
    texts = {element.text for element in ElementTree.fromstring(drawn[0]).iter("{http://www.w3.org/2000/svg}text")}
    assert words <= texts


@pytest.mark.parametrize("result", EMPTY)
@pytest.mark.slow
def test_a_result_without_figures_is_drawn_too(
    result: SamplerResult | FrequencyResult | NoiseResult, tmp_path: Path
) -> None:
    wherefrom.plot(result, tmp_path / "empty.svg")
    assert (tmp_path / "empty.svg").stat().st_size > 0


def test_a_png_is_one(tmp_path: Path) -> None:
    wherefrom.plot(FREQUENCIES, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_that_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg or \.png"):
        wherefrom.plot(NOISE, tmp_path / "plot.pdf")
    with pytest.raises(UsageError, match="no folder"):
        wherefrom.plot(NOISE, tmp_path / "nowhere" / "plot.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(WherefromError, match="cannot write"):
        wherefrom.plot(NOISE, tmp_path / "folder.svg")


@pytest.mark.slow
def test_without_the_extra_one_line_names_it_before_anything_is_read(tmp_path: Path) -> None:
    program = (
        "import sys\nsys.modules['matplotlib'] = None\nfrom wherefrom.cli import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "lab", "noise", "nothing-is-here", "--plot", str(tmp_path / "a.svg")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"wherefrom: error: a plot needs matplotlib, which is not installed; {remedy('lab')}\n"
