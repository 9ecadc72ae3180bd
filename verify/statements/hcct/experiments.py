"""Tables and figures: what the printed numbers say of the claims made about them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.claim.parameters import Family
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.hcct.common import constants, described, source, unchecked_claim
from verify.world.world import World

_PATTERNS = ("independent", "global", "(1,2)", "(1,3)", "(2,3)")
_TABLE2 = (
    (3816, 2512, 1580, 2636, 919), (4990, 4940, 3132, 4305, 833), (2354, 2528, 1590, 2158, 410),
    (9614, 2612, 1621, 4615, 3558), (3942, 5684, 2730, 4118, 1232),
)  # fmt: skip
"""Errors of three clients, their mean and standard deviation, in hundredths of per cent."""
_MENDED2 = (_TABLE2[0], (4990, 4940, 3132, 4354, 864), *_TABLE2[2:])
"""The same with the mean and the deviation of the second row that its three errors have."""
_SPREAD2 = ((153, 83, 82), (131, 162, 153), (140, 64, 119), (481, 29, 85), (372, 362, 185))

METHODS = ("independent", "global", "maxfl", "fedfa", "ifca", "flsc", "hcct", "hcct-e", "hcct-p")
_TABLE4 = {
    "digit": (3022, 2955, 2923, 3003, 2863, 3476, 2006, 2405, 1985),
    "fmnist": (4838, 2998, 2998, 3429, 3884, 3355, 2998, 3202, 2951),
    "cifar": (3447, 4696, 4125, 4454, 3723, 4111, 3451, 3451, 3437),
}
_SPREAD4 = {"digit": 66, "fmnist": 137, "cifar": 464}
"""Spread of HCCT over the seeds."""
_TABLE5 = (
    (3022, 1889, 613, 5601), (2955, 2089, 499, 6227), (2923, 2083, 488, 6201), (3003, 2110, 521, 6371),
    (2863, 1913, 470, 6044), (3476, 2139, 649, 6799), (2006, 1347, 419, 3944), (2405, 1600, 467, 4577),
)  # fmt: skip
"""Digit over clients: mean, standard deviation, minimum, maximum; without HCCT-P."""
_HCCT = METHODS.index("hcct")
_DATA = tuple(_TABLE4)

_ROWS = Family({}, tuple({"row": k} for k in range(5)), about="the five rows of Table 2")
_OTHERS = Family({}, tuple({"row": k} for k in (0, 1, 2, 3, 4, 5, 7)), about="the other methods")
_SIX = Family({}, tuple({"row": k} for k in range(6)), about="the six baselines")
_SETS = Family({}, tuple({"data": k} for k in _DATA), about="the three data sets")
_CASES = Family(
    {}, tuple({"data": k, "row": m} for k in _DATA for m in range(6)), about="every baseline and set"
)
_CELLS = Family(
    {}, tuple({"row": k, "client": c} for k in (0, 1, 3, 4) for c in range(3)),
    about="every other pattern and client",
)  # fmt: skip


def _percent(w: World, hundredths: Any) -> Any:
    return constants([[Fraction(hundredths) / 100]], w)


def _row(w: World) -> int:
    return int(w.original("row"))


def _means(table: Any) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Three numbers and their mean, each rounded to 0.01.

        Proof of the repaired form. (49.90 + 49.40 + 31.32)/3 = 43.54; the other rows are printed so.
        """
        *clients, mean, _ = table[_row(w)]
        gap = abs(Fraction(sum(clients), 3) - mean)
        return {"|mean - printed|": _percent(w, gap)}, {"rounding": _percent(w, 1)}

    return sides


def _deviations(table: Any) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Squares. A mean over seeds of standard deviations is at least that of the mean errors.

        With the divisor three; that of a sample is larger still. Rounding moves it by 0.02 at most.

        Proof of the repaired form. (6.36^2 + 5.86^2 + 12.22^2)/3 = 74.71 <= 8.66^2; the other rows
        are printed so.
        """
        *clients, _, printed = table[_row(w)]
        mean = Fraction(sum(clients), 3)
        variance = sum((c - mean) ** 2 for c in clients) / 3
        return {"variance": _percent(w, variance) / 100}, {"printed": _percent(w, printed + 2) ** 2}

    return sides


def _best_mean(w: World) -> tuple[Terms, Terms]:
    return {"(1,2)": _percent(w, _TABLE2[2][3])}, {"other pattern": _percent(w, _TABLE2[_row(w)][3])}


def _own_best(spread: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Errors of each client in pattern (1,2) and in another one."""
        k, c = _row(w), int(w.original("client"))
        room = _SPREAD2[2][c] + _SPREAD2[k][c] if spread else 0
        return {"(1,2)": _percent(w, _TABLE2[2][c])}, {
            "other pattern": _percent(w, _TABLE2[k][c]), "spreads": _percent(w, room)
        }

    return sides


def _cell(w: World, method: int) -> Any:
    return _percent(w, _TABLE4[w.original("data")][method])


def _digit(w: World) -> tuple[Terms, Terms]:
    return {"HCCT": _percent(w, 2006)}, {"other": _percent(w, _TABLE4["digit"][_row(w)])}


def _fmnist(w: World) -> tuple[Terms, Terms]:
    """The larger one of HCCT and global training; MAXFL has the same error."""
    return {"HCCT, global": _percent(w, 2998)}, {"other": _percent(w, _TABLE4["fmnist"][_row(w)])}


