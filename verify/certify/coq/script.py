"""One written proof as a theorem of Coq: its statement, then each step."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from verify.certify.coq.facts import Facts
from verify.certify.coq.terms import EACH, NotInCoq, inner
from verify.certify.coq.vectors import Expansion, VectorTerms

__all__ = ["Script"]


class Script(Facts):
    """The theorem of one proof and the commands that prove it."""

    def theorem(self, name: str) -> str:
        """Statement, then proof."""
        terms = self._terms
        if isinstance(terms, VectorTerms):  # twice: what it writes tells which products it reads
            list(self._body([]))
            self._numbers, self._rewrites, self._names = count(1), [], {}
        lines, names = terms.premises()
        goal, _ = self._goal(self._document["claim"])
        body, variables = list(self._body(names)), terms.variables()
        statement = [
            f"Theorem {name} :",
            *([f"  forall {variables},"] * bool(variables)),
            *(f"  {line} ->" for line in lines),
            f"  {goal}.",
            "Proof.",
        ]
        return "\n".join([*statement, *(f"  {line}" for line in body), "Qed.", ""])

    def statement(self) -> tuple[list[str], list[str], str]:
        """Names of the variables, premises and goal."""
        return (
            self._terms.bound(),
            self._terms.premises()[0],
            self._goal(self._document["claim"])[0],
        )

    def _body(self, names: Sequence[str]) -> Iterator[str]:
        """The commands of the proof; ``names`` are those of the premises."""
        claim, proof, terms = self._document["claim"], self._document["proof"], self._terms
        intros = [*terms.bound(), *names]
        yield from [f"intros {' '.join(intros)}."] * bool(intros)
        yield from terms.counts()
        yield from self._readings((0, 1))
        if isinstance(terms, VectorTerms):
            for reading in list(terms.readings.values()):
                yield from self._inner_product(reading)
        yield from self._readings((2,))
        yield from self._divisors(names)
        yield from self._lemmas(proof)
        yield from ["intros k Hk. each."] * self._goal(claim)[1]
        yield from self._proof(proof, claim)

    def _goal(self, claim: Mapping[str, Any]) -> tuple[str, bool]:
        """A claim as a proposition, and whether it is about every client."""
        terms = self._terms
        goal = f"{terms(claim['left'])} {_sign(claim['relation'])} {terms(claim['right'])}"
        each = terms.names_client(claim["left"]) or terms.names_client(claim["right"])
        return (f"forall k, {EACH} -> {goal}" if each else goal), each

    # -- sums as they are read ---------------------------------------------------------------------

    def _readings(self, degrees: Sequence[int]) -> Iterator[str]:
        """Each sum of the claim or a hypothesis as a combination of sums that are atoms."""
        claim, terms = self._document["claim"], self._terms
        texts = [claim["left"], claim["right"], *(h["expr"] for h in self._document["given"])]
        done: set[str] = set()
        for text in texts:
            for node in _sums(ast.parse(text, mode="eval").body):
                if len(node.args) > 2:
                    raise NotInCoq("a sum over several indices")
                degree = terms.degree(node)
                raw, parts = terms.node(node), terms.split(*node.args)
                as_it_stands = inner(*node.args) and [c for c, _ in parts] == ["1"]
                if raw in done or not parts or degree not in degrees or as_it_stands:
                    continue
                done.add(raw)
                total, joined, steps = self.combination([(terms(c), terms(s)) for c, s in parts])
                if [c for c, _ in parts] == ["1"] and _bare(raw) in _bare(total):
                    continue  # to rewrite it by itself would not end
                if terms.names_client(ast.unparse(node)):
                    raise NotInCoq("a sum over pairs of clients that is not read as it stands")
                name = f"R{next(self._numbers)}"
                yield f"assert ({name} : {'forall i, ' * (degree == 1)}{raw} = {total})."
                yield (
                    f"{{ {'intros i; ' * (degree == 1)}transitivity (Sum ({joined}) N); "
                    f"[apply Sum_ext; intros k' Hk'; each; {self._equal()} | {steps}]. }}"
                )
                self._rewrites.append(name)

    def _divisors(self, names: Sequence[str]) -> Iterator[str]:
        """What is divided by, as its sums are read: none of its factors vanishes."""
        for name, line in zip(names, self._terms.premises()[0], strict=False):
            if line.endswith("<> 0)") and "Sum " in line and self._rewrites:
                known = f"D{next(self._numbers)}"
                reads = "; ".join(f"rewrite ?{reading} in {known}" for reading in self._rewrites)
                yield f"assert ({known} := {name}); {reads}."

    def _inner_product(self, reading: Expansion) -> Iterator[str]:
        """An inner product of sums of vectors, as one of their coordinates and then as written."""
        parts = [(c, f"{_at(one)} * {_at(other)}") for c, one, other in reading.parts]
        _, joined, steps = self.combination(parts, "i", "d")
        total = " + ".join(f"({c}) * dot d {one} {other}" for c, one, other in reading.parts)
        name = f"R{next(self._numbers)}"
        yield f"assert ({name} : {'forall k, ' * reading.client}{reading.text} = {total or '0'})."
        yield (
            f"{{ {'intros k; ' * reading.client}unfold dot; cbv beta; "
            f"transitivity (Sum ({joined or 'fun i => 0 * 1'}) d); "
            f"[apply Sum_ext; intros i' Hi'; cbv beta; {self._equal()} | "
            f"{steps if parts else 'rewrite Sum_count; ring'}]. }}"
        )
        self._rewrites.append(name)

    # -- proofs ------------------------------------------------------------------------------------

    def _lemmas(self, proof: Mapping[str, Any]) -> Iterator[str]:
        """Lemmas of a proof, those that they rest on first."""
        for lemma in proof["lemmas"]:
            yield from self._lemmas(lemma)
            goal, each = self._goal(lemma)
            key = json.dumps(lemma, sort_keys=True)
            if key in self._names:
                continue
            body = [*(["intros k Hk. each."] if each else []), *self._proof(lemma, lemma)]
            self._names[key] = f"L{next(self._numbers)}"
            yield f"assert ({self._names[key]} : {goal})."
            yield "{ " + "\n    ".join(body) + " }"

    def _proof(self, proof: Mapping[str, Any], claim: Mapping[str, Any]) -> Iterator[str]:
        """Commands that prove one claim from lemmas that are there already."""
        terms = self._terms
        left, right = terms(claim["left"]), terms(claim["right"])
        if proof["relation"] == "==":
            if proof["lemmas"]:
                both = []
                for lemma in proof["lemmas"]:
                    name = self._names[json.dumps(lemma, sort_keys=True)]
                    use = f"({name} k Hk)" if self._goal(lemma)[1] else name
                    both.append(f"apply (same_le _ _ _ _ {use}); {self._equal()}")
                yield f"apply Rle_antisym; [{' | '.join(both)}]."
            else:
                yield f"{self._rewritten()}equal."
            return
        split = "Rle_or_lt" if proof["relation"] == "<=" else "Rlt_or_le"
        yield f"destruct ({split} ({left}) ({right})) as [C | C]; [exact C | exfalso]."
        for fact in proof["facts"]:
            yield from self._fact(f"F{next(self._numbers)}", fact, proof, f"({left}) - ({right})")
        products = []
        for q, factors in proof["products"]:
            made = [f"({terms.polynomial(proof['facts'][i]['polynomial'])})" for i in factors]
            products.append(" * ".join([f"({q})", *made]))
            strict = all(proof["facts"][i]["strict"] for i in factors)
            name = f"P{next(self._numbers)}"
            yield f"assert ({name} : 0 {'<' if strict else '<='} {products[-1]}) by signs."
        yield f"assert (Z{next(self._numbers)} : {' + '.join(products)} = 0) by equal."
        yield "lra."


def _at(vector: str) -> str:
    """Its coordinate i."""
    return (
        vector.removeprefix("(fun i => ")[:-1].join("()")
        if vector.startswith("(fun")
        else (f"{vector} i")
    )


def _bare(text: str) -> str:
    """Without parentheses, which an atom has more of."""
    return re.sub(r"[() ]", "", text)


def _sign(relation: str) -> str:
    return "=" if relation == "==" else relation


def _sums(node: ast.AST) -> Iterator[ast.Call]:
    """Sums inside an expression, the inner ones first."""
    for part in ast.iter_child_nodes(node):
        yield from _sums(part)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Sum":
        yield node
