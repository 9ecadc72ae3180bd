"""Every field with a sign of every family of problems at the edge of its domain; noise laws too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bounds.numbers.validate import InvalidInput
from synthetic.fields import Field
from synthetic.noise.addressed import Addressed
from synthetic.registry import FAMILIES, load_family, make
from tests.algorithms.cases import D, N
from tests.algorithms.reference.test_families import DATA_OF
from tests.each import each

EPS = 2.0**-40
"""How far beyond an edge a number is tried."""
SIZES = {"N": N, "d": D, "S": 2}
NEEDS: dict[str, dict[str, Any]] = {
    "skew": {"law": "two_point"},
    "probabilities": {"law": "finite", "values": np.array([[-1.0, 1.0]] * N)},
    "twist": {"rule": "growth"},
    "reach": {"rule": "growth"},
}
"""What a field needs beside it."""


def fields_of(family: str) -> dict[str, Field]:
    """Fields of a family and of what it is made of."""
    found: dict[str, Field] = {}
    for part in load_family(family).__mro__:
        for name, one in vars(part).get("fields", {}).items():
            found.setdefault(name, one)
    return found


SIGNED = [
    (family, name, one)
    for family in FAMILIES
    for name, one in fields_of(family).items()
    if one.sign != "any"
]


def shaped(family: str, name: str, field: Field) -> Any:
    """An array of ones of the field's shape, as the family's data has it."""
    given = DATA_OF[family].get(name)
    if given is not None:
        return np.array(given, dtype=float)
    return np.ones([SIZES[axis] for axis in field.names])


def test_the_table_has_all_families() -> None:
    assert set(DATA_OF) == set(FAMILIES)
    assert {family for family, _, _ in SIGNED} == set(FAMILIES)


@each(("family", "name", "field"), SIGNED)
def test_beyond_the_edge_a_field_is_refused(family: str, name: str, field: Field) -> None:
    edge = [-EPS] if field.sign == "nonnegative" else [-EPS, 0.0]
    data = {**DATA_OF[family], **NEEDS.get(name, {})}
    for wrong in edge:
        values = shaped(family, name, field)
        values.flat[-1] = wrong
        with pytest.raises(InvalidInput) as error:
            make(family, {**data, name: values})
        assert str(error.value).startswith(f"{name} must be "), str(error.value)


@each(("family", "name"), [(f, n) for f, n, one in SIGNED if one.sign == "nonnegative"])
def test_zero_is_on_the_edge_of_what_is_not_negative(family: str, name: str) -> None:
    field, data = fields_of(family)[name], {**DATA_OF[family], **NEEDS.get(name, {})}
    values = 0 * shaped(family, name, field)
    if name == "probabilities":
        # they sum to one, and the values have mean 0 and variance 1; the third never comes
        values, data["values"] = np.array([[0.5, 0.5, 0]] * N), np.array([[-1.0, 1, 7]] * N)
    if (family, name) == ("cuts", "bend"):
        data = {key: data[key] for key in data if key not in ("lipschitz", "tilt")}
        data["slope"] = np.arange(N * 3 * D).reshape(N, 3, D) / 8
    if name == "level":
        data["blend"] = 0 * np.asarray(data["blend"])
    assert make(family, {**data, name: values}).clients == N


LAWS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # a source on the edge, what moves it beyond, and what is said
    ({"law": "gaussian"}, {"law": "normal"}, "law must be one of"),
    ({"law": "gaussian", "slots": 1}, {"slots": 0}, "slots and width must be"),
    ({"law": "gaussian", "width": 1}, {"width": 0}, "slots and width must be"),
    ({"law": "indices", "rows": 1}, {"rows": 0}, r"rows must be in \[1, 2\^31\]"),
    ({"law": "indices", "rows": 1 << 31}, {"rows": (1 << 31) + 1}, "rows must be in"),
    ({"law": "indices", "rows": [1, 1]}, {"rows": [1, 0]}, "rows must be in"),
    ({"replicates": range(1 << 32)[-1:]}, {"replicates": range(1 << 32, (1 << 32) + 1)}, "replic"),
    (
        {"law": "finite", "values": torch.ones(2), "probabilities": torch.ones(2) / 2},
        {"probabilities": None},
        "values and probabilities must be given",
    ),
]


@pytest.mark.parametrize(("edge", "beyond", "said"), LAWS)
def test_noise_laws_at_their_edges(edge: dict[str, Any], beyond: dict[str, Any], said: str) -> None:
    given = {"law": "gaussian", "replicates": range(1), "slots": 2, **edge}
    assert torch.isfinite(Addressed(key=(1, 2), **given).draw(0)).all()
    with pytest.raises(InvalidInput, match=said):
        Addressed(key=(1, 2), **{**given, **beyond})
