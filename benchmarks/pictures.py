"""Takes the pictures of the pages that README.md and docs/ show, with Chromium.

The pages are made here, from modules of Python's library and from the clones of the demo, so the pictures can be taken
again whenever a page changes:

    python -m benchmarks.pictures                # all of them, into docs/pictures
    python -m benchmarks.pictures --into FOLDER
"""

from __future__ import annotations

import argparse
import bisect
import email.header
import fnmatch
import graphlib
import heapq
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import wherefrom
from examples import demo

ROOT = Path(__file__).resolve().parents[1]

HOME = "/home/ann"
"""The pages show this in place of the temporary folder."""

PAGES = ROOT / "wherefrom" / "reports" / "pages"

TAKEN = "pages.sha256"
"""The file beside the pictures with the `look` of the pages that they show. A test compares it."""

COLORS = 128
"""The number of colors of a picture: no difference is visible, and the file is a third as large."""

TEMPLATE = '''\
"""Exercise 4: a small library."""

import sys
import argparse


def parse_arguments():
    parser = argparse.ArgumentParser(description="exercise 4")
    parser.add_argument("file")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


'''
"""The template that all authors of hand-ins were given."""

QUEUE = {
    "heap": "queue",
    "item": "entry",
    "lastelt": "final",
    "returnitem": "best",
    "pos": "place",
    "startpos": "start",
    "newitem": "moved",
    "parentpos": "above",
    "parent": "upper",
    "childpos": "below",
    "rightpos": "beside",
    "endpos": "end",
}
"""New names for those in `heapq`."""

WRAPPED = {
    "text": "message",
    "chunks": "pieces",
    "chunk": "piece",
    "lines": "rows",
    "width": "columns",
    "indent": "margin",
}
"""New names for those in `textwrap`."""


def look() -> str:
    """The hash of all templates, styles and scripts of the pages."""
    found = sha256()
    for path in sorted(path for folder in ("templates", "assets") for path in (PAGES / folder).rglob("*.*")):
        found.update(f"{path.relative_to(PAGES).as_posix()}\0".encode() + path.read_bytes())
    return found.hexdigest()


