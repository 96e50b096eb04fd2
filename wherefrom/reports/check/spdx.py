"""Writes a check as an SPDX 2.3 document in JSON: files, their snippets that appear elsewhere, and the places.

The format: https://spdx.github.io/spdx-spec/v2.3/.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from typing import Any

from wherefrom.extend import is_listed_license
from wherefrom.public import CheckReport
from wherefrom.reports.check import bills
from wherefrom.reports.check.words import EVIDENCE, license_names
from wherefrom.reports.renderer import Look, dumps, made_at
from wherefrom.results import Region
from wherefrom.support.printable import one_line, visible
from wherefrom.support.version import __version__

_DOCUMENT = "SPDXRef-DOCUMENT"
_UNSAID = "NOASSERTION"


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The document of a check as ASCII text. The same report and date give the same bytes."""
    found = bills.matched_pieces(report)
    paths = list(dict.fromkeys(piece.finding.path for piece in found))
    content = {
        "name": f"wherefrom check of {bills.project_name(report)}",
        "comment": f"Checked: {one_line(report.state)}. {EVIDENCE}",
        "packages": [_package(repository) for repository in bills.matched_repositories(found)],
        "files": [_file(path, report.contents[path]) for path in paths],
        "snippets": [_snippet(piece) for piece in found],
        "relationships": [
            *(_relationship(_DOCUMENT, "DESCRIBES", _id("File", path)) for path in paths),
            *(relationship for piece in found for relationship in _relationships(piece)),
        ],
    }
    # The namespace depends on the content and not on the date, so that the same check is the same document.
    serial = uuid.uuid5(uuid.NAMESPACE_URL, f"wherefrom {__version__} {dumps(content)}")
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": _DOCUMENT,
        "documentNamespace": f"https://spdx.org/spdxdocs/wherefrom-{serial}",
        "creationInfo": {
            "created": f"{made_at():%Y-%m-%dT%H:%M:%SZ}",
            "creators": [f"Tool: wherefrom-{__version__}"],
        },
        **content,
    }
    yield dumps(document)


def _package(repository: bills.MatchedRepository) -> dict[str, Any]:
    """A repository or a version of a package. No license is concluded for it, since only a part of it was compared."""
    place = repository.place
    url = place.origin if place.record is not None and place.record.is_git else None
    purl = repository.package
    name = "/".join(filter(None, (purl.namespace, purl.name))) if purl else repository.key
    version = (purl.version or "") if purl else repository.revision
    package = {
        "SPDXID": _id("Package", repository.key, repository.revision),
        "name": visible(name),
        "downloadLocation": f"git+{url}@{repository.revision}" if url else _UNSAID,
        "filesAnalyzed": False,
        "licenseConcluded": _UNSAID,
        "licenseDeclared": repository.declared_license or _UNSAID,
        "copyrightText": _UNSAID,
    }
    if version:
        package["versionInfo"] = visible(version)
    if purl:
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": repository.revision}]
    references = (("PACKAGE-MANAGER", "purl", place.repository_purl), ("PERSISTENT-ID", "swh", place.revision_swhid))
    external = [
        {"referenceCategory": category, "referenceType": kind, "referenceLocator": name}
        for category, kind, name in references
        if name is not None
    ]
    return package | ({"externalRefs": external} if external else {})


def _file(path: str, content: bytes) -> dict[str, Any]:
    return {
        "SPDXID": _id("File", path),
        "fileName": f"./{path}",
        "checksums": [
            # SPDX requires a SHA-1 checksum of each file.
            {"algorithm": "SHA1", "checksumValue": hashlib.sha1(content, usedforsecurity=False).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
        ],
        "licenseConcluded": _UNSAID,
        "licenseInfoInFiles": [_UNSAID],
        "copyrightText": _UNSAID,
    }


def _snippet(piece: bills.MatchedPiece) -> dict[str, Any]:
    """A piece. Its license is concluded only if the project itself names the source."""
    finding = piece.finding
    licenses = piece.place.licenses
    concluded = _expression(licenses) if piece.is_attributed else None
    naming = "names that location" if piece.is_attributed else "does not name that location"
    at = piece.place.occurrence
    return {
        "SPDXID": _snippet_id(piece),
        "name": f"{visible(finding.path)}:{finding.region.lines}",
        "comment": piece.description,
        "snippetFromFile": _id("File", finding.path),
        "ranges": _ranges(finding.region, _id("File", finding.path)),
        "licenseConcluded": concluded or _UNSAID,
        "licenseInfoInSnippets": [_UNSAID],
        "licenseComments": (
            f"Found at {visible(at.repository)} {visible(at.path)}: {one_line(license_names(licenses))}. "
            f"This project {naming}; its file is under {one_line(license_names(finding.licenses))}."
        ),
        "copyrightText": _UNSAID,
    }


def _ranges(region: Region, file: str) -> list[dict[str, Any]]:
    """The range of a region in bytes and in lines, both 1-based and inclusive."""

    def pointers(unit: str, first: int, last: int) -> dict[str, Any]:
        return {"startPointer": {"reference": file, unit: first}, "endPointer": {"reference": file, unit: last}}

    return [
        pointers("offset", region.start_byte + 1, region.end_byte),
        pointers("lineNumber", region.start_line, region.end_line),
    ]


def _relationships(piece: bills.MatchedPiece) -> Iterator[dict[str, str]]:
    at = piece.place.occurrence
    kind = "DESCENDANT_OF" if piece.is_attributed else "VARIANT_OF"
    name = piece.place.swhid or f"{visible(at.repository)} {visible(at.path)}"
    yield _relationship(_id("File", piece.finding.path), "CONTAINS", _snippet_id(piece))
    yield _relationship(_snippet_id(piece), kind, _id("Package", at.repository, at.revision)) | {"comment": name}


def _relationship(one: str, kind: str, other: str) -> dict[str, str]:
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def _expression(licenses: tuple[str, ...]) -> str | None:
    """The licenses as one expression; None if there are none, or if SPDX does not list one of them."""
    if not licenses or not all(map(is_listed_license, licenses)):
        return None
    parts = [f"({license})" if len(licenses) > 1 and " " in license else license for license in licenses]
    return " AND ".join(parts)


def _snippet_id(piece: bills.MatchedPiece) -> str:
    return _id("Snippet", piece.finding.path, piece.finding.fingerprint, str(piece.number))


def _id(kind: str, *parts: str) -> str:
    """The identifier of an element. It depends only on these parts, so other elements do not change it."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return f"SPDXRef-{kind}-{hashlib.sha256(text).hexdigest()[:20]}"
