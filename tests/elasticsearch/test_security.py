"""Passwords, rights and encryption, on a real server that wants them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.conftest import live_server
from tests.elasticsearch.page import requests
from tests.elasticsearch.servers import Server, secured_server
from tests.end_to_end.conftest import Whence
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of
from whence import ElasticsearchOptions

ROLES = {request.path.rpartition("/")[2]: request.body for request in requests("/_security/role/")}
"""The roles that the documentation gives."""

SNIPPET = source_of(heapq.merge).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One with users that have these roles and no other."""
    with live_server(), secured_server(ROLES) as made:
        yield made


@pytest.fixture
def whence(tmp_path: Path, server: Server) -> Iterator[Whence]:
    """The command with an index `code` on it, as the administrator."""
    made = Whence(tmp_path, server.index("code"))
    made.environment |= {"WHENCE_ELASTICSEARCH_CA_FILE": str(server.ca)}
    become(made, server, server.user)
    yield made
    server.remove("code")


def become(whence: Whence, server: Server, user: str) -> None:
    """The next commands are this user's."""
    whence.environment |= {
        "WHENCE_ELASTICSEARCH_USER": user,
        "WHENCE_ELASTICSEARCH_PASSWORD": server.password,
    }


def options(whence: Whence) -> ElasticsearchOptions:
    """The same for the library."""
    given = whence.environment
    return ElasticsearchOptions(
        user=given["WHENCE_ELASTICSEARCH_USER"],
        password=given["WHENCE_ELASTICSEARCH_PASSWORD"],
        ca_file=Path(given["WHENCE_ELASTICSEARCH_CA_FILE"]),
    )


def test_with_password_and_certificate_all_is_as_without(
    whence: Whence, clones: Path, expected: dict[str, Any]
) -> None:
    whence.indexes(clones)
    assert contents_of(whence.index, options(whence)) == expected


@pytest.mark.parametrize("wrong", ["password", "user", "nothing", "key"])
@pytest.mark.parametrize("command", [["index", "."], ["search", "--code", "x = 1"], ["list"]], ids=lambda each: each[0])
def test_who_is_not_known_is_told_so_and_no_secret(whence: Whence, command: list[str], wrong: str) -> None:
    user, password = (f"WHENCE_ELASTICSEARCH_{name}" for name in ("USER", "PASSWORD"))
    match wrong:
        case "password":
            whence.environment[password] = "sesame-1234"
        case "user":
            whence.environment[user] = "nobody"
        case _:
            del whence.environment[user], whence.environment[password]
    if wrong == "key":
        whence.environment["WHENCE_ELASTICSEARCH_API_KEY"] = "c2VzYW1lLTEyMzQ6c2VzYW1lLTEyMzQ="
    said = whence(*command, code=2)
    assert (
        "it does not accept the user and password or the API key, or wants one; set WHENCE_ELASTICSEARCH_USER" in said
    )
    assert "sesame" not in said
    assert "c2VzYW1l" not in said


class TestRights:
    """Of the roles on the documentation page."""

    def test_a_reader_searches_and_no_more(self, whence: Whence, server: Server, clones: Path) -> None:
        whence.indexes(clones / "repository00", clones / "repository01")
        answer = whence.search(SNIPPET, "--explain")
        listed, stats = whence.json("list"), whence.json("stats")
        become(whence, server, "whence_reader")
        again = whence.search(SNIPPET, "--explain")
        assert {**again, "took_ms": 0} == {**answer, "took_ms": 0}
        assert whence.json("list") == listed
        told = whence.json("stats")
        assert {**told, "stored": None} == {**stats, "stored": None}
        key = listed["repositories"][0]["repository"]
        for command in (["index", clones / "repository02"], ["remove", key], ["sweep"], ["index", "--rebuild", clones]):
            assert "the user lacks a right" in whence(*command, code=2)
        become(whence, server, server.user)
        assert whence.json("list") == listed

    def test_a_writer_keeps_an_index_up_to_date_but_makes_none(
        self, whence: Whence, server: Server, clones: Path
    ) -> None:
        become(whence, server, "whence_writer")
        assert "the user lacks a right" in whence("index", clones / "repository00", code=2)
        become(whence, server, "whence_owner")
        whence.indexes(clones / "repository00")
        become(whence, server, "whence_writer")
        whence.indexes(clones / "repository01", clones / "repository02")
        assert whence.search(SNIPPET)["hits"]
        key = whence.json("list")["repositories"][0]["repository"]
        whence("remove", key)
        whence("sweep")
        assert len(whence.json("list")["repositories"]) == 2

    def test_an_owner_does_all(self, whence: Whence, server: Server, clones: Path, expected: dict[str, Any]) -> None:
        become(whence, server, "whence_owner")
        whence.indexes(clones)
        whence("index", "--rebuild", "--quiet", clones)
        assert contents_of(whence.index, options(whence)) == expected

    def test_other_indices_are_closed_to_all_three(self, whence: Whence, server: Server, clones: Path) -> None:
        for role in ROLES:
            become(whence, server, role)
            said = whence("index", clones / "repository00", "--index", server.index("other"), code=2)
            assert "the user lacks a right" in said
        assert server("GET", "/other*") == {}

    def test_there_are_roles_on_the_page(self) -> None:
        assert sorted(ROLES) == ["whence_owner", "whence_reader", "whence_writer"]


class TestEncryption:
    def test_a_certificate_that_nobody_vouches_for(self, whence: Whence) -> None:
        del whence.environment["WHENCE_ELASTICSEARCH_CA_FILE"]
        said = whence("list", code=2)
        assert "the encryption cannot be set up" in said
        assert "name the certificates to trust in WHENCE_ELASTICSEARCH_CA_FILE" in said

    def test_a_certificate_of_another_authority(self, whence: Whence, tmp_path: Path) -> None:
        trustme.CA().cert_pem.write_to_path(str(tmp_path / "other.pem"))
        whence.environment["WHENCE_ELASTICSEARCH_CA_FILE"] = str(tmp_path / "other.pem")
        assert "the encryption cannot be set up" in whence("list", code=2)

    def test_a_certificate_for_another_host(self, whence: Whence) -> None:
        elsewhere = whence.index.replace("127.0.0.1", "localhost")
        assert "the encryption cannot be set up" in whence("list", "--index", elsewhere, code=2)

    def test_no_encryption_where_the_server_wants_it(self, whence: Whence) -> None:
        del whence.environment["WHENCE_ELASTICSEARCH_CA_FILE"]
        plain = whence.index.replace("elasticsearch+https", "elasticsearch")
        assert "elasticsearch+https" in whence("list", "--index", plain, code=2)

    def test_encryption_where_the_server_has_none(self, whence: Whence, elasticsearch_location: Any) -> None:
        encrypted = elasticsearch_location().replace("elasticsearch:", "elasticsearch+https:")
        assert "the encryption cannot be set up" in whence("list", "--index", encrypted, code=2)
