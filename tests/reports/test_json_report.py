from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from wherefrom.reports import json_report

if TYPE_CHECKING:
    from wherefrom.results import Hit, SearchResult

SCHEMA = json.loads(Path(__file__).parents[2].joinpath("docs", "search-result.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_an_answer_is_as_the_schema_says(result: SearchResult) -> None:
    VALIDATOR.validate(json_report.to_dict(result))
    VALIDATOR.validate(json.loads(json_report.to_json(result)))


def test_an_answer_that_found_nothing_is_as_the_schema_says(result: SearchResult) -> None:
    query = dataclasses.replace(result.query, tokens=3, fingerprints=0, excluded={}, needed=8)
    empty = json_report.to_dict(dataclasses.replace(result, query=query, hits=(), total=0, truncated=False))
    VALIDATOR.validate(empty)
    assert empty["query"]["too_short"] == {"needed": 8}
    assert empty["query"]["excluded"] == {"boilerplate": 0, "max_df": 0}


def test_names_are_exactly_those_of_the_contract(result: SearchResult) -> None:
    answer = json_report.to_dict(result)
    definitions = SCHEMA["$defs"]
    hit = answer["hits"][0]
    for value, schema in (
        (answer, SCHEMA),
        (answer["query"], definitions["query"]),
        (hit, definitions["hit"]),
        (hit["occurrences"][0], definitions["occurrence"]),
        (hit["regions"][0], definitions["region_pair"]),
        (hit["regions"][0]["document"], definitions["region"]),
    ):
        added = ["attribution"] if value is hit["occurrences"][0] else []  # a field that came later is not required
        assert list(value) == [*schema["required"], *added] == list(schema["properties"])
    assert answer["format"] == 1
    assert hit["attribution"] is None
    assert answer["hits"][1]["explanation"] is None


def test_an_explanation_tells_its_steps_in_order(result: SearchResult) -> None:
    steps = json_report.to_dict(result)["hits"][0]["explanation"]
    assert [step["kind"] for step in steps] == ["score", "chain", "chain", "term", "term"]
    assert [step["term"] for step in steps if step["kind"] == "term"] == ["00000000deadbeef", "f" * 16]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 2),
        (("total",), -1),
        (("hits", 0, "containment"), 1.5),
        (("hits", 0, "blob"), "xyz"),
        (("hits", 0, "regions", 0, "query", "start_line"), 0),
        (("hits", 0, "explanation", 3, "term"), 12),
        (("query", "too_short"), {}),
    ],
)
def test_the_schema_refuses_what_is_wrong(result: SearchResult, path: tuple[str | int, ...], value: object) -> None:
    answer: Any = json_report.to_dict(result)
    inner = answer
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert not VALIDATOR.is_valid(answer)


def _named(result: SearchResult, name: str) -> SearchResult:
    hit: Hit = result.hits[0]
    occurrence = dataclasses.replace(hit.occurrences[0], path=name)
    return dataclasses.replace(
        result,
        query=dataclasses.replace(result.query, name=name),
        hits=(dataclasses.replace(hit, occurrences=(occurrence,)),),
    )


def test_json_is_plain_ascii_whatever_a_path_holds(result: SearchResult) -> None:
    name = "a\x1b[31m\u202e\x7f\x9b\n漢"
    for text in (json_report.to_json(_named(result, name)), json_report.to_jsonl(_named(result, name))):
        assert text.isascii()
        assert text.replace("\n", "").isprintable()
        assert json.loads(text)["hits"][0]["occurrences"][0]["path"] == name


def test_json_lines_are_lines(result: SearchResult) -> None:
    text = json_report.to_jsonl(_named(result, "two\nlines"))
    assert text.endswith("}\n")
    assert text.count("\n") == 1


def test_a_number_that_is_none_is_refused(result: SearchResult) -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_report.to_json(dataclasses.replace(result, took_ms=float("nan")))
