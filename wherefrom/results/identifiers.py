"""What other tools call a location: its SWHID and its package URL.

The formats: SWHID 1.2 (ISO/IEC 18670), https://www.swhid.org/specification/v1.2/. Package URL,
https://github.com/package-url/purl-spec; its types are those of `wherefrom.support.hosts`, and `git` for all other
remotes.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, unquote_to_bytes

from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.results.addresses import root
from wherefrom.results.regions import Region, line_range
from wherefrom.support.hosts import HOSTS

_SHA1_DIGITS = 40


def content_swhid(blob: str, regions: Sequence[Region] = ()) -> str | None:
    """The SWHID of a content, wherever it is; None for a SHA-256 blob id, for which SWHID 1 has no form.

    Args:
        blob: a git blob id.
        regions: what matches in it: the `lines` from the first to the last that does.
    """
    return _swhid("cnt", blob) + _lines(regions) if _is_sha1(blob) else None


def swhid(record: RepositoryRecord | None, at: Occurrence, regions: Sequence[Region] = ()) -> str | None:
    """The SWHID of a location, with the qualifiers that are known in their canonical order: `origin`, `anchor`, `path`,
    `lines`. It is ASCII. None for a SHA-256 blob id.

    Args:
        record: that of the location's repository, None if it is not known. Only a remote is an `origin`, only a commit
            an `anchor`.
        at: the location.
        regions: what matches there.
    """
    if not _is_sha1(at.blob):
        return None
    origin = None if record is None else root(record)
    revision = revision_swhid(record, at)
    return "".join(
        (
            _swhid("cnt", at.blob),
            f";origin={origin.replace(';', '%3B')}" if origin else "",
            f";anchor={revision}" if revision else "",
            f";path=/{quote(_path_bytes(at.path))}",
            _lines(regions),
        )
    )


def revision_swhid(record: RepositoryRecord | None, at: Occurrence) -> str | None:
    """The SWHID of the commit that a location was read at, None where it was not read from one."""
    is_commit = record is not None and record.kind == "git" and _is_sha1(at.revision)
    return _swhid("rev", at.revision) if is_commit else None


def purl(record: RepositoryRecord | None, at: Occurrence) -> str | None:
    """The package URL of a location: its repository at its revision, and its path as the subpath. None where the
    repository is not a git one with a remote, or the path cannot be a subpath.
    """
    return _purl(record, at.revision, at.path)


def repository_purl(record: RepositoryRecord | None, at: Occurrence) -> str | None:
    """The package URL of a location's repository at its revision, None where that is not a git one with a remote."""
    return _purl(record, at.revision)


def _purl(record: RepositoryRecord | None, revision: str, path: str | None = None) -> str | None:
    if record is None or record.key_kind != KeyKind.REMOTE or record.kind != "git":
        return None
    host, *parts = record.key.split("/")
    if not parts or not all(part.strip() for part in (host, *parts)):
        return None
    from packageurl import PackageURL  # noqa: PLC0415 - takes 30 ms, and text does without

    *owners, name = parts
    known = HOSTS.get(host.lower())
    kind = known.purl if known and len(owners) == 1 else None
    namespace = "/".join(owners if kind else [host, *owners])
    try:
        made = PackageURL(kind or "git", namespace, name, revision or None, subpath=path)
        # It drops parts such as `..`, and blanks at both ends: that would be another file.
        return made.to_string() if made.subpath == path else None
    except ValueError:  # a text that is not Unicode
        return None


def _swhid(kind: str, digits: str) -> str:
    return f"swh:1:{kind}:{digits}"


def _is_sha1(digits: str) -> bool:
    return len(digits) == _SHA1_DIGITS


def _lines(regions: Sequence[Region]) -> str:
    lines = line_range(regions)
    return f";lines={lines}" if lines else ""


def _path_bytes(text: str) -> bytes:
    """The path that a text is of: where a path is not UTF-8, its text has these bytes percent-encoded."""
    found = unquote_to_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        found.decode()
    except UnicodeDecodeError:
        return found
    return text.encode("utf-8", "surrogatepass")
