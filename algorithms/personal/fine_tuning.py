"""Fine-tuning: a few gradient steps of every local model on its own loss, after training.

With the last local models of FedBC this is FedBC-FineTune; with the server's model once per client,
what Per-FedAvg is scored with.

Source: fedbc, Baselines and Appendix E (metrics).
"""

from __future__ import annotations

from typing import Any

from algorithms.method import count, trail
from bounds.numbers.validate import nonnegative


def fine_tuned(problem: Any, models: Any, step_size: Any, steps: int = 1) -> Any:
    """Local models after gradient steps on their own losses.

    Parameters
    ----------
    problem : Problem
        Its losses are those of the data that are used for tuning.
    models : tensor, (..., N, d)
        One model per client; a server's model is repeated.
    step_size : number or tensor, (...)
        Unit: length squared / loss; zero changes nothing.
    steps : int
        Default 1, as in the paper.

    Returns
    -------
    tensor, (..., N, d)
    """
    nonnegative("step_size", step_size)
    for _ in range(count({"steps": steps}, "steps")):
        models = models - trail(step_size, 2) * problem.own_gradients(models)
    return models
