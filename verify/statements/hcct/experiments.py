"""Tables and figures: what the printed numbers say of the claims made about them."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from verify.claim import Array, Sides, described, numbers, open_claim, statement
from verify.world.world import World


def _percent(w: World, hundredths: Any) -> Array:
    return w.array([[Fraction(hundredths) / 100]])


def _row(w: World) -> int:
    return int(w.original("row"))


LISTED = (
    described(
        "hcct.exp.fig1", "data", "Figure 1", r"3\ \text{clients, CIFAR-10}", "motivating example"
    ),
    described("hcct.exp.setup", "data", "Section 7.1", r"\text{Digit, FMNIST, CIFAR-10}", "tasks"),
    described("hcct.exp.table3", "data", "Table 3", r"\text{hyper-parameters}", "hyper-parameters"),
    described("hcct.exp.baselines", "data", "Section 7.1", r"\text{six baselines}", "baselines"),
)

# -- Table 2: independent, global, (1,2), (1,3), (2,3) ---------------------------------------------

_TABLE2 = (
    (3816, 2512, 1580, 2636, 919),
    (4990, 4940, 3132, 4305, 833),
    (2354, 2528, 1590, 2158, 410),
    (9614, 2612, 1621, 4615, 3558),
    (3942, 5684, 2730, 4118, 1232),
)
"""Errors of three clients, their mean and standard deviation, in hundredths of per cent."""
_MENDED2 = (_TABLE2[0], (4990, 4940, 3132, 4354, 864), *_TABLE2[2:])
"""The same with the mean and the deviation of the second row that its three errors have."""
_SPREAD2 = ((153, 83, 82), (131, 162, 153), (140, 64, 119), (481, 29, 85), (372, 362, 185))
_MENDED = r"\quad(\text{Global: }43.54,\ 8.64)"


def _means(w: World, table: Any) -> Sides:
    *clients, mean, _ = table[_row(w)]
    gap = abs(Fraction(sum(clients), 3) - mean)
    return {"|mean - printed|": _percent(w, gap)}, {"rounding": _percent(w, 1)}


means = statement(
    "hcct.exp.table2/mean",
    where="Table 2",
    kind="claim",
    title="column of means",
    latex=r"\text{mean}=\tfrac13\sum_i\text{error}_i",
    family=numbers({}, *({"row": k} for k in range(5)), about="the five rows of Table 2"),
    note="Three numbers and their mean, each rounded to 0.01.",
)(partial(_means, table=_TABLE2))
means_repaired = means.variant(
    "hcct.exp.table2.repaired/mean",
    latex=means.latex + _MENDED,
    proof="""(49.90 + 49.40 + 31.32)/3 = 43.54; the other rows are printed
    so.""",
    sides=partial(_means, table=_MENDED2),
)


def _deviations(w: World, table: Any) -> Sides:
    *clients, _, printed = table[_row(w)]
    mean = Fraction(sum(clients), 3)
    variance = sum((c - mean) ** 2 for c in clients) / 3
    return {"variance": _percent(w, variance) / 100}, {"printed": _percent(w, printed + 2) ** 2}


deviations = means.like(
    "hcct.exp.table2/std",
    title="column of deviations",
    latex=r"\text{std of the errors}\le\text{printed std}",
    note="""Squares. A mean over seeds of standard deviations is at least that of the mean errors.

    With the divisor three; that of a sample is larger still. Rounding moves it by 0.02 at most.""",
)(partial(_deviations, table=_TABLE2))
deviations_repaired = deviations.variant(
    "hcct.exp.table2.repaired/std",
    latex=deviations.latex + _MENDED,
    proof="""(6.36^2 + 5.86^2 + 12.22^2)/3 = 74.71 <= 8.66^2;
    the other rows are printed so.""",
    sides=partial(_deviations, table=_MENDED2),
)


@means.like(
    "hcct.exp.table2/best", title="best pattern", latex=r"\text{(1,2) has the smallest mean}"
)
def best_mean(w: World) -> Sides:
    best, other = _TABLE2[2][3], _TABLE2[_row(w)][3]
    return {"(1,2)": _percent(w, best)}, {"other pattern": _percent(w, other)}


def _own_best(w: World, spread: bool) -> Sides:
    k, c = _row(w), int(w.original("client"))
    room = _SPREAD2[2][c] + _SPREAD2[k][c] if spread else 0
    return {"(1,2)": _percent(w, _TABLE2[2][c])}, {
        "other pattern": _percent(w, _TABLE2[k][c]),
        "spreads": _percent(w, room),
    }


own_best = means.like(
    "hcct.exp.table2/each@means",
    title="best for everybody",
    latex=r"\text{in (1,2) each client has its best error}",
    family=numbers(
        {},
        *({"row": k, "client": c} for k in (0, 1, 3, 4) for c in range(3)),
        about="every other pattern and client",
    ),
    note="Errors of each client in pattern (1,2) and in another one.",
)(partial(_own_best, spread=False))
own_best_spread = own_best.variant(
    "hcct.exp.table2/each@within-spread", sides=partial(_own_best, spread=True)
)

_METHODS = ("independent", "global", "maxfl", "fedfa", "ifca", "flsc", "hcct", "hcct-e", "hcct-p")
_HCCT = _METHODS.index("hcct")
_TABLE4 = {
    "digit": (3022, 2955, 2923, 3003, 2863, 3476, 2006, 2405, 1985),
    "fmnist": (4838, 2998, 2998, 3429, 3884, 3355, 2998, 3202, 2951),
    "cifar": (3447, 4696, 4125, 4454, 3723, 4111, 3451, 3451, 3437),
}
_SPREAD4 = {"digit": 66, "fmnist": 137, "cifar": 464}
"""Spread of HCCT over the seeds."""
_TABLE5 = (
    (3022, 1889, 613, 5601),
    (2955, 2089, 499, 6227),
    (2923, 2083, 488, 6201),
    (3003, 2110, 521, 6371),
    (2863, 1913, 470, 6044),
    (3476, 2139, 649, 6799),
    (2006, 1347, 419, 3944),
    (2405, 1600, 467, 4577),
)
"""Digit over clients: mean, standard deviation, minimum, maximum; without HCCT-P."""


def _cell(w: World, method: int) -> Array:
    return _percent(w, _TABLE4[w.original("data")][method])


def _lowest(w: World, data: str, term: str) -> Sides:
    column = _TABLE4[data]
    return {term: _percent(w, column[_HCCT])}, {"other": _percent(w, column[_row(w)])}


digit = statement(
    "hcct.exp.table4/digit",
    where="Table 4",
    kind="claim",
    title="Digit",
    latex=r"\text{HCCT lowest on Digit, HCCT-P apart}",
    family=numbers({}, *({"row": k} for k in (0, 1, 2, 3, 4, 5, 7)), about="the other methods"),
)(partial(_lowest, data="digit", term="HCCT"))
fmnist = digit.like(
    "hcct.exp.table4/fmnist",
    title="FMNIST",
    latex=r"\text{HCCT and global not above the others}",
    note="The larger one of HCCT and global training; MAXFL has the same error.",
)(partial(_lowest, data="fmnist", term="HCCT, global"))


@digit.like(
    "hcct.exp.table4/cifar",
    title="CIFAR-10",
    latex=r"\text{HCCT like independent training}",
    family=numbers({}, {"row": 0}, about="one cell"),
)
def cifar(w: World) -> Sides:
    gap = abs(_TABLE4["cifar"][_HCCT] - _TABLE4["cifar"][0])
    return {"|HCCT - independent|": _percent(w, gap)}, {"spread": _percent(w, _SPREAD4["cifar"])}


@digit.like(
    "hcct.exp.table4/personal",
    title="personal layers",
    latex=r"\text{HCCT-P}\le\text{HCCT}",
    family=numbers({}, *({"data": k} for k in _TABLE4), about="the three data sets"),
)
def personal(w: World) -> Sides:
    return {"HCCT-P": _cell(w, _METHODS.index("hcct-p"))}, {"HCCT": _cell(w, _HCCT)}


def _column(w: World, number: int) -> Sides:
    return {"HCCT": _percent(w, _TABLE5[_HCCT][number])}, {
        "other": _percent(w, _TABLE5[_row(w)][number])
    }


COLUMNS = tuple(
    digit.like(
        f"hcct.exp.table5/{name}",
        where="Table 5",
        title="over clients",
        latex=rf"\text{{HCCT has the lowest {name}}}",
    )(partial(_column, number=k))
    for k, name in enumerate(("mean", "std", "min", "max"))
)


@digit.like(
    "hcct.exp.table5/tables",
    where="Tables 4 and 5",
    title="two tables",
    relation="==",
    latex=r"\text{means as in Table 4}",
    note="Means of Table 5 and the Digit column of Table 4.",
)
def agree(w: World) -> Sides:
    return {"Table 5": _percent(w, _TABLE5[_row(w)][0])}, {
        "Table 4": _percent(w, _TABLE4["digit"][_row(w)])
    }


def _better(w: World, spread: bool) -> Sides:
    room = _SPREAD4[w.original("data")] if spread else 0
    return {"HCCT": _cell(w, _HCCT)}, {"baseline": _cell(w, _row(w)), "spread": _percent(w, room)}


better = statement(
    "hcct.exp.abstract/better@means",
    where="Abstract, Table 4",
    kind="claim",
    title="better than the baselines",
    latex=r"\text{HCCT}\le\text{baselines}",
    family=numbers(
        {},
        *({"data": k, "row": m} for k in _TABLE4 for m in range(6)),
        about="every baseline and set",
    ),
    note="HCCT against each baseline on each data set of Table 4.",
)(partial(_better, spread=False))
better_spread = better.variant(
    "hcct.exp.abstract/better@within-spread", sides=partial(_better, spread=True)
)

_CURVE = (
    "the curve: the figure's numbers are not printed and its data sets are not in the package; "
    "figures/ draws it on synthetic least squares"
)
OPEN = (
    open_claim(
        "hcct.exp.table4/reasons",
        "claim",
        "Table 4",
        r"\text{why the baselines do worse}",
        "explanations",
        "runs on the data sets: they are not in the package",
    ),
    open_claim(
        "hcct.exp.fig3",
        "claim",
        "Figure 3",
        r"\text{accuracy rises after arrivals}",
        "clients that join later",
        _CURVE,
    ),
    open_claim(
        "hcct.exp.fig4",
        "claim",
        "Figure 4",
        r"\text{best }\alpha\text{ by train ratio}",
        "trade-off",
        _CURVE,
    ),
    open_claim(
        "hcct.exp.fig5",
        "claim",
        "Figure 5",
        r"\text{smallest error at the largest utility}",
        "number of groups by hand",
        _CURVE,
    ),
    open_claim(
        "hcct.exp.fig6",
        "claim",
        "Figure 6",
        r"\text{few collaborators are best}",
        "groups and clients",
        _CURVE,
    ),
)
