"""The literal record: added hypotheses are refused, hints point at cuts and narrow boxes."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from verify.catalogue.library import library
from verify.catalogue.literal import literal_complaints, require_literal, tagged
from verify.catalogue.paper import paper, paper_axes
from verify.claim.axes import Axes, Axis, Option
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, statement

PRINTED = Hypothesis("short", r"x\le1", lambda w: 1 - w.x, where="Lemma 1")
DEFINING = Hypothesis("divisor", "y>0", lambda w: w.y, strict=True, defining=True)
ADDED = Hypothesis("long", r"x\ge1", lambda w: w.x - 1)


def made(key: str = "p.lemma", **more: Any) -> Statement:
    @statement(key, where="Lemma 1", latex="x", **{"family": Family({"x": Real(0, 3)}), **more})
    def sides(w: Any) -> Any:
        return {"x": w.x}, {"y": w.y}

    return sides


def test_tags() -> None:
    assert [tagged(item) for item in (PRINTED, DEFINING, ADDED)] == ["Lemma 1", "defining", "added"]


def test_a_printed_form_may_assume_what_is_printed_or_defining() -> None:
    require_literal([made(given=[PRINTED, DEFINING]), made("p.lemma.repaired", given=[ADDED])])


def test_an_added_hypothesis_in_a_printed_form_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"given of p.lemma .* got \['long'\]: name the place"):
        require_literal([made(given=[PRINTED, ADDED])])


def cut(w: Any) -> Any:
    """A step that is never longer than 1."""
    return xp.minimum(w.x, 1)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"given": [ADDED]}, ["added"]),
        ({"given": [PRINTED, DEFINING]}, []),
        ({"defines": {"step": lambda w: xp.minimum(w.x, 1)}}, ["cut"]),
        ({"defines": {"step": lambda w: 2 * cut(w)}}, ["cut"]),
        ({"defines": {"step": lambda w: 2 * w.x}}, []),
        ({"family": Family({"share": Real(0, 1)})}, ["box"]),
        ({"family": Family({"share": Real(0, 1, domain=(0, 1))})}, ["box"]),
        ({"family": Family({"one": Real(1, 1)})}, ["box"]),
        ({"family": Family({"loss": Real(0, 1, (1, 0))})}, []),
        ({"also": (Family({"one": Real(1, 1)}),)}, ["box"]),
    ],
)
def test_complaints(more: dict[str, Any], what: list[str]) -> None:
    assert [item.what for item in literal_complaints([made(**more)])] == what
    assert literal_complaints([replace(made(**more), key="p.lemma.refined", form="refined")]) == []


def test_papers_add_nothing() -> None:
    require_literal([leaf for entry in library() for leaf in entry.leaves])


def package(**more: Any) -> ModuleType:
    """A paper's package without modules."""
    found = ModuleType("verify.statements.one")
    found.__dict__.update({"__path__": [], "SHEET": "lemma", **more})
    return found


def test_a_paper_declares_its_axes_or_has_none() -> None:
    options = (Option("a", "'a'", "it is a"), Option("b", "'b'", "it is b"))
    axes = (Axis("what", "what it is", options),)
    assert paper(package(SHEET="")) == ()
    assert paper_axes(package()) == Axes()
    assert paper_axes(package(AXES=axes)) == Axes(axes)
    with pytest.raises(InvalidInput, match="AXES of one must be a tuple of Axis"):
        paper_axes(package(AXES="steps"))


def test_an_identifier_without_a_statement_does_not_load() -> None:
    with pytest.raises(InvalidInput, match=r"SHEET of one .* got \['one.lemma'\]: write one"):
        paper(package(SHEET="lemma"))


def test_a_paper_with_an_added_hypothesis_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves = [made("one.lemma", given=[ADDED])]
    monkeypatch.setattr("verify.catalogue.paper.collected", lambda _: leaves)
    with pytest.raises(InvalidInput, match="given of one.lemma"):
        paper(package())
