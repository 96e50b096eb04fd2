from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from wherefrom.analyzers.samplers import WINNOWING

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize(
    ("command", "key"),
    [(("samplers", "--random-text", "20000"), "samplers"), (("frequencies",), "frequencies"), (("noise",), "noise")],
)
def test_a_measurement_as_json_and_as_a_table(indexed: Run, command: tuple[str, ...], key: str) -> None:
    done = indexed("lab", *command, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert (answer["corpus"]["repositories"], answer["corpus"]["contents"], answer["corpus"]["failed"]) == (2, 2, {})
    table = indexed("lab", *command)
    assert (table.returncode, table.stderr) == (0, "")
    assert table.stdout.startswith("2 different contents of 2 repositories, ")
    assert isinstance(answer[key], list)


def test_samplers_on_sources(indexed: Run) -> None:
    done = indexed("lab", "samplers", "clones/first", "--random-text", "0", "--window", "4", "-k", "5")
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("exact ")]
    assert {row[1] for row in rows} == {
        *WINNOWING,
        "open_closed",
        "mod_p",
        "safe_mod_p",
        "bottom_n",
    }
    assert all(row[2] == "w=4" for row in rows if row[1].endswith("winnow"))


def test_a_plot_beside_the_table(indexed: Run, tmp_path: Path) -> None:
    done = indexed("lab", "frequencies", "clones", "--plot", str(tmp_path / "plot.svg"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "slope" in done.stdout
    assert "exact, most common:" in done.stdout
    assert "<svg" in (tmp_path / "plot.svg").read_text()


def test_what_is_wrong_is_said_in_one_line(refused: Callable[..., str]) -> None:
    assert "no such file or folder" in refused("lab", "noise", "nothing")
    assert ".svg or .png" in refused("lab", "noise", "--plot", "plot.gif")
    assert "--window must be a whole number, at least 1, not 0" in refused("lab", "samplers", "--window", "0")
    assert "index" in refused("lab", "frequencies")
