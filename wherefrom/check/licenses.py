"""Which licenses may not go together: copyleft code in a project under another license.

The table is a coarse one, by families: it tells what is worth a look, and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

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

_WEAK_CECILL = re.compile(r"CECILL-B\b", re.IGNORECASE)
"""CeCILL-B is permissive."""

_WORD = re.compile(r"\(|\)|[^\s()]+")


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
    """The families that an SPDX expression leaves no way around; empty where one of its alternatives has none."""
    alternatives = _alternatives(_WORD.findall(expression))
    kept = [
        frozenset(family for identifier in each if (family := _family(identifier)) is not None) for each in alternatives
    ]
    return frozenset().union(*kept) if kept and all(kept) else frozenset()


def _families_of_all(expression: str) -> frozenset[str]:
    identifiers = (word for word in _WORD.findall(expression) if word not in "()")
    return frozenset(family for identifier in identifiers if (family := _family(identifier, _TAKING)) is not None)


def _family(identifier: str, families: Iterable[str] = ACCEPTED_BY) -> str | None:
    if _WEAK_CECILL.match(identifier):
        return None
    lowered = identifier.lower()
    fitting = (name for name in families if lowered == name.lower() or lowered.startswith(f"{name.lower()}-"))
    return next(fitting, None)


def _alternatives(words: Sequence[str]) -> list[frozenset[str]]:
    """The sets of identifiers of which each meets an expression: `A AND (B OR C)` gives {A, B} and {A, C}. An exception
    (`WITH`) counts for nothing: it permits linking, not copying.
    """
    stack: list[list[list[frozenset[str]]]] = [
        [[frozenset()]]
    ]  # of each open bracket the alternatives, as conjunctions
    is_exception = False
    for word in words:
        upper = word.upper()
        if word == "(":
            stack.append([[frozenset()]])
        elif word == ")":
            if len(stack) > 1:
                inner = _joined(stack.pop())
                stack[-1][-1] = _product(stack[-1][-1], inner)
        elif upper == "OR":
            stack[-1].append([frozenset()])
        elif is_exception or upper in {"AND", "WITH"}:
            is_exception = upper == "WITH"
            continue
        else:
            stack[-1][-1] = _product(stack[-1][-1], [frozenset({word})])
        is_exception = False
    while len(stack) > 1:
        inner = _joined(stack.pop())
        stack[-1][-1] = _product(stack[-1][-1], inner)
    return [each for each in _joined(stack[0]) if each]


_MOST = 64
"""Alternatives of an expression that are looked at; one that has more is hostile."""


def _joined(alternatives: Iterable[list[frozenset[str]]]) -> list[frozenset[str]]:
    return [each for conjunction in alternatives for each in conjunction][:_MOST]


def _product(one: Sequence[frozenset[str]], other: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    return [mine | theirs for mine in one for theirs in other][:_MOST]
