"""The kinds of trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from soak import analysis, damage, kills, queries, servers
from soak.cases import Case, Outcome
from soak.world import Ground


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of trial.

    Attributes:
        run: does a round of trials, given a seed, the folders and the number of worker processes.
        replay: repeats one case.
        share: its share of the time, relative to the other kinds.
    """

    run: Callable[[int, Ground, int], list[Outcome]]
    replay: Callable[[Case, Ground], Outcome]
    share: float


KINDS: Mapping[str, Kind] = {
    "analysis": Kind(
        lambda seed, _ground, jobs: analysis.run(seed, jobs), lambda case, _ground: analysis.replay(case), 2.0
    ),
    "damage": Kind(damage.run, damage.replay, 1.0),
    "kills": Kind(kills.run, kills.trial, 3.0),
    "queries": Kind(queries.run, queries.replay, 2.0),
    "servers": Kind(servers.run, servers.replay, 2.0),
}
