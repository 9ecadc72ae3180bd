"""A replayed witness as a record: the claim, the federation, the run, both sides term by term."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import Ball, precision
from verify.catalogue.literal import tagged
from verify.ledger.decided import decided
from verify.ledger.explain import BROKEN, COMPARED
from verify.ledger.explain import TEX as SIGNS
from verify.ledger.inside import inside
from verify.ledger.witness import Replay
from verify.ledger.written import Written, picked, written
from verify.report.by_hand.active import binding, resting
from verify.report.by_hand.federation import federation
from verify.report.by_hand.matters import Matters
from verify.report.by_hand.mechanism import mechanism
from verify.report.by_hand.notation import Notation, notation
from verify.report.by_hand.record import Page, Part, Row
from verify.report.by_hand.rounds import rounds, rules
from verify.report.by_hand.shown import Shown
from verify.report.by_hand.told import NamedWorld
from verify.report.by_hand.writing import equation, formula, honest, in_words, size
from verify.report.tex.plain import unicode_text
from verify.verdict.evidence import number_from_json
from verify.verdict.relation import room
from verify.world.noise_plan import WITHOUT_VALUE, AllOutcomes, NotAvailable
from verify.world.referee import CAP, exact_instance
from verify.world.returned import margins_of, sides_of
from verify.world.score import score_world
from verify.world.world import World

__all__ = ["page"]

STARTS = frozenset(("start", "starts", "multipliers"))
"""Where a run begins, which its first round says."""

LONGEST = 40
"""Names and numbers in a formula that is still written out."""

MOST_OUTCOMES = 16
"""Outcomes of the noise up to which formulas are tried."""

RUNS = frozenset(
    ("theta", "models", "weights", "ratio", "alpha", "server", "multipliers", "local_models")
)
"""Symbols that a run makes."""

NOT_SHOWN = frozenset(
    ("A", "xi", "half", "law", "noise_scale", "skew", "centre", "height", "width")
)
"""Data that a federation's formulas hold."""


def page(found: Replay) -> Page | None:
    """The hand computation of a witness.

    Parameters
    ----------
    found : Replay

    Returns
    -------
    Page or None
        None of a statement whose paper has no table of symbols, a user's own.
    """
    statement = found.statement
    table = notation(statement.source.paper)
    if table is None or found.recomputed["number"] == "simulated":
        return None
    made = written(statement, found.instance, found.worlds)
    told = decided(lambda: _Telling(found, table), WITHOUT_VALUE)
    told = told or _Telling(found, table, plain=True)
    parts = [*told.parts(made)]
    return Page(
        f"{statement.title} ({statement.key})" if statement.title else statement.key,
        f"{statement.source.paper}, {statement.source.where}",
        statement.latex,
        COMPARED[statement.over],
        tuple(_words(f"{option.says} ({option.words})") for option in found.reading),
        tuple(_honest(part) for part in parts if part.rows),
        _conclusion(found, found.terms if made is None else made.terms),
        mechanism(found, found.terms if made is None else made.terms, told.active()),
        statement.commentary.replace("``", ""),
    )


def _honest(part: Part) -> Part:
    return Part(part.heading, tuple(Row(honest(row.tex), row.words) for row in part.rows))


