r"""Words of a module in a table at its top: what it claims, what its claims assume, open places.

A line without indent is a head, an indented line a row beneath it, and a line that is indented
further goes on with the one before; their parts are divided by two colons between blanks::

    claim = Wording("mine", r'''
    Lemma 3 :: lemma
        lemma3 :: gradient domination :: \|\nabla f(w)\|^2\le2L(f(w)-f^*)
        lemma3.repaired :: for convex losses :: \|\nabla f(w)\|^2\le2L(f(w)-f^*)
    given
        smooth :: f(v)\le f(w)+\langle v-w,\nabla f(w)\rangle+\tfrac L2\|v-w\|^2 :: Lemma 3
    ''')

    @claim("lemma3", family=NUMBERS, given=[claim.given("smooth", lambda w: w.right - w.left)])
    def lemma3(w): ...

After its identifier a row has the relation and what is compared, where they are not ``<=`` and each
point; at its end, behind an arrow, what it rests on::

    lemma3 == mean :: gradient domination :: \|\nabla f(w)\|^2=2L(f(w)-f^*) <- lemma1 lemma2

The records below the table say what is not words: where a claim is tried, and, as functions, its
two sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from bounds.numbers.validate import require
from verify.claim.axes import Axis, Option
from verify.claim.hypothesis import Hypothesis, Margin
from verify.claim.readings import Readings
from verify.claim.statement import OVERS, RELATIONS, Rule, Statement, open_claim, statement

__all__ = ["Wording", "open_places"]

LISTED = ("definition", "algorithm", "data")
"""Kinds of what claims nothing."""


class Wording:
    """What a module claims, which it calls ``claim``.

    Parameters
    ----------
    paper : str
        Key of the paper.
    table : str
        Heads are a place and a kind, and a title where their rows share one; rows an identifier, a
        title and a formula, and for what cannot be checked what is missing. A row that ends before
        its formula leaves that to the record; one without options serves all readings that have no
        row of their own. Beneath the head ``given`` stand hypotheses: name, formula and place, and
        where two have one name ``word = name``, so that each has its word.

    Raises
    ------
    InvalidInput
        At a line that is neither, at what is said twice, and at a name that is not in the table.
    """

    def __init__(self, paper: str, table: str) -> None:
        self.paper = paper
        self.rows: dict[str, dict[str, Any]] = {}
        self.assumed: dict[str, tuple[str, str, str]] = {}
        tells = " <- " in table
        for head, (name, *parts) in _rows(table):
            if head == ["given"]:
                word, _, own = name.rpartition(" = ")
                _once(self.assumed, word or own, len(parts) < 3)
                self.assumed[word or own] = (own, parts[0], "".join(parts[1:]))
            else:
                name, *how = name.split()
                parts[-1], _, uses = parts[-1].partition(" <- ")
                _once(self.rows, name, len(head) > 1 and len(head) + len(parts) < 6)
                what = ("where", "kind", "title", "latex", "missing")
                self.rows[name] = dict(zip(what, [*head, *parts], strict=False))
                self.rows[name] |= {_field(word): word for word in how}
                if tells:  # where one row says what it rests on, the others rest on nothing
                    self.rows[name]["uses"] = tuple(f"{paper}.{used}" for used in uses.split())

    def said(self, name: str) -> dict[str, Any]:
        """Place, kind, title and formula of a claim."""
        return {**_known(self.rows, name if name in self.rows else name.partition("@")[0])}

    def latex(self, name: str) -> str:
        """Formula of a claim."""
        return str(self.said(name)["latex"])

    def given(self, word: str, rule: Margin, **fields: Any) -> Hypothesis:
        """The hypothesis of this name, with its rule and further fields."""
        name, latex, where = _known(self.assumed, word)
        return Hypothesis(name, latex, rule, where, **fields)

    @overload
    def __call__(
        self, name: str, *, readings: Sequence[str], **fields: Any
    ) -> Callable[[Callable[..., Any]], Readings]: ...

    @overload
    def __call__(
        self, name: str, *, like: Any = None, **fields: Any
    ) -> Callable[[Rule], Statement]: ...

    def __call__(self, name: str, *, like: Any = None, **fields: Any) -> Callable[..., Any]:
        """Decorator: the statement of this name, as :func:`verify.claim.statement` makes it.

        Parameters
        ----------
        name : str
        like : Statement, optional
            One whose setting it keeps, see :meth:`verify.claim.Statement.like`.
        **fields
            Of the statement; they go before those of the table.
        """
        make = like.like if like is not None else statement
        return make(f"{self.paper}.{name}", **{**self.said(name), **fields})

    def variant(self, leaf: Statement, name: str, **changes: Any) -> Statement:
        """Another statement's sides under this name, with other fields where they differ."""
        return leaf.variant(f"{self.paper}.{name}", **{**self.said(name), **changes})

    def bounded(self, order: Statement, name: str, *args: Any, **fields: Any) -> Statement:
        """The explicit form of an order, with the words of its row."""
        said = {k: v for k, v in self.said(name).items() if k not in ("kind", "where")}
        return order.bounded(f"{self.paper}.{name}", *args, **{**said, **fields})

    def open(self, name: str, missing: str) -> Statement:
        """A claim that cannot be checked, with what is missing."""
        row = self.said(name)
        said = (row["kind"], row["where"], row["latex"], row["title"])
        return open_claim(f"{self.paper}.{name}", *said, missing)

    def listed(self, **words: str) -> tuple[Statement, ...]:
        """All of the table without a verdict: definitions, and claims with what they lack.

        Parameters
        ----------
        **words
            What several claims lack, by the word that stands for it in the table.
        """
        found = []
        for name, row in self.rows.items():
            kind, lacks = row["kind"], row.get("missing", "")
            require(
                bool(lacks) or kind in LISTED, f"missing of {name}", "named", lacks, "add a part"
            )
            missing = words.get(lacks, lacks) or f"{kind}: nothing to decide"
            said = (kind, row["where"], row["latex"], row["title"])
            found.append(open_claim(f"{self.paper}.{name}", *said, missing))
        return tuple(found)


