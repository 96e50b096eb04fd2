"""Measures the memory of a call."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable


def peak(call: Callable[[], object]) -> int:
    """The peak of bytes that a call allocates."""
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
