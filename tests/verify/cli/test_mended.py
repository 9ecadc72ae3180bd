"""A repair written out as a file is the mended claim; an erratum is LaTeX without program names."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.statement import Statement
from verify.cli.own.mended import erratum, statements
from verify.ladder.repair.candidates import SEEN, by_form, exchanged, seen_as, without
from verify.ladder.repair.conditions import at_most
from verify.ladder.repair.fit import ClosedForm
from verify.ladder.repair.mends import Mend, mended, scaled_symbol, scaled_term
from verify.ladder.repair.monomials import further_term, times_product
from verify.ladder.repair.repairs import Judged, Repair
from verify.world.referee import rescore
from verify.world.score import score

OWN = """
from verify import Hypothesis, Real, numbers, statement

BOX = {"x": Real(1 / 8, 8, log=True), "y": Real(1 / 8, 8, log=True)}


@statement(
    "own.claim",
    where="Lemma 1",
    latex=r"5xy \\le x^2+Ty^2",
    family=numbers(BOX, {"T": 3}),
    given=[Hypothesis("x is small", "x", lambda w: 8 - w.x, where="Lemma 1")],
)
def claim(w):
    return {"product": 5 * w.x * w.y}, {"a": w.x**2, "b": w.T * w.y**2}
"""
HALF, ONE = Fraction(1, 2), Fraction(1)
MENDS = [
    scaled_term("", Fraction(2, 3)),
    scaled_term("b", Fraction(4)),
    scaled_symbol("x", Fraction(4, 3)),
    *(seen_as("T" if how in ("+1", "-1") else "y", how) for how in SEEN),
    exchanged("x", "y"),
    without("b"),
    times_product("", {"x": 1, "y": -2}),
    times_product("a", {"y": -1}, Fraction(3, 2)),
    further_term({"x": 2, "T": -1}, HALF),
    further_term({"T": -1, "y": 2}, Fraction(3)),
    by_form("T", "T/2", ClosedForm("y", HALF, Fraction(0), ONE)),
    by_form("1/x", "sqrt(1 + 2/x)", ClosedForm("y^2", Fraction(2), ONE, ONE)),
    by_form("T", "1/(1 + 1/T)", ClosedForm("1/y", ONE, ONE, -ONE)),
    by_form("T", "(T + 1)^(3/2)", ClosedForm("y", ONE, Fraction(0), Fraction(3, 2), 1)),
    times_product("b", {"|x|": 2}),
    further_term({"|x|": 1, "y": -1}, HALF),
    at_most({"|x|": 1}, Fraction(3), strict=False),
    at_most({"x": 1, "y": 1}, Fraction(2), strict=False),
    at_most({"x": -2}, HALF, strict=True),
    at_most({"x": 1, "T": -1}, ONE, strict=True),
]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mended") / "own.py"
    path.write_text(OWN)
    return path


def written(own: Path, mends: tuple[Mend, ...]) -> tuple[Statement, Statement, dict[str, Any]]:
    """The mended claim, the one read back from the file, and the ledger's record."""
    printed = load_statements(Origin.of(own)).leaf("own.claim")
    claim = mended(printed, mends)
    record = Repair.of(mends, claim, Judged("holds", "searched", 1.0, None)).to_json()
    path = own.with_name(f"mended_{abs(hash(mends)) % 10**9}.py")
    path.write_text(statements([(printed, record)], own.name))
    (entry,) = load_statements(Origin.of(path))
    return claim, entry.leaves[0], record


def pairs() -> list[tuple[Mend, ...]]:
    both = (scaled_symbol("x", Fraction(2)), exchanged("x", "y"))
    return [*((mend,) for mend in MENDS), (*both[:1], scaled_term("b", HALF))]


@pytest.mark.parametrize("mends", pairs(), ids=lambda mends: " and ".join(map(str, mends)))
def test_the_file_is_the_mended_claim(own: Path, mends: tuple[Mend, ...]) -> None:
    claim, again, _ = written(own, mends)
    family, shape = claim.family, claim.family.shapes[0]
    values = family.decode(np.random.default_rng(1).random((50, 2)), shape)
    one, other = (score(s, family.instance(values, shape)) for s in (claim, again))
    assert xp.to_float(other.right) == pytest.approx(xp.to_float(one.right), rel=1e-12)
    assert (one.feasible == other.feasible).all()
    assert [h.strict for h in claim.given] == [h.strict for h in again.given]
    point = {"x": np.array(Fraction(3, 2), dtype=object), "y": np.array(Fraction(4), dtype=object)}
    exact = [rescore(s, family.instance(point, shape)) for s in (claim, again)]
    assert exact[0].number == exact[1].number
    assert exact[0].ratio == pytest.approx(exact[1].ratio, rel=1e-15)


def test_another_mend_is_another_claim(own: Path) -> None:
    claim = written(own, (MENDS[0],))[0]
    again = written(own, (MENDS[1],))[1]
    family, shape = claim.family, claim.family.shapes[0]
    values = family.decode(np.random.default_rng(1).random((50, 2)), shape)
    one, other = (score(s, family.instance(values, shape)) for s in (claim, again))
    assert not np.allclose(xp.to_float(one.right), xp.to_float(other.right))


@pytest.mark.parametrize("mend", MENDS, ids=str)
def test_an_erratum_is_tex(own: Path, mend: Mend) -> None:
    claim, _, record = written(own, (mend,))
    text = erratum(claim, [record], "an instance breaks the claim: left 5, right 4")
    assert text.startswith(r"\paragraph{Erratum to Lemma 1.} As printed,")
    last = text.splitlines()[-1]
    assert last.startswith("With ")
    assert "it withstood a full search, without a proof (left over right up to 1)." in last
    assert last.count("$") % 2 == 0
    assert last.count("{") == last.count("}")
    assert "<x>" not in last
    assert "<T>" not in last
