"""Makes the cases of `submissions.json`: what is handed in, and what its submissions are."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.repositories import Repository

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("submissions.json").read_text())

CODES = {
    number: "\n".join(
        f"int f{line}(int a, long b) {{ return a * {number * 100 + line} + (b >> {line % 7}) - g{line}(b, a); }}"
        for line in range(12)
    )
    for number in (1, 2, 3)
}
"""The contents of source files, by the number that a case gives."""

Tree = Mapping[str, Any]
"""What a folder or an archive has, by name: text, the number of a code, or a tree. A `.git` can be a `clone` with a
commit of an older state, a repository without a commit (`init`), or an `empty` folder."""


def write(place: Path, tree: Tree) -> list[Path]:
    """Writes a tree into a folder. Returns what is at its top."""
    place.mkdir(parents=True, exist_ok=True)
    for name, inner in sorted(tree.items(), reverse=True):  # a `.git` comes last
        if name == ".git" and inner in {"clone", "init"}:
            repository = Repository(place)
            repository.git("init", "--quiet")
            if inner == "clone":
                repository.commit({"older.c": CODES[3].encode()})
                (place / "older.c").unlink()
        elif name == ".git" and inner == "empty":
            (place / name).mkdir()
        elif isinstance(inner, Mapping) and is_archive(name):
            (place / name).write_bytes(packed(name, inner))
        elif isinstance(inner, Mapping):
            write(place / name, inner)
        else:
            (place / name).write_bytes(content(inner))
    return [place / name for name in sorted(tree)]


def content(given: str | int) -> bytes:
    return (CODES[given] if isinstance(given, int) else given).encode()


def is_archive(name: str) -> bool:
    return name.lower().endswith((".zip", ".jar", ".tar", ".tar.gz", ".tgz"))


def packed(name: str, tree: Tree) -> bytes:
    """An archive of a tree; its kind is that of the name."""
    made, files = io.BytesIO(), dict(flat(tree))
    if name.lower().endswith((".zip", ".jar")):
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
            for path, data in files.items():
                opened.writestr(path, data)
    else:
        with tarfile.open(fileobj=made, mode="w" if name.lower().endswith(".tar") else "w:gz") as archive:
            for path, data in files.items():
                member = tarfile.TarInfo(path)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def flat(tree: Tree, above: str = "") -> list[tuple[str, bytes]]:
    """The files of a tree, with archives packed."""
    found = []
    for name, inner in tree.items():
        if not isinstance(inner, Mapping):
            found.append((above + name, content(inner)))
        elif is_archive(name):
            found.append((above + name, packed(name, inner)))
        else:
            found += flat(inner, f"{above}{name}/")
    return found


def zipped(folder: Path) -> bytes:
    """A zip of a folder on the disk, with all that is hidden in it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        for path in sorted(folder.rglob("*")):
            opened.write(path, path.relative_to(folder))
    return made.getvalue()
