"""What is left out where the tests run on Windows, with the reasons."""

from __future__ import annotations

LEFT_OUT = {
    "tests/workers/test_fork.py": "Windows has no fork",
    "tests/workers/test_pool.py::test_a_worker_killed_once_from_outside_loses_nothing": "a kill has no signal there",
    "tests/cli/test_completion.py": "the shells that are completed are bash, zsh and fish",
}
"""Tests and files of tests by the beginning of their names, each with the reason."""


def reason(test: str) -> str | None:
    """Why a test, by its name, is left out; None if it runs."""
    return next((why for begin, why in LEFT_OUT.items() if test.startswith(begin)), None)
