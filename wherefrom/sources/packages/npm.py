"""JavaScript packages. The protocol: `REGISTRY-API.md` of https://github.com/npm/registry."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from packageurl import PackageURL
from packageurl.contrib.purl2url import get_download_url

from wherefrom.model import Package
from wherefrom.sources.packages.client import Client
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.registry import (
    File,
    Registry,
    Release,
    Version,
    configured,
    full_name,
    no_version,
    objects,
    semantic,
    stable,
    text,
)
from wherefrom.sources.packages.settings import assignments, expanded, home, read_settings
from wherefrom.support.http import basic
from wherefrom.support.pattern import later

_CODE = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css")
_DECLARATIONS = later(r"\.d\.[mc]?ts$")
_BUNDLED = later(r"(^|/)(dist|umd|bundles?)/|[.-]min\.[cm]?(js|css)$")


class Npm(Ecosystem):
    """Packages for npm, pnpm and yarn."""

    TYPE = "npm"
    NUMBERS = 3
    MANIFESTS = re.compile(r"package\.json")

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
        versions, latest = objects(values.get("versions")), text(values, "dist-tags", "latest")
        names = stable(versions)
        if latest in versions:
            names = [name for name in names if semantic(name) <= semantic(latest)] or [latest]
        return [Version(name, bool(versions[name].get("deprecated"))) for name in names]

    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """The tarball of a version, which is the only form that npm has."""
        values = self._package(client, registry, purl)
        found = objects(values.get("versions")).get(version)
        if found is None:
            raise no_version(purl, version)
        dist: dict[str, Any] = found["dist"]
        url: str = dist["tarball"]
        # Old versions name the tarball with http://, and npm fetches it over HTTPS.
        if registry.url.startswith("https:") and url.startswith("http:"):
            url = f"https:{url[5:]}"
        sha1 = text(dist, "shasum").lower()
        checksums = checksums_of(text(dist, "integrity")) or ({"sha1": sha1} if sha1 else {})
        file = File(url, urlsplit(url).path.rpartition("/")[2], checksums, depth=1)
        return Release([file], _described(found, text(values, "time", version)), bool(found.get("deprecated")))

    def bundled(self, sizes: Mapping[str, int]) -> frozenset[str] | None:
        """Files in folders such as `dist/`, and minified files, unless they are twice as large as all other code: then
        the other code only loads them.
        """
        code = [path for path in sizes if path.endswith(_CODE) and not _DECLARATIONS.search(path)]
        compiled = frozenset(path for path in code if _BUNDLED.search(path))
        others = sum(sizes[path] for path in code if path not in compiled)
        is_needed = compiled and 2 * others < max(sizes[path] for path in compiled)
        return None if is_needed else compiled

    def _package(self, client: Client, registry: Registry, purl: PackageURL) -> dict[str, Any]:
        return client.json(registry, registry.url + quote(full_name(purl), safe="@"))


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


def _described(values: dict[str, Any], released: str) -> Package:
    """What the `package.json` of a version says, in today's form or an older one."""
    licenses = values.get("license") or values.get("licenses")
    several = licenses if isinstance(licenses, list) else [licenses]
    return Package(
        released=released[:10],
        license=" OR ".join(filter(None, (text(license) or text(license, "type") for license in several))),
        author=text(values, "author") or text(values, "author", "name"),
        repository=text(values, "repository") or text(values, "repository", "url"),
        upstream=text(values, "homepage") or text(values, "homepage", "url"),
    )


def _settings() -> dict[str, str]:
    """The settings of npm; those of the environment win. No `.npmrc` of a project is read, as it may be hostile."""
    variables = {
        name[len("npm_config_") :].lower(): value
        for name, value in os.environ.items()
        if name.lower().startswith("npm_config_")
    }
    written = read_settings(Path(variables.get("userconfig") or home() / ".npmrc")) or ""
    return {name: expanded(value) for name, value in assignments(written).items()} | variables


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
