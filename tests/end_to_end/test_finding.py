"""Edited copies of real code are found at their places, and nothing else is found."""

from __future__ import annotations

import csv
import difflib
import fractions
import heapq
import ipaddress
import json
import shlex
import shutil
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.end_to_end.conftest import SAMPLES, Wherefrom, module_source, places
from tests.end_to_end.edits import (
    AFTER,
    BEFORE,
    UNRELATED,
    embedded,
    halved,
    reformatted,
    renamed,
    script,
    source_of,
    with_deletions,
    with_insertions,
)
from tests.repositories import Repository
from wherefrom import Index
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines import open_engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.model import Representation
from wherefrom.options import IndexOptions
from wherefrom.results import Region, SearchResult
from wherefrom.sources.discover import discover

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "csv": csv.Sniffer._guess_quote_and_delimiter,  # type: ignore[attr-defined]  # not public
    "difflib": difflib.SequenceMatcher.find_longest_match,
    "heapq": heapq.nsmallest,
    "ipaddress": ipaddress.collapse_addresses,
    "shlex": shlex.shlex.read_token,
    "textwrap": textwrap.TextWrapper._wrap_chunks,
}

EDITS = (str, reformatted, renamed, with_insertions, with_deletions, halved, embedded)


def tokens_of(region: Region, stream: TokenStream) -> slice:
    """The tokens that a region covers; it begins and ends with a token, and its lines are those of its tokens."""
    begin = int(np.searchsorted(stream.starts, region.start_byte))
    end = int(np.searchsorted(stream.ends, region.end_byte)) + 1
    assert (stream.starts[begin], stream.ends[end - 1]) == (region.start_byte, region.end_byte)
    assert (stream.start_lines[begin], stream.end_lines[end - 1]) == (region.start_line, region.end_line)
    return slice(begin, end)


def agree_on_both_sides(index: Index, result: SearchResult, query: bytes) -> None:
    """The best hit's regions are exact: both texts, analysed again as they stand, agree under the representation."""
    hit = result.hits[0]
    assert hit.regions
    document = index.hit_source(hit)
    assert document is not None
    analysis = analyze_file(hit.occurrences[0].path, document)
    assert isinstance(analysis, Analysis)
    ours, theirs = analyze_snippet(query, language=result.query.language).tokens, analysis.tokens
    for pair in hit.regions:
        left, right = tokens_of(pair.query, ours), tokens_of(pair.document, theirs)
        assert left.stop - left.start == right.stop - right.start == pair.tokens
        equal = ours.codes[left] == theirs.codes[right]  # the same texts, and the same values of literals
        assert np.all(equal) == (pair.representation in {Representation.EXACT, Representation.TEXT})
        # A word that is a keyword in a whole file may be a name in a torn one; then its code alone counts.
        same_class = ours.classes[left] == theirs.classes[right]
        assert np.all(equal | same_class)
        if np.all(same_class):
            assert hashes(ours, pair.representation, left) == hashes(theirs, pair.representation, right)


def hashes(stream: TokenStream, representation: Representation, within: slice) -> list[int]:
    """The k-grams of a stretch of a text."""
    k = SCHEMES[Representation.TEXT if representation is Representation.TEXT else Representation.EXACT].k
    grams = kgrams(stream, representation, k)
    inside = (grams.positions >= within.start) & (grams.positions + k <= within.stop)
    return [int(item) for item in grams.hashes[inside]]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: "exact" if edit is str else edit.__name__)
def test_an_edited_function_is_found_where_it_stands(library: Wherefrom, edit: Callable[[str], str]) -> None:
    with library.open() as index:
        for module, function in FUNCTIONS.items():
            snippet = edit(source_of(function)).encode()
            result = index.search(snippet)
            assert places(result)[:1] == [f"python/lib/{module}.py"]
            assert result.query.language == "python"
            agree_on_both_sides(index, result, snippet)