def open_places(table: str) -> tuple[Axis, ...]:
    """Axes of a paper from a table.

    Parameters
    ----------
    table : str
        Heads are an axis and what is open, rows an option, the printed words and what it says; the
        literal option comes first. A head that begins with ``slip ::`` is that of a misprint.
    """
    found: dict[tuple[str, ...], list[Option]] = {}
    for head, row in _rows(table):
        found.setdefault(tuple(head), []).append(Option(*row))
    strange = [head for head in found if len(head) != 2 + (head[0] == "slip")]
    require(not strange, "table", "of heads 'name :: about'", strange, "correct them")
    return tuple(
        Axis(name=head[-2], about=head[-1], options=tuple(options), slip=len(head) == 3)
        for head, options in found.items()
    )


def _rows(table: str) -> Iterator[tuple[list[str], list[str]]]:
    """Head and row, in parts."""
    lines: list[str] = []
    for line in table.strip("\n").splitlines():
        if line.startswith("        ") and lines:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    head: list[str] = []
    for line in lines:
        parts = [part.strip() for part in line.split(" :: ")]
        if line[:1].isspace():
            least = 2 if head else 0
            require(1 < least <= len(parts), "table", "of rows with a head", line, "correct it")
            yield head, parts
        else:
            head = parts


def _field(word: str) -> str:
    """Whether a word behind an identifier is the relation or what is compared."""
    known = (*RELATIONS, *OVERS)
    require(word in known, "word behind an identifier", f"one of {known}", word, "correct it")
    return "over" if word in OVERS else "relation"


def _once(table: dict[str, Any], name: str, whole: bool) -> None:
    require(whole and name not in table, "table", "of rows said once", name, "correct it")


def _known(table: dict[str, Any], name: str) -> Any:
    require(name in table, "claim", f"in the table: {list(table)}", name, "add it")
    return table[name]