class _Telling:
    """The program of one claim, run on numbers with names."""

    def __init__(self, found: Replay, table: Notation, plain: bool = False) -> None:
        self.found, self.table, self.statement = found, table, found.statement
        self.paper = self.statement.source.paper
        self.terms: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
        self.margins: dict[str, Any] = {}
        self.outcome: int | None = None
        self.used: dict[str, Any] = {}  # values of the names in formulas written, by their TeX
        self.world: NamedWorld | None = None
        if not plain and self.statement.over != "prob":
            self._run()

    def _run(self) -> None:
        batch, noise = exact_instance(self.found.instance).batched(), AllOutcomes(CAP)
        statement = self.statement
        plain = self.found.worlds.get(precision())
        if plain is None:
            plain = World(batch, "exact", noise, statement.defines)
        scored = score_world(statement, plain)
        if scored.weights.shape[1] > MOST_OUTCOMES:
            raise NotAvailable("too many outcomes to write down")
        left, right = xp.to_float(scored.left)[0], xp.to_float(scored.right)[0]
        worst = int(np.argmin(room(scored.relation, left, right)))
        world = NamedWorld(batch, "exact", noise, statement.defines).telling(self.table.entry)
        self.terms = picked(sides_of(statement, world), statement, world, worst)
        self.margins = {
            name: self._least(margin, world)
            for name, margin in margins_of(statement, world).items()
        }
        if statement.over == "path" and scored.left.shape[1] > 1:
            self.outcome = worst
        self.world = world

    def _least(self, margin: Any, world: NamedWorld) -> Any:
        flat = [self._shown(v, world) for v in np.asarray(margin, dtype=object).reshape(-1)]
        least = flat[0]
        for one in flat[1:]:
            if _worth(one) < _worth(least):
                least = one
        return least

    def _shown(self, value: Any, world: NamedWorld) -> Any:
        return value

    def parts(self, made: Written | None) -> Iterator[Part]:
        """Everything between the claim and the conclusion."""
        sides = list(self._sides(made))
        hypotheses = Part("Hypotheses", tuple(self._hypotheses()))
        runs = [] if self.world is None else [*rounds(self.world, self.table, self.outcome)]
        numbers = list(self._numbers([*sides, hypotheses], made, bool(runs)))
        setting = "The setting" if self.found.instance.family == "numbers" else "The federation"
        yield Part(setting, tuple(self._federation()))
        if numbers:
            yield Part("Numbers", tuple(numbers))
        yield from runs
        yield hypotheses
        yield from sides

    def active(self) -> list[str]:
        """What rests and what binds."""
        if self.world is None:
            return []
        terms = [{k: self._shown(v, self.world) for k, v in side.items()} for side in self.terms]
        return [*resting(self.world), *binding(terms)]

    # -- both sides --------------------------------------------------------------------------------

    def _sides(self, made: Written | None) -> Iterator[Part]:
        event = None
        if self.statement.over == "prob":
            event = inside(self.statement, self.found.instance)
        if event is not None:
            rows = [
                *(
                    Row(f"{_label(k)} {equation(v)}")
                    for side in event.terms
                    for k, v in side.items()
                ),
                *_outcomes(event),
            ]
            yield Part("Where the left side exceeds the right one", tuple(rows))
            return
        plain = made.terms if made is not None else self.found.terms
        for name, terms, told in zip(("Left", "Right"), plain, self.terms, strict=True):
            rows = [self._term(_label(k), told.get(k), v) for k, v in terms.items()]
            if len(terms) > 1:
                total = sum(list(terms.values())[1:], start=next(iter(terms.values())))
                listed = " + ".join(equation(v).partition(" ")[2] for v in terms.values())
                signs = [equation(v).startswith("=") for v in terms.values()]
                text = f"= {listed.replace('+ -', '- ')} " if all(signs) else ""
                rows.append(Row(rf"\text{{{name.lower()} side}} {text}{equation(total)}"))
            yield Part(f"{name} side", tuple(rows))

    def _term(self, name: str, told: Any, value: Any, words: str = "") -> Row:
        """``name = formula = numbers = value``; what says the same twice is said once."""
        steps: list[str] = []
        told = told if self.world is None else self._shown(told, self.world)
        if isinstance(told, Shown) and _agree(told.value, value) and size(told, LONGEST) <= LONGEST:
            self._use(told)
            steps = [formula(told, False), formula(told, True)]
        last = equation(value)
        kept = [s for s in dict.fromkeys(steps) if f"= {s}" != last and s != name]
        return Row(" = ".join([name, *kept]) + f" {last}", words)

    def _hypotheses(self) -> Iterator[Row]:
        given = {item.name: item for item in self.statement.given}
        for name, margin in self.found.recomputed["margins"].items():
            value = number_from_json(margin["value"])
            sign = "> 0" if margin.get("strict") else r"\ge 0"
            item = given.get(name)
            means = " ".join(item.latex.split()) if item else ""
            where = tagged(item) if item else ""
            row = self._term(r"\text{margin}", self.margins.get(name), value)
            yield Row(means, _words(f"{name}; {where}" if where else name))
            yield Row(rf"{row.tex} {sign}")

    # -- what the formulas speak of ----------------------------------------------------------------

    def _use(self, shown: Shown) -> None:
        open_ = [shown]
        while open_:
            piece = open_.pop()
            if piece.made == "name":
                self.used.setdefault(piece.parts[0], piece.value)
            else:
                open_ += [p for p in piece.parts if isinstance(p, Shown)]

    def _numbers(self, parts: list[Part], made: Written | None, followed: bool) -> Iterator[Row]:
        """One line for each name that a formula has used; else for each field that matters.

        Where a run begins is told here if no run is followed round by round.
        """
        world, instance = self.world, self.found.instance
        fields = {**instance.data, **instance.params}
        done: set[str] = set()
        if world is not None:
            told = _told_runs(world)
            waiting, listed = list(self.used), []
            while waiting:
                tex = waiting.pop(0)
                name = world.fields.get(tex, "")
                if tex in done or tex in told:
                    continue
                done.add(tex)
                before = set(self.used)
                formula_of = world.formulas.get(name)
                shown = None if formula_of is None else np.asarray(formula_of, object).reshape(-1)
                one = shown[0] if shown is not None and shown.size == 1 else None
                listed.append(self._term(tex, one, self.used[tex]))
                waiting += [t for t in self.used if t not in before]
            yield from reversed(listed)
        whole, matters = _all_formulas(parts), Matters(self.statement, instance, self.found.worlds)
        named = {world.fields.get(tex, "") for tex in done} if world is not None else set()
        for name, value in fields.items():
            if instance.family != "numbers" and name in NOT_SHOWN:
                continue
            if followed and name in STARTS:
                continue
            if made is not None and name not in made.used:
                continue
            if whole and world is not None and name not in RUNS and not _needed(name, instance):
                continue
            if name in named or matters(name):
                yield from self._field(name, value, done)

    def _field(self, name: str, value: Any, done: set[str]) -> Iterator[Row]:
        if not self.table.has(name):
            raise LookupError(f"no symbol in print for {name} of {self.paper}")
        if value is None:
            return
        if isinstance(value, str | bool):
            yield Row("", f"{_plain_words(self.table.letter(name))}: {_schedule(str(value))}")
            return
        array = np.asarray(exact_instance_value(value), dtype=object)
        flat = [(index, array[index]) for index in np.ndindex(array.shape)]
        if len(flat) > 12:
            yield Row("", f"{_plain_words(self.table.letter(name))}: {len(flat)} numbers")
            return
        for index, one in flat:
            tex = self.table.entry(name, (0, *index), (1, *array.shape))
            if tex not in done:
                done.add(tex)
                yield Row(f"{tex} {equation(one)}")

    def _federation(self) -> Iterator[Row]:
        instance = self.found.instance
        rows: list[Row] = []
        if instance.family != "numbers":
            problem = World(exact_instance(instance).batched(), "exact").problem
            rows = list(federation(problem, self.table))
        yield from rows or [Row("", self._about(self.statement.family.about))]
        batch = exact_instance(instance).batched()
        yield from rules(self.world or World(batch, "exact", defines=self.statement.defines))

    def _about(self, text: str) -> str:
        """What a family is about, with its symbols as they are printed."""

        def printed(found: re.Match[str]) -> str:
            name = found[0]
            return unicode_text(self.table.letter(name)) if self.table.has(name) else name

        return re.sub(r"\b[A-Za-z]+_\w+", printed, _sums(text))


