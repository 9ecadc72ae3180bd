"""Known results, entered through the public face alone, come out as known."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.places import ROOT
from verify.verdict.evidence import number_from_json

Fedassay = Callable[..., tuple[int, str, str]]
EXAMPLES = ROOT / "examples"
FILES = sorted(path.name for path in EXAMPLES.glob("*.py"))


LONGEST = 30  # lines that are not blank
"""Lines of an example."""

KNOWN = {
    "sgd_floor.py": {"sgd.floor": "holds", "sgd.half": "violated"},
    "sgd_rates.py": {"sgd.flat": "proved", "sgd.noiseless": "violated"},
    "sgd_contraction.py": {"sgd.distance": "proved", "sgd.pl": "proved"},
    "sgd_average.py": {"sgd.average": "proved", "sgd.average_noiseless": "violated"},
    "fedavg_drift.py": {"fedavg.clients": "proved"},
    "fedavg_bias.py": {
        "fedavg.contracts": "holds",
        "fedavg.unbiased": "violated",
        "fedavg.one_step": "holds",
    },
    "fedavg_li.py": {"li2020.theorem1": "holds"},
    "sign_compression.py": {"sign.one_client": "holds", "sign.two_clients": "violated"},
    "gradient_descent.py": {"gd.drori_teboulle": "holds", "gd.too_good": "violated"},
    "folklore.py": {"folklore.more_local_steps": "violated"},
    "parallel_sgd.py": {"parallel.speedup": "proved"},
    "client_averages.py": {
        "average.noise": "proved",
        "sampling.variance": "proved",
        "scaffold.drift": "proved",
        "local_sgd.identical": "proved",
    },
    "proximal_steps.py": {
        "proximal.point": "proved",
        "fedprox.exact": "proved",
        "compression.feedback": "proved",
    },
    "adam_regret.py": {"adam.regret": "violated"},
    "heavy_ball.py": {"ball.mean": "holds", "ball.last": "violated"},
    "hoeffding.py": {"hoeffding.two": "holds", "hoeffding.three": "violated"},
    "subgradient.py": {"subgradient.best": "holds", "subgradient.last": "violated"},
    "one_line.py": {
        "fedprox.equal_curvature": "proved",
        "fedprox.unbiased": "violated",
        "local_sgd.one_step": "proved",
        "local_sgd.two_steps": "violated",
        "pooling.helps": "violated",
        "pooling.bias": "holds",
        "random.equal": "proved",
        "random.unequal": "violated",
        "l0_l1.as_smooth": "violated",
        "l0_l1.wider": "holds",
    },
}
"""What the literature says; the ladder is not told."""

TWELVE = {
    "gradient descent, 4N + 2 and 4N + 3": ("gd.drori_teboulle", "gd.too_good"),
    "heavy ball": ("ball.mean", "ball.last"),
    "the fixed point of local SGD": ("local_sgd.one_step", "local_sgd.two_steps"),
    "the bias of FedProx": ("fedprox.equal_curvature", "fedprox.unbiased"),
    "sign-SGD": ("sign.one_client", "sign.two_clients"),
    "Adam's regret": ("adam.regret",),
    "the floor of SGD, and half of it": ("sgd.floor", "sgd.half"),
    "Hoeffding with 2 and with 3": ("hoeffding.two", "hoeffding.three"),
    "pooling against local": ("pooling.bias", "pooling.helps"),
    "random participation": ("random.equal", "random.unequal"),
    "descent of (L0, L1)-smooth functions": ("l0_l1.wider", "l0_l1.as_smooth"),
    "the subgradient method": ("subgradient.best", "subgradient.last"),
}
"""Results from outside.

What holds of the last two holds on one function (exp, G|x|): neither class is one of the library's,
and the scope of the verdict says so. A false one falls by that function.
"""

ROOTS = {"adam.regret", "hoeffding.three", "l0_l1.as_smooth"}
"""Claims with roots and exponentials: their witnesses are decided by balls."""

TIGHT = {
    "sgd.floor": 1.0,
    "gd.drori_teboulle": 1.0,
    "sign.one_client": 1.0,
    "ball.mean": 1.0,
    "subgradient.best": 1.0,
}
"""Bounds that are attained."""

OFF = {"sgd.half": 2}
"""Left over right of a witness, where it can only be this number."""

FACE = {"verify", "bounds", "math"}
"""What an example may import."""


def test_every_example_has_its_truth() -> None:
    assert set(FILES) == set(KNOWN)


def test_twelve_results_from_outside_are_here() -> None:
    known = {key: word for words in KNOWN.values() for key, word in words.items()}
    assert len(TWELVE) == 12
    for keys in TWELVE.values():
        assert {known[key] for key in keys} <= {"proved", "holds", "violated"}


@pytest.mark.parametrize("name", FILES)
def test_an_example_is_short_and_uses_the_face_alone(name: str) -> None:
    text = (EXAMPLES / name).read_text()
    assert sum(bool(line.strip()) for line in text.splitlines()) <= LONGEST
    imported = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    assert {node.module for node in imported} <= FACE
    assert not any(isinstance(node, ast.Import) for node in ast.walk(ast.parse(text)))


EVERY = 3
"""Which of the examples are judged by default: a search from nothing takes ten seconds each."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if k % EVERY else []) for k, n in enumerate(FILES)],
)
def test_what_is_known_comes_out(name: str, tmp_path: Path, fedassay: Fedassay) -> None:
    path = tmp_path / "found.json"
    # what decides is how much is tried; the limit by the clock is none
    limit = ("--limit", 7200)
    code, out, err = fedassay("check", EXAMPLES / name, "-o", path, "--jobs", 1, *limit)
    assert (code, err) == (0, ""), out
    entries = {entry["key"]: entry for entry in json.loads(path.read_text())["entries"]}
    assert {key: entry["verdict"] for key, entry in entries.items()} == KNOWN[name]
    for key, entry in entries.items():
        (leaf,) = entry["leaves"]
        if key in TIGHT:
            assert leaf["tightness"]["ratio"] == pytest.approx(TIGHT[key], abs=1e-6)
        if entry["verdict"] == "violated":
            witness = json.loads((tmp_path / entry["witness"]).read_text())
            assert witness["number"] == ("ball" if key in ROOTS else "rational")
            assert size(witness["instance"]) <= 40, key  # shrunk: small, and round numbers
            if key in OFF:
                left, right = (number_from_json(witness[side]) for side in ("left", "right"))
                assert left / right == OFF[key]  # type: ignore[operator]
            code, out, _ = fedassay("replay", tmp_path / entry["witness"], "--trust")
            assert code == 0
            assert "confirmed" in out


def size(instance: Any) -> int:
    """Largest numerator or denominator of a witness."""
    if isinstance(instance, dict):
        return max(map(size, instance.values()), default=0)
    if isinstance(instance, list):
        return max(map(size, instance), default=0)
    try:
        exact = Fraction(str(instance))
    except ValueError:
        return 0
    return max(abs(exact.numerator), exact.denominator)
