"""Lists of sources, each with an optional name and revision.

| list | form of a source |
| --- | --- |
| lines | `SOURCE`, or `SOURCE<TAB>NAME`, or `SOURCE<TAB>NAME<TAB>REVISION`; an empty column counts as missing |
| lines that begin with `{` | a JSON object with `source`, and perhaps `name` and `rev` |
| has a NUL anywhere | paths and URLs separated by NUL, without columns, comments or JSON |

Blank lines and lines that begin with `#` are skipped. Blanks around a column are removed, and so is a byte order mark.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, cast

from wherefrom.errors import UsageError
from wherefrom.support.values import dataclass


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A source with its own name and revision, for `index_sources`.

    Attributes:
        source: a path or a URL.
        name: the repository key (default: the key of its remote, or else its path). It is for a single repository,
            folder or archive, not for a folder of clones.
        rev: the revision of a git source, or of every repository in a folder of clones (default: the revision of the
            run, or else HEAD).
        remote_only: whether `source` is a package URL or the URL of a repository at a host, and nothing on this
            machine, whatever its spelling: so is all that a file of a project names.

    Raises:
        UsageError: `source` is not a path or a URL, `name` or `rev` is empty, or `name` does not print.
    """

    source: str | os.PathLike[str]
    name: str | None = None
    rev: str | None = None
    remote_only: bool = False

    def __post_init__(self) -> None:
        # A caller that does not check types may pass anything.
        source, name, rev = (cast("Any", value) for value in (self.source, self.name, self.rev))
        written = os.fspath(source) if isinstance(source, str | os.PathLike) else None
        if not isinstance(written, str):
            raise UsageError(f"the source {source!a} is not a path or a URL; give a text or a Path")
        try:
            os.fsencode(written)
        except UnicodeEncodeError:
            raise UsageError(f"the source {written!a} has characters that no path has; check it") from None
        for called, value in (("name", name), ("revision", rev)):
            if value is not None and (not isinstance(value, str) or not value.strip()):
                raise UsageError(f"the {called} of a source must be a text that is not empty, not {value!a}")
        check_name(name, "the name of a source")

    @property
    def text(self) -> str:
        """The path or URL as text."""
        return os.fspath(self.source)


def check_name(name: str | None, called: str) -> None:
    """Raises UsageError if a repository key, `called` so in the message, has characters that do not print."""
    if name is not None and not name.isprintable():
        raise UsageError(f"{called} is {name!a}, which has characters that do not print; leave them out")


def read_list(lines: Iterable[str]) -> list[ListedSource]:
    """The sources that a list names, in its order. Raises UsageError if a line has none of the forms above."""
    given = list(lines)
    if given:
        given[0] = given[0].removeprefix("\ufeff")
    if any("\0" in line for line in given):
        return [ListedSource(item) for item in "".join(given).split("\0") if item]
    listed = []
    for number, line in enumerate(given, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                listed.append(_from_json(text) if text.startswith("{") else _from_columns(line))
            except UsageError as error:
                raise UsageError(f"line {number} of the list: {error}") from None
    return listed


def _from_columns(line: str) -> ListedSource:
    source, *others = (column.strip() for column in line.split("\t"))
    if len(others) > 2 and any(others[2:]):
        raise UsageError("it has more columns than SOURCE, NAME and REVISION; a path with a tab needs JSON or NUL")
    if not source:
        raise UsageError("its first column is empty; it must be a path or a URL")
    name, rev = [*others, "", ""][:2]
    return ListedSource(source, name or None, rev or None)


def _from_json(text: str) -> ListedSource:
    try:
        values: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError("it begins with { and is not a JSON object; write a path like that as ./{") from None
    unknown = [name for name in values if name not in ("source", "name", "rev")]
    if unknown:
        raise UsageError(f"{unknown[0]!a} is not known; an object has source, and perhaps name and rev")
    if not isinstance(values.get("source"), str) or not values["source"].strip():
        raise UsageError('"source" must be a path or a URL')
    return ListedSource(**values)
