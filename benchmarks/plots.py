"""Plots for the documentation: SVG or PNG, by the file's ending. The same figures always give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@contextmanager
def drawn(path: Path) -> Iterator[Axes]:
    """Axes to draw on. The plot is written to the file when the block ends."""
    import matplotlib as mpl  # noqa: PLC0415 - only those who plot need it
    from matplotlib.figure import Figure  # noqa: PLC0415 - only those who plot need it

    with mpl.rc_context({"svg.hashsalt": "wherefrom", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 4.5), layout="constrained")
        yield figure.add_subplot()
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
