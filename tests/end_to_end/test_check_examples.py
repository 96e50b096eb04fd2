"""The pre-commit hook, the action for GitHub and the job for GitLab work as they are documented."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

import wherefrom as package
from action.__main__ import summary
from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.test_check import LEVELS, MIT, OTHERS, OWN, ROUTES
from tests.repositories import ENVIRONMENT, Repository

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


def test_the_hook_of_an_agent_refuses_a_commit_that_brings_a_copy(wherefrom: Wherefrom, theirs: Path) -> None:
    wherefrom.indexes(theirs)
    made = Repository.make(wherefrom.folder / "project", {"ledger.py": OWN})

    def hook(command: str) -> tuple[int, str]:
        done = subprocess.run(
            [str(ROOT / "examples" / "agents" / "before-commit.sh")],
            cwd=made.folder,
            env=environment(wherefrom),
            input=json.dumps({"tool_name": "Bash", "tool_input": {"command": command}}),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.stdout == ""
        return done.returncode, done.stderr

    assert hook("git commit -m change") == (0, "")
    (made.folder / "routes.py").write_bytes(ROUTES)
    made.git("add", "routes.py")
    assert hook("git status") == (0, "")
    code, said = hook("git add -A && git commit -m 'change'")
    assert code == 2
    assert "routes.py:" in said
    assert "copied-unattributed: write your own code" in said
    skill = (ROOT / "examples" / "agents" / "wherefrom" / "SKILL.md").read_text()
    assert yaml.safe_load(skill.split("---")[1]).keys() == {"name", "description"}


def test_the_hook_stops_every_kind_of_commit_that_brings_a_copy(wherefrom: Wherefrom, theirs: Path) -> None:
    hook, _ = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["language"], hook["pass_filenames"]) == ("wherefrom-check", "python", False)
    wherefrom.indexes(theirs)
    made = Repository.make(wherefrom.folder / "project", {"ledger.py": OWN, "other.py": b"x = 1\n"})
    script = made.folder / ".git/hooks/pre-commit"
    script.parent.mkdir()
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


ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ (\S+)(?: \|\| '(.+)')? \}\}")


def step(name: str) -> dict[str, Any]:
    [found] = [step for step in STEPS if step.get("name") == name]
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that installs the command as it is here, without its dependencies."""
    made = tmp_path_factory.mktemp("wheel") / "wherefrom-0-py3-none-any.whl"
    here = f"{Path(package.__file__).parents[1]}\n{sysconfig.get_path('purelib')}\n"
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("wherefrom_here.pth", here)
        file.writestr("wherefrom-0.dist-info/METADATA", "Metadata-Version: 2.1\nName: wherefrom\nVersion: 0\n")
        file.writestr("wherefrom-0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("wherefrom-0.dist-info/entry_points.txt", "[console_scripts]\nwherefrom = wherefrom.cli:main\n")
        file.writestr("wherefrom-0.dist-info/RECORD", "")
    return made


@dataclass
class Runner:
    """What the host gives to the steps of a job, and what they leave."""

    folder: Path
    installed: Path
    environment: dict[str, str]

    def run(self, name: str, project: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Runs a step of the action in a checkout, with these inputs and otherwise the defaults."""
        values = {f"inputs.{key}": item["default"] for key, item in ACTION["inputs"].items()}
        values |= {f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()}
        values["steps.python.outputs.python-path"] = sys.executable
        given = {
            key: EXPRESSION.sub(lambda found: values[found[1]] or found[2] or "", value)
            for key, value in step(name)["env"].items()
        }
        assert "${{" not in step(name)["run"], "what a pull request names is never put into a script"
        github = {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(self.installed)}
        for variable in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH"):
            github[variable] = str(self.folder / variable)
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step(name)["run"]],
            cwd=project,
            env={**self.environment, **github, **given},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def event(self, value: object) -> None:
        """Starts a job for an event of the host."""
        (self.folder / "GITHUB_EVENT_PATH").write_text(json.dumps(value))
        for variable in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
            (self.folder / variable).write_text("")

    def left(self, variable: str) -> str:
        """What steps wrote for the host."""
        return (self.folder / variable).read_text()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The temporary folder of a runner, after the first step."""
    folder = tmp_path_factory.mktemp("runner")
    Runner(folder, folder, {**os.environ, "PIP_NO_INDEX": "1"}).run("Install", folder, package=str(wheel))
    return folder


@pytest.fixture
def runner(wherefrom: Wherefrom, installed: Path) -> Runner:
    kept = {name: value for name, value in wherefrom.environment.items() if not name.startswith("WHEREFROM_")}
    return Runner(wherefrom.folder, installed, {**kept, **ENVIRONMENT})


@dataclass
class Hosted:
    """A bare repository with a pull request of `routes.py`, and a later commit of `flow.py` on the branch."""

    bare: Path
    base: str
    head: str

    @property
    def event(self) -> object:
        return {"pull_request": {"base": {"sha": self.base}, "head": {"sha": self.head}}}

    def checkout(self, folder: Path, reference: str = "refs/pull/1/merge", *options: str) -> Path:
        """A checkout as the host's action makes it, by default of the newest commit alone."""
        made = Repository.make(folder)
        made.git("remote", "add", "origin", self.bare.as_uri())
        made.git("fetch", "--quiet", "--no-tags", *(options or ["--depth=1"]), "origin", f"{reference}:refs/remotes/it")
        made.git("checkout", "--quiet", "--detach", "refs/remotes/it")
        return folder


@pytest.fixture
def hosted(tmp_path: Path, theirs: Path) -> Hosted:
    bare = Repository.make(tmp_path / "bare.git", None, "--bare")
    work = Repository.make(
        tmp_path / "work",
        {
            "ledger.py": OWN,
            ".github/wherefrom-sources.txt": f"{theirs}\n".encode(),
            ".gitlab/wherefrom-sources.txt": f"{theirs}\n".encode(),
        },
    )
    base = work.git("rev-parse", "HEAD")
    work.git("checkout", "--quiet", "-b", "topic")
    head = work.commit({"routes.py": ROUTES})
    work.git("checkout", "--quiet", "main")
    work.commit({"flow.py": LEVELS})
    work.git("checkout", "--quiet", "--detach")
    work.git("merge", "--quiet", "--no-ff", "-m", "Merge", "topic")
    work.git("push", "--quiet", bare.folder, "main", "topic", "HEAD:refs/pull/1/merge")
    return Hosted(bare.folder, base, head)


def found(log: str) -> list[str]:
    """The paths of the findings in a file of SARIF."""
    [run] = json.loads(Path(log).read_text())["runs"]
    return [item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for item in run["results"]]


def outputs(runner: Runner) -> dict[str, str]:
    return dict(line.split("=", 1) for line in runner.left("GITHUB_OUTPUT").splitlines())


@pytest.mark.parametrize("reference", ["refs/pull/1/merge", "refs/heads/topic"])
def test_the_action_finds_what_a_pull_request_adds(hosted: Hosted, runner: Runner, reference: str) -> None:
    project = hosted.checkout(runner.folder / "project", reference)
    runner.event(hosted.event)
    assert runner.run("Index", project).returncode == 0
    assert (Path(runner.environment["HOME"]) / ".cache/wherefrom-action/index").is_dir(), "what the cache keeps"
    done = runner.run("Check", project)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("copied-unattributed: routes.py:1: ")
    written = outputs(runner)
    assert (found(written["sarif"]), written["findings"]) == (["routes.py"], "1")
    summary = runner.left("GITHUB_STEP_SUMMARY")
    assert "To look at: 1. Notes: 0." in summary
    assert r"| look | copied-unattributed | routes\.py\:1 |" in summary


@pytest.mark.nightly
def test_without_a_pull_request_the_action_checks_the_whole_project(hosted: Hosted, runner: Runner) -> None:
    project = hosted.checkout(runner.folder / "project")
    runner.event({"schedule": "17 2 * * *"})
    assert runner.run("Index", project).returncode == 0
    assert runner.run("Check", project, arguments="--fail-on none").returncode == 0
    assert outputs(runner)["findings"] == "0"
    assert found(outputs(runner)["sarif"]) == ["flow.py", "routes.py"]
    assert runner.run("Check", project, base="HEAD^2", arguments="--fail-on none").returncode == 2, "no history"


@pytest.mark.nightly
def test_the_action_unpacks_an_index_of_a_release_and_refuses_another_file(
    hosted: Hosted, runner: Runner, wherefrom: Wherefrom, theirs: Path
) -> None:
    wherefrom.indexes(theirs)
    archive = wherefrom.folder / "index.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(wherefrom.index, ".")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    project = hosted.checkout(runner.folder / "project")
    runner.event(hosted.event)
    done = runner.run("Index", project, asset=archive.as_uri(), asset_sha256="0" * 64)
    assert (done.returncode, digest in done.stdout) == (2, True)
    assert runner.run("Check", project).returncode == 2, "there is no index"
    assert runner.run("Index", project, asset=archive.as_uri(), asset_sha256=digest).returncode == 0
    assert runner.run("Check", project).returncode == 1
    assert found(outputs(runner)["sarif"]) == ["routes.py"]
    assert runner.run("Check", project, index=wherefrom.index, arguments="--fail-on none").returncode == 0


def test_names_in_a_pull_request_are_no_markup_and_no_commands(runner: Runner, hosted: Hosted) -> None:
    project = Repository(hosted.checkout(runner.folder / "project", "refs/heads/main", "--no-tags"))
    base = project.git("rev-parse", "HEAD")
    name = "::warning::|<img src=x>`_a_[b](c).py"
    head = project.commit({name: ROUTES})
    runner.event({"pull_request": {"base": {"sha": base}, "head": {"sha": head}}})
    assert runner.run("Index", project.folder).returncode == 0
    done = runner.run("Check", project.folder)
    assert done.returncode == 1
    assert not [line for line in done.stdout.splitlines() if line.lstrip().startswith("::")]
    [row] = [line for line in runner.left("GITHUB_STEP_SUMMARY").splitlines() if line.startswith("| look")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 5
    assert not re.search(r"(?<!\\)[<`\[]", row.split("|")[3])


def test_a_place_with_an_address_is_a_link_in_the_summary() -> None:
    result = {
        "ruleId": "copied-unattributed",
        "level": "note",
        "message": {"text": r"4 lines \[x\] also. [o/r a\]b.py:1-4](1), mine c.py:2 and 3 more locations"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.py"}, "region": {"startLine": 3}}}],
        "relatedLocations": [{"physicalLocation": {"artifactLocation": {"uri": "https://example.org/a%5Db.py#L1"}}}],
    }
    shown = summary([result] * 101)
    assert r"[o\/r a\]b\.py\:1\-4](<https://example.org/a%5Db.py#L1>)\, mine c\.py\:2 and 3 more" in shown
    assert r"4 lines \[x\] also\. [" in shown
    assert "To look at: 0. Notes: 101." in shown
    assert shown.endswith("1 more are in the log of SARIF.\n\n")


def test_the_action_installs_apart_from_the_job_and_uploads_whatever_was_found() -> None:
    [python] = [step for step in STEPS if step.get("id") == "python"]
    assert python["with"]["update-environment"] is False
    upload = step("Show the findings")
    assert "success() || failure()" in upload["if"]
    assert upload["with"] == {"sarif_file": "${{ steps.check.outputs.sarif }}", "category": "wherefrom/check"}


def test_the_action_saves_its_index_before_the_check_under_a_key_of_its_own() -> None:
    names = [step.get("name") for step in STEPS]
    assert names.index("Index") < names.index("Save the index") < names.index("Check")
    restore, save = step("Restore the index"), step("Save the index")
    key = restore["with"]["key"]
    for unique in ("${{ github.run_id }}", "${{ github.run_attempt }}"):
        assert unique in key, "a key that was saved is never saved again"
    [prefix] = restore["with"]["restore-keys"].split("\n")[:-1]
    assert key.startswith(prefix)
    assert "github.run" not in prefix
    assert "hashFiles" in prefix
    assert save["with"]["key"] == f"${{{{ steps.{restore['id']}.outputs.cache-primary-key }}}}"
    assert save["with"]["path"] == restore["with"]["path"]
    assert step("Index")["env"]["WHEREFROM_INDEX"].startswith(save["with"]["path"])


def test_the_job_of_gitlab_reports_what_a_merge_request_adds(
    hosted: Hosted, runner: Runner, wherefrom: Wherefrom
) -> None:
    [job] = yaml.safe_load((ROOT / "examples/gitlab/wherefrom.yml").read_text()).values()
    project = hosted.checkout(runner.folder / "project", "refs/heads/topic", "--no-tags")
    host = {"CI_PROJECT_DIR": str(project), "CI_MERGE_REQUEST_DIFF_BASE_SHA": hosted.base}
    given = {name: value.replace("$CI_PROJECT_DIR", str(project)) for name, value in job["variables"].items()}
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(job["script"])],
        cwd=project,
        env={**environment(wherefrom), **host, **given},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    report = job["artifacts"]["reports"]["codequality"]
    [issue] = json.loads((project / report).read_text())
    assert (issue["location"]["path"], issue["severity"]) == ("routes.py", "major")
    assert job["artifacts"]["when"] == "always"
    kept = [(project / path).resolve() for path in job["cache"]["paths"]]
    assert all(Path(given[name]).parent in kept for name in ("WHEREFROM_INDEX", "WHEREFROM_CACHE"))
    assert kept[0].is_dir()
