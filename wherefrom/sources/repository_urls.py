"""Repository URLs: which text is one, the repository key that it gives, and what of it may be shown."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from urllib.parse import SplitResult, unquote, urlsplit

from wherefrom.model import KeyKind
from wherefrom.support.hosts import HOSTS

PORTS = {"https": 443, "http": 80, "ssh": 22, "git": 9418}
"""The default ports of the protocols that a remote may speak; `file` is the only other one that is cloned from."""

_SCHEME = re.compile(r"(?:git\+)?(https?|ssh|git|file)(?:\+git)?://", re.IGNORECASE)
_SCP = re.compile(r"(?:[^\s/:@]+@)?(\[[^\]]+\]|[^\s/:@\[\]]+):(?!:)(.+)", re.DOTALL)
_HELPER = re.compile(r"[\w+.-]+::")
"""What precedes an address that git hands to a helper of its own, as in `ext::COMMAND`."""
_USER = re.compile(r"(?<=://)(?:[^\s'\"/]*@|[^\s'\"/:]*:(?!\d+/)[^\s'\"]*@)")
"""What comes before a URL's host; the second form is that of a password with a bare `/` in it."""


def is_url(spec: str) -> bool:
    """Whether an argument names a repository elsewhere; `host:path` needs its user, else it could be a file name."""
    return bool(_SCHEME.match(spec)) or ("@" in spec.partition(":")[0] and bool(_SCP.fullmatch(spec)))


def normalised(url: str) -> str | None:
    """The repository key of a remote URL, such as `github.com/Owner/Repo`; None for a local path or what is not a URL.

    Dropped are the protocol, credentials, default ports, query, trailing `.git` and slashes; the host is lower-cased.
    """
    parts = _split(url)
    if parts is None or parts.scheme == "file" or not parts.hostname:
        return None
    try:
        port = parts.port
    except ValueError:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    shown = host if port in {None, PORTS[parts.scheme]} else f"{host}:{port}"
    path = _path(parts)
    return _printable(f"{shown}/{path}") if path else None


def ignores_case(key: str) -> bool:
    """Whether a repository key may be written in either case of letters, as on GitHub."""
    host = HOSTS.get(key.partition("/")[0].lower())
    return host is not None and host.ignores_case


def comparable(key: str) -> str:
    """A repository key as it is compared with others."""
    return key.lower() if ignores_case(key) else key


def is_key_pattern(name: str) -> bool:
    """Whether a name is a pattern over repository keys; without `*` and `?` it is one key or a part of one."""
    return "*" in name or "?" in name


def key_fits(key: str, pattern: str) -> bool:
    """Whether a repository key fits a pattern (`*`, `?`), or is the one that is given instead; on GitHub the case of
    letters does not count.
    """
    if not is_key_pattern(pattern):
        return comparable(key) == comparable(pattern)
    return fnmatchcase(key, pattern) or (ignores_case(key) and fnmatchcase(key.lower(), pattern.lower()))


def local_path(url: str) -> str | None:
    """The path that a remote on this machine is given by, as `/srv/a.git`, `../a` or `file:///srv/a.git`, else None.

    A relative path counts from the folder of the repository whose remote it is.
    """
    parts = _split(url)
    if parts is not None:
        path = unquote(parts.path, errors="surrogateescape") if parts.scheme == "file" else ""
    else:
        is_other = "://" in url or _HELPER.match(url)  # a protocol that is not known here
        path = "" if is_other else url
    return path if path and "\0" not in path else None


def url_key(url: str) -> str:
    """The key of a source that was given as this URL: `normalised`, and for `file://` the URL without its `.git`."""
    parts = _split(url)
    if parts is not None and parts.scheme == "file":
        return _printable(f"file:///{_path(parts)}")
    return normalised(url) or without_credentials(url)


def url_key_kind(url: str) -> KeyKind:
    """What `url_key` gives for this URL."""
    parts = _split(url)
    if parts is not None and parts.scheme == "file":
        return KeyKind.PATH
    return KeyKind.REMOTE if normalised(url) else KeyKind.NAME


def without_credentials(text: str) -> str:
    """A text, a URL or a message of git's, without the user names and passwords of the URLs in it."""
    return _printable(_USER.sub("", text), keep=" ")


def _split(url: str) -> SplitResult | None:
    """The parts of a URL, be it `https://host/path` or `user@host:path`; None where it is neither."""
    if scheme := _SCHEME.match(url):
        url = f"{scheme[1].lower()}://{url[scheme.end() :]}"
    elif "://" in url or url.startswith(("/", ".", "~")) or not (scp := _SCP.fullmatch(url)):
        return None
    else:
        url = f"ssh://{scp[1]}/{scp[2].lstrip('/')}"
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _path(parts: SplitResult) -> str:
    path = re.sub("/{2,}", "/", parts.path).strip("/")
    return path.removesuffix(".git").rstrip("/")


def _printable(text: str, keep: str = "") -> str:
    """Percent-encodes blanks and what does not print: the text comes from a repository's own configuration."""
    return "".join(c if (c.isprintable() and not c.isspace()) or c in keep else _quoted(c) for c in text)


def _quoted(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
