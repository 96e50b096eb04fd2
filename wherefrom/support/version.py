"""The versions of wherefrom and of installed packages, and where wherefrom is installed from."""

import os
import sys

__version__ = "0.2.0"

INSTALLED_FROM = "."
"""What installation commands name: the folder of a checkout until the first release, for which `./dev release` puts the
project's name here. Until then, somebody else could register the name.
"""


def remedy(extra: str) -> str:
    """How to install an extra."""
    place = ", in a checkout" if INSTALLED_FROM == "." else ""
    return f"install wherefrom with its extra {extra!r}{place}: pip install '{INSTALLED_FROM}[{extra}]'"


def described(distribution: str) -> str:
    """The folder of an installed distribution; empty if none. `importlib.metadata` would take long to load."""
    begin = f"{distribution.replace('-', '_').lower()}-"
    for folder in sys.path:
        if folder not in _listed:
            try:
                names = os.listdir(folder or ".")  # noqa: PTH208 -- `pathlib` takes long to load
            except OSError:
                names = []
            _listed[folder] = [name for name in names if name.endswith((".dist-info", ".egg-info"))]
        for name in _listed[folder]:
            if name.lower().startswith(begin):
                return f"{folder or '.'}/{name}"
    return ""


_listed: dict[str, list[str]] = {}  # the names of the folders that describe distributions, by the folders of `sys.path`


def installed(distribution: str) -> str:
    """The version of an installed distribution, as the folder that describes it is named; empty if it is missing."""
    name = described(distribution).rpartition("/")[2]
    return name[len(distribution) + 1 :].rpartition(".")[0].partition("-")[0]
