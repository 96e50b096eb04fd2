"""Builds the kernel with cargo: `python kernel/build.py OUTPUT` writes the extension there.

Exit code 0: it was built. 1: it cannot be built here; standard error says why.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).resolve().parent

LEAST_CARGO = (1, 85)


def build() -> Path:
    """Builds the kernel and returns the library.

    Raises:
        RuntimeError: the kernel cannot be built here.
    """
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RuntimeError("the kernel needs CPython with its GIL")
    cargo = shutil.which("cargo")
    if cargo is None:
        raise RuntimeError("cargo is not found")
    printed = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"(\d+)\.(\d+)", printed)
    if version is None or (int(version[1]), int(version[2])) < LEAST_CARGO:
        raise RuntimeError(
            f"cargo {LEAST_CARGO[0]}.{LEAST_CARGO[1]} or newer is needed, not {printed.strip() or 'this one'}"
        )
    if subprocess.run([cargo, "build", "--release", "--locked", "--quiet"], cwd=HERE, check=False).returncode:
        raise RuntimeError("cargo could not build it")
    names = {"darwin": "libwherefrom_kernel.dylib", "win32": "wherefrom_kernel.dll"}
    name = names.get(sys.platform, "libwherefrom_kernel.so")
    return HERE / "target" / "release" / name


def main() -> None:
    """Builds the kernel and writes it to the path in the arguments."""
    parser = argparse.ArgumentParser(description="Build the kernel with cargo.")
    parser.add_argument("output", type=Path, help="the extension to write, for example wherefrom/_kernel.abi3.so")
    output: Path = parser.parse_args().output
    try:
        library = build()
    except RuntimeError as error:
        print(f"the kernel was not built: {error}; wherefrom does the same in Python, more slowly", file=sys.stderr)
        sys.exit(1)
    # A process that has loaded the old file keeps that file, because the new one gets the name by a rename.
    made = output.with_name(output.name + ".new")
    shutil.copyfile(library, made)
    made.replace(output)


if __name__ == "__main__":
    main()
