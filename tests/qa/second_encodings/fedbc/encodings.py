"""Second encodings of the main results of "FedBC" on its global performance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from tests.qa.second_encodings.fedbc import local
from tests.qa.second_encodings.fedbc.quantities import Rounds, sampled
from tests.qa.second_encodings.record import Second

Margins = dict[str, Callable[[Any], Any]]

STILL = 1e-9
"""Share by which rounding moves what stands still."""
DOMAIN = (
    "X is the least interval that holds the run and, of each Lagrangian met, the stationary point "
    "(other: a set that holds one for every z in X and every multiplier of Lambda). R, delta and "
    "z^* belong to X. epsilon is what the local solves leave, the largest over devices and rounds."
)
LETTER = (
    " G is 16 R^4 + gamma_i^2 (37) with the largest gamma_i wherever the letter stands, squared as "
    "printed (other: per device; the gradient bound of (81))."
)
SAMPLING = " Devices outside the sample keep model and multiplier unless the world says otherwise."


def rounds_of(w: Any) -> Rounds:
    """The run, followed once."""
    found: Rounds = w.once(Rounds)
    return found


# -- (17) to (19): numbers, f_i(x) = c_i (x - m_i)^2 / 2 ------------------------------------------


def _own(w: Any, model: Any, server: Any, multiplier: Any) -> Any:
    """L_i of (8), (B, 1, N)."""
    loss = w.curvature * (model - w.centre) ** 2 / 2
    return loss + multiplier * ((model - server) ** 2 - w.gamma)


def _slope(rule: Callable[[Any], Any]) -> Any:
    """Derivative at 0 of a quadratic, from its values at 1 and -1."""
    return (rule(1) - rule(-1)) / 2


def by_model(w: Any) -> Any:
    """(17), for every device."""
    z, lam = w.server[..., None], w.multiplier
    left = _slope(lambda h: _own(w, w.model + h, z, lam))
    right = w.curvature * (w.model - w.centre) + 2 * lam * (w.model - z)
    return {"derivative": left}, {"gradient": right}


def by_server(w: Any) -> Any:
    """(18): the left side of one device, the right side summed over all."""
    z = w.server[..., None]
    left = _slope(lambda h: _own(w, w.model, z + h, w.multiplier))
    total = -(2 * w.multiplier * (w.model - z)).sum(-1)
    return {"derivative": left}, {"gradient": total[..., None] + 0 * left}


def by_multiplier(w: Any) -> Any:
    """(19), for every device."""
    z = w.server[..., None]
    left = _slope(lambda h: _own(w, w.model, z, w.multiplier + h))
    return {"derivative": left}, {"gradient": (w.model - z) ** 2 - w.gamma}


# -- Lemma B.1 -----------------------------------------------------------------------------------


def lemma_b1_first(w: Any) -> Any:
    """(20) in the last round that is run."""
    r, t = rounds_of(w), int(w.rounds) - 1
    away = r.x[t] - r.z[t][..., None]
    slope = r.gradient(r.x[t]) + 2 * r.multiplier[t] * away
    moved = w.mean(((r.x[t + 1] - r.x[t]) ** 2).sum(-1) / r.N)
    factor = 2 * (r.L + 2 * w.lambda_max) ** 2
    return {"gradients": w.mean((slope**2).sum(-1) / r.N)}, {
        "moved": factor * moved,
        "residual": factor * r.epsilon,
    }


def lemma_b1_second(w: Any) -> Any:
    """(21) in the last round that is run."""
    r, t = rounds_of(w), int(w.rounds) - 1
    fall = (r.lagrangian(t) - r.lagrangian(t + 1)).sum(-1) / r.N
    apart = ((r.x[t + 1] - r.z[t + 1][..., None]) ** 2).sum(-1) / r.N
    return {"moved": w.mean(((r.x[t + 1] - r.x[t]) ** 2).sum(-1) / r.N)}, {
        "fall": w.mean(fall),
        "residual": r.epsilon / (2 * r.L),
        "step": w.dual_step * r.printed_G**2,
        "consensus": w.lambda_max * (w.mean(apart) if w.has("mean_last") else apart),
    }


# -- Lemma B.2 and Theorem 4.5 -------------------------------------------------------------------


def _consensus_bound(w: Any, r: Rounds, factor: Any) -> dict[str, Any]:
    """The two terms of (65) divided by T, the first times a factor."""
    scale = int(w.S) * (r.N - 1) / (r.C0**2 * r.N**2)
    return {
        "epsilon": factor * r.epsilon * scale * (1 / (1 + r.stiffness) ** 2).sum(-1),
        "delta^2": r.delta**2 * scale * (1 / (1 + r.stiffness) ** 4).sum(-1),
    }


def lemma_b2(w: Any) -> Any:
    """(44) with the constants of (65), over all devices; with `orders`, one for each of them."""
    r = rounds_of(w)
    apart = [((x - z[..., None]) ** 2).sum(-1) / r.N for x, z in zip(r.x[1:], r.z[1:], strict=True)]
    orders = {"epsilon": r.epsilon, "delta^2": r.delta**2}
    right = orders if w.has("orders") else _consensus_bound(w, r, 1)
    return {"consensus": sum(w.mean(a) for a in apart) / r.T}, right


def _length(w: Any) -> Any:
    """T: a round that ends where it began counts as often as the world says."""
    if not w.has("horizon"):
        return int(w.rounds)
    return xp.where(_still(w), w.horizon + 0 * w.dual_step, int(w.rounds) + 0 * w.dual_step)


def _global(w: Any, r: Rounds) -> dict[str, Any]:
    """(1/T) sum_{t<T} E|f'(z^t)|^2; where rounds stand still, all of them look like the first."""
    squares = [w.mean(r.mean_gradient(r.z[t]) ** 2) for t in range(r.T)]
    return {"gradients": sum(squares) / r.T}


