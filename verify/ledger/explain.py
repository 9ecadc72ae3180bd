"""The hand computation of a witness, in text and in TeX, as it would go into a letter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bounds.generic import to_float
from verify.catalogue.literal import tagged
from verify.ledger.inside import Inside, inside
from verify.ledger.repair_lines import repair_lines
from verify.ledger.shown import escape, short, value_tex, value_text
from verify.ledger.witness import Replay
from verify.ledger.written import Formula, Written, written
from verify.verdict.evidence import number_from_json, number_to_json

OUTCOMES_WRITTEN = 8
"""Outcomes of a high-probability claim that are written out."""

BROKEN = {"<=": ">", ">=": "<", "==": "!=", "<~": ">>"}
COMPARED = {
    "point": "the two sides at this point",
    "mean": "the exact means of both sides over the noise",
    "path": "the two sides on the outcome of the noise that is worst for the claim",
    "prob": "the exact probability that the left side exceeds the right one",
}
TEX = {
    "<=": r"\le",
    ">=": r"\ge",
    "==": "=",
    ">": ">",
    "<": "<",
    "!=": r"\ne",
    "<~": r"\lesssim",
    ">>": r"\gg",
}


@dataclass(frozen=True)
class Line:
    """``name = value``, and what it must be (``needed``) or what comes with it (``note``).

    ``tex`` is the mathematics behind the name, where there is some, ``formula`` what the author
    wrote for the value.
    """

    name: str
    value: Any
    needed: str = ""
    note: str = ""
    tex: str = ""
    formula: Formula = field(default_factory=Formula)


@dataclass(frozen=True)
class Section:
    """Heading with its lines."""

    heading: str
    lines: tuple[Line, ...]


def sections(found: Replay) -> tuple[Section, ...]:
    """The computation step by step: instance, constants, hypotheses, both sides.

    Parameters
    ----------
    found : Replay

    Returns
    -------
    tuple of Section
        Empty ones are left out.
    """
    instance, numbers = found.instance, found.recomputed
    made = written(found.statement, instance)
    fields = {**instance.data, **instance.params}
    derived = {k: v for k, v in (found.symbols or {}).items() if k not in fields}
    if made is not None:
        derived |= {k: v for k, v in made.defined.items() if k not in fields}
        fields = {k: v for k, v in fields.items() if k in made.used}
    given = {item.name: item for item in found.statement.given}
    tex = {name: " ".join(item.latex.split()) for name, item in given.items()}
    margins = tuple(
        Line(
            name,
            number_from_json(m["value"]),
            "> 0" if m.get("strict") else ">= 0",
            tagged(given[name]) if name in given else "",
            tex.get(name, ""),
        )
        for name, m in numbers["margins"].items()
    )
    listed = [
        Section("Instance", tuple(Line(k, v) for k, v in fields.items())),
        Section("Constants derived from it", tuple(Line(k, v) for k, v in derived.items())),
        Section("Hypotheses, as margins that must not be negative", margins),
        *_event(found),
        *_sides(found, made),
    ]
    return tuple(section for section in listed if section.lines)


def as_text(found: Replay) -> str:
    """Plain text of the computation."""
    statement = found.statement
    out = [
        f"{statement.key}{': ' + statement.title if statement.title else ''}",
        f"Source: {statement.source.paper}, {statement.source.where}",
        f"Claim: {statement.latex}",
        f"Compared: {COMPARED[statement.over]}",
        *(f"Reading: {option.says}; {option.words}" for option in found.reading),
        f"Problem: {_problem(found)}",
    ]
    if comment := statement.commentary:
        out += ["", "Comment", *(f"  {line}".rstrip() for line in comment.splitlines())]
    for section in sections(found):
        out += ["", section.heading]
        width = max(len(line.name) for line in section.lines)
        for line in section.lines:
            said = "; ".join(part for part in (line.needed, line.tex, line.note) if part)
            note = f"   ({said})" if said else ""
            out.append(f"  {line.name:<{width}} = {equation(line)}{note}")
    out += ["", "Conclusion", f"  {conclusion(found)}"]
    if laws := found.stored.get("laws", []):
        out += ["", "Laws of growth", *(f"  {law['text']}" for law in laws)]
    if lines := repair_lines(found.stored.get("repairs", [])):
        out += ["", "What stands instead", *(f"  {line}" for line in lines)]
    return "\n".join(out)


def as_tex(found: Replay) -> str:
    """TeX of the computation, a fragment for ``amsmath``."""
    statement = found.statement
    out = [
        rf"\paragraph{{{escape(statement.source.where)}}}",
        "The claim",
        rf"\[ {statement.latex} \]",
        f"was evaluated on the following instance ({escape(_problem(found))});",
        f"compared: {COMPARED[statement.over]}.",
        *(f"Read so that {escape(o.says)} ({escape(o.words)})." for o in found.reading),
    ]
    if comment := statement.commentary:
        out += [r"\begin{quote}", escape(comment), r"\end{quote}"]
    for section in sections(found):
        out += [rf"\emph{{{escape(section.heading)}.}}", r"\begin{align*}"]
        out += [" \\\\\n".join(_row_tex(line) for line in section.lines), r"\end{align*}"]
    return "\n".join([*out, _conclusion_tex(found)])


def conclusion(found: Replay) -> str:
    """One sentence with both sides."""
    left, right, sign, fails = _outcome(found)
    names = ("Pr[left > right]", "delta") if _probable(found) else ("left", "right")
    text = f"{names[0]} = {value_text(left)} {sign} {value_text(right)} = {names[1]}"
    return f"{text}: {_meaning(found, fails)}"


def _sides(found: Replay, made: Written | None) -> Iterator[Section]:
    """Both sides, their terms where the author wrote them; then what is compared, if it differs."""
    stored = [number_from_json(found.recomputed[side]) for side in ("left", "right")]
    if made is None or not (made.terms[0] or made.terms[1]):
        for name, terms, total in zip(("Left", "Right"), found.terms, stored, strict=True):
            lines = tuple(Line(k, v) for k, v in terms.items())
            yield Section(f"{name} side", (*lines, Line("total", total)))
        return
    steps = tuple(Line(k, v, formula=f) for k, (f, v) in made.steps.items() if v is not None)
    yield Section("Names that the claim gives", steps)
    for name, terms, total in zip(("Left", "Right"), made.terms, made.totals, strict=True):
        lines = tuple(Line(k, v, formula=made.formulas.get(k, Formula())) for k, v in terms.items())
        whole = (Line("total", total),) if len(lines) > 1 else ()
        yield Section(f"{name} side", (*lines, *whole))
    if [number_to_json(v) for v in stored] != [number_to_json(v) for v in made.totals]:
        moved = (Line("left", stored[0]), Line("right", stored[1]))
        yield Section("Compared, each negative term on the other side", moved)


def equation(line: Line) -> str:
    """Formula, the same with numbers, and value; what says the same twice is said once."""
    value = value_text(line.value)
    plain = value.partition(" = ")[0]
    steps = [line.formula.text, line.formula.numbers]
    kept = [text for text in dict.fromkeys(steps) if text and text not in (line.name, plain)]
    return " = ".join([*kept, value])


def equation_tex(line: Line) -> str:
    """The same in TeX."""
    value = value_tex(line.value)
    steps = [line.formula.tex, line.formula.numbers_tex]
    return " = ".join([*(text for text in dict.fromkeys(steps) if text and text != value), value])


def _probable(found: Replay) -> bool:
    """Whether a probability is compared (a simulated witness compares means)."""
    return found.statement.over == "prob" and found.recomputed["number"] != "simulated"


def _event(found: Replay) -> Iterator[Section]:
    """Both sides inside the event of a high-probability claim, and where it happens."""
    listed = inside(found.statement, found.instance) if _probable(found) else None
    if listed is None:
        return
    first, few = listed.exceeding[0], listed.count == 1
    where = "there is one outcome only" if few else f"on the most probable outcome, {first.name}"
    yield Section(
        f"Both sides where left > right: {where}",
        (
            *(Line(name, value) for name, value in listed.terms[0].items()),
            Line("left", first.left),
            *(Line(name, value) for name, value in listed.terms[1].items()),
            Line("right", first.right),
        ),
    )
    if few:
        return
    yield Section(
        f"Probabilities of the outcomes where left > right, {len(listed.exceeding)} of "
        f"{listed.count}",
        tuple(_outcomes(listed)),
    )


def _outcomes(listed: Inside) -> Iterator[Line]:
    for one in listed.exceeding[:OUTCOMES_WRITTEN]:
        note = f"left = {short(one.left)}, right = {short(one.right)}"
        yield Line(one.name, one.probability, note=note)
    rest = [one.probability for one in listed.exceeding[OUTCOMES_WRITTEN:]]
    if rest:
        yield Line(f"{len(rest)} more together", sum(rest[1:], start=rest[0]))


def _problem(found: Replay) -> str:
    instance = found.instance
    method = f", method {instance.method}" if instance.method else ""
    return f"{instance.family}{method}"


def _outcome(found: Replay) -> tuple[Any, Any, str, bool]:
    """Sides, the sign between them, and whether the claim's relation fails."""
    numbers = found.recomputed
    left, right = number_from_json(numbers["left"]), number_from_json(numbers["right"])
    relation = numbers["relation"]
    fails = found.confirmed and numbers["quantifier"] == "all"
    return left, right, BROKEN[relation] if fails else relation, fails


