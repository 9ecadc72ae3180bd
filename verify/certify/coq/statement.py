"""Statements for Coq: what is quantified and assumed, and what holds by definition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from verify.certify.coq.terms import EACH, NotInCoq, Terms, inner, over_clients, with_k

__all__ = ["CoqStatement"]


class CoqStatement(Terms):
    """Premises of the theorem of one written proof, and facts on its atoms."""

    def variables(self) -> str:
        """The quantified variables with their types."""
        kinds: dict[str, list[str]] = {
            "nat": ["N"] * self._clients,
            "R": [],
            "nat -> R": [],
            "nat -> nat -> R": [],
            "R -> R": list(self._functions),
        }
        for name, sign in self._signs.items():
            if name in self._document.get("vectors", ()):
                continue
            kind = (
                "nat -> R"
                if name in self._families
                else ("nat" if "integer" in sign and sign != "integer" else "R")
            )
            kind = "nat -> nat -> R" if name in self._matrices else kind
            kinds[kind].append(self.named(name))
            kinds["R"] += [self.alone(name)] * (name in self._alone)
        return " ".join(f"({' '.join(names)} : {kind})" for kind, names in kinds.items() if names)

    def bound(self) -> list[str]:
        """Names of the quantified variables, in their order."""
        return [
            name for names in re.findall(r"\(([^:]*):", self.variables()) for name in names.split()
        ]

    def premises(self) -> tuple[list[str], list[str]]:
        """What is assumed, line by line, and the names that the proof gives to it."""
        lines = ["(1 <= N)%nat"] if self._clients else []
        for name, sign in self._signs.items():
            if name in self._document.get("vectors", ()):
                continue
            each = name in self._families
            term = f"{self.named(name)} k" if each else self.named(name)
            if sign in ("positive integer", "nonnegative integer") and not each:
                if sign == "positive integer":
                    lines.append(f"(1 <= {term})%nat")
                continue
            relation = {
                "positive": "0 < {}",
                "negative": "{} < 0",
                "nonnegative": "0 <= {}",
                "nonpositive": "{} <= 0",
                "positive integer": "1 <= {}",
                "nonnegative integer": "0 <= {}",
            }.get(sign, "")
            if relation and name in self._alone:
                lines.append(relation.format(self.alone(name)))
            relation = relation.format(f"{term} j" if name in self._matrices else term)
            if relation and name in self._matrices:
                each_j = EACH.replace("k", "j")
                lines.append(f"(forall k, {EACH} -> forall j, {each_j} -> {relation})")
            elif relation and name in self._rounds:
                lines.append(f"(forall k : nat, {relation})")
            elif relation:
                lines.append(f"(forall k, {EACH} -> {relation})" if each else relation)
        lines += map(self.premise, self._document["given"])
        lines += self._defined()
        lines = list(dict.fromkeys(lines))
        return lines, [f"H{i}" for i in range(1, len(lines) + 1)]

    def premise(self, hypothesis: Mapping[str, Any]) -> str:
        """One hypothesis; about every client or every round it is if it names one."""
        said = f"0 {'<' if hypothesis['strict'] else '<='} {self(hypothesis['expr'])}"
        if "each" in hypothesis:
            return f"(forall {self.named(hypothesis['each'])} : nat, {said})"
        each = self.names_client(hypothesis["expr"])
        return f"(forall k, {EACH} -> {said})" if each else f"({said})"

    def counts(self) -> Iterator[str]:
        """Facts that every natural number which is a count brings along."""
        counts = ["N"] * self._clients
        counts += [
            self.named(n)
            for n, sign in self._signs.items()
            if sign == "positive integer" and n not in self._families
        ]
        for i, name in enumerate(counts, 1):
            yield (
                f"assert (K{i} : 1 <= INR {name}) by "
                "(change 1 with (INR 1); apply le_INR; assumption)."
            )

    # -- definedness -------------------------------------------------------------------------------

    def _defined(self) -> Iterator[str]:
        """That no denominator vanishes and every root is taken of what is not negative.

        What is about every round is defined by its form.
        """
        rounds = {h["expr"] for h in self._document["given"] if "each" in h}
        for text in (text for text in self._stated if text not in rounds):
            for node, bound in _walk(_parsed(text), False):
                for said, part in self._needs(node):
                    if bound is None:
                        raise NotInCoq(f"a condition on pairs of clients, {said}")
                    each = _free(part) if bound else self.names_client(ast.unparse(part))
                    yield f"(forall k, {EACH} -> {said})" if each else f"({said})"

    def _needs(self, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        match node:
            case ast.BinOp(op=ast.Div(), right=under):
                parts: list[ast.expr] = list(_factors(under))
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                number = self._context.read(ast.unparse(exponent)).number()
                if number is not None and number.denominator != 1 and not self._sign(base):
                    yield f"0 <= {self.node(base)}", base
                parts = list(_factors(base)) if number is not None and number < 0 else []
            case ast.Call(func=ast.Name(id="sqrt"), args=[base]):
                if not self._sign(base):
                    yield f"0 <= {self.node(base)}", base
                return
            case ast.Call(func=ast.Name(id="log"), args=[base]):
                if self._sign(base) < 2:
                    yield f"0 < {self.node(base)}", base
                return
            case _:
                return
        for part in parts:
            if not isinstance(part, ast.Constant) and self._sign(part) < 2:
                yield f"{self.node(part)} <> 0", part

    def _sign(self, node: ast.expr) -> int:
        return self._context.sign(self._context.value(node))

    # -- facts on atoms ----------------------------------------------------------------------------

    def meanings(self, name: str) -> Iterator[tuple[str, str]]:
        """What holds by the definition of an atom, each with a tactic for ``0 <=`` it."""
        node = self._atoms[name]
        match node:
            case ast.Call(func=ast.Name(id="sqrt"), args=[base]):
                inner = ast.unparse(base)
                term = self.node(base)
                why = (
                    f"assert (sqrt ({term}) ^ 2 = {term}) by "
                    "(apply pow2_sqrt; first [assumption | solve [pos]]); lra"
                )
                yield f"{name}**2 - ({inner})", why
                yield f"({inner}) - {name}**2", why
            case ast.Call(func=ast.Name(id="Abs"), args=[part]):
                inner, term = ast.unparse(part), self.node(part)
                yield f"{name} - ({inner})", f"pose proof (Rle_abs ({term})); lra"
                yield (
                    f"{name} + ({inner})",
                    (f"pose proof (Rle_abs (- ({term}))); rewrite Rabs_Ropp in *; lra"),
                )
                why = f"pose proof (pow2_abs ({term})); lra"
                yield f"{name}**2 - ({inner})**2", why
                yield f"({inner})**2 - {name}**2", why
            case ast.Call(func=ast.Name(id="Max" | "Min" as head), args=parts):
                word = {"Max": "Rmax", "Min": "Rmin"}[head]
                texts, terms = [ast.unparse(p) for p in parts], [self.node(p) for p in parts]
                whole, why = f"({terms[0]})", ""
                for term in terms[1:]:
                    why += f"pose proof ({word}_l {whole} ({term})); "
                    why += f"pose proof ({word}_r {whole} ({term})); "
                    whole = f"({word} {whole} ({term}))"
                for text in texts:
                    yield (
                        (f"{name} - ({text})" if head == "Max" else f"({text}) - {name}"),
                        f"{why}lra",
                    )
                if len(parts) == 2:
                    yield (
                        f"-({name} - ({texts[0]}))*({name} - ({texts[1]}))",
                        f"apply {word}_either",
                    )
            case ast.Call(func=ast.Name(id="exp"), args=[part]):
                yield (
                    f"{name} - 1 - ({ast.unparse(part)})",
                    (f"pose proof (exp_ineq1_le ({self.node(part)})); lra"),
                )

    def powers(self, name: str) -> Iterator[tuple[str, str]]:
        """Signs and bounds of a power with a whole exponent."""
        node = self._atoms[name]
        if not isinstance(node, ast.BinOp):
            return
        base, n = self.node(node.left), self._natural(node.right)
        inner, exponent = ast.unparse(node.left), ast.unparse(node.right)
        yield name, "first [apply pow_lt; LEMMA | apply pow_le; LEMMA]"
        yield (
            f"1 - {name}",
            (
                f"assert (({base}) ^ ({n}) <= 1) by (apply pow_at_most_one; "
                "[LEMMA | apply Rminus_le; apply Ropp_le_cancel; rewrite Ropp_0; LEMMA]); lra"
            ),
        )
        yield (
            f"{name} - 1 - ({exponent})*({inner} - 1)",
            (
                f"assert (B := Bernoulli ({base}) ({n})); "
                f"assert (0 <= ({base}) ^ ({n}) - 1 - INR ({n}) * (({base}) - 1)) "
                "by (apply B; LEMMA); "
                "rewrite ?plus_INR, ?mult_INR in *; simpl INR in *; lra"
            ),
        )


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """Factors of a product, bases of whole powers."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            yield from _factors(left)
            yield from _factors(right)
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int())):
            yield from _factors(base)
        case _:
            yield node


def _walk(node: ast.AST, bound: bool) -> Iterator[tuple[Any, bool | None]]:
    """Nodes, each with whether it stands inside a sum over the clients, None inside two."""
    yield node, bound
    inside = isinstance(node, ast.Call) and ast.unparse(node.func) == "Sum"
    for part in ast.iter_child_nodes(node):
        if inside and isinstance(node, ast.Call) and part is node.args[0]:
            if over_clients(node.args[1]) and inner(node.args[0], node.args[1]):
                yield from ((n, None) for n in ast.walk(node.args[0]))
            elif over_clients(node.args[1]):
                yield from _walk(with_k(node.args[0], node.args[1]), True)
        elif not inside:
            yield from _walk(part, bound)


def _free(node: ast.AST) -> bool:
    """Whether an expression names k outside the sums that run over it."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Sum":
        indices = {
            e.id
            for edge in node.args[1:]
            for e in edge.elts[:1]  # type: ignore[attr-defined]
            if isinstance(e, ast.Name)
        }
        return "k" not in indices and any(map(_free, node.args))
    if isinstance(node, ast.Name):
        return node.id == "k"
    return any(map(_free, ast.iter_child_nodes(node)))


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body