def _initial(w: Any, r: Rounds) -> Any:
    """B_0 of (88)."""
    start = r.mean_loss(w.start[..., 0])
    return start - r.best + (r.start_G[..., None] ** 2 / (2 * r.stiffness)).sum(-1) / r.N


def theorem_orders(w: Any) -> Any:
    """(14), with one for the constants that it leaves unnamed."""
    r, horizon = rounds_of(w), _length(w)
    return _global(w, r), {
        "B_0/T": _initial(w, r) / horizon,
        "epsilon": r.epsilon,
        "delta^2": r.delta**2,
        "alpha": w.dual_step,
        "gamma/T": w.gamma.sum(-1) / (r.N * horizon),
    }


def theorem_constants(w: Any) -> Any:
    """(90)."""
    r, horizon = rounds_of(w), _length(w)
    m1 = (r.L + 2 * w.lambda_max) ** 2
    m = 4 * (r.L**2 + 2 * w.lambda_max)
    return _global(w, r), {
        "start": 4 * m1 * _initial(w, r) / horizon,
        "tolerance": 4 * m1 * w.lambda_max * w.gamma.sum(-1) / r.N / horizon,
        **_consensus_bound(w, r, m + 2 * w.lambda_max),
        "residual": 2 * m1 * r.epsilon / r.L,
        "step": 2 * w.dual_step * m1 * r.printed_G**2,
    }


# -- hypotheses ----------------------------------------------------------------------------------


def _least(values: Any) -> Any:
    return xp.smallest(values)


def _in_domain(w: Any) -> Any:
    lam = w.multipliers
    return xp.minimum(_least(lam - w.lambda_min[..., None]), _least(w.lambda_max[..., None] - lam))


def _above(w: Any) -> Any:
    r = rounds_of(w)
    met = [_least(r.multiplier[t] - 1 - r.stiffness) for t in range(r.T)]
    return xp.smallest(xp.stack(met, -1))


def _below(w: Any) -> Any:
    r = rounds_of(w)
    return _least((1 + r.stiffness) ** 2 / r.stiffness - w.lambda_max[..., None])


def _slopes(w: Any) -> Any:
    r = rounds_of(w)
    return r.printed_G - xp.largest(xp.absolute(r.gradient(r.x[r.T])))


def _still(w: Any) -> Any:
    """Whether server and multipliers are after the first round what they were before."""
    r = rounds_of(w)
    moved = xp.absolute(r.z[1] - r.z[0]) > STILL * (xp.absolute(r.z[0]) + xp.absolute(r.z[1]))
    changed = xp.absolute(r.multiplier[1] - r.multiplier[0]) > STILL * r.multiplier[0]
    return ~(moved | changed.any(-1)).any(axis=1, keepdims=True)


