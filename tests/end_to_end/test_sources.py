"""A file put together from others is explained by few documents, line by line, with its own parts left over."""

from __future__ import annotations

import ast
import csv
import difflib
import heapq
import json
import shlex
import textwrap
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.end_to_end.conftest import SAMPLES, Wherefrom, module_source
from tests.end_to_end.edits import AFTER, BEFORE, UNRELATED, reformatted, renamed, script, source_of, with_insertions
from tests.repositories import Repository
from tests.schemas import schema
from wherefrom import Index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.options import IndexOptions
from wherefrom.sources.discover import discover

SCHEMA = schema("sources")

MODULES = ("csv", "difflib", "heapq", "shlex", "textwrap", "calendar", "cmd", "bisect")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, with an index of eight projects that have one module each; `fork` has a copy of one of them."""
    folder = tmp_path_factory.mktemp("projects")
    for name in MODULES:
        Repository.make(folder / "clones" / name, {f"lib/{name}.py": module_source(name)})
    changed = module_source("heapq").replace(b"def heapify(", b"def make_heap(")
    Repository.make(folder / "clones/fork", {"vendor/heapq.py": module_source("heapq"), "old/heapq.py": changed})
    made = Wherefrom(folder)
    made.indexes("clones")
    return made


def decomposed(wherefrom: Wherefrom, code: bytes, *options: str, code_of: int = 0) -> dict[str, Any]:
    """The JSON that `wherefrom sources` prints, after a check that it fits the schema."""
    answer: dict[str, Any] = wherefrom.json("sources", "-", *options, stdin=code, code=code_of)
    jsonschema_rs.Draft202012Validator(SCHEMA).validate(answer)
    return answer


def laid_out(*parts: str) -> tuple[bytes, list[tuple[int, int]]]:
    """Texts below one another, and the first and last line of each that is not empty."""
    whole, ranges = "", []
    for part in parts:
        text = part.strip("\n")
        ranges.append((whole.count("\n") + 1, whole.count("\n") + 1 + text.count("\n")))
        whole += f"{text}\n\n\n"
    return whole.encode(), ranges


def ranges_of(part: dict[str, Any]) -> list[tuple[int, int]]:
    return [(item["start_line"], item["end_line"]) for item in part["lines"]]


def by_path(answer: dict[str, Any]) -> dict[str, list[tuple[int, int]]]:
    return {item["occurrences"][0]["path"]: ranges_of(item) for item in answer["documents"]}


FUNCTIONS = {
    "heapq": source_of(heapq.nsmallest),
    "textwrap": source_of(textwrap.TextWrapper._wrap_chunks),
    "csv": source_of(csv.Sniffer._guess_quote_and_delimiter),  # type: ignore[attr-defined]  # not public
    "difflib": source_of(difflib.SequenceMatcher.find_longest_match),
    "shlex": source_of(shlex.shlex.read_token),
}


def test_a_file_of_three_projects_and_own_code_is_three_documents(projects: Wherefrom) -> None:
    parts = [FUNCTIONS["csv"], BEFORE, FUNCTIONS["textwrap"], FUNCTIONS["difflib"], AFTER]
    code, lines = laid_out(*parts)
    answer = decomposed(projects, code)
    assert by_path(answer) == {"lib/csv.py": [lines[0]], "lib/textwrap.py": [lines[2]], "lib/difflib.py": [lines[3]]}
    assert ranges_of(answer["unexplained"]) == [lines[1], lines[4]]
    # A run may grow into the head of the function that comes next, which is the other document's all the same.
    assert all(item["tokens"] > 0.95 * item["all_tokens"] for item in answer["documents"])
    shares = [item["share"] for item in (*answer["documents"], answer["unexplained"], answer["masked"])]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    assert not answer["truncated"]


def test_parts_that_were_renamed_or_edited_are_explained_too(projects: Wherefrom) -> None:
    parts = [renamed(reformatted(FUNCTIONS["csv"])), BEFORE, with_insertions(FUNCTIONS["difflib"]), FUNCTIONS["shlex"]]
    code, lines = laid_out(*parts)
    answer = decomposed(projects, code)
    assert set(by_path(answer)) == {"lib/csv.py", "lib/difflib.py", "lib/shlex.py"}
    found = by_path(answer)
    for path, (first, last) in (("lib/csv.py", lines[0]), ("lib/shlex.py", lines[3])):
        assert found[path] == [(first, last)]
    inserted = [at for at, line in enumerate(code.splitlines(), 1) if b"log.debug" in line]
    assert len(inserted) > 3
    own = [range(first, last + 1) for first, last in ranges_of(answer["unexplained"])]
    assert all(any(at in item for item in own) for at in inserted)
    assert any(at in item for item in own for at in range(lines[1][0], lines[1][1] + 1))
    explained = sum(last - first + 1 for first, last in found["lib/difflib.py"])
    assert explained >= 0.8 * (lines[2][1] - lines[2][0] + 1 - len(inserted))


def test_functions_that_stand_elsewhere_in_their_document_are_all_its_own(projects: Wherefrom) -> None:
    """In another order, near enough to each other to be in one window, and one of them twice."""
    names = ("nlargest", "_siftup_max", "heapreplace", "_siftdown", "heappushpop", "_siftup_max")
    parts = [module_function("heapq", name) for name in names]
    code, lines = laid_out(*parts)
    answer = decomposed(projects, code)
    [document] = answer["documents"]
    assert document["occurrences"][0]["path"].endswith("heapq.py")
    assert answer["unexplained"]["tokens"] <= 0.02 * answer["query"]["tokens"]
    assert document["all_lines"] == document["lines"]
    assert ranges_of(document)[0][0] == 1
    assert ranges_of(document)[-1][1] == lines[-1][1]


def module_function(module: str, name: str) -> str:
    """A function as its module's source has it, whatever the interpreter put in its place."""
    source = module_source(module).decode()
    nodes = [item for item in ast.parse(source).body if isinstance(item, ast.FunctionDef) and item.name == name]
    return ast.get_source_segment(source, nodes[0]) or ""


