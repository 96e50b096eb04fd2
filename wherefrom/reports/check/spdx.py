"""A check as an SPDX 2.3 document in JSON: files, the snippets of them that appear elsewhere, and where.

The format: https://spdx.github.io/spdx-spec/v2.3/.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from wherefrom.analyzers.references import expressions
from wherefrom.projects.check.findings import CheckReport
from wherefrom.reports.check.bills import (
    MatchedPiece,
    MatchedRepository,
    matched_pieces,
    matched_repositories,
    project_name,
)
from wherefrom.reports.check.words import EVIDENCE, license_names
from wherefrom.reports.dates import made_at
from wherefrom.reports.json import dumps
from wherefrom.reports.layout import lines
from wherefrom.results import Region, identifiers
from wherefrom.results.addresses import root
from wherefrom.support.printable import one_line, visible
from wherefrom.support.version import __version__

if TYPE_CHECKING:
    from wherefrom.reports.look import Look

_DOCUMENT = "SPDXRef-DOCUMENT"
_UNSAID = "NOASSERTION"


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The document of a check."""
    yield to_spdx(report, made_at())


def to_spdx(report: CheckReport, made: datetime) -> str:
    """The document as ASCII text. The same report and date give the same bytes.

    Args:
        report: of a check.
        made: when the document was made, in UTC.
    """
    found = matched_pieces(report)
    paths = list(dict.fromkeys(piece.finding.path for piece in found))
    content = {
        "name": f"wherefrom check of {project_name(report)}",
        "comment": f"Checked: {one_line(report.state)}. {EVIDENCE}",
        "packages": [_package(repository) for repository in matched_repositories(found)],
        "files": [_file(path, report.contents[path]) for path in paths],
        "snippets": [_snippet(piece) for piece in found],
        "relationships": [
            *(_relationship(_DOCUMENT, "DESCRIBES", _id("File", path)) for path in paths),
            *(relationship for piece in found for relationship in _relationships(piece)),
        ],
    }
    # Derived from the content and not from the date, so that the same check is the same document.
    serial = uuid.uuid5(uuid.NAMESPACE_URL, f"wherefrom {__version__} {dumps(content)}")
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": _DOCUMENT,
        "documentNamespace": f"https://spdx.org/spdxdocs/wherefrom-{serial}",
        "creationInfo": {
            "created": f"{made:%Y-%m-%dT%H:%M:%SZ}",
            "creators": [f"Tool: wherefrom-{__version__}"],
        },
        **content,
    }
    return dumps(document)


def _package(repository: MatchedRepository) -> dict[str, Any]:
    """A repository; nothing of it is concluded, since only a part of it was compared."""
    record, at = repository.place.record, repository.place.occurrence
    url = None if record is None or record.kind != "git" else root(record)
    package = {
        "SPDXID": _id("Package", repository.key, repository.revision),
        "name": visible(repository.key),
        "downloadLocation": f"git+{url}@{at.revision}" if url else _UNSAID,
        "filesAnalyzed": False,
        "licenseConcluded": _UNSAID,
        "licenseDeclared": _UNSAID,
        "copyrightText": _UNSAID,
    }
    if repository.revision:
        package["versionInfo"] = visible(repository.revision)
    references = (
        ("PACKAGE-MANAGER", "purl", identifiers.repository_purl(record, at)),
        ("PERSISTENT-ID", "swh", identifiers.revision_swhid(record, at)),
    )
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
            # SPDX asks for SHA-1.
            {"algorithm": "SHA1", "checksumValue": hashlib.sha1(content, usedforsecurity=False).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
        ],
        "licenseConcluded": _UNSAID,
        "licenseInfoInFiles": [_UNSAID],
        "copyrightText": _UNSAID,
    }


def _snippet(piece: MatchedPiece) -> dict[str, Any]:
    """A piece. Its license is concluded only where the project itself names where the code is from."""
    finding = piece.finding
    licenses = piece.place.licenses
    concluded = _expression(licenses) if piece.is_attributed else None
    naming = "names that location" if piece.is_attributed else "does not name that location"
    at = piece.place.occurrence
    return {
        "SPDXID": _snippet_id(piece),
        "name": f"{visible(finding.path)}:{lines(finding.region.start_line, finding.region.end_line)}",
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
    """Bytes and lines, both from 1 and inclusive."""

    def pointers(unit: str, first: int, last: int) -> dict[str, Any]:
        return {"startPointer": {"reference": file, unit: first}, "endPointer": {"reference": file, unit: last}}

    return [
        pointers("offset", region.start_byte + 1, region.end_byte),
        pointers("lineNumber", region.start_line, region.end_line),
    ]


def _relationships(piece: MatchedPiece) -> Iterator[dict[str, str]]:
    at = piece.place.occurrence
    kind = "DESCENDANT_OF" if piece.is_attributed else "VARIANT_OF"
    name = piece.place.swhid or f"{visible(at.repository)} {visible(at.path)}"
    yield _relationship(_id("File", piece.finding.path), "CONTAINS", _snippet_id(piece))
    yield _relationship(_snippet_id(piece), kind, _id("Package", at.repository, at.revision)) | {"comment": name}


def _relationship(one: str, kind: str, other: str) -> dict[str, str]:
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def _expression(licenses: tuple[str, ...]) -> str | None:
    """All of these licenses as one expression; None where SPDX does not list one of them, or none is known."""
    if not licenses or not all(map(expressions.is_listed, licenses)):
        return None
    parts = [f"({license})" if len(licenses) > 1 and " " in license else license for license in licenses]
    return " AND ".join(parts)


def _snippet_id(piece: MatchedPiece) -> str:
    return _id("Snippet", piece.finding.path, piece.finding.fingerprint, str(piece.number))


def _id(kind: str, *parts: str) -> str:
    """An identifier that stays when other elements come and go."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return f"SPDXRef-{kind}-{hashlib.sha256(text).hexdigest()[:20]}"
