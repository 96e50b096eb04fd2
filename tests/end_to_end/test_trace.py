"""`wherefrom trace`: the origins of an assistant's answer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.polygons import AREA, FEET
from tests.repositories import Repository
from tests.schemas import schema
from tests.service.indexed import RENAMED, UNKNOWN, dated_index, make_clones
from wherefrom import BinaryContent, index_sources, open_index

__all__ = ["dated_index"]

OWN = (
    "def my_own_function(alpha, beta):\n"
    "    total = alpha ** 2 + beta\n"
    "    for thing in range(total):\n"
    "        print(thing, alpha, total - thing)\n"
    "    return total * 7\n"
)

ANSWER = f"""Sure, this is the area of a polygon:

```python
{RENAMED}
{OWN}
```

And in feet:

~~~py
{FEET}~~~

I hope that this helps.
"""


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traced")
    index_sources(make_clones(folder / "clones"), folder / "made.wherefrom", jobs=1)
    return folder / "made.wherefrom"


def trace(location: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wherefrom", "trace", "--index", str(location), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def answered(location: Path, text: str, *arguments: str) -> dict[str, Any]:
    done = trace(location, "-", "--format", "json", *arguments, text=text)
    assert done.returncode in {0, 1}, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema_rs.validate(schema("trace"), found)
    return found


def lines_of(text: str, part: str) -> tuple[int, int]:
    """The first and the last line that a part of a text has there."""
    first = text[: text.index(part)].count("\n") + 1
    return first, first + part.rstrip("\n").count("\n")


def test_the_spans_of_an_answer_are_named_with_their_places(location: Path) -> None:
    found = answered(location, ANSWER)
    spans = [(span["start_line"], span["end_line"]) for span in found["spans"]]
    assert spans[0] == lines_of(ANSWER, RENAMED)
    first, last = lines_of(ANSWER, FEET)
    assert first <= spans[1][0] <= spans[1][1] <= last
    assert len(spans) == 2
    area, feet = (span["places"][0] for span in found["spans"])
    assert {place["repository"] for place in found["spans"][0]["places"]} | {area["repository"]} <= {
        f"github.com/example/{name}" for name in ("geometry", "maps", "games")
    }
    assert feet["repository"] == "github.com/example/tools"
    assert 0.9 < area["probability"] <= 1
    assert not any(span["credited"] for span in found["spans"])


def test_a_text_names_its_source(location: Path) -> None:
    text = f"```python\n# From https://github.com/example/geometry\n{RENAMED}```\n"
    [span] = answered(location, text)["spans"]
    assert span["credited"]
    assert span["places"][0]["repository"] == "github.com/example/geometry"
    assert answered(location, text, "--own", "github.com/example/*")["spans"] == []


@pytest.mark.parametrize(
    "text", [RENAMED, f"#!/usr/bin/env python3\n{RENAMED}", f"```\n{RENAMED}```", f"````python\n{RENAMED}"]
)
def test_code_without_a_label_or_fences_is_read(location: Path, text: str) -> None:
    [span] = answered(location, text)["spans"]
    assert (span["start_line"], span["end_line"]) == lines_of(text, RENAMED)


def test_what_is_nowhere_is_not_named(location: Path) -> None:
    done = trace(location, "-", text=f"Like so:\n\n```python\n{UNKNOWN}\n{OWN}```\n")
    assert (done.returncode, done.stdout) == (1, "text.md: nothing of it found, 2 pieces looked up\n")
    assert trace(location, "-", text="").returncode == 2


def test_a_reader_sees_the_place_and_the_license(location: Path, tmp_path: Path) -> None:
    (tmp_path / "area.py").write_text(RENAMED)
    done = trace(location, str(tmp_path / "area.py"))
    assert done.returncode == 0
    head, _, span, place, facts, *_ = done.stdout.splitlines()
    assert head.endswith("area.py: 1 span of it elsewhere, 1 piece looked up")
    assert span == "1. lines 1-5 · 55 tokens · not credited"
    assert place.startswith("   github.com/example/")
    assert " probable · " in facts
    wrong = trace(location, str(tmp_path / "nothing.py"))
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def test_an_index_with_history_tells_the_first_appearance(dated_index: Path) -> None:
    found = answered(dated_index, f"```python\n{RENAMED}```\n")
    [span] = found["spans"]
    assert {place["age"]["first"]["day"] for place in span["places"]} & {"2017-11-20", "2019-03-02"}


def test_hostile_names_are_shown_and_do_nothing(tmp_path: Path) -> None:
    hostile = Repository.make(tmp_path / "a\x1b[31m\nb", {"c\u202ed\x1b[0m.py": AREA.encode()})
    index_sources([hostile.folder], tmp_path / "index", jobs=1)
    text = f"```python\x1b[31m\n{RENAMED}```\n"
    done = trace(tmp_path / "index", "-", "--name", "e\x1b[1m.md", text=text)
    assert done.returncode == 0
    assert not {"\x1b", "\u202e"} & set(done.stdout)


def test_the_library_traces(location: Path) -> None:
    with open_index(location) as index:
        result = index.trace(ANSWER)
        assert (len(result.spans), str(result.spans[0].lines)) == (2, "4-8")
        assert index.trace(ANSWER.encode(), min_tokens=1000).spans == ()
        with pytest.raises(BinaryContent, match="binary"):
            index.trace(b"\0\1\2" * 100)
