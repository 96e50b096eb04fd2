"""Reads the data of a comparison out of its page."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from typing import Any

_PACKED = re.compile(r'<script type="text/plain" id="packed-([\w-]+)">([\w+/=]*)</script>')
_HASH = re.compile(r"'sha256-[^']+'")


def unpacked(page: str) -> dict[str, Any]:
    """The values that are compressed in a page, by the ids of their elements without `packed-`."""
    return {name: json.loads(zlib.decompress(b64decode(value))) for name, value in _PACKED.findall(page)}


def all_text(page: str) -> str:
    """All text of a page in lower case, also the compressed text, without hashes."""
    return (_HASH.sub("", _PACKED.sub("", page)) + json.dumps(unpacked(page))).casefold()
