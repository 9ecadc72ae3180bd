"""Setting, algorithm and definitions: records without a verdict."""

from __future__ import annotations

from verify.claim.statement import Statement
from verify.statements.adaptive.common import source

_NOTHING = "a definition: nothing to decide"


def _definition(
    name: str, where: str, title: str, latex: str, kind: str = "definition"
) -> Statement:
    return Statement(
        key=f"adaptive.{name}", source=source(where), title=title, latex=latex, kind=kind,
        missing=_NOTHING,
    )  # fmt: skip


STATEMENTS = (
    _definition(
        "setting", "Section 1", "clients, losses, oracle, excess loss",
        r"\theta_i^\star\in\operatorname{argmin}R_i,\quad\varepsilon_i^t=\mathbb E[R_i(\theta_i^t)-R_i(\theta_i^\star)],\quad\mathcal N_i^t=\{k:\alpha_{ik}^t>0\}",
    ),
    _definition(
        "alg.afo", "Section 3", "All-for-one",
        r"\theta_i^t=\theta_i^{t-1}-\eta_i^t\sum_k\alpha_{ik}^tg_k^t(\theta_i^{t-1})", "algorithm",
    ),
    _definition(
        "excess-known", "Section 3", "constants that each step size uses",
        r"\eta\text{ constant: none};\ \text{decreasing: }\mu,C;\ \text{horizon: }\mu,\beta,b,c,\varepsilon_i^0,\varepsilon,T",
    ),
    _definition(
        "def1", "Definition 1", "collaboration weights, effective variance",
        r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2,\quad\sigma_{i,f}^t=\Bigl(\sum_k\sigma_k^{-2}f(r_{ik}^t)\Bigr)^{-1/2},\quad\psi(x)=x\phi(x)",
    ),
    _definition(
        "def2", "Definition 2", "sufficient cluster and variance",
        r"\mathcal N_i^\star(\varepsilon)=\Bigl\{k:\psi\bigl((1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+\bigr)>0\Bigr\},\quad\sigma_{i,\mathrm{suf}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi\bigl((1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+\bigr)\Bigr)^{-1}",
    ),
    _definition(
        "def3", "Definition 3", "binary and continuous collaboration",
        r"\phi_{\mathrm{bin}}(x)=\lambda\mathbb 1\{x\ge\lambda\},\quad\phi_{\mathrm{cont}}(x)=x",
    ),
    _definition(
        "estimator", "Equation (1)", "estimated ratios",
        r"\hat r_{ik}=(1-Z_{ik}/Z_i)_+,\quad Z_{ik}=\Bigl\|\tfrac1m\sum_j(g_i^j-g_k^j)\Bigr\|^2,\quad Z_i=\Bigl\|\tfrac1m\sum_jg_i^j\Bigr\|^2,\quad m=b_\alpha",
    ),
)  # fmt: skip
