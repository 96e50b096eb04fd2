"""The plug-in on the oldest and the newest server: the page's walk, and fields that client and server fill."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.conftest import live_server
from tests.elasticsearch.plugin.building import Built
from tests.elasticsearch.plugin.page import console, index_for_both, steps
from tests.elasticsearch.plugin.servers import NEWEST, oldest, plugin_server
from tests.elasticsearch.servers import Access
from tests.end_to_end.conftest import Wherefrom
from wherefrom import make_boilerplate, plugin_fields
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation
from wherefrom.queries.plugin import boilerplate_terms, plugin_terms

ANALYZERS = Path(__file__).parents[2] / "analyzers"

FILES = {path.name: path.read_text() for path in sorted(ANALYZERS.glob("*.py"))} | {
    f"sample.{name}": (ANALYZERS / "samples" / f"{language}.sample").read_text()
    for name, language in {"c": "c", "java": "java", "js": "javascript", "go": "go", "rs": "rust"}.items()
}
"""The indexed files; their names tell the client the languages."""

PIECES = {
    "test_hashing.py": (10, 60),
    "streams.py": (30, 70),
    "test_tokens.py": (20, 90),
    "sample.c": (1, 40),
    "sample.java": (5, 45),
}
"""The snippets that are looked up: from a line to a line of each file."""


@pytest.fixture(scope="module", params=["oldest", "newest"])
def plugged(request: pytest.FixtureRequest, plugin: Built) -> Iterator[Access]:
    """A server with the plug-in."""
    with live_server(), plugin_server(oldest() if request.param == "oldest" else NEWEST, plugin.archive) as made:
        yield made


@pytest.fixture(scope="module")
def filled(plugged: Access) -> Access:
    """A server with the page's index with fields that client and server fill, and the files in it."""
    plugged("PUT", "/both", index_for_both())
    lines: list[dict[str, Any]] = []
    for name, content in FILES.items():
        lines += [{"index": {"_id": name}}, {"code": content, **plugin_fields(content, name=name)}]
    body = "".join(json.dumps(line) + "\n" for line in lines)
    answer = json.loads(plugged.send("POST", "/both/_bulk?refresh=true", body.encode()))
    assert not answer["errors"], answer
    return plugged


def piece(name: str) -> str:
    """The snippet of a file."""
    begin, end = PIECES[name]
    return "".join(FILES[name].splitlines(keepends=True)[begin:end])


def hits(server: Access, query: dict[str, Any]) -> list[tuple[str, float]]:
    """The ids and scores of the documents that a query finds, in order."""
    found = server("POST", "/both/_search", {"query": query, "size": len(FILES), "sort": ["_score", "_doc"]})
    return [(hit["_id"], round(hit["_score"], 3)) for hit in found["hits"]["hits"]]


def client_terms(content: str, name: str, representation: Representation) -> list[str]:
    """The client's terms of a query, with the window of the search analyzers."""
    tokens, scheme = analyze_snippet(content.encode(), name=name).tokens, SCHEMES[representation]
    grams = sampled_kgrams(tokens, scheme)
    return plugin_terms(terms(grams.hashes[sample(grams, scheme, 2 * scheme.w)]))


