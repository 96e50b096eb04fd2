"""The insides of literals and comments are found as prose, and change no answer for code."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

import wherefrom
from tests.end_to_end.conftest import module_source
from wherefrom.analyzers.documents import AnalyzedContent, document
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode, outside, without_insides
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import BlobDocument, Occurrence, StoredBlob
from wherefrom.options import Limits, SearchOptions
from wherefrom.queries.alignment.aligning import Aligned, Aligner, DocumentText
from wherefrom.queries.preparation.background import background
from wherefrom.queries.searching import search
from wherefrom.results import SearchResult

pytestmark = pytest.mark.usefixtures("both_ways")

CODE = """\
def settle(account, entries, limit=20):
{}    for entry in sorted(entries, key=lambda each: each.day):
        if entry.amount > limit and not entry.is_locked:
            account.balance -= entry.amount
            account.history.append((entry.day, entry.amount))
    return account.balance, len(account.history)
"""
ONE = "Settles what is open on the account, the oldest entries first, and tells what is left of it afterwards."
OTHER = "Goes through all bookings of a period in their order. Whatever the bank has locked stays as it was before."


def commented(text: str) -> bytes:
    return CODE.format("".join(f"    # {line}\n" for line in textwrap.wrap(text, 40))).encode()


def made(content: bytes) -> AnalyzedContent:
    found = document("a.py", content, Limits())
    assert isinstance(found, AnalyzedContent)
    return found


def index(*contents: bytes) -> MemoryEngine:
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        for number, content in enumerate(contents):
            found = made(content)
            stored = StoredBlob(f"b{number}", found.language, len(content), found.token_count, found.tokens)
            writer.add_blobs([BlobDocument(stored, found.terms)])
            writer.put_occurrences([Occurrence("repository", f"{number}.py", f"b{number}", "revision")])
    return engine


def looked_up(engine: MemoryEngine, code: bytes, name: str = "q.py") -> SearchResult:
    return search(engine, code, SearchOptions(name=name, explain=True))


def groups(found: SearchResult) -> Sequence[set[str]]:
    return [{at.path for at in hit.occurrences} for hit in found.hits]


@pytest.mark.thorough
def test_code_has_the_same_bits_and_runs_as_in_a_file_whose_insides_are_not_read() -> None:
    query = decode(made(module_source("heapq")).tokens)
    code = outside(query)
    assert len(code) < len(query)
    aligner = Aligner(code, background().bits(code, code.classes > 9), 0, len(code))

    def aligned(content: bytes) -> tuple[Aligned, Aligned]:
        found = made(content)
        stored = StoredBlob("", "python", 0, found.token_count, found.tokens)
        return aligner.align(DocumentText(stored.tokens)), aligner.align(DocumentText(without_insides(stored).tokens))

    for content in (module_source("heapq"), module_source("bisect"), module_source("heapq")[:-2000]):
        whole, without = aligned(content)
        assert whole == without


def test_files_that_differ_in_comments_only_are_one_hit() -> None:
    engine = index(commented(ONE), commented(OTHER), b"x = 1\n")
    for text in (ONE, OTHER):
        assert groups(looked_up(engine, commented(text)[10:])) == [{"0.py", "1.py"}]


@pytest.mark.parametrize("name", ["q.py", "q.txt", "q"])
def test_words_of_a_docstring_are_found_where_they_are(name: str) -> None:
    engine = index(CODE.format(f'    """{ONE}"""\n').encode(), CODE.format(f'    """{OTHER}"""\n').encode())
    for number, text in enumerate((ONE, OTHER)):
        [hit] = looked_up(engine, text[5:-5].encode(), name).hits
        [content] = hit.contents
        assert content.blob == f"b{number}"
        assert {region.document.start_line for region in content.regions} == {2}


def test_a_fence_in_a_docstring_is_found_with_the_text_around_it() -> None:
    text = f'    """{ONE}\n\n    ```python\n    print(ledger.of(today), end="")\n    ```\n    {OTHER}\n    """\n'
    engine = index(CODE.format(text).encode(), CODE.format("").encode())
    found = looked_up(engine, "\n".join(text.split("\n")[1:6]).encode(), "q.txt")
    assert found.query.language == "text"
    assert groups(found) == [{"0.py"}]


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two folders with the same code and other comments."""
    for name, text in (("one", ONE), ("other", OTHER)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_bytes(commented(text).replace(b"settle", b"settled"))
    return [tmp_path / "one", tmp_path / "other"]


@pytest.mark.slow
def test_other_comments_do_not_make_files_less_alike(folders: list[Path], tmp_path: Path) -> None:
    wherefrom.index_sources(folders, tmp_path / "index")
    with wherefrom.open_index(tmp_path / "index") as opened:
        for by in ("containment", "resemblance", "either"):
            [hit] = opened.similar(f"{folders[0]}:a.py", by=by).hits
            assert (hit.contents[0].score, hit.contents[0].match) == (1, 100)
        [pair] = opened.compare([]).pairs
    assert pair.similarity == 1
    [pair] = wherefrom.compare_sources(folders).pairs
    assert pair.similarity == 1
