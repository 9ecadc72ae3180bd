"""Both judges asked at once: each proof is counted, and each refusal named."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.trusted.certify.coq.test_coq import needs_coq
from tests.trusted.certify.test_checker import proof_of
from verify.certify.coq import asked
from verify.certify.coq.asked import Opinions, judged


def stronger() -> dict[str, Any]:
    """A proof of Young's inequality under a claim that is stronger."""
    document = deepcopy(proof_of("Young"))
    document["claim"]["left"] = f"2*({document['claim']['left']})"
    return document


def in_floors() -> dict[str, Any]:
    document = deepcopy(proof_of("half"))
    document["claim"]["left"] = "x + floor(x) - floor(x)"
    return document


@needs_coq
def test_what_both_accept_and_what_neither_does() -> None:
    good, false = proof_of("Young"), stronger()
    one, two, three = judged({"a": [good, good], "b": [good, false], "c": [in_floors()]})
    assert one == Opinions("a", 2, 2, "")
    assert (two.key, two.proofs, two.checked) == ("b", 2, 1)
    assert two.refused
    assert "function floor" in three.refused


@needs_coq
@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ((0, "Axioms:\nClassical_Prop.classic : P"), ""),
        ((0, "Axioms:\nmy_axiom : False"), "assumed besides the theory of the reals: my_axiom"),
        ((0, ""), "not every proof came to its end"),
        ((1, "Error: No such goal."), "Error: No such goal."),
        ((124, ""), "exit status 124"),
    ],
)
def test_only_an_answer_without_more_axioms_counts(
    said: tuple[int, str], refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked, "coqc", lambda *_: said)
    (one,) = judged({"a": [proof_of("Young")]})
    assert one == Opinions("a", 1, 1, refused)


def test_a_machine_without_coq_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(InvalidInput, match="coqc must be on the path, got none: install Coq"):
        list(judged({}))
