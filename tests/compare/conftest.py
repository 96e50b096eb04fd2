"""The fixture for tests that need the kernel."""

from tests.analyzers.conftest import with_kernel

__all__ = ["with_kernel"]
