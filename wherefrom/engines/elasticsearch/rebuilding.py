"""The next version of an index, built beside the one in use and put in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.engines.elasticsearch.connection import Connection
from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine
from wherefrom.engines.elasticsearch.index_versions import NEXT, Versions, check_readable
from wherefrom.engines.elasticsearch.leases import Lease
from wherefrom.errors import IndexFormatError, UnusableIndex
from wherefrom.model import INDEXED, BoilerplateSet, Representation


@contextmanager
def rebuild(
    address: Address, schemes: Mapping[Representation, str], term_bits: int, options: ElasticsearchOptions
) -> Iterator[ElasticsearchEngine]:
    """See `engines.rebuild`."""
    connection = Connection(address, options)
    in_use, being_built = Versions(connection), Versions(connection, NEXT)
    with closing(connection), ExitStack() as stack:
        old = in_use.current()
        if old is None:
            yield stack.enter_context(
                closing(ElasticsearchEngine.open(address, schemes, term_bits, options, create=True))
            )
            return
        connection.check_version()
        lease = None
        sets: list[BoilerplateSet] = []
        # One that cannot be read is not written by anyone with this version either.
        if _is_readable(in_use.stamp("records", old)):
            lease = stack.enter_context(closing(Lease(connection, in_use.alias("records"))))
            lease.open()
            lease.be_alone()
            sets = _boilerplate(ElasticsearchEngine(connection, in_use, schemes, term_bits))
        new = old + 1
        for leftover in {new, being_built.current() or new}:
            being_built.delete(leftover)
        try:
            being_built.make(new, schemes, term_bits, loading=True)
            being_built.name(new)
            engine = ElasticsearchEngine(connection, being_built, schemes, term_bits)
            _take_over(engine, sets)
            yield engine
            being_built.complete(new)
            if lease is not None:
                lease.check()
        except BaseException:
            with suppress(UnusableIndex):
                being_built.delete(new)
            raise
        # Where the answer to this is lost, the new one may be in use already: nothing is deleted any more.
        in_use.replace(old, new)


def _is_readable(stamp: Mapping[str, Any]) -> bool:
    try:
        check_readable("", stamp)
    except (IndexFormatError, ValueError, LookupError):
        return False
    return True


def _boilerplate(engine: ElasticsearchEngine) -> list[BoilerplateSet]:
    return [each for name in engine.boilerplate_names() if (each := engine.boilerplate(name))]


def _take_over(engine: ElasticsearchEngine, sets: list[BoilerplateSet]) -> None:
    """Puts in the sets that were made under the schemes of this engine."""
    with engine.writer() as writer:
        for each in sets:
            if all(each.schemes.get(key) == engine.schemes[key] for key in INDEXED):
                writer.put_boilerplate(each)
