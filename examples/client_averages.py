"""Averages over clients in one line each: any number of them, any dimension.

Square integrable noises are vectors too, with the mean of the inner product: in `average_noise` the
products of two clients' noises sum to zero at most, as they do where clients draw independently.
"""

from verify import one_line

average_noise = one_line(
    "norm(mean_i u[i])**2 <= s/N for s >= 0, vectors u"
    " given mean_i norm(u[i])**2 <= s, norm(sum_i u[i])**2 <= sum_i norm(u[i])**2",
    "average.noise",
)
sampling = one_line(  # client i is drawn with probability p[i] and counts x[i]/(N*p[i])
    "sum_i p[i]*(x[i]/(N*p[i]) - mean_j x[j])**2 == sum_i x[i]**2/(N**2*p[i]) - (mean_j x[j])**2"
    " for p > 0, real x given sum_i p[i] == 1",
    "sampling.variance",
)
scaffold = one_line(  # gradients g at x, control variates c: the gradients at y
    "mean_k norm(g[k] - c[k] - mean_j(g[j] - c[j]))**2 <= L**2*norm(x - y)**2 for L > 0,"
    " vectors g, c, x, y given mean_k norm(g[k] - c[k])**2 <= L**2*norm(x - y)**2",
    "scaffold.drift",
)
identical = one_line(  # a step of one smooth convex loss from each w[k], with gradient g[k]
    "mean_k norm(w[k] - h*g[k] - mean_j(w[j] - h*g[j]))**2 <= mean_k norm(w[k] - mean_j w[j])**2"
    " for L, h > 0, vectors w, g given h*L <= 2,"
    " mean_k norm(g[k] - mean_j g[j])**2 <= L*mean_k dot(g[k], w[k] - mean_j w[j])",
    "local_sgd.identical",
)
