"""Appendix A after the recursion: the induction that bounds it, and the form of V and E."""

from __future__ import annotations

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Array, Real, Sides
from verify.statements.aggregation import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Appendix A :: proof step
    proof.psi/induction :: induction :: \Delta_t\le\frac\psi{t+\gamma}
    proof.psi.repaired/induction :: induction without a negative factor :: \Delta_t\le\frac\psi{t+\gamma}
    proof.psi/smooth :: smoothness of F :: F(w_t)-F^\star\le\tfrac L2\|w_t-w^\star\|^2
    proof.psi/sum :: a sum for the maximum :: \max(a,b)\le a+b
    proof.psi/form :: the form of V and E :: \frac L2\frac{\gamma\Delta_0+\frac8{3\overline\rho}(C/\mu^2+D(T+\gamma)/\mu)}{T+\gamma}=\frac{\mathcal V}{T+\gamma}+\mathcal E
given
    recursion not negative :: (1-\eta_t\mu B)\Delta_t+\eta_t^2C+\eta_tD\ge0\text{ for all }t<T :: Appendix A, Delta_t = E|w_t - w*|^2
    beta mu B at most gamma :: \beta\mu B\le\gamma
    D not negative :: D\ge0,\text{ that is }\overline\rho\le\tilde\rho
""")
FREE = q.family(
    "start reached noise bias mu slack delay",
    "sequences that satisfy the recursion, free constants",
    *({"T": count} for count in (1, 2, 4)),
    start=Real(0, 8, unit=(0, 2)),
    reached=Real(0, 1, per=("T",), domain=(0, 1)),
    noise=Real(1 / 64, 8, unit=(2, -2), log=True),
    bias=Real(-8, 8, unit=(1, 0)),
    slack=Real(1 / 64, 8, log=True),
    delay=Real(1 / 8, 64, log=True),
)


def _sequence(w: World) -> tuple[Array, Array]:
    """Delta_T of a sequence below the recursion, with beta = (1 + slack)/(mu B), B = 1.

    Also the smallest right side met: a sequence exists where it is not negative.
    """
    constants = (1 + w.slack, w.mu, w.noise, w.bias, w.delay)
    return below_recursion(w, w.start, w.reached, constants, w.T)


@quantity
def below_recursion(
    w: World, start: Array, reached: Array, constants: tuple[Array, ...], count: int
) -> tuple[Array, Array]:
    """Delta_T where every number is a part of the right side, and the smallest right side."""
    factor, mu, noise, bias, delay = constants
    value, lowest = start, start
    for t in range(count):
        eta = factor / (mu * (t + delay))
        right = (1 - eta * mu) * value + eta**2 * noise + eta * bias
        lowest = xp.minimum(lowest, right)
        value = reached[..., t] * right
    return value, lowest


exists = claim.given("recursion not negative", lambda w: _sequence(w)[1])


def induction(w: World) -> Sides:
    right = closed.recursion_limit_upper(
        w.start, 1, w.mu, (1 + w.slack) / w.mu, w.noise, w.bias, w.delay, w.T
    )
    return {"Delta_T": _sequence(w)[0]}, {"psi/(T + gamma)": right}


printed = claim(
    "proof.psi/induction",
    family=FREE,
    given=[exists],
    note="""Delta_T <= psi/(T + gamma) for every sequence of non-negative numbers below the
    recursion.

    Where eta_0 mu B = beta mu B/gamma exceeds one the first factor is negative: Delta_0 = 0 allows
    Delta_1 = (beta/gamma)^2 C, above beta^2 C/((beta mu B - 1)(1 + gamma)) for small gamma.""",
)(induction)
repaired = claim(
    "proof.psi.repaired/induction",
    like=printed,
    given=[
        exists,
        claim.given("beta mu B at most gamma", lambda w: w.delay - 1 - w.slack),
        claim.given("D not negative", lambda w: w.bias),
    ],
    note="""With beta mu B <= gamma, so that no factor is negative, and D >= 0, so that psi does not
    fall.""",
    proof="""With b = beta mu B, n = t + gamma and M_n = psi_n/n, the step gives at most (1 - b/n)
    M_n + ((b-1)/n) M_n = (n-1)/n M_n <= n/(n+1) M_n <= psi_{n+1}/(n+1), as psi_n does not fall with
    n for D >= 0.""",
)(induction)


@claim(
    "proof.psi/smooth",
    over="path",
    family=q.runs(
        *(q.size(2, 1, 1, rule) for rule in ("fixed", "fedmax")), q.quiet(2, 2, 2, d=2), paced=True
    ),
    defines=q.STEPPED,
)
def smooth(w: World) -> Sides:
    """F is L-smooth and its gradient vanishes at w*."""
    right = w.beta * q.distance(w, w.rounds) / 2
    return {"F(w_t) - F*": q.suboptimality(w, w.rounds)}, {"L/2 |w_t - w*|^2": right}


@claim(
    "proof.psi/sum",
    readings=["times"],
    over="mean",
    family=lambda r: q.RUNS if "loop" in r else q.REST,
    also=lambda r: (q.TURNED,) if "loop" in r else (q.MIDDLE, q.SETTLING),
    given=[q.heterogeneous],
    defines=lambda r: q.over_horizon(r.times),
)
def sum_for_max(w: World) -> Sides:
    """a = gamma Delta_0 and b, the other entry of psi, with beta = 1/mu. The largest of two numbers
    is at most their sum if neither is negative; b is where rho-bar > rho-tilde, which a run that
    ends allows."""
    first, time = w.delay * w.distance0, w.rounds + w.delay
    noise = 32 * w.local_steps**2 * w.G2 + 6 * w.low * w.beta * w.gap + w.sigma2_max
    bias = 2 * w.gap * (w.high - w.low)
    second = (noise / w.mu**2 + bias * time / w.mu) / (3 * w.low / 8)
    return {"max": xp.maximum(first, second)}, {"a": first, "b": second}


@claim("proof.psi/form", relation="==", family=q.constants("low high time", time=Real(0, 64)))
def form(w: World) -> Sides:
    """L/2 times the sum of both entries of psi over T + gamma, beta = 1/mu and gamma = 4L/mu."""
    delay = closed.aggregation_delay(w.mu, w.smoothness)
    noise = 32 * w.local_steps**2 * w.squared_gradient + 6 * w.low * w.smoothness * w.gap + w.sigma2
    bias = 2 * w.gap * (w.high - w.low)
    steady = (noise / w.mu**2 + bias * (w.time + delay) / w.mu) / (3 * w.low / 8)
    whole = w.smoothness / 2 * (delay * w.squared_start + steady) / (w.time + delay)
    error = q.error_at(w, w.low, w.high)
    printed = q.speed_at(w, w.low) / (w.time + delay) + error
    return {"from psi": whole}, {"V/(T + gamma) + E": printed}
