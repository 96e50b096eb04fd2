"""Documentation as queries: text that looks like code, parts of fences, and prose that was edited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wherefrom
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.options import SearchOptions
from wherefrom.queries.searching import search

SENTENCES = (
    "A pool keeps connections open after they were used.",
    "Whoever asks for one gets the connection that waited longest.",
    "Before it is handed out, a short statement tells whether the server still answers.",
    "Where it does not, the pool forgets it and opens another.",
    "At most twenty connections are open at any time, and further callers wait in a queue.",
    "A caller that waited for thirty seconds is given up with an error that names the limit.",
    "Transactions that were left open are rolled back as soon as their connection returns.",
    "Settings of the session, such as its time zone, are restored by the same step.",
)
SESSION = """\
>>> pool = Pool(limit=20)
>>> with pool.connection() as connection:
...     connection.execute("select 1")
<Result of 1 row at 0x7f3a>
>>> pool.waiting
0
>>> pool.close()
Traceback (most recent call last):
PoolClosed: the pool was closed by its owner 3 seconds ago
"""
PYTHON = """\
def resize(pool, limit):
    while len(pool.waiting) and pool.limit < limit:
        pool.limit += 1
        pool.open_another()
    return pool.limit
"""
PHP = """\
$pool = new ConnectionPool(20);
$pool->onClose(function ($reason) use ($logger) {
    $logger->warning("closed: " . $reason);
});
return $pool->connection()->fetchAll();
"""
RST = "Pools\n=====\n\n" + "\n".join(SENTENCES) + "\n\nAs in this session:\n\n" + SESSION + "\nThat is all.\n"
MARKDOWN = (
    "# How to resize\n\nA limit is raised step by step, as here.\n\n"
    f"```python\n{PYTHON}```\n\nIn the other language it looks like this:\n\n```php\n{PHP}```\n\nSee above.\n"
)
UNRELATED = """\
A pool of connections is shared by all workers of a process. Each of them takes a connection when a request
comes in, and gives it back at the end of the request. The number of connections is the number of workers, so
nobody ever waits for one. When a worker ends, so does its connection to the server.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = tmp_path_factory.mktemp("files")
    (files / "pools.rst").write_text(RST)
    (files / "resize.md").write_text(MARKDOWN)
    (files / "close.py").write_text("def close(pool):\n    pool.close()\n    return pool.reason\n")
    for number in range(8):
        words = [f"{number}{SENTENCES[at].split()[0]}{at}" for at in range(8)]
        (files / f"other{number}.txt").write_text(" ".join(word * 6 for word in words) + "\n")
    wherefrom.index_sources([files], files / "index")
    return files


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[wherefrom.Index]:
    with wherefrom.open_index(folder / "index") as index:
        yield index


def found(index: wherefrom.Index, text: str, **options: Any) -> list[str]:
    """The name of each file that is found, the best first."""
    return [hit.occurrences[0].path for hit in index.search(text, **options).hits]


@pytest.mark.parametrize("name", ["<code>", "a.txt", "a.rst", "a.md"])
def test_a_session_of_a_document_is_found_whatever_its_name(index: wherefrom.Index, name: str) -> None:
    assert found(index, SESSION, name=name)[:1] == ["pools.rst"]


def test_a_session_that_is_said_to_be_prose_keeps_its_output(index: wherefrom.Index) -> None:
    [hit] = index.search(SESSION, language="text").hits
    assert hit.match == 100


@pytest.mark.parametrize("name", ["<code>", "a.txt", "a.rst", "a.md"])
def test_code_of_a_fence_is_found_whatever_its_name(index: wherefrom.Index, name: str) -> None:
    assert found(index, PYTHON, name=name) == ["resize.md"]


@pytest.mark.parametrize("name", ["<code>", "a.txt", "a.md"])
def test_a_piece_that_begins_inside_a_fence_is_found_whole(index: wherefrom.Index, name: str) -> None:
    piece = MARKDOWN[MARKDOWN.index("    while") : MARKDOWN.index("See above")]
    assert found(index, piece, name=name) == ["resize.md"]


def test_php_in_a_fence_needs_no_opening_tag(index: wherefrom.Index) -> None:
    assert found(index, PHP, language="php") == ["resize.md"]


def test_a_language_that_is_named_is_the_only_one(index: wherefrom.Index) -> None:
    assert found(index, SESSION, language="python") == []


