"""Writes a check as a code quality report of GitLab: an array with one object for each finding.

The format: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator

from wherefrom.model import Rule
from wherefrom.projects.check.findings import CheckReport, Finding
from wherefrom.reports.check.words import place_lines, sentence
from wherefrom.reports.layout import count
from wherefrom.reports.look import Look
from wherefrom.support.printable import one_line

PLACES = 3
"""The most places that a description names."""


def write(report: CheckReport, _look: Look) -> Iterator[str]:
    """The report as ASCII text. Accepted findings are left out."""
    seen: Counter[str] = Counter()
    written = []
    for finding in report.findings:
        if finding.accepted is None:
            key = "\0".join((finding.rule, finding.path, finding.fingerprint))
            seen[key] += 1  # tells the pieces of one match apart: GitLab drops a finding whose fingerprint is known
            severity = "critical" if finding.rule is Rule.LICENSE_CONFLICT else "major"
            issue = {
                "description": _description(finding),
                "check_name": finding.rule,
                "fingerprint": hashlib.sha256(f"{key}\0{seen[key]}".encode(errors="surrogatepass")).hexdigest(),
                "severity": severity if report.is_failing(finding) else "info",
                "location": {"path": finding.path, "lines": {"begin": finding.region.start_line}},
            }
            written.append(issue)
    yield json.dumps(written, indent=1) + "\n"


def _description(finding: Finding) -> str:
    places = [
        f"{place.occurrence.repository} {place.occurrence.path}:{place_lines(place, finding)}"
        for place in finding.places[:PLACES]
    ]
    hidden = len(finding.places) - len(places) + finding.more
    rest = f" and {count(hidden, 'more location')}" if hidden else ""
    return one_line(f"{sentence(finding)} {', '.join(places)}{rest}")
