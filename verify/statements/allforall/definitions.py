"""What the paper defines and assumes, and what its figure shows: listed, no verdict."""

from __future__ import annotations

from verify.claim import described
from verify.statements.allforall import quantities as q

LISTED = tuple(
    described(f"allforall.{name}", kind, where, latex, title)
    for (kind,), (name, where, title, latex) in q.lines(r"""
definition
    def.problem :: Section 2 :: N agents, one loss each :: F^k=\frac1N\sum_i(f_i(x_i^k)-f_i(x_i^*))
    def.oracle_sync :: Section 2 :: synchronous oracle :: S^k=\{1,\dots,N\},\ T=NK
    def.oracle_async :: Section 2 :: asynchronous oracle :: S^k=\{i_k\},\ i_k\sim\mathcal U,\ T=K
    def.GEM :: Equation 5 :: collaborative generalisation error minimisation :: f_i(x)=\mathbb E_{\xi\sim\mathcal D_i}\ell(x,\xi)
    def.Neps :: Section 3 :: close agents :: \mathcal N_i^\varepsilon(b)=\sum_j\mathbb 1_{\{b_{ij}\le\varepsilon\}}
    def.Teps :: Section 3 :: sample complexity :: \inf\{T\in\mathbb N^*:\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}
    def.classD :: Section 3 :: classes of problems :: \mathbb D(r,b,B),\ \mathbb D_\mu^L(r,b,\sigma)
    def.dH :: Section 6.1 :: distance between laws seen through a class of functions :: d_{\mathcal H}(\mathcal D,\mathcal D')=\sup_{h\in\mathcal H}\|\mathbb E h(\xi)-\mathbb E h(\xi')\|
    assump.B1 :: Equation 1 :: bias in function values :: f_i(x_j^*)-f_i(x_i^*)\le b_{ij}
    assump.B2 :: Equation 2 :: bias in gradients :: \|\nabla f_i(x)-\nabla f_j(x)\|^2\le\tilde b_{ij}
    assump.B3 :: Equation 13 :: relaxed dissimilarity :: \|\nabla f_i-g_\lambda\|^2\le m\|g_\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}
    assump.DH :: Appendix A.1 :: bias in distributions :: d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le\hat b_{ij}
    assump.N1 :: Equation 3 :: bounded gradients :: \mathbb E\|g_i^k(x)\|^2\le B^2
    assump.N2 :: Equation 4 :: bounded variance, strongly convex and smooth :: \mathbb E\|g_i^k(x)-\nabla f_i(x)\|^2\le\sigma^2
    setting1 :: Section 4 :: Setting 1 :: \text{asynchronous}+\mathrm{N.1}
    setting2 :: Section 4 :: Setting 2 :: \text{synchronous}+\mathrm{N.2}
    assump.bounded :: Theorem 2 :: bounded iterates :: \|x^k-x_i^*\|\le D
    assump.triangle :: Theorem 1 :: triangle inequality :: b_{ij}\le b_{ik}+b_{kj}
algorithm
    alg.WGA :: Equations 6 and 7 :: weighted gradient averaging :: x^{k+1}=x^k-\eta\sum_j\lambda_jG^k(x^k)_j
    alg.naive :: Section 5 :: naive all-for-all :: N\ \text{simultaneous averagings}
    alg.AFA :: Algorithm 1 :: all-for-all :: x_i^{k+1}=x_i^k-\eta\sum_{j\in S^k}W_{ij}g_j^k(x_j^k)
    alg.AFAadaptive :: Algorithm 2 :: time-adaptive all-for-all :: x_i^{k+1}=x_i^k-\eta_k\sum_{j\in S^k}W_{ij}^{(k)}g_j^k(x_j^k)
    alg.infinite :: Appendix A.4 :: infinitely many agents :: \theta_t\sim\nu,\ g_t=\nabla_x\ell(y_t,\xi_t)
""")
)
_PANELS = q.Claims(r"""
Section 6.4, first panel :: claim :: all-for-all against no collaboration and a single model
    expt.a :: \frac1N\sum_i\tfrac12\|x_i^t-p_i\|^2
Section 6.4, second panel :: claim :: noise in the bias parameters
    expt.b :: b_{ij}=\tfrac12(p_i+n_i-p_j-n_j)^2
""")
_MISSING = """dimension, steps, epochs, oracle, start, repetitions and constants of the runs are not \
stated, and the claim is qualitative; figures/ draws both panels with stated choices"""
PANELS = tuple(_PANELS.open(name, _MISSING) for name in _PANELS.rows)
