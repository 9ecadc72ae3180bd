r"""HCCT with clients that join while it runs: test error of those present over the iterations.

Ten clients of five kinds begin; none, one or two join every ten iterations. Each client's loss is
the least squares of its own samples, trained by full gradients, so that samples are the only thing
random; the partition is made anew in every iteration from the updates of the one before. A client
that joins starts from the first model and trains alone for one iteration before it is grouped.
Test errors are exact: :math:`\lVert w_i - \theta_i \rVert^2` for features of unit covariance.

Source: hcct, Figure 3, Algorithm 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.numbers.shapes import Array
from figures.style import COLOURS, DASHES, GREY, LEVEL, MARKERS, band, letter, panels
from synthetic.quadratic import Quadratic

TITLE = "HCCT: test error while clients join"
SEEDS = "127 (samples and parameters of all draws)"
FIRST, KINDS, DIM, SIZE, LABEL = 10, 5, 10, 25, 1.0
JOINING = (0, 1, 2)
TIMES = (10, 20, 30, 40)
ITERATIONS = 50
SHARES = (0.125, 1.0)
"""Alpha over a client's number of samples."""
STEP, DECAY = 0.1, 0.995  # of the paper's Table 3
DRAWS = {"quick": 120, "full": 1200}
CHUNK = 120
TOLERANCES: dict[str, tuple[float, float]] = {}


def compute(profile: str) -> dict[str, Any]:
    """Curves (alpha, joining, T + 1); last errors and gains over nobody joining with intervals."""
    draws = DRAWS[profile]
    shape = (len(SHARES), len(JOINING), draws, ITERATIONS + 1)
    present, begun = np.empty(shape), np.empty(shape)
    groups = np.empty((len(SHARES), len(JOINING), draws))
    for low in range(0, draws, CHUNK):
        rows = slice(low, min(low + CHUNK, draws))
        problem, truth = _federation(np.random.default_rng([127, low]), rows.stop - rows.start)
        for i, share in enumerate(SHARES):
            for j, joining in enumerate(JOINING):
                found = _errors(problem, truth, share * SIZE, joining)
                present[i, j, rows], begun[i, j, rows], groups[i, j, rows] = found
    gain = present[:, :1, :, -1] - present[..., -1]  # over the same draws
    return {
        "draws": np.array(draws),
        "alpha": SIZE * np.array(SHARES),
        "joining": np.array(JOINING),
        "present": present.mean(2),
        "begun": begun.mean(2),
        "groups": groups.mean(2),
        "half": LEVEL * present.std(2, ddof=1) / draws**0.5,
        "gain": gain.mean(-1),
        "gain_half": LEVEL * gain.std(-1, ddof=1) / draws**0.5,
    }


