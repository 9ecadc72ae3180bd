"""What is listed without a verdict: setting, rules and data, and claims with what they lack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verify.claim import described, open_claim

# -- key | kind | place | title, and the formula in the next line ------------------------------

_DEFINITIONS = r"""
notation | definition | Table 1 | symbols; tau read as E
    F=\sum_ip_iF_i,\quad T\text{ rounds of }E\text{ steps}
alg1 | algorithm | Algorithm 1 | general protocol
    w_{t+E}=\sum_i\alpha_t^iw_{t+E}^i
eq1 | definition | eq. 1 | stochastic gradient
    g_i(w)=\frac1b\sum_{\zeta\in\zeta_t^i}\nabla F_i(w,\zeta)
eq2 | definition | eq. 2 | iterates, aggregated after t = 0 mod E or, in Algorithm 1, at it
    w_{t+1}^i=w_t^i-\eta_tg_i(w_t^i)\ \text{or}\ \sum_j\alpha_t^j(w_t^j-\eta_tg_j(w_t^j))
eq3 | definition | eq. 3 | weights, read as non-negative
    \sum_j\alpha_t^j=1
eq4 | definition | eq. 4 | virtual average, with p or with the weights of the round
    w_{t+1}=w_t-\eta_t\sum_i\alpha_t^ig_i(w_t^i)
complexity | definition | Section 2 | what the server asks for; nothing is claimed of the cost
    F_i(w_t)\ \text{and}\ F_i^\star\text{ per client}
def_opt | definition | Section 2.1 | optima; the last F read as F_i
    F^\star=F(w^\star),\quad F_i^\star=F(w_i^\star)
eq5 | definition | eq. 5 | heterogeneity
    \Gamma=F^\star-\sum_ip_iF_i^\star
eq8 | definition | eq. 8 | weighting skew
    \rho(t,w)=\frac{\sum_i\alpha_t^i(F_i(w)-F_i^\star)}{F(w)-\sum_ip_iF_i^\star}
rhobar | definition | Section 2.1 | smallest skew at the global models; the horizon is open
    \overline\rho=\min_{t=0\bmod E}\rho(t,w_t)
rhotilde | definition | Section 2.1 | largest skew at the optimum; the horizon is open
    \tilde\rho=\max_{t=0\bmod E}\rho(t,w^\star)
eq16 | definition | eq. 16 | ratios of weights to shares
    \alpha_t^i=\kappa_t^ip_i,\quad\pi=\min_{t,i}\kappa_t^i>0,\quad\Pi=\max_{t,i}\kappa_t^i
V | definition | Corollary 4 | speed constant, tau read as E
    \mathcal V=\frac{4L(32\tau^2G^2+\sigma^2)}{3\mu^2\overline\rho}+\frac{8L^2\Gamma}{\mu^2}+\frac{L\gamma\|w^0-w^\star\|^2}2
E | definition | Corollary 4 | learning error
    \mathcal E=\frac{8L\Gamma}{3\mu}\bigl(\frac{\tilde\rho}{\overline\rho}-1\bigr)
exp.data | data | Section 3 | images, not in the package; label-sorted shards of a synthetic task are
    \text{MNIST, Fashion-MNIST; shards of sorted labels}
exp.model | data | Section 3 | network, in two readings of 2,596,426 and 34,826 weights
    \text{two convolutions, }1600\text{ units, softmax}
table2 | data | Table 2 | parameters of the experiments
    N=50,\ T=50,\ E=2,\ b=64,\ \eta=10^{-4}\cdot0.99^r
metrics | definition | Section 3 | accuracy after a number of rounds, rounds up to 90 %
    R_{90}=\min\{t:\text{accuracy}\ge0.9\}
table4 | data | Table 4 | normalised deviation of the changes over one round
    \text{smoothness values of three frameworks}
fig1 | data | Figure 1 | the classic framework
    \text{scheme}
"""

# -- the same, and what is missing after the formula -------------------------------------------

_MISSING = {
    "images": "the images, the network's starts, the seeds and how F_i* is estimated are not given; "
    "figures/ draws it on synthetic shards and quadratics with stated choices",
    "curves": "the curves are in images; the network's starts, the seeds, the temperature and how "
    "F_i* is estimated are not given; figures/ draws it on synthetic shards with stated choices",
    "question": "a question: nothing is claimed",
    "reasonable": "what counts as reasonable, the formula of the smoothness value, its series and "
    "whether larger means more stable",
}
"""What several claims lack, by the word that stands for it."""
_OPEN = r"""
eq16/positive | claim | Section 2.2 | positive weights
    \alpha_t^i=0\to\varepsilon\text{ without loss of generality}
    what must not be lost: 1/pi, and with it eqs. 17 and 19, is infinite in the limit
