"""The layered drawing: edges run to the right, nothing overlaps, cycles do no harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.report import ledgers
from tests.verify.report.outline import Node, Outline
from verify.report.layout import Layout, layered

GAP = 10.0


def overlaps(sizes: dict[str, float], made: Layout) -> list[tuple[str, str]]:
    """Pairs of nodes in one column that are nearer than the gap; rounding is 1e-6 of a pixel."""
    return [
        (a, b)
        for a in sizes
        for b in sizes
        if a != b
        and made.column[a] == made.column[b]
        and made.top[a] <= made.top[b]
        and made.top[a] + sizes[a] + GAP > made.top[b] + 1e-6
    ]


graphs = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=14),
    )
)


@given(graphs)
def test_nothing_overlaps_and_edges_run_to_the_right(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    n, pairs = graph
    sizes = {f"n{i}": 20.0 + i for i in range(n)}
    forward = [(f"n{min(p)}", f"n{max(p)}") for p in pairs if p[0] != p[1]]
    made = layered(sizes, forward, GAP)
    assert not overlaps(sizes, made)
    assert min(made.top.values()) >= 0
    assert made.height >= max(made.top[node] + sizes[node] for node in sizes)
    for used, user in forward:
        assert made.column[used] < made.column[user]
        assert len(made.routes[used, user]) == made.column[user] - made.column[used] - 1


@given(graphs)
def test_cycles_do_no_harm(graph: tuple[int, list[tuple[int, int]]]) -> None:
    n, pairs = graph
    sizes = {f"n{i}": 20.0 for i in range(n)}
    edges = [(f"n{a}", f"n{b}") for a, b in pairs if a != b]
    made = layered(sizes, edges, GAP)
    assert not overlaps(sizes, made)
    assert all(made.column[a] < made.column[b] for a, b in made.routes)


def test_an_overlap_is_seen() -> None:
    made = Layout({"a": 0, "b": 0}, {"a": 0.0, "b": 5.0}, {}, 25.0)
    assert overlaps({"a": 20.0, "b": 20.0}, made) == [("a", "b")]


def test_a_chain_is_straight() -> None:
    made = layered(dict.fromkeys("abc", 20.0), [("a", "b"), ("b", "c")], GAP)
    assert made.column == {"a": 0, "b": 1, "c": 2}
    assert len({round(top, 6) for top in made.top.values()}) == 1


def test_a_source_stands_beside_its_first_user() -> None:
    made = layered(dict.fromkeys("abcs", 20.0), [("a", "b"), ("b", "c"), ("s", "c")], GAP)
    assert made.column["s"] == 1


@pytest.fixture
def graph(page: str) -> Node:
    return Outline(page).root.one("svg", class_="graph")


def test_graph_has_borders_fills_and_weakness(graph: Node) -> None:
    nodes = {node.attributes["data-node"]: node for node in graph.all("a")}
    assert set(nodes) == {
        "e-one.def",
        "e-one.lemma",
        "e-one.lemma.repaired",
        "e-one.theorem",
        "e-one.corollary",
        "e-one.corollary.repaired",
    }
    classes = {name: node.attributes["class"].split() for name, node in nodes.items()}
    assert "v-violated" in classes["e-one.lemma"]
    assert "weak" not in classes["e-one.lemma"]
    for name in ("e-one.theorem", "e-one.corollary"):
        assert {"v-holds", "weak"} <= set(classes[name])
        assert "one.lemma (violated)" in nodes[name].one("title").text
    assert "weak" not in classes["e-one.corollary.repaired"]
    assert nodes["e-one.lemma"].one("rect").attributes["class"] == "ev-exact"
    assert nodes["e-one.theorem"].one("rect").attributes["class"] == "ev-search"
    assert nodes["e-one.def"].one("rect").attributes["class"] == "ev-none"
    assert [text.text for text in nodes["e-one.lemma"].all("text")] == ["✗", "lemma", "E"]


def test_edges_say_what_they_carry(graph: Node) -> None:
    kinds = {
        (edge.attributes["data-from"][6:], edge.attributes["data-to"][6:]): edge.attributes[
            "class"
        ].split()[1]
        for edge in graph.all("path")
    }
    assert kinds == {
        ("lemma", "theorem"): "fallen",
        ("def", "theorem"): "sound",
        ("theorem", "corollary"): "weak",
        ("lemma.repaired", "corollary.repaired"): "sound",
    }


def test_only_papers_with_uses_have_a_graph(page: str) -> None:
    papers = Outline(page).root.all("section", class_="paper")
    assert [len(paper.all("svg")) for paper in papers] == [1, 0]
    assert ledgers.library().papers == ("one", "two")
