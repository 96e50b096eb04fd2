"""The container image: the checks that need no Docker."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from wherefrom.cli.settings import load
from wherefrom.options.serving import ServeOptions

ROOT = Path(__file__).parents[2]

LINES = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text()).splitlines()


def instructions(name: str) -> list[str]:
    return [line.removeprefix(f"{name} ") for line in LINES if line.startswith(f"{name} ")]


def test_it_serves_as_another_user_than_root_with_the_index_in_a_volume() -> None:
    at = LINES.index("USER wherefrom")
    assert not [line for line in LINES[at:] if line.startswith(("RUN", "COPY", "USER root"))]
    assert instructions("VOLUME") == ["/index"]
    assert (instructions("ENTRYPOINT"), instructions("CMD")) == (['["wherefrom"]'], ['["serve"]'])
    [variables] = instructions("ENV")
    configuration = load(dict(item.split("=", 1) for item in variables.split()))
    assert configuration.settings().index == "/index/code.wherefrom"
    options = configuration.options(ServeOptions, {})
    assert (options.host, options.port) == ("0.0.0.0", int(instructions("EXPOSE")[0]))


def test_its_health_is_asked_of_the_server(served: str) -> None:
    [check] = instructions("HEALTHCHECK")
    program, *arguments = json.loads(check.partition("CMD ")[2])
    assert program == "python"
    requested = [item.replace("http://127.0.0.1:8765", served) for item in arguments]
    assert requested != arguments
    assert subprocess.run([sys.executable, *requested], check=False).returncode == 0
    nowhere = [item.replace(":8765/", ":9/") for item in arguments]
    assert subprocess.run([sys.executable, *nowhere], capture_output=True, check=False).returncode != 0


def test_its_steps_are_those_of_the_script() -> None:
    script = (ROOT / "release" / "container.sh").read_text()
    steps = re.findall(r"^  (\w+)\)$", script, re.MULTILINE)
    runs = [re.sub(r"--mount=\S+ ", "", line) for line in instructions("RUN")]
    assert [(Path(run.split()[0]).name, run.split()[1]) for run in runs] == [("container.sh", step) for step in steps]
    trial = (ROOT / "release" / "try_container.sh").read_text()
    assert re.findall(r"container\.sh (\w+)", trial) == steps


@pytest.mark.parametrize("name", ["container.sh", "try_container.sh"])
def test_a_script_can_be_run(name: str) -> None:
    path = ROOT / "release" / name
    assert os.access(path, os.X_OK)
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run([bash, "-n", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_all_that_the_build_reads_is_in_the_context() -> None:
    kept = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert all(list(ROOT.glob(name)) for name in kept)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, hatch = settings["project"], settings["tool"]["hatch"]
    wheel = hatch["build"]["targets"]["wheel"]
    read = {
        "pyproject.toml",
        "release/container.sh",
        project["readme"],
        hatch["version"]["path"],
        *project["license-files"],
        *wheel["packages"],
        *(hook["path"] for hook in wheel["hooks"].values()),
    }
    missing = {name for name in read if not {name, *map(str, Path(name).parents)} & kept}
    assert missing == set()
    assert kept == {name for name in kept if any(name == path or path.startswith(f"{name}/") for path in read)}
