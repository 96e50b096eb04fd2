"""The pairs of files that are compared."""

from __future__ import annotations

import inspect
import random
import re
import textwrap
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from wherefrom import compare_sources
from wherefrom.compare.comparing import _chosen
from wherefrom.compare.counting import Counted, TermFrequencies, weight_of
from wherefrom.model import Representation
from wherefrom.results import CutOff
from wherefrom.support import extension


def functions(seed: int, count: int) -> str:
    """Functions that no other seed gives."""
    dice = random.Random(seed)
    made = []
    for number in range(count):
        given, total, items, read, item, part = (f"{word}_{dice.randrange(10**6)}" for word in "abcdef")
        made.append(
            f"def work_{seed}_{number}({given}, {total}):\n"
            f"    {items} = {given}.{read}({dice.randrange(10**6)})\n"
            f"    for {item} in {items}.{part}:\n"
            f"        {total} += {item}.weight_{dice.randrange(10**6)} * {dice.randrange(99)}\n"
            f"    return {total} - {dice.randrange(10**6)}\n\n\n"
        )
    return "".join(made)


@pytest.mark.parametrize("own", [3, 10])
def test_a_function_that_five_long_files_share_makes_a_pair_of_any_two(tmp_path: Path, own: int) -> None:
    shared = inspect.getsource(textwrap.dedent)
    for number in range(14):
        code = functions(number, own) + (shared if number < 5 else "")
        (tmp_path / f"hand_in_{number:02}.py").write_text(code)
    found = {(pair.left, pair.right) for pair in compare_sources([tmp_path]).pairs}
    assert found == {(left, right) for right in range(5) for left in range(right)}


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["term/ann/a.py", "term/ben/b.py"], {"ann", "ben"}),
        (["ann/a.py", "ben/b.py"], {"ann", "ben"}),
        (["term/ann/a.py", "term/ann/src/b.py"], {"term"}),
        (["term/ann/a.py", "term/ben/b.py", "readme.txt"], {"term", "readme.txt"}),
    ],
)
def test_the_folder_around_packed_hand_ins_is_no_submission(tmp_path: Path, paths: list[str], names: set[str]) -> None:
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        for number, path in enumerate(paths):
            archive.writestr(path, functions(number, 3))
    assert {one.name for one in compare_sources([tmp_path / "all.zip"], by="folder").submissions} == names


def test_files_without_code_alone_are_no_pair_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "empty.py").touch()
    comparison = compare_sources([tmp_path / "empty.py"])
    assert comparison.pairs == ()
    assert comparison.skipped == {"empty": 1}


@pytest.mark.parametrize(
    ("shared", "rare", "total", "is_chosen"),
    [(4, 0, 39, True), (4, 0, 41, False), (1, 0, 9, False), (16, 16, 999, True), (15, 15, 999, False)],
)
def test_files_are_compared_if_they_share_a_tenth_or_many_rare_terms(
    shared: int, rare: int, total: int, is_chosen: bool
) -> None:
    places, nothing = np.zeros(1, np.int64), np.zeros(0, np.uint64)
    rarest = weight_of(np.array([2]), 50)[0]
    weights, rares = np.array([rarest * shared]), np.array([rarest * rare])
    totals = np.array([total * rarest, 999 * rarest])
    frequencies = {Representation.EXACT: TermFrequencies(nothing, places[:0], 50)}
    counted = Counted(
        places, places + 1, weights, rares, totals, frequencies, {}, places, unused_terms=0, dropped_pairs=0
    )
    assert _chosen(counted, Counter()) == [0] * is_chosen


def test_the_map_has_each_file_once(tmp_path: Path) -> None:
    """A file is in the entry that says what became of it, or on the side that alone has it."""
    same, moved, changed, both, gone, added, other = (functions(number, 3) for number in range(7))
    old = {"same.py": same, "here.py": moved, "changed.py": changed + other, "gone.py": gone}
    new = {"same.py": same, "there.py": moved, "changed.py": changed + both, "added.py": added}
    for name, files in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        for path, code in files.items():
            (tmp_path / name / path).write_text(code)
    comparison = compare_sources([tmp_path / "old"], with_sources=[tmp_path / "new"])
    found = comparison.map
    assert found is not None
    paths = [file.path for file in comparison.files]
    assert {str(it.change): tuple(paths[file] for file in (*it.left, *it.right)) for it in found.entries} == {
        "same": ("same.py", "same.py"),
        "moved": ("here.py", "there.py"),
        "changed": ("changed.py", "changed.py"),
    }
    assert [paths[file] for file in found.only_left] == ["gone.py"]
    assert [paths[file] for file in found.only_right] == ["added.py"]


