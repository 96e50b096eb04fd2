"""Where a collection is on a cluster, and what it takes to connect; checked before anything is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from wherefrom.errors import UsageError

PLAIN, ENCRYPTED = "elasticsearch", "elasticsearch+https"

FORM = "elasticsearch://HOST:9200/NAME or elasticsearch+https://HOST:9200/NAME"

DEFAULT_PORT = 9200

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,199}")
"""What Elasticsearch takes as the name of an index, and no more; 255 bytes less what wherefrom adds to it."""


@dataclass(frozen=True, slots=True)
class ElasticsearchOptions:
    """How to connect to Elasticsearch, and how an index is laid out when it is made.

    Attributes:
        user: with `password`; not together with `api_key`.
        password: never shown.
        api_key: as Elasticsearch gives it ("encoded"); never shown.
        ca_file: certificates (PEM) to trust for `elasticsearch+https`, in place of the system's.
        timeout: seconds that one request may take.
        shards: of a new index; each of its two indices has so many.
        replicas: of a new index; None for one as soon as there is a second node to hold it.
    """

    user: str | None = None
    password: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    ca_file: Path | None = None
    timeout: float = 60.0
    shards: int = 1
    replicas: int | None = None

    def __post_init__(self) -> None:
        if self.api_key and (self.user or self.password):
            raise UsageError("Elasticsearch is given a user and an API key; give one of the two")
        if bool(self.user) != bool(self.password):
            raise UsageError("Elasticsearch needs a user and a password together; give both or none")
        if self.ca_file is not None and not self.ca_file.is_file():
            raise UsageError(f"there is no file {str(self.ca_file)!r} of certificates; name another")
        if not 0 < self.timeout < float("inf"):
            raise UsageError(f"the timeout is a number of seconds above 0, not {self.timeout}")
        if not 1 <= self.shards <= 1024:
            raise UsageError(f"an index has from 1 to 1024 shards, not {self.shards}")
        if self.replicas is not None and not 0 <= self.replicas <= 1024:
            raise UsageError(f"an index has from 0 to 1024 replicas, not {self.replicas}")


@dataclass(frozen=True, slots=True)
class Address:
    """A collection on a cluster: `nodes` are URLs that the client takes, `name` is the collection's."""

    scheme: str
    hosts: tuple[str, ...]
    prefix: str
    name: str

    @property
    def nodes(self) -> list[str]:
        """The URL of every node named, with the path prefix."""
        protocol = "https" if self.scheme == ENCRYPTED else "http"
        return [f"{protocol}://{host}{self.prefix}" for host in self.hosts]

    def __str__(self) -> str:
        return f"{self.scheme}://{','.join(self.hosts)}{self.prefix}/{self.name}"


def parse(location: str) -> Address:
    """The address in `elasticsearch://HOST[:PORT][,HOST...][/PREFIX]/NAME`, the scheme in any case.

    Raises:
        UsageError: it is none; the message does not repeat what may be a password.
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
    """`host:port`."""
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0:
        raise UsageError(f"{text!r} is not a host with a port; write {FORM}")
    return f"[{host}]:{port or DEFAULT_PORT}" if ":" in host else f"{host}:{port or DEFAULT_PORT}"
