"""A federation that breaks a rate, made small and re-scored: exactly, else on fresh noise.

An exact crossing is re-scored by the referee, on noise of two points in place of a density where
one dimension makes their moments the same. A sampled one is made smaller while its e-value on noise
of its own still accuses, and is then judged on another key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput
from synthetic.registry import load_family
from verify.claim.instance import Instance
from verify.rates.findings import ACCUSED, CROSSED
from verify.rates.many import Size, fitting, noise_key
from verify.rates.record import Rate
from verify.rates.seen import until
from verify.verdict.relation import ACCUSE
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.referee import rescore
from verify.world.sampled import evaluate

TRIED = 6
"""Crossed points that are re-scored exactly, the smallest first."""

HARD = 64
"""Clients times rounds above which exact arithmetic is not tried."""


def witness(rate: Rate, found: Mapping[str, Any], size: Size) -> dict[str, Any] | None:
    """Witness of a finding; None where there is none, or none could be re-scored."""
    rate = fitting(rate, size)
    if rate.defines:
        return None  # the statement itself knows no run of this form
    if found["word"] == CROSSED:
        return _exactly(rate, found, size)
    if found["word"] == ACCUSED:
        return _sampled(rate, found, size)
    return None


def _exactly(rate: Rate, found: Mapping[str, Any], size: Size) -> dict[str, Any] | None:
    for number, rounds in _crossed(rate, found):
        instance = _finite(until(rate.federation(number, size.seed), rounds))
        try:
            made = rescore(rate.statement, instance)
        except (NotAvailable, InvalidInput):
            continue
        if made.violated:
            return {
                **made.numbers(),
                "instance": instance.to_json(),
                "federation": number,
            }
    return None


def _crossed(rate: Rate, found: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Federations and times of crossings that are not too large, small ones first."""
    points = [
        (rate.cells[number % len(rate.cells)]["N"] * t, t, number)
        for b, number in enumerate(found["federations"])
        for j, t in enumerate(found["times"])
        if found["met"][b][j] and _above(found["left"][b][j], found["right"][b][j])
    ]
    return [(number, t) for cost, t, number in sorted(points)[:TRIED] if cost <= HARD]


def _above(left: float | None, right: float | None) -> bool:
    return left is not None and right is not None and left > right * (1 + 1e-9)


def _finite(instance: Instance) -> Instance:
    """Noise of two points for one with a density: the same moments in one dimension."""
    if instance.data.get("law") not in ("gaussian", "sphere") or instance.data["A"].shape[-1] > 1:
        return instance
    data = {**instance.data, "law": "two_point"}
    return replace(instance, data={**data, "skew": np.ones_like(data["noise_scale"])})


def _sampled(rate: Rate, found: Mapping[str, Any], size: Size) -> dict[str, Any] | None:
    number, rounds = found["worst_federation"], found["worst_time"]
    instance = until(rate.federation(number, size.seed), rounds)
    replicates = 2 * size.replicates
    key = noise_key(rate, size.seed, fresh=True)
    try:
        small = _shrunk(rate, instance, Samples(key, replicates, 0, size.device))
        again = evaluate(rate.statement, small, Samples(key + 1, replicates, 0, size.device))
    except NotAvailable:
        return None
    if not (again["assumed"] and again["e_value"] >= ACCUSE):
        return None
    return {
        "number": "simulated",
        "relation": "<=",
        "quantifier": "all",
        "left": again["left"],
        "right": again["right"],
        "e_value": again["e_value"],
        "margins": {},
        "replicates": replicates,
        "noise_key": key + 1,
        "instance": small.to_json(),
        "federation": number,
    }


def _shrunk(rate: Rate, instance: Instance, plan: Samples) -> Instance:
    """Fewer rounds, then fewer clients, as long as the e-value still accuses."""
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(instance):
            found = evaluate(rate.statement, smaller, plan)
            if found["assumed"] and found["e_value"] >= ACCUSE:
                instance, changed = smaller, True
                break
    return instance


def _smaller(instance: Instance) -> Iterator[Instance]:
    rounds = instance.params["rounds"]
    if rounds > 1:
        yield until(instance, rounds // 2)
    fields = load_family(instance.family).fields
    clients = max(
        value.shape[0]
        for name, value in instance.data.items()
        if name in fields and fields[name].axes.split()[:1] == ["N"]
    )
    if clients > 1:
        kept = {
            name: value[: clients // 2]
            if name in fields and fields[name].axes.split()[:1] == ["N"]
            else value
            for name, value in instance.data.items()
        }
        yield replace(instance, data=kept)
