"""A check as a CycloneDX 1.6 bill of materials in JSON, with the library that the extra `sbom` installs.

The format: https://cyclonedx.org/docs/1.6/json/.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import ROUND_DOWN, Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wherefrom.errors import ExtraMissing
from wherefrom.projects.check.findings import CheckReport, MatchedLocation
from wherefrom.reports.check.bills import (
    MatchedRepository,
    file_uri,
    matched_pieces,
    matched_repositories,
    project_name,
)
from wherefrom.reports.check.words import EVIDENCE
from wherefrom.reports.dates import made_at
from wherefrom.reports.layout import count
from wherefrom.results import identifiers
from wherefrom.results.addresses import root
from wherefrom.support.printable import one_line, visible
from wherefrom.support.version import __version__

if TYPE_CHECKING:
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component
    from cyclonedx.model.component_evidence import ComponentEvidence
    from cyclonedx.model.license import License

    from wherefrom.reports.look import Look

_PROJECT = "project"
_SHARE_DIGITS = Decimal("0.0001")


def ready() -> None:
    """Sees to it that a bill of materials can be made, before a long check.

    Raises:
        ExtraMissing: the library is not installed.
        UsageError: as `made_at`.
    """
    _require_library()
    made_at()


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The bill of materials of a check."""
    yield to_cyclonedx(report, made_at())


def to_cyclonedx(report: CheckReport, made: datetime) -> str:
    """The bill of materials as ASCII text. The same report and date give the same bytes.

    Args:
        report: of a check.
        made: when it was made, in UTC.

    Raises:
        ExtraMissing: as `ready`.
    """
    _require_library()
    from cyclonedx.output.json import JsonV1Dot6  # noqa: PLC0415 - an extra, loaded on use

    bom = _bom(report)
    bom.serial_number = uuid.UUID(int=0)
    bom.metadata.timestamp = datetime.fromtimestamp(0, UTC)
    # Derived from the content and not from the date, so that the same check is the same document.
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"wherefrom {JsonV1Dot6(bom).output_as_string()}")
    bom.metadata.timestamp = made
    return f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def _require_library() -> None:
    if find_spec("cyclonedx") is None:
        raise ExtraMissing.of("CycloneDX needs cyclonedx-python-lib, which is not installed", "sbom")


def _bom(report: CheckReport) -> Bom:
    from cyclonedx.model import Property  # noqa: PLC0415 - an extra, loaded on use
    from cyclonedx.model.bom import Bom, BomMetaData  # noqa: PLC0415
    from cyclonedx.model.component import Component, ComponentType  # noqa: PLC0415
    from cyclonedx.model.tool import ToolRepository  # noqa: PLC0415

    project = Component(name=project_name(report), type=ComponentType.APPLICATION, bom_ref=_PROJECT)
    tool = Component(name="wherefrom", type=ComponentType.APPLICATION, version=__version__, bom_ref="wherefrom")
    properties = (("wherefrom:state", one_line(report.state)), ("wherefrom:note", EVIDENCE))
    bom = Bom(
        components=[_component(repository) for repository in matched_repositories(matched_pieces(report))],
        metadata=BomMetaData(
            tools=ToolRepository(components=[tool]),
            component=project,
            properties=[Property(name=name, value=value) for name, value in properties],
        ),
    )
    bom.register_dependency(project, bom.components)
    return bom


def _component(repository: MatchedRepository) -> Component:
    """What the project has of a repository. Where it names that repository, the files there are the ancestors of these
    pieces, else variants: it is not known which was first.
    """
    from cyclonedx.model import ExternalReference, ExternalReferenceType, XsUri  # noqa: PLC0415 - an extra
    from cyclonedx.model.component import Component, ComponentType, Pedigree, Swhid  # noqa: PLC0415
    from packageurl import PackageURL  # noqa: PLC0415 - takes 30 ms

    record, at = repository.place.record, repository.place.occurrence
    purl = identifiers.repository_purl(record, at)
    swhid = identifiers.revision_swhid(record, at)
    url = None if record is None else root(record)
    return Component(
        name=visible(repository.key),
        type=ComponentType.LIBRARY,
        version=visible(repository.revision) or None,
        bom_ref=_ref(repository),
        purl=None if purl is None else PackageURL.from_string(purl),
        swhids=[] if swhid is None else [Swhid(swhid)],
        external_references=[ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(url))] if url else [],
        evidence=_evidence(repository, purl),
        pedigree=Pedigree(
            ancestors=_files(repository, is_attributed=True),
            variants=_files(repository, is_attributed=False),
            notes=f"{count(len(repository.pieces), 'piece')} of the project's code appear there too. {EVIDENCE}",
        ),
    )


