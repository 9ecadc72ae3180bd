"""Theorems 2.1 and 7.1, and the naive approach: samples of weighted averaging under Setting 1."""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact.runs import Tree, absolute_lattice
from verify.claim import Array, Family, Hypothesis, Reading, Sides, Statement
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Theorem 2.1 :: theorem :: weighted gradient averaging
    theorem2.1 mean :: T_\varepsilon(i)\le\frac{4D^2B^2}{\varepsilon^2}\frac N{\mathcal N_i^\varepsilon(2b)}
    theorem2.1.repaired mean :: \lambda_j=\tfrac{\mathbb 1_{\{b_{ij}\le\varepsilon/2\}}}{\mathcal N_i^\varepsilon(2b)}:\ T_\varepsilon(i)\le\frac{4D^2B^2}{\varepsilon^2}\frac N{\mathcal N_i^\varepsilon(2b)}
Theorem 7.1 :: theorem :: weighted gradient averaging
    theorem7.1 mean :: T_\varepsilon(i)\le\frac{4D^2B^2}{\varepsilon^2}\frac N{\mathcal N_i^\varepsilon(2b)}
Section 5 :: theorem :: all-for-all
    naive.a mean :: \max_i\mathbb E[f_i(x_i^k)-f_i(x_i^*)]\le\varepsilon,\ T_\varepsilon\le\tfrac{4D^2B^2}{\varepsilon^2}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)}
Appendix A :: proof step :: from one agent's bound
    proof.prop2.repaired/fraction mean :: T_\varepsilon(\theta)\le4B^2D^2\varepsilon^{-2}\frac N{\mathcal N_i^\varepsilon(2b)}
