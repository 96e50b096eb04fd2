"""Tokens, their rights and limits, and the audit log, on a running server and on the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.processes import HANGS
from tests.serve.running import WEB, serving
from tests.service.indexed import RENAMED
from wherefrom.errors import UsageError
from wherefrom.serve.people import ANYONE, People, Right, TokenFile, identity_of

pytestmark = pytest.mark.thorough

SNIPPET = "def hidden_in_the_query(values):\n    return [value * 2 for value in values if value]\n"


def tokens(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `wherefrom token` with a file of tokens."""
    command = [sys.executable, "-m", "wherefrom", "token", arguments[0], "--tokens", str(path), *arguments[1:]]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)


def add(path: Path, *arguments: str) -> str:
    done = tokens(path, "add", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_file_has_no_token_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    made = add(path, "ann", "--right", "search")
    assert len(made) > 40
    assert made not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    [person] = TokenFile(path).people()
    assert (person.name, person.rights, person.identity) == ("ann", (Right.SEARCH,), identity_of(made.encode()))


def test_the_command_lists_and_removes(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    assert tokens(path, "list").stdout == "no tokens\n"
    add(path, "ann\x1b[31m", "--per-minute", "1000")
    add(path, "bob")
    shown = tokens(path, "list").stdout
    assert "\x1b" not in shown
    assert "1,000" in shown
    listed = json.loads(tokens(path, "list", "--format", "json").stdout)["tokens"]
    assert [(row["name"], row["rights"], row["per_minute"]) for row in listed] == [
        ("ann\x1b[31m", ["search", "check", "read"], 1000),
        ("bob", ["search", "check", "read"], None),
    ]
    assert all("sha256" not in row for row in listed)
    for arguments in (("add", "bob"), ("remove", "carol")):
        refused = tokens(path, *arguments)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert tokens(path, "remove", "bob").returncode == 0
    assert [person.name for person in TokenFile(path).people()] == ["ann\x1b[31m"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"tokens": 3}',
        '{"tokens": [{"name": "ann"}]}',
        '{"tokens": [{"name": "a", "sha256": "b", "rights": ["rule"], "per_minute": null, "made": ""}]}',
        '{"tokens": [{"name": "a", "sha256": "b", "rights": "read", "per_minute": null, "made": ""}]}',
        '{"tokens": [{"name": "a", "sha256": "b", "rights": [], "per_minute": -3, "made": ""}]}',
    ],
    ids=range(8),
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="is not a file of tokens"):
        TokenFile(path).people()
    with pytest.raises(UsageError, match="is not a file of tokens"):
        TokenFile(path).add("ann", [Right.READ], None)
    assert path.read_text() == text


def test_a_server_without_tokens_is_open_and_is_never_open_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wherefrom.serve.people.LOOK_AGAIN", 0.0)
    path = tmp_path / "tokens.json"
    people = People(None, TokenFile(path))
    assert people.holder(None) is ANYONE
    token = TokenFile(path).add("ann", [Right.READ], None)
    assert people.holder(None) is None
    found = people.holder(token.encode())
    assert found is not None
    assert found.rights == (Right.READ,)
    path.write_text("{")
    assert people.holder(token.encode()) == found
    path.unlink()
    assert people.holder(token.encode()) is None
    assert people.holder(None) is None


def test_requests_come_back_evenly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    file = TokenFile(tmp_path / "tokens.json")
    token = file.add("ann", [Right.SEARCH], 60)
    people = People(None, file)
    person = people.holder(token.encode())
    assert person is not None
    assert [people.wait_for(person) for _ in range(60)] == [0.0] * 60
    assert people.wait_for(person) == pytest.approx(1.0)
    now += 2.0
    assert [people.wait_for(person) for _ in range(3)] == [0.0, 0.0, pytest.approx(1.0)]


@pytest.fixture(scope="module")
def guarded(code_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str], Path]]:
    """The address of a server, the tokens of some people, and the audit log."""
    folder = tmp_path_factory.mktemp("people")
    path = folder / "tokens.json"
    made = {
        "search": add(path, "search", "--right", "search"),
        "check": add(path, "check", "--right", "check"),
        "read": add(path, "read", "--right", "read", "--right", "search"),
        "three": add(path, "three", "--per-minute", "3"),
    }
    log = folder / "audit.jsonl"
    with serving(code_index, "--tokens", str(path), "--audit", str(log)) as address:
        yield address, made, log


