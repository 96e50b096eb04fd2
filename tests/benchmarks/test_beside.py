from __future__ import annotations

from typing import Any

from benchmarks.beside import better, page
from benchmarks.effectiveness.peer_report import OURS
from benchmarks.effectiveness.peers import LANGUAGE_NAMES

ABSENT = {"absent": "zoekt", "why": "go is not found"}

RUN = {"state": "commit 1", "versions": "JDK 25", "packages": 25}


def found(tool: str, setting: str, **figures: float) -> dict[str, Any]:
    same = {"first": 0.9, "ten": 1.0, "answered": 0.0, "seconds": 10.0, "megabytes": 300}
    return {"tool": tool, "setting": setting, "queries": [520, 40], **same, **figures}


def speeds(tool: str, *figures: float) -> list[dict[str, Any]]:
    return [
        {"speed": tool, "language": language, "bytes": 1_000_000, "megabytes": figure}
        for language, figure in zip(LANGUAGE_NAMES, figures, strict=False)
    ]


FOUND = [
    found(OURS, "default"),
    found("dolos", "default: x", first=0.5, answered=1.0, megabytes=200),
    found("dolos", "-k 12", first=0.95, answered=1.0, megabytes=250),
    found("jscpd", "default: y", first=0.3, seconds=1.0),
]


def test_a_tool_that_is_better_in_one_of_its_settings_is_named_with_that_figure() -> None:
    table = {OURS: dict.fromkeys(LANGUAGE_NAMES, 5.0), "scanoss": {"python": 15.5, "c": 1.0}}
    assert [*better(FOUND, table)] == [
        "- true file first (0.9): dolos 0.95",
        "- processor time, s (10): jscpd 1",
        "- memory, MB (300): dolos 200",
        "- MB/s of python (5.0): scanoss 15.5",
    ]


def test_the_page_names_what_could_not_run_and_has_a_row_for_each_setting() -> None:
    lines: list[dict[str, Any]] = [
        RUN,
        ABSENT,
        *FOUND,
        {"note": "Not run: jplag."},
        *speeds(OURS, 5, 5, 5, 5),
        *speeds("jscpd", 9, 9),
    ]
    text = "\n".join(page(lines))
    assert "Not run: zoekt: go is not found." in text
    assert "Not run: jplag." in text
    assert "520 edited functions" in text
    assert "| dolos | -k 12 | 0.95 | 1 | 1 | 10 | 250 |" in text
    assert "| jscpd | 9.00 | 9.00 |  |  | everything: reading" in text
