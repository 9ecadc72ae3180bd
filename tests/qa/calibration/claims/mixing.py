"""No claims at all: sides that mix the instances of a batch, or answer differently twice.

A side is a function of one instance.  Each of these looks true in a large enough batch, or on the
whole, and must be refused: neither ``holds`` nor ``proved`` (nor accused on such evidence).
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np

from bounds import generic as xp
from tests.qa.calibration.record import record
from tests.qa.calibration.worlds import ANY, POSITIVE, last, numbers, sgd
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.world.world import World

VECTOR = Real(-2, 2, per=("N",))
_calls = itertools.count()
_seen = [0]


# every square is at most the sum of all squares in the batch
def _sum(w: World) -> Any:
    return {"x^2": w.x**2}, {"sum": (w.x**2).sum()}


# half of the largest in the batch, which the instance at hand does not know
def _largest(w: World) -> Any:
    return {"x": w.x}, {"max": w.x.max() + 0 * w.x}


def _numpy_mean(w: World) -> Any:
    return {"mean": np.mean(w.x**2) + 0 * w.x}, {"square": np.mean(w.x**2) * 2 + w.x**2}


def _below_smallest(w: World) -> Any:
    return {"min": w.x.min() + 0 * w.x}, {"x": w.x}


# sorted over the instances, both sides agree on the whole and belong to different instances
def _sorted(w: World) -> Any:
    return {"x": np.sort(w.x, axis=0)}, {"x + 4": np.sort(w.x, axis=0)[::-1] + 4 + w.x**2}


def _standardised(w: World) -> Any:
    middle = w.x.sum() / w.x.size
    return {"(x-mean)^2": (w.x - middle) ** 2}, {"all": ((w.x - middle) ** 2).sum()}


def _neighbour(w: World) -> Any:
    other = np.roll(w.x, 1, axis=0)
    return {"2xy": 2 * w.x * other}, {"x^2+y^2": w.x**2 + other**2}


def _running(w: World) -> Any:
    return {"x^2": w.x**2}, {"so far": np.cumsum(w.x**2, axis=0)}


def _batch_size(w: World) -> Any:
    return {"x": w.x}, {"x times count": w.x * (len(w.x) + 1)}


def _rank(w: World) -> Any:
    return {"rank": np.argsort(np.argsort(w.x, axis=0), axis=0) * w.x / len(w.x)}, {"x": w.x + 0}


# clients and instances are summed together: the axis was forgotten
def _forgotten_axis(w: World) -> Any:
    return {"|x|^2": xp.total(w.x**2)}, {"|x|^2": (w.x**2).sum() + 0 * w.x[..., 0]}


def _best_run(w: World) -> Any:
    path = last(w)[..., 0] ** 2
    return {"x^2": path}, {"best": path.max() + 0 * path}


def _random(w: World) -> Any:
    return {"x": w.x}, {"x and luck": w.x * (1 + random.randint(1, 1000))}


def _random_array(w: World) -> Any:
    luck = np.random.default_rng().integers(1, 1000, size=w.x.shape)
    return {"x": w.x}, {"x and luck": w.x * (1 + luck)}


# tightens with every call
def _counting(w: World) -> Any:
    return {"x": w.x}, {"x (1 + 1/n)": w.x + w.x / (1 + next(_calls))}


# the largest value of the call before has a say
def _remembering(w: World) -> Any:
    before = _seen[-1]
    _seen[:] = [int(xp.to_float(w.x).max())]
    return {"x": w.x}, {"x and before": w.x + before + 1}


def _identity_of_object(w: World) -> Any:
    return {"x": w.x}, {"x and address": w.x * (2 + id(w) % 97)}


def _mixed_hypothesis(w: World) -> Any:
    return {"x": w.x}, {"y": 2 * w.y}


def _mixing(name: str, sides: Any, family: Any = None, **fields: Any) -> Statement:
    return record(f"none.mixing.{name}", sides, family or numbers(x=POSITIVE), **fields)


SIGNED = numbers(x=ANY)

MIXING: tuple[Statement, ...] = (
    _mixing("sum", _sum, SIGNED),
    _mixing("largest", _largest),
    _mixing("numpy_mean", _numpy_mean, SIGNED),
    _mixing("below_smallest", _below_smallest),
    _mixing("sorted", _sorted, SIGNED),
    _mixing("standardised", _standardised, SIGNED),
    _mixing("neighbour", _neighbour, SIGNED),
    _mixing("running", _running),
    _mixing("batch_size", _batch_size),
    _mixing("rank", _rank),
    _mixing("forgotten_axis", _forgotten_axis, numbers({"N": 2}, {"N": 3}, x=VECTOR)),
    _mixing("best_run", _best_run, sgd(), over="path"),
    _mixing("random", _random),
    _mixing("random_array", _random_array),
    _mixing("counting", _counting),
    _mixing("remembering", _remembering),
    _mixing("identity_of_object", _identity_of_object),
    _mixing(
        "hypothesis",
        _mixed_hypothesis,
        numbers(x=POSITIVE, y=POSITIVE),
        given={"x <= every y": lambda w: w.y.min() - w.x},
    ),
)
"""Sides (and one hypothesis) that are no functions of one instance."""
