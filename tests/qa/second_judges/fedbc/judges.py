"""Second judge of the accusations against `fedbc`.

Where a claim is an order, the judge asks that the left side stays while everything that the
constants multiply vanishes, or is smaller by a factor of 10^6 at constants of size one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.fedbc import lemmas, theorem
from tests.qa.second_judges.fedbc.rounds import Loss, losses_of, mean, number
from tests.qa.second_judges.fedbc.theorem import ZERO, numbers
from tests.qa.second_judges.record import Judge

Raw = Mapping[str, Any]


# -- definitions, assumptions, remarks -------------------------------------------------------------


def _eq18(raw: Raw) -> bool:
    """The derivative of one L_i in z, -2 lambda_i (x_i - z), against the sum over all."""
    g = numbers(raw)
    pulls = [-2 * a * (x - g["server"]) for a, x in zip(g["multiplier"], g["model"], strict=True)]
    return min(g["multiplier"]) >= 0 and any(own != sum(pulls, ZERO) for own in pulls)


def _heuristic(raw: Raw) -> bool:
    """The derivative of (8) in gamma_i is -lambda_i/N."""
    g = numbers(raw)
    lam = g["multiplier"]
    return min(lam) >= 0 and any(-a / len(lam) != -a for a in lam)


def _a4(raw: Raw, variance: bool) -> bool:
    """An unbiased oracle of the own loss, of variance sigma^2, against the mean loss f."""
    data = raw["instance"]["data"]
    losses, theta = losses_of(raw["instance"]), number(raw["instance"]["params"]["start"])[0]
    target = mean([loss.slope(theta) for loss in losses])
    biases = [loss.slope(theta) - target for loss in losses]
    noisy = [a * b for a, b in zip(number(data["sigma"]), number(data["noise_scale"]), strict=True)]
    if not variance:
        return any(biases)
    return any(own and bias for own, bias in zip(noisy, biases, strict=True))


def _minimisers(raw: Raw) -> bool:
    """One minimiser of both losses, and of their sum, but another loss."""
    g = numbers(raw)
    first, second = g["curvature"]
    shared = g["centre"][0] == g["centre"][1] and min(first, second) > 0
    return bool(shared and first != second and g["point"] != g["centre"][0])


def _noiseless(raw: Raw) -> bool:
    data = raw["instance"]["data"]
    return not any(number(data.get("noise_scale", [])))


def _walk(loss: Loss, x: Fraction, step: Fraction, times: int) -> Fraction:
    for _ in range(times):
        x -= step * loss.slope(x)
    return x


def _fedavg(raw: Raw) -> bool:
    """lambda = 0 with the plain mean for 0/0; Algorithm 2 begins at the own model."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    step = g["step_share"] / max(loss.stiffness for loss in losses)
    z = g["start"][0]
    own, average, calibrated = [z for _ in losses], [z], [z]
    for _ in range(int(g["rounds"])):
        times = int(g["local_steps"])
        own = [_walk(loss, x, step, times) for loss, x in zip(losses, own, strict=True)]
        calibrated.append(mean(own))
        average.append(mean([_walk(loss, average[-1], step, times) for loss in losses]))
    return _noiseless(raw) and 0 < g["step_share"] <= 1 and calibrated != average


def _fedprox(raw: Raw) -> bool:
    """f + lambda |x - z|^2 with lambda = mu against f + (mu/2)|x - z|^2."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    z = [g["start"][0], g["start"][0]]
    for _ in range(int(g["rounds"])):
        z = [
            mean([loss.solve(factor * g["pull"], at) for loss in losses])
            for factor, at in zip((Fraction(1), Fraction(1, 2)), z, strict=True)
        ]
    return _noiseless(raw) and g["pull"] > 0 and g["local"] == "argmin" and z[0] != z[1]


def _fedprox_halved(raw: Raw) -> bool:
    """lambda = mu/2, so that objectives agree; FedProx's local steps begin at the server."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    step = g["step_share"] / (max(loss.stiffness for loss in losses) + 2 * g["pull"])
    z = other = g["start"][0]
    own = [z for _ in losses]

    def walked(loss: Loss, x: Fraction, server: Fraction) -> Fraction:
        for _ in range(int(g["local_steps"])):
            x -= step * (loss.slope(x) + 2 * g["pull"] * (x - server))
        return x

    for _ in range(int(g["rounds"])):
        own = [walked(loss, x, z) for loss, x in zip(losses, own, strict=True)]
        other = mean([walked(loss, other, other) for loss in losses])
        z = mean(own)
    fair = g["local"] == "gradient" and 0 < g["step_share"] <= 1 and g["pull"] > 0
    return _noiseless(raw) and fair and z != other


