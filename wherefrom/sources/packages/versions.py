"""Finds the versions of a package that are meant."""

from __future__ import annotations

from pathlib import Path

from packageurl import PackageURL

from wherefrom.errors import NotFound
from wherefrom.sources.packages.client import Client, understood
from wherefrom.sources.packages.purl import is_version
from wherefrom.sources.packages.source import PackageSource, ecosystem_of, registry_of
from wherefrom.support.printable import visible


class Packages:
    """Makes sources of package URLs.

    Args:
        cache: the folder of fetched packages.
        versions: the number of versions of each package.
    """

    def __init__(self, cache: Path, versions: int) -> None:
        self._cache, self._versions, self._client = cache, versions, Client()

    def of(self, purl: PackageURL) -> list[PackageSource]:
        """The sources that a package URL names, the newest version first. It asks the registry only if a package
        has no whole version, or for several versions.

        Raises:
            SourceError: there is no such package, version or type, or its registry cannot be asked.
        """
        ecosystem, version = ecosystem_of(purl), purl.version
        if version and self._versions == 1 and ecosystem.is_complete(version):
            return [self._source(purl, version)]
        registry = registry_of(ecosystem, purl)
        with understood(registry):
            listed = [it for it in ecosystem.versions(self._client, registry, purl) if is_version(it.name)]
        names = [it.name for it in listed if not it.is_withdrawn] or [it.name for it in listed]
        if version and ecosystem.is_complete(version):
            names = [*names[: names.index(version) if version in names else 0], version]
        elif version:
            names = [name for name in names if name.startswith(f"{version}.")]
        if not names:
            raise NotFound(f"{visible(purl.to_string())} has no version that fits; check the name and the version")
        # A checksum is for one version.
        plain = PackageURL(purl.type, purl.namespace, purl.name)
        return [self._source(purl if name == version else plain, name) for name in reversed(names[-self._versions :])]

    def _source(self, purl: PackageURL, version: str) -> PackageSource:
        return PackageSource(purl, version, cache=self._cache, client=self._client)
