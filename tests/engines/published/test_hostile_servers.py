"""Servers that lie, stall, change, or send something else: an error, or the right answer, and never a wrong one."""

from __future__ import annotations

import gzip
import json
import subprocess
import tracemalloc
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import SCHEMES
from tests.engines.published.conftest import TERMS, answers, filled, publish
from tests.engines.published.server import Asked, LyingServer, Reply, multipart, serve
from wherefrom.engines.published import engine as published
from wherefrom.engines.published.address import MANIFEST, PublishedOptions
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.http import WebPlace
from wherefrom.engines.published.pages import Span
from wherefrom.errors import IndexDamaged, IndexFormatError, IndexMissing, UnusableIndex, UsageError
from wherefrom.model import BlobDocument

FILES_NOW = 100
"""The number of files of an index that was indexed again."""

Opened = Callable[..., PublishedEngine]
Plan = Callable[[Asked, Reply], Reply]


def body_of(reply: Reply) -> bytes:
    return b"".join(reply.body)


def ranges_only(change: Plan) -> Plan:
    """A plan that changes the answers to requests for ranges."""
    return lambda asked, honest: change(asked, honest) if asked.ranges else honest


def single(change: Callable[[Asked, Reply], Reply]) -> Plan:
    """A plan that changes the answers to requests for one range, of a server that has no others."""
    return lambda asked, honest: change(asked, honest) if len(asked.ranges) == 1 else honest


def flipped(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1]) if content else content


# Servers that are good enough.


@pytest.mark.thorough
@pytest.mark.parametrize("has_multipart", [True, False])
def test_the_answers_are_those_of_the_folder(
    server: LyingServer, opened: Opened, expected: list[Any], has_multipart: bool
) -> None:
    server.has_multipart = has_multipart
    assert answers(opened()) == expected
    assert any(len(asked.ranges) > 1 for asked in server.requests)
    whole = sum(path.stat().st_size for path in server.folder.iterdir())
    if has_multipart:
        assert server.sent < 2 * whole


def test_a_server_without_several_ranges_is_asked_once_for_them(server: LyingServer, opened: Opened) -> None:
    server.has_multipart = False
    engine = opened()
    answers(engine)
    several = [asked for asked in server.requests if len(asked.ranges) > 1]
    begun = len(server.requests)
    engine.blobs([candidate.blob.blob for candidate in engine.candidates(TERMS, limit=50)])
    assert [asked for asked in server.requests[begun:] if len(asked.ranges) > 1] == []
    assert len(several) <= 6  # those that were on their way together


def reversed_parts(asked: Asked, honest: Reply) -> Reply:
    if len(asked.ranges) < 2:
        return honest
    parts = body_of(honest).split(b"\r\n--a-line-between-parts")
    parts[1:-1] = parts[-2:0:-1]
    return Reply(206, honest.headers, [b"\r\n--a-line-between-parts".join(parts)])


def test_parts_may_come_in_another_order(server: LyingServer, opened: Opened, expected: list[Any]) -> None:
    server.plan = reversed_parts
    assert answers(opened()) == expected


def test_near_ranges_may_be_joined(server: LyingServer, opened: Opened, expected: list[Any]) -> None:
    joined = []

    def plan(asked: Asked, honest: Reply) -> Reply:
        begin, end = asked.ranges[0][0] if asked.ranges else 0, asked.ranges[-1][1] if asked.ranges else 0
        if len(asked.ranges) < 2 or end - begin > sum(last - first + 300 for first, last in asked.ranges):
            return honest
        joined.append(asked)
        content = (server.folder / asked.name).read_bytes()
        return multipart([(f"bytes {begin}-{end - 1}/{len(content)}", content[begin:end])])

    server.plan = plan
    engine = opened()
    assert answers(engine) == expected
    [postings] = server.folder.glob("postings-*")
    spans = [Span(postings.name, at * 1024, at * 1024 + 1000) for at in (0, 1, 2)]
    content = postings.read_bytes()
    with closing(WebPlace(server.base, PublishedOptions())) as place:
        assert place.read(spans) == [content[span.begin : span.end] for span in spans]
    assert joined


