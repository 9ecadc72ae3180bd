"""Lemmas 4.a and 5.a for every loss of their class: stochastic gradient descent, any noise.

The loss is above its least value, f(x) - f^*, which it has at the optimum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import generic as xp
from verify.claim import Statement
from verify.outlines.exact import fractions, in_fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall.sgd import classes as of
from verify.world.visited import visited

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("L", "positive", "smoothness", "L"),
    Quantity("mu", "positive", "strong convexity, or PL constant", r"\mu"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("sigma", "nonnegative", "noise", r"\sigma"),
    Quantity("T", "nonnegative integer", "rounds", "T"),
    Quantity("x[t]", "vector", "model", "x^t", known="t"),
    Quantity("n[t]", "vector", "noise of its gradient", r"\xi^t", known="t + 1"),
    Quantity("star", "vector", "minimiser", "x^*", known="0"),
    Quantity("f", "function", "loss", "f"),
)
FACTS = {
    "rule": Guaranteed("method", {"entry": "x[t + 1]", "is_": "x[t] - eta*(grad(f, x[t]) + n[t])"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed("variance", {"noise": "n[t]", "sigma2": "sigma**2"}),
    "smooth": Guaranteed("smooth", {"f": "f", "L": "L", "at": "x[t]", "to": "x[t + 1]"}),
    "steep": Guaranteed(
        "smooth above its infimum", {"f": "f", "L": "L", "at": "x[t]", "low": "f(star)"}
    ),
}
CURVED = {
    "constants": Guaranteed("condition", {"less": "mu", "more": "L"}, scope=""),
    "short step": Guaranteed("condition", {"less": "eta", "more": "1/L"}),
}
CLASSES = {
    "strongly convex": CURVED
    | {"convex": Guaranteed("strongly convex", {"f": "f", "mu": "mu", "at": "x[t]", "to": "star"})},
    "PL": CURVED | {"PL": Guaranteed("PL", {"f": "f", "mu": "mu", "at": "x[t]", "low": "f(star)"})},
    "convex": {
        "convex": Guaranteed("convex", {"f": "f", "at": "x[t]", "to": "star"}),
        "short step": Guaranteed("condition", {"less": "eta", "more": "1/(2*L)"}),
    },
}


def _mean(w: Any) -> Any:
    """The mean of the models before the last."""
    return w.run().theta[..., :-1, :].sum(axis=-2) / w.rounds


def _away(w: Any) -> Any:
    return xp.squared_norm(w.start - w.problem.optimum[..., 0, :])


TERMS = (
    Term("L", lambda w: w.beta),
    Term("mu", lambda w: w.mu),
    Term("eta", lambda w: w.step_size),
    Term("sigma", lambda w: w.sigma[..., 0]),
    Term("T", lambda w: w.rounds),
    Term("f(x[0]) - f(star)", lambda w: visited(w).excess[..., 0][..., 0]),
    Term("f(x[T]) - f(star)", lambda w: visited(w).excess[..., 0][..., -1], random=True),
    Term("(x[0] - star)**2", _away),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world as outlines see it."""
    seen, models = visited(world), in_fractions(world.run().theta)[0]  # (R, T + 1, d)
    excess, slopes = (
        in_fractions(seen.excess)[0, ..., 0],
        in_fractions(seen.gradients)[0, ..., 0, :],
    )
    outcomes, length, _ = models.shape
    eta, zero = fractions(world.step_size)[0], (Fraction(0),) * models.shape[-1]
    noise = (models[:, :-1] - models[:, 1:]) / eta - slopes[:, :-1]
    star = tuple(fractions(world.problem.optimum))
    known = {star: (Fraction(0), zero)}
    known |= {
        tuple(models[o, t]): (excess[o, t], tuple(slopes[o, t]))
        for o in range(outcomes)
        for t in range(length)
    }
    averages = in_fractions(_mean(world))[0]
    gaps = in_fractions(world.problem.excess(_mean(world)))[0, ..., 0]
    for point, gap in zip(averages, gaps, strict=True):
        known.setdefault(tuple(point), (gap, zero))
    elsewhere = (Fraction(0), zero)
    numbers = {
        "L": fractions(world.beta)[0],
        "mu": fractions(world.mu)[0] if world.has("mu") else Fraction(1),
        "eta": eta,
        "sigma": fractions(world.sigma)[0],
        "T": Fraction(length - 1),
    }
    return ExactRun(
        fractions(np.broadcast_to(np.asarray(world.weights)[0], (outcomes,))),
        numbers={name: lambda *_, value=value: value for name, value in numbers.items()},
        vectors={
            "x": lambda _, o, i, t: tuple(models[o, t]) if t < length else zero,
            "n": lambda _, o, i, t: tuple(noise[o, t]) if t < length - 1 else zero,
            "star": lambda *_: star,
            "mean": lambda _, o, *__: tuple(averages[o]),
        },
        functions={
            "f": (
                lambda _, x: known.get(x, elsewhere)[0],
                lambda _, x: known.get(x, elsewhere)[1],
            )
        },
    ), {"t": length - 1}


