"""Entries of a shape that nobody reads are refused with the nearest name; those of the library not.

Each refusal has beside it the same claim spelled rightly, which passes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify import Family, Real, check, functions, numbers, operators, quadratics, statement
from verify.catalogue.library import library
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.world.unread import check_shapes

STEP = {"step_size": Real(1 / 64, 4, unit=(-1, 2), log=True)}
SHAPE = {"N": 2, "d": 1, "rounds": 1, "method": "fedavg"}


def trained(family: Family) -> Statement:
    """The last model of a run has a length."""

    @statement("mine.length", where="Lemma 1", latex="0", family=family)
    def length(w: Any) -> Any:
        return {"zero": 0 * w.step_size}, {"square": xp.squared_norm(w.run().theta[..., -1, :])}

    return length


def bare(family: Family) -> Statement:
    """A claim on numbers alone, one for each of T rounds."""

    @statement("mine.numbers", where="Lemma 2", latex="0", family=family)
    def positive(w: Any) -> Any:
        return {"zero": 0 * w.x}, {"rounds": w.x**2 * w.original("T")}

    return positive


def own(values: Any, shape: Any) -> Instance:
    """A builder that asks for one entry by name."""
    return Instance("numbers", {}, None, {"x": values["x"], "T": int(shape["horizon"])})


LINE = {"x": Real(-1, 1)}
CLAIMS: dict[str, tuple[Callable[[dict[str, Any]], Statement], dict[str, Any], str, str]] = {
    # how a claim is made of settings, the right ones, one that nobody reads, and the cure
    "quadratics": (
        lambda more: trained(quadratics(({**SHAPE, **more},), extra=STEP)),
        {"local_steps": 2},
        "localsteps",
        "did you mean local_steps",
    ),
    "another method's": (
        lambda more: trained(quadratics(({**SHAPE, "method": "local", **more},), extra=STEP)),
        {},
        "local_steps",
        "local has no local_steps, as aggregation, apfl, bipartition have",
    ),
    "functions": (
        lambda more: trained(functions("smooth", method="fedavg", extra=STEP, constants=more)),
        {"local_steps": 2},
        "local_step",
        "did you mean local_steps",
    ),
    "rough functions": (
        lambda more: trained(functions("Lipschitz convex", extra=STEP, constants=more)),
        {},
        "local_steps",
        "local has no local_steps",
    ),
    "operators": (
        lambda more: trained(operators("monotone", extra=STEP, constants=more)),
        {},
        "foccus",
        "did you mean focus",
    ),
    "numbers": (
        lambda more: bare(numbers(LINE, {"T": 3, **more})),
        {},
        "horizon",
        "leave it out, or let the sides read w.horizon",
    ),
    "a builder": (
        lambda more: bare(Family(LINE, ({"horizon": 3, **more},), own)),
        {},
        "horizons",
        "leave it out, or let the sides read w.horizons",
    ),
    "an axis": (
        lambda more: bare(numbers({"x": Real(-1, 1, per=("n",))}, {"n": 2, "T": 3, **more})),
        {},
        "nn",
        "did you mean n",
    ),
}


@each("name", CLAIMS)
def test_an_entry_without_reader_is_refused_with_the_cure(name: str) -> None:
    make, right, wrong, cure = CLAIMS[name]
    check_shapes([make(right)])
    with pytest.raises(InvalidInput, match="must be read by somebody") as error:
        check_shapes([make({**right, wrong: 2})])
    assert repr(wrong) in str(error.value)
    assert cure in str(error.value)


def test_one_reader_among_the_statements_of_a_file_is_enough() -> None:
    family = numbers(LINE, {"T": 3, "rows": 2})

    @statement("mine.rows", where="Lemma 3", latex="0", family=family)
    def rows(w: Any) -> Any:
        return {"zero": 0 * w.x}, {"rows": w.x**2 * w.rows}

    with pytest.raises(InvalidInput, match="'rows'"):
        check_shapes([bare(family)])
    check_shapes([bare(family), rows])


def test_a_claim_alone_may_have_its_readers_elsewhere_but_no_misspelt_setting() -> None:
    shared = bare(numbers(LINE, {"T": 3, "rows": 2}))
    assert check(shared, profile="quick").verdict == "proved"
    make, _, wrong, cure = CLAIMS["quadratics"]
    with pytest.raises(InvalidInput, match=cure):
        check(make({wrong: 2}))
    with pytest.raises(InvalidInput, match=cure):
        check([make({}), make({wrong: 2})])


def test_no_shape_of_the_library_has_an_entry_that_its_paper_does_not_read() -> None:
    papers: dict[str, list[Statement]] = defaultdict(list)
    for entry in library():
        papers[entry.paper] += entry.leaves
    assert len(papers) == 5
    for leaves in papers.values():
        check_shapes(leaves)


def test_a_name_that_stands_in_a_branch_counts_as_read() -> None:
    """Nothing is refused because a line was not reached in the trial."""

    @statement("mine.branch", where="Lemma 4", latex="0", family=numbers(LINE, {"T": 1, "late": 2}))
    def branch(w: Any) -> Any:
        more = w.late if w.original("T") > 5 else 0
        return {"zero": 0 * w.x}, {"square": w.x**2 + more}

    check_shapes([branch])


@pytest.mark.parametrize("fault", ["raise RuntimeError('no')", "return None", "w.nobody"])
def test_what_cannot_be_evaluated_is_left_to_the_rungs(fault: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def sides(w):\n    {fault}", scope)
    made = statement("mine.fault", where="x", latex="0", family=numbers(LINE, {"zeta": 1}))
    check_shapes([made(scope["sides"])])


FILE = """
from bounds import generic as xp
from verify import Real, quadratics, statement

FAMILY = quadratics(
    ({"N": 2, "d": 1, "rounds": 1, "method": "fedavg", "%s": 2},),
    extra={"step_size": Real(1 / 64, 4, unit=(-1, 2), log=True)},
)


@statement("mine.file", where="x", latex="0", family=FAMILY)
def same(w):
    return {"zero": 0 * w.step_size}, {"square": xp.squared_norm(w.run().theta[..., -1, :])}
"""


def test_a_file_is_refused_before_anything_is_judged(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(FILE % "local_steps")
    wrong.write_text(FILE % "localsteps")
    assert load_statements(Origin.of(right)).leaf("mine.file").key == "mine.file"
    with pytest.raises(InvalidInput, match="'localsteps' .* did you mean local_steps"):
        load_statements(Origin.of(wrong))
