"""What readers of a report decided about its pairs: the file that the page exports, read back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from wherefrom.errors import UsageError
from wherefrom.formats import Format

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = Format(version=1, reader=1, oldest=1)
"""Version of the file."""

LONGEST_NOTE = 10_000
"""Characters of a note that are kept."""


class State(StrEnum):
    """What a reader decided."""

    PENDING = "pending"
    RELEVANT = "relevant"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class Review:
    """What a reader decided about a pair, and why."""

    state: State
    note: str = ""

    def to_dict(self) -> dict[str, str]:
        """As JSON values."""
        return {"state": str(self.state), "note": self.note}


def read_reviews(path: Path) -> Mapping[str, Review]:
    """The reviews by the id of their pair.

    Raises:
        UsageError: the file cannot be read, or is not one that a report exported.
    """
    remedy = "name a file that the page of a comparison exported"
    try:
        value: Any = json.loads(path.read_bytes())
        refusal = FORMAT.refusal(value["format"], value["reader"], remedy)
        reviews = {} if refusal else dict(map(_review, value["reviews"]))
    except OSError as error:
        raise UsageError(f"cannot read the reviews {path}: {error.strerror}; {remedy}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise UsageError(f"{path} holds no reviews; {remedy}") from None
    if refusal is not None:
        raise UsageError(f"the reviews {path} {refusal}")
    return reviews


def _review(value: Any) -> tuple[str, Review]:
    identifier, note = value["pair"], value.get("note", "")
    if not isinstance(identifier, str) or not isinstance(note, str):
        raise TypeError("an id and a note are texts")
    return identifier, Review(State(value["state"]), note[:LONGEST_NOTE])
