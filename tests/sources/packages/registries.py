"""Registries on this machine, written from the documentation of their protocols, and the settings that lead to them."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

CODE = b"def greet(name):\n    return 'Hello, ' + name\n"


@dataclass
class Answer:
    """An answer of the server. `send`, if given, writes the whole response instead."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    send: Callable[[BaseHTTPRequestHandler], None] | None = None


@dataclass
class Asked:
    """A request that the server got."""

    path: str
    authorization: str | None
    accept: str | None


class Server(ThreadingHTTPServer):
    """A server with fixed answers by path; a path with several answers gives each once, and then the last one."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[Asked] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, path: str, *answers: Answer | bytes | object) -> None:
        """Sets the answers of a path: bytes as they are, other values as JSON."""
        self.answers[path] = [_answer(answer) for answer in answers]

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]


def _answer(value: object) -> Answer:
    if isinstance(value, Answer):
        return value
    return Answer(value if isinstance(value, bytes) else json.dumps(value).encode())


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(Asked(self.path, self.headers["Authorization"], self.headers["Accept"]))
        answers = self.server.answers.get(self.path, [Answer(status=404)])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer.send is not None:
            answer.send(self)
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def tar(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass
class Kind:
    """An ecosystem in a test.

    Attributes:
        name: its type.
        package: a package URL without a version.
        versions: of that package, in ascending order.
        archive: the path of the archive of the newest version at the server.
        listing: the path that tells the versions.
        metadata: a path that the code under test asks for the newest version.
        publish: puts the package on a server.
        configure: makes the server the registry, with a token or password `secret` if wanted.
        authorization: the header that this password gives.
        file: the path of the file with `CODE` in the package.
    """

    name: str
    package: str
    versions: Sequence[str]
    archive: str
    listing: str
    metadata: str
    publish: Callable[[Server], None]
    configure: Callable[[Server, Path, pytest.MonkeyPatch, bool], None]
    authorization: str
    file: str

    @property
    def newest(self) -> str:
        return f"{self.package}@{self.versions[-1]}"


BASIC = "Basic " + base64.b64encode(b"me:secret").decode()

METADATA = b"""Metadata-Version: 2.4
Name: greeter
Version: 1.10.0
License-Expression: MIT
Author: Ada
Project-URL: Source Code, https://code.invalid/ada/greeter
Project-URL: Homepage, https://greeter.invalid
"""


def pypi_file(server: Server, name: str, content: bytes, **others: object) -> dict[str, object]:
    server.put(f"/files/{name}", content)
    file = {"filename": name, "url": f"../../files/{name}", "hashes": {"sha256": sha256(content)}, "yanked": False}
    return {**file, "upload-time": "2024-03-01T10:00:00Z", **others}


def publish_pypi(server: Server) -> None:
    files = []
    for version in ("1.10.0", "1.9.0", "2.0.0rc1"):
        content = tar({f"greeter-{version}/greeter.py": CODE, f"greeter-{version}/PKG-INFO": METADATA})
        wheel = zipped({"greeter.py": CODE, f"greeter-{version}.dist-info/METADATA": METADATA})
        files.append(pypi_file(server, f"greeter-{version}-py3-none-any.whl", wheel))
        files.append(pypi_file(server, f"greeter-{version}.tar.gz", content))
    server.put("/simple/greeter/", {"meta": {"api-version": "1.1"}, "name": "greeter", "files": files})


def configure_pypi(server: Server, home: Path, patch: pytest.MonkeyPatch, secret: bool) -> None:
    at = server.url.replace("://", "://me:secret@") if secret else server.url
    patch.setenv("PIP_INDEX_URL", f"{at}/simple/")


def npm_version(server: Server, version: str, content: bytes, **others: object) -> dict[str, object]:
    path = f"/@hello/greeter/-/greeter-{version}.tgz"
    server.put(path, content)
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
    dist = {"tarball": server.url + path, "integrity": integrity, "shasum": hashlib.sha1(content).hexdigest()}
    return {
        "name": "@hello/greeter",
        "version": version,
        "dist": dist,
        "license": "MIT",
        "author": {"name": "Ada"},
        "repository": {"type": "git", "url": "git+https://code.invalid/ada/greeter.git"},
        "homepage": "https://greeter.invalid",
        **others,
    }


def publish_npm(server: Server) -> None:
    versions = {
        version: npm_version(server, version, tar({"package/greeter.py": CODE, "package/package.json": b"{}"}))
        for version in ("1.10.0", "1.9.0", "2.0.0-rc.1")
    }
    times = dict.fromkeys(versions, "2024-03-01T10:00:00.000Z")
    server.put(
        "/@hello%2Fgreeter",
        {"name": "@hello/greeter", "dist-tags": {"latest": "1.10.0"}, "versions": versions, "time": times},
    )


def configure_npm(server: Server, home: Path, patch: pytest.MonkeyPatch, secret: bool) -> None:
    lines = [f"@hello:registry={server.url}/"]
    if secret:
        patch.setenv("GREETING_TOKEN", "secret")
        lines.append(f"//{server.url.partition('://')[2]}/:_authToken=${{GREETING_TOKEN}}")
    (home / ".npmrc").write_text("\n".join(lines))


CARGO_TOML = b"""[package]
name = "greeter"
version = "1.10.0"
license = "MIT"
authors = ["Ada"]
repository = "https://code.invalid/ada/greeter"
homepage = "https://greeter.invalid"
"""


def publish_cargo(server: Server) -> None:
    lines: list[dict[str, object]] = []
    for version in ("1.9.0", "1.10.0", "2.0.0-rc.1"):
        content = tar({f"greeter-{version}/greeter.py": CODE, f"greeter-{version}/Cargo.toml": CARGO_TOML})
        server.put(f"/crates/greeter/{version}/download", content)
        lines.append(
            {"name": "greeter", "vers": version, "cksum": sha256(content), "deps": [], "yanked": False}
            | {"pubtime": "2024-03-01T10:00:00Z"}
        )
    server.put("/index/gr/ee/greeter", "\n".join(map(json.dumps, lines)).encode())
    server.put("/index/config.json", {"dl": f"{server.url}/crates", "api": server.url})


def configure_cargo(server: Server, home: Path, patch: pytest.MonkeyPatch, secret: bool) -> None:
    (home / ".cargo").mkdir()
    (home / ".cargo/config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "own"\n[registries.own]\nindex = "sparse+{server.url}/index/"\n'
    )
    if secret:
        (home / ".cargo/credentials.toml").write_text('[registries.own]\ntoken = "secret"\n')


POM = b"""<project xmlns="http://maven.apache.org/POM/4.0.0"><name>greeter</name><url>https://greeter.invalid</url>
<licenses><license><name>MIT</name></license></licenses><developers><developer><name>Ada</name></developer></developers>
<scm><url>https://code.invalid/ada/greeter</url></scm></project>"""


