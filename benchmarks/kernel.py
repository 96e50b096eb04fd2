"""What the native kernel gives: processor time of terms alone, and of a whole run of `wherefrom index`.

    python -m benchmarks.kernel CLONE...

*Terms alone* is all that makes the terms of a file from its bytes, in one process, without reading or writing. Both are
measured with the kernel and without it in turn, and ratios are taken round by round.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

from benchmarks.files import File
from benchmarks.fingerprint import fingerprint_all, in_python
from benchmarks.memory import run
from benchmarks.timing import processor_seconds, ratio, table
from wherefrom.support import extension


def files(clone: Path) -> Iterator[File]:
    """The files of a clone's HEAD."""
    packed = subprocess.run(("git", "-C", str(clone), "archive", "HEAD"), check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if member.isfile() and (content := archive.extractfile(member)):
                yield File(clone.name, member.name, content.read())


def indexing(clones: Sequence[Path], kernel: str) -> float:
    """The processor seconds of all processes that index the clones into a new index."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {extension.VARIABLE: kernel}):
        command = [sys.executable, "-m", "wherefrom", "index", "--index", f"{folder}/index", *map(str, clones)]
        done = run(command)
    if done.code:
        sys.exit(done.stderr)
    return done.processor


def main() -> None:
    """Measures the clones in the arguments, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    read = [file for clone in options.clones for file in files(clone)]
    seconds: dict[tuple[str, bool], list[float]] = {}
    for _ in range(options.rounds):
        for kernel in (True, False):
            terms = partial(fingerprint_all, read)
            alone = processor_seconds(terms if kernel else partial(in_python, terms))
            seconds.setdefault(("terms alone", kernel), []).append(alone)
            whole = indexing(options.clones, "require" if kernel else "0")
            seconds.setdefault(("indexing", kernel), []).append(whole)
    rows = []
    for what in ("terms alone", "indexing"):
        with_kernel, without = seconds[what, True], seconds[what, False]
        rows.append((what, f"{min(with_kernel):.2f}", f"{min(without):.2f}", f"{ratio(without, with_kernel):.2f}"))
    print(f"{len(read)} files, {sum(len(file.content) for file in read) / 1e6:.1f} MB")
    print(table(("", "s with the kernel", "s without", "ratio, median"), rows))


if __name__ == "__main__":
    main()
