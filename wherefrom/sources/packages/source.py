"""Versions of packages: their archives are fetched into the cache and read from there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

from packageurl import PackageURL

from wherefrom.errors import NotFound, SourceError
from wherefrom.model import KeyKind, Package, SkipReason
from wherefrom.sources import clones
from wherefrom.sources.archive import ArchiveSource
from wherefrom.sources.packages.cargo import Cargo
from wherefrom.sources.packages.client import FILE_BYTES, UNREADABLE, Client, understood
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.golang import Golang
from wherefrom.sources.packages.kept import RECORD, KeptPackage, PackageFiles, inner_files, kept_in
from wherefrom.sources.packages.maven import Maven
from wherefrom.sources.packages.npm import Npm
from wherefrom.sources.packages.purl import checksums, identity, is_version
from wherefrom.sources.packages.pypi import PyPI
from wherefrom.sources.packages.registry import File, Registry, Release, host_of
from wherefrom.sources.source import Entry, FetchedSource
from wherefrom.support.printable import visible
from wherefrom.support.system import system
from wherefrom.support.values import asdict, replace

ECOSYSTEMS: Mapping[str, Ecosystem] = {row.TYPE: row for row in (PyPI(), Npm(), Cargo(), Maven(), Golang())}
"""The ecosystems of packages, by their type of package URLs. A new one is a module and a row here."""

_LONGEST = 1000  # at most this many characters of each field of the metadata are kept
_MANIFEST_BYTES = 1_000_000
_ALGORITHMS = frozenset({"md5", "sha1", "sha256", "sha384", "sha512"})
_GO = "h1"  # the name of the checksum in a `go.sum`: https://go.dev/ref/mod#go-sum-files


class PackageSource(FetchedSource):
    """A version of a package. Its revision is the SHA-256 of its archive. Raises SourceError if the type of the package
    is not known. The qualifier `checksum` of its package URL may have digests to compare with.
    """

    kind = "package"

    def __init__(self, purl: PackageURL, version: str, *, cache: Path, client: Client) -> None:
        self._ecosystem, self._purl, self._version, self._client = ecosystem_of(purl), purl, version, client
        self.url = key = identity(purl, version)
        name = re.sub("[^A-Za-z0-9._-]", "", f"{purl.name}-{version}")[:40]
        folder = cache / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}-{name}"
        super().__init__(folder, key=key, key_kind=KeyKind.PACKAGE)

    @property
    def host(self) -> str:
        """The type of the package, since all packages of a type most often come from one host."""
        return f"{self._purl.type} {self._purl.namespace if self._purl.type == 'npm' else ''}"

    def entries(self) -> Iterator[Entry]:
        """Every file, in the order of the archive. Compiled files are skipped if there is other code."""
        entries = list(self._files.entries())
        compiled = self._ecosystem.bundled({entry.path: entry.size or 0 for entry in entries}) or frozenset()
        for entry in entries:
            is_left_out = entry.path in compiled and entry.skip is None
            yield replace(entry, skip=SkipReason.GENERATED) if is_left_out else entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents."""
        return self._files.read(entries)

    @property
    def _files(self) -> PackageFiles:
        if kept_in(self.path) is None:  # nothing was fetched, since a revision was `known`
            self.known = None
            self.fetch(Event())
        return PackageFiles(self.path)

    def _fetched(self, stop: Event, tries: int) -> str:
        kept = kept_in(self.path)
        if kept is None:
            if self.known is not None:
                return self.known
            try:
                kept = self._download(self._client.within(stop, tries))
            except OSError as error:
                raise SourceError(
                    f"cannot write {self._shown} to {visible(str(self.path.parent))}: {error.strerror}; "
                    "make room or give another cache folder"
                ) from None
        else:
            self._verify(self.path / kept.archive, {})
        self.package, self.warnings = kept.package, kept.warnings
        return kept.revision

    def _download(self, client: Client) -> KeptPackage:
        registry = registry_of(self._ecosystem, self._purl)
        with understood(registry):
            release = self._ecosystem.release(client, registry, self._purl, self._version)
        file = self._chosen(release)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        clones.discard(self.path)  # its record is broken
        with clones.half_made(self.path) as half:
            archive = half / re.sub("[^A-Za-z0-9._+-]", "_", file.name).lstrip(".")[-100:]
            changed = client.download(registry, file.url, archive)
            self._verify(archive, file.checksums)
            package = replace(release.package, released=release.package.released or changed)
            package, is_bundle = _described(self._ecosystem, archive, file.depth, package)
            is_bundle |= not file.is_source
            facts = {name: value[:_LONGEST] for name, value in asdict(package).items()}
            package = Package(**{**facts, "form": "bundle" if is_bundle else "source"})
            withdrawn = f"{self._shown} was withdrawn by its authors (yanked or deprecated)"
            bundle = f"{self._shown} has no source form, so what it was built into is indexed: {visible(archive.name)}"
            warnings = (withdrawn,) * release.is_withdrawn + (bundle,) * is_bundle
            kept = KeptPackage(archive.name, file.depth, str(_digest(archive, "sha256")), package, warnings)
            (half / RECORD).write_text(json.dumps(asdict(kept)), "ascii")
            try:
                system.replace(half, self.path)
            except OSError:
                made = kept_in(self.path)
                if made is None:
                    raise
                return made  # another process has fetched it meanwhile
            return kept

    def _chosen(self, release: Release) -> File:
        """The best file whose checksums do not contradict those of the lock file."""
        if not release.files:
            raise SourceError(f"{self._shown} has no archive in its registry; leave it out, or index its repository")
        wanted = checksums(self._purl)
        for file in release.files:
            both = wanted.keys() & file.checksums.keys()
            if all(file.checksums[algorithm] in wanted[algorithm] for algorithm in both):
                return file
        raise self._other_checksum("the registry has", "its checksum")

    def _verify(self, archive: Path, stated: Mapping[str, str]) -> None:
        for algorithm, digest in stated.items():
            if _digest(archive, algorithm) not in {digest, None}:
                raise self._other_checksum("the download has", "the registry's checksum")
        for algorithm, digests in checksums(self._purl).items():
            if _digest(archive, algorithm) not in {*digests, None}:
                raise self._other_checksum("the archive has", "its checksum")

    def _other_checksum(self, which: str, than: str) -> SourceError:
        return SourceError(
            f"{self._shown}: {which} another checksum than {than}; somebody may have changed it, so find out who"
        )

    @property
    def _shown(self) -> str:
        return visible(self.key)


