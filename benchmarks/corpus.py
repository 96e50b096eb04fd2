"""The corpus of the benchmarks: source distributions of known projects, each unpacked as a git repository.

`pip download` fetches them, from whatever package index pip is configured to use. No code of a project is executed,
except what pip needs for the metadata. The folder must lie outside this repository, so that it is never committed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import table

FOLDER_VARIABLE = "WHEREFROM_BENCHMARK_CORPUS"

PROJECTS = (
    "ansible-core==2.19.2",
    "bokeh==3.8.0",
    "buildbot==4.3.0",
    "cffi==2.0.0",
    "cython==3.1.4",
    "dash==3.2.0",
    "django==5.2.6",
    "grpcio==1.75.0",
    "jep==4.2.2",
    "jpype1==1.6.0",
    "lxml==6.0.1",
    "mercurial==7.1",
    "mypy==1.18.1",
    "pillow==11.3.0",
    "py4j==0.10.9.9",
    "pyinstaller==6.16.0",
    "pyjnius==1.7.0",
    "python-for-android==2026.5.9",
    "pythonnet==3.0.5",
    "pyzmq==27.1.0",
    "sphinx==8.2.3",
    "sympy==1.14.0",
    "tornado==6.5.2",
    "twisted==25.5.0",
    "z3-solver==5.4.0.0",
)
"""Name and version of each project; together more than 200 MB of Python, C, C++, JavaScript, Java and others."""

HELD_OUT = "sphinx"
"""The project that `finding` does not index: its functions must not be found."""


@dataclass(frozen=True, slots=True)
class Project:
    """One project of the corpus: `folder` is its git repository, `size` the bytes of its files."""

    name: str
    folder: Path
    files: int
    size: int


def corpus_folder(argument: str | None) -> Path:
    """The folder of the corpus: the argument, else the variable `FOLDER_VARIABLE`, else a folder in the user's cache.

    Raises:
        SystemExit: the folder lies inside this repository.
    """
    chosen = argument or os.environ.get(FOLDER_VARIABLE) or "~/.cache/wherefrom-benchmarks"
    folder = Path(chosen).expanduser().resolve()
    if folder.is_relative_to(Path(__file__).resolve().parents[1]):
        sys.exit(f"the corpus must not lie inside this repository: {folder}; choose a folder outside")
    return folder


def add_corpus_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--corpus",
        metavar="FOLDER",
        help=f"where `python -m benchmarks.corpus` put the projects (default: ${FOLDER_VARIABLE}, else a cache folder)",
    )


def projects(folder: Path) -> list[Project]:
    """The projects in the folder, by name.

    Raises:
        SystemExit: the folder has no project.
    """
    found = [_measured(path.parent) for path in sorted(folder.glob("repositories/*/.git"))]
    if not found:
        sys.exit(f"no corpus in {folder}; make it with: python -m benchmarks.corpus --corpus {folder}")
    return found


def _measured(repository: Path) -> Project:
    sizes = [
        Path(root, name).lstat().st_size
        for root, folders, names in os.walk(repository)
        if ".git" not in Path(root).relative_to(repository).parts
        for name in names
    ]
    return Project(repository.name, repository, len(sizes), sum(sizes))


def fetch(requirement: str, folder: Path) -> None:
    """Downloads, unpacks and commits one project, unless it is in the folder already.

    Raises:
        subprocess.CalledProcessError: pip or git failed.
        ValueError, tarfile.TarError: the archive is unsafe or broken.
    """
    name = requirement.partition("==")[0]
    repository = folder / "repositories" / name
    if repository.exists():
        return
    repository.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="unpacking-") as scratch:
        downloads, unpacked = Path(scratch, "archive"), Path(scratch, "unpacked")
        # Only the project itself must come as source: what pip needs to read its metadata may come as a wheel.
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name)
        subprocess.run([*pip, "--dest", str(downloads), requirement], check=True)
        (archive,) = downloads.iterdir()
        shutil.unpack_archive(archive, unpacked, filter="data")
        (top,) = unpacked.iterdir()
        _commit(top, requirement)
        top.rename(repository)


def _commit(top: Path, message: str) -> None:
    """Commits a folder to a new git repository, whatever the user's git configuration says."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    environment |= {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    git = ("git", "-C", str(top), "-c", "user.name=benchmarks", "-c", "user.email=benchmarks@localhost")
    for command in (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "--all", "--force"),
        ("commit", "--quiet", "--message", message),
    ):
        subprocess.run([*git, *command], check=True, env=environment)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    add_corpus_option(parser)
    folder = corpus_folder(parser.parse_args().corpus)
    folder.mkdir(parents=True, exist_ok=True)
    failed = []
    for requirement in PROJECTS:
        try:
            fetch(requirement, folder)
        except (subprocess.CalledProcessError, OSError, ValueError, shutil.ReadError) as error:
            failed.append(requirement)
            print(f"{requirement}: {error}", file=sys.stderr)
    found = projects(folder)
    rows = [(each.name, f"{each.files:,}", f"{each.size / 1e6:.1f}") for each in found]
    total = ("all", f"{sum(each.files for each in found):,}", f"{sum(each.size for each in found) / 1e6:.1f}")
    print(table(("project", "files", "MB"), [*rows, total]))
    if failed:
        sys.exit(f"could not be fetched: {', '.join(failed)}")


if __name__ == "__main__":
    main()
