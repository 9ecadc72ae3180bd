"""Instances that are tried first: those that leave no reply to the claim but another claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.claim import Reading

Instances = Sequence[Mapping[str, Any]]

_SILENT = {"sigma": Fraction(1, 100), "noise_share": 0, "skew": 1, "temperature": 1}
_TINY = Fraction(1, 1000)


def rare_client(r: Reading) -> Instances:
    """FedMax on parabolas with minima 0 and 1, the second with share 1/4000, from 0, without noise.

    Two iterations with the steps 1/4 and 1/5 of Corollary 4: all weight is on the rare client, and
    rho-bar = 4000.
    """
    if {"algorithm", "loop"} - set(r.options):
        return ()
    run = {
        "curvature": 1,
        "optimum": [[0], [1]],
        "share": [1, Fraction(1, 3999)],
        "start": 0,
        "raw": 1,
        "pace": [1, Fraction(4, 5)],
    }
    return ({**_SILENT, **run, "rule": "fedmax", "at": 1, "rounds": 2, "local_steps": 2},)


def steep_client(r: Reading) -> Instances:
    """Losses w^2/2 and 64 w^2/2, all weight but a thousandth on the first, no step above 1/(4L).

    The steep client soon rests, while rho-bar, taken where the round began, counts on it still.
    """
    if {"section2", "loop"} - set(r.options):
        return ()
    noise = {name: value for name, value in _SILENT.items() if name != "temperature"}
    run = {
        "curvature": [[1], [64]],
        "optimum": 0,
        "start": 1,
        "share": 1,
        "raw": [[1, _TINY]] * 3,
        "pace": [1, 1, Fraction(1, 256)],
    }
    return ({**noise, **run, "rule": "fixed", "at": 2},)