def _meaning(found: Replay, fails: bool) -> str:
    if fails and "near" in found.recomputed:
        near, doublings = found.recomputed["near"], found.recomputed["doublings"]
        ratio = [number_from_json(near[side]) for side in ("left", "right")]
        before = float(to_float(ratio[0] / ratio[1]))
        return (
            f"{doublings} doublings earlier on this ray left/right was {before:.4g}; "
            "it grows like a power, so no constant serves."
        )
    if fails and found.recomputed["relation"] == "<~":
        return "the right side is zero and the left one is not, so no constant serves."
    if fails:
        return "every hypothesis holds and the claim does not."
    if found.confirmed:
        return "every hypothesis holds and so does the claim, which asks for one such instance."
    return "not confirmed."


def _row_tex(line: Line) -> str:
    needed = line.needed.replace(">=", TEX[">="])
    note = rf" \quad (\text{{needed: }} {needed})" if needed else ""
    note += rf" \quad (\text{{{escape(line.note)}}})" if line.note else ""
    note += rf" \quad ({line.tex})" if line.tex else ""
    return rf"  \text{{{escape(line.name)}}} &= {equation_tex(line)}{note}"


def _conclusion_tex(found: Replay) -> str:
    left, right, sign, fails = _outcome(found)
    names = (r"\text{left}", r"\text{right}")
    if _probable(found):
        names = (r"\Pr[\text{left} > \text{right}]", r"\delta")
    body = f"{names[0]} = {value_tex(left)} {TEX[sign]} {value_tex(right)} = {names[1]}"
    meaning = _meaning(found, fails)
    return f"Hence\n\\[ {body} . \\]\n{meaning[0].upper()}{meaning[1:]}"
