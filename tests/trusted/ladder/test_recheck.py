"""Which stored proofs are proofs of a statement, each condition by hand.

A proof that is taken here for one of another claim, or of a part of a claim for all of it, makes
a false word `proved` wherever somebody brings it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bounds.numbers.symbolic import NotReadable
from tests.verify.cases import claim, numbers
from verify.claim import Hypothesis, Real
from verify.claim.statement import Statement
from verify.ladder.rungs import certificate
from verify.ladder.rungs.certificate import prove, recheck, stands_alone
from verify.ladder.rungs.negation import CONTRADICTION, NEGATION
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claims, ReadClaim

ONE = claim(lambda w: ({"l": 2 * w.x}, {"r": w.x**2 + 1}), numbers(x=Real(-4, 4)), key="re.one")
PAIR = claim(
    lambda w: ({"l": 2 * w.x * w.y}, {"r": w.x**2 + w.y**2}),
    numbers(x=Real(-4, 4), y=Real(-4, 4)),
    key="re.pair",
)
OFF = claim(lambda w: ({"l": 3 * w.x}, {"r": w.x**2 + 1}), numbers(x=Real(-4, 4)), key="re.off")


def as_read(one: Statement, case: str) -> ReadClaim:
    """The claim that is read of a statement, as one of several cases."""
    (found,) = next(iter(claim_sets(one)))
    return ReadClaim({"case": case}, found.claim)


FIRST, SECOND, FALSE = as_read(ONE, "0"), as_read(PAIR, "1"), as_read(OFF, "0")


def written(one: Any) -> dict[str, Any]:
    (found,) = [e for e in prove(one) if e.proof is not None and e.status == "decided"]
    assert found.proof is not None
    proof: dict[str, Any] = found.proof
    return proof


@pytest.fixture(scope="module")
def documents() -> tuple[Any, Any]:
    """Documents of the first and of the second claim."""
    first, second = (written(one)["certificates"][0]["written"] for one in (ONE, PAIR))
    return first, second


def stored(*parts: tuple[dict[str, Any], Any], **more: Any) -> dict[str, Any]:
    return {"certificates": [{"shape": label, "written": made} for label, made in parts], **more}


class Sets:
    """Stands for what the readers make of a statement, and what they were asked."""

    def __init__(self, *sets: Claims) -> None:
        self.sets, self.asked = sets, list[Any]()

    def __call__(self, _: Any, of: str, **more: Any) -> Iterator[Claims]:
        self.asked.append((of, more))
        for one in self.sets:  # anew each time, as they are read to another end
            yield Claims(list(one), one.complete)


def read(monkeypatch: pytest.MonkeyPatch, *sets: Claims) -> Sets:
    made = Sets(*sets)
    monkeypatch.setattr(certificate, "_sets", made)
    return made


def both(complete: bool = True) -> Claims:
    return Claims([FIRST, SECOND], complete)


# -- real ones ------------------------------------------------------------------------------------


def test_a_proof_is_one_of_its_own_claim_alone() -> None:
    proof = written(ONE)
    assert recheck(ONE, proof)
    assert recheck(ONE, proof, whole=True)
    assert recheck(ONE, proof, again=True)
    assert not recheck(PAIR, proof)
    low = replace(ONE, relation="==")
    assert not recheck(low, proof)
    assert not recheck(OFF, proof)
    assert not recheck(replace(ONE, quantifier="some"), proof)
    for of in (NEGATION, CONTRADICTION, "else"):
        assert not recheck(ONE, {**proof, "of": of}, whole=True)
    assert not recheck(ONE, {**proof, "of": NEGATION})


def test_a_proof_under_a_hypothesis_is_none_without() -> None:
    given = (Hypothesis("x is large", "x", lambda w: w.x - 1, where="L"),)
    sides = lambda w: ({"l": w.x}, {"r": w.x**2})  # noqa: E731
    under = claim(sides, numbers(x=Real(0, 4)), given=given)
    proof = written(under)
    assert recheck(under, proof)
    assert not recheck(claim(sides, numbers(x=Real(0, 4))), proof)


# -- all claims of one set ------------------------------------------------------------------------


def test_each_claim_of_a_set_needs_its_proof(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    first, second = documents
    read(monkeypatch, both())
    whole = ((FIRST.label, first), (SECOND.label, second))
    assert recheck(ONE, stored(*whole))
    for parts in (
        (),
        whole[:1],
        whole[1:],
        whole[::-1],
        (*whole, whole[1]),
        (whole[0], whole[0]),
        ((FIRST.label, second), (SECOND.label, first)),
        ((FIRST.label, first), (SECOND.label, first)),
        ((SECOND.label, first), (SECOND.label, second)),
        ((FIRST.label, first), ({}, second)),
        ((FIRST.label, first), (SECOND.label, {**second, "proof": {}})),
        ((FIRST.label, first), (SECOND.label, {})),
    ):
        assert not recheck(ONE, stored(*parts)), parts


def test_an_empty_set_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    read(monkeypatch, Claims([]))
    assert not recheck(ONE, stored())
    read(monkeypatch)
    assert not recheck(ONE, stored())


def test_one_of_several_sets_is_enough(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    first, second = documents
    read(monkeypatch, Claims([FALSE]), Claims([SECOND]), both(), Claims([FIRST]))
    assert recheck(ONE, stored((FIRST.label, first), (SECOND.label, second)))
    assert recheck(ONE, stored((FIRST.label, first)))
    # not a part of this and a part of that
    read(monkeypatch, Claims([FALSE, SECOND]), Claims([FIRST, FALSE]))
    assert not recheck(ONE, stored((FIRST.label, first), (SECOND.label, second)))


def test_a_set_about_listed_sizes_is_not_the_whole_claim(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    proof = stored(*zip((FIRST.label, SECOND.label), documents, strict=True))
    for complete in (True, False):
        read(monkeypatch, both(complete))
        assert recheck(ONE, proof)
        assert recheck(ONE, proof, whole=True) is complete
    read(monkeypatch, both(False), both(True))
    assert recheck(ONE, proof, whole=True)


def test_a_set_that_breaks_off_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    class Breaking(Sets):
        def __call__(self, _: Any, of: str, **more: Any) -> Iterator[Claims]:
            def coming() -> Iterator[ReadClaim]:
                yield FIRST
                raise NotReadable("no more of them")

            yield Claims(coming())

    monkeypatch.setattr(certificate, "_sets", Breaking())
    assert not recheck(ONE, stored((FIRST.label, documents[0])))


def test_a_set_is_read_as_far_as_its_labels_go_and_then_to_its_end(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    """What follows a set may depend on how far it was read."""
    ends = list[bool]()

    def sets(*_: Any, **__: Any) -> Iterator[Claims]:
        made = Claims([SECOND, FALSE])
        yield made
        ended = len(made._made) == 2
        ends.append(ended)
        yield Claims([FIRST] if ended else [FALSE])

    monkeypatch.setattr(certificate, "_sets", sets)
    assert recheck(ONE, stored((FIRST.label, documents[0])))
    assert ends == [False, True]


def test_the_readers_are_asked_for_what_the_proof_is_of(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    for sort, of in (({"functions": "any"}, CONTRADICTION), ({}, "")):
        sets = read(monkeypatch, Claims([ReadClaim(sort, FIRST.claim)]))
        assert recheck(ONE, stored((sort, documents[0]), **({"of": of} if of else {})))
        assert sets.asked == [(of, {"every": True})]
    empty = stored((FIRST.label, documents[0]), of=CONTRADICTION)
    read(monkeypatch, Claims([FIRST]))
    assert recheck(ONE, empty) is True
    assert recheck(ONE, empty, whole=True) is False
    sets = read(monkeypatch, Claims([FIRST]))
    some = replace(ONE, quantifier="some")
    assert recheck(some, stored((FIRST.label, documents[0]), of=NEGATION), whole=True)
    assert not recheck(some, stored((FIRST.label, documents[0])))
    assert [of for of, _ in sets.asked] == [NEGATION]


def test_fewer_points_are_looked_at_only_of_what_was_found_for_this_text(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    from contextlib import contextmanager

    seen = list[str]()

    @contextmanager
    def fewer() -> Iterator[None]:
        seen.append("fewer")
        yield

    monkeypatch.setattr(certificate, "fewer_points", fewer)
    read(monkeypatch, Claims([FIRST]))
    proof = stored((FIRST.label, documents[0]))
    assert recheck(ONE, proof)
    assert not seen
    assert recheck(ONE, proof, again=True)
    assert seen == ["fewer"]


def test_a_fault_of_a_reader_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    def sets(*_: Any, **__: Any) -> Iterator[Claims]:
        raise TypeError("a typo")
        yield

    said = list[str]()
    monkeypatch.setattr(certificate, "_sets", sets)
    monkeypatch.setattr(certificate, "told", lambda error, key: said.append(f"{key}: {error}"))
    assert recheck(ONE, stored((FIRST.label, documents[0]))) is False
    assert said == ["re.one: a typo"]


# -- its form -------------------------------------------------------------------------------------


def test_what_has_another_form_is_no_proof(
    monkeypatch: pytest.MonkeyPatch, documents: tuple[Any, Any]
) -> None:
    read(monkeypatch, Claims([FIRST]))
    part = {"shape": FIRST.label, "written": documents[0]}
    assert recheck(ONE, {"certificates": [part]})
    assert stands_alone({"certificates": [part]})
    for made in (
        {},
        {"certificates": None},
        {"certificates": []},
        {"certificates": (part,)},
        {"certificates": {"0": part}},
        {"certificates": [part, None]},
        {"certificates": [part, []]},
        {"certificates": [{"shape": FIRST.label}]},
        {"certificates": [{"written": documents[0]}]},
        {"certificates": [{"shape": "", "written": documents[0]}]},
        {"certificates": [{"shape": FIRST.label, "written": "x"}]},
    ):
        assert not recheck(ONE, made)
        assert not stands_alone(made)


def test_a_proof_stands_alone_where_each_of_its_parts_does(documents: tuple[Any, Any]) -> None:
    first, second = documents
    assert stands_alone(stored((FIRST.label, first), (FIRST.label, second)))
    broken = {**second, "claim": {**second["claim"], "left": "3*x*y"}}
    assert not stands_alone(stored((FIRST.label, first), (FIRST.label, broken)))


def test_what_stands_for_a_vector_is_said_to_the_checker(documents: tuple[Any, Any]) -> None:
    part = {"shape": {}, "written": documents[1]}
    vectors = ReadClaim({}, SECOND.claim, ("x", "y"))
    assert certificate._proves(part, ReadClaim({}, SECOND.claim))
    assert not certificate._proves(part, vectors)
    told = {"shape": {}, "written": {**documents[1], "vectors": ["x", "y"]}}
    assert not certificate._proves(told, ReadClaim({}, SECOND.claim))
    less = {**documents[1], "claim": {**documents[1]["claim"], "relation": "=="}}
    assert not certificate._proves({"written": less}, SECOND)
    for name in ("claim", "symbols", "given"):
        without = {k: v for k, v in documents[1].items() if k != name}
        assert not certificate._proves({"written": without}, SECOND), name