@pytest.mark.parametrize("language", ["c", "go", "java", "javascript", "ruby", "rust", "typescript"])
def test_half_a_file_in_any_language_is_found(library: Wherefrom, language: str) -> None:
    lines = (SAMPLES / f"{language}.sample").read_text().splitlines(keepends=True)
    half = "".join(line.lstrip() for line in lines[len(lines) // 3 :]).encode()
    with library.open() as index:
        result = index.search(half, language=language)
        assert places(result)[0].startswith(f"mixed/src/{language}.")
        agree_on_both_sides(index, result, half)


@pytest.mark.parametrize("code", [UNRELATED, BEFORE, AFTER, "".join(f"value_{n} = load({n})\n" for n in range(40))])
def test_unrelated_code_is_answered_with_nothing(library: Wherefrom, code: str) -> None:
    assert library.places(code.encode()) == []


def test_the_command_says_the_same_as_the_library(library: Wherefrom) -> None:
    snippet = renamed(source_of(heapq.nsmallest)).encode()
    with library.open() as index:
        expected = index.search(snippet, name="<stdin>", explain=True).to_dict()
    answer = library.search(snippet, "--explain")
    for item in (expected, answer):
        item.pop("took_ms")
    assert answer == json.loads(json.dumps(expected))
    assert library.search(UNRELATED.encode())["total"] == 0


def test_a_function_in_a_long_query_is_found(library: Wherefrom) -> None:
    other = "\n".join(AFTER.replace("plan", f"plan_{number}").replace("hour", f"h{number}") for number in range(9))
    function = source_of(FUNCTIONS["csv"])
    snippet = f"{BEFORE}\n{other}\n{function}\n{other}"
    with library.open() as index:
        result = index.search(snippet, language="python")
        assert result.query.tokens > 1200
        assert places(result) == ["python/lib/csv.py"]
        agree_on_both_sides(index, result, snippet.encode())
        planted = len(analyze_snippet(function.encode(), language="python").tokens)
        assert sum(region.tokens for region in result.hits[0].regions) >= planted


def test_a_snippet_that_is_too_short_is_told_the_length_needed(library: Wherefrom) -> None:
    answer = library.search(b"a = b + c")
    assert (answer["query"]["tokens"], answer["query"]["too_short"], answer["hits"]) == (5, {"needed": 8}, [])


def test_an_index_of_three_files(wherefrom: Wherefrom) -> None:
    files = {f"{name}.py": module_source(name) for name in ("heapq", "textwrap", "bisect")}
    Repository.make(wherefrom.folder / "clone", files)
    wherefrom.indexes("clone")
    assert wherefrom.places(source_of(textwrap.dedent).encode()) == ["clone/textwrap.py"]
    assert wherefrom.places(renamed(source_of(heapq.merge)).encode()) == ["clone/heapq.py"]
    assert wherefrom.places(UNRELATED.encode()) == []
    assert wherefrom.places(source_of(fractions.Fraction.limit_denominator).encode()) == []


def own_code(number: int, lines: int = 12) -> str:
    """Code that no other number has."""
    body = "".join(f"    total_{number} += weigh_{number}_{line}(items[{line}], {line})\n" for line in range(lines))
    return f"def work_{number}(items):\n    total_{number} = 0\n{body}    return total_{number}\n\n\n"


def memory_index(folder: Path, *repositories: str) -> Index:
    """An index in memory of some clones."""
    engine = MemoryEngine(scheme_ids())
    sources = discover([str(folder / name) for name in repositories], cache=folder / "cache")
    IndexingRun(engine, sources, IndexOptions(jobs=1)).run()
    return Index(engine)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterable[Index]:
    """A repository `crowd` with 100 files, 80 with a whole function; `lonely` has half of it, once in the sister
    language of JavaScript.
    """
    folder = tmp_path_factory.mktemp("crowd")
    files = {f"src/{number:03}.js": (PLANTED if number < 80 else "") + script(number) for number in range(100)}
    Repository.make(folder / "crowd", {name: code.encode() for name, code in files.items()})
    weak = (PLANTED[: PLANTED.index("      node.weight")] + "  }\n}\n" + script(1000)).encode()
    Repository.make(folder / "lonely", {"deep/down/half.ts": weak, "other.js": script(1001).encode()})
    with memory_index(folder, "crowd", "lonely") as index:
        yield index


PLANTED = """\
function balance(tree, limit) {
  const queue = [tree.root];
  while (queue.length > 0) {
    const node = queue.shift();
    if (node.left && node.right && node.depth < limit) {
      queue.push(node.left, node.right);
      node.weight = node.left.weight + node.right.weight;
    } else if (node.parent !== null) {
      node.parent.stale = true;
      tree.pending.add(node.key);
    }
  }
  return tree.pending.size === 0;
}
"""


def test_filters_act_before_the_cut(crowd: Index) -> None:
    everywhere = crowd.search(PLANTED, limit=10)
    assert everywhere.truncated
    assert len(everywhere.hits) == 10
    assert "lonely" not in {place.partition("/")[0] for place in places(everywhere)}
    expected = ["lonely/deep/down/half.ts"]
    assert places(crowd.search(PLANTED, repositories=["*/lonely"])) == expected
    assert places(crowd.search(PLANTED, paths=["deep/**"])) == expected
    assert places(crowd.search(PLANTED, paths=["half.*"])) == expected
    assert places(crowd.search(PLANTED, languages=["ts"])) == expected
    assert places(crowd.search(PLANTED, repositories=["*/crowd"], paths=["deep/**"])) == []
    assert places(crowd.search(PLANTED, repositories=["*/lonely"], languages=["javascript"])) == []
    assert not crowd.search(PLANTED, repositories=["*/lonely"]).truncated


def test_every_place_is_found_where_the_limit_allows_it(crowd: Index) -> None:
    everything = crowd.search(PLANTED, limit=200)
    assert (everything.total, everything.truncated) == (81, False)
    assert places(everything)[-1] == "lonely/deep/down/half.ts"


def test_min_containment_leaves_out_what_holds_less(crowd: Index) -> None:
    [half] = crowd.search(PLANTED, repositories=["*/lonely"]).hits
    assert 0.2 < half.containment < 0.8
    assert crowd.search(PLANTED, limit=200, min_containment=half.containment - 0.01).total == 81
    assert crowd.search(PLANTED, limit=200, min_containment=half.containment + 0.01).total == 80
    assert crowd.search(PLANTED, repositories=["*/lonely"], min_containment=half.containment + 0.01).hits == ()


def test_what_stands_in_a_fifth_of_all_contents_is_found_and_can_be_left_out(tmp_path: Path) -> None:
    files = {f"{number:02}.js": (PLANTED if number % 5 == 0 else "") + script(number) for number in range(60)}
    Repository.make(tmp_path / "clone", {name: code.encode() for name, code in files.items()})
    with memory_index(tmp_path, "clone") as index:
        assert sorted(places(index.search(PLANTED, limit=50))) == [f"clone/{at:02}.js" for at in range(0, 60, 5)]
        # Frequent and short, it scores less than chance does in a large index.
        few_lines = "".join(PLANTED.splitlines(keepends=True)[4:6])
        short = index.search(few_lines, language="javascript", limit=50)
        assert short.total == 12
        common = index.search(PLANTED, limit=50, max_df=0.1)
        assert (common.hits, common.query.excluded["boilerplate"]) == ((), 0)
        assert common.query.excluded["max_df"] > 50
        [own] = index.search(PLANTED + script(5), limit=50, max_df=0.1).hits
        assert (own.occurrences[0].path, own.containment) == ("05.js", 1.0)
        assert places(index.search(PLANTED, limit=50, max_df=0.5)) == places(index.search(PLANTED, limit=50))


def test_nearly_identical_contents_are_one_hit(tmp_path: Path) -> None:
    code = "".join(own_code(number) for number in range(10))
    Repository.make(tmp_path / "one", {"a.py": code.encode(), "copy.py": code.encode()})
    Repository.make(tmp_path / "two", {"b.py": code.replace("items[3]", "items[-3]", 1).encode()})
    Repository.make(tmp_path / "three", {"c.py": code.encode(), "d.py": (own_code(3) + own_code(77, 90)).encode()})
    with memory_index(tmp_path, "one", "two", "three") as index:
        result = index.search(own_code(3))
        assert result.total == 2
        found = {frozenset(f"{Path(at.repository).name}/{at.path}" for at in hit.occurrences) for hit in result.hits}
        assert found == {frozenset({"one/a.py", "one/copy.py", "three/c.py", "two/b.py"}), frozenset({"three/d.py"})}
        assert all(hit.occurrences[0].blob == hit.blob for hit in result.hits)


def test_both_engines_answer_alike(library: Wherefrom, tmp_path: Path) -> None:
    some = {f"lib/{name}.py": module_source(name) for name in (*FUNCTIONS, "enum", "random", "string", "types")}
    sources = [str(library.folder / "clones" / "mixed"), str(Repository.make(tmp_path / "some", some).folder)]
    embedded_engine = open_engine(tmp_path / "index", schemes=scheme_ids(), create=True)
    memory_engine = MemoryEngine(scheme_ids())
    for engine in (embedded_engine, memory_engine):
        IndexingRun(engine, discover(sources, cache=tmp_path), IndexOptions()).run()
    snippets = [renamed(source_of(FUNCTIONS["csv"])), halved(source_of(FUNCTIONS["heapq"])), AFTER]
    with Index(embedded_engine) as one, Index(memory_engine) as other:
        for snippet in [*snippets, module_source("csv").decode()]:
            for options in ({}, {"max_df": 0.1}, {"paths": ["lib/[a-h]*"], "limit": 3}):
                answers = [index.search(snippet, explain=True, **options) for index in (one, other)]
                assert_alike(*(answer.to_dict() for answer in answers))
        [key] = [record.key for record in one.repositories() if record.key.endswith("/some")]
        for by in ("containment", "resemblance"):
            assert_alike(*(index.similar(f"{key}:lib/heapq.py", by=by).to_dict() for index in (one, other)))


def assert_alike(one: Any, other: Any) -> None:
    """Two answers agree except in engine and time; scores agree to 24 bits, the precision of the engines' sums."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one.keys() - {"engine", "took_ms"}:
            assert_alike(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            assert_alike(mine, theirs)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-5)
    else:
        assert one == other


def test_the_source_shown_is_the_one_that_was_indexed(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"heap.py": module_source("heapq")})
    wherefrom.indexes("clone")
    made.commit({"heap.py": b"changed = True\n"})
    made.git("checkout", "--quiet", "--orphan", "elsewhere")
    made.write({"heap.py": b"again = True\n"})
    snippet = source_of(heapq.merge).encode()
    with wherefrom.open() as index:
        [hit] = index.search(snippet).hits
        assert index.hit_source(hit) == module_source("heapq")
    shown = wherefrom("search", "-", stdin=snippet, COLUMNS="160")
    assert shown.count("def merge(*iterables, key=None, reverse=False):") == 2

    shutil.rmtree(made.folder)
    with wherefrom.open() as index:
        [hit] = index.search(snippet).hits
        assert index.hit_source(hit) is None
        assert hit.regions
    shown = wherefrom("search", "-", stdin=snippet, COLUMNS="160")
    assert f"heap.py:{hit.regions[0].document.start_line}" in shown
    assert "--keep-source" in shown


def test_a_source_that_was_kept_outlives_its_clone(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"heap.py": module_source("heapq")})
    wherefrom.indexes("clone", "--keep-source")
    shutil.rmtree(made.folder)
    shown = wherefrom("search", "-", stdin=source_of(heapq.merge).encode(), COLUMNS="160")
    assert shown.count("def merge(*iterables, key=None, reverse=False):") == 2
    assert "--keep-source" not in shown


def test_every_answer_counts_and_names_the_files_that_were_not_parsed(wherefrom: Wherefrom) -> None:
    function = (SAMPLES / "kotlin.sample").read_text()
    broken = "is Int if q > 3 -> 1\n" + function
    for name, text in (("one/a.kt", function), ("one/b.kt", broken), ("query.kt", broken + "\n")):
        (wherefrom.folder / name).parent.mkdir(exist_ok=True)
        (wherefrom.folder / name).write_text(text)
    one = str(wherefrom.folder / "one")
    for command, files in (
        (("index", one), [f"{one}/b.kt"]),
        (("search", "query.kt"), ["query.kt", f"{one}/b.kt"]),
        (("search", "one/a.kt"), [f"{one}/b.kt"]),
        (("compare", "one/a.kt", "one/b.kt"), [f"{one}/b.kt"]),
    ):
        for options in ((), ("--format", "json")):
            done, output, errors = wherefrom.run(*command, *options)
            assert done == 0
            warnings = json.loads(output)["warnings"] if options else errors.splitlines()
            assert [each.rpartition(": ")[2] for each in warnings if "1 file did not parse in full" in each] == files
            (wherefrom.folder / "one" / "b.kt").write_text(broken + "// a new content\n")
