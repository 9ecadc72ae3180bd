r"""The one record of the toolkit: a checkable claim, written as one block.

An identity, a one-step inequality in conditional mean, a bound after T steps, a high-probability
bound and "method X is method Y when ..." are all a :class:`Statement`.  It says what the two sides
are in a world, under which hypotheses, over which part of the randomness, and where to look.
:func:`statement` makes one of the function of its sides::

    @statement(
        "mine.mean", where="Lemma 1", latex=r"4xy \le (x+y)^2", family=NUMBERS,
        given=[Hypothesis("x is at least 1", r"x\ge1", lambda w: w.x - 1)],
        proof="(x - y)^2 is not negative.",
    )
    def mean(w):
        return {"product": 4 * w.x * w.y}, {"square": (w.x + w.y) ** 2}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from inspect import cleandoc
from types import FunctionType
from typing import TYPE_CHECKING, Any, overload

from bounds.numbers.validate import require
from verify.claim.constant import Bounded, NamedConstant
from verify.claim.hypothesis import Hypothesis, hypotheses_of
from verify.claim.literals import exact_literals
from verify.claim.parameters import Family, Real, Shape
from verify.claim.readings import Readings, expanded

if TYPE_CHECKING:
    from verify.claim.instance import Instance
    from verify.world.world import World

__all__ = [
    "Family",
    "Hypothesis",
    "Real",
    "Rule",
    "Shape",
    "Sides",
    "Source",
    "Statement",
    "Terms",
    "described",
    "noting_statements",
    "open_claim",
    "statement",
]

Terms = Mapping[str, Any]
"""Named terms of one side."""
Sides = tuple[Terms, Terms]
"""Both sides, left and right."""
Rule = Callable[["World"], Sides]

RELATIONS = ("<=", ">=", "==", "<~")
OVERS = ("point", "mean", "path", "prob")
SETTING = (
    "family",
    "also",
    "given",
    "defines",
    "relation",
    "over",
    "delta",
    "quantifier",
    "kind",
    "title",
)
"""Fields that another formula of the same setting keeps."""
KEY = re.compile(r"\w[\w.+-]*(/\w[\w.+-]*)*(@\w[\w.+-]*)?")
"""Keys name files and stand in commands and tables: no blanks, quotes or control characters."""

LONGEST = 120
"""Characters of a key."""

FORMS = ("printed", "repaired", "explicit", "refined", "empty", "trivial")


_MADE: ContextVar[list[str] | None] = ContextVar("keys of the statements made", default=None)


@contextmanager
def noting_statements() -> Iterator[list[str]]:
    """Inside, the list takes the key of every statement that is made, deductions left out."""
    found: list[str] = []
    token = _MADE.set(found)
    try:
        yield found
    finally:
        _MADE.reset(token)


@dataclass(frozen=True)
class Source:
    """Where a statement stands: paper key, place in the paper, arXiv identifier if known."""

    paper: str
    where: str
    arxiv: str = ""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One checkable claim: ``left RELATION right`` wherever the hypotheses hold.

    Parameters
    ----------
    key : str
        ``paper.id`` or, for one part or reading of it, ``paper.id/part@reading``.
    source : Source
        Paper and place; :func:`statement` makes it of the key and ``where``.
    latex : str
        The claim in mathematics.
    family : Family
        Where to look for instances.
    also : tuple of Family
        Further families whose instances the claim is about; each is searched too.
    sides : callable
        ``world -> ({name: term}, {name: term})``; a negative term counts on the other side.
    given : sequence of Hypothesis
        What is assumed; all of it must hold on every outcome.
    defines : mapping
        Symbols that the statement itself defines (a step-size rule, a constant), world -> value.
    relation : {"<=", ">=", "==", "<~"}
        ``<~`` means up to an unnamed constant.
    over : {"point", "mean", "path", "prob"}
        What is compared: each point, the means over the noise, every outcome, or the probability
        of ``left > right`` with ``delta``.
    delta : callable or None
        World -> level, for ``over="prob"``.
    quantifier : {"all", "some"}
        Whether all instances must satisfy the claim or one suffices.
    form : str
        printed, repaired, explicit, refined, empty or trivial; by default as the key ends.
    kind : str
        theorem, lemma, property, definition, remark, proof step, claim, or deduction: a record
        that serves another one and is no line of the ledger.
    proof : str
        Why it is true, or why it fails, for the reader.
    note : str
        Other commentary: a reading, where the bound is tight, what is left out.
    uses : tuple of str
        Keys of the statements that this one rests on.
    empties : str
        For the form ``empty``: key of the statement whose hypotheses this one refutes.
    lift : callable or None
        For the form ``empty``: world of the refuted statement -> the scalars of this one, so that
        the hypotheses here can be checked to be consequences of the ones there.
    simulate : tuple of callables
        Larger instances for the simulation rung, each ``() -> Instance``.
    ceiling : callable or None
        World -> proved upper bound of the left side on every outcome; lets simulation certify.
    trivial : mapping
        Do-nothing bounds by name, world -> a bound of the bounded side that needs no theorem; a
        claim that they beat everywhere says nothing.
    deduction : Statement or None
        For a proof step: the same inequality over free non-negative symbols, its hypotheses the
        displays before it. Proved means that the step follows from them, violated that it does
        not.
    constant : NamedConstant or None
        Of an explicit form that :meth:`bounded` has made of a claim up to a constant.
    missing : str
        What is missing to check the claim; such a statement is ``not-checkable``.
    try_first : tuple of mapping
        Instances to ask about before any search: every parameter by its name, with a number or one
        for each entry, and entries of the shape where they matter. The first of them that breaks
        the claim is the witness that is shown; of one that does not, nothing is said.
    """

    key: str
    source: Source
    latex: str
    family: Family = field(default_factory=lambda: Family({}))
    also: tuple[Family, ...] = ()
    sides: Rule | None = None
    given: Sequence[Hypothesis] = ()
    defines: Mapping[str, Callable[[World], Any]] = field(default_factory=dict)
    relation: str = "<="
    over: str = "point"
    delta: Callable[[World], Any] | None = None
    quantifier: str = "all"
    form: str = ""
    kind: str = "theorem"
    title: str = ""
    proof: str = ""
    note: str = ""
    uses: tuple[str, ...] = ()
    empties: str = ""
    lift: Callable[[World], Mapping[str, Any]] | None = None
    simulate: tuple[Callable[[], Instance], ...] = ()
    ceiling: Callable[[World], Any] | None = None
    trivial: Mapping[str, Callable[[World], Any]] = field(default_factory=dict)
    deduction: Statement | None = None
    constant: NamedConstant | None = None
    missing: str = ""
    try_first: Sequence[Mapping[str, Any]] = ()

    def __post_init__(self) -> None:
        require_key("key", self.key)
        made = _MADE.get()
        if made is not None and self.kind != "deduction":
            made.append(self.key)
        require(
            isinstance(self.source, Source),
            f"{self.key}: source",
            "a Source",
            repr(self.source),
            "write Source(paper, where), or where='Lemma 1' in @statement",
        )
        if self.empties:
            require_key(f"{self.key}: empties", self.empties)
        require(
            isinstance(self.uses, tuple | list),
            f"{self.key}: uses",
            "a tuple of keys",
            repr(self.uses),
            "write uses=(KEY,)",
        )
        for used in self.uses:
            require_key(f"{self.key}: uses", used)
        if not self.form:
            object.__setattr__(self, "form", form_of(self.key))
        object.__setattr__(self, "given", hypotheses_of(self.key, self.given))
        for name, allowed in (("relation", RELATIONS), ("over", OVERS), ("form", FORMS)):
            value = getattr(self, name)
            what = f"{self.key}: {name}"
            require(value in allowed, what, f"one of {allowed}", value, "choose one")
        for name, value in (("family", self.family), *(("also", item) for item in self.also)):
            require(
                isinstance(value, Family),
                f"{self.key}: {name}",
                "a Family",
                value,
                "pass numbers({'x': Real(0, 10)}), quadratics(...), functions(...) or Family(...)",
            )
        for name in ("sides", "delta", "ceiling"):
            rule = getattr(self, name)
            require(
                rule is None or callable(rule),
                f"{self.key}: {name}",
                "a function of the world",
                rule,
                f"pass lambda w: {rule}",
            )
        for name in ("defines", "trivial"):
            rules = getattr(self, name)
            wrong = next((k for k, v in dict(rules).items() if not callable(v)), None)
            require(
                wrong is None,
                f"{self.key}: {name}",
                "functions of the world by name",
                wrong and f"{rules[wrong]!r} for {wrong!r}",
                "pass {name: lambda w: value}",
            )
        require(
            self.quantifier in ("all", "some"),
            f"{self.key}: quantifier",
            "all or some",
            self.quantifier,
            "choose one",
        )
        require(
            self.sides is not None or bool(self.missing),
            f"{self.key}: sides",
            "given",
            None,
            "pass sides=..., or missing=... for a claim that cannot be checked",
        )
        require(
            self.over != "prob" or self.delta is not None,
            f"{self.key}: delta",
            "given",
            None,
            "pass delta=world -> level with over='prob'",
        )
        for name in ("sides", "delta", "ceiling"):
            if callable(rule := getattr(self, name)):
                object.__setattr__(self, name, exact_literals(rule))
        for name in ("defines", "trivial"):
            rules = {k: exact_literals(rule) for k, rule in getattr(self, name).items()}
            object.__setattr__(self, name, rules)

    def require_instances(self) -> None:
        """Instances to try first name every parameter of a family, and what its shapes name.

        Asked of an author alone: the same claim on one of its families has them all still.

        Raises
        ------
        InvalidInput
        """
        families = (self.family, *self.also)
        for numbers in self.try_first:
            named = set(numbers) if isinstance(numbers, Mapping) else set()
            require(
                any(set(f.box) <= named <= {*f.box, *f.shapes[0]} for f in families),
                f"{self.key}: try_first",
                "a sequence of instances, each a number for every parameter, and sizes by name",
                numbers,
                f"name {', '.join([*self.family.box, *self.family.shapes[0]])}",
            )

    @property
    def entry(self) -> str:
        """Key of the ledger entry that this leaf belongs to."""
        return self.key.split("/")[0].split("@")[0]

    @property
    def part(self) -> str:
        """Part of the entry (a chain of inequalities has several), empty if it is all of it."""
        return self.key.split("@")[0].partition("/")[2]

    @property
    def reading(self) -> str:
        """Reading of an open place in the paper, empty if there is only one."""
        return self.key.partition("@")[2]

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options of the paper's axes that this leaf takes."""
        return tuple(self.reading.split("+")) if self.reading else ()

    @property
    def strict(self) -> frozenset[str]:
        """Names of the hypotheses whose margin must be above 0."""
        return frozenset(item.name for item in self.given if item.strict)

    @property
    def bound_side(self) -> int:
        """Which side is the bound: 1 for ``<=``, 0 for ``>=``."""
        return 0 if self.relation == ">=" else 1

    @property
    def commentary(self) -> str:
        """What the author of the record says about it: the note, then the proof."""
        proof = cleandoc(self.proof)
        if proof and not proof.startswith("Proof"):
            proof = f"Proof. {proof}"
        return "\n\n".join(part for part in (cleandoc(self.note), proof) if part)

    def __call__(self, world: World) -> Sides:
        """Both sides in a world, as the function that the record was made of gives them."""
        require(self.sides is not None, self.key, "a claim with sides", self.missing, "it has none")
        assert self.sides is not None
        return self.sides(world)

    def like(
        self, key: str, *, latex: str, where: Any = None, **changes: Any
    ) -> Callable[[Rule], Statement]:
        """Decorator: another formula under the same hypotheses, on the same instances.

        Family, hypotheses, definitions, kind, title, relation and what is compared stay unless
        they are changed; everything that is said or linked (note, proof, uses, ...) starts anew.

        Parameters
        ----------
        key, latex, where
            As for :func:`statement`; the place stays if none is named.
        **changes
            Fields of :class:`Statement`.
        """
        kept = {name: getattr(self, name) for name in SETTING}
        if "family" in changes:
            kept["also"] = ()
        place = self.source.where if where is None else where
        return statement(key, where=place, latex=latex, **{**kept, **changes})

    def repaired(self, **changes: Any) -> Callable[[Rule], Statement]:
        """Decorator: the form that holds where the printed one falls; see :meth:`derived`."""
        return self.derived("repaired", **changes)

    def refined(self, **changes: Any) -> Callable[[Rule], Statement]:
        """Decorator: a sharper form of the entry; see :meth:`derived`."""
        return self.derived("refined", **changes)

    def explicit(self, **changes: Any) -> Callable[[Rule], Statement]:
        """Decorator: the entry with the constant that an order hides; see :meth:`derived`."""
        return self.derived("explicit", **changes)

    def bounded(
        self,
        key: str,
        value: Callable[[Any], Any],
        *,
        says: str,
        depends: Mapping[str, Callable[[World], Any]] | None = None,
        logs: Mapping[str, Callable[[World], Any]] | None = None,
        **changes: Any,
    ) -> Statement:
        """The explicit form of a claim up to a constant: see :mod:`verify.claim.constant`.

        Parameters
        ----------
        key : str
            Of the form; its entry ends in ``.explicit``.
        value, says, depends, logs
            As for :class:`~verify.claim.constant.NamedConstant`.
        **changes
            ``latex``, ``title``, ``note``, ``proof``, the families, and hypotheses, of which there
            may be fewer.
        """
        require(self.sides is not None, f"{key}: order", "a claim with sides", self.key, "name one")
        assert self.sides is not None
        constant = NamedConstant(self.key, value, says, depends or {}, logs or {})
        silent = {"note": "", "proof": "", "uses": (), "deduction": None}
        return self.variant(
            key,
            **{
                **silent,
                "relation": "<=",
                "sides": Bounded(self.sides, constant),
                "constant": constant,
                **changes,
            },
        )

    def derived(self, form: str, *, part: str = "", **changes: Any) -> Callable[[Rule], Statement]:
        """Decorator: another form of this entry, an entry of its own in the same setting.

        Parameters
        ----------
        form : {"repaired", "refined", "explicit", "empty", "trivial"}
        part : str, optional
            Part of the new entry, if it has several.
        **changes
            Fields that differ, as for :meth:`like`; ``latex`` is one of them.
        """
        printed = self.entry.removesuffix(f".{self.form}")
        return self.like(f"{printed}.{form}" + (f"/{part}" if part else ""), **changes)

    def variant(self, key: str, *, where: Any = None, **changes: Any) -> Statement:
        """The same claim under another key, with other fields where they differ.

        Parameters
        ----------
        key : str
        where : str, optional
            Place in the paper, if it is another one.
        **changes
            Fields of :class:`Statement`.
        """
        source = replace(self.source, where=where) if where is not None else self.source
        also = () if "family" in changes else self.also
        return replace(self, **{"key": key, "source": source, "form": "", "also": also, **changes})


