"""URLs of repositories and packages: recognizes them, turns them into repository keys, and removes credentials."""

from __future__ import annotations

import re
from contextlib import suppress
from fnmatch import fnmatchcase
from urllib.parse import SplitResult, quote, unquote, urlsplit

from wherefrom.model import KeyKind
from wherefrom.support.hosts import HOSTS, is_public_address
from wherefrom.support.pattern import later

PORTS = {"https": 443, "http": 80, "ssh": 22, "git": 9418}
"""Default ports of the protocols for remotes. `file` is the only other protocol."""

_SCHEME = later(r"(?:git\+)?(https?|ssh|git|file)(?:\+git)?://", re.IGNORECASE)
_SCP = later(r"(?:[^\s/:@]+@)?(\[[^\]]+\]|[^\s/:@\[\]]+):(?!:)(.+)", re.DOTALL)
_HELPER = later(r"[\w+.-]+::")
"""The beginning of an address for one of git's remote helpers, as in `ext::COMMAND`."""
_USER = later(r"(?<=://)(?:[^\s'\"/]*@|[^\s'\"/:]*:(?!\d+/)[^\s'\"]*@)")
"""User name and password before the host of a URL. The second form is for a password that contains a `/`."""


def is_url(spec: str) -> bool:
    """Whether an argument is the URL of a repository. `host:path` needs a user, since it could also be a file name."""
    return bool(_SCHEME.match(spec)) or ("@" in spec.partition(":")[0] and bool(_SCP.fullmatch(spec)))


def is_purl(spec: str) -> bool:
    """Whether an argument is a package URL."""
    return spec[:4].lower() == "pkg:"


def is_at_public_host(spec: str) -> bool:
    """Whether a text is the URL of a repository at a host that is not this machine or an address in a private network.
    Any other name of a host counts as public.
    """
    from socket import inet_aton, inet_ntoa  # noqa: PLC0415 -- it takes long to load, and few commands need it

    parts = _split(spec) if is_url(spec) and normalised(spec) else None
    host = ((parts and parts.hostname) or "localhost").rstrip(".")
    with suppress(OSError):
        host = inet_ntoa(inet_aton(host))  # git knows other forms too, such as 127.1
    try:
        return is_public_address(host)
    except ValueError:
        return f".{host}".rpartition(".")[2] != "localhost"


def package_parts(key: str) -> tuple[str, str]:
    """The package URL without its version, and the version, of the repository key of a package. The version is empty if
    the key has none.
    """
    name, separator, version = key.rpartition("@")
    return (name, version) if separator else (key, "")


def normalised(url: str) -> str | None:
    """The repository key of a remote URL, such as `github.com/Owner/Repo`; None for a local path and other texts.

    The key is the URL without protocol, credentials, default port, query, ending `.git` and slashes at its end, with
    the host in lower case.
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
    """Whether upper and lower case are the same in a repository key, as on GitHub."""
    host = HOSTS.get(key.partition("/")[0].lower())
    return host is not None and host.ignores_case


def comparable(key: str) -> str:
    """A repository key in the form for comparing keys: in lower case if the host ignores case."""
    return key.lower() if ignores_case(key) else key


def is_key_pattern(name: str) -> bool:
    """Whether a name is a pattern of repository keys: it has a `*` or a `?`."""
    return "*" in name or "?" in name


def key_fits(key: str, pattern: str) -> bool:
    """Whether a repository key matches a pattern (`*`, `?`), or equals a `pattern` without these characters. Upper and
    lower case are the same in keys of GitHub.
    """
    if not is_key_pattern(pattern):
        return comparable(key) == comparable(pattern)
    return fnmatchcase(key, pattern) or (ignores_case(key) and fnmatchcase(key.lower(), pattern.lower()))


def local_path(url: str) -> str | None:
    """The path of a remote on this machine, such as `/srv/a.git` or `file:///srv/a.git`; None for any other remote.

    A relative path is relative to the repository that has the remote.
    """
    parts = _split(url)
    if parts is not None:
        path = unquote(parts.path, errors="surrogateescape") if parts.scheme == "file" else ""
    else:
        is_other = "://" in url or _HELPER.match(url)  # a URL with an unknown protocol
        path = "" if is_other else url
    return path if path and "\0" not in path else None


def url_key(url: str) -> str:
    """The key of a source at this URL: `normalised`, or for `file://` the URL without `.git`."""
    parts = _split(url)
    if parts is not None and parts.scheme == "file":
        return _printable(f"file:///{_path(parts)}")
    return normalised(url) or without_credentials(url)


def url_key_kind(url: str) -> KeyKind:
    """The kind of key that `url_key` gives for this URL."""
    parts = _split(url)
    if parts is not None and parts.scheme == "file":
        return KeyKind.PATH
    return KeyKind.REMOTE if normalised(url) else KeyKind.NAME


def without_credentials(text: str) -> str:
    """A text, such as a URL or a message of git, without the user names and passwords in its URLs."""
    return _printable(_USER.sub("", text), keep=" ")


def _split(url: str) -> SplitResult | None:
    """The parts of a URL of the form `https://host/path` or `user@host:path`; None for any other text."""
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
    """Percent-encodes white space and characters that do not print: a hostile configuration may contain them."""
    return "".join(
        c if (c.isprintable() and not c.isspace()) or c in keep else quote(c, safe="", errors="surrogateescape")
        for c in text
    )
