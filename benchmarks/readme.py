"""Runs commands that README.md and docs/how-to/fixed.md show, and compares their output with the pages.

`tests/end_to_end/test_readme.py` runs the commands that need only this project. The commands of `wherefrom fixed` are
about Redis and Valkey: this runs them on clones of both, also bare ones, that have the tags 6.2.5, 7.0.0 and 7.2.5.

    python -m benchmarks.readme REDIS VALKEY
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import wherefrom
from benchmarks.fixed import SECURITY_FIXES
from tests.documentation import ROOT, Example, examples

PAGES = (ROOT / "README.md", ROOT / "docs" / "how-to" / "fixed.md")


def run(example: Example, folder: Path, index: Path) -> str:
    """The output of an example's command in a folder, whether the command finds something or not."""
    program, *arguments = shlex.split(example.command)
    if program != "wherefrom":
        raise ValueError(f"{example} is not a command of wherefrom")
    done = subprocess.run(
        [sys.executable, "-m", "wherefrom", *arguments],
        cwd=folder,
        env={**os.environ, "WHEREFROM_INDEX": str(index), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in {0, 1}:
        sys.exit(done.returncode)
    return done.stdout


def main() -> None:
    """Indexes the revisions that the pages name, runs their commands, and prints those with another output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("redis", type=Path, help="a clone of redis/redis")
    parser.add_argument("valkey", type=Path, help="a clone of valkey-io/valkey")
    clones = {name: path.resolve() for name, path in vars(parser.parse_args()).items()}
    held = {name: each for fix in SECURITY_FIXES for name, each in fix.held.items()}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, path in clones.items():
            (folder / name).symlink_to(path)
        wherefrom.index_sources(
            [
                wherefrom.ListedSource(folder / project, name=name, rev=revision)
                for name, (repository, revision, _) in held.items()
                if (project := repository.rpartition("/")[2]) in clones
            ],
            folder / "index",
        )
        differences = []
        for example in (each for page in PAGES for each in examples(page) if "--project redis" in each.command):
            differences.append(example.difference(run(example, folder, folder / "index")))
            print(f"{example}\n{differences[-1] or 'as shown'}", flush=True)
    sys.exit(any(differences))


if __name__ == "__main__":
    main()
