"""The kernel as WebAssembly in Node beside the native kernel: processor time of terms, and the sizes of its files.

    python -m benchmarks.wasm FOLDER...

The files of each language in the folders are read from their bytes to their terms in one process each, in turn, and
ratios of speed are taken round by round. The first round does not count. Run `./dev wasm` first.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.files import File
from benchmarks.fingerprint import LANGUAGE_NAMES, fingerprint_all
from benchmarks.timing import processor_seconds, ratio, table
from release.wasm import KERNEL, OUTPUT
from wherefrom.analyzers.analysis import open_file
from wherefrom.analyzers.guessing import guess
from wherefrom.model import SkipReason
from wherefrom.options import Limits

SCRIPT = Path(__file__).with_name("wasm.mjs")

LARGEST = 200_000
"""Larger files are left out."""


def files(folders: Sequence[Path], most: int) -> dict[str, list[File]]:
    """The files of each language that are not skipped, at most `most` bytes of each."""
    found: defaultdict[str, list[File]] = defaultdict(list)
    room = dict.fromkeys(LANGUAGE_NAMES, most)
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        language = guess(path.name, b"")
        if room.get(language, 0) <= 0 or not path.is_file() or path.is_symlink() or path.stat().st_size > LARGEST:
            continue
        content = path.read_bytes()
        opened = open_file(str(path), content, Limits())
        if not isinstance(opened, SkipReason) and opened.language == language:
            found[language].append(File("", str(path), content))
            room[language] -= len(content)
    return found


def in_node(read: Sequence[File]) -> Iterator[float]:
    """The processor seconds of one round after the other."""
    command = ["node", str(SCRIPT), str(KERNEL / "web"), str(OUTPUT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps([file.path for file in read]) + "\n")
        while True:
            process.stdin.write("\n")
            process.stdin.flush()
            yield float(process.stdout.readline())


def sizes() -> list[tuple[str, str, str]]:
    """The bytes of each module, plain and as brotli."""
    compress = "const {readFileSync} = require('fs'), {brotliCompressSync, constants} = require('zlib');"
    compress += (
        "for (const path of process.argv.slice(1)) { const bytes = readFileSync(path); console.log(bytes.length,"
    )
    compress += "brotliCompressSync(bytes, {params: {[constants.BROTLI_PARAM_LGWIN]: 24}}).length); }"
    paths = [OUTPUT / "kernel.wasm", OUTPUT / "rules.json", *sorted((OUTPUT / "grammars").iterdir())]
    command = ["node", "-e", compress, *map(str, paths)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [
        (path.stem, f"{int(plain) / 1e3:,.0f}", f"{int(compressed) / 1e3:,.0f}")
        for path, (plain, compressed) in zip(paths, map(str.split, lines), strict=True)
    ]


def main() -> None:
    """Measures the files in the arguments, and prints tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--bytes", type=int, default=5_000_000, help="at most this number for each language")
    options = parser.parse_args()
    if not OUTPUT.exists():
        sys.exit("the kernel is not built as WebAssembly; run ./dev wasm")
    rows = []
    for language, read in files(options.folders, options.bytes).items():
        size = sum(len(file.content) for file in read) / 1e6
        here, there = [], []
        for number, seconds in zip(range(options.rounds + 1), in_node(read), strict=False):
            native = processor_seconds(partial(fingerprint_all, read))
            if number:
                here.append(native)
                there.append(seconds)
        speeds = (f"{size / min(seconds):.1f}" for seconds in (here, there))
        rows.append((language, str(len(read)), f"{size:.1f}", *speeds, f"{ratio(here, there):.2f}"))
    print(table(("", "files", "MB", "native, MB/s", "WebAssembly, MB/s", "ratio, median"), rows))
    print()
    print(table(("", "kB", "kB as brotli"), sizes()))


if __name__ == "__main__":
    main()