@pytest.mark.thorough
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_passes_is_no_failure(
    server: LyingServer, opened: Opened, expected: list[Any], status: int
) -> None:
    seen = set()

    def plan(asked: Asked, honest: Reply) -> Reply:
        if (key := (asked.name, asked.ranges)) in seen:
            return honest
        seen.add(key)
        return Reply(status, {}, [b"later"])

    server.plan = plan
    assert answers(opened()) == expected


def test_a_redirect_on_the_same_host_is_followed(server: LyingServer, opened: Opened, expected: list[Any]) -> None:
    server.plan = lambda asked, honest: (
        honest if asked.name.startswith("moved/") else Reply(302, {"Location": f"/moved/{asked.name}"}, [b""])
    )
    honest = server.honest
    server.honest = lambda asked: honest(Asked(asked.name.removeprefix("moved/"), asked.headers, asked.ranges))  # type: ignore[method-assign] # the same files at another place
    assert answers(opened()) == expected


# Lies about ranges. The first element is the lie, the second one a part of the message.

WRONG_ANSWERS: dict[str, tuple[Plan, str]] = {
    "no ranges": (ranges_only(lambda asked, honest: Reply(200, {}, [b"x" * 4096])), "without ranges"),
    "another range": (
        single(lambda asked, honest: Reply(206, {"Content-Range": "bytes 0-9/999999"}, [body_of(honest)])),
        "another range",
    ),
    "no range named": (single(lambda asked, honest: Reply(206, {}, [body_of(honest)])), "another range"),
    "a range beyond all numbers": (
        single(lambda asked, honest: Reply(206, {"Content-Range": f"bytes {'9' * 30}-{'9' * 40}/1"}, [b"x"])),
        "another range",
    ),
    "fewer bytes": (
        single(lambda asked, honest: Reply(206, honest.headers, [body_of(honest)[:-1]])),
        "does not match its checksums",
    ),
    "more bytes": (
        single(lambda asked, honest: Reply(206, honest.headers, [body_of(honest), b"x"])),
        "more than",
    ),
    "other bytes": (
        single(lambda asked, honest: Reply(206, honest.headers, [flipped(body_of(honest))])),
        "does not match its checksums",
    ),
    "no bytes": (single(lambda asked, honest: Reply(206, honest.headers, [b""])), "does not match its checksums"),
    "fewer bytes than it says": (
        single(
            lambda asked, honest: Reply(
                206, {**honest.headers, "Content-Length": str(len(body_of(honest)))}, [body_of(honest)[:-1]]
            )
        ),
        "cannot be read",
    ),
    "gzip": (
        single(
            lambda asked, honest: Reply(
                206, {**honest.headers, "Content-Encoding": "gzip"}, [gzip.compress(body_of(honest))]
            )
        ),
        "compressed",
    ),
    "refused": (ranges_only(lambda asked, honest: Reply(403, {}, [b"no"])), "netrc"),
    "unauthorized": (ranges_only(lambda asked, honest: Reply(401, {}, [b"no"])), "netrc"),
    "gone": (ranges_only(lambda asked, honest: Reply(404, {}, [b"no"])), "lacks a file"),
    "out of range": (ranges_only(lambda asked, honest: Reply(416, {}, [b"no"])), "HTTP 416"),
    "a server error": (ranges_only(lambda asked, honest: Reply(500, {}, [b"no"])), "HTTP 500"),
    "no HTTP": (ranges_only(lambda asked, honest: Reply(raw=[b"\0\1\2 220 ftp ready\r\n"])), "cannot be read"),
    "cut off": (ranges_only(lambda asked, honest: Reply(raw=[b""])), "cannot be read"),
    "a header without end": (
        ranges_only(lambda asked, honest: Reply(raw=[b"HTTP/1.1 206 OK\r\nX: ", *([b"x" * 60_000] * 9)])),
        "cannot be read",
    ),
    "headers without number": (
        ranges_only(lambda asked, honest: Reply(raw=[b"HTTP/1.1 206 OK\r\n", *([b"X: x\r\n"] * 9_000)])),
        "cannot be read",
    ),
    "redirects without end": (
        ranges_only(lambda asked, honest: Reply(302, {"Location": f"/{asked.name}"}, [b""])),
        "redirects more than",
    ),
    "a redirect to plain HTTP elsewhere": (
        ranges_only(lambda asked, honest: Reply(302, {"Location": "http://127.0.0.2:1/x"}, [b""])),
        "without encryption",
    ),
    "a redirect to a file": (
        ranges_only(lambda asked, honest: Reply(302, {"Location": "file:///etc/passwd"}, [b""])),
        "without encryption",
    ),
    "a redirect to nowhere": (
        ranges_only(lambda asked, honest: Reply(302, {"Location": "https://[::bad"}, [b""])),
        "cannot be read",
    ),
    "a redirect without a place": (ranges_only(lambda asked, honest: Reply(302, {}, [b""])), "HTTP 302"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("lie", WRONG_ANSWERS)
def test_a_wrong_answer_is_an_error(server: LyingServer, opened: Opened, lie: str) -> None:
    engine = opened()
    server.has_multipart = False
    server.plan, message = WRONG_ANSWERS[lie]
    with pytest.raises(UnusableIndex, match=message) as raised:
        answers(engine)
    assert "\n" not in str(raised.value)
    server.plan = lambda _, honest: honest  # the engine can still be used
    assert answers(engine)


def changed_parts(change: Callable[[list[tuple[str, bytes]]], Reply]) -> Plan:
    """A plan that changes the parts of an answer with several ranges."""

    def plan(asked: Asked, honest: Reply) -> Reply:
        if len(asked.ranges) < 2:
            return honest
        chunks = body_of(honest).split(b"\r\n--a-line-between-parts\r\n")[1:]
        parts = []
        for chunk, (begin, end) in zip(chunks, asked.ranges, strict=True):
            head, _, data = chunk.partition(b"\r\n\r\n")
            name = head.rpartition(b"Content-Range: ")[2].decode()
            parts.append((name, data[: end - begin]))
        return change(parts)

    return plan


WRONG_PARTS: dict[str, Plan] = {
    "a part is missing": changed_parts(lambda parts: multipart(parts[:-1])),
    "no part": changed_parts(lambda parts: multipart([])),
    "the names are exchanged": changed_parts(
        lambda parts: multipart([(name, data) for (name, _), (_, data) in zip(parts, reversed(parts), strict=True)])
    ),
    "a part is too short": changed_parts(lambda parts: multipart([(name, data[:-1]) for name, data in parts])),
    "other bytes": changed_parts(lambda parts: multipart([(name, flipped(data)) for name, data in parts])),
    "another boundary": changed_parts(lambda parts: multipart(parts, "never-sent")),
    "huge headers": changed_parts(lambda parts: multipart([(name + " " * 100_000, data) for name, data in parts])),
    "no ranges named": changed_parts(lambda parts: multipart([("bytes */*", data) for _, data in parts])),
    "ranges beyond all numbers": changed_parts(
        lambda parts: multipart([(f"bytes {'9' * 18}-{'9' * 18}/{'9' * 18}", data) for _, data in parts])
    ),
    "ranges that end before they begin": changed_parts(
        lambda parts: multipart([("bytes 1000000-0/5", data) for _, data in parts])
    ),
}


@pytest.mark.parametrize("lie", WRONG_PARTS)
def test_wrong_parts_are_an_error(server: LyingServer, opened: Opened, lie: str) -> None:
    engine = opened()
    server.plan = WRONG_PARTS[lie]
    with pytest.raises(UnusableIndex):
        answers(engine)


# Manifests and roots.


def test_no_manifest_is_no_index(server: LyingServer, opened: Opened) -> None:
    (server.folder / MANIFEST).unlink()
    with pytest.raises(IndexMissing, match="check the address"):
        opened()


MANIFESTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another program's": lambda values: {"name": "x"},
    "a list": lambda values: [values],
    "no files": lambda values: {**values, "files": {}},
    "a file lacks": lambda values: {
        **values,
        "files": {kind: file for kind, file in values["files"].items() if kind != "places"},
    },
    "a size of 10^18": lambda values: changed_file(values, size=10**18),
    "a negative size": lambda values: changed_file(values, size=-1),
    "a size in quotes": lambda values: changed_file(values, size="5"),
    "a name that leads out": lambda values: changed_file(values, name="../../etc/passwd"),
    "the name of another file": lambda values: changed_file(values, name=values["files"]["root"]["name"]),
    "no digest": lambda values: changed_file(values, sha256=None),
    "a history without a digest": lambda values: {**values, "history": "x"},
    "a history that is another file": lambda values: {**values, "history": values["files"]["root"]},
    "no word about code": lambda values: {**values, "has_code": None},
    "deep": lambda values: {**values, "files": json.loads("[" * 900 + "]" * 900)},
    "a newer format": lambda values: {**values, "format": 99, "reader": 99},
}


def changed_file(values: dict[str, Any], **changed: Any) -> dict[str, Any]:
    files = dict(values["files"])
    files["postings"] = {**files["postings"], **changed}
    return {**values, "files": files}


@pytest.mark.parametrize("wrong", MANIFESTS)
def test_a_wrong_manifest_is_an_error(server: LyingServer, opened: Opened, wrong: str) -> None:
    path = server.folder / MANIFEST
    path.write_text(json.dumps(MANIFESTS[wrong](json.loads(path.read_bytes()))))
    with pytest.raises(UnusableIndex) as raised:
        opened()
    assert isinstance(raised.value, IndexDamaged | IndexFormatError)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"\0", b"{", b"[" * 100_000, b"\xff\xfe", b"1e999", b'{"format": 1}'])
