"""Second judges of the accusations against `adaptive`."""

from __future__ import annotations

from tests.qa.second_judges.adaptive import numbers, runs, wavy
from tests.qa.second_judges.record import Judge

EXCESSES = (("mean-excess", False), ("realised-excess", True))
SQUARES = (("plain-b", False), ("squared-b", True))
CASES = [(f"{b}+{e}", square, every) for b, square in SQUARES for e, every in EXCESSES]
LEMMA1 = "Lemma 1, own gradient at theta^t: "


JUDGES = (
    Judge(
        "adaptive.alg.afo/range",
        "Section 1: 'a set of weights in [0,1]'",
        numbers.weights_above_one,
    ),
    *(
        Judge(
            f"adaptive.lemma1@new-model+{factor}+{random}",
            LEMMA1 + "conditional mean against a right side on each run, or in mean",
            lambda raw, h=factor != "eta", e=random == "each-run": runs.lemma1(
                raw, after=True, each_run=e, half=h
            ),
        )
        for factor in ("eta", "half-eta-squared")
        for random in ("each-run", "in-mean")
    ),
    *(
        Judge(
            key,
            "own gradient at theta^(t-1), + eta beta sigma^2 alpha^2",
            lambda raw: runs.lemma1(raw, after=False),
        )
        for key in ("adaptive.lemma1@old-model+eta", "adaptive.lemma1.exact/last@eta")
    ),
    Judge(
        "adaptive.property1",
        "Property 1: A3 with b <= sqrt 2 |A_k(xi_i - xi_k)|, c <= 2 |I - A_k A_i^-1|^2",
        numbers.property1,
    ),
    Judge(
        "adaptive.theorem1@each-run",
        "Theorem 1: (sigma_psi^t)^2 outside the expectation, on each run",
        runs.theorem1,
    ),
    Judge(
        "adaptive.theorem1.rec@each-run",
        "proof of Theorem 1: recursion with sigma_eff^t outside the expectation",
        lambda raw: runs.theorem1(raw, recursion=True),
    ),
    Judge(
        "adaptive.theorem1.sumalpha@over-i",
        "proof of Theorem 1: sum over i in [N] of alpha_ik = (sigma_psi/sigma_phi)^2",
        numbers.sum_over_askers,
    ),
    *(
        Judge(
            f"adaptive.lemma2/{part}@{case}+{place}",
            "Lemma 2 at epsilon = epsilon_i^t, any t and any steps",
            lambda raw, v=part == "variance", e=every, a=place == "after-step", b=square: (
                runs.lemma2(raw, realised=e, after=a, variance=v, square=b)
            ),
        )
        for part in ("cluster", "variance")
        for case, square, every in CASES
        for place in ("before-step", "after-step")
        if (case, place) != ("squared-b+realised-excess", "after-step")  # stands
    ),
    Judge(
        "adaptive.lemma2/proof-A3@asked",
        "proof of Lemma 2: Delta^2 <= b^2 + c |grad R_i(theta_k^t)|^2",
        runs.a3_in_proof,
    ),
    Judge(
        "adaptive.lemma2/proof-PL@asked",
        "proof of Lemma 2, second inequality, with grad R_i(theta_k^t)",
        runs.pl_in_proof,
    ),
    *(
        Judge(
            f"adaptive.theorem2/replace@{kind}+{case}",
            "proof of Theorem 2: 'Upper-bounding with the minimal variance of the cluster'; of the "
            "excess losses that of T-1 alone is bounded from below",
            lambda raw, e=every, r=kind, b=square: runs.constant_row(raw, e, b, replaced=r),
        )
        for kind in ("each-run", "in-mean")
        for case, square, every in CASES
    ),
    *(
        Judge(
            f"adaptive.theorem2.const@{case}",
            "Theorem 2, Table 1: constant row; epsilon_i^(T-1) >= epsilon, no other excess loss",
            lambda raw, e=every, b=square: runs.constant_row(raw, e, b),
        )
        for case, square, every in CASES
    ),
    *(
        Judge(
            f"adaptive.theorem2.horizon@{case}{'+' * bool(beta)}{beta}",
            "Theorem 2, Table 1: horizon-dependent row; steps above 0",
            lambda raw, e=every, b=square, i=beta == "with-beta": runs.horizon_row(raw, e, b, i),
        )
        for case, square, every in CASES
        for beta in (("without-beta", "with-beta") if square else ("",))
    ),
    Judge(
        "adaptive.remark3/c-phi@psi",
        "Remark 3: (sigma_phi)^2 = (sum numbers.psi(r)/sigma_k^2)^-1 for the continuous rule",
        numbers.phi_of_remark3,
    ),
    Judge(
        "adaptive.corollary1/proof-max",
        "proof of Corollary 1: the bound is K/T, Theorem 2 has max(K, eps0)/T",
        numbers.proof_of_corollary1,
    ),
    *(
        Judge(
            f"adaptive.theorem3@{case}",
            "Theorem 3: step min(sqrt(2 eps0/(T beta sigma_suf^2)), (sigma_phi/sigma_psi)^2/beta)",
            lambda raw, e=every, b=square: runs.theorem3(raw, e, b),
        )
        for case, square, every in CASES
    ),
    *(
        Judge(
            f"adaptive.theorem3.step/bound@{case}",
            "proof of Theorem 3: average square <= 2 eps0/(T eta) + eta beta sigma_suf^2",
            lambda raw, e=every, b=square: runs.summed(raw, e, b),
        )
        for case, square, every in CASES
    ),
    Judge(
        "adaptive.def2.lim0@square",
        "after Definition 2: lim eps to 0 is (sum sigma_k^2 numbers.psi((1-c)_+) 1{b = 0})^-1",
        numbers.limit_at_zero,
    ),
    Judge(
        "adaptive.def2.mono/decreasing@strictly-falling",
        "after Definition 2: sigma_suf^2 is decreasing, strictly",
        numbers.falls_strictly,
    ),
    Judge(
        "adaptive.sec4.lb/text@strict",
        "Section 4: sigma_suf^2 > sigma^2/(numbers.psi(1) N*)",
        numbers.strict_lower_bound,
    ),
    Judge(
        "adaptive.sec4.binmin", "Section 4: min of psi_bin over N* = lambda", numbers.smallest_psi
    ),
    Judge(
        "adaptive.sec4.opt/stationary@eta",
        "Section 4: the equation's solution minimises the upper bound of Lemma 1 as printed",
        lambda raw: numbers.optimal_weights(raw, definition1=False),
    ),
    *(
        Judge(
            f"adaptive.sec4.opt/normalised@{factor}",
            "Section 4: the normalised weights preserve the minimisation of Lemma 1",
            lambda raw, h=factor != "eta": numbers.optimal_weights(raw, definition1=True, half=h),
        )
        for factor in ("eta", "half-eta-squared")
    ),
    Judge(
        "adaptive.sec4.freq/variance",
        "Section 4: N >> b_alpha, collaboration reduces the variance more than b_alpha gradients",
        numbers.local_variance,
    ),
    Judge(
        "adaptive.inf.fullgrad@loss",
        "Section 1: with full gradients there would be no point in collaborating",
        numbers.no_point,
    ),
    Judge(
        "adaptive.inf.less/ratio",
        "Section 3: as the loss gets better optimised, less collaborations are made",
        numbers.less_collaboration,
    ),
    Judge(
        "adaptive.inf.less/norm",
        "Section 3: as the loss gets better optimised, its gradient norm decreases; under A5",
        wavy.norm_of_gradient,
    ),
    Judge(
        "adaptive.inf.variance/binary",
        "Section 1: All-for-one is a variance reduction method compared with local training",
        numbers.binary_variance,
    ),
    Judge(
        "adaptive.inf.epsfree/steps@every-step-size",
        "Section 1: convergence guarantees 'do not depend on the final target accuracy'; Table 1",
        numbers.two_targets,
    ),
    Judge("adaptive.data.split/labels", "Definition S1: labels 0 to K, K classes", numbers.labels),
    Judge(
        "adaptive.tableS2/loss@deviation",
        "Table S2: 'Standard deviation of train and test accuracy/loss', entries below 0",
        numbers.printed("401/100", "<=", "0"),
    ),
    *(
        Judge(
            f"adaptive.text.exp/gap@{overall}+{rivals}",
            "Section 5: 'the smaller gap with the train performance', for both variants",
            lambda raw, e=overall == "everywhere", names=names: numbers.wider_gap(raw, e, names),
        )
        for overall, rivals, names in (
            ("on-average", "all-rivals", tuple(numbers.TESTS)[2:]),
            ("everywhere", "all-rivals", tuple(numbers.TESTS)[2:]),
            ("everywhere", "personal-rivals", ("local", "ditto", "cobo")),
        )
    ),
    Judge(
        "adaptive.text.exp/all-for-one-bin@table",
        "Section 5: test accuracy 63.9 on Cifar10; Table 2: 64.2",
        numbers.printed("639/10", "=", "642/10"),
    ),
    Judge(
        "adaptive.text.exp/local@table",
        "Section 5: 58.5 on Cifar10; Table 2: 59.0",
        numbers.printed("585/10", "=", "59"),
    ),
    Judge(
        "adaptive.text.exp/fedavg@table",
        "Section 5: 28.9 on Cifar10; Table 2: 30.8",
        numbers.printed("289/10", "=", "308/10"),
    ),
    Judge(
        "adaptive.text.exp/best@everywhere",
        "Section 5: best test performance, on every data set; Ixi: Local 97.3, All-for-one 97.2",
        numbers.printed("973/10", "<=", "972/10"),
    ),
)
