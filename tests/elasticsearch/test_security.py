"""Passwords, rights and encryption, on a real server that requires them."""

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
from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of
from wherefrom import ElasticsearchOptions

ROLES = {request.path.rpartition("/")[2]: request.body for request in requests("/_security/role/")}
"""The roles that the documentation gives."""

SNIPPET = source_of(heapq.merge).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server with users that have these roles and no others."""
    with live_server(), secured_server(ROLES) as made:
        yield made


@pytest.fixture
def wherefrom(tmp_path: Path, server: Server) -> Iterator[Wherefrom]:
    """The command with an index `code` on it, as the administrator."""
    made = Wherefrom(tmp_path, server.index("code"))
    made.environment |= {"WHEREFROM_ELASTICSEARCH_CA_FILE": str(server.ca)}
    become(made, server, server.user)
    yield made
    server.remove("code")


def become(wherefrom: Wherefrom, server: Server, user: str) -> None:
    """Runs the next commands as this user."""
    wherefrom.environment |= {
        "WHEREFROM_ELASTICSEARCH_USER": user,
        "WHEREFROM_ELASTICSEARCH_PASSWORD": server.password,
    }


def options(wherefrom: Wherefrom) -> ElasticsearchOptions:
    """The same user for the library."""
    given = wherefrom.environment
    return ElasticsearchOptions(
        user=given["WHEREFROM_ELASTICSEARCH_USER"],
        password=given["WHEREFROM_ELASTICSEARCH_PASSWORD"],
        ca_file=Path(given["WHEREFROM_ELASTICSEARCH_CA_FILE"]),
    )


@pytest.mark.nightly
def test_with_password_and_certificate_all_is_as_without(
    wherefrom: Wherefrom, clones: Path, expected: dict[str, Any]
) -> None:
    wherefrom.indexes(clones)
    assert contents_of(wherefrom.index, options(wherefrom)) == expected


@pytest.mark.parametrize("wrong", ["password", "user", "nothing", "key"])
@pytest.mark.parametrize(
    "command", [["index", "."], ["search", "--code", "x = 1"], ["list"]], ids=lambda command: command[0]
)
def test_an_unknown_user_gets_a_message_without_a_secret(wherefrom: Wherefrom, command: list[str], wrong: str) -> None:
    user, password = (f"WHEREFROM_ELASTICSEARCH_{name}" for name in ("USER", "PASSWORD"))
    match wrong:
        case "password":
            wherefrom.environment[password] = "sesame-1234"
        case "user":
            wherefrom.environment[user] = "nobody"
        case _:
            del wherefrom.environment[user], wherefrom.environment[password]
    if wrong == "key":
        wherefrom.environment["WHEREFROM_ELASTICSEARCH_API_KEY"] = "c2VzYW1lLTEyMzQ6c2VzYW1lLTEyMzQ="
    message = wherefrom(*command, code=2)
    assert (
        "it does not accept the user and password or the API key, or wants one; set WHEREFROM_ELASTICSEARCH_USER"
        in message
    )
    assert "sesame" not in message
    assert "c2VzYW1l" not in message


class TestRights:
    """The rights of the roles on the documentation page."""

    @pytest.mark.nightly
    def test_a_reader_searches_and_no_more(self, wherefrom: Wherefrom, server: Server, clones: Path) -> None:
        wherefrom.indexes(clones / "repository00", clones / "repository01")
        answer = wherefrom.search(SNIPPET, "--explain")
        listed, stats = wherefrom.json("list"), wherefrom.json("stats")
        become(wherefrom, server, "wherefrom_reader")
        again = wherefrom.search(SNIPPET, "--explain")
        assert {**again, "took_ms": 0} == {**answer, "took_ms": 0}
        assert wherefrom.json("list") == listed
        seen = wherefrom.json("stats")
        assert {**seen, "stored": None} == {**stats, "stored": None}
        key = listed["repositories"][0]["repository"]
        for command in (["index", clones / "repository02"], ["remove", key], ["sweep"], ["index", "--rebuild", clones]):
            assert "the user lacks a right" in wherefrom(*command, code=2)
        become(wherefrom, server, server.user)
        assert wherefrom.json("list") == listed

    @pytest.mark.nightly
    def test_a_writer_keeps_an_index_up_to_date_but_makes_none(
        self, wherefrom: Wherefrom, server: Server, clones: Path
    ) -> None:
        become(wherefrom, server, "wherefrom_writer")
        assert "the user lacks a right" in wherefrom("index", clones / "repository00", code=2)
        become(wherefrom, server, "wherefrom_owner")
        wherefrom.indexes(clones / "repository00")
        become(wherefrom, server, "wherefrom_writer")
        wherefrom.indexes(clones / "repository01", clones / "repository02")
        assert wherefrom.search(SNIPPET)["hits"]
        key = wherefrom.json("list")["repositories"][0]["repository"]
        wherefrom("remove", key)
        wherefrom("sweep")
        assert len(wherefrom.json("list")["repositories"]) == 2

    def test_an_owner_does_all(
        self, wherefrom: Wherefrom, server: Server, clones: Path, expected: dict[str, Any]
    ) -> None:
        become(wherefrom, server, "wherefrom_owner")
        wherefrom.indexes(clones)
        wherefrom("index", "--rebuild", "--quiet", clones)
        assert contents_of(wherefrom.index, options(wherefrom)) == expected

    def test_other_indices_are_closed_to_all_three(self, wherefrom: Wherefrom, server: Server, clones: Path) -> None:
        for role in ROLES:
            become(wherefrom, server, role)
            message = wherefrom("index", clones / "repository00", "--index", server.index("other"), code=2)
            assert "the user lacks a right" in message
        assert server("GET", "/other*") == {}

    def test_there_are_roles_on_the_page(self) -> None:
        assert sorted(ROLES) == ["wherefrom_owner", "wherefrom_reader", "wherefrom_writer"]


class TestEncryption:
    def test_a_certificate_that_nobody_vouches_for(self, wherefrom: Wherefrom) -> None:
        del wherefrom.environment["WHEREFROM_ELASTICSEARCH_CA_FILE"]
        message = wherefrom("list", code=2)
        assert "the encryption cannot be set up" in message
        assert "name the certificates to trust in WHEREFROM_ELASTICSEARCH_CA_FILE" in message

    def test_a_certificate_of_another_authority(self, wherefrom: Wherefrom, tmp_path: Path) -> None:
        trustme.CA().cert_pem.write_to_path(str(tmp_path / "other.pem"))
        wherefrom.environment["WHEREFROM_ELASTICSEARCH_CA_FILE"] = str(tmp_path / "other.pem")
        assert "the encryption cannot be set up" in wherefrom("list", code=2)

    def test_a_certificate_for_another_host(self, wherefrom: Wherefrom) -> None:
        elsewhere = wherefrom.index.replace("127.0.0.1", "localhost")
        assert "the encryption cannot be set up" in wherefrom("list", "--index", elsewhere, code=2)

    def test_no_encryption_where_the_server_wants_it(self, wherefrom: Wherefrom) -> None:
        del wherefrom.environment["WHEREFROM_ELASTICSEARCH_CA_FILE"]
        plain = wherefrom.index.replace("elasticsearch+https", "elasticsearch")
        assert "elasticsearch+https" in wherefrom("list", "--index", plain, code=2)

    def test_encryption_where_the_server_has_none(self, wherefrom: Wherefrom, elasticsearch_location: Any) -> None:
        encrypted = elasticsearch_location().replace("elasticsearch:", "elasticsearch+https:")
        assert "the encryption cannot be set up" in wherefrom("list", "--index", encrypted, code=2)
