"""Clients of zero weight are neither drawn nor evaluated, and not one bit of a run moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms import all_for_one, weighted_averaging, wga_bc
from algorithms.engine import counted, skipping
from algorithms.engine import run as engine
from algorithms.engine.askers import asked, of_asked
from algorithms.engine.compiler import compiler_at_hand
from algorithms.engine.graph import compilations
from algorithms.engine.run import Run, run, run_chunked
from algorithms.engine.settings import as_alike
from algorithms.grouping.oracle import cluster_weights
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.exact.moments import averaged_gradient_map, moments
from synthetic.noise.sources import Addressed, source_of
from synthetic.quadratic import Quadratic
from synthetic.tables.streaming import StreamingLeastSquares, two_clusters
from tests.algorithms.bounded import watched
from tests.each import each
from tests.rounding import assert_same_but_for_rounding, of_draws

N, DIM, ROUNDS, R = 7, 5, 6, 40
PAIRS = np.where(np.eye(N) + np.eye(N, k=2) > 0, 0.5, 0.0)
HALF = np.array([1.0, 0, 2.0, 0, 0.5, 0, 0])
ABSENT = np.ones((ROUNDS, N)) * (np.arange(N) < 5)
ABSENT[::2, 1] = 0

Case = tuple[str, dict[str, Any], int]
CLUSTERS = cluster_weights(np.arange(N) % 2)
COLUMNS = np.outer(np.linspace(0.2, 0.6, N), HALF)
PROXIMAL = {"mu": 0.3, "local": "gradient", "focus": [3, 0]}
CASES: dict[str, Case] = {  # method, hyper-parameters, slots in use (as many for every asker)
    "clusters": ("all_for_one", {"weight_matrix": cluster_weights(np.arange(N) % 2)}, 28),
    "few pairs": ("all_for_one", {"weight_matrix": PAIRS}, 14),
    "two askers": ("all_for_one", {"weight_matrix": PAIRS, "focus": [2, 5]}, 4),
    "shared": (
        "all_for_one",
        {
            "weight_matrix": np.outer(np.ones(N), HALF),
            "samples": "shared",
        },
        3,
    ),
    "shared clusters": ("all_for_one", {"weight_matrix": CLUSTERS, "samples": "shared"}, 7),
    "shares": ("fedavg", {"client_weights": HALF}, 3),
    "local steps": ("fedavg", {"client_weights": HALF, "local_steps": 3}, 9),
    "own steps": ("fedavg", {"client_weights": HALF, "local_steps": [1, 2, 2, 1, 3, 3, 1]}, 9),
    "absent": ("fedavg", {"participation": ABSENT}, 5),
    "absent or light": ("fedavg", {"participation": ABSENT, "client_weights": HALF}, 3),
    "proximal": ("fedprox", {**PROXIMAL, "client_weights": HALF}, 4),
    "proximal steps": (
        "fedprox",
        {
            **PROXIMAL,
            "client_weights": HALF,
            "participation": ABSENT,
            "local_steps": [1, 3, 2, 2, 1, 1, 2],
        },
        12,
    ),
    "personal": ("ditto", {"pull": 0.2, "client_weights": HALF, "local_steps": 3}, 16),
    "absent persons": ("ditto", {"pull": 0.2, "participation": ABSENT * (HALF > 0)}, 10),
    "naive": ("naive_all_for_all", {"mixing": COLUMNS}, 3),
    "naive clusters": ("naive_all_for_all", {"mixing": CLUSTERS}, 7),
    "naive few": ("naive_all_for_all", {"mixing": PAIRS, "focus": [2, 4, 6]}, 3),
    "asleep": ("naive_all_for_all", {"mixing": COLUMNS + 0.1, "participation": ABSENT}, 5),
    "averaging": ("weighted_averaging", {"mixing": PAIRS, "focus": [3]}, 2),
    "asynchronous": (
        "weighted_averaging",
        {
            "mixing": PAIRS,
            "oracle": "asynchronous",
            "participation": np.eye(N)[[0, 2, 1, 0, 4, 2]],
        },
        2,
    ),
    "others": ("wga_bc", {"mixing": 0.5, "client_weights": HALF, "correction": "none"}, 28),
    "corrected": (
        "wga_bc",
        {
            "mixing": 0.5,
            "client_weights": HALF,
            "correction_rate": 0.3,
            "focus": [5, 2],
        },
        16,
    ),
}

UNLIKE = [name for name, case in CASES.items() if isinstance(case[1].get("local_steps"), list)]
"""Clients that stop at their own step are no graph."""


def federation(law: str, dtype: torch.dtype) -> Any:
    rng = np.random.default_rng(5)
    if law == "streaming":
        root = rng.normal(size=(N, DIM, DIM)) / DIM**0.5
        made: Any = StreamingLeastSquares(
            {
                "H": root @ root.swapaxes(-1, -2) + np.eye(DIM),
                "targets": rng.normal(size=(N, DIM)),
            }
        )
    elif law == "identity":
        made = two_clusters(DIM, N, seed=2, batch=1)
    else:
        skew = {"skew": rng.uniform(0.5, 2, N)} if law == "two_point" else {}
        made = Quadratic(
            {
                "A": np.eye(DIM) + np.zeros((N, 1, 1)),
                "xi": rng.normal(size=(N, DIM)),
                "noise_scale": rng.uniform(1, 2, N),
                "law": law,
                **skew,
            }
        )
    return made.map(lambda x: torch.as_tensor(x, dtype=dtype))


def hyper_of(case: Case) -> dict[str, Any]:
    name, more, _ = case
    fixed = {"weights": "fixed"} if name == "all_for_one" else {}
    return {"step_size": 0.05, "start": np.ones(DIM), **fixed, **more}


def made(
    case: Case,
    law: str,
    dtype: torch.dtype = torch.float64,
    record: tuple[str, ...] = (),
    **more: Any,
) -> tuple[Run, list[int]]:
    """A run, and how many slots each round drew."""
    method, problem, drawn = load_method(case[0]), federation(law, dtype), []
    hyper = hyper_of(case)
    noise = source_of(problem, 11, range(R), method.slots(N, hyper))

    def counted(source: Any, *rest: Any) -> Any:
        draws = given(source, *rest)
        drawn.append(draws.shape[-2])
        return draws

    with pytest.MonkeyPatch.context() as patch:
        given = engine._draws
        patch.setattr(engine, "_draws", counted)
        return run(method, problem, hyper, noise, ROUNDS, record=record, **more), drawn


def bounded(
    case: Case, law: str, dtype: torch.dtype = torch.float64, record: tuple[str, ...] = ()
) -> tuple[Run, list[int], torch.Tensor]:
    """An eager run as `made` gives it, and how far rounding may carry its models."""
    with watched() as roundings:
        found, drawn = made(case, law, dtype, record)
    return found, drawn, roundings.of(found.theta)


def recorded(case: Case, name: str) -> tuple[str, ...]:
    """This entry, of a method that has it."""
    method = load_method(case[0])
    return (name,) if name in {*method.states, *method.traces} else ()


def whole(method: Any, clients: int, hyper: Any, noise: Any, kept: Any, in_order: bool) -> Any:
    """Nothing is skipped."""
    return hyper, noise


@each("dtype", [torch.float32, torch.float64])
@each("law", ["streaming", "identity", "gaussian", "sphere", "two_point"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.every(3)
def test_not_one_bit_moves_and_only_what_counts_is_drawn(
    name: str, law: str, dtype: torch.dtype
) -> None:
    """Answers by pairs lie otherwise in memory if made by matrices, and are added in its order."""
    method = load_method(CASES[name][0])
    record = tuple(method.states)
    found, drawn = made(CASES[name], law, dtype, record)
    assert set(drawn) == {CASES[name][2]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "skipping", whole)
        every, all_drawn, bound = bounded(CASES[name], law, dtype, record)
    assert set(all_drawn) == {method.slots(N, hyper_of(CASES[name]))}
    if law == "identity" or name != "clusters":
        assert torch.equal(found.theta, every.theta)
        assert all(torch.equal(found.extras[key], value) for key, value in every.extras.items())
    assert_same_but_for_rounding(found.theta, every.theta, bound)
    assert found.theta.std(-4).max() > 100 * bound.median()  # a draw of another slot would show


TRACED = [
    pytest.param(name, law, marks=[pytest.mark.slow] if (k + j) % 2 else [])
    for k, name in enumerate(name for name in CASES if name not in UNLIKE)
    for j, law in enumerate(("gaussian", "streaming"))
]
"""Each case with one of the two laws by default: tracing its graphs takes a second."""


@pytest.mark.parametrize(("name", "law"), TRACED)
@pytest.mark.every(4)
def test_a_graph_skips_the_same_and_adds_in_its_own_order(
    name: str, law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = recorded(CASES[name], "weights")
    traced, drawn = made(CASES[name], law, record=record, compile="trace")
    single, _ = made(CASES[name], law, torch.float32, compile="trace", rounds_per_launch=1)
    assert set(drawn) == {CASES[name][2]}  # the rounds before the graph
    monkeypatch.setattr(engine, "skipping", whole)
    every, _, bound = bounded(CASES[name], law, record=record)
    assert_same_but_for_rounding(traced.theta, every.theta, bound)
    for key, value in every.extras.items():
        assert torch.equal(traced.extras[key].expand(value.shape), value)
    every, _, bound = bounded(CASES[name], law, torch.float32)
    assert_same_but_for_rounding(single.theta, every.theta, bound)


def test_graphs_leave_out_pairs_of_shared_samples_and_eager_runs_do_not() -> None:
    problem, on = federation("gaussian", torch.float64), torch.tensor(CLUSTERS > 0)
    hyper = {"in_order": False}
    used = asked(hyper, on, shared=True)
    assert used == list(range(N))
    state = of_asked(problem, {**hyper, "used": used}, lambda: on, shared=True)
    assert state["wide"].clients == 4
    assert asked({"in_order": True}, on, shared=True) is None
    assert asked(hyper, torch.ones(N, N) > 0, shared=True) is None
    few = torch.tensor(COLUMNS > 0)
    for in_order in (False, True):  # every asker asks the same: no pairs
        state = of_asked(
            problem, {"in_order": in_order, "used": [0, 2, 4]}, lambda: few, shared=True
        )
        assert (state["wide"].clients, "each" in state["heard"]) == (3, False)


@pytest.mark.slow
@pytest.mark.skipif(not compiler_at_hand(torch.device("cpu")), reason="no C++ compiler")
@pytest.mark.parametrize(("name", "rounds"), [("naive clusters", 1), ("personal", 2)])
def test_a_compiled_run_skips_the_same(
    name: str, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of shared samples and of one's own; every other case is traced above."""
    before = compilations()
    how = {"compile": True, "rounds_per_launch": rounds}
    found, _ = made(CASES[name], "streaming", torch.float32, **how)
    assert compilations() > before
    monkeypatch.setattr(engine, "skipping", whole)
    every, _, bound = bounded(CASES[name], "streaming", torch.float32)
    assert_same_but_for_rounding(found.theta, every.theta, bound)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.every(4)
