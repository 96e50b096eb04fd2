"""The places that have watched code, and which of them are new."""

from __future__ import annotations

import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from urllib.parse import urlsplit

from wherefrom.engines.engine import Engine
from wherefrom.engines.records import digest
from wherefrom.errors import UsageError
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.options.shared import PostOptions
from wherefrom.projects.watch.watches import Watch, WatchedPair, found_pairs, stored
from wherefrom.queries.filters import OwnPlaces
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.results import Lines, Region
from wherefrom.results.locations import Identified
from wherefrom.support import http
from wherefrom.support.chunks import chunks
from wherefrom.support.contract import FORMAT, JsonObject
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, replace

READ = 1_000  # the number of contents whose places are read at once


@dataclass(frozen=True, slots=True)
class WatchedPlace(Identified, JsonObject):
    """A place that has watched code.

    Attributes:
        watch: the name of the watch.
        part: the part of the watched code that is most probably there: a file with lines, or a change.
        lines: the lines of the file that match it.
        probability: how probable it is that they are a copy; None for a fix.
        since: when the code was found there or in an identical file, in UTC and ISO 8601.
        occurrence, record: the place.
        more: the number of other parts that are there too.
        is_new: whether it was not reported yet.
    """

    JSON = "id watch part *lines probability since *occurrence url swhid purl more new=is_new"

    watch: str
    part: str
    lines: Lines
    probability: float | None
    since: str
    occurrence: Occurrence
    record: RepositoryRecord | None
    more: int
    is_new: bool = True

    @property
    def id(self) -> str:
        """Names the watch, the repository and the path, in 40 hexadecimal digits: a changed file is not a new place."""
        return digest(self.watch, self.occurrence.repository, self.occurrence.path)

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """The lines, as a region without its bytes."""
        return (Region(0, 0, self.lines.first, self.lines.last),)


def places(engine: Engine, watches: Sequence[Watch]) -> list[WatchedPlace]:
    """The places that have the code of some watches, except the user's own, by watch, repository and path."""
    by_name = {watch.name: watch for watch in watches}
    owners = {names: OwnPlaces.named(engine, names) for names in {watch.own for watch in watches}}
    reported = {name.rpartition("/")[2] for name in stored(engine, "reported", by_name)}
    by_blob: dict[str, dict[str, list[WatchedPair]]] = {}
    for pair in found_pairs(engine, by_name):
        by_blob.setdefault(pair.blob, {}).setdefault(pair.watch, []).append(pair)
    records: dict[str, RepositoryRecord] = {}
    found: list[WatchedPlace] = []
    for blobs in chunks(sorted(by_blob), READ):
        for blob, there in current_occurrences(engine, blobs, records).items():
            for name, pairs in by_blob[blob].items():
                watch, since = by_name[name], min(pair.since for pair in pairs)
                best = max(pairs, key=lambda pair: (pair.probability or 0.0, pair.lines.last - pair.lines.first))
                part, lines, probability, more = watch.labels[best.part], best.lines, best.probability, len(pairs) - 1
                found += [
                    WatchedPlace(name, part, lines, probability, since, at, records.get(at.repository), more)
                    for at in there
                    if at not in owners[watch.own]
                ]
    found.sort(key=lambda place: (place.watch, place.occurrence.repository, place.occurrence.path))
    return [replace(place, is_new=place.id not in reported) for place in found]


def mark_reported(engine: Engine, places: Iterable[WatchedPlace]) -> None:
    """Notes that places were reported. Opens no writer for none, so a report does not wait for an indexing run."""
    names = [f"reported/{place.watch}/{place.id}" for place in places]
    if names:
        with engine.writer() as writer:
            for name in names:
                writer.put_note(name, {})


WAITS = (1.0, 4.0)  # seconds before the second and the third try
SECONDS = 10.0  # how long one try may take
SHORTEST_SECRET = 24  # bytes of a key, as Standard Webhooks has it


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
        except http.NotPublic as error:
            failures[url] = f"{visible(str(error))}; set private_posts (WHEREFROM_PRIVATE_POSTS=1) if that is meant"
        except http.Failure as error:
            failures[url] = f"{visible(url)} cannot be posted to: {visible(str(error))}; the next run tries again"
    return taken, [*failures.values()]


def _post(url: str, place: WatchedPlace, options: PostOptions) -> None:
    key = _key(options)
    body = json.dumps({"format": FORMAT, **place.to_dict()}).encode()

    def headers(_: str) -> Mapping[str, str]:
        now = str(int(time.time()))
        signed = hmac.digest(key, f"{place.id}.{now}.".encode() + body, sha256)
        return {
            "Content-Type": "application/json",
            "webhook-id": place.id,
            "webhook-timestamp": now,
            "webhook-signature": f"v1,{b64encode(signed).decode()}",
        }

    def read(response: http.Response) -> None:
        if not 200 <= response.status < 300:
            raise http.Failure(f"it answers with status {response.status}")

    is_public = not options.private_posts
    request = http.HttpRequest(
        url, seconds=SECONDS, waits=WAITS, headers=headers, is_public=lambda _: is_public, content=body
    )
    with closing(http.HttpClient()) as client:
        client.ask(request, read)
