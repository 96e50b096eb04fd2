"""What every ecosystem of packages has."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from packageurl import PackageURL

from wherefrom.model import Package
from wherefrom.sources.packages.client import Client
from wherefrom.sources.packages.manifests import Stated
from wherefrom.sources.packages.registry import Registry, Release, Version


class Ecosystem(ABC):
    """An ecosystem of packages: how its registry is found and read."""

    TYPE: ClassVar[str]  # its type of package URLs
    NUMBERS: ClassVar[int] = 1  # how many numbers a whole version has: for 3, `3.5` means the newest of `3.5.*`
    # paths in an archive whose metadata `described` reads, and which say what the package needs; as a pattern over the
    # whole path
    MANIFESTS: ClassVar[re.Pattern[str] | None] = None

    @abstractmethod
    def public(self) -> Registry:
        """The public registry, whose address a library knows."""

    @abstractmethod
    def registry(self, purl: PackageURL) -> Registry:
        """The registry that is configured for a package, or else the public one; SourceError if none may be read."""

    @abstractmethod
    def versions(self, client: Client, registry: Registry, purl: PackageURL) -> list[Version]:
        """The versions of a package, in ascending order. Raises SourceError if it has none, or if the registry
        cannot be read. An answer of another form may raise one of `client.UNREADABLE`.
        """

    @abstractmethod
    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """A version of a package; raises as `versions` does."""

    def requirements(
        self,
        client: Client,  # noqa: ARG002
        registry: Registry,  # noqa: ARG002
        purl: PackageURL,  # noqa: ARG002
        version: str,  # noqa: ARG002
    ) -> Iterable[Stated] | None:
        """The packages that a version needs to run; None if its archive says so. Raises as `versions` does."""
        return None

    def fitting(self, names: Sequence[str], wanted: str) -> list[str]:
        """Those of some versions that begin with the numbers in `Stated.wanted`."""
        return [name for name in names if not wanted or f"{name}.".startswith(f"{wanted}.")]

    def described(self, content: bytes, package: Package) -> Package:  # noqa: ARG002
        """Adds to the metadata what a file of `MANIFESTS` says; raises one of `client.UNREADABLE` if it is broken."""
        return package

    def bundled(self, sizes: Mapping[str, int]) -> frozenset[str] | None:  # noqa: ARG002
        """The compiled files of an archive, which are left out; None if there is hardly any other code, so that they
        have to be taken. `sizes` has the bytes of each file, by path.
        """
        return frozenset()

    def is_complete(self, version: str) -> bool:
        """Whether a version has all its numbers."""
        return version.partition("-")[0].count(".") >= self.NUMBERS - 1
