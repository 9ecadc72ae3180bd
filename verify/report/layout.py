"""Layered drawing of a directed graph: who stands in which column, and where.

Three steps, each simple and deterministic: columns by longest path, order within a column by the
mean place of the neighbours, heights by least squares under the order (pool adjacent violators).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 12
"""Passes to the right and back when ordering and when placing."""


@dataclass(frozen=True)
class Layout:
    """Where everything stands.

    Parameters
    ----------
    column : mapping
        Node -> column, 0 on the left.
    top : mapping
        Node -> upper edge, in the unit of the sizes.
    routes : mapping
        Edge -> heights at which it crosses the columns between its ends.
    height : float
        Of the whole drawing.
    """

    column: Mapping[str, int]
    top: Mapping[str, float]
    routes: Mapping[tuple[str, str], tuple[float, ...]]
    height: float


def layered(
    sizes: Mapping[str, float], edges: Sequence[tuple[str, str]], gap: float, lane: float = 6.0
) -> Layout:
    """Place nodes in columns so that edges run to the right.

    Parameters
    ----------
    sizes : mapping
        Node -> height.
    edges : sequence of (node, node)
        From what is used to its user; an edge that would close a cycle is drawn backwards.
    gap : float
        Free height between two nodes of a column.
    lane : float
        Height that an edge takes where it passes through a column.

    Returns
    -------
    Layout
    """
    column: dict[str, int] = {}
    top: dict[str, float] = {}
    routes: dict[tuple[str, str], tuple[float, ...]] = {}
    height = 0.0
    for nodes in _components(list(sizes), edges):
        inside = [edge for edge in edges if edge[0] in nodes]
        part = _connected({node: sizes[node] for node in nodes}, inside, gap, lane)
        start = height + gap if height else 0.0
        column.update(part.column)
        top.update({node: at + start for node, at in part.top.items()})
        routes.update({edge: tuple(y + start for y in ys) for edge, ys in part.routes.items()})
        height = start + part.height
    return Layout(column, top, routes, height)


def _connected(
    sizes: Mapping[str, float], edges: Sequence[tuple[str, str]], gap: float, lane: float
) -> Layout:
    """Place the nodes of one piece of the graph."""
    kept = _acyclic(list(sizes), edges)
    column = _columns(list(sizes), kept)
    height = dict(sizes)
    columns: list[list[str]] = [[] for _ in range(max(column.values(), default=0) + 1)]
    for node in sizes:
        columns[column[node]].append(node)
    links: list[tuple[str, str]] = []
    lanes: dict[tuple[str, str], list[str]] = {}
    for used, user in kept:
        stops = []
        for c in range(column[used] + 1, column[user]):
            name = f"\0{used}\0{c}"  # edges of one node share their way as far as they can
            if name not in height:
                height[name] = lane
                columns[c].append(name)
            stops.append(name)
        lanes[used, user] = stops
        chain = [used, *stops, user]
        links += [pair for pair in pairwise(chain) if pair not in links]
    before, after = _neighbours(height, links)
    for _ in range(SWEEPS):
        for c in range(1, len(columns)):
            columns[c] = _ordered(columns[c], columns[c - 1], before)
        for c in reversed(range(len(columns) - 1)):
            columns[c] = _ordered(columns[c], columns[c + 1], after)
    top = _heights(columns, height, before, after, gap)
    routes = {
        edge: tuple(top[name] + height[name] / 2 for name in stops) for edge, stops in lanes.items()
    }
    bottom = max((top[node] + sizes[node] for node in sizes), default=0.0)
    return Layout(column, {node: top[node] for node in sizes}, routes, bottom)


def _components(nodes: list[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Pieces that no edge connects, the largest first; nodes keep their order."""
    piece = {node: node for node in nodes}

    def root(node: str) -> str:
        while piece[node] != node:
            node = piece[node]
        return node

    for used, user in edges:
        piece[root(user)] = root(used)
    found: dict[str, list[str]] = {}
    for node in nodes:
        found.setdefault(root(node), []).append(node)
    return sorted(found.values(), key=len, reverse=True)


def _acyclic(nodes: list[str], edges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Edges without those that close a cycle in a walk along the order of the nodes."""
    follow: dict[str, list[str]] = {node: [] for node in nodes}
    for used, user in edges:
        follow[used].append(user)
    state: dict[str, int] = {}
    kept: list[tuple[str, str]] = []
    for root in nodes:
        if root in state:
            continue
        state[root] = 1
        walk = [(root, iter(follow[root]))]
        while walk:
            node, rest = walk[-1]
            child = next(rest, None)
            if child is None:
                state[node] = 2
                walk.pop()
            elif state.get(child) != 1:
                kept.append((node, child))
                if child not in state:
                    state[child] = 1
                    walk.append((child, iter(follow[child])))
    return list(dict.fromkeys(kept))


def _columns(nodes: list[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Longest path from the left; what nothing feeds moves next to its first user."""
    before, after = _neighbours(nodes, edges)
    column = dict.fromkeys(nodes, 0)
    for _ in nodes:
        moved = False
        for used, user in edges:
            if column[user] <= column[used]:
                column[user] = column[used] + 1
                moved = True
        if not moved:
            break
    for node in nodes:
        if not before[node] and after[node]:
            column[node] = min(column[user] for user in after[node]) - 1
    return column


def _neighbours(
    nodes: Sequence[str] | Mapping[str, float], edges: Sequence[tuple[str, str]]
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    before: dict[str, list[str]] = {node: [] for node in nodes}
    after: dict[str, list[str]] = {node: [] for node in nodes}
    for used, user in edges:
        before[user].append(used)
        after[used].append(user)
    return before, after


def _ordered(column: list[str], fixed: list[str], neighbours: Mapping[str, list[str]]) -> list[str]:
    """Sort by the mean place of the neighbours; nodes without any keep their place."""
    place = {node: i / max(len(fixed), 1) for i, node in enumerate(fixed)}
    own = {node: i / max(len(column), 1) for i, node in enumerate(column)}

    def centre(node: str) -> float:
        found = [place[other] for other in neighbours[node] if other in place]
        return sum(found) / len(found) if found else own[node]

    return sorted(column, key=lambda node: (centre(node), own[node]))


def _heights(
    columns: list[list[str]],
    height: Mapping[str, float],
    before: Mapping[str, list[str]],
    after: Mapping[str, list[str]],
    gap: float,
) -> dict[str, float]:
    top: dict[str, float] = {}
    for column in columns:
        at = 0.0
        for node in column:
            top[node] = at
            at += height[node] + gap
    for _ in range(SWEEPS):
        for column in (*columns, *reversed(columns)):
            wanted = []
            for node in column:
                near = [*before[node], *after[node]]
                centres = [top[other] + height[other] / 2 for other in near]
                middle = sum(centres) / len(centres) if centres else top[node] + height[node] / 2
                wanted.append(middle - height[node] / 2)
            for node, at in zip(column, _spread(wanted, column, height, gap), strict=True):
                top[node] = at
    least = min(top.values(), default=0.0)
    return {node: at - least for node, at in top.items()}


def _spread(
    wanted: list[float], column: list[str], height: Mapping[str, float], gap: float
) -> list[float]:
    """Nearest heights, in squares, that keep the order and the gap."""
    offsets, at = [], 0.0
    for node in column:
        offsets.append(at)
        at += height[node] + gap
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            more, size = blocks.pop()
            total, count = total + more, count + size
        blocks.append((total, count))
    levels = [total / count for total, count in blocks for _ in range(count)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]
