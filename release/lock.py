"""`python -m release.lock`: locks the versions for development and CI, each with the hashes of its files.

    python -m release.lock             keeps the locked versions that pyproject.toml still allows
    python -m release.lock --upgrade   takes the newest ones

It runs uv, which is locked itself. The locks hold for all systems and all versions of Python that pyproject.toml
allows, and have no address: pip uses the index that is configured.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]

LOCKS = ROOT / "release" / "requirements"

PARTS = {
    "dev": ("pyproject.toml", "--extra", "dev"),
    "release": ("--group", "release"),
    "publish": ("--group", "publish"),
}
"""The locks, each with what uv resolves for it: the project with all extras, the tools of `release/`, and those that
sign and upload what was built.
"""

OLDEST = "3.11"


_PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))? \\\n"
    r"(?P<hashes>(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)(?P<via>(?:    # .*\n)+)",
    re.MULTILINE,
)


class Pin(NamedTuple):
    """A locked version.

    Attributes:
        marker: where it is installed.
        hashes: how many files it has.
        via: what requires it; the project itself is `wherefrom`.
    """

    name: str
    version: str
    marker: str
    hashes: int
    via: frozenset[str]


def pins(text: str) -> list[Pin]:
    """The versions in a lock."""
    return [
        Pin(
            canonicalize_name(found["name"]),
            found["version"],
            found["marker"] or "",
            found["hashes"].count("--hash"),
            frozenset(re.findall(r"^    #(?: via)? +([\w.-]+)", found["via"], re.MULTILINE)) - {"via"},
        )
        for found in _PIN.finditer(text)
    ]


def asked(project: Mapping[str, Any], part: str) -> list[Requirement]:
    """What pyproject.toml requires for a lock, with the extras that an extra includes."""
    if part != "dev":
        return [Requirement(each) for each in project["dependency-groups"][part]]
    table = project["project"]
    todo, found = [*table["dependencies"], *table["optional-dependencies"]["dev"]], []
    for text in todo:
        requirement = Requirement(text)
        if requirement.name == table["name"]:
            todo += (each for extra in requirement.extras for each in table["optional-dependencies"][extra])
        else:
            found.append(requirement)
    return found


def disagreements(project: Mapping[str, Any], part: str, text: str) -> list[str]:
    """Where pyproject.toml and a lock do not fit, found without an index. None: nobody has to write the lock again."""
    wanted, locked = asked(project, part), pins(text)
    names = {canonicalize_name(each.name) for each in wanted}
    return [
        *(
            f"{each} is not locked"
            for each in wanted
            if canonicalize_name(each.name) not in {pin.name for pin in locked}
        ),
        *(
            f"{pin.name} {pin.version} is locked, and {each} required"
            for each in wanted
            for pin in locked
            if pin.name == canonicalize_name(each.name) and pin.version not in each.specifier
        ),
        *(
            f"{pin.name} is locked and no longer required"
            for pin in locked
            if "wherefrom" in pin.via and pin.name not in names
        ),
    ]


def uv() -> str:
    """The program uv of this environment, or else of that of the tools."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside if beside.exists() else tools() / "uv")


def tools() -> Path:
    """The folder of the programs of the lock `release`, which are installed into an environment of their own."""
    lock, folder = LOCKS / "release.txt", ROOT / "build" / "tools"
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
        print("installing into build/tools ...", file=sys.stderr, flush=True)
        venv.create(folder, clear=True, with_pip=True, symlinks=True)
        command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*command, "--no-deps", "--require-hashes", "--requirement", str(lock)], check=True)
        shutil.copyfile(lock, stamp)
    return folder / "bin"


def environment() -> dict[str, str]:
    """The variables of this process, with pip's index for uv, which does not read pip's settings."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    index = os.environ.get("PIP_INDEX_URL") or asked.stdout.strip()
    return {**({"UV_DEFAULT_INDEX": index} if index else {}), **os.environ}


def main(arguments: list[str] | None = None) -> None:
    """Writes the locks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    options = parser.parse_args(arguments)
    LOCKS.mkdir(exist_ok=True)
    for name, part in PARTS.items():
        command = [uv(), "pip", "compile", *part, "--universal", "--python-version", OLDEST, "--generate-hashes"]
        command += ["--quiet", "--custom-compile-command", "python -m release.lock", "--no-emit-index-url"]
        command += ["--output-file", str(LOCKS / f"{name}.txt"), *(["--upgrade"] if options.upgrade else [])]
        code = subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode
        if code:
            sys.exit(code)


if __name__ == "__main__":
    main()
