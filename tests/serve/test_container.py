"""The container image: the checks that need no Docker."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

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


def test_what_makes_the_wheel_is_in_the_context() -> None:
    kept = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert kept == {"kernel", "wherefrom", "LICENSE", "README.md", "pyproject.toml"}
    assert all(list(ROOT.glob(name)) for name in kept)
