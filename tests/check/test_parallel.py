"""The number of processes of a check, and the files that it does not look up again."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.references import of_text
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.units import Unit
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.options import CheckOptions, Limits, SearchOptions
from wherefrom.projects.changes.comparison import Changed
from wherefrom.projects.check.lookup import Setup
from wherefrom.projects.check.project import Project
from wherefrom.projects.check.unfinished import FILES_PER_PROCESS, Lookups, UnfinishedCheck
from wherefrom.queries.filters import NOTHING_OWN, OwnPlaces


class CountingAnalyzer(Analyzer):
    """Records the files that it analyzes."""

    def __init__(self) -> None:
        super().__init__()
        self.analyzed: list[str] = []

    def units(
        self, path: str, content: bytes, limits: Limits, least: int, *, is_piece: bool = False
    ) -> tuple[Analysis, list[Unit]] | SkipReason:
        self.analyzed.append(path)
        return super().units(path, content, limits, least, is_piece=is_piece)


def opened() -> Engine:
    return MemoryEngine(scheme_ids())


@pytest.mark.parametrize(
    ("files", "wanted", "can_reopen", "jobs"),
    [
        (0, 4, True, 1),
        (FILES_PER_PROCESS, 4, True, 1),
        (2 * FILES_PER_PROCESS, 4, True, 2),
        (999, 4, True, 4),
        (999, 1, True, 1),
        (999, 4, False, 1),
    ],
)
def test_processes_are_worth_their_start(files: int, wanted: int, can_reopen: bool, jobs: int) -> None:
    setup = Setup(Project([]), CheckOptions(jobs=wanted), SearchOptions(), NOTHING_OWN)
    lookups = Lookups(
        setup=setup,
        engine=opened(),
        analyzer=Analyzer(),
        reopen=opened if can_reopen else None,
        files=files,
        unfinished=UnfinishedCheck(None),
    )
    assert lookups.jobs == jobs


def test_what_an_earlier_run_has_looked_up_is_not_looked_up_again(tmp_path: Path) -> None:
    setup = Setup(Project([]), CheckOptions(), SearchOptions(), NOTHING_OWN)
    code = b"def f%d(a, b):\n    return [g(a, b, h) for h in a.of(b) if h.is_one(a) and not h.is_other(b, a)]\n"
    files = [Changed(f"{number}.py", code % number) for number in range(6)]
    files[3] = Changed("3.bin", SkipReason.BINARY)
    seen = []
    for stopped_after in (2, 6):
        analyzer = CountingAnalyzer()
        with UnfinishedCheck("name", "identity", tmp_path) as unfinished:
            lookups = Lookups(
                setup=setup,
                engine=opened(),
                analyzer=analyzer,
                reopen=None,
                files=len(files),
                unfinished=unfinished,
            )
            outcomes = [*islice(lookups.run(files), stopped_after)]
        seen.append(analyzer.analyzed)
    assert seen == [["0.py", "1.py"], ["2.py", "4.py", "5.py"]]
    assert [changed.path for changed, _ in outcomes] == [file.path for file in files]
    assert unfinished.resumed == 2


def test_whatever_a_lookup_depends_on_is_in_its_digest() -> None:
    def digest(
        engine: Engine, project: Project | None = None, options: CheckOptions | None = None, own: str = "host/me"
    ) -> str:
        setup = Setup(project or Project([]), options or CheckOptions(), SearchOptions(), OwnPlaces(frozenset({own})))
        return setup.digest(engine)

    larger = opened()
    with larger.writer() as writer:
        writer.put_repository(RepositoryRecord("host/them", "/c", "git", "r1", "", 1, 1, {}, ""))
    digests = [
        digest(opened()),
        digest(larger),
        digest(opened(), Project([("LICENSE", of_text("SPDX-License-Identifier: MIT"))])),
        digest(opened(), Project([("deps/LICENSE", of_text("SPDX-License-Identifier: MIT"))])),
        digest(opened(), options=CheckOptions(min_tokens=31)),
        digest(opened(), options=CheckOptions(max_file_size=1)),
        digest(opened(), own="host/other"),
    ]
    assert len({*digests}) == len(digests)
    same = CheckOptions(jobs=7, fail_on=(), progress=print, baseline=Path("known.json"))
    assert digest(opened(), options=same) == digests[0]
