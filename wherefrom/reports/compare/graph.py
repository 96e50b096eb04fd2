"""Clusters as a picture: submissions as dots, pairs as lines between them, always laid out alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

MOST_NODES, MOST_EDGES = 200, 1000
"""Dots and lines that are drawn."""

LABELLED = 60
"""Linked dots up to which their names are written beside them."""

WIDTH, LEAST_WIDTH = 1000, 400
"""Of the picture, in units of its own: what it takes at most and at least."""

_CELL, _PAIR, _SINGLE = 68, (142.0, 56.0), (40.0, 40.0)
"""Sizes of the cells of components: of larger ones, of a pair, of a submission by itself."""

_STEPS, _SEED = 150, 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A pair of submissions that a line is drawn for."""

    left: int
    right: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A submission, by its number, where it is drawn, and whether its name is written beside it."""

    submission: int
    x: float
    y: float
    has_label: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A pair, and from where to where it is drawn."""

    edge: Edge
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Graph:
    """The picture.

    Attributes:
        dots: one for each submission that is drawn.
        lines: one for each pair.
        width, height: of the picture, in units of its own.
        left_out: submissions and pairs that are not drawn, the weakest ones.
    """

    dots: list[Dot]
    lines: list[Line]
    width: int
    height: int
    left_out: tuple[int, int]


def graph(edges: Sequence[Edge], linked: float) -> Graph:
    """Lays out the strongest edges: submissions that are linked side by side, the largest clusters first, and those
    that only weaker edges lead to in rows below.

    Args:
        edges: pairs of submissions.
        linked: the similarity from which on two submissions are linked to a cluster.
    """
    drawn: list[Edge] = []
    nodes: set[int] = set()
    for edge in sorted(edges, key=lambda edge: (-edge.similarity, edge.left, edge.right)):
        if len(drawn) < MOST_EDGES and len(nodes | {edge.left, edge.right}) <= MOST_NODES:
            drawn.append(edge)
            nodes |= {edge.left, edge.right}
    strong = [edge for edge in drawn if edge.similarity >= linked]
    components = _components(strong)
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
        [Line(edge, *places[edge.left], *places[edge.right]) for edge in drawn],
        ceil(max(width, LEAST_WIDTH)),
        ceil(y + row),
        (len(ends - nodes), len(edges) - len(drawn)),
    )


def _cell(nodes: int) -> tuple[float, float]:
    """Width and height of what a component of so many nodes takes; it never grows from one component to the next."""
    if nodes <= 2:
        return _SINGLE if nodes == 1 else _PAIR
    side = min(_CELL * (1 + sqrt(nodes)), float(WIDTH))
    return side, side


def _neighborhood(edges: Iterable[Edge]) -> list[int]:
    """All nodes in an order in which those that the strongest edges link are beside each other.

    Args:
        edges: the strongest first.
    """
    rows: dict[int, list[int]] = {}
    for edge in edges:
        one, other = (rows.setdefault(end, [end]) for end in (edge.left, edge.right))
        if one is not other:
            one += other
            rows.update(dict.fromkeys(other, one))
    return list(dict.fromkeys(node for row in rows.values() for node in row))


def _components(edges: Iterable[Edge]) -> list[list[int]]:
    """The nodes that edges link, directly or not, the largest component first."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for edge in edges:
        parent[root(edge.left)] = root(edge.right)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for node in sorted(parent):
        found[root(node)].append(node)
    return sorted(found.values(), key=lambda component: (-len(component), component))


def _layout(nodes: Sequence[int], edges: Sequence[Edge]) -> NDArray[np.float64]:
    """Places from 0 to 1: springs between linked nodes, all nodes repel each other (Fruchterman and Reingold)."""
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