def test_an_exact_copy_is_one_document_with_all_its_places(projects: Wherefrom) -> None:
    answer = decomposed(projects, module_source("heapq"))
    [document] = answer["documents"]
    assert (document["share"], answer["unexplained"]["tokens"]) == (1.0, 0)
    places = {(Path(at["repository"]).name, at["path"]) for at in document["occurrences"]}
    assert places == {("heapq", "lib/heapq.py"), ("fork", "vendor/heapq.py"), ("fork", "old/heapq.py")}
    assert all(at["blob"] == document["blob"] for at in document["occurrences"][:2])


def test_the_file_itself_can_be_left_out(projects: Wherefrom) -> None:
    code = module_source("heapq")
    [document] = decomposed(projects, code, "--not-itself")["documents"]
    assert {at["path"] for at in document["occurrences"]} == {"old/heapq.py"}
    assert document["share"] > 0.95
    [document] = decomposed(projects, code, "--not-repository", "*/fork")["documents"]
    assert {at["path"] for at in document["occurrences"]} == {"lib/heapq.py"}
    nothing = decomposed(projects, code, "--not-repository", "*/fork", "--not-repository", "*/heapq", code_of=1)
    assert nothing["documents"] == []


def test_places_can_be_chosen(projects: Wherefrom) -> None:
    code, _ = laid_out(FUNCTIONS["csv"], FUNCTIONS["difflib"])
    assert set(by_path(decomposed(projects, code, "--repository", "*/csv"))) == {"lib/csv.py"}
    assert set(by_path(decomposed(projects, code, "--path", "diff*"))) == {"lib/difflib.py"}


