"""Noise sources: addresses, chunks, and the law of every draw."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from bounds.numbers.validate import InvalidInput
from synthetic.builders import clustered_quadratics
from synthetic.noise.philox import run_key
from synthetic.noise.sources import Addressed, Given, Silent, source_of
from synthetic.quadratic import Quadratic
from synthetic.tables.diabetes import diabetes_split
from tests.rounding import assert_same_but_for_rounding, of_draws

KEY = run_key(20240607)
VALUES = torch.tensor([3.0, 1.0, -2.0])
CHANCES = torch.tensor([0.125, 0.25, 0.625])
PARAMETERS: dict[str, dict[str, Any]] = {
    "none": {},
    "gaussian": {},
    "sphere": {},
    "two_point": {"skew": 2.0},
    "finite": {"values": VALUES, "probabilities": CHANCES},
    "indices": {"rows": [5, 7, 442]},
}
INTEGER = ("none", "two_point", "finite", "indices")
laws = pytest.mark.parametrize("law", PARAMETERS)
dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


def source(law: str, replicates: range = range(100), **more: Any) -> Addressed:
    settings = {"slots": 3, "width": 4, **PARAMETERS[law], **more}
    return Addressed(law, KEY, replicates, **settings)


@laws
@dtypes
def test_chunks_of_replicates_give_the_same_draws(law: str, dtype: torch.dtype) -> None:
    whole = source(law, dtype=dtype).draw(5)
    assert whole.shape == (100, 3, 4)
    assert whole.dtype == dtype
    parts = torch.cat([source(law, r, dtype=dtype).draw(5) for r in (range(37), range(37, 100))])
    single = source(law, range(64, 65), dtype=dtype).draw(5)
    if law in INTEGER:
        assert torch.equal(parts, whole)
        assert torch.equal(single, whole[64:65])
    else:
        # vector and tail loops may round log, cos and sin differently
        bound = torch.zeros(whole.shape, dtype=torch.float64) + of_draws(
            source(law, dtype=dtype), 5
        )
        assert_same_but_for_rounding(parts, whole, bound)
        assert_same_but_for_rounding(single, whole[64:65], bound[64:65])


@laws
def test_a_draw_does_not_depend_on_the_other_slots_or_words(law: str) -> None:
    """All but the sphere, whose words are normalised together, and rows, set per slot."""
    if law in ("sphere", "indices"):
        pytest.skip("joint by definition")
    whole = source(law).draw(2)
    fewer = source(law, slots=2, width=3).draw(2)
    scale = math.sqrt(4 / 3) if law == "gaussian" else 1.0
    torch.testing.assert_close(fewer, whole[:, :2, :3] * scale, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("law", [law for law in PARAMETERS if law != "none"])
def test_rounds_slots_replicates_and_keys_differ(law: str) -> None:
    """Negative control of the two tests above: another address gives other values."""
    draws = source(law, rows=1000, width=8) if law == "indices" else source(law, width=8)
    first = draws.draw(0)
    assert not torch.equal(first, draws.draw(1))
    assert not torch.equal(first[:, 0], first[:, 1])
    assert not torch.equal(first[0], first[1])
    other = Addressed(law, run_key(1), range(100), 3, 8, **(PARAMETERS[law]))
    assert not torch.equal(first, other.draw(0))


def moments_of(law: str) -> tuple[float, float, float]:
    """Mean, second and fourth moment of one word, width 4."""
    if law == "gaussian":
        return 0.0, 1 / 4, 3 / 16
    if law == "sphere":
        return 0.0, 1 / 4, 3 / (4 * 6)
    if law == "two_point":
        return 0.0, 1.0, (2.0**4 + 4 * 0.5**4) / 5
    if law == "finite":
        powers = (float((CHANCES * VALUES**p).sum()) for p in (1, 2, 4))
        first, second, fourth = powers
        return first, second, fourth
    rows = 5
    span = range(rows)
    first, second, fourth = (sum(j**p for j in span) / rows for p in (1, 2, 4))
    return first, second, fourth


@pytest.mark.parametrize("law", [law for law in PARAMETERS if law != "none"])
@dtypes
def test_sample_moments_are_within_six_standard_errors(law: str, dtype: torch.dtype) -> None:
    """Seeds are literals, so this is one event: 6 standard errors, about 2e-9 a side."""
    more = {"rows": 5} if law == "indices" else {}
    sample = source(law, range(20_000), dtype=dtype, **more).draw(3)
    words = sample[:, 0].double()  # words of one draw: uncorrelated, in the sphere dependent
    first, second, fourth = moments_of(law)
    count = words.shape[0]
    error = math.sqrt((second - first**2) / count)
    assert ((words.mean(0) - first).abs() < 6 * error).all()
    # negative control: the same test rejects a mean off by a tenth of a standard deviation
    wrong = first + 0.1 * math.sqrt(second - first**2)
    assert ((words.mean(0) - wrong).abs() > 6 * error).all()
    spread = math.sqrt((fourth - second**2) / count)
    assert ((words.square().mean(0) - second).abs() < 6 * spread).all()
    products = (words - first)[:, 0] * (words - first)[:, 1]
    assert abs(products.mean()) < 6 * products.std() / math.sqrt(count)
    across = (words - first)[:, 0] * (sample[:, 1, 0].double() - first)
    if law != "indices":
        assert abs(across.mean()) < 6 * across.std() / math.sqrt(count)


@dtypes
def test_gaussian_words_have_normal_tails(dtype: torch.dtype) -> None:
    words = source("gaussian", range(50_000), width=2, dtype=dtype).draw(0) * math.sqrt(2)
    count = words.numel()
    for level in (0.5, 1.0, 2.0, 3.0):
        chance = math.erfc(level / math.sqrt(2))
        error = math.sqrt(chance * (1 - chance) / count)
        assert abs(float((words.abs() > level).double().mean()) - chance) < 6 * error


@dtypes
@pytest.mark.parametrize("width", [1, 2, 3, 10])
def test_sphere_draws_have_norm_one(width: int, dtype: torch.dtype) -> None:
    draws = source("sphere", range(2000), width=width, dtype=dtype).draw(1)
    norms = draws.double().square().sum(-1).sqrt()
    assert (norms - 1).abs().max() < 4 * torch.finfo(dtype).eps


@laws
def test_integer_laws_are_the_same_in_both_precisions(law: str) -> None:
    if law not in INTEGER:
        pytest.skip("32-bit and 53-bit uniforms are different samples")
    single, double = (source(law, dtype=t).draw(0) for t in (torch.float32, torch.float64))
    assert torch.equal(single, double.float())


@pytest.mark.parametrize("law", ["gaussian", "two_point", "indices"])
def test_cuda_draws_equal_cpu_draws(law: str) -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    here, there = source(law).draw(4), source(law, device="cuda").draw(4).cpu()
    if law in INTEGER:
        assert torch.equal(here, there)
    else:
        torch.testing.assert_close(here, there, rtol=1e-13, atol=1e-13)


def test_indices_reach_exactly_their_rows() -> None:
    draws = source("indices", range(5000)).draw(0)
    for slot, rows in enumerate([5, 7, 442]):
        assert sorted(set(draws[:, slot].flatten().tolist())) == list(range(rows))


def test_laws_per_instance_have_an_instance_axis() -> None:
    skew = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    draws = source("two_point", skew=skew, width=1).draw(0)
    assert draws.shape == (2, 100, 3, 1)
    for b in range(2):
        alone = source("two_point", skew=skew[b], width=1).draw(0)
        assert torch.equal(draws[b], alone)
    chances = torch.stack([CHANCES, CHANCES.flip(0)])[:, None].expand(2, 3, 3)
    values = VALUES.expand(2, 3, 3)
    draws = source("finite", values=values, probabilities=chances, width=1).draw(0)
    assert draws.shape == (2, 100, 3, 1)
    assert torch.equal(draws[0], source("finite", width=1).draw(0))


def test_source_of_a_problem_repeats_its_law_over_slots() -> None:
    problem = clustered_quadratics(3, 2, seed=1, noise_scale=0.5, skew=[1.0, 2.0, 4.0])
    tensors = problem.map(torch.as_tensor)
    draws = source_of(tensors, KEY, range(50), slots=6).draw(0)
    assert draws.shape == (50, 6, 1)
    for slot in range(6):
        m = 2.0 ** (slot % 3)
        assert set(draws[:, slot].flatten().tolist()) <= {m, -1 / m}
    for lead in ((4,), (4, 1)):
        many = tensors.map(lambda x, lead=lead: x.expand(*lead, *x.shape))
        assert torch.equal(source_of(many, KEY, range(50), 6).draw(0), draws.expand(4, 50, 6, 1))
    assert torch.equal(source_of(tensors, 20240607, range(50), 6).draw(0), draws)
    with pytest.raises(InvalidInput, match="slots must be a multiple of 3 clients"):
        source_of(tensors, KEY, range(50), slots=4)
    # a method that asks the first clients alone draws what they draw among all
    assert torch.equal(source_of(tensors, KEY, range(50), 2).draw(0), draws[:, :2])


def test_source_of_samples_draws_row_numbers_of_each_client() -> None:
    problem = diabetes_split(batch=2).map(torch.as_tensor)
    draws = source_of(problem, KEY, range(4000), slots=2).draw(0)
    assert draws.shape == (4000, 2, 2)
    assert [int(n) + 1 for n in draws.amax((0, 2))] == list(problem.rows)


def test_stochastic_gradients_of_drawn_noise_have_the_exact_variance() -> None:
    problem = diabetes_split(batch=2, features=("bmi", "bp")).map(torch.as_tensor)
    theta = torch.zeros(3, dtype=torch.float64)
    u = source_of(problem, KEY, range(40_000), slots=2).draw(0)
    gap = problem.stochastic_gradients(theta, u) - problem.gradients(theta)
    square = gap.square().sum(-1)  # (R, N)
    error = square.std(0) / math.sqrt(len(u))
    assert ((square.mean(0) - problem.gradient_variance(theta)).abs() < 6 * error).all()
    drift = gap.mean(0).abs() / (gap.std(0) / math.sqrt(len(u)))
    assert (drift < 6).all()


def test_given_and_silent_sources() -> None:
    array = torch.arange(2 * 3 * 4, dtype=torch.float64).view(2, 3, 4, 1)
    assert torch.equal(Given(array).draw(1), array[:, 1])
    with pytest.raises(InvalidInput, match=r"round must be in \[0, 3\), got 3"):
        Given(array).draw(3)
    silence = Silent(4, 2, (5,), dtype=torch.float32).draw(0)
    assert silence.shape == (5, 4, 2)
    assert not silence.any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"law": "cauchy"}, "law must be one of"),
        ({"law": "finite"}, "values and probabilities must be given"),
        ({"law": "indices"}, "rows must be in"),
        ({"slots": 0}, "slots and width must be positive"),
        ({"dtype": torch.float16}, "dtype must be torch.float32 or torch.float64"),
        ({"replicates": range(-1, 4)}, "replicates must be inside"),
    ],
)
def test_bad_settings_are_named(change: dict[str, Any], message: str) -> None:
    settings: dict[str, Any] = {"law": "gaussian", "key": KEY, "replicates": range(3), "slots": 1}
    with pytest.raises(InvalidInput, match=message):
        Addressed(**(settings | change))


def test_exact_data_has_no_normal_words() -> None:
    problem = Quadratic({"A": [[["1"]]], "xi": [["1/3"]], "noise_scale": ["1"], "law": "sphere"})
    with pytest.raises(InvalidInput, match="finitely supported"):
        problem.noise_support()
