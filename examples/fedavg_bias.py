"""FedAvg with E local steps has a fixed point of its own: the optimum only where E = 1."""

from bounds import generic as xp
from verify import Hypothesis, Real, quadratics, statement

STEP = {"step_size": Real(1 / 64, 1, unit=(-1, 2), log=True)}
SIZE = {"N": 2, "d": 1, "rounds": 1, "method": "fedavg", "local_steps": 1}
SIZES = tuple({**SIZE, "local_steps": e} for e in (1, 2, 3))
SHORT = Hypothesis("short", r"\eta\le 1/L", lambda w: 1 - w.step_size * w.beta, "folklore")
CURVED = Hypothesis("mu > 0", r"\mu > 0", lambda w: w.problem.strong_convexity, "", True, True)


def fixed_point(w):
    kept = (1 - w.step_size[..., None] * w.problem.hessian[..., 0, 0]) ** w.local_steps  # (B, R, N)
    return xp.mean(kept), xp.total((1 - kept) * w.problem.optimum[..., 0]) / xp.total(1 - kept)


@statement(
    "fedavg.contracts",
    where="folklore",
    relation="==",
    over="mean",
    given=[SHORT, CURVED],
    family=quadratics(SIZES, STEP),
    latex=r"E x^1-\hat x=\rho(x^0-\hat x)",
)
def contracts(w):
    rate, fixed = fixed_point(w)
    return {"next": w.run().server[..., 1, 0] - fixed}, {"kept": rate * (w.start[..., 0] - fixed)}


@contracts.like("fedavg.unbiased", latex=r"\sum_k a_k(\hat x-x_k)=0", over="point")
def unbiased(w):
    a, pull = w.problem.hessian[..., 0, 0], w.problem.gradients(0 * w.start)[..., 0]
    return {"fixed": xp.total(a) * fixed_point(w)[1]}, {"optima": -xp.total(pull)}


one_step = unbiased.variant("fedavg.one_step", family=quadratics((SIZE,), STEP))
