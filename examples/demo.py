"""Index real projects that are at hand, then find a snippet that was copied from one of them and edited.

The projects are packages of Python's standard library and of this environment. Each command is shown as you would type
it.
"""

from __future__ import annotations

import email
import json
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

# From `email.header`, as somebody might paste it: the names are others, a comment and a
# debugging line are new, one statement is gone.
SNIPPET = """\
def hdr_to_parts(hdr):
    # taken apart by hand
    if hasattr(hdr, '_chunks'):
        return [(_charset._encode(s, str(cs)), str(cs)) for s, cs in hdr._chunks]
    if not ecre.search(hdr):
        return [(hdr, None)]
    parts = []
    for row in hdr.splitlines():
        pieces = ecre.split(row)
        print("row", row)
        start = True
        while pieces:
            plain = pieces.pop(0)
            if start:
                plain = plain.lstrip()
                start = False
            if plain:
                parts.append((plain, None, None))
            if pieces:
                cset = pieces.pop(0).lower()
                enc = pieces.pop(0).lower()
                data = pieces.pop(0)
                parts.append((data, enc, cset))
"""


def projects() -> list[Path]:
    """Folders of real projects on this machine."""
    library, installed = Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
    packages = [
        Path(email.__file__).parent,
        Path(json.__file__).parent,
        *(library / name for name in ("asyncio", "unittest", "importlib", "http", "logging")),
        *(installed / name for name in ("typer", "bracex", "platformdirs")),
    ]
    return [package for package in packages if package.is_dir()]


def run(*arguments: str) -> None:
    """Shows and runs one wherefrom command."""
    print(f"\n$ wherefrom {shlex.join(arguments)}", flush=True)
    subprocess.run([sys.executable, "-m", "wherefrom", *arguments], check=True)


def main() -> None:
    """Indexes, searches, and cleans up."""
    with tempfile.TemporaryDirectory() as folder:
        index, snippet = f"{folder}/demo.wherefrom", f"{folder}/pasted.py"
        Path(snippet).write_text(SNIPPET)
        run("index", "--index", index, *map(str, projects()))
        run("search", "--index", index, snippet)
        run("stats", "--index", index)


if __name__ == "__main__":
    main()
