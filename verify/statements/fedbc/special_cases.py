"""Methods that FedBC is said to contain: identities between server iterates on the same draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.families import QUADRATIC_BOX, quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc.common import in_domain, noiseless, open_claim, source
from verify.statements.fedbc.horizons import average_gradient, horizons, standing, still
from verify.world.world import World

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


def _servers(factor: int, local_start: str = "own") -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Server iterates of FedBC with constant multipliers and of FedProx, every coordinate.

        Proof. FedBC's local objective is f_i(x) + lambda |x - z|^2, FedProx's f_i(x) + (mu/2) |x - z|^2:
        they agree for mu = 2 lambda, and so do gradient steps from the same point.
        """
        calibrated = w.run("fedbc", multipliers=_multipliers(w), local_start=local_start).server
        proximal = w.run("fedprox", mu=factor * w.pull).server
        return {"FedBC server": calibrated}, {"FedProx server": proximal}

    return sides


def _fedavg(local_start: str) -> Rule:
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


# -- FedPD: where Algorithm 1 stands still ---------------------------------------------------------


def _limit(w: World) -> tuple[Terms, Terms]:
    """A run with gamma = 0 and multipliers at lambda_max stands still where the local gradients at
    the local models cancel, not where those at the server's model do."""
    slope = average_gradient(w)
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
    data, params = noiseless(values)
    params["start"] = xp.mean(values["starts"], axis=-2)
    constants = {"rounds": 1, "local": "gradient", "local_steps": 1}
    return Instance("quadratic", data, "fedbc", {**params, **constants})


def _l2gd(branch: str) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One local gradient step of FedBC against L2GD's: a gradient step with probability 1 - p,
        a step to the mean with probability p, and the mean of the two."""
        step = w.step_size[..., None]
        found = w.run(multipliers=_multipliers(w)).local_models[..., 0, :, 0]
        x, p = w.starts[..., 0], w.chance[..., None]
        slope = w.problem.own_gradients(w.starts)[..., 0]
        pull = 2 * w.pull[..., None] * (x - xp.mean(x)[..., None])
        moves = {"mean": slope + pull, "gradient": slope / (1 - p), "average": pull / p}
        return {"FedBC": found}, {"L2GD": x - step * moves[branch]}

    return sides


_LATEX = r"\lambda_i^t=%s\ \forall i,t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedProx}(\mu)}"
_COMMON: dict[str, Any] = {"relation": "==", "over": "path", "kind": "claim"}
_ZERO = r"\lambda_i^t=0%s:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedAvg}}"
_OPEN = "statement about the cited paper"
_PROX = "special cases, FedProx"

STATEMENTS = (
    Statement(
        key="fedbc.sp.fedavg", source=source("special cases, FedAvg"), latex=_ZERO % "",
        title="FedBC without multipliers is FedAvg", family=FREE, sides=_fedavg("own"),
        defines={"step_size": _safe_step}, **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedavg.repaired", source=source("special cases, FedAvg"), form="repaired",
        title="FedBC without multipliers and with local steps from the server is FedAvg",
        latex=_ZERO % r",\ w_i^0=z^t", family=FREE, sides=_fedavg("server"),
        defines={"step_size": _safe_step}, **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox@exact", source=source(_PROX), title="FedBC reduces to FedProx",
        latex=_LATEX % r"\mu", family=EXACT, sides=_servers(1), **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox@steps", source=source(_PROX), title="FedBC reduces to FedProx",
        latex=_LATEX % r"\mu", family=STEPS, sides=_servers(1), defines={"step_size": _safe_step},
        **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox.repaired/exact", source=source(_PROX), form="repaired",
        title="FedBC with exact local solutions is FedProx with mu = 2 lambda",
        latex=_LATEX % r"\mu/2", family=EXACT, sides=_servers(2), **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedprox.repaired/steps", source=source(_PROX), form="repaired",
        title="FedBC with local steps from the server is FedProx with mu = 2 lambda",
        latex=_LATEX % r"\mu/2", family=STEPS, sides=_servers(2, "server"),
        defines={"step_size": _safe_step}, **_COMMON,
    ),
    Statement(
        key="fedbc.sp.fedpd@limit", source=source("special cases, FedPD"), kind="claim",
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
            key=f"fedbc.sp.l2gd@{branch}", source=source("special cases, L2GD"), kind="claim",
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
)  # fmt: skip