def exact_instance_value(value: Any) -> Any:
    """Floats as the fractions that they are."""
    from bounds.numbers import as_rational

    if isinstance(value, np.ndarray | float):
        return as_rational(value)
    return value


def _needed(name: str, instance: Any) -> bool:
    """Whether a run or a schedule takes the field, which formulas then do not name."""
    value = {**instance.data, **instance.params}[name]
    return isinstance(value, str | int) and not isinstance(value, bool)


def _all_formulas(parts: list[Part]) -> bool:
    """Whether every line has a formula or is zero."""
    rows = [row for part in parts for row in part.rows if not row.words]
    return all(row.tex.count("=") > 1 or row.tex.endswith("= 0") for row in rows)


def _told_runs(world: NamedWorld) -> set[str]:
    """Names of numbers that the rounds have written."""
    return {tex for tex, name in world.fields.items() if name in RUNS}


def _worth(value: Any) -> float:
    return float(xp.to_float(value.value if isinstance(value, Shown) else value))


def _agree(first: Any, second: Any) -> bool:
    """Whether a formula gives what the referee has found; of balls, whether they meet."""
    if first is None:
        return False
    if isinstance(first, Ball) or isinstance(second, Ball):
        gap = abs(first - second)
        return bool(
            (gap.lo if isinstance(gap, Ball) else gap)
            <= abs(second.mid if isinstance(second, Ball) else second) * Fraction(1, 10**15)
        )
    return bool(first == second)


