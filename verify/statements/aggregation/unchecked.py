"""What is listed without a verdict: setting, rules and data, and claims with what they lack."""

from __future__ import annotations

from verify.claim import described, open_claim

_DEFINITIONS = (
    (
        "notation",
        "definition",
        "Table 1",
        r"F=\sum_ip_iF_i,\quad T\text{ rounds of }E\text{ steps}",
        "symbols; tau read as E",
    ),
    ("alg1", "algorithm", "Algorithm 1", r"w_{t+E}=\sum_i\alpha_t^iw_{t+E}^i", "general protocol"),
    (
        "eq1",
        "definition",
        "eq. 1",
        r"g_i(w)=\frac1b\sum_{\zeta\in\zeta_t^i}\nabla F_i(w,\zeta)",
        "stochastic gradient",
    ),
    (
        "eq2",
        "definition",
        "eq. 2",
        r"w_{t+1}^i=w_t^i-\eta_tg_i(w_t^i)\ \text{or}\ \sum_j\alpha_t^j(w_t^j-\eta_tg_j(w_t^j))",
        "iterates, aggregated after t = 0 mod E or, in Algorithm 1, at it",
    ),
    ("eq3", "definition", "eq. 3", r"\sum_j\alpha_t^j=1", "weights, read as non-negative"),
    (
        "eq4",
        "definition",
        "eq. 4",
        r"w_{t+1}=w_t-\eta_t\sum_i\alpha_t^ig_i(w_t^i)",
        "virtual average, with p or with the weights of the round",
    ),
    (
        "complexity",
        "definition",
        "Section 2",
        r"F_i(w_t)\ \text{and}\ F_i^\star\text{ per client}",
        "what the server asks for; nothing is claimed of the cost",
    ),
    (
        "def_opt",
        "definition",
        "Section 2.1",
        r"F^\star=F(w^\star),\quad F_i^\star=F(w_i^\star)",
        "optima; the last F read as F_i",
    ),
    ("eq5", "definition", "eq. 5", r"\Gamma=F^\star-\sum_ip_iF_i^\star", "heterogeneity"),
    (
        "eq8",
        "definition",
        "eq. 8",
        r"\rho(t,w)=\frac{\sum_i\alpha_t^i(F_i(w)-F_i^\star)}{F(w)-\sum_ip_iF_i^\star}",
        "weighting skew",
    ),
    (
        "rhobar",
        "definition",
        "Section 2.1",
        r"\overline\rho=\min_{t=0\bmod E}\rho(t,w_t)",
        "smallest skew at the global models; the horizon is open",
    ),
    (
        "rhotilde",
        "definition",
        "Section 2.1",
        r"\tilde\rho=\max_{t=0\bmod E}\rho(t,w^\star)",
        "largest skew at the optimum; the horizon is open",
    ),
    (
        "eq16",
        "definition",
        "eq. 16",
        r"\alpha_t^i=\kappa_t^ip_i,\quad\pi=\min_{t,i}\kappa_t^i>0,\quad\Pi=\max_{t,i}\kappa_t^i",
        "ratios of weights to shares",
    ),
    (
        "V",
        "definition",
        "Corollary 4",
        r"\mathcal V=\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2",
        "speed constant, tau read as E",
    ),
    (
        "E",
        "definition",
        "Corollary 4",
        r"\mathcal E=\frac{8L\Gamma}{3\mu}\bigl(\frac{\tilde\rho}{\overline\rho}-1\bigr)",
        "learning error",
    ),
    (
        "exp.data",
        "data",
        "Section 3",
        r"\text{MNIST, Fashion-MNIST; shards of sorted labels}",
        "images, not in the package; label-sorted shards of a synthetic task are",
    ),
    (
        "exp.model",
        "data",
        "Section 3",
        r"\text{two convolutions, }1600\text{ units, softmax}",
        "network, in two readings of 2,596,426 and 34,826 weights",
    ),
    (
        "table2",
        "data",
        "Table 2",
        r"N=50,\ T=50,\ E=2,\ b=64,\ \eta=10^{-4}\cdot0.99^r",
        "parameters of the experiments",
    ),
    (
        "metrics",
        "definition",
        "Section 3",
        r"R_{90}=\min\{t:\text{accuracy}\ge0.9\}",
        "accuracy after a number of rounds, rounds up to 90 %",
    ),
    (
        "table4",
        "data",
        "Table 4",
        r"\text{smoothness values of three frameworks}",
        "normalised deviation of the changes over one round",
    ),
    ("fig1", "data", "Figure 1", r"\text{scheme}", "the classic framework"),
)
DEFINITIONS = tuple(described(f"aggregation.{name}", *rest) for name, *rest in _DEFINITIONS)

