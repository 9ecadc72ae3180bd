"""Methods that FedBC is said to contain: identities between server iterates on the same draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bounds import generic as xp
from verify.claim.families import QUADRATIC_BOX, noiseless, quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Sides, open_claim, statement
from verify.statements.fedbc.common import Array
from verify.statements.fedbc.conditions import in_domain
from verify.statements.fedbc.horizons import STANDING, average_gradient, horizons, still
from verify.world.world import World

PULL = {"pull": Real(1 / 8, 8, unit=(1, -2), log=True)}
STEP = {"step_share": Real(0, 1)}


def _shapes(local: str) -> tuple[Shape, ...]:
    steps = {"local_steps": 2} if local == "gradient" else {}
    sizes = ((1, 1, 1), (2, 1, 1), (2, 1, 2), (2, 2, 2))
    return tuple({"N": n, "d": d, "rounds": t, "local": local, **steps} for n, d, t in sizes)


ABOUT = "aligned quadratics, two-point noise, full participation, {}"
EXACT = quadratics(_shapes("argmin"), PULL, ABOUT.format("exact local solutions"))
STEPS = quadratics(_shapes("gradient"), {**PULL, **STEP}, ABOUT.format("two local gradient steps"))
FREE = quadratics(_shapes("gradient"), STEP, ABOUT.format("two local gradient steps"))


def _multipliers(w: World) -> Array:
    return w.pull[..., None] + 0 * w.sigma2


def _safe_step(w: World) -> Array:
    return w.step_share / (w.beta + (2 * w.pull if w.given("pull") else 0))


# -- FedAvg and FedProx --------------------------------------------------------------------------


def _fedavg(w: World, local_start: str) -> Sides:
    calibrated = w.run("fedbc", multipliers=0 * w.sigma2, local_start=local_start).server
    return {"FedBC server": calibrated}, {"FedAvg server": w.run("fedavg").server}


fedavg = statement(
    "fedbc.sp.fedavg", where="special cases, FedAvg", kind="claim", relation="==", over="path",
    title="FedBC without multipliers is FedAvg", family=FREE, defines={"step_size": _safe_step},
    latex=r"\lambda_i^t=0:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedAvg}}",
    note="""The plain mean stands for the server step, which is 0/0; local steps begin at the device's
    own model, as Algorithm 2 prints it, so that devices never hear from each other.""",
)(partial(_fedavg, local_start="own"))

fedavg_repaired = fedavg.like(
    "fedbc.sp.fedavg.repaired",
    title="FedBC without multipliers and with local steps from the server is FedAvg",
    latex=r"\lambda_i^t=0,\ w_i^0=z^t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedAvg}}",
    note="With the plain mean for 0/0 and local steps from the server's model.",
    proof="The penalty vanishes, so local steps and averages are those of FedAvg.",
)(partial(_fedavg, local_start="server"))


def _fedprox(w: World, factor: int, local_start: str = "own") -> Sides:
    calibrated = w.run("fedbc", multipliers=_multipliers(w), local_start=local_start).server
    proximal = w.run("fedprox", mu=factor * w.pull).server
    return {"FedBC server": calibrated}, {"FedProx server": proximal}


FEDPROX = tuple(
    fedavg.like(
        f"fedbc.sp.fedprox{key}", where="special cases, FedProx", title=title, family=family,
        defines={"step_size": _safe_step} if family is STEPS else {},
        latex=rf"\lambda_i^t={mu}\ \forall i,t:\quad z^t_{{\mathrm{{FedBC}}}}=z^t_{{\mathrm{{FedProx}}(\mu)}}",
        note="Server iterates of FedBC with constant multipliers and of FedProx, every coordinate.",
        proof="""FedBC's local objective is f_i(x) + lambda |x - z|^2, FedProx's f_i(x) + (mu/2)
        |x - z|^2: they agree for mu = 2 lambda, and so do gradient steps from the same point.""",
    )(sides)
    for key, title, mu, family, sides in (
        ("@exact", "FedBC reduces to FedProx", r"\mu", EXACT, partial(_fedprox, factor=1)),
        ("@steps", "FedBC reduces to FedProx", r"\mu", STEPS, partial(_fedprox, factor=1)),
        (".repaired/exact", "FedBC with exact local solutions is FedProx with mu = 2 lambda",
         r"\mu/2", EXACT, partial(_fedprox, factor=2)),
        (".repaired/steps", "FedBC with local steps from the server is FedProx with mu = 2 lambda",
         r"\mu/2", STEPS, partial(_fedprox, factor=2, local_start="server")),
    )
)

# -- FedPD: where Algorithm 1 stands still ---------------------------------------------------------


@statement(
    "fedbc.sp.fedpd@limit", where="special cases, FedPD", kind="claim", relation="==",
    title="limit point of FedPD", latex=r"\gamma_i=0,\ z^{t+1}=z^t\Rightarrow\nabla f(z^t)=0",
    family=horizons(still("well"), still("hump"), domain="wide"), given=[in_domain, *STANDING],
    defines={"gamma": lambda w: 0 * w.multipliers, "lambda_max": lambda w: w.multipliers[..., 0]},
    note="""A run with gamma = 0 and multipliers at lambda_max stands still where the local gradients
    at the local models cancel, not where those at the server's model do.""",
)
def fedpd(w: World) -> Sides:
    slope = average_gradient(w)
    return {"|grad f(z)|^2": slope}, {"0": 0 * slope}


