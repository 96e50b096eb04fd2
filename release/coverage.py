"""`./dev coverage [PYTEST ARGUMENTS]`: which branches of `wherefrom/` and of the kernel the tests take.

Without arguments, all tests run. The programs that tests start count too. The figures of Python are by branches, those
of the kernel by regions of its Rust code: the stable compiler has nothing finer. The kernel is built with counters into
`build/coverage/`. For that, Rust needs its tools: `rustup component add llvm-tools`. Without them, only Python is
measured.

It prints the files with the most that is not covered. `build/coverage/` then has `python/` and `kernel/`, pages that
show each line.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

FOLDER = ROOT / "build" / "coverage"

KERNEL = ROOT / "wherefrom" / "_kernel.abi3.so"

MOST = 25
"""How many files are named."""

SETTINGS = """
[run]
branch = true
source = wherefrom
parallel = true
patch = subprocess, execv, fork, _exit
data_file = {folder}/data
[report]
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
    ^ *\\.\\.\\.$
"""


def tools() -> Path | None:
    """The folder of the tools of Rust's LLVM; None if they are not there."""
    if shutil.which("rustc") is None:
        return None
    printed = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout
    return next((each.parent for each in Path(printed.strip()).glob("lib/rustlib/*/bin/llvm-cov*")), None)


def built() -> None:
    """Builds the kernel with counters in place of the other one."""
    flags = {"RUSTFLAGS": "-C instrument-coverage", "CARGO_TARGET_DIR": str(FOLDER / "target")}
    flags["LLVM_PROFILE_FILE"] = str(FOLDER / "scripts.profraw")  # the scripts that cargo runs have counters too
    command = ["cargo", "build", "--release", "--locked", "--quiet"]
    subprocess.run(command, cwd=ROOT / "kernel", env={**os.environ, **flags}, check=True)
    made = KERNEL.with_name(KERNEL.name + ".new")
    shutil.copyfile(FOLDER / "target" / "release" / "libwherefrom_kernel.so", made)
    made.replace(KERNEL)


def of_python(environment: dict[str, str]) -> None:
    """Prints the files of Python with the most branches and lines that no test took."""
    command = [sys.executable, "-m", "coverage"]
    for step in (["combine", "--quiet"], ["html", "--quiet", "-d", "python"], ["json", "--quiet", "-o", "python.json"]):
        subprocess.run([*command, *step], cwd=FOLDER, env=environment, check=True)
    found = json.loads((FOLDER / "python.json").read_text())
    rows = [
        (
            each["summary"]["missing_lines"] + each["summary"]["missing_branches"],
            each["summary"]["percent_covered"],
            name,
        )
        for name, each in found["files"].items()
    ]
    named("Python, lines and branches", found["totals"]["percent_covered"], rows)


def of_kernel(programs: Path) -> None:
    """Prints the files of the kernel with the most regions that no test ran."""
    profiles = [str(path) for path in FOLDER.glob("kernel-*.profraw")]
    data = FOLDER / "kernel.profdata"
    subprocess.run([str(programs / "llvm-profdata"), "merge", "-sparse", *profiles, "-o", str(data)], check=True)
    shown = [str(KERNEL), f"-instr-profile={data}", "--ignore-filename-regex=registry|rustc"]
    cov = str(programs / "llvm-cov")
    pages = ["--format=html", f"--output-dir={FOLDER / 'kernel'}"]
    subprocess.run([cov, "show", *shown, *pages], check=True)
    printed = subprocess.run(
        [cov, "export", "--summary-only", *shown], capture_output=True, text=True, check=True
    ).stdout
    [found] = json.loads(printed)["data"]
    rows = []
    for each in found["files"]:
        regions = each["summary"]["regions"]
        name = Path(each["filename"]).relative_to(ROOT).as_posix()
        rows.append((regions["count"] - regions["covered"], regions["percent"], name))
    named("kernel, regions", found["totals"]["regions"]["percent"], rows)


def named(what: str, percent: float, rows: list[tuple[int, float, str]]) -> None:
    """Prints a share, and the files with the most that is not covered."""
    print(f"\n{what}: {percent:.1f}% covered\n\nnot covered   share of the file that is covered")
    for number, share, name in sorted(rows, reverse=True)[:MOST]:
        print(f"{number:11} {share:6.1f}%  {name}")


def main() -> None:
    """Runs tests and prints what they do not reach."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    _, arguments = parser.parse_known_args()
    shutil.rmtree(FOLDER / "python", ignore_errors=True)
    for old in (*FOLDER.glob("data*"), *FOLDER.glob("*.prof*")):
        old.unlink()
    FOLDER.mkdir(parents=True, exist_ok=True)
    settings = FOLDER / "settings"
    settings.write_text(SETTINGS.format(folder=FOLDER))
    environment = {**os.environ, "COVERAGE_RCFILE": str(settings)}
    programs, before = tools(), FOLDER / KERNEL.name
    if programs is not None:
        shutil.copyfile(KERNEL, before)
        built()
        environment |= {"LLVM_PROFILE_FILE": f"{FOLDER}/kernel-%4m.profraw", "WHEREFROM_KERNEL": "require"}
    try:
        command = [sys.executable, "-m", "coverage", "run", "-m", "pytest"]
        code = subprocess.run([*command, *arguments], cwd=ROOT, env=environment, check=False).returncode
        if programs is not None:
            of_kernel(programs)
    finally:
        if programs is not None:
            before.replace(KERNEL)
        for stray in ROOT.glob("default_*.profraw"):  # of processes without the variables of this one
            stray.unlink()
    of_python(environment)
    sys.exit(code)


if __name__ == "__main__":
    main()
