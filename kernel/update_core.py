"""Replaces the vendored core of Tree-sitter: `python kernel/update_core.py 0.26.13 0.26.1`.

It takes the sources from the crate `tree-sitter` of the first version, and leaves out what the kernel does not need:
queries, the allocator that can be replaced, and what runs grammars compiled to WebAssembly. The second version is that
of py-tree-sitter, the distribution `tree-sitter` on PyPI. Its sources must contain the same core, file by file.
`core/BINDING` records this version, and the tests fail if another one is installed.
"""

from __future__ import annotations

import filecmp
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

CORE = Path(__file__).resolve().parent / "core"

LEFT_OUT = ("query.c", "alloc.c", "lib.c", "wasm")

MANIFEST = """\
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"

[lib]
path = "lib.rs"

[dependencies]
tree-sitter = "={version}"
"""


def main() -> None:
    """Downloads the crate of a version, copies its sources, and compares them with those of the binding."""
    version, binding = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Cargo.toml").write_text(MANIFEST.replace("{version}", version))
        (Path(folder) / "lib.rs").touch()
        subprocess.run(["cargo", "vendor", "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        crate = Path(folder) / "vendor" / "tree-sitter"
        for part in ("src", "include"):
            shutil.rmtree(CORE / part, ignore_errors=True)
            shutil.copytree(crate / part, CORE / part, ignore=shutil.ignore_patterns(*LEFT_OUT))
        shutil.copyfile(crate / "LICENSE", CORE / "LICENSE")
    (CORE / "VERSION").write_text(version + "\n")
    different = differences(binding)
    if different:
        sys.exit(f"py-tree-sitter {binding} has another core, by {', '.join(different)}; name a version with this one")
    (CORE / "BINDING").write_text(binding + "\n")
    print(f"kernel/core is Tree-sitter {version} now; read benchmarks/notes/kernel.md for what to check")


def differences(binding: str) -> list[str]:
    """The files of the core that differ from the sources of a version of py-tree-sitter."""
    with tempfile.TemporaryDirectory() as folder:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
        subprocess.run([*download, f"--dest={folder}", f"tree-sitter=={binding}"], check=True)
        [archive] = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as sources:
            sources.extractall(folder, filter="data")
        theirs = Path(folder) / archive.name.removesuffix(".tar.gz") / "tree_sitter" / "core" / "lib"
        files = [
            path.relative_to(CORE) for part in ("src", "include") for path in sorted((CORE / part).rglob("*.[ch]"))
        ]
        _, different, missing = filecmp.cmpfiles(CORE, theirs, map(str, files), shallow=False)
    return [*different, *missing]


if __name__ == "__main__":
    main()
