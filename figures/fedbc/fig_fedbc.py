r"""FedBC's tolerance gamma between local and global models, and its multipliers against n_i.

Thirty clients estimate their own parameter by least squares from n_i samples (power law); local
problems are the quadratics of their samples, solved exactly, so that FedBC runs without noise.
Test losses are exact: :math:`\lVert x - \theta_i \rVert^2` for features of unit covariance.

Source: fedbc, Figures 2 and 3c, Algorithm 1.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure

from algorithms.engine.run import run
from algorithms.registry import load_method
from figures.stable import Wander, jackknife
from figures.style import BLACK, BLUE, GREY, LEVEL, ORANGE, RED, band, letter, panels
from synthetic.quadratic import Quadratic

TITLE = "FedBC: tolerance between local and global test loss, multipliers against sample sizes"
SEEDS = "127 (samples and parameters of all draws)"
CLIENTS, DIM, SPREAD, LABEL = 30, 5, 0.3, 1.0
GAMMAS = (0.0, *np.geomspace(1e-3, 3.0, 14))
DRAWS, ROUNDS = {"quick": 12, "full": 200}, 2000
DUAL_STEP, CAP = 1.0, 50.0
SHOWN = 6  # index of the tolerance in the lower panel
LAST, STRETCHES = 1000, 20
"""Rounds that losses are averaged over, and into how many stretches they are cut."""
CHUNK = 20  # draws whose paths are held at a time
TWIN, PARTED = 1e-12, 1e-6
"""How far a twin's start is moved, and from which distance at the end on a run counts as chaotic.

Rounding moves a run by some 1e-16 in every round; twins end either 1e-15 apart or 1e-4 and more.
"""
TOLERANCES = {"share": (1e-4, 1e-7)}
# Where gamma is large, multipliers reach zero and come back for good. That makes two of 15 gammas
# chaotic (0.47 in one draw of twelve, 0.88 in eleven): a start moved by 1e-14 moves the server's
# model after 2000 rounds by 5e-4 and by 1, so that its loss at one round is whatever rounding makes
# it; its mean over rounds stays. At all others, fixed points and cycles, twins end 1e-15 apart;
# there the standard error is zero, and nothing may move.
CHAOTIC = {
    key: Wander(f"{key}_wander")
    for key in ("local", "server", "gain", "local_error", "server_error", "gain_error")
}


def compute(profile: str) -> dict[str, Any]:
    """Mean test losses by gamma, their errors, and the server's weights at one gamma."""
    draws = DRAWS[profile]
    rng = np.random.default_rng(127)
    sizes = np.round(np.geomspace(10, 1000, CLIENTS)).astype(int)
    data, truth, alone = _federations(rng, sizes, draws)
    found = np.empty((2, len(GAMMAS), STRETCHES, draws))
    shares, apart = np.empty((len(GAMMAS), draws, CLIENTS)), np.empty((len(GAMMAS), draws))
    for low in range(0, draws, CHUNK):
        rows = slice(low, min(low + CHUNK, draws))
        part = data.map(itemgetter(rows))
        for i, gamma in enumerate(GAMMAS):
            found[:, i, :, rows], shares[i, rows], apart[i, rows] = _runs(part, truth[rows], gamma)
    wanders = apart.max(1) > PARTED
    pooled = np.einsum("rnij,n->rij", data.data["A"].numpy(), sizes)
    moved = np.einsum("rnij,rnj,n->ri", data.data["A"].numpy(), alone, sizes)
    fedavg = np.linalg.solve(pooled, moved[..., None])[..., 0]
    own = ((alone - truth) ** 2).sum(-1).mean(-1)
    joint = ((fedavg[:, None] - truth) ** 2).sum(-1).mean(-1)
    errors = jackknife(_curves, found, 2)
    return {
        "gamma": np.array(GAMMAS),
        "sizes": sizes,
        "draws": np.array(draws),
        **_curves(found.mean(2)),
        "wanders": wanders,
        **{f"{key}_wander": np.where(wanders, error, 0.0) for key, error in errors.items()},
        "alone": np.array(own.mean()),
        "pooled": np.array(joint.mean()),
        "share": shares.mean(1)[[0, SHOWN]],
    }


def plot(data: dict[str, Any]) -> Figure:
    """Test losses over gamma; weights over sample sizes."""
    figure, axes = panels(2, 1, height=4.3)
    top, bottom = axes[:, 0]
    place = np.where(data["gamma"] > 0, data["gamma"], 4e-4)  # zero stands left of the break
    for key, label, colour, marker, dashes in (
        ("local", "local models $x_i$", BLUE, "o", "-"),
        ("server", "server's model $z$", RED, "s", (0, (5, 1.5))),
    ):
        half = LEVEL * data[f"{key}_error"]
        top.plot(place, data[key], color=colour, marker=marker, linestyle=dashes, label=label)
        band(top, place, data[key] - half, data[key] + half, colour)
    for key, label in (("alone", "clients alone"), ("pooled", "all samples pooled")):
        top.axhline(data[key], color=GREY, linewidth=0.8, linestyle=(0, (8, 3)))
        top.annotate(
            label,
            (0.02, data[key]),
            xycoords=("axes fraction", "data"),
            va="bottom",
            fontsize=6,
            color=GREY,
        )
    top.set_xscale("log")
    ticks = [4e-4, 1e-3, 1e-2, 1e-1, 1]
    top.set_xticks(ticks, ["0", "0.001", "0.01", "0.1", "1"])
    top.minorticks_off()
    top.set_xlabel("tolerance γ (length²)")
    top.set_ylabel("excess test loss")
    top.legend(loc="upper left")
    sizes = data["sizes"]
    bottom.loglog(sizes, sizes / sizes.sum(), color=BLACK, label="by size, $n_i/\\sum n$")
    bottom.loglog(
        sizes, data["share"][0], color=ORANGE, marker="^", linestyle="none", label="by λ, γ = 0"
    )
    bottom.loglog(
        sizes,
        np.maximum(data["share"][1], 1e-5),
        color=BLUE,
        marker="o",
        linestyle="none",
        label=f"by λ, γ = {data['gamma'][SHOWN]:.2g}",
    )
    bottom.set_xlabel("samples $n_i$")
    bottom.set_ylabel("weight at the server")
    bottom.legend(loc="lower right")
    letter(bottom, "who counts how much")
    return figure


