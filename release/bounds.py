"""`python -m release.bounds lowest|newest [PYTEST ARGUMENTS]`: runs tests with the oldest or the newest dependencies.

The environment is made in build/bounds-lowest or build/bounds-newest, with the Python that runs this. `lowest` has the
oldest versions that pyproject.toml allows for wherefrom and its extras; their own requirements, and the tools of the
tests, are the newest ones. `newest` has the newest versions of all. Neither uses the locks. Without arguments for
pytest, the tests of `./dev unit` run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from release.lock import ROOT, environment, pins, uv

UNIT = ("-q", "-n", "auto", "--dist", "loadfile", "-m", "not slow and not live", "--hypothesis-profile", "quick")


def lowest() -> str:
    """The oldest versions of what pyproject.toml names, as constraints."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    command = [uv(), "pip", "compile", "pyproject.toml", "--resolution", "lowest-direct", "--generate-hashes"]
    command += ["--quiet", "--python", sys.executable]
    command += [word for extra in extras if extra not in {"dev", "page"} for word in ("--extra", extra)]
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
    return "".join(f"{pin.name}=={pin.version}\n" for pin in pins(done.stdout) if "wherefrom" in pin.via)


def install(folder: Path, constraints: str) -> Path:
    """Makes an environment with wherefrom, all extras and the tools of the tests. Returns its Python."""
    python = folder / "bin" / "python"
    limits = folder / "constraints.txt"
    subprocess.run([uv(), "venv", "--quiet", "--clear", "--seed", "--python", sys.executable, folder], check=True)
    limits.write_text(constraints)
    command = [uv(), "pip", "install", "--quiet", "--python", str(python), "--constraint", str(limits)]
    command += ["--editable", f"{ROOT}[dev]"]
    subprocess.run(command, env={**environment(), "WHEREFROM_KERNEL": "0"}, check=True)
    return python


def main() -> int:
    """Makes the environment and runs the tests. Returns their exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", choices=("lowest", "newest"))
    parser.add_argument("tests", nargs=argparse.REMAINDER, metavar="PYTEST ARGUMENTS")
    options = parser.parse_args()
    constraints = lowest() if options.which == "lowest" else ""
    print(constraints, end="", flush=True)
    python = install(ROOT / "build" / f"bounds-{options.which}", constraints)
    command = [python, "-m", "pytest", *(options.tests or UNIT)]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
