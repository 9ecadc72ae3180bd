"""Wrong names of records, devices and dtypes: one sentence each, which says what to pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import Run, run, run_chunked
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Addressed, Given, Silent, source_of
from synthetic.tables.alpha_beta import alpha_beta
from synthetic.tables.softmax_devices import SoftmaxDevices
from tests.algorithms.cases import D, N, federation

HYPER = {"step_size": 0.1, "start": np.ones(D)}
SOURCES: dict[str, Callable[..., Any]] = {
    "addressed": lambda **how: Addressed("gaussian", (1, 2), range(3), N, D, **how),
    "of a problem": lambda **how: source_of(federation(), 1, range(3), N, **how),
    "silent": lambda **how: Silent(N, D, **how),
}


def once(record: Any) -> Run:
    return run(load_method("fedavg"), federation(), HYPER, None, 1, record=record)


def in_chunks(record: Any) -> Run:
    return run_chunked(
        load_method("fedavg"),
        federation(),
        HYPER,
        lambda rows: None,
        2,
        1,
        record=record,
        memory=1 << 20,
    )


def said(call: Callable[[], object]) -> str:
    """The one line of a refusal."""
    with pytest.raises(InvalidInput) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("how", [once, in_chunks])
@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (
            ["sever"],
            "record must be among local_models, server, theta, got sever: did you mean server.",
        ),
        (
            ["weights"],
            "record must be among local_models, server, theta, got weights: use one of these.",
        ),
        ("server", "record must be a list of names, got 'server': pass [\"server\"]."),
        (3, "record must be a list of names, got 3: pass a list of names."),
        ([3], "record must be among local_models, server, theta, got 3: use one of these."),
    ],
)
def test_what_cannot_be_recorded(how: Callable[[Any], Run], record: Any, sentence: str) -> None:
    assert said(lambda: how(record)) == sentence
    for names in (["server"], ("server",), {"server"}, {"server": 1}):
        assert set(how(names).extras) == {"server"}  # negative control
    assert set(how([]).extras) == set()


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("device", ["gpu", "GPU", "CPU", "mps", "cuda", "cuda:1", 3.5])
def test_a_device_that_is_not_here(
    source: str, device: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert said(lambda: SOURCES[source](device=device)) == (
        f'device must be one that torch has here, got {device}: pass "cpu", or "cuda" with a GPU.'
    )
    for here in ("cpu", "cpu:0", torch.device("cpu")):
        assert SOURCES[source](device=here).draw(0).device.type == "cpu"


def test_a_gpu_of_a_number_that_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert "got cuda:2: pass" in said(lambda: Silent(N, D, device="cuda:2"))
    for there in ("cuda", "cuda:0", "cuda:1"):
        Silent(N, D, device=there)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    ("dtype", "got"),
    [
        ("float16", "'float16': pass torch.float64"),
        ("double", "'double': pass torch.float64"),
        (np.float64, "<class 'numpy.float64'>: pass torch.float64"),
        (torch.float16, "torch.float16: draw in one of them and convert"),
        (torch.int64, "torch.int64: draw in one of them and convert"),
    ],
)
def test_numbers_in_which_nothing_is_drawn(source: str, dtype: Any, got: str) -> None:
    sentence = said(lambda: SOURCES[source](dtype=dtype))
    assert sentence == f"dtype must be torch.float32 or torch.float64, got {got}."
    for right in (torch.float32, torch.double):
        assert SOURCES[source](dtype=right).draw(0).dtype == right


def test_devices_of_the_softmax_study_name_their_dtype() -> None:
    some = [[alpha_beta(2, seed=1, most=20)[0]]]
    wrong: Any = "double"
    assert said(lambda: SoftmaxDevices(some, dtype=wrong)).startswith("dtype must be torch.float32")
    assert SoftmaxDevices(some).data["features"].dtype == torch.float32


def test_draws_of_another_dtype_than_the_problem_are_named() -> None:
    single = federation().map(lambda x: x.float())
    draws = torch.zeros(4, 2, N, D)
    method, hyper = load_method("all_for_one"), {**HYPER, "focus": [0]}
    assert said(lambda: run(method, single, hyper, Given(draws.double()), 2)) == (
        "dtype of draws must be torch.float32, as of the problem, got torch.float64: make the "
        "source with those of the problem, as source_of does."
    )
    assert run(method, single, hyper, Given(draws), 2).theta.dtype == torch.float32


def test_an_error_of_another_kind_stays_what_it_is() -> None:
    """The negative control of the test above: draws in place, a rule that fails."""

    class Broken(type(load_method("local"))):  # type: ignore[misc]
        def step(self, t: int, state: Any, problem: Any, hyper: Any, draws: Any) -> Any:
            raise RuntimeError("a rule of one's own")

    with pytest.raises(RuntimeError, match="a rule of one's own"):
        run(Broken(), federation(), HYPER, Given(torch.zeros(4, 2, N, D).double()), 2)
