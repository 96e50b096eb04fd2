"""Text and JSON state the same probability, in every command that states one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.polygons import AREA, FEET
from tests.service.indexed import RENAMED, make_dated_clones

COMMANDS = (
    ("search", "edited.py"),
    ("search", "--brief", "edited.py"),
    ("similar", "edited.py"),
    ("first", "edited.py"),
    ("trace", "edited.py"),
    ("check", "project", "--format", "html"),
    ("watch", "report", "--all"),
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """An index, watched code in it, and a file with copies that are more and less probable."""
    made = Wherefrom(tmp_path_factory.mktemp("probabilities"))
    edited = f"{RENAMED}\n\n{FEET.replace('feet', 'ells').replace('+', '-')}"
    (made.folder / "project").mkdir()
    for path in ("edited.py", "project/edited.py"):
        (made.folder / path).write_text(edited)
    (made.folder / "area.py").write_text(AREA)
    made("index", *map(str, make_dated_clones(made.folder / "clones")[:1]), "--history")
    assert made.run("watch", "add", "area", "area.py")[0] == 0
    made("index", str(made.folder / "clones"), "--history")
    return made


def stated(value: Any) -> list[float]:
    """Every probability in a JSON value."""
    if isinstance(value, dict):
        own = [value["probability"]] if value.get("probability") is not None else []
        return own + [each for inner in value.values() for each in stated(inner)]
    return [each for inner in value for each in stated(inner)] if isinstance(value, list) else []


def test_text_rounds_down_what_json_states(world: Wherefrom) -> None:
    for command in COMMANDS:
        _, text, _ = world.run(*command)
        _, output, _ = world.run(*(word for word in command if word != "--brief"), "--format", "json")
        shown = {*map(float, re.findall(r"([01]\.\d\d) probable", text))}
        values = stated(json.loads(output))
        assert shown, (command, text)
        assert shown <= {int(value * 100 + 1e-9) / 100 for value in values}, command
        assert max(values) <= 0.999, command
