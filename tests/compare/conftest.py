"""The kernel finds the runs that files share: what needs it, and what runs with it and without it."""

from tests.analyzers.conftest import both_ways, with_kernel

__all__ = ["both_ways", "with_kernel"]
