"""What is listed without a verdict: setting, rules and data, and claims with what they lack."""

from __future__ import annotations

from verify.statements.aggregation import quantities as q

claim = q.claims(r"""
Table 1 :: definition
    notation :: symbols; tau read as E :: F=\sum_ip_iF_i,\quad T\text{ rounds of }E\text{ steps}
Algorithm 1 :: algorithm
    alg1 :: general protocol :: w_{t+E}=\sum_i\alpha_t^iw_{t+E}^i
eq. 1 :: definition
    eq1 :: stochastic gradient :: g_i(w)=\frac1b\sum_{\zeta\in\zeta_t^i}\nabla F_i(w,\zeta)
eq. 2 :: definition
    eq2 :: iterates, aggregated after t = 0 mod E or, in Algorithm 1, at it :: w_{t+1}^i=w_t^i-\eta_tg_i(w_t^i)\ \text{or}\ \sum_j\alpha_t^j(w_t^j-\eta_tg_j(w_t^j))
eq. 3 :: definition
    eq3 :: weights, read as non-negative :: \sum_j\alpha_t^j=1
eq. 4 :: definition
    eq4 :: virtual average, with p or with the weights of the round :: w_{t+1}=w_t-\eta_t\sum_i\alpha_t^ig_i(w_t^i)
Section 2 :: definition
    complexity :: what the server asks for; nothing is claimed of the cost :: F_i(w_t)\ \text{and}\ F_i^\star\text{ per client}
Section 2.1 :: definition
    def_opt :: optima; the last F read as F_i :: F^\star=F(w^\star),\quad F_i^\star=F(w_i^\star)
eq. 5 :: definition
    eq5 :: heterogeneity :: \Gamma=F^\star-\sum_ip_iF_i^\star
eq. 8 :: definition
    eq8 :: weighting skew :: \rho(t,w)=\frac{\sum_i\alpha_t^i(F_i(w)-F_i^\star)}{F(w)-\sum_ip_iF_i^\star}
Section 2.1 :: definition
    rhobar :: smallest skew at the global models; the horizon is open :: \overline\rho=\min_{t=0\bmod E}\rho(t,w_t)
    rhotilde :: largest skew at the optimum; the horizon is open :: \tilde\rho=\max_{t=0\bmod E}\rho(t,w^\star)
eq. 16 :: definition
    eq16 :: ratios of weights to shares :: \alpha_t^i=\kappa_t^ip_i,\quad\pi=\min_{t,i}\kappa_t^i>0,\quad\Pi=\max_{t,i}\kappa_t^i
Corollary 4 :: definition
    V :: speed constant, tau read as E :: \mathcal V=\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2
    E :: learning error :: \mathcal E=\frac{8L\Gamma}{3\mu}\bigl(\frac{\tilde\rho}{\overline\rho}-1\bigr)
Section 3 :: data
    exp.data :: images, not in the package; label-sorted shards of a synthetic task are :: \text{MNIST, Fashion-MNIST; shards of sorted labels}
    exp.model :: network, in two readings of 2,596,426 and 34,826 weights :: \text{two convolutions, }1600\text{ units, softmax}
Table 2 :: data
    table2 :: parameters of the experiments :: N=50,\ T=50,\ E=2,\ b=64,\ \eta=10^{-4}\cdot0.99^r
Section 3 :: definition
    metrics :: accuracy after a number of rounds, rounds up to 90 % :: R_{90}=\min\{t:\text{accuracy}\ge0.9\}
Table 4 :: data
    table4 :: normalised deviation of the changes over one round :: \text{smoothness values of three frameworks}
Figure 1 :: data
    fig1 :: the classic framework :: \text{scheme}
Section 2.2 :: claim
    eq16/positive :: positive weights :: \alpha_t^i=0\to\varepsilon\text{ without loss of generality} ::
        what must not be lost: 1/pi, and with it eqs. 17 and 19, is infinite in the limit
Section 3 :: claim
    strategy.fedmaxk/practice :: performance in practice :: \text{FedMax}(k),\text{FedSoftMax}\text{ improve real-world performance} ::
        tasks, k, seeds and the runs without these strategies are not given, and the claim is
        qualitative; both strategies are in the package
Section 2.3 :: claim
    strategy.fedsoftmax/stability :: stability :: \text{FedSoftMax is more stable than FedMax} ::
        a definition of stability; of the weights it is true in the sense that they are smooth in
        the losses at every T > 0 and jump at ties for FedMax
footnote 3 :: claim
    text.tight/footnote3 :: the bounds are not tight :: \mathcal V,\mathcal E\text{ not tight} ::
        a measure of tightness; text.tight.refined says it of the repaired Corollary 4 with a factor
Section 3.2 :: claim
    text.tight/experiments :: the experiments show that the bound is tight :: \text{the upper bound is quite tight} ::
        the constants of the network, without which the bound has no value, and what quite means
Research question 1 :: claim
    RQ1 :: weaker assumptions :: \text{one of A1 to A4 weaker?} :: question
Research question 2 :: claim
    RQ2 :: gradient descent in place of SGD :: \text{another local method?} :: question
Research question 4 :: claim
    RQ4/faster :: further experiments, not shown :: \text{speed grows with }T^{-1} :: images
Research question 5 :: claim
    RQ5 :: Polyak-Lojasiewicz losses :: \text{non-convex losses?} :: question
Table 3 :: table
    table3 :: rounds up to 90 % accuracy :: R_{90}\text{ with confidence intervals} ::
        level, construction and number of runs of the intervals, and the data of the runs
Figure 2 :: figure
    fig2 :: FedAvg and FedSoftMax, IID :: \text{IID: curves nearly equal} :: curves
Figure 3 :: figure
    fig3 :: FedAvg and FedSoftMax, not IID :: \text{final accuracies near each other} :: curves
Figure 4 :: figure
    fig4 :: three frameworks :: \text{the gap grows with heterogeneity} :: curves
Figure 5 :: figure
    fig5/curves :: curves of several temperatures :: T\in[5,30]:\ \text{higher }T,\text{ higher speed} :: images
Figure 6 :: figure
    fig6 :: weights against shares, IID :: \alpha_i-p_i\to0\text{ at rate }1/t :: images
Figure 7 :: figure
    fig7 :: heat map of the weights :: \text{few clients have weight} :: curves
Remark 9 :: remark
    remark9/bias :: bias proportional to heterogeneity :: \text{bias}\propto\text{distance from IID} ::
        measures of the bias and of the distance
Remark 10 :: remark
    remark10/phases :: two phases :: \text{fast as FedMax}(k)\text{ first, correct as FedAvg later} ::
        numbers for FedMax(k), k and what counts as the first phase are not given
Table 4 :: claim
    stability/reasonable :: reasonable stability :: \text{FedSoftMax is reasonably stable} :: reasonable
Section 3.3 :: claim
    conclusion :: experiments confirm the theory :: \text{the experiments confirm the theory} ::
        the runs, and what would have counted against it
""")
LISTED = claim.listed(
    images="the images, the network's starts, the seeds and how F_i* is estimated are not given; "
    "figures/ draws it on synthetic shards and quadratics with stated choices",
    curves="the curves are in images; the network's starts, the seeds, the temperature and how "
    "F_i* is estimated are not given; figures/ draws it on synthetic shards with stated choices",
    question="a question: nothing is claimed",
    reasonable="what counts as reasonable, the formula of the smoothness value, its series and "
    "whether larger means more stable",
)
