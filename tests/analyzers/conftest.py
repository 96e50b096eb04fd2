"""Runs the tests of the analyzers in Python alone and with the kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from wherefrom.support import extension


def use_kernel(wish: str) -> Iterator[None]:
    """Chooses the implementation. Skips the test if the kernel is not built, unless the run requires it."""
    with pytest.MonkeyPatch.context() as patch:
        if wish == "require" and os.environ.get(extension.VARIABLE) != "require":
            patch.setenv(extension.VARIABLE, "1")
            if problem := extension.problem():
                pytest.skip(f"no kernel: {problem}")
        patch.setenv(extension.VARIABLE, wish)
        yield


@pytest.fixture(scope="module", params=["0", "require"], ids=["python", "kernel"])
def both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """Runs each test of a file with both implementations."""
    yield from use_kernel(request.param)


@pytest.fixture(scope="module")
def with_kernel() -> Iterator[None]:
    """Runs the tests of a file with the kernel."""
    yield from use_kernel("require")
