"""Hostile and huge documents: the node lives and goes on answering."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.conftest import live_server
from tests.elasticsearch.plugin.building import Built
from tests.elasticsearch.plugin.page import index_for_both
from tests.elasticsearch.plugin.servers import NEWEST, plugin_server
from tests.elasticsearch.servers import Access, Server
from wherefrom.support.chunks import chunks

pytestmark = pytest.mark.nightly

MEGABYTES = 50

FUZZED, THREADS = 10_000, 8

MUCH = {"indexing_pressure.memory.limit": "60%"}
"""Without these the server refuses such documents before it analyzes them."""

CODE = "int total = add(first, second); return total * factor(total) - offset[total];\n"


@pytest.fixture(scope="module")
def node(plugin: Built) -> Iterator[Server]:
    """A server with the plug-in, and an index that uses all its analyzers."""
    with live_server(), plugin_server(NEWEST, plugin.archive, heap=1024, settings=MUCH) as made:
        index = index_for_both()
        fields = index["mappings"]["properties"]
        for name in ("wherefrom_text", "wherefrom_code"):
            fields[f"as_{name}"] = {"type": "text", "analyzer": name}
        for name, representation in (("renamed", "renamed"), ("p_match", "p_match")):
            index["settings"]["analysis"]["analyzer"][f"code_{name}"] = {
                "type": "wherefrom_code",
                "representation": representation,
            }
            fields[f"as_{name}"] = {"type": "text", "analyzer": f"code_{name}"}
        made("PUT", "/hostile", index)
        yield made


def patiently(server: Access, method: str, path: str, body: object) -> Any:
    """Sends JSON, again while the server is busy: the garbage of a huge document may still be in its heap."""
    end = time.monotonic() + 300
    while True:
        try:
            return json.loads(server.send(method, path, json.dumps(body).encode(), timeout=300))
        except HTTPError as refusal:
            if refusal.code != HTTPStatus.TOO_MANY_REQUESTS or time.monotonic() > end:
                raise
        time.sleep(0.1)


def put(server: Access, document: dict[str, Any]) -> None:
    """Stores a document, then searches for a harmless one: the node lives."""
    patiently(server, "PUT", "/hostile/_doc/huge?refresh=true", document)
    assert server("GET", "/_cluster/health")["number_of_nodes"] == 1
    patiently(server, "PUT", "/hostile/_doc/plain?refresh=true", {"code": CODE * 3})
    search = {"query": {"match": {"code": CODE * 2}}, "_source": False}
    found = patiently(server, "POST", "/hostile/_search", search)
    assert "plain" in [hit["_id"] for hit in found["hits"]["hits"]]


@pytest.mark.parametrize(
    ("start", "repeated"),
    [("", "a += b[c]; "), ('"', "x"), ("", "x")],
    ids=["one line", "a string without an end", "one word"],
)
def test_a_document_of_50_megabytes_in_one_line(node: Server, start: str, repeated: str) -> None:
    put(node, {"code": start + repeated * (MEGABYTES * 1_000_000 // len(repeated))})


def test_a_million_tokens_in_one_line(node: Server) -> None:
    draw = random.Random(1)
    line = " ".join(f"v{draw.randrange(10**6)}" for _ in range(1_000_000))
    put(node, dict.fromkeys(("code", "as_renamed", "as_p_match", "as_wherefrom_text"), line))


def test_binary_text(node: Server) -> None:
    draw = random.Random(2)
    text = draw.randbytes(2_000_000).decode("latin-1") + "".join(chr(draw.randrange(0xD800)) for _ in range(500_000))
    put(node, dict.fromkeys(("code", "as_renamed", "as_p_match", "as_wherefrom_text"), text))


PARTS = (
    *("'", '"', '"""', "`", "${", "}", "{", "(", ")", "[", "]", "\\", "\n", "\\\n", " ", "\t", "\0", "\r\n", "\ufeff"),
    *("/*", "*/", "//", "#", "#include", "<", ">", ">>>", "<<EOF", "$(", "$((", 'R"(', ')"', "f'{", "1e+", "0x", "1'"),
    *("name", "größe", "数", "𝔘", "🙂", "return", "=", "/", "/a[/", "->", "::", ".5", "...", "@interface"),
    "non-sealed",
)


def fuzzed(number: int) -> str:
    """A text that lexers do not like."""
    draw = random.Random(number)
    return "".join(draw.choices(PARTS, k=draw.randrange(200)))


def test_a_fuzzer_with_many_threads(node: Server) -> None:
    def send(numbers: range) -> int:
        lines = []
        for number in numbers:
            text = fuzzed(number)
            fields = ("code", "as_renamed", "as_p_match", "as_wherefrom_text")
            lines += [{"index": {"_id": f"fuzz-{number}"}}, dict.fromkeys(fields, text)]
        body = "".join(json.dumps(line) + "\n" for line in lines).encode()
        answer = json.loads(node.send("POST", "/hostile/_bulk", body, timeout=300))
        return sum(item["index"]["status"] == 201 for item in answer["items"])

    with ThreadPoolExecutor(THREADS) as threads:
        stored = sum(threads.map(send, chunks(range(FUZZED), 100)))
    assert stored == FUZZED
    put(node, {"code": CODE})
    assert node("GET", "/hostile/_count")["count"] >= FUZZED


def test_a_query_of_any_text_is_answered(node: Server) -> None:
    for number in range(300):
        for field in ("code", "as_wherefrom_text"):
            patiently(node, "POST", "/hostile/_search", {"query": {"match": {field: fuzzed(number)}}, "size": 0})
