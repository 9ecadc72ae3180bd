"""The claim graph of a paper: groups of forms, and who rests on whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verify.ledger.conclude import STANDS
from verify.report.layout import Layout, layered
from verify.report.model import FALLEN, Item, Model

HEAD, ROW = 26.0, 21.0
"""Heights of the first box of a group and of each further form below it."""

GAP = 13.0


@dataclass(frozen=True)
class Edge:
    """One entry rests on another.

    Parameters
    ----------
    used, user : str
        Keys of entries.
    kind : str
        ``sound``; ``fallen`` where what is used is violated or vacuous; ``weak`` where it rests
        on something that is; ``empties`` where one refutes the other's hypotheses.
    """

    used: str
    user: str
    kind: str


@dataclass(frozen=True)
class Graph:
    """Groups with their places, and the edges between their members.

    Parameters
    ----------
    groups : mapping
        Key without the form -> its forms, the printed one first.
    edges : tuple of Edge
    layout : Layout
        Of the groups.
    left_out : int
        Entries with a verdict that neither use nor are used.
    """

    groups: Mapping[str, tuple[Item, ...]]
    edges: tuple[Edge, ...]
    layout: Layout
    left_out: int

    def box(self, group: str, number: int) -> tuple[float, float]:
        """Upper edge and height of the box of one form."""
        top = self.layout.top[group]
        return (top, HEAD) if number == 0 else (top + HEAD + (number - 1) * ROW, ROW)


def claim_graph(model: Model, items: Sequence[Item]) -> Graph | None:
    """Graph of some entries; None where nothing rests on anything.

    Parameters
    ----------
    model : Model
    items : sequence of Item
        Those of one paper.
    """
    mine = {item.key: item for item in items}
    edges = tuple(dict.fromkeys(e for item in items for e in _edges(model, item, mine)))
    linked = {mine[key].base for edge in edges for key in (edge.used, edge.user)}
    if not linked:
        return None
    groups = {
        base: tuple(item for item in forms if item.key in mine)
        for base, forms in model.forms.items()
        if base in linked
    }
    sizes = {base: HEAD + ROW * (len(forms) - 1) for base, forms in groups.items()}
    bases = [(mine[edge.used].base, mine[edge.user].base) for edge in edges]
    layout = layered(sizes, list(dict.fromkeys(p for p in bases if p[0] != p[1])), GAP)
    out = sum(1 for item in items if item.verdict is not None and item.base not in linked)
    return Graph(groups, edges, layout, out)


def _edges(model: Model, item: Item, mine: Mapping[str, Item]) -> list[Edge]:
    found = []
    for use in model.uses(item):
        if use.entry not in mine or use.entry == item.key:
            continue
        weak = use.verdict in STANDS and model.weak(mine[use.entry])
        kind = "fallen" if use.verdict in FALLEN else "weak" if weak else "sound"
        found.append(Edge(use.entry, item.key, kind))
    target = item.target.partition("/")[0].partition("@")[0]
    if target in mine and mine[target].base != item.base:
        found.append(Edge(item.key, target, "empties"))
    return found
