"""Which n-grams are code in general, what they cost, and which projects are counted."""

from __future__ import annotations

import math
import random
import subprocess
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from benchmarks import background as counting
from benchmarks.background import (
    LEAST,
    Tokens,
    analyzed,
    counted_in,
    files_of,
    grams_of,
    listed,
    load,
    originals,
    ranks,
)
from benchmarks.effectiveness.evidence import PLANS
from tests.analyzers.streams import part_of
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.tokens import Symbols, TokenClass
from wherefrom.fitted import MOST_OF_WORD, RECENT
from wherefrom.queries.preparation.background import (
    MIXED,
    ORDERS,
    RANKED,
    RANKS,
    STEP,
    STRUCTURE,
    WORDS,
    Ways,
    background,
    gram_hashes,
    last_used,
    salt_of,
)

LANGUAGES = ("c", "go")


def project(files: Sequence[tuple[str, str, Sequence[int]]]) -> Tokens:
    """A project of files: name, language, and a number for each token. Their classes are the remainders by 3."""
    codes = np.array([code for *_, text in files for code in text], np.uint64)
    sizes = [len(text) for *_, text in files]
    return Tokens(
        codes,
        (codes % np.uint64(3)).astype(np.uint8),
        np.repeat(np.array([salt_of(language) for _, language, _ in files], np.uint64), sizes),
        np.repeat(np.arange(len(files)), sizes),
        np.array([rank for *_, text in files for rank in ranks_of(text)], np.uint8),
        np.array([zlib.crc32(name.encode()) for name, *_ in files], np.uint64),
        np.zeros(len(files), np.int64),
        np.array([LANGUAGES.index(language) for _, language, _ in files]),
    )


def ranks_of(text: Sequence[int]) -> list[int]:
    """The rank of each name; 0 for other tokens."""
    names = [code for code in text if code % 3 == TokenClass.NAME]
    ranks = iter(last_used(np.array(names, np.uint64)).tolist())
    return [next(ranks) if code % 3 == TokenClass.NAME else 0 for code in text]


def some(number: int, seed: int) -> Tokens:
    """A project of code that others have, too, since there are few tokens."""
    chance = random.Random(seed * 100 + number)
    texts = [chance.choices(range(300, 308), [9, 5, 2, 3, 4, 1, 2, 1], k=chance.randrange(90)) for _ in range(9)]
    return project([(chance.choice("abcdefgh"), LANGUAGES[at % 2], text) for at, text in enumerate(texts)])


def own(seed: int, size: int) -> list[int]:
    return random.Random(seed).choices(range(3, 1 << 40), k=size)


