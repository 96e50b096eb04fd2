"""The date of a document."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime

from wherefrom.errors import UsageError

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
"""Seconds since 1970 (UTC) that a document is dated with: https://reproducible-builds.org/specs/source-date-epoch/"""


def made_at(environment: Mapping[str, str] | None = None) -> datetime:
    """The date of a document, in whole seconds: that of `SOURCE_DATE_EPOCH`, else now.

    Args:
        environment: `os.environ` unless given.

    Raises:
        UsageError: the variable is not a number of seconds.
    """
    value = (os.environ if environment is None else environment).get(DATE_VARIABLE, "")
    if not value:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        if value.isascii() and value.isdecimal():
            return datetime.fromtimestamp(int(value), UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise UsageError(
        f"{DATE_VARIABLE} is {value[:100]!a}, not a number of seconds since 1970; set it to one, or unset it"
    )