def test_a_manifest_of_other_bytes_is_an_error(server: LyingServer, opened: Opened, content: bytes) -> None:
    (server.folder / MANIFEST).write_bytes(content)
    with pytest.raises(UnusableIndex):
        opened()


def test_a_root_of_other_bytes_is_an_error(server: LyingServer, opened: Opened) -> None:
    [root] = server.folder.glob("root-*")
    content = root.read_bytes()
    for wrong in (b"", flipped(content), content[:-1], content + b"x"):
        root.write_bytes(wrong)
        with pytest.raises(IndexDamaged, match="damaged"):
            opened()


def test_a_size_in_the_manifest_does_not_allocate(server: LyingServer, opened: Opened) -> None:
    path = server.folder / MANIFEST
    values = changed_file(json.loads(path.read_bytes()), size=(1 << 50) - 1)
    path.write_text(json.dumps(values))
    with pytest.raises(UnusableIndex):
        answers(opened())


def test_another_manifest_than_the_expected_one_is_an_error(server: LyingServer, opened: Opened) -> None:
    with pytest.raises(IndexDamaged, match="not the expected one"):
        opened("0" * 64)
    assert [asked.name for asked in server.requests] == [MANIFEST]


def test_the_expected_manifest_is_accepted(
    server: LyingServer, opened: Opened, expected: list[Any], tmp_path: Path
) -> None:
    digest = publish(filled(), tmp_path / "again")
    assert answers(opened(digest)) == expected


