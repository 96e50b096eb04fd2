"""The steps of the action, without any package but wherefrom: `python action install`, `index` and `check`.

The inputs are in the variables `WHEREFROM_*`, which `action.yml` sets; `GITHUB_*` and `RUNNER_TEMP` are those of every
job.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
MOST_ROWS = 100

LINK = re.compile(r"(?<= )\[((?:\\.|[^\[\]\\])*)\]\((\d+)\)")
"""A related location in a message of SARIF, by its number. Any other bracket comes after a backslash."""

MARKUP = re.compile(r"[!-/:-@\[-`{-~]")
"""What Markdown may read as more than text. A backslash before any of these shows it as it is."""


def given(name: str) -> str:
    """The value of an input, without spaces around it; empty if it is not set."""
    return os.environ.get(name, "").strip()


def environment() -> Path:
    """The folder of the virtual environment that has wherefrom, apart from that of the job."""
    return Path(os.environ["RUNNER_TEMP"]) / "wherefrom"


def program(name: str) -> str:
    """A program of this environment."""
    return str(environment() / ("Scripts" if sys.platform == "win32" else "bin") / name)


def wherefrom(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs wherefrom. What it says about its work goes to the log of the job."""
    command = [program("wherefrom"), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)


def install() -> int:
    """Installs the package that the input names, or the revision of wherefrom that the action is from."""
    subprocess.run([sys.executable, "-m", "venv", environment()], check=True)
    pip = [program("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return subprocess.run([*pip, given("WHEREFROM_PACKAGE") or str(ROOT)], check=False).returncode


def index() -> int:
    """Unpacks the index of a release, or brings the index up to date with the sources in the list."""
    if address := given("WHEREFROM_ASSET"):
        return unpack(address, given("WHEREFROM_ASSET_SHA256"))
    return wherefrom("index", "--quiet", "--from", given("WHEREFROM_SOURCES")).returncode


def unpack(address: str, digest: str) -> int:
    """Downloads a tar file and unpacks it as the index."""
    archive = Path(os.environ["RUNNER_TEMP"]) / "wherefrom-index.tar"
    made = hashlib.sha256()
    with urlopen(address, timeout=60) as answer, archive.open("wb") as file:  # noqa: S310 -- the workflow names it
        while piece := answer.read(1 << 20):
            made.update(piece)
            file.write(piece)
    if digest and made.hexdigest() != digest.lower():
        print(f"::error::the index has the SHA-256 {made.hexdigest()}, not the one that `asset-sha256` says")
        return 2
    with tarfile.open(archive) as packed:
        packed.extractall(Path(given("WHEREFROM_INDEX")).expanduser(), filter="data")
    archive.unlink()
    return 0


def check() -> int:
    """Checks what the pull request adds, or the whole project without one; writes the log of SARIF, the summary and
    the outputs. The exit code is that of `wherefrom check`.
    """
    base = given("WHEREFROM_BASE") or base_of_pull_request()
    against = ["--dependencies"] if given("WHEREFROM_DEPENDENCIES") == "true" else []
    options = [*against, *(("--diff", f"{base}...HEAD") if base else ()), *given("WHEREFROM_ARGUMENTS").split()]
    done = wherefrom("check", "--format", "sarif", *options)
    if done.returncode not in {0, 1}:
        return done.returncode
    log = Path(os.environ["RUNNER_TEMP"]) / "wherefrom.sarif"
    log.write_text(done.stdout, encoding="utf-8")
    [run] = json.loads(done.stdout)["runs"]
    results = run["results"]
    append("GITHUB_OUTPUT", f"sarif={log}\nfindings={sum(result['level'] == 'warning' for result in results)}\n")
    append("GITHUB_STEP_SUMMARY", summary(results))
    for result in results:
        # The rule comes first: a line that starts with a name from the pull request could be a command to the runner.
        print(f"{result['ruleId']}: {':'.join(map(str, place(result)))}: {result['message']['text']}")
    return done.returncode


def base_of_pull_request() -> str:
    """The commit that the pull request is compared with; empty if the job is for something else."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    if "pull_request" not in event:
        return ""
    base, head = (str(event["pull_request"][side]["sha"]) for side in ("base", "head"))
    if git("merge-base", base, "HEAD") is None:
        shallow = git("rev-parse", "--is-shallow-repository") == "true"
        if git("fetch", "--quiet", "--no-tags", *(["--unshallow"] if shallow else []), "origin", base) is None:
            print("::warning::the base of the pull request cannot be fetched; check out with `fetch-depth: 0`")
    # The runner checks out a merge of the head into the branch as it is now, which may be newer than the event.
    return "HEAD^1" if git("rev-parse", "--verify", "--quiet", "HEAD^2") == head else base


def git(*arguments: str) -> str | None:
    """What git prints; None if it fails."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout.strip()


def append(variable: str, text: str) -> None:
    """Adds to the file that a variable of the runner names."""
    with Path(os.environ[variable]).open("a", encoding="utf-8") as file:
        file.write(text)


def place(result: dict[str, Any]) -> tuple[str, int]:
    """The path of a result, percent-encoded, and its first line."""
    physical = result["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def summary(results: list[dict[str, Any]]) -> str:
    """The results as Markdown."""
    failing = sum(result["level"] == "warning" for result in results)
    lines = ["### wherefrom", "", f"To look at: {failing}. Notes: {len(results) - failing}.", ""]
    if results:
        lines += ["| | rule | where | also |", "| --- | --- | --- | --- |"]
        lines += [row(result) for result in results[:MOST_ROWS]]
    if len(results) > MOST_ROWS:
        lines += ["", f"{len(results) - MOST_ROWS} more are in the log of SARIF."]
    return "\n".join(lines) + "\n\n"


def row(result: dict[str, Any]) -> str:
    """A result as a row of a table."""
    path, line = place(result)
    mark = "look" if result["level"] == "warning" else "note"
    return f"| {mark} | {result['ruleId']} | {plain(f'{path}:{line}')} | {linked(result)} |"


def linked(result: dict[str, Any]) -> str:
    """The message of a result with links to the places that it names."""
    addresses = [item["physicalLocation"]["artifactLocation"]["uri"] for item in result.get("relatedLocations", ())]
    text, parts, done = result["message"]["text"], [], 0
    for link in LINK.finditer(text):
        parts += [plain(text[done : link.start()]), f"[{plain(link[1])}](<{addresses[int(link[2]) - 1]}>)"]
        done = link.end()
    return "".join([*parts, plain(text[done:])])


def plain(text: str) -> str:
    """A text of a log of SARIF as Markdown that shows it."""
    return MARKUP.sub(lambda found: f"\\{found[0]}", re.sub(r"\\([\[\]\\])", r"\1", text))


if __name__ == "__main__":
    sys.exit({"install": install, "index": index, "check": check}[sys.argv[1]]())
