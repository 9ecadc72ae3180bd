"""Read a written proof of a whole theorem and answer yes or no.

Run it as ``python -m verify.proof.checker FILE``: exit status 0 if the theorem is proved, else 1.
It uses the standard library, the checker of single inequalities, `verify.proof.term` (how formulas
are read), `verify.proof.facts` and `verify.proof.schemas` (named rules), and searches for nothing.

A document declares its quantities; its facts follow by named rules; each step is one inequality
with a certificate that ``verify.certify.checker`` accepts from the facts and earlier steps that it
names; schemas close the proof; the claim is what one of the steps says, left and right, as equal
polynomials.  What is written down of a step is its sides and its certificate: premises are read
from the rules again.  Letters are indices; what names one holds for each of 0, 1, ...
"""

from __future__ import annotations

import json
import keyword
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.certify import checker
from verify.certify.checker import FORMAT as PROOF
from verify.certify.checker import UNIT, Refused, Value
from verify.proof.entries import declared
from verify.proof.facts import FACTS, FactRule
from verify.proof.reader import OutlineReader
from verify.proof.schemas import SCHEMAS, Closed
from verify.proof.term import parsed

FORMAT = "fedassay-outline/1"
RELATIONS = ("<=", "<", "==")
DECLARATIONS = ["indices", "numbers", "vectors", "functions", "draws", "mixings", "clients"]
LEVELS = 5
"""How deep theorems may be cited in theorems."""

__all__ = ["FORMAT", "Outlined", "Refused", "accepts", "check", "main", "opened"]

Document = Mapping[str, Any]
Known = tuple[str, bool]
"""A formula that is not negative, and whether it is positive."""


@dataclass
class Outlined:
    """An outline while it is read: declarations, and what is known so far by name."""

    reader: OutlineReader
    clients: Mapping[str, Any]
    facts: Sequence[Document] = ()
    known: dict[str, list[Known]] = field(default_factory=dict)
    supposed: dict[str, tuple[str, str]] = field(default_factory=dict)
    rules: Mapping[str, FactRule] = field(default_factory=lambda: FACTS)

    def know(self, name: str, claims: Sequence[Known]) -> None:
        """Add what is known under a new name."""
        if (
            name in self.known
            or name in self.supposed
            or not re.fullmatch(r"[\w \[\]()+*/,.'<=-]+", name)
        ):
            raise Refused(f"the name {name} is borne twice, or is none")
        for text, strict in claims:
            value = self.reader.scalar(text)
            if strict:
                self.reader.nonzero.append(Value(value.over, UNIT))
        self.known[name] = list(claims)

    def premises(self, by: Sequence[Any]) -> list[tuple[str, Value, bool]]:
        """What a step may use: facts and earlier steps by name, some at one index."""
        found = []
        for item in by:
            name, at, times = item if isinstance(item, list) else (item, {}, "1")
            if name not in self.known:
                raise Refused(f"nothing is known by the name {name}")
            env = {letter: self.reader.scalar(value) for letter, value in at.items()}
            if not all(map(self.reader.whole, env.values())):
                raise Refused(f"{name} is used at what is no index")
            claims = self.known[name]
            if len(claims) == 2 and isinstance(item, list):  # an equality is used one way
                claims = claims[1:] if times.startswith("-") else claims[:1]
                times = times.removeprefix("-")
            factor = self.reader.constant(times)
            if not self.reader.sign(factor) and not is_known(self, factor, False):
                raise Refused(f"{name} is multiplied by {times}, which may be negative")
            for text, strict in claims:
                strict = strict and self.reader.sign(factor) == 2
                found.append((name, factor * self.reader.scalar(text, env), strict))
        return found

    def posed(self, item: Document) -> list[tuple[str, Value, bool]]:
        """Left side, right side and premises of a step, by name and whether they are positive."""
        found = [(side, self.reader.scalar(item[side]), False) for side in ("left", "right")]
        found += self.premises(item["by"])
        if "supposing" in item:
            found.append(("supposed", self.reader.scalar(item["supposing"]), False))
        values = self.reader.joined([value for _, value, _ in found])
        return [(n, v, s) for (n, _, s), v in zip(found, values, strict=True)]

    def question(self, item: Document) -> dict[str, Any]:
        """A step as a claim for the checker of single inequalities: all of it but the proof."""
        posed = self.posed(item)
        texts = [self.text(value) for _, value, _ in posed]
        (left, right), given = (
            texts[:2],
            [
                {"name": name, "expr": text, "strict": strict}
                for (name, _, strict), text in zip(posed[2:], texts[2:], strict=True)
            ],
        )
        keys = {v for _, value, _ in posed for v in value.variables()}
        kinds = {self.reader.flat(v): self.reader.kind(v) for v in sorted(keys)}
        vectors = [name for name, kind in kinds.items() if kind == "vector"]
        return {
            "format": PROOF,
            "claim": {"left": left, "relation": item["relation"], "right": right},
            "given": given,
            "symbols": {n: "real" if kind == "vector" else kind for n, kind in kinds.items()},
            **({"vectors": vectors} if vectors else {}),
        }

    def text(self, value: Value) -> str:
        """A value in plain names."""
        parts = []
        for polynomial in (value.over, value.under):
            terms = []
            for m, c in sorted(polynomial.items()):
                factors = [str(abs(c))] * (abs(c) != 1 or not m) + [*map(self.reader.flat, m)]
                terms.append(("-" if c < 0 else "+") + "*".join(factors))
            parts.append("".join(terms).removeprefix("+") or "0")
        return parts[0] if value.under == UNIT else f"({parts[0]})/({parts[1]})"


