"""Compresses values of a page. The page's script decompresses them when it needs them."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Sequence

from markupsafe import Markup

BLOCK = 200_000
"""A block ends as soon as its values have this many bytes before compression."""


def as_json(value: object) -> bytes:
    """A value as JSON in UTF-8, without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def packed(part: bytes) -> Markup:
    """Bytes compressed with zlib, in base 64, for a `<script>` of a type that no browser runs."""
    return Markup(b64encode(zlib.compress(part, 9)).decode())  # noqa: S704 -- base 64 has no markup


def cost(part: bytes) -> int:
    """The approximate number of characters that bytes take in a page."""
    return len(zlib.compress(part, 1)) * 4 // 3


def blocks(values: Sequence[bytes]) -> tuple[list[Markup], list[tuple[int, int]]]:
    """Packs values in JSON into blocks.

    Returns:
        The blocks, each an array of values, and for each value its block and its place there, 0-based.
    """
    places: list[tuple[int, int]] = []
    groups: list[list[bytes]] = []
    size = BLOCK
    for value in values:
        if size >= BLOCK:
            groups.append([])
            size = 0
        places.append((len(groups) - 1, len(groups[-1])))
        groups[-1].append(value)
        size += len(value)
    return [packed(b"[" + b",".join(group) + b"]") for group in groups], places
