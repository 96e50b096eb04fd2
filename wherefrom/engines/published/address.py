"""The address of a published index, and the options for reading it; both are checked before anything is sent."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urljoin, urlsplit, urlunsplit

from wherefrom.errors import UsageError
from wherefrom.options import EngineOptions
from wherefrom.options.fields import Seconds, Text, option
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass, replace

MANIFEST = "wherefrom-published.json"  # the name of the file that has the names and the checksums of the others
FORM = "https://HOST/PATH/"

_PIN = later(r"sha256=([0-9a-fA-F]{64})")


@dataclass(frozen=True, kw_only=True)
class PublishedOptions(EngineOptions):
    """How to read a published index."""

    user: str | None = option(
        None, Text("NAME"), "The user, with a password.", setting=True, default_help="from `~/.netrc`", flag=False
    )
    password: str | None = option(
        None, Text(secret=True), "The user's password.", setting=True, default_help="from `~/.netrc`", flag=False
    )
    timeout: float = option(60.0, Seconds(), "Seconds that one response may take.", setting=True, flag=False)

    def check_together(self) -> None:
        """Raises UsageError for a user without a password, or a password without a user."""
        if (self.user is None) != (self.password is None):
            raise UsageError("a published index needs a user and a password together; set both or none")


@dataclass(frozen=True, slots=True)
class PublishedAddress:
    """The address of a published index: a URL that ends with `/`, or a folder; and the SHA-256 of its manifest, if no
    other manifest is accepted.
    """

    place: str | Path
    pin: str | None = None

    @property
    def server(self) -> str | None:
        """The server; None if it is a folder."""
        return None if isinstance(self.place, Path) else urljoin(self.place, "/")

    def __str__(self) -> str:
        if self.pin is None:
            return str(self.place)
        return f"{'published:' if isinstance(self.place, Path) else ''}{self.place}#sha256={self.pin}"


def parse(location: str) -> PublishedAddress:
    """The address in `https://HOST[:PORT]/PATH/[#sha256=SHA256]`. Raises UsageError for anything else. The message does
    not repeat anything that may be a password.
    """
    try:
        parts = urlsplit(location.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if "@" in parts.netloc:
        raise UsageError(
            "the URL of an index has no user and password, which others could read in the list of processes; put them "
            "into ~/.netrc, or set WHEREFROM_PUBLISHED_USER and WHEREFROM_PUBLISHED_PASSWORD"
        )
    if not host or parts.query or not location.isascii() or not location.isprintable() or " " in location.strip():
        raise UsageError(f"this is not the URL of a published index; write {FORM}")
    if parts.scheme == "http" and not _is_this_machine(host):
        raise UsageError("http:// is only for this machine, since others can change what is read; write https://")
    host = f"[{host}]" if ":" in host else host
    path = f"{parts.path.rstrip('/').removesuffix(MANIFEST).rstrip('/')}/"
    return PublishedAddress(
        urlunsplit((parts.scheme, f"{host}:{port}" if port else host, path, "", "")), _pin(parts.fragment)
    )


def pinned(address: PublishedAddress, sha256: str) -> PublishedAddress:
    """The address with the SHA-256 that the manifest must have. Raises UsageError if it is not a SHA-256."""
    return replace(address, pin=_pin(f"sha256={sha256}"))


def _pin(fragment: str) -> str | None:
    if not fragment:
        return None
    found = _PIN.fullmatch(fragment)
    if found is None:
        raise UsageError(
            "a publication is named by #sha256= (or --expect) and 64 hexadecimal digits; take what `wherefrom publish` "
            "printed"
        )
    return found[1].lower()


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
