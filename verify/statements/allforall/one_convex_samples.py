"""Theorems 2.1 and 7.1, and the naive approach: samples of weighted averaging under Setting 1."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact.runs import Tree, absolute_lattice
from verify.claim import Array, Family, Hypothesis, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import SAMPLES, horizons, number
from verify.statements.allforall.one_convex import TITLE, WITHIN
from verify.world.world import World

_LATTICE = {
    "share": box.SHARE,
    "tilt": box.SHARE,
    "offset": box.SHARE,
    "precision": box.PRECISION,
    "distance": box.DISTANCE,
    "fraction": box.FRACTION,
}
_SHORT = (
    {"N": 1, "active": 1, "counted": 1, "rounds": 4},
    {"N": 2, "active": 1, "counted": 1, "rounds": 6},
    {"N": 3, "active": 3, "counted": 3, "rounds": 8},
)
_LONG = (
    {"N": 1, "active": 1, "counted": 1, "rounds": 16},
    {"N": 2, "active": 1, "counted": 1, "rounds": 32},
    {"N": 3, "active": 3, "counted": 3, "rounds": 16},
)
_TIED = (
    {"N": 8, "active": 1, "counted": 8, "rounds": 4},
    {"N": 8, "active": 1, "counted": 8, "rounds": 8},
)
_TIED_LONG = (*_TIED, {"N": 64, "active": 1, "counted": 64, "rounds": 16})


def _size(w: World, option: str) -> Array:
    """B, such that 4 D^2 B^2 N/(eps^2 N_i) is the number of rounds or a fraction of one off."""
    close = w.counted * number(w, option) / w.N
    return w.precision * xp.sqrt(close) / (2 * w.distance)


def _lattice(w: World, rounds: int, best: bool) -> Tree:
    """lambda = 1/counted on the active agents; the mean slope is that of f^lambda."""
    one = xp.ones_like(w.distance)
    square = one * w.active / w.counted / w.counted
    step = rates.averaging_step(one, w.distance**2, w.N, square, rounds)  # times B
    if best:
        step = xp.sqrt(2 * one) * step
    share = w.share * (1 + (w.active - 1) * w.tilt) / w.active
    return absolute_lattice(
        share, w.distance * w.offset, step * w.N / w.counted, one * w.active / w.N, rounds
    )


def _averaged(w: World, option: str, best: bool = False, last: bool = False) -> Sides:
    """Least gap of agent 1, in mean over the rounds or of the last iterate, among the horizons."""
    found = []
    for rounds in horizons(w, option):
        tree = _lattice(w, rounds, best)
        away = xp.absolute(tree.points[0][..., 0])
        gaps = [xp.total(c * away) for c in tree.chances]
        found.append(gaps[-1] if last else sum(gaps[1:-1], start=gaps[0]) / rounds)
    gap = w.share * _size(w, option) * xp.smallest(xp.stack(found, -1))
    return {"mean gap": gap}, {"precision": w.precision}


def _room(w: World, option: str, best: bool = False) -> Array:
    """Up to the last round of each horizon, on every outcome."""
    rooms = []
    for rounds in horizons(w, option):
        tree = _lattice(w, rounds, best)
        room = w.distance[..., None] - xp.absolute(tree.points[0][..., 0])
        rooms.append(xp.smallest(xp.where(sum(tree.chances) > 0, room, xp.absolute(room))))
    return xp.stack(rooms, -1)


def _small_bias(w: World, option: str) -> Array:
    """b_1j = D B s (1 - tilt) of the agents with a weight."""
    bias = w.distance * _size(w, option) * w.share * (1 - w.tilt)
    return w.precision / 2 - (bias if w.active > 1 else 0 * bias)


def _assumed(place: str, option: str, ties: str = "", best: bool = False) -> list[Hypothesis]:
    distances = Hypothesis("distances", WITHIN, partial(_room, option=option, best=best), place)
    near = Hypothesis(
        "biases",
        r"b_{ij}<\varepsilon/2" if ties else r"b_{ij}\le\varepsilon/2",
        partial(_small_bias, option=option),
        place,
        strict=bool(ties),
    )
    return [distances] if ties == "as-set" else [distances, near]


def _family(option: str, ties: str = "") -> Family:
    short, long = (_TIED, _TIED_LONG) if ties == "as-set" else (_SHORT, _LONG)
    sizes = short if option == "at-most" else long
    return numbers(
        _LATTICE,
        *sizes,
        about=(
            "one close agent, all others with b = eps/2 exactly"
            if ties == "as-set"
            else "n of N agents with losses s |x - m| and tilt s |x - m|, gradients +-B"
        ),
    )


_2_1 = r"T_\varepsilon(i)\le\frac{4D^2B^2}{\varepsilon^2}\frac N{\mathcal N_i^\varepsilon(2b)}"
_NAIVE = r"\max_i\mathbb E[f_i(x_i^k)-f_i(x_i^*)]\le\varepsilon,\ T_\varepsilon\le\tfrac{4D^2B^2}{\varepsilon^2}\max_i\tfrac N{\mathcal N_i^\varepsilon(2b)}"
_NOTE = """B is such that the number of samples is as the option says. The step as printed is D/(B
sqrt(2 K N S)), S = sum lambda_j^2: with S = 1/N_i the recursion of Appendix D gives 1.06 eps/2 +
eps/2, with a step longer by sqrt 2 it gives eps. Where some b_ij = eps/2 the strict weights do not
sum to one, and the run is slower. All agents have equally many close ones."""
theorem2_1 = tuple(
    statement(
        f"allforall.{name}@{ties}+{option}",
        where=where,
        title=title,
        over="mean",
        latex=latex,
        family=_family(option, ties),
        given=_assumed("Theorem 2.1", option, ties),
        note=_NOTE,
        uses=uses,
    )(partial(_averaged, option=option, last=name == "naive.a"))
    for name, where, title, latex, uses in (
        ("theorem2.1", "Theorem 2.1", TITLE, _2_1, ()),
        ("naive.a", "Section 5", "all-for-all", _NAIVE, ("allforall.theorem2.1",)),
    )
    for ties in ("as-set", "stochastic")
    for option in SAMPLES
)
theorem7_1 = tuple(
    statement(
        f"allforall.theorem7.1@{option}",
        where="Theorem 7.1",
        title=TITLE,
        over="mean",
        latex=_2_1,
        family=_family(option),
        given=_assumed("Theorem 7.1", option),
        note=_NOTE,
    )(partial(_averaged, option=option))
    for option in SAMPLES
)
theorem2_1_repaired = theorem7_1[1].variant(
    "allforall.theorem2.1.repaired",
    where="Theorem 2.1",
    latex=r"\lambda_j=\tfrac{\mathbb 1_{\{b_{ij}\le\varepsilon/2\}}}{\mathcal N_i^\varepsilon(2b)}:\ "
    + _2_1,
    note="Ties weighted, as in Theorem 7; the bound rounded up.",
    proof="""The recursion of Appendix D with S = 1/N_i: e_0/(2 eta K) + eta N B^2 S/2 + bias is at
    most (1/sqrt 2 + 1/(2 sqrt 2)) D B sqrt(N S/K) + eps/2 <= 1.031 eps with the printed step, less
    what remains at the end: e_K/(2 eta K). Not proved; nothing found passes eps.""",
)
one_of_many = theorem7_1[1].variant(
    "allforall.proof.prop2.repaired/fraction",
    where="Appendix A",
    kind="proof step",
    proof="""The step is D/(B sqrt(K N S)), S = sum lambda_j^2 = 1/N_i. The recursion of Appendix D
    gives e_0/(2 eta K) + eta N B^2 S/2 + bias <= D B sqrt(N S/K) + eps/2, at most eps for K >= 4
    D^2 B^2 N S/eps^2.""",
    title="from one agent's bound",
    sides=partial(_averaged, option="rounded-up", best=True),
    note="E of the mean gap of agent 1 after K rounds, the bound rounded up.",
    latex=r"T_\varepsilon(\theta)\le4B^2D^2\varepsilon^{-2}\frac N{\mathcal N_i^\varepsilon(2b)}",
    given=_assumed("Theorem 2.1", "rounded-up", best=True),
)