# What never ends.


def endless(server: LyingServer) -> Iterator[bytes]:
    while not server.is_over.is_set():
        yield b"x" * 65536


@pytest.mark.parametrize("name", ["manifest", "root", "range"])
@pytest.mark.parametrize("claim", [None, str(10**18), "17"])
def test_an_endless_body_is_an_error_within_little_memory(
    server: LyingServer, opened: Opened, name: str, claim: str | None
) -> None:
    def plan(asked: Asked, honest: Reply) -> Reply:
        is_it = {
            "manifest": asked.name == MANIFEST,
            "root": asked.name.startswith("root"),
            "range": bool(asked.ranges),
        }
        headers = honest.headers | ({} if claim is None else {"Content-Length": claim})
        return Reply(honest.status, headers, endless(server)) if is_it[name] else honest

    server.plan = plan
    tracemalloc.start()
    try:
        with pytest.raises(UnusableIndex):
            answers(opened())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 20_000_000


def stalling(server: LyingServer, sent: bytes) -> Iterator[bytes]:
    yield sent
    server.is_over.wait()


def dripping(server: LyingServer, before: bytes, again: bytes) -> Iterator[bytes]:
    """Sends a little again and again, so that no single read takes long."""
    yield before
    while not server.is_over.wait(0.05):
        yield again