LAMBDA: Margins = {"first multipliers in Lambda": _in_domain}
H1: Margins = {**LAMBDA, "lambda_i^t is at least 1 + L_i": _above}
H2: Margins = {**H1, "lambda_max below (1 + L_i)^2/L_i": _below}
THEOREM: Margins = {
    **H2,
    "common start": lambda w: -xp.largest(xp.absolute(w.starts[..., 0] - w.start)),
    "gradients at the end below G": _slopes,
}
STRICT = frozenset({"lambda_max below (1 + L_i)^2/L_i"})
EVERY = {"participation": sampled}

ENCODINGS: dict[str, Second] = {
    "fedbc.grad/17": Second(sides=by_model, relation="==", words="(17), for each device."),
    "fedbc.grad/18": Second(
        sides=by_server,
        relation="==",
        words="(18): the derivative of L_i by z is minus the sum over all i of 2 lambda_i (x_i-z)",
        open_places="The left side bears one i, the right side sums over i; taken as printed.",
    ),
    "fedbc.grad/19": Second(sides=by_multiplier, relation="==", words="(19), for each device."),
    "fedbc.lemmaB1i": Second(
        sides=lemma_b1_first,
        given=LAMBDA,
        defines=EVERY,
        words="Lemma B.1 (i), (20), Assumptions 4.1, 4.2.",
        open_places=DOMAIN + SAMPLING,
    ),
    "fedbc.lemmaB1ii": Second(
        sides=lemma_b1_second,
        given=H1,
        defines=EVERY,
        words="Lemma B.1 (ii), (21); before (43): under the condition lambda_i^t >= 1 + L_i.",
        open_places=DOMAIN + LETTER + SAMPLING + " The last term has no mean, as printed.",
    ),
    "fedbc.lemmaB2": Second(
        sides=lemma_b2,
        given=H2,
        strict=STRICT,
        defines=EVERY,
        words="Lemma B.2 (44), O(epsilon) + O(delta^2), with the constants that (65) gives.",
        open_places=DOMAIN + SAMPLING + " delta over pairs of two devices (other: i = j as well). "
        "The average runs over all devices (other: the sampled ones).",
    ),
    "fedbc.theorem1": Second(
        sides=theorem_orders,
        given=THEOREM,
        strict=STRICT,
        defines=EVERY,
        relation="<~",
        words="Theorem 4.5 (14).",
        open_places=DOMAIN + LETTER + SAMPLING,
    ),
    "fedbc.explicit90": Second(
        sides=theorem_constants,
        given=THEOREM,
        strict=STRICT,
        defines=EVERY,
        words="(90), the constants that the proof of Theorem 4.5 gives.",
        open_places=DOMAIN + LETTER + SAMPLING,
    ),
    **local.ENCODINGS,
}


def _other(key: str, *options: str) -> Second:
    """The same sentence with open places read the other way."""
    second = ENCODINGS[key]
    chosen = {option: lambda w: w.array(1) for option in options}
    return replace(second, defines={**second.defines, **chosen})


def _readings(key: str, *choices: str) -> dict[str, Second]:
    return {choice: _other(key, *choice.split("+")) for choice in choices}


_CHOICES: dict[str, tuple[str, ...]] = {
    "fedbc.lemmaB1ii": ("closed_domain", "closed_domain+mean_last"),
    "fedbc.lemmaB2": ("closed_domain", "closed_domain+orders"),
    "fedbc.theorem1": ("closed_domain", "closed_domain+each_G"),
    "fedbc.explicit90": ("closed_domain",),
    "fedbc.corollary46": ("first_one",),
}
OTHERS: dict[str, dict[str, Second]] = {
    key: _readings(key, *choices) for key, choices in _CHOICES.items()
}
for _key, _choice in (("fedbc.lemmaB2", "orders"), ("fedbc.theorem1", "each_G")):
    _read = OTHERS[_key].pop(f"closed_domain+{_choice}")
    _early = {name: rule for name, rule in _read.given.items() if name in (*H2, "common start")}
    OTHERS[_key][f"closed_domain+{_choice}, before (81)"] = replace(_read, given=_early)
"""A domain with a stationary point for every server model in it; a mean in the last term of (21);
one for the constants of (65); each G what it was where it first appeared, without the
condition that comes in after (81); the summand k = 0 of Corollary 4.6 as 1."""