def _outcomes(event: Any) -> Iterator[Row]:
    for one in event.exceeding[:8]:
        yield Row(rf"\Pr {equation(one.probability)}", one.name)
    rest = [one.probability for one in event.exceeding[8:]]
    if rest:
        yield Row(rf"\Pr {equation(sum(rest[1:], start=rest[0]))}", f"{len(rest)} more together")


def _label(name: str) -> str:
    """The author's name of a term as words in TeX."""
    return rf"\text{{{_words(name).replace(' = ', '=')}}}"


def _words(name: str) -> str:
    """A name in words, without the underscores of an index."""
    return re.sub(r"\b([A-Za-z]+)_([A-Za-z0-9*]+)", r"\1 \2", name)


def _sums(text: str) -> str:
    """A sentence without the underscores of its sums."""
    return re.sub(r"\bsum_([a-z])\b", r"sum over \1 of", text)


def _plain_words(letter: str) -> str:
    found = re.fullmatch(r"\\text\{(.*)\}", letter)
    return found[1] if found else unicode_text(letter)


def _schedule(text: str) -> str:
    return text.replace("_", " ")


def _conclusion(found: Replay, terms: tuple[Mapping[str, Any], Mapping[str, Any]]) -> Row:
    """Both sides as they are printed above, with the sign between them, and what follows.

    The search compares what is negative on the other side; that is said beside it.
    """
    numbers = found.recomputed
    left, right = number_from_json(numbers["left"]), number_from_json(numbers["right"])
    compared = left, right
    moved = any(xp.to_float(v) < 0 for side in terms for v in side.values())
    totals = [sum(side.values()) for side in terms]
    typed = moved and not _agree(totals[0], left)
    typed = typed and _agree(totals[0] - totals[1], left - right)
    if typed:
        left, right = totals
    fails = found.confirmed and numbers["quantifier"] == "all"
    relation = numbers["relation"]
    sign = SIGNS[BROKEN[relation] if fails else relation]
    names = (r"\text{left}", r"\text{right}")
    if found.statement.over == "prob":
        names = (r"\Pr[\text{left} > \text{right}]", r"\delta")
    tex = f"{names[0]} {equation(left)} {sign} {equation(right).partition(' ')[2]}"
    words = "every hypothesis holds and the claim does not"
    if not found.confirmed:
        words = "not confirmed"
    elif not fails:
        words = "every hypothesis holds and so does the claim, which asks for one such instance"
    elif "near" in numbers:
        words = (
            f"{numbers['doublings']} doublings earlier on this ray left/right was "
            f"{_near(numbers['near'])}; it grows like a power, so no constant serves"
        )
    if typed:
        first, second = map(in_words, compared)
        compared_by = BROKEN[relation] if fails else relation
        words += f"; with what is negative moved across, {first} {compared_by} {second}"
    return Row(f"{tex} = {names[1]}" if equation(right).startswith("=") else tex, words)


def _near(near: Mapping[str, Any]) -> str:
    left, right = (number_from_json(near[side]) for side in ("left", "right"))
    return f"{float(xp.to_float(left / right)):.4g}" if xp.to_float(right) else "infinite"