def _l2gd(raw: Raw, average: bool) -> bool:
    """L2GD moves by gradients with chance 1 - p, to the mean with chance p (its own paper)."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    x = [start[0] for start in g["starts"]]
    z, p = mean(x), g["chance"]
    step = g["step_share"] / (max(loss.stiffness for loss in losses) + 2 * g["pull"])
    broken = False
    for loss, own in zip(losses, x, strict=True):
        slope, pull = loss.slope(own), 2 * g["pull"] * (own - z)
        broken |= slope + pull != (pull / p if average else slope / (1 - p))
    return g["start"][0] == z and 0 < p < 1 and step > 0 and g["pull"] > 0 and broken


def _cell(raw: Raw, rival: int, own: int) -> bool:
    """The stored lead is that of this cell of a table (in hundredths), and FedBC is behind."""
    lead = number(raw["right"]) - number(raw["left"])
    return bool(lead == own - rival and lead < 0)


JUDGES = [
    Judge(
        "fedbc.lemmaB1i@V+printed+as-met",
        "(20): 2 M_1^2 before the move and before epsilon; Assumptions 4.1-4.2, nothing of lambda",
        lambda raw: lemmas.lemma_i(raw, True),
    ),
    Judge(
        "fedbc.lemmaB1i@A",
        "(20) along Algorithm 1, a mean over all i = 1..N, of whom S move",
        lambda raw: lemmas.lemma_i(raw, False),
    ),
    Judge(
        "fedbc.lemmaB1ii@printed+as-met",
        "(21) with alpha G^2, G = 16 R^4 + gamma^2 of (37), lambda_i^t >= 1 + L_i",
        lemmas.lemma_ii,
    ),
    Judge(
        "fedbc.lemmaB1ii@printed+derived",
        "the same, lambda_max < (1 + L_i)^2/L_i too",
        lambda raw: lemmas.lemma_ii(raw, True),
    ),
    Judge(
        "fedbc.eq26@A",
        "(26) for every i and the (x^t, z^t) of Algorithm 1",
        lambda raw: lemmas.waiting(raw, False),
    ),
    Judge("fedbc.eq27@A", "(27), as (26)", lambda raw: lemmas.waiting(raw, True)),
    Judge("fedbc.eq31@as-set", "(31) as an equality", lemmas.unequal(lemmas.eq31)),
    Judge("fedbc.eq33@as-set", "(33) as an equality", lemmas.unequal(lemmas.eq33)),
    Judge("fedbc.eq34@as-set", "(34) as an equality", lemmas.unequal(lemmas.eq34)),
    Judge("fedbc.eq35@printed", "(35): epsilon/(2L) with L = max L_i", lemmas.eq35_breaks),
    Judge("fedbc.eq39-42/client@printed", "(39), alpha G^2", lemmas.eq39),
    Judge("fedbc.eq39-42/mean@printed", "(42), lambda_i^t - L_i before the sum", lemmas.eq42),
    Judge(
        "fedbc.lemmaB2@A",
        "(44), the mean over all i of the iterates of Algorithm 1",
        lemmas.lemma_b2,
    ),
    Judge("fedbc.eq50-53/mean@A", "(51): S/N sum_j |x_i - x_j|^2", lemmas.sampled_mean),
    Judge("fedbc.eq54-55@printed", "(55) divides by lambda_i^t", lemmas.eq55),
    Judge("fedbc.eq58@printed", "(58): one residual, (1 + L_i)^2", lemmas.eq58),
    Judge("fedbc.eq59@as-set", "head of (59), with a plus", lemmas.eq59),
    Judge("fedbc.eq62@printed", "(62), C_0 > 0", lemmas.eq62),
    Judge(
        "fedbc.eq63/square@printed+V",
        "(63): the maximum over pairs below the last line",
        lambda raw: lemmas.eq63(raw, True),
    ),
    Judge(
        "fedbc.eq63/square@printed+A", "(63), a device waits", lambda raw: lemmas.eq63(raw, False)
    ),
    Judge(
        "fedbc.eq63/square@traced+A",
        "(63) with the coefficient of (61) and 2 before both terms, a device waits",
        lemmas.eq63_waits,
    ),
    Judge("fedbc.eq64-65@printed+V", "(65) divided by T", lambda raw: lemmas.eq65(raw, True)),
    Judge("fedbc.eq64-65@printed+A", "(65), a device waits", lambda raw: lemmas.eq65(raw, False)),
    Judge(
        "fedbc.eq64-65@traced+A",
        "(65) with the coefficient of (61) and 2 before both terms, a device waits",
        lambda raw: lemmas.eq65(raw, False, True),
    ),
    Judge("fedbc.C0", "after (61): C_0 > 0 if lambda_max < (1 + L_i)^2/L_i", lemmas.c0),
    Judge("fedbc.eq69-70/69@printed", "(69)", lambda raw: theorem.gradient(raw, False, False)),
    Judge("fedbc.eq69-70/70@printed", "(70)", lambda raw: theorem.gradient(raw, True, False)),
    Judge(
        "fedbc.eq69-70/chain@printed",
        "first line of (69) <= second",
        lambda raw: theorem.gradient(raw, False, True),
    ),
    Judge("fedbc.eq72@printed", "(72)", theorem.eq72),
    Judge("fedbc.eq73-76@printed", "(76) divided by T", lambda raw: theorem.summed(raw, False)),
    Judge("fedbc.eq77@printed", "(77)", lambda raw: theorem.summed(raw, True)),
    Judge("fedbc.explicit90@printed", "(90) with G of (37)", theorem.eq90),
    Judge("fedbc.eq78/first", "before (78): L_i^0 = f_i(z^0) where x_i^0 = z^0", theorem.eq78),
    Judge(
        "fedbc.theorem1.interp/c",
        "the third term 'is due to the heterogeneity'",
        theorem.same_losses,
    ),
    Judge("fedbc.corollary46@projected", "(15) for the multipliers of (11)", theorem.projected),
    Judge("fedbc.corollary46@relaxed", "(15) for the multipliers of (95)", theorem.relaxed),
    Judge(
        "fedbc.corollary46.remark@runs", "the bracket is larger for lower gamma_i", theorem.remark
    ),
    Judge("fedbc.eq97", "(97) for every t", theorem.eq97),
    Judge(
        "fedbc.eq99-100/unrolled", "(99) from (94), without 2 epsilon_i and 32 R^2", theorem.eq99
    ),
    Judge("fedbc.eq99-100/last", "(99) <= (100)", theorem.eq100),
    Judge(
        "fedbc.grad/18@one-client",
        "(18): the derivative of L_i in z is a sum over all clients",
        _eq18,
    ),
    Judge(
        "fedbc.heur.gamma/slope@mean", "the derivative of (8) in gamma_i is -lambda_i", _heuristic
    ),
    Judge(
        "world.fedbc.A4/mean@mean-loss",
        "E[g_i] = grad f(x_i), f without index",
        lambda raw: _a4(raw, False),
    ),
    Judge(
        "world.fedbc.A4/variance@mean-loss",
        "E|g_i - grad f(x_i)|^2 <= sigma^2, f without index",
        lambda raw: _a4(raw, True),
    ),
    Judge(
        "fedbc.sp.minimisers/distributions",
        "minimisers shared only by equal distributions",
        _minimisers,
    ),
    Judge("fedbc.sp.fedavg", "FedAvg is FedBC with lambda = 0", _fedavg),
    Judge("fedbc.sp.fedprox@whole-mu", "FedBC with lambda = mu is FedProx (4)", _fedprox),
    Judge("fedbc.sp.fedprox@half-mu", "FedBC with lambda = mu/2 is FedProx (4)", _fedprox_halved),
    Judge(
        "fedbc.sp.l2gd/gradient",
        "lambda = c, K_i = 1 is L2GD: its gradient step",
        lambda raw: _l2gd(raw, False),
    ),
    Judge(
        "fedbc.sp.l2gd/average",
        "lambda = c, K_i = 1 is L2GD: its step to the mean",
        lambda raw: _l2gd(raw, True),
    ),
    Judge(
        "fedbc.text/table7-8",
        "FedBC above all baselines on MNIST; Table 7, C = 2, 1.2: Scaffold",
        lambda raw: _cell(raw, 9631, 9503),
    ),
    Judge(
        "fedbc.text/takeaway-global@every-cell",
        "best global performance; Table 6, C = 2, 1.4: q-FedAvg",
        lambda raw: _cell(raw, 5445, 5041),
    ),
]
