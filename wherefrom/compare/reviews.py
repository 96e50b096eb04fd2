"""What readers of a report decided about its pairs: the file that the page exports, read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from wherefrom.compare.pairing import pair_id
from wherefrom.errors import UsageError
from wherefrom.results import Review, ReviewState
from wherefrom.support.formats import Format

FORMAT = Format(version=1, reader=1, oldest=1)
"""Version of the file."""

LONGEST_NOTE = 10_000
"""Characters of a note that are kept."""

NO_NAMES: Mapping[str, str] = {}


def read_reviews(path: str | PathLike[str], names: Mapping[str, str] = NO_NAMES) -> Mapping[str, Review]:
    """The reviews by the id of their pair: what the `reviews` of a comparison are.

    Args:
        path: the file.
        names: the names of submissions by what a page showed in their place, for reviews of such a page.

    Raises:
        UsageError: the file cannot be read, or is not one that a report exported.
    """
    remedy = "name a file that the page of a comparison exported"
    try:
        value: Any = json.loads(Path(path).read_bytes())
        refusal = FORMAT.refusal(value["format"], value["reader"], remedy)
        reviews = {} if refusal else dict(_review(each, names) for each in value["reviews"])
    except OSError as error:
        raise UsageError(f"cannot read the reviews {path}: {error.strerror}; {remedy}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise UsageError(f"{path} holds no reviews; {remedy}") from None
    if refusal is not None:
        raise UsageError(f"the reviews {path} {refusal}")
    return reviews


def _review(value: Any, names: Mapping[str, str]) -> tuple[str, Review]:
    identifier, note = value["pair"], value.get("note", "")
    if not isinstance(identifier, str) or not isinstance(note, str):
        raise TypeError("an id and a note are texts")
    sides = [names.get(value.get(side, "")) for side in ("left", "right")]
    if sides[0] is not None and sides[1] is not None:
        identifier = pair_id(sides[0], sides[1])
    return identifier, Review(ReviewState(value["state"]), note[:LONGEST_NOTE])
