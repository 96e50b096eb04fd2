"""Replaces the vendored core of Tree-sitter: `python kernel/update_core.py 0.26.13`.

It takes the sources from the crate `tree-sitter` of that version, and leaves out what the kernel does not need:
queries, the allocator that can be replaced, and what runs grammars compiled to WebAssembly.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
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
    """Fetches the crate of the version that is named, and copies its sources."""
    [version] = sys.argv[1:]
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
    print(f"kernel/core is Tree-sitter {version} now; read docs/kernel.md for what to check")


if __name__ == "__main__":
    main()
