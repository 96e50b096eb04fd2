"""Encodes references as bytes, which an index stores with each blob, and decodes them."""

from __future__ import annotations

import json

from wherefrom.analyzers.references.reference import Reference, ReferenceKind, References
from wherefrom.errors import IndexDamaged

_KINDS = frozenset(map(str, ReferenceKind))

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def dump_references(references: References) -> bytes:
    """Encodes references as JSON in ASCII. Returns empty bytes if there are no references."""
    if not references.found:
        return b""
    rows = [
        (str(found.kind), found.line, found.value, *(() if found.text == found.value else (found.text,)))
        for found in references.found
    ]
    return _ENCODER.encode((references.omitted, rows)).encode("ascii")


def load_references(record: bytes) -> References:
    """Decodes the bytes that `dump_references` wrote. A kind that only a newer version knows becomes a `str`.

    Raises:
        IndexDamaged: `dump_references` did not write these bytes.
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


def _kind(text: str) -> ReferenceKind | str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a kind")
    return ReferenceKind(text) if text in _KINDS else text
