"""Twelve training loops as their papers print them, for one machine and one table per client.

Written from the pseudocode alone, in numpy, with the papers' names: no tensors, no engine, none of
its helpers. Every loop takes the clients' tables, its hyper-parameters and ``batch(t, s)``, the row
numbers of the s-th mini-batch of round t, in the order in which the method numbers them; it returns
the models of all clients after every round, (T + 1, N, d).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = Any
Batch = Callable[[int, int], Any]
Hyper = Mapping[str, Any]


class Tables:
    """Least squares: f_k(x) = mean over rows of (a.x - b)^2 / 2."""

    def __init__(self, rows: Array, labels: Array) -> None:
        self.rows, self.labels = rows, labels  # (N, n, d), (N, n)
        self.N, self.d = rows.shape[0], rows.shape[2]

    def grad(self, k: int, x: Array, batch: Any) -> Array:
        """Gradient of client k on these of its rows."""
        a, b = self.rows[k][batch], self.labels[k][batch]
        return a.T @ (a @ x - b) / len(b)

    def loss(self, k: int, x: Array) -> float:
        """Loss of client k on all of its rows."""
        return float(np.mean((self.rows[k] @ x - self.labels[k]) ** 2) / 2)


def fedavg(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """McMahan et al. 2017, Algorithm 1: E local steps, average by n_k / n."""
    w = np.array(h["start"])
    n = np.array(h.get("client_weights", np.ones(f.N)))
    path = [[w] * f.N]
    for t in range(T):
        new = []
        for k in range(f.N):
            wk = w
            for e in range(h["local_steps"]):
                wk = wk - h["step_size"] * f.grad(k, wk, batch(t, e * f.N + k))
            new.append(wk)
        w = sum(n[k] * new[k] for k in range(f.N)) / n.sum()
        path.append([w] * f.N)
    return np.array(path)


def fedprox(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Li et al. 2020, Algorithm 2, with the inexact solution that gradient steps give."""
    w = np.array(h["start"])
    path = [[w] * f.N]
    for t in range(T):
        new = []
        for k in range(f.N):
            wk = w
            for e in range(h["local_steps"]):
                g = f.grad(k, wk, batch(t, e * f.N + k)) + h["mu"] * (wk - w)
                wk = wk - h["step_size"] * g
            new.append(wk)
        w = sum(new) / f.N
        path.append(new)
    return np.array(path)


