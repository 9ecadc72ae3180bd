"""The chain of Theorem 1 for any method: what is false is not proved, and it bounds exact gaps."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.allforall import lower
from verify.catalogue.library import library
from verify.claim import Hypothesis, Statement
from verify.ladder.rungs.certificate import prove
from verify.ladder.rungs.proof import prove as proved
from verify.statements.allforall.general import any_method, best_method, two_signs
from verify.world.score import score
from verify.world.world import World

LINKS = {
    f"{one.key.removeprefix('allforall.')}": one
    for links in (any_method, best_method, two_signs)
    for one in vars(links).values()
    if isinstance(one, Statement)
}


def decided(one: Statement) -> bool:
    return any(e.status == "decided" for e in prove(one))


def test_the_chain_is_whole() -> None:
    parts = {
        name: {*()}
        for name in ("proof.fanochain.convex.refined", "proof.fanochain.quadratic.refined")
    }
    for key in LINKS:
        name, _, part = key.partition("/")
        parts[name].add(part)
    assert parts["proof.fanochain.convex.refined"] == parts["proof.fanochain.quadratic.refined"]
    assert len(parts["proof.fanochain.convex.refined"]) == 8


@pytest.mark.parametrize("key", LINKS)
@pytest.mark.every(3)
def test_each_link_is_proved(key: str) -> None:
    (found,) = proved(library().leaf(f"allforall.{key}"))
    assert found.status == "decided"
    outlined = key.endswith("best-method")
    assert found.scope == "all parameters symbolic" or (outlined and "any T" in found.scope)


def scaled(key: str, side: int, name: str, by: Any) -> Statement:
    """A link with one of its terms multiplied."""
    one = LINKS[key]
    assert one.sides is not None
    rule = one.sides

    def sides(w: World) -> Any:
        made = [dict(terms) for terms in rule(w)]
        made[side][name] = by * made[side][name]
        return tuple(made)

    return one.variant("chain.false", sides=sides)


def loosened(key: str, hypothesis: str, by: Any) -> Statement:
    """A link that is told half of what it asks, or nothing."""
    one = LINKS[key]

    def rule(h: Hypothesis) -> Any:
        return (lambda w: h.rule(w) + by(w)) if h.name == hypothesis else h.rule

    given = [Hypothesis(h.name, h.latex, rule(h), "here") for h in one.given]
    return one.variant("chain.false", given=given)


LITTLE = Fraction(11, 10)
FALSE: dict[str, Any] = {
    "a larger least gap, convex": lambda: scaled(
        "proof.fanochain.convex.refined/output", 0, "least", LITTLE
    ),
    "a larger least gap": lambda: scaled(
        "proof.fanochain.quadratic.refined/output", 0, "least", LITTLE
    ),
    "closer slopes": lambda: scaled(
        "proof.fanochain.convex.refined/in-class", 1, "b/r", 1 / LITTLE
    ),
    "closer minimisers": lambda: scaled(
        "proof.fanochain.quadratic.refined/in-class", 1, "b", 1 / LITTLE
    ),
    "fewer close ones": lambda: scaled(
        "proof.fanochain.quadratic.refined/close", 1, "close", 1 / LITTLE
    ),
    "less affinity, convex": lambda: scaled(
        "proof.fanochain.convex.refined/one-sample", 1, "affinity", 1 / LITTLE
    ),
    "less affinity": lambda: scaled(
        "proof.fanochain.quadratic.refined/one-sample", 1, "affinity", 1 / LITTLE
    ),
    "affinity that grows": lambda: scaled(
        "proof.fanochain.quadratic.refined/one-more-sample", 1, "before", LITTLE
    ),
    "a larger precision, convex": lambda: scaled(
        "proof.fanochain.convex.refined/method", 0, "precision", LITTLE
    ),
    "a larger precision": lambda: scaled(
        "proof.fanochain.quadratic.refined/method", 0, "precision", LITTLE
    ),
    "twice as many samples": lambda: loosened(
        "proof.fanochain.quadratic.refined/method", "few samples", lambda w: w.size / 7
    ),
    "twice as many samples, convex": lambda: loosened(
        "proof.fanochain.convex.refined/method", "few samples", lambda w: w.size**2 / 25
    ),
    "twice as few samples, convex": lambda: loosened(
        "proof.fanochain.convex.refined/few-samples", "few samples", lambda w: w.size**2 / 25
    ),
    "twice as few samples": lambda: loosened(
        "proof.fanochain.quadratic.refined/few-samples", "few samples", lambda w: w.size / 7
    ),
    "any affinity": lambda: loosened(
        "proof.fanochain.quadratic.refined/method", "affinity", lambda w: xp.total(w.both)
    ),
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.every(3)
def test_what_is_false_is_not_proved(name: str) -> None:
    assert not decided(FALSE[name]())


# -- what the chain says of exact numbers ----------------------------------------------------------


@pytest.mark.parametrize("samples", [0, 1, 2, 3])
def test_samples_leave_a_power_of_the_affinity(samples: int) -> None:
    """All sequences of agents and coins, n = 1 of N = 2, z = 3/5: 1 - (1/2)(1 - 4/5) each."""
    z, kept = Fraction(3, 5), Fraction(9, 10)
    seen = [(Fraction(1, 2), Fraction(1, 2))]  # the other agent
    seen += [((1 + s * z) / 4, (1 - s * z) / 4) for s in (1, -1)]
    total = Fraction(0)
    for sequence in product(seen, repeat=samples):
        p = q = Fraction(1)
        for one, other in sequence:
            p, q = p * one, q * other
        assert root(p * q) ** 2 == p * q
        total += root(p * q)
    assert total == kept**samples


def root(x: Fraction) -> Fraction:
    return Fraction(isqrt(x.numerator), isqrt(x.denominator))


@pytest.mark.parametrize("samples", [0, 1, 5, 9])
@pytest.mark.parametrize(("agents", "informative"), [(1, 1), (3, 1), (3, 2)])
def test_the_best_method_is_no_better_than_the_chain(
    agents: int, informative: int, samples: int
) -> None:
    """Exact Bayes gaps of both instances are at least 2 eps times the squared affinity."""
    z = Fraction(24, 145)  # below 1/4, with a rational root of 1 - z^2
    kept = 1 - Fraction(informative, agents) * (1 - root(1 - z**2))
    assert root(1 - z**2) ** 2 == 1 - z**2
    eps = Fraction(1, 17)
    least = 2 * eps * kept ** (2 * samples)
    convex = lower.convex_bayes_gap(eps, 4 * eps / z, agents, informative, samples)
    quadratic = lower.quadratic_bayes_gap(eps, z, agents, informative, samples)
    assert least <= min(convex, quadratic)


@pytest.mark.parametrize("samples", [0, 1, 4])
def test_the_best_method_has_the_exact_gap_of_the_instance(samples: int) -> None:
    """What is bounded for any number of samples is the Bayes gap of `bounds.allforall.lower`."""
    eps, z, part = Fraction(1, 17), Fraction(3, 5), Fraction(2, 3)
    gaps = {
        "proof.fanochain.convex.refined/best-method": lower.convex_bayes_gap(
            eps, 4 * eps / z, 3, 2, samples
        ),
        "proof.fanochain.quadratic.refined/best-method": lower.quadratic_bayes_gap(
            eps, z, 3, 2, samples
        ),
    }
    for key, gap in gaps.items():
        # weights 1 and 1, chances 4/5 and 1/5: roots of twice 1/2, and 2 : 1
        numbers = {"plus": 1, "minus": 1, "right": 2, "wrong": 1, "part": part, "precision": eps}
        values = {
            n: np.array([Fraction(v)], dtype=object) for n, v in {**numbers, "theta": eps}.items()
        }
        box = LINKS[key].family.box
        instance = LINKS[key].family.instance(
            {n: v for n, v in values.items() if n in box}, {"samples": samples}
        )
        made = score(LINKS[key], instance, "exact")
        assert made.right.item() - made.left.item() == 2 * gap - said(key, samples, eps, part)


def said(key: str, samples: int, eps: Fraction, part: Fraction) -> Fraction:
    kept = (1 - part / 5) ** samples  # 1 - z^2 = 16/25
    if ".convex." in key:
        return eps * (6 * kept - 2)
    return 8 * eps * (2 * eps * kept - 2 * eps**2)


def test_constants_are_larger_than_those_of_the_repaired_forms() -> None:
    assert Fraction(1, 25) > 2 * lower.CONVEX_CONSTANT
    assert Fraction(1, 7) > 2 * lower.QUADRATIC_CONSTANT
