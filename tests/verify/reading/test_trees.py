"""Claims about any number of samples: read from one sample, and held to exact runs of several."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from bounds.numbers import trees
from bounds.numbers.symbolic import NotReadable, Symbolic
from bounds.numbers.trees import after_samples
from verify.claim import Hypothesis, Real, Statement, numbers, statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.reading import trees as reader
from verify.reading.trees import tree_sets
from verify.world.world import World

Rule = Callable[[World], Any]
ROOT = Real(1 / 8, 8, log=True)
BOX = {
    **dict.fromkeys(("plus", "minus", "right", "wrong"), ROOT),
    "part": Real(0, 1, domain=(0, 1)),
    "theta": Real(-1, 2),
}
SHAPES = tuple({"samples": t} for t in (0, 1, 2, 3))


def coin(w: World) -> Any:
    """With a chance part, one of two outcomes; else nothing is seen."""
    toss = w.part / (w.right**2 + w.wrong**2)

    def sample(node: Any) -> Any:
        one, other = node
        return [
            (toss, (one * w.right, other * w.wrong)),
            (toss, (one * w.wrong, other * w.right)),
            (1 - w.part, (one, other)),
        ]

    return sample


def harmonic(node: Any) -> Any:
    p, m = node[0] ** 2, node[1] ** 2
    return p * m / (p + m)


def kept(w: World) -> Any:
    return 1 - w.part * (1 - 2 * w.right * w.wrong / (w.right**2 + w.wrong**2))


def from_root(w: World, root: Any) -> Any:
    """p q/(p + q) is at least 2 theta sqrt(p q) - theta^2 (p + q); what is left of the root."""
    mass = w.plus**2 + w.minus**2
    return 2 * w.theta * root * w.plus * w.minus - w.theta**2 * mass


def bound(w: World) -> Any:
    return from_root(w, kept(w) ** w.samples)


def value(w: World, end: Any = harmonic, outcomes: Rule = coin, root: Any = None) -> Any:
    begin = (w.plus, w.minus) if root is None else root(w)
    return after_samples(begin, w.samples, end, outcomes(w))


def claim(left: Rule = bound, right: Rule = value, **more: Any) -> Statement:
    fields = {"family": numbers(BOX, *SHAPES), "where": "here", "latex": "", **more}
    return statement("trees.claim", **fields)(lambda w: ({"bound": left(w)}, {"value": right(w)}))


def test_a_bound_is_proved_for_any_number_of_samples() -> None:
    (found,) = prove(claim())
    assert found.status == "decided"
    assert found.summary.endswith("for any number of samples")
    proof = json.loads(json.dumps(found.proof))
    assert recheck(claim(), proof, whole=True)
    assert not recheck(claim(left=lambda w: 2 * bound(w)), proof)


def test_the_other_way_round() -> None:
    """p q/(p + q) is at most p, which is what it was."""
    assert decided(claim(left=value, right=lambda w: w.plus**2 + 0 * w.samples))
    assert not decided(claim(left=value, right=lambda w: w.plus**2 * kept(w) ** w.samples))
    turned = claim(left=value, right=bound, relation=">=")
    assert decided(turned)
    assert not decided(claim(left=value, right=bound))


def decided(made: Statement) -> bool:
    return any(e.status == "decided" for e in prove(made))


FALSE: dict[str, Callable[[], Statement]] = {
    "a tenth more is kept": lambda: claim(left=lambda w: bound(w) + bound(w) / 10),
    "nothing is lost": lambda: claim(left=lambda w: from_root(w, 1 + 0 * w.samples)),
    "half as many samples": lambda: claim(left=lambda w: from_root(w, kept(w) ** (w.samples / 2))),
    "a weight below 0": lambda: claim(
        right=lambda w: value(
            w, outcomes=lambda w: lambda node: [(-w.part, node), (1 + w.part, node)]
        ),
        left=lambda w: from_root(w, 1 + 0 * w.samples),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_follow_from_one_sample_is_not_proved(name: str) -> None:
    made = FALSE[name]()
    assert [one for one in tree_sets(made) if one.all()]
    assert not decided(made)


# -- what is read ----------------------------------------------------------------------------------


def late(w: World) -> Any:
    """Samples that tell more when there are many of them."""
    more = 2 if isinstance(w.samples, int) and w.samples > 2 else 1

    def sample(node: Any) -> Any:
        return [(more * weight, after) for weight, after in coin(w)(node)]

    return sample


def counting(w: World) -> Any:
    return lambda node: [(1 / (1 + w.samples), after) for _, after in coin(w)(node)]


def by_node(w: World) -> Any:
    return lambda node: [(node[0] * weight, after) for weight, after in coin(w)(node)]


def beyond(w: World) -> Any:
    return lambda node: [(weight, (one - other, other)) for weight, (one, other) in coin(w)(node)]


ASKED = Hypothesis("start", "", lambda w: w.plus - w.minus, "here")
REFUSED: dict[str, Callable[[], Statement]] = {
    "samples that know when they are many": lambda: claim(right=lambda w: value(w, outcomes=late)),
    "samples that know how many there are": lambda: claim(
        right=lambda w: value(w, outcomes=counting)
    ),
    "weights of what was seen": lambda: claim(right=lambda w: value(w, outcomes=by_node)),
    "a node out of its domain": lambda: claim(right=lambda w: value(w, outcomes=beyond)),
    "a beginning that is no parameter": lambda: claim(
        right=lambda w: value(w, root=lambda w: (w.plus + w.minus, w.minus))
    ),
    "a beginning that is one parameter twice": lambda: claim(
        right=lambda w: value(w, root=lambda w: (w.plus, w.plus))
    ),
    "an end that knows how many there were": lambda: claim(
        right=lambda w: value(w, end=lambda node: harmonic(node) * (1 + w.samples))
    ),
    "the square of a value": lambda: claim(right=lambda w: value(w) ** 2),
    "two values": lambda: claim(right=lambda w: value(w) + value(w)),
    "a bound that is another one for many samples": lambda: claim(
        left=lambda w: bound(w) - (1 if isinstance(w.samples, int) and w.samples > 2 else 0)
    ),
    "a hypothesis about the beginning": lambda: claim(given=[ASKED]),
    "an interval of beginnings": lambda: claim(
        family=numbers({**BOX, "plus": Real(1 / 8, 8, log=True, domain=(0, 9))}, *SHAPES)
    ),
    "one number of samples": lambda: claim(family=numbers(BOX, {"samples": 2})),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_about_more_than_one_sample_is_not_read(name: str) -> None:
    assert all(one.broken or not one.all() for one in tree_sets(REFUSED[name]()))


def test_the_parts_of_what_is_read() -> None:
    (made,) = tree_sets(claim())
    parts = {one.label["part"]: one.claim for one in made}
    assert list(parts) == ["no sample", "one more sample", "weight 0", "weight 1", "weight 2"]
    assert "samples" not in {str(s) for s in parts["no sample"].right.free_symbols}


def test_a_sample_that_is_read_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    true = reader._symbols

    def fewer(tree: trees.SampleTree) -> Any:
        nodes, end, outcomes = true(tree)
        return nodes, end, outcomes[:-1]

    monkeypatch.setattr(reader, "_symbols", fewer)
    assert not [*tree_sets(claim())]


# -- values after samples --------------------------------------------------------------------------


def test_all_sequences_are_gone_through() -> None:
    """Weights 1/3 and 2/3 of doubling and of nothing: (4/3)^T."""

    def sample(node: Any) -> Any:
        return [(Fraction(1, 3), (2 * node[0],)), (Fraction(2, 3), node)]

    for samples in range(4):
        found = after_samples((Fraction(1),), samples, lambda node: node[0], sample)
        assert found == Fraction(4, 3) ** samples


@pytest.mark.parametrize("samples", [-1, Fraction(1, 2), 2.5])
def test_no_number_of_samples_is_refused(samples: Any) -> None:
    with pytest.raises(ValueError, match="no number of samples"):
        after_samples((1,), samples, lambda node: node[0], lambda node: [(1, node)])


def test_a_number_that_is_left_open_is_for_readers_only() -> None:
    one = xp.stack([Symbolic(sympy.Symbol("x"))], -1)
    with pytest.raises(NotReadable, match="left open"):
        after_samples((one,), Symbolic(sympy.Symbol("t")), lambda node: node[0], lambda node: [])
    with trees.told() as found:
        after_samples((one,), Symbolic(sympy.Symbol("t")), lambda node: node[0], lambda node: [])
    assert len(found) == 1
