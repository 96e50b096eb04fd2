"""Finds URLs in running text and normalizes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from wherefrom.languages.forms import words
from wherefrom.support.hosts import HOSTS
from wherefrom.support.pattern import later

LONGEST = 2048
"""The longest URL that is found, in characters."""

_PORTS = {"http": 80, "https": 443}

SITES = words("stackoverflow.com serverfault.com superuser.com askubuntu.com stackapps.com mathoverflow.net")
"""The sites of Stack Exchange that are not subdomains of stackexchange.com."""

_KNOWN = (*SITES, "stackexchange.com", "gist.githubusercontent.com", *HOSTS)
"""Hosts whose URLs are found even without `https://`."""

URL_WORDS = ("http", *_KNOWN)
"""Every text with a URL contains one of these, in lower case."""

# Every part is anchored at a literal or bounded, so that a search takes linear time.
_SCHEME = later(r"https?://", re.IGNORECASE)
_BEGINNING = later(
    rf"https?://|(?<![\w.@-])(?:[a-z][a-z-]{{0,30}}\.){{0,2}}(?:{'|'.join(map(re.escape, _KNOWN))})/",
    re.IGNORECASE | re.ASCII,
)
_BODY = later(rf"[^\s\x00-\x20\x7f-\x9f<>\"`{{}}|\\^“”„«»‹›（）「」【】、。，；]{{1,{LONGEST}}}")
_OPENING = {")": "(", "]": "["}
_QUOTES = "'*_"
"""Characters around a quoted or emphasized URL, which may also be part of a URL."""

_HOST = later(r"(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})+")
_ESCAPE = later(r"%[0-9a-fA-F]{2}")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_CAMPAIGN = "utm_"


def urls(text: str) -> Iterator[tuple[int, str]]:
    """The position and text of each URL. If a known host has no `https://` before it, `https://` is added. Punctuation
    that belongs to the prose around a URL is left out.
    """
    lowered = text.lower()
    beginnings = _BEGINNING if any(host in lowered for host in _KNOWN) else _SCHEME  # `_SCHEME` is much faster
    done = 0
    while (beginning := beginnings.search(text, done)) is not None:
        start, done = beginning.span()
        body = _BODY.match(text, done)
        if body is None:
            continue
        done = body.end()
        if done - start <= LONGEST:
            url = _without_prose(text[start:done], text[start - 1 : start], text[done : done + 1])
            yield start, url if "://" in beginning[0] else f"https://{url}"


def _without_prose(url: str, before: str, after: str) -> str:
    """Removes closing brackets that the URL did not open, the quote around it, and punctuation at its end."""
    if before and before in _QUOTES:
        url = url.partition(before)[0]
    depth = {"(": 0, "[": 0}
    for at, character in enumerate(url):
        if character in depth:
            depth[character] += 1
        elif character in _OPENING:
            depth[_OPENING[character]] -= 1
            if depth[_OPENING[character]] < 0:
                url = url[:at]
                break
    if after == ">":
        url = url.removesuffix("--")  # the end of a comment in HTML
    return url.removesuffix("*/").rstrip(".,;:!?'*([")


def canonical(url: str) -> str | None:
    """Normalizes an `http` or `https` URL: scheme and host in lower case, no credentials, default port or campaign
    parameters (`utm_...`), and every character that is not printable ASCII percent-encoded.

    Returns:
        None if the text is not such a URL, its host has no dot (`localhost`) or impossible parts, or it is too long.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme not in _PORTS or not _HOST.fullmatch(host):
        return None
    shown = host if port in {None, _PORTS[parts.scheme]} else f"{host}:{port}"
    query = "&".join(part for part in parts.query.split("&") if part and not part.lower().startswith(_CAMPAIGN))
    rest = (parts.path or "/") + (f"?{query}" if query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    escaped = _ESCAPE.sub(lambda match: match[0].upper(), quote(rest, safe=_SAFE, errors="surrogatepass"))
    written = f"{parts.scheme}://{shown}{escaped}"
    return written if len(written) <= LONGEST else None
