"""The address of an index on a cluster, and the options for connecting; both are checked before anything is sent."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from wherefrom.errors import UsageError
from wherefrom.options import EngineOptions
from wherefrom.options.fields import FilePath, Kind, Seconds, Text, Whole, option
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

PLAIN, ENCRYPTED = "elasticsearch", "elasticsearch+https"

FORM = "elasticsearch://HOST:9200/NAME or elasticsearch+https://HOST:9200/NAME"

DEFAULT_PORT = 9200

_Value = TypeVar("_Value")

_NAME = later(r"[a-z0-9][a-z0-9._-]{0,199}")  # names of indices, with room for suffixes, since 255 bytes are allowed


def _setting(default: _Value, kind: Kind, meaning: str, default_help: str | None = None) -> _Value:
    """An option without a flag: users set it by an environment variable or in the settings file."""
    return option(default, kind, meaning, setting=True, default_help=default_help, flag=False)


@dataclass(frozen=True, kw_only=True)
class ElasticsearchOptions(EngineOptions):
    """How to connect to Elasticsearch, and how an index is laid out when it is made."""

    user: str | None = _setting(None, Text("NAME"), "The user, with a password.")
    password: str | None = _setting(None, Text(secret=True), "The user's password.")
    api_key: str | None = _setting(
        None, Text(secret=True), 'An API key as Elasticsearch gives it ("encoded"), in place of a user.'
    )
    ca_file: Path | None = _setting(
        None,
        FilePath("FILE"),
        "Certificates (PEM) to trust for `elasticsearch+https`.",
        default_help="the system's certificates",
    )
    timeout: float = _setting(60.0, Seconds(), "Seconds that one request may take.")
    shards: int = _setting(1, Whole(1, 1024), "Shards of each of the two indices of a new index.")
    replicas: int | None = _setting(
        None, Whole(0, 1024), "Replicas of a new index.", default_help="1 if there is a second node"
    )

    def check_together(self) -> None:
        """Raises UsageError for contradictory credentials, or a missing file of certificates."""
        if self.api_key and (self.user or self.password):
            raise UsageError("Elasticsearch is given a user and an API key; use one of the two")
        if bool(self.user) != bool(self.password):
            raise UsageError("Elasticsearch needs a user and a password together; set both or none")
        if self.ca_file is not None and not self.ca_file.is_file():
            raise UsageError(f"there is no file {str(self.ca_file)!r} of certificates; name another")


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an index on a cluster. `name` is the name in the URL; each of `hosts` is `host:port`."""

    scheme: str
    hosts: tuple[str, ...]
    prefix: str
    name: str

    @property
    def nodes(self) -> list[str]:
        """The URL of every host, with the path prefix."""
        protocol = "https" if self.scheme == ENCRYPTED else "http"
        return [f"{protocol}://{host}{self.prefix}" for host in self.hosts]

    def __str__(self) -> str:
        return f"{self.scheme}://{','.join(self.hosts)}{self.prefix}/{self.name}"


def parse(location: str) -> Address:
    """The address in `elasticsearch://HOST[:PORT][,HOST...][/PREFIX]/NAME`; the scheme may be in upper case. Raises
    UsageError for anything else. The message does not repeat anything that may be a password.
    """
    scheme, _, rest = location.partition(":")
    scheme = scheme.lower()
    if not rest.startswith("//"):
        raise UsageError(f"an index on Elasticsearch has a URL with '//' in it; write {scheme}://HOST:9200/NAME")
    rest = rest.removeprefix("//")
    authority, _, path = rest.partition("/")
    if "@" in rest:
        raise UsageError(
            "an Elasticsearch URL holds no user and password, which others could read in the list of processes; "
            "set WHEREFROM_ELASTICSEARCH_USER and WHEREFROM_ELASTICSEARCH_PASSWORD, or WHEREFROM_ELASTICSEARCH_API_KEY"
        )
    if not rest.isascii() or not rest.isprintable() or any(letter in rest for letter in " ?#\\"):
        raise UsageError(f"the Elasticsearch URL has characters that do not belong there; write {FORM}")
    *prefix, name = path.rstrip("/").split("/")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a name for an index on Elasticsearch: lower-case letters, digits, '.', '_' and '-', "
            f"beginning with a letter or digit; write {FORM}"
        )
    hosts = tuple(map(_host, authority.split(",")))
    return Address(scheme, hosts, "".join(f"/{part}" for part in prefix if part), name)


def _host(text: str) -> str:
    """A host as `host:port`, with `DEFAULT_PORT` if the text has no port. Raises UsageError."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0:
        raise UsageError(f"{text!r} is not a host with a port; write {FORM}")
    return f"[{host}]:{port or DEFAULT_PORT}" if ":" in host else f"{host}:{port or DEFAULT_PORT}"
