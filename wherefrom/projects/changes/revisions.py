"""Ranges of revisions, as git has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wherefrom.errors import UsageError

if TYPE_CHECKING:
    from wherefrom.sources.checkout import Checkout

_RANGE = re.compile(r"(?P<one>.*?)(?P<dots>\.\.\.?)(?P<other>[^.].*|)", re.DOTALL)


def is_range(named: str) -> bool:
    """Whether it is a range, and not one revision."""
    return _RANGE.fullmatch(named) is not None


def revisions(checkout: Checkout, named: str) -> tuple[str | None, str | None]:
    """The two revisions that `A..B`, or `A...B` (from their merge base), names; None for HEAD."""
    match = _RANGE.fullmatch(named)
    if match is None:
        raise UsageError(
            f"{named!r} is not a range of revisions; give A..B or A...B, or `-` for a diff on standard input"
        )
    one, other = match["one"] or None, match["other"] or None
    return (checkout.merge_base(one, other) if match["dots"] == "..." else one), other
