"""Files of code, analyzed as `fixed` analyzes them."""

from __future__ import annotations

from hypothesis import strategies as st

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.units import functions
from wherefrom.projects.fixed.sites import FileSide

WORDS = ("reader", "frame", "token", "ledger", "signal", "vertex", "parcel", "harbor", "kernel", "meadow")


def side(text: str, path: str = "code.py", encoding: str = "utf-8") -> FileSide:
    """A file with this text."""
    content = text.encode(encoding)
    analysis = analyze_file(path, content)
    assert isinstance(analysis, Analysis)
    return FileSide(path, content, analysis.tokens, analysis.language, functions(content, analysis))


def function(number: int) -> str:
    """A function that is unlike all others."""
    word = WORDS[number % len(WORDS)]
    return (
        f"def work_{number}(items, {word}):\n"
        f"    total = {word}.start_{number}(items)\n"
        f"    for item in items.of_{number}({number}):\n"
        f"        if item.{word}_{number} > total.limit_{number}:\n"
        f"            raise total.refuse_{number}('{word}', item)\n"
        f"        total = item.weigh_{number}(total)\n"
        f"    return total.finish_{number}({word}, {number + 7})\n"
    )


def file(*numbers: int) -> str:
    """A file with these functions."""
    return "import os\n\n\n" + "\n\n".join(map(function, numbers))


NUMBERS = st.lists(st.integers(0, 99), min_size=1, max_size=6, unique=True)
"""The functions of a file, by number."""