def ask(address: str, token: str, method: str, path: str, **others: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return WEB.request(method, address + path, headers=headers, **others)


CHANGE = "--- a/a.py\n+++ b/a.py\n@@ -0,0 +1 @@\n+value = 1\n"


@pytest.mark.parametrize(
    ("method", "path", "body", "allowed"),
    [
        ("GET", "/", None, {"search", "read"}),
        ("GET", "/repositories", None, {"search", "read"}),
        ("GET", "/r/github.com", None, {"read"}),
        ("GET", "/r/github.com/?elsewhere=1", None, {"read"}),
        ("GET", "/lines/github.com", None, {"read"}),
        ("GET", f"/api/v1/documents/{'0' * 40}", None, {"read"}),
        ("POST", "/api/v1/search", {"code": SNIPPET}, {"search", "read"}),
        ("POST", "/api/v1/check", {"diff": CHANGE}, {"check"}),
        ("POST", "/mcp", {}, set()),
        ("GET", "/check", None, {"check"}),
        ("GET", "/compare", None, {"check"}),
        ("GET", "/jobs", None, {"check"}),
        ("GET", "/api/v1/jobs", None, {"check"}),
    ],
)
def test_a_token_allows_what_its_rights_say(
    guarded: tuple[str, dict[str, str], Path], method: str, path: str, body: Any, allowed: set[str]
) -> None:
    address, made, _ = guarded
    found = {
        name: ask(address, made[name], method, path, json=body).status_code for name in ("search", "check", "read")
    }
    assert {name for name, status in found.items() if status != 403} == allowed
    assert 401 not in found.values()


def test_code_is_shown_only_with_the_right_to_read(guarded: tuple[str, dict[str, str], Path]) -> None:
    address, made, _ = guarded
    shown = {
        name: ask(address, made[name], "POST", "/search", data={"code": RENAMED}).text for name in ("search", "read")
    }
    assert all("example/geometry" in page for page in shown.values())
    # The snippet has other names than the indexed code.
    assert {name for name, page in shown.items() if "points" in page} == {"read"}


def test_more_requests_than_the_token_allows_have_to_wait(guarded: tuple[str, dict[str, str], Path]) -> None:
    address, made, _ = guarded
    answers = [ask(address, made["three"], "GET", "/openapi.json") for _ in range(5)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused, [answer.status_code for answer in answers]
    assert 1 <= int(refused[0].headers["Retry-After"]) <= 20
    assert "3 requests in a minute" in refused[0].json()["detail"]
    headers = {"Authorization": f"Bearer {made['three']}", "Accept": "text/html"}
    page = WEB.get(f"{address}/", headers=headers)
    assert (page.status_code, "Too many requests" in page.text) == (429, True)
    assert 1 <= int(page.headers["Retry-After"]) <= 20


def test_a_browser_without_a_token_gets_a_page_with_its_style(guarded: tuple[str, dict[str, str], Path]) -> None:
    address, *_ = guarded
    page = WEB.get(f"{address}/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["WWW-Authenticate"][:6]) == (401, "Bearer")
    assert "any name, and the token as password" in page.text
    loaded = re.findall(r'"(/assets/[^"]+)"', page.text)
    assert len(loaded) == 2
    assert {WEB.get(f"{address}{path}").status_code for path in loaded} == {200}
    assert WEB.get(f"{address}/assets/../openapi.json").status_code == 401


def test_the_log_says_who_asked_and_has_no_code(guarded: tuple[str, dict[str, str], Path]) -> None:
    address, made, log = guarded
    ask(address, made["read"], "POST", "/api/v1/search", json={"code": SNIPPET})
    ask(address, made["read"], "GET", "/search", params={"code": SNIPPET})
    ask(address, "a wrong token", "GET", "/nowhere%0A{}")
    # The line of a request is written after its answer was sent.
    until = time.monotonic() + HANGS
    while "/nowhere" not in log.read_text():
        assert time.monotonic() < until
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert ("read", "POST", "/api/v1/search", 200) in {
        (row["person"], row["method"], row["path"], row["status"]) for row in rows
    }
    assert (None, "/nowhere\n{}", 401) in {(row["person"], row["path"], row["status"]) for row in rows}
    assert all(row["client"] == "127.0.0.1" and row["seconds"] >= 0 for row in rows)
    assert "hidden_in_the_query" not in log.read_text()
    assert not any(token in log.read_text() for token in made.values())
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_removed_token_is_refused_by_the_running_server(code_index: Path, tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    token = add(path, "ann")
    with serving(code_index, "--tokens", str(path)) as address:
        assert ask(address, token, "GET", "/openapi.json").status_code == 200
        assert tokens(path, "remove", "ann").returncode == 0
        until = time.monotonic() + HANGS
        while ask(address, token, "GET", "/openapi.json").status_code != 401:
            assert time.monotonic() < until


def test_a_log_that_cannot_be_opened_is_an_error(code_index: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "wherefrom", "serve", "--index", str(code_index), "--port", "0"]
    done = subprocess.run(
        [*command, "--audit", str(tmp_path)], capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "name another file" in done.stderr
