"""What a check can find, in words: the rules of a SARIF log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from wherefrom.model import Rule


class Level(StrEnum):
    """How a finding is shown."""

    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Words:
    """A rule's name, usual level, and texts of rising length, plain and Markdown at once."""

    name: str
    level: Level
    short: str
    full: str
    help: str


_EVIDENCE = (
    "A finding is evidence, not a verdict: that the same code appears in two places does not tell which was first, "
    "whether both have it from a third, or whether it is common enough that anybody would write it so."
)

RULES: Mapping[Rule, Words] = MappingProxyType(
    {
        Rule.COPIED_UNATTRIBUTED: Words(
            "CopiedUnattributed",
            Level.WARNING,
            "Code that also appears elsewhere, with no credit here",
            "This code is the same as code elsewhere, up to names and layout, and neither the file nor its repository "
            "names that place.",
            "Look at both pieces. If one comes from the other, name the source in a comment beside the code (a link is "
            "enough for most licenses) and check that its license permits the use. If not, accept the finding in the "
            f"baseline, or beside the code with `wherefrom: ok` and a reason.\n\n{_EVIDENCE}",
        ),
        Rule.COPIED_ATTRIBUTED: Words(
            "CopiedAttributed",
            Level.NOTE,
            "Code that also appears elsewhere, with credit here",
            "This code is the same as code elsewhere, up to names and layout, and that place is named beside it, in "
            "the file or in the repository.",
            "Nothing is missing as far as can be seen. Check that the license of the source permits the use and that "
            f"its other conditions are met, such as keeping a notice.\n\n{_EVIDENCE}",
        ),
        Rule.LICENSE_CONFLICT: Words(
            "LicenseConflict",
            Level.WARNING,
            "Code that also appears elsewhere, under a license that may not go with this one",
            "This code is the same as code elsewhere, up to names and layout, and the license found there is not one "
            "that the policy of this check permits here.",
            "Look at both pieces and at both licenses. If the code comes from there, ask the author, replace it, or "
            "put it where its license permits. Licenses are read from tags, notices and well-known texts, and may be "
            f"missed or misread.\n\n{_EVIDENCE}",
        ),
    }
)
"""The words of each rule, in the order of a log."""
