"""The fixtures that run the tests of a file with the kernel, or with the kernel and in Python."""

from __future__ import annotations

from tests.analyzers.conftest import both_ways, with_kernel

__all__ = ["both_ways", "with_kernel"]
