"""URLs of repositories, packages and files at code hosts: recognizes them, turns them into repository keys, and removes
credentials. A `KeyPattern` makes keys from paths, since the folder of a mirror without a remote often names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import SplitResult, quote, unquote, urlsplit

from wherefrom.errors import UsageError
from wherefrom.model import KeyKind
from wherefrom.sources.source import local_key
from wherefrom.support.hosts import HOSTS, is_public_address, lines_of, place
from wherefrom.support.pattern import later
from wherefrom.support.system import system
from wherefrom.support.values import dataclass

PORTS = {"https": 443, "http": 80, "ssh": 22, "git": 9418}  # the default ones; `file` is the only other protocol
_SCHEME = later(r"(?:git\+)?(https?|ssh|git|file)(?:\+git)?://", re.IGNORECASE)
_SCP = later(r"(?:[^\s/:@]+@)?(\[[^\]]+\]|[^\s/:@\[\]]+):(?!:)(.+)", re.DOTALL)
_HELPER = later(r"[\w+.-]+::")  # the beginning of an address for one of git's remote helpers, as in `ext::COMMAND`
_USER = later(r"(?<=://)(?:[^\s'\"/]*@|[^\s'\"/:]*:(?!\d+/)[^\s'\"]*@)")
"""User name and password before the host of a URL. The second form is for a password that contains a `/`."""


def is_url(spec: str) -> bool:
    """Whether an argument is the URL of a repository. `host:path` needs a user, since it could also be a file name."""
    return bool(_SCHEME.match(spec)) or ("@" in spec.partition(":")[0] and bool(_SCP.fullmatch(spec)))


def is_purl(spec: str) -> bool:
    """Whether an argument is a package URL."""
    return spec[:4].lower() == "pkg:"


def is_at_public_host(spec: str) -> bool:
    """Whether a text is the URL of a repository, and not at this machine or at an address of a private network."""
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
    """The package URL without its version, and the version (empty if there is none), in the key of a package."""
    name, separator, version = key.rpartition("@")
    return (name, version) if separator else (key, "")


def normalised(url: str) -> str | None:
    """The key of a remote URL, such as `github.com/Owner/Repo`; None for other texts. It is the URL without protocol,
    credentials, default port, query, ending `.git` and slashes at its end, with the host in lower case.
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
    """Whether upper and lower case are the same in a repository key, as on GitHub and in paths of Windows."""
    host = HOSTS.get(key.partition("/")[0].lower())
    return _is_windows_path(key) or (host is not None and host.ignores_case)


def _is_windows_path(text: str) -> bool:
    """Whether a text begins as `C:/code` or `//server/share`, with slashes of either kind, on Windows."""
    return system.HAS_DRIVES and (text[1:3] in {":/", ":\\"} or text[:2] in {"//", "\\\\"})


def comparable(key: str) -> str:
    """A repository key in the form for comparing keys: in lower case, and with `/`, if it ignores case."""
    return key.lower().replace("\\", "/") if ignores_case(key) else key


def is_key_pattern(name: str) -> bool:
    """Whether a name is a pattern of repository keys: it has a `*` or a `?`."""
    return "*" in name or "?" in name


def key_fits(key: str, pattern: str) -> bool:
    """Whether a key matches a pattern (`*`, `?`) or equals a `pattern` without these; without case on GitHub."""
    if not is_key_pattern(pattern):
        return comparable(key) == comparable(pattern)
    return fnmatchcase(key, pattern) or (ignores_case(key) and fnmatchcase(key.lower(), pattern.lower()))


def local_path(url: str) -> str | None:
    """The path of a remote on this machine, such as `/srv/a.git` or `file:///srv/a.git`; None for any other remote. A
    relative path is relative to the repository that has the remote.
    """
    parts = _split(url)
    if parts is not None:
        path = system.url_path(unquote(parts.path, errors="surrogateescape")) if parts.scheme == "file" else ""
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
    elif "://" in url or url.startswith(("/", ".", "~")) or _is_windows_path(url) or not (scp := _SCP.fullmatch(url)):
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


LONGEST = 4096  # limit on the characters of a URL that `permalink` reads
MOST_STEPS = 16  # limit on the parts of a branch name that `readings` tries
_HTTP = later(r"https?://", re.IGNORECASE)
_BARE = later(rf"(?:www\.)?(?:{'|'.join(map(re.escape, HOSTS))})/", re.IGNORECASE)
_REVISION = later(r"(?!-)(?!.*(?:\.\.|@\{|//))[^\s\x00-\x20\x7f~^:?*\[\\]+")


@dataclass(frozen=True, slots=True)
class Permalink:
    """The URL of a file at a code host."""

    url: str  # with its scheme, without credentials, query and fragment
    repository: str  # the key of the repository, as `normalised` gives it for its remote
    # the parts of the revision and then of the path, decoded. The URL does not say where the path begins, since the
    # name of a branch may contain slashes
    steps: tuple[str, ...]
    lines: tuple[int, int] | None  # first and last line, 1-based and inclusive; None if the URL names no lines

    def readings(self) -> Iterator[tuple[str, str]]:
        """Every (revision, path) that the URL may name, the shortest revision first."""
        for at in range(1, min(len(self.steps), MOST_STEPS + 1)):
            revision = "/".join(self.steps[:at])
            if _REVISION.fullmatch(revision):
                yield revision, "/".join(self.steps[at:])


