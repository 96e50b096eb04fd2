"""What the page for browsers costs in Chromium: seconds from a drop to the report, memory, and bytes to load.

    python -m benchmarks.page FOLDER... [--files 1000] [--bytes 5000]

Pieces of the files in the folders are put together to files of about the same size. They
are chosen in the page and compared, and then compared by `wherefrom compare` on the same folder. Memory is that of all
processes of the browser, each shared page counted in parts (PSS).
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from benchmarks.timing import table
from benchmarks.wasm import sizes
from release.page import build
from tests.page.dropping import by_the_command, comparable, opened_page, serving

ENDINGS = (".py", ".c", ".java", ".js")

CHROMIUM = "/usr/bin/chromium"


def hand_ins(folders: list[Path], target: Path, number: int, size: int) -> None:
    """Writes files of about `size` bytes: most of a file of the folders, and a piece of another one."""
    chance = random.Random(1)
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in ENDINGS)
    found = [path for path in paths if path.is_file() and path.stat().st_size > 2 * size][: 4 * number]
    chance.shuffle(found)
    for place in range(number):
        one, other = chance.choice(found), chance.choice(found)
        parts = [(one, size - size // 4), (other, size // 4)]
        text = b"".join(path.read_bytes()[size // 2 :][:length] for path, length in parts)
        (target / f"{place:04}{one.suffix}").write_bytes(text)


@contextmanager
def watched() -> Iterator[list[int]]:
    """Notes the most memory that all browsers of this process have, in bytes, until the end of the block."""
    most, ended = [0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            total = 0
            for child in psutil.Process().children(recursive=True):
                try:
                    total += child.memory_full_info().pss if "chrom" in child.name() else 0
                except psutil.Error:
                    continue
            most[0] = max(most[0], total)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--bytes", type=int, default=5000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch, serving(build()) as server:
        folder = Path(scratch, "files")
        folder.mkdir()
        hand_ins(options.folders, folder, options.files, options.bytes)
        begin = time.perf_counter()
        command = [sys.executable, "-m", "wherefrom", "compare", "--format", "json", "--quiet", str(folder)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        native = time.perf_counter() - begin
        with sync_playwright() as tools, watched() as most:
            browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            with opened_page(browser, server.address) as page:
                idle = most[0]
                begin = time.perf_counter()
                page.choose(folder)
                answer = page.compare("file")
                seconds = time.perf_counter() - begin
            browser.close()
        same = comparable(answer) == by_the_command([folder])
    rows = [
        ("seconds from choosing to the report", f"{seconds:.1f}"),
        ("seconds of the command", f"{native:.1f}"),
        ("most memory, MB", f"{most[0] / 1e6:,.0f}"),
        ("of it before choosing, MB", f"{idle / 1e6:,.0f}"),
        ("pairs", f"{answer['counts']['found_pairs']:,}"),
        ("the same as the command's", "yes" if same else "no"),
    ]
    print(table((f"{options.files:,} files of {options.bytes:,} bytes", ""), rows))
    print()
    print(table(("", "kB", "kB as brotli"), sizes()))


if __name__ == "__main__":
    main()
