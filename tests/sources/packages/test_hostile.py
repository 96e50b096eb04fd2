"""Whatever a registry answers, only its package fails, with an error that says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.sources.packages.registries import Answer, Kind, Server
from tests.sources.packages.test_protocols import only, sources
from wherefrom.errors import SourceError, WherefromError

OTHERS: tuple[object, ...] = (None, 3, True, "\0\u202e x", "http://[", [], [[]], {}, {"a": {}}, 10**400, "é" * 3)


def changed(value: Any) -> Iterator[Any]:
    """The value with each of its parts replaced by each of `OTHERS`."""
    yield from OTHERS
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in changed(inner))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from ([*value[:number], other, *value[number + 1 :]] for other in changed(inner))


def answers(content: bytes) -> Iterator[bytes]:
    """An answer with parts replaced or lost."""
    lines = content.splitlines() or [b""]
    for number, line in enumerate(lines):
        try:
            values = json.loads(line)
        except ValueError:
            continue
        for other in changed(values):
            yield b"\n".join([*lines[:number], json.dumps(other).encode(), *lines[number + 1 :]])
    yield from (
        content[: len(content) // 2],
        content[::-1],
        b"",
        b"\xff\xfe" + content,
        b"\0" * 100,
        b"{}",
        b"[]",
        b"<a/>",
    )


def paths(kind: Kind, server: Server) -> list[str]:
    """The paths of everything that is not an archive."""
    return [path for path in server.answers if not path.endswith((".gz", ".tgz", ".whl", ".jar", ".zip", "/download"))]


@pytest.mark.thorough
@pytest.mark.matrix("kind")
@pytest.mark.parametrize("part", range(4))
def test_metadata_may_be_anything(kind: Kind, server: Server, tmp_path: Path, part: int) -> None:
    number = 0
    for path in paths(kind, server):
        (before,) = server.answers[path]
        for body in islice(answers(before.body), part, None, 4):
            server.put(path, body)
            number += 1
            try:
                for source in sources(tmp_path / "other", kind.package, versions=2):
                    assert source.key.startswith("pkg:")
                _ = only(tmp_path / f"{number}", kind.newest).revision
            except WherefromError as error:
                assert isinstance(error, SourceError)  # noqa: PT017
                assert str(error).isprintable()  # noqa: PT017
        server.answers[path] = [before]
    assert number > 5


@pytest.mark.parametrize(
    "location", ["http://[", "//", "file:///etc/passwd", "ftp://127.0.0.1/", "https://\u202e.invalid/", ""]
)
def test_a_redirect_may_lead_anywhere(kind: Kind, location: str, server: Server, tmp_path: Path) -> None:
    server.put(kind.archive, Answer(status=302, headers={"Location": location.encode().decode("latin-1")}))
    with pytest.raises(SourceError) as caught:
        _ = only(tmp_path, kind.newest).revision
    assert str(caught.value).isprintable()
