"""How many processes a check uses."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.check.parallel import EACH, Lookups, Setup
from wherefrom.check.project import Project
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.workers.analyzer import Analyzer


def opened() -> Engine:
    return MemoryEngine(scheme_ids())


@pytest.mark.parametrize(
    ("files", "wanted", "can_reopen", "jobs"),
    [
        (0, 4, True, 1),
        (EACH, 4, True, 1),
        (2 * EACH, 4, True, 2),
        (999, 4, True, 4),
        (999, 1, True, 1),
        (999, 4, False, 1),
    ],
)
def test_processes_are_worth_their_start(files: int, wanted: int, can_reopen: bool, jobs: int) -> None:
    setup = Setup(Project([]), CheckOptions(jobs=wanted), SearchOptions(), frozenset())
    assert Lookups(setup, opened(), Analyzer(), opened if can_reopen else None, files).jobs == jobs
