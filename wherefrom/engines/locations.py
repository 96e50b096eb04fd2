"""What a user writes to say where an index is, parsed: the only place that tells the engines apart by it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wherefrom.engines.kinds import EMBEDDED, KINDS, EngineKind
from wherefrom.errors import UsageError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""What makes a location a URL. One letter does not, so that a drive is a path."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where an index is: the kind of its engine, and the address as that engine takes it."""

    kind: EngineKind
    address: Any

    def __str__(self) -> str:
        return str(self.address)


def parse(location: str | Path, base: Path | None = None) -> Location:
    """The engine of a location, and the address in it: the absolute path of a folder, or a URL's parts.

    Args:
        location: a folder, `embedded:FOLDER`, or `elasticsearch://HOST:9200/NAME` (`elasticsearch+https://` encrypted;
            several hosts with commas between, a path prefix before NAME). A `Path` is always a folder; one whose name
            begins like a URL is written `./NAME:...`.
        base: the folder that a relative path starts at (default: the working directory).

    Raises:
        UsageError: it names no known engine, or it is not a path or an address.
    """
    base = base or Path()
    if isinstance(location, Path):
        return Location(EMBEDDED, (base / location).absolute())
    found = _SCHEME.match(location)
    if found is None:
        return Location(EMBEDDED, EMBEDDED.parse(f"{EMBEDDED.name}:{location}", base))
    scheme = found[1].lower()
    for kind in KINDS:
        if scheme in kind.schemes:
            return Location(kind, kind.parse(location, base))
    forms = ", or ".join(kind.form for kind in KINDS)
    raise UsageError(f"there is no engine {scheme!r}; an index is {forms} (./{scheme}:... as a path)")
