"""Experiments: the numbers and comparisons in the prose against the paper's own tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from verify.claim import numbers
from verify.claim.statement import Sides, open_claim, statement
from verify.statements.adaptive import tables
from verify.world.world import World

NUMBERS = numbers({}, about="numbers of the paper")
_RIVALS = tuple(m for m in tables.METHODS if not m.startswith("all-for-one"))


@statement(
    "adaptive.tableS2/loss@deviation",
    where="Table S2",
    kind="figure",
    family=NUMBERS,
    title="loss columns are standard deviations",
    latex=r"0\le\text{entry}",
    note="A standard deviation is not negative.",
)
def deviations(w: World) -> Sides:
    return {"0": 0}, {"entry": min(tables.SPREAD_LOSSES)}


def _quoted(w: World, method: str) -> Sides:
    prose = Fraction(tables.PROSE[method], 10)
    return {"prose": prose}, {"Table 2": tables.tested(method, "cifar10")}


QUOTED = tuple(
    statement(
        f"adaptive.text.exp/{method}@table",
        where="Section 5",
        kind="claim",
        relation="==",
        title="prose and Table 2 on Cifar10",
        latex=r"\text{prose}=\text{Table 2}",
        family=NUMBERS,
        note="Test accuracy on Cifar10, prose and Table 2.",
    )(partial(_quoted, method=method))
    for method in tables.PROSE
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
    for method in tables.PROSE
)


_Values = Sequence[Callable[[str], Fraction]]


def _best(w: World, values: _Values) -> Sides:
    best = [max(map(value, _RIVALS)) for value in values]
    own = [value("all-for-one-bin") for value in values]
    return {"best of the others": w.array([best])}, {"All-for-one-bin": w.array([own])}


def _gap(w: World, values: _Values, rivals: Sequence[str]) -> Sides:
    smallest = [min(map(value, rivals)) for value in values]
    own = [value("all-for-one-bin") for value in values]
    return {"All-for-one-bin": w.array([own])}, {"smallest of the others": w.array([smallest])}


_WHERE: Mapping[str, tuple[str, _Values, _Values]] = {
    "on-average": (
        "Average over the four data sets of Table 2.",
        [tables.mean_test],
        [tables.mean_gap],
    ),
    "everywhere": (
        "On each of the four data sets of Table 2.",
        [partial(tables.tested, dataset=name) for name in tables.DATASETS],
        [partial(tables.gap, dataset=name) for name in tables.DATASETS],
    ),
}
_AMONG = {"all-rivals": _RIVALS, "personal-rivals": tables.PERSONAL}

BEST = tuple(
    statement(
        f"adaptive.text.exp/best@{overall}",
        where="Section 5",
        kind="claim",
        family=NUMBERS,
        title="best test performance overall",
        latex=r"\max_{\text{others}}\text{test}\le\text{test}(\text{bin})",
        note=f"{text} The binary All-for-one against the rest.",
    )(partial(_best, values=values))
    for overall, (text, values, _) in _WHERE.items()
)
GAP = tuple(
    statement(
        f"adaptive.text.exp/gap@{overall}+{among}",
        where="Section 5",
        kind="claim",
        title="smaller gap to the train performance",
        family=NUMBERS,
        latex=r"|\text{train}-\text{test}|(\text{bin})\le\min_{\text{others}}|\text{train}-\text{test}|",
        note=f"{text} Distance of train from test accuracy.",
    )(partial(_gap, values=values, rivals=rivals))
    for overall, (text, _, values) in _WHERE.items()
    for among, rivals in _AMONG.items()
)
