"""What a user writes to say where an index is, parsed: the only place that knows the forms."""

from __future__ import annotations

import re
from pathlib import Path

from wherefrom.engines.elasticsearch import address
from wherefrom.engines.elasticsearch.address import ENCRYPTED, FORM, PLAIN, Address
from wherefrom.errors import UsageError

EMBEDDED = "embedded"

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""What makes a location a URL. One letter does not, so that a drive is a path."""


def parse(location: str | Path, base: Path | None = None) -> Path | Address:
    """The folder of an embedded index as an absolute path, or the address of an index on Elasticsearch.

    Args:
        location: a folder, `embedded:FOLDER`, or `elasticsearch://HOST:9200/NAME` (`elasticsearch+https://` encrypted;
            several hosts with commas between, a path prefix before NAME). A folder whose name begins like a URL is
            written `./NAME:...`. A `Path` is always a folder. A scheme is taken in any case.
        base: the folder that a relative path starts at (default: the working directory).

    Raises:
        UsageError: it names no known engine, or it is not a path or an address.
    """
    if isinstance(location, Path):
        return (base or Path()).joinpath(location).absolute()
    found = _SCHEME.match(location)
    scheme = found[1].lower() if found else EMBEDDED
    if scheme in {PLAIN, ENCRYPTED}:
        return address.parse(location)
    if scheme != EMBEDDED:
        raise UsageError(
            f"there is no engine {scheme!r}; an index is a folder, PATH or embedded:PATH "
            f"(./{scheme}:... as a path), or {FORM}"
        )
    path = location[found.end() :] if found else location
    if not path.strip() or "\0" in path:
        raise UsageError("the location of the index is not a path; name a folder")
    try:
        return (base or Path()).joinpath(Path(path).expanduser()).absolute()
    except RuntimeError as error:  # no such user, no home
        raise UsageError(f"the location {path!r} does not name a home folder; give an absolute path") from error
