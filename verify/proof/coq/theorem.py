"""A whole outline as one theorem of Coq, on vectors of any real inner product space.

Random vectors with E<u, v> are such a space, of any dimension and with any noise.  The theorem
says what a reader would: for all numbers of these signs, every function with these inequalities
between any two points, every sequence of vectors that follows the rule, every noise that is
orthogonal to what was known before; for all T.  Where clients have vectors of their own, a vector
is a family of them, one for each of any number of clients, and ``avg`` replaces each by their mean:
a linear projection that is its own adjoint.  Draws and mixings have no words yet (`NotInCoq`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from verify.certify.checker import UNIT, Context, Value, variable
from verify.certify.coq.prelude import PRELUDE
from verify.certify.coq.script import Script
from verify.certify.coq.statement import CoqStatement
from verify.certify.coq.terms import NotInCoq
from verify.proof.checker import Outlined, check, opened
from verify.proof.coq.formulas import Words
from verify.proof.coq.gram import InNumbers, in_numbers
from verify.proof.coq.lemmas import SCHEMA_LEMMAS
from verify.proof.entries import declared
from verify.proof.facts import FACTS
from verify.proof.schemas.schema import put
from verify.proof.term import names_in, parsed

Document = Mapping[str, Any]
__all__ = ["NotInCoq", "whole_file"]

SPACE = r"""
Module Schemas.
{lemmas}
End Schemas.

Lemma nonneg_eq : forall x y, 0 <= x -> x = y -> 0 <= y.
Proof. intros; subst; assumption. Qed.
Lemma pos_eq : forall x y, 0 < x -> x = y -> 0 < y.
Proof. intros; subst; assumption. Qed.
Lemma diff_le : forall x y, x <= y -> 0 <= y - x.
Proof. intros; lra. Qed.
Lemma diff_lt : forall x y, x < y -> 0 < y - x.
Proof. intros; lra. Qed.

