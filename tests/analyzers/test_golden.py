"""The golden vectors, which the Elasticsearch plug-in must match too."""

from __future__ import annotations

import json

from tests.analyzers.golden import FILE, vectors, written


def test_the_golden_vectors_are_what_the_code_gives() -> None:
    expected, found = json.loads(FILE.read_text()), vectors()
    assert found["schemes"] == expected["schemes"]
    for name in ("codes", "characters", "streams"):
        assert len(found[name]) == len(expected[name])
        for made, wanted in zip(found[name], expected[name], strict=True):
            assert made == wanted


def test_the_file_is_written_as_it_stands() -> None:
    assert FILE.read_text() == written(vectors())
