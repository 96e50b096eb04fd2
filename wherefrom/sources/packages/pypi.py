"""Python packages. The protocol: https://packaging.python.org/en/latest/specifications/simple-repository-api/."""

from __future__ import annotations

import configparser
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email import message_from_bytes, policy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from packageurl import PackageURL
from packageurl.contrib.purl2url import get_repo_url
from packageurl.contrib.url2purl import get_purl
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion
from packaging.version import Version as PythonVersion

from wherefrom.errors import SourceError
from wherefrom.model import Package
from wherefrom.sources.packages.client import Client, json_object, unknown
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.registry import File, Registry, Release, Version, configured, no_version, text
from wherefrom.sources.packages.settings import home, read_settings

_JSON = "application/vnd.pypi.simple.v1+json"
_ACCEPT = f"{_JSON}, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"

_REPOSITORY = {"source", "sourcecode", "repository", "code", "github", "gitlab"}
_UPSTREAM = {"upstream", "homepage"}
"""Labels of URLs in the metadata, in lower case and without other characters than letters."""


class PyPI(Ecosystem):
    """Packages for pip and uv."""

    TYPE = "pypi"
    MANIFESTS = re.compile(r"PKG-INFO|[^/]+\.dist-info/METADATA")

    def public(self) -> Registry:
        """The index at the site that packageurl knows."""
        return Registry(urljoin(get_repo_url("pkg:pypi/x"), "/simple/"), knows=_is_known)  # type: ignore[no-untyped-call]

    def registry(self, purl: PackageURL) -> Registry:  # noqa: ARG002
        """The index that pip is configured to, or else uv."""
        for where, url in _configured_indexes():
            if url:
                return configured(url, where)
        return self.public()

    def versions(self, client: Client, registry: Registry, purl: PackageURL) -> list[Version]:
        """The versions with a file, in ascending order."""
        found: dict[PythonVersion, bool] = {}
        for listed in self._files(client, registry, purl):
            found[listed.version] = found.get(listed.version, True) and listed.is_yanked
        stable = [version for version in found if not version.is_prerelease] or [*found]
        return [Version(str(version), found[version]) for version in sorted(stable)]

    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """The sdist of a version, and then its wheels."""
        try:
            wanted = PythonVersion(version)
        except InvalidVersion:
            raise no_version(purl, version) from None
        files = [listed for listed in self._files(client, registry, purl) if listed.version == wanted]
        if not files:
            raise no_version(purl, version)
        files.sort(key=lambda listed: (not listed.file.is_source, "-none-any" not in listed.file.name))
        released = min((listed.released for listed in files if listed.released), default="")
        is_yanked = all(listed.is_yanked for listed in files)
        return Release([listed.file for listed in files], Package(released=released), is_yanked)

    def fitting(self, names: Sequence[str], wanted: str) -> list[str]:
        """Those that a specifier admits."""
        return list(SpecifierSet(wanted).filter(names))

    def described(self, content: bytes, package: Package) -> Package:
        """Adds the core metadata: https://packaging.python.org/en/latest/specifications/core-metadata/."""
        message = message_from_bytes(content, policy=policy.compat32)

        def value(name: str) -> str:
            found = str(message.get(name) or "").strip()
            return "" if found == "UNKNOWN" else found

        urls = {}
        for line in message.get_all("Project-URL") or []:
            label, _, url = str(line).partition(",")
            urls[re.sub("[^a-z]", "", label.lower())] = url.strip()
        return replace(
            package,
            license=value("License-Expression") or value("License").partition("\n")[0],
            author=value("Author") or value("Author-email") or value("Maintainer"),
            repository=next((url for label, url in urls.items() if label in _REPOSITORY), ""),
            upstream=next((url for label, url in urls.items() if label in _UPSTREAM), value("Home-page")),
        )

    def _files(self, client: Client, registry: Registry, purl: PackageURL) -> list[_Listed]:
        name = canonicalize_name(purl.name)
        url = urljoin(registry.url, f"{name}/")
        content = client.answer(registry, url, accept=_ACCEPT)
        files: object
        if content.lstrip().startswith(b"{"):
            files = json_object(content, url).get("files")
        else:
            links = _Links()
            links.feed(content.decode("utf-8", "replace"))
            files = links.files
        if not isinstance(files, list):
            raise unknown(url, "files")
        return [listed for file in files if isinstance(file, dict) and (listed := _listed(file, name, url))]


class _Listed(NamedTuple):
    version: PythonVersion
    file: File
    released: str
    is_yanked: bool


def _listed(values: dict[str, Any], name: str, base: str) -> _Listed | None:
    """A file that is an sdist or a wheel of the package; None for any other."""
    filename, url, hashes = text(values, "filename"), text(values, "url"), values.get("hashes")
    if not url or not isinstance(hashes, dict):
        return None
    is_source = not filename.endswith(".whl")
    try:
        named, version = parse_sdist_filename(filename) if is_source else parse_wheel_filename(filename)[:2]
    except ValueError:  # all errors of these functions are kinds of it
        return None
    if named != name:
        return None
    checksums = {name: value.lower() for name, value in hashes.items() if isinstance(value, str)}
    file = File(urljoin(base, url), filename, checksums, depth=1 if is_source else 0, is_source=is_source)
    # `yanked` is a reason, which may be empty, or a boolean.
    return _Listed(version, file, text(values, "upload-time")[:10], values.get("yanked", False) is not False)


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.files: list[dict[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes the file of a link."""
        values = dict(attrs)
        if tag == "a" and (href := values.get("href")):
            url, _, fragment = href.partition("#")
            algorithm, _, digest = fragment.partition("=")
            name, hashes = unquote(urlsplit(url).path.rpartition("/")[2]), {algorithm: digest} if digest else {}
            self.files.append({"filename": name, "url": url, "hashes": hashes, "yanked": "data-yanked" in values})


def _is_known(url: str) -> bool:
    """Whether packageurl knows the host of a URL as one that has the files of the public index."""
    name = urlsplit(url).path.rpartition("/")[2]
    found = get_purl(f"https://{urlsplit(url).hostname}/packages/{name}")  # type: ignore[no-untyped-call]
    return found is not None and found.type == PyPI.TYPE


def _configured_indexes() -> Iterator[tuple[str, str | None]]:
    """The places where pip and uv look for the address of an index, pip first, each with the address or None."""
    yield "PIP_INDEX_URL", os.environ.get("PIP_INDEX_URL")
    places = [
        os.environ.get("PIP_CONFIG_FILE"),
        Path(sys.prefix, "pip.conf"),
        Path(os.environ.get("XDG_CONFIG_HOME") or home() / ".config", "pip", "pip.conf"),
        home() / ".pip" / "pip.conf",
        Path("/etc/pip.conf"),
    ]
    for place in places:
        written = read_settings(Path(place)) if place else None
        if written is not None:
            parser = configparser.RawConfigParser(strict=False)
            try:
                parser.read_string(written)
            except configparser.Error:
                raise SourceError(f"cannot read {place}: it is not a configuration of pip; repair it") from None
            for section in ("download", "install", "global"):
                yield str(place), parser.get(section, "index-url", fallback=None)
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        yield name, os.environ.get(name)
