"""The versions of an index: numbered pairs of indices behind two aliases, which move in one step.

`NAME-blobs` and `NAME-records` are aliases of `NAME-blobs-000001` and `NAME-records-000001`, or of a later number after
a rebuild. While the next version is built, `NAME-blobs-next` and `NAME-records-next` are its aliases. If a rebuild is
killed, these aliases stay, and the next rebuild replaces their indices. An index without an alias is left over from a
run that was killed while making it. All writes go through an alias, so they never reach another version.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from elasticsearch import BadRequestError, NotFoundError

from wherefrom.engines import records
from wherefrom.engines.elasticsearch.connection import ClusterConnection
from wherefrom.engines.engine import Schemes
from wherefrom.errors import IndexFormatError, IndexMissing
from wherefrom.mappings.elasticsearch import FORMAT, PARTS, SETTINGS, mapping

LOOK_SECONDS = 0.5

REBUILD = "index again with --rebuild"
NEXT = "-next"  # the suffix of the aliases of a version that is being built


class Versions:
    """The indices of one address by their aliases: the indices in use, or the ones being built if `suffix` is NEXT."""

    def __init__(self, connection: ClusterConnection, suffix: str = "") -> None:
        self._connection = connection
        self._client = connection.client
        self._name = connection.address.name
        self._suffix = suffix

    def alias(self, part: str) -> str:
        """The alias of one of `PARTS`."""
        return f"{self._name}-{part}{self._suffix}"

    def index(self, part: str, number: int) -> str:
        """The name of the index of one of `PARTS` in a version."""
        return f"{self._name}-{part}-{number:06}"

    def current(self) -> int | None:
        """The version behind the aliases; None if they do not exist. Raises IndexFormatError for aliases of others."""
        numbers = {self._number(part) for part in PARTS}
        if len(numbers) > 1:
            raise IndexFormatError(
                f"the aliases {' and '.join(map(self.alias, PARTS))} do not belong together; "
                "choose another name in the URL and index again, or put the aliases right"
            )
        return numbers.pop()

    def _number(self, part: str) -> int | None:
        """The number of the index behind the alias of one of `PARTS`; None if there is no alias."""
        with self._connection.mapped():
            try:
                found = self._client.indices.get_alias(index=self.alias(part)).body
            except NotFoundError as error:
                if self._connection.is_foreign(error):
                    raise
                found = {}
        if not found:
            return None
        if len(found) > 1:
            raise IndexFormatError(
                f"the alias {self.alias(part)} points to {' and '.join(sorted(found))}; "
                "remove all but one of them from it"
            )
        (name,) = found
        number = re.fullmatch(rf"{re.escape(f'{self._name}-{part}')}-(\d{{6,}})", name)
        if number is None:
            raise IndexFormatError(
                f"{self.alias(part)} is not an index of wherefrom ({name}); choose another name in the URL"
            )
        return int(number[1])

    def check(self, schemes: Schemes) -> int:
        """Checks that the version can be used; returns how many bits of each term it stores. Raises IndexMissing;
        IndexFormatError, also for an index that is not one of wherefrom; SchemeMismatch.
        """
        address = self._connection.address
        number = self.current()
        if number is None:
            raise IndexMissing(
                f"there is no index at {address}; make one with `wherefrom index --index {address} SOURCE`"
            )
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

    def stamp(self, part: str, number: int) -> dict[str, Any]:
        """The stamp that `mapping` put on an index; empty if there is none."""
        name = self.index(part, number)
        with self._connection.mapped():
            found = self._client.indices.get_mapping(index=name).body
        stamp = found[name]["mappings"].get("_meta", {})
        return stamp if isinstance(stamp, dict) else {}

    def make(self, number: int, schemes: Schemes, term_bits: int, *, loading: bool = False) -> None:
        """Makes the empty indices of a version, without aliases, and stamps `schemes` and `term_bits` on them. Leaves
        them if another process is already making them. With `loading`, they have no replicas before `complete`.
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
                # Another version of wherefrom made this index, and was killed before it was finished.
                self.delete(number, part)
                self._create(part, number, settings, made)

    def _create(self, part: str, number: int, settings: Mapping[str, Any], mappings: Mapping[str, Any]) -> bool:
        """Makes an index. Returns False if the index exists already."""
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
        """Points both aliases to a version, in one step."""
        with self._connection.mapped():
            self._client.indices.update_aliases(
                actions=[{"add": {"index": self.index(part, number), "alias": self.alias(part)}} for part in PARTS]
            )

    def complete(self, number: int) -> None:
        """Adds the replicas of a version that was made for loading, and waits until they are there."""
        names = [self.index(part, number) for part in PARTS]
        with self._connection.mapped():
            self._client.indices.put_settings(index=names, settings=self._replicas())
            while self._connection.patient.cluster.health(index=names)["initializing_shards"]:
                time.sleep(LOOK_SECONDS)

    def replace(self, old: int, new: int) -> None:
        """In one step, gives the aliases in use to version `new`, which was being built, and deletes version `old`."""
        actions: list[dict[str, Any]] = [{"remove_index": {"index": self.index(part, old)}} for part in PARTS]
        for part in PARTS:
            following = f"{self.alias(part)}{NEXT}"
            actions.append({"remove": {"index": self.index(part, new), "alias": following}})
            actions.append({"add": {"index": self.index(part, new), "alias": self.alias(part)}})
        with self._connection.mapped():
            self._client.indices.update_aliases(actions=actions)

    def delete(self, number: int, *parts: str) -> None:
        """Deletes these parts of a version, or all of it if none are given."""
        names = [self.index(part, number) for part in parts or PARTS]
        with self._connection.mapped():
            self._client.indices.delete(index=names, ignore_unavailable=True)


def check_readable(index: object, stamp: Mapping[str, Any]) -> None:
    """Checks that this version of wherefrom reads an index; raises the errors of `records.check_format`."""
    records.check_format(index, stamp, FORMAT, REBUILD, instead="index again under another name")
