"""Sentences of the text that the printed tables decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verify.claim.parameters import Family
from verify.claim.statement import Rule, Statement, Terms
from verify.statements.fedbc import tables
from verify.statements.fedbc.common import open_claim, source
from verify.world.world import World

Table = Mapping[str, tuple[int, ...]]
NUMBERS = Family({}, about="numbers of the paper")
OURS = "FedBC"
EXPONENTS = range(5)


def _gaps(table: Table, columns: Any, others: Any = None, own: str = OURS) -> int:
    """Smallest lead of one method over the others in these columns, in hundredths."""
    rivals = [m for m in table if m != own and (others is None or m in others)]
    gaps: list[int] = [table[own][c] - table[m][c] for c in columns for m in rivals]
    return min(gaps)


def _mean_gap(*groups: Mapping[int, Table]) -> int:
    """Lead of FedBC over each rival, averaged over all cells in which both stand; the smallest,
    rounded down."""
    cells = [table for group in groups for table in group.values()]
    rivals = {m for table in cells for m in table} - {OURS}

    def lead(rival: str) -> int:
        both = [t for t in cells if rival in t]
        gaps = [t[OURS][c] - t[rival][c] for t in both for c in EXPONENTS]
        return sum(gaps) // len(gaps)

    return min(lead(rival) for rival in rivals)


def _compare(lead: int, above: int = 0) -> Rule:
    """A lead of more than ``above`` hundredths, as a comparison of two accuracies."""

    def sides(w: World) -> tuple[Terms, Terms]:
        """Smallest lead of the named method, over every column and rival that the sentence names,
        both sides raised by 100 %."""
        return {"rival": 10_000 + above}, {"method": 10_000 + lead}

    return sides


def _equal(value: int, printed: int) -> Rule:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The difference in the table against the number in the text, in hundredths."""
        return {"table": value}, {"text": printed}

    return sides


def _lead(name: str, lead: int, title: str, above: int = 0) -> Statement:
    return Statement(
        key=f"fedbc.text/{name}", source=source("Section 5, Appendix E"), kind="claim", title=title,
        latex=r"\text{rival}\le\text{method}", family=NUMBERS, sides=_compare(lead, above),
    )  # fmt: skip


def _number(name: str, value: int, printed: int, title: str) -> Statement:
    return Statement(
        key=f"fedbc.text/{name}", source=source("Section 5"), kind="claim", title=title,
        latex=r"\text{table}=\text{text}", family=NUMBERS, relation="==",
        sides=_equal(value, printed),
    )  # fmt: skip


_T2, _T3, _T6, _T7, _T8, _T9 = (
    tables.TABLE2, tables.TABLE3, tables.TABLE6, tables.TABLE7, tables.TABLE8, tables.TABLE9,
)  # fmt: skip
_MNIST = min(_gaps(t[c], EXPONENTS) for t in (_T7, _T8) for c in t)
_THREE = min(t[1][OURS][2] - t[1]["FedAvg"][2] for t in (_T7, _T8))
_BEST = min(
    _gaps(tables.TABLE1, EXPONENTS), _MNIST, *(_gaps(t[c], EXPONENTS) for t in (_T2, _T6) for c in t)
)
_WORSE = min(
    _T2[1][good][c] - _T2[1][bad][c]
    for bad in ("pFedMe", "Per-FedAvg") for good in ("FedAvg", "FedProx", OURS) for c in EXPONENTS
)  # fmt: skip
_LOCAL = min(
    min(_T3[c][OURS][k] - _T3[c]["pFedMe"][k], _T3[c]["Per-FedAvg"][k] - _T3[c][OURS][k])
    for c in _T3 for k in EXPONENTS
)  # fmt: skip
_SHAKE = {k: {m: (v,) for m, v in row.items()} for k, row in _T9.items()}

