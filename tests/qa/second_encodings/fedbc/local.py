"""Second encodings of Corollary 4.6 of "FedBC": what a device's own model achieves."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from tests.qa.second_encodings.fedbc.quantities import Rounds, sampled
from tests.qa.second_encodings.record import Second

OPEN = (
    "Stated for each device; device 0 stands for all. z^{-1}, not stated, is z^0. The indicator is "
    "1 where |x_i^k - z^{k-1}|^2 > gamma_i and -1 elsewhere, as (96) defines it. Multipliers are "
    "those of (11) where a run is given and those of (95), from lambda_i^0 = 0, where the world "
    "asks for relaxed rounds; with all multipliers 0 the server takes the plain mean. epsilon_i is "
    "what the local solves of the device leave, and what the world adds to that."
)


class Relaxed:
    """Exact local solves of parabolas c_i (x - o_i)^2 / 2 with the multipliers of (95)."""

    def __init__(self, w: Any) -> None:
        form, optimum = w.problem.data["A"][..., 0, 0], -w.problem.data["xi"][..., 0]
        self.T = int(w.relaxed)
        z, multiplier = w.start[..., 0], 0 * form
        self.x, self.z, self.signs = [w.starts[..., 0]], [z], []
        self.signs.append(self._sign(self.x[0], z, w.gamma))
        self.residual = 0 * form
        for _ in range(self.T):
            x = (form * optimum + 2 * multiplier * z[..., None]) / (form + 2 * multiplier)
            sign = self._sign(x, z, w.gamma)
            multiplier = xp.positive_part(multiplier + w.dual_step[..., None] * sign)
            whole = multiplier.sum(-1)
            shares = xp.where(whole[..., None] == 0, 1 + 0 * multiplier, multiplier)
            z = (shares * x).sum(-1) / shares.sum(-1)
            self.x.append(x)
            self.z.append(z)
            self.signs.append(sign)
        self.gradients = [form * (x - optimum) for x in self.x]

    @staticmethod
    def _sign(x: Any, z: Any, gamma: Any) -> Any:
        outside = (x - z[..., None]) ** 2 > gamma
        return 2 * xp.indicator(outside, x) - 1


class Projected:
    """The same quantities along Algorithm 1."""

    def __init__(self, w: Any) -> None:
        rounds = Rounds(w)
        self.T = rounds.T
        before = [rounds.z[0], *rounds.z[:-1]]
        pairs = zip(rounds.x, before, strict=True)
        self.signs = [Relaxed._sign(x, z, w.gamma) for x, z in pairs]
        self.gradients = [rounds.gradient(x) for x in rounds.x]
        squares = [rounds.residual(t) ** 2 for t in range(rounds.T)]
        self.residual = xp.largest(xp.stack(squares, -1))


def _made(w: Any) -> Any:
    return w.once(Relaxed if w.has("relaxed") else Projected)


def _parts(w: Any) -> tuple[Any, Any, Any]:
    """Average squared gradient of device 0, epsilon_0, and alpha^2 times its squared bracket."""
    made = _made(w)
    average = sum(g[..., 0] ** 2 for g in made.gradients[1:]) / made.T
    signs = [sign[..., 0] for sign in made.signs]
    if w.has("first_one"):
        signs[0] = 0 * signs[0] + 1
    bracket = xp.positive_part(sum(signs))
    return average, w.slack + made.residual[..., 0], w.dual_step**2 * bracket**2


def orders(w: Any) -> Any:
    """(15), with one for the constants that it leaves unnamed."""
    average, epsilon, squared = _parts(w)
    return {"gradients": average}, {"epsilon": epsilon, "bracket": squared}


def _masks(w: Any) -> Any:
    """Who takes part; everybody where no sample is named."""
    if w.has("S"):
        return sampled(w)
    return w.array([[[1] * w.problem.clients] * int(w.rounds)])[None]


ENCODINGS: dict[str, Second] = {
    "fedbc.corollary46": Second(
        sides=orders,
        defines={"participation": _masks},
        relation="<~",
        words="Corollary 4.6 (15): the mean squared gradient of a device's models is at most "
        "O(epsilon_i) + alpha^2 O([sum_{k=0}^T I]_+)^2.",
        open_places=OPEN,
    ),
}