def test_the_limit_cuts_the_list_and_says_so(projects: Wherefrom) -> None:
    code, _ = laid_out(FUNCTIONS["csv"], FUNCTIONS["difflib"], FUNCTIONS["shlex"])
    everything = decomposed(projects, code)
    assert (len(everything["documents"]), everything["truncated"]) == (3, False)
    first = decomposed(projects, code, "--limit", "1")
    assert first["documents"][0]["blob"] == everything["documents"][0]["blob"]
    assert (len(first["documents"]), first["truncated"]) == (1, True)
    assert not decomposed(projects, code, "--limit", "3")["truncated"]


def test_only_long_runs_count(projects: Wherefrom) -> None:
    code, _ = laid_out(FUNCTIONS["csv"], FUNCTIONS["difflib"])
    tokens = {item["occurrences"][0]["path"]: item["tokens"] for item in decomposed(projects, code)["documents"]}
    least = min(tokens.values()) + 1
    longer = [path for path, count in tokens.items() if count >= least]
    assert len(longer) == 1
    assert list(by_path(decomposed(projects, code, "--min-tokens", str(least)))) == longer
    assert decomposed(projects, code, "--min-tokens", "5000", code_of=1)["documents"] == []


def test_boilerplate_explains_nothing_and_needs_no_explanation(wherefrom: Wherefrom) -> None:
    template, own = script(1), script(2)
    for number in range(3):
        Repository.make(wherefrom.folder / f"clones/{number}", {"a.js": (template + script(10 + number)).encode()})
    Repository.make(wherefrom.folder / "clones/own", {"b.js": own.encode()})
    wherefrom.indexes("clones")
    (wherefrom.folder / "template.js").write_text(template)
    wherefrom("boilerplate", "add", "template", "template.js")
    code, lines = laid_out(template, own)
    plain = decomposed(wherefrom, code)
    assert len(plain["documents"]) == 2
    [shared] = [item for item in plain["documents"] if item["occurrences"][0]["path"] == "a.js"]
    assert len(shared["alternatives"]) == 2
    answer = decomposed(wherefrom, code, "--without", "template")
    [document] = answer["documents"]
    assert document["occurrences"][0]["path"] == "b.js"
    # The head of the other function, with its names forgotten, is that of the template.
    [(first, last)], [(begin, end)] = ranges_of(answer["masked"]), ranges_of(document)
    assert (first, begin, end) == (1, last + 1, lines[1][1])
    assert lines[0][1] <= last <= lines[1][0] + 2
    assert answer["query"]["excluded"]["boilerplate"] > 50


def test_a_larger_document_explains_what_several_smaller_ones_would(wherefrom: Wherefrom) -> None:
    parts = [script(number) for number in range(4)]
    for number, part in enumerate(parts):
        Repository.make(wherefrom.folder / f"clones/part{number}", {"part.js": part.encode()})
    Repository.make(wherefrom.folder / "clones/whole", {"whole.js": (script(9) + "".join(parts)).encode()})
    wherefrom.indexes("clones")
    code, lines = laid_out(*parts)
    answer = decomposed(wherefrom, code)
    assert by_path(answer) == {"whole.js": [(1, lines[-1][1])]}
    assert answer["documents"][0]["alternatives"] == []


def test_nothing_is_explained_of_a_file_of_ones_own(projects: Wherefrom) -> None:
    answer = decomposed(projects, UNRELATED.encode(), code_of=1)
    assert (answer["documents"], answer["unexplained"]["share"]) == ([], 1.0)
    assert "no indexed document explains a part of it" in projects("sources", "-", stdin=UNRELATED.encode(), code=1)
    short = decomposed(projects, b"a = b + c", code_of=1)
    assert short["query"]["too_short"] == {"needed": 8}
    empty = decomposed(projects, b"", code_of=1)
    assert (empty["documents"], empty["unexplained"]) == ([], {"tokens": 0, "share": 0.0, "lines": []})