def plot(data: dict[str, Any]) -> Figure:
    """One panel for each alpha."""
    figure, axes = panels(2, 1, height=4.8, sharex=True)
    t = np.arange(ITERATIONS + 1)
    for i, (ax, alpha) in enumerate(zip(axes[:, 0], data["alpha"], strict=True)):
        for when in TIMES:
            ax.axvline(when, color=GREY, linewidth=0.4, linestyle=(0, (1, 2)))
        for j, joining in enumerate(data["joining"]):
            look = {"color": COLOURS[j], "linestyle": DASHES[j]}
            mean, half = data["present"][i, j], data["half"][i, j]
            ax.semilogy(
                t, mean, marker=MARKERS[j], markevery=(2 + j, 5), label=f"{joining} joining", **look
            )
            band(ax, t, mean - half, mean + half, COLOURS[j])
            if joining:
                ax.semilogy(t, data["begun"][i, j], linewidth=0.6, **look)
        ax.set_ylabel("excess test error (label variance)")
        letter(ax, f"α = {alpha:.3g} samples; each client has {SIZE}")
    axes[1, 0].set_xlabel("iteration $t$ (thin lines: the first ten clients)")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def caption(data: dict[str, Any]) -> str:
    """Both claims with the numbers."""
    said = []
    for i, alpha in enumerate(data["alpha"]):
        last, gain, half = data["present"][i, :, -1], data["gain"][i], data["gain_half"][i]
        fewer = bool((np.diff(last) < 0).all() and (gain[1:] > half[1:]).all())
        jump = data["present"][i, 1:, TIMES[0]] / data["present"][i, 1:, TIMES[0] - 1]
        before = data["present"][i, 1:, [when - 1 for when in TIMES]]  # (joining, times)
        after = data["present"][i, 1:, [when + 9 for when in TIMES]]
        lower = bool((after < before).all())
        said.append(f"""
        α = {alpha:.3g}: after {ITERATIONS} iterations {last[0]:.3g}, {last[1]:.3g} and
        {last[2]:.3g} with {", ".join(str(j) for j in data["joining"])} joining (gains over nobody
        {gain[1]:.2g} ± {half[1]:.2g} and {gain[2]:.2g} ± {half[2]:.2g}), so that more clients
        give a lower final error: {"seen" if fewer else "not seen"}; the first arrivals multiply
        the mean error by {jump[0]:.3g} and {jump[1]:.3g} at once, and nine iterations after every
        arrival it is {"below" if lower else "not always below"} what it was before; of the ten
        first clients {data["begun"][i, 0, -1]:.3g}, {data["begun"][i, 1, -1]:.3g} and
        {data["begun"][i, 2, -1]:.3g}; {data["groups"][i, 0]:.1f}, {data["groups"][i, 1]:.1f} and
        {data["groups"][i, 2]:.1f} groups at the end""")
    return f"""
    Ten clients of {KINDS} kinds begin, 0, 1 or 2 join at {", ".join(map(str, TIMES))}; least
    squares in {DIM} dimensions, {SIZE} samples each, labels of variance 1, full gradients, one
    local step, step {STEP} · {DECAY}^t; exact excess test error averaged over the clients present,
    mean and 95 % band over {int(data["draws"])} draws. Claims of Figure 3, errors fall after
    clients join, and more of them give a lower final error. {"; ".join(said)}. Where a newcomer
    starts is not given: here at the first model, and it is counted at once.
    """


def _federation(rng: Any, draws: int) -> tuple[Quadratic, Array]:
    """Least squares of every client's samples as quadratics, and true parameters, (R, N, d)."""
    clients = FIRST + max(JOINING) * len(TIMES)
    kinds = rng.normal(size=(draws, KINDS, DIM))
    truth = kinds[:, np.arange(clients) % KINDS]
    x = rng.normal(size=(draws, clients, SIZE, DIM))
    y = np.einsum("rnij,rnj->rni", x, truth) + LABEL * rng.normal(size=x.shape[:-1])
    forms = np.einsum("rnij,rnik->rnjk", x, x) / SIZE
    pulls = np.einsum("rnij,rni->rnj", x, y) / SIZE
    own = np.linalg.solve(forms, pulls[..., None])[..., 0]
    data = {"A": torch.as_tensor(forms), "xi": torch.as_tensor(-own), "half": True, "law": "none"}
    return Quadratic(data), truth


def _errors(problem: Any, truth: Array, alpha: float, joining: int) -> tuple[Array, Array, Array]:
    """Mean errors of those present and of the first ones, (R, T + 1), and last number of groups."""
    never = 2 * ITERATIONS
    arrivals = np.full(truth.shape[1], never)
    arrivals[:FIRST] = 0
    joined = np.repeat(TIMES, joining)
    arrivals[FIRST : FIRST + len(joined)] = joined
    hyper = {
        "step_sizes": STEP * DECAY ** np.arange(ITERATIONS),
        "start": np.zeros(DIM),
        "tradeoff": alpha,
        "client_weights": np.full(truth.shape[1], float(SIZE)),
        "arrivals": arrivals.astype(float),
    }
    made = run(load_method("hcct"), problem, hyper, None, ITERATIONS, record=["groups"])
    error = ((made.theta.numpy() - truth[:, None]) ** 2).sum(-1)  # (R, T + 1, N)
    here = arrivals <= np.arange(ITERATIONS + 1)[:, None]
    same = made.extras["groups"].numpy()[:, -1][:, arrivals < never]
    groups = (1 / same.sum(-1)).sum(-1)
    return (error * here).sum(-1) / here.sum(-1), error[..., :FIRST].mean(-1), groups
