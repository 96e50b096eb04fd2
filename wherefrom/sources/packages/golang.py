"""Go modules. The protocol: https://go.dev/ref/mod#goproxy-protocol."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote

from packageurl import PackageURL
from packageurl.contrib.purl2url import escape_golang_path, get_download_url

from wherefrom.errors import SourceError
from wherefrom.model import Package
from wherefrom.sources.packages.client import Client
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.registry import File, Registry, Release, Version, configured, full_name, stable, text
from wherefrom.sources.packages.settings import assignments, home, read_settings
from wherefrom.support.hosts import HOSTS
from wherefrom.support.printable import visible


class Golang(Ecosystem):
    """Modules for the go command. Their zips have a checksum only in a `go.sum`."""

    TYPE = "golang"
    NUMBERS = 3
    MANIFESTS = re.compile(r"go\.mod")

    def public(self) -> Registry:
        """The proxy in the addresses of packageurl."""
        return Registry(get_download_url("pkg:golang/x@v1").partition("x/@v/")[0])  # type: ignore[no-untyped-call]

    def registry(self, purl: PackageURL) -> Registry:
        """The first proxy of `GOPROXY`. Modules that match `GONOPROXY` or `GOPRIVATE` have none."""
        module, settings = full_name(purl), _settings()
        private = settings.get("GONOPROXY") or settings.get("GOPRIVATE") or ""
        for pattern in filter(None, private.split(",")):
            parts = module.split("/")[: 1 + pattern.rstrip("/").count("/")]
            if fnmatchcase("/".join(parts), pattern.strip().rstrip("/")):
                raise SourceError(
                    f"{visible(module)} matches GOPRIVATE or GONOPROXY, so no proxy may be asked; give the URL of its "
                    "clone"
                )
        chosen = settings.get("GOPROXY") or ""
        if not chosen:
            return self.public()
        return configured(chosen.replace("|", ",").split(",")[0].strip(), "the first entry of GOPROXY")

    def versions(self, client: Client, registry: Registry, purl: PackageURL) -> list[Version]:
        """The tagged versions, or else the newest commit."""
        at = self._address(registry, purl)
        lines = client.answer(registry, f"{at}@v/list").decode().splitlines()
        names = [word for line in lines for word in line.split()[:1]]
        return [Version(it) for it in stable(names or [text(client.json(registry, f"{at}@latest"), "Version")])]

    def release(self, client: Client, registry: Registry, purl: PackageURL, version: str) -> Release:
        """The zip of a version."""
        at = f"{self._address(registry, purl)}@v/{quote(escape_golang_path(version), safe='!+')}"
        info = client.json(registry, f"{at}.info")
        module = full_name(purl)
        file = File(f"{at}.zip", f"{purl.name}-{version}.zip", depth=1 + module.count("/"))
        repository, (host, *parts) = text(info, "Origin", "URL"), module.split("/")
        if not repository and host in HOSTS and len(parts) > 1:
            repository = f"https://{host}/{'/'.join(parts[:2])}"
        return Release([file], Package(released=text(info, "Time")[:10], repository=repository))

    def _address(self, registry: Registry, purl: PackageURL) -> str:
        return f"{registry.url}{quote(escape_golang_path(full_name(purl)), safe='/!~')}/"


def _settings() -> dict[str, str]:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or home() / ".config")
    written = read_settings(Path(os.environ.get("GOENV") or folder / "go" / "env")) or ""
    names = ("GOPROXY", "GONOPROXY", "GOPRIVATE")
    return {**assignments(written), **{name: value for name in names if (value := os.environ.get(name))}}
