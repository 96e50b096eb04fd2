"""`./dev page`: builds the page that compares code in a browser, from source, into `build/page/`.

    ./dev page              the site; `wherefrom page DIR` in this checkout then writes it
    ./dev page --wheel DIR  also the wheel of the distribution `wherefrom-page`, which has the site

The site is made of `page/`, `kernel/web/`, scripts and styles of the reports, and of what `./dev wasm` builds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from release import wasm
from release.lock import ROOT, tools
from wherefrom.reports.compare import html
from wherefrom.support.system import system
from wherefrom.support.version import __version__

SITE = ROOT / "build" / "page"

OWN = ROOT / "page"
"""The page's own files."""

REPORT = "<!-- report -->"
"""The place of the report in `page/index.html`."""

WORKER = "service-worker.js"

NO_SITE = 'const SITE = { version: "", policy: "", files: {} };'
"""The line of the service worker for the version, the policy and the files of the site."""

_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')

GRAMMARS = "grammars"


def build() -> Path:
    """Builds the site, and returns its folder. If the site is there already, nothing is written."""
    made = wasm.build()
    with (ROOT / "build" / "page.lock").open("w") as lock:
        system.lock(lock.fileno(), wait=True)
        site = dict(contents(made))
        if site == {path.relative_to(SITE).as_posix(): path.read_bytes() for path in SITE.rglob("*") if path.is_file()}:
            return SITE
        shutil.rmtree(SITE, ignore_errors=True)
        for name, content in site.items():
            path = SITE / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return SITE


def contents(made: Path) -> Iterator[tuple[str, bytes]]:
    """The files of the site with their paths.

    Args:
        made: the folder that `release.wasm` built.
    """
    kept = dict(_kept(made))
    grammars = {path.stem: path.read_bytes() for path in sorted((made / GRAMMARS).glob("*.wasm"))}
    kept["site.json"] = json.dumps(facts(grammars)).encode()
    yield from kept.items()
    yield from ((f"{GRAMMARS}/{name}.wasm", content) for name, content in grammars.items())
    yield from ((f"licenses/{path.name}", path.read_bytes()) for path in licenses(made))
    hashes = {name: _hash(content) for name, content in sorted(kept.items())}
    version = sha256(json.dumps(hashes).encode()).hexdigest()[:16]
    worker = (OWN / WORKER).read_text()
    assert NO_SITE in worker, "the service worker has a place for the site"
    policy = _POLICY.search(kept["index.html"])
    assert policy is not None, "the page has a policy"
    site = {"version": version, "policy": policy[1].decode(), "files": hashes}
    filled = f"const SITE = {json.dumps(site)};"
    yield WORKER, worker.replace(NO_SITE, filled).encode()


def _kept(made: Path) -> Iterator[tuple[str, bytes]]:
    """The files that a browser keeps for use without a network, but `site.json`."""
    markup = (OWN / "index.html").read_text()
    assert REPORT in markup, "the page has a place for the report"
    yield "index.html", markup.replace(REPORT, html.report_markup()).encode()
    yield "page.css", f"{html.style()}{(OWN / 'page.css').read_text()}".encode()
    yield "drawing.js", html.drawing().encode()
    yield "skeleton.html", html.skeleton().encode()
    for folder in (OWN, ROOT / "kernel" / "web"):
        for path in sorted(folder.glob("*.js")):
            if path.name != WORKER:
                yield path.name, path.read_bytes()
    for path in sorted(made.iterdir()):
        if path.is_file():
            yield path.name, path.read_bytes()


def facts(grammars: Mapping[str, bytes]) -> dict[str, Any]:
    """What the page has to know of this version."""
    return {
        "wherefrom": __version__,
        "grammars": {name: {"hash": _hash(content), "size": len(content)} for name, content in grammars.items()},
    }


def licenses(made: Path) -> list[Path]:
    """The licenses of wherefrom, the kernel and the grammars."""
    return [ROOT / "LICENSE", *sorted((made / "LICENSES").glob("*"))]


def _hash(content: bytes) -> str:
    return b64encode(sha256(content).digest()).decode()


def wheel(output: Path) -> Path:
    """Builds the wheel with the site of `build/page`, and puts it into a folder."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        package = project / "wherefrom_page"
        shutil.copytree(SITE, package / "site")
        (package / "__init__.py").write_text(
            f'"""The page of wherefrom, in the folder `site`."""\n\n__version__ = "{__version__}"\n'
        )
        shutil.copy(OWN / "pyproject.toml", project)
        shutil.copy(ROOT / "LICENSE", project)
        shutil.move(package / "site" / "licenses", project / "licenses")
        committed = subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True).strip()
        environment = {
            **os.environ,
            "PATH": f"{tools()}{os.pathsep}{os.environ['PATH']}",
            "SOURCE_DATE_EPOCH": committed,
        }
        made = Path(folder, "made")
        command = ["python", "-m", "build", "--no-isolation", "--wheel", "--outdir", str(made), str(project)]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        (built,) = made.iterdir()
        return Path(shutil.copy(built, output))


def main(arguments: list[str] | None = None) -> None:
    """Builds the site, and with `--wheel` the wheel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, metavar="DIR", help="also build the wheel into this folder")
    options = parser.parse_args(arguments)
    print(build())
    if options.wheel is not None:
        print(wheel(options.wheel))


if __name__ == "__main__":
    main()
