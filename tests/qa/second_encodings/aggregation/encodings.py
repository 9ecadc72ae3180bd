"""Second encodings of the main results of "Tackling Computational Heterogeneity in FL"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from tests.qa.second_encodings.aggregation import quantities as q
from tests.qa.second_encodings.record import Second

READ = (
    "F_i^* is the least value of F_i; below (4) is printed F_i^* := F(w_i^*), without the index, "
    "under which Lemma 1 could not be applied to F_i. T of w_T counts iterations of (2), as t does "
    "(other: communication rounds, Table 1). Between two aggregations alpha_t^i = p_i, as (4) "
    "prints (other: the round's coefficients, as Appendix A uses them). overline rho and tilde rho "
    "are numbers, extremes over every outcome (other: random, one per run), over the rounds that "
    "are run (horizon not stated). G^2 bounds E||g_i(w_t^i)||^2 at the local models of the run "
    "(other: at every point of the space, which Assumption 2 excludes). tau is E."
)
FREE_STEPS = {"step_sizes": q.own_steps}
"""The paper leaves the schedule free here: a comparison gives both encodings the family's."""
COROLLARY_STEPS = {"step_sizes": q.corollary_steps}


def _away(w: Any) -> Any:
    """Footnote 1: F(w_t) is not sum_i p_i F_i^* where rho(t, w_t) is taken."""
    found = [q.sum_of_excess(w, q.aggregated_at(w, t)) for t in q.round_starts(w)]
    return xp.smallest(xp.stack(found, -1))


AWAY: dict[str, Callable[[Any], Any]] = {"rho is defined at w_t": _away}
APART: dict[str, Callable[[Any], Any]] = {**AWAY, "rho is defined at the optimum": q.gamma_of}
ERROR_FREE: dict[str, Callable[[Any], Any]] = {
    **AWAY,
    "no heterogeneity": lambda w: -xp.absolute(q.gamma_of(w)),
}
POSITIVE: dict[str, Callable[[Any], Any]] = {
    **APART,
    "coefficients are positive": lambda w: q.ratios(w)[0],
}


def lemma1(w: Any) -> Any:
    """(6)."""
    return {"squared gradient": w.squared_gradient}, {
        "2L (f(w) - f(w*))": 2 * w.smoothness * (w.value - w.minimum)
    }


def lemma2(w: Any) -> Any:
    """(7) at the iteration that the world names."""
    t, steps = int(w.at), int(w.local_steps)
    spread = (q.local_models(w, t) - q.aggregated_at(w, t)[..., None, :]) ** 2
    discrepancy = w.mean((q.coefficients(w, t) * spread.sum(-1)).sum(-1))
    return {"discrepancy": discrepancy}, {
        "16 eta^2 E^2 G^2": 16 * w.step_sizes[..., t] ** 2 * steps**2 * q.second_moment(w)
    }


def theorem3(w: Any) -> Any:
    """(9)."""
    t, eta = int(w.at), w.step_sizes[..., int(w.at)]
    rho, heterogeneity = q.smallest_skew(w), q.gamma_of(w)
    noise = 32 * int(w.local_steps) ** 2 * q.second_moment(w) + q.variance(w)
    here = w.mean(q.squared_distance(w, t))
    return {"next": w.mean(q.squared_distance(w, t + 1))}, {
        "kept": (1 - eta * q.mu(w) * (1 + 3 * rho / 8)) * here,
        "noise": eta**2 * (noise + 6 * rho * q.smoothness(w) * heterogeneity),
        "error": 2 * eta * heterogeneity * (q.largest_skew(w) - rho),
    }


def equation13(w: Any) -> Any:
    """(13)."""
    t, eta = int(w.at), w.step_sizes[..., int(w.at)]
    here = w.mean(q.squared_distance(w, t))
    noise = 32 * int(w.local_steps) ** 2 * q.second_moment(w) + q.variance(w)
    return {"next": w.mean(q.squared_distance(w, t + 1))}, {
        "kept": (1 - eta * q.mu(w) * (1 + 3 * q.smallest_skew(w) / 8)) * here,
        "noise": eta**2 * noise,
    }


def _final(w: Any) -> Any:
    """E F(w_T) - F^*, T the number of iterations."""
    return {"final excess": w.mean(q.excess(w, q.aggregated_at(w, q.last(w))))}


def _horizon(w: Any) -> Any:
    """T + gamma."""
    counted = q.last(w) // int(w.local_steps) if w.has("counts_rounds") else q.last(w)
    if w.has("horizon"):  # runs that stand still are as long as the world says
        counted = w.horizon
    return counted + 4 * q.smoothness(w) / q.mu(w)


def _speed_constant(w: Any) -> Any:
    """4L (32 tau^2 G^2 + sigma^2) / (3 mu^2)."""
    noise = 32 * int(w.local_steps) ** 2 * q.second_moment(w) + q.variance(w)
    return 4 * q.smoothness(w) * noise / (3 * q.mu(w) ** 2)


def _initial(w: Any) -> Any:
    """L gamma ||w^0 - w^*||^2 / 2."""
    gamma = 4 * q.smoothness(w) / q.mu(w)
    return q.smoothness(w) * gamma * q.start_distance(w) / 2


def _heterogeneous(w: Any) -> Any:
    """8 L^2 Gamma / mu^2."""
    return 8 * q.smoothness(w) ** 2 * q.gamma_of(w) / q.mu(w) ** 2


def _error_constant(w: Any) -> Any:
    """8 L Gamma / (3 mu)."""
    return 8 * q.smoothness(w) * q.gamma_of(w) / (3 * q.mu(w))


