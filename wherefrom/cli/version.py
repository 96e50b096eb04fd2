"""What `wherefrom --version` prints; with `--verbose`, all that a report of a bug needs, whatever is missing."""

import platform
import re
import subprocess
import textwrap
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import wherefrom
from wherefrom.cli import console
from wherefrom.errors import KernelError, WherefromError
from wherefrom.extend import format_versions
from wherefrom.support import extension
from wherefrom.support.version import described, installed


def show(*, is_verbose: bool = False) -> int:
    """Writes the first line, or all lines, to standard output; returns the exit code."""
    console.prepare()
    try:
        console.emit("".join(f"{line}\n" for line in islice(lines(), None if is_verbose else 1)))
    except BrokenPipeError:
        console.discard_output()
    except WherefromError as error:
        console.fail(str(error))
        return 2
    return 0


def lines() -> Iterator[str]:
    """The first line has the version alone; then follow the system, the formats, and the versions of the packages."""
    try:
        kernel = extension.description()
    except KernelError as error:
        kernel = str(error)
    yield f"wherefrom {wherefrom.__version__} ({kernel})"
    yield f"{platform.python_implementation()} {platform.python_version()} on {platform.platform()}, {_git()}"
    embedded, elasticsearch = format_versions()
    yield f"index format {embedded}, on Elasticsearch {elasticsearch}"
    # A name and its version stay on one line.
    text = ", ".join(f"{name}\xa0{installed(name) or 'missing'}" for name in _required())
    yield textwrap.fill(f"packages: {text or 'none'}", 100, subsequent_indent="  ", break_on_hyphens=False).replace(
        "\xa0", " "
    )


def _git() -> str:
    try:
        return subprocess.check_output(["git", "--version"], text=True, timeout=10).strip()
    except (OSError, subprocess.SubprocessError):
        return "no git"


def _required() -> list[str]:
    try:
        text = Path(described("wherefrom"), "METADATA").read_text(encoding="utf-8")
    except OSError:  # it runs from a folder
        return []
    required = re.findall(r"^Requires-Dist: ([\w.-]+)(.*)", text.partition("\n\n")[0], re.MULTILINE)
    return sorted({name.lower() for name, only in required if not re.search(r"extra == .dev\b", only)} - {"wherefrom"})