def test_a_client_that_counts_is_missed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: one that is taken for one of weight zero shows, in float32 as well."""
    how = "trace" if "clusters" in name else False  # of shared samples only graphs skip pairs
    every, drawn = made(CASES[name], "identity", compile=how)
    single, _, bound = bounded(CASES[name], "identity", torch.float32)
    modules = (all_for_one, counted, weighted_averaging, wga_bc)

    def mistaken(weights: torch.Tensor, trailing: int) -> torch.Tensor:
        on = given(weights, trailing)
        on[..., on.reshape(-1, N).any(0).nonzero()[-1]] = False  # the last of those that count
        return on

    given = skipping.alive
    for module in modules:
        monkeypatch.setattr(module, "alive", mistaken)
    found, fewer = made(CASES[name], "identity", compile=how)
    assert max(fewer) <= max(drawn)
    assert (found.theta - every.theta).abs().max() > 1e-3
    found, _ = made(CASES[name], "identity", torch.float32, compile=how)
    with pytest.raises(AssertionError, match="more than rounding explains"):
        assert_same_but_for_rounding(found.theta, single.theta, bound)


def test_what_any_replicate_or_record_needs_is_computed() -> None:
    """Negative controls: weights that are small, zero for some replicates alone, or looked at."""
    almost, some = HALF + 1e-12, np.tile(HALF, (R, 1))
    some[3, 1] = 0.1
    assert set(made(("fedavg", {"client_weights": almost}, 0), "identity")[1]) == {N}
    assert set(made(("fedavg", {"client_weights": some}, 0), "identity")[1]) == {4}
    found, drawn = made(CASES["shares"], "identity", record=("local_models",))
    assert set(drawn) == {N}
    assert found.extras["local_models"].std(-4).min() > 0
    moving = ("all_for_one", {"weights": "true"}, 0)
    assert set(made(moving, "gaussian")[1]) == {N * N}


def test_a_client_that_is_shown_is_computed() -> None:
    """Local models of followed clients are what FedProx keeps, whatever they weigh."""
    everybody = {**PROXIMAL, "client_weights": HALF, "focus": None}
    assert set(made(("fedprox", everybody, 0), "identity")[1]) == {N}
    shown = ("fedprox", {**PROXIMAL, "client_weights": HALF}, 0)
    assert set(made(shown, "identity", record=("local_models",))[1]) == {N}
    found, drawn = made(shown, "identity")
    assert set(drawn) == {4}
    assert found.theta[..., 1:, 0, :].std(-3).min() > 0  # client 3 has weight zero


AWAKE = ABSENT * (np.arange(N) < 3)
BATCHED: dict[str, tuple[Case, str, int]] = {  # a case, what differs in a replicate, slots in use
    "fedavg": (CASES["shares"], "client_weights", 4),
    "absent": (("fedavg", {"participation": AWAKE}, 0), "participation", 4),
    "fedprox": (("fedprox", {**PROXIMAL, "client_weights": HALF}, 0), "client_weights", 5),
    "ditto": (CASES["personal"], "client_weights", 19),
    "pairs": (CASES["few pairs"], "weight_matrix", 21),
    "shared": (CASES["shared"], "weight_matrix", 4),
    "naive": (CASES["naive"], "mixing", 4),
    "asleep": (
        ("naive_all_for_all", {"mixing": COLUMNS + 0.1, "participation": AWAKE}, 0),
        "participation",
        4,
    ),
    "averaging": (CASES["averaging"], "mixing", 3),
    "wga": (CASES["others"], "client_weights", 35),
}


@pytest.mark.parametrize("label", BATCHED)
def test_a_replicate_that_weighs_a_client_gets_it(
    label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A weight counts that is zero for all replicates but one."""
    (name, hyper, _), key, slots = BATCHED[label]
    extra, alike = 1 if key != "participation" else 5, made((name, hyper, 0), "identity")[0]
    weights = np.tile(hyper[key], (R, *(1,) * np.ndim(hyper[key])))
    weights[3, ..., extra] = 1
    case = (name, {**hyper, key: weights}, 0)
    found, drawn = made(case, "identity")
    assert set(drawn) == {slots}
    monkeypatch.setattr(engine, "skipping", whole)
    every, all_drawn = made(case, "identity")
    assert torch.equal(found.theta, every.theta)
    assert max(all_drawn) > slots
    apart = ((found.theta - alike.theta).abs() > 1e-6).flatten(1).any(1)
    assert apart.tolist() == [k == 3 for k in range(R)]


