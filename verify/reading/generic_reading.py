"""A claim on numbers read with one generic client: both sides and hypotheses as formulas.

The program runs once with a symbol for every parameter, ``x[k]`` where it has one per client; that
no client is picked out makes what holds for the generic one hold for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from verify.claim.statement import Real, Statement
from verify.reading.clients.parameters import domain_facts
from verify.reading.vector_reading import vectors_of
from verify.world.noise_plan import NotAvailable
from verify.world.score import score

__all__ = ["PROBLEMS", "Generic", "read_symbols", "symbolic", "written"]

PROBLEMS = "its instances are problems or runs that stand for a class, not numbers"

DIGITS = 15
"""A float with more digits than that has been computed, not written."""


def written(statement: Statement) -> list[tuple[Any, Any]]:
    """Both sides of each listed shape as formulas, in the form in which they are written.

    Returns
    -------
    list of (left, right)
        Before any simplification, so that ``x + x`` is not ``2 x``; empty where the claim has no
        such form.
    """
    import sympy

    if not statement.family.box or any(set(p.per) - {"N"} for p in statement.family.box.values()):
        return []  # of vectors one coordinate is no formula of the claim
    with sympy.evaluate(False):
        claims = [symbolic(statement, shape, {}) for shape in statement.family.shapes]
    return [] if None in claims else [claim[:2] for claim in claims if claim is not None]


def symbolic(statement: Statement, shape: Any, sizes: Any) -> Any:
    """Both sides, relation and hypotheses with every parameter as a symbol; None if impossible.

    ``sizes`` gives symbols for whole numbers of the shape; the others keep their values.
    """
    try:
        return read_symbols(statement, shape, sizes)
    except (TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError):
        return None  # the claim has no form with these symbols


def read_symbols(statement: Statement, shape: Any, sizes: Any) -> Any:
    """The same, with the error that says why there is no such form.

    Raises
    ------
    TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError
        As the program of the statement, or the guards of symbolic arrays, put it.
    """
    from verify.certify.prover.prove import Hypothesis

    vectors = vectors_of(statement)
    values = {name: _symbol(name, p, bool(vectors)) for name, p in statement.family.box.items()}
    signs = [
        Hypothesis(f"{name} >= 0", v.item().expr, False)
        for (name, p), v in zip(statement.family.box.items(), values.values(), strict=True)
        if p.sign == "nonnegative" and name not in vectors
    ]
    signs += [
        known
        for (name, p), v in zip(statement.family.box.items(), values.values(), strict=True)
        if name not in vectors
        for known in domain_facts(name, p, v.item().expr)
    ]
    instance = statement.family.instance(values, shape)
    if instance.family != "numbers":
        raise TypeError(f"{PROBLEMS} ({instance.family})")
    constants = {name: Symbolic(s) for name, s in sizes.items() if name in instance.params}
    instance = replace(instance, params={**instance.params, **constants})
    result = score(statement, instance, "symbolic")
    given = [
        Hypothesis(name, _generic(margin), name in statement.strict)
        for name, margin in result.margins.items()
    ]
    left, right = _generic(result.left), _generic(result.right)
    _all_symbols(values, instance)
    if statement.relation == ">=":
        left, right = right, left
    relation = "==" if statement.relation == "==" else "<="
    return left, right, relation, [*signs, *given]


class Generic(np.ndarray[Any, Any]):
    """Array with one generic client; no client can be picked out of it or overwritten."""

    def __getitem__(self, key: Any) -> Any:
        """Axes may be inserted before that of the clients, entries not chosen."""
        parts = key if isinstance(key, tuple) else (key,)
        for part in parts:
            if not (part is None or part is Ellipsis or part == slice(None)):
                raise TypeError("a single client has been picked out of a symbolic array")
        whole = Ellipsis in parts or len([p for p in parts if p is not None]) == self.ndim
        named = whole and parts[-1] is None
        if named and any(_names_client(entry) for entry in np.asarray(self).flat):
            # beside another client axis the same generic client would stand for both
            raise TypeError("the axis of the clients must stay the last one of a symbolic array")
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        """Entries in order, for checks that look at every number."""
        return iter(np.asarray(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        """Never: what holds for one client would be proved for all."""
        raise TypeError("a single client of a symbolic array has been overwritten")


def _symbol(name: str, parameter: Real, beside_vectors: bool = False) -> np.ndarray[Any, Any]:
    """One symbol with the leading axes of a batch of one; per client, the generic element.

    Of a vector it is one coordinate, a real number. Formulas with vectors are compared with exact
    values of the claim, so that there no client need be guarded against being picked out.
    """
    import sympy

    facts = {"positive": True} if parameter.sign == "positive" else {"real": True}
    if parameter.sign == "nonnegative":
        facts = {"nonnegative": True}
    if "d" in parameter.per:
        facts = {"real": True}
    symbol = sympy.Symbol(name, **facts)
    if set(parameter.per) - {"d"}:
        symbol = sympy.IndexedBase(name, **facts)[client_symbol()[0]]
    out = np.empty((1,) * (1 + len(parameter.per)), dtype=object)
    out[...] = Symbolic(symbol)
    return out.view(Generic) if parameter.per and not beside_vectors else out


def _names_client(entry: Any) -> bool:
    """Whether an entry speaks about the generic client."""
    return client_symbol()[0] in getattr(entry, "free_symbols", ())


def _all_symbols(values: Any, instance: Any) -> None:
    """Every parameter must still stand in the instance that was built."""
    built = {
        symbol
        for value in instance.params.values()
        if isinstance(value, np.ndarray)
        for entry in value.flat
        for symbol in getattr(entry, "free_symbols", ())
    }
    for name, value in values.items():
        if not value.item().free_symbols <= built:
            raise TypeError(f"{name} does not reach the instance as a symbol")


def _floats(found: Any) -> set[Any]:
    """Floating point numbers in a formula."""
    import sympy

    return set(found.atoms(sympy.Float)) if found is not None else set()


def _generic(value: np.ndarray[Any, Any]) -> Any:
    """The one expression of a symbolic array.

    The generic client may stand free only in a claim about every client (a third axis): picked
    out by an index it would pass a fact about one client off as one about all.
    """
    found = expression(value.item())
    if any(len(str(float(x)).strip("-0").replace(".", "")) > DIGITS for x in _floats(found)):
        raise TypeError("a number has been rounded before it reached the claim")
    if value.ndim <= 2 and client_symbol()[0] in found.free_symbols:
        raise TypeError("a single client has been picked out of a symbolic array")
    return found
