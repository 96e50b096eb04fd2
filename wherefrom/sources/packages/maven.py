"""Java packages. The layout: https://maven.apache.org/repositories/layout.html."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from packageurl import PackageURL
from packageurl.contrib import purl2url

from wherefrom.errors import NotFound, SourceError
from wherefrom.model import Package
from wherefrom.sources.packages.client import Client, unknown
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.manifests import Stated, of_pom, parsed_xml, pom_value
from wherefrom.sources.packages.registry import File, Registry, Release, Version, configured, no_version
from wherefrom.sources.packages.settings import expanded, home, read_settings
from wherefrom.support.http import basic
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible

_HIDDEN = later(r"[-.](alpha|beta|rc|cr|m|milestone|pre|snapshot|ea)[-.]?\d*", re.IGNORECASE)  # not a release
_CHECKSUMS = ("sha512", "sha256", "sha1")
_CENTRAL = "central"
_PARENTS = 5


class Maven(Ecosystem):
    """Packages for Maven and Gradle."""

    TYPE = "maven"

    def public(self) -> Registry:
        """The central repository."""
        return Registry(f"{purl2url.DEFAULT_MAVEN_REPOSITORY}/")

    def registry(self, purl: PackageURL) -> Registry:  # noqa: ARG002
        """The mirror of the central repository in `settings.xml`."""
        path = home() / ".m2" / "settings.xml"
        if (written := read_settings(path)) is not None:
            settings = _parsed(written.encode(), str(path))
            for mirror in _all(settings, "mirrors/mirror"):
                parts = [part.strip() for part in pom_value(mirror, "mirrorOf").split(",")]
                if f"!{_CENTRAL}" not in parts and any(part in {"*", _CENTRAL, "external:*"} for part in parts):
                    return configured(expanded(pom_value(mirror, "url")), str(path), _authorization(settings, mirror))
        return self.public()

    def versions(self, client: Client, registry: Registry, purl: PackageURL) -> list[Version]:
        """The versions in the order of the repository, which is that of their uploads."""
        listed = _fetched(client, registry, f"{self._folder(registry, purl)}maven-metadata.xml")
        names = [element.text.strip() for element in _all(listed, "versioning/versions/version") if element.text]
        return [Version(name) for name in [name for name in names if not _HIDDEN.search(name)] or names]

    def requirements(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Iterable[Stated]:
        """What the POM of a version names."""
        return of_pom(self._pom(client, registry, purl, version))

    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """The source jar of a version, and then its jar."""
        pom = self._pom(client, registry, purl, version)
        folder = f"{self._folder(registry, purl)}{quote(version)}/"
        stem = f"{purl.name}-{version}"
        jars = (f"{stem}-sources.jar", f"{stem}.jar")
        files = [
            File(folder + quote(name), name, checksums, is_source=name == jars[0])
            for name in jars
            if (checksums := _checksums(client, registry, folder + quote(name))) is not None
        ]
        return Release(files, _described(pom, client, registry))

    def _pom(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Xml.Element:
        if not re.fullmatch(r"[\w.+-]+", version):
            raise no_version(purl, version)
        name = quote(f"{purl.name}-{version}.pom")
        return _fetched(client, registry, f"{self._folder(registry, purl)}{quote(version)}/{name}")

    def _folder(self, registry: Registry, purl: PackageURL) -> str:
        if not purl.namespace or not re.fullmatch(r"[\w.-]+", f"{purl.namespace}{purl.name}"):
            raise SourceError(f"{visible(purl.to_string())} names no artifact; give pkg:maven/GROUP/ARTIFACT@VERSION")
        return f"{registry.url}{quote(purl.namespace.replace('.', '/'))}/{quote(purl.name)}/"


def _checksums(client: Client, registry: Registry, url: str) -> dict[str, str] | None:
    """The strongest checksum beside a file; None if there is none, as there is none if there is no file."""
    for algorithm in _CHECKSUMS:
        try:
            words = client.answer(registry, f"{url}.{algorithm}").decode("ascii", "replace").split()
        except NotFound:
            continue
        if words and re.fullmatch("[0-9a-fA-F]{40,128}", words[0]):
            return {algorithm: words[0].lower()}
        raise unknown(f"{url}.{algorithm}", "no checksum")
    return None


def _described(pom: Xml.Element, client: Client, registry: Registry) -> Package:
    """What a POM says, or the POM that is its parent: https://maven.apache.org/pom.html."""
    chain = [pom]
    while (parent := chain[-1].find("{*}parent")) is not None and len(chain) <= _PARENTS:
        group, name, version = (pom_value(parent, part) for part in ("groupId", "artifactId", "version"))
        if not re.fullmatch(r"[\w.-]+", f"{group}{name}{version}"):
            break
        at = f"{registry.url}{group.replace('.', '/')}/{name}/{version}/{name}-{version}.pom"
        try:
            chain.append(_fetched(client, registry, at))
        except NotFound:
            break

    def values(path: str) -> list[str]:
        found = ([" ".join(it.text.split()) for it in _all(one, path) if it.text and it.text.strip()] for one in chain)
        return next(filter(None, found), [])

    return Package(
        license=" OR ".join(values("licenses/license/name")),
        author=", ".join(values("developers/developer/name") or values("organization/name")),
        repository=next(iter(values("scm/url")), ""),
        upstream=next(iter(values("url")), ""),
    )


def _fetched(client: Client, registry: Registry, url: str) -> Xml.Element:
    return _parsed(client.answer(registry, url), url)


def _parsed(content: bytes, where: str) -> Xml.Element:
    try:
        return parsed_xml(content)
    except (Xml.ParseError, ValueError, LookupError) as error:
        raise SourceError(f"cannot read {visible(where)}: {visible(str(error))}; check it") from None


def _all(root: Xml.Element, path: str) -> list[Xml.Element]:
    return root.findall("/".join(f"{{*}}{step}" for step in path.split("/")))


def _authorization(settings: Xml.Element, mirror: Xml.Element) -> str | None:
    for server in _all(settings, "servers/server"):
        if pom_value(server, "id") == pom_value(mirror, "id") and pom_value(server, "username"):
            return basic(*(expanded(pom_value(server, name)) for name in ("username", "password")))
    return None
