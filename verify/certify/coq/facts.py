"""The facts of a written proof as commands of Coq: each rule with the tactic that shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from verify.certify.checker import Context
from verify.certify.coq.statement import CoqStatement
from verify.certify.coq.terms import NotInCoq
from verify.certify.coq.vectors import VectorTerms

__all__ = ["Facts"]


class Facts:
    """Commands that show the facts of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._context = Context(document)
        of_vectors = bool(document.get("vectors"))
        self._terms = (VectorTerms if of_vectors else CoqStatement)(document, self._context)
        self._numbers = count(1)
        self._rewrites: list[str] = []
        self._names: dict[str, str] = {}

    def combination(
        self, parts: Sequence[tuple[str, str]], index: str = "k", count: str = "N"
    ) -> tuple[str, str, str]:
        """``c1 * Sum s1 + ...``, its one summand, and the tactic that shows them equal."""
        totals, steps, joined = [], [], ""
        for c, s in parts:
            one, summand = f"({c}) * ({s})", f"(fun {index} => {s})"
            totals.append(f"({c}) * INR {count}" if s == "1" else f"({c}) * Sum {summand} {count}")
            steps.append(
                f"rewrite <- (Sum_count ({c}) {count})"
                if s == "1"
                else f"rewrite <- (Sum_scale ({c}) {summand} {count})"
            )
            if joined:
                steps.append(
                    f"rewrite <- (Sum_plus (fun {index} => {joined}) "
                    f"(fun {index} => {one}) {count})"
                )
            joined = f"{joined} + {one}" if joined else one
        return (
            " + ".join(totals),
            f"fun {index} => {joined}" if joined else "",
            "; ".join([*(f"{step}; cbv beta" for step in steps), "reflexivity"]),
        )

    # -- facts -------------------------------------------------------------------------------------

    def _fact(
        self, name: str, fact: Mapping[str, Any], proof: Mapping[str, Any], gap: str
    ) -> Iterator[str]:
        """Commands that show one fact."""
        polynomial, strict = self._terms.polynomial(fact["polynomial"]), fact["strict"]
        sign, start = ("<", "is_positive") if strict else ("<=", "is_nonnegative")
        yield f"assert ({name} : 0 {sign} {polynomial})."
        if fact["rule"] == "declared":
            yield "{ first [solve [pos] | lra]. }"
            return
        if fact["rule"] == "squares":
            total = " + ".join(f"({q}) * {self._terms.square(root)}" for q, root in fact["about"])
            yield f"{{ apply ({start} _ ({total})); [{self._equal()} | solve [pos]]. }}"
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
            yield (
                f"{{ assert (V : {' * '.join(times)} <> 0) by "
                f"(apply Rgt_not_eq; unfold Rgt; {positive})."
            )
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
                "first [assumption | apply Rlt_le; assumption | each; lra]"
            )
        if rule == "sum":
            parts = [
                (terms(c), "1" if name == "N" else terms.summand_of(name)) for c, name in about
            ]
            total, joined, steps = self.combination(parts)
            start, apply = (
                ("is_positive", "Sum_pos; [lia |")
                if fact["strict"]
                else ("is_nonnegative", "Sum_nonneg; [")
            )
            return total, (
                f"apply ({start} _ (Sum ({joined}) N)); [symmetry; {steps} | apply {apply} "
                f"intros k' Hk'; each; {self._by_lemma(lemmas)}]]"
            )
        if rule == "term":
            summand = terms.summand_of(about)
            total = f"Sum (fun k => {summand}) N"
            apply = f"apply (Sum_term (fun k => {summand}) N k Hk); intros k' Hk'; each; "
            return (
                f"{total} - ({summand})",
                f"assert (({summand}) <= {total}) by ({apply}{self._by_lemma(lemmas)}); lra",
            )
        if rule == "Cauchy-Schwarz" and isinstance(terms, VectorTerms):
            return self._of_vectors(terms, about, lemmas)
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

    def _of_vectors(
        self, terms: VectorTerms, about: Sequence[str], lemmas: Sequence[tuple[Any, str]]
    ) -> tuple[str, str]:
        """The Cauchy-Schwarz inequality with a sum of vectors on the smaller side."""
        a, b, c = ("1" if name == "N" else terms.summand_of(name) for name in about)
        sums = ["INR N" if x == "1" else f"Sum (fun k => {x}) N" for x in (a, b)]
        if terms.degree_of(about[2]) != 1:
            raise NotInCoq("the Cauchy-Schwarz inequality of these sums")
        whole = f"(fun i => Sum (fun k => {c}) N)"
        value = f"({sums[0]}) * ({sums[1]}) - dot d {whole} {whole}"
        exact = value.replace("(INR N)", "(Sum (fun k => 1) N)")
        each = f"intros k' Hk'; each; {self._by_lemma(lemmas)}"
        square = terms.square_of(about[2])
        equal = (
            f"intros k' Hk'; each; cbv beta; change ({_primed(a)} * ({_primed(b)}) = "
            f"{_primed(square)}); {self._equal()}"
        )
        return value, (
            f"apply (is_nonnegative _ ({exact})); [rewrite ?(Sum_ones N); reflexivity | "
            f"apply (Cauchy_Schwarz_dot d N (fun k => {a}) (fun k => {b}) (fun k i => {c})); "
            f"[{each} | {each} | {equal}]]"
        )

    def _by_lemma(self, lemmas: Sequence[tuple[Any, str]]) -> str:
        """A tactic that closes a goal which is a lemma's difference of sides, or plain."""
        tried = []
        for lemma, name in lemmas:
            left, right = self._terms(lemma["left"]), self._terms(lemma["right"])
            about = any(self._terms.names_client(lemma[side]) for side in ("left", "right"))
            if about:
                left, right = _primed(left), _primed(right)
            use = f"({name} k' Hk')" if about else name
            rule = "is_nonnegative" if lemma["relation"] == "<=" else "is_positive"
            less = "" if lemma["relation"] == "<=" else "try apply Rlt_le; "
            tried.append(
                f"(pose proof {use}; {less}apply ({rule} _ (({right}) - ({left}))); "
                f"[{self._equal()} | lra])"
            )
        return f"first [{' | '.join([*tried, 'lra', 'solve [pos]'])}]"

    def _equal(self) -> str:
        """A tactic for an identity of rational functions."""
        return f"({self._rewritten()}equal)"

    def _rewritten(self) -> str:
        """Put the readings of sums in their places."""
        return "".join(f"rewrite ?{name}; " for name in self._rewrites)


def _primed(text: str) -> str:
    """About the client k' instead of k."""
    return re.sub(r"\bk\b", "k'", text)
