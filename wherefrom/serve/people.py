"""Who may ask a server for what: tokens with rights. A file keeps their hashes."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from wherefrom.errors import UsageError
from wherefrom.support.contract import FORMAT, JsonObject, now
from wherefrom.support.system import system
from wherefrom.support.values import dataclass
from wherefrom.support.writing import write_whole

MOST_FILE_BYTES = 10_000_000  # the highest size of a file of tokens
LOOK_AGAIN = 1.0  # seconds after which a server looks whether the file of tokens was changed


class Right(StrEnum):
    """What a token allows."""

    SEARCH = "search"
    CHECK = "check"
    READ = "read"


RIGHTS = {Right.SEARCH: "look up code", Right.CHECK: "check changes, and compare", Right.READ: "read the indexed code"}
"""The meaning of each right."""


@dataclass(frozen=True, slots=True)
class Person(JsonObject):
    """The holder of a token. `identity` is the SHA-256 of the token in hexadecimal, empty if the server asks for no
    token. `per_minute` is the highest number of requests in a minute; None without a limit. `made` is the time of
    `token add` in ISO 8601; empty if the token is not from a file.
    """

    JSON = "name rights per_minute made"

    name: str
    identity: str = ""
    rights: tuple[Right, ...] = tuple(Right)
    per_minute: int | None = None
    made: str = ""


ANYONE = Person("anyone")  # whoever asks a server that has no token


class TokenFile:
    """A file of tokens, which `wherefrom token` changes and a server reads. It need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def people(self) -> list[Person]:
        """The holders, in the order of `token add`; none if the file is missing. Raises UsageError if it cannot be
        read, or is not a file of tokens.
        """
        try:
            with self.path.open("rb") as file:
                text = file.read(MOST_FILE_BYTES + 1)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UsageError(f"{self.path} cannot be read: {error.strerror}; set `tokens` to another file") from error
        try:
            return [_loaded(row) for row in json.loads(text)["tokens"]]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise UsageError(f"{self.path} is not a file of tokens; name the one `wherefrom token` wrote") from error

    def add(self, name: str, rights: Sequence[Right], per_minute: int | None) -> str:
        """Makes a token, and returns it. It cannot be found out from the file. Raises UsageError if somebody else has
        that name, or the file cannot be read or written.
        """
        token = secrets.token_urlsafe(32)
        with self._changing() as people:
            if name in {person.name for person in people}:
                raise UsageError(f"there is a token {name!r} already; remove it first, or choose another name")
            chosen = tuple(right for right in Right if right in rights)
            people.append(Person(name, identity_of(token.encode()), chosen, per_minute, now()))
        return token

    def remove(self, name: str) -> None:
        """Removes a token. A running server refuses it within seconds. Raises UsageError if nobody has that name, or
        the file cannot be read or written.
        """
        with self._changing() as people:
            if name not in {person.name for person in people}:
                raise UsageError(f"there is no token {name!r}; see `wherefrom token list`")
            people[:] = [person for person in people if person.name != name]

    @contextmanager
    def _changing(self) -> Iterator[list[Person]]:
        """The holders, which are written at the end. Two processes take turns."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                system.lock(lock, wait=True)
                people = self.people()
                yield people
                # A new file gets its mode here; `write_whole` keeps the mode of a file that exists.
                os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600))
                rows = [{**person.to_dict(), "sha256": person.identity} for person in people]
                stored = json.dumps({"format": FORMAT, "tokens": rows}, indent=2)
                write_whole(self.path, stored.encode("ascii") + b"\n")
            finally:
                os.close(lock)
        except OSError as error:
            raise UsageError(
                f"{self.path} cannot be written: {error.strerror}; set `tokens` to another file"
            ) from error


class People:
    """Finds the holder of a shown token, and counts the requests of each holder. The token of the server's owner has
    all rights. The file of tokens is read again after a change; UsageError is raised if that is not possible.
    """

    def __init__(self, token: str | None = None, file: TokenFile | None = None) -> None:
        self._owner = None if token is None else Person("owner", identity_of(token.encode()))
        self._file = file
        self._known: dict[str, Person] = {}
        self._needs_token = token is not None
        self._next_look = 0.0
        self._buckets: dict[str, tuple[float, float]] = {}
        self._look()

    @property
    def is_open(self) -> bool:
        """True if requests need no token. Once there was a file of tokens, they need one, also without the file."""
        return not self._needs_token

    def holder(self, shown: bytes | None) -> Person | None:
        """The holder of a token; None if nobody has it. If requests need no token, everybody is `ANYONE`."""
        if time.monotonic() >= self._next_look:
            with suppress(UsageError):  # somebody edits the file: the tokens known so far stay
                self._look()
        if self.is_open:
            return ANYONE
        if shown is None:
            return None
        # However long it takes to compare hashes, that tells nothing about a token.
        identity = identity_of(shown)
        if self._owner is not None and identity == self._owner.identity:
            return self._owner
        return self._known.get(identity)

    def wait_for(self, person: Person) -> float:
        """Counts a request of a holder. Returns 0, or if there were too many, the seconds until the next may come.

        The requests of a minute may come at once; then they come back evenly.
        """
        if person.per_minute is None:
            return 0.0
        at = time.monotonic()
        left, since = self._buckets.get(person.identity, (float(person.per_minute), at))
        rate = person.per_minute / 60
        left = min(left + (at - since) * rate, float(person.per_minute))
        is_allowed = left >= 1
        self._buckets[person.identity] = left - is_allowed, at
        return 0.0 if is_allowed else (1 - left) / rate

    def _look(self) -> None:
        self._next_look = time.monotonic() + LOOK_AGAIN
        if self._file is not None:
            self._needs_token |= self._file.path.exists()
            self._known = {person.identity: person for person in self._file.people()}


def identity_of(token: bytes) -> str:
    """The SHA-256 of a token in hexadecimal. A random token of 32 bytes needs no slower hash."""
    return sha256(token).hexdigest()


def _loaded(row: dict[str, object]) -> Person:
    """Raises ValueError, LookupError, TypeError or AttributeError for other rows."""
    name, identity, per_minute, rights = str(row["name"]), str(row["sha256"]), row["per_minute"], row["rights"]
    if not isinstance(rights, list) or not (per_minute is None or (isinstance(per_minute, int) and per_minute > 0)):
        raise TypeError(rights)
    return Person(name, identity, tuple(map(Right, rights)), per_minute, str(row["made"]))