_IMAGES = (
    "the images, the network's starts, the seeds and how F_i* is estimated are not given; "
    "figures/ draws it on synthetic shards and quadratics with stated choices"
)
_CURVES = (
    "the curves are in images; the network's starts, the seeds, the temperature and how F_i* is "
    "estimated are not given; figures/ draws it on synthetic shards with stated choices"
)
_QUESTION = "a question: nothing is claimed"
_REASONABLE = (
    "what counts as reasonable, the formula of the smoothness value, its series and whether "
    "larger means more stable"
)
_OPEN = (
    (
        "eq16/positive",
        "claim",
        "Section 2.2",
        r"\alpha_t^i=0\to\varepsilon\text{ without loss of generality}",
        "positive weights",
        "what must not be lost: 1/pi, and with it eqs. 17 and 19, is infinite in the limit",
    ),
    (
        "strategy.fedmaxk/practice",
        "claim",
        "Section 3",
        r"\text{FedMax}(k),\text{FedSoftMax}\text{ improve real-world performance}",
        "performance in practice",
        "tasks, k, seeds and the runs without these strategies are not given, and the claim is "
        "qualitative; both strategies are in the package",
    ),
    (
        "strategy.fedsoftmax/stability",
        "claim",
        "Section 2.3",
        r"\text{FedSoftMax is more stable than FedMax}",
        "stability",
        "a definition of stability; of the weights it is true in the sense that they are smooth in "
        "the losses at every T > 0 and jump at ties for FedMax",
    ),
    (
        "text.tight/footnote3",
        "claim",
        "footnote 3",
        r"\mathcal V,\mathcal E\text{ not tight}",
        "the bounds are not tight",
        "a measure of tightness; text.tight.refined says it of the repaired Corollary 4 with a factor",
    ),
    (
        "text.tight/experiments",
        "claim",
        "Section 3.2",
        r"\text{the upper bound is quite tight}",
        "the experiments show that the bound is tight",
        "the constants of the network, without which the bound has no value, and what quite means",
    ),
    (
        "RQ1",
        "claim",
        "Research question 1",
        r"\text{one of A1 to A4 weaker?}",
        "weaker assumptions",
        _QUESTION,
    ),
    (
        "RQ2",
        "claim",
        "Research question 2",
        r"\text{another local method?}",
        "gradient descent in place of SGD",
        _QUESTION,
    ),
    (
        "RQ4/faster",
        "claim",
        "Research question 4",
        r"\text{speed grows with }T^{-1}",
        "further experiments, not shown",
        _IMAGES,
    ),
    (
        "RQ5",
        "claim",
        "Research question 5",
        r"\text{non-convex losses?}",
        "Polyak-Lojasiewicz losses",
        _QUESTION,
    ),
    (
        "table3",
        "table",
        "Table 3",
        r"R_{90}\text{ with confidence intervals}",
        "rounds up to 90 % accuracy",
        "level, construction and number of runs of the intervals, and the data of the runs",
    ),
    (
        "fig2",
        "figure",
        "Figure 2",
        r"\text{IID: curves nearly equal}",
        "FedAvg and FedSoftMax, IID",
        _CURVES,
    ),
    (
        "fig3",
        "figure",
        "Figure 3",
        r"\text{final accuracies near each other}",
        "FedAvg and FedSoftMax, not IID",
        _CURVES,
    ),
    (
        "fig4",
        "figure",
        "Figure 4",
        r"\text{the gap grows with heterogeneity}",
        "three frameworks",
        _CURVES,
    ),
    (
        "fig5/curves",
        "figure",
        "Figure 5",
        r"T\in[5,30]:\ \text{higher }T,\text{ higher speed}",
        "curves of several temperatures",
        _IMAGES,
    ),
    (
        "fig6",
        "figure",
        "Figure 6",
        r"\alpha_i-p_i\to0\text{ at rate }1/t",
        "weights against shares, IID",
        _IMAGES,
    ),
    (
        "fig7",
        "figure",
        "Figure 7",
        r"\text{few clients have weight}",
        "heat map of the weights",
        _CURVES,
    ),
    (
        "remark9/bias",
        "remark",
        "Remark 9",
        r"\text{bias}\propto\text{distance from IID}",
        "bias proportional to heterogeneity",
        "measures of the bias and of the distance",
    ),
    (
        "remark10/phases",
        "remark",
        "Remark 10",
        r"\text{fast as FedMax}(k)\text{ first, correct as FedAvg later}",
        "two phases",
        "numbers for FedMax(k), k and what counts as the first phase are not given",
    ),
    *(
        (
            f"stability/{name}-reasonable",
            "claim",
            "Table 4",
            r"\text{FedSoftMax is reasonably stable}",
            "reasonable stability",
            _REASONABLE,
        )
        for name in ("TNIID", "NIID", "IID")
    ),
    (
        "conclusion",
        "claim",
        "Section 3.3",
        r"\text{the experiments confirm the theory}",
        "experiments confirm the theory",
        "the runs, and what would have counted against it",
    ),
)
OPEN = tuple(open_claim(f"aggregation.{name}", *rest) for name, *rest in _OPEN)
