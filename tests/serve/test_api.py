"""The API gives the same answers as the command line, and its errors tell what to do."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp_types import TextContent

from tests.polygons import AREA, FEET, MINE
from tests.processes import run_here
from tests.repositories import Repository
from tests.serve.running import ENGINES, WEB, serving, serving_copy
from tests.service.indexed import RENAMED, UNKNOWN, make_clones
from wherefrom import fingerprint, index_sources
from wherefrom.serve.web.search_page import file_url

pytestmark = pytest.mark.slow

DIFF = "--- a/mine.py\n+++ b/mine.py\n@@ -10 +10,4 @@\n import math\n" + "".join(
    f"+{line}\n" for line in FEET.splitlines()
)


@pytest.fixture(scope="module", params=ENGINES)
def served(code_index: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server, once with each engine."""
    with serving_copy(code_index, request) as address:
        yield address


def requested(client: httpx.Client, address: str, **fields: Any) -> dict[str, Any]:
    answer = client.post(f"/api/v1/{address}", json=fields)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def command(*arguments: str | Path, code: str = "") -> dict[str, Any]:
    """What a command prints as JSON."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WHEREFROM_")}
    given = [*map(str, arguments), "--format", "json"]
    found: dict[str, Any] = json.loads(run_here(given, environment, Path.cwd(), code.encode())[1])
    return found


def without(values: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in names}


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    return without(answer, {"took_ms", "seconds", "engine"})


def test_an_answer_is_that_of_the_command_line(client: httpx.Client, code_index: Path) -> None:
    found = requested(
        client, "search", code=RENAMED, name="-", limit=2, sources=["https://github.com/example/geometry"]
    )
    flags = "--limit", "2", "--source", "https://github.com/example/geometry"
    reported = command("search", "-", *flags, "--index", code_index, code=RENAMED)
    assert found["total"] == 3
    assert without_times(found) | {"query": 0} == without_times(reported) | {"query": 0}
    explained = requested(client, "sources", code=MINE, name="mine.py")
    (code_index.parent / "mine.py").write_text(MINE)
    reported = command("sources", code_index.parent / "mine.py", "--index", code_index)
    assert explained["documents"] == reported["documents"]
    listed = client.get("/api/v1/repositories").json()
    assert listed == command("list", "--index", code_index)


def test_fingerprints_are_looked_up_without_the_code(client: httpx.Client) -> None:
    query = json.loads(fingerprint(RENAMED, name="a.py").dump())
    found = requested(client, "fingerprints", fingerprints=query, limit=2)
    assert RENAMED.split()[1] not in json.dumps(query)
    assert [hit["by_terms"] for hit in found["hits"]] == [True, True]
    places = {
        at["repository"] for hit in requested(client, "search", code=RENAMED)["hits"] for at in hit["occurrences"]
    }
    assert {at["repository"] for hit in found["hits"] for at in hit["occurrences"]} <= places


def test_fingerprints_that_are_wrong_are_refused(client: httpx.Client) -> None:
    query = fingerprint(RENAMED).dump()

    def changed(pattern: str, value: str) -> str:
        text, found = re.subn(pattern, value, query, count=1)
        assert found, pattern
        return text

    deep = changed(r'(?<="schemes": ).*', "%s}")
    wrong = {
        "no version": '{"format": 1}',
        "another version": json.dumps({**json.loads(query), "format": 99, "reader": 99}),
        "an older version": json.dumps({**json.loads(query), "format": 1, "reader": 1}),
        "no number": changed(r'"bits": [0-9.]+', '"bits": NaN'),
        "too deep to be parsed": deep % ("[" * 100_000 + "]" * 100_000),
        "deep": deep % ("[" * 900 + "]" * 900),
        "a float": changed(r'"tokens": [0-9]+', '"tokens": 1.5'),
        "an option of code": query + ', "explain": true',
    }
    for name, value in wrong.items():
        body = f'{{"fingerprints": {value}}}'
        refused = client.post("/api/v1/fingerprints", content=body, headers={"Content-Type": "application/json"})
        assert refused.status_code in {400, 422}, name
        assert "\n" not in refused.json()["detail"], name
    assert requested(client, "fingerprints", fingerprints=json.loads(query))["hits"]


def test_first_appearances_are_those_of_the_command_line(dated: str, dated_index: Path) -> None:
    with httpx.Client(base_url=dated, timeout=120) as client:
        found = requested(client, "first", code=RENAMED, name="-", limit=2)
        reported = command("first", "-", "--limit", "2", "--index", dated_index, code=RENAMED)
        assert without_times(found) | {"query": 0} == without_times(reported) | {"query": 0}
        assert [place["age"]["first"]["day"] for place in found["places"]] == ["2015-05-06", "2017-11-20"]
        assert (found["places"][0]["gone"], found["total"]) == (True, 3)
        oldest = requested(client, "search", code=RENAMED, oldest=True)
        assert [at["age"]["first"]["day"] for hit in oldest["hits"] for at in hit["occurrences"]] == [
            "2017-11-20",
            "2019-03-02",
        ]
        assert client.post("/api/v1/first", json={"code": RENAMED, "oldest": True}).status_code == 422


def test_the_release_of_a_file_is_that_of_the_command_line(dated: str, dated_index: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AREA)
    with httpx.Client(base_url=dated, timeout=120) as client:
        found = requested(client, "releases", code=AREA, name="mine.py", limit=1)
    reported = command("releases", tmp_path / "mine.py", "--limit", "1", "--index", dated_index)
    assert without_times(found) | {"name": ""} == without_times(reported) | {"name": ""}
    assert found["releases"][0]["version"]


def test_options_are_those_of_the_library(client: httpx.Client) -> None:
    only = requested(client, "search", code=RENAMED, repositories=["*/maps"], languages=["python"], explain=True)
    [hit] = only["hits"]
    assert hit["occurrences"][0]["repository"] == "github.com/example/maps"
    assert hit["explanation"]
    assert requested(client, "search", code=RENAMED, own=["github.com/example/*"])["total"] == 0
    assert requested(client, "search", code=UNKNOWN)["total"] == 0


def test_a_diff_is_checked_without_its_project(client: httpx.Client) -> None:
    report = requested(client, "check", diff=DIFF)
    [finding] = report["findings"]
    assert (finding["rule"], finding["path"], finding["region"]["start_line"]) == ("copied-unattributed", "mine.py", 11)
    assert finding["places"][0]["repository"] == "github.com/example/tools"
    assert report["failing"] == 1
    assert requested(client, "check", diff=DIFF, fail_on=[])["failing"] == 0


def test_texts_and_documents_are_compared(client: httpx.Client) -> None:
    both = requested(client, "compare", left={"code": RENAMED, "name": "b.py"}, right={"code": AREA, "name": "a.py"})
    assert [submission["name"] for submission in both["submissions"]] == ["b.py", "a.py"]
    [pair] = both["pairs"]
    assert (pair["left"], pair["left_containment"], pair["right_containment"], pair["similarity"]) == (0, 1.0, 1.0, 1.0)
    blob = requested(client, "search", code=FEET)["hits"][0]["blob"]
    document = client.get(f"/api/v1/documents/{blob}").json()
    assert document["content"] == FEET
    assert [at["repository"] for at in document["occurrences"]] == ["github.com/example/tools"]
    [same] = requested(client, "compare", left={"blob": blob}, right={"blob": blob})["pairs"]
    assert same["files"][0]["is_identical"]
    assert requested(client, "compare", left={"code": RENAMED}, right={"code": UNKNOWN})["pairs"] == []


def test_two_texts_are_compared_as_the_command_compares_two_files(client: httpx.Client, tmp_path: Path) -> None:
    sides = {"mine.py": MINE, "found/moved.py": f"{FEET}\n\n{UNKNOWN}\n\n{AREA}"}
    for name, text in sides.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    left, right = ({"code": text, "name": name} for name, text in sides.items())
    for fields, flags in (
        ({}, ()),
        ({"min_tokens": 45}, ("--min-tokens", "45")),
        ({"min_containment": 1}, ("--min-containment", "1")),
    ):
        reported = command("compare", tmp_path / "mine.py", "--archive", tmp_path / "found/moved.py", *flags)
        found = requested(client, "compare", left=left, right=right, **fields)
        assert [{**pair, "id": 0} for pair in found["pairs"]] == [{**pair, "id": 0} for pair in reported["pairs"]]
        assert found["counts"] == reported["counts"]
        assert found["cut_off"] == reported["cut_off"]
        of_places = {"repository", "path", "revision"}
        assert [without(file, of_places) for file in found["files"]] == [
            without(file, of_places) for file in reported["files"]
        ]


WRONG: tuple[tuple[str, Any, int, str, str], ...] = (
    ("search", {"code": RENAMED, "limit": 0}, 422, "invalid-request", "limit"),
    ("search", {"code": RENAMED, "limt": 1}, 422, "invalid-request", "limt"),
    ("search", {"code": RENAMED, "language": "klingon"}, 422, "invalid-request", "klingon"),
    ("search", {"code": RENAMED, "lines": [1, 900]}, 422, "not-analyzable", "name lines that it has"),
    ("search", {"code": "\0\1\2\3"}, 422, "not-analyzable", "binary"),
    ("search", {"code": RENAMED, "without": ["nothing"]}, 422, "invalid-request", "nothing"),
    ("search", {"code": RENAMED, "min_containment": False}, 422, "invalid-request", "min_containment"),
    ("search", {"code": RENAMED, "written": "2024-02-30"}, 422, "invalid-request", "written"),
    ("search", [], 422, "invalid-request", "valid"),
    ("check", {"diff": "nonsense"}, 422, "invalid-request", "not a unified diff"),
    ("compare", {"left": {"blob": "0" * 40}, "right": {"code": "x"}}, 404, "not-found", "use the blob of a hit"),
    ("nothing", {}, 404, "not-found", "/api"),
)


@pytest.mark.parametrize("wrong", WRONG, ids=[str(wrong[1])[:60] for wrong in WRONG])
def test_an_error_says_what_to_do(client: httpx.Client, wrong: tuple[str, Any, int, str, str]) -> None:
    address, sent, status, kind, says = wrong
    answer = client.post(f"/api/v1/{address}", json=sent)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    reported = answer.json()
    assert (reported["type"], reported["status"]) == (f"urn:wherefrom:problem:{kind}", status)
    assert says in reported["detail"]
    assert "Traceback" not in answer.text


def test_what_is_no_json_is_refused(client: httpx.Client) -> None:
    for content in (b"{", b"\xff", b'{"code": "\\ud800"}', b"[" * 100_000):
        answer = client.post("/api/v1/search", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code in {400, 422}
        assert answer.headers["content-type"] == "application/problem+json"
    assert client.delete("/api/v1/search").status_code == 405


def test_who_watches_the_server_is_answered(client: httpx.Client) -> None:
    assert client.get("/healthz").text == client.get("/readyz").text == "ok\n"
    requested(client, "search", code=RENAMED)
    text = client.get("/metrics").text
    assert 'wherefrom_requests_total{path="/api/v1/search",status="200"}' in text
    assert "wherefrom_calls_waiting 0.0" in text


def test_who_watches_the_server_is_not_told_where_the_index_is(code_index: Path, tmp_path: Path) -> None:
    location = tmp_path / "secret place"
    shutil.copytree(code_index, location)
    with serving(location) as address:
        assert WEB.get(f"{address}/readyz").status_code == 200
        location.rename(tmp_path / "elsewhere")
        answer = WEB.get(f"{address}/readyz")
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        assert "secret" not in answer.text
        assert "wherefrom stats" in answer.json()["detail"]


@pytest.mark.nightly
def test_a_new_commit_is_seen_without_a_failed_request(tmp_path: Path) -> None:
    location = tmp_path / "code.wherefrom"
    clones = make_clones(tmp_path / "clones")
    index_sources(clones[:1], location, jobs=1)

    async def ask(address: str) -> list[int]:
        totals: list[int] = []
        async with httpx.AsyncClient(base_url=address, timeout=120) as client, anyio.create_task_group() as group:

            async def search() -> None:
                while 3 not in totals:
                    answer = await client.post("/api/v1/search", json={"code": RENAMED})
                    assert answer.status_code == 200, answer.text
                    totals.append(answer.json()["total"])

            async def commit() -> None:
                while not totals:
                    await anyio.sleep(0.01)
                await anyio.to_thread.run_sync(lambda: index_sources(clones, location, jobs=1))

            group.start_soon(search)
            group.start_soon(search)
            group.start_soon(commit)
        return totals

    with serving(location, "--processes", "2") as address:
        totals = anyio.run(ask, address)
    assert totals[0] == 1
    assert {*totals} <= {1, 2, 3}


def test_assistants_are_answered_at_mcp(served: str) -> None:
    async def ask() -> None:
        async with Client(f"{served}/mcp") as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == {
                "search_code",
                "list_locations",
                "find_first",
                "find_release",
                "explain_file",
                "trace",
                "check_change",
                "who_still_has",
                "list_repositories",
                "read_location",
            }
            # Over a network no tool reads files of the server.
            for tool, arguments in (("explain_file", {"path": __file__}), ("check_change", {"project": "/"})):
                refused = await client.call_tool(tool, arguments)
                assert refused.is_error
                assert "cannot read your files" in str(refused.content)
            answer = await client.call_tool("search_code", {"code": RENAMED})
            [content] = answer.content
            assert isinstance(content, TextContent)
            head, first, *_ = content.text.splitlines()
            assert head == "3 hits for 55 tokens of python:"
            assert re.match(r"100% github\.com/example/.* · (fair|strong): 0\.\d\d probable", first)
            checked = await client.call_tool("check_change", {"diff": DIFF})
            assert checked.structured_content is not None
            assert checked.structured_content["failing"] == 1
            explained = await client.call_tool("explain_file", {"code": MINE, "path": "mine.py"})
            assert explained.structured_content is not None
            assert explained.structured_content["parts"]

    anyio.run(ask)
    assert 'wherefrom_tool_calls_total{tool="search_code"}' in WEB.get(f"{served}/metrics").text


def test_what_a_repository_holds_is_data(tmp_path: Path) -> None:
    name = '<img src=x onerror=alert(1)>\u202e"\n.py'
    Repository.make(tmp_path / "clone", {name: RENAMED.encode()})
    index_sources([tmp_path / "clone"], tmp_path / "made.wherefrom", jobs=1)
    with serving(tmp_path / "made.wherefrom") as address:
        answer = WEB.post(f"{address}/api/v1/search", json={"code": RENAMED})
        assert answer.json()["hits"][0]["occurrences"][0]["path"] == name
        assert answer.text.isascii()
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.nightly
def test_a_file_is_shown_whose_name_has_a_line_break(tmp_path: Path) -> None:
    clone, path = tmp_path / "odd\nproject", "odd\nname.py"
    Repository.make(clone, {path: RENAMED.encode()})
    index_sources([clone], tmp_path / "made.wherefrom", jobs=1)
    key = str(clone)
    with serving(tmp_path / "made.wherefrom") as address, httpx.Client(base_url=address, timeout=120) as client:
        for where in (file_url(key, path), file_url(key, "")):
            answer = client.get(where)
            assert answer.status_code == 200
            assert "odd\N{SYMBOL FOR LINE FEED}project" in answer.text
            assert "odd\N{SYMBOL FOR LINE FEED}name.py" in answer.text
        assert client.get(file_url(key, path).replace("/r/", "/lines/", 1)).status_code == 200
