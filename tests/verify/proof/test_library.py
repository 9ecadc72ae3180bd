"""An outline held to the exact runs of a statement of the library, and to both of its sides."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from bounds.numbers.validate import unchecked
from tests.verify.proof.outlines import OUTLINES
from verify.catalogue.library import library
from verify.proof.bridge import ExactRun, broken
from verify.reading.parts.exact_points import instance_of, plain_array
from verify.world.returned import sides_of
from verify.world.world import World

KEY = "hcct.theorem2.repaired"


def exact(statement, shape, seed):
    instance, _ = instance_of(statement.family, shape, Random(seed))
    return World(instance, "exact", None, statement.defines)


def measured(world):
    """What the outline speaks of, measured on a run: models, gradients of groups, noise."""
    run = world.original("training")
    rounds, clients = run.last + 1, run.clients
    outcomes = max(len(plain_array(m)[0]) for m in run.models)
    share = np.ravel(plain_array(world.weights))
    share = share if len(share) == outcomes else np.array([Fraction(1, outcomes)] * outcomes)

    def each(values):
        return np.broadcast_to(plain_array(values)[0], (outcomes, clients))

    one = {n: np.ravel(plain_array(world.original(n)))[0] for n in ("sigma", "curvature")}
    step = np.ravel(plain_array(world.original("step_size")))
    models = [np.broadcast_to(plain_array(m)[0], (outcomes, clients)) for m in run.models]
    values = {}
    rows, groups, noises, kappas = [], [], [], []
    weights = {}
    for t in range(rounds + 1):
        loss = each(run.losses(t))
        slope = each(run.gradients(t)) if t < rounds else None
        for o in range(outcomes):
            for i in range(clients):
                values.setdefault(
                    (i, (models[t][o, i],)),
                    # after the last epoch no gradient is asked for: any number will do
                    (loss[o, i], Fraction(0) if slope is None else slope[o, i]),
                )
    for t in range(rounds):
        a = plain_array(run.weights[run.words[t]])[0]
        a = a[0] if a.ndim == 3 else a
        cross = plain_array(run.crossed(t))[0]
        rows.append(np.broadcast_to((a * cross).sum(-1), (outcomes, clients)))
        groups.append(each(run.group_gradients(t)))
        noises.append(each(run.updates[t]) - groups[-1])
        kappas.append((a * plain_array(world.original("kappa2"))[0]).sum())
        weights[t] = a
    table = {"w": models, "h": groups, "c": rows, "n": noises}
    return ExactRun(
        list(share),
        [Fraction(1, clients)] * clients,
        numbers={
            "L": lambda: one["curvature"],
            "sigma": lambda: one["sigma"],
            "N": lambda: Fraction(clients),
            "T": lambda: Fraction(rounds),
            "eta": lambda t: step[min(t, len(step) - 1)],
            "K": lambda t: kappas[t],
        },
        vectors={
            name: (
                lambda run_, o, i, t, rows_=rows_: (
                    (rows_[t][o, i] if t < len(rows_) else Fraction(0)),
                )
            )
            for name, rows_ in table.items()
        },
        functions={
            # where no model has been nothing is asked but that both readings use one number
            "J": (
                lambda i, x: values.get((i, x), (Fraction(0),) * 2)[0],
                lambda i, x: (values.get((i, x), (Fraction(0),) * 2)[1],),
            ),
        },
    ), rounds


@pytest.mark.parametrize("place", range(4))
def test_the_groups_of_the_library_are_those_of_the_outline(place):
    statement = library().leaf(KEY)
    shape = statement.family.shapes[place]
    world = exact(statement, shape, 3)
    run, rounds = measured(world)
    document = OUTLINES["groups_that_stay"]().document
    found = broken({**document, "steps": []}, run, {"t": rounds})
    assert [b.name for b in found] == []
    with unchecked():
        sides = sides_of(statement, world)
    for side, text in zip(sides, ("left", "right"), strict=True):
        values = [np.ravel(plain_array(v)) for v in side.values()]
        rows = [np.broadcast_to(x, len(run.chances)) for x in values]
        total = sum(c * v for x in rows for c, v in zip(run.chances, x, strict=True))
        assert run.scalar(document["claim"][text]) == total


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("similar", {"at_most": "K[t]/(4*N)"}),
        ("noise", {"sigma2": "sigma**2/100"}),
        ("rule", {"is_": "w[t] - 2*eta[t]*(h[t] + n[t])"}),
        ("together", {"other": "h[t] + n[t]"}),
    ],
)
@pytest.mark.every(2)
def test_the_runs_refuse_what_is_false_of_them(name, change):
    statement = library().leaf(KEY)
    document = OUTLINES["groups_that_stay"]().document
    facts = [
        {**f, "args": {**f["args"], **change}} if f["name"] == name else f
        for f in document["facts"]
    ]
    found = []
    for shape in statement.family.shapes:
        run, rounds = measured(exact(statement, shape, 3))
        found += broken({**document, "facts": facts, "steps": []}, run, {"t": rounds})
    assert found