@overload
def statement(
    key: str, *, readings: Sequence[str], **fields: Any
) -> Callable[[Callable[..., Any]], Readings]: ...


@overload
def statement(key: str, **fields: Any) -> Callable[[Rule], Statement]: ...


def statement(
    key: str,
    *,
    where: Any = "",
    latex: Any = "",
    readings: Sequence[str] = (),
    **fields: Any,
) -> Callable[..., Any]:
    """Decorator that makes a statement of the function of its two sides.

    Parameters
    ----------
    key : str
        ``paper.id``, with ``/part`` and ``@reading``; what stands before the first dot is the
        paper's key.
    where : str, optional
        Place in the paper.
    latex : str, optional
        The claim in mathematics.
    readings : sequence of str, optional
        Axes of the paper that the claim depends on; see :mod:`verify.claim.readings`.
    **fields
        Other fields of :class:`Statement`. The docstring of the function is the ``note``, and what
        follows a paragraph's first word "Proof." the ``proof``, unless they are named here.

    Returns
    -------
    callable
        Takes ``world -> (left terms, right terms)``, returns the :class:`Statement`; with
        ``readings`` it takes ``(world, reading) -> ...`` and returns all leaves as
        :class:`~verify.claim.readings.Readings`.
    """
    require_key("key", key)
    known = [name for name in Statement.__dataclass_fields__ if name not in ("key", "source")]
    for name in (name for name in fields if name not in known):
        near = get_close_matches(name, [*known, "where"], n=1)
        remedy = f"did you mean {near[0]}" if near else f"use {', '.join(known)}"
        require(False, f"{key}: keyword", "a field of a statement", name, remedy)
    fields = {"where": where, "latex": latex, **fields}

    def made(key: str, where: str, fields: Mapping[str, Any]) -> Statement:
        found = Statement(key=key, source=Source(key.partition(".")[0], where), **fields)
        found.require_instances()
        return found

    def single(sides: Rule) -> Statement:
        given = {name: value for name, value in fields.items() if name != "where"}
        return made(key, where, {**_said(sides, fields), **given, "sides": sides})

    def several(sides: Callable[..., Any]) -> Readings:
        require(
            "@" not in key, "key", "without options where readings are named", key, "leave them out"
        )
        leaves = [
            made(name, taken.pop("where"), taken)
            for name, taken in expanded(key, readings, sides, {**_said(sides, fields), **fields})
        ]
        return Readings.of(
            leaves,
            key=key,
            axes=tuple(readings),
            fields={**fields, "sides": sides},
            setting=SETTING,
            make=statement,
        )

    return several if readings else single