def _evidence(repository: MatchedRepository, purl: str | None) -> ComponentEvidence:
    from cyclonedx.model.component_evidence import (  # noqa: PLC0415 - an extra, loaded on use
        AnalysisTechnique,
        ComponentEvidence,
        Identity,
        IdentityField,
        Method,
        Occurrence,
    )

    share = _share(repository)
    method = Method(
        technique=AnalysisTechnique.AST_FINGERPRINT,
        confidence=share,
        value=f"{count(len(repository.pieces), 'piece')} compared token by token",
    )
    return ComponentEvidence(
        identity=[
            Identity(
                field=IdentityField.NAME if purl is None else IdentityField.PURL,
                confidence=share,
                concluded_value=purl or visible(repository.key),
                methods=[method],
            )
        ],
        occurrences=[
            Occurrence(
                bom_ref=f"{_ref(repository)} {file_uri(piece.finding.path)} {piece.finding.fingerprint} {piece.number}",
                location=piece.finding.path,
                line=piece.finding.region.start_line,
                offset=piece.finding.region.start_byte,
                additional_context=piece.description,
            )
            for piece in repository.pieces
        ],
        licenses=_licenses(repository),
    )


def _files(repository: MatchedRepository, *, is_attributed: bool) -> list[Component]:
    """The files of a repository in which pieces appear that the project names, or does not name."""
    from cyclonedx.model.component import Component, ComponentType, Swhid  # noqa: PLC0415 - an extra, loaded on use
    from packageurl import PackageURL  # noqa: PLC0415 - takes 30 ms

    by_path: dict[str, MatchedLocation] = {}
    for piece in repository.pieces:
        if piece.is_attributed is is_attributed:
            by_path.setdefault(piece.place.occurrence.path, piece.place)
    return [
        Component(
            name=visible(path),
            type=ComponentType.FILE,
            bom_ref=f"{_ref(repository)} {'ancestor' if is_attributed else 'variant'} {file_uri(path)}",
            purl=None if place.purl is None else PackageURL.from_string(place.purl),
            swhids=[] if place.swhid is None else [Swhid(place.swhid.partition(";lines=")[0])],
        )
        for path, place in sorted(by_path.items())
    ]


def _share(repository: MatchedRepository) -> Decimal:
    """The share of the tokens of its pieces that match, rounded down: only the whole is 1."""
    tokens = sum(piece.finding.tokens for piece in repository.pieces)
    matched = sum(min(piece.place.matched_tokens, piece.finding.tokens) for piece in repository.pieces)
    return (Decimal(matched) / Decimal(max(tokens, 1))).quantize(_SHARE_DIGITS, ROUND_DOWN)


def _licenses(repository: MatchedRepository) -> list[License]:
    """The licenses that hold where the pieces appear: identifiers that CycloneDX lists, an expression that is alone,
    else names.
    """
    from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression  # noqa: PLC0415 - an extra
    from cyclonedx.spdx import is_expression, is_supported_id  # noqa: PLC0415

    found = sorted({license for piece in repository.pieces for license in piece.place.licenses})
    if len(found) == 1 and not is_supported_id(found[0]) and is_expression(found[0]):
        return [LicenseExpression(found[0])]
    return [
        DisjunctiveLicense(id=name) if is_supported_id(name) else DisjunctiveLicense(name=one_line(name) or "unknown")
        for name in found
    ]


def _ref(repository: MatchedRepository) -> str:
    return f"{file_uri(repository.key)}@{file_uri(repository.revision)}"
