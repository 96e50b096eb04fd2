"""Dumps that tests make, and two dumps in the folder `samples`.

The rows in `samples` were written for these tests, in the exact format of real dumps: `early.xml` as dumps were at
first (tags in angle brackets, no license), `late.xml` as they are now (a byte order mark, tags between bars, a license
in each row, rows that are not posts).
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

SAMPLES = Path(__file__).parent / "samples"


def row(number: int, **attributes: str) -> str:
    """A row of a dump, by default a question. `attributes` replace or add attributes."""
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