def check(document: Document, level: int = 0) -> str:
    """The theorem that a document proves, in words; `Refused` says what is amiss."""
    try:
        if level > LEVELS:
            raise Refused("theorems are cited too deep")
        _keys(
            document,
            "format title facts steps claim",
            " ".join([*DECLARATIONS, "cited"]),
        )
        if document["format"] != FORMAT:
            raise Refused(f"the format is {document['format']}, not {FORMAT}")
        outlined = opened(document, level)
        claim = document["claim"]
        _keys(claim, "left relation right")
        proved = []
        for item in document["steps"]:
            _taken(outlined, item)
            proved.append(item)
        if not any(_is(outlined, item, claim) for item in proved):
            raise Refused("no step says the claim")
        return _said(document)
    except Refused:
        raise
    except RecursionError:
        raise Refused("formulas are too deep to read") from None
    except (LookupError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
        raise Refused(f"the file is malformed: {type(error).__name__} {error}") from error


def accepts(document: Document) -> bool:
    """Whether a document is accepted, without the reason."""
    try:
        return bool(check(document))
    except Refused:
        return False


def opened(document: Document, level: int = 0, rules: Mapping[str, FactRule] = FACTS) -> Outlined:
    """Declarations and facts of a document, before its first step."""
    clients = document.get("clients", {})
    outlined = Outlined(OutlineReader(document), clients, document["facts"], rules=rules)
    known = [(fact, _rule(outlined, fact)) for fact in document["facts"]]
    for fact, rule in known:
        if rule and rule.declares:
            rule.declares(outlined.reader, **_arguments(rule, fact["args"]))
    outlined.reader.consistent()
    for fact, rule in known:
        if rule is None:
            outlined.know(fact["name"], _cited(document, fact, level))
            continue
        about = _arguments(rule, fact["args"])
        for name, kind in rule.takes.items():
            _checked(outlined, name, kind, fact["args"][name])
        outlined.know(fact["name"], rule.says(**about))
    return outlined


def main(argv: Sequence[str]) -> int:
    """Check one file."""
    try:
        with open(argv[0], encoding="utf-8") as file:
            print(f"accepted: {check(json.load(file))}")
    except (OSError, ValueError, LookupError, RecursionError, MemoryError) as reason:
        print(f"refused: {reason}")
        return 1
    return 0


# -- facts ---------------------------------------------------------------------------------------


def _rule(outlined: Outlined, fact: Document) -> FactRule | None:
    _keys(fact, "name rule args")
    if fact["rule"] == "cite":
        return None
    if fact["rule"] not in outlined.rules:
        raise Refused(f"no rule is called {fact['rule']}")
    return outlined.rules[fact["rule"]]


def _arguments(rule: FactRule, args: Mapping[str, str]) -> dict[str, str]:
    """Parameters of a rule, each a formula by itself."""
    if {*args} != {*rule.takes}:
        raise Refused(f"the rule {rule.name} takes {', '.join(rule.takes)}")
    for text in args.values():
        parsed(text)
    return dict(args)


def _checked(outlined: Outlined, name: str, kind: str, text: str) -> None:
    """Refuse a parameter that is not of its kind."""
    reader = outlined.reader
    if kind == "function":
        good = text in reader.functions
    elif kind == "number":
        good = reader.constant(text) is not None
    elif kind == "vector":
        good = reader.vector(text) is not None
    elif kind == "noise":
        good = text.partition("[")[0] in reader.unbiased and bool(reader.vector(text))
    elif kind in ("formula", "moment"):
        good = reader.scalar(text) is not None
    elif kind == "count":
        good = reader.whole(reader.scalar(text))
    elif kind == "pattern":
        base, letters = declared(text)
        good = base in reader.vectors and reader.vectors[base][0] == letters
    elif kind == "draw":
        base, letters = declared(text)
        good = base in reader.draws and reader.draws[base][0] == letters
    elif kind == "clients":
        good = outlined.clients == {"number": text, "weights": "equal"}
        good = good and reader.whole(reader.constant(text))
    elif kind == "mixing":
        good = text in reader.mixings
    elif kind == "index":
        good = text in reader.indices
    else:
        good = kind in ("entry", "formula or vector")  # looked at where they are declared
    if not good:
        raise Refused(f"{name} = {text} is no {kind} here")


def _cited(document: Document, fact: Document, level: int) -> list[Known]:
    """The claim of a theorem whose declarations and facts are among those of this one."""
    other = document.get("cited", {}).get(fact["args"].get("of"))
    if other is None:
        raise Refused(f"{fact['name']} cites what is not there")
    check(other, level + 1)
    for table in DECLARATIONS:
        here, there = document.get(table, {}), other.get(table, {})
        if table == "clients" or isinstance(there, list):
            good = here == there if table == "clients" else {*there} <= {*here}
        else:
            good = all(here.get(name) == about for name, about in there.items())
        if not good:
            raise Refused(f"{fact['name']} cites a theorem with other {table}")
    facts = [(f["rule"], f["args"]) for f in document["facts"]]
    if any((f["rule"], f["args"]) not in facts for f in other["facts"]):
        raise Refused(f"{fact['name']} cites a theorem that assumes more")
    return _claims(other["claim"])


# -- steps ---------------------------------------------------------------------------------------


def _taken(outlined: Outlined, item: Document) -> None:
    """Add a step to what is known, if its certificate or its schema is right."""
    if "schema" in item:
        _keys(item, "name schema args left relation right")
        _closes(outlined, item)
    else:
        _keys(item, "name left relation right by", "proof atoms sums supposing")
        if item["relation"] not in RELATIONS:
            raise Refused(f"the relation {item['relation']} is unknown")
        if "proof" not in item:
            if not adds_up(outlined, item):
                raise Refused(f"{item['name']} is no sum of what it rests on")
        else:
            _certified(outlined, item)
    if "supposing" in item:
        if item["relation"] != "<=":
            raise Refused("under a supposition the relation is <=")
        if item["name"] in outlined.known or item["name"] in outlined.supposed:
            raise Refused(f"the name {item['name']} is borne twice")
        outlined.supposed[item["name"]] = (_gap(item), item["supposing"])
    else:
        outlined.know(item["name"], _claims(item))


def _certified(outlined: Outlined, item: Document) -> None:
    """Refuse a step whose certificate the checker of single inequalities refuses."""
    proof = {name: item[name] for name in ("proof", "atoms", "sums")}
    if "induction" in proof["proof"]:
        raise Refused("an induction is a schema here")
    try:
        checker.check({**outlined.question(item), **proof}, words=False)
    except Refused as reason:
        raise Refused(f"{item['name']}: {reason}") from None


def adds_up(outlined: Outlined, item: Document) -> bool:
    """Whether a step is the sum of its premises, up to what is not negative by its form."""
    (_, left, _), (_, right, _), *premises = outlined.posed(item)
    rest = right - left
    for _, value, _ in premises:
        rest = rest - value
    strict = any(strict for _, _, strict in premises) or outlined.reader.sign(rest) == 2
    shown = item["relation"] == "<=" or (item["relation"] == "<" and strict)
    return shown and outlined.reader.sign(rest) > 0


def _closes(outlined: Outlined, item: Document) -> None:
    """Refuse a use of a schema whose conditions are not met, or that says something else."""
    closed = instance(outlined, item)
    reader = outlined.reader
    for rules, about in closed.facts:
        if not any(
            f["rule"] in rules and all(f["args"].get(k) == v for k, v in about.items())
            for f in outlined.facts
        ):
            raise Refused(f"{item['name']} needs a fact by the rule {' or '.join(rules)}")
    index = item["args"].get("index")
    for text in closed.free:
        if re.search(rf"\b{index}\b", text):
            raise Refused(f"{item['name']}: {text} depends on {index}")
    for one, other in closed.same:
        if reader.scalar(one) != reader.scalar(other):
            raise Refused(f"{item['name']}: what it starts from says something else")
    for text, strict in closed.needs:
        value = reader.scalar(text)
        if reader.sign(value) <= strict and not is_known(outlined, value, strict):
            raise Refused(
                f"{item['name']}: it is not known that {text} {'>' if strict else '>='} 0"
            )
    said = reader.scalar(_gap(item))
    if item["relation"] != "<=" or not any(said == reader.scalar(text) for text, _ in closed.gives):
        raise Refused(f"{item['name']} says what its schema does not give")


def instance(outlined: Outlined, item: Document) -> Closed:
    """What one use of a schema asks for and gives."""
    schema = SCHEMAS.get(item["schema"])
    if schema is None:
        raise Refused(f"no schema is called {item['schema']}")
    args = item["args"]
    if {*args} != {*schema.takes}:
        raise Refused(f"the schema {schema.name} takes {', '.join(schema.takes)}")
    about: dict[str, Any] = {}
    for name, kind in schema.takes.items():
        if kind == "step":
            claims = outlined.known.get(args[name], [])
            if len(claims) != 1:
                raise Refused(f"{args[name]} is no single inequality")
            value: Any = claims[0][0]
        elif kind == "supposed":
            if args[name] not in outlined.supposed:
                raise Refused(f"{args[name]} was proved under no supposition")
            value = outlined.supposed[args[name]]
        else:
            parsed(args[name])
            if kind != "formula":
                _checked(outlined, name, kind, args[name])
            value = args[name]
        about[f"{name}_" if keyword.iskeyword(name) else name] = value
    return schema.close(**about)


def is_known(outlined: Outlined, value: Value, strict: bool) -> bool:
    """Whether something equal to a value, up to a positive number, is known."""
    for claims in outlined.known.values():
        for text, strictly in claims:
            if strictly < strict:
                continue
            fact = outlined.reader.scalar(text)
            if fact == value:
                return True
    return False


def _is(outlined: Outlined, item: Document, claim: Document) -> bool:
    """Whether a step says a claim, left and right."""
    read = outlined.reader.scalar
    return (
        "supposing" not in item
        and item["relation"] == claim["relation"]
        and all(read(item[side]) == read(claim[side]) for side in ("left", "right"))
    )


def _gap(item: Document) -> str:
    return f"({item['right']}) - ({item['left']})"


def _claims(item: Document) -> list[Known]:
    """What a step says, as formulas that are not negative."""
    for side in ("left", "right"):
        parsed(item[side])
    gap = _gap(item)
    if item["relation"] == "==":
        return [(gap, False), (f"-({gap})", False)]
    return [(gap, item["relation"] == "<")]


def _said(document: Document) -> str:
    """The theorem in a line: claim, every assumption with its rule, and what was declared."""
    claim = document["claim"]
    said = f"{claim['left']} {claim['relation']} {claim['right']}"
    assumed = []
    for fact in document["facts"]:
        args = ", ".join(f"{k} = {v}" for k, v in fact["args"].items())
        assumed.append(f"{fact['rule']} ({args})")
    kinds = [f"{sign} {name}" for name, sign in document.get("numbers", {}).items()]
    for name, about in document.get("vectors", {}).items():
        whose = "shared" if about["shared"] else "of each client"
        when = "" if about["known"] is None else f" known at {about['known']}"
        kinds.append(f"vector {name} {whose}{when}")
    for name, about in document.get("functions", {}).items():
        more = f" mean of {about['mean of']}" if "mean of" in about else ""
        kinds.append(f"function {name}{' of each client' if about.get('own') else more}")
    for name, about in document.get("draws", {}).items():
        kinds.append(f"draw {name} after {about['given']} known at {about['known']}")
    kinds += [f"mixing {name} that keeps means" for name in document.get("mixings", [])]
    clients = document.get("clients", {})
    if clients:
        kinds.append(f"{clients['number']} clients of {clients['weights']} weights")
    said += f" if {'; '.join(assumed)}" if assumed else ""
    return f"{said}, for every {'; '.join(kinds)}" if kinds else said


def _keys(item: Document, needed: str, more: str = "") -> None:
    for name in needed.split():
        if name not in item:
            raise Refused(f"the file is malformed: an entry {name} is missing")
    for name in sorted({*item} - {*needed.split(), *more.split()}):
        raise Refused(f"there is an entry {name} that is not checked")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
