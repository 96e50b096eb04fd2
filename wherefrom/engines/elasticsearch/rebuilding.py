"""Builds the next version of an index beside the version in use, and then replaces that version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

from wherefrom.engines.elasticsearch.address import Address, ElasticsearchOptions
from wherefrom.engines.elasticsearch.connection import ClusterConnection
from wherefrom.engines.elasticsearch.engine import ElasticsearchEngine
from wherefrom.engines.elasticsearch.index_versions import NEXT, Versions, check_readable
from wherefrom.engines.elasticsearch.leases import Lease
from wherefrom.engines.engine import Note, Schemes
from wherefrom.errors import IndexFormatError, UnusableIndex
from wherefrom.model import OF_TOKENS, BoilerplateSet


@contextmanager
def rebuild(
    address: Address, schemes: Schemes, term_bits: int, options: ElasticsearchOptions
) -> Iterator[ElasticsearchEngine]:
    """Implements `engines.rebuild` for an index on a cluster."""
    connection = ClusterConnection(address, options)
    in_use, being_built = Versions(connection), Versions(connection, NEXT)
    with closing(connection), ExitStack() as stack:
        old = in_use.current()
        if old is None:
            with closing(ElasticsearchEngine.open(address, schemes, term_bits, options, create=True)) as engine:
                yield engine
            return
        connection.check_version()
        lease = None
        sets: list[BoilerplateSet] = []
        notes: dict[str, Note] = {}
        # No lease is needed for an index that this version of wherefrom cannot read: its writers cannot open the index.
        if _is_readable(in_use.stamp("records", old)):
            lease = stack.enter_context(closing(Lease(connection, in_use.alias("records"))))
            lease.open()
            lease.be_alone()
            engine = ElasticsearchEngine(connection, in_use, schemes, term_bits)
            notes = engine.notes("")
            sets = [found for name in engine.boilerplate_names() if (found := engine.boilerplate(name))]
        new = old + 1
        for leftover in {new, being_built.current() or new}:
            being_built.delete(leftover)
        try:
            being_built.make(new, schemes, term_bits, loading=True)
            being_built.name(new)
            engine = ElasticsearchEngine(connection, being_built, schemes, term_bits)
            with engine.writer() as writer:
                for boilerplate in sets:
                    if all(boilerplate.schemes.get(key) == engine.schemes[key] for key in OF_TOKENS):
                        writer.put_boilerplate(boilerplate)
                for name, note in notes.items():
                    writer.put_note(name, note)
            yield engine
            being_built.complete(new)
            if lease is not None:
                lease.check()
        except BaseException:
            with suppress(UnusableIndex):
                being_built.delete(new)
            raise
        # This is outside of the `try` block: if the answer is lost, the new version may be in use and must stay.
        in_use.replace(old, new)


def _is_readable(stamp: Mapping[str, Any]) -> bool:
    try:
        check_readable("", stamp)
    except (IndexFormatError, ValueError, LookupError):
        return False
    return True