def _cifar(w: World) -> tuple[Terms, Terms]:
    gap = abs(_TABLE4["cifar"][_HCCT] - _TABLE4["cifar"][0])
    return {"|HCCT - independent|": _percent(w, gap)}, {"spread": _percent(w, _SPREAD4["cifar"])}


def _personal(w: World) -> tuple[Terms, Terms]:
    return {"HCCT-P": _cell(w, METHODS.index("hcct-p"))}, {"HCCT": _cell(w, _HCCT)}


def _better(spread: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """HCCT against each baseline on each data set of Table 4."""
        room = _SPREAD4[w.original("data")] if spread else 0
        return {"HCCT": _cell(w, _HCCT)}, {
            "baseline": _cell(w, _row(w)), "spread": _percent(w, room)
        }

    return sides


def _column(number: int) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        return {"HCCT": _percent(w, _TABLE5[_HCCT][number])}, {
            "other": _percent(w, _TABLE5[_row(w)][number])
        }

    return sides


def _agree(w: World) -> tuple[Terms, Terms]:
    """Means of Table 5 and the Digit column of Table 4."""
    return {"Table 5": _percent(w, _TABLE5[_row(w)][0])}, {
        "Table 4": _percent(w, _TABLE4["digit"][_row(w)])
    }


_NUMBERS = (
    "the curve: the figure's numbers are not printed and its data sets are not in the package; "
    "figures/ draws it on synthetic least squares"
)


def _claim(key: str, where: str, latex: str, title: str, family: Family, sides: Any) -> Statement:
    return Statement(
        key=f"hcct.exp.{key}", source=source(where), latex=latex, title=title, kind="claim",
        family=family, sides=sides,
    )  # fmt: skip


STATEMENTS = (
    described("exp.fig1", "data", "Figure 1", r"3\ \text{clients, CIFAR-10}", "motivating example"),
    *(
        Statement(
            key=f"hcct.exp.table2{form and '.repaired'}/{part}", source=source("Table 2"), kind="claim",
            form=form or "printed", family=_ROWS, latex=latex + mended, sides=sides(table), title=title,
        )
        for form, table, mended in (
            ("", _TABLE2, ""), ("repaired", _MENDED2, r"\quad(\text{Global: }43.54,\ 8.64)"),
        )
        for part, latex, sides, title in (
            ("mean", r"\text{mean}=\tfrac13\sum_i\text{error}_i", _means, "column of means"),
            ("std", r"\text{std of the errors}\le\text{printed std}", _deviations,
             "column of deviations"),
        )
    ),
    _claim("table2/best", "Table 2", r"\text{(1,2) has the smallest mean}", "best pattern", _ROWS, _best_mean),
    _claim("table2/each@means", "Table 2", r"\text{in (1,2) each client has its best error}",
           "best for everybody", _CELLS, _own_best(False)),
    _claim("table2/each@within-spread", "Table 2", r"\text{in (1,2) each client has its best error}",
           "best for everybody", _CELLS, _own_best(True)),
    described("exp.setup", "data", "Section 7.1", r"\text{Digit, FMNIST, CIFAR-10}", "tasks"),
    described("exp.table3", "data", "Table 3", r"\text{hyper-parameters}", "hyper-parameters"),
    _claim("table4/digit", "Table 4", r"\text{HCCT lowest on Digit, HCCT-P apart}", "Digit", _OTHERS, _digit),
    _claim("table4/fmnist", "Table 4", r"\text{HCCT and global not above the others}", "FMNIST", _OTHERS, _fmnist),
    _claim("table4/cifar", "Table 4", r"\text{HCCT like independent training}", "CIFAR-10",
           Family({}, ({"row": 0},), about="one cell"), _cifar),
    _claim("table4/personal", "Table 4", r"\text{HCCT-P}\le\text{HCCT}", "personal layers", _SETS, _personal),
    unchecked_claim("exp.table4/reasons", "Table 4", r"\text{why the baselines do worse}",
                    "explanations", "runs on the data sets: they are not in the package"),
    *(_claim(f"table5/{name}", "Table 5", rf"\text{{HCCT has the lowest {name}}}", "over clients",
             _OTHERS, _column(k)) for k, name in enumerate(("mean", "std", "min", "max"))),
    Statement(key="hcct.exp.table5/tables", source=source("Tables 4 and 5"), kind="claim",
              family=_OTHERS, relation="==", latex=r"\text{means as in Table 4}", sides=_agree,
              title="two tables"),
    unchecked_claim("exp.fig3", "Figure 3", r"\text{accuracy rises after arrivals}",
                    "clients that join later", _NUMBERS),
    unchecked_claim("exp.fig4", "Figure 4", r"\text{best }\alpha\text{ by train ratio}", "trade-off",
                    _NUMBERS),
    unchecked_claim("exp.fig5", "Figure 5", r"\text{smallest error at the largest utility}",
                    "number of groups by hand", _NUMBERS),
    unchecked_claim("exp.fig6", "Figure 6", r"\text{few collaborators are best}",
                    "groups and clients", _NUMBERS),
    Statement(key="hcct.exp.abstract/better@means", source=source("Abstract, Table 4"), kind="claim",
              latex=r"\text{HCCT}\le\text{baselines}", family=_CASES, sides=_better(False),
              title="better than the baselines"),
    Statement(key="hcct.exp.abstract/better@within-spread", source=source("Abstract, Table 4"),
              kind="claim", latex=r"\text{HCCT}\le\text{baselines}", family=_CASES,
              sides=_better(True), title="better than the baselines"),
    described("exp.baselines", "data", "Section 7.1", r"\text{six baselines}", "baselines"),
)  # fmt: skip
