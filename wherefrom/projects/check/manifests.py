"""Reads the packages that the manifests of a project declare. Only names are read, and only of direct dependencies."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from wherefrom.analyzers.references import MOST, Reference, ReferenceKind, References, package_name

_LONGEST_LINE = 200
_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def is_manifest(path: str) -> bool:
    """Whether a file declares the packages that a project uses."""
    return _form(path) is not None


def declared(path: str, content: bytes) -> References:
    """The packages that a manifest declares; none if it cannot be read."""
    form = _form(path)
    if form is None:
        return References(())
    kind, read = form
    text = content.decode("utf-8", "replace")
    try:
        names = [*dict.fromkeys(name for name in read(text) if isinstance(name, str) and name)]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return References(())
    lines = text.splitlines()
    return References(tuple(_reference(name, kind, lines) for name in names[:MOST]), max(0, len(names) - MOST))


def _reference(name: str, kind: str, lines: list[str]) -> Reference:
    """The statement of a package, at the first line that has its name as a word."""
    word = re.compile(rf"(?<![\w@/-]){re.escape(name)}(?![\w/-])", re.IGNORECASE)
    at = next((number for number, line in enumerate(lines) if word.search(line)), 0)
    return Reference(ReferenceKind.PACKAGE, package_name(name, kind), at + 1, lines[at].strip()[:_LONGEST_LINE])


def _npm(text: str) -> Iterator[str]:
    values = json.loads(text)
    yield values.get("name")
    for group in _GROUPS:
        yield from values.get(group) or ()


def _pyproject(text: str) -> Iterator[str]:
    values = tomllib.loads(text)
    project, poetry = values.get("project", {}), values.get("tool", {}).get("poetry", {})
    groups = [*project.get("optional-dependencies", {}).values(), *values.get("dependency-groups", {}).values()]
    for stated in (project.get("dependencies", []), *groups):
        yield from _named(line for line in stated if isinstance(line, str))
    for group in (poetry, *poetry.get("group", {}).values()):
        yield from group.get("dependencies", {})


def _requirements(text: str) -> Iterator[str]:
    yield from _named(re.sub(r"(^|\s)(#|--).*", "", line).strip().rstrip("\\") for line in text.splitlines())


def _named(stated: Iterable[str]) -> Iterator[str]:
    for line in stated:
        try:
            yield Requirement(line).name
        except InvalidRequirement:
            continue  # an option, or a path


def _cargo(text: str) -> Iterator[str]:
    values = tomllib.loads(text)
    yield values.get("package", {}).get("name")
    for tables in (values, values.get("workspace", {}), *values.get("target", {}).values()):
        for group in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, stated in tables.get(group, {}).items():
                yield stated.get("package", name) if isinstance(stated, Mapping) else name


def _go(text: str) -> Iterator[str]:
    yield from re.findall(r"^(?:require)?[ \t]*([\w.~/-]+)[ \t]+v\d", text, re.MULTILINE)


_FORMS: Mapping[str, tuple[str, Callable[[str], Iterator[Any]]]] = {
    r"package\.json": ("npm", _npm),
    r"pyproject\.toml": ("pypi", _pyproject),
    r"requirements[\w.-]*\.(txt|in)": ("pypi", _requirements),
    r"Cargo\.toml": ("cargo", _cargo),
    r"go\.mod": ("golang", _go),
}
"""For each name of a manifest, the type of its packages, and what yields their names."""


def _form(path: str) -> tuple[str, Callable[[str], Iterator[Any]]] | None:
    name = path.rpartition("/")[2]
    return next((form for pattern, form in _FORMS.items() if re.fullmatch(pattern, name)), None)