def _setting(statement: Statement, kind: str) -> OutlineSetting:
    return OutlineSetting(
        "stochastic gradient descent",
        (statement.family, *statement.also),
        QUANTITIES,
        TERMS,
        FACTS | CLASSES[kind],
        measured,
        {"t": "T"},
    )


_MEAN = {"called": "mean", "of": "x[t]", "weight": "1", "index": "t", "rounds": "T"}
_SUMMED = _setting(of.lemma5a_class, "convex")
AVERAGED = replace(
    _SUMMED,
    quantities=(
        *(q for q in QUANTITIES if q.name not in ("mu", "T")),
        Quantity("T", "positive integer", "rounds", "T"),
        Quantity("mean", "vector", "mean of the models before the last", r"\bar x^T"),
    ),
    terms=(
        *TERMS,
        Term("f(mean) - f(star)", lambda w: w.problem.excess(_mean(w))[..., 0], random=True),
    ),
    facts={**_SUMMED.facts, "mean": Guaranteed("average", _MEAN)},
)
EXCESS = "(f(x[t]) - f(star))"


def _geometric(o: StatementOutline) -> None:
    """Rounds that contract, and their noises."""
    o.uses("rule", "unbiased", "variance", "smooth")
    o.uses("constants", called="mu <= L")
    o.uses("short step", called="eta <= 1/L")
    o.step(
        "descent",
        f"f(x[t + 1]) - f(star) <= (1 - eta*mu)*{EXCESS} + eta**2*L/2*sigma**2",
        "smooth; PL; variance; eta <= 1/L",
    )
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/L; mu <= L")
    power, rest = "(1 - eta*mu)**T", "eta**2*L/2*sigma**2"
    series = {"step": "descent", "index": "t", "rounds": "T", "of": EXCESS}
    series |= {"factor": "1 - eta*mu", "rest": rest}
    o.close(
        "rounds",
        f"f(x[T]) <= f(star) + {power}*(f(x[0]) - f(star)) + {rest}*(1 - {power})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {power}", "geometric", **series)
    o.step("bound", f"{o.left} <= {o.right}", "rounds; power times eta*L*sigma**2/(2*mu)")


@proof_of(of.lemma4a_convex, _setting(of.lemma4a_convex, "strongly convex"))
def lemma4a_convex(o: StatementOutline) -> None:
    """Strong convexity gives the PL inequality."""
    o.uses("convex")
    o.step(
        "PL",
        f"2*mu*{EXCESS} <= grad(f, x[t])**2",
        "convex times 2*mu",
        roots="grad(f, x[t]) + mu*(star - x[t])",
    )
    _geometric(o)


@proof_of(of.lemma4a_pl, _setting(of.lemma4a_pl, "PL"))
def lemma4a_pl(o: StatementOutline) -> None:
    """Convexity is not used."""
    o.uses("PL")
    _geometric(o)


@proof_of(of.lemma5a_class, AVERAGED)
def lemma5a_class(o: StatementOutline) -> None:
    """Distances telescope, and the value of the mean is at most the mean of the values."""
    o.uses("rule", "unbiased", "variance", "convex", "steep", "mean")
    o.uses("short step", called="eta <= 1/(2*L)")
    o.step("above", f"0 <= {EXCESS}", "steep", roots="grad(f, x[t])")
    o.step("short", f"2*L*eta**2*{EXCESS} <= eta*{EXCESS}", "above; eta <= 1/(2*L)")
    o.step(
        "one step",
        f"(x[t + 1] - star)**2 + eta*{EXCESS} <= (x[t] - star)**2 + eta**2*sigma**2",
        "convex times 2*eta; steep times eta**2; short; variance times eta**2",
    )
    values = "Sum(f(x[t]), (t, 0, T - 1))"
    o.close(
        "all steps",
        f"(x[T] - star)**2 + eta*({values} - T*f(star)) <= (x[0] - star)**2 + T*eta**2*sigma**2",
        "telescoped",
        step="one step",
        index="t",
        rounds="T",
        of="(x[t] - star)**2",
    )
    o.close("value of the mean", f"T*f(mean) <= {values}", "averaged", f="f", **_MEAN)
    o.step("last", "0 <= (x[T] - star)**2", roots="x[T] - star")
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "all steps times 1/(eta*T); value of the mean times 1/T; last times 1/(eta*T)",
    )
