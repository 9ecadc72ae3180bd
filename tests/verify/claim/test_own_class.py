"""A class of one's own is its inequality in one line: for worst cases, proofs and the search."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.interpolation import interpolation_margin
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from verify.claim.functions import functions
from verify.claim.instance import Instance
from verify.claim.own_class import Interpolation, own_class_of
from verify.claim.parameters import Real
from verify.claim.statement import Statement, statement
from verify.ladder import PROFILES, assay
from verify.ladder.proofs import recheck
from verify.ladder.rungs.certificate import prove
from verify.terms.claims import as_terms
from verify.world.domain import outside

SMOOTH = "f[i] - f[j] >= g[j]*(x[i] - x[j]) + |g[i] - g[j]|^2/(2*L)"
ROUGH = "f[i] - f[j] >= g[j]*(x[i] - x[j]) and |g[i]|^2 <= M^2"
CURVED = {"L": Real(1 / 8, 8, log=True)}
QUICK = PROFILES["quick"].word_alone()


def descent(divisor: int, interpolation: str = SMOOTH) -> Statement:
    """L D^2/6 is the worst value after one gradient step of length 1/L."""
    family = functions(interpolation=interpolation, step="x - g/L", dimensions=(1, 2), extra=CURVED)

    @statement("own.descent", where="x", latex="x", family=family)
    def made(w: Any) -> Any:
        away = w.L * xp.squared_norm(w.points[..., 1, :])
        return {"f": w.values[..., -1]}, {"LD^2": away / divisor}

    return made


def subgradient(part: Fraction) -> Statement:
    """One step of the subgradient method on Lipschitz functions."""
    box = {"M": Real(1 / 8, 8, log=True), "h": Real(1 / 8, 8, log=True)}
    family = functions(interpolation=ROUGH, step="x - h*g", dimensions=(1, 2), extra=box)

    @statement("own.subgradient", where="x", latex="x", family=family)
    def made(w: Any) -> Any:
        away = [xp.squared_norm(w.points[..., t, :]) for t in (1, 2)]
        right = {"before": away[0], "step": part * w.h**2 * w.M**2}
        return {"after": away[1], "fall": 2 * w.h * w.values[..., 1]}, right

    return made


@pytest.mark.parametrize("exact", [False, True])
def test_the_inequality_of_smooth_convex_functions_is_theirs(exact: bool) -> None:
    rng = np.random.default_rng(3)
    x, g = (rng.integers(-4, 5, (2, 3, 2)) / 2 for _ in "xg")
    f, L = rng.integers(0, 9, (2, 3)) / 4, np.array([0.5, 2.0])
    if exact:
        x, g, f, L = map(as_rational, (x, g, f, L))
    found = Interpolation(SMOOTH).margin(x, g, f, {"L": L})
    known = interpolation_margin(x, g, f, L, 0 * L)
    assert np.asarray(found == known).all() or np.allclose(found, known, rtol=1e-12)


TRUE = {"descent": descent(6), "subgradient": subgradient(Fraction(1))}
FALSE = {
    "too good a rate": descent(7),
    "half of the step": subgradient(Fraction(1, 2)),
    "half of the inequality": descent(6, SMOOTH.replace("2*L", "4*L")),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_is_proved_for_every_parameter(name: str) -> None:
    claim = as_terms(TRUE[name])
    (found,) = [e for e in prove(claim) if e.proof is not None]
    assert found.status == "decided"
    assert found.scope.startswith("all functions with f[i] - f[j] >=")
    assert recheck(claim, found.proof, whole=True)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_falls_by_data_of_the_class(name: str) -> None:
    claim = FALSE[name]
    assert not [e for e in prove(as_terms(claim)) if e.proof is not None]
    leaf = assay(claim, profile=QUICK)
    assert (leaf.verdict, leaf.rung) == ("violated", "worst case")
    assert leaf.witness is not None
    assert outside(claim, Instance.from_json(leaf.witness["instance"])) == ""


def test_data_outside_the_class_are_no_instances() -> None:
    """Control: without the inequality the same claim falls by data that do not meet it."""
    loose = descent(6, "f[i] - f[j] >= g[j]*(x[i] - x[j]) - 100*|x[i] - x[j]|^2 - 100*|g[i]|^2/L")
    leaf = assay(loose, profile=QUICK)
    assert leaf.verdict == "violated"
    family = TRUE["descent"].family
    assert leaf.witness is not None
    held = assay(replace(loose, family=family), profile=replace(QUICK, evaluations=600))
    assert held.verdict != "violated"


WRONG = {
    "no comparison": "f[i] - f[j]",
    "an equality": "f[i] == f[j]",
    "a stranger's index": "f[k] >= f[j]",
    "no index": "f >= 0",
    "a call": "max(f[i], f[j]) >= 0",
    "a number beside a vector": "|x[i] + 1| >= 0",
    "no formula": "f[i] >=",
    "a power that is none": "f[i]**x[j] >= 0",
    "one of two inequalities": "f[i] >= 0 or f[j] >= 0",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="interpolation must be"):
        Interpolation(WRONG[name]).margin(np.zeros((2, 1)), np.zeros((2, 1)), np.zeros(2), {})


def test_each_of_several_inequalities_counts() -> None:
    both = Interpolation("f[i] >= 0 and f[j] <= 1")
    x, f = np.zeros((2, 1)), np.array([0.0, 3.0])
    assert both.margin(x, x, f, {}).min() == -2


def test_parameters_must_have_ranges_and_the_method_a_step() -> None:
    with pytest.raises(InvalidInput, match="extra must be"):
        functions(interpolation=SMOOTH, step="x - h*g", extra=CURVED)
    with pytest.raises(InvalidInput, match="step must be"):
        functions(interpolation=SMOOTH, extra=CURVED)
    with pytest.raises(InvalidInput, match="kind must be"):
        functions("smooth", interpolation=SMOOTH, step="x - g/L", extra=CURVED)
    with pytest.raises(InvalidInput, match="step must be"):
        functions("smooth", step="x - g/L")


def test_other_families_are_none() -> None:
    assert own_class_of(TRUE["descent"].family) == SMOOTH
    assert own_class_of(functions("smooth")) is None
