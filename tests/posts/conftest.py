"""Real rows, and dumps made in the test."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "stackexchange-dump"


def row(number: int, **attributes: str) -> str:
    """A row of a dump, a question if it is not said otherwise; `attributes` replace and add."""
    values = {
        "Id": str(number),
        "PostTypeId": "1",
        "CreationDate": "2012-03-04T05:06:07.890",
        "Body": f"<p>{number}</p>",
        **attributes,
    }
    return "  <row " + " ".join(f"{name}={quoteattr(value)}" for name, value in values.items()) + " />\n"


def dump(*rows: str) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{"".join(rows)}</posts>'.encode()


@pytest.fixture
def samples() -> Path:
    """The folder of the rows of real dumps, which lies beside a checkout."""
    if not SAMPLES.is_dir():
        pytest.skip("the samples of real dumps are not here")
    return SAMPLES
