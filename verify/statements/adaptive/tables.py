"""Numbers of Tables 2 and S2 and of the prose, for checks of the text against its own tables.

Accuracies in per cent as (train, test), in tenths so that they are integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

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

METHODS = tuple(_TENTHS)
PERSONAL = ("local", "ditto", "cobo", "apfl")
"""Competitors that keep personal models and train on every data set without collapse."""


def train(method: str, dataset: str) -> Fraction:
    """Train accuracy in per cent."""
    return Fraction(_TENTHS[method][DATASETS.index(dataset)][0], 10)


def tested(method: str, dataset: str) -> Fraction:
    """Test accuracy in per cent."""
    return Fraction(_TENTHS[method][DATASETS.index(dataset)][1], 10)


def mean_test(method: str) -> Fraction:
    """Test accuracy averaged over the four data sets, in per cent."""
    return sum((tested(method, d) for d in DATASETS), start=Fraction(0)) / 4


def gap(method: str, dataset: str) -> Fraction:
    """Distance of train from test accuracy."""
    return abs(train(method, dataset) - tested(method, dataset))


def mean_gap(method: str) -> Fraction:
    """The gap averaged over the four data sets."""
    return sum((gap(method, d) for d in DATASETS), start=Fraction(0)) / 4
