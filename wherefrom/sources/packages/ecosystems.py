"""The ecosystems of packages, by their type of package URLs. A new one is a module and a row here."""

from __future__ import annotations

from collections.abc import Mapping

from wherefrom.sources.packages.cargo import Cargo
from wherefrom.sources.packages.ecosystem import Ecosystem
from wherefrom.sources.packages.golang import Golang
from wherefrom.sources.packages.maven import Maven
from wherefrom.sources.packages.npm import Npm
from wherefrom.sources.packages.pypi import PyPI

ECOSYSTEMS: Mapping[str, Ecosystem] = {row.TYPE: row for row in (PyPI(), Npm(), Cargo(), Maven(), Golang())}
