"""Damage to a file of an index changes no answer, is reported, or is found by `stats --verify`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.answers import answers
from tests.end_to_end.conftest import Wherefrom, module_source
from tests.repositories import Repository
from wherefrom import Index, open_index
from wherefrom.errors import IndexDamaged

MODULES = ("bisect", "heapq", "keyword", "sched")

PAGE = 512

EACH = 25
"""Damages of each file."""


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, with an index of several runs, one of them with deletions, and a boilerplate set."""
    wherefrom = Wherefrom(tmp_path_factory.mktemp("damaged"))
    for number, names in enumerate((MODULES[:2], MODULES[1:3], MODULES[3:])):
        clone = wherefrom.folder / f"clone{number}"
        Repository.make(clone, {f"{name}.py": module_source(name) for name in names})
        wherefrom.indexes(clone, "--name", f"clone{number}", "--keep-source")
    (wherefrom.folder / "keyword.py").write_bytes(module_source("keyword"))
    wherefrom("boilerplate", "add", "keywords", "keyword.py")
    wherefrom("remove", "clone2")
    return wherefrom


def searched(index: Index, module: str) -> dict[str, Any]:
    """The result of a search for the beginning of a module, without its duration."""
    result = index.search(module_source(module)[:1500], language="python", without=["keywords"])
    return {**result.to_dict(), "took_ms": 0}


def damages(whole: bytes, dice: random.Random) -> Iterator[bytes]:
    """Copies of a file with one bit turned over, a page of zeros, or an end that is missing."""
    for number in range(EACH):
        at = dice.randrange(len(whole))
        if number == EACH - 1:
            yield whole[:at]
        elif number == EACH - 2:
            start = at - at % PAGE
            zeros = bytes(min(PAGE, len(whole) - start))
            yield whole[:start] + zeros + whole[start + PAGE :]
        else:
            yield whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :]


def test_no_damage_gives_another_answer_unnoticed(damaged: Wherefrom) -> None:
    expected = answers(damaged.index, MODULES, searched)
    assert damaged("stats", "--verify").endswith("\n\nno damage found\n")
    assert expected.keys() == {"repositories", "stats", "boilerplate", *MODULES}
    dice = random.Random(14)
    seen: Counter[str] = Counter()
    for path in sorted(path for path in Path(damaged.index).rglob("*") if path.is_file() and path.stat().st_size):
        whole = path.read_bytes()
        for changed in damages(whole, dice):
            path.unlink()  # a file that is open keeps its old content
            path.write_bytes(changed)
            seen[outcome(damaged.index, expected)] += 1
        path.unlink()
        path.write_bytes(whole)
    assert answers(damaged.index, MODULES, searched) == expected
    assert seen["another answer"] == 0
    assert min(seen[key] for key in ("refused", "told", "found", "no effect")) > 0, seen


def outcome(location: str, expected: dict[str, Any]) -> str:
    """Whether a damage stopped a call, was found by `verify`, had no effect, or changed the answers unnoticed."""
    try:
        found = answers(location, MODULES, searched)
    except IndexDamaged:
        return "refused"
    try:
        with open_index(location) as index:
            index.stats(verify=True)
    except IndexDamaged:
        return "told" if found.keys() != expected.keys() else "found"
    return "no effect" if found == expected else "another answer"


def test_the_command_says_what_is_damaged_and_what_to_do(damaged: Wherefrom) -> None:
    run = next((Path(damaged.index) / "runs").iterdir())
    whole = run.read_bytes()
    run.unlink()
    run.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
    assert damaged("stats", "--verify", "--format", "json", code=2) == (
        f"wherefrom: error: the index {damaged.index} is damaged ({run.name} does not match its checksum); index again "
        "into a new folder\n"
    )
    run.unlink()
    run.write_bytes(whole)
    assert damaged.json("stats", "--verify") == damaged.json("stats")
