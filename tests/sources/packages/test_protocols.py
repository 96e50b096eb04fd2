"""Every ecosystem against a registry on this machine."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from urllib3.util import connection

from tests.sources.packages.registries import CODE, KINDS, Answer, Kind, Server
from wherefrom.errors import NotFound, SourceError
from wherefrom.model import KeyKind
from wherefrom.sources.discover import discover, find_sources
from wherefrom.sources.packages.source import PackageSource
from wherefrom.sources.source import Source, Unreachable


def sources(cache: Path, *specs: str, versions: int = 1) -> list[Source]:
    return find_sources(specs, cache=cache, versions=versions, strict=False).sources


def only(cache: Path, spec: str) -> PackageSource:
    (source,) = discover([spec], cache=cache)
    assert isinstance(source, PackageSource)
    return source


def files(source: Source) -> dict[str, object]:
    return {entry.path: content for entry, content in source.read(source.entries())}


def test_the_source_form_of_a_version_is_read_without_the_folders_around_it(kind: Kind, tmp_path: Path) -> None:
    source = only(tmp_path / "cache", kind.newest)
    assert (source.key, source.key_kind, source.kind) == (kind.newest, KeyKind.PACKAGE, "package")
    assert files(source)[kind.file] == CODE
    assert source.warnings == ()


def test_the_metadata_is_kept(kind: Kind, tmp_path: Path) -> None:
    source = only(tmp_path / "cache", kind.newest)
    assert re.fullmatch("[0-9a-f]{64}", source.revision)
    found = source.package
    assert found is not None
    assert (found.form, found.released) == ("source", "2024-03-01")
    assert found.repository.removeprefix("git+").removesuffix(".git") == "https://code.invalid/ada/greeter"
    if kind.name != "golang":  # a proxy does not tell these
        assert (found.license, found.author, found.upstream) == ("MIT", "Ada", "https://greeter.invalid")


def test_without_a_version_the_newest_stable_one_is_taken(kind: Kind, tmp_path: Path) -> None:
    assert [source.key for source in sources(tmp_path, kind.package)] == [kind.newest]


def test_several_versions_are_the_newest_ones(kind: Kind, tmp_path: Path) -> None:
    keys = [source.key for source in sources(tmp_path, kind.package, versions=5)]
    assert keys == [f"{kind.package}@{version}" for version in reversed(kind.versions)]
    assert len(sources(tmp_path, kind.package, versions=1)) == 1


def test_the_versions_before_a_named_one(kind: Kind, tmp_path: Path) -> None:
    oldest = f"{kind.package}@{kind.versions[0]}"
    assert [source.key for source in sources(tmp_path, oldest, versions=2)] == [oldest]


def test_a_whole_version_asks_nothing_before_it_is_fetched_and_nothing_afterwards(
    kind: Kind, server: Server, tmp_path: Path
) -> None:
    source = only(tmp_path / "cache", kind.newest)
    assert server.asked == []
    revision = source.revision
    asked = len(server.asked)
    again = only(tmp_path / "cache", kind.newest)
    assert (again.revision, files(again)[kind.file], again.package) == (revision, CODE, source.package)
    assert len(server.asked) == asked


@pytest.mark.parametrize("missing", ["package", "version"])
def test_what_does_not_exist_is_named(kind: Kind, missing: str, tmp_path: Path) -> None:
    spec = f"{kind.package}@{kind.versions[-1]}".replace("1.10.0", "1.77.0") if missing == "version" else ""
    if missing == "package":
        with pytest.raises(NotFound, match="does not exist"):
            discover([f"{kind.package}-not"], cache=tmp_path)
    else:
        with pytest.raises(NotFound):
            _ = only(tmp_path, spec).revision


def test_a_wrong_checksum_is_refused(kind: Kind, server: Server, tmp_path: Path) -> None:
    digest = "h1:" if kind.name == "golang" else "sha256:"
    source = only(tmp_path / "cache", f"{kind.newest}?checksum={digest}{'0' * 64}")
    with pytest.raises(SourceError, match="another checksum than its checksum"):
        _ = source.revision
    assert [*(tmp_path / "cache").glob("[!.]*")] == []


@pytest.mark.parametrize("kind", [it for it in KINDS if it.name != "golang"], indirect=True, ids=lambda it: it.name)
def test_a_changed_archive_is_refused(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.answers[kind.archive][0].body += b"\0"
    with pytest.raises(SourceError, match="another checksum than the registry's"):
        _ = only(tmp_path / "cache", kind.newest).revision


def test_credentials_go_to_the_registry(
    kind: Kind, server: Server, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (".cargo/config.toml", ".cargo", ".m2/settings.xml", ".m2"):
        at = home / path
        if at.exists():
            at.rmdir() if at.is_dir() else at.unlink()
    kind.configure(server, home, monkeypatch, True)
    _ = only(tmp_path / "cache", kind.newest).revision
    assert {asked.authorization for asked in server.asked} == {kind.authorization}


def test_a_redirect_to_another_host_is_refused_and_gets_no_credentials(
    kind: Kind, server: Server, other: Server, tmp_path: Path
) -> None:
    body = server.answers[kind.archive][0].body
    server.put(kind.archive, Answer(status=302, headers={"Location": f"{other.url}/archive"}))
    other.put("/archive", body)
    with pytest.raises(SourceError, match="not a host of this registry"):
        _ = only(tmp_path / "cache", kind.newest).revision
    assert other.asked == []


def test_a_redirect_within_the_registry_is_followed(kind: Kind, server: Server, tmp_path: Path) -> None:
    body = server.answers[kind.archive][0].body
    server.put(kind.archive, Answer(status=302, headers={"Location": "/moved"}))
    server.put("/moved", body)
    assert files(only(tmp_path / "cache", kind.newest))[kind.file] == CODE


def test_endless_redirects_end(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.put(kind.archive, Answer(status=302, headers={"Location": kind.archive}))
    with pytest.raises(SourceError, match="one redirect too many"):
        _ = only(tmp_path / "cache", kind.newest).revision


def test_a_busy_registry_is_asked_again(kind: Kind, server: Server, tmp_path: Path) -> None:
    for path in {kind.metadata, kind.archive}:
        (answer,) = server.answers[path]
        server.put(path, Answer(status=429, headers={"Retry-After": "0"}), Answer(status=503), answer)
    assert files(only(tmp_path / "cache", kind.newest))[kind.file] == CODE
    assert server.paths.count(kind.archive) == 3


def test_a_registry_that_stays_busy_fails(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.put(kind.archive, Answer(status=429))
    with pytest.raises(SourceError, match="status 429; check the network, or try again later"):
        _ = only(tmp_path / "cache", kind.newest).revision
    assert server.paths.count(kind.archive) == 4


def test_a_registry_that_asks_for_a_long_wait_fails_at_once(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.put(kind.archive, Answer(status=429, headers={"Retry-After": "86400"}))
    with pytest.raises(SourceError, match="asks to wait 86400 s"):
        _ = only(tmp_path / "cache", kind.newest).revision
    assert server.paths.count(kind.archive) == 1


def test_refused_credentials_are_named(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.put(kind.metadata, Answer(status=401))
    with pytest.raises(SourceError, match=r"status 401.*credentials"):
        _ = only(tmp_path / "cache", kind.newest).revision


def test_a_huge_archive_is_refused(kind: Kind, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.sources.packages.client.FILE_BYTES", 1000)
    server.put(kind.archive, Answer(b"x" * 1001))
    with pytest.raises(SourceError, match="more than 1,000 bytes"):
        _ = only(tmp_path / "cache", kind.newest).revision
    assert [*(tmp_path / "cache").iterdir()] == []


def test_huge_metadata_is_refused(kind: Kind, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.sources.packages.client.ANSWER_BYTES", 1000)
    server.put(kind.metadata, Answer(b"x" * 1001))
    with pytest.raises(SourceError, match="more than 1,000 bytes"):
        _ = only(tmp_path / "cache", kind.newest).revision


def _drip(handler: BaseHTTPRequestHandler) -> None:
    try:
        while True:
            handler.wfile.write(b"H")
            handler.server.stopped.wait(0.05)  # type: ignore[attr-defined]
    except OSError:
        return


def test_a_slow_answer_ends(kind: Kind, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Event

    server.stopped = Event()  # type: ignore[attr-defined]
    monkeypatch.setattr("wherefrom.sources.packages.client.ANSWER_SECONDS", 0.2)
    monkeypatch.setattr("wherefrom.sources.packages.client.RETRY_SECONDS", ())
    server.put(kind.metadata, Answer(send=_drip))
    with pytest.raises(SourceError, match="try again later"):
        _ = only(tmp_path / "cache", kind.newest).revision


def test_a_broken_answer_is_refused(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.put(kind.metadata, Answer(b"[" * 100_000))
    with pytest.raises(SourceError):
        _ = only(tmp_path / "cache", kind.newest).revision


@pytest.mark.parametrize("kind", [it for it in KINDS if it.name == "golang"], indirect=True, ids=lambda it: it.name)
def test_an_archive_that_is_none_is_refused(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.put(kind.archive, b"this is not an archive")
    with pytest.raises(SourceError, match="cannot read the archive"):
        _ = only(tmp_path / "cache", kind.newest).revision
    assert [*(tmp_path / "cache").glob("[!.]*")] == []


def test_a_registry_that_does_not_answer(kind: Kind, server: Server, tmp_path: Path) -> None:
    server.shutdown()
    server.socket.close()
    with pytest.raises(Unreachable, match="check the network"):
        _ = only(tmp_path / "cache", kind.newest).revision


def test_a_package_of_another_registry_is_not_asked_for(kind: Kind, server: Server, tmp_path: Path) -> None:
    source = only(tmp_path / "cache", f"{kind.newest}?repository_url=https://packages.invalid/all")
    with pytest.raises(SourceError, match="comes from another registry"):
        _ = source.revision
    assert server.asked == []


def test_only_the_hosts_of_a_registry_may_be_at_a_private_address(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """A company's name server may give private addresses. Where an answer leads to, none leads to a request."""
    from wherefrom.sources.packages.client import Client
    from wherefrom.sources.packages.source import ECOSYSTEMS

    connected: list[tuple[str, int]] = []

    def connect(at: tuple[str, int], *_: object, **__: object) -> None:
        connected.append(at)
        raise ConnectionRefusedError("refused")

    def private(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", private)
    registry = ECOSYSTEMS[kind.name].public()
    assert registry.url.startswith("https://")
    for module in (socket, connection):
        monkeypatch.setattr(module, "create_connection", connect)
    with pytest.raises(SourceError, match="check the network"):
        Client(tries=1).answer(registry, registry.url)
    assert connected == [(urlsplit(registry.url).hostname, 443)]
    known = replace(registry, knows=lambda url: "files.invalid" in url)
    with pytest.raises(SourceError, match="check the network"):
        Client(tries=1).answer(known, "https://files.invalid/a")
    other = replace(registry, hosts=frozenset({"files.invalid:443", "10.0.0.1:443"}))
    with pytest.raises(SourceError, match="private address"):
        Client().answer(other, "https://files.invalid/a")
    with pytest.raises(SourceError, match="private address"):
        Client().answer(other, "https://10.0.0.1/a")
    assert len(connected) == 2
