"""Data, figures and tables: what runs would have to show, and what can be decided without them."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.fedbc_tradeoff import tolerance_tradeoff_exact
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.fedbc import tables
from verify.statements.fedbc.common import described, open_claim, source
from verify.statements.fedbc.table_sentences import NUMBERS
from verify.world.world import World

# -- the first figure: a rest point on the line ---------------------------------------------------

REST = Family(
    {
        "curvature": Real(1 / 4, 4, log=True, per=("N",)), "force": Real(1 / 4, 4, log=True),
        "scale": Real(1 / 4, 4, log=True), "top": Real(1 / 4, 4, log=True),
    },
    ({"N": 2},),
    about="two quadratics on the line where FedBC stands still",
)  # fmt: skip


def _rest(multipliers: Any, w: World) -> Any:
    """f'(z) where the clients pull with equal force: sum of curvature times force/(2 lambda)."""
    signed = w.curvature[..., 0] / multipliers[..., 0] - w.curvature[..., 1] / multipliers[..., 1]
    return xp.absolute(w.force * signed / 4)


def _figure1(w: World) -> tuple[Terms, Terms]:
    """A positive gamma lets multipliers be proportional to curvatures, and then z is optimal; with
    gamma = 0 both rise to lambda_max, and z is not, the curvatures being different."""
    free = w.scale[..., None] * w.curvature
    return {"with gamma": _rest(free, w)}, {"half of gamma = 0": _consensus(w) / 2}


def _consensus(w: World) -> Any:
    return _rest(w.top[..., None] + 0 * w.curvature, w)


def _figure1_given(w: World) -> Terms:
    return {"consensus is not optimal": _consensus(w)}


# -- the second figure: local and global loss over a common gamma, two quadratics -----------------

TWO = Family(
    {
        "curvature": Real(1 / 8, 8, log=True, per=("N",)), "apart": Real(1 / 4, 4, log=True),
        "reach": Real(0, 2), "more": Real(0, 2),
    },
    ({"N": 2},),
    about="two quadratics on the line, one tolerance",
)  # fmt: skip


def _solved(w: World, reach: Any) -> Any:
    curves = w.curvature[..., 0], w.curvature[..., 1]
    return tolerance_tradeoff_exact(curves, (w.apart, 0 * w.apart), reach)


def _local_falls(w: World) -> tuple[Terms, Terms]:
    """Proof. Distances to the own optima fall linearly in sqrt(gamma) until they are zero."""
    return {"larger gamma": _solved(w, w.reach + w.more).local}, {
        "gamma": _solved(w, w.reach).local
    }


def _global_rises(w: World) -> tuple[Terms, Terms]:
    """Proof. The excess is gamma (h_1 - h_2)^2/(4 (h_1 + h_2)), zero only for equal curvatures: on
    the training loss no positive gamma improves the server's model."""
    return {"gamma": _solved(w, w.reach).excess}, {
        "larger gamma": _solved(w, w.reach + w.more).excess
    }


# -- the data: alpha has no effect ----------------------------------------------------------------

SCORES = Family(
    {
        "features": Real(-2, 2, per=("N",)), "first": Real(-2, 2, per=("N",)),
        "second": Real(-2, 2, per=("N",)), "offset": Real(-2, 2), "other": Real(-2, 2),
        "shift": Real(-4, 4),
    },
    ({"N": 1}, {"N": 3}),
    about="two classes of one device, any features",
)  # fmt: skip


def _alpha_idle(w: World) -> tuple[Terms, Terms]:
    """u_k moves the scores of all classes alike, by u_k (1 + sum_j x_j), so that labels, and with
    them the data, do not depend on alpha.

    Proof. (W + u 11^T) x + (b + u 1) = W x + b + u (1 + sum x) 1.
    """
    shift = w.shift[..., None]
    first = xp.total((w.first + shift) * w.features) + w.offset + w.shift
    second = xp.total((w.second + shift) * w.features) + w.other + w.shift
    return {"first with u": first, "-second with u": -second}, {
        "first": xp.total(w.first * w.features) + w.offset,
        "-second": -xp.total(w.second * w.features) - w.other,
    }


