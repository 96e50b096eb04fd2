"""Features of the Elasticsearch engine alone: addresses, versions behind aliases, leases, partial answers."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import threading
import time
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
from elasticsearch import ApiError
from hypothesis import given
from hypothesis import strategies as st

from tests.elasticsearch.servers import Access, free_port, wait_until
from tests.engines.conftest import (
    SCHEMES,
    SET_SCHEMES,
    blob_id,
    document,
    occurrence,
    opened_on_elasticsearch,
    repository,
)
from wherefrom.engines import ElasticsearchOptions, open_engine, rebuild
from wherefrom.engines.elasticsearch import engine as engines
from wherefrom.engines.elasticsearch import leases, ranking
from wherefrom.engines.elasticsearch.address import parse
from wherefrom.engines.elasticsearch.connection import PATIENCE, SEARCH_RETRIES, ClusterConnection, listing
from wherefrom.engines.elasticsearch.documents import blob_document, encode_terms, identity
from wherefrom.engines.elasticsearch.ranking import Ranking
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.engines.terms import scale
from wherefrom.errors import (
    ExtraMissing,
    IndexBusy,
    IndexDamaged,
    IndexFormatError,
    IndexMissing,
    SchemeMismatch,
    UnusableIndex,
    UsageError,
)
from wherefrom.mappings import elasticsearch as mapping
from wherefrom.mappings.elasticsearch import RecordKind
from wherefrom.model import BoilerplateSet, Refusal, Representation, SkipReason
from wherefrom.support.version import remedy

EXACT, RENAMED = Representation.EXACT, Representation.RENAMED


@pytest.fixture
def location(elasticsearch_location: Callable[[], str]) -> str:
    return elasticsearch_location()


@pytest.fixture
def engine(location: str) -> Iterator[Engine]:
    made = opened_on_elasticsearch(location, 2).engine
    yield made
    made.close()


def write(engine: Engine, *names: object, repository: str = "r") -> None:
    with engine.writer() as writer:
        writer.add_blobs(document(name, [1, 2]) for name in names)
        writer.put_occurrences(occurrence(repository, str(name), name) for name in names)


def paths(engine: Engine) -> list[str]:
    return [f"{place.repository}/{place.path}" for place in engine.occurrences()]


class TestAddresses:
    @pytest.mark.parametrize(
        ("location", "nodes", "name"),
        [
            ("elasticsearch://host/code", ["http://host:9200"], "code"),
            ("elasticsearch+https://host:443/code/", ["https://host:443"], "code"),
            ("elasticsearch://a:1,b,[::1]:3/x.y_z-1", ["http://a:1", "http://b:9200", "http://[::1]:3"], "x.y_z-1"),
            (
                "elasticsearch://a,b:2/behind/proxy/code",
                ["http://a:9200/behind/proxy", "http://b:2/behind/proxy"],
                "code",
            ),
        ],
    )
    def test_hosts_prefix_and_name(self, location: str, nodes: list[str], name: str) -> None:
        address = parse(location)
        assert (address.nodes, address.name) == (nodes, name)
        assert parse(str(address)) == address

    @pytest.mark.parametrize(
        "location",
        [
            "elasticsearch://",
            "elasticsearch://host",
            "elasticsearch://host:9200/",
            "elasticsearch:///name",
            "elasticsearch://,host/name",
            "elasticsearch://host:0/name",
            "elasticsearch://host:port/name",
            "elasticsearch://host:99999/name",
            "elasticsearch://[::1/name",
            "elasticsearch://host/Upper",
            "elasticsearch://host/_all",
            "elasticsearch://host/-x",
            "elasticsearch://host/..",
            "elasticsearch://host/a,b",
            "elasticsearch://host/*",
            "elasticsearch://host/ä",
            "elasticsearch://host/x?y=z",
            "elasticsearch://host/x#y",
            "elasticsearch://host/x\n",
            "elasticsearch://host/" + "x" * 201,
        ],
    )
    def test_what_is_none_is_refused_with_the_form(self, location: str) -> None:
        with pytest.raises(UsageError, match=r"^[^\n]*write elasticsearch://HOST:9200/NAME[^\n]*$"):
            open_engine(location, schemes=SCHEMES)

    def test_a_password_in_the_url_is_refused_and_not_repeated(self) -> None:
        with pytest.raises(UsageError, match="set WHEREFROM_ELASTICSEARCH_USER") as caught:
            open_engine("elasticsearch://me:secret@host:9200/name", schemes=SCHEMES)
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"user": "u"}, "both or none"),
            ({"password": "p"}, "both or none"),
            ({"user": "u", "password": "p", "api_key": "k"}, "one of the two"),
            ({"timeout": 0}, "above 0"),
            ({"timeout": math.nan}, "above 0"),
            ({"timeout": math.inf}, "above 0"),
            ({"shards": 0}, "1 to 1024"),
            ({"replicas": -1}, "0 to 1024"),
            ({"ca_file": Path("/nonexistent/ca.pem")}, "name another"),
        ],
    )
    def test_options_that_cannot_be_right_are_refused(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            ElasticsearchOptions(**options)

    def test_secrets_are_not_shown(self) -> None:
        assert "hidden" not in repr(ElasticsearchOptions(user="u", password="hidden"))
        assert "hidden" not in repr(ElasticsearchOptions(api_key="hidden"))

    def test_certificates_need_an_encrypted_address_and_must_be_some(self, tmp_path: Path) -> None:
        (tmp_path / "ca.pem").write_text("no certificate")
        options = ElasticsearchOptions(ca_file=tmp_path / "ca.pem")
        for location, message in [
            ("elasticsearch://h/n", "not encrypted"),
            ("elasticsearch+https://h/n", "holds no cert"),
        ]:
            with pytest.raises(UsageError, match=message):
                open_engine(location, schemes=SCHEMES, options=options)


def test_without_the_extra_the_message_has_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.engines.kinds.find_spec", lambda name: None)
    for opening in (open_engine, rebuild):
        with pytest.raises(ExtraMissing, match=re.escape(remedy("elasticsearch"))):
            opening("elasticsearch://host/name", schemes=SCHEMES)


def test_the_client_is_loaded_on_use_only() -> None:
    script = "import sys, wherefrom.cli; sys.exit(bool({'elasticsearch', 'elastic_transport'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@given(st.lists(st.one_of(st.integers(0, 2**48 - 1), st.integers(0, 2**40), st.integers(0, 300))))
def test_terms_are_base64url_of_their_big_endian_bytes(terms: list[int]) -> None:
    expected = [
        urlsafe_b64encode(term.to_bytes(5 if term < 256**5 else 6, "big")).decode().rstrip("=") for term in terms
    ]
    assert encode_terms(np.array(terms, np.uint64)) == expected


def test_a_change_of_the_schema_needs_a_new_format() -> None:
    """If you change a JSON file, raise `FORMAT.version` and then change the version and the fields here."""
    assert mapping.FORMAT.version == 6
    blobs, records = (mapping.mapping(part, SCHEMES, 40) for part in mapping.PARTS)
    assert list(blobs["properties"]) == [
        *("blob", "language", "analysis", "size", "token_count"),
        *map(mapping.terms_field, SCHEMES),
        *("tokens", "source", "references"),
    ]
    assert list(records["properties"]) == [
        *("kind", "repository", "path", "long_path", "blob", "revision", "name", "record", "checksum"),
        *("unfinished", "hashes"),
        *("lease", "holder", "beats"),
    ]
    assert blobs["_meta"] == {"wherefrom": "blobs", **mapping.FORMAT.stamp(), "schemes": SCHEMES, "term_bits": 40}
    assert blobs["dynamic"] == records["dynamic"] == "strict"


class TestVersions:
    def test_nothing_there(self, location: str, elasticsearch: Access) -> None:
        with pytest.raises(IndexMissing, match="wherefrom index"):
            open_engine(location, schemes=SCHEMES)
        assert elasticsearch("GET", f"/{parse(location).name}*/_alias") == {}

    def test_making_goes_on_after_it_was_killed(self, location: str, elasticsearch: Access) -> None:
        name = parse(location).name
        elasticsearch("PUT", f"/{name}-blobs-000001", {"mappings": mapping.mapping("blobs", SCHEMES, 48)})
        elasticsearch("PUT", f"/{name}-records-000001", {"mappings": {"_meta": {"of another": "version"}}})
        with pytest.raises(IndexMissing):
            open_engine(location, schemes=SCHEMES)
        engine = open_engine(location, schemes=SCHEMES, create=True)
        write(engine, "a")
        assert paths(engine) == ["r/a"]
        engine.close()

    def test_several_that_make_one_at_once_have_the_same(self, location: str) -> None:
        made: list[Engine] = []
        threads = [
            threading.Thread(target=lambda: made.append(open_engine(location, schemes=SCHEMES, create=True)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) == 4
        write(made[0], "a")
        for engine in made:
            assert paths(engine) == ["r/a"]
            engine.close()

    @pytest.mark.parametrize("create", [True, False])
    def test_other_indices_of_that_name_are_left_alone(
        self, location: str, elasticsearch: Access, create: bool
    ) -> None:
        name = parse(location).name
        elasticsearch("PUT", f"/{name}-records")
        with pytest.raises(IndexFormatError, match=r"not an index of wherefrom .*; choose another name"):
            open_engine(location, schemes=SCHEMES, create=create)
        assert list(elasticsearch("GET", f"/{name}*/_alias")) == [f"{name}-records"]

    def test_an_alias_of_two_indices_is_named(self, engine: Engine, location: str, elasticsearch: Access) -> None:
        name = parse(location).name
        elasticsearch("PUT", f"/{name}-blobs-000007", {"aliases": {f"{name}-blobs": {}}})
        with pytest.raises(IndexFormatError, match=rf"{name}-blobs-000001 and {name}-blobs-000007; remove"):
            open_engine(location, schemes=SCHEMES, create=True)

    def test_aliases_that_do_not_belong_together_are_named(
        self, engine: Engine, location: str, elasticsearch: Access
    ) -> None:
        elasticsearch("DELETE", f"/{parse(location).name}-blobs-000001")
        with pytest.raises(IndexFormatError, match="do not belong together; choose another name"):
            open_engine(location, schemes=SCHEMES, create=True)

    @pytest.mark.parametrize(
        ("stamp", "error", "message"),
        [
            ({}, IndexFormatError, "not an index of wherefrom"),
            ({"wherefrom": "blobs", "format": 2, "schemes": SCHEMES}, IndexFormatError, "not an index of wherefrom"),
            (
                {"wherefrom": "blobs", "format": 99, "reader": 98, "schemes": SCHEMES},
                IndexFormatError,
                r"newer version of wherefrom \(format 99; .*; upgrade wherefrom, or index again under another name",
            ),
            (
                {"wherefrom": "blobs", "format": 1, "reader": 1, "schemes": SCHEMES},
                IndexFormatError,
                r"older version of wherefrom \(format 1; .* --rebuild",
            ),
            (
                {"wherefrom": "blobs", **mapping.FORMAT.stamp(), "schemes": SCHEMES | {RENAMED: "other"}},
                SchemeMismatch,
                "renamed scheme 'other', .* --rebuild",
            ),
        ],
    )
    @pytest.mark.usefixtures("engine")
    def test_another_format_or_scheme_is_refused(
        self, location: str, elasticsearch: Access, stamp: object, error: type[UnusableIndex], message: str
    ) -> None:
        elasticsearch("PUT", f"/{parse(location).name}-blobs/_mapping", {"_meta": stamp})
        with pytest.raises(error, match=message):
            open_engine(location, schemes=SCHEMES, create=True)

    def test_shards_replicas_and_the_rest_are_set_when_it_is_made(self, location: str, elasticsearch: Access) -> None:
        options = ElasticsearchOptions(shards=3, replicas=2)
        open_engine(location, schemes=SCHEMES, create=True, options=options).close()
        for part in mapping.PARTS:
            (found,) = elasticsearch("GET", f"/{parse(location).name}-{part}/_settings").values()
            index = found["settings"]["index"]
            assert (index["number_of_shards"], index["number_of_replicas"]) == ("3", "2")
            assert index["refresh_interval"] == "-1"


class TestRebuilding:
    def test_the_next_version_takes_the_place_of_the_one_in_use(
        self, engine: Engine, location: str, elasticsearch: Access, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(leases, "SWEEP_WAIT_SECONDS", 0.2)
        write(engine, "old")
        boilerplate = BoilerplateSet("b", ("f",), SET_SCHEMES, {key: np.array([1], np.uint64) for key in SET_SCHEMES})
        with engine.writer() as writer:
            writer.put_boilerplate(boilerplate)
        with rebuild(location, schemes=SCHEMES) as following:
            write(following, "new")
            assert paths(following) == ["r/new"]
            assert paths(engine) == ["r/old"]
            with pytest.raises(IndexBusy, match="rebuilt"), rebuild(location, schemes=SCHEMES):
                pass
        assert paths(engine) == ["r/new"]
        assert engine.known([blob_id("old"), blob_id("new")]) == {blob_id("new")}
        assert engine.boilerplate_names() == ["b"]
        name = parse(location).name
        assert sorted(elasticsearch("GET", f"/{name}*/_alias")) == [f"{name}-blobs-000002", f"{name}-records-000002"]
        write(engine, "more")
        assert paths(engine) == ["r/more", "r/new"]

    def test_an_error_leaves_the_one_in_use(self, engine: Engine, location: str, elasticsearch: Access) -> None:
        def fail() -> None:
            with rebuild(location, schemes=SCHEMES) as following:
                write(following, "new")
                raise KeyboardInterrupt

        write(engine, "old")
        with pytest.raises(KeyboardInterrupt):
            fail()
        assert paths(engine) == ["r/old"]
        assert len(elasticsearch("GET", f"/{parse(location).name}*/_alias")) == 2
        write(engine, "more")

    def test_what_a_killed_one_left_is_replaced(self, engine: Engine, location: str, elasticsearch: Access) -> None:
        name = parse(location).name
        write(engine, "old")
        for part in mapping.PARTS:
            elasticsearch("PUT", f"/{name}-{part}-000002", {"aliases": {f"{name}-{part}-next": {}}})
        with rebuild(location, schemes=SCHEMES) as following:
            assert paths(engine) == ["r/old"]
            write(following, "new")
        assert paths(engine) == ["r/new"]
        assert len(elasticsearch("GET", f"/{name}*/_alias")) == 2

    def test_an_index_of_another_format_is_replaced(self, engine: Engine, location: str, elasticsearch: Access) -> None:
        write(engine, "old")
        for part in mapping.PARTS:
            stamp = {"wherefrom": part, "format": 0, "schemes": {}}
            elasticsearch("PUT", f"/{parse(location).name}-{part}/_mapping", {"_meta": stamp})
        with rebuild(location, schemes=SCHEMES | {RENAMED: "newer"}) as following:
            write(following, "new")
        again = open_engine(location, schemes=SCHEMES | {RENAMED: "newer"})
        assert paths(again) == ["r/new"]
        again.close()

    def test_where_nothing_is_yet_it_is_made(self, location: str) -> None:
        with rebuild(location, schemes=SCHEMES) as made:
            write(made, "new")
        again = open_engine(location, schemes=SCHEMES)
        assert paths(again) == ["r/new"]
        again.close()

    def test_an_embedded_index_is_not(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="into a new folder"):
            rebuild(tmp_path, schemes=SCHEMES)


@pytest.fixture
def quick_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(leases, "LEASE_SECONDS", 1.0)
    monkeypatch.setattr(leases, "LOOK_SECONDS", 0.05)


def still(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A writer that does not keep its lease alive, as if its process were stopped."""
    with monkeypatch.context() as context:
        context.setattr(leases.Lease, "_keep", lambda lease: None)
        block = engine.writer()
        return block, block.__enter__()


