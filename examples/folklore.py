"""A wrong belief: with a short step, a second local step of FedAvg never hurts a round."""

from bounds import generic as xp
from verify import Hypothesis, Real, functions, statement

STEP = {"step_size": Real(1 / 64, 1, unit=(-1, 2), log=True)}
SHORT = Hypothesis("short step", r"\eta\le 1/L", lambda w: 1 - w.step_size * w.beta, "folklore")


@statement(
    "folklore.more_local_steps",
    where="heard in a corridor",
    given=[SHORT],
    latex=r"f(x^1_{E=2}) \le f(x^1_{E=1})",
    family=functions("smooth convex", clients=2, method="fedavg", extra=STEP),
)
def never_hurts(w):
    one, two = (w.run(local_steps=e).server[..., 1, :] for e in (1, 2))
    return {"two": xp.mean(w.problem.excess(two))}, {"one": xp.mean(w.problem.excess(one))}
