"""The printed tables: means in hundredths of a per cent, the sentences of the text that they decide,
and what the tables themselves would need.  Also Table 4, the classes of the devices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from verify.claim import Reading, Sides, numbers
from verify.statements.fedbc import quantities as q
from verify.world.world import World

claim = q.Claims(r"""
Section 5, Appendix E :: claim
    text/takeaway-global :: best global performance :: \text{rival}\le\text{method}
    text.repaired/table7-8 :: FedBC best on MNIST on average :: \text{rival}\le\text{method}
Table 4 :: data
    table4/devices :: twenty devices :: \sum m=20
    table4/classes :: at most ten classes :: c\le10
""")

Row = tuple[int, ...]

NINTH = ("FedAvg", "q-FedAvg", "FedProx", "Scaffold", "FedBC")
EXPONENTS = range(5)
"""Places of the columns of a table: E = 1, 5, 10, 25, 50 in Table 1, else 1.1 to 1.5."""


def _rows(text: str) -> dict[str, Row]:
    rows = (line.split() for line in text.strip().splitlines())
    return {name: tuple(map(int, values)) for name, *values in rows}


def _by_classes(text: str) -> dict[int, dict[str, Row]]:
    """C -> method -> row; a line holds the rows for C = 1, 2, 3 one after the other."""
    rows = _rows(text).items()
    return {c: {name: row[5 * c - 5 : 5 * c] for name, row in rows} for c in (1, 2, 3)}


TABLE1 = _rows("""
FedAvg 8361 8342 8349 8373 8294
q-FedAvg 8712 8676 8646 8676 8671
FedProx 8623 8559 8534 8500 8534
Scaffold 8384 8295 8348 8360 8280
FedBC 8783 8748 8743 8699 8726
""")
"""Synthetic data."""
TABLE2 = _by_classes("""
FedAvg      5015 5066 5723 5369 6082  5710 5694 5767 3287 5859  6419 5383 5754 6096 5891
q-FedAvg    4917 4932 5735 5440 6056  5720 5829 5771 5710 5790  6276 6137 6180 6340 6401
FedProx     4992 5021 5714 5630 6057  5718 5764 5798 3999 5863  6440 5481 5728 6166 5985
Scaffold    4686 3655 3781 3099 3608  5551 2448 3669 4179 3218  6146 5404 3838 3075 3304
Per-FedAvg  4593 3703 5643 5282 5631  5529 5467 5464 3966 6016  6183 5224 5816 6036 5927
pFedMe      4718 4369 5076 4512 5019  5145 4680 4798 3081 4925  5352 4292 5250 5439 5326
FedBC       5035 5525 5893 5810 6112  5645 5564 5802 6092 6420  6343 6290 6487 6623 6680
""")
TABLE3 = _by_classes("""
Per-FedAvg      9992 8558 9499 9110 8509  9345 8629 8738 6201 8628  8579 7569 8914 9098 8163
pFedMe          8628 7205 8121 8246 7694  7316 6801 6976 4997 6016  5793 4784 7016 6876 5971
FedBC           9196 7752 8487 8615 8131  7804 7324 7495 5383 7122  6031 5277 7309 7456 6505
FedBC-FineTune  9736 8454 9189 8718 8201  8927 7764 7969 5683 8063  7442 6746 9008 8884 7260
Per-FedBC       9939 8542 9379 9115 8518  9309 8655 8847 7020 8747  8561 8096 9122 9185 8340
""")
TABLE6 = _by_classes("""
FedAvg    4513 4740 5456 5460 5888  5182 5386 5407 3845 5655  5731 4942 5319 5553 5484
q-FedAvg  4566 4675 5427 5449 5925  5214 5455 5367 5445 5641  5922 5526 5539 5688 5851
FedProx   4505 4837 5494 5482 5888  5178 5348 5393 3701 5822  5817 4937 5278 5636 5657
Scaffold  3494 3457 2882 2418 2521  4798 4398 3238 3770 2354  5518 4986 3371 3474 3553
FedBC     4563 4913 5821 5543 5821  5183 5259 5611 5041 5655  5832 5637 5897 6109 6117
""")
TABLE7 = _by_classes("""
FedAvg    9371 9305 9075 9438 9436  9597 9533 9539 9550 9539  9669 9612 9578 9651 9623
q-FedAvg  9415 9325 9236 9459 9423  9587 9563 9571 9553 9581  9665 9654 9611 9656 9643
FedProx   9388 9379 9169 9439 9439  9585 9539 9538 9546 9538  9675 9586 9577 9653 9620
Scaffold  9414 9279 9362 9465 9449  9593 9631 9470 9473 9459  9704 9699 9440 9458 9409
FedBC     9411 9475 9386 9479 9504  9606 9503 9562 9569 9579  9683 9688 9646 9672 9640
""")
TABLE8 = _by_classes("""
FedAvg    9336 9326 9052 9437 9434  9562 9559 9566 9573 9562  9729 9668 9621 9680 9650
q-FedAvg  9313 9320 9210 9464 9430  9565 9578 9605 9586 9620  9743 9702 9669 9692 9658
FedProx   9324 9209 9052 9439 9445  9597 9560 9576 9574 9556  9714 9669 9621 9686 9650
Scaffold  9492 9388 9043 7700 7619  9668 9640 9393 9194 7646  9775 9708 9584 9351 8944
FedBC     9382 9401 9318 9498 9533  9615 9580 9591 9603 9602  9723 9711 9680 9710 9687
""")
"""By C; columns are the exponents 1.1 to 1.5."""
TABLE9 = {
    (1, "acc"): dict(zip(NINTH, (5210, 5195, 5207, 3213, 5197), strict=True)),
    (1, "var"): dict(zip(NINTH, (7975, 8443, 8519, 6093, 7945), strict=True)),
    (5, "acc"): dict(zip(NINTH, (4921, 5044, 5058, 3250, 5069), strict=True)),
    (5, "var"): dict(zip(NINTH, (9110, 8105, 8160, 5654, 8544), strict=True)),
}
"""Shakespeare: (E, acc or var) -> method -> value."""
_TABLE4 = """
1 MNIST 2x3,5x2,13x1 1x4,1x3,4x2,14x1 1x4,1x3,4x2,14x1 1x6,1x3,2x2,16x1 1x6,1x3,2x2,16x1
1 CIFAR-10 2x3,5x2,13x1 1x6,1x3,4x2,14x1 1x5,1x3,2x2,16x1 1x6,1x3,2x2,16x1 1x6,1x3,2x2,16x1
2 MNIST 1x5,1x4,3x3,15x2 1x6,1x4,1x3,17x2 1x6,1x4,1x3,17x2 1x6,1x4,1x3,17x2 1x6,1x4,1x3,17x2
2 CIFAR-10 1x5,1x4,3x3,15x2 1x5,2x4,17x2 1x6,1x4,1x3,17x2 1x6,1x4,1x3,17x2 1x6,1x4,1x3,17x2
3 MNIST 1x7,2x4,17x3 1x7,2x4,17x3 1x8,2x4,17x3 1x8,2x4,17x3 1x8,2x4,17x3
3 CIFAR-10 2x5,1x4,17x3 1x7,2x4,17x3 1x8,2x4,17x3 1x8,2x4,17x3 1x9,1x4,18x3
"""
"""C, data, then for each exponent devices x classes."""
_CELLS = [
    [tuple(map(int, part.split("x"))) for part in cell.split(",")]
    for line in _TABLE4.strip().splitlines()
    for cell in line.split()[2:]
]
DEVICES = tuple(tuple(devices for devices, _ in cell) for cell in _CELLS)
"""Table 4: how many devices have each number of classes, one cell after the other."""
CLASSES = tuple(tuple(classes for _, classes in cell) for cell in _CELLS)

# -- sentences that the tables decide --------------------------------------------------------------

Table = Mapping[str, Row]
NUMBERS = numbers({}, about="numbers of the paper")
OURS = "FedBC"


def _gaps(table: Table, columns: Any, others: Any = None, own: str = OURS) -> int:
    """Smallest lead of one method over the others in these columns, in hundredths."""
    rivals = [m for m in table if m != own and (others is None or m in others)]
    gaps: list[int] = [table[own][c] - table[m][c] for c in columns for m in rivals]
    return min(gaps)


def _least(tables: Mapping[int, Table], columns: Any, classes: Any, own: str = OURS) -> int:
    """The same over the tables of several C."""
    return min(_gaps(tables[c], columns, own=own) for c in classes)


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


_MNIST = min(_least(t, EXPONENTS, t) for t in (TABLE7, TABLE8))
_THREE = min(t[1][OURS][2] - t[1]["FedAvg"][2] for t in (TABLE7, TABLE8))
_BEST = min(_gaps(TABLE1, EXPONENTS), _MNIST, *(_least(t, EXPONENTS, t) for t in (TABLE2, TABLE6)))
_MEANS = min(_gaps(TABLE1, EXPONENTS), _mean_gap(TABLE2, TABLE6, TABLE7, TABLE8))
_WORSE = min(
    TABLE2[1][good][c] - TABLE2[1][bad][c]
    for bad in ("pFedMe", "Per-FedAvg")
    for good in ("FedAvg", "FedProx", OURS)
    for c in EXPONENTS
)
_LOCAL = min(
    min(t[OURS][k] - t["pFedMe"][k], t["Per-FedAvg"][k] - t[OURS][k])
    for t in TABLE3.values()
    for k in EXPONENTS
)
_IMPROVES = min(TABLE3[c]["Per-FedBC"][k] - TABLE3[c][OURS][k] for c in (1, 3) for k in EXPONENTS)
_PER = _least(TABLE3, (1, 2, 3, 4), (2, 3), "Per-FedBC")
_FIRST = _least(TABLE3, (0,), (1, 2, 3), "Per-FedAvg")
_TABLE8 = _least(TABLE8, (1, 3, 4), (1, 3))
_SHAKE1, _SHAKE5 = ({m: (v,) for m, v in TABLE9[e, "acc"].items()} for e in (1, 5))
_BELOW = -max(_gaps(_SHAKE1, (0,), (m,)) for m in ("FedAvg", "FedProx"))
_ABOVE = _gaps(_SHAKE1, (0,), ("q-FedAvg", "Scaffold"))
_VAR1, _VAR5 = TABLE9[1, "var"], TABLE9[5, "var"]
_SCAFFOLD = min(row[m] - row["Scaffold"] for row in (_VAR1, _VAR5) for m in row)
_VARIANCE1 = min(_VAR1[m] - _VAR1[OURS] for m in ("FedAvg", "q-FedAvg", "FedProx"))
_VARIANCE5 = min(
    _VAR5["FedAvg"] - _VAR5[OURS],
    *(_VAR5[OURS] - _VAR5[m] for m in ("q-FedAvg", "FedProx", "Scaffold")),
)
PLACES = {"every-cell": "against all baselines", "in-general": "on average"}
leads = q.claims(
    where="Section 5, Appendix E",
    kind="claim",
    latex=r"\text{rival}\le\text{method}",
    family=NUMBERS,
    note="""Smallest lead of the named method, over every column and rival that the sentence names,
    both sides raised by 100 %.""",
)


def _lead(w: World, lead: int, above: int = 0) -> Sides:
    return {"rival": 10_000 + above}, {"method": 10_000 + lead}


LEADS = tuple(
    leads(f"fedbc.text/{name}", title=title)(partial(_lead, lead=lead, above=above))
    for name, lead, above, title in (
        ("table1", _gaps(TABLE1, EXPONENTS), 0, "FedBC best in Table 1"),
        ("table2-C1", _gaps(TABLE2[1], EXPONENTS), 0, "FedBC best in Table 2 at C = 1"),
        ("table2-personal", _WORSE, 0, "pFedMe and Per-FedAvg below FedAvg, FedProx and FedBC"),
        ("table3-between", _LOCAL, 0, "FedBC between pFedMe and Per-FedAvg in Table 3"),
        ("table3-per", _PER, 0, "Per-FedBC best at 1.2 to 1.5 for C = 2, 3"),
        ("table3-first", _FIRST, 0, "Per-FedAvg best at 1.1"),
        ("table3-improves", _IMPROVES, 0, "Per-FedBC above FedBC at C = 1, 3"),
        ("table6-13", _gaps(TABLE6[1], (2,)), 300, "more than 3 % ahead at 1.3 in Table 6"),
        ("table7-8", _MNIST, 0, "FedBC best on MNIST"),
        ("table7-3", _THREE, 250, "3 % ahead of FedAvg at C = 1, 1.3, in whole per cents"),
        ("table8-124", _TABLE8, 0, "FedBC best at 1.2, 1.4, 1.5 for C = 1, 3 in Table 8"),
        ("table9-above", _ABOVE, 0, "above q-FedAvg and Scaffold at E = 1"),
        ("table9-below", _BELOW, 0, "below FedAvg and FedProx at E = 1"),
        ("table9-best", _gaps(_SHAKE5, (0,)), 0, "best at E = 5"),
        ("table9-scaffold", _SCAFFOLD, 0, "variance of Scaffold smallest"),
        ("table9-variance1", _VARIANCE1, 0, "variance smaller than the others' at E = 1"),
        (
            "table9-variance5",
            _VARIANCE5,
            0,
            "variance below FedAvg's and above the others' at E = 5",
        ),
    )
)


@claim(
    "text/takeaway-global",
    readings=("best",),
    title=lambda r: f"best global performance {PLACES[r.best]}",
    family=NUMBERS,
    note=LEADS[0].note,
)
def takeaway(w: World, r: Reading) -> Sides:
    return _lead(w, _BEST if "every-cell" in r else _MEANS)


@claim("text.repaired/table7-8", like=LEADS[0])
def mnist_repaired(w: World) -> Sides:
    """Smallest of the leads over each rival, averaged over all cells of Tables 7 and 8.

    Proof. The means of the tables."""
    return _lead(w, _mean_gap(TABLE7, TABLE8))


differences = q.claims(
    where="Section 5",
    kind="claim",
    relation="==",
    latex=r"\text{table}=\text{text}",
    family=NUMBERS,
    note="The difference in the table against the number in the text, in hundredths.",
)


def _equal(w: World, value: int, printed: int) -> Sides:
    return {"table": value}, {"text": printed}


def _more(table: Table, method: str, other: str, column: int) -> int:
    return table[method][column] - table[other][column]


_TUNED = "FedBC-FineTune"
DIFFERENCES = tuple(
    differences(f"fedbc.text/{name}-{printed}", title=title)(
        partial(_equal, value=value, printed=printed)
    )
    for name, value, printed, title in (
        ("table2", _more(TABLE2[3], OURS, "FedAvg", 4), 789, "lead over FedAvg at C = 3"),
        ("table2", _more(TABLE2[1], OURS, "FedAvg", 1), 459, "lead over FedAvg at 1.2"),
        ("table2", _more(TABLE2[1], OURS, "FedAvg", 3), 441, "lead over FedAvg at 1.4"),
        ("table3", _more(TABLE3[3], _TUNED, OURS, 4), 755, "gain of fine-tuning"),
        ("table3", _more(TABLE3[3], _TUNED, OURS, 2), 1699, "gain of fine-tuning at 1.3"),
    )
)

# -- the tables themselves -------------------------------------------------------------------------

LISTED = q.listed(r"""
claim :: text/takeaway-local :: Section 5 :: \text{local accuracy} :: reasonably good local performance :: what counts as reasonably good
table :: table1 :: Table 1 :: \text{accuracy} :: accuracy on synthetic data :: SYNTHETIC
table :: table2 :: Table 2 :: \text{accuracy} :: global accuracy, E = 5 :: runs on CIFAR-10 are not in the package
table :: table3 :: Table 3 :: \text{accuracy} :: local accuracy, E = 5 :: runs on CIFAR-10 are not in the package
table :: table6 :: Table 6 :: \text{accuracy} :: global accuracy, E = 1 :: runs on CIFAR-10 are not in the package
table :: table7 :: Table 7 :: \text{accuracy} :: global accuracy, E = 1 :: runs on MNIST are not in the package
table :: table8 :: Table 8 :: \text{accuracy} :: global accuracy, E = 5 :: runs on MNIST are not in the package
table :: table9 :: Table 9 :: \text{accuracy} :: next characters :: runs on Shakespeare are not in the package
""")


@claim("table4/devices", relation="==", family=NUMBERS)
def devices(w: World) -> Sides:
    """Every cell of Table 4 lists 20 devices."""
    counts = [sum(cell) for cell in DEVICES]
    return {"least": min(counts)}, {"most": max(counts)}


@claim("table4/classes", family=NUMBERS)
def classes(w: World) -> Sides:
    """Largest number of classes of a device against the ten of the data."""
    return {"most classes": max(max(cell) for cell in CLASSES)}, {"10": 10}
