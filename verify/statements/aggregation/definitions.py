"""Setting, algorithm, rules and data of the paper: listed with their kind, no verdict."""

from __future__ import annotations

from verify.statements.aggregation.common import described

_DEFINITIONS = (
    ("notation", "definition", "Table 1", r"F=\sum_ip_iF_i,\quad T\text{ rounds of }E\text{ steps}",
     "symbols; tau read as E"),
    ("alg1", "algorithm", "Algorithm 1", r"w_{t+E}=\sum_i\alpha_t^iw_{t+E}^i", "general protocol"),
    ("eq1", "definition", "eq. 1", r"g_i(w)=\frac1b\sum_{\zeta\in\zeta_t^i}\nabla F_i(w,\zeta)",
     "stochastic gradient"),
    ("eq2", "definition", "eq. 2",
     r"w_{t+1}^i=w_t^i-\eta_tg_i(w_t^i)\ \text{or}\ \sum_j\alpha_t^j(w_t^j-\eta_tg_j(w_t^j))",
     "iterates, aggregated after t = 0 mod E or, in Algorithm 1, at it"),
    ("eq3", "definition", "eq. 3", r"\sum_j\alpha_t^j=1", "weights, read as non-negative"),
    ("eq4", "definition", "eq. 4", r"w_{t+1}=w_t-\eta_t\sum_i\alpha_t^ig_i(w_t^i)",
     "virtual average, with p or with the weights of the round"),
    ("complexity", "definition", "Section 2", r"F_i(w_t)\ \text{and}\ F_i^\star\text{ per client}",
     "what the server asks for; nothing is claimed of the cost"),
    ("def_opt", "definition", "Section 2.1", r"F^\star=F(w^\star),\quad F_i^\star=F_i(w_i^\star)",
     "optima"),
    ("eq5", "definition", "eq. 5", r"\Gamma=F^\star-\sum_ip_iF_i^\star", "heterogeneity"),
    ("eq8", "definition", "eq. 8",
     r"\rho(t,w)=\frac{\sum_i\alpha_t^i(F_i(w)-F_i^\star)}{F(w)-\sum_ip_iF_i^\star}",
     "weighting skew"),
    ("rhobar", "definition", "Section 2.1", r"\overline\rho=\min_{t=0\bmod E}\rho(t,w_t)",
     "smallest skew at the global models; the horizon is open"),
    ("rhotilde", "definition", "Section 2.1", r"\tilde\rho=\max_{t=0\bmod E}\rho(t,w^\star)",
     "largest skew at the optimum; the horizon is open"),
    ("exp.data", "data", "Section 3", r"\text{MNIST, Fashion-MNIST; shards of sorted labels}",
     "images, not in the package; label-sorted shards of a synthetic task are"),
    ("exp.model", "data", "Section 3", r"\text{two convolutions, }1600\text{ units, softmax}",
     "network, in two readings of 2,596,426 and 34,826 weights"),
    ("table2", "data", "Table 2", r"N=50,\ T=50,\ E=2,\ b=64,\ \eta=10^{-4}\cdot0.99^r",
     "parameters of the experiments"),
    ("metrics", "definition", "Section 3", r"R_{90}=\min\{t:\text{accuracy}\ge0.9\}",
     "accuracy after a number of rounds, rounds up to 90 %"),
    ("table4", "data", "Table 4", r"\text{smoothness values of three frameworks}",
     "normalised deviation of the changes over one round"),
    ("fig1", "data", "Figure 1", r"\text{scheme}", "the classic framework"),
)  # fmt: skip

STATEMENTS = tuple(described(*entry) for entry in _DEFINITIONS)
