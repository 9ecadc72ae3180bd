"""Which statements have a rate: each that bounds a run, or why it has none."""

from __future__ import annotations

from fnmatch import fnmatchcase

from verify.catalogue.library import library
from verify.catalogue.rates import every_rate
from verify.claim import Statement

WITHOUT: dict[str, str] = {
    "adaptive.lemma1*": "one round",
    "adaptive.lemma2*": "a point of a run",
    "adaptive.remark2": "a point of a run",
    "adaptive.theorem*+realised-excess*": "noise with a density never meets it on every path",
    "adaptive.theorem*@squared-b+mean-excess*": "of one loss b is 0: measured as printed",
    "adaptive.theorem2.decr@realised-excess": "no instance",
    "adaptive.corollary1/iterations": "no instance",
    "aggregation.*@space": "no instance",
    "aggregation.*@run+section2*": "the times of Equation 2; runs of Algorithm 1 are measured",
    "aggregation.*@run+*endless*": "a minimum over all times needs runs that repeat",
    "aggregation.eq17@*": "FedAvg's case of Corollary 4",
    "aggregation.eq19@*": "FedSoftMax's case of Corollary 4",
    "aggregation.remark7*": "speaks of rho along a run, not of what is reached",
    "allforall.lemma*@every-outcome*": "every outcome of a long run",
    "allforall.lemma4a.refined/*": "any function of a class: a proof, not a curve",
    "allforall.theorem*.refined/class": "any function of a class: a proof, not a curve",
    "allforall.lemma5a/class": "any function of a class: a proof, not a curve",
    "allforall.lemma5c@in-mean+at-most": "the best horizon, a run for each",
    "allforall.theorem8/samples@as-displayed+at-most": "the best horizon, a run for each",
    "allforall.theorem8/*@as-in-lemmas*": "the step is too long, so that runs do not settle",
    "allforall.theorem6b.explicit": "measured as theorem6b.repaired",
    "fedbc.*.explicit/order": "measured as the form beside it",
    "allforall.theorem4.2@*+at-most": "the best horizon, a run for each",
    "allforall.theorem4.2@some-step*": "a bound from below of all steps",
    "allforall.lemma4c*/number": "a number of rounds",
    "fedbc.lemmaB1*": "one round",
    "fedbc.theorem1.interp*": "an identity",
    "fedbc.corollary46.remark*": "a comparison of two runs",
    "hcct.lemma1*": "one round",
    "hcct.theorem2.refined/each-client": "any function of a class: a proof, not a curve",
}
"""Keys or globs of theorems, lemmas, corollaries and remarks with runs but without a rate."""


PAPERS = {rate.paper for rate in every_rate()}
"""Papers that have rates; a small one may do without."""


def bounds_a_run(statement: Statement) -> bool:
    families = (statement.family, *statement.also)
    runs = any("rounds" in shape or "schedule" in shape for f in families for shape in f.shapes)
    kinds = ("theorem", "lemma", "corollary", "remark")
    forms = ("empty", "trivial")
    claim = statement.sides is not None and statement.relation != "<~"
    return runs and claim and statement.kind in kinds and statement.form not in forms


def test_every_statement_that_bounds_a_run_has_a_rate() -> None:
    measured = {rate.statement.key for rate in every_rate()}
    lacking = [
        leaf.key
        for entry in library()
        for leaf in entry.leaves
        if entry.paper in PAPERS
        and bounds_a_run(leaf)
        and leaf.key not in measured
        and not any(fnmatchcase(leaf.key, pattern) for pattern in WITHOUT)
    ]
    assert lacking == []


def test_a_reason_is_given_only_where_there_is_no_rate() -> None:
    leaves = [leaf for entry in library() for leaf in entry.leaves if bounds_a_run(leaf)]
    measured = {rate.statement.key for rate in every_rate()}
    idle = [
        pattern
        for pattern in WITHOUT
        if not any(fnmatchcase(leaf.key, pattern) and leaf.key not in measured for leaf in leaves)
    ]
    assert idle == []


def test_rates_of_a_paper_are_of_several_forms() -> None:
    for paper in PAPERS:
        forms = {rate.statement.form for rate in every_rate() if rate.paper == paper}
        assert len(forms) >= 2