def other_names(code: str, names: Mapping[str, str]) -> str:
    """The same code with each of these names replaced."""
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), code)


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Writes files, by their paths."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def hand_ins() -> dict[str, str]:
    """Ten programs, by file name; some have parts of others under other names."""
    heap, wrap, split, order = (inspect.getsource(module) for module in (heapq, textwrap, shlex, graphlib))
    heap = heap[heap.index("def heappush") :]  # drops a long comment
    return {
        "ann.py": TEMPLATE + heap,
        "bob.py": TEMPLATE + other_names(heap, QUEUE),
        "cleo.py": TEMPLATE + wrap,
        "dan.py": TEMPLATE + inspect.getsource(shlex.shlex) + inspect.getsource(textwrap.TextWrapper),
        "eve.py": TEMPLATE + inspect.getsource(fnmatch),
        "finn.py": TEMPLATE + order,
        "gus.py": TEMPLATE + heap[len(heap) // 4 :] + inspect.getsource(email.header.Header),
        "hana.py": TEMPLATE + other_names(order, {"node": "vertex", "result": "answer"}) + inspect.getsource(bisect),
        "ida.py": TEMPLATE + split[len(split) // 2 :],
        "jo.py": TEMPLATE + other_names(wrap, WRAPPED),
    }


def make_project(folder: Path) -> None:
    """A project that has code of Python's library; one of its files names the source."""
    see = f"# see {demo.ORIGIN}/blob/main/Lib/textwrap.py\n"
    queue = "\n\n".join(inspect.getsource(function) for function in (heapq.merge, heapq.nsmallest, heapq.nlargest))
    layout = f'"""How articles are laid out."""\n\nimport re\n\n\n{see}{inspect.getsource(textwrap.dedent)}'
    write(folder, {"newsdesk/layout.py": layout, "newsdesk/queue.py": f'"""What is printed next."""\n\n\n{queue}'})
    demo.commit(folder, "https://github.com/example/newsdesk")


def make_library(folder: Path) -> None:
    """A clone with some modules of Python's library, under its license."""
    modules = {f"Lib/{module.__name__}.py": inspect.getsource(module) for module in (heapq, textwrap, email.header)}
    terms = Path(sysconfig.get_path("stdlib"), "LICENSE.txt").read_text(encoding="utf-8")
    write(folder, {**{path.replace("email.", "email/"): text for path, text in modules.items()}, "LICENSE": terms})
    demo.commit(folder, demo.ORIGIN)


def command(folder: Path, *arguments: str) -> list[str]:
    """The command line of wherefrom with an index in a folder."""
    return [sys.executable, "-m", "wherefrom", *arguments, "--index", str(folder / "index")]


def run(folder: Path, *arguments: str) -> str:
    """The output of a command in a folder. An exit code that means a finding is allowed."""
    done = subprocess.run(
        command(folder, *arguments),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in {0, 1}:
        sys.exit(done.returncode)
    return done.stdout.replace(str(folder), HOME)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server over the index in a folder."""
    with subprocess.Popen(
        command(folder, "serve", "--port", "0"), cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        yield process.stderr.readline().split()[-1].rstrip("/")
        process.terminate()


class Camera:
    """Opens pages in a browser, and writes pictures of them."""

    def __init__(self, browser: Browser, into: Path) -> None:
        self._browser, self._into = browser, into

    @contextmanager
    def page(self, address: str, width: int, height: int, scheme: Literal["light", "dark"] = "light") -> Iterator[Page]:
        """A page in a window of the given size in pixels."""
        context = self._browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
        try:
            page = context.new_page()
            page.goto(address)
            yield page
        finally:
            context.close()

    def take(self, page: Page, name: str) -> None:
        """Writes a picture of the window."""
        path = self._into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        picture.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
        print(path)


def search_and_file(camera: Camera, folder: Path) -> None:
    """Two pages of the server: a search for the demo's snippet that shows who names its source, and a file with the
    parts of it that are elsewhere.
    """
    demo.make_clones(folder / "clones")
    sources = [folder / "clones" / name for name in demo.CLONES]
    wherefrom.index_sources([*sources, *demo.packages()], folder / "index")
    with served(folder) as address:
        asked = urlencode({"code": demo.SNIPPET, "source": demo.ORIGIN})
        with camera.page(f"{address}/search?{asked}", 1300, 1000) as page:
            page.locator(".hit pre").first.wait_for()
            camera.take(page, "serve.png")
    make_library(folder / "library")
    wherefrom.index_sources([folder / "library"], folder / "index")
    with (
        served(folder) as address,
        camera.page(f"{address}/r/github.com/python/cpython/Lib/email/header.py#L74-98", 1300, 800) as page,
    ):
        page.locator("#L90 > button.mark").click()
        page.locator("#elsewhere li").first.wait_for()
        camera.take(page, "file.png")


def check(camera: Camera, folder: Path) -> None:
    """The page of a check."""
    make_library(folder / "library")
    make_project(folder / "newsdesk")
    wherefrom.index_sources([folder / "library", *demo.packages()], folder / "index")
    (folder / "check.html").write_text(run(folder, "check", "newsdesk", "--format", "html"))
    with camera.page((folder / "check.html").as_uri(), 1100, 1000) as page:
        camera.take(page, "check.png")


def compare(camera: Camera, folder: Path) -> None:
    """The page of a comparison: its overview, its clusters, and a pair."""
    write(folder, {"handed-out.py": TEMPLATE, **{f"hand-ins/{name}": code for name, code in hand_ins().items()}})
    run(folder, "compare", "hand-ins", "--template", "handed-out.py", "--html", "report.html")
    address = (folder / "report.html").as_uri()
    with camera.page(address, 1280, 900) as page:
        page.locator("#pair-list .list-rows .rank").first.wait_for()
        camera.take(page, "compare.png")
    with camera.page(address, 1100, 420) as page:
        page.locator(".graph").wait_for()
        page.locator("#clusters").evaluate("section => section.scrollIntoView()")
        camera.take(page, "clusters.png")
    with camera.page(address, 1100, 800, "dark") as page:
        page.locator("#pair-list .path[title='ann.py']").first.click()
        page.locator("#pair pre").first.wait_for()
        page.locator("#pair .current").first.wait_for()
        page.locator("#pair .walk").evaluate("walk => walk.scrollIntoView()")
        camera.take(page, "pair.png")


def main() -> None:
    """Takes all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "pictures", help="the folder of the pictures")
    into = parser.parse_args().into
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.exit("no browser: install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for part in (search_and_file, check, compare):
            with tempfile.TemporaryDirectory() as folder:
                part(Camera(browser, into), Path(folder))
        browser.close()
    (into / TAKEN).write_text(f"{look()}\n")


if __name__ == "__main__":
    main()
