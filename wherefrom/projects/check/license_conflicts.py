"""Finds licenses that conflict: code under copyleft, or of restricted use, in a project under another license.

The table knows only families of licenses. It shows what is worth a look, and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from wherefrom.analyzers.references.expressions import is_permissive, parse
from wherefrom.model import LicenseJudgment

_GNU = ("GPL", "LGPL", "AGPL")
_CLAUSE = "CommonsClause"
"""An addition to a license that forbids to sell the code. The classifier names this addition beside the license."""

ACCEPTED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # Code under the LGPL may always be taken under the GPL (LGPL 2.1, 3; LGPL 3.0, 2).
        "LGPL": _GNU,
        "GPL": ("GPL", "AGPL"),
        # GPL 3.0, 13 and AGPL 3.0, 13 permit the two in one work.
        "AGPL": ("AGPL", "GPL"),
        # MPL 2.0, 3.3 permits distribution under its "secondary licenses": GPL, LGPL and AGPL.
        "MPL": ("MPL", *_GNU),
        "EPL": ("EPL",),
        # The appendix of EUPL 1.2 lists compatible licenses.
        "EUPL": ("EUPL", *_GNU, "MPL", "EPL", "OSL", "CECILL", "CC-BY-SA", "LiLiQ-R", "LiLiQ-Rplus"),
        "CDDL": ("CDDL",),
        "CPL": ("CPL", "EPL"),
        "IPL": ("IPL",),
        "OSL": ("OSL",),
        "CECILL": ("CECILL", *_GNU, "EUPL"),
        "QPL": ("QPL",),
        "RPL": ("RPL",),
        "MS-RL": ("MS-RL",),
        "Sleepycat": ("Sleepycat", *_GNU),
        "ODbL": ("ODbL",),
        # CC BY-SA 4.0 may be taken under GPL 3.0, by Creative Commons' list of compatible licenses.
        "CC-BY-SA": ("CC-BY-SA", "GPL", "AGPL"),
        # These restrict the use of the code, and no other license passes the restriction on.
        "BUSL": ("BUSL",),
        "CC-BY-NC": ("CC-BY-NC",),
        "CC-BY-ND": ("CC-BY-ND",),
        _CLAUSE: (_CLAUSE,),
        "Elastic": ("Elastic",),
        "FSL": ("FSL",),
        "PolyForm": ("PolyForm",),
        "SSPL": ("SSPL",),
        "SUL": ("SUL",),
    }
)
"""Families of licenses that bind those who take the code, by the beginning of their SPDX identifiers, each with the
families under which a project may have such code."""

_TAKING = frozenset(name for names in ACCEPTED_BY.values() for name in names)
"""All families under which a project may have code of some family in the table."""

_UNLISTED = "LicenseRef-"  # the beginning of identifiers of licenses that SPDX does not list. Their terms are not known

_WORD = re.compile(r"[^\s()]+")


def judge(own: Sequence[str], places: Sequence[Sequence[str]]) -> LicenseJudgment:
    """Judges whether the licenses of the places where code also appears conflict with those of a project, all SPDX
    identifiers or expressions, and `model.UNKNOWN_LICENSE` for a text that is not recognized. `CONFLICT` if those of
    all places that can be judged conflict, `NONE` if those of one place do not. If nothing can be judged, the reason.
    """
    judged = [
        theirs for licenses in places if (theirs := [license for license in licenses if _is_judged(license, own)])
    ]
    ours = [license for license in own if not license.startswith(_UNLISTED)]
    if not judged:
        return _why_not_judged(places)
    if not all(map(_are_binding, judged)):
        return LicenseJudgment.NONE
    if not ours:
        return LicenseJudgment.OWN_UNKNOWN if own else LicenseJudgment.OWN_NOT_STATED
    return (
        LicenseJudgment.CONFLICT if all(licenses_conflict(ours, theirs) for theirs in judged) else LicenseJudgment.NONE
    )


def licenses_conflict(own: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether code under the licenses `theirs` conflicts with a project under `own`, both SPDX identifiers or
    expressions. False if either is empty, if one of `theirs` is not binding (see `binding_families`), or if a project
    under a license in `own` may have code under one of `theirs`.
    """
    if not own or not theirs or not _are_binding(theirs):
        return False
    ours = {family for license in own for family in _families_of_all(license)}
    binding = [_CLAUSE] if _CLAUSE in theirs else [family for license in theirs for family in binding_families(license)]
    return all(not ours & set(ACCEPTED_BY[family]) for family in binding)


def binding_families(expression: str) -> frozenset[str]:
    """The families of the licenses in an SPDX expression. Empty if the expression is not binding, because licenses
    outside of the table are enough to meet it, or if the text is not an expression.
    """
    parsed = parse(expression)
    if parsed is None or parsed.is_met(lambda identifier: _family(identifier) is None):
        return frozenset()
    return _families(parsed.identifiers)


def _are_binding(theirs: Sequence[str]) -> bool:
    return _CLAUSE in theirs or all(map(binding_families, theirs))


def _is_judged(license: str, own: Sequence[str]) -> bool:
    """Whether the terms of a license are known: it is in the table, is permissive, or is one of the project's own."""
    parsed = parse(license)
    if parsed is None or license.startswith(_UNLISTED):
        return False
    return license in own or bool(binding_families(license)) or parsed.is_met(is_permissive)


def _why_not_judged(places: Sequence[Sequence[str]]) -> LicenseJudgment:
    stated = (parse(license) for licenses in places for license in licenses)
    if any(not name.startswith(_UNLISTED) for parsed in stated if parsed is not None for name in parsed.identifiers):
        return LicenseJudgment.NOT_IN_TABLE
    return LicenseJudgment.UNKNOWN_THERE if any(places) else LicenseJudgment.NOT_STATED_THERE


def _families_of_all(expression: str) -> frozenset[str]:
    parsed = parse(expression)
    return _families(parsed.identifiers if parsed else _WORD.findall(expression), _TAKING)


def _families(identifiers: Iterable[str], families: Iterable[str] = ACCEPTED_BY) -> frozenset[str]:
    return frozenset(family for identifier in identifiers if (family := _family(identifier, families)) is not None)


def _family(identifier: str, families: Iterable[str] = ACCEPTED_BY) -> str | None:
    lowered = identifier.lower()
    if re.match(r"cecill-b\b", lowered):  # CeCILL-B is permissive
        return None
    fitting = (name for name in families if lowered == name.lower() or lowered.startswith(f"{name.lower()}-"))
    return next(fitting, None)
