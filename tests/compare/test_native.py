"""A comparison is the same with the kernel and without it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from tests.end_to_end.conftest import module_source
from wherefrom import CompareOptions, compare_sources, index_sources
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import TokenStream, encode
from wherefrom.compare import answer, comparing, counting, native
from wherefrom.compare.collection import Collection, Members
from wherefrom.compare.comparer import Comparer, _postings
from wherefrom.compare.comparing import Outcome
from wherefrom.compare.pairing import pair_id
from wherefrom.engines import open_engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import IndexDamaged
from wherefrom.model import TERM_BITS, BlobDocument, BoilerplateSet, Occurrence, StoredBlob
from wherefrom.queries.boilerplate import SetBuilder
from wherefrom.results import ComparedFile, CutOff, Review, ReviewState, Role, Submission
from wherefrom.support import extension

pytestmark = pytest.mark.usefixtures("with_kernel")

VOCABULARY = words('a b c d e f g h = = ; ( . 1 2 "s" "t" ) + , for in return')


def code(seed: int) -> list[Token]:
    """A block of code, always the same for one number. A block may be a row of a table that is written many times."""
    dice = random.Random(seed)
    block = dice.choices(VOCABULARY, k=dice.randrange(4, 70))
    return block * 20 if seed % 9 == 0 else block


def prose(seed: int) -> list[Token]:
    """A block of prose."""
    return letters("".join(random.Random(seed).choices("abcdefgh é1", k=seed % 300 + 1)) + "a")


BLOCKS = st.integers(0, 99).map(code) | st.integers(0, 999).map(code) | st.integers(0, 999).map(prose)
GAPS = st.lists(st.sampled_from([(0, 0), (1, 0), (1, 0), (1, 1), (2, 1), (6, 0), (9, 3)]), min_size=1, max_size=12)

NUMBERS = (
    (counting, "MOST_COUNTED", (1 << 26, 9)),
    (counting, "MOST_HELD", (1 << 22, 4)),
    (counting, "AT_ONCE", (1 << 21, 3)),
    (counting, "DENSE", (1 << 24, 0)),
    (comparing, "MOST_COMPARED", (50_000, 2)),
    (answer, "MOST_REGIONS", (200, 1)),
    (answer, "MOST_FILES", (100, 1)),
)
"""The limits of a comparison: as they are, and so small that a few files are beyond them."""


@dataclass
class Given:
    """The files of a comparison: for each submission its role, its author and its texts, by position. The names of all
    submissions have the same ending.
    """

    texts: list[TokenStream]
    submissions: list[tuple[Role, int, list[int]]]
    template: list[TokenStream] = field(default_factory=list)
    options: CompareOptions = field(default_factory=CompareOptions)
    common: int = 10
    ending: str = " \udcff"

    def collection(self) -> Collection:
        engine = MemoryEngine(scheme_ids())
        blobs = {}
        with engine.writer() as writer:
            for number, text in enumerate(self.texts):
                stored = StoredBlob(
                    f"{number:040}", "markdown", 0, len(text), encode(text, is_compressed=number % 2 == 0)
                )
                blobs[stored.blob] = stored
                writer.add_blobs([BlobDocument(stored, document_terms(text))])
        files: list[ComparedFile] = []
        submissions = []
        for number, (role, author, texts) in enumerate(self.submissions):
            for place in texts:
                at = Occurrence("", f"{number}/{place}", f"{place:040}", "")
                files.append(ComparedFile(number, at, "markdown", place, len(self.texts[place])))
            own = tuple(range(len(files) - len(texts), len(files)))
            submissions.append(
                Submission(
                    f"name {number}{self.ending}", role, str(author), own, sum(files[file].tokens for file in own)
                )
            )
        found = list(dict.fromkeys(file.occurrence.blob for file in files))
        members = Members(
            found,
            np.array([found.index(file.occurrence.blob) for file in files], np.int64),
            np.array([file.submission for file in files], np.int64),
            np.array([author for _, author, _ in self.submissions], np.int64),
            [role for role, _, _ in self.submissions],
        )
        return Collection(engine, {blob: blobs[blob] for blob in found}, files, submissions, members, {})

    def sets(self) -> list[BoilerplateSet]:
        builder = SetBuilder("template")
        for text in self.template:
            for representation, scheme in SCHEMES.items():
                builder.add_hashes(representation, kgrams(text, representation, scheme.k).hashes)
        return [builder.made()] if builder._gathered else []

    def compared(self, *, by_kernel: bool) -> Outcome:
        collection = self.collection()
        compared = native.compared if by_kernel else comparing.compared
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "COMMON", self.common)
            patch.setattr(native, "COMMON", self.common)
            if not by_kernel:
                patch.setenv(extension.VARIABLE, "0")
            found = compared(collection, _postings(collection), self.sets(), self.options, lambda *_: None)
        return found if collection.members.has_two_sides else replace(found, matches=[])


def same(one: Outcome, other: Outcome) -> None:
    """Checks that two answers are the same."""
    for mine, theirs in zip(one.matches, other.matches, strict=True):
        assert (mine.files, mine.spans, mine.is_identical) == (theirs.files, theirs.spans, theirs.is_identical)
        assert mine.weight == pytest.approx(theirs.weight)
    assert [*one.files] == [*other.files]
    assert replace(one, matches=[], files=[]) == replace(other, matches=[], files=[])


def placed(segments: Sequence[Sequence[Token]], gaps: Sequence[tuple[int, int]]) -> TokenStream:
    """A stream whose tokens are that many bytes and lines apart."""
    made = stream(*segments)
    lengths = made.ends - made.starts
    between = np.array([gap for gap, _ in zip(cycle(gaps), lengths, strict=False)], np.int64).reshape(-1, 2)
    ends, lines = np.cumsum(lengths + between[:, 0]), 1 + np.cumsum(between[:, 1])
    return replace(made, starts=ends - lengths, ends=ends, start_lines=lines, end_lines=lines)


@st.composite
def comparisons(draw: st.DrawFn) -> Given:
    """Texts made of the same blocks, some of them repeated, in another order or with other names."""
    blocks = draw(st.lists(BLOCKS, min_size=1, max_size=6))
    order = st.lists(st.sampled_from(blocks), min_size=1, max_size=5)
    texts = []
    for _ in range(draw(st.integers(2, 7))):
        chosen = draw(order)
        for old, new in draw(st.dictionaries(st.sampled_from("abcd"), st.sampled_from("aexyz"), max_size=2)).items():
            chosen = [[words(new)[0] if token == words(old)[0] else token for token in block] for block in chosen]
        texts.append(placed(chosen, draw(GAPS)))
    roles = draw(st.sampled_from([[Role.SUBMISSION], [Role.SUBMISSION, Role.ARCHIVE], [Role.SUBMISSION, Role.WITH]]))
    number = st.sampled_from(range(len(texts)))
    submissions = [
        (
            draw(st.sampled_from(roles)),
            author % draw(st.sampled_from([9, 9, 2])),
            draw(st.lists(number, max_size=3).map(sorted)),
        )
        for author in range(draw(st.integers(2, 6)))
    ]
    submissions.sort(key=lambda own: [*Role].index(own[0]))
    reviewed = [f"name {at} \udcff" for at in range(len(submissions))]
    options = CompareOptions(
        max_share=draw(st.sampled_from([0.2, 0.5, 1.0])),
        min_tokens=draw(st.sampled_from([12, 12, 20])),
        min_containment=draw(st.sampled_from([0.0, 0.1, 0.6])),
        cluster_similarity=draw(st.sampled_from([0.1, 0.5, 0.9])),
        limit=draw(st.sampled_from([1, 500])),
        reviews={pair_id(*reviewed[:2]): Review(draw(st.sampled_from(ReviewState)))} if len(reviewed) > 1 else None,
    )
    template = [placed([draw(BLOCKS), *draw(order)[:1]], draw(GAPS))] if draw(st.sampled_from([0, 0, 1])) else []
    return Given(texts, submissions, template, options, draw(st.sampled_from([1, 3, 10, 10])))


@pytest.mark.thorough
@given(comparisons(), st.data())
def test_any_comparison(found: Given, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        small = data.draw(st.sets(st.sampled_from([name for _, name, _ in NUMBERS]), max_size=2))
        for module, name, (usual, least) in NUMBERS:
            patch.setattr(module, name, least if name in small else usual)
        same(found.compared(by_kernel=True), found.compared(by_kernel=False))


@pytest.mark.thorough
@pytest.mark.parametrize("name", [None, *(name for _, name, _ in NUMBERS)])
def test_real_files_within_each_limit(name: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module, limit, (_, least) in NUMBERS:
        if limit == name:
            monkeypatch.setattr(module, limit, least)
        elif name in {"MOST_HELD", "AT_ONCE"} and limit == "DENSE":
            monkeypatch.setattr(module, limit, 0)
    names = ("heapq", "bisect", "textwrap", "shlex", "fnmatch", "opcode")
    for at, module_name in enumerate(names):
        source, after = (module_source(each) for each in (module_name, names[at - 1]))
        folder = tmp_path / "files" / module_name
        folder.mkdir(parents=True)
        (folder / "same.py").write_bytes(source)
        (folder / "edited.py").write_bytes(b"\n".join(reversed(source.split(b"\n\n"))) + b"value = 1\n" + after)
        (folder / "README.md").write_bytes(b"The words of a text that everyone has.\n" * 3 + source[: at * 400])
    (tmp_path / "template.py").write_bytes(module_source("bisect")[:1500])
    options = CompareOptions(by="folder", template=[tmp_path / "template.py"], max_share=0.4, jobs=1)
    answers = []
    for wish in ("require", "0"):
        monkeypatch.setenv(extension.VARIABLE, wish)
        answers.append(compare_sources([tmp_path / "files"], options))
    one, other = ({**found.to_dict(), "seconds": 0} for found in answers)
    assert one == other
    assert [found.pairs for found in answers] == [answers[0].pairs] * 2
    assert bool(answers[0].pairs) is (name != "MOST_COUNTED")
    assert answers[0].counts.boilerplate_tokens > 0


@pytest.mark.thorough
def test_an_index_with_shorter_terms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("heapq", "textwrap"):
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / "files" / f"{name}.py").write_bytes(module_source(name))
        (tmp_path / "files" / f"{name}_too.py").write_bytes(b"first = 1\n" + module_source(name)[200:])
    index_sources([tmp_path / "files"], tmp_path / "index", jobs=1)
    (tmp_path / "template.py").write_bytes(module_source("heapq")[:2000])
    answers = []
    for wish in ("require", "0"):
        monkeypatch.setenv(extension.VARIABLE, wish)
        engine = open_engine(tmp_path / "index", schemes=scheme_ids())
        assert engine.term_bits < TERM_BITS
        options = CompareOptions(template=[tmp_path / "template.py"])
        answers.append({**Comparer(options).index(engine, cache=tmp_path).to_dict(), "seconds": 0})
    assert answers[0] == answers[1]
    assert answers[0]["pairs"]


@pytest.mark.thorough
def test_each_limit_is_hit() -> None:
    files = [placed([code(at) + code(at + 10)], [(1, 1)]) for at in range(1, 7)]
    found = Given(files, [(Role.SUBMISSION, number, [number % 6]) for number in range(12)])
    causes = {"MOST_COUNTED": CutOff.TERMS_BEYOND_BUDGET, "MOST_HELD": CutOff.LIGHT_PAIRS}
    causes["MOST_COMPARED"] = CutOff.PAIRS_BEYOND_BUDGET
    for module, name, (_, least) in NUMBERS:
        with pytest.MonkeyPatch.context() as patch:
            if name == "MOST_HELD":
                patch.setattr(counting, "DENSE", 0)
                patch.setattr(counting, "AT_ONCE", 30)
            patch.setattr(module, name, least)
            made = found.compared(by_kernel=True)
            same(made, found.compared(by_kernel=False))
        if name in causes:
            assert made.cut_off[causes[name]] > 0


def test_nothing_is_compared_without_files() -> None:
    for count in (0, 1):
        empty = Given([], [(Role.SUBMISSION, 0, [])] * count)
        same(empty.compared(by_kernel=True), empty.compared(by_kernel=False))


def test_a_damaged_stream_is_an_error_of_the_index() -> None:
    text = placed([words("a = b ( c ) ; d = e . f ; g = h ;")] * 4, [(1, 0)])
    found = Given([text, text], [(Role.SUBMISSION, 0, [0]), (Role.SUBMISSION, 1, [1])])
    whole = found.collection()
    cut = {blob: replace(stored, tokens=stored.tokens[:-1]) for blob, stored in whole.blobs.items()}
    with pytest.raises(IndexDamaged):
        native.compared(replace(whole, blobs=cut), _postings(whole), [], CompareOptions(), lambda *_: None)


def test_an_error_of_a_listener_stops_the_comparison() -> None:
    text = placed([words("a = b ( c ) ; d = e . f ; g = h ;")] * 4, [(1, 0)])
    whole = Given([text, text], [(Role.SUBMISSION, 0, [0]), (Role.SUBMISSION, 1, [1])]).collection()

    def stop(*_: object) -> None:
        raise ValueError("stopped")

    with pytest.raises(ValueError, match="stopped"):
        native.compared(whole, _postings(whole), [], CompareOptions(), stop)
