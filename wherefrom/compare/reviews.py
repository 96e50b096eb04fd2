"""Reads the reviews of pairs that the page of a comparison exported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from wherefrom.compare.pairing import pair_id
from wherefrom.errors import UsageError
from wherefrom.results import Review, ReviewState
from wherefrom.support.formats import Format, OtherFormat

FORMAT = Format(version=1, reader=1, oldest=1)  # the version of the file's format
LONGEST_NOTE = 10_000  # longer notes are cut to this many characters


def read_reviews(path: str | PathLike[str], names: Mapping[str, str] | None = None) -> Mapping[str, Review]:
    """The reviews by the id of their pair, for the option `reviews` of a comparison.

    For an anonymized page, `names` has the real name of each submission by the name that the page shows.

    Raises:
        UsageError: the file cannot be read, or a page did not export it.
    """
    remedy = "name a file that the page of a comparison exported"
    try:
        value = FORMAT.load(Path(path).read_bytes(), remedy)
        return dict(_review(review, names or {}) for review in value["reviews"])
    except OSError as error:
        raise UsageError(f"cannot read the reviews {path}: {error.strerror}; {remedy}") from error
    except OtherFormat as error:
        raise UsageError(f"the reviews {path} {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise UsageError(f"{path} holds no reviews; {remedy}") from None


def dump_reviews(reviews: Mapping[str, Review]) -> bytes:
    """A file of reviews by the id of their pair, as the page exports it."""
    rows = [{"pair": pair, "state": review.state, "note": review.note} for pair, review in reviews.items()]
    return json.dumps({**FORMAT.stamp(), "reviews": rows}).encode("ascii")


def _review(value: Any, names: Mapping[str, str]) -> tuple[str, Review]:
    identifier, note = value["pair"], value.get("note", "")
    if not isinstance(identifier, str) or not isinstance(note, str):
        raise TypeError("an id and a note are texts")
    sides = [names.get(value.get(side, "")) for side in ("left", "right")]
    if sides[0] is not None and sides[1] is not None:
        identifier = pair_id(sides[0], sides[1])
    return identifier, Review(ReviewState(value["state"]), note[:LONGEST_NOTE])
