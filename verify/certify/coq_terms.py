"""Expressions of written proofs in the words of Coq."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verify.certify.checker import Context

EACH = "(1 <= k <= N)%nat"

TAKEN = frozenset(re.findall(
    r"\w+", "N R S O I k D in at as let fun forall exists match end return Type Prop Set with if "
    "then else fix where by using Sum sqrt ln exp sin cos tan PI INR IZR Rmax Rmin Rabs pos nz "
    "each signs plus minus mult le lt gt ge eq not and or pow nat true false Some None nil cons "
    "fst snd Theorem Lemma Proof Qed equal"
))
FUNCTIONS = {"exp": "exp", "log": "ln", "Abs": "Rabs", "sqrt": "sqrt"}

__all__ = ["EACH", "NotInCoq", "Terms"]


class NotInCoq(ValueError):
    """The proof uses what is not written for Coq; the message names it."""


class Terms:
    """Terms of Coq for the expressions of one written proof.

    Parameters
    ----------
    document : mapping
        The written proof.
    context : Context
        Its symbols and atoms, as the checker reads them.
    """

    def __init__(self, document: Mapping[str, Any], context: Context) -> None:
        self._document, self._context = document, context
        self._atoms = {name: _parsed(meaning) for name, meaning in document["atoms"]}
        self._functions: dict[str, int] = {}
        self._signs = dict(document["symbols"])
        claim = document["claim"]
        self._stated = [claim["left"], claim["right"], *(h["expr"] for h in document["given"])]
        self._families = {
            n.value.id for text in self._stated for n in ast.walk(_parsed(text))
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)
        }
        self._clients = bool(self._families) or any(
            isinstance(n, ast.Name) and n.id in ("k", "N")
            for text in self._stated for n in ast.walk(_parsed(text))
        )
        for text in self._stated:
            self(text)  # meets the functions that have no name of their own

    def __call__(self, text: str) -> str:
        """An expression as a term of type R."""
        return self.node(_parsed(text))

    def summand(self, text: str) -> str:
        """A summand; the client is called k."""
        return self(text)

    def summand_of(self, name: str) -> str:
        """What the sum that an atom names is taken of."""
        node = self._atoms[name]
        if not isinstance(node, ast.Call):
            raise NotInCoq(name)
        body, edge = node.args
        return self.node(_with_k(body, edge))

    def names_client(self, text: str) -> bool:
        """Whether an expression is about one client."""
        return "k" in self._context.names(self._context.read(text))

    def split(self, body: ast.expr, edge: Any) -> Sequence[tuple[str, str]]:
        """Coefficients and summands of a sum over the clients, as the proof has them."""
        body = _with_k(body, edge)
        return self._context.split(body, "k", *map(self._context.value, edge.elts[1:]))

    def variables(self) -> str:
        """The quantified variables with their types."""
        kinds: dict[str, list[str]] = {"nat": ["N"] * self._clients, "R": [], "nat -> R": [],
                                       "R -> R": list(self._functions)}
        for name, sign in self._signs.items():
            kind = "nat -> R" if name in self._families else (
                "nat" if "integer" in sign and sign != "integer" else "R")
            kinds[kind].append(_named(name))
        return " ".join(f"({' '.join(names)} : {kind})" for kind, names in kinds.items() if names)

    def bound(self) -> list[str]:
        """Names of the quantified variables, in their order."""
        return [name for names in re.findall(r"\(([^:]*):", self.variables())
                for name in names.split()]

    def premises(self) -> tuple[list[str], list[str]]:
        """What is assumed, line by line, and the names that the proof gives to it."""
        lines = ["(1 <= N)%nat"] if self._clients else []
        for name, sign in self._signs.items():
            each = name in self._families
            term = f"{_named(name)} k" if each else _named(name)
            if sign in ("positive integer", "nonnegative integer") and not each:
                if sign == "positive integer":
                    lines.append(f"(1 <= {term})%nat")
                continue
            relation = {"positive": f"0 < {term}", "negative": f"{term} < 0",
                        "nonnegative": f"0 <= {term}", "nonpositive": f"{term} <= 0",
                        "positive integer": f"1 <= {term}"}.get(sign)
            if sign in ("nonnegative integer", "positive integer") and each:
                relation = f"{0 if sign.startswith('non') else 1} <= {term}"
            if relation:
                lines.append(f"(forall k, {EACH} -> {relation})" if each else relation)
        for item in self._document["given"]:
            said = f"0 {'<' if item['strict'] else '<='} {self(item['expr'])}"
            each = self.names_client(item["expr"])
            lines.append(f"(forall k, {EACH} -> {said})" if each else f"({said})")
        lines += self._defined()
        lines = list(dict.fromkeys(lines))
        return lines, [f"H{i}" for i in range(1, len(lines) + 1)]

    def counts(self) -> Iterator[str]:
        """Facts that every natural number which is a count brings along."""
        counts = ["N"] * self._clients
        counts += [_named(n) for n, sign in self._signs.items()
                   if sign == "positive integer" and n not in self._families]
        for i, name in enumerate(counts, 1):
            yield (f"assert (K{i} : 1 <= INR {name}) by "
                   "(change 1 with (INR 1); apply le_INR; assumption).")

    # -- printing ----------------------------------------------------------------------------------

    def node(self, node: ast.expr) -> str:
        """One node as a term of type R."""
        match node:
            case ast.Constant(value=int(value)):
                return str(value)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return f"(- {self._tight(inner)})"
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                sign = "+" if isinstance(op, ast.Add) else "-"
                other = self._factor(right) if sign == "-" else self.node(right)
                return f"{self.node(left)} {sign} {other}"
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
                sign = "*" if isinstance(op, ast.Mult) else "/"
                return f"{self._factor(left)} {sign} {self._tight(right)}"
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                return self._power(base, exponent)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                text = ast.unparse(node)
                if text in self._atoms:
                    return f"({self.node(self._atoms[text])})"
                if not isinstance(index, ast.Name):
                    raise NotInCoq(f"the entry {text}")
                return f"{_named(name)} {index.id}"
            case ast.Call(func=ast.Name(id="Sum"), args=[body, edge]):
                return f"Sum (fun k => {self.node(_with_k(body, edge))}) N"
            case ast.Call(func=ast.Name(id="Max" | "Min" as name), args=[one, *rest]) if rest:
                word = {"Max": "Rmax", "Min": "Rmin"}[name]
                most = self._tight(one)
                for part in rest:
                    most = f"({word} {most} {self._tight(part)})"
                return most[1:-1]
            case ast.Call(func=ast.Name(id=name), args=[inner]):
                if name not in FUNCTIONS and not re.fullmatch(r"[A-Z]\w?", name):
                    raise NotInCoq(f"the function {name}")
                if name not in FUNCTIONS:
                    self._functions[_named(name)] = 1
                return f"{FUNCTIONS.get(name, _named(name))} {self._tight(inner)}"
        raise NotInCoq(ast.unparse(node))

    def _name(self, name: str) -> str:
        if name in self._atoms:
            return f"({self.node(self._atoms[name])})"
        if name in ("N", "k") or self._signs.get(name, "").endswith("e integer"):
            return f"INR {name if name in ('N', 'k') else _named(name)}"
        return _named(name)

    def _factor(self, node: ast.expr) -> str:
        text = self.node(node)
        loose = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        return f"({text})" if loose else text

    def _tight(self, node: ast.expr) -> str:
        text = self.node(node)
        return text if re.fullmatch(r"[\w']+|\([^()]*\)", text) else f"({text})"

    def _power(self, base: ast.expr, exponent: ast.expr) -> str:
        number = self._context.read(ast.unparse(exponent)).number()
        if number is not None and number.denominator == 1:
            text = f"{self._tight(base)} ^ {abs(number)}"
            return text if number >= 0 else f"/ ({text})"
        if number is not None and number.denominator == 2:
            root = f"sqrt {self._tight(base)}"
            text = root if abs(number) * 2 == 1 else f"({root}) ^ {abs(number) * 2}"
            return text if number > 0 else f"/ ({text})"
        if number is not None:
            raise NotInCoq(f"the root {ast.unparse(base)} ** {number}")
        return f"{self._tight(base)} ^ ({self._natural(exponent)})"

    def _natural(self, node: ast.expr) -> str:
        """An exponent as a natural number."""
        match node:
            case ast.Constant(value=int(value)) if value >= 0:
                return str(value)
            case ast.Name(id=name) if self._signs.get(name, "").endswith("e integer"):
                return _named(name)
            case ast.Name(id="N"):
                return "N"
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult() as op, right=right):
                sign = "+" if isinstance(op, ast.Add) else "*"
                return f"({self._natural(left)} {sign} {self._natural(right)})"
        raise NotInCoq(f"the exponent {ast.unparse(node)}")

    # -- definedness -------------------------------------------------------------------------------

    def _defined(self) -> Iterator[str]:
        """That no denominator vanishes and every root is taken of what is not negative."""
        for text in self._stated:
            for node, bound in _walk(_parsed(text), False):
                for said, part in self._needs(node):
                    each = bound or self.names_client(ast.unparse(part))
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
                why = f"assert (sqrt ({term}) ^ 2 = {term}) by " \
                      "(apply pow2_sqrt; first [assumption | solve [pos]]); lra"
                yield f"{name}**2 - ({inner})", why
                yield f"({inner}) - {name}**2", why
            case ast.Call(func=ast.Name(id="Abs"), args=[part]):
                inner, term = ast.unparse(part), self.node(part)
                yield f"{name} - ({inner})", f"pose proof (Rle_abs ({term})); lra"
                yield f"{name} + ({inner})", (
                    f"pose proof (Rle_abs (- ({term}))); rewrite Rabs_Ropp in *; lra")
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
                    yield (f"{name} - ({text})" if head == "Max" else f"({text}) - {name}"), \
                        f"{why}lra"
                if len(parts) == 2:
                    yield f"-({name} - ({texts[0]}))*({name} - ({texts[1]}))", \
                        f"apply {word}_either"
            case ast.Call(func=ast.Name(id="exp"), args=[part]):
                yield f"{name} - 1 - ({ast.unparse(part)})", (
                    f"pose proof (exp_ineq1_le ({self.node(part)})); lra")

    def powers(self, name: str) -> Iterator[tuple[str, str]]:
        """Signs and bounds of a power with a whole exponent."""
        node = self._atoms[name]
        if not isinstance(node, ast.BinOp):
            return
        base, n = self.node(node.left), self._natural(node.right)
        inner, exponent = ast.unparse(node.left), ast.unparse(node.right)
        yield name, "first [apply pow_lt; LEMMA | apply pow_le; LEMMA]"
        yield f"1 - {name}", (
            f"assert (({base}) ^ ({n}) <= 1) by (apply pow_at_most_one; "
            "[LEMMA | apply Rminus_le; apply Ropp_le_cancel; rewrite Ropp_0; LEMMA]); lra")
        yield f"{name} - 1 - ({exponent})*({inner} - 1)", (
            f"assert (B := Bernoulli ({base}) ({n})); "
            f"assert (0 <= ({base}) ^ ({n}) - 1 - INR ({n}) * (({base}) - 1)) by (apply B; LEMMA); "
            "rewrite ?plus_INR, ?mult_INR in *; simpl INR in *; lra")


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


def _walk(node: ast.AST, bound: bool) -> Iterator[tuple[Any, bool]]:
    """Nodes, each with whether it stands inside a sum and names its index."""
    yield node, bound and any(isinstance(n, ast.Name) and n.id == "k" for n in ast.walk(node))
    inside = isinstance(node, ast.Call) and ast.unparse(node.func) == "Sum"
    for part in ast.iter_child_nodes(node):
        if inside and isinstance(node, ast.Call) and part is node.args[0]:
            yield from _walk(_with_k(node.args[0], node.args[1]), True)
        elif not inside:
            yield from _walk(part, bound)


def _with_k(body: ast.expr, edge: Any) -> Any:
    """The summand of a sum over the clients, its index called k."""
    index = edge.elts[0].id
    if [ast.unparse(e) for e in edge.elts[1:]] != ["1", "N"]:
        raise NotInCoq(f"a sum over {ast.unparse(edge)}")
    if index == "k":
        return body
    if any(isinstance(n, ast.Name) and n.id == "k" for n in ast.walk(body)):
        raise NotInCoq("a sum inside a sum that names both indices")
    return _parsed(re.sub(rf"\b{index}\b", "k", ast.unparse(body)))


def _named(name: str) -> str:
    """A name that Coq has not taken."""
    return f"{name}_" if name in TAKEN or re.fullmatch(r"[HLFPRZC]\d+|C|K|T", name) else name


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body
