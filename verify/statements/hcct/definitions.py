"""What the paper defines: listed with its kind, no verdict."""

from __future__ import annotations

from verify.claim.statement import described

_DEFINITIONS = (
    ("hcct.def.clients", "Section 3", r"\mathcal N=\{1,\dots,N\},\ D_i=|\mathcal D_i^{tr}|",
     "clients and their data"),
    ("hcct.def.risk", "Equation 1",
     r"\epsilon_i(h)=\mathbb E_{\mathcal P_i^{te}}[l(h(\mathbf x;\mathbf w),y)]", "local risk"),
    ("hcct.def.same", "Equation 2", r"\mathcal P_i^{te}=\mathcal P_i^{tr}=\mathcal P_i",
     "no shift between training and test"),
    ("hcct.def.grouprisk", "Equation 3",
     r"\epsilon_k(h)=\mathbb E_{\hat{\mathcal P}_k^{tr}}[l(h(\mathbf x;\mathbf w),y)]", "group risk"),
    ("hcct.def.local", "Equation 4",
     r"\mathbf w_i^{t,q+1}=\mathbf w_i^{t,q}-\eta^t\sum_{\mathcal B_i^{t,q}}\nabla l", "local step"),
    ("hcct.def.update", "Equation 5",
     r"\mathbf g_i^t=\sum_{q=1}^Q\frac1{|\mathcal B_i^{t,q}|}\sum_{\mathcal B_i^{t,q}}\nabla l",
     "uploaded update"),
    ("hcct.def.agg", "Equation 6",
     r"\hat{\mathbf w}^{t+1}=\hat{\mathbf w}^t-\eta^t\sum_i\frac{D_i}{\hat D}\mathbf g_i^t",
     "server step"),
    ("hcct.def.J", "Equation 21", r"J_i(\mathbf w)=\frac1{D_i}\sum_{\mathcal D_i^{tr}}l",
     "empirical loss"),
    ("hcct.def.a", "Section 6", r"a_i^t=D_i/\hat D_{G_i^t}", "weights in a group"),
    ("hcct.def.d1", "Theorem 1",
     r"d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)=\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|",
     "divergence of laws"),
    ("hcct.def.lambda", "Theorem 1",
     r"\lambda=\min\{\mathbb E_{\mathcal P_i}[f_{G_i}-f_i],\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]\}",
     "difference of the labelling functions"),
    ("hcct.def.sim", "Equation 8", r"s(i,G)=\cos\langle\mathbf g_i,\hat{\mathbf g}_G\rangle",
     "similarity"),
    ("hcct.def.utility", "Equation 9", r"U_i(G)=-\alpha/\hat D_G+s(i,G)+\beta", "utility"),
    ("hcct.def.P1", "Equations 10 and 11", r"\max_\Pi\sum_iU_i\ \text{over all partitions}",
     "partition problem"),
    ("hcct.def.groupU", "Equations 12 and 14", r"\hat U_k=\sum_{i\in\mathcal C_k}U_i",
     "group utility"),
    ("hcct.def.benefit", "Equations 13 and 15",
     r"B(k_1,k_2)=\hat U_{k'}-\hat U_{k_1}-\hat U_{k_2}", "benefit of a merge"),
    ("hcct.def.argmax", "Equation 16", r"(k_1^*,k_2^*)=\arg\max B(k_1,k_2)", "merge rule"),
    ("hcct.def.stop", "Equation 17", r"K=1\ \text{or}\ B(k_1,k_2)\le0\ \forall k_1\ne k_2",
     "stopping rule"),
    ("hcct.def.layer", "Equations 18 to 20",
     r"l^*=\arg\max_l\mathrm{Var}(\mathbf g[l])/\mathrm{Mean}(\mathbf g[l])", "layer of HCCT-E"),
    ("hcct.assLab", "Equations 29 and 30",
     r"y=f_i(\mathbf x;\mathbf w_i^*)\ \text{on}\ \mathcal D_i^{te},\ y=f_{G_i}(\mathbf x;\hat{\mathbf w}_{G_i}^*)\ \text{on}\ \hat{\mathcal D}_{G_i}^{tr}",
     "labelling functions"),
    ("hcct.assRisk", "Equations 31 and 32",
     r"\epsilon_i(h,f_{G_i})=\mathbb E_{\mathcal P_i}|h-f_{G_i}|,\ \epsilon_{G_i}(h,f_i)=\mathbb E_{\hat{\mathcal P}_{G_i}}|h-f_i|",
     "auxiliary risks"),
)
_ALGORITHMS = (
    ("hcct.alg1", "Algorithm 1", r"\text{partition, average, train, aggregate}", "HCCT"),
    ("hcct.alg2", "Algorithm 2", r"\text{merge the pair of largest benefit}", "client partition"),
    ("hcct.alg.fig2", "Figure 2", r"\{1,2,3\},\{4,5\},\{6\}", "worked example"),
    ("hcct.alg.hccte", "Section 5.3",
     r"s(i,G)=\cos\langle\mathbf g_i[l^*],\mathbf g_G[l^*]\rangle", "HCCT-E"),
    ("hcct.alg.hcctp", "Section 5.3", r"\text{shared extractor, own classifier}", "HCCT-P"),
    ("hcct.alg.newclient", "Section 5", r"\text{group of the largest utility}",
     "clients that join later"),
)

DEFINITIONS = tuple(described(key, "definition", *entry) for key, *entry in _DEFINITIONS)
ALGORITHMS = tuple(described(key, "algorithm", *entry) for key, *entry in _ALGORITHMS)