STATEMENTS = (
    _lead("table1", _gaps(tables.TABLE1, EXPONENTS), "FedBC best in Table 1"),
    _number("table2-789", _T2[3][OURS][4] - _T2[3]["FedAvg"][4], 789, "lead over FedAvg at C = 3"),
    _lead("table2-C1", _gaps(_T2[1], EXPONENTS), "FedBC best in Table 2 at C = 1"),
    _number("table2-459", _T2[1][OURS][1] - _T2[1]["FedAvg"][1], 459, "lead over FedAvg at 1.2"),
    _number("table2-441", _T2[1][OURS][3] - _T2[1]["FedAvg"][3], 441, "lead over FedAvg at 1.4"),
    _lead("table2-personal", _WORSE, "pFedMe and Per-FedAvg below FedAvg, FedProx and FedBC"),
    _lead("table3-between", _LOCAL, "FedBC between pFedMe and Per-FedAvg in Table 3"),
    _number("table3-755", _T3[3]["FedBC-FineTune"][4] - _T3[3][OURS][4], 755, "gain of fine-tuning"),
    _number("table3-1699", _T3[3]["FedBC-FineTune"][2] - _T3[3][OURS][2], 1699,
            "gain of fine-tuning at 1.3"),
    _lead("table3-per", min(_gaps(_T3[c], range(1, 5), own="Per-FedBC") for c in (2, 3)),
          "Per-FedBC best at 1.2 to 1.5 for C = 2, 3"),
    _lead("table3-first", min(_gaps(_T3[c], (0,), own="Per-FedAvg") for c in (1, 2, 3)),
          "Per-FedAvg best at 1.1"),
    _lead("table3-improves", min(
        _T3[c]["Per-FedBC"][k] - _T3[c][OURS][k] for c in (1, 3) for k in EXPONENTS
    ), "Per-FedBC above FedBC at C = 1, 3"),
    _lead("table6-13", _gaps(_T6[1], (2,)), "more than 3 % ahead at 1.3 in Table 6", 300),
    _lead("table7-8@every-cell", _MNIST, "FedBC best on MNIST"),
    _lead("table7-8@average", _mean_gap(_T7, _T8), "FedBC best on MNIST on average"),
    _lead("table7-3@at-least", _THREE, "3 % ahead of FedAvg at C = 1, 1.3", 300),
    _lead("table7-3@rounded", _THREE, "3 % ahead of FedAvg at C = 1, 1.3, rounded", 250),
    _lead("table8-124", min(_gaps(_T8[c], (1, 3, 4)) for c in (1, 3)),
          "FedBC best at 1.2, 1.4, 1.5 for C = 1, 3 in Table 8"),
    _lead("table9-above", _gaps(_SHAKE[1, "acc"], (0,), ("q-FedAvg", "Scaffold")),
          "above q-FedAvg and Scaffold at E = 1"),
    _lead("table9-below", min(_T9[1, "acc"][m] - _T9[1, "acc"][OURS] for m in ("FedAvg", "FedProx")),
          "below FedAvg and FedProx at E = 1"),
    _lead("table9-best", _gaps(_SHAKE[5, "acc"], (0,)), "best at E = 5"),
    _lead("table9-scaffold", min(
        row[m] - row["Scaffold"] for k, row in _T9.items() if k[1] == "var" for m in row
    ), "variance of Scaffold smallest"),
    _lead("table9-variance1", min(
        _T9[1, "var"][m] - _T9[1, "var"][OURS] for m in ("FedAvg", "q-FedAvg", "FedProx")
    ), "variance smaller than the others' at E = 1"),
    _lead("table9-variance5", min(
        _T9[5, "var"]["FedAvg"] - _T9[5, "var"][OURS],
        *(_T9[5, "var"][OURS] - _T9[5, "var"][m] for m in ("q-FedAvg", "FedProx", "Scaffold")),
    ), "variance below FedAvg's and above the others' at E = 5"),
    _lead("takeaway-global@every-cell", _BEST, "best global performance against all baselines"),
    _lead("takeaway-global@average", min(
        _gaps(tables.TABLE1, EXPONENTS), _mean_gap(_T2, _T6, _T7, _T8)
    ), "best global performance on average"),
    open_claim("text/takeaway-local", "claim", "Section 5", r"\text{local accuracy}",
               "reasonably good local performance", "what counts as reasonably good"),
)  # fmt: skip
