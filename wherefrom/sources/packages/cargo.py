"""Rust crates. The protocol: https://doc.rust-lang.org/cargo/reference/registry-index.html."""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from packageurl import PackageURL
from packageurl.contrib.purl2url import get_repo_url

from wherefrom.errors import SourceError
from wherefrom.model import Package
from wherefrom.sources.packages.client import Client
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.registry import (
    File,
    Registry,
    Release,
    Version,
    configured,
    no_version,
    objects,
    stable,
    text,
)
from wherefrom.sources.packages.settings import home, read_toml
from wherefrom.support.printable import visible

_SPARSE = "sparse+"
_PUBLIC = "crates-io"  # the name of the public registry in cargo's settings
_REPLACED = 10  # a source may replace a source that replaces another one, at most so often
_MARKS = ("{crate}", "{version}", "{prefix}", "{lowerprefix}", "{sha256-checksum}")


class Cargo(Ecosystem):
    """Crates for cargo."""

    TYPE = "cargo"
    NUMBERS = 3
    MANIFESTS = re.compile(r"Cargo\.toml")

    def public(self) -> Registry:
        """The sparse index below the site that packageurl knows."""
        site = urlsplit(_site()).hostname
        return Registry(f"https://index.{site}/", knows=lambda url: f".{urlsplit(url).hostname}".endswith(f".{site}"))

    def registry(self, purl: PackageURL) -> Registry:
        """The registry that replaces the public one in cargo's `config.toml`; or the configured one with the index of
        the qualifier `repository_url`.
        """
        settings = _settings()
        registries = _registries(settings)
        if wanted := purl.qualifiers.get("repository_url"):
            for index, token in registries.values():
                if _plain(index) == _plain(wanted):
                    return _sparse(index, token)
        sources = settings.get("source")
        name = _PUBLIC
        for _ in range(_REPLACED):
            name = text(sources, name, "replace-with") or name
        if name == _PUBLIC:
            return self.public()
        if index := text(sources, name, "registry"):
            return _sparse(index, registries.get(name, ("", None))[1])
        if name in registries:
            return _sparse(*registries[name])
        raise SourceError(
            f"cargo's config.toml replaces the registry with {visible(name)}, which is not a registry; "
            "index its folder of crates instead"
        )

    def versions(self, client: Client, registry: Registry, purl: PackageURL) -> list[Version]:
        """The versions, in ascending order."""
        lines = self._lines(client, registry, purl)
        return [Version(name, lines[name].get("yanked") is True) for name in stable(lines)]

    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """The crate of a version."""
        found = self._lines(client, registry, purl).get(version)
        if found is None:
            raise no_version(purl, version)
        template: str = client.json(registry, urljoin(registry.url, "config.json"))["dl"]
        checksum = text(found, "cksum")
        url = _address(template, purl.name, version, checksum)
        digests = {"sha256": checksum.lower()} if checksum else {}
        file = File(url, f"{purl.name}-{version}.crate", digests, depth=1)
        return Release([file], Package(released=text(found, "pubtime")[:10]), found.get("yanked") is True)

    def described(self, content: bytes, package: Package) -> Package:
        """Adds what a `Cargo.toml` says: https://doc.rust-lang.org/cargo/reference/manifest.html."""
        values = tomllib.loads(content.decode())["package"]
        authors = values.get("authors")
        return replace(
            package,
            license=text(values, "license").replace("/", " OR "),  # an older form of the expression
            author=", ".join(map(str, authors)) if isinstance(authors, list) else "",
            repository=text(values, "repository"),
            upstream=text(values, "homepage"),
        )

    def _lines(self, client: Client, registry: Registry, purl: PackageURL) -> dict[str, dict[str, Any]]:
        content = client.answer(registry, urljoin(registry.url, f"{_prefix(purl.name.lower())}/{purl.name.lower()}"))
        found = {}
        for line in content.splitlines():
            with suppress(ValueError, RecursionError):  # a newer format
                values = json.loads(line)
                if text(values, "name") == purl.name and (version := text(values, "vers")):
                    found[version] = values
        return found


def is_public_index(url: str) -> bool:
    """Whether a URL in a `Cargo.lock` is the index of the public registry."""
    site = urlsplit(_site()).hostname
    return url.rstrip("/").endswith(f"/{site}-index") or urlsplit(_plain(url)).hostname == f"index.{site}"


def _site() -> str:
    return str(get_repo_url("pkg:cargo/x"))  # type: ignore[no-untyped-call]


def _plain(index: str) -> str:
    return index.removeprefix("registry+").removeprefix(_SPARSE).rstrip("/")


def _prefix(name: str) -> str:
    match len(name):
        case 1 | 2:
            return str(len(name))
        case 3:
            return f"3/{name[0]}"
        case _:
            return f"{name[:2]}/{name[2:4]}"


def _address(template: str, name: str, version: str, checksum: str) -> str:
    if not any(mark in template for mark in _MARKS):
        template = f"{template.rstrip('/')}/{{crate}}/{{version}}/download"
    values = (quote(name), quote(version), quote(_prefix(name)), quote(_prefix(name.lower())), quote(checksum))
    for mark, value in zip(_MARKS, values, strict=True):
        template = template.replace(mark, value)
    return template


def _sparse(index: str, token: str | None) -> Registry:
    if not index.startswith(_SPARSE):
        raise SourceError(
            f"the index {visible(index)} in cargo's config.toml is not a sparse one; give a sparse+https://"
        )
    return configured(index.removeprefix(_SPARSE), "the registry in cargo's config.toml", token)


def _settings() -> dict[str, Any]:
    folder = Path(os.environ.get("CARGO_HOME") or home() / ".cargo")
    settings = read_toml(folder / "config.toml") or read_toml(folder / "config")
    tokens = read_toml(folder / "credentials.toml") or read_toml(folder / "credentials")
    registries = objects(settings.get("registries"))
    for name, values in objects(tokens.get("registries")).items():
        registries[name] = {**registries.get(name, {}), **values}
    return {**settings, "registries": registries}


def _registries(settings: dict[str, Any]) -> dict[str, tuple[str, str | None]]:
    """The index and the token of each registry; variables such as `CARGO_REGISTRIES_NAME_INDEX` win."""
    found = {}
    for name, values in objects(settings["registries"]).items():
        variable = f"CARGO_REGISTRIES_{name.upper().replace('-', '_')}"
        index = os.environ.get(f"{variable}_INDEX") or values.get("index")
        token = os.environ.get(f"{variable}_TOKEN") or values.get("token")
        if isinstance(index, str):
            found[name] = (index, token if isinstance(token, str) else None)
    return found
