"""Fixtures for tests that need the kernel, and for tests that run with and without it."""

from tests.analyzers.conftest import both_ways, with_kernel

__all__ = ["both_ways", "with_kernel"]
