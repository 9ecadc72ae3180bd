"""Li, Huang, Yang, Wang, Zhang 2020, On the convergence of FedAvg on non-IID data, Theorem 1.

Clients a_k (x - o_k)^2 / 2 with noise of variance s_k: the mean and covariance of their models are
exact recursions. Constants as printed; G2 is the largest E|g_k|^2 that the run meets.
"""

from bounds import generic as xp
from verify import Real, numbers, statement

BOX = {"a": Real(1 / 4, 4, log=True, per=("N",)), "o": Real(-2, 2, per=("N",))}
BOX |= {"s": Real(0, 4, per=("N",)), "start": Real(-4, 4)}
SIZES = tuple({"N": 2, "E": e, "rounds": r} for e, r in ((1, 1), (2, 1), (2, 2), (3, 2)))
RATE = r"\frac\kappa{\gamma+T-1}\left(\frac{2B}\mu+\frac{\mu\gamma}2\|w_1-w^*\|^2\right)"


@statement("li2020.theorem1", family=numbers(BOX, *SIZES), latex=rf"E F(w_T)-F^*\le{RATE}")
def theorem1(w):
    mu, L, E, T, a = xp.smallest(w.a), xp.largest(w.a), w.E, w.E * w.rounds + 1, w.a
    best, gamma = xp.total(a * w.o) / xp.total(a), xp.maximum(8 * L / mu, E)
    m, C, G2 = w.start[..., None] + 0 * a, 0 * a[..., None] * a[..., None, :], 0 * mu
    for t in range(1, T):
        eta, slope = (2 / mu / (gamma + t))[..., None], a * (m - w.o)
        G2 = xp.maximum(G2, xp.largest(slope**2 + a**2 * C.diagonal(0, -2, -1) + w.s))
        m, keep, own = m - eta * slope, 1 - eta * a, (eta**2 * w.s)[..., None] * xp.eye(w.N, a)
        C = keep[..., None] * keep[..., None, :] * C + own
        if t % E == 0:  # everybody goes on from the average
            m, C = xp.mean(m)[..., None] + 0 * m, xp.mean(xp.mean(C))[..., None, None] + 0 * C
    gap = xp.mean(a * (best[..., None] - w.o) ** 2) / 2
    B, factor = xp.mean(w.s) / w.N + 6 * L * gap + 8 * (E - 1) ** 2 * G2, L / mu / (gamma + T - 1)
    bound = {"B": factor * 2 * B / mu, "start": factor * mu * gamma / 2 * (w.start - best) ** 2}
    return {"excess": xp.mean(a) / 2 * ((m[..., 0] - best) ** 2 + C[..., 0, 0])}, bound
