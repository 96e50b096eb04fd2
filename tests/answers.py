"""Collects all answers of an index, to compare those before and after a damage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from wherefrom import Index, IndexDamaged, WherefromError, open_index


def answers(
    location: str | Path,
    modules: Iterable[str],
    searched: Callable[[Index, str], object],
    *,
    stats: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """The answers of an index, by question, without those that report damage.

    Args:
        location: of the index.
        modules: modules of the standard library to look up, one question each.
        searched: looks up one of them.
        stats: replaces those values of `stats` that may differ.
    """
    found: dict[str, Any] = {}
    with open_index(location) as index:
        questions: dict[str, Callable[[], object]] = {
            "repositories": index.repositories,
            "stats": lambda: {**index.stats().to_dict(), **(stats or {})},
            "boilerplate": lambda: [str(index.boilerplate(name)) for name in index.boilerplate_names()],
            **{name: partial(searched, index, name) for name in modules},
        }
        for name, ask in questions.items():
            try:
                found[name] = ask()
            except IndexDamaged:
                continue
            except WherefromError as error:
                found[name] = str(error)
    return found
