"""The packages of lock files and SBOMs, as sources. A form of file is a row of `_FORMS`.

A checksum in a lock file becomes the qualifier `checksum` of the package URL.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from packageurl import PackageURL
from packaging.requirements import InvalidRequirement, Requirement

from wherefrom.errors import UsageError
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.packages.cargo import is_public_index
from wherefrom.sources.packages.ecosystems import ECOSYSTEMS
from wherefrom.sources.packages.npm import checksums_of
from wherefrom.sources.packages.source import h1
from wherefrom.support.printable import visible

_DEEPEST = 100
"""Limit on the levels of nested packages and components."""

_SBOM_MARKS = ("bomFormat", "spdxVersion", "@graph")
_SBOM_NAMES = (
    ("externalRefs", "referenceType", "purl", "referenceLocator"),
    ("externalIdentifier", "externalIdentifierType", "packageUrl", "identifier"),
)
"""Lists of names of a package; the field and its value that mark a package URL, and the field that has it."""


def read_lock(name: str, text: str) -> list[ListedSource] | None:
    """The packages that a lock file or an SBOM names, in its order; None if it is neither. Raises UsageError if it
    cannot be read, or asks for a registry of its own. The name of the file tells the form of a lock file, its content
    that of an SBOM.
    """
    called = PurePath(name).name
    read = next((read for pattern, read in _FORMS if re.fullmatch(pattern, called)), None)
    if read is None:
        if not text.lstrip("\ufeff \t\r\n").startswith("{"):
            return None
        try:
            values = json.loads(text.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            return None  # a list of sources can have lines of JSON
        if not isinstance(values, dict) or not any(mark in values for mark in _SBOM_MARKS):
            return None
        return [*dict.fromkeys(ListedSource(purl) for purl in _sbom(values))]
    try:
        return [*dict.fromkeys(read(text.removeprefix("\ufeff")))]
    except UsageError as error:
        raise UsageError(f"{visible(name)}: {error}") from None
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        reason = visible(str(error).partition("\n")[0][:200])
        raise UsageError(f"{visible(name)} is not a lock file of its name ({reason}); write it again") from None


def _uv(text: str) -> Iterator[ListedSource]:
    for package in tomllib.loads(text).get("package", []):
        source = package.get("source", {})
        if "git" in source:
            yield _clone(source["git"])
        elif "registry" in source:
            files = [package.get("sdist", {}), *package.get("wheels", [])]
            hashes = [file["hash"] for file in files if "hash" in file]
            yield _package("pypi", package["name"], package["version"], hashes, source["registry"])


def _poetry(text: str) -> Iterator[ListedSource]:
    values = tomllib.loads(text)
    older = values.get("metadata", {}).get("files", {})
    for package in values.get("package", []):
        source = package.get("source", {})
        if source.get("type") == "git":
            yield ListedSource(source["url"], rev=source.get("resolved_reference"))
        elif source.get("type", "legacy") == "legacy":
            name = package["name"]
            hashes = [file["hash"] for file in package.get("files") or older.get(name, [])]
            yield _package("pypi", name, package["version"], hashes, source.get("url"))


def _requirements(text: str) -> Iterator[ListedSource]:
    for line in re.sub(r"\\\r?\n", " ", text).splitlines():
        stated = re.sub(r"(^|\s)#.*", "", line).strip()
        if stated.startswith(("-i", "--index-url", "--extra-index-url", "-f", "--find-links")):
            raise UsageError("it names an index; put that into pip.conf or PIP_INDEX_URL, and remove the line")
        if stated.startswith(("-r", "--requirement")):
            raise UsageError(f"{visible(stated)} names another file; give that one to --from too, and remove the line")
        if not stated or stated.startswith("-"):
            continue
        written, *options = re.split(r"\s+--", stated)
        try:
            requirement = Requirement(written)
        except InvalidRequirement:
            raise UsageError(f"{visible(stated[:200])} is not a requirement; give NAME==VERSION") from None
        exact = [one.version for one in requirement.specifier if one.operator in {"==", "==="}]
        hashes = [option.partition("=")[2].strip() for option in options if option.startswith("hash=")]
        if requirement.url is None:
            version = exact[0] if exact and not exact[0].endswith("*") else None
            yield _package("pypi", requirement.name, version, hashes)


def _npm(text: str) -> Iterator[ListedSource]:
    values = json.loads(text)
    if "packages" in values:
        for path, package in values["packages"].items():
            name = package.get("name") or path.rpartition("node_modules/")[2]
            if "node_modules/" in path and not package.get("link"):
                yield from _npm_package(name, package)
    else:
        waiting = [(values.get("dependencies", {}), 0)]
        while waiting:
            packages, depth = waiting.pop()
            for name, package in packages.items():
                yield from _npm_package(name, package)
                if "dependencies" in package and depth < _DEEPEST:
                    waiting.append((package["dependencies"], depth + 1))


def _npm_package(name: str, package: Mapping[str, Any]) -> Iterator[ListedSource]:
    resolved, version = package.get("resolved", ""), package.get("version", "")
    if resolved.startswith("git") or version.startswith("git"):
        yield _clone(resolved if resolved.startswith("git") else version)
        return
    is_alias = version.startswith("npm:")
    if is_alias:
        name, _, version = version.removeprefix("npm:").rpartition("@")
    if is_alias or (re.match(r"\d", version) and not resolved.startswith("file:")):
        yield _package("npm", name, version, _integrity(package), resolved)


def _pnpm(text: str) -> Iterator[ListedSource]:
    import yaml  # noqa: PLC0415 -- only these files need it

    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    for key, package in (values.get("packages") or {}).items():
        resolution = package.get("resolution", {})
        # `name@version` since version 9, before that with a `/` in front, and before version 6 `/name/version`.
        found = re.fullmatch(r"/?((?:@[^@/]+/)?[^@/]+)[@/](\d[^(_]*)(?:[(_].*)?", str(key))
        if found and "type" not in resolution:
            yield _package("npm", found[1], found[2], _integrity(resolution), resolution.get("tarball"))
        elif "repo" in resolution:
            yield ListedSource(resolution["repo"], rev=resolution.get("commit"))


def _cargo(text: str) -> Iterator[ListedSource]:
    values = tomllib.loads(text)
    older = values.get("metadata", {})
    for package in values.get("package", []):
        source = package.get("source", "")
        if source.startswith("git+"):
            yield _clone(source.removeprefix("git+"))
        elif source:
            name, version = package["name"], package["version"]
            checksum = package.get("checksum") or older.get(f"checksum {name} {version} ({source})")
            index = None if is_public_index(source) else source.removeprefix("registry+")
            hashes = [f"sha256:{checksum}"] if checksum else []
            yield _package("cargo", name, version, hashes, index)


def _go(text: str) -> Iterator[ListedSource]:
    for line in text.splitlines():
        if words := line.split():
            module, version, digest = words
            if not version.endswith("/go.mod"):
                yield _package("golang", module, version, [h1(digest)])


_FORMS: tuple[tuple[str, Callable[[str], Iterable[ListedSource]]], ...] = (
    (r"uv\.lock", _uv),
    (r"poetry\.lock", _poetry),
    (r"requirements.*\.txt", _requirements),
    (r"(package-lock|npm-shrinkwrap)\.json", _npm),
    (r"pnpm-lock\.yaml", _pnpm),
    (r"Cargo\.lock", _cargo),
    (r"go\.sum", _go),
)


def _sbom(values: dict[str, Any]) -> Iterator[str]:
    """The package URLs of an SBOM in CycloneDX, SPDX 2 or SPDX 3."""
    waiting: list[tuple[Any, int]] = [(values.get(name), 0) for name in ("components", "packages", "@graph")]
    while waiting:
        items, depth = waiting.pop()
        for item in _list(items):
            named = [item.get("purl"), item.get("packageUrl"), item.get("software_packageUrl")]
            named += [
                it.get(value)
                for among, kind, purl, value in _SBOM_NAMES
                for it in _list(item.get(among))
                if it.get(kind) == purl
            ]
            yield from (one for one in named if isinstance(one, str) and one.strip())
            if depth < _DEEPEST:
                waiting.append((item.get("components"), depth + 1))


def _clone(url: str) -> ListedSource:
    """A clone as a source, from a URL with the commit as its fragment."""
    parts = urlsplit(url)
    return ListedSource(parts._replace(query="", fragment="").geturl(), rev=parts.fragment or None)


def _list(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _integrity(values: Mapping[str, Any]) -> list[str]:
    return [f"{algorithm}:{digest}" for algorithm, digest in checksums_of(values.get("integrity", "")).items()]


def _package(
    kind: str, name: str, version: str | None, hashes: Iterable[str], registry: str | None = None
) -> ListedSource:
    """A package as a source. If it comes from another registry than the public one, its URL says so."""
    namespace, _, last = name.rpartition("/")
    qualifiers = {"checksum": ",".join(hashes)} if hashes else {}
    host = urlsplit(registry.removeprefix("sparse+")).hostname if registry else None
    if registry and host and host != urlsplit(ECOSYSTEMS[kind].public().url).hostname:
        qualifiers["repository_url"] = registry
    return ListedSource(PackageURL(kind, namespace or None, last, version, qualifiers).to_string())
