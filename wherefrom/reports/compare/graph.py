"""Draws clusters: submissions as dots, pairs as lines between them. The same pairs give the same picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from wherefrom.results import SubmissionPair
from wherefrom.support.linking import linked

MOST_NODES, MOST_EDGES = 200, 1000
"""A picture has at most this many dots, and at most this many lines."""

LABELLED = 60
"""If at most this many dots are linked, their names are beside them; otherwise the picture has no names."""

WIDTH, LEAST_WIDTH = 1000, 400
"""The most and the least width of the picture, in its own units."""

_CELL, _PAIR, _SINGLE = 68, (142.0, 56.0), (40.0, 40.0)
"""The sizes of the cells. Each cell has one cluster, and its side is `_CELL` times 1 plus the square root of the number
of nodes. Cells of two nodes and of a single node have a fixed width and height."""

_STEPS, _SEED = 150, 0


@dataclass(frozen=True, slots=True)
class Dot:
    """The dot of a submission (by its number), with its center. `has_label`: its name is beside it."""

    submission: int
    x: float
    y: float
    has_label: bool


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """The line of a pair, with both ends."""

    pair: SubmissionPair
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Graph:
    """A picture of clusters.

    Attributes:
        dots: one for each submission that is drawn.
        lines: one for each pair that is drawn.
        width, height: the size of the picture, in its own units.
        left_out: the number of submissions and the number of pairs that are too weak to be drawn.
    """

    dots: list[Dot]
    lines: list[DrawnPair]
    width: int
    height: int
    left_out: tuple[int, int]


def graph(edges: Sequence[SubmissionPair], least: float) -> Graph:
    """Draws the strongest pairs: the linked submissions as clusters, the largest first, and the other ones in rows
    below.

    Args:
        edges: the pairs.
        least: the least similarity of two submissions that are linked.
    """
    drawn: list[SubmissionPair] = []
    nodes: set[int] = set()
    for edge in sorted(edges, key=lambda edge: (-edge.similarity, edge.left, edge.right)):
        if len(drawn) < MOST_EDGES and len(nodes | {edge.left, edge.right}) <= MOST_NODES:
            drawn.append(edge)
            nodes |= {edge.left, edge.right}
    strong = [edge for edge in drawn if edge.similarity >= least]
    components = linked((edge.left, edge.right) for edge in strong)
    places: dict[int, tuple[float, float]] = {}
    x = y = row = width = 0.0
    linked_nodes: set[int] = set().union(*components)
    labelled = linked_nodes if len(linked_nodes) <= LABELLED else set()
    singles = [[node] for node in _neighborhood(drawn) if node not in linked_nodes]
    for component in [*components, *singles]:
        cell_width, cell_height = _cell(len(component))
        if x + cell_width > WIDTH or (x and cell_height < row):
            x, y, row = 0.0, y + row, 0.0
        inside = set(component)
        laid = _layout(component, [edge for edge in strong if edge.left in inside])
        for number, (at_x, at_y) in zip(component, laid.tolist(), strict=True):
            places[number] = x + cell_width * (0.14 + 0.72 * at_x), y + cell_height * (0.14 + 0.72 * at_y)
        x += cell_width
        row, width = max(row, cell_height), max(width, x)
    ends = {end for edge in edges for end in (edge.left, edge.right)}
    return Graph(
        [Dot(number, *places[number], number in labelled) for number in sorted(places)],
        [DrawnPair(edge, *places[edge.left], *places[edge.right]) for edge in drawn],
        ceil(max(width, LEAST_WIDTH)),
        ceil(y + row),
        (len(ends - nodes), len(edges) - len(drawn)),
    )


def _cell(nodes: int) -> tuple[float, float]:
    """The width and height of a cluster's cell, by the number of nodes. A larger cluster never has a smaller cell."""
    if nodes <= 2:
        return _SINGLE if nodes == 1 else _PAIR
    side = min(_CELL * (1 + sqrt(nodes)), float(WIDTH))
    return side, side


def _neighborhood(edges: Iterable[SubmissionPair]) -> list[int]:
    """All nodes, ordered so that strong edges link neighbors. The strongest edges come first in `edges`."""
    rows: dict[int, list[int]] = {}
    for edge in edges:
        one, other = (rows.setdefault(end, [end]) for end in (edge.left, edge.right))
        if one is not other:
            one += other
            rows.update(dict.fromkeys(other, one))
    return list(dict.fromkeys(node for row in rows.values() for node in row))


def _layout(nodes: Sequence[int], edges: Sequence[SubmissionPair]) -> NDArray[np.float64]:
    """Positions of the nodes, from 0 to 1. Linked nodes attract each other, and all nodes repel each other (Fruchterman
    and Reingold).
    """
    number = len(nodes)
    if number == 1:
        return np.array([[0.5, 0.5]])
    if number == 2:
        return np.array([[0.1, 0.5], [0.9, 0.5]])
    at = {node: place for place, node in enumerate(nodes)}
    links = np.zeros((number, number))
    for edge in edges:
        links[at[edge.left], at[edge.right]] = links[at[edge.right], at[edge.left]] = 0.3 + edge.similarity
    places = np.random.default_rng(_SEED).random((number, 2))
    ideal = 1 / sqrt(number)
    for step in range(_STEPS):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 0.001)
        force = ideal**2 / distance**2 - links * distance / ideal
        moves = (apart * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.linalg.norm(moves, axis=1), 0.001)
        most = 0.15 * (1 - step / _STEPS) + 0.002
        places += moves * (np.minimum(length, most) / length)[:, None]
    low, high = places.min(axis=0), places.max(axis=0)
    scaled: NDArray[np.float64] = (places - low) / np.maximum(high - low, 0.001)
    return scaled
