r"""FedBC's tolerance gamma between local and global models, and its multipliers against n_i.

Thirty clients estimate their own parameter by least squares from n_i samples (power law); local
problems are the quadratics of their samples, solved exactly, so that FedBC runs without noise.
Test losses are exact: :math:`\lVert x - \theta_i \rVert^2` for features of unit covariance.

Source: fedbc, Figures 2 and 3c, Algorithm 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure

from algorithms.engine import run
from algorithms.registry import load_method
from figures.style import BLACK, BLUE, GREY, LEVEL, ORANGE, RED, band, letter, panels
from synthetic.quadratic import Quadratic

TITLE = "FedBC: tolerance between local and global test loss, multipliers against sample sizes"
SEEDS = "127 (samples and parameters of all draws)"
CLIENTS, DIM, SPREAD, LABEL = 30, 5, 0.3, 1.0
GAMMAS = (0.0, *np.geomspace(1e-3, 3.0, 14))
DRAWS, ROUNDS = {"quick": 12, "full": 200}, 2000
DUAL_STEP, CAP = 1.0, 50.0
SHOWN = 6  # index of the tolerance in the lower panel
TOLERANCES = dict.fromkeys(
    ("local", "server", "local_error", "server_error", "gain", "gain_error", "share"), (1e-4, 1e-7)
)


def compute(profile: str) -> dict[str, Any]:
    """Mean test losses by gamma, their errors, and the server's weights at one gamma."""
    draws = DRAWS[profile]
    rng = np.random.default_rng(127)
    sizes = np.round(np.geomspace(10, 1000, CLIENTS)).astype(int)
    data, truth, alone = _federations(rng, sizes, draws)
    local, server, shares = [], [], []
    for gamma in GAMMAS:
        hyper = {
            "multipliers": np.ones(CLIENTS), "gamma": np.full(CLIENTS, gamma),
            "dual_step": DUAL_STEP, "lambda_max": CAP, "start": np.zeros(DIM), "local": "argmin",
        }  # fmt: skip
        made = run(load_method("fedbc"), data, hyper, None, ROUNDS, last_only=True)
        models = made.theta[:, -1].numpy()
        centre = made.extras["server"][:, -1].numpy()
        weights = made.extras["multipliers"][:, -1].numpy()
        local.append(((models - truth) ** 2).sum(-1).mean(-1))
        server.append(((centre[:, None] - truth) ** 2).sum(-1).mean(-1))
        shares.append(weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300))
    pooled = np.einsum("rnij,n->rij", data.data["A"].numpy(), sizes)
    moved = np.einsum("rnij,rnj,n->ri", data.data["A"].numpy(), alone, sizes)
    fedavg = np.linalg.solve(pooled, moved[..., None])[..., 0]
    own = ((alone - truth) ** 2).sum(-1).mean(-1)
    joint = ((fedavg[:, None] - truth) ** 2).sum(-1).mean(-1)
    return {
        "gamma": np.array(GAMMAS), "sizes": sizes, "draws": np.array(draws),
        "local": np.mean(local, 1), "local_error": np.std(local, 1, ddof=1) / draws**0.5,
        "server": np.mean(server, 1), "server_error": np.std(server, 1, ddof=1) / draws**0.5,
        "gain": np.mean(server[0] - np.array(server), 1),
        "gain_error": np.std(server[0] - np.array(server), 1, ddof=1) / draws**0.5,
        "alone": np.array(own.mean()), "pooled": np.array(joint.mean()),
        "share": np.mean(shares, 1)[[0, SHOWN]],
    }  # fmt: skip


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
            label, (0.02, data[key]), xycoords=("axes fraction", "data"), va="bottom",
            fontsize=6, color=GREY,
        )  # fmt: skip
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
        sizes, np.maximum(data["share"][1], 1e-5), color=BLUE, marker="o", linestyle="none",
        label=f"by λ, γ = {data['gamma'][SHOWN]:.2g}",
    )  # fmt: skip
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
    {CAP:g}, {ROUNDS} rounds; exact excess test loss averaged over clients, mean and 95 % band over
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
