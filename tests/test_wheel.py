"""The wheel: what is in it, and that it works by itself in a fresh environment, without extras."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import wherefrom
from tests.repositories import Repository

ROOT = Path(__file__).parents[1]

CODE = """\
def running_median(values, width):
    window = []
    for position, value in enumerate(values):
        insort(window, value)
        if position >= width:
            window.remove(values[position - width])
        yield window[len(window) // 2]
"""

pytestmark = pytest.mark.slow


def run(*command: str | Path, folder: Path, code: int = 0, **variables: str) -> str:
    """Runs a command outside the repository, with nothing of this environment; gives its output."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WHEREFROM_", "XDG_"))}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**kept, "HOME": str(folder), **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, made as a release makes it."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT], check=True, timeout=300)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that holds the wheel and what it needs, no extra."""
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, with_pip=True, symlinks=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", str(wheel)], check=True, timeout=600, cwd=folder)
    return folder / "bin"


def test_everything_that_the_package_reads_is_in_the_wheel(wheel: Path) -> None:
    packed = {name for name in ZipFile(wheel).namelist() if name.startswith("wherefrom/")}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "wherefrom").rglob("*") if path.is_file()}
    assert packed == {name for name in files if "__pycache__" not in name}
    assert "wherefrom/py.typed" in packed
    assert {f"wherefrom/mappings/elasticsearch-{part}.json" for part in ("blobs", "records")} <= packed


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    assert wheel.name == f"wherefrom-{wherefrom.__version__}-py3-none-any.whl"
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert tops == {"wherefrom", f"wherefrom-{wherefrom.__version__}.dist-info"}


def test_the_extras_are_not_installed(installed: Path) -> None:
    names = {re.split(r"[=\s]", line)[0] for line in run(installed / "pip", "freeze", folder=installed).splitlines()}
    assert {"wherefrom", "tantivy", "tree-sitter"} <= names
    assert not names & {"elasticsearch", "elastic-transport", "matplotlib", "pytest", "mypy"}


def test_the_installed_command_indexes_and_searches(installed: Path, tmp_path: Path) -> None:
    Repository.make(tmp_path / "clone", {"src/median.py": b"from bisect import insort\n\n\n" + CODE.encode()})
    program, index = installed / "wherefrom", str(tmp_path / "index")
    assert run(program, "--version", folder=tmp_path) == f"wherefrom {wherefrom.__version__}\n"
    assert "1 repository: 1 indexed" in run(program, "index", "clone", folder=tmp_path, WHEREFROM_INDEX=index)
    renamed = CODE.replace("window", "recent").replace("value", "number")
    found = run(program, "search", "--code", renamed, folder=tmp_path, WHEREFROM_INDEX=index)
    assert "src/median.py" in found
    run(program, "search", "--code", "nothing = here(at, all)", folder=tmp_path, WHEREFROM_INDEX=index, code=1)
    for command, extra in (
        (["list", "--index", "elasticsearch://127.0.0.1:9200/code"], "elasticsearch"),
        (["lab", "samplers", "clone", "--plot", "plot.svg"], "lab"),
    ):
        assert f"pip install 'wherefrom[{extra}]'" in run(program, *command, folder=tmp_path, code=2)


def test_types_are_seen_by_those_who_import_it(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text("import wherefrom\n\nreveal_type(wherefrom.open_index)\n")
    mypy = Path(sys.executable).with_name("mypy")
    done = run(mypy, "--python-executable", installed / "python", "--strict", "uses.py", folder=tmp_path)
    assert "-> wherefrom.api.Index" in done
