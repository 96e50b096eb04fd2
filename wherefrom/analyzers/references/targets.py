"""Tells what a URL points to: a Stack Exchange post, a gist, a place at a host of repositories, or another page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar, Self
from urllib.parse import quote, urlsplit

from wherefrom.analyzers.references.reference import LINKS, Reference, ReferenceKind
from wherefrom.errors import UsageError
from wherefrom.languages.forms import words
from wherefrom.support.hosts import HOSTS, lines_of, place
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

LONGEST = 2048  # the longest URL that is found, in characters
_PORTS = {"http": 80, "https": 443}

SITES = words("stackoverflow.com serverfault.com superuser.com askubuntu.com stackapps.com mathoverflow.net")
"""The sites of Stack Exchange that are not subdomains of stackexchange.com."""

_KNOWN = (*SITES, "stackexchange.com", "gist.githubusercontent.com", *HOSTS)  # hosts found even without `https://`
URL_WORDS = ("http", *_KNOWN)  # every text with a URL contains one of these, in lower case

# Every part is anchored at a literal or bounded, so that a search takes linear time.
_SCHEME = later(r"https?://", re.IGNORECASE)
_BEGINNING = later(
    rf"https?://|(?<![\w.@-])(?:[a-z][a-z-]{{0,30}}\.){{0,2}}(?:{'|'.join(map(re.escape, _KNOWN))})/",
    re.IGNORECASE | re.ASCII,
)
_BODY = later(rf"[^\s\x00-\x20\x7f-\x9f<>\"`{{}}|\\^“”„«»‹›（）「」【】、。，；]{{1,{LONGEST}}}")
_OPENING = {")": "(", "]": "["}
_QUOTES = "'*_"  # characters around a quoted or emphasized URL, which may also be part of a URL
_HOST = later(r"(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})+")
_ESCAPE = later(r"%[0-9a-fA-F]{2}")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_CAMPAIGN = "utm_"


def urls(text: str) -> Iterator[tuple[int, str]]:
    """The position and text of each URL. If a known host has no `https://` before it, `https://` is added. Punctuation
    that belongs to the prose around a URL is left out.
    """
    lowered = text.lower()
    beginnings = _BEGINNING if any(map(lowered.__contains__, _KNOWN)) else _SCHEME  # `_SCHEME` is much faster
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
    for at, character in enumerate(url if ")" in url or "]" in url else ""):
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
    parameters (`utm_...`), and every character that is not printable ASCII percent-encoded. Returns None if the text is
    not such a URL, its host has no dot (`localhost`) or impossible parts, or it is too long.
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


_META = later(r"meta\.([a-z0-9-]+)\.stackexchange\.com")
_NUMBER = later(r"[1-9][0-9]{0,11}")
_ANSWER_FRAGMENT = later(r"(?:answer-|comment[0-9]{1,12}_)?([1-9][0-9]{0,11})")

_GIST = later(r"[0-9a-f]{32}|[0-9a-f]{20}|[1-9][0-9]{0,9}")
_COMMIT = later(r"[0-9a-f]{7,64}")

_ARCHIVED = later(r"/web/[0-9]{1,14}[a-z_*]{0,4}/(?=https?://)")


@dataclass(frozen=True, slots=True)
class PostLink:
    """A post of a Stack Exchange site."""

    kind: ClassVar[ReferenceKind] = ReferenceKind.POST

    site: str  # the host of the site, such as `stackoverflow.com`, `unix.stackexchange.com`, `es.stackoverflow.com`
    answer: int | None  # the id of the answer, None if the URL names only a question
    # the id of the question, None if the URL names only an answer. Questions and answers of a site share one sequence
    # of ids, and the site accepts an answer's id in the URL of a question, and the reverse
    question: int | None

    @property
    def url(self) -> str:
        """The shortest URL with all ids."""
        if self.question is None:
            return f"https://{self.site}/a/{self.answer}"
        if self.answer is None:
            return f"https://{self.site}/q/{self.question}"
        return f"https://{self.site}/questions/{self.question}#{self.answer}"

    def names(self, other: Target) -> bool:
        """Whether both links name the same answer. If one of them names no answer, they must have an id in common.

        So a question matches each of its answers if the answer's URL names the question.
        """
        if not isinstance(other, PostLink) or self.site != other.site:
            return False
        if self.answer is not None and other.answer is not None:
            return self.answer == other.answer
        return bool({self.answer, self.question} & {other.answer, other.question} - {None})

    @classmethod
    def of(cls, host: str, steps: Sequence[str], fragment: str) -> Self | None:
        """Makes a post from the parts of a URL, see `Target`."""
        site = _site(host)
        if site is None or len(steps) < 2 or (post := _number(steps[1])) is None:
            return None
        match steps[0]:
            case "a" | "answers":
                return cls(site, post, None)
            case "q" | "posts" | "revisions":
                return cls(site, None, post)
            case "questions":
                in_fragment = _ANSWER_FRAGMENT.fullmatch(fragment)
                answer = int(in_fragment[1]) if in_fragment else _number(steps[3]) if len(steps) > 3 else None
                return cls(site, None if answer == post else answer, post)
        return None


@dataclass(frozen=True, slots=True)
class Gist:
    """A gist, without revision and file. `id` is 20 or 32 hexadecimal digits, or a number for old gists."""

    kind: ClassVar[ReferenceKind] = ReferenceKind.GIST

    id: str

    @property
    def url(self) -> str:
        """The URL without the name of the user."""
        return f"https://gist.github.com/{self.id}"

    def names(self, other: Target) -> bool:
        """Whether `other` is the same gist."""
        return self == other

    @classmethod
    def of(cls, host: str, steps: Sequence[str], fragment: str) -> Self | None:  # noqa: ARG003 -- as the others
        """Makes a gist from the parts of a URL, see `Target`."""
        if host not in {"gist.github.com", "gist.githubusercontent.com"}:
            return None
        # The id is the only part of the path, or it comes after the name of the user, or after `raw` in old links.
        names = (step.lower().removesuffix(".js").removesuffix(".git") for step in steps[:2])
        return next((cls(name) for name in names if _GIST.fullmatch(name)), None)


@dataclass(frozen=True, slots=True)
class HostedPlace:
    """A repository at a known host (`wherefrom.support.hosts`), or a file or folder in it."""

    host: str  # the host, such as `github.com`
    repository: str  # the path of the repository, such as `owner/name`, in the case of the URL
    # a commit id, a branch or a tag (only its first part if it has slashes); None if `path` is None
    revision: str | None = None
    path: str | None = None  # the file or folder, percent-encoded as in the URL; None for the repository itself
    lines: tuple[int, int] | None = None  # first and last line, 1-based and inclusive, or None

    @property
    def address(self) -> str:
        """Host and path of the repository."""
        return f"{self.host}/{self.repository}"

    @property
    def kind(self) -> ReferenceKind:
        """`PERMALINK` for a path at a commit, else `URL`."""
        is_fixed = self.revision is not None and _COMMIT.fullmatch(self.revision) is not None
        return ReferenceKind.PERMALINK if is_fixed else ReferenceKind.URL

    @property
    def url(self) -> str:
        """The URL of the page that the host shows for this place."""
        if self.revision is None or self.path is None:
            return f"https://{self.address}"
        return f"https://{self.address}{HOSTS[self.host].software.page(self.revision, self.path, self.lines)}"

    def names(self, other: Target) -> bool:
        """Whether both places have the same repository and path, at any revision. A missing path matches any path."""
        if not isinstance(other, HostedPlace) or self.address.lower() != other.address.lower():
            return False
        return self.path is None or other.path is None or self.path == other.path

    @classmethod
    def of(cls, host: str, steps: Sequence[str], fragment: str) -> Self | None:
        """Makes a place from the parts of a URL, see `Target`."""
        found = place(host, steps, folders=True) if host in HOSTS else None
        if found is None or len(found.steps) == 1:
            return None
        if not found.steps:
            return cls(found.host, found.repository)
        lines = lines_of(fragment)
        revision, *path = found.steps
        return cls(found.host, found.repository, revision, "/".join(path), lines if lines and all(lines) else None)


@dataclass(frozen=True, slots=True)
class OtherPage:
    """A page of any other kind, by its canonical URL."""

    kind: ClassVar[ReferenceKind] = ReferenceKind.URL

    url: str

    def names(self, other: Target) -> bool:
        """Whether both URLs are the same, except scheme, `www.`, fragment and a slash at the end of the path."""
        return isinstance(other, OtherPage) and self._key() == other._key()

    def _key(self) -> tuple[str, str, str]:
        parts = urlsplit(self.url)
        return parts.netloc.removeprefix("www."), parts.path.rstrip("/"), parts.query


_KNOWN_BY_HOST = (PostLink, Gist, HostedPlace)
Target = PostLink | Gist | HostedPlace | OtherPage
"""What a URL points to. The method `of` of each type takes the host of a URL without `www.`, the parts of its path that
are not empty, and its fragment. `of` returns None if the type does not fit. A URL that fits no type is an `OtherPage`.
"""


@lru_cache(maxsize=16_384)  # the same references are compared with each source
def target(url: str) -> Target | None:
    """What an `http` or `https` URL points to, or None for other texts. An archived page (web.archive.org) points to
    its original.
    """
    written = canonical(url)
    if written is None:
        return None
    parts = urlsplit(written)
    if parts.netloc == "web.archive.org" and (archived := _ARCHIVED.match(written, len("https://web.archive.org"))):
        return target(written[archived.end() :])
    host = parts.netloc.removeprefix("www.")
    steps = [step for step in parts.path.split("/") if step]
    for kind in _KNOWN_BY_HOST:
        if (found := kind.of(host, steps, parts.fragment)) is not None:
            return found
    return OtherPage(written)


def source(url: str) -> Target:
    """What a URL from a user points to. The URL may lack `https://`. Raises UsageError if the text is not a URL."""
    found = target(url if "://" in url else f"https://{url}")
    if found is None:
        message = f"{url[:200]!r} is not the URL of a source; give one such as https://stackoverflow.com/a/12345"
        raise UsageError(message)
    return found


def names(reference: Reference, named: Target) -> bool:
    """Whether a reference is a link to the same source as `named`."""
    if reference.kind not in LINKS:
        return False
    found = target(reference.value)
    return found is not None and found.names(named)


def _site(host: str) -> str | None:
    """The host of a Stack Exchange site in its current form, or None for other hosts."""
    if host in SITES:
        return host
    if meta := _META.fullmatch(host):
        return f"{meta[1]}.meta.stackexchange.com"
    parent = host.partition(".")[2]
    is_site = parent in SITES or host.endswith(".stackexchange.com")
    return (parent if host.startswith("m.") else host) if is_site else None


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None