# -- L2GD ----------------------------------------------------------------------------------------


def _averaged(values: Mapping[str, Any], shape: Shape) -> Instance:
    params = {k: v for k, v in values.items() if k not in ("curvature", "optimum")}
    params["start"] = xp.mean(values["starts"], axis=-2)
    constants = {"rounds": 1, "local": "gradient", "local_steps": 1}
    return Instance("quadratic", noiseless(values), "fedbc", {**params, **constants})


ONE = Family(
    {
        "curvature": QUADRATIC_BOX["curvature"], "optimum": QUADRATIC_BOX["optimum"],
        "starts": Real(-4, 4, unit=(0, 1), per=("N", "d")), **PULL,
        "step_share": Real(1 / 16, 1), "chance": Real(1 / 8, 7 / 8),
    },
    ({"N": 2, "d": 1}, {"N": 3, "d": 1}),
    _averaged,
    "quadratics on the line, the server at the mean of the local models",
)


def _l2gd(w: World, branch: str) -> Sides:
    step = w.step_size[..., None]
    found = w.run(multipliers=_multipliers(w)).local_models[..., 0, :, 0]
    x, p = w.starts[..., 0], w.chance[..., None]
    slope = w.problem.own_gradients(w.starts)[..., 0]
    pull = 2 * w.pull[..., None] * (x - xp.mean(x)[..., None])
    moves = {"mean": slope + pull, "gradient": slope / (1 - p), "average": pull / p}
    return {"FedBC": found}, {"L2GD": x - step * moves[branch]}


L2GD = tuple(
    statement(
        f"fedbc.sp.l2gd@{branch}", where="special cases, L2GD", kind="claim", relation="==",
        title="one local step is L2GD", family=ONE, defines={"step_size": _safe_step},
        latex=r"\lambda_i=c,\ K_i=1:\quad x_i^{t+1}=x_i^t-\beta(\nabla f_i(x_i^t)+2c(x_i^t-\bar x^t))",
        note="""One local gradient step of FedBC against L2GD's: a gradient step with probability
        1 - p, a step to the mean with probability p, and the mean of the two.""",
    )(partial(_l2gd, branch=branch))
    for branch in ("mean", "gradient", "average")
)

OPEN = tuple(
    open_claim(f"fedbc.sp.{name}", "claim", where, latex, title, missing)
    for name, where, latex, title, missing in (
        ("fedpd@version", "special cases, FedPD", r"\gamma_i=0,\ S=N", "a version of FedPD",
         "what counts as a version; the reading by limit points is another leaf"),
        ("ditto", "special cases, Ditto", r"\lambda_i=c,\ K_i=1",
         "Ditto with constant multipliers", "statement about the cited paper"),
        ("novel", "after Theorem 4.5", r"\mathcal S_t",
         "device sampling new in a primal-dual framework", "a survey of the literature"),
    )
)
