"""Gradients as a proxy of distributions, costs, and advice on the variants."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_divergence as distance
from bounds.hcct_utility import similarities
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import numbers, one, source, unchecked_claim
from verify.world.world import World

Array = Any

TWO = numbers(
    {
        "mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",)),
        "first": Real(-2, 2), "step": Real(1 / 8, 2, log=True, per=("n",)), "model": Real(-4, 4),
    },
    {"n": 2}, {"n": 3}, about="mean estimation by two clients with laws on two or three atoms",
)  # fmt: skip


def _places(w: World) -> Array:
    """Different places of the atoms, (B, 1, n)."""
    places = [w.first]
    for k in range(1, int(w.original("n"))):
        places.append(places[-1] + w.step[..., k])
    return xp.stack(places, -1)


def _laws(w: World) -> Array:
    """Laws of both clients, (B, 1, 2, n)."""
    pair = [m / xp.total(m)[..., None] for m in (w.mass, w.other)]
    return xp.stack(pair, -2)


def _gradients(w: World, laws: Array) -> Array:
    """w - E z of each client, (B, 1, 2)."""
    return w.model[..., None] - xp.total(laws * _places(w)[..., None, :])


def _similarity(w: World) -> Array:
    """s(0, {0, 1}) of two clients with equally many samples."""
    slope = _gradients(w, _laws(w))[..., None]
    return similarities(slope, one(slope[..., 0]), one(slope[..., 0]))[..., 0]


def _implication(w: World) -> tuple[Terms, Terms]:
    """d_1 between the group's law and that of client 0, where the cosine is one.

    On the line a cosine of one is one common sign of the two gradients.
    """
    laws = _laws(w)
    pooled = (laws[..., 0, :] + laws[..., 1, :]) / 2
    return {"d_1": distance.l1_distance(pooled, laws[..., 0, :])}, {"1 - s": 1 - _similarity(w)}


def _one_direction(w: World) -> Terms:
    slope = _gradients(w, _laws(w))
    return {"one direction": slope[..., 0] * slope[..., 1]}


def _continuity(w: World) -> tuple[Terms, Terms]:
    """Gradients of close laws are close: |grad J_0 - grad J_G| <= max |grad l| d_1.

    Proof.  Both are means of the same gradients w - z, whose weights differ by P_0 - P_G.
    """
    laws = _laws(w)
    slope = _gradients(w, laws)
    gap = xp.absolute(slope[..., 0] - slope[..., 1]) / 2
    pooled = (laws[..., 0, :] + laws[..., 1, :]) / 2
    steepest = xp.largest(xp.absolute(w.model[..., None] - _places(w)))
    return {"|grad J_0 - grad J_G|": gap}, {
        "max |grad l| d_1": steepest * distance.l1_distance(pooled, laws[..., 0, :])
    }


_COSTS = Family(
    {}, tuple({"N": n, "Q": q} for n in (1, 3, 10) for q in (1, 2, 5)),
    about="up to ten clients and five local steps",
)  # fmt: skip


def _cost(updates: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Gradients that the clients compute in an epoch, N Q for FedAvg.

        A partition by the updates of the epoch before uses what was sent anyway; one by updates at
        the present models needs a gradient of every client before the training.
        """
        from algorithms.registry import load_method

        clients, hyper = int(w.original("N")), {"local_steps": int(w.original("Q"))}
        drawn = load_method("hcct").slots(clients, {**hyper, "updates": updates})
        return {"HCCT": drawn}, {"FedAvg": w.N * w.Q}

    return sides


_G: dict[str, Any] = {"kind": "claim", "title": "gradients stand for distributions"}

STATEMENTS = (
    Statement(key="hcct.claim.gradproxy@limit", source=source("Section 4"), family=TWO,
              latex=r"s(i,G)=1\Rightarrow d_1(\hat{\mathcal P}_G,\mathcal P_i)=0", sides=_implication,
              given=_one_direction, strict=frozenset({"one direction"}), **_G),
    Statement(key="hcct.claim.gradproxy@correlation", source=source("Section 4"),
              latex=r"\mathrm{corr}(1-s,d_1)>0", missing="how the clients' laws are distributed", **_G),
    Statement(key="hcct.claim.gradproxy.refined", source=source("Section 4"), family=TWO,
              form="refined", kind="claim", title="close laws have close gradients",
              latex=r"\|\nabla J_i-\nabla J_G\|\le\max\|\nabla l\|\,d_1(\hat{\mathcal P}_G,\mathcal P_i)",
              sides=_continuity),
    unchecked_claim("claim.hccteUse", "Section 5.3", r"\text{HCCT-E for similar clients}",
                    "when to use HCCT-E", "what similar and sufficient mean"),
    unchecked_claim("claim.hcctpUse", "Section 5.3", r"\text{HCCT-P for diverse clients}",
                    "when to use HCCT-P", "a measure of diversity and of advantage"),
    *(
        Statement(
            key=f"hcct.claim.servercost@{updates}-updates", source=source("Section 5.1"), kind="claim",
            latex=r"\text{gradients per epoch: HCCT}\le\text{FedAvg}", title="who pays",
            family=_COSTS, sides=_cost(updates),
        )
        for updates in ("previous", "current")
    ),
)  # fmt: skip
