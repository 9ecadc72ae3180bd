"""One minimiser for all clients (Gamma = 0): rho-bar is known where rounds begin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verify.outlines.setting import OutlineSetting, Quantity
from verify.statements.aggregation import error_free
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.proofs.horizon_setting import HORIZON, OF_ROUNDS
from verify.statements.aggregation.proofs.setting import A1, A2, ONE, in_mean, of_numbers

_AWAY = (q.not_at_optimum.name,)
_QUANTITIES = (
    Quantity("first[t]", "nonnegative", "losses where its round began", r"\mathbb E\sum\alpha_t^i(F_i(w_r)-F_i^\star)"),
    Quantity("begun[t]", "nonnegative", "excess loss where its round began", r"\mathbb E F(w_r)-F^\star"),
)  # fmt: skip
_ONE = "one minimiser of all losses"
_FACTS = {
    "one minimiser": in_mean("ideal[t]", "0", _ONE),
    "towards it": in_mean("0", "u[t, j]*(v[t, j] - star)", _ONE),
    "away": in_mean("(c[t] - star)**2", "(v[t, P[t] + 1] - star)**2"),
    "smooth since": in_mean("first[t]", "own[t] + k[t]*(s[t] - c[t]) + L/2*(s[t] - c[t])**2", A1),
    "growth since": in_mean("mu/2*(s[t] - star)**2", "begun[t]", A2),
    "rho-bar": in_mean("low*begun[t]", "first[t]", "rho at least rho-bar where rounds begin"),
    "largest rho": of_numbers("low*mu", "L", needs=_AWAY),
    "constants": of_numbers("mu", "L"),
}


def _alike(setting: OutlineSetting, name: str, *leaves: Any) -> OutlineSetting:
    return replace(
        setting,
        name=name,
        families=tuple(leaf.family for leaf in leaves),
        quantities=(*setting.quantities, *_QUANTITIES),
        facts={**setting.facts, **_FACTS},
    )


def _run_leaf(horizon: str) -> Any:
    return error_free.eq14.leaf("run", "algorithm", "loop", horizon)


ALIKE = _alike(
    ONE, "generalised FedAvg on losses with one minimiser, one iteration", error_free.repaired
)
ALIKE_HORIZON = {
    "iterations": _alike(
        HORIZON,
        "generalised FedAvg on losses with one minimiser, any number of iterations",
        _run_leaf("iterations"),
    ),
    "rounds": _alike(
        OF_ROUNDS,
        "generalised FedAvg on losses with one minimiser, any number of rounds",
        _run_leaf("rounds"),
    ),
}
