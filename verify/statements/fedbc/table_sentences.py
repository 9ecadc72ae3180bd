"""Sentences of the text that the printed tables decide."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from verify.claim import Sides, numbers, open_claim, statement
from verify.statements.fedbc import tables
from verify.statements.fedbc.tables import EXPONENTS, TABLE1, Row
from verify.world.world import World

Table = Mapping[str, Row]
NUMBERS = numbers({}, about="numbers of the paper")
OURS = "FedBC"


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


_T2, _T3, _T6, _T7, _T8, _T9 = (
    tables.TABLE2,
    tables.TABLE3,
    tables.TABLE6,
    tables.TABLE7,
    tables.TABLE8,
    tables.TABLE9,
)
_MNIST = min(_gaps(t[c], EXPONENTS) for t in (_T7, _T8) for c in t)
_THREE = min(t[1][OURS][2] - t[1]["FedAvg"][2] for t in (_T7, _T8))
_BEST = min(
    _gaps(TABLE1, EXPONENTS), _MNIST, *(_gaps(t[c], EXPONENTS) for t in (_T2, _T6) for c in t)
)
_WORSE = min(
    _T2[1][good][c] - _T2[1][bad][c]
    for bad in ("pFedMe", "Per-FedAvg")
    for good in ("FedAvg", "FedProx", OURS)
    for c in EXPONENTS
)
_LOCAL = min(
    min(_T3[c][OURS][k] - _T3[c]["pFedMe"][k], _T3[c]["Per-FedAvg"][k] - _T3[c][OURS][k])
    for c in _T3
    for k in EXPONENTS
)
_IMPROVES = min(_T3[c]["Per-FedBC"][k] - _T3[c][OURS][k] for c in (1, 3) for k in EXPONENTS)
_SHAKE = {k: {m: (v,) for m, v in row.items()} for k, row in _T9.items()}
_VAR1, _VAR5 = _T9[1, "var"], _T9[5, "var"]
_VARIANCE1 = min(_VAR1[m] - _VAR1[OURS] for m in ("FedAvg", "q-FedAvg", "FedProx"))
_VARIANCE5 = min(
    _VAR5["FedAvg"] - _VAR5[OURS],
    *(_VAR5[OURS] - _VAR5[m] for m in ("q-FedAvg", "FedProx", "Scaffold")),
)


def _lead(w: World, lead: int, above: int) -> Sides:
    return {"rival": 10_000 + above}, {"method": 10_000 + lead}


LEADS = tuple(
    statement(
        f"fedbc.text/{name}",
        where="Section 5, Appendix E",
        kind="claim",
        title=title,
        latex=r"\text{rival}\le\text{method}",
        family=NUMBERS,
        note="""Smallest lead of the named method, over every column and rival that the sentence
        names, both sides raised by 100 %.""",
    )(partial(_lead, lead=lead, above=above))
    for name, lead, above, title in (
        ("table1", _gaps(TABLE1, EXPONENTS), 0, "FedBC best in Table 1"),
        ("table2-C1", _gaps(_T2[1], EXPONENTS), 0, "FedBC best in Table 2 at C = 1"),
        ("table2-personal", _WORSE, 0, "pFedMe and Per-FedAvg below FedAvg, FedProx and FedBC"),
        ("table3-between", _LOCAL, 0, "FedBC between pFedMe and Per-FedAvg in Table 3"),
        (
            "table3-per",
            min(_gaps(_T3[c], range(1, 5), own="Per-FedBC") for c in (2, 3)),
            0,
            "Per-FedBC best at 1.2 to 1.5 for C = 2, 3",
        ),
        (
            "table3-first",
            min(_gaps(_T3[c], (0,), own="Per-FedAvg") for c in (1, 2, 3)),
            0,
            "Per-FedAvg best at 1.1",
        ),
        ("table3-improves", _IMPROVES, 0, "Per-FedBC above FedBC at C = 1, 3"),
        ("table6-13", _gaps(_T6[1], (2,)), 300, "more than 3 % ahead at 1.3 in Table 6"),
        ("table7-8", _MNIST, 0, "FedBC best on MNIST"),
        ("table7-3", _THREE, 250, "3 % ahead of FedAvg at C = 1, 1.3, in whole per cents"),
        (
            "table8-124",
            min(_gaps(_T8[c], (1, 3, 4)) for c in (1, 3)),
            0,
            "FedBC best at 1.2, 1.4, 1.5 for C = 1, 3 in Table 8",
        ),
        (
            "table9-above",
            _gaps(_SHAKE[1, "acc"], (0,), ("q-FedAvg", "Scaffold")),
            0,
            "above q-FedAvg and Scaffold at E = 1",
        ),
        (
            "table9-below",
            -max(_gaps(_SHAKE[1, "acc"], (0,), (m,)) for m in ("FedAvg", "FedProx")),
            0,
            "below FedAvg and FedProx at E = 1",
        ),
        ("table9-best", _gaps(_SHAKE[5, "acc"], (0,)), 0, "best at E = 5"),
        (
            "table9-scaffold",
            min(row[m] - row["Scaffold"] for row in (_VAR1, _VAR5) for m in row),
            0,
            "variance of Scaffold smallest",
        ),
        ("table9-variance1", _VARIANCE1, 0, "variance smaller than the others' at E = 1"),
        (
            "table9-variance5",
            _VARIANCE5,
            0,
            "variance below FedAvg's and above the others' at E = 5",
        ),
        ("takeaway-global@every-cell", _BEST, 0, "best global performance against all baselines"),
        (
            "takeaway-global@in-general",
            min(_gaps(TABLE1, EXPONENTS), _mean_gap(_T2, _T6, _T7, _T8)),
            0,
            "best global performance on average",
        ),
    )
)


mnist_repaired = LEADS[0].variant(
    "fedbc.text.repaired/table7-8",
    title="FedBC best on MNIST on average",
    sides=partial(_lead, lead=_mean_gap(_T7, _T8), above=0),
    note="Smallest of the leads over each rival, averaged over all cells of Tables 7 and 8.",
    proof="The means of the tables.",
)


def _equal(w: World, value: int, printed: int) -> Sides:
    return {"table": value}, {"text": printed}


DIFFERENCES = tuple(
    statement(
        f"fedbc.text/{name}",
        where="Section 5",
        kind="claim",
        title=title,
        relation="==",
        latex=r"\text{table}=\text{text}",
        family=NUMBERS,
        note="The difference in the table against the number in the text, in hundredths.",
    )(partial(_equal, value=above[column] - below[column], printed=printed))
    for name, above, below, column, printed, title in (
        ("table2-789", _T2[3][OURS], _T2[3]["FedAvg"], 4, 789, "lead over FedAvg at C = 3"),
        ("table2-459", _T2[1][OURS], _T2[1]["FedAvg"], 1, 459, "lead over FedAvg at 1.2"),
        ("table2-441", _T2[1][OURS], _T2[1]["FedAvg"], 3, 441, "lead over FedAvg at 1.4"),
        ("table3-755", _T3[3]["FedBC-FineTune"], _T3[3][OURS], 4, 755, "gain of fine-tuning"),
        (
            "table3-1699",
            _T3[3]["FedBC-FineTune"],
            _T3[3][OURS],
            2,
            1699,
            "gain of fine-tuning at 1.3",
        ),
    )
)
local_performance = open_claim(
    "fedbc.text/takeaway-local",
    "claim",
    "Section 5",
    r"\text{local accuracy}",
    "reasonably good local performance",
    "what counts as reasonably good",
)