Section Whole.
(* a real inner product space *)
Variable V : Type.
Variable vadd : V -> V -> V.
Variable vscale : R -> V -> V.
Variable ip : V -> V -> R.
Hypothesis ip_sym : forall u v, ip u v = ip v u.
Hypothesis ip_pos : forall u, 0 <= ip u u.
Hypothesis ip_add_l : forall u v w, ip (vadd u v) w = ip u w + ip v w.
Hypothesis ip_scale_l : forall c u w, ip (vscale c u) w = c * ip u w.
(* the mean over the clients *)
Variable avg : V -> V.
Hypothesis avg_add : forall u v, avg (vadd u v) = vadd (avg u) (avg v).
Hypothesis avg_scale : forall c u, avg (vscale c u) = vscale c (avg u).
Hypothesis avg_avg : forall u, avg (avg u) = avg u.
Hypothesis ip_avg : forall u v, ip (avg u) v = ip u (avg v).
Definition vsub (u v : V) : V := vadd u (vscale (-1) v).
Lemma ip_add_r : forall u v w, ip w (vadd u v) = ip w u + ip w v.
Proof. intros. rewrite ip_sym, ip_add_l, (ip_sym u), (ip_sym v). reflexivity. Qed.
Lemma ip_scale_r : forall c u w, ip w (vscale c u) = c * ip w u.
Proof. intros. rewrite ip_sym, ip_scale_l, (ip_sym u). reflexivity. Qed.
Lemma ip_sub_l : forall u v w, ip (vsub u v) w = ip u w - ip v w.
Proof. intros. unfold vsub. rewrite ip_add_l, ip_scale_l. ring. Qed.
Lemma ip_sub_r : forall u v w, ip w (vsub u v) = ip w u - ip w v.
Proof. intros. unfold vsub. rewrite ip_add_r, ip_scale_r. ring. Qed.
Lemma avg_sub : forall u v, avg (vsub u v) = vsub (avg u) (avg v).
Proof. intros. unfold vsub. rewrite avg_add, avg_scale. reflexivity. Qed.
Lemma ip_shared_r : forall u s, avg s = s -> ip u s = ip (avg u) s.
Proof. intros u s E. rewrite ip_avg, E. reflexivity. Qed.
Lemma ip_shared_l : forall u s, avg s = s -> ip s u = ip s (avg u).
Proof. intros u s E. rewrite <- ip_avg, E. reflexivity. Qed.
"""
POINTS = ("at", "to", "of", "inside")
"""Parameters of rules that stand for any point."""


def whole_file(document: Document, name: str) -> str:
    """A file that ends with the theorem of an outline.

    Parameters
    ----------
    document : mapping
        One that the checker accepts.
    name : str
        What the theorem is called.

    Raises
    ------
    NotInCoq
        If it uses what has no words here, with its name.
    """
    check(document)
    return _Theorem(document, name).text()


class _Theorem:
    def __init__(self, document: Document, name: str) -> None:
        if document["draws"] or document["mixings"] or document["cited"]:
            raise NotInCoq("draws, mixings and citations")
        own = any(about.get("own") for about in document["functions"].values())
        self._clients = own or not all(a["shared"] for a in document["vectors"].values())
        self._document, self._name = document, name
        self._outlined: Outlined = opened(document)
        self._words = Words(document)
        self._steps: list[str] = []
        self._facts: dict[str, tuple[str, Document]] = {}
        self._defined: list[str] = []
        self._noises: list[tuple[str, str]] = []
        self._shared: list[tuple[str, str]] = []
        self._sums: list[str] = []

    def text(self) -> str:
        """Prelude, schemas, steps in numbers, theorem."""
        lines, names = self._premises()
        body = list(self._body())
        claim = self._document["claim"]
        goal = self._relation(claim)
        statement = [
            f"Theorem {self._name} :",
            f"  forall {self._variables()},",
            *(f"  {line} ->" for line in lines),
            f"  {goal}.",
            "Proof.",
            f"  intros {self._bound()} {' '.join(names)}.",
            *(f"  {line}" for line in body),
            "Qed.",
        ]
        space = SPACE.replace("{lemmas}", SCHEMA_LEMMAS.split("Open Scope R_scope.")[1])
        end = ["End Whole.", f"Print Assumptions {self._name}.", ""]
        return "\n".join([PRELUDE, *self._steps, space, *statement, *end])

    # -- statement -------------------------------------------------------------------------------

    def _variables(self) -> str:
        kinds = []
        for pattern, sign in self._document["numbers"].items():
            name, letters = declared(pattern)
            kind = "nat" if "integer" in sign else "R"
            kinds.append(f"({name} : {'nat -> ' * len(letters)}{kind})")
        for name in self._functions():
            kinds.append(f"({name} : V -> R) (d{name} : V -> V)")
        for pattern in self._document["vectors"]:
            name, letters = declared(pattern)
            kinds.append(f"({name} : {'nat -> ' * len(letters)}V)")
        return " ".join([*kinds, "(known : nat -> V -> Prop)"])

    def _functions(self) -> list[str]:
        """Functions that are not the mean of another."""
        return [f for f, about in self._document["functions"].items() if "mean of" not in about]

    def _bound(self) -> str:
        names = [declared(p)[0] for p in self._document["numbers"]]
        names += [n for f in self._functions() for n in (f, f"d{f}")]
        return " ".join([*names, *(declared(p)[0] for p in self._document["vectors"]), "known"])

    def _premises(self) -> tuple[list[str], list[str]]:
        lines, names = [], []

        def add(name: str, line: str) -> None:
            names.append(name)
            lines.append(f"({line})")

        for pattern, sign in self._document["numbers"].items():
            name, letters = declared(pattern)
            relation = {"positive": "0 < {}", "nonnegative": "0 <= {}"}.get(sign)
            if sign == "positive integer":
                add(f"sign_{name}", f"(1 <= {name})%nat")
            elif relation and letters:
                add(f"sign_{name}", f"forall k : nat, {relation.format(f'{name} k')}")
            elif relation:
                add(f"sign_{name}", relation.format(name))
            elif sign not in ("real", "nonnegative integer"):
                raise NotInCoq(f"a number that is {sign}")
        for place, fact in enumerate(self._document["facts"]):
            said = self._said(fact)
            add(f"fact_{place}", said)
            self._facts[fact["name"]] = (f"fact_{place}", fact)
            if fact["rule"] in ("method", "definition"):
                self._defined.append(f"fact_{place}")
        if self._noises:
            self._add_known(add)
        if self._clients:
            self._add_shared(add)
        return lines, names

    def _add_shared(self, add: Any) -> None:
        """What all clients share is its own mean."""
        for pattern, about in self._document["vectors"].items():
            name, letters = declared(pattern)
            if about["shared"]:
                entry = f"{name} k" if letters else name
                each = "forall k : nat, " if letters else ""
                add(f"shared_{name}", f"{each}avg ({entry}) = {entry}")
                self._shared.append((name, f"{name} _" if letters else name))
        for f in self._functions():
            if not self._document["functions"][f].get("own"):
                add(f"shared_{f}", f"forall v, avg v = v -> avg (d{f} v) = d{f} v")

    def _add_known(self, add: Any) -> None:
        noises = {name for name, _ in self._noises}
        for pattern, about in self._document["vectors"].items():
            name, letters = declared(pattern)
            if name in noises or about["known"] is None:
                continue
            if about["known"] not in ("0", *letters):
                raise NotInCoq(f"what is known at {about['known']}")
            entry = f"{name} k" if letters else name
            add(f"known_{name}", f"forall k : nat, known k ({entry})")
        for f in self._functions():
            add(f"known_{f}", f"forall k v, known k v -> known k (d{f} v)")
        if self._clients:
            add("known_avg", "forall k v, known k v -> known k (avg v)")

    def _said(self, fact: Document) -> str:
        """A fact as a hypothesis: of any points where the rule is about points."""
        args, rule = fact["args"], FACTS[fact["rule"]]
        words = self._words
        if fact["rule"] in ("method", "definition"):
            entry, body = args["entry"], args["is_"]
            vector = declared(entry.partition("[")[0])[0] in self._vector_names()
            read = words.vector if vector else words.scalar
            return self._each(entry, f"{read(entry)} = {read(body)}")
        if fact["rule"] == "unbiased":
            name, _ = declared(args["noise"])
            moment = words.index(parsed(args["given"]))
            self._noises.append((name, f"fact_{self._document['facts'].index(fact)}"))
            said = f"forall v, known {moment} v -> ip {words.vector(args['noise'])} v = 0"
            return self._each(args["noise"], said)
        if rule.declares:
            raise NotInCoq(f"the rule {fact['rule']}")
        points = self._points(fact)
        bound = {f"point_{p}": f"point_{p}" for p in points}
        claims = rule.says(**{**args, **{p: f"point_{p}" for p in points}})
        text, strict = claims[0]
        sign = "=" if len(claims) == 2 else ("<" if strict else "<=")
        said = f"0 {sign} {words.scalar(text, bound)}"
        if points:
            conditions = "".join(f"avg {p} = {p} -> " for p in bound if self._is_mean(fact))
            return f"forall {' '.join(bound)} : V, {conditions}{said}"
        return self._each(text, said)

    def _is_mean(self, fact: Document) -> bool:
        """Whether a fact is about the mean of functions, so about shared points."""
        functions = self._document["functions"]
        return any("mean of" in functions.get(v, {}) for v in fact["args"].values())

    def _vector_names(self) -> set[str]:
        return {declared(p)[0] for p in self._document["vectors"]}

    def _points(self, fact: Document) -> list[str]:
        takes = FACTS[fact["rule"]].takes
        about_functions = "function" in takes.values()
        return [p for p in takes if about_functions and p in POINTS and takes[p] == "vector"]

    def _letters(self, *texts: str) -> list[str]:
        names = set().union(*map(names_in, texts))
        bound = {
            n.args[-1].elts[0].id
            for text in texts
            for n in ast.walk(parsed(text))
            if isinstance(n, ast.Call)
            and isinstance(n.args[-1], ast.Tuple)
            and isinstance(n.args[-1].elts[0], ast.Name)
        }
        return sorted((names & set(self._document["indices"])) - bound)

    def _each(self, text: str, said: str) -> str:
        letters = self._letters(text)
        return f"forall {' '.join(letters)} : nat, {said}" if letters else said

    def _relation(self, claim: Document) -> str:
        sides = [self._words.scalar(claim[side]) for side in ("left", "right")]
        return f"{sides[0]} {'=' if claim['relation'] == '==' else claim['relation']} {sides[1]}"

    # -- proof -------------------------------------------------------------------------------------

    def _body(self) -> Iterator[str]:
        for pattern, sign in self._document["numbers"].items():
            if sign == "positive integer":
                shown = "apply (le_INR 1); assumption"
                yield f"assert (size_{pattern} : 1 <= INR {pattern}) by ({shown})."
                yield f"assert (pos_{pattern} : 0 < INR {pattern}) by lra."
            elif sign == "nonnegative integer":
                yield f"assert (pos_{pattern} : 0 <= INR {pattern}) by apply pos_INR."
        if self._clients:
            for n, h in self._noises:
                yield (
                    f"assert (mean_{h} : forall k v, known k v -> ip (avg ({n} k)) v = 0) by "
                    f"(intros k_h v_h it_is_known; rewrite ip_avg; apply {h}; solve [eauto 4])."
                )
        for place, item in enumerate(self._document["steps"]):
            if item["relation"] == "==" or "supposing" in item:
                raise NotInCoq("equalities and suppositions in steps")
            gap = f"({item['right']}) - ({item['left']})"
            sign = "<" if item["relation"] == "<" else "<="
            said = self._each(gap, f"0 {sign} {self._words.scalar(gap)}")
            yield f"assert (step_{place} : {said})."
            yield "{ " + "\n    ".join(self._proof(place, item, gap)) + " }"
            self._facts[item["name"]] = (f"step_{place}", item)
            self._outlined.know(item["name"], [(gap, sign == "<")])
        left = self._words.scalar(self._document["claim"]["left"])
        same = [s for s in self._document["steps"] if self._words.scalar(s["left"]) == left]
        ways = (f"(assert (E_h := {self._facts[s['name']][0]}); lra)" for s in reversed(same))
        yield f"first [{' | '.join(ways)}]."

    def _expands(self, orient: str = "") -> str:
        """Commands that write both sides of an equality in products of single vectors.

        Definitions are put in, products of sums are multiplied out, those vanish that a noise has
        with what was known before, and what is multiplied by a shared vector is its mean.
        """
        defined = " | ".join(f"rewrite {h}" for h in self._defined)
        first = f"repeat first [{defined}]; " if defined else ""
        rules = ["ip_sub_l", "ip_sub_r", "ip_add_l", "ip_add_r", "ip_scale_l", "ip_scale_r"]
        if self._clients:
            rules += ["avg_add", "avg_scale", "avg_sub", "avg_avg"]
            rules += [f"shared_{name}" for name, _ in self._shared]
        rewrites = [f"rewrite {rule}" for rule in rules]
        if self._clients:
            rewrites += [
                f"rewrite shared_{f} by (solve [eauto 4])"
                for f in self._functions()
                if not self._document["functions"][f].get("own")
            ]
        products = f"repeat first [{' | '.join(rewrites)}]"
        zeros = " ".join(self._vanishing(n, h) for n, h in self._noises)
        first += "".join(f"rewrite ?{name}; " for name in self._sums)
        return f"{first}{products}; {zeros} {self._lifted()} {orient} idtac"

    def _vanishing(self, noise: str, fact: str) -> str:
        """Commands that drop products of a noise with what was known before."""
        found = []
        for head, rule in ((f"{noise} ?k", fact), (f"avg ({noise} ?k)", f"mean_{fact}")):
            if rule != fact and not self._clients:
                continue
            plain = head.replace("?k", "k")
            guard = f"{noise} _ => fail"
            guard += f" | avg ({noise} _) => fail" * self._clients
            found.append(
                f"repeat match goal with |- context [ip ?v ({head})] => lazymatch v with {guard} "
                f"| _ => rewrite (ip_sym v ({plain})) end end; "
                f"repeat match goal with |- context [ip ({head}) ?v] => "
                f"rewrite ({rule} k v) by (solve [eauto 6]) end;"
            )
        return " ".join(found)

    def _lifted(self) -> str:
        """Commands that turn what is multiplied by a shared vector into its mean."""
        if not self._clients:
            return ""
        shapes = [*(shape for _, shape in self._shared), "avg _"]
        own = [f for f in self._functions() if self._document["functions"][f].get("own")]
        shapes += [f"d{f} (avg _)" for f in self._functions() if f not in own]
        stop = " | ".join(f"{h} => idtac" for h in shapes)
        kept = " | ".join(f"{h} => fail" for h in shapes)
        return (
            f"repeat match goal with |- context [ip ?u ?s] => first ["
            f"lazymatch s with {stop} end; lazymatch u with {kept} | _ => "
            f"rewrite (ip_shared_r u s) by (solve [eauto 4]) end | "
            f"lazymatch u with {stop} end; lazymatch s with {kept} | _ => "
            f"rewrite (ip_shared_l s u) by (solve [eauto 4]) end] end;"
        )

    def _proof(self, place: int, item: Document, gap: str) -> Iterator[str]:
        self._sums = []
        if "schema" in item:
            yield from self._closed(item, gap)
            return
        letters = self._letters(gap)
        yield f"intros {' '.join(letters)}." if letters else ""
        for letter in letters:
            yield f"assert (pos_{letter} : 0 <= INR {letter}) by apply pos_INR."
        terms = self._terms(item)
        orient = self._oriented(item, terms)
        rule = ("pos_eq", "diff_lt") if item["relation"] == "<" else ("nonneg_eq", "diff_le")
        yield from self._split_sums(item, terms)
        yield from self._positive_sums(item, terms)
        premises = list(self._used(item))
        for name, said, why in premises:
            yield f"assert ({name} : {said}) by ({why})."
        if "proof" not in item:
            parts = [f"({said.split(' ', 2)[2]})" for _, said, _ in premises]
            for number, term in enumerate(self._rest(item, terms)):
                signs = "first [apply ip_pos | lra | solve [pos] | (left; solve [pos])]"
                why = f"repeat apply Rmult_le_pos; {signs}"
                yield f"assert (R{number} : 0 <= {term}) by ({why})."
                parts.append(f"({term})")
            yield f"assert (total : 0 <= {' + '.join(parts) or '0'}) by lra."
            yield f"eapply nonneg_eq; [exact total | {self._expands(orient)}; equal]."
            return
        outlined = self._outlined
        proof = {k: item[k] for k in ("proof", "atoms", "sums")}
        numbers = in_numbers({**outlined.question(item), **proof})
        self._steps.append(Script(numbers.document).theorem(f"{self._name}_step_{place}"))
        squares = list(self._squares(numbers, terms))
        for name, said, why in squares:
            yield f"assert ({name} : {said}) by ({why})."
        words = CoqStatement(numbers.document, Context(numbers.document))
        args = " ".join(f"({self._value(n, numbers, terms, words)})" for n in words.bound())
        yield f"assert (Q_h := {self._name}_step_{place} {args})."
        tries = ["assumption", "lra", "solve [pos]", "solve [nz]"]
        for name, said, _ in [*premises, *squares]:
            conv = "pos_eq" if said.startswith("0 < ") else "nonneg_eq"
            tries.append(f"(eapply {conv}; [exact {name} | {self._expands(orient)}; equal])")
        tries.append("(apply Rgt_not_eq; solve [pos])")
        tries.append("(apply Schemas.Sig_pos; [assumption | intros; cbv beta; solve [pos]])")
        squares_add = "apply Schemas.Sig_nonneg; intros; cbv beta; repeat apply Rmult_le_pos"
        tries.append(f"({squares_add}; first [apply ip_pos | solve [pos] | (left; solve [pos])])")
        yield (
            "repeat match type of Q_h with ?A -> _ => let H_h := fresh in assert (H_h : A) by "
            f"(first [{' | '.join(tries)}]); specialize (Q_h H_h); clear H_h end."
        )
        yield f"eapply {rule[0]}; [exact ({rule[1]} _ _ Q_h) | {self._expands(orient)}; equal]."

    def _split_sums(self, item: Document, terms: dict[str, str]) -> Iterator[str]:
        """Each sum of a step as the sums that it is read as, by induction; used when it expands."""
        reader, self._sums = self._outlined.reader, []
        orient = self._oriented(item, terms)
        done: set[str] = set()
        for text in self._texts(item):
            for node in ast.walk(parsed(text)):
                if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "Sum"):
                    continue
                said = ast.unparse(node)
                raw = self._words.scalar(said)
                value = reader.scalar(said)
                renamed = {
                    v: terms.setdefault(reader.flat(v), self._words.scalar(v))
                    for v in value.variables()
                }
                split = self._number(value, renamed)
                letter = node.args[1].elts[0].id  # type: ignore[attr-defined]
                same = re.sub(rf"\b{letter}\b", "j1", raw)  # to rewrite it by itself has no end
                if raw in done or self._letters(said) or [*renamed.values()] == [same]:
                    continue
                done.add(raw)
                name = f"S_h{len(self._sums)}"
                count = raw.removesuffix(")").rpartition(" ")[2]
                yield f"assert ({name} : {raw} = {split})."
                yield (
                    f"{{ clear -{self._kept()} shared_by; induction {count} as [|m IH]; "
                    "[cbn [Schemas.Sig]; change (INR 0) with 0; equal | "
                    f"cbn [Schemas.Sig]; rewrite ?S_INR; rewrite IH; {self._expands(orient)}; "
                    "equal]. }"
                ).replace(" shared_by", self._space())
                self._sums.append(name)

    def _positive_sums(self, item: Document, terms: Mapping[str, str]) -> Iterator[str]:
        """That sums of what is positive are, and do not vanish."""
        reader = self._outlined.reader
        keys = {k for _, value, _ in self._outlined.posed(item) for k in value.variables()}
        for place, key in enumerate(sorted(keys)):
            if key.startswith("Sum(") and reader.kind(key) == "positive":
                said = terms[reader.flat(key)]
                why = "apply Schemas.Sig_pos; [assumption | intros; cbv beta; solve [pos]]"
                yield f"assert (SP_h{place} : 0 < {said}) by ({why})."
                yield f"assert (SN_h{place} : {said} <> 0) by (apply Rgt_not_eq; assumption)."

    def _space(self) -> str:
        """Names of what is known of products and means, which an induction keeps."""
        names = [f"shared_{name}" for name, _ in self._shared]
        names += [
            f"shared_{f}"
            for f in self._functions()
            if self._clients and not self._document["functions"][f].get("own")
        ]
        return "".join(
            f" {n}" for n in [*names, "ip_sym ip_add_l ip_scale_l avg_add avg_scale avg_avg ip_avg"]
        )

    def _used(self, item: Document) -> Iterator[tuple[str, str, str]]:
        """Premises of a step as hypotheses of Coq: name, what it says, how it follows."""
        for place, by in enumerate(item["by"]):
            name, at, times = by if isinstance(by, list) else (by, {}, "1")
            where, about = self._facts[name]
            claims = self._outlined.known[name]
            if len(claims) == 2 and isinstance(by, list):
                claims = claims[1:] if times.startswith("-") else claims[:1]
                times = times.removeprefix("-")
            factor = self._words.scalar(times)
            for number, (text, strict) in enumerate(claims):
                here = where + self._instance(about, text, at)
                for letter, value in at.items():
                    text = put(text, letter, value)
                said = self._words.scalar(text)
                strict = strict and times == "1"
                shown = said if times == "1" else f"{factor} * {said}"
                signs = "first [solve [pos] | lra | (left; solve [pos]) | (left; assumption)]"
                why = f"assert (U_h : 0 <= {said}) by (pose proof ({here}) as U0_h; "
                why += "repeat (specialize (U0_h ltac:(solve [eauto 4]))); lra); "
                if strict:
                    why = f"exact ({here})"
                elif times == "1":
                    why += "exact U_h"
                else:
                    why += f"apply Rmult_le_pos; [{signs} | exact U_h]"
                yield f"P{place}_{number}", f"0 {'<' if strict else '<='} {shown}", why

    def _instance(self, about: Document, text: str, at: Mapping[str, str]) -> str:
        """At which points or indices a fact or step is used."""
        if "rule" in about and self._points(about):
            args = [about["args"][p] for p in self._points(about)]
            for letter, value in at.items():
                args = [put(a, letter, value) for a in args]
            return "".join(f" {self._words.vector(a)}" for a in args)
        letters = self._letters(text)
        return "".join(f" {self._words.index(parsed(at.get(x, x)))}" for x in letters)

    def _rest(self, item: Document, terms: Mapping[str, str]) -> Iterator[str]:
        """What a step has beyond the sum of its premises: products that are not negative."""
        reader = self._outlined.reader
        (_, left, _), (_, right, _), *premises = self._outlined.posed(item)
        rest = right - left
        for _, value, _ in premises:
            rest = rest - value
        named = {reader.flat(v): terms[reader.flat(v)] for v in rest.variables()}
        renamed = {v: named[reader.flat(v)] for v in rest.variables()}
        under = self._number(Value({(): Fraction(1)}, rest.under), renamed)
        for monomial, c in rest.over.items():
            pair = [renamed[v] for v in monomial if reader.kind(v) == "vector"]
            plain = [renamed[v] for v in monomial if reader.kind(v) != "vector"]
            factors = [f"({c})", *plain, *([f"(ip {pair[0]} {pair[1]})"] if pair else [])]
            yield " * ".join([*factors, *([under] if rest.under != UNIT else [])])

    def _texts(self, item: Document) -> Iterator[str]:
        """Formulas that a step speaks of, at the indices where it uses them."""
        yield from (item["left"], item["right"])
        for by in item["by"]:
            name, at, _ = by if isinstance(by, list) else (by, {}, "1")
            for text, _ in self._outlined.known[name]:
                for letter, value in at.items():
                    text = put(text, letter, value)
                yield text

    def _terms(self, item: Document) -> dict[str, str]:
        """What the variables of a step are called in Coq, by their plain names."""
        reader, words = self._outlined.reader, self._words
        found: dict[str, str] = {}
        for text in self._texts(item):
            for node in ast.walk(parsed(text)):
                said = ast.unparse(node) if isinstance(node, ast.expr) else ""
                match node:
                    case ast.Call(func=ast.Name(id="grad")):
                        self._add_gradient(said, found)
                    case ast.Call(func=ast.Name(id=f)) if f in self._document["functions"]:
                        (key,) = reader.scalar(said).variables()
                        found[reader.flat(key)] = words.scalar(said)
                    case ast.BinOp(op=ast.Pow(), right=power) if not isinstance(
                        power, ast.Constant
                    ):
                        value = reader.scalar(said)  # as it is written, whatever the order
                        if len(value.variables()) == 1 and value == variable(*value.variables()):
                            found[reader.flat(*value.variables())] = words.scalar(said)
        for _, value, _ in self._outlined.posed(item):
            for key in value.variables():
                flat = reader.flat(key)
                if flat not in found:
                    vector = reader.kind(key) == "vector"
                    found[flat] = words.vector(key) if vector else words.scalar(key)
        return found

    def _add_gradient(self, said: str, found: dict[str, str]) -> None:
        """A gradient, its mean and its rest, by their plain names."""
        reader, raw = self._outlined.reader, self._words.vector(said)
        for vec in reader.vector(said):
            if vec.key.startswith("avg("):
                mean = raw if raw.startswith("(avg ") else f"(avg {raw})"
                found[reader.flat(vec.key)] = mean
                found[reader.flat(reader.parts[vec.key])] = mean[5:-1]
            elif vec.key.startswith("off("):
                found[reader.flat(vec.key)] = f"(vsub {raw} (avg {raw}))"
            else:
                found[reader.flat(vec.key)] = raw

    def _value(
        self, name: str, numbers: InNumbers, terms: Mapping[str, str], words: CoqStatement
    ) -> str:
        """What a variable of a step in numbers stands for."""
        symbols = numbers.document["symbols"]
        (symbol,) = [s for s in symbols if words.named(s) == name]
        for (u, v), pair in numbers.pairs.items():
            if pair == symbol:
                return f"ip {terms[u]} {terms[v]}"
        said = terms[symbol]
        if "integer" in symbols[symbol] and said.startswith("(INR "):
            return said.removeprefix("(INR ").removesuffix(")")
        return said

    def _squares(
        self, numbers: InNumbers, terms: Mapping[str, str]
    ) -> Iterator[tuple[str, str, str]]:
        """Squares that a step uses."""
        for place, roots in enumerate(numbers.squares):
            parts, why = [], []
            for q, root in roots:
                vectors = [f"(vscale {self._number(c, terms)} {terms[v]})" for v, c in root.items()]
                vector = vectors[0]
                for other in vectors[1:]:
                    vector = f"(vadd {vector} {other})"
                parts.append(f"({q}) * ip {vector} {vector}")
                why.append(f"pose proof (ip_pos {vector})")
            yield f"SQ{place}", f"0 <= {' + '.join(parts)}", f"{'; '.join(why)}; lra"

    def _number(self, value: Value, terms: Mapping[str, str]) -> str:
        parts = []
        for polynomial in (value.over, value.under):
            sums = [" * ".join([f"({c})", *(terms[v] for v in m)]) for m, c in polynomial.items()]
            parts.append(" + ".join(sums) or "0")
        return f"(({parts[0]}) / ({parts[1]}))" if value.under != UNIT else f"({parts[0]})"

    def _oriented(self, item: Document, terms: Mapping[str, str]) -> str:
        """Rewrites that turn each product of two vectors one way round."""
        reader = self._outlined.reader
        keys = {
            k
            for _, value, _ in self._outlined.posed(item)
            for k in value.variables()
            if reader.kind(k) == "vector"
        }
        bases: dict[str, None] = {}
        for key in sorted(keys):
            said = terms[reader.flat(key)]
            if key.startswith("off("):
                said = said.removeprefix("(vsub ")[: (len(said) - len("(vsub  (avg ))")) // 2]
            bases[said] = None
            if self._clients and not said.startswith("(avg "):
                bases[f"(avg {said})"] = None
        listed = list(bases)
        flips = [
            f"rewrite ?(ip_sym {b} {a});" for i, a in enumerate(listed) for b in listed[i + 1 :]
        ]
        return " ".join(flips)

    def _closed(self, item: Document, gap: str) -> Iterator[str]:
        """A use of a schema by its lemma."""
        args, words = item["args"], self._words
        step, about = self._facts[args["step"]] if "step" in args else ("", {})
        index, rounds = args.get("index", ""), args.get("rounds", "")
        said = f"({about['right']}) - ({about['left']})" if "right" in about else ""
        if "of" not in args:
            raise NotInCoq(f"the schema {item['schema']}")
        of = words.scalar(args["of"])
        sequence = f"(fun {index} : nat => {of})"
        equal = f"first [equal | ({self._expands()}; equal)]"
        if item["schema"] == "telescoped":
            step_of = f"(fun {index} : nat => {words.scalar(said)})"
            yield f"assert (Q_h := Schemas.telescoped {step_of} {sequence} {rounds} {step})."
            ends = f"{put(args['of'], index, '0')}", f"{put(args['of'], index, rounds)}"
            right = f"(({gap}) - ({ends[0]})) + ({ends[1]})"
            after = put(args["of"], index, f"{index} + 1")
            body = words.scalar(f"({said}) - ({args['of']}) + ({after})")
            summed = f"Schemas.Sig (fun {index} : nat => {body})"
            yield f"assert (E_h : {summed} {rounds} = {words.scalar(right)})."
            yield (
                f"{{ clear Q_h; clear -{self._kept()}; induction {rounds} as [|m IH]; "
                "[cbn [Schemas.Sig]; change (INR 0) with 0; equal | "
                "cbn [Schemas.Sig]; rewrite ?S_INR; cbn [Schemas.Sig] in IH; rewrite IH; equal]. }"
            )
            yield "cbv beta in Q_h. rewrite E_h in Q_h. eapply nonneg_eq; [exact Q_h | ring]."
        elif item["schema"] == "geometric":
            q, rest = words.scalar(args["factor"]), words.scalar(args["rest"])
            yield f"assert (A_h : 0 <= {q}) by (first [solve [pos] | lra | nra])."
            yield f"assert (B_h : 0 < 1 - {q}) by (first [solve [pos] | lra | nra])."
            yield (
                f"destruct (Schemas.geometric {sequence} {q} {rest} {rounds} A_h B_h) "
                "as [Q_h [Power_h Less_h]]; "
                f"[intros {index}; eapply nonneg_eq; [exact ({step} {index}) | {equal}] |]."
            )
            # the schema gives the bound, and that the power lies between zero and one
            yield (
                "cbv beta in Q_h. first [eapply nonneg_eq; [exact Power_h | solve [equal]] | "
                "eapply nonneg_eq; [exact Less_h | solve [equal]] | "
                f"eapply nonneg_eq; [exact Q_h | {equal}]]."
            )
        elif item["schema"] == "last iterate":
            after = words.scalar(put(args["of"], index, f"{index} + 1"))
            yield f"assert (H_h : forall {index} : nat, 0 <= {of} - {after})."
            yield f"{{ intros {index}. eapply nonneg_eq; [exact ({step} {index}) | {equal}]. }}"
            yield f"assert (Q_h := Schemas.last_iterate {sequence} {rounds} H_h)."
            yield f"cbv beta in Q_h. eapply nonneg_eq; [exact Q_h | {equal}]."
        elif item["schema"] == "1/(t + shift)":
            p, q, shift, v = (words.scalar(args[k]) for k in ("p", "q", "shift", "v"))
            conditions = " | ".join(
                f"(eapply nonneg_eq; [exact {name} | {equal}])"
                for name, a in self._facts.values()
                if "left" in a and not self._letters(a["left"], a["right"])
            )
            yield (f"assert (Q_h : 0 <= {v} / (INR {rounds} + {shift}) - {sequence} {rounds}).")
            yield (
                f"{{ apply (Schemas.harmonic {sequence} {p} {q} {shift} {v} {rounds}); cbv beta; "
                f"first [assumption | {conditions} | solve [pos] | (intros {index}; "
                f"assert (0 <= INR {index}) by apply pos_INR; "
                f"eapply nonneg_eq; [exact ({step} {index}) | equal])]. }}"
            )
            yield f"cbv beta in Q_h. eapply nonneg_eq; [exact Q_h | {equal}]."
        else:
            raise NotInCoq(f"the schema {item['schema']}")

    def _kept(self) -> str:
        """Signs of numbers, which an induction keeps."""
        return " ".join(
            f"sign_{declared(p)[0]}"
            for p, sign in self._document["numbers"].items()
            if sign in ("positive", "nonnegative")
        )
