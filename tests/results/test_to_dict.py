"""`to_dict` of every result equals the output of `--format json`, and fits the published schemas."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jsonschema_rs
import numpy as np
import pytest

from tests.results import answers
from tests.schemas import schema
from wherefrom.lab.figures import (
    CorpusSize,
    Frequencies,
    FrequencyResult,
    Noise,
    NoiseResult,
    SamplerFigures,
    SamplerResult,
)
from wherefrom.languages import LANGUAGES
from wherefrom.model import BoilerplateSet, KeyKind, RepositoryRecord, Representation, SkipReason
from wherefrom.results import CopyReport, Doubt, HistoryReport, IndexReport, IndexStats, LeftOut, RepositoryReport
from wherefrom.support.contract import FORMAT

SEARCH, FIRST, SOURCES, CHECK = schema("search"), schema("first"), schema("sources"), schema("check")


@pytest.mark.parametrize(
    ("value", "published"),
    [
        (answers.search_result().to_dict(), SEARCH),
        (answers.attributed(answers.search_result()).to_dict(), SEARCH),
        (dataclasses.replace(answers.search_result(), hits=(), total=0, truncated=False).to_dict(), SEARCH),
        (answers.nothing_found().to_dict(), SEARCH),
        (answers.aged(answers.search_result()).to_dict(), SEARCH),
        (answers.first_result().to_dict(), FIRST),
        (dataclasses.replace(answers.first_result(), places=(), total=0).to_dict(), FIRST),
        (answers.sources_result().to_dict(), SOURCES),
        (dataclasses.replace(answers.sources_result(), documents=()).to_dict(), SOURCES),
        (answers.check_report().to_dict(), CHECK),
        (dataclasses.replace(answers.check_report(), findings=(), stale=()).to_dict(), CHECK),
    ],
)
def test_an_answer_is_as_its_schema_says(value: dict[str, Any], published: dict[str, Any]) -> None:
    validator = jsonschema_rs.Draft202012Validator(published)
    validator.validate(value)
    validator.validate(json.loads(json.dumps(value)))


def test_names_of_a_search_are_exactly_those_of_the_contract() -> None:
    answer = answers.attributed(answers.search_result()).to_dict()
    definitions = SEARCH["$defs"]
    hit = answer["hits"][0]
    # A schema does not require a field that was added later.
    later = {"hit": ["by_terms", "translated_from"], "occurrence": ["licenses", "attribution", "age", "index"]}
    for value, name in (
        (answer, ""),
        (answer["query"], "query"),
        (hit, "hit"),
        (hit["occurrences"][0], "occurrence"),
        (hit["regions"][0], "region_pair"),
        (hit["regions"][0]["document"], "region"),
        (hit["explanation"][0]["evidence"], "copy_evidence"),
        (answers.nothing_found().to_dict()["refused"], "refused"),
    ):
        published = definitions[name] if name else SEARCH
        assert list(value) == [*published["required"], *later.get(name, [])] == list(published["properties"])
    assert answer["format"] == FORMAT == 1


def test_names_of_a_first_appearance_are_exactly_those_of_the_contract() -> None:
    value = answers.first_result().to_dict()
    definitions = FIRST["$defs"]
    place = value["places"][0]
    for part, published in (
        (value, FIRST),
        (value["query"], definitions["query"]),
        (place, definitions["place"]),
        (place["lines"], definitions["lines"]),
        (place["age"], definitions["age"]),
        (place["age"]["first"], definitions["appearance"]),
    ):
        assert list(part) == published["required"] == list(published["properties"])
    same = {name: SEARCH["$defs"][name] for name in ("age", "appearance")}
    assert same == {name: definitions[name] for name in same}
    assert definitions["appearance"]["properties"]["doubts"]["items"]["enum"] == [*Doubt]


def test_of_code_that_is_gone_only_its_commit_is_known() -> None:
    gone, *_ = answers.first_result().to_dict()["places"]
    assert (gone["gone"], gone["blob"], gone["swhid"]) == (True, "", None)
    commit = gone["age"]["first"]["commit"]
    assert gone["url"] == f"https://github.com/x/y/blob/{commit}/src/%3Cb%3Eold%1B.py#L3-L6"
    place = answers.first_result().places[0]
    record = RepositoryRecord("/clone", "/clone", "git", "r1", "", 1, 1, {}, "", key_kind=KeyKind.PATH)
    assert dataclasses.replace(place, record=record).url is None
    assert dataclasses.replace(place, record=record, is_gone=False).url == "file:///clone/src/%3Cb%3Eold%1B.py"


def test_names_of_sources_are_exactly_those_of_the_contract() -> None:
    value = answers.sources_result().to_dict()
    definitions = SOURCES["$defs"]
    document = value["documents"][0]
    for part, published in (
        (value, SOURCES),
        (value["query"], definitions["query"]),
        (document, definitions["document"]),
        (document["occurrences"][0], definitions["occurrence"]),
        (document["lines"][0], definitions["lines"]),
        (document["regions"][0], definitions["region_pair"]),
        (value["unexplained"], definitions["remainder"]),
    ):
        assert list(part) == published["required"] == list(published["properties"])


def test_names_of_a_check_are_exactly_those_of_the_contract() -> None:
    value = answers.check_report().to_dict()
    definitions = CHECK["$defs"]
    finding = value["findings"][0]
    place = finding["places"][0]
    evidence = definitions["evidence"]
    for part, published in (
        (value, CHECK),
        (finding, definitions["finding"]),
        (finding["region"], definitions["region"]),
        (place, definitions["place"]),
        (place["evidence"][0], evidence),
        (finding["places"][1]["hints"][0], evidence),
        (value["stale"][0], definitions["entry"]),
    ):
        assert list(part) == published["required"] == list(published["properties"])
    assert [found["failing"] for found in value["findings"]] == [True, False, False]
    assert value["findings"][1]["accepted"] == {"by": "comment", "reason": "mine <too>"}
    assert [place["url"] for place in finding["places"]] == [
        "https://github.com/x/y/blob/r1/src/%3Cb%3E.py#L3-L25",
        None,
    ]


def test_a_query_that_is_too_short_says_so() -> None:
    result = answers.search_result()
    query = dataclasses.replace(result.query, tokens=3, fingerprints=0, excluded_tokens=0, needed=8)
    empty = dataclasses.replace(
        result, query=query, hits=(), explained_tokens=0, explained=0.0, total=0, truncated=False
    ).to_dict()
    jsonschema_rs.Draft202012Validator(SEARCH).validate(empty)
    assert empty["query"]["too_short"] == {"needed": 8}


def test_the_attribution_of_a_hit_is_that_of_the_place_that_says_least() -> None:
    plain = answers.search_result().to_dict()["hits"][0]
    assert plain["attribution"] is None
    assert {occurrence["attribution"] for occurrence in plain["occurrences"]} == {None}
    hit = answers.attributed(answers.search_result()).to_dict()["hits"][0]
    assert hit["attribution"]["verdict"] == "unattributed"
    assert [place["attribution"]["verdict"] for place in hit["occurrences"][:2]] == ["unattributed", "attributed"]
    assert hit["occurrences"][1]["attribution"]["evidence"][0]["where"] == "match"


def test_an_explanation_tells_its_steps_in_order() -> None:
    first, second = answers.search_result().to_dict()["hits"]
    steps = first["explanation"]
    assert [step["kind"] for step in steps] == ["score", "term", "term"]
    assert steps[0]["score"] == first["score"]
    assert [step["term"] for step in steps if step["kind"] == "term"] == ["00000000deadbeef", "f" * 16]
    assert second["explanation"] is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 2),
        (("total",), -1),
        (("hits", 0, "containment"), 1.5),
        (("hits", 0, "blob"), "xyz"),
        (("hits", 0, "regions", 0, "query", "start_line"), 0),
        (("hits", 0, "explanation", 1, "term"), 12),
        (("hits", 0, "explanation", 0, "evidence", "in_order"), 1.5),
        (("query", "too_short"), {}),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: tuple[str | int, ...], value: object) -> None:
    answer: Any = answers.search_result().to_dict()
    inner = answer
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert not jsonschema_rs.Draft202012Validator(SEARCH).is_valid(answer)


def test_runs() -> None:
    report = IndexReport(
        (RepositoryReport("a", "failed", "", error="no", skipped={SkipReason.EMPTY: 1, SkipReason.BINARY: 2}),),
        1,
        2,
        3,
        4.5,
        interrupted=True,
        left_out=(LeftOut("/b", "duplicate", "an older commit", "a", "/a"), LeftOut("/c", "folder", "a plain folder")),
    )
    value = json.loads(json.dumps(report.to_dict()))
    assert (value["format"], value["interrupted"]) == (FORMAT, True)
    assert value["repositories"] == [
        {
            **dict.fromkeys(("files", "parsed", "known", "retired", "renewed", "kept"), 0),
            "repository": "a",
            "status": "failed",
            "revision": "",
            "error": "no",
            "skipped": {"binary": 2, "empty": 1},
        }
    ]
    assert value["left_out"] == [
        {"location": "/b", "kind": "duplicate", "reason": "an older commit", "repository": "a", "instead": "/a"},
        {"location": "/c", "kind": "folder", "reason": "a plain folder", "repository": None, "instead": None},
    ]
    history = HistoryReport("a", "failed", error="no", warnings=("shallow",))
    assert dataclasses.replace(report, history=(history,)).to_dict()["history"] == [
        {
            **dict.fromkeys(("commits", "files", "size", "pieces"), 0),
            "repository": "a",
            "status": "failed",
            "error": "no",
            "warnings": ["shallow"],
        }
    ]
    copied = CopyReport(1, 3, 2, 0, 1, 0, 0, 0, "ab" * 20, 2.0)
    assert copied.to_dict() == {"format": FORMAT, **dataclasses.asdict(copied)}


def test_what_an_index_holds() -> None:
    record = RepositoryRecord(
        "github.com/x/y", "/y", "git", "r", "s", 1, 2, {SkipReason.BINARY: 4}, "2026", key_kind=KeyKind.REMOTE
    )
    value = record.to_dict()
    assert (value["repository"], value["key_kind"], value["skipped"]) == ("github.com/x/y", "remote", {"binary": 4})
    stats = IndexStats("memory", "m", 7, {Representation.EXACT: "e1"}, 0, 0, 0, 0, 0, {"b": 1, "a": 2}, {}, {}, None)
    counts = json.loads(json.dumps(stats.to_dict()))
    assert (counts["format"], counts["index_format"], counts["schemes"]) == (FORMAT, 7, {"exact": "e1"})
    assert list(counts["languages"]) == ["a", "b"]
    hashes = {Representation.EXACT: np.arange(1500, dtype=np.uint64)}
    boilerplate = BoilerplateSet("licenses", ("MIT.txt",), {Representation.EXACT: "e1"}, hashes)
    assert json.loads(json.dumps(boilerplate.to_dict()))["kgrams"] == {"exact": 1500}


def test_languages() -> None:
    values = [language.to_dict() for language in LANGUAGES.values()]
    assert [value["name"] for value in values] == list(LANGUAGES)
    assert values[0]["grammar"]["distribution"].startswith("tree-sitter-")
    assert LANGUAGES["text"].to_dict()["grammar"] is None


def test_experiments() -> None:
    corpus = CorpusSize(1, 2, 3, {"a": "gone"})
    figures = SamplerFigures("random", "winnow", "w=8", 100, 25, None, 7, 93, 0)
    frequencies = Frequencies(Representation.EXACT, 9, 3, 0.5, 0.2, 0.1, 1.0, ((1, 5), (2, 3)), None)
    noise = Noise(Representation.TEXT, "c", 2, ((8, 0.1, 0.2),))
    values = [
        SamplerResult(corpus, (figures,)).to_dict(),
        FrequencyResult(corpus, (frequencies,)).to_dict(),
        NoiseResult(corpus, (noise,)).to_dict(),
    ]
    assert json.loads(json.dumps(values)) == values
    assert [value["corpus"] for value in values] == [dataclasses.asdict(corpus)] * 3
    assert values[0]["samplers"] == [{**dataclasses.asdict(figures), "density": 0.25}]
    assert values[1]["frequencies"][0]["points"] == [{"rank": 1, "frequency": 5}, {"rank": 2, "frequency": 3}]
    assert values[2]["noise"][0]["shares"] == [{"k": 8, "median": 0.1, "greatest": 0.2}]
