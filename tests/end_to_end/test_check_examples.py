"""The pre-commit hook and the GitHub workflow: what they run does what they are for."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.test_check import LEVELS, MIT, OTHERS, OWN, ROUTES
from tests.repositories import ENVIRONMENT, Repository
from wherefrom.support.version import INSTALLED_FROM, __version__

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository to compare with."""
    folder = tmp_path_factory.mktemp("theirs") / "theirs"
    return Repository.make(folder, {"routes.py": ROUTES, "flow.py": LEVELS, "LICENSE": MIT % b"Them", **OTHERS}).folder


def environment(wherefrom: Wherefrom) -> dict[str, str]:
    """The environment of a shell with the command installed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**wherefrom.environment, **ENVIRONMENT, "PATH": path}


def test_the_hook_stops_every_kind_of_commit_that_brings_a_copy(wherefrom: Wherefrom, theirs: Path) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("wherefrom-check", "python", False)
    wherefrom.indexes(theirs)
    made = Repository.make(wherefrom.folder / "project", {"ledger.py": OWN, "other.py": b"x = 1\n"})
    script = made.folder / ".git/hooks/pre-commit"
    script.write_text(f"#!/bin/sh\nexec {hook['entry']}\n")
    script.chmod(0o755)

    def commit(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            ["git", "commit", "--quiet", "-m", "change", *arguments],
            cwd=made.folder,
            env=environment(wherefrom),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    made.write({"other.py": ROUTES})
    code, printed = commit("-a")
    assert (code, "other.py" in printed, "copied-unattributed" in printed) == (1, True, True)
    code, printed = commit("other.py")
    assert (code, "copied-unattributed" in printed) == (1, True)
    made.write({"ledger.py": OWN.replace(b"Ledger", b"Book")})
    assert commit("ledger.py")[0] == 0
    made.git("add", "other.py")
    assert commit()[0] == 1
    made.write({"other.py": b"# wherefrom: ok ours as well\n" + ROUTES})
    assert commit("-a")[0] == 0


def steps() -> list[dict[str, Any]]:
    workflow = yaml.safe_load((ROOT / "examples/github-action/wherefrom.yml").read_text())
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    [job] = workflow["jobs"].values()
    assert job["env"] == {"WHEREFROM_INDEX": "~/wherefrom.index"}
    found: list[dict[str, Any]] = job["steps"]
    return found


def test_the_steps_of_the_workflow_do_what_they_are_for(wherefrom: Wherefrom, theirs: Path) -> None:
    origin = Repository.make(
        wherefrom.folder / "origin", {"ledger.py": OWN, ".github/wherefrom-sources.txt": f"{theirs}\n".encode()}
    )
    clone = Repository(wherefrom.folder / "clone")
    origin.git("clone", "--quiet", str(origin.folder), str(clone.folder))
    clone.git("checkout", "--quiet", "-b", "topic")
    clone.commit({"routes.py": ROUTES})
    origin.commit({"flow.py": LEVELS})
    clone.git("fetch", "--quiet")

    codes = {}
    for step in steps():
        if "run" not in step or step["name"] == "Install":
            continue
        assert "${{" not in step["run"], "what a pull request names is never put into a script"
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=clone.folder,
            env={**environment(wherefrom), "WHEREFROM_INDEX": "~/wherefrom.index", "BASE": "main"},
            capture_output=True,
            timeout=120,
            check=False,
        )
        codes[step["name"]] = done.returncode
        assert done.stderr == b""
    assert codes == {"Index": 0, "Check": 1}
    [run] = json.loads((clone.folder / "wherefrom.sarif").read_text())["runs"]
    places = [item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for item in run["results"]]
    assert places == ["routes.py"]


def test_the_workflow_installs_uploads_whatever_was_found_and_pins_what_it_uses() -> None:
    by_name = {step.get("name", step.get("uses")): step for step in steps()}
    source = "'git+URL-OF-WHEREFROM@COMMIT'" if INSTALLED_FROM == "." else f"wherefrom=={__version__}"
    assert by_name["Install"]["run"] == f"pip install {source}"
    upload = by_name["Show the findings"]
    assert upload["if"] == "success() || failure()"
    assert upload["with"]["sarif_file"] in shlex.split(by_name["Check"]["run"])
    assert upload["with"]["category"] == "wherefrom/check"
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]) for step in steps() if "uses" in step)


def test_the_workflow_renews_its_index_even_if_the_check_fails() -> None:
    names = [step.get("name") for step in steps()]
    restore, save = (steps()[names.index(name)] for name in ("Restore the index", "Save the index"))
    assert names.index("Index") < names.index("Save the index") < names.index("Check")
    key = restore["with"]["key"]
    for unique in ("${{ github.run_id }}", "${{ github.run_attempt }}"):
        assert unique in key, "a key that was saved is never saved again"
    [prefix] = restore["with"]["restore-keys"].split("\n")[:-1]
    assert key.startswith(prefix)
    assert "github.run" not in prefix
    assert "hashFiles" in prefix
    assert save["with"]["key"] == f"${{{{ steps.{restore['id']}.outputs.cache-primary-key }}}}"
    assert save["with"]["path"] == restore["with"]["path"]
