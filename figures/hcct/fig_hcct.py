r"""HCCT's test error over the trade-off alpha and over the number of groups.

Twenty clients of five kinds, each kind with its own parameter of least squares; groups are formed
greedily from one gradient per client at a common model, and every group pools its samples. Test
errors are exact: :math:`\lVert w_G - \theta_i \rVert^2` for features of unit covariance.

Source: hcct, Figures 4 and 5, Algorithm 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.numbers.shapes import Array
from figures.style import BLACK, COLOURS, DASHES, GREY, LEVEL, MARKERS, RED, band, letter, panels

TITLE = "HCCT: test error over the trade-off and over the number of groups"
SEEDS = "127 (samples and parameters of all draws)"
CLIENTS, KINDS, DIM, LABEL = 20, 5, 10, 1.0
SIZES = (12, 25, 50, 125)
ALPHAS = tuple(np.geomspace(0.3, 3000, 17))
DRAWS = {"quick": 20, "full": 200}
CHOSEN = 1  # index of the sample size in the lower panel
TOLERANCES: dict[str, tuple[float, float]] = {}


def compute(profile: str) -> dict[str, Any]:
    """Errors and numbers of groups by (size, alpha); errors and utility by number of groups."""
    draws = DRAWS[profile]
    errors = np.empty((len(SIZES), len(ALPHAS), draws))
    groups = np.empty_like(errors)
    fixed, utility = np.empty((CLIENTS, draws)), np.empty((CLIENTS, draws))
    best = np.empty((len(SIZES), draws))
    for i, size in enumerate(SIZES):
        rng = np.random.default_rng([127, i])
        for r in range(draws):
            forms, pulls, truth, gradients = federation(rng, size)
            kinds = [tuple(range(k, CLIENTS, KINDS)) for k in range(KINDS)]
            best[i, r] = pooled_error(kinds, forms, pulls, truth)
            sizes = np.full(CLIENTS, float(size))
            for j, alpha in enumerate(ALPHAS):
                found = greedy_partition(Clients(gradients, sizes, alpha))
                errors[i, j, r] = pooled_error(found.groups, forms, pulls, truth)
                groups[i, j, r] = len(found.groups)
            if i == CHOSEN:
                clients = Clients(gradients, sizes, float(size))
                for k, parts in _by_number(gradients, sizes):
                    fixed[k - 1, r] = pooled_error(parts, forms, pulls, truth)
                    utility[k - 1, r] = clients.total(parts)
    return {
        "alpha": np.array(ALPHAS),
        "sizes": np.array(SIZES),
        "draws": np.array(draws),
        "error": errors.mean(-1),
        "error_half": _half(errors),
        "groups": groups.mean(-1),
        "fixed": fixed.mean(-1),
        "fixed_half": _half(fixed),
        "utility": utility.mean(-1),
        "kinds": best.mean(-1),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Error over alpha, groups over alpha, error and utility over the number of groups."""
    figure, axes = panels(3, 1, height=5.6)
    top, middle, bottom = axes[:, 0]
    alpha = data["alpha"]
    for i, size in enumerate(data["sizes"]):
        look = {"color": COLOURS[i], "linestyle": DASHES[i], "marker": MARKERS[i]}
        top.loglog(alpha, data["error"][i], label=f"{size} samples each", **look)
        half = data["error_half"][i]
        band(top, alpha, data["error"][i] - half, data["error"][i] + half, COLOURS[i])
        middle.semilogx(alpha, data["groups"][i], **look)
    middle.axhline(KINDS, color=GREY, linewidth=0.8, linestyle=(0, (8, 3)))
    middle.annotate("kinds", (alpha[0], KINDS), fontsize=6, color=GREY, va="bottom")
    top.set_ylabel("excess test error")
    top.legend(loc="lower left", ncols=2)
    top.set_ylim(bottom=float(data["error"].min()) / 12)
    middle.set_ylabel("groups K")
    middle.set_xlabel("trade-off α (samples)")
    counts = np.arange(1, CLIENTS + 1)
    half = data["fixed_half"]
    bottom.semilogy(counts, data["fixed"], color=BLACK, marker="o", label="test error")
    band(bottom, counts, data["fixed"] - half, data["fixed"] + half, BLACK)
    twin = bottom.twinx()
    twin.plot(counts, data["utility"], color=RED, linestyle=DASHES[1], marker="s", label="utility")
    twin.spines["right"].set_visible(True)
    twin.set_ylabel("total utility, α = n")
    bottom.set_xticks([1, 5, 10, 15, 20])
    bottom.set_xlabel("groups K, fixed by hand")
    bottom.set_ylabel("excess test error")
    handles = [*bottom.get_legend_handles_labels()[0], *twin.get_legend_handles_labels()[0]]
    bottom.legend(handles, ["test error", "utility"], loc="upper right")
    letter(bottom, f"{data['sizes'][CHOSEN]} samples each")
    return figure