def by_hand(projects: Sequence[Tokens]) -> dict[int, tuple[int, float]]:
    """The cost and the value of each n-gram, counted one by one."""
    families = Counter(
        salt for it in projects for salt, times in Counter(it.salts.tolist()).items() if times >= counting.COUNTED
    )
    files: list[tuple[int, int, int, list[int], list[int]]] = []  # project, name, salt, codes, classes
    for number, it in enumerate(projects):
        for file, name in enumerate(it.names.tolist()):
            here = it.files == file
            if here.any():
                files.append((number, name, int(it.salts[here][0]), it.codes[here].tolist(), it.classes[here].tolist()))
    found: dict[int, tuple[int, float]] = {}

    def count(kind: int, order: int, known: list[list[float]]) -> None:
        places = defaultdict[tuple[int, ...], list[tuple[int, int]]](list)
        for at, (_, _, salt, codes, classes) in enumerate(files):
            written = [each if each and kind != WORDS else code for code, each in zip(codes, classes, strict=True)]
            ranks = ranks_of(codes)
            if kind == RANKED:
                written = [code + 8 * rank * (rank <= RECENT) for code, rank in zip(written, ranks, strict=True)]
            for end in range(order - 1, len(codes)):
                last = codes[end] if kind == MIXED else written[end]
                if order > 1 or kind == STRUCTURE:
                    places[salt, 0, *written[end - order + 1 : end], last].append((at, end))
                elif classes[end]:
                    places[salt, classes[end], codes[end]].append((at, end))
        tokens = kind == STRUCTURE and order <= 2
        times = {gram: len(seen if tokens else {at for at, _ in seen}) for gram, seen in places.items()}
        totals = Counter[tuple[int, ...]]()
        for gram, number in times.items():
            totals[gram[:-1]] += number
        stored = []
        for gram, seen in places.items():
            first = {files[at][0]: (at, end) for at, end in reversed(seen)}
            bits = -math.log2((times[gram] - counting.SEEN_LESS) / totals[gram[:-1]])
            gain = min(known[at][end] for at, end in first.values()) - bits
            enough = min(len(first), len({files[at][1] for at, _ in first.values()})) >= LEAST
            if kind == RANKED:
                [(at, end), *_] = seen
                enough &= ranks_of(files[at][3])[end] > 0
            if enough and bits < MOST_OF_WORD and gain >= (counting.GAIN if order > 1 else counting.GAIN_ALONE):
                cost = round(bits / STEP)
                value = gain * len(first) / math.sqrt(max(families[gram[0]], 1))
                at, end = seen[0]
                whole = [np.array(column) for column in files[at][3:]]
                symbols = Symbols(whole[0].astype(np.uint64), whole[1].astype(np.uint8), np.zeros(1, np.int64))
                text = part_of(Ways.of(symbols), end - order + 1, end + 1)
                [code] = gram_hashes(text, order, kind, np.full(order, gram[0], np.uint64)).tolist()
                found[code] = cost, value
                stored += [(at, end, cost * STEP) for at, end in seen]
        for at, end, less in stored:
            known[at][end] = min(known[at][end], less)

    structure, word = ([[MOST_OF_WORD] * len(file[3]) for file in files] for _ in range(2))
    for order in ORDERS[STRUCTURE]:
        count(STRUCTURE, order, structure)
    count(WORDS, 1, word)
    of_rank = ranks(projects)[0].tolist()
    by_rank = [
        [cost + of_rank[rank] for cost, rank in zip(costs, ranks_of(file[3]), strict=True)]
        for costs, file in zip(structure, files, strict=True)
    ]
    for order in ORDERS[RANKED]:
        count(RANKED, order, by_rank)
    both = [
        [cost + (more if each else 0) for cost, more, each in zip(costs, words, file[4], strict=True)]
        for costs, words, file in zip(structure, word, files, strict=True)
    ]
    for order in ORDERS[MIXED]:
        count(MIXED, order, both)
        count(WORDS, order, both)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
def test_costs_and_values_are_those_that_are_counted_by_hand(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "COUNTED", 40)
    projects = [some(number, seed) for number in range(9)]
    hashes, costs, values = grams_of(projects, 10_000)
    expected = by_hand(projects)
    assert len(expected) > 25
    assert dict(zip(hashes.tolist(), costs.tolist(), strict=True)) == {
        gram: cost for gram, (cost, _) in expected.items()
    }
    assert values == pytest.approx([expected[gram][1] for gram in hashes.tolist()])
    assert (np.diff(hashes.astype(np.int64)) > 0).all()


def test_only_the_most_valuable_are_stored() -> None:
    projects = [some(number, seed=5) for number in range(9)]
    hashes, _, values = grams_of(projects, 10_000)
    kept = grams_of(projects, 20)
    assert len(kept[0]) == 20
    assert set(kept[0].tolist()) <= set(hashes.tolist())
    assert sorted(kept[2].tolist()) == sorted(values.tolist())[-20:]


@pytest.mark.parametrize(("projects", "names", "stored"), [(3, 3, True), (2, 2, False), (9, 2, False), (9, 3, True)])
def test_a_file_that_is_copied_with_its_name_counts_once(projects: int, names: int, stored: bool) -> None:
    text = own(1, 20)
    found = grams_of([project([(f"name{number % names}", "c", text)]) for number in range(projects)], 1000)
    assert bool(len(found[0])) == stored


