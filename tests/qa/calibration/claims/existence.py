"""Claims that an instance exists: truths with the instance, falsehoods with the reason for none.

No instance refutes a false one; it must not be proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bounds import generic as xp
from tests.qa.calibration.record import Proved, record
from tests.qa.calibration.worlds import (
    ANY,
    POSITIVE,
    SHARE,
    curvature,
    deviation,
    distance2,
    excess,
    last,
    numbers,
    plain,
    point,
    scale,
    server,
    sgd,
)
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.world.world import World


@dataclass(frozen=True)
class Missing:
    """A false claim that an instance exists, and why none does."""

    statement: Statement
    proof: str


EACH = Real(-2, 2, per=("N",))
TWO = {"N": 2, "d": 1, "rounds": 1}
AWAY = {"away": lambda w: excess(w, w.start) - 1}
NOISY = {"noise": scale}


def _exists(name: str, sides: Any, family: Family, proof: str, at: Any, **fields: Any) -> Proved:
    shape = fields.pop("shape", family.shapes[0])
    made = record(f"truth.some.{name}", sides, family, quantifier="some", **fields)
    return Proved(made, proof, at, shape)


def _none(name: str, sides: Any, family: Family, proof: str, **fields: Any) -> Missing:
    return Missing(record(f"false.some.{name}", sides, family, quantifier="some", **fields), proof)


def _after(w: World) -> Any:
    return {"f1": excess(w, last(w))}, {"f0": excess(w, w.start)}


def _squares(w: World) -> Any:
    return {"|a+b|^2": xp.squared_norm(w.a + w.b)}, {
        "|a|^2": xp.squared_norm(w.a),
        "|b|^2": xp.squared_norm(w.b),
    }


def _mean_max(w: World) -> Any:
    return {"max": xp.largest(w.x)}, {"mean": xp.mean(w.x)}


def _drifted(w: World) -> Any:
    f = w.problem.losses
    return {"f0": xp.mean(f(w.start))}, {"f1": xp.mean(f(server(w)))}


def _kurtosis(w: World) -> Any:
    return {"E dev^4": deviation(w) ** 4}, {"s^4": (w.step_size * scale(w)) ** 4}


def _grown(w: World) -> Any:
    return {"gap0^2": distance2(w, w.start)}, {"gap^2/2": distance2(w, server(w)) / 2}


def _amplified(w: World) -> Any:
    return {"curvature": 2 * w.beta}, {"of client 0": curvature(w)}


VECTOR = Real(-2, 2, per=("d",))

EXIST: tuple[Proved, ...] = (
    _exists(
        "square",
        lambda w: ({"x^2 + 1/4": w.x**2 + xp.divide(1, 4)}, {"x": w.x}),
        numbers(x=ANY),
        "(x - 1/2)^2 is zero at 1/2.",
        {"x": "1/2"},
    ),
    _exists(
        "obtuse",
        _squares,
        numbers({"d": 2}, a=VECTOR, b=VECTOR),
        "It is true where the inner product is not positive.",
        {"a": [1, 0], "b": [-1, 1]},
    ),
    _exists(
        "halved",
        lambda w: ({"2 f1": 2 * excess(w, server(w))}, {"f0": excess(w, w.start)}),
        plain(),
        "A full step ends at the minimiser.",
        point(start=[2]),
        given=AWAY,
    ),
    _exists(
        "drift",
        _drifted,
        plain({**TWO, "local_steps": 4}),
        "Two local minimisers with unequal curvature pull the server off the best point.",
        point(2, curvature=[[8], [1]], optimum=[[0], [1]], start=["1/9"]),
    ),
    _exists(
        "outlier",
        lambda w: ({"8 mean^2": 8 * xp.mean(w.x) ** 2}, {"square": xp.mean(w.x**2)}),
        numbers({"N": 3}, x=EACH),
        "Numbers around zero.",
        {"x": [1, -1, 0]},
    ),
    _exists(
        "fair",
        _kurtosis,
        sgd(),
        "A fair sign has kurtosis one.",
        point(),
        over="mean",
        given=NOISY,
        strict={"noise"},
    ),
)
"""True claims of existence."""

MISSING: tuple[Missing, ...] = (
    _none(
        "square",
        lambda w: ({"x^2 + 1/3": w.x**2 + xp.divide(1, 3)}, {"x": w.x}),
        numbers(x=ANY),
        "x^2 - x + 1/3 = (x - 1/2)^2 + 1/12.",
    ),
    _none(
        "acute",
        _squares,
        numbers({"d": 2}, a=VECTOR, b=VECTOR),
        "|a+b|^2 - |a|^2 - |b|^2 = 2 <a, b> > 0.",
        given={"acute": lambda w: xp.dot(w.a, w.b)},
        strict={"acute"},
    ),
    _none(
        "mean_above_max",
        _mean_max,
        numbers({"N": 2}, {"N": 3}, x=EACH),
        "Two numbers apart have a mean below the largest.",
        given={"apart": lambda w: xp.largest(w.x) - xp.smallest(w.x)},
        strict={"apart"},
    ),
    _none(
        "growth",
        _grown,
        plain(),
        "A step of at most 1/beta shrinks the gap.",
        given={"away": lambda w: distance2(w, w.start)},
        strict={"away"},
    ),
    _none(
        "kurtosis",
        lambda w: ({"2 E dev^4": 2 * deviation(w) ** 4}, _kurtosis(w)[1]),
        sgd(),
        "Kurtosis is at least one.",
        over="mean",
        given=NOISY,
        strict={"noise"},
    ),
    _none(
        "curvature",
        _amplified,
        plain(TWO),
        "beta is the largest curvature.",
    ),
    _none(
        "share",
        lambda w: ({"1 + p": 1 + w.p}, {"2p": 2 * w.p - w.q}),
        numbers(p=SHARE, q=POSITIVE),
        "2p - q < 1 + p for a share p and positive q.",
    ),
)
"""False claims of existence."""