def permalink(url: str) -> Permalink | None:
    """Reads the URL of a file at a code host: one of `wherefrom.support.hosts`, or a host that runs the software of one
    of them. Returns None for any other text. Raises UsageError if `url` is the URL of a file, but its lines or its path
    are impossible. The known hosts do not need `https://`.
    """
    if len(url) > LONGEST or not url.isprintable():
        return None
    if _HTTP.match(url) is None:
        if _BARE.match(url) is None:
            return None
        url = f"https://{url}"
    url = without_credentials(url)
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    steps = [step for step in parts.path.split("/") if step]
    found = place((parts.hostname or "").removeprefix("www."), steps)
    if found is None or ":" in found.repository:
        return None
    repository = normalised(f"https://{found.host}{port}/{found.repository}")
    if repository is None:
        return None
    return Permalink(
        parts._replace(fragment="", query="").geturl(),
        repository,
        tuple(_decoded(found.steps, url)),
        line_range(*lines, url) if (lines := lines_of(parts.fragment)) else None,
    )


def line_range(first: int, last: int, name: str) -> tuple[int, int]:
    """Checks that these can be the first and the last line of a range. Raises a UsageError that quotes `name`."""
    if not 1 <= first <= last:
        raise UsageError(f"{name[:200]!r} names no lines; name them as #L10 or #L10-L20, from 1")
    return first, last


def _decoded(steps: Sequence[str], url: str) -> list[str]:
    """The parts of the revision and the path, decoded. An encoded slash separates parts too."""
    decoded = "/".join(unquote(step, errors="surrogateescape") for step in steps).split("/")
    if len(decoded) < 2 or any(step in ("", ".", "..") or "\0" in step for step in decoded):
        raise UsageError(f"{url[:200]!r} names no file; give a URL such as https://github.com/OWNER/REPO/blob/REV/PATH")
    return decoded


_FIELD = later(r"\{([^{}]*)\}")
_NOT_IN_KEYS = later(r"[?#]")  # characters that end the path of a URL


class KeyPattern:
    """Makes the key of a repository from the end of its path.

    A pattern is a path with fields, such as `{host}/{owner}/{name}.git`. A field matches one or more characters inside
    one part of the path. `{host}` must contain a dot; `{path}` may appear once and matches one or more folders. A field
    ends where the text after it first appears. A pattern that begins with `/` matches whole paths; any other pattern
    matches the last parts of a path.

    The key is `{host}/{owner}/{name}` (`{host}/{path}/{name}` if there is a `{path}`), or the text after a `=`:
    `{owner}+{name}=github.com/{owner}/{name}`. Raises UsageError if `pattern` does not have this form.
    """

    def __init__(self, pattern: str) -> None:
        path, _, key = pattern.partition("=")
        fields = _FIELD.findall(path)
        self._key = key or ("{host}/{path}/{name}" if "path" in fields else "{host}/{owner}/{name}")
        strange = [field for field in fields if not (field.isascii() and field.isidentifier())]
        missing = [field for field in _FIELD.findall(self._key) if field not in fields]
        for is_wrong, reason in (
            (not path.strip("/") or set("{}") & {*_FIELD.sub("", path)}, "it is not a path with fields"),
            (strange, f"{{{''.join(strange[:1])}}} is not the name of a field"),
            (len(set(fields)) < len(fields), "it has a field twice"),
            ("}{" in path, "two fields need some text between them"),
            (missing and not key, f"it has no {{{''.join(missing[:1])}}}, so the key must be given behind a ="),
            (missing, f"it has no {{{''.join(missing[:1])}}}"),
            (normalised(f"https://{_FIELD.sub('x.y', self._key)}") is None, "the key must be a host and a path"),
        ):
            if is_wrong:
                raise UsageError(
                    f"--key-from is {pattern!a}: {reason}; use a pattern such as {{host}}/{{owner}}/{{name}}.git, "
                    "or {owner}+{name}=github.com/{owner}/{name}"
                )
        self._path = re.compile(_expression(path), re.DOTALL)

    def key(self, path: Path) -> str | None:
        """The repository key of this path, such as `github.com/owner/name`; None if the pattern does not match it."""
        found = self._path.fullmatch(local_key(path))
        if found is None or _NOT_IN_KEYS.search("/".join(found.groupdict().values())):
            return None
        return normalised("https://" + _FIELD.sub(lambda field: found[field[1]], self._key))


def _expression(path: str) -> str:
    texts, fields = _FIELD.split(path)[::2], _FIELD.findall(path)
    parts = ["" if path.startswith("/") else "(?:.*/)?", re.escape(texts[0])]
    for field, text in zip(fields, texts[1:], strict=True):
        is_last = field == fields[-1]
        behind = re.escape(text) + (r"\Z" if is_last else "")
        # Atomic groups, so that the time of a match does not grow with the number of fields.
        one = f"(?>(?:(?!{behind})[^/])+)" if text and text != "/" else "(?>[^/]+)"
        if field == "path":
            one = ".+?"
        elif field == "host":
            one = rf"(?=[^/@]*[^/@.]\.[^/@.]+/){one}"
        parts.append(f"(?P<{field}>{one}){re.escape(text)}")
    return "".join(parts)