EXACT = {
    "fedavg": ("fedavg", {"client_weights": HALF}),
    "local steps": ("fedavg", {"client_weights": HALF, "local_steps": 2}),
    "fedprox": ("fedprox", {**PROXIMAL, "client_weights": HALF, "local_steps": 2}),
    "pairs": ("all_for_one", {"weights": "fixed", "weight_matrix": PAIRS}),
    "shared clusters": (
        "all_for_one",
        {
            "weights": "fixed",
            "weight_matrix": CLUSTERS,
            "samples": "shared",
        },
    ),
    "naive": ("naive_all_for_all", {"mixing": COLUMNS}),
    "naive clusters": ("naive_all_for_all", {"mixing": CLUSTERS}),
    "averaging": ("weighted_averaging", {"mixing": COLUMNS, "focus": [4]}),
    "wga": ("wga_bc", {"mixing": 0.5, "client_weights": HALF, "correction": "none"}),
}


@each("compile", [False, "trace"])
@each("name", EXACT)
@pytest.mark.slow
def test_mean_and_covariance_are_those_of_the_recursion(name: str, compile: bool | str) -> None:
    """The exact law of a Gaussian iterate, which has all weights, zeros among them."""
    method, hyper = load_method(EXACT[name][0]), {**EXACT[name][1], "step_size": 0.05}
    problem, start, many = federation("gaussian", torch.float64), np.ones(DIM), 5_000
    noise = source_of(problem, 11, range(many), method.slots(N, hyper))
    found = run(
        method,
        problem,
        {**hyper, "start": start},
        noise,
        ROUNDS,
        record=recorded(EXACT[name], "server"),
        last_only=True,
        compile=compile,
    )
    given = as_alike(method, problem, hyper, problem.data["xi"])
    used = method.used(N, {**given, "in_order": not compile}, {"theta"})
    assert bool(used) == (compile == "trace" or "clusters" not in name)
    floats = federation("gaussian", torch.float64).map(lambda x: np.asarray(x))
    last = found.extras.get("server", found.theta.movedim(-2, 0)[..., 0, :])  # (F or none, R, d)
    last = last.reshape(-1, many, DIM)

    def law(drop: bool) -> tuple[torch.Tensor, torch.Tensor]:
        some = {k: np.array(v) if isinstance(v, np.ndarray) else v for k, v in hyper.items()}
        if drop:
            some = {
                k: np.where(np.arange(N) == 4, 0, v) if isinstance(v, np.ndarray) else v
                for k, v in some.items()
            }
        path = moments(_map(method, floats, some), start + np.zeros((len(last), 1)), ROUNDS)
        mean, spread = (torch.as_tensor(x) for x in (path.mean, path.covariance))
        return mean[:, -1].expand(len(last), DIM), spread[:, -1].expand(len(last), DIM, DIM)

    def farthest(drop: bool) -> float:
        """Of means and variances, in standard deviations of what so many replicates give."""
        mean, spread = law(drop)
        variance = spread.diagonal(0, -2, -1)  # (F, d)
        of_mean = (last.mean(1) - mean) / (variance / many).sqrt()
        of_variance = (last.var(1) / variance - 1) / (2 / many) ** 0.5
        return float(torch.stack([of_mean, of_variance]).abs().max())

    assert farthest(drop=False) < 6  # of at most 70 numbers: by chance once in ten million times
    assert farthest(drop=True) > 15  # negative control: without one client that counts