def publish_maven(server: Server) -> None:
    for version in ("1.9.0", "1.10.0"):
        stem = f"/maven2/com/hello/greeter/{version}/greeter-{version}"
        sources = zipped({"greeter.py": CODE})
        server.put(f"{stem}-sources.jar", Answer(sources, headers={"Last-Modified": "Fri, 01 Mar 2024 10:00:00 GMT"}))
        server.put(f"{stem}-sources.jar.sha1", hashlib.sha1(sources).hexdigest().encode())
        server.put(f"{stem}.pom", POM)
    server.put(
        "/maven2/com/hello/greeter/maven-metadata.xml",
        b"<metadata><versioning><versions><version>1.9.0</version><version>1.10.0</version>"
        b"<version>2.0.0-rc1</version></versions></versioning></metadata>",
    )


def configure_maven(server: Server, home: Path, patch: pytest.MonkeyPatch, secret: bool) -> None:
    (home / ".m2").mkdir()
    servers = "<server><id>own</id><username>me</username><password>${env.PASSWORD}</password></server>"
    patch.setenv("PASSWORD", "secret")
    (home / ".m2/settings.xml").write_text(
        f"<settings><servers>{servers if secret else ''}</servers><mirrors><mirror><id>own</id>"
        f"<mirrorOf>central</mirrorOf><url>{server.url}/maven2</url></mirror></mirrors></settings>"
    )


def publish_golang(server: Server) -> None:
    at = "/code.invalid/!ada/greeter"
    for version in ("v1.9.0", "v1.10.0"):
        server.put(f"{at}/@v/{version}.zip", zipped({f"code.invalid/Ada/greeter@{version}/greeter.py": CODE}))
        origin = {"VCS": "git", "URL": "https://code.invalid/ada/greeter"}
        server.put(f"{at}/@v/{version}.info", {"Version": version, "Time": "2024-03-01T10:00:00Z", "Origin": origin})
    server.put(f"{at}/@v/list", b"v1.10.0\nv1.9.0\nv2.0.0-rc.1\n")


def configure_golang(server: Server, home: Path, patch: pytest.MonkeyPatch, secret: bool) -> None:
    patch.setenv("GOPROXY", f"{server.url},direct")
    if secret:
        (home / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")


KINDS = (
    Kind(
        "pypi",
        "pkg:pypi/greeter",
        ("1.9.0", "1.10.0"),
        "/files/greeter-1.10.0.tar.gz",
        "/simple/greeter/",
        "/simple/greeter/",
        publish_pypi,
        configure_pypi,
        BASIC,
        "greeter.py",
    ),
    Kind(
        "npm",
        "pkg:npm/%40hello/greeter",
        ("1.9.0", "1.10.0"),
        "/@hello/greeter/-/greeter-1.10.0.tgz",
        "/@hello%2Fgreeter",
        "/@hello%2Fgreeter",
        publish_npm,
        configure_npm,
        "Bearer secret",
        "greeter.py",
    ),
    Kind(
        "cargo",
        "pkg:cargo/greeter",
        ("1.9.0", "1.10.0"),
        "/crates/greeter/1.10.0/download",
        "/index/gr/ee/greeter",
        "/index/gr/ee/greeter",
        publish_cargo,
        configure_cargo,
        "secret",
        "greeter.py",
    ),
    Kind(
        "maven",
        "pkg:maven/com.hello/greeter",
        ("1.9.0", "1.10.0"),
        "/maven2/com/hello/greeter/1.10.0/greeter-1.10.0-sources.jar",
        "/maven2/com/hello/greeter/maven-metadata.xml",
        "/maven2/com/hello/greeter/1.10.0/greeter-1.10.0.pom",
        publish_maven,
        configure_maven,
        BASIC,
        "greeter.py",
    ),
    Kind(
        "golang",
        "pkg:golang/code.invalid/Ada/greeter",
        ("v1.9.0", "v1.10.0"),
        "/code.invalid/!ada/greeter/@v/v1.10.0.zip",
        "/code.invalid/!ada/greeter/@v/list",
        "/code.invalid/!ada/greeter/@v/v1.10.0.info",
        publish_golang,
        configure_golang,
        BASIC,
        "greeter.py",
    ),
)
