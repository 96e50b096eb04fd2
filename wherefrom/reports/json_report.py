"""JSON: what `to_dict` of a result gives, as text.

The text is ASCII: whatever an indexed path or a snippet's name holds, nothing reaches a terminal raw.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wherefrom.contract import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wherefrom.languages import Language
    from wherefrom.model import BoilerplateSet, RepositoryRecord
    from wherefrom.results import SearchResult

__all__ = ["FORMAT", "boilerplate_to_dict", "dumps", "languages_to_dict", "repositories_to_dict", "to_json", "to_jsonl"]


def dumps(value: object, *, indent: int | None = 2) -> str:
    """A JSON text with a newline at its end; without `indent` it is one line."""
    return json.dumps(value, indent=indent, allow_nan=False) + "\n"


def to_json(result: SearchResult) -> str:
    """The answer to one query, indented."""
    return dumps(result.to_dict())


def to_jsonl(result: SearchResult) -> str:
    """The answer to one query on one line."""
    return dumps(result.to_dict(), indent=None)


def repositories_to_dict(records: Iterable[RepositoryRecord]) -> dict[str, Any]:
    """The indexed repositories."""
    return {"format": FORMAT, "repositories": [record.to_dict() for record in records]}


def boilerplate_to_dict(sets: Iterable[BoilerplateSet]) -> dict[str, Any]:
    """Boilerplate sets."""
    return {"format": FORMAT, "sets": [boilerplate.to_dict() for boilerplate in sets]}


def languages_to_dict(languages: Iterable[Language]) -> dict[str, Any]:
    """The languages, in the order of their names."""
    return {"format": FORMAT, "languages": [language.to_dict() for language in languages]}