def test_prose_and_other_languages_are_taken_apart_too(library: Wherefrom) -> None:
    java, go = ((SAMPLES / f"{name}.sample").read_text() for name in ("java", "go"))
    with library.open() as index:
        [document] = index.sources(go, language="go").documents
        assert document.occurrences[0].path == "src/go.go"
        half = java.splitlines()[: java.count("\n") // 2]
        [document] = index.sources("\n".join(half), language="java").documents
        assert document.occurrences[0].path == "src/java.java"


def test_the_text_shows_who_explains_which_line(projects: Wherefrom) -> None:
    code, lines = laid_out(FUNCTIONS["difflib"], AFTER)
    shown = projects("sources", "-", "--lines", stdin=code).splitlines()
    assert shown[0].startswith("<stdin> (python, ")
    assert "1 document explains" in shown[0]
    [heading] = [line for line in shown if line.startswith("1. ")]
    assert heading.endswith("difflib  lib/difflib.py")
    assert any(
        line.startswith("not explained: ") and line.endswith(f"lines {lines[1][0]}-{lines[1][1]}") for line in shown
    )
    gutter = [line for line in shown if "│" in line]
    assert [line.split()[0] for line in gutter[: lines[0][1]]] == ["1"] * lines[0][1]
    assert [line.split()[0] for line in gutter[lines[1][0] - 1 : lines[1][1]]] == ["?"] * (AFTER.count("\n"))
    assert [line.partition("│ ")[2] for line in gutter] == code.decode().split("\n")[:-1]
    hidden = projects("sources", "-", "--no-lines", stdin=code)
    assert "│" not in hidden
    assert "\x1b" not in hidden


def test_hostile_names_and_contents_do_not_reach_the_terminal(wherefrom: Wherefrom) -> None:
    code = script(1)
    Repository.make(wherefrom.folder / "clone", {"a\x1b]0;x\x07\n.js": code.encode()})
    wherefrom.indexes("clone")
    (wherefrom.folder / "b\x1b[2J.js").write_text(f"{code}// \x1b[31m\u202e\n")
    shown = wherefrom("sources", "b\x1b[2J.js", "--lines")
    assert "a␛]0;x␇␊.js" in shown
    assert shown.startswith("b␛[2J.js")
    assert "<U+202E>" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.py",), "missing.py is not there"),
        (("folder",), "is a folder; name one file"),
        (("-", "--limit", "0"), "limit"),
        (("-", "--min-tokens", "0"), "--min-tokens must be a whole number, at least 1, not 0"),
        (("-", "--language", "klingon"), "klingon"),
        (("-", "--without", "unknown"), "unknown"),
        (("-", "--repository", " "), "empty"),
        (("-", "--path", "{1..100000}"), "use fewer alternatives"),
        (("-", "--index", "nowhere.wherefrom"), "nowhere.wherefrom"),
        ((), "FILE"),
    ],
)
def test_what_cannot_be_is_one_clear_line(projects: Wherefrom, arguments: tuple[str, ...], message: str) -> None:
    (projects.folder / "folder").mkdir(exist_ok=True)
    printed = projects("sources", *arguments, code=2, stdin=UNRELATED.encode())
    assert message in printed
    assert "Traceback" not in printed


def test_both_engines_and_the_command_say_the_same(projects: Wherefrom) -> None:
    code, _ = laid_out(FUNCTIONS["csv"], BEFORE, renamed(FUNCTIONS["shlex"]), FUNCTIONS["difflib"], AFTER)
    engine = MemoryEngine(scheme_ids())
    IndexingRun(engine, discover([str(projects.folder / "clones")], cache=projects.folder), IndexOptions(jobs=1)).run()
    with Index(engine) as index:
        expected = index.sources(code, name="<stdin>").to_dict()
    answer = decomposed(projects, code)
    for item in (expected, answer):
        item.pop("took_ms")
        item.pop("engine")
    assert answer == json.loads(json.dumps(expected))
