"""`./dev wheels`: builds the source distribution and all wheels into `dist/`.

    ./dev wheels                     everything; fails at the end if a target cannot be built here
    ./dev wheels --available         only what can be built here, and prints what cannot
    ./dev wheels --target TARGET     only the wheel for a target; can be given again

There is a wheel with the kernel for each target of `PLATFORMS`, for CPython 3.11 and newer. The target `none` is the
wheel with only Python, for all other systems, and the source distribution. No container is needed: Zig's C compiler and
linker have old versions of glibc, musl, and the interfaces of macOS and Windows. Rust needs its standard library for a
target: `rustup target add TARGET`. If Rust has only the source of the library (`rustup component add rust-src`) and
`RUSTC_BOOTSTRAP=1` is set, cargo builds it. On macOS, Xcode links the wheels for macOS.

Each wheel is checked: that it fits its platform (auditwheel), and that its kernel uses only the stable interface of
Python (abi3audit).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

from release.lock import ROOT, tools

PLATFORMS = {
    "x86_64-unknown-linux-gnu": "manylinux_2_17_x86_64",
    "aarch64-unknown-linux-gnu": "manylinux_2_17_aarch64",
    "x86_64-unknown-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-unknown-linux-musl": "musllinux_1_2_aarch64",
    "x86_64-apple-darwin": "macosx_11_0_x86_64",
    "aarch64-apple-darwin": "macosx_11_0_arm64",
    "x86_64-pc-windows-gnu": "win_amd64",
    "aarch64-pc-windows-gnullvm": "win_arm64",
    "x86_64-pc-windows-msvc": "win_amd64",
    "aarch64-pc-windows-msvc": "win_arm64",
}
"""The targets, as Rust names them, each with the platform in the name of its wheel."""

ELSEWHERE = "-gnu" if sys.platform == "win32" else "-msvc"
"""Of the two targets for a wheel for Windows, the one that is built only if it is named: Microsoft's linker runs on
Windows alone."""

LIBRARIES = {"apple": "libwherefrom_kernel.dylib", "windows": "wherefrom_kernel.dll"}
"""The names that Rust gives the kernel where it does not end with `.so`."""

NONE = "none"

MOST = 5 << 20
"""The largest size of a wheel in bytes."""

BUILT = ROOT / "build" / "wheels"
"""The folder for what the compilers write. It is kept, so that the next build takes less time."""


def standard_library(target: str, environment: Mapping[str, str] = os.environ) -> list[str] | None:
    """The arguments that give cargo a standard library for a target. Returns None if this Rust has none."""
    rustc = environment.get("RUSTC", "rustc")
    printed = subprocess.run(
        [rustc, "--print", "target-libdir", "--print", "sysroot", "--target", target],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    if len(printed) != 2:
        return None
    libraries, sysroot = map(Path, printed)
    if any(libraries.glob("libstd-*")):
        return []
    if (sysroot / "lib" / "rustlib" / "src" / "rust" / "library" / "Cargo.lock").exists():
        return ["-Zbuild-std=std,panic_abort"]
    return None


def kernel(source: Path, target: str, arguments: list[str], environment: Mapping[str, str]) -> Path:
    """Builds the kernel for a target, and returns its library.

    Raises:
        subprocess.CalledProcessError: cargo failed, and has printed why.
    """
    oldest = ".".join(PLATFORMS[target].split("_")[1:3])  # of glibc, musl or macOS
    triple = f"{target}.{oldest}" if target.endswith("linux-gnu") else target
    native = (sys.platform == "darwin" and "apple" in target) or target.endswith("-msvc")
    build = ["cargo", "build"] if native else ["cargo-zigbuild", "zigbuild"]
    command = [*build, "--release", "--locked", "--quiet", "--target", triple, *arguments]
    variables = {**environment, "MACOSX_DEPLOYMENT_TARGET": oldest}
    subprocess.run(command, cwd=source / "kernel", env=variables, check=True)
    name = next((name for system, name in LIBRARIES.items() if system in target), "libwherefrom_kernel.so")
    return BUILT / target / "release" / name


def wheel(source: Path, output: Path, environment: Mapping[str, str]) -> Path:
    """Builds a wheel from the unpacked source distribution, and puts it into `output`."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["python", "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, str(source)]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        (made,) = Path(folder).iterdir()
        return Path(shutil.copy(made, output))