SHARED = "".join(
    f"def settle_{part}(entries, limit):\n    balance, accepted = {part}, []\n    for entry in entries:\n"
    f"        if entry.amount < {part} and balance + entry.amount < -limit:\n            entry.refuse('no cover')\n"
    f"            continue\n        balance += entry.amount * {part}\n        accepted.append((entry.day, balance))\n"
    f"    accepted.sort(key=lambda pair: pair[{part}])\n    return accepted, balance\n\n\n"
    for part in range(2)
)


def with_other_names(code: str) -> str:
    return re.sub(r"\b(settle_\d|entries|entry|limit|balance|accepted|pair|[a-f]_\d+)\b", lambda it: f"x{it[0]}", code)


@pytest.mark.thorough
@pytest.mark.parametrize("own", [2, 6])
@pytest.mark.parametrize("place", ["before", "after", "between"])
@pytest.mark.parametrize("with_kernel", [True, False])
def test_left_out_code_counts_on_neither_side_whatever_its_names(
    tmp_path: Path, own: int, place: str, with_kernel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_kernel:
        monkeypatch.setenv(extension.VARIABLE, "0")

    def hand_in(seed: int) -> str:
        code, more = functions(seed, own), functions(seed + 100, own)
        return {"before": SHARED + code, "after": code + SHARED, "between": code + SHARED + more}[place]

    for number in range(20):
        (tmp_path / f"{number:02}.py").write_text(hand_in(number) if number < 14 else functions(number, 4))
    (tmp_path / "copy.py").write_text(hand_in(3))
    (tmp_path / "renamed.py").write_text(with_other_names(hand_in(3)))
    comparison = compare_sources([tmp_path], jobs=1)
    names = [one.name for one in comparison.submissions]
    found = {(names[pair.left], names[pair.right]): pair for pair in comparison.pairs}
    assert {*found} == {("03.py", "copy.py"), ("03.py", "renamed.py"), ("copy.py", "renamed.py")}
    for pair in found.values():
        assert (pair.similarity, pair.left_containment, pair.right_containment) == (1, 1, 1)
        assert pair.left_boilerplate_tokens == pair.right_boilerplate_tokens >= 100
        for side, matched in ((pair.left, pair.left_matched_tokens), (pair.right, pair.right_matched_tokens)):
            assert matched == comparison.submissions[side].tokens - comparison.submissions[side].boilerplate_tokens
    everything = compare_sources([tmp_path], jobs=1, max_share=1)
    assert {pair.left_boilerplate_tokens for pair in everything.pairs} == {0}


def bean(fields: dict[str, str]) -> str:
    """A class of Java with accessors."""
    lines = ["public class NAME {", *(f"    private {kind} {field};" for field, kind in fields.items())]
    for field, kind in fields.items():
        lines.append(f"    public {kind} get{field.title()}() {{ return {field}; }}")
        lines.append(f"    public void set{field.title()}({kind} {field}) {{ this.{field} = {field}; }}")
    return "\n".join([*lines, "}\n"])


MEDIAN = """\
public class NAME {
    public double median(double[] samples, int width) {
        double[] window = java.util.Arrays.copyOf(samples, width);
        for (int step = width; step < samples.length; step++) {
            window[step % width] = samples[step] * 0.5 + window[(step + 3) % width];
            if (window[0] > samples[step] + width) { width--; }
        }
        java.util.Arrays.sort(window);
        return window[width / 2];
    }
}
"""


BEANS = [
    {"name": "String", "age": "int", "email": "String", "active": "boolean"},
    {"title": "String", "year": "int", "price": "double", "genre": "String"},
    {"wheels": "int", "color": "String", "price": "double", "built": "Date"},
    {"lives": "int", "weight": "double", "label": "String", "born": "Date"},
    {"street": "String", "city": "String", "code": "int", "country": "String"},
    {"title": "String", "author": "String", "pages": "int", "isbn": "String", "lent": "boolean"},
    {"speed": "double", "length": "double", "seats": "int", "owner": "String"},
    {"rank": "int", "team": "String", "points": "int", "city": "String"},
]


@pytest.mark.thorough
@pytest.mark.parametrize("native", ["0", "1"])
def test_code_that_everyone_writes_makes_no_pair(tmp_path: Path, native: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(extension.VARIABLE, native)
    renamed = MEDIAN.replace("median", "middle").replace("samples", "given").replace("window", "part")
    for number, code in enumerate([*map(bean, BEANS), MEDIAN, renamed]):
        (tmp_path / f"Class{number}.java").write_text(code.replace("NAME", f"Class{number}"))
    found, every = (compare_sources([tmp_path], min_probability=least) for least in (0.5, 0))
    [pair] = found.pairs
    assert (pair.left, pair.right) == (8, 9)
    assert pair.probability > 0.99
    [cluster] = found.clusters
    assert cluster.submissions == (8, 9)
    others = [other for other in every.pairs if other.id != pair.id]
    assert max(other.similarity for other in others) > 0.7
    assert max(other.probability for other in others) < 0.5
    assert found.cut_off[CutOff.UNLIKELY_PAIRS] == len(others)
