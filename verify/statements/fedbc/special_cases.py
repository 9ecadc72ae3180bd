"""Methods that FedBC is said to contain: identities between server iterates on the same draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bounds import generic as xp
from verify.families import QUADRATIC_BOX, quadratic_data, quadratics
from verify.instance import Instance
from verify.parameters import Family, Real, Shape
from verify.statement import Source, Statement, Terms
from verify.statements.fedbc.common import (
    expected,
    in_domain,
    mean_slope,
    open_claim,
    rounds_of,
    runs,
    size,
)
from verify.statements.fedbc.horizons import horizons, standing, still
from verify.world import World

Sides = Callable[[World], tuple[Terms, Terms]]

_SIZES = ((1, 1, 1), (2, 1, 1), (2, 1, 2), (2, 2, 2))
PULL = {"pull": Real(1 / 8, 8, unit=(1, -2), log=True)}
STEP = {"step_share": Real(0, 1)}


def _shapes(local: str) -> tuple[Shape, ...]:
    steps = {"local_steps": 2} if local == "gradient" else {}
    return tuple({"N": n, "d": d, "rounds": t, "local": local, **steps} for n, d, t in _SIZES)


ABOUT = "aligned quadratics, two-point noise, full participation, {}"
EXACT = quadratics(_shapes("argmin"), PULL, ABOUT.format("exact local solutions"))
STEPS = quadratics(_shapes("gradient"), {**PULL, **STEP}, ABOUT.format("two local gradient steps"))
FREE = quadratics(_shapes("gradient"), STEP, ABOUT.format("two local gradient steps"))


def _multipliers(w: World) -> Any:
    return w.pull[..., None] + 0 * w.sigma2


def _safe_step(w: World) -> Any:
    return w.step_share / (w.beta + (2 * w.pull if w.given("pull") else 0))


# -- FedProx and FedAvg --------------------------------------------------------------------------


def _servers(factor: int, local_start: str = "own") -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Server iterates of FedBC with constant multipliers and of FedProx, every coordinate.

        Proof. FedBC's local objective is f_i(x) + lambda |x - z|^2, FedProx's f_i(x) + (mu/2) |x - z|^2:
        they agree for mu = 2 lambda, and so do gradient steps from the same point.
        """
        calibrated = w.run("fedbc", multipliers=_multipliers(w), local_start=local_start).server
        proximal = w.run("fedprox", mu=factor * w.pull).server
        return {"FedBC server": calibrated}, {"FedProx server": proximal}

    return sides


def _fedavg(local_start: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        calibrated = w.run("fedbc", multipliers=0 * w.sigma2, local_start=local_start).server
        return {"FedBC server": calibrated}, {"FedAvg server": w.run("fedavg").server}

    sides.__doc__ = (
        """The plain mean stands for the server step, which is 0/0; local steps begin at the device's
own model, as Algorithm 2 prints it, so that devices never hear from each other."""
        if local_start == "own"
        else """With the plain mean for 0/0 and local steps from the server's model.

Proof. The penalty vanishes, so local steps and averages are those of FedAvg."""
    )
    return sides


# -- consensus -----------------------------------------------------------------------------------

PAIR = Family(
    {"x": Real(-2, 2), "z": Real(-2, 2), "gamma": Real(0, 4)}, about="any two models on the line"
)


def _feasible(w: World) -> tuple[Terms, Terms]:
    """|x - z|^2 <= 0 leaves x = z: the squared distance equals the tolerance."""
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"0": 0 * w.x}


def _feasible_given(w: World) -> Terms:
    return {"feasible for gamma = 0": -((w.x - w.z) ** 2)}


def _apart(w: World) -> tuple[Terms, Terms]:
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"gamma": w.gamma}


def _apart_given(w: World) -> Terms:
    return {"x and z differ": (w.x - w.z) ** 2}


def _enforced(w: World) -> tuple[Terms, Terms]:
    """Two rounds of Algorithm 1 with gamma = 0 and bounded multipliers leave the models apart."""
    last = rounds_of(w)[0][-1]
    gap = xp.largest((last.new - last.after[..., None]) ** 2)
    return {"0": 0 * gap}, {"largest gap": gap}


def _enforced_given(w: World) -> Terms:
    last = rounds_of(w)[0][-1]
    gap = xp.largest((last.new - last.after[..., None]) ** 2)
    return {**in_domain(w), "gamma = 0": -xp.largest(w.gamma), "models differ": gap}


# -- FedPD: where Algorithm 1 stands still ---------------------------------------------------------


def _limit(w: World) -> tuple[Terms, Terms]:
    """A run with gamma = 0 and multipliers at lambda_max stands still where the local gradients at
    the local models cancel, not where those at the server's model do."""
    slope = expected([mean_slope(w, r.server) ** 2 for run in rounds_of(w) for r in run])
    return {"|grad f(z)|^2": slope}, {"0": 0 * slope}


