"""Special cases: methods that FedBC is said to contain, as identities between server iterates on
the same draws; when consensus is asked for, and when local and global minimisers coincide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import (
    QUADRATIC_BOX,
    Array,
    Family,
    Hypothesis,
    Instance,
    Real,
    Shape,
    Sides,
    noiseless,
    numbers,
    quadratics,
)
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Section 2 :: claim
    sp.consensus/zero :: gamma = 0 is consensus :: \|x_i-z\|^2\le0\Rightarrow x_i=z
    sp.consensus/beyond :: gamma > 0 is not :: \exists x_i\ne z:\ \|x_i-z\|^2\le\gamma_i
    sp.consensus.refined :: Algorithm 1 with gamma = 0 leaves models apart :: \exists:\ \gamma_i=0,\ \max_i\|x_i^T-z^T\|>0
    sp.minimisers/contained :: objectives coincide where minimisers are shared :: \operatorname{argmin}\sum_if_i\subset\operatorname{argmin}f_i
    sp.minimisers/distributions :: shared minimisers only with equal distributions :: \operatorname{argmin}f_1=\operatorname{argmin}f_2\Rightarrow f_1=f_2
    sp.minimisers.repaired :: equal losses share their minimisers :: f_1=f_2\Rightarrow\operatorname{argmin}f_i=\operatorname{argmin}\sum_jf_j
special cases, FedAvg :: claim
    sp.fedavg :: FedBC without multipliers is FedAvg :: \lambda_i^t=0:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedAvg}}
    sp.fedavg.repaired :: FedBC without multipliers and with local steps from the server is FedAvg :: \lambda_i^t=0,\ w_i^0=z^t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedAvg}}
special cases, FedProx :: claim
    sp.fedprox@half-mu :: FedBC with half of mu reduces to FedProx :: \lambda_i^t=\tfrac\mu2\ \forall i,t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedProx}(\mu)}
    sp.fedprox@whole-mu :: FedBC reduces to FedProx :: \lambda_i^t=\mu\ \forall i,t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedProx}(\mu)}
    sp.fedprox.repaired :: FedBC with local steps from the server is FedProx with mu = 2 lambda :: \lambda_i^t=\mu/2\ \forall i,t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedProx}(\mu)}
special cases, FedPD :: claim
    sp.fedpd.refined :: where Algorithm 1 with gamma = 0 may stand still :: \exists:\ \gamma_i=0,\ z^{t+1}=z^t,\ \lambda_i^{t+1}=\lambda_i^t,\ \|\nabla f(z^t)\|^2>0
special cases, L2GD :: claim
    sp.l2gd/gradient :: one local step is L2GD :: \lambda_i=c,\ K_i=1:\quad x_i^{t+1}=x_i^t-\tfrac\beta{1-p}\nabla f_i(x_i^t)
    sp.l2gd/average :: one local step is L2GD :: \lambda_i=c,\ K_i=1:\quad x_i^{t+1}=x_i^t-\tfrac{2c\beta}p(x_i^t-\bar x^t)
    sp.l2gd.repaired :: one local step is L2GD's in the mean :: \lambda_i=c,\ K_i=1:\quad x_i^{t+1}=x_i^t-\beta(\nabla f_i(x_i^t)+2c(x_i^t-\bar x^t))
given
    x and z differ :: x_i\ne z :: after (7), 'different from each other'
    models differ :: \max_i\|x_i^T-z^T\|>0
    contained :: \operatorname{argmin}\sum_jf_j\subset\operatorname{argmin}f_i\ \forall i :: Section 2
    equal losses :: f_1=f_2
    the run stands still :: z^{t+1}=z^t,\ \lambda_i^{t+1}=\lambda_i^t
    not stationary :: \nabla f(z^t)\ne0
""")

# -- consensus (Section 2) -----------------------------------------------------------------------


@claim(
    "sp.consensus/zero",
    relation="==",
    family=numbers(
        {"x": Real(-2, 2), "z": Real(-2, 2), "gamma": Real(0, 4)},
        about="any two models on the line",
    ),
    given=[
        Hypothesis(
            "feasible for gamma = 0",
            r"\|x_i-z\|^2\le\gamma_i=0",
            lambda w: -((w.x - w.z) ** 2),
            "(7)",
        )
    ],
)
def consensus(w: World) -> Sides:
    """|x - z|^2 <= 0 leaves x = z: the squared distance equals the tolerance."""
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"0": 0 * w.x}


@claim(
    "sp.consensus/beyond",
    like=consensus,
    relation="<=",
    quantifier="some",
    given=[claim.given("x and z differ", lambda w: (w.x - w.z) ** 2, strict=True)],
)
def beyond_consensus(w: World) -> Sides:
    return {"|x - z|^2": (w.x - w.z) ** 2}, {"gamma": w.gamma}


def _largest_gap(w: World) -> Array:
    """Largest squared distance from the server's last model."""
    return xp.largest(q.rounds_of(w)[0][-1].spread)


