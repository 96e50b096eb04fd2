"""All that an index answers, so that answers before and after a damage can be compared."""

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
    """What an index answers, by question, without those answers that tell of damage.

    Args:
        location: of the index.
        modules: modules of the standard library that are looked up; each is a question.
        searched: looks up one of them.
        stats: what takes the place of those values of `stats` that may differ.
    """
    found: dict[str, Any] = {}
    with open_index(location) as index:
        asked: dict[str, Callable[[], object]] = {
            "repositories": index.repositories,
            "stats": lambda: {**index.stats().to_dict(), **(stats or {})},
            "boilerplate": lambda: [str(index.boilerplate(name)) for name in index.boilerplate_names()],
            **{name: partial(searched, index, name) for name in modules},
        }
        for name, ask in asked.items():
            try:
                found[name] = ask()
            except IndexDamaged:
                continue
            except WherefromError as error:
                found[name] = str(error)
    return found
