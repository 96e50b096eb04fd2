"""Fetches a JSON object from the Stack Exchange API, with limits of time and size."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any, NoReturn
from urllib.error import URLError

from wherefrom.errors import SourceError, UsageError
from wherefrom.support.web import opened, unpacked

SECONDS = 30.0
"""A whole call takes at most this many seconds, even if the server sends a byte now and then."""

_LARGEST = 8 << 20
"""An answer has at most this many bytes, both packed and unpacked. A longer answer is an error."""


def get_object(url: str) -> dict[str, Any]:
    """Fetches the JSON object at a URL. The API answers errors with an object too, so this returns any object.

    Raises:
        SourceError: the server cannot be reached, or its answer is not a JSON object. The message does not show the
            URL, which may have a key.
        UsageError: `url` is not a URL.
    """
    if not url.startswith(("https://", "http://")):
        raise UsageError("the address of the Stack Exchange API begins with https://; give such a one")
    try:
        # The API always compresses its answers.
        with opened(url, headers={"Accept-Encoding": "gzip"}, seconds=SECONDS) as response:
            status, packed = response.status, response.read(_LARGEST + 1)
        content = unpacked(packed, _LARGEST)
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        message = shown(str(reason) or type(reason).__name__)
        raise SourceError(f"cannot reach the Stack Exchange API: {message}; check the network and try again") from None
    except ValueError as error:
        raise unknown_answer(str(error)) from None
    if len(content) > _LARGEST:
        raise unknown_answer("too long")
    if status >= 400 and not content.lstrip().startswith(b"{"):
        raise unknown_answer(f"status {status}")
    try:
        answer = json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise unknown_answer("no JSON") from None
    if not isinstance(answer, dict):
        raise unknown_answer("no object")
    return answer


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def unknown_answer(what: str) -> SourceError:
    """The error for an answer that contradicts the API's documentation."""
    return SourceError(f"the Stack Exchange API answered in an unknown way ({what}); try again later")


def shown(text: str) -> str:
    """A text from a server, shortened and escaped for an error message."""
    return ascii(text[:200])[1:-1]
