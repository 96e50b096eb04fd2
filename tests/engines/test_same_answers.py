"""The installed command on real repositories, with an index in a folder and one on Elasticsearch: the same answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.runs import SNIPPETS, overlapping_clones

SEARCHES = (
    ["--limit", "50", "--explain"],
    ["--path", "src/**", "--repository", "*repository0*", "--only-language", "python"],
    ["--max-df", "0.3", "--without", "shared", "--limit", "3"],
)


OF_THE_ENGINE = {"engine", "location", "index_format", "stored", "took_ms", "seconds", "indexed_at"}
"""The fields that may differ: those of the engine itself, and times."""


def same(one: Any, other: Any) -> None:
    """Asserts that two answers are equal; fractions may differ by 1e-5."""
    if isinstance(one, dict):
        for key in one.keys() | other.keys():
            if key not in OF_THE_ENGINE:
                same(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            same(mine, theirs)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-5, abs=1e-6)
    else:
        assert one == other


def test_a_folder_and_elasticsearch_give_the_same_answers(
    tmp_path: Path, elasticsearch_location: Callable[[], str]
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    pair = Wherefrom(tmp_path / "one"), Wherefrom(tmp_path / "other", elasticsearch_location())
    pair[1].environment["WHEREFROM_ELASTICSEARCH_SHARDS"] = "3"
    clones = overlapping_clones(tmp_path / "clones")
    snippets = [tmp_path / f"snippet{number}" for number in range(len(SNIPPETS))]
    for path, snippet in zip(snippets, SNIPPETS, strict=True):
        path.write_text(snippet)

    def both(*arguments: str | Path) -> Any:
        one, other = (json.loads(wherefrom(*arguments, "--format", "json")) for wherefrom in pair)
        same(one, other)
        return one

    def search() -> int:
        """The number of places that were found."""
        answers = [answer for options in SEARCHES for answer in both("search", *snippets, *options)]
        return sum(len(hit["occurrences"]) for answer in answers for hit in answer["hits"])

    indexed = both("index", clones)
    assert len(indexed["repositories"]) == 12
    for wherefrom in pair:
        wherefrom("boilerplate", "add", "shared", snippets[0])
    places = search()
    assert places > 20
    keys = [record["repository"] for record in indexed["repositories"]]
    both("list")
    both("stats")
    both("boilerplate", "show", "shared")
    both("similar", f"{keys[3]}:own3.py", "--limit", "50", "--explain")
    for wherefrom in pair:
        wherefrom("remove", keys[3])
    assert len(both("list")["repositories"]) == 11
    both("stats")
    assert 0 < search() < places
