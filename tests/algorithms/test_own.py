"""Methods of one's own: one function of a round gives the runs of the library's two engines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run, run_chunked
from algorithms.engine.small import run_small
from algorithms.method import names_of
from algorithms.own import own_method
from algorithms.reference.run import reference_run
from algorithms.registry import OWN, load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic
from tests.algorithms.cases import DATA, D, N, T, federation, floats, gap, rational
from tests.places import ROOT
from verify.catalogue.user_file import Origin, load_statements
from verify.cli import main

STEP, START = Q(1, 32), rational(["3/2", -1])
HYPER = {"step_size": STEP, "start": START}


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Names of one test are not known in the next."""
    before = dict(OWN)
    yield
    OWN.clear()
    OWN.update(before)


def averaging() -> Any:
    """FedAvg, with weights, written as one's own."""

    @own_method("averaging", settings={"local_steps": 1}, parameters={"sizes": "N"})
    def averaging(r: Any) -> Any:
        models = []
        for i in range(r.clients):
            x = r.server
            for _ in range(r.local_steps):
                x = x - r.step_size * r.gradient(i, x)
            models.append(x)
        return r.mean(models, r.each("sizes"))

    return averaging.method()


def heavy_ball() -> Any:
    """Averaging of one step with a momentum at the server."""

    @own_method("heavy_ball", parameters={"momentum": ""}, keeps=["velocity"])
    def heavy_ball(r: Any) -> Any:
        slope = r.mean([r.gradient(i, r.server) for i in range(r.clients)])
        velocity = r.momentum * r.velocity - r.step_size * slope
        return r.server + velocity, {"velocity": velocity}

    return heavy_ball.method()


def drawn(slots: int, replicates: int = 4, seed: int = 1) -> Any:
    return np.random.default_rng(seed).integers(-12, 13, (replicates, T, slots, D)) / 8


def exact(name: str, hyper: dict[str, Any], draws: Any) -> Any:
    return reference_run(name, Quadratic(DATA), hyper, rational(draws), T)


def test_fedavg_written_as_ones_own_is_that_of_the_library() -> None:
    method, sizes = averaging(), rational([3, 1, 2])
    own = {**HYPER, "local_steps": 2, "sizes": sizes}
    lib = {**HYPER, "local_steps": 2, "client_weights": sizes}
    draws = drawn(method.slots(N, own))
    noise = Given(torch.as_tensor(draws))
    left = run(method, federation(), floats(own), noise, T)
    right = run(load_method("fedavg"), federation(), floats(lib), noise, T)
    torch.testing.assert_close(left.theta, right.theta, rtol=1e-13, atol=1e-13)
    for r in range(len(draws)):  # in fractions: the very same
        found, expected = exact("averaging", own, draws[r]), exact("fedavg", lib, draws[r])
        assert found["theta"] == expected["theta"]
        assert found["server"] == expected["server"]
        assert gap(left.theta[r].numpy(), expected["theta"]) < 1e-13
    plain = exact("fedavg", {**HYPER, "local_steps": 2}, draws[0])
    assert plain["theta"] != exact("averaging", own, draws[0])["theta"]  # negative control


def test_small_and_chunked_runs_are_the_same() -> None:
    method, own = averaging(), {**floats(HYPER), "local_steps": 2, "sizes": np.array([3.0, 1, 2])}
    draws = drawn(2 * N)
    theta = run(method, federation(), own, Given(torch.as_tensor(draws)), T).theta.numpy()
    small = run_small(method, federation().map(lambda x: x.numpy()), own, draws, T)
    np.testing.assert_allclose(small["theta"], theta, rtol=1e-13)
    chunked = run_chunked(
        method,
        federation(),
        own,
        lambda rows: Given(torch.as_tensor(draws[rows.start : rows.stop])),
        len(draws),
        T,
        chunk=3,
    )
    np.testing.assert_allclose(chunked.theta.numpy(), theta, rtol=1e-13)


def test_what_a_server_keeps_goes_on_from_round_to_round() -> None:
    method, hyper = heavy_ball(), {**HYPER, "momentum": Q(1, 2)}
    draws = drawn(method.slots(N, hyper))[0]
    found = exact("heavy_ball", hyper, draws)
    problem = Quadratic(DATA)
    x, v = np.array(START), 0 * np.array(START)
    for t in range(T):
        words = rational(draws[t])
        slope = problem.stochastic_gradients(x, words).sum(0) / N
        v = Q(1, 2) * v - STEP * slope
        x = x + v
        assert found["server"][t + 1] == x.tolist()
        assert found["velocity"][t + 1] == v.tolist()
    still = exact("heavy_ball", {**hyper, "momentum": Q(0)}, draws)
    assert still["server"] != found["server"]
    batched = run(method, federation(), floats(hyper), Given(torch.as_tensor(draws)[None]), T)
    assert gap(batched.extras["velocity"][0].numpy(), found["velocity"]) < 1e-13