@claim(
    "sp.consensus.refined",
    quantifier="some",
    family=q.runs(q.size(2, 2, rounds=2), domain="above"),
    given=[
        q.in_domain,
        Hypothesis(
            "gamma = 0", r"\gamma_i=0\ \forall i", lambda w: -xp.largest(w.gamma), "Section 2"
        ),
        claim.given("models differ", _largest_gap, strict=True),
    ],
)
def left_apart(w: World) -> Sides:
    """Two rounds of Algorithm 1 with gamma = 0 and bounded multipliers leave the models apart."""
    gap = _largest_gap(w)
    return {"0": 0 * gap}, {"largest gap": gap}


def _shared(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with one centre."""
    centre = values["centre"][:, :1] + 0 * values["centre"]
    return Instance("numbers", {}, None, {**values, "centre": centre}, {})


def _alike(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two quadratics, the centres ``other`` apart."""
    first, same = values["centre"][:, 0], values["curvature"][:, :1]
    centre = xp.stack([first, first + values["other"]], -1)
    rest = {k: v for k, v in values.items() if k != "other"}
    both = {"centre": centre, "curvature": same + 0 * values["curvature"]}
    return Instance("numbers", {}, None, {**rest, **both}, {})


_LOSSES = {
    "curvature": Real(1 / 8, 8, log=True, per=("N",)),
    "centre": Real(-2, 2, per=("N",)),
    "point": Real(-2, 2),
}
SHARED = Family(_LOSSES, ({"N": 2},), _shared, "two quadratics with one minimiser")
TWO = Family({**_LOSSES, "other": Real(0, 1 / 8)}, ({"N": 2},), _alike, "two quadratics")


def _minimiser(w: World) -> Array:
    """Of the sum of the losses, (B, 1)."""
    return xp.total(w.curvature * w.centre) / xp.total(w.curvature)


@claim(
    "sp.minimisers/contained",
    relation="==",
    family=SHARED,
    given=[claim.given("contained", lambda w: -((_minimiser(w)[..., None] - w.centre) ** 2))],
)
def contained(w: World) -> Sides:
    """Where the minimiser of the sum minimises every loss, no device loses by sharing it: its loss
    there is its own least one."""
    shared = w.curvature * (_minimiser(w)[..., None] - w.centre) ** 2 / 2
    return {"f_i at the shared minimiser": 1 + shared}, {"least f_i": 1 + 0 * w.centre}


@claim("sp.minimisers/distributions", like=contained)
def same_losses(w: World) -> Sides:
    """Quadratics of different curvature share a minimiser; equal distributions would give equal
    losses."""
    losses = w.curvature * (w.point[..., None] - w.centre) ** 2 / 2
    return {"f_1": losses[..., 0]}, {"f_2": losses[..., 1]}


@claim(
    "sp.minimisers.repaired",
    like=contained,
    family=TWO,
    given=[
        claim.given(
            "equal losses",
            lambda w: (
                -xp.absolute(w.centre[..., 0] - w.centre[..., 1])
                - xp.absolute(w.curvature[..., 0] - w.curvature[..., 1])
            ),
        )
    ],
)
def equal_losses(w: World) -> Sides:
    """The converse, which is true: equal distributions, hence equal losses, suffice.

    Proof. A weighted mean of equal centres is that centre."""
    return {"minimiser of the sum": _minimiser(w)[..., None] + 0 * w.centre}, {"own": w.centre}


# -- methods as special cases --------------------------------------------------------------------

PULL = {"pull": Real(1 / 8, 8, unit=(1, -2), log=True)}
STEP = {"step_share": Real(0, 1)}
SIZES = ((1, 1, 1), (2, 1, 1), (2, 1, 2), (2, 2, 2))


def _family(solved: bool, extra: Mapping[str, Real]) -> Family:
    """Quadratics with exact local solutions, or with two local gradient steps."""
    local = {"local": "argmin"} if solved else {"local": "gradient", "local_steps": 2}
    shapes = tuple({"N": n, "d": d, "rounds": t, **local, "method": "fedbc"} for n, d, t in SIZES)
    how = "exact local solutions" if solved else "two local gradient steps"
    about = f"aligned quadratics, two-point noise, full participation, {how}"
    return quadratics(shapes, extra, about)


EXACT, STEPS, FREE = _family(True, PULL), _family(False, {**PULL, **STEP}), _family(False, STEP)


def _multipliers(w: World) -> Array:
    return w.pull[..., None] + 0 * w.sigma2


def _step(w: World) -> Array:
    """Any step, in terms of 1/(L + 2 lambda); exact local solutions take none."""
    if not w.given("step_share"):
        return 0 * w.beta
    return w.step_share / (w.beta + (2 * w.pull if w.given("pull") else 0))


def _fedavg(w: World, local_start: str) -> Sides:
    calibrated = w.run("fedbc", multipliers=0 * w.sigma2, local_start=local_start).server
    return {"FedBC server": calibrated}, {"FedAvg server": w.run("fedavg").server}


@claim("sp.fedavg", relation="==", over="path", family=FREE, defines={"step_size": _step})
def fedavg(w: World) -> Sides:
    """The plain mean stands for the server step, which is 0/0; local steps begin at the device's
    own model, as Algorithm 2 prints it, so that devices never hear from each other."""
    return _fedavg(w, "own")


@claim("sp.fedavg.repaired", like=fedavg)
def fedavg_repaired(w: World) -> Sides:
    """With the plain mean for 0/0 and local steps from the server's model.

    Proof. The penalty vanishes, so local steps and averages are those of FedAvg."""
    return _fedavg(w, "server")


SERVERS = "Server iterates of FedBC with constant multipliers and of FedProx, every coordinate."
AGREE = """FedBC's local objective is f_i(x) + lambda |x - z|^2, FedProx's f_i(x) + (mu/2) |x - z|^2:
they agree for mu = 2 lambda, """


def _fedprox(w: World, factor: int, local_start: str) -> Sides:
    calibrated = w.run("fedbc", multipliers=_multipliers(w), local_start=local_start).server
    proximal = w.run("fedprox", mu=factor * w.pull).server
    return {"FedBC server": calibrated}, {"FedProx server": proximal}


@claim(
    "sp.fedprox@whole-mu",
    relation="==",
    over="path",
    family=EXACT,
    also=(STEPS,),
    defines={"step_size": _step},
    note=f"""{SERVERS} {AGREE}not mu = lambda. Exact local solutions; with local steps they also
    begin at different points.""",
)
def fedprox(w: World) -> Sides:
    return _fedprox(w, 1, "own")


@claim(
    "sp.fedprox@half-mu",
    like=fedprox,
    family=STEPS,
    also=(EXACT,),
    note=f"""{SERVERS} With mu = 2 lambda the objectives agree, and exact local solutions do too;
    local steps begin at the device's own model in Algorithm 2, at the server's in FedProx.""",
)
def fedprox_halved(w: World) -> Sides:
    return _fedprox(w, 2, "own")


@claim(
    "sp.fedprox.repaired",
    like=fedprox,
    family=STEPS,
    also=(EXACT,),
    note=SERVERS,
    proof=f"{AGREE}and so do their minimisers, and gradient steps from the same point.",
)
def fedprox_repaired(w: World) -> Sides:
    return _fedprox(w, 2, "server")


@claim(
    "sp.fedpd.refined",
    quantifier="some",
    family=q.horizons(q.still("well"), q.still("hump"), domain="above"),
    given=[
        q.in_domain,
        claim.given("the run stands still", lambda w: xp.indicator(q.stands(w), w.lambda_min) - 1),
        claim.given("not stationary", q.average_gradient, strict=True),
    ],
    defines={"gamma": lambda w: 0 * w.multipliers, "lambda_max": lambda w: w.multipliers[..., 0]},
)
def fedpd(w: World) -> Sides:
    """A run with gamma = 0 and multipliers at lambda_max stands still where the local gradients at
    the local models cancel, not where those at the server's model do."""
    slope = q.average_gradient(w)
    return {"0": 0 * slope}, {"|grad f(z)|^2": slope}


def _averaged(values: Mapping[str, Any], shape: Shape) -> Instance:
    params = {k: v for k, v in values.items() if k not in ("curvature", "optimum")}
    params["start"] = xp.mean(values["starts"], axis=-2)
    constants = {"rounds": 1, "local": "gradient", "local_steps": 1}
    return Instance("quadratic", noiseless(values), "fedbc", {**params, **constants})


ONE = Family(
    {
        "curvature": QUADRATIC_BOX["curvature"],
        "optimum": QUADRATIC_BOX["optimum"],
        "starts": Real(-4, 4, unit=(0, 1), per=("N", "d")),
        **PULL,
        "step_share": Real(1 / 16, 1),
        "chance": Real(1 / 8, 7 / 8, domain=(0, 1)),
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


@claim("sp.l2gd/gradient", relation="==", family=ONE, defines={"step_size": _step})
def l2gd_gradient(w: World) -> Sides:
    """One local gradient step of FedBC against the step that L2GD, as its own paper has it, takes
    with chance 1 - p; that step has no part towards the mean, whatever its size."""
    return _l2gd(w, "gradient")


@claim("sp.l2gd/average", like=l2gd_gradient)
def l2gd_average(w: World) -> Sides:
    """Against the step to the mean that L2GD takes with chance p."""
    return _l2gd(w, "average")


@claim("sp.l2gd.repaired", like=l2gd_gradient)
def l2gd_mean(w: World) -> Sides:
    """Proof. z^t is the mean of the x_i^t; the chances 1 - p and p cancel in the mean of both
    steps."""
    return _l2gd(w, "mean")


LISTED = q.listed(r"""
claim :: sp.fedpd :: special cases, FedPD :: \gamma_i=0,\ S=N :: a version of FedPD :: what counts as a version; where the algorithm may stand still is the refined form
claim :: sp.ditto :: special cases, Ditto :: \lambda_i=c,\ K_i=1 :: Ditto with constant multipliers :: statement about the cited paper
claim :: sp.novel :: after Theorem 4.5 :: \mathcal S_t :: device sampling new in a primal-dual framework :: a survey of the literature
""")