strategy.fedmaxk/practice | claim | Section 3 | performance in practice
    \text{FedMax}(k),\text{FedSoftMax}\text{ improve real-world performance}
    tasks, k, seeds and the runs without these strategies are not given, and the claim is
    qualitative; both strategies are in the package
strategy.fedsoftmax/stability | claim | Section 2.3 | stability
    \text{FedSoftMax is more stable than FedMax}
    a definition of stability; of the weights it is true in the sense that they are smooth in the
    losses at every T > 0 and jump at ties for FedMax
text.tight/footnote3 | claim | footnote 3 | the bounds are not tight
    \mathcal V,\mathcal E\text{ not tight}
    a measure of tightness; text.tight.refined says it of the repaired Corollary 4 with a factor
text.tight/experiments | claim | Section 3.2 | the experiments show that the bound is tight
    \text{the upper bound is quite tight}
    the constants of the network, without which the bound has no value, and what quite means
RQ1 | claim | Research question 1 | weaker assumptions
    \text{one of A1 to A4 weaker?}
    question
RQ2 | claim | Research question 2 | gradient descent in place of SGD
    \text{another local method?}
    question
RQ4/faster | claim | Research question 4 | further experiments, not shown
    \text{speed grows with }T^{-1}
    images
RQ5 | claim | Research question 5 | Polyak-Lojasiewicz losses
    \text{non-convex losses?}
    question
table3 | table | Table 3 | rounds up to 90 % accuracy
    R_{90}\text{ with confidence intervals}
    level, construction and number of runs of the intervals, and the data of the runs
fig2 | figure | Figure 2 | FedAvg and FedSoftMax, IID
    \text{IID: curves nearly equal}
    curves
fig3 | figure | Figure 3 | FedAvg and FedSoftMax, not IID
    \text{final accuracies near each other}
    curves
fig4 | figure | Figure 4 | three frameworks
    \text{the gap grows with heterogeneity}
    curves
fig5/curves | figure | Figure 5 | curves of several temperatures
    T\in[5,30]:\ \text{higher }T,\text{ higher speed}
    images
fig6 | figure | Figure 6 | weights against shares, IID
    \alpha_i-p_i\to0\text{ at rate }1/t
    images
fig7 | figure | Figure 7 | heat map of the weights
    \text{few clients have weight}
    curves
remark9/bias | remark | Remark 9 | bias proportional to heterogeneity
    \text{bias}\propto\text{distance from IID}
    measures of the bias and of the distance
remark10/phases | remark | Remark 10 | two phases
    \text{fast as FedMax}(k)\text{ first, correct as FedAvg later}
    numbers for FedMax(k), k and what counts as the first phase are not given
stability/TNIID-reasonable | claim | Table 4 | reasonable stability
    \text{FedSoftMax is reasonably stable}
    reasonable
stability/NIID-reasonable | claim | Table 4 | reasonable stability
    \text{FedSoftMax is reasonably stable}
    reasonable
stability/IID-reasonable | claim | Table 4 | reasonable stability
    \text{FedSoftMax is reasonably stable}
    reasonable
conclusion | claim | Section 3.3 | experiments confirm the theory
    \text{the experiments confirm the theory}
    the runs, and what would have counted against it
"""


def _records(table: str) -> Iterator[tuple[list[str], list[str]]]:
    """Head of each record, and the lines beneath it, which are indented."""
    for record in re.split(r"\n(?! )", table.strip()):
        head, *beneath = record.splitlines()
        yield head.split(" | "), [line.strip() for line in beneath]


DEFINITIONS = tuple(
    described(f"aggregation.{name}", kind, where, latex, title)
    for (name, kind, where, title), [latex] in _records(_DEFINITIONS)
)
OPEN = tuple(
    open_claim(f"aggregation.{name}", kind, where, latex, title, _MISSING.get(text, text))
    for (name, kind, where, title), [latex, *lines] in _records(_OPEN)
    for text in [" ".join(lines)]
)
