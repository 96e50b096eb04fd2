"""The wheel has the right content, and works in a fresh environment, without extras and next to another project.

An index from that environment can be used in the environment of these tests, which has the newest grammars.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import wherefrom
from tests.repositories import Repository
from wherefrom.support import extension
from wherefrom.support.version import remedy

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

OF_ANOTHER_PROJECT = ("tree-sitter-bash<0.24", "tree-sitter-python<0.24")
"""Requirements of another project in the same environment: older minor versions of two grammars."""

INSTALL_IT = "install it with: pip install 'tree-sitter-haskell>=0.23,<0.25'"

NATIVE = "wherefrom/_kernel.abi3.so"

SAMPLES = ROOT / "tests" / "analyzers" / "samples"

FILES = {
    "main.py": (SAMPLES / "python.sample").read_bytes(),
    "run.sh": (SAMPLES / "bash.sample").read_bytes(),
    "Tree.hs": (SAMPLES / "haskell.sample").read_bytes(),
    "serve.go": (SAMPLES / "go.sample").read_bytes(),
    "notes.md": b"# Notes\n\nHow the totals are counted:\n\n```bash\nfor name in *.txt; do wc -l $name; done\n```\n",
    "lists.md": b"# Lists\n\nHow lists are zipped:\n\n```haskell\nzip (x:xs) (y:ys) = (x, y) : zip xs ys\n```\n",
    "story.txt": b"Once upon a time there was a little number that wanted to be added to another number.\n",
}

pytestmark = pytest.mark.slow


def run(*command: str | Path, folder: Path, code: int = 0, **variables: str) -> str:
    """Runs a command outside the repository and this environment; gives its output."""
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


def make_wheel(folder: Path, **variables: str) -> Path:
    """The wheel of this checkout, made as for a release."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, timeout=600, env={**os.environ, **variables})
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is made without cargo."""
    folders = os.environ["PATH"].split(os.pathsep)
    path = os.pathsep.join(folder for folder in folders if not Path(folder, "cargo").exists())
    return make_wheel(tmp_path_factory.mktemp("wheel"), PATH=path, WHEREFROM_KERNEL="1")


@pytest.fixture(scope="module")
def native_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is made with cargo."""
    if os.environ.get(extension.VARIABLE) != "require" and shutil.which("cargo") is None:
        pytest.skip("no cargo")
    return make_wheel(tmp_path_factory.mktemp("native"), WHEREFROM_KERNEL="require")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment with the wheel, its requirements and the other project's, but no extra, and
    without one grammar.
    """
    folder = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(folder, with_pip=True, symlinks=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", str(wheel), *OF_ANOTHER_PROJECT], check=True, timeout=600, cwd=folder)
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", "tree-sitter-haskell"], check=True, cwd=folder)
    return folder / "bin"


def test_everything_that_the_package_reads_is_in_the_wheel(wheel: Path) -> None:
    packed = {name for name in ZipFile(wheel).namelist() if name.startswith("wherefrom/")}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "wherefrom").rglob("*") if path.is_file()}
    assert packed == {name for name in files if "__pycache__" not in name and not name.startswith(NATIVE)}
    assert "wherefrom/py.typed" in packed
    assert {f"wherefrom/mappings/elasticsearch-{part}.json" for part in ("blobs", "records")} <= packed


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    assert wheel.name == f"wherefrom-{wherefrom.__version__}-py3-none-any.whl"
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    assert tops == {"wherefrom", f"wherefrom-{wherefrom.__version__}.dist-info"}


def test_the_wheel_with_the_kernel(wheel: Path, native_wheel: Path, tmp_path: Path) -> None:
    """It is for CPython 3.11 and all later versions."""
    assert re.fullmatch(rf"wherefrom-{wherefrom.__version__}-cp311-abi3-[a-z0-9_]+\.whl", native_wheel.name)
    names, pure = (set(ZipFile(made).namelist()) for made in (native_wheel, wheel))
    assert names - pure == {NATIVE}
    ZipFile(native_wheel).extractall(tmp_path)
    program = "from wherefrom.support import extension; print(extension.description())"
    described = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "WHEREFROM_KERNEL": "require"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.fullmatch(r"native kernel, tree-sitter 0\.\d+\.\d+\n", described.stdout)


def test_a_kernel_that_is_built_already_goes_into_a_wheel_for_the_platform_that_is_named(tmp_path: Path) -> None:
    """`./dev wheels` builds the kernels of all platforms itself."""
    library = tmp_path / "kernel.so"
    library.write_bytes(b"a kernel")
    given = {"WHEREFROM_KERNEL_LIBRARY": str(library), "WHEREFROM_KERNEL_PLATFORM": "macosx_11_0_arm64"}
    made = make_wheel(tmp_path, **given, WHEREFROM_KERNEL="1")
    assert made.name == f"wherefrom-{wherefrom.__version__}-cp311-abi3-macosx_11_0_arm64.whl"
    assert ZipFile(made).read(NATIVE) == b"a kernel"


@pytest.mark.nightly
def test_the_extras_are_not_installed(installed: Path) -> None:
    names = {re.split(r"[=\s]", line)[0] for line in run(installed / "pip", "freeze", folder=installed).splitlines()}
    assert {"wherefrom", "numpy", "tree-sitter"} <= names
    assert not names & {"elasticsearch", "elastic-transport", "matplotlib", "cyclonedx-python-lib", "pytest", "mypy"}


def test_the_installed_command_indexes_and_searches(installed: Path, tmp_path: Path) -> None:
    Repository.make(tmp_path / "clone", {"src/median.py": b"from bisect import insort\n\n\n" + CODE.encode()})
    program, index = installed / "wherefrom", str(tmp_path / "index")
    version = run(program, "--version", "--verbose", folder=tmp_path)
    assert re.match(rf"wherefrom {wherefrom.__version__} \(Python, tree-sitter [\d.]+\)\n", version)
    assert "cyclonedx-python-lib missing" in version
    assert "elasticsearch missing" in version
    printed = run(program, "index", "clone", folder=tmp_path, WHEREFROM_INDEX=index)
    assert "1 repository: 1 indexed" in printed
    assert printed.count("indexing takes about twice as long without the native kernel: it was not built; install") == 1
    renamed = CODE.replace("window", "recent").replace("value", "number")
    found = run(program, "search", "--code", renamed, folder=tmp_path, WHEREFROM_INDEX=index)
    assert "src/median.py" in found
    run(program, "search", "--code", "nothing = here(at, all)", folder=tmp_path, WHEREFROM_INDEX=index, code=1)
    for command, extra in (
        (["list", "--index", "elasticsearch://127.0.0.1:9200/code"], "elasticsearch"),
        (["lab", "samplers", "clone", "--plot", "plot.svg"], "lab"),
        (["check", "clone", "--format", "cyclonedx"], "sbom"),
        (["serve"], "web"),
        (["mcp"], "mcp"),
        (["lsp"], "lsp"),
    ):
        assert remedy(extra) in run(program, *command, folder=tmp_path, code=2)


@pytest.mark.nightly
def test_a_user_of_the_package_sees_its_types(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "uses.py").write_text("import wherefrom\n\nreveal_type(wherefrom.open_index)\n")
    mypy = Path(sys.executable).with_name("mypy")
    done = run(mypy, "--python-executable", installed / "python", "--strict", "uses.py", folder=tmp_path)
    assert "-> wherefrom.index.Index" in done


@pytest.fixture
def older(installed: Path, tmp_path: Path) -> Path:
    """A folder with a clone of `FILES`, and an index of it that was made in the fresh environment."""
    Repository.make(tmp_path / "clone", FILES)
    printed = run(installed / "wherefrom", "index", "clone", "--index", "index", folder=tmp_path)
    assert f"{len(FILES)} contents parsed" in printed
    assert "read as text, since their grammars are not installed: haskell 2" in printed
    return tmp_path


def here(folder: Path, *arguments: str, code: int = 0) -> str:
    """Runs wherefrom in the environment of these tests, which has every grammar in its newest version."""
    program = Path(sys.executable).with_name("wherefrom")
    return run(program, *arguments, "--index", "index", folder=folder, code=code, PYTHONPATH=str(ROOT))


def data(folder: Path, *arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(here(folder, *arguments, "--format", "json"))
    return answer


def languages_of_best_hits(folder: Path, *paths: str) -> list[str]:
    """The language of the best hit for each of these files of the clone. The best hit must be the file itself."""
    hits = [data(folder, "search", f"clone/{path}")["hits"][0] for path in paths]
    assert [hit["occurrences"][0]["path"] for hit in hits] == list(paths)
    return [hit["language"] for hit in hits]


class TestWithoutAGrammar:
    def test_the_language_is_shown_as_not_installed(self, installed: Path, tmp_path: Path) -> None:
        text = run(installed / "wherefrom", "languages", folder=tmp_path)
        lines = {line.split()[0]: line for line in text.splitlines() if line}
        assert "(not installed)" in lines["haskell"]
        assert "(not installed)" not in lines["python"]
        assert text.endswith(f"  {INSTALL_IT}\n")
        listed = json.loads(run(installed / "wherefrom", "languages", "--format", "json", folder=tmp_path))["languages"]
        missing = [entry["name"] for entry in listed if entry["grammar"] and entry["grammar"]["version"] is None]
        assert missing == ["haskell"]

    def test_a_file_of_such_a_language_is_indexed_and_found_as_text(self, installed: Path, older: Path) -> None:
        command = (installed / "wherefrom", "--format", "json", "--index", "index")
        stats = json.loads(run(command[0], "stats", *command[1:], folder=older))
        assert stats["languages"] == {"bash": 1, "go": 1, "markdown": 2, "python": 1, "text": 2}
        assert (stats["without_grammar"], stats["older"]) == ({"haskell": 2}, {})
        answer, _, _ = run(command[0], "search", "clone/Tree.hs", *command[1:], folder=older).partition("\nwherefrom:")
        [hit, *_] = json.loads(answer)["hits"]
        assert (hit["language"], hit["occurrences"][0]["path"]) == ("text", "Tree.hs")

    @pytest.mark.parametrize("command", ["search", "check"])
    def test_search_and_check_say_so(self, installed: Path, older: Path, command: str) -> None:
        answer = run(installed / "wherefrom", command, "clone/Tree.hs", "--index", "index", folder=older)
        said = f"warning: read as text, since its grammar is not installed: haskell; {INSTALL_IT}\n"
        assert answer.count(said) == 1

    def test_naming_such_a_language_is_an_error_with_the_remedy(self, installed: Path, older: Path) -> None:
        command = (installed / "wherefrom", "search", "clone/Tree.hs", "--language", "hs", "--index", "index")
        missing = "the grammar of haskell is not installed"
        assert run(*command, folder=older, code=2) == f"wherefrom: error: clone/Tree.hs: {missing}; {INSTALL_IT}\n"


class TestUpgrade:
    @pytest.mark.nightly
    def test_an_index_of_other_grammars_is_searched_counted_and_renewed(self, installed: Path, older: Path) -> None:
        assert languages_of_best_hits(older, "main.py", "run.sh", "serve.go") == ["python", "bash", "go"]
        stats = data(older, "stats")
        assert stats["older"] == {"bash": 1, "markdown": 2, "python": 1, "text": 1}
        assert stats["without_grammar"] == {"haskell": 2}
        assert "An older version analyzed these." in here(older, "stats")
        assert data(older, "index", "clone", "--no-renew")["renewed"] == 0
        report = data(older, "index", "clone")
        assert (report["renewed"], report["parsed"], report["repositories"][0]["status"]) == (5, 0, "renewed")
        stats = data(older, "stats")
        assert (stats["older"], stats["without_grammar"]) == ({}, {})
        assert stats["languages"] == {"bash": 1, "go": 1, "haskell": 1, "markdown": 2, "python": 1, "text": 1}
        assert languages_of_best_hits(older, "main.py", "Tree.hs") == ["python", "haskell"]
        assert data(older, "index", "clone")["repositories"][0]["status"] == "unchanged"
        # The environment with the older grammars can still read the index, and renews nothing.
        program = installed / "wherefrom"
        assert "main.py" in run(program, "search", "clone/main.py", "--index", "index", folder=older)
        assert "1 unchanged" in run(program, "index", "clone", "--index", "index", folder=older)
        assert data(older, "stats")["older"] == {}

    @pytest.mark.nightly
    def test_boilerplate_and_proposals_that_other_grammars_made_are_used(self, installed: Path, older: Path) -> None:
        program = installed / "wherefrom"
        run(program, "boilerplate", "add", "main", "clone/main.py", "--index", "index", folder=older)
        for number in range(3):
            own = b"\n\ndef number_%d(value):\n    return [value, value + %d]\n" % (number, number)
            Repository.make(older / f"clone{number}", {f"{number}.py": FILES["main.py"] + own})
        clones = [f"clone{number}" for number in range(3)]
        run(program, "index", *clones, "--index", "index", folder=older)
        learn = ("boilerplate", "learn", "--output", "proposals.json", "--index", "index")
        run(program, *learn, folder=older)
        here(older, "search", "clone/main.py", "--without", "main", code=1)
        assert "shared" in here(older, "boilerplate", "accept", "proposals.json")

    @pytest.mark.nightly
    def test_a_new_language_renews_the_files_that_it_claims(self, tmp_path: Path) -> None:
        """The older version does not have the module of the language Zig."""
        left_out = shutil.ignore_patterns("__pycache__", "zig.py")
        shutil.copytree(ROOT / "wherefrom", tmp_path / "older" / "wherefrom", ignore=left_out)
        files = {
            "main.zig": (SAMPLES / "zig.sample").read_bytes(),
            "zig.md": b"# Zig\n\nHow to add in it:\n\n```zig\nconst total: u32 = first + second + third;\n```\n",
            "other.md": b"# Other\n\nHow to add in it:\n\n```c\nint total = first + second + third;\n```\n",
            "main.py": (SAMPLES / "python.sample").read_bytes(),
            "story.txt": FILES["story.txt"],
        }
        Repository.make(tmp_path / "clone", files)
        command = (sys.executable, "-m", "wherefrom", "index", "clone", "--index", "index")
        assert "5 contents parsed" in run(*command, folder=tmp_path, PYTHONPATH=str(tmp_path / "older"))
        assert "zig" not in data(tmp_path, "stats")["languages"]
        report = data(tmp_path, "index", "clone")
        assert (report["renewed"], report["parsed"]) == (2, 0)
        assert data(tmp_path, "stats")["languages"] == {"markdown": 2, "python": 1, "text": 1, "zig": 1}
        assert data(tmp_path, "index", "clone")["repositories"][0]["status"] == "unchanged"
