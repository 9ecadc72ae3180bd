"""What is said of each entry of an axis, of pairs of clients, and of vectors that are equal."""

from dataclasses import replace

import pytest

from bounds import generic as xp
from tests.verify.outlines.library import of, proved
from verify import Real, numbers, proof_of, statement
from verify.outlines.converted import NotConverted, converted
from verify.outlines.plain import plain_setting
from verify.outlines.proved import document_of, proves
from verify.outlines.runs import refused
from verify.outlines.setting import Term
from verify.proof.outline import NoProof

ROUNDS = numbers(
    {"x": Real(-2, 2, per=("T",)), "y": Real(-2, 2, per=("T",)), "z": Real(-2, 2)},
    *({"T": t} for t in (1, 3)),
)
PAIR, VECTORS, CLIENT = "fedbc.eq57", "fedbc.eq54-55@traced", "fedbc.eq31@as-used"
SETS = "fedbc.eq27@V"


def claim(sides, key, **more):
    return statement(key, where="here", latex="x", family=ROUNDS, **more)(sides)


def squares(w):
    return {"2xy": 2 * w.x * w.y}, {"x^2": w.x**2, "y^2": w.y**2}


# -- each entry ------------------------------------------------------------------------------------


def test_an_inequality_of_each_round_is_proved_for_each():
    made = claim(squares, "own.each")
    said = converted(made, plain_setting(made))
    assert (said.left, said.right, said.each) == ("2*x[t]*y[t]", "x[t]**2 + y[t]**2", "t")

    @proof_of(made)
    def square(o):
        o.step("square", f"{o.left} <= {o.right}", roots="x[t] - y[t]")

    document = document_of(made)
    assert proves(made, document)
    first = {**document["claim"], "left": "2*x[0]*y[0]"}
    assert not proves(made, {**document, "claim": first})


def test_what_holds_in_the_first_round_alone_is_refused():
    made = claim(lambda w: (squares(w)[0], {"0": 0 * w.x}), "own.first")

    @proof_of(made)
    def wrong(o):
        o.step("wrong", f"{o.left} <= {o.right}")

    with pytest.raises(NoProof, match="wrong at t = . is false"):
        document_of(made)


def test_an_equation_is_one_of_each_round():
    def sides(w):
        right = {"squares": w.x**2 + w.y**2, "2xy": 2 * w.x * w.y}
        return {"square of a sum": (w.x + w.y) ** 2}, right

    for factor, key in ((1, "own.equal"), (2, "own.unequal")):
        made = claim(
            lambda w, c=factor: (sides(w)[0], {k: c * v for k, v in sides(w)[1].items()}),
            key,
            relation="==",
        )
        proof_of(made)(lambda o: o.step("identity", f"{o.left} == {o.right}"))
        if factor == 1:
            assert document_of(made)["claim"]["relation"] == "=="
        else:
            with pytest.raises(NoProof, match="identity at t = . is false"):
                document_of(made)


def test_a_number_stands_beside_what_is_said_of_each_round():
    made = claim(lambda w: ({"z": w.z[..., None]}, {"x": w.x, "z": w.z[..., None]}), "own.beside")
    said = converted(made, plain_setting(made))
    assert (said.left, said.right, said.each) == ("z", "x[t] + z", "t")


def test_a_mean_over_an_index_is_a_sum_over_its_length():
    made = claim(lambda w: ({"mean": xp.mean(w.x)}, {"z": w.z}), "own.mean")
    assert converted(made, plain_setting(made)).left == "Sum(x[t], (t, 0, T - 1))/T"


def test_coordinates_are_no_entries_of_an_axis():
    family = numbers({"v": Real(-2, 2, per=("d",))}, {"d": 2})
    made = statement("own.entries", where="here", latex="x", family=family)(
        lambda w: ({"v": w.v}, {"2": 2 + 0 * w.v})
    )
    with pytest.raises(NotConverted, match="one number for each of several"):
        converted(made, plain_setting(made))


# -- axes of several indices -----------------------------------------------------------------------


def with_term(key, old, new):
    """What runs say where a line of the table is another formula."""
    statement_, one = of(key)
    terms = tuple(
        Term(new, t.asked, t.per, t.random) if t.formula == old else t for t in one.setting.terms
    )
    assert terms != one.setting.terms
    return refused(statement_, replace(one.setting, terms=terms), proved(key))


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        (CLIENT, "x[0, i, 1]", "x[0, i, 0]"),
        (PAIR, "lam[0, j, 0]*L[i]*near[0, i, j, 0]", "lam[0, i, 0]*L[j]*near[0, i, j, 0]"),
        (SETS, "2*(top + 2*high)**2*(x[s, i, 1] - x[s, i, 0])**2", "2*high**2*far[s, i, 0]**2"),
    ],
)
def test_another_formula_for_an_entry_is_seen_on_runs(key, old, new):
    assert "and what it stands for" in with_term(key, old, new)


def test_entries_are_in_the_order_of_the_indices():
    statement_, one = of(SETS)
    turned = tuple(replace(t, per="i s") if t.per == "s i" else t for t in one.setting.terms)
    said = refused(statement_, replace(one.setting, terms=turned), proved(SETS))
    assert "and what it stands for" in said


# -- vectors that are equal ------------------------------------------------------------------------


def test_an_equation_of_vectors_is_one_of_their_distance_and_zero():
    statement_, one = of(VECTORS)
    said = converted(one.statement, one.setting)
    assert (said.relation, said.right, said.each) == ("==", "0", "i")
    assert said.left == f"({said.vectors[0]} - ({said.vectors[1]}))**2"
    assert proves(statement_, proved(VECTORS), again=True)


def test_vectors_that_differ_are_not_proved_equal():
    from verify.outlines.written import StatementOutline
    from verify.statements.fedbc.lemma_b2_pairs import eq55

    setting = of(VECTORS)[1].setting
    printed = replace(setting, families=(*setting.families, eq55.family))
    said = converted(eq55, printed)
    o = StatementOutline(eq55, printed, said)
    o.step("identity", f"{said.left} == {said.right}")
    assert "identity at" in refused(eq55, printed, o.document)
