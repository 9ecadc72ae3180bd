"""Schemas, by name: how inequalities for every index become one about sums, ends or maxima.

One file each.  These files are trusted, use the standard library alone, and each schema is a lemma
that Coq proves once (`verify.proof.coq`).
"""

from verify.proof.schemas import (
    averaged,
    extremes,
    geometric,
    harmonic,
    last,
    markov,
    product,
    supposed,
    telescoped,
)
from verify.proof.schemas.schema import Closed, Schema

__all__ = ["SCHEMAS", "Closed", "Schema"]

SCHEMAS: dict[str, Schema] = {
    schema.name: schema
    for schema in (
        telescoped.SCHEMA,
        last.SCHEMA,
        geometric.SCHEMA,
        harmonic.SCHEMA,
        extremes.SMALLEST,
        extremes.LARGEST,
        averaged.SCHEMA,
        markov.SCHEMA,
        product.SCHEMA,
        supposed.INDUCTION,
        supposed.CASES,
    )
}