def _limit_given(w: World) -> Terms:
    return {**in_domain(w), **standing(w)}


def _at_the_top(w: World) -> Any:
    return w.multipliers[..., 0]


def _no_tolerance(w: World) -> Any:
    return 0 * w.multipliers


# -- L2GD ----------------------------------------------------------------------------------------

ONE = Family(
    {
        "curvature": QUADRATIC_BOX["curvature"], "optimum": QUADRATIC_BOX["optimum"],
        "starts": Real(-4, 4, unit=(0, 1), per=("N", "d")),
        "pull": Real(1 / 8, 8, unit=(1, -2), log=True), "step_share": Real(1 / 16, 1),
        "chance": Real(1 / 8, 7 / 8),
    },
    ({"N": 2, "d": 1}, {"N": 3, "d": 1}),
    lambda values, shape: _averaged(values, shape),
    "quadratics on the line, the server at the mean of the local models",
)  # fmt: skip


def _averaged(values: Mapping[str, Any], shape: Shape) -> Instance:
    one = values["curvature"][..., 0] * 0 + 1
    data = quadratic_data({**values, "sigma": one, "noise_share": one, "skew": one}, half=True)
    kept = {k: data[k] for k in ("A", "xi", "half")}
    params = {k: v for k, v in values.items() if k not in ("curvature", "optimum")}
    params["start"] = xp.mean(values["starts"], axis=-2)
    constants = {"rounds": 1, "local": "gradient", "local_steps": 1}
    return Instance("quadratic", {**kept, "law": "none"}, "fedbc", {**params, **constants})


def _l2gd(branch: str) -> Sides:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One local gradient step of FedBC against L2GD's: a gradient step with probability 1 - p,
        a step to the mean with probability p, and the mean of the two."""
        step = w.step_size[..., None]
        found = w.run(multipliers=w.pull[..., None] + 0 * w.sigma2).local_models[..., 0, :, 0]
        x, p = w.starts[..., 0], w.chance[..., None]
        slope = w.problem.own_gradients(w.starts)[..., 0]
        pull = 2 * w.pull[..., None] * (x - xp.mean(x)[..., None])
        moves = {"mean": slope + pull, "gradient": slope / (1 - p), "average": pull / p}
        return {"FedBC": found}, {"L2GD": x - step * moves[branch]}

    return sides


# -- minimisers ----------------------------------------------------------------------------------

TWO = Family(
    {
        "curvature": Real(1 / 8, 8, log=True, per=("N",)), "centre": Real(-2, 2, per=("N",)),
        "point": Real(-2, 2),
    },
    ({"N": 2},),
    about="two quadratics on the line",
)  # fmt: skip


def _minimiser(w: World) -> Any:
    return xp.total(w.curvature * w.centre) / xp.total(w.curvature)


def _contained(w: World) -> tuple[Terms, Terms]:
    """Where the minimiser of the sum minimises every term, that is where all centres coincide, it
    is every client's minimiser.

    Proof. A weighted mean of equal centres is that centre; equal losses have equal centres.
    """
    return {"minimiser of the sum": _minimiser(w)[..., None] + 0 * w.centre}, {"own": w.centre}


def _coincide(w: World) -> Terms:
    apart = (w.centre[..., 0] - w.centre[..., 1]) ** 2
    return {"one minimiser": -apart}


def _same_losses(w: World) -> tuple[Terms, Terms]:
    """Quadratics of different curvature share a minimiser; equal distributions would give equal
    losses."""
    losses = w.curvature * (w.point[..., None] - w.centre) ** 2 / 2
    return {"f_1": losses[..., 0]}, {"f_2": losses[..., 1]}


def _shared(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one centre."""
    centre = values["centre"][:, :1] + 0 * values["centre"]
    return Instance("numbers", {}, None, {**values, "centre": centre}, {})


SHARED = Family(TWO.box, TWO.shapes, _shared, "two quadratics with one minimiser")


_LATEX = r"\lambda_i^t=%s\ \forall i,t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedProx}(\mu)}"
_COMMON: dict[str, Any] = {"relation": "==", "over": "path", "kind": "claim"}
_ZERO = r"\lambda_i^t=0%s:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedAvg}}"
_OPEN = "statement about the cited paper"


def _source(what: str = "special cases, FedProx") -> Source:
    return Source("fedbc", what)


