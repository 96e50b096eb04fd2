"""The package as `pip install wherefrom` gives it, without extras."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repositories import Repository

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "analyzers" / "samples"


class Installed:
    """The command in an environment of its own, with an index of a few samples."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.command = folder / "environment" / "bin" / "wherefrom"
        self.environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        self.environment |= {"HOME": str(folder), "WHEREFROM_INDEX": str(folder / "index")}

    def install(self) -> None:
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        subprocess.run([*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", self.folder, ROOT], check=True)
        subprocess.run([sys.executable, "-m", "venv", self.folder / "environment"], check=True)
        [wheel] = self.folder.glob("wherefrom-*.whl")
        python = self.folder / "environment" / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True, env=self.environment)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=self.environment,
            cwd=self.folder,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    made = Installed(tmp_path_factory.mktemp("installed"))
    made.install()
    files = {"a.py": "python", "b.hs": "haskell", "c.go": "go"}
    Repository.make(
        made.folder / "clone", {path: (SAMPLES / f"{name}.sample").read_bytes() for path, name in files.items()}
    )
    ran = made.run("index", "clone")
    assert ran.returncode == 0, ran.stderr
    return made


def test_the_languages_of_the_extra_are_shown_as_not_installed(installed: Installed) -> None:
    text = installed.run("languages").stdout
    lines = {line.split()[0]: line for line in text.splitlines() if line}
    assert "(not installed)" in lines["haskell"]
    assert "(not installed)" not in lines["python"]
    assert text.endswith("To install them, run:\n  pip install 'wherefrom[languages]'\n")
    listed = json.loads(installed.run("languages", "--format", "json").stdout)["languages"]
    extras = {each["name"]: each["grammar"]["extra"] for each in listed if each["grammar"]}
    missing = {each["name"] for each in listed if each["grammar"] and each["grammar"]["version"] is None}
    assert missing == {name for name, extra in extras.items() if extra == "languages"} != set()


def test_a_file_of_such_a_language_is_indexed_and_found_as_text(installed: Installed) -> None:
    stats = json.loads(installed.run("stats", "--format", "json").stdout)
    assert stats["languages"] == {"go": 1, "python": 1, "text": 1}
    ran = installed.run("search", SAMPLES / "haskell.sample", "--format", "json")
    [hit] = json.loads(ran.stdout)["hits"]
    assert (hit["language"], hit["occurrences"][0]["path"]) == ("text", "b.hs")


def test_naming_such_a_language_is_an_error_that_names_the_extra(installed: Installed) -> None:
    ran = installed.run("search", SAMPLES / "haskell.sample", "--language", "hs")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "wherefrom: error: the grammar of haskell is not installed; run: pip install 'wherefrom[languages]'\n"
    )