def scaffold(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Karimireddy et al. 2020, Algorithm 1, option II, all clients sampled in rounds given."""
    x, c = np.array(h["start"]), np.zeros(f.d)
    ci = [np.zeros(f.d) for _ in range(f.N)]
    K, eta_l, eta_g = h["local_steps"], h["step_size"], h["server_step"]
    path = [[x] * f.N]
    for t in range(T):
        S = [k for k in range(f.N) if h["participation"][t][k]]
        dy, dc = [], []
        for i in S:
            y = x
            for e in range(K):
                y = y - eta_l * (f.grad(i, y, batch(t, e * f.N + i)) - ci[i] + c)
            plus = ci[i] - c + (x - y) / (K * eta_l)
            dy.append(y - x)
            dc.append(plus - ci[i])
            ci[i] = plus
        x = x + eta_g * sum(dy) / len(S)
        c = c + len(S) / f.N * sum(dc) / len(S)
        path.append([x] * f.N)
    return np.array(path)


def q_fedavg(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Li et al. 2020 (fair resource allocation), Algorithm 2, L = 1 / eta."""
    w, q, L = np.array(h["start"]), h["fairness"], 1 / h["step_size"]
    path = [[w] * f.N]
    for t in range(T):
        delta, hs = [], []
        for k in range(f.N):
            bar = w
            for e in range(h["local_steps"]):
                bar = bar - h["step_size"] * f.grad(k, bar, batch(t, e * f.N + k))
            dw, F = L * (w - bar), f.loss(k, w)
            delta.append(F**q * dw)
            hs.append(q * F ** (q - 1) * (dw @ dw) + L * F**q)
        w = w - sum(delta) / sum(hs)
        path.append([w] * f.N)
    return np.array(path)


def per_fedavg(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Fallah et al. 2020, Algorithm 1, first order: D for the step ahead, D' for the gradient."""
    w = np.array(h["start"])
    path = [[w] * f.N]
    for t in range(T):
        new = []
        for i in range(f.N):
            wi = w
            for e in range(h["local_steps"]):
                tilde = wi - h["inner_step"] * f.grad(i, wi, batch(t, 2 * e * f.N + i))
                wi = wi - h["step_size"] * f.grad(i, tilde, batch(t, (2 * e + 1) * f.N + i))
            new.append(wi)
        w = sum(new) / f.N
        path.append(new)
    return np.array(path)


def pfedme(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """T Dinh et al. 2020, Algorithm 1, inner problems by gradient steps as in their experiments."""
    w, lam = np.array(h["start"]), h["mu"]
    path = [[w] * f.N]
    for t in range(T):
        new, thetas = [], []
        for i in range(f.N):
            wi = w
            theta = w
            for r in range(h["local_steps"]):
                for j in range(h["inner_steps"]):
                    # the planted fault: a mini-batch of its own for every inner step
                    D = batch(t, (r + j * h.get("fresh", 0)) % h["local_steps"] * f.N + i)
                    g = f.grad(i, theta, D) + lam * (theta - wi)
                    theta = theta - h["inner_step"] * g
                wi = wi - h["step_size"] * lam * (wi - theta)
            new.append(wi)
            thetas.append(theta)
        w = (1 - h["mixing"]) * w + h["mixing"] * sum(new) / f.N
        path.append(thetas)
    return np.array(path)


def ditto(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Li et al. 2021, Algorithm 1: personal steps against the model that was received."""
    w, lam, eta = np.array(h["start"]), h["pull"], h["step_size"]
    v = [w] * f.N
    path = [v]
    for t in range(T):
        new, E = [], h["local_steps"]
        for k in range(f.N):
            wk = w
            for e in range(E):
                wk = wk - eta * f.grad(k, wk, batch(t, e * f.N + k))
            new.append(wk)
        v = list(v)
        for k in range(f.N):
            for s in range(h["personal_steps"]):
                # the authors' code takes the batch of the global model's step
                place = s if h.get("samples") == "shared" else E + s
                g = f.grad(k, v[k], batch(t, place * f.N + k))
                v[k] = v[k] - eta * (g + lam * (v[k] - w))
        w = sum(new) / f.N
        path.append(v)
    return np.array(path)


def apfl(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Deng et al. 2020, Algorithm 1, and the adaptive alpha of its Section 4."""
    w, eta = np.array(h["start"]), h["step_size"]
    v, alpha = [w] * f.N, [h["mixing"]] * f.N
    path = [[w] * f.N]
    for t in range(T):
        new = []
        for i in range(f.N):
            wi = w
            for e in range(h["local_steps"]):
                D, a = batch(t, e * f.N + i), alpha[i]
                before = wi
                wi = wi - eta * f.grad(i, wi, D)
                # the authors' code mixes with the new one
                beside = wi if h.get("personal_at") == "new" else before
                g = f.grad(i, a * v[i] + (1 - a) * beside, D)
                if e == 0:
                    alpha[i] = min(1, max(0, a - h["mixing_step"] * ((v[i] - beside) @ g)))
                v = [x - eta * a * g if k == i else x for k, x in enumerate(v)]
            new.append(wi)
        w = sum(new) / f.N
        path.append([alpha[i] * v[i] + (1 - alpha[i]) * w for i in range(f.N)])
    return np.array(path)


def cobo(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Hashemi, He, Jaggi 2024, Algorithm 1, all pairs sampled; ``first`` says what moves first."""
    N, rho, gamma = f.N, h["coupling"], h["weight_step"]
    x = [np.array(h["start"])] * N
    w = np.ones((N, N)) - np.eye(N)
    path = [x]
    for t in range(T):
        for part in ("weights", "models") if h["first"] == "weights" else ("models", "weights"):
            if part == "models":
                pulled = [sum(w[i, j] * (x[i] - x[j]) for j in range(N)) for i in range(N)]
                x = [
                    x[i] - h["step_size"] * (f.grad(i, x[i], batch(t, i)) + rho * pulled[i])
                    for i in range(N)
                ]
                continue
            for i in range(N):
                for j in range(i):
                    z = (x[i] + x[j]) / 2
                    gi = f.grad(i, z, batch(t, N + j * N + i))
                    gj = f.grad(j, z, batch(t, N + i * N + j))
                    w[i, j] = w[j, i] = min(1, max(0, w[i, j] + gamma * (gi @ gj)))
        path.append(x)
    return np.array(path)


def ifca(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """Ghosh et al. 2020, Algorithm 1, options I (gradients) and II (models)."""
    theta = [np.array(x) for x in h["starts"]]
    M, K, gamma = f.N, len(h["starts"]), h["step_size"]

    def nearest() -> list[int]:
        return [int(np.argmin([f.loss(i, theta[j]) for j in range(K)])) for i in range(M)]

    path = [[theta[j] for j in nearest()]]
    for t in range(T):
        j_hat = nearest()
        if h["averaging"] == "gradients":
            g = [f.grad(i, theta[j_hat[i]], batch(t, i)) for i in range(M)]
            theta = [
                theta[j] - gamma / M * sum(g[i] * (j_hat[i] == j) for i in range(M))
                for j in range(K)
            ]
        else:
            new = []
            for i in range(M):
                x = theta[j_hat[i]]
                for e in range(h["local_steps"]):
                    x = x - gamma * f.grad(i, x, batch(t, e * M + i))
                new.append(x)
            mine = [[new[i] for i in range(M) if j_hat[i] == j] for j in range(K)]
            theta = [sum(mine[j]) / len(mine[j]) if mine[j] else theta[j] for j in range(K)]
        path.append([theta[j] for j in j_hat])
    return np.array(path)


def fedbc(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """FedBC, Algorithms 1 and 2, with the heuristic for gamma; ``gamma_by`` says which lambda."""
    z, lam = np.array(h["start"]), np.full(f.N, h["multipliers"])
    x, gamma = [z] * f.N, np.zeros(f.N)
    path = [x]
    for t in range(T):
        new, old = [], lam.copy()
        for i in range(f.N):
            w = x[i]
            for k in range(h["local_steps"]):
                g = f.grad(i, w, batch(t, k * f.N + i)) + 2 * lam[i] * (w - z)
                w = w - h["step_size"] * g
            new.append(w)
        x = new
        for i in range(f.N):
            lam[i] = max(0, lam[i] + h["dual_step"] * ((x[i] - z) @ (x[i] - z) - gamma[i]))
            gamma[i] = gamma[i] + h["gamma_step"] * (old if h["gamma_by"] == "old" else lam)[i]
        z = sum(lam[i] * x[i] for i in range(f.N)) / lam.sum()
        path.append(x)
    return np.array(path)


def hcct(f: Tables, h: Hyper, batch: Batch, T: int) -> Array:
    """HCCT, Algorithms 1 and 2, one sample per client; ``first_groups`` says how it begins."""
    w, eta, alpha = [np.array(h["start"])] * f.N, h["step_size"], h["tradeoff"]
    C = [[k] for k in range(f.N)] if h["first_groups"] == "alone" else [list(range(f.N))]
    g: list[Array] = []

    def U(group: list[int]) -> float:
        mean = sum(g[i] for i in group) / len(group)
        cosines = [g[i] @ mean / np.linalg.norm(g[i]) / np.linalg.norm(mean) for i in group]
        return sum(cosines) - alpha

    path = [w]
    for t in range(T):
        if t > 0:
            C = [[k] for k in range(f.N)]
            while len(C) > 1:
                pairs = [(a, b) for a in range(len(C)) for b in range(a)]
                benefit = [U(C[a] + C[b]) - U(C[a]) - U(C[b]) for a, b in pairs]
                if max(benefit) <= 0:
                    break
                a, b = pairs[int(np.argmax(benefit))]
                C = [c for k, c in enumerate(C) if k not in (a, b)] + [C[a] + C[b]]
        g = [np.zeros(f.d)] * f.N
        new = list(w)
        for group in C:
            hat = sum(w[i] for i in group) / len(group)
            for j in group:
                x = hat
                for q in range(h["local_steps"]):
                    slope = f.grad(j, x, batch(t, q * f.N + j))
                    g[j] = g[j] + slope
                    x = x - eta * slope
            for i in group:
                new[i] = hat - eta * sum(g[j] for j in group) / len(group)
        w = new
        path.append(w)
    return np.array(path)
