"""Instances: batches, units, and a JSON form that loses nothing and accepts nothing foreign."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.cases import fractions
from verify.claim.instance import Instance

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(
    FLOATS, st.fractions(), st.integers(), st.booleans(), st.none(), st.sampled_from(["binary", ""])
)
SHAPES = arrays.array_shapes(min_dims=1, max_dims=3, max_side=4)
FLOAT_ARRAYS = arrays.arrays(np.float64, SHAPES, elements=FLOATS)
INTEGER_ARRAYS = arrays.arrays(np.int64, SHAPES)
EXACT_ARRAYS = arrays.arrays(object, SHAPES, elements=st.fractions())
VALUES = st.one_of(SCALARS, FLOAT_ARRAYS, INTEGER_ARRAYS, EXACT_ARRAYS)
FIELDS = st.dictionaries(st.text(min_size=1, max_size=3), VALUES, max_size=3)


def round_trip(instance: Instance, folder: Path | None = None) -> Instance:
    return Instance.from_json(json.loads(json.dumps(instance.to_json(folder))), folder)


def holding(value: Any) -> Instance:
    return Instance("numbers", {}, None, {"x": value})


def identical(a: Any, b: Any) -> bool:
    """Equal in kind and content; floats bit by bit, so that -0.0 is not 0.0."""
    if isinstance(a, np.ndarray):
        same = isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape
        return same and (a.tobytes() == b.tobytes() if a.dtype != object else bool((a == b).all()))
    return type(a) is type(b) and repr(a) == repr(b)


@settings(max_examples=60)
@given(FIELDS, FIELDS, st.one_of(st.none(), st.just("local")))
def test_json_round_trip_loses_nothing(data: Any, params: Any, method: Any) -> None:
    units = dict.fromkeys(data, (1.0, -0.5))
    made = Instance("numbers", data, method, params, units)
    back = round_trip(made)
    assert (back.family, back.method, back.units) == ("numbers", method, units)
    for before, after in ((data, back.data), (params, back.params)):
        assert before.keys() == after.keys()
        assert all(identical(before[k], after[k]) for k in before)
    assert made.same(back)


@each(
    "value",
    [
        0.1,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        0.1 + 0.2,
        Fraction(1, 3),
        Fraction(7),
        7,
        True,
        "continuous",
        None,
        np.array([0.1, 1.0]),
        np.array([1, 2]),
        np.array([[2.0], [3.0]]),
        fractions(["1/3", 2]),
        fractions([["-1/7"]]),
    ],
    ids=repr,
)
def test_every_kind_of_number_keeps_its_kind(value: Any) -> None:
    assert identical(round_trip(holding(value)).params["x"], value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.1, np.nextafter(0.1, 1)),
        (1.0, 1),
        (Fraction(1, 2), 0.5),
        (fractions([1]), np.array([1.0])),
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]])),
        (None, False),
        (0.0, -0.0),
        (1, True),
    ],
)
def test_instances_that_differ_in_a_bit_or_a_kind_are_not_the_same(one: Any, other: Any) -> None:
    assert not holding(one).same(holding(other))


# -- large arrays ----------------------------------------------------------------------------------

LARGE = np.random.default_rng(1).random((3, 2000))


def test_large_arrays_go_to_a_file_of_their_own(tmp_path: Path) -> None:
    raw = holding(LARGE).to_json(tmp_path)
    assert len(json.dumps(raw)) < 300
    assert identical(Instance.from_json(raw, tmp_path).params["x"], LARGE)
    assert identical(round_trip(holding(LARGE)).params["x"], LARGE), "without a folder: inline"


def test_equal_bytes_of_another_shape_are_another_file(tmp_path: Path) -> None:
    flat = LARGE.ravel()
    both = Instance("numbers", {"x": LARGE}, None, {"x": flat})
    back = round_trip(both, tmp_path)
    assert identical(back.data["x"], LARGE)
    assert identical(back.params["x"], flat)


def change_one_number(path: Path) -> None:
    changed = LARGE.copy()
    changed[1, 7] = np.nextafter(changed[1, 7], 1)
    np.savez_compressed(path, value=changed)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (change_one_number, "array file must be unchanged"),
        (lambda p: np.savez_compressed(p, value=LARGE.ravel()), "array file must be unchanged"),
        (lambda p: np.savez_compressed(p, value=LARGE.view(np.int64)), "must be unchanged"),
        (lambda p: np.savez_compressed(p, other=LARGE), "must be an npz with an array 'value'"),
        (lambda p: np.savez(p, value=np.array([{}])), "must be an npz with an array 'value'"),
        (lambda p: p.write_bytes(b""), "must be an npz with an array 'value'"),
        (lambda p: p.write_bytes(p.read_bytes()[:-40]), "must be an npz with an array 'value'"),
        (lambda p: p.unlink(), "array file must be present"),
    ],
)
def test_tampered_array_files_are_refused(tmp_path: Path, spoil: Any, message: str) -> None:
    raw = holding(LARGE).to_json(tmp_path)
    spoil(next(tmp_path.glob("*.npz")))
    with pytest.raises(InvalidInput, match=message):
        Instance.from_json(raw, tmp_path)


def test_array_files_are_looked_for_in_the_folder_alone(tmp_path: Path) -> None:
    raw = holding(LARGE).to_json(tmp_path / "inside")
    (tmp_path / "elsewhere").mkdir()
    raw["params"]["x"]["npz"] = f"../inside/{raw['params']['x']['npz']}"
    with pytest.raises(InvalidInput, match="array file must be present"):
        Instance.from_json(raw, tmp_path / "elsewhere")


# -- foreign input ---------------------------------------------------------------------------------

GOOD = {"family": "numbers", "data": {}, "method": None, "params": {}, "units": {}}


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "text",
        3,
        {},
        {**GOOD, "family": 3},
        {**GOOD, "data": []},
        {**GOOD, "params": None},
        {**GOOD, "method": 3},
        {**GOOD, "units": 3},
        {**GOOD, "units": {"x": 1}},
        {**GOOD, "units": {"x": ["a", "b"]}},
        {**GOOD, "units": {"x": [1, 2, 3]}},
    ],
    ids=str,
)
def test_foreign_json_is_refused_in_one_sentence(raw: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^instance[.\w]* must be .*check.*file") as caught:
        Instance.from_json(raw)
    assert "\n" not in str(caught.value)


@each(
    "value",
    [
        [[1, 2], [3]],
        [[1, 2], [3, 4, 5], [6]],
        [[1], 2],
        [1, [2]],
        [[], [1]],
        ["abc"],
        ["1/0"],
        ["1/2", "x"],
        [None, 1],
        [{"a": 1}],
        [True],
        [float("nan")],
        [1.0, float("inf")],
        float("nan"),
        {"npz": 1},
        {},
        {"foreign": []},
    ],
    ids=str,
)
def test_what_is_no_array_of_numbers_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^(instance|array) must (hold rectangular|be)"):
        Instance.from_json({**GOOD, "params": {"x": value}})


def test_good_input_is_accepted() -> None:
    kept = Instance.from_json({**GOOD, "params": {"x": [[1, 2], [3, 4]], "y": [2**70]}}).params
    assert kept["x"].tolist() == [[1, 2], [3, 4]]
    assert kept["y"].tolist() == [2**70]


@pytest.mark.parametrize("value", [float("nan"), np.array([np.inf]), {1}, np.array([True])])
def test_what_has_no_json_form_is_not_written(value: Any) -> None:
    with pytest.raises(InvalidInput, match="instance must"):
        holding(value).to_json()


# -- batches and units -----------------------------------------------------------------------------

BATCH = Instance(
    "quadratic",
    {"A": np.arange(12.0).reshape(3, 2, 2), "half": False},
    "local",
    {"step": np.array([1.0, 2.0, 3.0]), "rounds": 4, "phi": "binary"},
    {"A": (1, -2), "step": (-1, 2)},
)


def test_a_batch_is_its_instances() -> None:
    assert len(BATCH) == 3
    one = BATCH[1]
    assert one.data["A"].shape == (2, 2)
    assert (one.params["step"], one.params["rounds"], one.params["phi"]) == (2.0, 4, "binary")
    assert one.batched().same(BATCH.rows([1]))
    assert len(one.batched()) == 1
    assert BATCH.rows([2, 0])[0].same(BATCH[2])
    assert BATCH.rows(np.array([False, True, False])).same(BATCH.rows([1]))


@pytest.mark.parametrize("value", [0.5, Fraction(1, 3), fractions([1, "1/2"])])
def test_batched_keeps_the_number_type(value: Any) -> None:
    kept = holding(value).batched()[0].params["x"]
    assert np.asarray(kept).dtype == np.asarray(value).dtype
    assert np.all(kept == value)


def test_batches_of_two_sizes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="batch must be of one size"):
        len(Instance("numbers", {"a": np.zeros(2)}, None, {"b": np.zeros(3)}))


def test_scaled_multiplies_by_powers_of_the_units() -> None:
    other = BATCH.scaled(2.0, 4.0)
    np.testing.assert_array_equal(other.data["A"], BATCH.data["A"] * 2 / 16)
    np.testing.assert_array_equal(other.params["step"], BATCH.params["step"] * 16 / 2)
    assert other.params["rounds"] == 4
    assert BATCH.scaled(2.0, 4.0).scaled(0.5, 0.25).same(BATCH)


def test_scaled_keeps_fractions_exact() -> None:
    made = Instance("numbers", {}, None, {"x": fractions(["1/3"])}, {"x": (2, -1)})
    assert made.scaled(Fraction(3), Fraction(7)).params["x"].tolist() == [Fraction(3, 7)]
