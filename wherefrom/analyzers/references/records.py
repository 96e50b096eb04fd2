"""References as bytes and back: what an index stores of them beside each blob."""

from __future__ import annotations

import json

from wherefrom.analyzers.references.base import Kind, Reference, References
from wherefrom.errors import IndexDamaged

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def dump_references(references: References) -> bytes:
    """What `load_references` gives back: JSON (ASCII), empty where nothing was found. A text that is no more than the
    value is not written twice.
    """
    if not references.found:
        return b""
    rows = [
        (str(found.kind), found.line, found.value, *(() if found.text == found.value else (found.text,)))
        for found in references.found
    ]
    return _ENCODER.encode((references.omitted, rows)).encode("ascii")


def load_references(record: bytes) -> References:
    """The references.

    Raises:
        IndexDamaged: these bytes are no such record.
    """
    if not record:
        return References(())
    try:
        omitted, rows = json.loads(record)
        found = tuple(
            Reference(Kind(kind), value, line, text[0] if text else value) for kind, line, value, *text in rows
        )
    except (TypeError, ValueError) as error:
        raise IndexDamaged(f"a record of references does not open: {error}; delete the index and index again") from None
    return References(found, omitted)
