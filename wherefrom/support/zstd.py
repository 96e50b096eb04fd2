"""Zstandard with the contexts of each thread: only one thread at a time can use one, and making one costs more than
most uses.
"""

from __future__ import annotations

import threading

import zstandard


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.decompressor = zstandard.ZstdDecompressor()
        self.compressors: dict[int, zstandard.ZstdCompressor] = {}


_OF_THREAD = _OfThread()


def decompress(data: bytes | memoryview) -> bytes:
    """Decompresses a frame that states its size. It allocates that size, so check it first. Raises ZstdError."""
    return _OF_THREAD.decompressor.decompress(data)


def compress(data: bytes, level: int) -> bytes:
    """Compresses a value as a frame that states its size."""
    known = _OF_THREAD.compressors
    if level not in known:
        known[level] = zstandard.ZstdCompressor(level=level, write_content_size=True)
    return known[level].compress(data)