def _said(sides: Callable[..., Any], fields: Mapping[str, Any]) -> dict[str, str]:
    """Note and proof as the docstring of a function has them; a deduction says nothing."""
    if fields.get("kind") == "deduction" or not isinstance(sides, FunctionType):
        return {}
    note, proof, reason = f"\n\n{cleandoc(sides.__doc__ or '')}".partition("\n\nProof. ")
    return {"note": note.strip()} | ({"proof": reason} if proof else {})


def described(key: str, kind: str, where: str, latex: str, title: str, note: str = "") -> Statement:
    """A definition, an algorithm or data: listed, nothing to decide.

    Parameters
    ----------
    key, where, latex, title, note : str
        As for :func:`statement`.
    kind : str
        definition, algorithm, data, ...
    """
    return open_claim(key, kind, where, latex, title, f"{kind}: nothing to decide", note)


def open_claim(
    key: str, kind: str, where: str, latex: str, title: str, missing: str, note: str = ""
) -> Statement:
    """A claim that cannot be checked, with what is missing; parameters as for `described`."""
    return Statement(
        key=key,
        source=Source(key.partition(".")[0], where),
        latex=latex,
        title=title,
        kind=kind,
        missing=missing,
        note=note,
    )


def require_key(name: str, key: Any) -> None:
    """Refuse what cannot be a key: it stands in file names, commands and tables."""
    good = isinstance(key, str) and len(key) <= LONGEST and KEY.fullmatch(key)
    shown = repr(key) if len(repr(key)) <= LONGEST else f"{repr(key)[:40]}..."
    require(
        bool(good),
        name,
        f"at most {LONGEST} letters, digits and . _ - + in the form paper.id/part@reading",
        shown,
        "rename it",
    )


def form_of(key: str) -> str:
    """Form that a key names: its entry's last piece, or the printed one."""
    last = key.split("/")[0].split("@")[0].rpartition(".")[2]
    return last if last in FORMS else "printed"
