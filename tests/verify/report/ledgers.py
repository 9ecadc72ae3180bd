"""A small library and a ledger over it in which every verdict occurs, each from its evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.catalogue.json_files import write_json
from verify.catalogue.library import Library
from verify.claim.axes import Axes, Axis, Option
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Family, Real
from verify.claim.statement import Source, Statement
from verify.ledger.ledger import entry_json, ledger_json, witness_path
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import spared, verdict

NASTY = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\"'&"
"""Text of a user that must come out as text."""

BOX = Family({"x": Real(0, 1)}, about="one number")
POWER = {"counted": 3, "killed": 2, "survivors": ["0.9 beta"]}


def statement(key: str, latex: str = r"x \le \beta", **more: Any) -> Statement:
    """A statement whose content does not matter."""
    place = Source(key.partition(".")[0], more.pop("where", "Lemma 1"), more.pop("arxiv", ""))
    if not more.get("missing"):
        more.setdefault("sides", lambda w: ({"x": w.x}, {"beta": w.beta}))
    return Statement(key=key, source=place, latex=latex, family=BOX, **more)


GIVEN = (Hypothesis("x at least 1", r"x \ge 1", lambda w: w.x - 1, "Lemma 1"),)

STATEMENTS = (
    statement("one.def", r"x := 1", kind="definition", missing="it names x", where="Section 1"),
    statement("one.lemma", kind="lemma", title="the lemma", given=GIVEN, arxiv="1234.56789"),
    statement("one.lemma.repaired", r"x \le 2\beta", kind="lemma", form="repaired"),
    statement("one.theorem/a", uses=("one.lemma", "one.def"), title="the theorem"),
    statement("one.theorem/b@first", r"\frac{x}{2} \le \beta", uses=("one.other",)),
    statement("one.theorem/b@second", r"\frac{x}{3} \le \beta"),
    statement("one.corollary", kind="corollary", uses=("one.theorem",)),
    statement(
        "one.corollary.repaired", kind="corollary", form="repaired", uses=("one.lemma.repaired",)
    ),
    statement("one.nothing", kind="theorem"),
    statement("one.nothing.empty", "1 \\le 0", form="empty"),
    statement("two.claim", r"\unknown{x}", kind="claim", missing="what x is"),
    statement("two.open", rf"\text{{{NASTY}}}", kind="lemma", title=NASTY, where=NASTY),
    statement("two.exists", kind="theorem", quantifier="some"),
)

AXES: dict[str, Axes] = {
    "one": Axes(
        [
            Axis(
                "divisor",
                "what x is divided by",
                (
                    Option("second", "'a third', Lemma 1", "x is divided by three"),
                    Option("first", f"'a half', {NASTY}", f"x is halved {NASTY}"),
                ),
            ),
        ]
    ),
}

EVIDENCE: dict[str, Sequence[Evidence]] = {
    "holds": (
        Evidence(
            "hypotheses",
            "reported",
            "300 of 400 instances meet every hypothesis",
            300,
            400,
            details={"met": {"N=1": 44, "N=2": 256}},
        ),
        Evidence("search", "decided", "40 instances; largest ratio 0.97", 40, 50, 0.97),
        Evidence("power", "reported", "2 of 3 counted mutants killed", power=POWER),
        Evidence("needed", "reported", "never failed alone: x at least 1"),
        Evidence("sides", "reported", "both sides depend on the instance"),
        Evidence(
            "terms",
            "reported",
            "needed: noise; not needed: drift",
            details={"needed": ["noise"], "not needed": ["drift"]},
        ),
        Evidence("standing", "reported", "no do-nothing bound is known"),
        Evidence("method", "reported", "no run of a method is part of the claim"),
    ),
    "violated": (
        Evidence(
            "exact",
            "decided",
            "an instance breaks the claim",
            tried=7,
            witness={
                "number": "rational",
                "relation": "<=",
                "quantifier": "all",
                "left": "7/3",
                "right": "2/1",
                "margins": {"x at least 1": {"value": "1/3", "strict": False}},
            },
        ),
    ),
    "proved": (
        Evidence(
            "exact",
            "decided",
            "an instance satisfies the claim",
            witness={
                "number": "rational",
                "relation": "<=",
                "quantifier": "some",
                "left": "1/1",
                "right": "2/1",
                "margins": {},
            },
        ),
    ),
    "vacuous": (
        Evidence(
            "link",
            "decided",
            "the hypotheses contradict each other",
            link={"kind": "empty", "key": "one.nothing.empty", "verdict": "proved"},
        ),
    ),
    "not-checkable": (Evidence("hypotheses", "missing", "what x is"),),
    "inconclusive": (Evidence("search", "undecided", f"neither way {NASTY}"),),
}

VERDICTS = {
    "one.lemma": "violated",
    "one.lemma.repaired": "holds",
    "one.theorem/a": "holds",
    "one.theorem/b@first": "violated",
    "one.theorem/b@second": "holds",
    "one.corollary": "holds",
    "one.corollary.repaired": "holds",
    "one.nothing": "vacuous",
    "one.nothing.empty": "proved",
    "two.claim": "not-checkable",
    "two.open": "inconclusive",
    "two.exists": "proved",
}


def leaf(key: str, evidence: Sequence[Evidence], **more: Any) -> dict[str, Any]:
    """Leaf of a ledger, its verdict computed from the evidence."""
    found = verdict(evidence)
    power = next((dict(e.power) for e in evidence if e.power is not None), None)
    return {
        "id": key,
        "verdict": found.word,
        "rung": found.rung,
        "reason": found.reason,
        "scope": "",
        "tightness": None,
        "power": power,
        "follows": "unknown",
        "hint": "",
        "not_needed": list(spared(evidence)),
        "repairs": [],
        "laws": [],
        "witness": None,
        "evidence": [item.to_json() for item in evidence],
        **more,
    }


def library() -> Library:
    """The statements as a catalogue."""
    return Library(STATEMENTS, AXES)


def ledger(folder: Path) -> Path:
    """Write the ledger and its witnesses."""
    path = folder / "small.json"
    entries, known = [], library()
    for entry in known:
        leaves = [_leaf(s.key, path) for s in entry.claims]
        spent = dict.fromkeys((x["id"] for x in leaves), 0.1)
        entries.append(entry_json(entry, leaves, spent, known.axes[entry.paper]))
    content = ledger_json(entries, known, seed=0, profile="quick", device="cpu", complete=True)
    write_json(path, content)
    return path


def change(path: Path, entry: str, **fields: Any) -> None:
    """Overwrite fields of an entry of a ledger file."""
    content = json.loads(path.read_text())
    for line in content["entries"]:
        if line["key"] == entry:
            line.update(fields)
    path.write_text(json.dumps(content))


def _leaf(key: str, path: Path) -> dict[str, Any]:
    made = leaf(key, EVIDENCE[VERDICTS[key]])
    if made["verdict"] == "holds":
        made["tightness"] = {"ratio": 0.97, "instance": {"x": 0.5, "A": [[1.0, 2.5]]}}
        made["scope"] = "family: N=1; N=2; N=3; N=4; N=5"
    if made["verdict"] == "violated":
        made.update(hint="with 2 beta no instance breaks the claim", follows="no")
        file = witness_path(path, key)
        write_json(file, _witness(key, made["evidence"][0]["witness"]))
        made["witness"] = file.relative_to(path.parent).as_posix()
    return made


def _witness(key: str, numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "schema": "fedassay-witness/1",
        "key": key,
        **numbers,
        "instance": {
            "family": "numbers",
            "data": {},
            "method": None,
            "params": {"x": "7/3", "label": NASTY},
            "units": {},
        },
        "seed": 0,
        "code": "0" * 64,
    }