@pytest.mark.usefixtures("quick_leases")
class TestSeveralWriters:
    def test_a_sweep_beside_another_writer_is_refused_and_what_was_written_is_committed(self, engine: Engine) -> None:
        with engine.writer() as one:
            one.add_blobs([document("of one", [1])])
            with engine.writer() as other:
                other.add_blobs([document("of other", [1])])
                with pytest.raises(IndexBusy, match="other writers; wait until that is done and run again"):
                    other.sweep()
                assert engine.known([blob_id("of other")])
            one.put_occurrences([occurrence("r", "p", "of one"), occurrence("r", "q", "of other")])
        with engine.writer() as alone:
            assert alone.sweep() == 0
        assert engine.known([blob_id("of one"), blob_id("of other")]) == {blob_id("of one"), blob_id("of other")}

    def test_a_writer_waits_for_a_sweep(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(leases, "SWEEP_WAIT_SECONDS", 0.3)
        with engine.writer() as sweeper:
            lease = sweeper._lease  # type: ignore[attr-defined]
            lease.be_alone()
            with pytest.raises(IndexBusy, match="swept or rebuilt; wait"), engine.writer():
                pass
            lease.release()
            with engine.writer():
                pass

    def test_two_writers_of_one_repository_go_one_after_the_other(self, engine: Engine) -> None:
        """Each reads the stored paths and writes the difference. If both did so at once, both halves would stay."""
        entered = threading.Barrier(2)

        def index(revision: str) -> None:
            with engine.writer() as writer:
                entered.wait()
                writer.claim("r")
                before = {place.path for place in engine.occurrences(repository="r")}
                time.sleep(0.2)
                writer.delete_occurrences("r", before)
                writer.put_occurrences(occurrence("r", f"{revision}{number}", 1) for number in range(3))
                writer.put_repository(repository(f"r{revision}"))

        threads = [threading.Thread(target=index, args=[revision]) for revision in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert paths(engine) in (["r/a0", "r/a1", "r/a2"], ["r/b0", "r/b1", "r/b2"])
        assert [record.key for record in engine.repositories()] == ["ra", "rb"]

    def test_crossed_claims_do_not_wait_for_ever(self, engine: Engine) -> None:
        entered = threading.Barrier(2)

        def index(first: str, second: str) -> None:
            with engine.writer() as writer:
                writer.put_occurrences([occurrence(first, f"by {first}", 1)])
                entered.wait()
                writer.put_occurrences([occurrence(second, f"by {first}", 1)])

        threads = [threading.Thread(target=index, args=keys) for keys in (("r", "s"), ("s", "r"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert paths(engine) == ["r/by r", "r/by s", "s/by r", "s/by s"]

    def test_what_a_dead_writer_claimed_is_free_after_a_while(
        self, engine: Engine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, dead = still(engine, monkeypatch)
        dead.put_occurrences([occurrence("r", "never", 1)])
        begin = time.monotonic()
        write(engine, "a")
        assert time.monotonic() - begin >= leases.LEASE_SECONDS
        assert paths(engine) == ["r/a"]
        with engine.writer() as writer:
            assert writer.sweep() == 0

    def test_a_sweep_takes_the_place_of_a_dead_one(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        _, dead = still(engine, monkeypatch)
        dead._lease.be_alone()
        with engine.writer() as writer:
            writer.add_blobs([document("orphan", [1])])
            assert writer.sweep() == 1

    def test_a_writer_that_stood_still_for_too_long_writes_no_record(
        self, engine: Engine, location: str, elasticsearch: Access, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        block, slow = still(engine, monkeypatch)
        slow.add_blobs([document("a", [1])])
        slow.put_occurrences([occurrence("r", "a", "a")])
        slow.put_repository(repository("r"))
        with engine.writer() as other:
            lease = f"/{parse(location).name}-records/_search?q=_id:{slow._lease.id}"
            wait_until(lambda: not elasticsearch("GET", lease)["hits"]["hits"], "the end of the lease", 60)
            other.put_occurrences([occurrence("s", "b", "b")])
        with pytest.raises(UnusableIndex, match=r"^[^\n]*stood still for over 1 seconds; .* run again$"):
            block.__exit__(None, None, None)
        assert engine.repositories() == []
        assert paths(engine) == ["s/b"]

    def test_a_commit_that_is_cut_short_leaves_a_repository_to_be_indexed_again(
        self, engine: Engine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with engine.writer() as writer:
            writer.put_occurrences([occurrence("r", "a", "a"), occurrence("r", "b", "b")])
            writer.put_repository(repository("r"))
        assert engine.repository("r") == repository("r")

        calls = 0

        def check(lease: leases.Lease) -> None:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise UnusableIndex("cut short")

        def write_half() -> None:
            with engine.writer() as writer:
                writer.delete_occurrences("r", ["a"])
                writer.put_repository(repository("r"))

        with monkeypatch.context() as context:
            context.setattr(leases.Lease, "check", check)
            with pytest.raises(UnusableIndex, match="cut short"):
                write_half()
        write(engine, "makes it visible", repository="s")
        assert paths(engine) == ["r/b", "s/makes it visible"]
        assert engine.repository("r") == replace(repository("r"), settings="")
        with engine.writer() as writer:
            writer.put_occurrences([occurrence("r", "c", "c")])
            writer.put_repository(repository("r"))
        assert engine.repository("r") == repository("r")

    @pytest.mark.parametrize("lost_at", [1, 2, 3])
    def test_a_lease_that_is_lost_during_a_commit_leaves_a_repository_to_be_indexed_again(
        self, engine: Engine, location: str, elasticsearch: Access, monkeypatch: pytest.MonkeyPatch, lost_at: int
    ) -> None:
        check = leases.Lease.check
        calls = 0

        def lost(lease: leases.Lease) -> None:
            nonlocal calls
            calls += 1
            if calls == lost_at:
                elasticsearch("DELETE", f"/{parse(location).name}-records/_doc/{lease.id}")
            check(lease)

        def write_and_lose() -> None:
            with engine.writer() as writer:
                writer.put_occurrences([occurrence("r", "a", "a")])
                writer.put_repository(repository("r"))

        with monkeypatch.context() as context:
            context.setattr(leases.Lease, "check", lost)
            with pytest.raises(UnusableIndex, match="stood still"):
                write_and_lose()
        write(engine, "makes it visible", repository="s")
        assert [record.settings for record in engine.repositories()] == ([""] if lost_at == 3 else [])

    def test_leases_and_claims_leave_nothing_behind(self, engine: Engine, location: str, elasticsearch: Access) -> None:
        write(engine, "a")
        with engine.writer() as writer:
            writer.sweep()
        elasticsearch("POST", f"/{parse(location).name}-records/_refresh")
        found = elasticsearch("GET", f"/{parse(location).name}-records/_search")["hits"]["hits"]
        assert [hit["_source"]["kind"] for hit in found] == ["occurrence"]


def test_a_repository_that_is_cleared_and_filled_again_in_one_block_holds_the_last(engine: Engine) -> None:
    write(engine, *range(5))
    with engine.writer() as writer:
        writer.put_occurrences([occurrence("r", "lost", 1), occurrence("s", "kept", 1)])
        writer.delete_occurrences("r")
        writer.put_occurrences([occurrence("r", "kept", 1)])
    assert paths(engine) == ["r/kept", "s/kept"]


def test_more_occurrences_than_stay_in_memory(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    from wherefrom.engines.elasticsearch import writer as module

    monkeypatch.setattr(module, "SPOOLED", 10_000)
    with engine.writer() as writer:
        writer.put_occurrences(occurrence("r", f"{number:05}", number) for number in range(6000))
        writer.delete_occurrences("r", (f"{number:05}" for number in range(0, 6000, 2)))
    assert paths(engine) == [f"r/{number:05}" for number in range(1, 6000, 2)]


class TestDamage:
    @pytest.mark.parametrize("at", [0, 3, 4, -1])
    @pytest.mark.parametrize("field", ["tokens", "source", "references"])
    def test_a_value_of_a_blob(self, engine: Engine, location: str, elasticsearch: Access, field: str, at: int) -> None:
        blob = document("a", [1], source=b"def a(): ...", references=b"[0,[]]")
        with engine.writer() as writer:
            writer.add_blobs([blob])
        identity, blobs = blob.stored.blob, f"{parse(location).name}-blobs"
        assert engine.blobs([identity]) == {identity: blob.stored}
        value = bytearray(b64decode(blob_document(blob, 48)[field]))
        value[at] ^= 1
        elasticsearch(
            "PUT",
            f"/{blobs}/_doc/{identity}?refresh=true",
            blob_document(blob, 48) | {field: b64encode(value).decode()},
        )
        reads: dict[str, Callable[[], object]] = {
            "blobs": lambda: engine.blobs([identity]),
            "stored_blobs": lambda: list(engine.stored_blobs()),
            "candidates": lambda: engine.candidates({EXACT: {1: 1.0}}, limit=5),
            "references": lambda: engine.references([identity]),
            "verify": engine.verify,
        }
        unread = {"tokens": ["references"], "source": ["candidates", "references"], "references": ["candidates"]}
        for name, read in reads.items():
            if name in unread[field]:
                read()
            else:
                with pytest.raises(
                    IndexDamaged, match=rf"^[^\n]*{field} does not match\); index again with --rebuild$"
                ):
                    read()

    def test_a_record(
        self, engine: Engine, location: str, elasticsearch: Access, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        boilerplate = BoilerplateSet("s", ("f",), SET_SCHEMES, {EXACT: np.array([1, 2], np.uint64)})
        hashes = b64encode(bytes(20)).decode()
        described: dict[str, Any] = {"description": ["s", ["f"], SET_SCHEMES, [1, 0, 0, 0]]}
        remedy, add = "index again with --rebuild", "add the boilerplate set 's' again"
        repositories: list[Callable[[], object]] = [engine.repositories, lambda: engine.repository("r"), engine.stats]
        refusals: list[Callable[[], object]] = [lambda: engine.refusals([blob_id("a")])]
        sets: list[Callable[[], object]] = [lambda: engine.boilerplate("s")]
        for named, change, reads, message in (
            (identity(RecordKind.REPOSITORY, "r"), {"record": {"files": 4}}, repositories, remedy),
            (identity(RecordKind.REPOSITORY, "r"), {"record": {"files": 3}, "checksum": 7}, repositories, remedy),
            (identity(RecordKind.REFUSAL, blob_id("a")), {"record": {"seconds": 5.5}}, refusals, remedy),
            (identity(RecordKind.BOILERPLATE, "s"), {"hashes": hashes}, sets, add),
            (identity(RecordKind.BOILERPLATE, "s"), {"hashes": "A"}, sets, add),
            (identity(RecordKind.BOILERPLATE, "s"), {"record": described}, sets, add),
        ):
            with engine.writer() as writer:
                writer.put_repository(repository("r"))
                writer.put_refusals([Refusal(blob_id("a"), SkipReason.PARSE_TIMEOUT, "c=0.24", 5.0)])
                writer.put_boilerplate(boilerplate)
            engine.verify()
            path = f"/{parse(location).name}-records/_update/{named}?refresh=true"
            elasticsearch("POST", path, {"doc": change})
            for read in (*reads, engine.verify):
                with pytest.raises(IndexDamaged, match=rf"^[^\n]* is damaged \([^\n]*\); {message}$"):
                    read()
        # The remedies in the messages.
        with engine.writer() as writer:
            writer.put_boilerplate(boilerplate)
        monkeypatch.setattr(leases, "SWEEP_WAIT_SECONDS", 0.2)
        with rebuild(location, schemes=SCHEMES) as following, following.writer() as writer:
            writer.put_repository(repository("r"))
        assert engine.repositories() == [repository("r")]
        assert engine.boilerplate("s") is not None

    def test_a_record_whose_repository_is_being_written_keeps_its_checksum(self, engine: Engine) -> None:
        with engine.writer() as writer:
            writer.put_repository(repository("r"))
        write(engine, "a")
        assert engine.repositories() == [repository("r")]


class TestRanking:
    @pytest.mark.parametrize("wanted", [1, 7, 40, 500])
    def test_many_terms_are_ranked_by_several_queries_as_by_one(
        self, engine: Engine, location: str, monkeypatch: pytest.MonkeyPatch, wanted: int
    ) -> None:
        dice = np.random.default_rng(wanted)
        documents = [
            document(name, {key: dice.choice(60, dice.integers(1, 20)).tolist() for key in (EXACT, RENAMED)})
            for name in range(120)
        ]
        with engine.writer() as writer:
            writer.add_blobs(documents)
        weights = {key: {term: float(dice.integers(1, 4)) for term in range(60)} for key in (EXACT, RENAMED)}
        plain = MemoryEngine(SCHEMES)
        with plain.writer() as writer:
            writer.add_blobs(documents)
        expected = [(found.score, found.blob.blob) for found in plain.candidates(weights, limit=wanted)][:wanted]
        monkeypatch.setattr(ranking, "CLAUSES", 7)
        scaled, unit = scale(weights, 48)
        connection = ClusterConnection(parse(location), ElasticsearchOptions())
        made = Ranking(connection, f"{parse(location).name}-blobs", scaled, None, None)
        assert [(score * unit, blob) for score, blob in made._merged(wanted)] == expected
        assert [(score * unit, blob) for score, blob in made.best(wanted)] == expected
        connection.close()

    @pytest.mark.parametrize(("ties", "requests"), [(1, 1), (ranking.SPARE, 1), (ranking.SPARE + 1, 3)])
    def test_the_best_take_one_request_unless_many_tie_with_the_last(
        self, engine: Engine, monkeypatch: pytest.MonkeyPatch, ties: int, requests: int
    ) -> None:
        """With a merge between two batches, the server gives equal scores in no order."""
        better = {name: document(name, [1, 2]) for name in range(4)}
        equal = {name: document(name, [1]) for name in range(100, 100 + ties)}
        worse = {name: document(name, [3]) for name in range(200, 200 + 2 * ranking.SPARE)}
        for part in (1, 0):
            with engine.writer() as writer:
                writer.add_blobs([made for name, made in (better | equal | worse).items() if name % 2 == part])
        searches = []
        plain = ClusterConnection.search

        def search(connection: ClusterConnection, **body: Any) -> dict[str, Any]:
            searches.append(body)
            return plain(connection, **body)

        monkeypatch.setattr(ClusterConnection, "search", search)
        found = engine.candidates({EXACT: {1: 2.0, 2: 1.0, 3: 1.0}}, limit=5)
        expected = [*sorted(map(blob_id, better)), *sorted(map(blob_id, equal))]
        assert [candidate.blob.blob for candidate in found] == expected
        assert [candidate.score for candidate in found] == [3.0] * 4 + [2.0] * ties
        assert all(candidate.blob.tokens for candidate in found)
        assert len(searches) == requests

    @pytest.mark.nightly
    def test_more_terms_than_a_server_takes(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        """The limit of a server with 1 GB of heap is about 16,000."""
        with engine.writer() as writer:
            writer.add_blobs([document("most", list(range(50_000))), document("few", [1, 49_999])])
        found = engine.candidates({EXACT: dict.fromkeys(range(50_000), 1.0)}, limit=5)
        assert [(candidate.blob.blob, candidate.score) for candidate in found] == [
            (blob_id("most"), 50_000),
            (blob_id("few"), 2),
        ]
        assert engine.document_frequencies({EXACT: range(50_000)}) == {EXACT: ([1, 2] + [1] * 49_997 + [2], 2)}

    def test_a_filter_too_long_to_be_sent_along(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        with engine.writer() as writer:
            writer.add_blobs(document(name, [1, 2] if name % 3 else [1]) for name in range(60))
        wanted = {blob_id(name) for name in range(30)}
        weights = {EXACT: {1: 1.0, 2: 1.0}}
        expected = [engine.candidates(weights, limit=7, offset=offset, blobs=wanted) for offset in (0, 15, 28)]
        monkeypatch.setattr(ranking, "MOST_FILTERED", 10)
        monkeypatch.setattr(ranking, "PAGE", 4)
        assert [engine.candidates(weights, limit=7, offset=at, blobs=wanted) for at in (0, 15, 28)] == expected
        assert len(expected[0]) == 20


def test_documents_that_are_refused_are_counted_and_named(engine: Engine, location: str) -> None:
    with engine.writer() as writer:
        writer.put_occurrences([occurrence("r", "fine", 1)])
    with (
        pytest.raises(UnusableIndex, match=r"^[^\n]*: documents were refused: 1, the first [0-9a-f]{40}: [^\n]*"),
        engine.writer() as writer,
    ):
        writer.put_occurrences([occurrence("x" * 40_000, "too long a key", 1)])
    assert paths(engine) == ["r/fine"]


class Canned:
    """A server that gives the same answer to everything."""

    def __init__(self, status: int, body: object, header: str = "Elasticsearch", opensearch: str = "") -> None:
        self.status, self.body, self.header = status, json.dumps(body).encode(), header
        self.opensearch = opensearch


@contextmanager
def canned(answers: Callable[[str], Canned]) -> Iterator[str]:
    """A server that answers by path; gives its location."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            given = answers(self.path)
            self.send_response(given.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(given.body)))
            if given.header:
                self.send_header("X-Elastic-Product", given.header)
            if given.opensearch:
                self.send_header("X-OpenSearch-Version", given.opensearch)
            self.end_headers()
            self.wfile.write(given.body)

        do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - the base class names them

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"elasticsearch://127.0.0.1:{server.server_port}/name"
        server.shutdown()


def test_writing_waits_about_a_minute_for_an_absent_server_and_searching_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counts the waits instead of waiting."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    connection = ClusterConnection(parse(f"elasticsearch://127.0.0.1:{free_port()}/name"), ElasticsearchOptions())
    with pytest.raises(UnusableIndex, match="no node answers"), connection.mapped():
        connection.patient.index(index="x", document={})
    assert len(waits) == PATIENCE.max_retries
    assert 25 < sum(waits) < 65  # each wait is a random part of its length, at least half of it
    waits.clear()
    with pytest.raises(UnusableIndex, match="no node answers"):
        connection.search(index="x")
    assert len(waits) == SEARCH_RETRIES
    assert sum(waits) < 2
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_waited_for_as_an_absent_one_is(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    waits: list[float] = []
    requests: list[str] = []
    monkeypatch.setattr(time, "sleep", waits.append)

    def busy(path: str) -> Canned:
        requests.append(path)
        return Canned(status, {"error": {"type": "busy", "reason": "starting"}, "status": status})

    with canned(busy) as location:
        connection = ClusterConnection(parse(location), ElasticsearchOptions())
        for client, retries, least in ((connection.patient, PATIENCE.max_retries, 25), (connection.client, 3, 0.2)):
            with pytest.raises(ApiError):
                client.index(index="x", document={})
            assert len(requests) - 1 == len(waits) == retries
            assert least < sum(waits) < 2.5 * least
            del waits[:], requests[:]
        connection.close()


def test_a_host_that_does_not_answer_leaves_searches_to_the_others() -> None:
    """Like a machine without power: it takes no part in the answer, and refuses no connection either."""
    answer = Canned(200, {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": []}})
    with socket() as silent, canned(lambda path: answer) as location:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        hosts = f"127.0.0.1:{silent.getsockname()[1]},{parse(location).hosts[0]}"
        options = ElasticsearchOptions(timeout=1.0)
        with closing(ClusterConnection(parse(f"elasticsearch://{hosts}/name"), options)) as connection:
            for _ in range(2):  # the client uses the hosts in turn
                assert connection.search(index="x")["hits"] == {"hits": []}


MISSING = Canned(404, {"error": {"type": "index_not_found_exception", "reason": "no such index"}, "status": 404})


def refuses(answers: Callable[[str], Canned], message: str) -> None:
    with canned(answers) as location, pytest.raises(UnusableIndex, match=rf"^[^\n]*{message}[^\n]*$"):
        open_engine(location, schemes=SCHEMES, create=True)


class TestOtherServers:
    @pytest.mark.slow
    def test_one_that_does_not_say_it_is_elasticsearch(self) -> None:
        for status in (200, 400, 404):
            refuses(lambda path, status=status: Canned(status, {}, header=""), "is not Elasticsearch; fix the URL")  # type: ignore[misc]

    @pytest.mark.thorough
    @pytest.mark.parametrize("create", [True, False])
    @pytest.mark.parametrize("status", [200, 404, 406])
    def test_one_that_says_it_is_opensearch(self, status: int, *, create: bool) -> None:
        """Its error for a missing alias looks like that of Elasticsearch; only the header tells."""
        cause = {"type": "aliases_not_found_exception", "reason": "aliases [name-blobs] missing"}
        body = {"error": {"root_cause": [cause], **cause}, "status": status}
        answer = Canned(status, body, header="", opensearch="OpenSearch/3.6.0 (opensearch)")
        message = r"^[^\n]* is OpenSearch, whose protocol differs; take an Elasticsearch server[^\n]*$"
        with canned(lambda path: answer) as location, pytest.raises(UnusableIndex, match=message):
            open_engine(location, schemes=SCHEMES, create=create)

    @pytest.mark.slow
    def test_one_that_is_too_old_to_know_the_interface(self) -> None:
        body = {"error": {"root_cause": [{"type": "media_type_header_exception", "reason": "Invalid"}]}, "status": 400}
        refuses(lambda path: Canned(400, body), "needs 8.19 or newer; upgrade")

    @pytest.mark.slow
    def test_a_block_in_whose_answer_the_server_does_not_name_itself(self) -> None:
        body = {"error": {"root_cause": [{"type": "cluster_block_exception", "reason": "blocked"}]}, "status": 403}
        refuses(lambda path: Canned(403, body, header=""), "blocked; free disk space or lift the block")

    @pytest.mark.slow
    @pytest.mark.parametrize("version", ["8.18.9", "7.17.0", "8.19.0-SNAPSHOT"])
    def test_one_of_an_old_version(self, version: str) -> None:
        def answer(path: str) -> Canned:
            if path.startswith("/_nodes"):
                return Canned(200, {"nodes": {"n": {"version": version}}})
            return MISSING if "_alias" in path else Canned(418, {"error": "it went on"})

        refuses(answer, "it went on" if version.startswith("8.19") else f"is {version}, wherefrom needs 8.19")

    @pytest.mark.slow
    def test_one_whose_versions_this_user_may_not_see_is_tried(self) -> None:
        def answer(path: str) -> Canned:
            if path.startswith("/_nodes"):
                return Canned(403, {"error": {"type": "security_exception", "reason": "no"}, "status": 403})
            return MISSING if "_alias" in path else Canned(418, {"error": "it went on"})

        refuses(answer, "it went on")

    @pytest.mark.slow
    def test_rights_that_are_missing(self) -> None:
        body = {"error": {"type": "security_exception", "reason": "action [x] is\n unauthorized"}, "status": 403}
        refuses(lambda path: Canned(403, body), r"lacks a right \(security_exception: action \[x\] is unauthorized\)")


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        {"timed_out": True, "_shards": {"total": 2, "successful": 2, "failed": 0}},
        {"timed_out": False, "_shards": {"total": 2, "successful": 1, "failed": 1, "failures": []}},
        {
            "timed_out": False,
            "_shards": {"total": 2, "failed": 1, "failures": [{"reason": {"type": "x", "reason": "y"}}]},
        },
    ],
)
def test_a_part_of_an_answer_is_an_error(answer: dict[str, object]) -> None:
    body = {**answer, "took": 1, "hits": {"hits": []}, "aggregations": {}}
    with canned(lambda path: Canned(200, body)) as location:
        connection = ClusterConnection(parse(location), ElasticsearchOptions())
        with pytest.raises(UnusableIndex, match="only a part of it answered"):
            connection.search(index="x")
        connection.close()


RECOVERING: dict[str, Any] = {
    "root_cause": [{"type": "no_shard_available_action_exception", "reason": None}],
    "type": "no_shard_available_action_exception",
    "reason": None,
    "caused_by": {"type": "illegal_index_shard_state_exception", "reason": "CurrentState[RECOVERING] not allowed"},
}
WHOLE = {"timed_out": False, "_shards": {"total": 2, "failed": 0}, "hits": {"hits": []}}
PARTIAL_ANSWERS = {
    "mget": Canned(200, {"docs": [{"_id": "1", "found": False}, {"_id": "2", "error": RECOVERING}]}),
    "search": Canned(200, {**WHOLE, "_shards": {"total": 2, "failed": 1, "failures": [{"reason": RECOVERING}]}}),
    "search as not found": Canned(404, {"error": RECOVERING["caused_by"], "status": 404}),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", PARTIAL_ANSWERS)
@pytest.mark.parametrize("is_writing", [True, False])
def test_a_node_that_recovers_is_waited_for_as_an_absent_one_is(
    monkeypatch: pytest.MonkeyPatch, case: str, is_writing: bool
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    retries, least = (PATIENCE.max_retries, 25) if is_writing else (SEARCH_RETRIES, 0.2)
    recovers_after = retries
    requests = 0

    def answer(path: str) -> Canned:
        nonlocal requests
        requests += 1
        if requests <= recovers_after:
            return PARTIAL_ANSWERS[case]
        return Canned(200, {**WHOLE, "docs": [{"_id": "1", "found": False}, {"_id": "2", "found": True}]})

    with canned(answer) as location:
        connection = ClusterConnection(parse(location), ElasticsearchOptions())

        def ask() -> object:
            with connection.patience() if is_writing else nullcontext():
                return connection.mget("x", ["1", "2"]) if case == "mget" else connection.search(index="x")

        assert ask() == ([{"_id": "2", "found": True}] if case == "mget" else {**WHOLE, "docs": ANY})
        assert requests - 1 == len(waits) == retries
        assert least < sum(waits) < 2.5 * least
        recovers_after = 10 * retries
        with pytest.raises(UnusableIndex, match=r"RECOVERING|only a part of it answered") as raised:
            ask()
        assert ("what was committed is safe" in str(raised.value)) == (is_writing and "not found" not in case)
        connection.close()


def test_a_list_of_several_pages_waits_for_a_node_that_was_just_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other nodes have its shards, but do not know yet that it is gone."""
    monkeypatch.setattr(time, "sleep", lambda _: None)
    lost = {"type": "node_not_connected_exception", "reason": "[node0] Node not connected"}
    requested: list[str] = []
    page = {**WHOLE, "hits": {"hits": [{"_id": "1", "sort": ["1"]}]}}

    def answer(path: str) -> Canned:
        requested.append(path)
        if "_pit" not in path:
            return Canned(200, page if len(requested) < 5 else WHOLE)
        first = sum("_pit" in path for path in requested) == 1
        return (
            Canned(500, {"error": {"root_cause": [lost], **lost}, "status": 500}) if first else Canned(200, {"id": "1"})
        )

    with canned(answer) as location:
        connection = ClusterConnection(parse(location), ElasticsearchOptions())
        assert [hit["_id"] for hit in listing(connection, "x", {}, ["_doc"], size=1)] == ["1"]
        connection.close()


def test_a_list_goes_on_in_a_new_view_if_its_own_is_lost(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that is lost takes its views with it."""
    with engine.writer() as writer:
        writer.add_blobs(document(name, [1]) for name in range(9))
    expected = [stored.blob for stored in engine.stored_blobs()]
    assert isinstance(engine, engines.ElasticsearchEngine)
    monkeypatch.setattr(engines, "LOADED", 2)
    client = engine._connection.client
    open_view, views = client.open_point_in_time, []

    def opened(**options: Any) -> Any:
        views.append(open_view(**options))
        return views[-1]

    monkeypatch.setattr(client, "open_point_in_time", opened)
    found = []
    for stored in engine.stored_blobs():
        found.append(stored.blob)
        if len(found) in {2, 6}:
            client.close_point_in_time(id=views[-1]["id"])
    assert found == expected
    assert len(views) == 3


@pytest.mark.slow
def test_a_lease_is_not_gone_because_its_shard_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a partial answer counted, a live writer would lose its claims."""
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with canned(lambda path: PARTIAL_ANSWERS["mget"]) as location:
        connection = ClusterConnection(parse(location), ElasticsearchOptions())
        with pytest.raises(UnusableIndex, match="only a part of it answered"):
            leases.Lease(connection, "x")._versions(["1", "2"])
        connection.close()


@pytest.mark.parametrize("shards", [1, 3])
def test_the_settings_of_the_user_are_not_changed_by_a_load(location: str, elasticsearch: Access, shards: int) -> None:
    engine = opened_on_elasticsearch(location, shards).engine
    before = elasticsearch("GET", f"/{parse(location).name}-*/_settings")
    with engine.writer() as writer:
        writer.add_blobs([document("a", [1])])
        assert elasticsearch("GET", f"/{parse(location).name}-*/_settings") == before
    engine.close()
