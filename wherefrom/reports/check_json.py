"""A check as JSON: the contract of `docs/check-result.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wherefrom.reports.addresses import address
from wherefrom.reports.json_report import FORMAT

if TYPE_CHECKING:
    from wherefrom.check.base import CheckReport, Finding, Place


def check_to_dict(report: CheckReport) -> dict[str, Any]:
    """The whole check."""
    failing = {id(each) for each in report.failing}
    return {
        "format": FORMAT,
        "engine": report.engine,
        "project": report.project,
        "state": report.state,
        "files": report.files,
        "units": report.units,
        "skipped": {str(reason): number for reason, number in sorted(report.skipped.items())},
        "own": list(report.own),
        "fail_on": [str(rule) for rule in report.fail_on],
        "failing": len(report.failing),
        "findings": [_finding(each, is_failing=id(each) in failing) for each in report.findings],
        "stale": [
            {"path": entry.path, "rule": str(entry.rule), "fingerprint": entry.fingerprint} for entry in report.stale
        ],
        "unexplained": [{"path": path, "line": line} for path, line in report.unexplained],
        "seconds": report.seconds,
    }


def _finding(finding: Finding, *, is_failing: bool) -> dict[str, Any]:
    return {
        "rule": str(finding.rule),
        "failing": is_failing,
        "accepted": None if finding.accepted is None else asdict(finding.accepted),
        "path": finding.path,
        "region": asdict(finding.region),
        "tokens": finding.tokens,
        "fingerprint": finding.fingerprint,
        "licenses": list(finding.licenses),
        "places": [_place(place) for place in finding.places],
        "more": finding.more,
    }


def _place(place: Place) -> dict[str, Any]:
    at = place.occurrence
    return {
        "repository": at.repository,
        "path": at.path,
        "revision": at.revision,
        "blob": at.blob,
        "url": address(place.record, at, place.regions),
        "count": place.count,
        "tokens": place.tokens,
        "licenses": list(place.licenses),
        "evidence": [
            {
                "where": str(each.where),
                "kind": str(each.kind),
                "value": each.value,
                "text": each.text,
                "path": each.path,
                "line": each.line,
            }
            for each in place.evidence
        ],
        "regions": [
            {
                "query": asdict(pair.query),
                "document": asdict(pair.document),
                "tokens": pair.tokens,
                "representation": str(pair.representation),
            }
            for pair in place.regions
        ],
    }
