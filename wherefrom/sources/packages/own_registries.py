"""Registries that the files of a project name.

A stranger's file must not lead to a host, so no request goes to them. But no other registry may learn the names of
packages that they may serve. A form of file is a row of `_FORMS`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree as Xml

from packageurl import PackageURL

from wherefrom.sources.packages.client import UNREADABLE
from wherefrom.sources.packages.manifests import form_of, parsed_xml, pom_value
from wherefrom.sources.packages.registry import Registry
from wherefrom.sources.packages.source import ECOSYSTEMS
from wherefrom.support.pattern import later

_INDEX = later(r"^[ \t]*(?:-i|-f|--(?:extra-)?index-url|--find-links)[ =]*(\S+)", re.MULTILINE)
_PIP = later(r"^[ \t]*(?:(?:extra-)?index-url|find-links)[ \t]*[=:](.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_NPM = later(r"""^[ \t]*"?(?:(@[^:="\s]+):)?(?:npmRegistryServer|registry)"?:?[ \t=]+["']?([^\s"']+)""", re.MULTILINE)
_GRADLE = later(r"""\bmaven\s*[({][^}]{0,200}?["'](\w+:[^"']+)""")
_YARN = "registry.yarnpkg.com"  # yarn's name for the public registry of npm


SETTINGS = (
    *(".npmrc", ".yarnrc", ".yarnrc.yml", "uv.toml", "pip.conf", ".venv/pip.conf", "venv/pip.conf"),
    *(".cargo/config", ".cargo/config.toml"),
)
"""Files of settings. Git often ignores them, because they may have passwords."""


class OwnRegistry(NamedTuple):
    """What a project's own registry may serve: the packages of a type; with a `scope`, only those in it."""

    kind: str
    scope: str = ""

    def serves(self, purl: PackageURL, configured: Registry) -> bool:
        """Whether it may have a package, and the user's settings name no registry for that."""
        return not configured.is_configured and self.kind == purl.type and self.scope in {"", purl.namespace}


def own_registries(path: str, content: bytes | None) -> set[OwnRegistry]:
    """The registries that a file of a project names, without public ones; none if it is broken. A file without a
    content, which cannot be read, may name any.
    """
    form = form_of(_FORMS, path)
    if form is None:
        return set()
    kind, read = form
    if content is None:
        return {OwnRegistry(kind)}
    public = {urlsplit(ECOSYSTEMS[kind].public().url).hostname, _YARN if kind == "npm" else None}
    with suppress(*UNREADABLE, Xml.ParseError):
        found = read(content.decode("utf-8-sig", "replace"))
        return {OwnRegistry(kind, scope) for scope, url in found if urlsplit(url).hostname not in public}
    return set()


def names_registries(path: str) -> bool:
    """Whether a file may name registries."""
    return form_of(_FORMS, path) is not None


def _urls(pattern: re.Pattern[str]) -> Callable[[str], Iterator[tuple[str, str]]]:
    return lambda text: (("", url) for url in pattern.findall(text))


def _toml(text: str) -> Iterator[tuple[str, str]]:
    """The indexes of uv, Poetry, PDM and Pipenv. An explicit one only serves what a manifest gets from it by name."""
    values = tomllib.loads(text)
    tool = values.get("tool", {})
    for uv in (values, tool.get("uv", {})):
        yield from (("", url) for url in [uv.get("index-url", ""), *uv.get("extra-index-url", [])] if url)
    tables: list[dict[str, Any]] = [*values.get("index", []), *values.get("source", [])]
    for name, table in (("uv", "index"), ("poetry", "source"), ("pdm", "source")):
        tables += tool.get(name, {}).get(table, [])
    for one in tables:
        if not one.get("explicit") and one.get("priority") != "explicit" and "url" in one:
            yield "", one["url"]


def _cargo(text: str) -> Iterator[tuple[str, str]]:
    for source in tomllib.loads(text).get("source", {}).values():
        if index := source.get("registry"):
            yield "", index.removeprefix("sparse+")


def _pom(text: str) -> Iterator[tuple[str, str]]:
    for place in ("{*}repositories/{*}repository", "{*}profiles/{*}profile/{*}repositories/{*}repository"):
        yield from (("", pom_value(one, "url")) for one in parsed_xml(text.encode()).findall(place))


_FORMS: Mapping[str, tuple[str, Callable[[str], Iterator[tuple[str, str]]]]] = {
    r"pyproject\.toml|uv\.toml|Pipfile": ("pypi", _toml),
    r"requirements/.*\.(?:txt|in)|[^/]*requirements[^/]*\.(?:txt|in)": ("pypi", _urls(_INDEX)),
    r"pip\.conf": ("pypi", lambda text: (("", url) for urls in _PIP.findall(text) for url in urls.split())),
    r"\.npmrc|\.yarnrc(?:\.yml)?": ("npm", lambda text: iter(_NPM.findall(text))),
    r"\.cargo/config(?:\.toml)?": ("cargo", _cargo),
    r"(?:build|settings)\.gradle(?:\.kts)?": ("maven", _urls(_GRADLE)),
    r"pom\.xml": ("maven", _pom),
}
"""For each name of a file, the type of the packages, and what yields the scope and the URL of each registry in it."""