""")
_NOTE = """B is such that the number of samples is as the option says. The step as printed is D/(B
sqrt(2 K N S)), S = sum lambda_j^2: with S = 1/N_i the recursion of Appendix D gives 1.06 eps/2 +
eps/2, with a step longer by sqrt 2 it gives eps. Where some b_ij = eps/2 the strict weights do not
sum to one, and the run is slower. All agents have equally many close ones."""
_SYMBOLS = "share tilt offset precision distance fraction"
_ABOUT = "n of N agents with losses s |x - m| and tilt s |x - m|, gradients +-B"
_TIES = "one close agent, all others with b = eps/2 exactly"
_NAMES = "N active counted rounds"
_SHORT = q.sizes(_NAMES, (1, 1, 1, 4), (2, 1, 1, 6), (3, 3, 3, 8))
_LONG = q.sizes(_NAMES, (1, 1, 1, 16), (2, 1, 1, 32), (3, 3, 3, 16))
_TIED = q.sizes(_NAMES, (8, 1, 8, 4), (8, 1, 8, 8))
_TIED_LONG = q.sizes(_NAMES, (8, 1, 8, 4), (8, 1, 8, 8), (64, 1, 64, 16))


def _family(samples: str, tied: bool = False) -> Family:
    short, long = (_TIED, _TIED_LONG) if tied else (_SHORT, _LONG)
    sizes = short if samples == "at-most" else long
    return q.family(_SYMBOLS, _TIES if tied else _ABOUT, *sizes, tilt=q.SHARE)


def _size(w: World, samples: str) -> Array:
    """B, such that 4 D^2 B^2 N/(eps^2 N_i) is the number of rounds or a fraction of one off."""
    close = w.counted * q.number(w, samples) / w.N
    return w.precision * xp.sqrt(close) / (2 * w.distance)


def _law(w: World) -> tuple[Any, ...]:
    """s/B, D, x^0, and how many agents there are, are drawn with a weight, are counted as close."""
    share = w.share * (1 + (w.active - 1) * w.tilt) / w.active
    return share, w.distance, w.distance * w.offset, w.N, w.active, w.counted


def _lattice(law: tuple[Any, ...], rounds: int, best: bool) -> Tree:
    """lambda = 1/counted on the active agents; the mean slope is that of f^lambda."""
    share, distance, start, agents, active, counted = law
    one = xp.ones_like(distance)
    square = one * active / counted / counted
    step = rates.averaging_step(one, distance**2, agents, square, rounds)  # times B
    if best:
        step = xp.sqrt(2 * one) * step
    return absolute_lattice(share, start, step * agents / counted, one * active / agents, rounds)


def _averaged(w: World, samples: str, best: bool = False, last: bool = False) -> Sides:
    """Least gap of agent 1, in mean over the rounds or of the last iterate, among the horizons."""
    away = least_away(w, _law(w), w.rounds, samples, best, last)
    return {"mean gap": w.share * _size(w, samples) * away}, {"precision": w.precision}


@quantity
def least_away(
    w: World, law: tuple[Any, ...], rounds: int, samples: str, best: bool, last: bool
) -> Array:
    """Least mean of |x - m|, over the rounds or of the last iterate, among the horizons."""
    found = []
    for count in q.horizons(rounds, samples):
        tree = _lattice(law, count, best)
        away = xp.absolute(tree.points[0][..., 0])
        gaps = [xp.total(c * away) for c in tree.chances]
        found.append(gaps[-1] if last else q.added(gaps[:-1]) / count)
    return q.least(found)


def _room(w: World, samples: str, best: bool = False) -> Array:
    """Up to the last round of each horizon, on every outcome."""
    return rooms(w, _law(w), w.rounds, samples, best)


@quantity
def rooms(w: World, law: tuple[Any, ...], rounds: int, samples: str, best: bool) -> Array:
    """Smallest D - |x - m| over the outcomes that have a chance, for each horizon."""
    found = []
    for count in q.horizons(rounds, samples):
        tree = _lattice(law, count, best)
        room = law[1][..., None] - xp.absolute(tree.points[0][..., 0])
        found.append(xp.smallest(xp.where(sum(tree.chances) > 0, room, xp.absolute(room))))
    return xp.stack(found, -1)


def _small_bias(w: World, samples: str) -> Array:
    """b_1j = D B s (1 - tilt) of the agents with a weight."""
    bias = w.distance * _size(w, samples) * w.share * (1 - w.tilt)
    return w.precision / 2 - (bias if w.active > 1 else 0 * bias)


def _assumed(
    place: str, samples: str, strict: bool = False, best: bool = False
) -> list[Hypothesis]:
    """Iterates within D, and biases of the agents with a weight at most eps/2, or below."""
    small = r"b_{ij}<\varepsilon/2" if strict else r"b_{ij}\le\varepsilon/2"
    room, bias = partial(_room, samples=samples, best=best), partial(_small_bias, samples=samples)
    return [
        Hypothesis("distances", q.WITHIN, room, place),
        Hypothesis("biases", small, bias, place, strict=strict),
    ]


def _tied(r: Reading) -> list[Hypothesis]:
    assumed = _assumed("Theorem 2.1", r.samples, strict=True)
    return assumed[:1] if "as-set" in r else assumed


def _strict_weights(name: str, **more: object) -> tuple[Statement, ...]:
    @claim(
        name,
        readings=("ties", "samples"),
        family=lambda r: _family(r.samples, "as-set" in r),
        given=_tied,
        note=_NOTE,
        **more,
    )
    def samples(w: World, r: Reading) -> Sides:
        left, right = _averaged(w, r.samples, last=name == "naive.a")
        if name == "naive.a" and w.active > 1:
            # all agents follow one model and the others' losses are tilt times that of agent 1;
            # an agent that is close to no other has a copy of agent 1's run
            left = {"largest gap": xp.maximum(w.share * 0 + 1, w.tilt) * left["mean gap"]}
        return left, right

    return (*samples[2:], *samples[:2])  # the ledger has the set first


theorem2_1 = _strict_weights("theorem2.1")
naive_a = _strict_weights("naive.a", uses=("allforall.theorem2.1",))


@claim(
    "theorem7.1",
    readings=("samples",),
    family=lambda r: _family(r.samples),
    given=lambda r: _assumed("Theorem 7.1", r.samples),
    note=_NOTE,
)
def theorem7_1(w: World, r: Reading) -> Sides:
    return _averaged(w, r.samples)


theorem2_1_repaired = claim.variant(
    theorem7_1.leaf("rounded-up"),
    "theorem2.1.repaired",
    note="Ties weighted, as in Theorem 7; the bound rounded up.",
    proof="""The recursion of Appendix D with S = 1/N_i: e_0/(2 eta K) + eta N B^2 S/2 + bias is at
    most (1/sqrt 2 + 1/(2 sqrt 2)) D B sqrt(N S/K) + eps/2 <= 1.031 eps with the printed step, less
    what remains at the end: e_K/(2 eta K). Not proved; nothing found passes eps.""",
)


@claim(
    "proof.prop2.repaired/fraction",
    family=_family("rounded-up"),
    given=_assumed("Theorem 2.1", "rounded-up", best=True),
)
def one_of_many(w: World) -> Sides:
    """E of the mean gap of agent 1 after K rounds, the bound rounded up.

    Proof. The step is D/(B sqrt(K N S)), S = sum lambda_j^2 = 1/N_i. The recursion of Appendix D
    gives e_0/(2 eta K) + eta N B^2 S/2 + bias <= D B sqrt(N S/K) + eps/2, at most eps for K >= 4
    D^2 B^2 N S/eps^2."""
    return _averaged(w, "rounded-up", best=True)
