"""Methods that FedBC is said to contain: identities between server iterates on the same draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.families import quadratics
from verify.parameters import Real, Shape
from verify.statement import Source, Statement, Terms
from verify.world import World

_SIZES = ((1, 1, 1), (2, 1, 1), (2, 1, 2), (2, 2, 2))
PULL = {"pull": Real(1 / 8, 8, unit=(1, -2), log=True)}
STEP = {"step_share": Real(0, 1)}


def _shapes(local: str) -> tuple[Shape, ...]:
    steps = {"local_steps": 2} if local == "gradient" else {}
    return tuple({"N": n, "d": d, "rounds": t, "local": local, **steps} for n, d, t in _SIZES)


ABOUT = "aligned quadratics, two-point noise, full participation, {}"
EXACT = quadratics(_shapes("argmin"), PULL, ABOUT.format("exact local solutions"))
STEPS = quadratics(_shapes("gradient"), {**PULL, **STEP}, ABOUT.format("two local gradient steps"))


def _multipliers(w: World) -> Any:
    return w.pull[..., None] + 0 * w.sigma2


def _safe_step(w: World) -> Any:
    return w.step_share / (w.beta + 2 * w.pull)


def _servers(factor: int) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Server iterates of FedBC with constant multipliers and of FedProx, every coordinate.

        Proof. FedBC's local objective is f_i(x) + lambda |x - z|^2, FedProx's f_i(x) + (mu/2) |x - z|^2:
        they agree for mu = 2 lambda.
        """
        calibrated = w.run("fedbc", multipliers=_multipliers(w)).server
        proximal = w.run("fedprox", mu=factor * w.pull).server
        return {"FedBC server": calibrated}, {"FedProx server": proximal}

    return sides


_LATEX = r"\lambda_i^t=%s\ \forall i,t:\quad z^t_{\mathrm{FedBC}}=z^t_{\mathrm{FedProx}(\mu)}"
_COMMON: dict[str, Any] = {"relation": "==", "over": "path", "kind": "claim"}


def _source() -> Source:
    return Source("fedbc", "special cases, FedProx")


STATEMENTS = (
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
        key="fedbc.sp.fedprox.repaired", source=_source(), form="repaired",
        title="FedBC with exact local solutions is FedProx with mu = 2 lambda",
        latex=_LATEX % r"\mu/2", family=EXACT, sides=_servers(2), **_COMMON,
    ),
)  # fmt: skip
