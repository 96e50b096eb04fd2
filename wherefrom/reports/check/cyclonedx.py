"""Writes a check as a CycloneDX 1.6 bill of materials in JSON, with the library that the extra `sbom` installs.

The format: https://cyclonedx.org/docs/1.6/json/.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import ROUND_DOWN, Decimal

from cyclonedx import model
from cyclonedx.model import component_evidence
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType, Pedigree, Swhid
from cyclonedx.model.license import DisjunctiveLicense, License, LicenseAcknowledgement, LicenseExpression
from cyclonedx.model.tool import ToolRepository
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.spdx import is_expression, is_supported_id
from packageurl import PackageURL

from wherefrom.public import CheckReport, MatchedLocation
from wherefrom.reports.check import bills
from wherefrom.reports.check.words import EVIDENCE
from wherefrom.reports.layout import count
from wherefrom.reports.renderer import Look, made_at
from wherefrom.support.printable import one_line, visible
from wherefrom.support.version import __version__


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The bill of materials of a check as ASCII text. The same report and date give the same bytes."""
    bom = _bom(report)
    bom.serial_number = uuid.UUID(int=0)
    bom.metadata.timestamp = datetime.fromtimestamp(0, UTC)
    # The serial number depends on the content and not on the date, so that the same check is the same document.
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"wherefrom {JsonV1Dot6(bom).output_as_string()}")
    bom.metadata.timestamp = made_at()
    yield f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def _bom(report: CheckReport) -> Bom:
    project = Component(name=bills.project_name(report), type=ComponentType.APPLICATION, bom_ref="project")
    tool = Component(name="wherefrom", type=ComponentType.APPLICATION, version=__version__, bom_ref="wherefrom")
    properties = (("wherefrom:state", one_line(report.state)), ("wherefrom:note", EVIDENCE))
    bom = Bom(
        components=[_component(repository) for repository in bills.matched_repositories(bills.matched_pieces(report))],
        metadata=BomMetaData(
            tools=ToolRepository(components=[tool]),
            component=project,
            properties=[model.Property(name=name, value=value) for name, value in properties],
        ),
    )
    bom.register_dependency(project, bom.components)
    return bom


def _component(repository: bills.MatchedRepository) -> Component:
    """The pieces that the project shares with a repository. The repository's files are ancestors of these pieces if the
    project names the repository. Otherwise they are variants, since it is not known which was first.
    """
    purl, swhid, url = repository.place.repository_purl, repository.place.revision_swhid, repository.place.origin
    package, declared = repository.package, repository.declared_license
    vcs = model.ExternalReferenceType.VCS
    return Component(
        group=visible(package.namespace or "") or None if package else None,
        name=visible(package.name if package else repository.key),
        type=ComponentType.LIBRARY,
        version=visible((package.version or "") if package else repository.revision) or None,
        hashes=[model.HashType(alg=model.HashAlgorithm.SHA_256, content=repository.revision)] if package else [],
        licenses=_licenses([declared], LicenseAcknowledgement.DECLARED) if declared else [],
        bom_ref=_ref(repository),
        purl=None if purl is None else PackageURL.from_string(purl),
        swhids=[] if swhid is None else [Swhid(swhid)],
        external_references=[model.ExternalReference(type=vcs, url=model.XsUri(url))] if url else [],
        evidence=_evidence(repository, purl),
        pedigree=Pedigree(
            ancestors=_files(repository, is_attributed=True),
            variants=_files(repository, is_attributed=False),
            notes=f"{count(len(repository.pieces), 'piece')} of the project's code appear there too. {EVIDENCE}",
        ),
    )


def _evidence(repository: bills.MatchedRepository, purl: str | None) -> component_evidence.ComponentEvidence:
    share, ref = _share(repository), _ref(repository)
    method = component_evidence.Method(
        technique=component_evidence.AnalysisTechnique.AST_FINGERPRINT,
        confidence=share,
        value=f"{count(len(repository.pieces), 'piece')} compared token by token",
    )
    return component_evidence.ComponentEvidence(
        identity=[
            component_evidence.Identity(
                field=component_evidence.IdentityField.NAME if purl is None else component_evidence.IdentityField.PURL,
                confidence=share,
                concluded_value=purl or visible(repository.key),
                methods=[method],
            )
        ],
        occurrences=[
            component_evidence.Occurrence(
                bom_ref=f"{ref} {bills.file_uri(piece.finding.path)} {piece.finding.fingerprint} {piece.number}",
                location=piece.finding.path,
                line=piece.finding.region.start_line,
                offset=piece.finding.region.start_byte,
                additional_context=piece.description,
            )
            for piece in repository.pieces
        ],
        licenses=_licenses(license for piece in repository.pieces for license in piece.place.licenses),
    )


def _files(repository: bills.MatchedRepository, *, is_attributed: bool) -> list[Component]:
    """The files of a repository that share a piece that the project attributes to it, or one that it does not."""
    by_path: dict[str, MatchedLocation] = {}
    for piece in repository.pieces:
        if piece.is_attributed is is_attributed:
            by_path.setdefault(piece.place.occurrence.path, piece.place)
    return [
        Component(
            name=visible(path),
            type=ComponentType.FILE,
            bom_ref=f"{_ref(repository)} {'ancestor' if is_attributed else 'variant'} {bills.file_uri(path)}",
            purl=None if place.purl is None else PackageURL.from_string(place.purl),
            swhids=[] if place.swhid is None else [Swhid(place.swhid.partition(";lines=")[0])],
        )
        for path, place in sorted(by_path.items())
    ]


def _share(repository: bills.MatchedRepository) -> Decimal:
    """The matched share of the tokens of a repository's pieces, 0 to 1, rounded down: 1 means every token."""
    tokens = sum(piece.finding.tokens for piece in repository.pieces)
    matched = sum(min(piece.place.matched_tokens, piece.finding.tokens) for piece in repository.pieces)
    return (Decimal(matched) / Decimal(max(tokens, 1))).quantize(Decimal("0.0001"), ROUND_DOWN)


def _licenses(names: Iterable[str], acknowledgement: LicenseAcknowledgement | None = None) -> list[License]:
    """Some licenses. CycloneDX allows either names and identifiers that it knows, or a single expression."""
    found = sorted(set(names))
    if len(found) == 1 and not is_supported_id(found[0]) and is_expression(found[0]):
        return [LicenseExpression(found[0], acknowledgement=acknowledgement)]
    return [
        DisjunctiveLicense(id=name, acknowledgement=acknowledgement)
        if is_supported_id(name)
        else DisjunctiveLicense(name=one_line(name) or "unknown", acknowledgement=acknowledgement)
        for name in found
    ]


def _ref(repository: bills.MatchedRepository) -> str:
    return f"{bills.file_uri(repository.key)}@{bills.file_uri(repository.revision)}"
