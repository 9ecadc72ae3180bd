"""Write a proof for Coq (8.16 or later): claim and hypotheses over the reals, then each step.

The theorem states what `verify.certify.checker` accepts: every symbol a real number, or a function
of the client, every whole symbol a natural number.  What must be defined is said beside the
hypotheses: no denominator vanishes, no root is taken of a negative number.  The proof takes the
products of the written proof one by one; Coq is left with ``field``, ``ring`` and ``lra``.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from verify.certify.checker import Context
from verify.certify.coq_prelude import PRELUDE
from verify.certify.coq_terms import EACH, NotInCoq, Terms

__all__ = ["NotInCoq", "coq_file"]


def coq_file(proofs: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """A file that Coq accepts if and only if it can follow the proofs.

    Parameters
    ----------
    proofs : mapping
        For each key of a statement its proofs, as the checker reads them.

    Raises
    ------
    NotInCoq
        If a proof uses what has no counterpart here, with its name.
    """
    parts = [PRELUDE]
    for key, several in proofs.items():
        for number, proof in enumerate(several, 1):
            name = "claim_" + re.sub(r"\W", "_", key) + (f"_{number}" if len(several) > 1 else "")
            note = ""
            if proof.get("vectors"):
                note = (f"(* The vectors {', '.join(proof['vectors'])} stand for one coordinate "
                        "each: this is the claim\n   on the line; that it holds for inner products "
                        "in every dimension is the checker's step. *)\n")
            theorem = Script(proof).theorem(name)
            parts.append(f"(* {key} *)\n{note}{theorem}Print Assumptions {name}.\n")
    return "\n".join(parts)


class Script:
    """The theorem of one proof and the commands that prove it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        if "induction" in document["proof"]:
            raise NotInCoq("an induction")
        self._document = document
        self._context = Context(document)
        self._terms = Terms(document, self._context)
        self._numbers = count(1)
        self._rewrites: list[str] = []
        self._names: dict[str, str] = {}

    def theorem(self, name: str) -> str:
        """Statement, then proof."""
        claim, terms = self._document["claim"], self._terms
        lines, names = terms.premises()
        goal, each = self._goal(claim)
        proof = self._document["proof"]
        intros = [*terms.bound(), *names]
        body = [f"intros {' '.join(intros)}."] if intros else []
        body += [*terms.counts(), *self._readings(), *self._lemmas(proof)]
        body += ["intros k Hk. each."] if each else []
        body += self._proof(proof, claim)
        variables = terms.variables()
        statement = [f"Theorem {name} :", *([f"  forall {variables},"] * bool(variables)),
                     *(f"  {line} ->" for line in lines), f"  {goal}.", "Proof."]
        return "\n".join([*statement, *(f"  {line}" for line in body), "Qed.", ""])

    def _goal(self, claim: Mapping[str, Any]) -> tuple[str, bool]:
        """A claim as a proposition, and whether it is about every client."""
        terms = self._terms
        goal = f"{terms(claim['left'])} {_sign(claim['relation'])} {terms(claim['right'])}"
        each = terms.names_client(claim["left"]) or terms.names_client(claim["right"])
        return (f"forall k, {EACH} -> {goal}" if each else goal), each

    # -- sums as they are read ---------------------------------------------------------------------

    def _readings(self) -> Iterator[str]:
        """Each sum of the claim or a hypothesis as a combination of sums that are atoms."""
        claim = self._document["claim"]
        texts = [claim["left"], claim["right"], *(h["expr"] for h in self._document["given"])]
        done: set[str] = set()
        for text in texts:
            for node in _sums(ast.parse(text, mode="eval").body):
                if len(node.args) > 2:
                    raise NotInCoq("a sum over several indices")
                raw, parts = self._terms.node(node), self._terms.split(*node.args)
                if raw in done or not parts:
                    continue
                done.add(raw)
                total, joined, steps = self._combination(
                    [(self._terms(c), self._terms(s)) for c, s in parts]
                )
                if [c for c, _ in parts] == ["1"] and raw in total:
                    continue
                name = f"R{next(self._numbers)}"
                yield f"assert ({name} : {raw} = {total})."
                yield (f"{{ transitivity (Sum ({joined}) N); [apply Sum_ext; intros k' Hk'; each; "
                       f"{self._equal()} | {steps}]. }}")
                self._rewrites.append(name)

    def _combination(self, parts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
        """``c1 * Sum s1 + ...``, its one summand, and the tactic that shows them equal."""
        totals, steps, joined = [], [], ""
        for c, s in parts:
            one = f"({c}) * ({s})"
            totals.append(f"({c}) * INR N" if s == "1" else f"({c}) * Sum (fun k => {s}) N")
            steps.append(f"rewrite <- (Sum_count ({c}) N)" if s == "1" else
                         f"rewrite <- (Sum_scale ({c}) (fun k => {s}) N)")
            if joined:
                steps.append(f"rewrite <- (Sum_plus (fun k => {joined}) (fun k => {one}) N)")
            joined = f"{joined} + {one}" if joined else one
        return " + ".join(totals), f"fun k => {joined}", \
            "; ".join([*(f"{step}; cbv beta" for step in steps), "reflexivity"])

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
                yield f"{self._rewritten()}apply Rle_antisym; lra."
            else:
                yield f"{self._rewritten()}equal."
            return
        split = "Rle_or_lt" if proof["relation"] == "<=" else "Rlt_or_le"
        yield f"destruct ({split} ({left}) ({right})) as [C | C]; [exact C | exfalso]."
        for fact in proof["facts"]:
            yield from self._fact(f"F{next(self._numbers)}", fact, proof, f"({left}) - ({right})")
        products = []
        for q, factors in proof["products"]:
            made = [f"({terms(proof['facts'][i]['polynomial'])})" for i in factors]
            products.append(" * ".join([f"({q})", *made]))
            strict = all(proof["facts"][i]["strict"] for i in factors)
            name = f"P{next(self._numbers)}"
            yield f"assert ({name} : 0 {'<' if strict else '<='} {products[-1]}) by signs."
        yield f"assert (Z{next(self._numbers)} : {' + '.join(products)} = 0) by equal."
        yield "lra."

    # -- facts -------------------------------------------------------------------------------------

    def _fact(
        self, name: str, fact: Mapping[str, Any], proof: Mapping[str, Any], gap: str
    ) -> Iterator[str]:
        """Commands that show one fact."""
        polynomial, strict = self._terms(fact["polynomial"]), fact["strict"]
        sign, start = ("<", "is_positive") if strict else ("<=", "is_nonnegative")
        yield f"assert ({name} : 0 {sign} {polynomial})."
        if fact["rule"] == "declared":
            yield "{ first [solve [pos] | lra]. }"
            return
        if fact["rule"] == "squares":
            total = " + ".join(f"({q}) * ({self._terms(root)}) ^ 2" for q, root in fact["about"])
            yield f"{{ apply ({start} _ ({total})); [equal | solve [pos]]. }}"
            return
        value, finish = self._value(fact, proof, gap)
        times = self._times(fact, proof)
        product = " * ".join([f"({value})", *times])
        rule = {"<": "Rmult_lt_0_compat", "<=": "Rmult_le_pos"}[sign]
        side = "solve [pos | apply Rlt_le; pos | each; pos | lra]"
        for _ in times:
            finish = f"apply {rule}; [{finish} | {side}]"
        if len(times) > 1:  # what `field` divides by may be the product of two of them
            positive = side
            for _ in times[1:]:
                positive = f"apply Rmult_lt_0_compat; [{positive} | {side}]"
            yield (f"{{ assert (V : {' * '.join(times)} <> 0) by "
                   f"(apply Rgt_not_eq; unfold Rgt; {positive}).")
            yield f"apply ({start} _ ({product})); [{self._equal()} | {finish}]. }}"
            return
        yield f"{{ apply ({start} _ ({product})); [{self._equal()} | {finish}]. }}"

    def _times(self, fact: Mapping[str, Any], proof: Mapping[str, Any]) -> list[str]:
        """The factors by which a fact was multiplied, each with the sign that makes it positive."""
        lemmas = [proof["lemmas"][i] for i in fact["lemmas"]]
        found = []
        for text, exponent in fact["times"]:
            term, value = self._terms(text), self._context.read(text)
            negative = self._context.shown(lemmas, self._context.read(f"-({text})"), True)
            if negative and exponent % 2 and not self._context.shown(lemmas, value, True):
                term = f"- ({term})"
            found.append(f"({term})" + (f" ^ {exponent}" if exponent != 1 else ""))
        return found

    def _value(
        self, fact: Mapping[str, Any], proof: Mapping[str, Any], gap: str
    ) -> tuple[str, str]:
        """The value that the polynomial is a multiple of, and the tactic that shows its sign."""
        rule, about, terms = fact["rule"], fact["about"], self._terms
        bare = [proof["lemmas"][i] for i in fact["lemmas"]]
        lemmas = [(x, self._names[json.dumps(x, sort_keys=True)]) for x in bare]
        if rule == "claim is false":
            return gap, "lra"
        if rule == "hypothesis":
            return terms(self._document["given"][about]["expr"]), (
                "first [assumption | apply Rlt_le; assumption | each; lra]")
        if rule == "sum":
            parts = [(terms(c), "1" if name == "N" else terms.summand_of(name))
                     for c, name in about]
            total, joined, steps = self._combination(parts)
            start, apply = ("is_positive", "Sum_pos; [lia |") if fact["strict"] else (
                "is_nonnegative", "Sum_nonneg; [")
            return total, (
                f"apply ({start} _ (Sum ({joined}) N)); [symmetry; {steps} | apply {apply} "
                f"intros k' Hk'; each; {self._by_lemma(lemmas)}]]")
        if rule == "term":
            summand = terms.summand_of(about)
            total = f"Sum (fun k => {summand}) N"
            apply = f"apply (Sum_term (fun k => {summand}) N k Hk); intros k' Hk'; each; "
            return f"{total} - ({summand})", \
                   f"assert (({summand}) <= {total}) by ({apply}{self._by_lemma(lemmas)}); lra"
        if rule == "Cauchy-Schwarz":
            a, b, c = ("1" if name == "N" else terms.summand_of(name) for name in about)
            written = "({0}) * ({1}) - ({2}) * ({2})"
            sums = written.format(*(f"Sum (fun k => {x}) N" for x in (a, b, c)))
            value = written.format(
                *("INR N" if x == "1" else f"Sum (fun k => {x}) N" for x in (a, b, c))
            )
            each = f"intros k' Hk'; each; {self._by_lemma(lemmas)}"
            equal = f"intros k' Hk'; each; {self._equal()}"
            functions = " ".join(f"(fun k => {x})" for x in (a, b, c))
            return value, (
                f"apply (is_nonnegative _ ({sums})); [rewrite ?(Sum_ones N); reflexivity | "
                f"apply (Cauchy_Schwarz {functions} N); [{each} | {each} | {equal}]]"
            )
        choices = list(terms.meanings(about) if rule == "definition" else terms.powers(about))
        for allowed, _ in self._context.meaning(about, bare):
            if not self._context.cleared(allowed, fact, bare):
                for text, why in choices:
                    if self._context.read(text) == allowed:
                        return terms(text), why.replace("LEMMA", self._by_lemma(lemmas))
        raise NotInCoq(f"the fact {fact['polynomial']} by the rule {rule}")

    def _by_lemma(self, lemmas: Sequence[tuple[Any, str]]) -> str:
        """A tactic that closes a goal which is a lemma's difference of sides, or plain."""
        tried = []
        for lemma, name in lemmas:
            left, right = self._terms(lemma["left"]), self._terms(lemma["right"])
            about = any(self._terms.names_client(lemma[side]) for side in ("left", "right"))
            if about:
                left, right = (re.sub(r"\bk\b", "k'", side) for side in (left, right))
            use = f"({name} k' Hk')" if about else name
            rule = "is_nonnegative" if lemma["relation"] == "<=" else "is_positive"
            less = "" if lemma["relation"] == "<=" else "try apply Rlt_le; "
            tried.append(f"(pose proof {use}; {less}apply ({rule} _ (({right}) - ({left}))); "
                         f"[{self._equal()} | lra])")
        return f"first [{' | '.join([*tried, 'lra', 'solve [pos]'])}]"

    def _equal(self) -> str:
        """A tactic for an identity of rational functions."""
        return f"({self._rewritten()}equal)"

    def _rewritten(self) -> str:
        """Put the readings of sums in their places."""
        return "".join(f"rewrite ?{name}; " for name in self._rewrites)


def _sign(relation: str) -> str:
    return "=" if relation == "==" else relation


def _sums(node: ast.AST) -> Iterator[ast.Call]:
    """Sums inside an expression, the inner ones first."""
    for part in ast.iter_child_nodes(node):
        yield from _sums(part)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Sum":
        yield node
