"""Finds names of packages: package URLs, commands that install one, and words such as `copied from lodash`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from wherefrom.support.pattern import later

_NAME = r"(?P<name>@?[a-z0-9][\w.-]{0,100}(?:[/:][\w.-]{1,100}){0,5})"

_TYPES = {
    "pip": "pypi",
    "pip3": "pypi",
    "pipx": "pypi",
    "uv": "pypi",
    "poetry": "pypi",
    "npm": "npm",
    "yarn": "npm",
    "pnpm": "npm",
    "cargo": "cargo",
    "go": "golang",
}
"""The type of the packages that a command installs."""

_INSTALL = later(
    rf"(?<![\w-])(?P<command>{'|'.join(_TYPES)})[ \t](?:pip[ \t])?(?:install|i|add|get)[ \t]{{1,9}}"
    rf"(?:-{{1,2}}[\w-]{{1,20}}[ \t]{{1,9}}){{0,5}}{_NAME}",
    re.IGNORECASE,
)
_FROM = later(
    r"(?:\b(?:copied|taken|adapted|borrowed|ported|vendored|extracted|derived|backported|lifted|comes|code)[ \t]from"
    r"|\b(?:based|modell?ed)[ \t]on|^[^\w\n]{0,10}from)"
    rf"[ \t]{{1,9}}(?:the[ \t]{{1,9}})?[`'\"*]?{_NAME}",
    re.IGNORECASE | re.MULTILINE,
)
_PURL = later(r"pkg:(?P<type>[a-z][a-z0-9.+-]{1,20})/(?P<name>[\w.~%@/+-]{1,300})", re.IGNORECASE)

PACKAGE_WORDS = ("pkg:", " install ", " i ", " add ", " get ", "from", "based on", "modeled on", "modelled on")
"""Every text with the name of a package contains one of these, in lower case."""


def packages(text: str) -> Iterator[tuple[int, str]]:
    """The position and the name of each package, as `package_name` writes it. Words such as `from x` name it without
    its type, whatever x is, so a name counts only for code of a package with that name.
    """
    for found in _PURL.finditer(text):
        yield found.start(), package_name(unquote(found["name"].rstrip("./")), found["type"])
    for found in _INSTALL.finditer(text):
        yield found.start(), package_name(found["name"], _TYPES[found["command"].lower()])
    for found in _FROM.finditer(text):
        yield found.start(), package_name(found["name"])


def package_name(name: str, kind: str = "") -> str:
    """A name of a package in a form for comparison: `pypi:ruamel-yaml`, or only `ruamel-yaml` without the type. In
    lower case, without the version at its end, with `-` for each of `-`, `_`, `.` and `:`.
    """
    plain = re.sub(r"[-_.:]+", "-", re.sub(r"(?<=.)@.*$", "", name).strip("-_.:").lower())
    return f"{kind.lower()}:{plain}" if kind else plain
