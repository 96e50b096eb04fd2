"""Builds the plug-in once for all tests, and runs its classes as a program that analyzes texts."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryFile
from typing import Any

from tests.elasticsearch.installation import CACHE, Unavailable, locked, newest_jdk

FOLDER = Path(__file__).parents[3] / "elasticsearch-plugin"

TARGET = FOLDER / "target"

OLDEST_JDK = 21
"""The version of Java that it is compiled for, and the oldest on which its servers run."""


@dataclass(frozen=True)
class Built:
    """The plug-in.

    Attributes:
        archive: the zip that a server installs.
        classes: the class path of its tests.
    """

    archive: Path
    classes: str


def maven(*arguments: str, folder: Path = FOLDER) -> str:
    """Runs Maven in the folder of the plug-in, on the newest Java; returns its output.

    Raises:
        Unavailable: there is no Java that is new enough, or no Maven.
        RuntimeError: it fails; quotes its output.
    """
    java = newest_jdk(OLDEST_JDK)
    program = which("mvn")
    if program is None:
        raise Unavailable("no mvn to build the plug-in with; install Maven")
    done = subprocess.run(
        [program, "--batch-mode", "--no-transfer-progress", *arguments],
        env={**os.environ, "JAVA_HOME": str(java.home)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"mvn {' '.join(arguments)} failed:\n{done.stdout}")
    return done.stdout


@contextmanager
def alone() -> Iterator[None]:
    """A block that excludes other processes that build."""
    with locked(CACHE / f"plugin-{hashlib.sha256(str(FOLDER).encode()).hexdigest()[:8]}.lock"):
        yield


def built() -> Built:
    """The plug-in of the current sources; builds it if they have changed. Raises the errors of `maven`."""
    digest = hashlib.sha256()
    for path in [FOLDER / "pom.xml", *sorted((FOLDER / "src").rglob("*"))]:
        if path.is_file():
            digest.update(f"{path.relative_to(FOLDER)}\0".encode() + path.read_bytes() + b"\0")
    stamp, class_path = TARGET / "built-from.txt", TARGET / "class-path.txt"
    with alone():
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            maven("--quiet", "clean", "package", "-DskipTests")
            maven("--quiet", "dependency:build-classpath", f"-Dmdep.outputFile={class_path}")
            stamp.write_text(digest.hexdigest())
    (archive,) = TARGET.glob("*.zip")
    folders = [str(TARGET / "test-classes"), str(TARGET / "classes")]
    return Built(archive, os.pathsep.join([*folders, class_path.read_text().strip()]))


def sources_of_lucene() -> Path:
    """An archive of real Java files: the sources of the library that the plug-in uses, fetched by Maven."""
    (version,) = re.findall("<lucene.version>(.*)</lucene.version>", (FOLDER / "pom.xml").read_text())
    archive = TARGET / f"lucene-core-{version}-sources.jar"
    with alone():
        if not archive.exists():
            artifact = f"org.apache.lucene:lucene-core:{version}:jar:sources"
            maven("--quiet", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={TARGET}")
    return archive


class Streams:
    """The class `Streams` of the plug-in's tests, which gives the tokens of texts.

    Args:
        made: the plug-in.
        heap: in MB.
    """

    def __init__(self, made: Built, heap: int = 256) -> None:
        java = newest_jdk(OLDEST_JDK).home / "bin" / "java"
        options = [f"-Xmx{heap}m", "-XX:+UseSerialGC", "-cp", made.classes]
        self._command = [str(java), *options, "wherefrom.elasticsearch.Streams"]
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def __enter__(self) -> Streams:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, **question: Any) -> list[Any]:
        """The tokens of one text; see the class in Java for the possible arguments."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        tokens: list[Any] = json.loads(self._process.stdout.readline())
        return tokens

    def ask_all(self, texts: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
        """The tokens of many texts, in their order, from another process that analyzes all of them at once."""
        with TemporaryFile("w+", encoding="utf-8") as questions, TemporaryFile("w+", encoding="utf-8") as answers:
            questions.writelines(json.dumps(text) + "\n" for text in texts)
            questions.flush()
            questions.seek(0)
            subprocess.run(self._command, stdin=questions, stdout=answers, stderr=subprocess.DEVNULL, check=True)
            answers.seek(0)
            yield from map(json.loads, answers)
