"""What the kernel does for searches is tested over both implementations."""

from __future__ import annotations

from tests.analyzers.conftest import both_ways, with_kernel

__all__ = ["both_ways", "with_kernel"]
