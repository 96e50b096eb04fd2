"""Which licenses may not go together: copyleft code in a project under another license.

The table is a coarse one, by families: it tells what is worth a look, and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from wherefrom.analyzers.references.expressions import parse
from wherefrom.model import LicenseJudgment

_GNU = ("GPL", "LGPL", "AGPL")

ACCEPTED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # What is under the LGPL may always be taken under the GPL (LGPL 2.1, 3; LGPL 3.0, 2).
        "LGPL": _GNU,
        "GPL": ("GPL", "AGPL"),
        # GPL 3.0, 13 and AGPL 3.0, 13 permit the two in one work.
        "AGPL": ("AGPL", "GPL"),
        # MPL 2.0, 3.3: the GNU licenses are its secondary ones.
        "MPL": ("MPL", *_GNU),
        "EPL": ("EPL",),
        # The appendix of EUPL 1.2 lists what it is compatible with.
        "EUPL": ("EUPL", *_GNU, "MPL", "EPL", "OSL", "CECILL", "CC-BY-SA", "LiLiQ-R", "LiLiQ-Rplus"),
        "CDDL": ("CDDL",),
        "CPL": ("CPL", "EPL"),
        "IPL": ("IPL",),
        "OSL": ("OSL",),
        "CECILL": ("CECILL", *_GNU, "EUPL"),
        "QPL": ("QPL",),
        "RPL": ("RPL",),
        "SSPL": ("SSPL",),
        "MS-RL": ("MS-RL",),
        "Sleepycat": ("Sleepycat", *_GNU),
        "ODbL": ("ODbL",),
        # CC BY-SA 4.0 may be taken under GPL 3.0, by Creative Commons' list of compatible licenses.
        "CC-BY-SA": ("CC-BY-SA", "GPL", "AGPL"),
    }
)
"""The families of copyleft licenses, by the beginning of their SPDX identifiers, and the families of the licenses under
which a project may hold such code."""

_TAKING = frozenset(name for names in ACCEPTED_BY.values() for name in names)
"""The families under which some copyleft code may be held."""

_UNLISTED = "LicenseRef-"
"""The beginning of the identifiers of licenses that SPDX does not list: their terms are not known."""

_WEAK_CECILL = re.compile(r"CECILL-B\b", re.IGNORECASE)
"""CeCILL-B is permissive."""

_WORD = re.compile(r"[^\s()]+")


def judge(own: Sequence[str], places: Sequence[Sequence[str]]) -> LicenseJudgment:
    """Whether code may not go with a project because of where it also appears, as far as licenses are known.

    Args:
        own: SPDX identifiers or expressions of the project; `model.UNKNOWN_LICENSE` for a text that is not recognized.
        places: those of each place; empty where none is stated.

    Returns:
        `CONFLICT` if no known license of a place may go with the project's. One that may is enough for `NONE`.
    """
    known = [theirs for licenses in places if (theirs := list(filter(_is_known, licenses)))]
    ours = [license for license in own if not license.startswith(_UNLISTED)]
    if not known:
        return LicenseJudgment.UNKNOWN_THERE if any(places) else LicenseJudgment.NOT_STATED_THERE
    if not all(all(map(copyleft_families, theirs)) for theirs in known):
        return LicenseJudgment.NONE
    if not ours:
        return LicenseJudgment.OWN_UNKNOWN if own else LicenseJudgment.OWN_NOT_STATED
    return LicenseJudgment.CONFLICT if all(conflict(ours, theirs) for theirs in known) else LicenseJudgment.NONE


def conflict(own: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether code under `theirs` may not go with a project under `own`.

    Args:
        own: SPDX identifiers or expressions of the project; one of them is enough.
        theirs: those of the place.

    Returns:
        False where either is not known, where one of theirs permits other licenses, or one of the project's is among
        the families that take theirs.
    """
    if not own or not theirs:
        return False
    families = [family for license in theirs for family in copyleft_families(license) or (None,)]
    if any(family is None for family in families):
        return False
    ours = {family for license in own for family in _families_of_all(license)}
    return all(family is not None and not ours & set(ACCEPTED_BY[family]) for family in families)


def copyleft_families(expression: str) -> frozenset[str]:
    """The families of a license or an SPDX expression that leaves a choice of copyleft licenses alone.

    Returns:
        Empty if one of its choices has no copyleft license, or if it is not an expression.
    """
    parsed = parse(expression)
    if parsed is None or parsed.is_met(lambda identifier: _family(identifier) is None):
        return frozenset()
    return _families(parsed.identifiers)


def _is_known(license: str) -> bool:
    """Whether it is an expression in which SPDX lists some license."""
    parsed = parse(license)
    return parsed is not None and not all(each.startswith(_UNLISTED) for each in parsed.identifiers)


def _families_of_all(expression: str) -> frozenset[str]:
    """The families that a project under this expression may take code of; prose is searched for their names."""
    parsed = parse(expression)
    return _families(parsed.identifiers if parsed else _WORD.findall(expression), _TAKING)


def _families(identifiers: Iterable[str], families: Iterable[str] = ACCEPTED_BY) -> frozenset[str]:
    found = (_family(identifier, families) for identifier in identifiers)
    return frozenset(family for family in found if family is not None)


def _family(identifier: str, families: Iterable[str] = ACCEPTED_BY) -> str | None:
    if _WEAK_CECILL.match(identifier):
        return None
    lowered = identifier.lower()
    fitting = (name for name in families if lowered == name.lower() or lowered.startswith(f"{name.lower()}-"))
    return next(fitting, None)
