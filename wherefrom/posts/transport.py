"""A JSON object over HTTP from the Stack Exchange API, bounded in time and size."""

from __future__ import annotations

import json
import zlib
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from wherefrom.errors import SourceError, UsageError

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from typing import IO

_SECONDS = 30.0
_LARGEST = 8 << 20
"""Bytes of an answer, before and after it is unpacked."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows none: the key, which is in the URL, goes to the API and nowhere else."""

    def redirect_request(  # noqa: PLR0917  # the signature is urllib's
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Makes it an error."""


_OPENER = build_opener(_NoRedirects)


def get_object(url: str) -> dict[str, Any]:
    """The JSON object at a URL, be it an answer or an error object, whatever the status.

    Raises:
        SourceError: it cannot be reached, or answers something else. The URL is in no message: it may hold a key.
        UsageError: it is no URL.
    """
    if not url.startswith(("https://", "http://")):
        raise UsageError("the address of the Stack Exchange API begins with https://; give such a one")
    # Compressed always: the API answers nothing else.
    request = Request(url, headers={"Accept-Encoding": "gzip", "User-Agent": "wherefrom"})  # noqa: S310  # checked above
    try:
        with _OPENER.open(request, timeout=_SECONDS) as response:
            content = _unpacked(response.read(_LARGEST + 1))
    except HTTPError as error:
        with error:
            content = _unpacked(error.read(_LARGEST + 1))
        if not content.lstrip().startswith(b"{"):
            raise unknown_answer(f"status {error.code}") from None
    except URLError as error:
        raise _unreachable(error.reason) from None
    except (OSError, HTTPException) as error:
        raise _unreachable(error) from None
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise unknown_answer("no JSON") from None
    if not isinstance(answer, dict):
        raise unknown_answer("no object")
    return answer


def unknown_answer(what: str) -> SourceError:
    """The error of an answer that is not as the API's documentation has it."""
    return SourceError(f"the Stack Exchange API answered in an unknown way ({what}); try again later")


def shown(text: str) -> str:
    """A text of a server's that may stand in a message."""
    return ascii(text[:200])[1:-1]


def _unreachable(reason: object) -> SourceError:
    said = shown(str(reason) or type(reason).__name__)
    return SourceError(f"cannot reach the Stack Exchange API: {said}; check the network and try again")


def _unpacked(content: bytes) -> bytes:
    """The content of a response, which gzip may have made large."""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = zlib.decompressobj(wbits=31).decompress(content, _LARGEST + 1)
        except zlib.error:
            raise unknown_answer("broken gzip") from None
    if len(content) > _LARGEST:
        raise unknown_answer("too long")
    return content