def test_it_says_which_names_it_has() -> None:
    assert names_of(averaging()) == {
        "step_size",
        "step_sizes",
        "start",
        "sizes",
        "local_steps",
        "focus",
    }
    with pytest.raises(InvalidInput, match="got localsteps: did you mean local_steps"):
        run(load_method("averaging"), federation(), {**floats(HYPER), "localsteps": 2}, None, 1)


def greedy(r: Any) -> Any:
    return r.server - r.step_size * (r.gradient(0, r.server) + r.gradient(0, r.server))


def unknown(r: Any) -> Any:
    return r.server * r.inertia


def forgetful(r: Any) -> Any:
    return r.server


FAULTS: list[tuple[Any, dict[str, Any], str]] = [
    (greedy, {}, "gradients must be at most 1 of each client in a round, got 2"),
    (unknown, {}, "parameters of own must be given and among .*, got inertia"),
    (unknown, {"parameters": {"inertia": ""}}, "got inertia: name it"),
    (forgetful, {"keeps": ["velocity"]}, "what own returns must be the model and velocity"),
    (forgetful, {"gradients": lambda h: 0}, "gradients must be a positive whole number, got 0"),
    (forgetful, {"gradients": lambda h: 1.5}, "a positive whole number, got 1.5"),
]


@pytest.mark.parametrize(("step", "more", "message"), FAULTS)
def test_faults_are_named(step: Any, more: dict[str, Any], message: str) -> None:
    method = own_method("own", **more)(step).method()
    with pytest.raises(InvalidInput, match=message):
        run(method, federation(), floats(HYPER), None, 1)


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("fedavg", {}, "a word that no method of the library has"),
        ("two words", {}, "a word that no method"),
        ("own", {"settings": {"start": 1}}, "another than the library's, got start"),
        ("own", {"parameters": {"server": ""}}, "another than the library's, got server"),
        ("own", {"parameters": {"x": "N d"}}, "axes of x must be"),
    ],
)
def test_names_that_are_taken_are_refused(name: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        own_method(name, **more)
    assert "own" not in OWN


def example() -> str:
    """The file on the page."""
    page = (ROOT / "docs" / "own_method.rst").read_text()
    block = page.split(":caption: fednova.py\n\n")[1].split("\n.. code-block")[0]
    return "\n".join(line[3:] for line in block.splitlines()).strip() + "\n"


def test_fednova_of_the_page_is_the_papers_loop(tmp_path: Path) -> None:
    """At most forty lines; in fractions it is Wang et al.'s Equation 6 on plain SGD."""
    text = example()
    assert len(text.splitlines()) <= 40
    path = tmp_path / "fednova.py"
    path.write_text(text)
    load_statements(Origin.of(path))
    hyper = {**HYPER, "most_steps": 2}
    draws = drawn(load_method("fednova").slots(N, hyper))[0]
    found = exact("fednova", hyper, draws)
    problem, x = Quadratic(DATA), list(START)
    tau = [1, 2, 1]
    for t in range(T):
        ds = []
        for i in range(N):
            y, total = np.array(x), 0 * np.array(x)
            for j in range(tau[i]):
                words = [rational(draws[t][j * N + i])] * N
                g = problem.stochastic_gradients(y, np.array(words))[i]
                y, total = y - STEP * g, total + g
            ds.append(total / tau[i])  # d_i = G_i a_i / |a_i|_1 with a_i = (1, ..., 1)
        effective = Q(sum(tau), N)
        x = [a - effective * STEP * sum(d[c] for d in ds) / N for c, a in enumerate(x)]
        assert found["server"][t + 1] == x


def test_search_witness_and_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's false claim falls in rational arithmetic; another process replays it."""
    monkeypatch.chdir(tmp_path)
    Path("fednova.py").write_text(example())
    assert main(["check", "fednova.py", "--no-reasons"]) in (0, 1)
    ledger = json.loads(Path("fednova-ledger.json").read_text())
    words = {entry["key"]: entry["verdict"] for entry in ledger["entries"]}
    assert words == {"nova.equal": "holds", "nova.move": "proved", "nova.first": "violated"}
    witness = "fednova-ledger-witnesses/nova.first.json"
    call = [sys.executable, "-m", "verify.cli", "replay", witness, "--trust"]
    again = subprocess.run(
        call,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=True,
    )
    assert again.stdout.rstrip().endswith("\nconfirmed")
    Path(witness).write_text(Path(witness).read_text().replace('most_steps": 2', 'most_steps": 1'))
    assert main(["replay", witness, "--trust"]) != 0  # negative control
