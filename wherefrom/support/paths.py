"""Paths in repositories as text, also those that are not UTF-8."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes


def path_text(path: bytes) -> str:
    """A path as text. If it is not UTF-8, `%` and the bytes that are not UTF-8 are percent-encoded."""
    try:
        return path.decode()
    except UnicodeDecodeError:
        text = path.replace(b"%", b"%25").decode("utf-8", "surrogateescape")
        return re.sub("[\udc80-\udcff]", lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", text)


def likely_path(text: str) -> bytes:
    """The path that `path_text` probably turned into `text`: one that is not UTF-8, if there is such a path."""
    plain = text.encode("utf-8", "surrogatepass")
    decoded = unquote_to_bytes(plain)
    return decoded if path_text(decoded) == text else plain