class Packages:
    """Makes sources of package URLs. `versions` is the number of versions of each package."""

    def __init__(self, cache: Path, versions: int) -> None:
        self._cache, self._versions, self._client = cache, versions, Client()

    def of(self, purl: PackageURL) -> list[PackageSource]:
        """The sources that a package URL names, the newest version first. It asks the registry only if a package has no
        whole version, or for several versions. Raises SourceError if there is no such package, version or type, or its
        registry cannot be read.
        """
        ecosystem, version = ecosystem_of(purl), purl.version
        if version and self._versions == 1 and ecosystem.is_complete(version):
            return [self._source(purl, version)]
        registry = registry_of(ecosystem, purl)
        with understood(registry):
            names = version_names(ecosystem, self._client, registry, purl)
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


def ecosystem_of(purl: PackageURL) -> Ecosystem:
    """The ecosystem of a package; SourceError if its type is not known."""
    found = ECOSYSTEMS.get(purl.type)
    if found is None:
        known = ", ".join(ECOSYSTEMS)
        raise SourceError(
            f"{visible(purl.to_string())} is of a type that wherefrom cannot fetch; it knows {known}, and repositories"
        )
    return found


def version_names(ecosystem: Ecosystem, client: Client, registry: Registry, purl: PackageURL) -> list[str]:
    """The versions of a package that are not withdrawn, or else all, in ascending order."""
    listed = [it for it in ecosystem.versions(client, registry, purl) if is_version(it.name)]
    return [it.name for it in listed if not it.is_withdrawn] or [it.name for it in listed]


def registry_of(ecosystem: Ecosystem, purl: PackageURL) -> Registry:
    """The registry configured for a package. SourceError if none may be read, or its `repository_url` is another."""
    registry, public = ecosystem.registry(purl), ecosystem.public()
    if registry.url == public.url:
        registry = replace(registry, knows=public.knows)
    named = str(purl.qualifiers.get("repository_url") or "").removeprefix("sparse+")
    try:
        is_same = not named or host_of(named if "://" in named else f"https://{named}") == host_of(registry.url)
    except ValueError:
        is_same = False
    if not is_same:
        raise SourceError(
            f"{visible(identity(purl, purl.version or ''))} comes from another registry than the configured one, "
            f"{visible(urlsplit(registry.url).hostname or '')}; configure that registry for this package"
        )
    return registry


def _described(ecosystem: Ecosystem, archive: Path, depth: int, package: Package) -> tuple[Package, bool]:
    """Adds to the metadata what the archive says; and whether its code is only compiled."""
    source = ArchiveSource(archive, max_bytes=_MANIFEST_BYTES)
    entries = list(inner_files(source, depth))
    if ecosystem.MANIFESTS is not None:
        manifests = [entry for entry in entries if ecosystem.MANIFESTS.fullmatch(entry.path)]
        for _, content in source.read(manifests[:1]):
            if isinstance(content, bytes):
                with suppress(*UNREADABLE):  # what it says is only additional
                    package = ecosystem.described(content, package)
    return package, ecosystem.bundled({entry.path: entry.size or 0 for entry in entries}) is None


def _digest(path: Path, algorithm: str) -> str | None:
    if algorithm == _GO:
        return _go_hash(path)
    if algorithm not in _ALGORITHMS:
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.new(algorithm, usedforsecurity=False)).hexdigest()


def _go_hash(archive: Path) -> str:
    """The `h1` hash of a module's zip in hexadecimal: over the SHA-256 and the name of each file, sorted by name."""
    source = ArchiveSource(archive, max_bytes=FILE_BYTES)
    lines = []
    for entry, content in source.read(sorted(source.entries(), key=lambda entry: entry.path)):
        if not isinstance(content, bytes):
            raise SourceError(
                f"{visible(entry.path)} in {visible(archive.name)} cannot be read; leave this package out"
            )
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {entry.path}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def h1(text: str) -> str:
    """The qualifier `checksum` for a hash in a `go.sum`, such as `h1:BASE64=`; ValueError if it has another form."""
    kind, _, digest = text.partition(":")
    if kind != _GO:
        raise ValueError("it is not an h1 hash")
    return f"{_GO}:{base64.b64decode(digest, validate=True).hex()}"
