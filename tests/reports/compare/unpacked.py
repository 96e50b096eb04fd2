"""What a page of a comparison holds, taken out of it."""

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
    """All that a page says, in lower case: what is compressed in it too, and nothing that looks random."""
    return (_HASH.sub("", _PACKED.sub("", page)) + json.dumps(unpacked(page))).casefold()
