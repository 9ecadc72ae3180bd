r"""Whether the weights of FedSoftMax tend to the shares p, how fast, and on what it depends.

With one local step FedSoftMax is gradient descent on the tilted loss

.. math:: \Phi_T(w) = T \log \sum_i p_i e^{x_i(w)/T}, \qquad x_i = F_i - F_i^\star, \qquad
          \nabla\Phi_T = \sum_i \alpha_i \nabla F_i, \qquad
          J = \nabla^2\Phi_T = \sum_i \alpha_i \nabla^2 F_i
          + \tfrac1T \operatorname{Cov}_\alpha \nabla F_i,

strongly convex if the F_i are. So the run tends to its one minimiser and the weights to
:math:`\alpha_i \propto p_i e^{x_i/T}` there: to p exactly where all x_i agree, which Gamma = 0
ensures and which Gamma > 0 does not exclude. Near the limit an error falls by :math:`1 - \eta J`,
so with steps 1/(mu t) like t to the power minus lambda_min(J)/mu, and the weights with it, or with
its square for Gamma = 0, where every x_i is quadratic. Constant steps must be below
2/lambda_max(J), which the factor 1/T makes large: at low temperatures weights cycle for good. Noise
keeps the error at the order of the step.

Run as ``python -m figures.studies.aggregation.weights``.

Source: aggregation, Research question 3, Figure 6; Li et al. 2021 (tilted losses).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds import aggregation as closed
from bounds.aggregation_rules import fedsoftmax_weights
from bounds.numbers.shapes import Array
from synthetic.noise.sources import source_of
from synthetic.quadratic import Quadratic


@dataclass(frozen=True)
class Limit:
    """Weights of one run.

    Attributes
    ----------
    apart : float
        Largest |alpha_i - p_i| at the last round, mean over replicates.
    formula : float
        The same at the minimiser of the tilted loss.
    rate_to_shares, rate_to_limit : float
        Powers of 1/t with which |alpha - p| and |alpha - limit| fall over the last decade;
        infinite where rounding is reached.
    predicted : float
        lambda_min(J)/mu, twice that for Gamma = 0: the power for steps 1/(mu t).
    stiffness : float
        lambda_max(J) eta_0: constant steps of this size are unstable above 2.
    heterogeneity : float
        Gamma; loss.
    error : float
        F - F* at the minimiser of the tilted loss.
    error_bound : float
        (max x - min x)^2/(8 T) at w*, a bound of it.
    """

    apart: float
    formula: float
    rate_to_shares: float
    rate_to_limit: float
    predicted: float
    stiffness: float
    heterogeneity: float
    error: float
    error_bound: float


def tilted_hessian(problem: Quadratic, shares: Array, temperature: float, theta: Array) -> Array:
    """J at one point, (d, d)."""
    alpha = fedsoftmax_weights(problem.excess(theta), shares, np.array(temperature))
    slopes = problem.gradients(theta)
    centred = slopes - (alpha[:, None] * slopes).sum(0)
    spread = np.einsum("n,ni,nj->ij", alpha, centred, centred) / temperature
    hessian: Array = (alpha[:, None, None] * problem.hessian).sum(0) + spread
    return hessian


def resting_point(problem: Quadratic, shares: Array, temperature: float) -> Array:
    """Minimiser of the tilted loss by damped Newton steps, (d,)."""
    theta = problem.optimum.mean(0)

    def tilted(point: Array) -> float:
        scaled = problem.excess(point) / temperature
        top = scaled.max()
        return float(temperature * (top + np.log((shares * np.exp(scaled - top)).sum())))

    for _ in range(200):
        alpha = fedsoftmax_weights(problem.excess(theta), shares, np.array(temperature))
        slope = (alpha[:, None] * problem.gradients(theta)).sum(0)
        step = np.linalg.solve(tilted_hessian(problem, shares, temperature, theta), slope)
        length = 1.0
        while length > 1e-12 and tilted(theta - length * step) > tilted(theta) * (1 + 1e-14):
            length /= 2
        theta = theta - length * step
    return theta


def weights_limit(
    problem: Quadratic,
    *,
    temperature: float,
    rounds: int = 4096,
    start: float = 3.0,
    constant: bool = False,
    replicates: int = 1,
    seed: int = 0,
) -> Limit:
    """Run FedSoftMax with E = 1, equal shares and the steps of Corollary 4.

    Parameters
    ----------
    constant : bool
        Steps of 1/(4L) throughout instead.
    replicates : int
        Runs whose deviations are averaged; 1 without noise.
    """
    clients = problem.clients
    shares = np.full(clients, 1 / clients)
    mu, smoothness = problem.strong_convexity, problem.smoothness
    times = [0 if constant else t for t in range(rounds)]
    steps = np.array([closed.aggregation_step_size(mu, smoothness, t) for t in times])
    hyper = {
        "step_sizes": steps,
        "start": np.full(problem.dim, start),
        "rule": "fedsoftmax",
        "temperature": temperature,
        "focus": [0],
    }
    tensors = problem.map(torch.as_tensor)
    noise = None
    if problem.law != "none":
        noise = source_of(tensors, seed, range(replicates), clients)
    made = run(load_method("aggregation"), tensors, hyper, noise, rounds, record=["alpha"])
    alpha = made.extras["alpha"].numpy().reshape(-1, rounds, clients)
    point = resting_point(problem, shares, temperature)
    limit = fedsoftmax_weights(problem.excess(point), shares, np.array(temperature))
    to_shares = np.abs(alpha - shares).max(-1).mean(0)
    to_limit = np.abs(alpha - limit).max(-1).mean(0)
    curved = np.linalg.eigvalsh(tilted_hessian(problem, shares, temperature, point))
    pulled = np.einsum("nij,nj->ni", problem.hessian, problem.optimum).mean(0)
    ideal = problem.excess(np.linalg.solve(problem.hessian.mean(0), pulled))
    gamma = float(ideal.mean())
    power = float(curved[0] / mu) * (2 if gamma == 0 else 1)
    return Limit(
        float(to_shares[-1]),
        float(np.abs(limit - shares).max()),
        _rate(to_shares),
        _rate(to_limit),
        power,
        float(curved[-1] * steps[0]),
        gamma,
        float(problem.excess(point).mean() - gamma),
        float((ideal.max() - ideal.min()) ** 2 / (8 * temperature)),
    )


def mirrored(distance: float, clients: int = 2) -> Quadratic:
    """Unit curvature, half of the clients at -r, half at r: heterogeneous, yet alpha tends to p."""
    optimum = distance * np.where(np.arange(clients) % 2 == 0, -1.0, 1.0)
    form = np.ones((clients, 1, 1))
    return Quadratic({"A": form, "xi": -optimum[:, None], "half": True, "law": "none"})


def _rate(path: Array) -> float:
    """Power of 1/t over the last decade; infinite where the path has reached rounding."""
    tail = np.arange(len(path) // 10, len(path))
    if path[tail].min() <= 1e-14:
        return float("inf")
    return float(-np.polyfit(np.log(tail), np.log(path[tail]), 1)[0])


def main() -> int:
    """Print one line per federation, temperature and schedule."""
    from figures.studies.aggregation.tradeoff import federation

    cases = {f"h={h}": federation(heterogeneity=h) for h in (0.0, 0.25, 1.0, 4.0)}
    cases["mirrored"] = mirrored(2.0)
    noisy = {**cases["h=0.0"].data, "law": "gaussian", "noise_scale": np.ones(20)}
    cases["h=0, noise"] = Quadratic(noisy)
    for name, problem in cases.items():
        for temperature in (0.25, 1.0, 4.0, 16.0):
            for constant in (False, True):
                found = weights_limit(
                    problem,
                    temperature=temperature,
                    constant=constant,
                    rounds=2048,
                    replicates=1 if problem.law == "none" else 16,
                )
                sys.stdout.write(
                    f"{name:10} T={temperature} {'const' if constant else '1/t'} "
                    f"Gamma={found.heterogeneity:.3g} |a-p|={found.apart:.3g} "
                    f"formula={found.formula:.3g} rate(p)={found.rate_to_shares:.3g} "
                    f"rate(limit)={found.rate_to_limit:.3g} predicted={found.predicted:.3g} "
                    f"stiffness={found.stiffness:.3g} error={found.error:.3g} "
                    f"bound={found.error_bound:.3g}\n"
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
