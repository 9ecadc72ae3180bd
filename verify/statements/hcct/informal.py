"""Gradients as a proxy of distributions, costs, and advice on the variants."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds import hcct_divergence as distance
from bounds.hcct_utility import similarities
from verify.claim.families import numbers
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, open_claim, statement
from verify.statements.hcct.common import Array
from verify.world.world import World

# -- mean estimation by two clients --------------------------------------------------------------


def _places(w: World) -> Array:
    """Different places of the atoms, (B, 1, n)."""
    places = [w.first]
    for k in range(1, int(w.original("n"))):
        places.append(places[-1] + w.step[..., k])
    return xp.stack(places, -1)


def _laws(w: World) -> Array:
    """Laws of both clients, (B, 1, 2, n)."""
    return xp.stack([m / xp.total(m)[..., None] for m in (w.mass, w.other)], -2)


def _gradients(w: World) -> Array:
    """w - E z of each client, (B, 1, 2)."""
    return w.model[..., None] - xp.total(_laws(w) * _places(w)[..., None, :])


def _distance(w: World) -> Array:
    """d_1 between the group's law and that of client 0, of equally many samples."""
    first, second = (_laws(w)[..., k, :] for k in (0, 1))
    return distance.l1_distance((first + second) / 2, first)


@statement(
    "hcct.claim.gradproxy@limit", where="Section 4", kind="claim",
    title="gradients stand for distributions",
    latex=r"s(i,G)=1\Rightarrow d_1(\hat{\mathcal P}_G,\mathcal P_i)=0",
    family=numbers(
        {"mass": Real(1 / 64, 1, per=("n",)), "other": Real(1 / 64, 1, per=("n",)),
         "first": Real(-2, 2), "step": Real(1 / 8, 2, log=True, per=("n",)), "model": Real(-4, 4)},
        {"n": 2}, {"n": 3}, about="mean estimation by two clients with laws on two or three atoms",
    ),
    given=[Hypothesis("one direction", r"\nabla J_0\cdot\nabla J_1>0",
                      lambda w: _gradients(w)[..., 0] * _gradients(w)[..., 1], strict=True)],
    note="""d_1 between the group's law and that of client 0, where the cosine is one.

    On the line a cosine of one is one common sign of the two gradients.""",
)
def proxy(w: World) -> Sides:
    slope = _gradients(w)[..., None]
    alike = xp.ones_like(slope[..., 0])
    return {"d_1": _distance(w)}, {"1 - s": 1 - similarities(slope, alike, alike)[..., 0]}


correlation = open_claim(
    "hcct.claim.gradproxy@correlation", "claim", "Section 4", r"\mathrm{corr}(1-s,d_1)>0",
    "gradients stand for distributions", "how the clients' laws are distributed",
)


@proxy.like(
    "hcct.claim.gradproxy.refined", title="close laws have close gradients", given=(),
    latex=r"\|\nabla J_i-\nabla J_G\|\le\max\|\nabla l\|\,d_1(\hat{\mathcal P}_G,\mathcal P_i)",
    note="Gradients of close laws are close: |grad J_0 - grad J_G| <= max |grad l| d_1.",
    proof="Both are means of the same gradients w - z, whose weights differ by P_0 - P_G.",
)
def continuity(w: World) -> Sides:
    slope = _gradients(w)
    gap = xp.absolute(slope[..., 0] - slope[..., 1]) / 2
    steepest = xp.largest(xp.absolute(w.model[..., None] - _places(w)))
    return {"|grad J_0 - grad J_G|": gap}, {"max |grad l| d_1": steepest * _distance(w)}


# -- costs and variants --------------------------------------------------------------------------


def _cost(w: World, updates: str) -> Sides:
    from algorithms.registry import load_method

    clients, hyper = int(w.original("N")), {"local_steps": int(w.original("Q"))}
    drawn = load_method("hcct").slots(clients, {**hyper, "updates": updates})
    return {"HCCT": drawn}, {"FedAvg": w.N * w.Q}


cost_previous = statement(
    "hcct.claim.servercost@previous-updates", where="Section 5.1", kind="claim", title="who pays",
    latex=r"\text{gradients per epoch: HCCT}\le\text{FedAvg}",
    family=numbers(
        {}, *({"N": n, "Q": q} for n in (1, 3, 10) for q in (1, 2, 5)),
        about="up to ten clients and five local steps",
    ),
    note="""Gradients that the clients compute in an epoch, N Q for FedAvg.

    A partition by the updates of the epoch before uses what was sent anyway; one by updates at
    the present models needs a gradient of every client before the training.""",
)(partial(_cost, updates="previous"))
cost_current = cost_previous.variant(
    "hcct.claim.servercost@current-updates", sides=partial(_cost, updates="current")
)

hccte_use = open_claim(
    "hcct.claim.hccteUse", "claim", "Section 5.3", r"\text{HCCT-E for similar clients}",
    "when to use HCCT-E", "what similar and sufficient mean",
)
hcctp_use = open_claim(
    "hcct.claim.hcctpUse", "claim", "Section 5.3", r"\text{HCCT-P for diverse clients}",
    "when to use HCCT-P", "a measure of diversity and of advantage",
)
