"""What the paper says of FedBC's curves on Synthetic(0.5, 0.5), and whether the runs say so too.

Source: fedbc, Section 5 and Appendix E: Table 1, Figures 3, 4, 7 to 12.
"""

from __future__ import annotations

from collections.abc import Sequence

from figures.studies.fedbc.measures import FEW, OURS, Measures
from figures.studies.fedbc.setup import METHODS, SERVER, TUNED_AT
from figures.studies.fedbc.synthetic import interval
from figures.studies.observation import Observation

LABELS = {
    "fedavg": "FedAvg",
    "q_fedavg": "q-FedAvg",
    "fedprox": "FedProx",
    "scaffold": "SCAFFOLD",
    "fedbc": "FedBC",
    SERVER: "FedBC from z",
}
RIVALS = tuple(METHODS.index(m) for m in METHODS if m not in OURS)
FEDAVG, SCAFFOLD = METHODS.index("fedavg"), METHODS.index("scaffold")
PLATEAU = 0.05  # share of the descent left for the second half of a curve that has levelled off
RISEN = 1.05  # loss at the end over least loss, of a curve that diverges
NEAR = 5.0  # per cent, accuracies that are nearly the same
WIDE = 95.0  # per cent, accuracies that are all but 100 % apart


def training(seen: Measures, others: Sequence[Measures] = ()) -> list[Observation]:
    """Claims on losses and accuracies (Figures 3a, 7a to d, 7f, Table 1).

    Parameters
    ----------
    seen : Measures
        Of 30 devices.
    others : sequence of Measures
        Of other numbers of devices.

    Returns
    -------
    list of Observation
    """
    out = [_plateau(seen)]
    if max(seen.epochs) >= 25:
        out.append(_divergence(seen))
    for ours in OURS:
        out += [_least_loss(seen, ours), *(_best_accuracy(x, ours) for x in (seen, *others))]
    return out


def users(seen: Measures) -> list[Observation]:
    """Claims on the min and the max user (Figures 3b, 4, 8 to 12)."""
    out = [_fedavg_users(seen)]
    for ours in OURS:
        out += [_users_alike(seen, ours), _closer(seen, ours), _caught(seen, ours)]
    return out


def devices(seen: Measures) -> list[Observation]:
    """Claims on multipliers, sizes and the spread over devices (Figures 3c, 3d, 7e)."""
    out = []
    for ours in OURS:
        out += [_sizes_matter_less(seen, ours), _uniform(seen, ours), _early(seen, ours)]
    return out


