"""What an outline of a statement may not say: each fault is refused, with what it is."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.ball import Ball
from tests.verify.outlines.library import of, proved
from verify import Hypothesis, Real, numbers, proof_of, statement
from verify.ladder.rungs.proof import prove, recheck
from verify.outlines.converted import NotConverted, converted
from verify.outlines.exact import NotInFractions, above, below, enclosed, ends
from verify.outlines.proved import document_of, proves
from verify.outlines.registry import registered
from verify.outlines.runs import refused
from verify.outlines.setting import Guaranteed, Term
from verify.proof.outline import NoProof

KEY = "hcct.theorem2.repaired"
X, Y = Real(1 / 8, 8, log=True), Real(-2, 2)


def claim(sides, key="own.claim", **more):
    family = more.pop("family", numbers({"x": X, "y": Y}))
    return statement(key, where="here", latex="x", family=family, **more)(sides)


def changed(**parts):
    return {**proved(KEY), **parts}


# -- stored documents ------------------------------------------------------------------------------


def test_the_document_of_the_statement_is_accepted():
    assert proves(of(KEY)[0], json.loads(json.dumps(proved(KEY))), again=True)


def test_a_document_of_another_statement_is_refused():
    other = of("hcct.eq41.repaired")[0]
    assert registered(other) is not None
    assert not proves(other, proved(KEY))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("noise", {"sigma2": "sigma**2/2"}),
        ("similar", {"at_most": "0"}),
        ("smooth", {"L": "L/2"}),
        ("eta < 1/L", {"more": "1 - 2*eta0*L"}),
    ],
)
def test_a_stronger_fact_than_the_setting_has_is_refused(name, args):
    facts = [
        {**f, "args": {**f["args"], **args}} if f["name"] == name else f
        for f in proved(KEY)["facts"]
    ]
    assert facts != proved(KEY)["facts"]
    assert not proves(of(KEY)[0], changed(facts=facts))


def test_another_sign_or_an_earlier_moment_than_the_setting_says_is_refused():
    numbers_ = {**proved(KEY)["numbers"], "sigma": "positive"}
    assert not proves(of(KEY)[0], changed(numbers=numbers_))
    vectors = {**proved(KEY)["vectors"], "n[t]": {"known": "t", "shared": False}}
    assert not proves(of(KEY)[0], changed(vectors=vectors))


def test_a_definition_of_what_the_setting_has_is_refused():
    fact = {"name": "so", "rule": "definition", "args": {"entry": "K[0]", "is_": "0"}}
    assert not proves(of(KEY)[0], changed(facts=[*proved(KEY)["facts"], fact]))


def test_a_stored_proof_is_of_the_claim_and_of_nothing_else():
    proof = {"certificates": [{"shape": {}, "written": proved(KEY)}]}
    assert recheck(of(KEY)[0], proof, again=True)
    assert not recheck(of(KEY)[0], {**proof, "of": "negation"})
    assert not recheck(claim(lambda w: ({"x": w.x}, {"2x": 2 * w.x})), proof)


# -- exact runs ------------------------------------------------------------------------------------


def test_a_line_of_the_notation_that_is_another_quantity_is_refused():
    statement_, one = of(KEY)
    wrong = [
        replace(term, formula="2*eta0") if term.formula == "eta0" else term
        for term in one.setting.terms
    ]
    said = refused(statement_, replace(one.setting, terms=wrong), proved(KEY))
    assert "2*eta0 is" in said


def test_a_false_fact_of_a_setting_is_refused_with_the_run():
    statement_, one = of(KEY)
    args = {"one": "c[t]", "other": "h[t]", "at_most": "K[t]/(9*N)"}
    facts = [{**f, "args": args} if f["name"] == "similar" else f for f in proved(KEY)["facts"]]
    said = refused(statement_, one.setting, changed(facts=facts, steps=[]))
    assert "similar at t = 0 is false" in said
    assert "parabolas of one curvature" in said


def test_a_random_quantity_that_the_table_calls_none_is_refused():
    statement_, one = of(KEY)
    wrong = [replace(term, random=False) for term in one.setting.terms]
    assert "is random" in refused(statement_, replace(one.setting, terms=wrong), proved(KEY))


# -- statements ------------------------------------------------------------------------------------


def test_a_term_without_a_name_is_told():
    made = claim(lambda w: ({"x": xp.sqrt(w.x)}, {"x": 1 + w.x}))
    with pytest.raises(NotConverted, match="no name for generic.*sqrt"):
        converted(made, registered_plain(made))


def test_a_total_over_another_axis_than_the_last_has_no_name():
    table = numbers({"x": Real(-2, 2, per=("M", "N"))}, {"M": 2, "N": 3})
    made = claim(lambda w: ({"0": 0 * xp.total(xp.total(w.x, -2))}, {"1": 1}), family=table)
    with pytest.raises(NotConverted, match="no name for generic.*total"):
        converted(made, registered_plain(made))


def registered_plain(made):
    from verify.outlines.plain import plain_setting

    return plain_setting(made)


def test_a_setting_says_nothing_of_other_families():
    one = of(KEY)[1]
    made = claim(lambda w: ({"x": w.x}, {"2x": 2 * w.x}))
    with pytest.raises(NotConverted, match="says nothing of"):
        converted(made, one.setting)


def test_a_setting_of_a_file_of_its_own_proves_nothing():
    made = claim(lambda w: ({"y": w.y}, {"x": w.x}))
    own = replace(registered_plain(made), measured=lambda w: None)
    with pytest.raises(NotConverted, match="of a file of its own"):
        converted(made, own)


def test_a_product_of_random_quantities_has_no_words():
    statement_, one = of("hcct.lemma1.repaired")
    alone = [t for t in one.setting.terms if t.formula != "h[0]**2"]
    alone.append(Term("h[0]", lambda w: w.original("training").group_gradients(0), "clients"))
    with pytest.raises(NotConverted, match="of each client"):
        converted(statement_, replace(one.setting, terms=alone))


def test_a_statement_about_every_outcome_needs_facts_of_each():
    path, one = of("aggregation.proof.A3")
    mean = of("aggregation.proof.A4.refined")[1].setting
    for setting in (mean, replace(one.setting, alone=None)):
        with pytest.raises(NotConverted, match="about the path"):
            converted(one.statement, replace(setting, families=(path.family,)))
    with pytest.raises(NotConverted, match="about the mean"):
        converted(of(KEY)[1].statement, replace(of(KEY)[1].setting, alone=one.setting.alone))


def test_a_fact_of_the_mean_is_refused_by_an_outcome():
    one = of("aggregation.proof.A3")[1]
    setting = replace(one.setting, facts=of("aggregation.proof.A4.refined")[1].setting.facts)
    variance = setting.facts["variance of independent"]
    fact = {"name": "mean", "rule": variance.rule, "args": dict(variance.args)}
    document = proved("aggregation.proof.A3")
    assert refused(one.statement, setting, document) == ""
    facts = [*document["facts"], fact]
    assert "mean at t = 0 is false" in refused(one.statement, setting, {**document, "facts": facts})


def test_a_hypothesis_that_the_statement_does_not_have_is_no_fact():
    made = claim(lambda w: ({"y": w.y}, {"x": w.x}), key="own.bold")

    @proof_of(made)
    def bold(o):
        o.given("y <= x")
        o.step("so", "y <= x", "y <= x")

    with pytest.raises(NoProof, match="neither one that the setting .* nor a hypothesis"):
        document_of(made)
    (evidence,) = prove(made)
    assert evidence.status == "not-applicable"
    assert "the outline is no proof" in evidence.summary


def test_a_hypothesis_of_the_statement_is_a_fact_by_name_and_by_what_it_says():
    given = [Hypothesis("below", "y <= x", lambda w: 1 - w.y / w.x, "here")]
    for key, steps in {
        "own.named": lambda o: (o.hypothesis("below"), o.step("so", "y <= x", "below times x")),
        "own.said": lambda o: (o.given("y <= x"), o.step("so", "y <= x", "y <= x")),
    }.items():
        made = claim(lambda w: ({"y": w.y}, {"x": w.x}), key=key, given=given)
        proof_of(made)(steps)
        assert document_of(made)["claim"] == {"left": "y", "relation": "<=", "right": "x"}


def test_a_false_step_is_refused_by_an_instance():
    made = claim(lambda w: ({"y": w.y}, {"x": w.x}), key="own.false")

    @proof_of(made)
    def false(o):
        o.step("so", "y <= x")

    with pytest.raises(NoProof, match=r"so is false: an exact run gives .* where at least 0"):
        document_of(made)


def motzkin(w):
    """Not negative with the product taken off, and no sum of squares then."""
    return w.z**4 * w.y**2 + w.z**2 * w.y**4 + 1


def test_a_step_that_is_true_and_not_proved_is_named():
    made = claim(
        lambda w: ({"product": 3 * w.z**2 * w.y**2}, {"sixth": motzkin(w)}),
        key="own.open",
        family=numbers({"z": Y, "y": Y}),
    )

    @proof_of(made)
    def open_(o):
        o.step("so", f"{o.left} <= {o.right}", degree=1)

    with pytest.raises(NoProof, match="no proof was found for the step so"):
        document_of(made)


def test_an_error_of_its_author_is_told_and_nothing_dies():
    made = claim(lambda w: ({"0": 0 * w.x}, {"x": w.x}), key="own.error")

    @proof_of(made)
    def error(o):
        o.stpe("so", "0 <= x")

    (evidence,) = prove(made)
    assert evidence.status == "decided"
    assert "has no attribute 'stpe'" in evidence.summary


def test_vectors_and_indices_of_ones_own():
    box = {"step": Real(1 / 8, 1, per=("T",)), "v": Real(-2, 2, per=("T", "d")), "y": Y}
    family = numbers(box, {"T": 1, "d": 2}, {"T": 3, "d": 1})
    given = [
        Hypothesis("each", "x", lambda w: w.step - xp.squared_norm(w.v), "here"),
    ]
    made = claim(
        lambda w: ({"squares": xp.total(xp.squared_norm(w.v))}, {"steps": xp.total(w.step)}),
        key="own.sums",
        family=family,
        given=given,
    )

    @proof_of(made)
    def sums(o):
        o.hypothesis("each")
        o.step("one", "v[t]**2 <= step[t]", "each")
        o.close(
            "all", f"{o.left} <= {o.right}", "telescoped", step="one", index="t", rounds="T", of="0"
        )

    assert document_of(made)["claim"]["left"] == "Sum(v[t]**2, (t, 0, T - 1))"


def test_a_fact_that_needs_a_hypothesis_is_none_without_it():
    statement_, one = of(KEY)
    facts = {
        n: replace(f, needs=("another",)) if n == "noise" else f
        for n, f in one.setting.facts.items()
    }
    assert isinstance(facts["noise"], Guaranteed)
    from verify.outlines.justified import unjustified

    setting = replace(one.setting, facts=facts)
    assert "the fact noise" in unjustified(proved(KEY), setting, converted(statement_, setting))


# -- each outcome, each of several, losses without values in fractions -----------------------------

EACH = "adaptive.lemma2.repaired/cluster"
WAVY = "adaptive.theorem3.refined/pl"


def test_a_setting_about_each_outcome_says_nothing_of_means():
    statement_, one = of(EACH)
    with pytest.raises(NotConverted, match="about the mean"):
        converted(replace(statement_, over="mean"), one.setting)
    with pytest.raises(NotConverted, match="about the path"):
        converted(statement_, replace(one.setting, alone=None))


def test_the_mean_of_what_a_setting_about_each_outcome_has_is_not_one_of_its_numbers():
    statement_, one = of("adaptive.lemma2.repaired/variance")
    effective = one.setting.terms[0]
    assert effective.formula == "eff"
    sides = replace(
        statement_, sides=lambda w: ({"mean": w.mean(effective.asked(w))}, {"0": 0 * w.mu})
    )
    with pytest.raises(NotConverted, match="no name for mean"):
        converted(sides, one.setting)


def test_a_line_of_the_notation_is_held_to_every_outcome_and_client():
    statement_, one = of(EACH)
    for formula, other in (("suf", "eff"), ("inside[k]", "inside[0]")):
        wrong = [
            replace(t, formula=other) if t.formula == formula else t for t in one.setting.terms
        ]
        said = refused(statement_, replace(one.setting, terms=wrong), proved(EACH))
        assert f"{other} is" in said


def test_sides_that_are_numbers_for_each_of_several_are_said_for_each():
    box = {"step": Real(1 / 8, 1, per=("T",)), "x": Real(1, 2, domain=(1, 2))}
    family = numbers(box, {"T": 1}, {"T": 3})
    made = claim(
        lambda w: ({"steps": w.step}, {"larger": w.step * w.x[..., None]}),
        key="own.each",
        family=family,
    )

    @proof_of(made)
    def each(o):
        o.uses("1 <= x")
        o.step("larger", f"{o.left} <= {o.right}", "1 <= x times step[t]")

    assert document_of(made)["claim"]["left"] == "step[t]"


def test_losses_without_values_in_fractions_are_held_to_other_runs_of_their_setting():
    statement_, one = of(WAVY)
    facts = [
        {**f, "args": {**f["args"], "more": "0"}} if f["name"] == "phi" else f
        for f in proved(WAVY)["facts"]
    ]
    said = refused(statement_, one.setting, {**proved(WAVY), "facts": facts, "steps": []})
    assert "phi at k = 0, o = 0, t = 0 is false" in said
    assert "saturated losses" in said
    alone = replace(one.setting, families=(statement_.family,))
    assert "no instance was drawn" in refused(statement_, alone, proved(WAVY))


def test_what_meets_no_hypothesis_is_held_to_no_other_runs():
    """Its own instances have values in fractions: none of them is one that it is about."""
    statement_, one = of("adaptive.theorem3.refined/nonconvex")
    never = Hypothesis("never", "0 >= 1", lambda w: -1 + 0 * w.beta, "here")
    assert "no instance was drawn" in refused(
        replace(statement_, given=[never]), one.setting, proved(WAVY)
    )


# -- sizes and enclosures --------------------------------------------------------------------------


def test_a_size_in_an_exponent_is_said_and_one_that_decides_is_refused():
    family = numbers({"x": X}, {"T": 1}, {"T": 3})
    made = claim(lambda w: ({"0": 0 * w.x}, {"power": w.x**w.T}), key="own.power", family=family)

    @proof_of(made)
    def power(o):
        o.step("so", f"{o.left} <= {o.right}")

    assert document_of(made)["claim"]["right"] == "x**T"
    for key, bound in {
        "own.cases": lambda w: w.x * (1 if w.T > 2 else 2),
        "own.larger": lambda w: w.x * xp.maximum(w.T, 2 * xp.ones_like(w.x)),
    }.items():
        other = claim(lambda w, b=bound: ({"0": 0 * w.x}, {"b": b(w)}), key=key, family=family)
        with pytest.raises(NotConverted, match="depends on a size|has no name for|is a program"):
            converted(other, registered_plain(other))


ROOT = "allforall.lemma6a.repaired"


@pytest.mark.parametrize("formula", ["2*top", "1000001/1000000*top"])
def test_a_line_of_the_notation_that_is_another_root_is_refused(formula):
    statement_, one = of(ROOT)
    wrong = [
        replace(term, formula=formula) if term.formula == "top" else term
        for term in one.setting.terms
    ]
    assert refused(statement_, one.setting, proved(ROOT)) == ""
    said = refused(statement_, replace(one.setting, terms=wrong), proved(ROOT))
    assert f"{formula} is" in said


def test_enclosures_stand_for_fractions_beside_them():
    root = xp.sqrt(np.array([Fraction(2)], dtype=object))
    low, high = below(root), above(root)
    assert low**2 < 2 < high**2
    assert high - low < Fraction(1, 10**25)
    assert below(root, Fraction(1, 8)) == low - Fraction(1, 8)
    assert above(Fraction(1, 3), Fraction(1, 8)) == below(Fraction(1, 3)) == Fraction(1, 3)
    least, most = ends(enclosed(root)[0])
    assert low < least <= most < high
    with pytest.raises(NotInFractions, match="wide"):
        enclosed(np.array([Ball(0, 1)], dtype=object))
