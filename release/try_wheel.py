"""`python -m release.try_wheel WHEEL [PYTHON ...]`: installs a wheel as a user does, indexes and searches.

It does this in a fresh environment of each Python, or of the one that runs this. A wheel whose name does not end with
`none-any.whl` has to bring the kernel.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FILE = """\
def running_median(values, width):
    window, medians = [], []
    for number, value in enumerate(values):
        window.append(value)
        if len(window) > width:
            window.pop(0)
        ordered = sorted(window)
        middle = len(ordered) // 2
        medians.append(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2)
    return medians
"""

SNIPPET = FILE.replace("medians", "found").replace("window", "recent").replace("value", "each")


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints.

    Raises:
        SystemExit: the command failed; its output is in the message.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def tried(wheel: Path, python: str) -> str:
    """Installs the wheel into a fresh environment, and returns the first line that it says of itself.

    Raises:
        SystemExit: something is wrong; the message says what.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(python, "-m", "venv", folder / "environment", folder=folder)
        programs = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
        run(programs / "pip", "install", "--quiet", "--disable-pip-version-check", wheel, folder=folder)
        repository = folder / "repository"
        repository.mkdir()
        (repository / "median.py").write_text(FILE)
        run("git", "init", "--quiet", folder=repository)
        run("git", "add", ".", folder=repository)
        author = ("-c", "user.name=none", "-c", "user.email=")
        run("git", *author, "commit", "--quiet", "--message", "Add a running median", folder=repository)
        index = f"--index={folder / 'index'}"  # and not the index of whoever tries it
        run(programs / "wherefrom", "index", index, repository, folder=folder)
        answer = json.loads(
            run(programs / "wherefrom", "search", index, "--code", SNIPPET, "--format=json", folder=folder)
        )
        if [each["path"] for each in answer["hits"][0]["occurrences"]] != ["median.py"]:
            sys.exit(f"the renamed function was not found: {answer}")
        version = run(programs / "wherefrom", "--version", folder=folder).splitlines()[0]
    if ("native kernel" in version) == wheel.name.endswith("none-any.whl"):
        sys.exit(f"the kernel is missing, or is there and should not be: {version}")
    return version


def main() -> None:
    """Tries the wheel in the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("python", nargs="*", default=[sys.executable], help="an interpreter (default: this one)")
    options = parser.parse_args()
    for python in options.python:
        print(python, tried(options.wheel.resolve(), python), sep=": ", flush=True)


if __name__ == "__main__":
    main()
