"""What `wherefrom --version` prints: all that a report of a bug needs. Nothing that is missing makes it fail."""

import platform
import re
import subprocess
import textwrap
from collections.abc import Iterator
from importlib import metadata

import wherefrom
from wherefrom.errors import KernelError
from wherefrom.mappings import elasticsearch, embedded
from wherefrom.support import extension


def lines() -> Iterator[str]:
    """The first line has the version alone; then follow the system, the formats, and the versions of the packages."""
    try:
        kernel = extension.description()
    except (KernelError, metadata.PackageNotFoundError) as error:
        kernel = str(error)
    yield f"wherefrom {wherefrom.__version__} ({kernel})"
    yield f"{platform.python_implementation()} {platform.python_version()} on {platform.platform()}, {_git()}"
    yield f"index format {embedded.FORMAT.version}, on Elasticsearch {elasticsearch.FORMAT.version}"
    # A name and its version stay on one line.
    text = ", ".join(f"{name}\xa0{_version(name)}" for name in _required())
    yield textwrap.fill(f"packages: {text or 'none'}", 100, subsequent_indent="  ", break_on_hyphens=False).replace(
        "\xa0", " "
    )


def _git() -> str:
    try:
        return subprocess.check_output(["git", "--version"], text=True, timeout=10).strip()
    except (OSError, subprocess.SubprocessError):
        return "no git"


def _required() -> list[str]:
    """The packages that wherefrom and its extras for users require."""
    try:
        requirements = metadata.requires("wherefrom") or ()
    except metadata.PackageNotFoundError:  # it runs from a folder
        return []
    names = (re.match(r"[\w.-]+", text) for text in requirements if not re.search(r"extra == .dev\b", text))
    return sorted({name[0].lower() for name in names if name} - {"wherefrom"})


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"