def test_what_matches_more_as_prose_says_how_else_it_was_read(index: wherefrom.Index) -> None:
    result = index.search(PYTHON + "\n" + SESSION, name="a.py")
    assert result.query.language == "text"
    assert [hit.occurrences[0].path for hit in result.hits][:1] == ["pools.rst"]
    [warning] = result.warnings
    assert "read as text than as python" in warning


class CountingAnalyzer(Analyzer):
    """An analyzer that counts its analyses."""

    count = 0

    def snippet(self, content: bytes, **options: Any) -> Analysis:
        self.count += 1
        return super().snippet(content, **options)


@pytest.mark.parametrize(
    ("text", "options", "count"),
    [
        (PYTHON, SearchOptions(), 1),
        (SESSION, SearchOptions(), 2),
        (SESSION, SearchOptions(language="python"), 1),
        ("\n".join(SENTENCES), SearchOptions(), 1),
    ],
)
def test_only_what_is_hardly_found_is_read_again(folder: Path, text: str, options: SearchOptions, count: int) -> None:
    analyzer = CountingAnalyzer()
    engine = open_engine(folder / "index", schemes=scheme_ids())
    try:
        search(engine, text.encode(), options, analyzer=analyzer)
    finally:
        engine.close()
    assert analyzer.count == count


def test_moved_sentences_with_other_words_are_found(index: wherefrom.Index) -> None:
    moved = [SENTENCES[at] for at in (5, 2, 7, 0, 4, 1)]
    words = [word if at % 6 else "another" for at, word in enumerate(" ".join(moved).split())]
    [hit] = index.search(" ".join(words)).hits
    assert hit.occurrences[0].path == "pools.rst"
    begins = [region.query.start_byte for region in hit.regions]
    there = [region.document.start_byte for region in hit.regions]
    assert begins == sorted(begins)
    assert there != sorted(there)


def test_another_text_on_the_same_subject_is_not_found(index: wherefrom.Index) -> None:
    assert found(index, UNRELATED) == []


RECORD = """\
public class Visitor
{
    public int Id { get; set; }
    public string FirstName { get; set; }
    public string LastName { get; set; }
    public string Email { get; set; }
    public DateTime CreatedAt { get; set; }
}
"""


def test_common_code_is_not_found_in_prose_and_telling_code_is(tmp_path: Path) -> None:
    common, telling = RECORD, RECORD.replace("get;", "get => Restored(vault, 0x7f3a);").replace("Id", "LockerNumber")
    other = RECORD.replace("Visitor", "Parcel").replace("Email", "Weight").replace("FirstName", "Label")
    for name, code in (("common", other), ("telling", telling)):
        (tmp_path / f"{name}.rst").write_text(RST.replace(SESSION, code))
    wherefrom.index_sources([tmp_path], tmp_path / "index")
    with wherefrom.open_index(tmp_path / "index") as index:
        assert found(index, common, name="Visitor.cs") == []
        assert found(index, telling, name="Visitor.cs") == ["telling.rst"]


def test_a_passage_that_mostly_matches_as_code_is_found_whole_as_prose(tmp_path: Path) -> None:
    steps = "\n".join(f"    pool.release(worker_{number}, after={number})" for number in range(8))
    session = f"with pool.connection() as connection:\n{steps}\nreturn connection.rows\n"
    passage = session + "The rows are those of the last statement. No worker keeps a connection."
    (tmp_path / "pools.rst").write_text(RST.replace(SESSION, passage))
    (tmp_path / "steps.py").write_text("def steps(pool):\n" + "\n".join(f"    {line}" for line in session.splitlines()))
    wherefrom.index_sources([tmp_path], tmp_path / "index")
    with wherefrom.open_index(tmp_path / "index") as index:
        [as_code] = index.search(passage, language="python").hits
        assert as_code.occurrences[0].path == "steps.py"
        assert 75 < as_code.match < 90
        assert found(index, passage)[:1] == ["pools.rst"]


def test_a_list_of_paths_that_is_read_as_commands_is_found(tmp_path: Path) -> None:
    names = ("numbers", "numpy", "object", "overload", "memory", "streams", "script", "modules", "options", "types")
    listed = "".join(f"src/test/python/test_{name}.py\n" for name in names)
    (tmp_path / "SOURCES.txt").write_text(f"LICENSE\nsetup.py\n{listed}src/test/python/data/read_file.txt\n")
    wherefrom.index_sources([tmp_path], tmp_path / "index")
    with wherefrom.open_index(tmp_path / "index") as index:
        assert index.search(listed, language="bash").hits == ()
        assert found(index, listed) == ["SOURCES.txt"]
