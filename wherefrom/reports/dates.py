"""The date of a document."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from wherefrom.errors import UsageError

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
"""The environment variable that sets the date of a document, in seconds since 1970 (UTC):
https://reproducible-builds.org/specs/source-date-epoch/"""


def made_at() -> datetime:
    """The date of a document, in whole seconds: `SOURCE_DATE_EPOCH` if it is set, else now.

    Raises:
        UsageError: the variable is not a number of seconds.
    """
    value = os.environ.get(DATE_VARIABLE, "")
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
