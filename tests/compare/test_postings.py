"""Engines without postings give the same comparison: postings are made from the stored tokens."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from tests.end_to_end.conftest import module_source
from wherefrom import index_sources
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.compare.comparer import Comparer
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine, TermOrdered
from wherefrom.options import CompareOptions


class WithoutTerms:
    """An engine without postings, such as Elasticsearch."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        if name == "postings":
            raise AttributeError(name)
        return getattr(self._engine, name)


def test_an_engine_without_terms_gives_the_same_answer(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("heapq", "bisect", "textwrap", "shlex"):
        (folder / f"{name}.py").write_bytes(module_source(name))
        (folder / f"{name}_too.py").write_bytes(module_source(name) + b"\nname = 'too'\n")
    prose = difflib.__doc__ or ""
    (folder / "README.md").write_text(prose)
    (folder / "COPY.md").write_text(f"In other words:\n{prose}")
    index_sources([str(folder)], tmp_path / "index", jobs=1)
    engine = open_engine(tmp_path / "index", schemes=scheme_ids())
    other: Any = WithoutTerms(engine)
    assert isinstance(engine, TermOrdered)
    assert not isinstance(other, TermOrdered)

    answers = [Comparer(CompareOptions()).index(each, cache=tmp_path).to_dict() for each in (engine, other)]

    for answer in answers:
        del answer["seconds"]
    assert answers[0] == answers[1]
    assert len(answers[0]["pairs"]) == 5
