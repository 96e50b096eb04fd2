"""Indexes and queries without code: searches by terms alone, several indexes at once, and the user's own clones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import wherefrom
from tests.repositories import Repository
from wherefrom import FingerprintedQuery, Hit, Index, SearchOptions, SearchResult
from wherefrom.errors import BoilerplateError, NoCode, UnusableIndex, UsageError
from wherefrom.options.asking import NEED_CODE
from wherefrom.queries.fingerprinted import MOST_FINGERPRINTED, MOST_WINDOWS
from wherefrom.queries.history import NO_HISTORY
from wherefrom.queries.searching import NOT_LEFT_OUT
from wherefrom.queries.several import joined
from wherefrom.reports.renderer import Look
from wherefrom.reports.search import RENDERERS

SAMPLES = Path(__file__).parents[1] / "analyzers" / "samples"

AREA = b'''
def area_of_polygon(points, closed=True):
    """The area of a polygon, by the shoelace formula."""
    total = 0.0
    pairs = zip(points, points[1:] + points[:1]) if closed else zip(points, points[1:])
    for (left, bottom), (right, top) in pairs:
        total += left * top - right * bottom
        if abs(total) > 1e300:
            raise OverflowError("this polygon is too large for %r" % points[0])
    return abs(total) / 2.0
'''

WORDS = b"""
def most_frequent_words(path, limit=25, encoding="utf-8"):
    counts = {}
    with open(path, encoding=encoding, errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            for word in line.lower().split():
                cleaned = word.strip(".,;:!?()[]{}<>'\\"")
                if len(cleaned) > 3 and not cleaned.isdigit():
                    counts[cleaned] = counts.get(cleaned, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]
"""


def padded(code: bytes, lines: int) -> bytes:
    return b"".join(b"CONSTANT_%d = %d\n" % (number, number * 37) for number in range(lines)) + code


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repositories with real code; one has all samples."""
    folder = tmp_path_factory.mktemp("clones")
    samples = {f"samples/{path.name}.txt": path.read_bytes() for path in sorted(SAMPLES.iterdir())[:60]}
    for name, files in {
        "shapes": {"shapes.py": padded(AREA, 40), "README.md": b"shapes\n"},
        "texts": {"texts.py": padded(WORDS, 25), "copy.py": padded(AREA, 7)},
        "samples": samples,
    }.items():
        made = Repository.make(folder / name, files)
        made.git("remote", "add", "origin", f"https://github.com/example/{name}.git")
    return folder


@pytest.fixture(scope="module")
def made(clones: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the same code in indexes of several kinds."""
    folder = tmp_path_factory.mktemp("indexes")
    wherefrom.index_sources([clones], folder / "with-code", jobs=1)
    wherefrom.index_sources([clones], folder / "without-code", jobs=1, fingerprints_only=True)
    wherefrom.publish_index(folder / "with-code", folder / "published")
    wherefrom.publish_index(folder / "with-code", folder / "published-without", fingerprints_only=True)
    wherefrom.publish_index(folder / "without-code", folder / "republished-without")
    return folder


def hits(result: SearchResult) -> list[tuple[Any, ...]]:
    return [
        (hit.blob, hit.by_terms, hit.probability, [(pair.query.lines, pair.document.lines) for pair in hit.regions])
        for hit in result.hits
    ]


QUERIES = [AREA, WORDS, AREA.replace(b"total", b"summed"), b"\n\n".join([AREA, WORDS]), b"nothing of it = 1\n" * 9]


@pytest.mark.thorough
@pytest.mark.parametrize("code", QUERIES)
def test_a_published_index_answers_as_the_index(made: Path, code: bytes) -> None:
    with wherefrom.open_index(made / "with-code") as one, wherefrom.open_index(made / "published") as other:
        found, again = one.search(code), other.search(code)
        assert found.hits == again.hits
        assert (found.total, found.explained) == (again.total, again.explained)


@pytest.mark.thorough
def test_the_samples_are_found_alike(made: Path) -> None:
    with wherefrom.open_index(made / "with-code") as one, wherefrom.open_index(made / "published") as other:
        found = 0
        for path in sorted(SAMPLES.iterdir())[:25]:
            code = b"\n".join(path.read_bytes().split(b"\n")[:60])
            hits_of_one = one.search(code, name=path.name).hits
            assert hits_of_one == other.search(code, name=path.name).hits
            found += bool(hits_of_one)
        assert found > 15


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["without-code", "published-without", "republished-without"])
def test_an_index_without_code_finds_copies_with_their_lines(made: Path, name: str) -> None:
    with wherefrom.open_index(made / name) as index:
        result = index.search(AREA)
        assert {hit.by_terms for hit in result.hits} == {True}
        places = {at.path: hit for hit in result.hits for at in hit.occurrences}
        assert {"shapes.py", "copy.py"} <= {*places}
        for path, before in (("shapes.py", 40), ("copy.py", 7)):
            [pair] = places[path].regions
            assert before < pair.document.start_line <= before + 6
            assert before + 6 < pair.document.end_line <= before + 12
            assert 1 <= pair.query.start_line < pair.query.end_line <= 12
        assert index.search(b"x = 1\n" * 20 + b"y = x + 2\n").hits == ()


@pytest.mark.thorough
def test_all_indexes_without_code_answer_alike(made: Path) -> None:
    for code in QUERIES:
        answers = []
        for name in ("without-code", "published-without", "republished-without"):
            with wherefrom.open_index(made / name) as index:
                answers.append(hits(index.search(code)))
        assert answers[0] == answers[1] == answers[2]


def test_no_code_is_in_an_index_without_code(made: Path) -> None:
    for name in ("without-code", "published-without", "republished-without"):
        for path in (made / name).rglob("*"):
            if path.is_file():
                assert b"shoelace" not in path.read_bytes()
        with wherefrom.open_index(made / name) as index:
            for hit in index.search(AREA).hits:
                for at in hit.occurrences:
                    if name != "without-code":  # it knows the clones of this machine
                        assert index.source(at) is None


CALLS: dict[str, Callable[[Index, Path], object]] = {
    "similar": lambda index, _: index.similar("github.com/example/shapes:shapes.py"),
    "similar_to": lambda index, _: index.similar_to(AREA),
    "sources": lambda index, _: index.sources(AREA),
    "learn": lambda index, _: index.learn_boilerplate(),
    "boilerplate of a repository": lambda index, _: index.add_boilerplate(
        "x", repositories=["github.com/example/shapes"]
    ),
    "releases": lambda index, _: index.releases({"area.py": AREA}),
    "compare": lambda index, folder: index.compare([folder / "texts", folder / "shapes"]),
}


@pytest.mark.parametrize("name", ["without-code", "published-without"])
@pytest.mark.parametrize("call", CALLS)
def test_what_needs_code_says_so(made: Path, clones: Path, name: str, call: str) -> None:
    # An answer without an error is fine, and so is an error that says what to do. Any other error is a defect.
    with wherefrom.open_index(made / name) as index, suppress(NoCode, UsageError):
        CALLS[call](index, clones)


def test_a_similar_file_needs_code(made: Path) -> None:
    with wherefrom.open_index(made / "without-code") as index, pytest.raises(NoCode, match="use an index with code"):
        index.similar("github.com/example/shapes:shapes.py")


def test_first_answers_without_code_and_a_check_does_not(made: Path, clones: Path) -> None:
    with wherefrom.open_index(made / "published-without") as index:
        index.first(AREA)
        with pytest.raises(NoCode, match="use an index with code"):
            index.check([clones / "shapes"])


@pytest.mark.parametrize("name", ["without-code", "published-without"])
def test_an_index_without_code_is_not_copied(made: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(NoCode, match="publish it"):
        wherefrom.copy_index(made / name, tmp_path / "copied")
    assert not (tmp_path / "copied").exists()
    with pytest.raises(UsageError, match="name another index"):
        wherefrom.copy_index(made / "with-code", made / "without-code")


def test_an_index_says_whether_it_has_code(made: Path) -> None:
    for path in made.iterdir():
        with wherefrom.open_index(path) as index:
            assert index.stats().has_code == ("without" not in path.name), path


def test_code_and_fingerprints_are_not_mixed(made: Path, clones: Path, tmp_path: Path) -> None:
    for name, bare in (("with-code", True), ("without-code", False)):
        shutil.copytree(made / name, tmp_path / name)
        before = {path: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        with pytest.raises(UsageError, match="--fingerprints-only, or name another index"):
            wherefrom.index_sources([clones], tmp_path / name, jobs=1, fingerprints_only=bare)
        assert {path: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()} == before
        wherefrom.index_sources([clones], tmp_path / name, jobs=1, fingerprints_only=not bare)


def test_only_a_folder_can_be_without_code(clones: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a folder"):
        wherefrom.index_sources([clones], "elasticsearch://localhost:1/x", fingerprints_only=True)
    with pytest.raises(UsageError, match="--rebuild"):
        wherefrom.index_sources([clones], tmp_path / "made", fingerprints_only=True, rebuild=True)


def test_an_index_without_code_replaces_a_published_one_with_code(made: Path, tmp_path: Path) -> None:
    for bare in (False, True, True, False):
        wherefrom.publish_index(made / "with-code", tmp_path / "www", fingerprints_only=bare)
        with wherefrom.open_index(tmp_path / "www") as index:
            assert index.stats().has_code is not bare


# The user's own clones.


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["without-code", "published-without"])
def test_clones_give_the_full_judgement(made: Path, clones: Path, name: str) -> None:
    with (
        wherefrom.open_index(made / "with-code") as full,
        wherefrom.open_index(made / name, read_from=[clones]) as index,
    ):
        for code in QUERIES:
            assert hits(index.search(code)) == hits(full.search(code))


def test_a_clone_without_the_content_leaves_the_terms(made: Path, clones: Path, tmp_path: Path) -> None:
    shutil.copytree(clones / "shapes", tmp_path / "shapes")
    shutil.rmtree(tmp_path / "shapes" / ".git" / "objects")
    (tmp_path / "shapes" / ".git" / "objects").mkdir()
    (tmp_path / "shapes" / "shapes.py").write_bytes(b"print(1)\n")
    with wherefrom.open_index(made / "published-without", read_from=[clones / "texts", tmp_path]) as index:
        by_terms = {at.path: hit.by_terms for hit in index.search(AREA).hits for at in hit.occurrences}
    assert by_terms["copy.py"] is False
    assert by_terms["shapes.py"] is True


def test_clones_that_are_none_are_an_error(made: Path, tmp_path: Path) -> None:
    with pytest.raises(wherefrom.SourceError):
        wherefrom.open_index(made / "published-without", read_from=[tmp_path / "missing"])


# Several indexes.


def test_the_same_content_in_two_indexes_is_one_hit(made: Path) -> None:
    names = [str(made / "with-code"), str(made / "published")]
    with wherefrom.open_indexes(names) as indexes, wherefrom.open_index(names[0]) as alone:
        both, one = indexes.search(AREA), alone.search(AREA)
        assert [hit.blob for hit in both.hits] == [hit.blob for hit in one.hits]
        assert both.total == one.total
        for hit in both.hits:
            assert {*hit.indexes} == {*names}
            assert len(hit.indexes) == len(hit.occurrences)


GROUPINGS = ["ab c", "bc a", "ca b"], ["ab", "cd", "bc"], ["a", "b", "ba"], ["abc", "c", "cd e"], ["a b", "c d e"]

FIGURES = {"a": (0.9, 50.0), "b": (0.9, 60.0), "c": (0.99, 40.0), "d": (0.8, 90.0), "e": (0.99, 70.0)}


@pytest.mark.parametrize("groupings", GROUPINGS)
def test_what_any_index_groups_is_one_hit_and_the_best_come_first(made: Path, groupings: list[str]) -> None:
    with wherefrom.open_index(made / "with-code") as index:
        answer = index.search(AREA)
    hit, at = answer.hits[0], answer.hits[0].occurrences[0]

    def hit_of(blobs: str) -> Hit:
        contents = [
            replace(hit.contents[0], blob=blob, probability=FIGURES[blob][0], match=FIGURES[blob][1]) for blob in blobs
        ]
        places = tuple(replace(at, blob=blob) for blob in blobs)
        return replace(hit, contents=tuple(contents), occurrences=places, licenses=(("MIT",),) * len(places))

    answers = [
        (f"index{number}", replace(answer, hits=tuple(map(hit_of, grouping.split())), total=len(grouping.split())))
        for number, grouping in enumerate(groupings)
    ]
    for order in (answers, answers[::-1]):
        found = joined(order, None, SearchOptions())
        assert found.total == len(found.hits)
        blobs = [content.blob for hit in found.hits for content in hit.contents]
        assert sorted(blobs) == sorted({*"".join(groupings)} - {" "})
        best = [max(FIGURES[content.blob] for content in hit.contents) for hit in found.hits]
        assert best == sorted(best, reverse=True)
        places = [
            (at.blob, index) for hit in found.hits for at, index in zip(hit.occurrences, hit.indexes, strict=True)
        ]
        own = ((blob, name) for (name, _), own in zip(answers, groupings, strict=True) for blob in own if blob != " ")
        assert sorted(places) == sorted(own)


def test_an_index_with_code_beside_one_without(made: Path) -> None:
    names = [str(made / "without-code"), str(made / "with-code")]
    with wherefrom.open_indexes(names) as indexes:
        found = indexes.search(AREA)
        assert {hit.by_terms for hit in found.hits} == {False}


def test_an_index_that_does_not_answer_is_a_warning(made: Path, tmp_path: Path) -> None:
    names = [str(made / "with-code"), str(tmp_path / "missing")]
    for order in (names, names[::-1]):
        with wherefrom.open_indexes(order) as indexes:
            found = indexes.search(AREA)
            assert found.hits
            assert [*indexes.problems] == names[1:]
            assert any("there is no index" in warning for warning in found.warnings)
    with pytest.raises(UnusableIndex):
        wherefrom.open_indexes(names, strict=True)
    with pytest.raises(UnusableIndex):
        wherefrom.open_indexes(names[1:])
    with pytest.raises(UsageError, match="once"):
        wherefrom.open_indexes([names[0], names[0]])


@pytest.mark.thorough
def test_indexes_with_other_term_widths_are_searched_together(made: Path, clones: Path, tmp_path: Path) -> None:
    wherefrom.index_sources([clones], tmp_path / "wide", jobs=1, wide_terms=True)
    names = [str(tmp_path / "wide"), str(made / "published")]
    with wherefrom.open_indexes(names) as indexes, wherefrom.open_index(names[1]) as alone:
        assert [hit.blob for hit in indexes.search(AREA).hits] == [hit.blob for hit in alone.search(AREA).hits]


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two indexes with histories. The first has the newest and the oldest copy of code, the second one in between."""
    folder = tmp_path_factory.mktemp("dated")
    for name, day, code in (
        ("newest", "2021-01-01", padded(AREA, 3)),
        ("oldest", "2011-01-01", padded(WORDS, 30) + AREA.replace(b"total", b"summed")),
        ("between", "2015-01-01", padded(AREA, 3)),
    ):
        clone = Repository.make(folder / "clones" / name)
        clone.commit({f"{name}.py": code}, day=day)
    clones = folder / "clones"
    wherefrom.index_sources([clones / "newest", clones / "oldest"], folder / "one", jobs=1, history=True)
    wherefrom.index_sources([clones / "between"], folder / "other", jobs=1, history=True)
    return [str(folder / "one"), str(folder / "other")]


def days(result: SearchResult) -> list[tuple[str | None, str | None]]:
    """The index and the day of each place."""
    return [(place.index, place.age.first.day if place.age else None) for hit in result.hits for place in hit.places]


@pytest.mark.thorough
@pytest.mark.parametrize("by_terms", [False, True])
def test_the_oldest_place_of_all_indexes_comes_first(dated: list[str], by_terms: bool) -> None:
    one, other = dated
    query = wherefrom.fingerprint(AREA) if by_terms else AREA
    with wherefrom.open_indexes(dated) as indexes:
        found = indexes.search(query, oldest=True)
        assert days(found) == [(one, "2011-01-01"), (other, "2015-01-01"), (one, "2021-01-01")]
        assert not found.warnings
        # The limit is about the best hits. Their places are in order too.
        assert days(indexes.search(query, oldest=True, limit=1)) == [(other, "2015-01-01"), (one, "2021-01-01")]


@pytest.mark.thorough
def test_an_index_without_history_is_named(dated: list[str], made: Path) -> None:
    names = [dated[1], str(made / "with-code")]
    with wherefrom.open_indexes(names) as indexes:
        found = indexes.search(AREA, oldest=True)
    assert days(found)[0] == (names[0], "2015-01-01")
    assert [*found.warnings] == [f"{names[1]}: {NO_HISTORY}"]


def test_a_set_that_only_some_indexes_have_is_a_warning(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "with-code", tmp_path / "with-set")
    names = [str(made / "with-code"), str(tmp_path / "with-set")]
    with wherefrom.open_index(names[1]) as index:
        index.add_boilerplate("words", texts=[("words.py", WORDS)])
    with wherefrom.open_indexes(names) as indexes:
        found = indexes.search(WORDS, without=["words"])
        assert [*found.warnings] == [f"no boilerplate set 'words' in {names[0]}, so nothing of it is left out there"]
        assert {index for hit in found.hits for index in hit.indexes} == {names[0]}
        assert indexes.search(WORDS, without=["w*"], allow_missing_sets=True).warnings == ()
        assert indexes.search(WORDS, without=["frameworks"]).warnings == ()
        with pytest.raises(BoilerplateError, match="'word' in any of these indexes; there are: words"):
            indexes.search(WORDS, without=["word"])
        assert len(indexes.search(WORDS, without=["word"], allow_missing_sets=True).warnings) == 1


# Queries without code.


@pytest.mark.parametrize("name", ["with-code", "published", "without-code"])
def test_a_fingerprinted_query_finds_what_terms_find(made: Path, name: str) -> None:
    query = wherefrom.fingerprint(AREA, name="area.py")
    loaded = FingerprintedQuery.load(query.dump(), "q.json")
    assert loaded == query
    assert "total" not in query.dump()
    with wherefrom.open_index(made / name) as index, wherefrom.open_index(made / "without-code") as without:
        found = index.search(loaded)
        assert {hit.by_terms for hit in found.hits} == {True}
        assert hits(found) == hits(without.search(AREA, name="area.py"))


ENDINGS = {"haskell": "hs", "julia": "jl", "tsx": "tsx", "typescript": "ts", "go": "go"}

PROSE = b"""# Areas

The area of a polygon is found by the shoelace formula of the surveyors, which adds the products of neighboring corners.
Half of the sum is the area, whatever the number of corners is, if no two edges of the polygon cross each other.
The surveyors walked along the fields with a chain, wrote down each corner, and did the rest at home beside the stove.
"""


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index without code, of a file in each of some languages, and of prose."""
    folder = tmp_path_factory.mktemp("languages")
    (folder / "files").mkdir()
    for name, ending in ENDINGS.items():
        (folder / "files" / f"{name}.{ending}").write_bytes((SAMPLES / f"{name}.sample").read_bytes())
    (folder / "files" / "areas.md").write_bytes(PROSE)
    wherefrom.index_sources([folder / "files"], folder / "index", jobs=1, fingerprints_only=True)
    return folder / "index"


def sample(name: str, first: int, last: int) -> bytes:
    return b"\n".join((SAMPLES / f"{name}.sample").read_bytes().split(b"\n")[first:last])


MISREAD = {
    "haskell that looks like elixir": (sample("haskell", 12, 24), "<code>", "haskell"),
    "julia that looks like python": (sample("julia", 0, 12), "<code>", "python"),
    "typescript that looks like java": (sample("typescript", 24, 36), "<code>", "typescript"),
    "code in a post": (b"<pre><code>%s</code></pre>" % sample("haskell", 12, 40), "<code>", "haskell"),
    "code in a file of prose": (sample("haskell", 12, 40), "a.md", "haskell"),
    "prose in a file of code": (PROSE[9:], "a.py", "text"),
}


@pytest.mark.parametrize("kind", MISREAD)
def test_fingerprints_find_what_the_snippet_finds_in_any_reading(languages: Path, kind: str) -> None:
    code, name, language = MISREAD[kind]
    query = FingerprintedQuery.load(wherefrom.fingerprint(code, name=name).dump(), "q.json")
    with wherefrom.open_index(languages) as index:
        found, again = index.search(code, name=name), index.search(query)
        assert found.query.language == language
        assert found.hits
        assert hits(again) == hits(found)
        assert again.query == found.query


OF_CODE: dict[str, Any] = {
    "name": "a.py",
    "language": "python",
    "lines": (1, 2),
    "explain": True,
    "without": ["frameworks"],
    "without_texts": [("a.py", AREA)],
    "without_sets": [wherefrom.make_boilerplate([("a.py", AREA)])],
    "max_df": 0.5,
}


@pytest.mark.parametrize("name", NEED_CODE)
def test_an_option_that_needs_code_is_refused_for_fingerprints(made: Path, name: str) -> None:
    with wherefrom.open_index(made / "with-code") as index, pytest.raises(UsageError, match="leave it out"):
        index.search(wherefrom.fingerprint(AREA), **{name: OF_CODE[name]})


def test_a_setting_of_sets_is_a_warning_for_fingerprints(made: Path) -> None:
    with wherefrom.open_index(made / "with-code") as index:
        found = index.search(wherefrom.fingerprint(AREA), without=["frameworks"], allow_missing_sets=True)
        assert found.hits
        assert [*found.warnings] == [NOT_LEFT_OUT]


def test_the_other_options_apply_to_fingerprints(made: Path) -> None:
    asked: list[int] = []
    with wherefrom.open_index(made / "with-code") as index:

        def paths(**options: Any) -> set[str]:
            found = index.search(wherefrom.fingerprint(AREA), **options)
            return {at.path for hit in found.hits for at in hit.occurrences}

        assert paths() >= {"shapes.py", "copy.py"}
        assert paths(paths=["copy.*"]) == {"copy.py"}
        assert "shapes.py" not in paths(own=["shapes"])
        assert paths(languages=["c"]) == set()
        assert paths(progress=asked.append)
        assert len(asked) == 1
        part = wherefrom.fingerprint(AREA + WORDS)
        shares = [hit.containment for hit in index.search(part).hits]
        assert min(shares) < 0.9
        assert all(hit.containment >= 0.9 for hit in index.search(part, min_containment=0.9).hits)
        assert NO_HISTORY in index.search(wherefrom.fingerprint(AREA), oldest=True).warnings


def test_a_short_snippet_has_nothing_to_look_up(made: Path) -> None:
    query = FingerprintedQuery.load(wherefrom.fingerprint("x = 1").dump(), "q.json")
    with wherefrom.open_index(made / "with-code") as index:
        result = index.search(query)
        assert result.hits == ()
        assert result.query.needed is not None


Change = Callable[[dict[str, Any]], object]


@cache
def dumped() -> str:
    return wherefrom.fingerprint(AREA).dump()


def changed(change: Change) -> str:
    """The fingerprints of a snippet with a change, or what the change gives in their place."""
    values = json.loads(dumped())
    result = change(values)
    return json.dumps(values if result is None else result)


def window(values: dict[str, Any]) -> Any:
    """The first window of the first reading."""
    return values["readings"][0]["windows"][0]


HOSTILE: dict[str, str | bytes | Change] = {
    "no JSON": "{",
    "empty": b"",
    "not UTF-8": b"\xff",
    "deep": "[" * 100_000,
    "a list": "[]",
    "a newer format": lambda values: values.update(format=99, reader=99),
    "no format": lambda _: {"readings": []},
    "other schemes": lambda values: values["schemes"].update(exact="x"),
    "no schemes": lambda values: values.update(schemes=None),
    "no readings": lambda values: values.update(readings=[]),
    "a word in place of readings": lambda values: values.update(readings="readings"),
    "no terms": lambda values: window(values).update(terms={}),
    "no terms of a representation": lambda values: window(values)["terms"].update(exact=[]),
    "not a number": lambda values: window(values).update(bits=float("nan")),
    "an infinite number": lambda values: window(values).update(bits=float("inf")),
    "a huge number": lambda values: window(values).update(bits=10**30),
    "more digits than Python reads": '{"format": ' + "9" * 5_000 + "}",
    "more bits than a query has": lambda values: window(values).update(bits=1 << 39),
    "a huge line": lambda values: window(values)["terms"]["exact"].append(["5", 1, 1 << 39]),
    "lines that descend": lambda values: window(values)["terms"]["exact"].append(["5", 2, 1]),
    "a term with a sign": lambda values: window(values)["terms"]["exact"].append(["+5", 1, 2]),
    "a term that is a number": lambda values: window(values)["terms"]["exact"].append([5, 1, 2]),
    "a term without lines": lambda values: window(values)["terms"]["exact"].append(["5"]),
    "more left out than there is": lambda values: values["readings"][0]["query"].update(excluded_tokens=9999),
    "reasons in pairs": lambda values: values["readings"][0]["query"].update(excluded=[["max_df", 1]]),
    "a deep value": '{"format": 1, "reader": 1, "schemes": ' + "[" * 100_000,
    "too large": lambda _: " " * MOST_FINGERPRINTED,
    "more windows than the longest snippet has": lambda values: values["readings"][0].update(
        windows=[{}] * (MOST_WINDOWS + 1)
    ),
    "no windows": lambda values: values["readings"][0].update(windows=5),
    "a negative number": lambda values: window(values).update(bits=-1),
    "a true number": lambda values: window(values).update(bits=True),
    "no bits": lambda values: window(values).pop("bits") and None,
    "nothing that counts": lambda values: values["readings"][0].update(counted=0),
    "a word in place of what counts": lambda values: values["readings"][0].update(counted="9"),
    "a long term": lambda values: window(values)["terms"]["exact"].append(["f" * 13, 1, 2]),
    "a term in other letters": lambda values: window(values)["terms"]["exact"].append(["zz", 1, 2]),
    "a negative term": lambda values: window(values)["terms"]["exact"].append(["-5", 1, 2]),
    "a negative line": lambda values: window(values)["terms"]["exact"].append(["5", -1, 2]),
    "a line that is infinite": lambda values: window(values)["terms"]["exact"].append(["5", 1e400, 2]),
    "an unknown representation": lambda values: window(values)["terms"].update(other=[]),
    "a number in place of a name": lambda values: values["readings"][0]["query"].update(name=5),
    "an unknown fact": lambda values: values["readings"][0]["query"].update(other=5),
    "a window in quotes": lambda values: values["readings"][0]["query"].update(window="9"),
    "wrong reasons": lambda values: values["readings"][0]["query"].update(excluded=[1]),
    "a word in place of a number": lambda values: values["readings"][0]["query"].update(needed="x"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_fingerprints_are_an_error(name: str) -> None:
    hostile = HOSTILE[name]
    with pytest.raises(UsageError, match=r"^q\.json ") as raised:
        FingerprintedQuery.load(changed(hostile) if callable(hostile) else hostile, "q.json")
    assert "\n" not in str(raised.value)


def test_what_cannot_be_read_again_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    query = wherefrom.fingerprint(AREA)
    monkeypatch.setattr("wherefrom.queries.fingerprinted.MOST_FINGERPRINTED", 1_000)
    with pytest.raises(UsageError, match="name some of its lines"):
        query.dump()


def test_what_a_stranger_calls_the_query_is_printed_safely(made: Path) -> None:
    def rename(values: dict[str, Any]) -> None:
        values["readings"][0]["query"].update(name="a\x1b[31m\n\ud800", language="\x1b]0;", excluded={"\x1b\n": 1})

    query = FingerprintedQuery.load(changed(rename), "q.json")
    with wherefrom.open_index(made / "with-code") as index:
        result = index.search(query)
        assert result.hits
        for renderer in RENDERERS.values():
            written = "".join(renderer.write(result, Look())).encode()
            assert b"\x1b" not in written
        assert json.loads(json.dumps(result.to_dict()))