STATEMENTS = (
    Statement(
        key="fedbc.sp.consensus/zero", source=_source("Section 2"), title="gamma = 0 is consensus",
        latex=r"\|x_i-z\|^2\le0\Rightarrow x_i=z", family=PAIR, sides=_feasible, kind="claim",
        given=_feasible_given, relation="==",
    ),
    Statement(
        key="fedbc.sp.consensus/beyond", source=_source("Section 2"), title="gamma > 0 is not",
        latex=r"\exists x_i\ne z:\ \|x_i-z\|^2\le\gamma_i", family=PAIR, sides=_apart, kind="claim",
        given=_apart_given, strict=frozenset({"x and z differ"}), quantifier="some",
    ),
    Statement(
        key="fedbc.sp.consensus.refined", source=_source("Section 2"), form="refined", kind="claim",
        title="Algorithm 1 with gamma = 0 leaves models apart", quantifier="some",
        latex=r"\exists:\ \gamma_i=0,\ \max_i\|x_i^T-z^T\|>0", sides=_enforced,
        given=_enforced_given, strict=frozenset({"models differ"}),
        family=runs(size(2, 2, rounds=2), domain="wide"),
    ),
    Statement(
        key="fedbc.sp.fedavg", source=_source("special cases, FedAvg"), latex=_ZERO % "",
        title="FedBC without multipliers is FedAvg", family=FREE, sides=_fedavg("own"),
        defines={"step_size": _safe_step}, **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedavg.repaired", source=_source("special cases, FedAvg"), form="repaired",
        title="FedBC without multipliers and with local steps from the server is FedAvg",
        latex=_ZERO % r",\ w_i^0=z^t", family=FREE, sides=_fedavg("server"),
        defines={"step_size": _safe_step}, **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox@exact", source=_source(), title="FedBC reduces to FedProx",
        latex=_LATEX % r"\mu", family=EXACT, sides=_servers(1), **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox@steps", source=_source(), title="FedBC reduces to FedProx",
        latex=_LATEX % r"\mu", family=STEPS, sides=_servers(1), defines={"step_size": _safe_step},
        **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox.repaired/exact", source=_source(), form="repaired",
        title="FedBC with exact local solutions is FedProx with mu = 2 lambda",
        latex=_LATEX % r"\mu/2", family=EXACT, sides=_servers(2), **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox.repaired/steps", source=_source(), form="repaired",
        title="FedBC with local steps from the server is FedProx with mu = 2 lambda",
        latex=_LATEX % r"\mu/2", family=STEPS, sides=_servers(2, "server"),
        defines={"step_size": _safe_step}, **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedpd@limit", source=_source("special cases, FedPD"), kind="claim",
        title="limit point of FedPD", latex=r"\gamma_i=0,\ z^{t+1}=z^t\Rightarrow\nabla f(z^t)=0",
        sides=_limit, relation="==", given=_limit_given,
        family=horizons(still("well"), still("hump"), domain="wide"),
        defines={"gamma": _no_tolerance, "lambda_max": _at_the_top},
    ),
    open_claim(
        "sp.fedpd@version", "claim", "special cases, FedPD", r"\gamma_i=0,\ S=N",
        "a version of FedPD", "what counts as a version; the reading by limit points is another leaf",
    ),
    *(
        Statement(
            key=f"fedbc.sp.l2gd@{branch}", source=_source("special cases, L2GD"), kind="claim",
            title="one local step is L2GD", relation="==", family=ONE, sides=_l2gd(branch),
            latex=r"\lambda_i=c,\ K_i=1:\quad x_i^{t+1}=x_i^t-\beta(\nabla f_i(x_i^t)+2c(x_i^t-\bar x^t))",
            defines={"step_size": _safe_step},
        )
        for branch in ("mean", "gradient", "average")
    ),
    open_claim("sp.ditto", "claim", "special cases, Ditto", r"\lambda_i=c,\ K_i=1",
               "Ditto with constant multipliers", _OPEN),
    open_claim("sp.novel", "claim", "after Theorem 4.5", r"\mathcal S_t",
               "device sampling new in a primal-dual framework", "a survey of the literature"),
    Statement(
        key="fedbc.sp.minimisers/contained", source=_source("Section 2"), kind="claim",
        title="objectives coincide where minimisers are shared", relation="==", sides=_contained,
        latex=r"\operatorname{argmin}\sum_if_i\subset\operatorname{argmin}f_i", family=SHARED,
        given=_coincide,
    ),
    Statement(
        key="fedbc.sp.minimisers/distributions", source=_source("Section 2"), kind="claim",
        title="shared minimisers only with equal distributions", relation="==", family=SHARED,
        latex=r"\operatorname{argmin}f_1=\operatorname{argmin}f_2\Rightarrow f_1=f_2",
        sides=_same_losses, given=_coincide,
    ),
    Statement(
        key="fedbc.sp.minimisers.repaired", source=_source("Section 2"), form="repaired",
        title="equal losses share their minimisers", relation="==", sides=_contained, kind="claim",
        latex=r"f_1=f_2\Rightarrow\operatorname{argmin}f_1=\operatorname{argmin}\sum_if_i",
        family=SHARED, given=_coincide,
    ),
    open_claim("abstract", "claim", "Abstract", r"\lim_T\|\nabla f(z^T)\|",
               "rates that match the state of the art up to a tolerance term",
               "which methods and which of their rates are compared"),
)  # fmt: skip
