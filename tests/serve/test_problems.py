"""The form of an error: a page for a browser, JSON for all others."""

from __future__ import annotations

from urllib.parse import urlencode

import httpx
import pytest

from tests.serve.pages import HOSTILE
from tests.service.indexed import RENAMED

PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
"""The header `Accept` of a browser."""


@pytest.mark.parametrize(
    ("accept", "is_page"),
    [
        (PAGE, True),
        ("text/html, application/json", True),
        ("application/json;q=0.9, text/html", True),
        ("Text/HTML;q=0.2", True),
        ("*/*", False),
        ("", False),
        ("application/json, text/html", False),
        ("text/html; q=0.5, application/problem+json", False),
        ("text/html;q=nonsense, application/json", True),
    ],
)
def test_the_header_accept_decides(client: httpx.Client, accept: str, is_page: bool) -> None:
    answer = client.get("/nothing", headers={"Accept": accept})
    expected = "text/html; charset=utf-8" if is_page else "application/problem+json"
    assert (answer.status_code, answer.headers["content-type"]) == (404, expected)


@pytest.mark.parametrize(
    ("sent", "status", "title"),
    [
        (("GET", "/nothing", {}), 404, "Not found"),
        (("GET", "/assets/nothing", {}), 404, "Not found"),
        (("GET", f"/r/{HOSTILE}", {}), 404, "Not found"),
        (("GET", "/jobs/nothing", {}), 404, "Not found"),
        (("DELETE", "/search", {}), 405, "The address does not take this method"),
        (("GET", "/", {"Host": "evil.example"}), 421, "The request names another host"),
        (("POST", "/search", {"Origin": "https://evil.example"}), 403, "The request is from another site"),
        (("POST", "/check", {"Content-Type": "multipart/form-data"}), 400, "The request cannot be read"),
        (("POST", "/search", {"Content-Type": "multipart/form-data; boundary=x"}), 422, "The request is wrong"),
    ],
)
def test_a_browser_gets_a_page(
    client: httpx.Client, sent: tuple[str, str, dict[str, str]], status: int, title: str
) -> None:
    method, path, headers = sent
    answers = {
        accept: client.request(method, path, headers={**headers, "Accept": accept})
        for accept in (PAGE, "application/json")
    }
    page, problem = answers.values()
    assert page.status_code == problem.status_code == status
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert f"<title>{title} · wherefrom</title>" in page.text
    assert "<img" not in page.text
    assert problem.json()["title"] == title
    assert page.headers.get("allow") == problem.headers.get("allow")
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_the_api_never_answers_with_a_page(client: httpx.Client) -> None:
    for answer in (
        client.get("/api/v1/nothing", headers={"Accept": PAGE}),
        client.post("/api/v1/search", json={}, headers={"Accept": PAGE}),
        client.get("/api/v1/search", headers={"Accept": PAGE, "Host": "evil.example"}),
    ):
        assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("is_long", [True, False])
def test_a_search_has_many_values_but_not_any_number(client: httpx.Client, is_long: bool) -> None:
    def search(number: int) -> httpx.Response:
        fields = urlencode([("code", RENAMED), *(("only_repository", f"r{each}") for each in range(1, number))])
        headers = {"Accept": PAGE}
        if is_long:
            return client.post("/search", content=fields, headers=headers)
        return client.get(f"/search?{fields}", headers=headers)

    assert search(1_000).status_code == 200
    assert "0 of 3 hits found" in search(1_000).text
    refused = search(1_001)
    assert refused.status_code == 422
    assert "a search has at most 1,000 values; choose fewer" in refused.text


def test_a_number_of_hits_with_many_digits_is_refused(client: httpx.Client) -> None:
    answer = client.post("/search", data={"code": RENAMED, "limit": "1" * 5_000})
    assert (answer.status_code, "the number of hits must be from 1 to 100" in answer.text) == (422, True)


def test_head_is_answered_without_a_body(client: httpx.Client) -> None:
    for path in ("/", "/healthz", "/repositories", "/api"):
        answer = client.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path


def test_answers_are_compressed_for_who_takes_that(client: httpx.Client) -> None:
    plain, packed = (client.get("/api", headers={"Accept-Encoding": coding}) for coding in ("identity", "gzip"))
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
