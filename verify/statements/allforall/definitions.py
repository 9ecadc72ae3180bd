"""What the paper defines and assumes, and what its figure shows: listed, no verdict."""

from __future__ import annotations

from verify.statements.allforall import quantities as q

LISTED = q.Claims(r"""
Section 2 :: definition
    def.problem :: N agents, one loss each :: F^k=\frac1N\sum_i(f_i(x_i^k)-f_i(x_i^*))
    def.oracle_sync :: synchronous oracle :: S^k=\{1,\dots,N\},\ T=NK
    def.oracle_async :: asynchronous oracle :: S^k=\{i_k\},\ i_k\sim\mathcal U,\ T=K
Equation 5 :: definition
    def.GEM :: collaborative generalisation error minimisation :: f_i(x)=\mathbb E_{\xi\sim\mathcal D_i}\ell(x,\xi)
Section 3 :: definition
    def.Neps :: close agents :: \mathcal N_i^\varepsilon(b)=\sum_j\mathbb 1_{\{b_{ij}\le\varepsilon\}}
    def.Teps :: sample complexity :: \inf\{T\in\mathbb N^*:\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}
    def.classD :: classes of problems :: \mathbb D(r,b,B),\ \mathbb D_\mu^L(r,b,\sigma)
Section 6.1 :: definition
    def.dH :: distance between laws seen through a class of functions :: d_{\mathcal H}(\mathcal D,\mathcal D')=\sup_{h\in\mathcal H}\|\mathbb E h(\xi)-\mathbb E h(\xi')\|
Equation 1 :: definition
    assump.B1 :: bias in function values :: f_i(x_j^*)-f_i(x_i^*)\le b_{ij}
Equation 2 :: definition
    assump.B2 :: bias in gradients :: \|\nabla f_i(x)-\nabla f_j(x)\|^2\le\tilde b_{ij}
Equation 13 :: definition
    assump.B3 :: relaxed dissimilarity :: \|\nabla f_i-g_\lambda\|^2\le m\|g_\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}
Appendix A.1 :: definition
    assump.DH :: bias in distributions :: d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le\hat b_{ij}
Equation 3 :: definition
    assump.N1 :: bounded gradients :: \mathbb E\|g_i^k(x)\|^2\le B^2
Equation 4 :: definition
    assump.N2 :: bounded variance, strongly convex and smooth :: \mathbb E\|g_i^k(x)-\nabla f_i(x)\|^2\le\sigma^2
Section 4 :: definition
    setting1 :: Setting 1 :: \text{asynchronous}+\mathrm{N.1}
    setting2 :: Setting 2 :: \text{synchronous}+\mathrm{N.2}
Theorem 2 :: definition
    assump.bounded :: bounded iterates :: \|x^k-x_i^*\|\le D
Theorem 1 :: definition
    assump.triangle :: triangle inequality :: b_{ij}\le b_{ik}+b_{kj}
Equations 6 and 7 :: algorithm
    alg.WGA :: weighted gradient averaging :: x^{k+1}=x^k-\eta\sum_j\lambda_jG^k(x^k)_j
Section 5 :: algorithm
    alg.naive :: naive all-for-all :: N\ \text{simultaneous averagings}
Algorithm 1 :: algorithm
    alg.AFA :: all-for-all :: x_i^{k+1}=x_i^k-\eta\sum_{j\in S^k}W_{ij}g_j^k(x_j^k)
Algorithm 2 :: algorithm
    alg.AFAadaptive :: time-adaptive all-for-all :: x_i^{k+1}=x_i^k-\eta_k\sum_{j\in S^k}W_{ij}^{(k)}g_j^k(x_j^k)
Appendix A.4 :: algorithm
    alg.infinite :: infinitely many agents :: \theta_t\sim\nu,\ g_t=\nabla_x\ell(y_t,\xi_t)
""").listed()
_PANELS = q.Claims(r"""
Section 6.4, first panel :: claim :: all-for-all against no collaboration and a single model
    expt.a :: \frac1N\sum_i\tfrac12\|x_i^t-p_i\|^2
Section 6.4, second panel :: claim :: noise in the bias parameters
    expt.b :: b_{ij}=\tfrac12(p_i+n_i-p_j-n_j)^2
""")
_MISSING = """dimension, steps, epochs, oracle, start, repetitions and constants of the runs are not \
stated, and the claim is qualitative; figures/ draws both panels with stated choices"""
PANELS = tuple(_PANELS.open(name, _MISSING) for name in _PANELS.rows)
