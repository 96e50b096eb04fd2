"""Posts new places to the address of their watch, as Standard Webhooks asks for: https://www.standardwebhooks.com

The id of a message is that of the place, so a receiver knows a message that comes again: each place is posted at least
once, since a run may be killed between the answer of the server and the note of it.
"""

from __future__ import annotations

import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from http.client import HTTPException
from urllib.error import URLError
from urllib.parse import urlsplit

from wherefrom.errors import UsageError
from wherefrom.options.shared import PostOptions
from wherefrom.projects.watch.places import WatchedPlace
from wherefrom.projects.watch.watches import Watch
from wherefrom.support.contract import FORMAT
from wherefrom.support.printable import visible
from wherefrom.support.web import NotPublic, opened

WAITS = (1.0, 4.0)
"""Seconds before the second and the third try."""

SECONDS = 10.0
"""How long one try may take."""

SHORTEST_SECRET = 24
"""Bytes of a key, as Standard Webhooks has it."""


def check_address(url: str, options: PostOptions) -> None:
    """Raises UsageError if nothing can be posted to a URL, or there is no secret to sign with."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or parts.username is not None:
        raise UsageError(f"{visible(url)} is not an address to post to; give one like https://HOST/PATH")
    _key(options)


def _key(options: PostOptions) -> bytes:
    """The key that signs."""
    secret = options.post_secret or ""
    try:
        key = (
            b64decode(secret.removeprefix("whsec_"), validate=True) if secret.startswith("whsec_") else secret.encode()
        )
    except ValueError:
        key = b""
    if len(key) < SHORTEST_SECRET:
        raise UsageError(
            f"what is posted is signed, and there is no secret of {SHORTEST_SECRET} bytes; put it into "
            "WHEREFROM_POST_SECRET or post_secret"
        )
    return key


def post_all(
    places: Iterable[WatchedPlace], watches: Mapping[str, Watch], options: PostOptions
) -> tuple[list[WatchedPlace], list[str]]:
    """Posts places to the addresses of their watches. Returns those that were taken, and a warning for each address
    that failed; the other places of that address wait for the next run.
    """
    taken: list[WatchedPlace] = []
    failures: dict[str, str] = {}
    for place in places:
        url = watches[place.watch].post
        if url is None or url in failures:
            continue
        try:
            _post(url, place, options)
            taken.append(place)
        except UsageError as error:
            failures[url] = str(error)
        except NotPublic as error:
            failures[url] = f"{visible(str(error))}; set private_posts (WHEREFROM_PRIVATE_POSTS=1) if that is meant"
        except (OSError, HTTPException) as error:
            failures[url] = f"{visible(url)} cannot be posted to: {visible(str(error))}; the next run tries again"
    return taken, [*failures.values()]


def _post(url: str, place: WatchedPlace, options: PostOptions) -> None:
    """Posts one place. Raises UsageError, NotPublic, OSError or HTTPException if the server did not take it."""
    key = _key(options)
    body = json.dumps({"format": FORMAT, **place.to_dict()}).encode()
    for wait in (*WAITS, None):
        now = str(int(time.time()))
        signed = hmac.digest(key, f"{place.id}.{now}.".encode() + body, sha256)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": place.id,
            "webhook-timestamp": now,
            "webhook-signature": f"v1,{b64encode(signed).decode()}",
        }
        try:
            with opened(
                url, headers=headers, seconds=SECONDS, is_public=not options.private_posts, content=body
            ) as response:
                if 200 <= response.status < 300:
                    return
                failure = OSError(f"it answers with status {response.status}")
        except URLError as error:
            if isinstance(error.reason, NotPublic):
                raise error.reason from None
            failure = error if isinstance(error.reason, str) else OSError(str(error.reason))
        except (OSError, HTTPException) as error:
            failure = OSError(str(error) or type(error).__name__)
        if wait is None:
            raise failure
        time.sleep(wait)
