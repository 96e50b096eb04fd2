"""The analyzers' tests run over the pure implementation and over the kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from wherefrom.support import extension


def use_kernel(wish: str) -> Iterator[None]:
    """Says which implementation is used; skips where the kernel was not built, unless the run requires it."""
    with pytest.MonkeyPatch.context() as patch:
        if wish == "require" and os.environ.get(extension.VARIABLE) != "require":
            patch.setenv(extension.VARIABLE, "1")
            if problem := extension.problem():
                pytest.skip(f"no kernel: {problem}")
        patch.setenv(extension.VARIABLE, wish)
        yield


@pytest.fixture(scope="module", params=["0", "require"], ids=["python", "kernel"])
def both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """Runs a file of tests twice, once with each implementation."""
    yield from use_kernel(request.param)


@pytest.fixture(scope="module")
def with_kernel() -> Iterator[None]:
    """Runs a file of tests with the kernel."""
    yield from use_kernel("require")