STALLS: dict[str, Callable[[LyingServer], Iterator[bytes]]] = {
    "before the headers": lambda server: stalling(server, b""),
    "in the headers": lambda server: stalling(server, b"HTTP/1.1 206 Partial Content\r\nContent-Le"),
    "in the body": lambda server: stalling(server, b"HTTP/1.1 206 OK\r\nContent-Length: 99\r\n\r\nxx"),
    "drop by drop in the status": lambda server: dripping(server, b"HTTP/1.1 206 ", b"x"),
    "drop by drop in the headers": lambda server: dripping(server, b"HTTP/1.1 206 OK\r\n", b"X: y\r\n"),
    "drop by drop in the body": lambda server: dripping(
        server, b"HTTP/1.1 206 OK\r\nContent-Length: 90000\r\nContent-Range: bytes 0-1/2\r\n\r\n", b"x"
    ),
    "drop by drop in a chunk": lambda server: dripping(
        server, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1"
    ),
    "100 and 100 again": lambda server: dripping(server, b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("stall", STALLS)
def test_a_server_that_stalls_is_an_error(server: LyingServer, opened: Opened, stall: str, ranges: bool) -> None:
    if ranges:
        engine = opened(timeout=0.4)
        server.plan = ranges_only(lambda asked, honest: Reply(raw=STALLS[stall](server)))
        with pytest.raises(UnusableIndex):
            answers(engine)
    else:
        server.plan = lambda asked, honest: Reply(raw=STALLS[stall](server))
        with pytest.raises(UnusableIndex):
            opened(timeout=0.4)


def test_a_server_without_ranges_sends_little(server: LyingServer, opened: Opened) -> None:
    def plan(asked: Asked, honest: Reply) -> Reply:
        return Reply(200, {"Content-Length": str(10**12)}, endless(server)) if asked.ranges else honest

    engine = opened()
    before = server.sent
    server.plan = plan
    with pytest.raises(UnusableIndex, match="without ranges"):
        answers(engine)
    assert server.sent - before < 200_000_000  # what the buffers of sockets take


# Changes while somebody reads.


def test_a_reader_goes_on_after_another_publication(server: LyingServer, opened: Opened, expected: list[Any]) -> None:
    engine = opened()
    changed = filled(FILES_NOW, seed=2)
    publish(changed, server.folder)
    assert answers(engine) == expected
    assert opened().candidates(TERMS, limit=9) == changed.candidates(TERMS, limit=9)


def test_a_reader_of_files_that_are_gone_reads_those_of_the_new_publication(
    server: LyingServer, opened: Opened
) -> None:
    engine = opened()
    for seed in (2, 3):
        publish(filled(FILES_NOW, seed=seed), server.folder)
    assert answers(engine) == answers(opened())
    assert engine.version == opened().version


def test_a_reader_of_an_expected_publication_is_told_that_it_was_replaced(
    server: LyingServer, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "LOOK_AGAIN", 0.0)
    engine = opened(sha256((server.folder / MANIFEST).read_bytes()).hexdigest())
    publish(filled(FILES_NOW, seed=2), server.folder)
    expected = engine.candidates(TERMS, limit=9)
    assert expected == filled().candidates(TERMS, limit=9)
    publish(filled(FILES_NOW, seed=3), server.folder)
    with pytest.raises(IndexDamaged, match="the expected publication was replaced"):
        answers(engine)


def test_a_file_that_is_gone_though_nothing_was_published_is_an_error(server: LyingServer, opened: Opened) -> None:
    engine = opened()
    for path in server.folder.glob("contents-*"):
        path.unlink()
    with pytest.raises(IndexDamaged, match="lacks a file"):
        answers(engine)


def test_a_reader_looks_for_another_publication_now_and_then(
    server: LyingServer, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, changed = opened(), filled(FILES_NOW, seed=2)
    publish(changed, server.folder)
    server.requests.clear()
    answers(engine)
    assert not [asked for asked in server.requests if asked.name == MANIFEST]
    monkeypatch.setattr(published, "LOOK_AGAIN", 0.0)
    assert engine.candidates(TERMS, limit=9) == changed.candidates(TERMS, limit=9)
    server.plan = lambda asked, honest: Reply(500, {}, [b"no"]) if asked.name == MANIFEST else honest
    assert engine.candidates(TERMS, limit=8) == changed.candidates(TERMS, limit=8)


@pytest.mark.thorough
def test_a_listing_goes_on_in_another_publication(
    server: LyingServer, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "LISTED", 1)
    engine, both = opened(), filled()
    more = filled(FILES_NOW, seed=2)
    with both.writer() as writer:
        writer.add_blobs(BlobDocument(stored, {}) for stored in more.stored_blobs())
    listing = engine.stored_blobs()
    found = [next(listing).blob for _ in range(3)]
    for index in (more, both):
        publish(index, server.folder)
    found += [stored.blob for stored in listing]
    assert found == sorted(set(found))
    assert {*found} >= {stored.blob for stored in filled().stored_blobs()}
    assert {*found} >= {stored.blob for stored in more.stored_blobs() if stored.blob > found[70]}


# Credentials.


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of `localhost` and its key, in one file."""
    path = tmp_path_factory.mktemp("certificate") / "both.pem"
    key = path.with_name("key.pem")
    request = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    command: list[str | Path] = ["openssl", *request.split(), "-keyout", key, "-out", path]
    subprocess.run(command, check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + key.read_bytes())
    return path


def authorized(server: LyingServer) -> list[bool]:
    return ["authorization" in asked.headers for asked in server.requests]


@pytest.mark.thorough
def test_credentials_are_not_for_another_host(
    folder: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch, expected: list[Any]
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serve(folder, certificate) as first, serve(folder, certificate) as other:
        first.plan = lambda asked, honest: Reply(307, {"Location": f"{other.base}{asked.name}"}, [b""])
        place = WebPlace(first.base, PublishedOptions(user="me", password="secret", timeout=20.0))
        engine = PublishedEngine(place, SCHEMES)
        assert answers(engine) == expected
        engine.close()
        assert all(authorized(first))
        assert other.requests
        assert not any(authorized(other))


def test_credentials_come_from_the_options_or_netrc(server: LyingServer, opened: Opened, tmp_path: Path) -> None:
    opened().close()
    assert not any(authorized(server))
    (tmp_path / "netrc").write_text("machine localhost login me password secret\n")
    server.requests.clear()
    opened().close()
    assert {asked.headers["authorization"] for asked in server.requests} == {"Basic bWU6c2VjcmV0"}
    server.requests.clear()
    opened(user="you", password="other").close()
    assert {asked.headers["authorization"] for asked in server.requests} == {"Basic eW91Om90aGVy"}


def test_credentials_may_have_any_letters(server: LyingServer, opened: Opened) -> None:
    opened(user="änne", password="п:ароль").close()
    sent = {asked.headers["authorization"] for asked in server.requests}
    assert sent == {f"Basic {b64encode('änne:п:ароль'.encode()).decode()}"}


@pytest.mark.parametrize("content", [b"machine localhost login me passwrd secret\n", b"\xff", None])
def test_a_wrong_netrc_is_an_error_without_the_password(opened: Opened, tmp_path: Path, content: bytes | None) -> None:
    if content is None:
        (tmp_path / "netrc").mkdir()
    else:
        (tmp_path / "netrc").write_bytes(content)
    with pytest.raises(UsageError, match="; correct it") as raised:
        opened()
    assert "secret" not in str(raised.value)


@pytest.mark.thorough
@pytest.mark.parametrize("user", ["me:p%40ss@", "me@", ""])
def test_a_proxy_gets_the_user_and_the_password_in_its_url(
    server: LyingServer, monkeypatch: pytest.MonkeyPatch, expected: list[Any], user: str
) -> None:
    base = "http://localhost:1/"  # only the proxy can be reached
    server.plan = lambda asked, _: server.honest(Asked(asked.name.removeprefix(base), asked.headers, asked.ranges))
    monkeypatch.setenv("http_proxy", server.base.replace("//", f"//{user}"))
    place = WebPlace(base, PublishedOptions(user="you", password="secret", timeout=20.0))
    with closing(PublishedEngine(place, SCHEMES)) as engine:
        assert answers(engine) == expected
    wanted = {"me:p%40ss@": "me:p@ss", "me@": "me:", "": None}[user]
    sent = {asked.headers.get("proxy-authorization") for asked in server.requests}
    assert sent == {wanted and f"Basic {b64encode(wanted.encode()).decode()}"}
    assert all(authorized(server))


@pytest.mark.parametrize("proxy", ["http://me:secret@", "http://me:secret@localhost:port", "socks9://me:secret@host"])
def test_a_wrong_proxy_is_an_error_without_its_password(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(UnusableIndex, match="write http://HOST:PORT") as raised:
        opened()
    assert "secret" not in str(raised.value)


def test_a_proxy_that_wants_a_user_is_an_error_that_says_how(server: LyingServer, opened: Opened) -> None:
    server.plan = lambda asked, honest: Reply(407, {}, [b"no"])
    with pytest.raises(UnusableIndex, match="USER:PASSWORD"):
        opened()


# What a server that cannot be reached is called.


def unreachable(url: str) -> str:
    with closing(WebPlace(url, PublishedOptions(timeout=20.0))) as place, pytest.raises(UnusableIndex) as raised:
        place.whole(MANIFEST, 99)
    return str(raised.value).removeprefix(f"{url} cannot be read: ").partition(";")[0]


def replied(raw: bytes, _: Asked, __: Reply) -> Reply:
    return Reply(raw=[raw])


@pytest.mark.thorough
def test_errors_are_in_plain_words(
    server: LyingServer, folder: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unreachable("http://localhost:1/") == "Connection refused"
    assert "not known" in unreachable("http://no-such-host.invalid/")
    with serve(folder, certificate) as encrypted:
        assert "its certificate is not valid" in unreachable(encrypted.base)
    assert unreachable(server.base.replace("http:", "https:")) == "its encryption fails"
    for raw in (b"", b"220 ftp ready\r\n"):
        server.plan = partial(replied, raw)
        assert unreachable(server.base) == "it ends the connection, or does not answer by HTTP"
    monkeypatch.setenv("http_proxy", "http://localhost:1")
    assert unreachable(server.base) == "the proxy in the environment fails: Connection refused"


def test_credentials_stay_on_a_redirect_to_the_same_host(server: LyingServer, opened: Opened) -> None:
    server.plan = lambda asked, honest: (
        honest if asked.name.startswith("moved/") else Reply(301, {"Location": f"/moved/{asked.name}"}, [b""])
    )
    honest = server.honest
    server.honest = lambda asked: honest(Asked(asked.name.removeprefix("moved/"), asked.headers, asked.ranges))  # type: ignore[method-assign] # the same files at another place
    opened(user="me", password="secret")
    assert all(authorized(server))
