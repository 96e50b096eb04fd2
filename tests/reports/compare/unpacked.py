"""What a page of a comparison holds, taken out of it."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from typing import Any


def unpacked(page: str) -> dict[str, Any]:
    """The values that are compressed in a page, by the ids of their elements without `packed-`."""
    found = re.findall(r'<script type="text/plain" id="packed-([\w-]+)">([\w+/=]*)</script>', page)
    return {name: json.loads(zlib.decompress(b64decode(value))) for name, value in found}
