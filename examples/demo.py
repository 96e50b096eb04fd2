"""Indexes packages of this machine, then finds a snippet that was copied from one of them and edited.

The packages are from Python's standard library. There are also three small clones: one has the package from which the
snippet was copied, two have the function as well, and only one of these two names the source. Each command is shown as
you would type it, and the index remains for you to try more.
"""

from __future__ import annotations

import email
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "build" / "demo"
"""Where the demo keeps its files, unless it gets another folder."""

ORIGIN = "https://github.com/python/cpython"

# From `email.header`, as somebody might paste it: names are changed, a comment and a debugging line are new, one
# statement is missing.
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


CLONES = {
    "mail-tools": {
        "parts.py": f"""\
# Taken from {ORIGIN} (Lib/email/header.py).
def header_parts(header):
    if not ecre.search(header):
        return [(header, None)]
    found = []
    for line in header.splitlines():
        parts = ecre.split(line)
        is_first = True
        while parts:
            unencoded = parts.pop(0)
            if is_first:
                unencoded = unencoded.lstrip()
                is_first = False
            if unencoded:
                found.append((unencoded, None, None))
            if parts:
                charset = parts.pop(0).lower()
                encoding = parts.pop(0).lower()
                encoded = parts.pop(0)
                found.append((encoded, encoding, charset))
    return found
"""
    },
    "news-reader": {
        "headers.py": '''\
class Headers:
    """The headers of an article, in their order."""

    def __init__(self, lines):
        self.lines = [line.rstrip("\\r\\n") for line in lines if ":" in line]

    def subject(self):
        names = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in self.lines}
        return "".join(text for text, _, _ in self.decoded(names.get("subject", "(no subject)")))

    def decoded(self, value):
        words = []
        for line in value.splitlines():
            rest = ecre.split(line)
            first = True
            while rest:
                plain = rest.pop(0)
                if first:
                    plain = plain.lstrip()
                    first = False
                if plain:
                    words.append((plain, None, None))
                if rest:
                    charset = rest.pop(0).lower()
                    encoding = rest.pop(0).lower()
                    words.append((rest.pop(0), encoding, charset))
        return words
'''
    },
}
"""The files of two small projects that also have the function, by the names of their clones."""


def packages() -> list[Path]:
    """Folders of real packages on this machine. They are the same with every copy of this Python version."""
    library = Path(sysconfig.get_path("stdlib"))
    return [library / name for name in ("asyncio", "http", "importlib", "json", "logging", "unittest")]


def make_clones(folder: Path) -> None:
    """Makes the three clones. One of them has real code and the remote of its repository."""
    for name, files in CLONES.items():
        for path, text in files.items():
            (folder / name).mkdir(parents=True)
            (folder / name / path).write_text(text)
        commit(folder / name, f"https://github.com/example/{name}")
    origin = folder / "cpython"
    shutil.copytree(Path(email.__file__).parent, origin / "Lib" / "email", ignore=shutil.ignore_patterns("__pycache__"))
    commit(origin, ORIGIN)


def commit(folder: Path, remote: str) -> None:
    """Makes a git clone of a folder with files."""
    name = ["-c", "user.name=demo", "-c", "user.email=demo@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (
        ["init", "--quiet"],
        ["remote", "add", "origin", remote],
        ["add", "--all"],
        [*name, "commit", "--quiet", "--message", "Code of the demo"],
    ):
        subprocess.run(["git", "-C", folder, *arguments], check=True)


def run(*arguments: str) -> None:
    """Shows and runs one wherefrom command."""
    print(f"\n$ wherefrom {shlex.join(arguments)}", flush=True)
    subprocess.run([sys.executable, "-m", "wherefrom", *arguments], check=True)


def shown(path: Path) -> str:
    """A path as it is typed in the working directory."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def main(folder: Path) -> None:
    """Indexes, searches, and shows how to go on."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    index, snippet = shown(folder / "index"), shown(folder / "pasted.py")
    Path(snippet).write_text(SNIPPET)
    make_clones(folder / "clones")
    run("index", "--index", index, shown(folder / "clones"), *map(str, packages()))
    print("\nSomebody pasted this function and edited it. Where is it from?")
    run("search", "--index", index, "--limit", "1", snippet)
    print("\nWho else has it, and do they say where it is from?")
    run("search", "--index", index, "--brief", "--source", ORIGIN, snippet)
    program = shown(Path(sys.executable).parent / "wherefrom")
    print(f"""
The index stays in {index}. Go on with:

  {program} search --index {index} --source {ORIGIN} --unattributed {snippet}
  {program} search --index {index} FILE      # code of yours
  {program} list --index {index}
  {program} index --index {index} FOLDER     # add your own clones""")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute() if sys.argv[1:] else FOLDER)
