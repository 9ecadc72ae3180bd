"""Examples that are proved: with a constant a tenth smaller no proof is found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.places import ROOT
from verify.claim import Statement
from verify.ladder.rungs.certificate import prove

AVERAGES, STEPS = "client_averages.py", "proximal_steps.py"
SMALLER = {
    "average_noise": (AVERAGES, "<= s/N", "<= 9/10*s/N"),
    "sampling": (AVERAGES, "== sum_i x[i]**2", "== 9/10*sum_i x[i]**2"),
    "scaffold": (AVERAGES, "<= L**2*norm(x - y)**2 for", "<= 9/10*L**2*norm(x - y)**2 for"),
    "identical": (AVERAGES, "<= mean_k norm(w[k] -", "<= 9/10*mean_k norm(w[k] -"),
    "proximal": (STEPS, "<= norm(x - z)**2 for", "<= 9/10*norm(x - z)**2 for"),
    "fedprox": (STEPS, "<= norm(x - z)**2 + 2*h*", "<= 9/10*norm(x - z)**2 + 2*h*"),
    "feedback": (STEPS, "+ 2/r*h**2", "+ 9/5/r*h**2"),
}
"""The example, a constant as it stands there, and a tenth less of it."""

IN_FULL = ("sampling", "scaffold", "proximal")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n not in IN_FULL)) for n in SMALLER]
)
def test_a_constant_that_is_a_tenth_smaller_is_not_proved(name: str) -> None:
    file, old, new = SMALLER[name]
    text = (ROOT / "examples" / file).read_text()
    assert text.count(old) == 1
    assert [e.status for e in prove(entered(text, name))] == ["decided"]
    assert all(e.proof is None for e in prove(entered(text.replace(old, new), name)))


def entered(text: str, name: str) -> Statement:
    space: dict[str, Any] = {}
    exec(compile(text, "example", "exec"), space)
    made: Statement = space[name]
    return made
