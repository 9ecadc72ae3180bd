r"""Claims about any number of samples: none, and one more before the others.

A program may ask for a value :math:`V_T(x)` after T samples from a node x, each of which leads to a
node :math:`x_i` with a weight :math:`w_i` (`bounds.numbers.trees`), and compare it with a bound
:math:`R_T(x)` that holds for all nodes.  As :math:`V_{T+1}(x) = \sum_iw_iV_T(x_i)`, the claim
:math:`R_T(x)\le V_T(x)` follows for all T from

- :math:`R_0(x) \le V_0(x)`,
- :math:`R_{T+1}(x) \le \sum_iw_iR_T(x_i)`, and
- :math:`w_i \ge 0`;

so does the claim the other way round.  The node is made of parameters of the claim, whose other
parameters and hypotheses are about none of it; its numbers stay in their domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from random import Random
from typing import Any

from bounds.numbers.symbolic import Symbolic, expression
from bounds.numbers.trees import SampleTree, told
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import domain_facts, formula, symbol_values
from verify.reading.parts.values import POINTS, Formulas, agree, equal, rational_values
from verify.world.score import Score, score

__all__ = ["SAMPLED", "tree_sets"]

Expr = Any  # sympy carries no types

SAMPLED = "sampled"
"""In the labels of such claims."""


def tree_sets(statement: Statement) -> Iterator[Claims]:
    """The set of claims about one sample that is what a statement says of any number of them."""
    sizes = _sizes(statement)
    if sizes is None or statement.over != "point" or statement.relation not in ("<=", ">="):
        return
    try:
        yield Claims(_claims(statement, sizes))
    except NotReadable:
        return


def _sizes(statement: Statement) -> str | None:
    """The one number that differs between the shapes, in which all else is a single number."""
    box, shapes = statement.family.box, statement.family.shapes
    names = {n for shape in shapes for n in shape}
    moving = [n for n in names if len({repr(shape.get(n)) for shape in shapes}) > 1]
    if len(moving) != 1 or not box or any(p.per for p in box.values()) or statement.also:
        return None
    counts = [shape.get(moving[0]) for shape in shapes]
    return moving[0] if all(isinstance(c, int) and c >= 0 for c in counts) else None


@dataclass(frozen=True)
class _Read:
    """A value after samples and its bound, in symbols.

    Attributes
    ----------
    nodes : tuple of symbols
        Of which the first node is made.
    end, bound : expression
        The value where nothing is seen, and the bound after T samples.
    outcomes : list of (weight, numbers of the node)
    least : bool
        Whether the bound is one from below.
    given : mapping
        Margins by the name of their hypothesis.
    """

    nodes: tuple[Expr, ...]
    end: Expr
    bound: Expr
    outcomes: list[tuple[Expr, tuple[Expr, ...]]]
    least: bool
    given: Mapping[str, Expr]

    def at(self, node: tuple[Expr, ...]) -> dict[Expr, Expr]:
        """What to put for the numbers of the node."""
        return dict(zip(self.nodes, node, strict=True))


def _claims(statement: Statement, size: str) -> list[ReadClaim]:
    import sympy

    from verify.certify.prover.prove import Hypothesis

    rounds = sympy.Symbol(size, integer=True, nonnegative=True)
    read = _read(statement, size, rounds)
    if not _agrees(statement, size, rounds, read):
        raise NotReadable("the formulas are not what the statement gives")
    strict = statement.strict
    given = [Hypothesis(n, e, n in strict) for n, e in read.given.items()]
    box = statement.family.box
    values = symbol_values(box, statement.family.shapes[0])
    for name, parameter in box.items():
        given += domain_facts(name, parameter, expression(values[name].item()))

    def claim(part: str, low: Expr, high: Expr) -> ReadClaim:
        sides = (low, high) if read.least else (high, low)
        return ReadClaim({SAMPLED: "any", "part": part}, Claim(*sides, "<=", given))

    zero = sympy.Integer(0)
    later = sum((w * read.bound.xreplace(read.at(n)) for w, n in read.outcomes), zero)
    weights = [
        ReadClaim({SAMPLED: "any", "part": f"weight {i}"}, Claim(zero, w, "<=", given))
        for i, (w, _) in enumerate(read.outcomes)
    ]
    return [
        claim("no sample", read.bound.xreplace({rounds: zero}), read.end),
        claim("one more sample", read.bound.xreplace({rounds: rounds + 1}), later),
        *weights,
    ]


def _read(statement: Statement, size: str, rounds: Expr) -> _Read:
    """The formulas of a program that asks for one value after samples and says one bound of it."""
    with told() as trees:
        made = _score(statement, size, Symbolic(rounds))
    if len(trees) != 1:
        raise NotReadable("a claim about no value after samples, or about several")
    left, right = (formula(side.item()) for side in (made.left, made.right))
    ends = [e for e in (left, right) if str(e).startswith("after_samples_")]
    if len(ends) != 1 or not ends[0].is_Symbol:
        raise NotReadable("a value after samples that is no side by itself")
    (tree,) = trees
    bound = right if left == ends[0] else left
    nodes, end, outcomes = _symbols(tree)
    given = {n: formula(m.item()) for n, m in made.margins.items()}
    moving = {*nodes, rounds, ends[0]}
    if bound.has(ends[0]) or any(e.free_symbols & moving for e in given.values()):
        raise NotReadable("a bound or a hypothesis about the samples")
    parts = [end, *(e for w, node in outcomes for e in (w, *node))]
    if any(e.has(rounds) for e in parts) or any(w.has(*nodes) for w, _ in outcomes):
        raise NotReadable("samples that know how many there are, or weights of what was seen")
    _stay(statement, nodes, outcomes)
    least = (left == ends[0]) == (statement.relation == ">=")
    return _Read(nodes, end, bound, outcomes, least, given)


def _symbols(
    tree: SampleTree,
) -> tuple[tuple[Expr, ...], Expr, list[tuple[Expr, tuple[Expr, ...]]]]:
    """Numbers of the first node, the value there, and the outcomes of one sample, as formulas."""
    with asked():
        nodes = tuple(formula(v.item()) for v in tree.root)
        end = formula(tree.end(tree.root).item())
        outcomes = [
            (formula(_item(w)), tuple(formula(_item(v)) for v in node))
            for w, node in tree.outcomes(tree.root)
        ]
    if not all(e.is_Symbol for e in nodes) or len(set(nodes)) != len(nodes):
        raise NotReadable("samples that begin elsewhere than at parameters")
    return nodes, end, outcomes


def _stay(statement: Statement, nodes: tuple[Expr, ...], outcomes: list[Any]) -> None:
    """Refuse a node whose numbers may leave their domain."""
    for place, symbol in enumerate(nodes):
        domain = statement.family.box[str(symbol)].limits
        fits = {(-inf, inf): "is_real", (0.0, inf): "is_positive"}.get(domain)
        if fits is None or not all(getattr(node[place], fits) for _, node in outcomes):
            raise NotReadable("samples that may lead out of a domain")


def _score(statement: Statement, size: str, count: Any) -> Score:
    """Both sides with a symbol for each parameter."""
    shape = statement.family.shapes[0]
    values = symbol_values(statement.family.box, shape)
    with asked():
        instance = statement.family.instance(values, shape)
        if instance.family != "numbers" or size not in instance.params:
            raise NotReadable("samples of something else than numbers")
        counted = replace(instance, params={**instance.params, size: count})
        made = score(statement, counted, "symbolic")
    if any(a.size != 1 for a in (made.left, made.right, *made.margins.values())):
        raise NotReadable("several claims at once")
    return made


# -- is it what the statement says -----------------------------------------------------------------


def _agrees(statement: Statement, size: str, rounds: Expr, read: _Read) -> bool:
    """Whether the formulas give what the program gives, for each listed number of samples."""
    import sympy

    def at(shape: Shape, random: Random) -> bool:
        drawn = rational_values(statement.family.box, shape, random)
        with asked():
            instance = statement.family.instance({n: v[None] for n, v in drawn.items()}, shape)
            made = score(statement, instance, "exact")
        here, count = Formulas(shape), sympy.Integer(shape[size])

        def value(e: Expr, numbers: Mapping[Any, Any]) -> Any:
            return here.at(e.xreplace({rounds: count}), {}, numbers)

        def after(numbers: Mapping[Any, Any], left: int) -> Any:
            if not left:
                return value(read.end, numbers)
            total: Any = 0
            for weight, node in read.outcomes:
                moved = {(str(s), ()): value(e, numbers) for s, e in read.at(node).items()}
                total += value(weight, numbers) * after({**numbers, **moved}, left - 1)
            return total

        table = {(n, ()): v.item() for n, v in drawn.items()}
        pair = (value(read.bound, table), after(table, int(shape[size])))
        low, high = pair if read.least else pair[::-1]
        sides = (made.left.item(), made.right.item())
        first, second = sides if statement.relation == "<=" else sides[::-1]
        margins = made.margins.items()
        return equal(second - first, high - low) and all(
            equal(m.item(), value(read.given[n], table)) for n, m in margins
        )

    return agree(statement.key, statement.family.shapes, at, 1 if known_before() else POINTS)


def _item(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
