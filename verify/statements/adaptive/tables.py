"""Tables 2 and S2 of the paper, and the numbers and comparisons of the prose against them.

Accuracies in per cent as (train, test), in tenths so that they are integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from verify.claim import Reading, numbers, open_claim, statement
from verify.claim.statement import Sides
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Table S2 :: figure
    tableS2/loss@logarithm :: loss columns are logarithms of deviations :: \text{entry}=\log_{10}\mathrm{sd}
    tableS2/accuracy :: deviations of the accuracies :: \mathrm{sd}
    tableS2/loss@deviation :: loss columns are standard deviations
Section 5 :: claim
    text.exp/best :: best test performance overall
    text.exp/gap :: smaller gap to the train performance
""")

DATASETS = ("mnist", "cifar10", "heart", "ixi")

_TENTHS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "all-for-one-bin": ((1000, 992), (699, 642), (889, 823), (973, 972)),
    "all-for-one-cont": ((1000, 991), (707, 635), (889, 821), (973, 972)),
    "local": ((1000, 991), (752, 590), (778, 821), (973, 973)),
    "fedavg": ((989, 987), (301, 308), (622, 752), (915, 915)),
    "ditto": ((1000, 991), (765, 585), (778, 819), (973, 973)),
    "cobo": ((1000, 991), (762, 587), (889, 819), (974, 973)),
    "wga-bc": ((963, 963), (48, 47), (556, 663), (932, 931)),
    "apfl": ((1000, 991), (758, 587), (778, 821), (704, 704)),
}
"""Table 2, accuracy."""

PROSE = {"all-for-one-bin": 639, "local": 585, "fedavg": 289}
"""Cifar10 test accuracies that the prose names, in tenths."""

SPREAD_LOSSES = (Fraction(-401, 100), Fraction(-164, 100), Fraction(-11, 100), Fraction(-4, 100))
"""First four cells of the loss columns of Table S2 (All-for-one-bin: Mnist, Cifar10)."""

_BIN = "all-for-one-bin"
RIVALS = tuple(method for method in _TENTHS if not method.startswith("all-for-one"))
PERSONAL = ("local", "ditto", "cobo", "apfl")
"""Competitors that keep personal models and train on every data set without collapse."""


def _tested(method: str) -> list[Fraction]:
    """Test accuracy in per cent on each data set."""
    return [Fraction(test, 10) for _, test in _TENTHS[method]]


def _gaps(method: str) -> list[Fraction]:
    """Distance of train from test accuracy."""
    return [abs(Fraction(train, 10) - Fraction(test, 10)) for train, test in _TENTHS[method]]


NUMBERS = numbers({}, about="numbers of the paper")

logarithms = claim.open(
    "tableS2/loss@logarithm",
    "the runs: the cells equal the mean losses of "
    "Table 2 to the last digit, and no run in the package says what the deviations are",
)
accuracies = claim.open(
    "tableS2/accuracy", "the training runs: the data and their models are not in the package"
)

deviations = claim(
    "tableS2/loss@deviation",
    family=NUMBERS,
    latex=r"0\le\text{entry}",
    note="A standard deviation is not negative.",
)(lambda w: ({"0": 0}, {"entry": min(SPREAD_LOSSES)}))


# -- the prose -------------------------------------------------------------------------------------


def _quoted(w: World, method: str) -> Sides:
    table = _tested(method)[DATASETS.index("cifar10")]
    return {"prose": Fraction(PROSE[method], 10)}, {"Table 2": table}


QUOTED = tuple(
    statement(
        f"adaptive.text.exp/{method}@table",
        kind="claim",
        where="Section 5",
        title="prose and Table 2 on Cifar10",
        relation="==",
        latex=r"\text{prose}=\text{Table 2}",
        family=NUMBERS,
        note="Test accuracy on Cifar10, prose and Table 2.",
    )(partial(_quoted, method=method))
    for method in PROSE
)
OTHER_RUN = tuple(
    open_claim(
        f"adaptive.text.exp/{method}@elsewhere",
        "claim",
        "Section 5",
        r"\text{prose}",
        "prose on Cifar10",
        "the run that the prose quotes; it is not the one of Table 2",
    )
    for method in PROSE
)


def _over(values: Sequence[Fraction], r: Reading) -> list[Fraction]:
    """On each of the four data sets, or on average."""
    return [sum(values, start=Fraction(0)) / 4] if "on-average" in r else list(values)


def _where(r: Reading) -> str:
    average = "Average over the four data sets of Table 2."
    return average if "on-average" in r else "On each of the four data sets of Table 2."


@claim(
    "text.exp/best",
    readings=("overall",),
    family=NUMBERS,
    latex=r"\max_{\text{others}}\text{test}\le\text{test}(\text{bin})",
    note=lambda r: f"{_where(r)} The binary All-for-one against the rest.",
)
def best(w: World, r: Reading) -> Sides:
    others = [max(found) for found in zip(*(_over(_tested(m), r) for m in RIVALS), strict=True)]
    own = _over(_tested(_BIN), r)
    return {"best of the others": w.array([others])}, {"All-for-one-bin": w.array([own])}


@claim(
    "text.exp/gap",
    readings=("overall", "rivals"),
    family=NUMBERS,
    latex=r"|\text{train}-\text{test}|(\text{bin})\le\min_{\text{others}}|\text{train}-\text{test}|",
    note=lambda r: f"{_where(r)} Distance of train from test accuracy.",
)
def gap(w: World, r: Reading) -> Sides:
    rivals = RIVALS if "all-rivals" in r else PERSONAL
    others = [min(found) for found in zip(*(_over(_gaps(m), r) for m in rivals), strict=True)]
    own = _over(_gaps(_BIN), r)
    return {"All-for-one-bin": w.array([own])}, {"smallest of the others": w.array([others])}
