"""Draws the pictures of the documentation that need no browser: a terminal search, winnowing, and the package's rooms.

python -m benchmarks.drawings                # all of them, into docs/pictures
python -m benchmarks.drawings --into FOLDER
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

import grimp
from rich.console import Console
from rich.text import Text

import wherefrom
from examples import demo
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation

ROOT = Path(__file__).resolve().parents[1]

COLUMNS = 150

LAYER = 62
"""Pixels from one layer of rooms to the next."""

LINE = "total = sum(price * count for price, count in basket.items() if count > 0)"

STYLE = """<style>
text { font: 13px ui-monospace, monospace; fill: #1f2328 }
.title { font-weight: bold }
rect { fill: #f6f8fa; stroke: #8c959f; rx: 3px } .kept { fill: #ffe08a; stroke: #9a6700 }
path { fill: none; stroke: #8c959f; stroke-opacity: 0.8 } .paper { fill: #ffffff; stroke: none }
</style>"""


def search() -> str:
    """Draws a terminal with a search of the demo: the source, a file that credits it, and a file that does not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        demo.make_clones(folder / "clones")
        sources = list((folder / "clones").iterdir())
        wherefrom.index_sources([*sources, *demo.packages()], folder / "index")
        (folder / "pasted.py").write_text(demo.SNIPPET)
        shown = ["search", "--source", demo.ORIGIN, "--max-lines", "5", "pasted.py"]
        done = subprocess.run(
            [sys.executable, "-m", "wherefrom", *shown, "--color", "always", "--index", "index"],
            cwd=folder,
            env={**os.environ, "COLUMNS": str(COLUMNS), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
    without_days = re.sub(r"\n +there since .*", "", done.stdout)
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text("$ wherefrom " + " ".join(shown)))
    console.print(Text.from_ansi(without_days))
    svg = console.export_svg(title="wherefrom search", unique_id="search")
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # drops fonts from another host


def winnowing() -> str:
    """Draws a line of code with its tokens, the hashes of its 8-grams, and the hashes that winnowing selects."""
    stream = analyze_snippet(LINE.encode(), language="python").tokens
    scheme = SCHEMES[Representation.EXACT]
    grams = sampled_kgrams(stream, scheme)
    kept = set(sample(grams, scheme).tolist())
    spans = zip(stream.starts.tolist(), stream.ends.tolist(), strict=True)
    tokens = [LINE.encode()[start:end].decode() for start, end in spans]
    parts = []
    left, middles = 10, []
    for token in tokens:
        width = 8 * len(token) + 12
        parts.append(_box(left, 30, width, token))
        middles.append(left + width / 2)
        left += width + 6
    parts.append(f'<text x="10" y="20" class="title">{len(tokens)} tokens</text>')
    title = "the hash of each 8 tokens in a row; winnowing keeps the yellow ones"
    parts.append(f'<text x="10" y="92" class="title">{title}</text>')
    for number, value in enumerate(grams.hashes.tolist()):
        top = 104 + 28 * number
        end = middles[number + scheme.k - 1]
        name = f"{value % 10_000:04}"
        parts.append(_box(middles[number] - 8, top, end - middles[number] + 16, name, "kept" if number in kept else ""))
    return _svg(left + 10, 116 + 28 * len(grams.hashes), parts)


def rooms() -> str:
    """Draws the rooms (top packages) in their layers. A line is an import; it is left out if two others imply it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [re.split(r"\s*[|:]\s*", layer) for layer in contracts[0]["layers"]]
    graph = grimp.build_graph("wherefrom", exclude_type_checking_imports=True)
    places = {
        room: (70 + 220 * place + (330 - 110 * len(row)), 20 + LAYER * number)
        for number, row in enumerate(layers)
        for place, room in enumerate(row)
    }
    edges = {
        (importer, imported)
        for importer, imported in ((_room(edge[0]), _room(edge[1])) for edge in _imports(graph))
        if importer != imported and {importer, imported} <= places.keys()
    }
    lines = [
        _curve(places[importer], places[imported])
        for importer, imported in sorted(edges)
        if not any((importer, between) in edges and (between, imported) in edges for between in places)
    ]
    boxes = [_box(x, y, 170, room) for room, (x, y) in places.items()]
    return _svg(760, 10 + LAYER * len(layers), [*lines, *boxes])


def _imports(graph: grimp.ImportGraph) -> Iterator[tuple[str, str]]:
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            yield module, imported


def _room(module: str) -> str:
    """The room of a module: the second part of its name."""
    return module.split(".")[1] if "." in module else ""


def _curve(above: tuple[int, int], below: tuple[int, int]) -> str:
    """A line from the bottom of a box to the top of another."""
    (x, y), (end_x, end_y) = (above[0] + 85, above[1] + 26), (below[0] + 85, below[1])
    if end_y - y < LAYER:
        return f'<path d="M{x} {y} L{end_x} {end_y}"/>'
    bend = x + (40 if end_x >= x else -40) * (1 + (end_y - y) // (2 * LAYER))
    return f'<path d="M{x} {y} C{bend} {y + 30} {bend} {end_y - 30} {end_x} {end_y}"/>'


def _box(x: float, y: float, width: float, text: str, kind: str = "") -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="26" class="{kind}"/>'
        f'<text x="{x + width / 2:g}" y="{y + 18:g}" text-anchor="middle">{escape(text)}</text>'
    )


def _svg(width: float, height: float, parts: list[str]) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    paper = f'<rect width="{width:g}" height="{height:g}" class="paper"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', STYLE, paper, *parts, "</svg>\n"])


DRAWINGS = {"search.svg": search, "winnowing.svg": winnowing, "rooms.svg": rooms}


def main() -> None:
    """Draws all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "pictures", help="the folder of the pictures")
    into = parser.parse_args().into
    into.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (into / name).write_text(draw(), encoding="utf-8")
        print(into / name)


if __name__ == "__main__":
    main()
