"""Reads the code that a permalink of a code host names, from an index or its clones. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from wherefrom.engines.engine import Engine
from wherefrom.errors import NotFound, UnknownRepository, UsageError
from wherefrom.model import RepositoryRecord
from wherefrom.queries.occurrences import content_at
from wherefrom.results import LinkedCode
from wherefrom.sources.indexed import days_of_lines, read_at
from wherefrom.sources.repository_urls import Permalink, permalink, without_credentials
from wherefrom.support.hosts import HOSTS
from wherefrom.support.paths import path_text
from wherefrom.support.printable import visible

DATED_SECONDS = 10.0  # finding the day of the lines may take at most this many seconds


def linked_code(engine: Engine, url: str, *, dated: bool = False) -> LinkedCode:
    """Reads the file that a permalink names (`wherefrom.Index.linked_code`). Errors as of that call."""
    link = permalink(url)
    if link is None:
        raise UsageError(
            f"{without_credentials(url)[:200]!r} is not the URL of a file at a code host; give one such as "
            "https://github.com/OWNER/REPO/blob/REV/PATH#L10-L20"
        )
    record = _record(engine, link)
    written = None
    readings = [(revision, path_text(path.encode("utf-8", "surrogateescape"))) for revision, path in link.readings()]
    for named, path in readings:
        if (found := read_at(record, named, path)) is not None:
            revision, content = found
            if dated:
                lines = [] if link.lines is None else [link.lines]
                days = days_of_lines(record, path, lines, revision=revision, seconds=DATED_SECONDS)
                written = days[0] if days else None
            is_as_asked = True
            break
    else:
        named, path, content = _indexed(engine, link, record, readings)
        revision, is_as_asked = record.revision, record.revision == named
    home = f"https://{link.repository}"
    # For a known host, the address of the page is enough, since it contains the address of the repository.
    host = HOSTS.get(link.repository.partition("/")[0])
    sources = (home + host.software.page(revision or named, quote(path)),) if host else (link.url, home)
    return LinkedCode(f"{record.key}:{path}", content, link.lines, sources, revision, named, is_as_asked, written)


def _indexed(
    engine: Engine, link: Permalink, record: RepositoryRecord, readings: Sequence[tuple[str, str]]
) -> tuple[str, str, bytes]:
    indexed = {occurrence.path: occurrence.blob for occurrence in engine.occurrences(repository=record.key)}
    found = next(((named, path) for named, path in readings if path in indexed), None)
    if found is None:
        raise NotFound(
            f"{visible(record.key)} has no file {visible('/'.join(link.steps[1:]))!r}, neither at "
            f"{visible(link.steps[0])} nor at the indexed revision; fetch into the clone, or check the URL"
        )
    content = content_at(engine, record.key, found[1], indexed[found[1]])
    if content is None:
        raise NotFound(
            f"the content of {visible(found[1])} of {visible(record.key)} is neither in the index nor at "
            f"{visible(record.location)}; index the repository again, with --keep-source to keep it in the index"
        )
    return *found, content


def _record(engine: Engine, link: Permalink) -> RepositoryRecord:
    """The indexed repository of a permalink. Case does not matter, as for most hosts."""
    exact = engine.repository(link.repository)
    if exact is not None:
        return exact
    alike = [key for key in engine.repository_keys() if key.lower() == link.repository.lower()]
    for record in engine.repositories(alike):
        if record.remote is not None:
            return record
    key = visible(link.repository)
    raise UnknownRepository(f"{key} is not in this index; index it first: wherefrom index https://{key}")
