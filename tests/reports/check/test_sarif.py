"""SARIF logs fit the official schema and the limits of code scanning."""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.schemas import sarif_schema
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.model import Rule
from wherefrom.reports import sarif
from wherefrom.reports.sarif import CHECK_KIND as KIND
from wherefrom.reports.sarif import CHECK_RULES as RULES
from wherefrom.reports.sarif import Related, SarifResult, SarifSpan, make_log, span
from wherefrom.results import Region

LINES = SarifSpan(1, 1, 10, 1)

FINDING = SarifResult(
    rule=Rule.COPIED_UNATTRIBUTED,
    level="warning",
    message="12 lines also appear elsewhere.",
    path="src/a b.py",
    span=SarifSpan(3, 5, 14, 2),
    snippet="def f():\n    return 1\n",
    fingerprint="0123abcd:1",
    related=(
        Related("https://github.com/o/r/blob/main/x.py", "o/r: x.py", SarifSpan(1, 1, 9, 4)),
        Related("https://stackoverflow.com/a/12", "answer 12", LINES),
    ),
)


def logged(*findings: SarifResult) -> str:
    return make_log(findings, KIND)


def run(log: str) -> dict[str, Any]:
    value = json.loads(log)
    sarif_schema().validate(value)
    [only] = value["runs"]
    assert isinstance(only, dict)
    return only


def results(*findings: SarifResult) -> list[dict[str, Any]]:
    found = run(logged(*findings))["results"]
    assert isinstance(found, list)
    return found


def changed(**values: Any) -> SarifResult:
    return dataclasses.replace(FINDING, **values)


def test_the_schema_refuses_a_wrong_log() -> None:
    value = json.loads(logged(FINDING))
    value["runs"][0]["results"][0]["level"] = "grave"
    assert not sarif_schema().is_valid(value)


def test_a_finding() -> None:
    log = logged(FINDING)
    assert "toolExecutionNotifications" not in run(log)["invocations"][0]
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
        "artifactLocation": {"uri": "https://stackoverflow.com/a/12"},
        "region": LINES.to_dict(),
    }


@pytest.mark.parametrize(
    ("path", "uri"),
    [("a b.c", "a%20b.c"), ("latin%E9.c", "latin%E9.c"), ("%25latin%E9.c", "%25latin%E9.c"), ("100%.c", "100%25.c")],
)
def test_a_byte_that_is_not_utf8_is_encoded_once(path: str, uri: str) -> None:
    [result] = results(changed(path=path))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


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


def test_no_findings_are_a_log() -> None:
    assert run(logged())["results"] == []


def fingerprint(result: dict[str, Any]) -> str:
    [one, other] = result["partialFingerprints"].values()
    assert one == other
    return str(one)


def test_a_finding_keeps_its_fingerprint_when_lines_move() -> None:
    [first] = results(FINDING)
    [moved] = results(changed(span=SarifSpan(103, 1, 114, 2), message="other words", snippet="", related=()))
    assert fingerprint(moved) == fingerprint(first) == "0123abcd:1/1"


def test_two_pieces_of_a_match_are_two_results_and_a_repeated_one_is_one() -> None:
    found = results(FINDING, FINDING, changed(span=SarifSpan(40, 1, 51, 2)), changed(rule=Rule.LICENSE_CONFLICT))
    assert sorted((result["ruleId"], fingerprint(result)) for result in found) == [
        ("copied-unattributed", "0123abcd:1/1"),
        ("copied-unattributed", "0123abcd:1/2"),
        ("license-conflict", "0123abcd:1/1"),
    ]


def test_warnings_come_first_then_places_in_order() -> None:
    findings = [
        changed(path="b.py"),
        changed(path="a.py", level="note"),
        changed(path="a.py", span=SarifSpan(9, 1, 9, 5)),
        changed(path="a.py", span=SarifSpan(2, 1, 9, 5)),
    ]
    random.Random(1).shuffle(findings)
    assert [
        (result["level"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
        for result in results(*findings)
    ] == [("warning", "a.py"), ("warning", "a.py"), ("warning", "b.py"), ("note", "a.py")]
    assert logged(*findings) == logged(*reversed(findings))


def test_related_places_are_listed_once_up_to_the_limit() -> None:
    places = [Related(f"https://example.org/{at}", str(at), LINES) for at in range(130)]
    [result] = results(changed(related=(*places, *places)))
    assert len(result["relatedLocations"]) == 100
    assert result["message"]["text"].endswith(", [99](100) and 30 more locations")
    [result] = results(changed(related=()))
    assert "relatedLocations" not in result
    assert result["message"]["text"] == FINDING.message


def test_a_long_piece_is_given_by_its_coordinates_alone() -> None:
    [result] = results(changed(snippet="x" * 2001))
    assert "snippet" not in result["locations"][0]["physicalLocation"]["region"]


@pytest.mark.slow
def test_results_beyond_the_limit_are_counted_and_warnings_stay() -> None:
    notes = [changed(level="note", span=SarifSpan(at, 1, at, 2)) for at in range(1, 4001)]
    warnings = [changed(span=SarifSpan(at, 1, at, 2)) for at in range(1, 1204)]
    log = logged(*notes, *warnings)
    [only] = json.loads(log)["runs"]
    assert len(only["results"]) == 5000
    assert sum(result["level"] == "warning" for result in only["results"]) == len(warnings)
    [notice] = only["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"].startswith("203 more findings did not fit")
    assert len(gzip.compress(log.encode())) <= 10_000_000


def test_a_log_is_cut_to_the_packed_size_that_code_scanning_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_BYTES", 100_000)
    noise = random.Random(2)
    findings = [changed(span=SarifSpan(at, 1, at, 2), snippet=noise.randbytes(900).hex()) for at in range(1, 301)]
    log = logged(*findings)
    only = run(log)
    number = len(only["results"])
    assert 50 < number < 300
    [notice] = only["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"].startswith(f"{300 - number} more findings did not fit")
    assert 50_000 < len(gzip.compress(log.encode(), mtime=0)) <= 100_000


texts = st.text(max_size=20)


@given(texts, texts, texts, st.lists(st.tuples(texts, texts), max_size=3))
def test_with_any_texts_the_log_is_ascii_and_fits_the_schema(
    message: str, path: str, snippet: str, places: list[tuple[str, str]]
) -> None:
    related = tuple(Related(f"https://example.org/{quote(uri)}", name, LINES) for uri, name in places)
    log = logged(changed(message=message, path=path, snippet=snippet, related=related))
    assert log.isascii()
    assert log.replace("\n", "").isprintable()
    [result] = run(log)["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] == snippet


def test_names_cannot_forge_links() -> None:
    [result] = results(changed(message="a [b](1) \x1b", related=(Related("https://example.org/", "x](2) [y", LINES),)))
    assert result["message"]["text"] == r"a \[b\](1) ␛ [x\](2) \[y](1)"


def test_a_place_without_a_uri_is_named_without_a_link() -> None:
    places = (
        Related(None, "mine a.py:1", LINES),
        Related("https://example.org/", "theirs b.py:2", LINES),
        Related(None, "c", LINES),
    )
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
    assert span(content, region) == SarifSpan(2, 2, 2, 11)


def test_columns_of_a_piece_over_lines() -> None:
    content = b"ab\ncd\nef"
    assert span(content, Region(1, 8, 1, 3)) == SarifSpan(1, 2, 3, 3)
    assert span(content, Region(0, 2, 1, 1)) == SarifSpan(1, 1, 1, 3)
    assert span(b"ab\xff\xc3c", Region(2, 5, 1, 1)) == SarifSpan(1, 3, 1, 6)