_RUNS = "runs on {} are not in the package"
_SYNTHETIC = (
    "the number of rounds, the batch size, lambda^0, Lambda, the chosen steps and the law of the "
    "sizes; runs with choices of ours are in the figures fedbc_training, _users and _multipliers"
)
_FIGURES = (
    ("fig2", "Figure 2", "accuracies against a common gamma", "the data set, model and protocol"),
    ("fig3a", "Figure 3a", "train loss, E = 5", _SYNTHETIC),
    ("fig3b", "Figure 3b", "coefficients of the min and max user", _SYNTHETIC),
    ("fig3c", "Figure 3c", "multipliers against sizes", _SYNTHETIC),
    ("fig3d", "Figure 3d", "variance over devices", _SYNTHETIC),
    ("fig4", "Figure 4", "min and max user, E = 5", _SYNTHETIC),
    ("fig5-6", "Figures 5 and 6", "sizes of the data sets", "the numbers behind the bars"),
    ("fig7", "Figure 7", "train loss, multipliers, numbers of devices", _SYNTHETIC),
    ("fig8", "Figure 8", "coefficients for E = 1, 10, 25, 50", _SYNTHETIC),
    ("fig9-12", "Figures 9 to 12", "min and max user for E = 1, 10, 25, 50", _SYNTHETIC),
    ("fig13", "Figure 13", "coefficients on CIFAR-10", _RUNS.format("CIFAR-10")),
    ("fig14-15", "Figures 14 and 15", "variance over devices on CIFAR-10", _RUNS.format("CIFAR-10")),
    ("q.fair", "Section 5", "devices weighted equally", "a measure of equal weights"),
)
_TABLES = (
    ("table1", "Table 1", "accuracy on synthetic data", _SYNTHETIC),
    ("table2", "Table 2", "global accuracy, E = 5", _RUNS.format("CIFAR-10")),
    ("table3", "Table 3", "local accuracy, E = 5", _RUNS.format("CIFAR-10")),
    ("table6", "Table 6", "global accuracy, E = 1", _RUNS.format("CIFAR-10")),
    ("table7", "Table 7", "global accuracy, E = 1", _RUNS.format("MNIST")),
    ("table8", "Table 8", "global accuracy, E = 5", _RUNS.format("MNIST")),
    ("table9", "Table 9", "next characters", _RUNS.format("Shakespeare")),
)


def _devices(w: World) -> tuple[Terms, Terms]:
    """Every cell of Table 4 lists 20 devices."""
    counts = [sum(cell) for cell in tables.DEVICES]
    return {"least": min(counts)}, {"most": max(counts)}


def _classes(w: World) -> tuple[Terms, Terms]:
    """Largest number of classes of a device against the ten of the data."""
    return {"most classes": max(max(cell) for cell in tables.CLASSES)}, {"10": 10}


_DATA: dict[str, Any] = {"kind": "data", "family": NUMBERS, "source": source("Table 4")}

STATEMENTS = (
    described("exp.synthetic", "data", "Appendix E",
              r"y=\arg\max(W_kx+b_k),\ W_k,b_k\sim\mathcal N(u_k,1),\ u_k\sim\mathcal N(0,\alpha)",
              "Synthetic(alpha, beta)"),
    Statement(
        key="fedbc.exp.synthetic.refined", source=source("Appendix E"), kind="data", form="refined",
        title="labels do not depend on alpha", relation="==", family=SCORES, sides=_alpha_idle,
        latex=r"(W+u)x+(b+u)-\text{same of another class}=\text{the same with }u=0",
    ),
    described("exp.real", "data", "Appendix E", r"n_k\propto k^{-a}\ \text{or}\ a^{-k}",
              "MNIST, CIFAR-10, Shakespeare"),
    Statement(
        key="fedbc.fig1", source=source("Figure 1"), kind="figure", quantifier="some", family=REST,
        title="a positive gamma where consensus is not optimal", sides=_figure1,
        latex=r"\exists:\ |f'(z_\gamma)|\le\tfrac12|f'(z_0)|,\ f'(z_0)\ne0", given=_figure1_given,
        strict=frozenset({"consensus is not optimal"}),
    ),
    *(open_claim(key, "figure", where, r"\text{curves}", title, missing)
      for key, where, title, missing in _FIGURES),
    *(
        Statement(
            key=f"fedbc.fig2.refined/{part}", source=source("Figure 2"), kind="figure", form="refined",
            title="local against global training loss", latex=latex, family=TWO, sides=sides,
        )
        for part, latex, sides in (
            ("local", r"\gamma\le\gamma'\Rightarrow\bar f_i(x_i(\gamma'))\le\bar f_i(x_i(\gamma))",
             _local_falls),
            ("global", r"\gamma\le\gamma'\Rightarrow f(z_\gamma)\le f(z_{\gamma'})", _global_rises),
        )
    ),
    *(open_claim(key, "table", where, r"\text{accuracy}", title, missing)
      for key, where, title, missing in _TABLES),
    Statement(key="fedbc.table4/devices", title="twenty devices", latex=r"\sum m=20", relation="==",
              sides=_devices, **_DATA),
    Statement(key="fedbc.table4/classes", title="at most ten classes", latex=r"c\le10",
              sides=_classes, **_DATA),
    described("table5", "data", "Table 5", r"[\min n_k,\max n_k]", "sizes per device"),
)  # fmt: skip