def _map(method: Any, problem: Any, hyper: dict[str, Any]) -> Any:
    """Affine round, also of averaging: one model's law does not see that samples are shared."""
    if "mixing" not in hyper or method.name == "wga_bc":
        return method.affine_map(problem, hyper)
    rows = hyper["mixing"][hyper.get("focus", range(N))]
    return averaged_gradient_map(problem.expand(1), rows, hyper["step_size"])


def test_chunks_skip_each_what_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, method = federation("identity", torch.float64), load_method("fedavg")
    weights = torch.ones(R, N, dtype=torch.float64)
    weights[: R // 2, 2:] = 0  # half of the replicates ask two clients alone
    hyper = {"step_size": 0.05, "start": np.ones(DIM), "client_weights": weights}
    widths = []
    given = Addressed.draw

    def draw(source: Addressed, t: int) -> torch.Tensor:
        widths.append(source.slots)
        return given(source, t)

    def job(chunk: int) -> torch.Tensor:
        return run_chunked(
            method,
            problem,
            hyper,
            lambda rows: source_of(problem, 3, rows, N),
            R,
            ROUNDS,
            chunk=chunk,
            record=(),
        ).theta

    monkeypatch.setattr(Addressed, "draw", draw)
    with watched() as roundings:
        whole_run = job(R)
    halves = job(R // 2)
    assert widths == [N] * ROUNDS + [2] * ROUNDS + [N] * ROUNDS
    assert_same_but_for_rounding(halves, whole_run, roundings.of(whole_run))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("law", ["gaussian", "sphere", "two_point", "finite", "indices"])
def test_a_source_of_some_slots_draws_their_bits(law: str, dtype: torch.dtype) -> None:
    more: dict[str, Any] = {"width": 1}
    if law == "two_point":
        more["skew"] = torch.linspace(0.5, 3, N)
    elif law == "finite":
        more["values"] = torch.randn((N, 3), generator=torch.Generator().manual_seed(0))
        more["probabilities"] = torch.tensor([[0.5, 0.25, 0.25]]).expand(N, 3)
    elif law == "indices":
        more["rows"] = list(range(3, 3 + N))
    else:
        more["width"] = 3
    every, some = Addressed(law, (1, 2), range(9), N, dtype=dtype, **more), [5, 0, 3]
    part = every.only(some)
    for t in range(4):
        assert torch.equal(part.draw(t), every.draw(t)[:, some])
        assert torch.equal(part.words(t, 3), every.words(t, 3)[:, some])
        span = torch.arange(9)
        tensors = every.draw_at(t, every.key, span)[:, some]
        bound = torch.zeros(tensors.shape, dtype=torch.float64) + of_draws(part, t)
        assert_same_but_for_rounding(part.draw_at(t, part.key, span), tensors, bound)
    assert torch.equal(part.only([2]).draw(1), every.draw(1)[:, [3]])  # some of some
    assert not torch.equal(part.draw(0), every.draw(0)[:, [0, 3, 5]])  # negative control: order


def test_slots_that_are_not_there_are_refused() -> None:
    source = Addressed("gaussian", (1, 2), range(2), 4, 3)
    for chosen in ([4], [-1], []):
        with pytest.raises(InvalidInput, match=r"chosen must be slots in \[0, 4\)"):
            source.only(chosen)