def rounded(value: Any) -> Any:
    """A JSON value with its numbers rounded to four digits."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 4) if isinstance(value, float) else value


def test_the_walk_with_curl_prints_what_the_page_says(plugged: Access) -> None:
    walked = steps()
    assert len(walked) > 10
    for step in walked:
        output = step.run(plugged.url.removeprefix("http://"))
        if step.output.startswith("{"):
            assert rounded(json.loads(output)) == rounded(json.loads(step.output)), step.command
        else:
            assert output.strip() == step.output.strip(), step.command


def test_the_requests_for_kibana_are_those_with_curl() -> None:
    assert console() == [step.request() for step in steps()]


def test_the_terms_that_the_server_gives_for_a_template_are_those_that_the_client_exports() -> None:
    (step,) = [step for step in steps() if "/_analyze" in step.command]
    template = step.request().body[0]["text"]
    exported = boilerplate_terms(make_boilerplate([("template.py", template.encode())]), Representation.EXACT)
    assert {token["token"] for token in json.loads(step.output)["tokens"]} == set(exported.terms)


@pytest.mark.nightly
@pytest.mark.parametrize("representation", [Representation.EXACT, Representation.RENAMED, Representation.P_MATCH])
@pytest.mark.parametrize("name", PIECES)
def test_tokens_that_the_server_winnows_rank_as_terms_that_the_client_made(
    filled: Access, name: str, representation: Representation
) -> None:
    (tokens,) = plugin_fields(piece(name), name=name)["tokens"]
    by_server = hits(filled, {"match": {f"tokens.{representation}": tokens}})
    clauses = [{"term": {f"terms_{representation}": term}} for term in client_terms(piece(name), name, representation)]
    assert by_server == hits(filled, {"bool": {"should": clauses}})
    assert by_server[0][0] == name


def test_raw_code_ranks_as_terms_that_the_client_made(filled: Access) -> None:
    name = "test_hashing.py"
    clauses = [{"term": {"terms_exact": term}} for term in client_terms(piece(name), name, Representation.EXACT)]
    by_client = hits(filled, {"bool": {"should": clauses}})
    assert by_client[0][0] == name
    assert hits(filled, {"match": {"code": piece(name)}}) == by_client
    by_text = {"query": piece(name), "analyzer": "wherefrom_code_search"}
    assert hits(filled, {"match": {"terms_exact": by_text}}) == by_client


def test_a_score_is_the_sum_of_the_idf_of_the_terms(filled: Access) -> None:
    name = "test_hashing.py"
    found = filled("POST", "/both/_search", {"query": {"match": {"code": piece(name)}}, "explain": True, "size": 1})
    (hit,) = found["hits"]["hits"]
    expected = 0.0
    for term in client_terms(piece(name), name, Representation.EXACT):
        holding = filled("POST", "/both/_count", {"query": {"term": {"code": term}}})["count"]
        expected += math.log(1 + (len(FILES) - holding + 0.5) / (holding + 0.5))
    assert hit["_score"] == pytest.approx(expected, rel=1e-5)
    assert "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5))" in json.dumps(hit["_explanation"])


def test_what_is_not_a_field_of_tokens_is_refused_and_nothing_else(filled: Access) -> None:
    with pytest.raises(HTTPError, match="400") as refused:
        filled("PUT", "/both/_doc/wrong", {"tokens": ["int total = 0;"]})
    assert "is not a token" in refused.value.read().decode()
    assert filled("GET", "/both/_count")["count"] == len(FILES)


def settings(kind: str, **given: Any) -> dict[str, Any]:
    """An index with an analyzer that has a component of this kind with these settings."""
    analyzer: dict[str, Any] = {"type": "custom", "tokenizer": "wherefrom_code", "filter": ["wherefrom_winnow"]}
    analysis: dict[str, Any] = {"analyzer": {"used": analyzer}}
    if kind == "filter":
        analysis["filter"] = {"own": {"type": "wherefrom_winnow", **given}}
        analyzer["filter"] = ["own"]
    elif kind == "tokenizer":
        analysis["tokenizer"] = {"own": {"type": "wherefrom_code", **given}}
        analyzer["tokenizer"] = "own"
    else:
        analysis["analyzer"] = {"used": {"type": kind, **given}}
    return {
        "settings": {"analysis": analysis, "number_of_replicas": 0},
        "mappings": {"properties": {"code": {"type": "text", "analyzer": "used"}}},
    }


@pytest.mark.nightly
def test_an_exported_set_is_left_out_by_the_filter_that_the_command_writes(plugged: Access, tmp_path: Path) -> None:
    template = piece("streams.py")
    (tmp_path / "template.py").write_text(template)
    (tmp_path / "indexed").mkdir()
    (tmp_path / "indexed" / "other.py").write_text(piece("test_tokens.py"))
    wherefrom = Wherefrom(tmp_path)
    wherefrom.indexes("indexed")
    wherefrom("boilerplate", "add", "template", "template.py")
    found = json.loads(wherefrom("boilerplate", "export", "template", "--format", "filter"))
    index = settings("wherefrom_code")
    analysis = index["settings"]["analysis"]
    analysis["filter"] = {"template": found, "unique": {"type": "wherefrom_winnow", "w": 16, "unique": True}}
    analysis["analyzer"]["without"] = {"tokenizer": "wherefrom_code", "filter": ["unique", "template"]}
    plugged("PUT", "/templates", index)
    try:
        plugged("PUT", "/templates/_doc/of-template?refresh=true", {"code": template})
        plugged("PUT", "/templates/_doc/of-both?refresh=true", {"code": template + piece("test_hashing.py")})
        query = {"query": template + piece("test_hashing.py")}

        def ids(**more: str) -> set[str]:
            answer = plugged("POST", "/templates/_search", {"query": {"match": {"code": {**query, **more}}}})
            return {hit["_id"] for hit in answer["hits"]["hits"]}

        assert ids() == {"of-template", "of-both"}
        assert ids(analyzer="without") == {"of-both"}
    finally:
        plugged.remove("templates")


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("filter", {"representation": "exakt"}, "the setting [representation] must be exact, renamed, p_match or text"),
        ("filter", {"k": 0}, "the setting [k] must be a whole number from 1 to 1024, not [0]"),
        ("filter", {"k": 65, "representation": "renamed"}, "the setting [k] must be a whole number from 1 to 64"),
        ("filter", {"w": "many"}, "the setting [w] must be a whole number from 1 to 4096, not [many]"),
        ("filter", {"w": [1, 2]}, "the setting [w] must be a whole number from 1 to 4096, not [[1, 2]]"),
        ("filter", {"sampler": "mod_p"}, "the setting [sampler] must be open_closed, robust or plain, not [mod_p]"),
        ("filter", {"unique": "perhaps"}, "the setting [unique] must be true or false, not [perhaps]"),
        (
            "tokenizer",
            {"language": "cobol"},
            "the setting [language] must be auto, c, cpp, java, javascript, python or",
        ),
        (
            "wherefrom_code",
            {"language": "rust"},
            "the setting [language] cannot be rust, whose tokens the lexer reads ",
        ),
        ("wherefrom_code", {"language": 7}, "the setting [language] must be auto, "),
        ("wherefrom_code_search", {"w": -1}, "the setting [w] must be a whole number"),
        ("wherefrom_text", {"k": 1.5}, "the setting [k] must be a whole number"),
        ("wherefrom_text_search", {"unique": 2}, "the setting [unique] must be true or false"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_name_and_harms_nothing(
    plugged: Access, kind: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(HTTPError, match="400") as refused:
        plugged("PUT", "/wrong", settings(kind, **given))
    reason = json.loads(refused.value.read())["error"]["reason"]
    assert reason.startswith(message)
    assert "\n" not in reason
    # An index that has the components already keeps them, open or closed.
    plugged("PUT", "/right", settings(kind))
    try:
        plugged("PUT", "/right/_doc/1?refresh=true", {"code": "int a = b + c; d = e * f; g(h, i);"})
        plugged("POST", "/right/_close")
        component = {"filter": "filter.own", "tokenizer": "tokenizer.own"}.get(kind, "analyzer.used")
        change = {f"index.analysis.{component}.{name}": value for name, value in given.items()}
        with pytest.raises(HTTPError, match="400") as kept:
            plugged("PUT", "/right/_settings", change)
        assert message in json.loads(kept.value.read())["error"]["reason"]
        plugged("POST", "/right/_open")
        health = plugged("GET", "/_cluster/health/right?wait_for_status=green")
        assert (health["status"], health["timed_out"]) == ("green", False)
        assert plugged("GET", "/right/_count")["count"] == 1
    finally:
        plugged.remove("right")
