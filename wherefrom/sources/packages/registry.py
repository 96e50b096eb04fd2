"""A registry, and what it tells: its versions, and the files of a version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from packageurl import PackageURL

from wherefrom.errors import NotFound, SourceError, UsageError
from wherefrom.model import Package
from wherefrom.support.http import basic, netrc_entries
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Registry:
    """A registry, as the settings of its client describe it."""

    url: str  # its address, with a `/` at the end and without credentials
    is_configured: bool = False  # whether the user configured it. Then also its other hosts may have private addresses
    hosts: frozenset[str] = frozenset()  # other hosts that the configuration names; as `host_of` gives them
    # the value of the header `Authorization` for each host that gets one
    authorization: Mapping[str, str] = field(default_factory=dict)
    # whether a URL at another host is known as one of this registry; only for the public registry, also if it is
    # configured
    knows: Callable[[str], bool] | None = None

    def admits(self, url: str) -> bool:
        """Whether a link or a redirect may lead to this URL. From HTTPS it never leads to HTTP."""
        try:
            there, here = host_of(url), host_of(self.url)
            scheme = urlsplit(url).scheme
        except ValueError:
            return False
        if scheme != "https" and not (scheme == "http" and urlsplit(self.url).scheme == "http"):
            return False
        if there == here or there in self.hosts:
            return True
        return self.knows is not None and there.endswith(":443") and self.knows(url)

    def may_be_private(self, url: str) -> bool:
        """Whether the host of a URL may have a private address: it is the registry itself or is known as its own, or
        the user configured it. What only the answers of a registry name may not.
        """
        is_known = self.knows is not None and self.knows(url)
        return self.is_configured or is_known or host_of(url) == host_of(self.url)


@dataclass(frozen=True, slots=True)
class Version:
    """A version in the list of a registry."""

    name: str
    is_withdrawn: bool = False  # whether its author has withdrawn it: yanked, retracted or deprecated


@dataclass(frozen=True, slots=True)
class File:
    """A file of a version."""

    url: str
    name: str  # its file name, which decides how it is read
    # digests in hexadecimal, by the name of the algorithm as in `hashlib`
    checksums: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0  # how many folders around the files of the package the archive has
    is_source: bool = True  # whether it is the source form of the package


@dataclass(frozen=True, slots=True)
class Release:
    """The files of a version, the best one first, and what the registry says of it."""

    files: Sequence[File]
    package: Package
    is_withdrawn: bool = False


def host_of(url: str) -> str:
    """Host and port of a URL; ValueError if it has none."""
    parts = urlsplit(url)
    port = parts.port or _PORTS.get(parts.scheme)
    if not parts.hostname or port is None:
        raise ValueError("it has no host")
    return f"{parts.hostname}:{port}"


def full_name(purl: PackageURL) -> str:
    """The name of a package with its namespace."""
    return f"{purl.namespace}/{purl.name}" if purl.namespace else str(purl.name)


def configured(url: str, where: str, authorization: str | None = None) -> Registry:
    """The registry at an address, perhaps with credentials, from a client's configuration. `.netrc` may have its
    credentials too, and may name more hosts. `where` is the setting or file that has the address, for messages.
    """
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise SourceError(f"{where} is not the URL of a registry; give one that begins with https://")
    try:
        entries = netrc_entries()
    except UsageError as error:
        raise SourceError(str(error)) from None
    named = {f"{host}:443": header for host, header in entries.items() if host != "default"}
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    user = basic(unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    if header := authorization or user or entries.get(parts.hostname):
        named[host_of(plain)] = header
    return Registry(plain.rstrip("/") + "/", is_configured=True, hosts=frozenset(named), authorization=named)


def semantic(version: str) -> tuple[Any, ...]:
    """A key that orders versions as https://semver.org does; a leading `v` does not count."""
    core, _, pre = version.removeprefix("v").partition("+")[0].partition("-")
    numbers = tuple(int(part) if part.isdecimal() and len(part) < 20 else -1 for part in core.split("."))
    parts = tuple(
        (0, int(part), "") if part.isdecimal() and len(part) < 20 else (1, 0, part) for part in pre.split(".")
    )
    return (numbers, not pre, parts if pre else ())


def stable(names: Iterable[str]) -> list[str]:
    """The versions without a mark of a pre-release, or else all, in ascending order."""
    listed = sorted(names, key=semantic)
    return [name for name in listed if "-" not in name.partition("+")[0]] or listed


def objects(value: object) -> dict[str, dict[str, Any]]:
    """The objects in a JSON object, by name; empty for anything else."""
    return {name: it for name, it in value.items() if isinstance(it, dict)} if isinstance(value, dict) else {}


def text(value: object, *names: str) -> str:
    """The text at these names in nested JSON objects; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value.strip() if isinstance(value, str) else ""


def no_version(purl: PackageURL, version: str) -> SourceError:
    """The error for a version that does not exist."""
    return NotFound(
        f"{visible(purl.name)} has no version {visible(version)}; check it, or leave it out for the newest one"
    )
