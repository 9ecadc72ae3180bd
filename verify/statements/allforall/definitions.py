"""What the paper defines and assumes, and what its figure shows: listed, no verdict."""

from __future__ import annotations

from verify.claim import described, open_claim

DEFINITIONS = tuple(
    described(f"allforall.{name}", "definition", where, latex, title)
    for name, where, latex, title in (
        (
            "def.problem",
            "Section 2",
            r"F^k=\frac1N\sum_i(f_i(x_i^k)-f_i(x_i^*))",
            "N agents, one loss each",
        ),
        ("def.oracle_sync", "Section 2", r"S^k=\{1,\dots,N\},\ T=NK", "synchronous oracle"),
        (
            "def.oracle_async",
            "Section 2",
            r"S^k=\{i_k\},\ i_k\sim\mathcal U,\ T=K",
            "asynchronous oracle",
        ),
        (
            "def.GEM",
            "Equation 5",
            r"f_i(x)=\mathbb E_{\xi\sim\mathcal D_i}\ell(x,\xi)",
            "collaborative generalisation error minimisation",
        ),
        (
            "def.Neps",
            "Section 3",
            r"\mathcal N_i^\varepsilon(b)=\sum_j\mathbb 1_{\{b_{ij}\le\varepsilon\}}",
            "close agents",
        ),
        (
            "def.Teps",
            "Section 3",
            r"\inf\{T\in\mathbb N^*:\mathbb E[f_i(x_i^T)-\min f_i]\le\varepsilon\}",
            "sample complexity",
        ),
        (
            "def.classD",
            "Section 3",
            r"\mathbb D(r,b,B),\ \mathbb D_\mu^L(r,b,\sigma)",
            "classes of problems",
        ),
        (
            "def.dH",
            "Section 6.1",
            r"d_{\mathcal H}(\mathcal D,\mathcal D')=\sup_{h\in\mathcal H}\|\mathbb E h(\xi)-\mathbb E h(\xi')\|",
            "distance between laws seen through a class of functions",
        ),
        ("assump.B1", "Equation 1", r"f_i(x_j^*)-f_i(x_i^*)\le b_{ij}", "bias in function values"),
        (
            "assump.B2",
            "Equation 2",
            r"\|\nabla f_i(x)-\nabla f_j(x)\|^2\le\tilde b_{ij}",
            "bias in gradients",
        ),
        (
            "assump.B3",
            "Equation 13",
            r"\|\nabla f_i-g_\lambda\|^2\le m\|g_\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}",
            "relaxed dissimilarity",
        ),
        (
            "assump.DH",
            "Appendix A.1",
            r"d_{\mathcal H}(\mathcal D_i,\mathcal D_j)\le\hat b_{ij}",
            "bias in distributions",
        ),
        ("assump.N1", "Equation 3", r"\mathbb E\|g_i^k(x)\|^2\le B^2", "bounded gradients"),
        (
            "assump.N2",
            "Equation 4",
            r"\mathbb E\|g_i^k(x)-\nabla f_i(x)\|^2\le\sigma^2",
            "bounded variance, strongly convex and smooth",
        ),
        ("setting1", "Section 4", r"\text{asynchronous}+\mathrm{N.1}", "Setting 1"),
        ("setting2", "Section 4", r"\text{synchronous}+\mathrm{N.2}", "Setting 2"),
        ("assump.bounded", "Theorem 2", r"\|x^k-x_i^*\|\le D", "bounded iterates"),
        ("assump.triangle", "Theorem 1", r"b_{ij}\le b_{ik}+b_{kj}", "triangle inequality"),
    )
)

ALGORITHMS = tuple(
    described(f"allforall.alg.{name}", "algorithm", where, latex, title)
    for name, where, latex, title in (
        (
            "WGA",
            "Equations 6 and 7",
            r"x^{k+1}=x^k-\eta\sum_j\lambda_jG^k(x^k)_j",
            "weighted gradient averaging",
        ),
        ("naive", "Section 5", r"N\ \text{simultaneous averagings}", "naive all-for-all"),
        (
            "AFA",
            "Algorithm 1",
            r"x_i^{k+1}=x_i^k-\eta\sum_{j\in S^k}W_{ij}g_j^k(x_j^k)",
            "all-for-all",
        ),
        (
            "AFAadaptive",
            "Algorithm 2",
            r"x_i^{k+1}=x_i^k-\eta_k\sum_{j\in S^k}W_{ij}^{(k)}g_j^k(x_j^k)",
            "time-adaptive all-for-all",
        ),
        (
            "infinite",
            "Appendix A.4",
            r"\theta_t\sim\nu,\ g_t=\nabla_x\ell(y_t,\xi_t)",
            "infinitely many agents",
        ),
    )
)

PANELS = tuple(
    open_claim(
        f"allforall.expt.{name}",
        "claim",
        f"Section 6.4, {where} panel",
        latex,
        title,
        "dimension, steps, epochs, oracle, start, repetitions and constants of the runs are not "
        "stated, and the claim is qualitative; figures/ draws both panels with stated choices",
    )
    for name, where, latex, title in (
        (
            "a",
            "first",
            r"\frac1N\sum_i\tfrac12\|x_i^t-p_i\|^2",
            "all-for-all against no collaboration and a single model",
        ),
        ("b", "second", r"b_{ij}=\tfrac12(p_i+n_i-p_j-n_j)^2", "noise in the bias parameters"),
    )
)
