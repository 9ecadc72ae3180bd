"""Proximal point, FedProx with exact proximal steps and one step of error feedback, a line each."""

from verify import one_line

proximal = one_line(  # to x - h*v, v a slope there; values f there and g at z
    "norm(x - h*v - z)**2 + norm(h*v)**2 + 2*h*(f - g) <= norm(x - z)**2 for h > 0, real f, g,"
    " vectors x, z, v given f + dot(v, z - x + h*v) <= g",
    "proximal.point",
)
fedprox = one_line(  # the mean of proximal points x - h*v[i] of convex losses
    "norm(x - h*mean_i v[i] - z)**2 <= norm(x - z)**2 + 2*h*mean_i(g[i] - f[i]) for h > 0,"
    " real f, g, vectors x, z, v"
    " given mean_i(f[i] + dot(v[i], z - x) + h*norm(v[i])**2) <= mean_i g[i]",
    "fedprox.exact",
)
feedback = one_line(  # what the compressor c of e + h*g leaves out
    "norm(e + h*g - c)**2 <= (1 - r/2)*norm(e)**2 + 2/r*h**2*norm(g)**2 for r in (0, 1], h > 0,"
    " vectors e, g, c given norm(e + h*g - c)**2 <= (1 - r)*norm(e + h*g)**2",
    "compression.feedback",
)
