"""Theorem 4.1 and an epoch of Proposition 3: the samples that all-for-all needs under Setting 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.claim import Statement
from verify.outlines.exact import below, fractions
from verify.outlines.registry import proof_of
from verify.statements.allforall import theorem4_1 as of
from verify.statements.allforall import walks
from verify.statements.allforall.proofs.walks import drifting, gathered, root, side, walk_setting
from verify.world.world import World

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


def _one(world: Any, name: str) -> Fraction:
    return fractions(world.original(name))[0]


def _blocks(samples: str, step: str, world: Any) -> dict[str, Fraction]:
    """A block's model: it moves where its block is drawn, by B eta over the size of a block."""
    eps, away = _one(world, "precision"), _one(world, "fraction")
    rounds, awake = world.rounds, Fraction(int(world.block), int(world.N))
    n = rounds + (away if samples == "at-most" else -away)
    offset = _one(world, "offset")
    found = {"n": n, "a": awake, "s": _one(world, "share"), "eps": eps}
    if step == "some-step":
        top, start = root(eps**2 * n / (4 * rounds)), below(root(awake * rounds)) * offset
    else:
        top, start = root(eps**2 * offset**2 * n / (2 * rounds)), below(root(awake * rounds / 2))
    return found | {"top": below(top), "start": start}


def _plane(world: Any) -> dict[str, Fraction]:
    """The way to the plane of the corners, along which all slopes are the same."""
    eps, rounds = _one(world, "precision"), world.rounds
    n = rounds - _one(world, "fraction")
    start = below(root(Fraction(rounds))) * _one(world, "offset")
    top, one = below(root(eps**2 * n / (4 * rounds))), Fraction(1)
    return {"n": n, "a": one, "s": one, "eps": eps, "top": top, "start": start}


def _descent(world: World, found: Mapping[str, Fraction]) -> walks.Descent:
    """Subgradient descent by unit steps; slopes as shares of B."""
    size = 2 * found["top"] * below(root(Fraction(world.rounds)))  # B times 2 D
    tilt = _one(world, "fill") * found["eps"] / _one(world, "ratio") / size
    aside = tilt / fractions(root(Fraction(int(world.N))))[0]
    start, one, slope, tilted = (
        np.array([part], dtype=object) for part in (found["start"], Fraction(1), 1 - tilt, aside)
    )
    return walks.Descent(start, one, int(world.rounds), slope, tilted, one)


def _enough(o: StatementOutline, share: str, most: str) -> None:
    """With so many rounds a step makes so much of the loss at most, and all rounds a share of it."""
    gathered(o, share)
    o.uses("size", "printed")
    o.step("square", f"top**2 <= ({most})**2", "size; printed times eps**2/K", degree=2)
    o.step("small", f"top <= {most}", "square times 1/(2*eps)", roots=f"top - {most}")


def blocks(o: StatementOutline, share: str, most: str) -> None:
    """The recursion for the mean square of a model of a block, with the step of Theorem 3.a."""
    _enough(o, share, most)
    o.step("bound", f"{o.left} <= {o.right}", "gathered; small")


def simplex(o: StatementOutline) -> None:
    """Half of the precision is the bias, the other half what the rounds leave."""
    _enough(o, "1", "eps/2")
    o.uses("filled")
    o.step("bias", "fill*eps*(N - 1)/(2*N) <= eps/2", "filled times eps*(N - 1)/(2*N)")
    o.step("bound", f"{o.left} <= {o.right}", "bias; gathered; small")


def bound_blocks(one: Statement, step: str, samples: str, most: str = "eps") -> None:
    """Register the proof of a statement on blocks, with this step and number of rounds."""
    own = step == "some-step"
    setting = walk_setting(
        one,
        {"gap": side(one, "mean F"), "eps": lambda w: w.precision},
        partial(_blocks, samples, step),
        drifting,
        start="a*K" if own else "a*K/2",
        size=f"eps**2*n/({4 if own else 2}*K)",
        printed="2*K" if samples == "at-most" else "K",
    )
    proof_of(one, setting)(partial(blocks, share="1" if own else "3/4", most=most))


for step in ("same-step", "some-step"):
    for samples in ("at-most", "rounded-up"):
        bound_blocks(of.blocks.leaf(step, samples), step, samples)
for repaired in (of.repaired[0], of.epoch):
    bound_blocks(repaired, "some-step", "rounded-up")
for one in (of.simplex.leaf("some-step", "rounded-up"), of.repaired[1]):
    on_the_way = walk_setting(
        one,
        {"gap": side(one, "above it"), "eps": lambda w: w.precision},
        _plane,
        _descent,
        "descent by subgradients to the plane of the minimisers, two rounds or more",
        start="a*K",
        size="eps**2*n/(4*K)",
        printed="K",
    )
    proof_of(one, on_the_way)(simplex)
