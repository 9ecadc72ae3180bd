"""Beliefs about federated learning in one line each, the true and the false beside each other."""

from verify import one_line

BEST = "(sum_j a[j]*o[j])/(sum_j a[j])"  # the optimum of the clients a[i]*(x - o[i])**2/2

fedprox_equal = one_line(
    "sum_i a*(o[i] - mean_j o[j])/(a + m) == 0 for a, m > 0, real o", "fedprox.equal_curvature"
)
fedprox = one_line(
    f"sum_i a[i]*(o[i] - {BEST})/(a[i] + m) == 0 for a, m > 0, real o", "fedprox.unbiased"
)
one_step = one_line(f"sum_i h*a[i]*(o[i] - {BEST}) == 0 for a, h > 0, real o", "local_sgd.one_step")
two_steps = one_line(
    f"sum_i (1 - (1 - h*a[i])**2)*(o[i] - {BEST}) == 0 for a, h > 0, real o", "local_sgd.two_steps"
)
pooling = one_line("(mean_i m[i] - z)**2 + s/N <= s for s >= 0, real m, z", "pooling.helps")
near = one_line(
    "(mean_i m[i] - z)**2 + s/N <= b**2 + s/N for b, s >= 0, real m, z"
    " given max_i abs(m[i] - z) <= b",
    "pooling.bias",
)
SHOWN_UP = "(p*q*(x + y)/2 + p*(1 - q)*x + q*(1 - p)*y)/(p + q - p*q)"
fair = one_line(f"{SHOWN_UP} == (x + y)/2 for p in (0, 1], x, y".replace("q", "p"), "random.equal")
unfair = one_line(f"{SHOWN_UP} == (x + y)/2 for p, q in (0, 1], x, y", "random.unequal")
# f = exp is (0, 1)-smooth: its second derivative is its slope
l0_l1 = one_line("exp(x + d) <= exp(x)*(1 + d + d**2/2) for x, d in [0, 1]", "l0_l1.as_smooth")
wider = one_line("exp(x + d) <= exp(x)*(1 + d + 3/4*d**2) for x, d in [0, 1]", "l0_l1.wider")
