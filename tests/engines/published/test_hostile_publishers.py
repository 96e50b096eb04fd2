"""A publisher may write anything with valid checksums: it is refused within little memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import wherefrom
from tests.engines.conftest import SCHEMES
from tests.engines.published.conftest import TERMS, answers, filled, publish
from tests.engines.published.server import serve
from tests.polygons import AREA
from tests.processes import HANGS
from wherefrom.engines.published import frames, publication, publishing, tree
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.pages import FolderPlace
from wherefrom.engines.published.tree import TreeWriter
from wherefrom.errors import UnusableIndex
from wherefrom.model import Hashes

MEMORY = 60_000_000

Patch = pytest.MonkeyPatch


def huge_frames(patch: Patch) -> None:
    def write(into: TreeWriter, representation: int, terms: Hashes, _: object) -> None:
        for term in sorted({int(term) for term in terms}):
            header = frames._HEADER.pack(representation, 65_535, 0, 0, term)
            into.add(frames.key(representation, term), header)

    patch.setattr(publishing, "_write_frames", write)


def wide_frames(patch: Patch) -> None:
    def dump(representation: int, terms: Hashes, _: object) -> Any:
        for term in terms[::100].tolist():
            header = frames._HEADER.pack(representation, frames.FRAME, 255, 255, term)
            yield frames.key(representation, term), header.ljust(20_000, b"x")

    patch.setattr(frames, "dump", dump)


def overlapping(patch: Patch) -> None:
    finish = tree._Level.end_node

    def end(level: tree._Level) -> None:
        level._offset, level._lengths = 0, [0] * (len(level._lengths) - 1) + [level._offset + sum(level._lengths)]
        finish(level)

    patch.setattr(tree._Level, "end_node", end)


def facts(**changed: Any) -> Callable[[Patch], None]:
    def apply(patch: Patch) -> None:
        dumps = json.dumps

        def dump(value: Any, **options: Any) -> str:
            return dumps({**value, **changed} if isinstance(value, dict) and "holding" in value else value, **options)

        patch.setattr("wherefrom.engines.published.publishing.json.dumps", dump)

    return apply


PUBLISHERS = {
    "frames of 65,535 postings": huge_frames,
    "frames of wide numbers": wide_frames,
    "parts that overlap": overlapping,
    "contents without end": facts(contents=10**12),
    "contents of another type": facts(contents="many"),
    "fewer contents than postings": facts(holding=[0, 0, 0, 0]),
    "names without end": facts(analyses={"x" * 1000 + str(number): 1 for number in range(20_000)}),
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", PUBLISHERS)
def test_what_a_publisher_claims_does_not_allocate(kind: str, tmp_path: Path, monkeypatch: Patch) -> None:
    with monkeypatch.context() as patch:
        PUBLISHERS[kind](patch)
        publish(filled(), tmp_path)
    tracemalloc.start()
    try:
        with (
            pytest.raises(UnusableIndex, match="damaged"),
            closing(PublishedEngine(FolderPlace(tmp_path), SCHEMES)) as engine,
        ):
            answers(engine)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


def test_a_query_keeps_few_frames(published: Path, expected: list[Any], monkeypatch: Patch) -> None:
    monkeypatch.setattr(publication, "FRAMES_KEPT", 6)
    with closing(PublishedEngine(FolderPlace(published), SCHEMES)) as engine:
        assert answers(engine) == expected
        assert len(engine._current.frames) <= 6


def test_an_error_of_the_caller_is_no_damage(published: Path) -> None:
    def promising(_: object) -> list[bool]:
        raise TypeError("a bug of the judge")

    with (
        closing(PublishedEngine(FolderPlace(published), SCHEMES)) as engine,
        pytest.raises(TypeError, match="a bug of the judge"),
    ):
        engine.candidates(TERMS, limit=20, promising=promising)


LARGE = 150_000_000

BOMBS: dict[str, tuple[str, Any]] = {
    "contents": ("blocks._places", lambda _: [("r", "a" * LARGE, "1")]),
    "records": ("publishing.dump_repository", lambda _: b'{"key": "%b"}' % (b"a" * LARGE)),
}
"""Values of 150 MB that take a few bytes of a publication."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOMBS)
def test_a_command_has_a_limit_on_its_memory(kind: str, tmp_path: Path, monkeypatch: Patch) -> None:
    code, index, made = tmp_path / "a" / "a.py", tmp_path / "ix", tmp_path / "made"
    code.parent.mkdir()
    code.write_text(AREA)
    wherefrom.index_sources([code.parent], index)
    with monkeypatch.context() as patch:
        patch.setattr(f"wherefrom.engines.published.{BOMBS[kind][0]}", BOMBS[kind][1])
        wherefrom.publish_index(index, made)
    script = (
        "import sys\n"
        "from wherefrom.cli import main, settings\n"
        "settings.URL_MEMORY = 100_000_000\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    with serve(made) as server:
        command = [sys.executable, "-c", script, "search", str(code), "--index", server.base, "--own", "x"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("wherefrom: error: ")
    assert "too little memory" in done.stderr
    assert done.stderr.count("\n") == 1