def _plateau(seen: Measures) -> Observation:
    loss = seen.loss[FEDAVG, list(seen.epochs).index(TUNED_AT)]
    left = (loss[len(loss) // 2] - loss[-1]) / (loss[0] - loss[-1])
    return Observation(
        "FedAvg plateaus early at E=5",
        bool(left < PLATEAU),
        f"{100 * left:.0f} % of its descent in the second half",
    )


def _divergence(seen: Measures) -> Observation:
    ratios = {
        int(e): float(seen.loss[SCAFFOLD, j, -1] / seen.loss[SCAFFOLD, j].min())
        for j, e in enumerate(seen.epochs)
        if e >= 25
    }
    told = ", ".join(f"E={e} ends {r:.2f} times above its least loss" for e, r in ratios.items())
    return Observation("SCAFFOLD diverges somewhat", max(ratios.values()) > RISEN, told)


def _least_loss(seen: Measures, ours: str) -> Observation:
    own, rivals = seen.loss[METHODS.index(ours), :, -1], seen.loss[list(RIVALS), :, -1].min(0)
    told = _list(seen, [f"{a:.3f} against {b:.3f}" for a, b in zip(own, rivals, strict=True)])
    return Observation(
        f"{LABELS[ours]} has the lowest training loss", bool((own < rivals).all()), told
    )


def _best_accuracy(seen: Measures, ours: str) -> Observation:
    told, wins = [], []
    for j in range(len(seen.epochs)):
        best = max(RIVALS, key=lambda m, j=j: seen.accuracy[m, j].mean())  # type: ignore[misc]
        lead, half = interval(seen.accuracy[METHODS.index(ours), j] - seen.accuracy[best, j])
        told.append(f"{lead:+.2f} ± {half:.2f} over {LABELS[METHODS[best]]}")
        wins.append(lead > 0)
    return Observation(
        f"{LABELS[ours]} has the best accuracy on {int(seen.clients)} devices",
        all(wins),
        _list(seen, told),
    )


def _fedavg_users(seen: Measures) -> Observation:
    worst, zero = seen.user_worst[FEDAVG].max(1), seen.user_zero[FEDAVG].mean(1)
    told = [
        f"{a:.0f} %, min user at 0 % in {b:.0f} % of the rounds"
        for a, b in zip(worst, zero, strict=True)
    ]
    return Observation(
        "the accuracies of FedAvg on min and max user are up to 100 % apart at the end",
        bool(worst.max() >= WIDE),
        _list(seen, told),
    )


def _users_alike(seen: Measures, ours: str) -> Observation:
    gaps = seen.user_gap.mean(-1)
    own, rivals = gaps[METHODS.index(ours)], gaps[list(RIVALS)].min(0)
    told = [f"{a:.0f} % against at best {b:.0f} %" for a, b in zip(own, rivals, strict=True)]
    return Observation(
        f"accuracies on min and max user are nearly the same with {LABELS[ours]}, and nearer than "
        "with any other",
        bool((own < NEAR).all() and (own < rivals).all()),
        _list(seen, told),
    )


def _closer(seen: Measures, ours: str) -> Observation:
    own = seen.share_gap[OURS.index(ours)]
    told = [f"{a:.3f} against {b:.3f}" for a, b in zip(own, seen.size_gap, strict=True)]
    return Observation(
        f"with the λ of {LABELS[ours]} the coefficients of min and max user are ten times closer "
        "than by size",
        bool((10 * own <= seen.size_gap).all()),
        _list(seen, told),
    )


def _caught(seen: Measures, ours: str) -> Observation:
    share = seen.caught[OURS.index(ours)]
    return Observation(
        f"with the λ of {LABELS[ours]} the min user's coefficient catches up with the max user's",
        bool((share > 50).all()),
        _list(seen, [f"{x:.0f} % of the last rounds" for x in share]),
    )


def _sizes_matter_less(seen: Measures, ours: str) -> Observation:
    more, less = seen.small_more[OURS.index(ours)], seen.large_less[OURS.index(ours)]
    return Observation(
        f"with the λ of {LABELS[ours]} users of fewer than {FEW} rows count more than by size, "
        "others less",
        bool(more == 100 and less == 100),
        f"{more:.0f} % of the small and {less:.0f} % of the large",
    )


def _uniform(seen: Measures, ours: str) -> Observation:
    values = seen.variance.mean(-1)
    told, wins = [], []
    for j in range(len(seen.epochs)):
        best = min(RIVALS, key=lambda m, j=j: values[m, j])  # type: ignore[misc]
        own = values[METHODS.index(ours), j]
        wins.append(own < values[best, j])
        told.append(f"{own:.0f} against {values[best, j]:.0f} of {LABELS[METHODS[best]]}")
    return Observation(
        f"accuracies vary least over devices with {LABELS[ours]}", all(wins), _list(seen, told)
    )


def _early(seen: Measures, ours: str) -> Observation:
    share = seen.early[OURS.index(ours)]
    return Observation(
        f"most λ of {LABELS[ours]} change in the first quarter of the rounds",
        bool(share > 50),
        f"{share:.0f} % of the devices",
    )


def _list(seen: Measures, told: Sequence[str]) -> str:
    return ", ".join(f"E={e} {text}" for e, text in zip(seen.epochs, told, strict=True))
