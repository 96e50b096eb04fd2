"""Packages with all that they need in turn, each once: for a project without a lock file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Event

from packageurl import PackageURL

from wherefrom.errors import SourceError
from wherefrom.sources.packages.client import Client, understood
from wherefrom.sources.packages.manifests import Stated, stated_in
from wherefrom.sources.packages.own_registries import OwnRegistry
from wherefrom.sources.packages.purl import identity, is_version, parsed
from wherefrom.sources.packages.source import PackageSource, ecosystem_of, registry_of, version_names
from wherefrom.sources.source import Unreachable
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

MOST = 2000  # at most this many packages of a project are looked up: a registry could name ever new ones
_THREADS, _TRIES = 8, 2


@dataclass(slots=True)
class Closure:
    """The packages that manifests name, and those that these need. Of a package that is named more than once, the name
    nearest to the project counts, as Maven has it.
    """

    cache: Path  # the folder for archives
    own_registries: Collection[OwnRegistry] = ()  # those that the project names
    found: list[str] = field(default_factory=list)  # the package URL of each, with its version
    problems: list[str] = field(default_factory=list)  # what could not be found, in sentences
    is_offline: bool = False  # whether a registry did not answer, so that packages may be missing
    _client: Client = field(default_factory=lambda: Client(tries=_TRIES))

    def find(self, stated: Iterable[tuple[str, Stated]], known: Collection[str]) -> None:
        """Finds packages that are given with their types, level by level, except those with a name in `known`."""
        seen, level = {*known}, [*stated]
        with ThreadPoolExecutor(_THREADS) as threads:
            while level and not self.is_offline:
                fresh: dict[str, Stated] = {}
                for kind, one in level:
                    if (named := name_of(kind, one)) not in seen:
                        fresh.setdefault(named, one)
                left = MOST - (len(seen) - len(known))
                if len(fresh) > left:
                    self.problems.append(f"there are more than {MOST:,}, which is the limit")
                    fresh = dict(islice(fresh.items(), left))
                seen |= fresh.keys()
                level = [needed for more in threads.map(self._expanded, fresh, fresh.values()) for needed in more]

    def is_withheld(self, purl: PackageURL) -> bool:
        """Whether only a registry that the project names may have a package, so that the closure asks no other one."""
        if not self.own_registries:
            return False
        registry = ecosystem_of(purl).registry(purl)
        return any(own.serves(purl, registry) for own in self.own_registries)

    def _expanded(self, named: str, stated: Stated) -> list[tuple[str, Stated]]:
        if self.is_offline:
            return []
        version = ""
        try:
            purl = parsed(named)
            ecosystem = ecosystem_of(purl)
            registry = registry_of(ecosystem, purl)
            if self.is_withheld(purl):
                raise SourceError(withheld(named))
            with understood(registry):
                wanted = stated.wanted.removeprefix("==")
                if is_version(wanted) and "*" not in wanted and ecosystem.is_complete(wanted):
                    version = wanted
                else:
                    names = version_names(ecosystem, self._client, registry, purl)
                    version = (ecosystem.fitting(names, stated.wanted) or names)[-1]
                self.found.append(identity(purl, version))
                needed = ecosystem.requirements(self._client, registry, purl, version)
                everything = self._in_archive(purl, version) if needed is None else needed
                wanted_too = (one for one in everything if not (one.is_own or one.is_optional or one.is_elsewhere))
                return [(purl.type, one) for one in wanted_too]
        except SourceError as error:
            self.is_offline |= isinstance(error, Unreachable)
            if not version:  # otherwise indexing meets the same problem
                self.problems.append(str(error))
            return []

    def _in_archive(self, purl: PackageURL, version: str) -> Iterator[Stated]:
        """What the archive of a package says. It stays in the cache, where indexing finds it."""
        ecosystem = ecosystem_of(purl)
        source = PackageSource(purl, version, cache=self.cache, client=self._client)
        source.fetch(Event(), tries=_TRIES)
        named = [it for it in source.entries() if ecosystem.MANIFESTS and ecosystem.MANIFESTS.fullmatch(it.path)]
        for entry, content in source.read(named):
            yield from stated_in(entry.path, content) if isinstance(content, bytes) else ()


def withheld(named: str) -> str:
    """Why a package is not looked up, in a sentence."""
    return f"{visible(named)} may come from a registry that the project names; configure its client to that registry"


def name_of(kind: str, stated: Stated) -> str:
    """The package URL of a package without its version."""
    namespace, _, name = stated.name.rpartition("/")
    return without_version(PackageURL(kind, namespace or None, name).to_string())


def without_version(spec: str) -> str:
    """A package URL without its version; anything else as it is."""
    try:
        found = parsed(spec)
    except SourceError:
        return spec
    return PackageURL(found.type, found.namespace, found.name).to_string()