def caption(data: dict[str, Any]) -> str:
    """The claims of Figures 2 and 3c with the numbers."""
    gamma, local, server = data["gamma"], data["local"], data["server"]
    best, close = int(np.argmin(server)), int(np.argmin(local))
    half = LEVEL * data["gain_error"][best]
    rises = 0 < best < len(gamma) - 1 and data["gain"][best] > half
    always = bool((np.diff(local) < 0).all())
    share, by_size = data["share"][1], data["sizes"] / data["sizes"].sum()
    heavier = data["sizes"][share > by_size]
    spans = [np.log10(s.max() / max(s.min(), 1e-300)) for s in (by_size, data["share"][0])]
    return f"""
    {CLIENTS} clients with their own parameter (spread {SPREAD}) and 10 to 1000 samples of least
    squares in {DIM} dimensions, exact local solves, dual step {DUAL_STEP:g}, multipliers at most
    {CAP:g}, {ROUNDS} rounds; exact excess test loss averaged over clients and over the last {LAST}
    rounds, since multipliers do not settle where γ is large; mean and 95 % band over
    {int(data["draws"])} draws. Claim that the global model gains for a small positive γ and then
    loses: {"seen" if rises else "not seen"} here; server's loss {server[0]:.4f} at γ = 0, least
    {server[best]:.4f} at γ = {gamma[best]:.2g} ({data["gain"][best]:.5f} less, ± {half:.5f}),
    {server[-1]:.4f} at γ = {gamma[-1]:.2g}. Claim that local models gain with γ throughout:
    {"seen" if always else "not seen"} here; their loss is {local[0]:.4f} at γ = 0, least
    {local[close]:.4f} at γ = {gamma[close]:.2g}, and {local[-1]:.4f} at γ = {gamma[-1]:.2g} (alone
    {float(data["alone"]):.4f}). Below: weights in the server's average by multipliers and by sample
    sizes; at γ = {gamma[SHOWN]:.2g} the multipliers give more than the sizes to {len(heavier)}
    clients, with {heavier.min() if len(heavier) else 0} to {heavier.max() if len(heavier) else 0}
    samples, and at γ = 0 they span {spans[1]:.2f} powers of ten where the sizes span
    {spans[0]:.2f}. The paper's data, its λ⁰ and the ends of its interval are not given here.
    """


def _runs(data: Quadratic, truth: Any, gamma: float) -> tuple[Any, Any, Any]:
    """Losses of local models and server (2, stretches, draws), last weights (draws, N), twins.

    Each draw has a twin whose start is moved by `TWIN`; what is returned of them is how far the
    server's models are apart at the end, (draws,).
    """
    draws = len(truth)
    start = np.repeat([[0.0], [TWIN]], draws, 0) * np.ones(DIM)
    hyper = {
        "multipliers": np.ones(CLIENTS),
        "gamma": np.full(CLIENTS, gamma),
        "dual_step": DUAL_STEP,
        "lambda_max": CAP,
        "start": start,
        "local": "argmin",
    }
    made = run(load_method("fedbc"), data.map(lambda x: torch.cat([x, x])), hyper, None, ROUNDS)
    server = made.extras["server"].numpy()
    models = made.theta[:draws, -LAST:].numpy()  # (draws, rounds, N, d)
    weights = made.extras["multipliers"][:draws, -1].numpy()
    to, centre = truth[:, None], server[:draws, -LAST:, None]
    losses = np.stack([((x - to) ** 2).sum(-1).mean(-1) for x in (models, centre)])
    stretches = losses.reshape(2, draws, STRETCHES, -1).mean(-1)
    share = weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300)
    apart = np.abs(server[:draws, -1] - server[draws:, -1]).max(-1)
    return stretches.swapaxes(1, 2), share, apart


def _curves(losses: Any) -> dict[str, Any]:
    """Means over draws and their standard errors, of losses (2, gammas, draws)."""
    local, server = losses
    curves = {"local": local, "server": server, "gain": server[:1] - server}
    root = local.shape[-1] ** 0.5
    means = {key: values.mean(-1) for key, values in curves.items()}
    return means | {f"{key}_error": v.std(-1, ddof=1) / root for key, v in curves.items()}


def _federations(rng: Any, sizes: Any, draws: int) -> tuple[Quadratic, Any, Any]:
    """Empirical risks of all draws, true parameters and local minimisers (draws, N, d)."""
    truth = SPREAD * rng.normal(size=(draws, CLIENTS, DIM)) + 1.0
    forms, minimisers = np.empty((draws, CLIENTS, DIM, DIM)), np.empty((draws, CLIENTS, DIM))
    for r in range(draws):
        for k, n in enumerate(sizes):
            x = rng.normal(size=(n, DIM))
            y = x @ truth[r, k] + LABEL * rng.normal(size=n)
            forms[r, k] = x.T @ x / n
            minimisers[r, k] = np.linalg.solve(forms[r, k], x.T @ y / n)
    data = {"A": torch.as_tensor(forms), "xi": torch.as_tensor(-minimisers)}
    return Quadratic(data), truth, minimisers