def test_languages_are_counted_by_themselves() -> None:
    projects = [project([(f"a{at}", LANGUAGES[at % 2], own(1, 20))]) for at in range(4)]
    assert not len(grams_of(projects, 1000)[0])
    labels = [np.repeat([3, 5], [2000, number]) for number in (1999, 2000, 2001)]
    assert counted_in(labels) == {3: 3, 5: 2}


def test_of_copies_the_largest_project_counts() -> None:
    text = own(1, 4000)
    larger, fork, part, other = ([("a", "c", it)] for it in (text + own(2, 900), text, text[:2500], own(3, 4000)))
    projects = [project(it) for it in (fork, other, larger, part)]
    kept = originals(projects)
    assert len(kept) == 2
    assert kept[0] is projects[1]
    assert kept[1] is projects[2]
    assert len(originals([project([("a", "c", text[:1000] + own(at, 4000))]) for at in range(9)])) == 9


def test_ranks_are_bits_of_the_order_of_the_last_use() -> None:
    found = ranks(
        [project([("a", "c", [4, 7, 5, 4, 4, 5])])] * 2
    )  # of four names two are new, then the second and the last
    assert found.shape == (2, RANKS + 1)
    assert found[0, :3].tolist() == [1, 2, 2]
    assert found[1, :2].tolist() == [1, 1]


CODE = 'int f%d(int a) { return a * %d + g(a, "x"); }\n'


def test_a_project_is_read_without_what_is_not_its_own(tmp_path: Path) -> None:
    texts = {path: "".join(CODE % (at, at) for at in range(9)) for path in ("a.c", "src/b.c", "vendor/c.c", "dist/d.c")}
    texts |= {
        "e.kt": "class A(val size: Int) { fun twice() = size * 2 }\n" * 4,
        "README.md": "Some words of prose.\n" * 9,
    }
    texts |= {"run": "#!/bin/sh\nfor each in a b c; do echo $each; cp $each $1; done\n", "small.c": "int a;\n"}
    clone = tmp_path / "a/b"
    for path, text in texts.items():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_text(text)
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *command], cwd=clone, check=True)
    files = files_of("clone", "a/b@HEAD", tmp_path)
    assert sorted(path for path, *_ in files) == ["a.c", "e.kt", "run", "src/b.c"]
    with Analyzer() as analyzer:
        np.savez(tmp_path / "tokens.npz", **analyzed(files, analyzer))
    found = load(tmp_path / "tokens.npz")
    assert len(found.names) == 4
    assert found.salts[0] == salt_of("kotlin")  # few projects have it
    assert found.names[0] == zlib.crc32(b"e")
    assert len(found.codes) == len(found.classes) == len(found.salts) == len(found.files)
    assert set(found.salts.tolist()) == {salt_of(language) for language in ("kotlin", "c", "bash")}


def test_of_a_large_project_a_part_is_read(tmp_path: Path) -> None:
    text = "".join(CODE % (at, at) for at in range(400)).encode()
    files = [(f"{at}.c", "c", text) for at in range(9)]
    with Analyzer() as analyzer:
        arrays = analyzed(files, analyzer)
    assert counting.TOKENS <= len(arrays["codes"]) < counting.TOKENS * 1.3
    assert len(arrays["stems"]) < 9
    np.savez(tmp_path / "tokens.npz", **arrays)
    assert len(load(tmp_path / "tokens.npz").codes) == counting.TOKENS


def test_each_project_is_listed_once_and_is_in_no_draw() -> None:
    names = [project.lower().partition("@")[0] if origin == "clone" else project for origin, project in listed()]
    assert len(set(names)) == len(names)
    drawn = {*chain.from_iterable((*it["indexed"], *it["unknown"]) for it in PLANS.values())}
    assert len(drawn) > 100
    assert not {name.lower().partition("@")[0] for name in drawn} & set(names)


def test_no_language_has_more_projects_in_the_model_than_are_listed() -> None:
    assert max(background().projects.values()) <= len(listed())
