"""Reads package URLs: https://github.com/package-url/purl-spec."""

from __future__ import annotations

import re
from collections.abc import Mapping

from packageurl import PackageURL

from wherefrom.errors import SourceError
from wherefrom.support.hosts import HOSTS
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible

_PART = later(r"(?!\.{1,2}$)[\w.~!@+$-]{1,200}", re.ASCII)
"""A part of the name of a package. Names of some old packages on npm have other characters."""

_VERSION = later(r"(?!\.{1,2}$)[\w.~!+*-]{1,200}", re.ASCII)


def parsed(spec: str) -> PackageURL:
    """A package URL in its canonical form, without the path of a file in it. Raises SourceError if it is not a package
    URL, or its name or version has characters that no package has.
    """
    try:
        purl = PackageURL.from_string(spec)
    except ValueError as error:
        reason = visible(str(error).partition("\n")[0][:200])
        raise SourceError(
            f"{visible(spec[:200])} is not a package URL ({reason}); give one such as pkg:npm/NAME@VERSION"
        ) from None
    parts = [*(purl.namespace or "").split("/"), purl.name] if purl.namespace else [purl.name]
    if not all(_PART.fullmatch(part) for part in parts) or (
        purl.type not in _HOSTS and purl.version and not is_version(purl.version)
    ):
        raise SourceError(f"{visible(spec[:200])} has characters that no package has; check its name and version")
    # Of one package of PyPI there are many spellings (PEP 503).
    name = re.sub(r"[-_.]+", "-", purl.name).lower() if purl.type == "pypi" else purl.name
    return PackageURL(purl.type, purl.namespace, name, purl.version, purl.qualifiers)


def is_version(text: str) -> bool:
    """Whether a text has only characters of versions."""
    return bool(_VERSION.fullmatch(text))


def clone_url(purl: PackageURL) -> str | None:
    """The URL of the clone that a package URL such as `pkg:github/OWNER/REPOSITORY` names; None for a package."""
    host = _HOSTS.get(purl.type)
    return f"https://{host}/{purl.namespace}/{purl.name}" if host and purl.namespace else None


def checksums(purl: PackageURL) -> dict[str, frozenset[str]]:
    """The digests in the qualifier `checksum`, by algorithm. The package must have one of each algorithm."""
    found: dict[str, frozenset[str]] = {}
    for part in str(purl.qualifiers.get("checksum") or "").split(","):
        algorithm, _, digest = part.strip().lower().partition(":")
        if digest:
            found[algorithm] = found.get(algorithm, frozenset()) | {digest}
    return found


def identity(purl: PackageURL, version: str) -> str:
    """The repository key of a version of a package."""
    return PackageURL(purl.type, purl.namespace, purl.name, version).to_string()


_HOSTS: Mapping[str, str] = {host.purl: name for name, host in HOSTS.items() if host.purl}
