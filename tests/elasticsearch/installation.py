"""The minimal Elasticsearch server from Maven, fetched once and kept between runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import platformdirs

from wherefrom.support.system import system

VERSIONS = {21: "9.5.4", 17: "8.19.21"}
"""The oldest Java for each version. The newest version that fits is used, unless VERSION_VARIABLE names one."""

VERSION_VARIABLE = "WHEREFROM_TEST_ELASTICSEARCH_VERSION"

ARTIFACT = "org.elasticsearch.distribution.integ-test-zip:elasticsearch:{}:zip"

USER = "nobody"
"""The user who runs the servers if root runs the tests: Elasticsearch refuses root."""

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

CACHE = platformdirs.site_cache_path("wherefrom-tests") if ROOT else platformdirs.user_cache_path("wherefrom-tests")
"""A folder that USER may enter, unlike root's own folders."""


class Unavailable(Exception):
    """This machine cannot run a server; the message says why."""


@dataclass(frozen=True, slots=True)
class Java:
    """A JDK: its folder and its feature version."""

    home: Path
    version: int


@dataclass(frozen=True, slots=True)
class Installation:
    """An unpacked server, which many nodes share, and its Java."""

    home: Path
    java: Java
    version: str


def installation(version: str | None = None) -> Installation:
    """The server; fetches and unpacks it if it is missing.

    Args:
        version: of the server; None: the newest for this machine's Java, or the one that VERSION_VARIABLE names.

    Raises:
        Unavailable: there is no suitable Java or no Maven, or Maven cannot fetch the server.
    """
    java = newest_jdk(min(VERSIONS))
    if version is None:
        fitting = [version for oldest, version in VERSIONS.items() if java.version >= oldest]
        version = os.environ.get(VERSION_VARIABLE, "") or fitting[0]
    home = CACHE / f"elasticsearch-{version}"
    with locked(CACHE / "install.lock"):
        if not home.exists():
            install(version, home)
    return Installation(home, java, version)


def newest_jdk(oldest: int) -> Java:
    """The newest JDK on this machine.

    Raises:
        Unavailable: there is none, or it is older than `oldest`, a feature version.
    """
    java = max(jdks(), key=lambda java: java.version, default=Java(Path(), 0))
    if java.version < oldest:
        raise Unavailable(f"no JDK {oldest} or newer; install one or name it in JAVA_HOME")
    return java


def jdks() -> list[Java]:
    """The full JDKs on this machine (a bare runtime lacks modules that the server needs)."""
    named = [Path(os.environ[name]) for name in ("ES_JAVA_HOME", "JAVA_HOME") if os.environ.get(name)]
    on_path = shutil.which("javac")
    if on_path:
        named.append(Path(on_path).resolve().parents[1])
    found = [java for home in (*named, *Path("/usr/lib/jvm").glob("*"), *Path("/opt").glob("*")) for java in jdk(home)]
    return sorted(found, key=lambda java: str(java.home))


def jdk(home: Path) -> Iterator[Java]:
    """The JDK in this folder, if there is one."""
    release = home / "release"
    if (home / "bin" / "javac").exists() and release.is_file():
        for line in release.read_text().splitlines():
            name, _, value = line.partition("=")
            if name == "JAVA_VERSION":
                yield Java(home, int(value.strip('"').partition(".")[0]))


def install(version: str, home: Path) -> None:
    """Fetches and unpacks a version; the folder appears when it is complete."""
    if not shutil.which("mvn"):
        raise Unavailable("no mvn to fetch the server with; install Maven")
    draft = home.with_name(f"{home.name}.{uuid4().hex}")
    try:
        command = ["mvn", "--batch-mode", "--quiet", "dependency:copy", f"-Dartifact={ARTIFACT.format(version)}"]
        done = subprocess.run(
            [*command, f"-DoutputDirectory={draft}"], capture_output=True, text=True, check=False, cwd=CACHE
        )
        if done.returncode:
            lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
            raise Unavailable(f"Maven cannot fetch Elasticsearch {version}: {lines[0] if lines else 'it says nothing'}")
        with zipfile.ZipFile(draft / f"elasticsearch-{version}.zip") as archive:
            for member in archive.infolist():
                path = Path(archive.extract(member, draft))
                path.chmod(member.external_attr >> 16 & 0o777)  # `extract` drops the permission to execute
        (draft / home.name).rename(home)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """A block for one process at a time, of all that use this lock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        system.lock(file.fileno(), wait=True)
        yield