def caption(data: dict[str, Any]) -> str:
    """The claims of Figures 4 and 5 with the numbers."""
    best = data["error"].argmin(1)
    optimal = ", ".join(
        f"{data['alpha'][b]:.3g} for {n} samples" for b, n in zip(best, data["sizes"], strict=True)
    )
    falls = bool((np.diff(data["alpha"][best]) <= 0).all())
    more = int((np.diff(data["error"], axis=0) < 0).all(0).sum())
    early = data["alpha"] <= 1
    least, most = int(data["fixed"].argmin()) + 1, int(data["utility"].argmax()) + 1
    small = data["error"][:, early]
    change = (small.max(1) / small.min(1) - 1).max()
    return f"""
    {CLIENTS} clients of {KINDS} kinds, least squares in {DIM} dimensions, groups formed greedily
    from gradients at a common model, pooled within groups; exact excess test error averaged over
    clients, mean and 95 % band over {int(data["draws"])} draws. Claims of Figure 4: a small α has a
    trivial effect ({"seen" if change < 0.05 else "not seen"}: the error changes by at most
    {change:.1%} up to α = {data["alpha"][early][-1]:.2g}); more samples generalise better for all α
    (at {more} of {len(data["alpha"])} values); the best α is smaller with more samples
    ({"seen" if falls else "not seen"}: {optimal}; the paper has 100 for its two smaller
    ratios). Claim of Figure 5, least test error and largest utility at one number of groups, that
    of the kinds of data: {"seen" if least == most == KINDS else "not seen"}, least
    error at K = {least} ({data["fixed"][least - 1]:.3f}; grouped by kind
    {data["kinds"][CHOSEN]:.3f}), largest utility, with α equal to a client's number of samples, at
    K = {most}. Seen or not means here: the paper's data are images, these are synthetic.
    """


def federation(rng: Any, size: int, clients: int = CLIENTS) -> tuple[Array, Array, Array, Array]:
    """X^T X, X^T y, true parameters (N, d), gradients of the mean squared error at their mean."""
    kinds = rng.normal(size=(KINDS, DIM))
    truth = kinds[np.arange(clients) % KINDS]
    x = rng.normal(size=(clients, size, DIM))
    y = np.einsum("nij,nj->ni", x, truth) + LABEL * rng.normal(size=(clients, size))
    forms = np.einsum("nij,nik->njk", x, x)
    pulls = np.einsum("nij,ni->nj", x, y)
    common = np.linalg.solve(forms.sum(0), pulls.sum(0))
    gradients = 2 * (forms @ common - pulls) / size
    return forms, pulls, truth, gradients


def pooled_error(groups: Any, forms: Array, pulls: Array, truth: Array) -> float:
    """Mean over clients of the excess test error of their group's minimiser."""
    total = 0.0
    for group in groups:
        members = list(group)
        model = np.linalg.solve(forms[members].sum(0), pulls[members].sum(0))
        total += float(((model - truth[members]) ** 2).sum())
    return total / len(truth)


def _by_number(gradients: Array, sizes: Array) -> Any:
    """Partitions of the greedy order with N, N - 1, ..., 1 groups."""
    parts: list[tuple[int, ...]] = [(k,) for k in range(CLIENTS)]
    yield CLIENTS, list(parts)
    clients = Clients(gradients, sizes, float(sizes[0]))
    while len(parts) > 1:
        pairs = [(a, b) for i, a in enumerate(parts) for b in parts[i + 1 :]]
        gains = [
            clients.utility(sorted(a + b)) - clients.utility(a) - clients.utility(b)
            for a, b in pairs
        ]
        a, b = pairs[int(np.argmax(gains))]
        parts = [p for p in parts if p not in (a, b)] + [tuple(sorted(a + b))]
        yield len(parts), list(parts)


def _half(values: Array) -> Array:
    """Half width of the 95 % interval of a mean over the last axis."""
    return LEVEL * values.std(-1, ddof=1) / values.shape[-1] ** 0.5
