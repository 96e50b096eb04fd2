"""References as bytes and back: what an index stores of them beside each blob."""

from __future__ import annotations

import json

from wherefrom.analyzers.references.reference import Kind, Reference, References
from wherefrom.errors import IndexDamaged

_KINDS = frozenset(map(str, Kind))

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
    """The references; a kind that only a newer version knows is its plain text.

    Raises:
        IndexDamaged: these bytes are not such a record.
    """
    if not record:
        return References(())
    try:
        omitted, rows = json.loads(record)
        found = tuple(
            Reference(_kind(kind), value, line, text[0] if text else value) for kind, line, value, *text in rows
        )
    except (TypeError, ValueError) as error:
        raise IndexDamaged(
            f"the references of an indexed file cannot be decoded ({error}); index again into a new folder"
        ) from None
    return References(found, omitted)


def _kind(text: str) -> Kind | str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a kind")
    return Kind(text) if text in _KINDS else text
