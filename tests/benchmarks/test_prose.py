"""The passages of the benchmark of prose: chosen by a seed, edited at the stated rates, dealt to two halves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import wherefrom
from benchmarks.effectiveness import passages, prose
from benchmarks.effectiveness.passages import EDITS, LEAST_SENTENCES, MOST_SENTENCES, Document, squashed
from benchmarks.effectiveness.prose import EXACT, UNKNOWN, Answer, Case, figures, targets

WORDS = (
    "pool",
    "queue",
    "caller",
    "server",
    "limit",
    "thread",
    "timeout",
    "answer",
    "session",
    "buffer",
    "reader",
    "socket",
)


def sentence(chance: random.Random) -> str:
    words = [chance.choice(WORDS) for _ in range(10)]
    return f"The {' '.join(words)} is read {chance.randrange(10**6)} times."


def text(seed: str, paragraphs: int = 8) -> str:
    chance = random.Random(seed)
    parts = ["\n".join(sentence(chance) for _ in range(5)) for _ in range(paragraphs)]
    return f"Title {seed}\n=====\n\n" + "\n\n::\n\n    code = True\n\n".join(parts) + "\n"


DOCUMENT = Document("project", "docs/a b.rst", text("x"))


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("sources")
    for project in range(8):
        docs = folder / f"p{project}" / "docs"
        docs.mkdir(parents=True)
        for number in range(3):
            (docs / f"{number}.rst").write_text(text(f"{project} {number}"))
        (docs / "same.md").write_text(text("same"))
        (docs / "short.md").write_text("Short.\n")
        (docs / "generated.md").write_text("<!-- @generated -->\n" + text("generated"))
        (folder / f"p{project}" / "a.py").write_text("a = 1  # one\n" * 200)
    return [str(each) for each in sorted(folder.iterdir())]


def test_a_passage_is_running_prose() -> None:
    found = passages.prose(DOCUMENT)
    assert [len(sentences) for sentences in found] == [5] * 8
    assert all(LEAST_SENTENCES <= len(sentences) <= MOST_SENTENCES for sentences in found)
    assert not any("code" in each or "Title" in each for sentences in found for each in sentences)
    assert all(squashed(each) in squashed(DOCUMENT.text) for sentences in found for each in sentences)


@pytest.mark.parametrize(
    "paragraph", ["- one is read here. Two is read there.", "    It is code. It is not.", "A title"]
)
def test_what_is_no_prose_has_no_sentences(paragraph: str) -> None:
    assert passages.prose(Document("p", "a.rst", f"{paragraph}\n\n" * 6)) == []


def test_lines_are_taken_as_they_are() -> None:
    for seed in range(20):
        passage = passages.lines(DOCUMENT, random.Random(seed))
        assert passage is None or passage in DOCUMENT.text
    assert passages.lines(Document("p", "a.rst", "Few.\n"), random.Random(1)) is None


@pytest.mark.parametrize(
    ("kind", "least", "most", "sentences"),
    [
        ("words replaced", 0.14, 0.26, 8),
        ("sentences reordered", 0.04, 0.16, 8),
        ("cut and merged", 0.1, 0.2, 5),
        ("all at once", 0.25, 0.35, 5),
    ],
)
def test_an_edit_is_as_large_as_it_says(kind: str, least: float, most: float, sentences: int) -> None:
    whole = [f"{'abcdefgh'[at]}one {'abcdefgh'[at]}two three four five six seven eight." for at in range(8)]
    edited = EDITS[kind](whole, ["other", "word"], random.Random(4))
    assert len(edited) == sentences
    assert edited == EDITS[kind](whole, ["other", "word"], random.Random(4))
    words = " ".join(edited).split()
    changed = sum(word.strip(".,").lower() in ("other", "word") for word in words) / len(words)
    assert least - 0.02 <= changed <= most + 0.02
    firsts = [each.split()[0] for each in edited if each.split()[0].endswith("one")]
    assert (firsts == sorted(firsts)) == (kind in ("words replaced", "cut and merged"))


def test_a_paragraph_has_short_lines() -> None:
    found = passages.paragraph(["word " * 40, "and more."])
    assert max(map(len, found.splitlines())) <= 79
    assert found.split() == ["word"] * 40 + ["and", "more."]


def test_revised_is_neither_the_same_nor_another() -> None:
    sentences = passages.prose(DOCUMENT)[0]
    assert not passages.is_revised(sentences, DOCUMENT.text)
    assert not passages.is_revised(sentences, "Nothing of it is here at all, and never was.")
    assert passages.is_revised(sentences, " ".join(sentences[:2]))


def test_the_same_sources_give_the_same_cases(sources: list[str], tmp_path: Path) -> None:
    first, second = (prose.load(sources, 30, 5, tmp_path) for _ in range(2))
    cases = [list(prose.cases(corpus, 4, 5)) for corpus in (first, second)]
    assert cases[0] == cases[1]
    assert prose.digest(cases[0], first) == prose.digest(cases[1], second)
    assert sorted(first.halves.values()) == ["A"] * 4 + ["B"] * 4
    unknown = {each.project for each in first.unknown}
    assert sorted(first.halves[each] for each in unknown) == ["A", "B"]
    assert not unknown & {each.project for each in first.indexed}
    paths = [each.path for each in (*first.indexed, *first.unknown)]
    assert paths.count("docs/same.md") == 1
    assert not {"docs/short.md", "docs/generated.md"} & set(paths)
    assert {each.path for each in first.code} == {"a.py"}


@pytest.mark.slow
def test_cases_know_what_is_right_and_are_found(sources: list[str], tmp_path: Path) -> None:
    corpus = prose.load(sources, 30, 5, tmp_path)
    every = list(prose.cases(corpus, 4, 5))
    whole = {each.place: squashed(each.text) for each in corpus.indexed}
    for each in every:
        if each.kind.startswith(EXACT):
            assert each.places == {place for place, held in whole.items() if squashed(each.text) in held}
        assert bool(each.places) == (not each.kind.startswith(UNKNOWN))
    assert {each.kind for each in every} > {*EDITS, UNKNOWN}
    prose.lay_out(corpus, tmp_path / "files")
    wherefrom.index_sources([tmp_path / "files"], tmp_path / "index")
    with wherefrom.open_index(tmp_path / "index") as index:
        exact = [prose.answer(index, each) for each in every if each.kind.startswith(EXACT)]
    assert all(each.is_right for each in exact)


def test_figures_are_shares_by_half() -> None:
    def answer(kind: str, half: str, rank: int | None, *, has_wrong: bool = False) -> Answer:
        places = frozenset() if kind == UNKNOWN else frozenset({"a.rst"})
        return Answer(Case(kind, half, places, "text", "", "label"), rank, has_wrong, "")

    seen = figures(
        [
            answer("exact (.md)", "A", 1),
            answer("exact (.rst)", "A", 2, has_wrong=True),
            answer("words replaced", "B", None),
            answer(UNKNOWN, "A", None),
            answer(UNKNOWN, "A", None, has_wrong=True),
        ]
    )
    assert (seen["exact, all: A"].top_1, seen["exact, all: A"].top_10) == (0.5, 1.0)
    assert (seen["edited, all: B"].top_1, seen["words replaced: B"].top_10) == (0.0, 0.0)
    assert seen[f"{UNKNOWN}: A"].top_1 == 0.5
    assert {name.rpartition(":")[0] for name in targets()} == {"exact, all", "edited, all", UNKNOWN}
