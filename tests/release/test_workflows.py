"""The workflows and the action pass their linters, run what also runs here, and can do no more than they need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.wheels import NONE, PLATFORMS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github" / "workflows"
EXAMPLE = ROOT / "examples" / "github" / "wherefrom.yml"
PATHS = [*sorted(FOLDER.glob("*.yml")), ROOT / "action.yml", EXAMPLE]
WORKFLOWS: dict[str, dict[Any, Any]] = {path.stem: yaml.safe_load(path.read_text()) for path in FOLDER.glob("*.yml")}
PINNED = re.compile(r"^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
OURS = ("./.github/", "URL-OF-WHEREFROM@")


def lint(tool: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a linter without a network. Without it the test is skipped, or fails if CI is set."""
    beside = Path(sys.executable).with_name(tool)
    program = str(beside) if beside.exists() else shutil.which(tool)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"{tool} is not installed", pytrace=False)
        pytest.skip(f"{tool} is not installed")
    return subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def actionlint(*paths: Path) -> subprocess.CompletedProcess[str]:
    return lint("actionlint", "-no-color", "-shellcheck=", "-pyflakes=", *paths)


def zizmor(*paths: Path) -> subprocess.CompletedProcess[str]:
    return lint("zizmor", "--offline", "--no-progress", "--no-config", "--persona=pedantic", "--quiet", *paths)


def jobs() -> list[tuple[str, str, dict[str, Any]]]:
    return [(name, key, job) for name, workflow in WORKFLOWS.items() for key, job in workflow["jobs"].items()]


def test_actionlint_passes() -> None:
    done = actionlint(*FOLDER.glob("*.yml"))
    assert (done.returncode, done.stdout) == (0, "")


def test_zizmor_passes() -> None:
    done = zizmor(*FOLDER.glob("*.yml"), ROOT / "action.yml")
    assert done.returncode == 0, done.stdout


def test_both_see_what_is_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / ".github" / "workflows" / "checks.yml"
    wrong.parent.mkdir(parents=True)
    text = (FOLDER / "checks.yml").read_text()
    wrong.write_text(text.replace("${{ matrix.python }}", "${{ matrix.pithon }}"))
    assert "pithon" in actionlint(wrong).stdout
    wrong.write_text(re.sub(r"@[0-9a-f]{40} # ", "@", text))
    assert "unpinned-uses" in zizmor(wrong).stdout


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_action_is_pinned_by_a_commit_that_names_its_tag(path: Path) -> None:
    used = re.findall(r"^ *(?:- )?uses: (.+)$", path.read_text(), re.MULTILINE)
    assert used
    assert [each for each in used if not each.startswith(OURS) and not PINNED.match(each)] == []


def test_one_action_is_pinned_at_one_commit() -> None:
    text = "\n".join(path.read_text() for path in PATHS)
    used = {*re.findall(r"uses: ([\w-]+/[\w-]+)(?:/[\w./-]+)?@(\w+) # (\S+)", text)}
    assert len({action for action, _, _ in used}) == len(used) > 5


def test_only_the_jobs_of_a_release_may_write() -> None:
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == ({} if name == "release" else {"contents": "read"})
    allowed = {(name, key): job["permissions"] for name, key, job in jobs() if "permissions" in job}
    assert {name for name, _ in allowed} == {"release"}
    writing = {key for (_, key), asked in allowed.items() if "write" in asked.values()}
    assert writing == {"container", "pypi", "page"}


def test_nothing_is_published_before_all_checks_passed_and_all_is_built() -> None:
    release = WORKFLOWS["release"]["jobs"]

    def before(key: str) -> set[str]:
        needs = release[key].get("needs", [])
        needs = [needs] if isinstance(needs, str) else needs
        return {*needs}.union(*map(before, needs))

    for key, job in release.items():
        if "write" in job["permissions"].values():
            assert {"checks", "ready", "wheels", "installed", "browser", "plugin"} <= before(key)
    assert release["checks"]["uses"] == "./.github/workflows/checks.yml"
    assert WORKFLOWS["release"][True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` as true
    assert release["pypi"]["environment"] == "pypi"


def test_the_unit_tests_run_on_all_pythons_and_systems_with_and_without_the_kernel() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    pythons = [found[1] for each in classifiers if (found := re.search(r"Python :: (3\.\d+)$", each))]
    matrix = WORKFLOWS["checks"]["jobs"]["unit"]["strategy"]["matrix"]
    assert matrix == {"os": ["ubuntu-latest", "macos-latest"], "python": pythons, "kernel": ["0", "require"]}


def test_each_wheel_is_tried_that_a_runner_can_install() -> None:
    matrix = WORKFLOWS["release"]["jobs"]["installed"]["strategy"]["matrix"]
    # No runner has musl.
    assert {*matrix["wheel"]} == {"none-any", *(each for each in PLATFORMS.values() if "musl" not in each)}
    assert {each["wheel"] for each in matrix["include"]} == {*matrix["wheel"]}


def test_every_target_is_built_by_one_job() -> None:
    matrix = WORKFLOWS["release"]["jobs"]["wheels"]["strategy"]["matrix"]["include"]
    built = [target for each in matrix for target in f"{each['targets']} {each['others']}".split()]
    cross_compiled = {target for target in PLATFORMS if "windows-gnu" in target}  # for tests on Linux
    assert sorted(built) == sorted({NONE, *PLATFORMS} - cross_compiled)


def test_they_run_only_what_this_project_has() -> None:
    """The other lines are of programs that a runner has: pip, mvn, rustup, docker, gh."""
    lines = [line for _, _, job in jobs() for step in job.get("steps", ()) for line in step.get("run", "").splitlines()]
    called = {found for line in lines for found in re.findall(r"\./dev \w+|-m release\.\w+|\.ci/run", line)}
    assert {"./dev unit", "./dev soak", "./dev wheels", "./dev page", "./dev release", ".ci/run"} <= called
    commands = (ROOT / "dev").read_text()
    for each in called:
        if each.startswith("./dev"):
            assert f"\n{each} " in commands
        elif each.startswith("-m"):
            assert (ROOT / f"{each[3:].replace('.', '/')}.py").is_file(), each
    assert not [line for line in lines if "${{" in line], "no expression is put into a script"


def test_the_checksums_are_of_all_files_but_the_notes(tmp_path: Path) -> None:
    [script] = [
        step["run"]
        for step in WORKFLOWS["release"]["jobs"]["page"]["steps"]
        if step.get("name") == "Write the checksums"
    ]
    files = tmp_path / "files"
    files.mkdir()
    for name in ("notes.md", "a.whl", "-b.tar.gz"):
        (files / name).write_text(name)
    subprocess.run(["bash", "-e", "-c", script], cwd=files, check=True)
    assert {path.name for path in files.iterdir()} == {"a.whl", "-b.tar.gz", "SHA256SUMS"}
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=files, check=True, capture_output=True)
    assert len((files / "SHA256SUMS").read_text().splitlines()) == 2
