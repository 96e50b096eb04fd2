"""Which indexed repositories are releases of one project: a license that one of them has may be chosen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wherefrom.model import RepositoryRecord

_VERSION = re.compile(
    r"[-_@/](?:v\d+|v?\d+(?:[._]\d+)+)(?:[-_.+]?(?:a|alpha|b|beta|rc|pre|post|dev|final|release|src|source|orig)(?:\.?\d+)?)*"
    r"(?:\.(?:tar|tgz|tbz2?|txz|zip|whl|gz|bz2|xz|zst))*$",
    re.IGNORECASE,
)
"""The version at the end of a key, such as `-7.0.0` or `@v2`, and what the name of an archive has behind it."""


def is_other_release(one: RepositoryRecord, other: RepositoryRecord, *, same_path: bool) -> bool:
    """Whether two repositories of an index are releases of one project.

    They are if they were read from one clone at two revisions, or if their names differ only in the version and the
    code has the same path in both: anybody may give a repository such a name.

    Args:
        one: a repository.
        other: another one.
        same_path: whether the code has the same path in both.
    """
    if one.key == other.key:
        return False
    if one.location == other.location:
        return True
    names = [_VERSION.sub("", record.key).lower() for record in (one, other)]
    has_version = any(name != record.key.lower() for name, record in zip(names, (one, other), strict=True))
    if one.remote is None or other.remote is None:  # of remotes the owner counts too
        names = [name.rpartition("/")[2] for name in names]
    return same_path and has_version and names[0] == names[1]
