"""The installed program does the same as `main`, which the other tests here call in their own process."""

from __future__ import annotations

import re

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.processes import HERE

CASES = {
    "search": ["-", "--explain"],
    "similar": ["{key}:lib/heapq.py", "--limit", "3"],
    "first": ["-"],
    "check": ["clones/mixed"],
    "fixed": ["HEAD", "--project", "clones/mixed"],
    "sources": ["clones/python/lib/heapq.py"],
    "list": [],
    "stats": [],
    "remove": ["nowhere"],
    "boilerplate": ["list"],
    "index": ["clones"],
    "copy": ["index.wherefrom", "index.wherefrom"],
    "publish": ["nowhere", "www"],
    "watch": ["list"],
    "compare": ["clones"],
    "posts": ["stats"],
    "prune": [],
    "releases": ["clones/mixed"],
    "trace": ["clones/python/lib/heapq.py"],
}


def test_every_command_that_runs_here_is_compared() -> None:
    assert CASES.keys() == HERE


@pytest.mark.parametrize("command", CASES)
def test_the_program_says_what_main_says(library: Wherefrom, command: str) -> None:
    key = library.json("list")["repositories"][-1]["repository"]
    arguments = [argument.format(key=key) for argument in CASES[command]]
    if command not in {"remove", "publish"}:
        arguments += ["--format", "json"]
    snippet = module_source("bisect")
    here = library.run_here(command, *arguments, stdin=snippet)
    installed = library.run_installed(command, *arguments, stdin=snippet)
    assert (here[0], here[2]) == (installed[0], installed[2])
    assert timeless(here[1]) == timeless(installed[1])
    assert here[1] or here[2]


def timeless(output: str) -> str:
    """JSON without the times that it tells."""
    return re.sub(r'"(took_ms|seconds)": [0-9.]+', r'"\1": 0', output)
