"""From what a document holds of both forms to which of them it has, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.fitted import LIKELY, SURE
from wherefrom.results.fixed import Certainty, Form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wherefrom.projects.fixed.forms import Held


@dataclass(frozen=True, slots=True)
class Score:
    """The score, from -1 to 1, and the shares of the old and the new form that it is made of."""

    score: float
    held_old: float | None
    held_new: float | None


def score_of(held: Iterable[Held]) -> Score:
    """The score of some changes together: the share of what only the new form has that is there, less that of the old.

    Args:
        held: of each change.
    """
    changes = list(held)
    old, new = sum(change.old for change in changes), sum(change.new for change in changes)
    held_old = round(sum(change.held_old for change in changes) / old, 4) if old else None
    held_new = round(sum(change.held_new for change in changes) / new, 4) if new else None
    return Score(round((held_new or 0.0) - (held_old or 0.0), 4), held_old, held_new)


def judged(score: Score) -> tuple[Form, Certainty | None]:
    """Which form it is, and how sure that is."""
    if abs(score.score) < LIKELY:
        return Form.UNCLEAR, None
    certainty = Certainty.SURE if abs(score.score) >= SURE else Certainty.LIKELY
    return (Form.NEW if score.score > 0 else Form.OLD), certainty