def problems(made: Path, platform: str, environment: Mapping[str, str]) -> list[str]:
    """What is wrong with a wheel that has the kernel. Prints its size, and which versions of symbols it uses."""
    found = []
    if made.stat().st_size > MOST:
        found.append(f"{made.name} has {made.stat().st_size:,} bytes, more than {MOST:,}")
    if "linux" in platform:
        # Without the libraries of this machine, which may be for another C library.
        command = ["auditwheel", "show", "--json", "--ldpaths", os.devnull, str(made)]
        shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        audit = json.loads(shown.stdout)
        print(f"  {made.stat().st_size:,} bytes; symbols of {json.dumps(audit['versioned_symbols'])}")
        # The loader of musl takes `libc.so` for itself. auditwheel knows only the name that Alpine gives the library.
        fitting = audit["sym_tag" if {*audit["external_libs"]} == {"libc.so"} else "overall_tag"]
        if not fits(fitting, platform):
            found.append(f"{made.name} fits only {fitting}")
    audited = subprocess.run(
        ["abi3audit", "--strict", str(made)], env=environment, capture_output=True, text=True, check=False
    )
    if audited.returncode:
        found.append(f"{made.name}: {audited.stdout}{audited.stderr}")
    return found


def fits(fitting: str, platform: str) -> bool:
    """True if a wheel that fits the first platform also fits the second: the same C library, not newer."""
    first, second = (re.fullmatch(r"([a-z]+)_(\d+)_(\d+)_(\w+)", tag) for tag in (fitting, platform))
    if first is None or second is None:  # `linux_x86_64` promises nothing
        return False
    return first.group(1, 4) == second.group(1, 4) and _version(first) <= _version(second)


def _version(tag: re.Match[str]) -> tuple[int, ...]:
    return tuple(map(int, tag.group(2, 3)))


def main(arguments: list[str] | None = None) -> None:
    """Builds what the arguments ask for. The exit code is 1 if a target cannot be built here, or a wheel is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--available", action="store_true", help="leave out targets that cannot be built here")
    parser.add_argument("--target", action="append", choices=[NONE, *PLATFORMS], help="build only this")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="the folder for the files (default: dist)")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "PATH": f"{tools()}{os.pathsep}{os.environ['PATH']}",
        "CARGO_TARGET_DIR": str(BUILT),
        # The linker for macOS keeps unused code, so that the kernel would be twice as large.
        "CARGO_PROFILE_RELEASE_LTO": "fat",
        "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "1",
        "PYO3_NO_PYTHON": "1",  # the stable interface needs none
        "SOURCE_DATE_EPOCH": subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True).strip(),
    }
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        command = ["python", "-m", "build", "--no-isolation", "--sdist", "--outdir", folder, str(ROOT)]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        (packed,) = Path(folder).iterdir()
        # Wheels are built from it, as users without a wheel do: so it is known to have all that they need.
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder, packed.name.removesuffix(".tar.gz"))
        targets = options.target or [NONE, *(each for each in PLATFORMS if f"windows{ELSEWHERE}" not in each)]
        if NONE in targets:
            print(shutil.copy(packed, options.output))
            print(wheel(source, options.output, {**environment, "WHEREFROM_KERNEL": "0"}))
        for target in (each for each in PLATFORMS if each in targets):
            library = standard_library(target)
            if library is None:
                print(f"left out: {target}, for which Rust has no standard library here: rustup target add {target}")
                wrong += [] if options.available else [f"{target} was not built"]
                continue
            platform = PLATFORMS[target]
            with_kernel = {
                "WHEREFROM_KERNEL_LIBRARY": str(kernel(source, target, library, environment)),
                "WHEREFROM_KERNEL_PLATFORM": platform,
            }
            made = wheel(source, options.output, {**environment, **with_kernel})
            print(made)
            wrong += problems(made, platform, environment)
    for problem in wrong:
        print(problem, file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
