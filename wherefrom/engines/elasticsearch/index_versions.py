"""The versions of an index: numbered indices behind two aliases, which are moved together or not at all.

`NAME-blobs` and `NAME-records` are aliases of `NAME-blobs-000001` and `NAME-records-000001`, or of a later number
after a rebuild. While the next version is built, `NAME-blobs-next` and `NAME-records-next` are its aliases; where a
rebuild was killed they stay, and the next one replaces what they name. An index without an alias is the leftover of a
run that was killed while it made one. Everything is written through an alias, so never beside an index.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from elasticsearch import BadRequestError, NotFoundError

from wherefrom.engines import records
from wherefrom.engines.elasticsearch.connection import Connection
from wherefrom.errors import IndexFormatError, IndexMissing
from wherefrom.mappings.elasticsearch import FORMAT, PARTS, SETTINGS, mapping
from wherefrom.model import Representation

LOOK_SECONDS = 0.5

REBUILD = "index again with --rebuild"

NEXT = "-next"
"""What ends the aliases of a version that is being built."""


class Versions:
    """The indices of one address, by their aliases: those in use, or with the `suffix` NEXT those being built."""

    def __init__(self, connection: Connection, suffix: str = "") -> None:
        self._connection = connection
        self._client = connection.client
        self._name = connection.address.name
        self._suffix = suffix

    def alias(self, part: str) -> str:
        """The alias of one of `PARTS`."""
        return f"{self._name}-{part}{self._suffix}"

    def index(self, part: str, number: int) -> str:
        """The index of one of `PARTS` in a version."""
        return f"{self._name}-{part}-{number:06}"

    def current(self) -> int | None:
        """The number of the version; None if there is none. Raises IndexFormatError for aliases that wherefrom did not
        make.
        """
        numbers = set()
        for part in PARTS:
            with self._connection.mapped():
                try:
                    found = self._client.indices.get_alias(index=self.alias(part)).body
                except NotFoundError as error:
                    if self._connection.is_foreign(error):
                        raise
                    found = {}
            if len(found) > 1:
                raise IndexFormatError(
                    f"the alias {self.alias(part)} points to {' and '.join(sorted(found))}; "
                    "remove all but one of them from it"
                )
            for name in found:
                number = re.fullmatch(rf"{re.escape(f'{self._name}-{part}')}-(\d{{6,}})", name)
                if number is None:
                    raise IndexFormatError(
                        f"{self.alias(part)} is not an index of wherefrom ({name}); choose another name in the URL"
                    )
                numbers.add(int(number[1]))
            if not found:
                numbers.add(0)
        if numbers == {0}:
            return None
        if len(numbers) > 1 or 0 in numbers:
            raise IndexFormatError(
                f"the aliases {' and '.join(map(self.alias, PARTS))} do not belong together; "
                "choose another name in the URL and index again, or put the aliases right"
            )
        return numbers.pop()

    def check(self, schemes: Mapping[Representation, str]) -> int:
        """Sees that the version fits.

        Returns:
            the bits of a term that the index stores.

        Raises:
            IndexMissing: there is none.
            IndexFormatError: another format version, or no index of wherefrom.
            SchemeMismatch: made with other schemes than these.
        """
        address = self._connection.address
        number = self.current()
        if number is None:
            raise self.missing()
        for part in PARTS:
            stamp = self.stamp(part, number)
            try:
                if stamp["wherefrom"] != part or not isinstance(stamp["schemes"], dict):
                    raise ValueError("another product's")
                check_readable(address, stamp)
                term_bits = records.check_schemes(address, stamp, schemes, REBUILD)
            except (ValueError, LookupError, TypeError):
                raise IndexFormatError(
                    f"{self.alias(part)} is not an index of wherefrom; choose another name in the URL"
                ) from None
        return term_bits

    def missing(self) -> IndexMissing:
        """The error where there is no version."""
        address = self._connection.address
        return IndexMissing(f"there is no index at {address}; make one with `wherefrom index --index {address} SOURCE`")

    def stamp(self, part: str, number: int) -> dict[str, Any]:
        """What `mapping` stamped on an index; empty where nothing did."""
        name = self.index(part, number)
        with self._connection.mapped():
            found = self._client.indices.get_mapping(index=name).body
        stamp = found[name]["mappings"].get("_meta", {})
        return stamp if isinstance(stamp, dict) else {}

    def make(
        self, number: int, schemes: Mapping[Representation, str], term_bits: int, *, loading: bool = False
    ) -> None:
        """Makes the empty indices of a version, without aliases; those that another process is just making stay.

        Args:
            number: of the version.
            schemes: to be stamped on them.
            term_bits: bits of a term that are stored; also stamped.
            loading: without replicas, until `complete` is called.
        """
        options = self._connection.options
        for part in PARTS:
            made = mapping(part, schemes, term_bits)
            settings = {
                **SETTINGS,
                "number_of_shards": options.shards,
                **({"number_of_replicas": 0} if loading else self._replicas()),
            }
            if not self._create(part, number, settings, made) and self.stamp(part, number) != made["_meta"]:
                # The leftover of another version of wherefrom.
                self.delete(number, part)
                self._create(part, number, settings, made)

    def _create(self, part: str, number: int, settings: Mapping[str, Any], mappings: Mapping[str, Any]) -> bool:
        """Whether the index was not there yet."""
        with self._connection.mapped():
            try:
                self._client.indices.create(index=self.index(part, number), settings=settings, mappings=mappings)
            except BadRequestError as error:
                if "resource_already_exists_exception" not in str(error.body):
                    raise
                return False
        return True

    def _replicas(self) -> dict[str, Any]:
        replicas = self._connection.options.replicas
        return {"auto_expand_replicas": "0-1"} if replicas is None else {"number_of_replicas": replicas}

    def name(self, number: int) -> None:
        """Points the aliases to a version, both at once."""
        with self._connection.mapped():
            self._client.indices.update_aliases(
                actions=[{"add": {"index": self.index(part, number), "alias": self.alias(part)}} for part in PARTS]
            )

    def complete(self, number: int) -> None:
        """Gives a version that was made for loading its replicas, and waits until they are there."""
        names = [self.index(part, number) for part in PARTS]
        with self._connection.mapped():
            self._client.indices.put_settings(index=names, settings=self._replicas())
            while self._connection.patient.cluster.health(index=names)["initializing_shards"]:
                time.sleep(LOOK_SECONDS)

    def replace(self, old: int, new: int) -> None:
        """Puts a version that was being built in the place of the one in use, which is deleted; all of it at once."""
        actions: list[dict[str, Any]] = [{"remove_index": {"index": self.index(part, old)}} for part in PARTS]
        for part in PARTS:
            following = f"{self.alias(part)}{NEXT}"
            actions.append({"remove": {"index": self.index(part, new), "alias": following}})
            actions.append({"add": {"index": self.index(part, new), "alias": self.alias(part)}})
        with self._connection.mapped():
            self._client.indices.update_aliases(actions=actions)

    def delete(self, number: int, *parts: str) -> None:
        """Deletes a version, or some of its `PARTS`."""
        names = [self.index(part, number) for part in parts or PARTS]
        with self._connection.mapped():
            self._client.indices.delete(index=names, ignore_unavailable=True)


def check_readable(index: object, stamp: Mapping[str, Any]) -> None:
    """As `records.check_format`."""
    records.check_format(index, stamp, FORMAT, REBUILD, instead="index again under another name")
