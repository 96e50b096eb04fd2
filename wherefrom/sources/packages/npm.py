"""JavaScript packages. The protocol: `REGISTRY-API.md` of https://github.com/npm/registry."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from packageurl import PackageURL
from packageurl.contrib.purl2url import get_download_url

from wherefrom.model import Package
from wherefrom.sources.packages.client import unknown
from wherefrom.sources.packages.registry import (
    Ecosystem,
    File,
    Registry,
    Release,
    Version,
    configured,
    no_version,
    semantic,
)
from wherefrom.sources.packages.settings import assignments, basic, expanded, home, read_settings

if TYPE_CHECKING:
    from wherefrom.sources.packages.client import Client

_CODE = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css")
_DECLARATIONS = re.compile(r"\.d\.[mc]?ts$")
_BUNDLED = re.compile(r"(^|/)(dist|umd|bundles?)/|[.-]min\.[cm]?(js|css)$")


class Npm(Ecosystem):
    """Packages for npm, pnpm and yarn."""

    TYPE = "npm"

    def public(self) -> Registry:
        """The registry in the addresses of packageurl."""
        known = get_download_url("pkg:npm/x@1")  # type: ignore[no-untyped-call]
        return Registry(known.partition("x/-/")[0])

    def registry(self, purl: PackageURL) -> Registry:
        """The registry of the package's scope, or else the default one, in `.npmrc` and the environment."""
        settings = _settings()
        scoped = settings.get(f"{purl.namespace}:registry") if purl.namespace else None
        if url := scoped or settings.get("registry"):
            return configured(url, ".npmrc", _authorization(settings, url))
        return self.public()

    def versions(self, client: Client, registry: Registry, purl: PackageURL) -> list[Version]:
        """The versions up to the one that the tag `latest` names, in ascending order."""
        values = self._package(client, registry, purl)
        versions = _objects(values.get("versions"))
        tags = values.get("dist-tags")
        latest = tags.get("latest") if isinstance(tags, dict) else None
        stable = [name for name in versions if "-" not in name.partition("+")[0]] or [*versions]
        if isinstance(latest, str) and latest in versions:
            stable = [name for name in stable if semantic(name) <= semantic(latest)] or [latest]
        return [Version(name, bool(versions[name].get("deprecated"))) for name in sorted(stable, key=semantic)]

    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """The tarball of a version, which is the only form that npm has."""
        values = self._package(client, registry, purl)
        found = _objects(values.get("versions")).get(version)
        if found is None:
            raise no_version(purl, version)
        dist = found.get("dist")
        url = dist.get("tarball") if isinstance(dist, dict) else None
        if not isinstance(dist, dict) or not isinstance(url, str):
            raise unknown(registry.url, "dist")
        # Old versions name the tarball with http://, and npm fetches it over HTTPS.
        if registry.url.startswith("https:") and url.startswith("http:"):
            url = f"https:{url[5:]}"
        name = urlsplit(url).path.rpartition("/")[2]
        times = values.get("time")
        released = times.get(version) if isinstance(times, dict) else None
        file = File(url, name, _checksums(dist), depth=1)
        return Release(Version(version, bool(found.get("deprecated"))), (file,), _described(found, released))

    def bundled(self, sizes: Mapping[str, int]) -> frozenset[str] | None:
        """Files in folders such as `dist/`, and minified files, unless they are twice as large as all other code: then
        the other code only loads them.
        """
        code = [path for path in sizes if path.endswith(_CODE) and not _DECLARATIONS.search(path)]
        compiled = frozenset(path for path in code if _BUNDLED.search(path))
        others = sum(sizes[path] for path in code if path not in compiled)
        is_needed = compiled and 2 * others < max(sizes[path] for path in compiled)
        return None if is_needed else compiled

    def is_complete(self, version: str) -> bool:
        """Whether it has three numbers."""
        return version.partition("-")[0].count(".") >= 2

    def _package(self, client: Client, registry: Registry, purl: PackageURL) -> dict[str, Any]:
        name = f"{purl.namespace}/{purl.name}" if purl.namespace else purl.name
        return client.json(registry, registry.url + quote(name, safe="@"))


def checksums_of(integrity: str) -> dict[str, str]:
    """The digests in hexadecimal of an `integrity` (https://www.w3.org/TR/SRI/), by algorithm."""
    found = {}
    for part in integrity.split():
        algorithm, _, value = part.partition("?")[0].partition("-")
        if algorithm in {"sha512", "sha384", "sha256", "sha1"}:
            try:
                found[algorithm] = base64.b64decode(value, validate=True).hex()
            except binascii.Error:
                continue
    return found


def _checksums(dist: dict[str, Any]) -> dict[str, str]:
    integrity, sha1 = dist.get("integrity"), dist.get("shasum")
    found = checksums_of(integrity) if isinstance(integrity, str) else {}
    return found or ({"sha1": sha1.lower()} if isinstance(sha1, str) else {})


def _described(values: dict[str, Any], released: object) -> Package:
    """What the `package.json` of a version says, in today's form or an older one."""
    licenses = values.get("license") or values.get("licenses")
    several = licenses if isinstance(licenses, list) else [licenses]
    return Package(
        released=released[:10] if isinstance(released, str) else "",
        license=" OR ".join(filter(None, (_text(license, "type") for license in several))),
        author=_text(values.get("author"), "name"),
        repository=_text(values.get("repository"), "url"),
        upstream=_text(values.get("homepage"), "url"),
    )


def _text(value: object, name: str) -> str:
    """A value that is a text, or an object with the text under a name."""
    found = value.get(name) if isinstance(value, dict) else value
    return found.strip() if isinstance(found, str) else ""


def _objects(value: object) -> dict[str, dict[str, Any]]:
    return {name: it for name, it in value.items() if isinstance(it, dict)} if isinstance(value, dict) else {}


def _settings() -> dict[str, str]:
    """The settings of npm by name; those of the environment win. A `.npmrc` in the project is not read, since a
    hostile project may have one.
    """
    variables = {
        name[len("npm_config_") :].lower(): value
        for name, value in os.environ.items()
        if name.lower().startswith("npm_config_")
    }
    text = read_settings(Path(variables.get("userconfig") or home() / ".npmrc")) or ""
    return {name: expanded(value) for name, value in assignments(text).items()} | variables


def _authorization(settings: dict[str, str], url: str) -> str | None:
    """The credentials for a registry: settings such as `//host/path/:_authToken`, the longest path first."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    while True:
        place = f"//{parts.netloc.rpartition('@')[2]}{path}/:"
        if token := settings.get(f"{place}_authToken"):
            return f"Bearer {token}"
        if encoded := settings.get(f"{place}_auth"):
            return f"Basic {encoded}"
        user, password = settings.get(f"{place}username"), settings.get(f"{place}_password")
        if user and password:
            return basic(user, base64.b64decode(password).decode("utf-8", "replace"))
        if not path:
            return None
        path = path.rpartition("/")[0]
