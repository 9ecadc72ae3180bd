"""Second judges of the accusations against `aggregation`."""

from __future__ import annotations

from tests.qa.second_judges.aggregation import numbers, runs
from tests.qa.second_judges.record import Judge

_PLACES = [(i, t) for i in ("section2", "algorithm") for t in ("loop", "endless")]
JUDGES = (
    *(
        Judge(
            f"aggregation.lemma2@run+{iterates}",
            "Lemma 2 (eq. 7): spread <= 16 eta_t^2 E^2 G^2, no steps named",
            runs.lemma2,
        )
        for iterates in ("section2", "algorithm")
    ),
    *(
        Judge(
            f"aggregation.{name}@run+{iterates}+{times}",
            f"{words}, no steps named; rho over the run, or over the run repeated for ever",
            lambda raw, t=times, n=name == "eq13": runs.theorem3(raw, t == "endless", no_gap=n),
        )
        for name, words in (
            ("theorem3", "Theorem 3 (eq. 9)"),
            ("eq13", "eq. 13, Gamma = 0"),
            ("proof.recursion", "Appendix A, recursion with B, C and D"),
        )
        for iterates, times in _PLACES
    ),
    *(
        Judge(
            f"aggregation.corollary4@run+{iterates}+loop+{horizon}",
            "Corollary 4 (eq. 10) with its steps, rho over the rounds that are run",
            lambda raw, h=horizon: runs.corollary4(raw, h == "rounds"),
        )
        for iterates in ("section2", "algorithm")
        for horizon in ("iterations", "rounds")
    ),
    Judge(
        "aggregation.corollary4@run+algorithm+endless+iterations",
        "Corollary 4 (eq. 10) with its steps, T in the middle of a round, rho over all times",
        runs.returning,
    ),
    Judge(
        "aggregation.corollary4@run+section2+endless+iterations",
        "Corollary 4 (eq. 10) with its steps, iterates of (2), T = 1, rho over all times",
        runs.returning_between,
    ),
    Judge(
        "aggregation.remark5",
        "Remark 5 (eq. 11): E[F(w_T)] - F* = O(1/T), from Corollary 4, whose E is constant",
        runs.never_falls,
    ),
    *(
        Judge(
            f"aggregation.proof.A5@run+{iterates}+{times}",
            "Appendix A: the final upper bound of A_5, no steps named",
            lambda raw, t=times: runs.fifth(raw, t == "endless"),
        )
        for iterates, times in _PLACES
    ),
    *(
        Judge(
            f"aggregation.proof.pre@run+{iterates}",
            "Appendix A: (1 - eta mu) Delta + 16 eta^2 E^2 G^2 + eta^2 sigma^2 + A_5",
            runs.before_fifth,
        )
        for iterates in ("section2", "algorithm")
    ),
    Judge(
        "aggregation.proof.A1b/first@whole-term",
        "Appendix A: A_1 <= -2 eta sum alpha (F_i(w_t^i) - F_i(w*) + mu/2 |w_t^i - w*|^2)",
        runs.first_bounded,
    ),
    *(
        Judge(
            f"aggregation.proof.A1b/whole@run+{iterates}+{word}",
            "Appendix A: last line of the bound of A_1, with eta_t^2 E^2 G^2 once or 16 times",
            lambda raw, f=factor: runs.first_whole(raw, f),
        )
        for iterates in ("section2", "algorithm")
        for word, factor in (("one", 1), ("sixteen", 16))
    ),
    Judge(
        "aggregation.proof.expand@section2",
        "Appendix A: the expansion, w_t as eq. 4 defines it",
        runs.expanded,
    ),
    Judge(
        "aggregation.proof.A2@end",
        "Appendix A: E A_2 = 0, weights that see the drawn models",
        lambda raw: runs.noise_seen(raw, second=True),
    ),
    Judge(
        "aggregation.proof.A4/first@each-draw",
        "Appendix A: A_4 <= eta^2 sum alpha sigma^2, with no expectation",
        runs.noise_on_a_draw,
    ),
    Judge(
        "aggregation.proof.A4/first@mean-draw+end",
        "Appendix A: E A_4 <= eta^2 sum alpha sigma^2, weights that see the drawn models",
        lambda raw: runs.noise_seen(raw, second=False),
    ),
    Judge(
        "aggregation.proof.psi/induction",
        "Appendix A: Delta_t <= psi/(t + gamma) for all t; only mu B enters, so B = 1 is no loss",
        numbers.induction,
    ),
    Judge(
        "aggregation.proof.psi/sum@loop",
        "Appendix A: V and E have the sum of the entries of psi for their maximum",
        numbers.sum_for_maximum,
    ),
    Judge(
        "aggregation.errorfree/iid-only-if",
        "Section 2.2: Gamma = 0 'corresponds to an IID-dataset'",
        runs.not_alike,
    ),
    Judge(
        "aggregation.errorfree/optimal@reached",
        "Section 2.2: 'a truly optimal algorithm', by the model that is reached",
        runs.fedmax_behind,
    ),
    Judge(
        "aggregation.errorfree/fedmax@whole-run",
        "Section 2.2: the maximum of rho-bar, of whole runs, is achieved by FedMax",
        runs.fedmax_least,
    ),
    Judge(
        "aggregation.fig5/formula",
        "Section 3.2: 'between 5 and 30, an higher temperature entails an higher .. speed'",
        numbers.hotter_slower,
    ),
    Judge(
        "aggregation.strategy.fedmax/bound@whole-run",
        "Section 2.3: 'an optimal bound on the convergence speed', rho-bar of whole runs",
        runs.slower,
    ),
    Judge(
        "aggregation.strategy.fedavg/accuracy@reached",
        "Section 2.3: 'optimal in terms of accuracy', by the model that is reached",
        runs.fedavg_behind,
    ),
    Judge(
        "aggregation.strategy.fedavg/accuracy@bound+loop",
        "Section 2.3: 'optimal in terms of accuracy (since E = 0)': E is never below 0",
        runs.less_than_no_error,
    ),
    Judge(
        "aggregation.remark7/least@loop",
        "Remark 7: the error is smallest for alpha = p, where E = 0",
        runs.less_than_no_error,
    ),
    Judge(
        "aggregation.remark6/large@given-shares",
        "Remark 6: rho-bar may be arbitrarily large, the shares being given",
        numbers.beyond_shares,
    ),
    Judge(
        "aggregation.E_bound@without-factor",
        "before eq. 19: E <= 1/(pi min p_i) - N",
        numbers.error_bound,
    ),
    Judge(
        "aggregation.eq20@difference",
        "eq. 20: V = V_min + (4L - 32 tau^2 G^2 + sigma^2)/(3 mu^2)",
        numbers.twentieth,
    ),
    *(
        Judge(
            f"aggregation.strategy.fedmaxk/choice@{weights}",
            "Section 2.3: FedMax(k) 'boils down to' Power-of-Choice, the k largest losses",
            numbers.power_of_choice,
        )
        for weights in ("uniform", "by-shares")
    ),
    Judge(
        "aggregation.remark10/cold",
        "Remark 10: FedSoftMax interpolates between FedAvg and FedMax(k)",
        numbers.cold,
    ),
    Judge(
        "aggregation.remark9/faster@every-framework",
        "Remark 9: 'a higher convergence speed compared to FedAvg', with no framework named",
        numbers.not_faster,
    ),
    *(
        Judge(
            f"aggregation.stability@{who}+each-framework+{meaning}",
            "Section 3.2: 'a more pronounced tendency toward instability' in Table 4, in each row",
            numbers.not_in_each_row,
        )
        for who in ("fedavg", "fedsoftmax")
        for meaning in ("larger-smoother", "larger-rougher")
    ),
    *(
        Judge(
            f"aggregation.stability@{reading}",
            "Section 3.2: FedAvg is the less stable, by the three values of Table 4 together",
            numbers.printed("6.8257986171243056", "5.5197889532116251"),
        )
        for reading in ("fedavg+together+larger-rougher", "fedsoftmax+together+larger-smoother")
    ),
)
