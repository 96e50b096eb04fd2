"""A published index, and a server for it."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import SCHEMES, document, occurrence, repository
from tests.engines.published.server import LyingServer, serve
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.engines.published import http
from wherefrom.engines.published.address import PublishedOptions
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.http import WebPlace
from wherefrom.engines.published.pages import FolderPlace
from wherefrom.engines.published.publishing import Publisher
from wherefrom.model import Representation
from wherefrom.options import PublishOptions

FILES = 400
TERMS = {Representation.EXACT: dict.fromkeys(range(0, 4000, 7), 1.0), Representation.TEXT: {5: 2.0}}


def filled(files: int = FILES, *, seed: int = 1) -> MemoryEngine:
    """An index with files that share terms; its published files have hundreds of pages."""
    dice = random.Random(seed)
    engine = MemoryEngine(SCHEMES)
    with engine.writer() as writer:
        for number in range(files):
            terms = {
                Representation.EXACT: [dice.randrange(4000) for _ in range(120)],
                Representation.TEXT: [5] if number % 3 == 0 else [],
            }
            tokens = dice.randbytes(dice.randrange(50, 3000))
            writer.add_blobs([document((seed, number), terms, tokens=tokens, source=b"text %d" % number)])
            writer.put_occurrences([occurrence(f"r{number % 7}", f"{number}.py", (seed, number))])
        for number in range(7):
            writer.put_repository(repository(f"r{number}"))
    return engine


def publish(engine: Engine, folder: Path) -> str:
    """Publishes an index; returns the SHA-256 of the manifest."""
    return Publisher(engine, folder, PublishOptions()).run().sha256


def answers(engine: Engine) -> list[Any]:
    """What an index answers to some calls that read all of its files."""
    candidates = engine.candidates(TERMS, limit=20)
    blobs = [candidate.blob.blob for candidate in candidates]
    return [
        candidates,
        engine.document_frequencies({key: list(own) for key, own in TERMS.items()}),
        engine.blobs(blobs),
        sorted(engine.occurrences(blobs=blobs), key=str),
        list(engine.occurrences(repository="r3")),
        engine.repositories(),
        engine.candidates(TERMS, limit=3, languages=["python"]),
    ]


@pytest.fixture(scope="package")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published index; tests that change it copy it."""
    folder = tmp_path_factory.mktemp("published") / "index"
    publish(filled(), folder)
    return folder


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A published index for one test."""
    return Path(shutil.copytree(published, tmp_path / "index"))


@pytest.fixture
def expected(published: Path) -> list[Any]:
    """The right answers."""
    with closing(PublishedEngine(FolderPlace(published), SCHEMES)) as engine:
        return answers(engine)


@pytest.fixture(autouse=True)
def plain_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No proxies, no credentials of whoever runs the tests, and no pauses between tries."""
    for name in os.environ:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setattr(http, "WAITS", (0.0, 0.0))


@pytest.fixture
def server(folder: Path) -> Iterator[LyingServer]:
    with serve(folder) as running:
        yield running


@pytest.fixture
def opened(server: LyingServer) -> Iterator[Callable[..., PublishedEngine]]:
    """Opens the index of the server; takes the options, and the SHA-256 of its manifest."""
    made: list[PublishedEngine] = []

    def call(expected: str | None = None, **options: Any) -> PublishedEngine:
        options = {"timeout": 20.0, **options}
        made.append(PublishedEngine(WebPlace(server.base, PublishedOptions(**options)), SCHEMES, expected=expected))
        return made[-1]

    yield call
    for engine in made:
        engine.close()
