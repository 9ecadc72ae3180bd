"""Simulation rung: e-values on fresh, addressed noise where a law has no finite support.

Accusation and support are separate questions: any tail may be accused, while support needs a
proved ceiling of the left side; without one the run is reported and does not count.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.verdict.evidence import Evidence
from verify.verdict.relation import ACCUSE, SUPPORT
from verify.world.noise_plan import NotAvailable, Samples
from verify.world.sampled import evaluate


def simulate(
    statement: Statement, replicates: int, seed: int, device: str, chunk: int | None = None
) -> Iterator[Evidence]:
    """Run each larger instance of a statement; at most one piece of evidence per instance."""
    for number, make in enumerate(statement.simulate):
        instance = make()
        keys = [
            int(k) for k in np.random.SeedSequence([seed, number, 7]).generate_state(2, np.uint64)
        ]
        try:
            first = evaluate(statement, instance, Samples(keys[0], replicates, 0, device, chunk))
        except NotAvailable as error:
            yield Evidence("simulation", "not-applicable", str(error))
            continue
        if not first["assumed"]:
            yield Evidence("simulation", "not-applicable", "a hypothesis fails on some sample")
            continue
        if first["e_value"] >= ACCUSE:
            fresh = tuning.CONFIRM * replicates
            again = evaluate(statement, instance, Samples(keys[1], fresh, 0, device, chunk))
            if not again["assumed"]:
                yield Evidence("simulation", "not-applicable", "a hypothesis fails on some sample")
                continue
            witness = {
                "number": "simulated",
                "relation": "<=",
                "quantifier": "all",
                "left": again["left"],
                "right": again["right"],
                "e_value": again["e_value"],
                "margins": {},
                "replicates": fresh,
                "key": keys[1],
                "instance": instance.to_json(),
            }
            yield Evidence(
                "simulation",
                "undecided",
                f"mean {again['left']:.4g} against {again['right']:.4g}, e-value "
                f"{again['e_value']:.3g} on fresh noise",
                witness=witness,
                tried=1,
            )
            continue
        certified = first["favour"] >= SUPPORT
        yield Evidence(
            "simulation",
            "decided" if certified else "reported",
            f"mean {first['left']:.4g} against {first['right']:.4g} over {replicates} replicates"
            + (f", certified with e-value {first['favour']:.3g}" if certified else ", not counted"),
            counted=int(certified),
            tried=1,
            worst=first["left"] / first["right"] if first["right"] else None,
            details={k: float(v) for k, v in first.items()},
            scope=_scope(instance),
        )


def _scope(instance: Instance) -> str:
    return f"{instance.family}, {instance.method}"
