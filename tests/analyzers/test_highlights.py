"""Code is colored by the queries in the wheels of grammars."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.nodes import COLORS, MOST_BYTES, highlights
from wherefrom.languages import LANGUAGES

SAMPLES = {path.stem: path for path in sorted(Path(__file__).with_name("samples").iterdir()) if path.stem in LANGUAGES}

WITHOUT_QUERY = {"csharp", "elixir", "julia", "kotlin", "swift"}
"""Languages whose wheels have no usable query."""

CODE = b"""\
def area(points):  # the area
    \"\"\"Of a polygon.\"\"\"
    return 12 + f"{points}"
"""


def test_code_is_colored_by_what_it_is() -> None:
    found = [(CODE[start:end], color) for start, end, color in highlights("a.py", CODE)]
    assert (b"def", "keyword") in found
    assert (b"# the area", "comment") in found
    assert (b'"""Of a polygon."""', "string") in found
    assert (b"12", "number") in found
    assert not [text for text, _ in found if b"points" in text]


@pytest.mark.slow
def test_every_language_with_a_query_is_colored_in_one_process() -> None:
    with Analyzer() as analyzer:
        for _ in range(2):
            for name, path in SAMPLES.items():
                content = path.read_bytes()
                found = analyzer.highlights(f"a{next(iter(LANGUAGES[name].extensions))}", content)
                assert bool(found) == (name not in WITHOUT_QUERY), name
                assert {color for _, _, color in found} <= {*COLORS}
                assert all(0 <= start < end <= len(content) for start, end, _ in found)
                assert all(end <= start for (_, end, _), (start, _, _) in pairwise(found))


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", CODE), ("a.py", b"\xff\xfe" + CODE), ("a.py", b"x = 1\n" * MOST_BYTES), ("a.py", b""), ("a", b"\0")],
)
def test_what_cannot_be_colored_has_no_color(name: str, content: bytes) -> None:
    assert highlights(name, content) == []