def corollary4(w: Any) -> Any:
    """(10) with V and E written out."""
    rho, horizon = q.smallest_skew(w), _horizon(w)
    return _final(w), {
        "V, first": _speed_constant(w) / rho / horizon,
        "V, second": _heterogeneous(w) / horizon,
        "V, third": _initial(w) / horizon,
        "E": _error_constant(w) * (q.largest_skew(w) / rho - 1),
    }


def equation14(w: Any) -> Any:
    """(14)."""
    horizon = _horizon(w)
    return _final(w), {
        "first": _speed_constant(w) / q.smallest_skew(w) / horizon,
        "second": _initial(w) / horizon,
    }


def _speed(w: Any) -> dict[str, Any]:
    """(C + lambda_1 / pi) / (T + gamma), with C = V_min."""
    horizon, least = _horizon(w), q.ratios(w)[0]
    return {
        "C, heterogeneity": _heterogeneous(w) / horizon,
        "C, start": _initial(w) / horizon,
        "lambda_1 / pi": _speed_constant(w) / least / horizon,
    }


def equation17(w: Any) -> Any:
    """(17)."""
    least, most = q.ratios(w)
    return _final(w), {**_speed(w), "lambda_2": _error_constant(w) * (most - least) / least}


def equation19(w: Any) -> Any:
    """(19)."""
    rare, clients = xp.smallest(q.shares(w)), w.problem.clients
    error = _error_constant(w) * (1 / (q.ratios(w)[0] * rare) - clients)
    return _final(w), {**_speed(w), "lambda_2": error}


CONSTANTS = "The constants C, lambda_1, lambda_2 are those that Corollary 4 gives. "

ENCODINGS: dict[str, Second] = {
    "aggregation.lemma1": Second(
        sides=lemma1,
        given={
            "the minimum is one here": lambda w: w.value - w.minimum,
            "the minimum is one a step further": lambda w: w.after - w.minimum,
            "smooth": lambda w: w.value - w.squared_gradient / (2 * w.smoothness) - w.after,
        },
        words="Lemma 1: f L-smooth with a unique global minimum: ||grad f||^2 <= 2L (f - f*).",
        open_places="Smoothness at v = w - grad f(w)/L alone; uniqueness read as a weak minimum.",
    ),
    "aggregation.lemma2": Second(
        sides=lemma2,
        defines=FREE_STEPS,
        words="Lemma 2 (7): the mean weighted spread of the local models is at most 16 (eta E G)^2",
        open_places=READ + " No schedule is stated for eta_t: every one.",
    ),
    "aggregation.theorem3": Second(
        sides=theorem3,
        given=APART,
        strict=frozenset(APART),
        defines=FREE_STEPS,
        words="Theorem 3 (9) under Assumptions 1 to 4, footnote 1 on rho.",
        open_places=READ + " No range is stated for eta_t: every one.",
    ),
    "aggregation.corollary4": Second(
        sides=corollary4,
        given=APART,
        strict=frozenset(APART),
        defines=COROLLARY_STEPS,
        words="Corollary 4 (10): E F(w_T) - F* <= V/(T + gamma) + E, eta_t = 1/(mu (t + gamma)).",
        open_places=READ,
    ),
    "aggregation.eq13": Second(
        sides=equation13,
        given=ERROR_FREE,
        strict=frozenset(AWAY),
        defines=FREE_STEPS,
        words="(13): Theorem 3 where Gamma = 0, footnote 2 on rho.",
        open_places=READ,
    ),
    "aggregation.eq14": Second(
        sides=equation14,
        given=ERROR_FREE,
        strict=frozenset(AWAY),
        defines=COROLLARY_STEPS,
        words="(14): Corollary 4 where Gamma = 0.",
        open_places=READ,
    ),
    "aggregation.eq17": Second(
        sides=equation17,
        given=POSITIVE,
        strict=frozenset(POSITIVE),
        defines=COROLLARY_STEPS,
        words="(17): Corollary 4 with rho replaced by pi and Pi of (16), pi_t > 0.",
        open_places=CONSTANTS + READ,
    ),
    "aggregation.eq19": Second(
        sides=equation19,
        given=POSITIVE,
        strict=frozenset(POSITIVE),
        defines=COROLLARY_STEPS,
        words="(19): (17) with the error replaced by lambda_2 (1/(pi min p_i) - N).",
        open_places=CONSTANTS + READ,
    ),
}

PAST, ROUND, CENTRE, END = "given_past", "round_weights", "shares_centre", "final_too"
_OPTIONS: dict[str, tuple[str, ...]] = {
    "past": (PAST,),
    "past, round": (PAST, ROUND),
    "past, round, p in the centre": (PAST, ROUND, CENTRE),
    "past, round, end": (PAST, ROUND, END),
    "past, round, p in the centre, end": (PAST, ROUND, CENTRE, END),
}
_COUNTED = {
    f"{name}, {meant}": (*used, option)
    for name, used in _OPTIONS.items()
    for meant, option in (("T rounds", "counts_rounds"), ("within a round", "in_between"))
}
"""A4 given the past, weights of the round where rho and the squares have them and in w_t, or p in
w_t alone, rho at the last model too; what T counts, and whether T is where a run is looked at."""
_COUNTING = ("corollary4", "eq14", "eq17", "eq19")


def _other(key: str, options: tuple[str, ...], **changes: Any) -> Second:
    """The same sentence with open places read the other way."""
    chosen = {option: lambda w: w.array(1) for option in options}
    return replace(ENCODINGS[key], defines={**ENCODINGS[key].defines, **chosen, **changes})


OTHERS: dict[str, dict[str, Second]] = {
    key: {
        name: _other(key, used)
        for name, used in {**_OPTIONS, **(_COUNTED if key.endswith(_COUNTING) else {})}.items()
    }
    for key in ENCODINGS
    if key != "aggregation.lemma1"
}
