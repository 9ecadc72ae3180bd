"""What a referee reads first: which theorems stand, which need which repair, which are empty."""

from __future__ import annotations

from collections.abc import Sequence

from verify.catalogue.counted import several
from verify.catalogue.entry import RESULTS
from verify.catalogue.worlds import is_check
from verify.ledger.conclude import STANDS
from verify.ledger.failures import TALLIED, fails_in_words, tally
from verify.ledger.ledger import halted
from verify.report import words
from verify.report.markup import Markup, el, join
from verify.report.model import Item, Model
from verify.report.tex.mathml import formula
from verify.verdict.verdict import (
    INCONCLUSIVE,
    NOT_CHECKABLE,
    ORDER,
    PROVED,
    VACUOUS,
    VIOLATED,
)

GROUPS = {
    "stand": ("stands as printed", "stand as printed"),
    "slip": (
        "falls by a misprint, and stands when it is read past",
        "fall by misprints, and stand when these are read past",
    ),
    "repaired": ("falls, and stands after a repair", "fall, and stand after a repair"),
    "fall": ("falls, and no repair of it stands here", "fall, and no repair of them stands here"),
    "empty": (
        "is empty: no instance meets the hypotheses, or the bound says nothing",
        "are empty: no instance meets the hypotheses, or the bounds say nothing",
    ),
    "open": ("is open: neither way", "are open: neither way"),
    "unchecked": (
        "cannot be checked: something is not given",
        "cannot be checked: something is not given",
    ),
}
"""Name -> end of a sentence that begins with one, or with another number."""

SHORT = {
    "stand": "stand",
    "slip": "misprints",
    "repaired": "stand repaired",
    "fall": "fall",
    "empty": "empty",
    "open": "open",
    "unchecked": "not checkable",
}


EXACT = {"rational", "ball"}
"""Numbers of a witness that leave no doubt which side is larger."""

SLIP = "slip"
"""Kind of a fall, and the group of what falls so."""


def group(model: Model, item: Item) -> str:
    """Group of a printed entry with a verdict, from its verdict and those of its other forms."""
    if item.verdict in STANDS:
        return "stand"
    if item.verdict == VIOLATED:
        if (item.line.get("fails") or {}).get("kind") == SLIP:
            return SLIP
        return "repaired" if model.repairs(item) else "fall"
    return {VACUOUS: "empty", INCONCLUSIVE: "open", NOT_CHECKABLE: "unchecked"}[str(item.verdict)]


def grouped(model: Model, items: Sequence[Item]) -> dict[str, tuple[Item, ...]]:
    """Printed entries with a verdict, by group, in the order of the ledger."""
    found: dict[str, list[Item]] = {name: [] for name in GROUPS}
    for item in items:
        if _is_asked(item):
            found[group(model, item)].append(item)
    return {name: tuple(members) for name, members in found.items()}


def summary(model: Model) -> Markup:
    """Counts over all papers, then paper by paper the main results by group."""
    results = [item for item in model.items if item.line["kind"] in RESULTS]
    return el(
        "section",
        el("h2", "In a minute", id="summary"),
        _warnings(model),
        _sentence(model, results),
        _bars(model),
        _table(model),
        _belief(model),
        [_paper(model, paper, items) for paper, items in model.papers.items()],
        class_="summary",
        aria_labelledby="summary",
    )


def _warnings(model: Model) -> Markup:
    found = []
    if not model.ledger["complete"]:
        found.append(el("p", "This ledger is partial: the run was stopped.", class_="warning"))
    stopped = halted(model.ledger)
    if stopped:
        said = "; ".join(f"{key}: {what}" for key, what in stopped.items())
        found.append(el("p", f"Unfinished: {said}", class_="warning"))
    drifted = [item for item in model.items if not item.sound]
    if drifted:
        said = "These verdicts do not follow from the evidence stored with them "
        links = [join(link(model, item), " ") for item in drifted]
        advice = "('fedassay audit' tells where): "
        found.append(el("p", said, advice, links, class_="warning"))
    return join(found)


def _sentence(model: Model, results: Sequence[Item]) -> Markup:
    found = grouped(model, results)
    total = sum(len(items) for items in found.values())
    kinds = "theorems, lemmas, corollaries and properties"
    if not total:
        return el("p", f"This ledger holds no {kinds} in printed form.", class_="lead")
    rows = [
        el(
            "li",
            el("strong", str(len(items))),
            " ",
            GROUPS[name][len(items) > 1],
            class_=f"g-{name}",
        )
        for name, items in found.items()
        if items
    ]
    weak = sum(1 for item in found["stand"] if model.weak(item))
    some = sum(1 for item in found["stand"] if _divided(item))
    extra = [
        f"{count} {what[count > 1]}"
        for count, what in (
            (weak, ("rests on a statement that fell", "rest on a statement that fell")),
            (some, ("stands in some of its readings only", "stand in some of their readings only")),
        )
        if count
    ]
    last = el("p", f"Of those that stand, {' and '.join(extra)}.") if extra else None
    return join(el("p", f"Of {total} {kinds} as printed", class_="lead"), el("ul", rows), last)


def _bars(model: Model) -> Markup:
    """Claims by verdict, a bar for the printed ones and one for the forms beside them."""
    checks = [item for item in model.items if is_check(item.line)]
    claims = [item for item in model.items if not is_check(item.line)]
    decided = [item for item in claims if item.verdict is not None]
    printed = [item for item in decided if item.form == "printed"]
    others = [item for item in decided if item.form != "printed"]
    left = len(claims) - len(decided)
    said = f"{several(left, 'further entry', 'further entries')} (assumptions, definitions, data): "
    asked = several(len(checks), "check", "checks")
    return join(
        _bar(printed, several(len(printed), "claim as printed", "claims as printed")),
        _bar(others, several(len(others), "claim in another form", "claims in other forms")),
        el("p", said, "nothing to decide.", class_="small") if left else None,
        _bar(checks, f"{asked} of assumptions and data on our own problems, no claims"),
    )


def _bar(items: Sequence[Item], about: str) -> Markup | None:
    """Some entries by verdict, as a bar with its key and what they are."""
    if not items:
        return None
    words_of = [str(item.verdict) for item in items]
    at = 0.0
    rects, keys = [], []
    for verdict in [word for word in ORDER if word in words_of]:
        count = words_of.count(verdict)
        size = 100 * count / len(items)
        rects.append(
            el("rect", x=at, y=0, width=size, height=10, class_=f"bar {words.css(verdict)}")
        )
        keys.append(el("li", words.badge(verdict), f" {count}"))
        at += size
    bar = el(
        "svg",
        rects,
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        class_="tally",
        role="img",
        aria_label=f"{about} by verdict",
    )
    return el("div", el("p", about, class_="of"), bar, el("ul", keys, class_="keys"))


def _table(model: Model) -> Markup:
    """Main results by paper and by how they fall, and the other forms beside them."""
    lines = {
        paper: [i.line for i in items if i.line["kind"] in RESULTS and _is_asked(i)]
        for paper, items in model.papers.items()
    }
    counts = {paper: tally(of) for paper, of in lines.items()}
    kinds = [kind for kind in TALLIED if any(kind in count for count in counts.values())]
    names = ["paper", "main results", *kinds, "other forms that stand"]
    head = el("tr", [el("th", name, scope="col") for name in names])
    rows = []
    for paper, items in model.papers.items():
        others = [i for i in items if i.form != "printed" and i.verdict is not None]
        others = [i for i in others if not is_check(i.line)]
        standing = sum(1 for item in others if item.verdict in STANDS)
        numbers = [counts[paper].get(kind, 0) for kind in kinds]
        cells = [el("td", str(number)) for number in (len(lines[paper]), *numbers)]
        name = el("th", el("a", paper, href=f"#{paper_anchor(model, paper)}"), scope="row")
        rows.append(el("tr", name, cells, el("td", f"{standing} of {len(others)}")))
    table = el("table", el("thead", head), el("tbody", rows), class_="numbers")
    return el("div", table, class_="scroll", tabindex="0", role="region", aria_label="counts")


def _is_asked(item: Item) -> bool:
    """Whether a printed claim has a word of its own."""
    return item.form == "printed" and item.verdict is not None and not is_check(item.line)


def _belief(model: Model) -> Markup:
    """Why to believe it, in numbers: what carries the words, and how it can be checked again."""
    leaves = [leaf for item in model.items for leaf in item.line["leaves"]]
    proved = [leaf for leaf in leaves if leaf["verdict"] == PROVED]
    written = sum(1 for leaf in proved if any(one.get("proof") for one in leaf["evidence"]))
    fallen = [leaf for leaf in leaves if leaf["verdict"] == VIOLATED]
    numbers = [
        {(one.get("witness") or {}).get("number") for one in leaf["evidence"]} for leaf in fallen
    ]
    shown = sum(1 for kinds in numbers if kinds & EXACT)
    said = (
        f"Of {several(len(proved), 'proved claim or part', 'proved claims and parts')} {written} "
        "carry a written proof, which a checker of one file reads again (fedassay audit, fedassay "
        f"verify-certificate); of {len(fallen)} that fall {shown} have an instance whose sides "
        "are compared in fractions or in intervals that hold them (fedassay replay)."
    )
    return el("p", said, class_="small")


def _paper(model: Model, paper: str, items: Sequence[Item]) -> Markup:
    """Main results of a paper by group, and a table of its repairs."""
    found = grouped(model, [item for item in items if item.line["kind"] in RESULTS])
    lines = [
        el("li", el("strong", f"{SHORT[name]}: "), _chips(model, members), class_=f"g-{name}")
        for name, members in found.items()
        if members
    ]
    if not lines:
        return Markup("")
    fallen = [*found[SLIP], *found["repaired"], *found["fall"], *found["empty"]]
    rows = [_repair(model, item) for item in fallen]
    return el(
        "div",
        el("h3", f"{model.titles[paper]}: the main results"),
        el("ul", lines, class_="chips"),
        _repairs(rows) if rows else None,
        class_="paper-summary",
    )


def _chips(model: Model, members: Sequence[Item]) -> list[Markup]:
    """Links to entries, each with its weakness or the form that stands in its place."""
    found = []
    for item in members:
        instead = [] if item.verdict in STANDS else model.repairs(item)[:1]
        kind = (item.line.get("fails") or {}).get("kind", "")
        found.append(
            el(
                "span",
                link(model, item, _name(model, item)),
                el("small", f" {item.title}") if item.title else None,
                el("small", f" ({kind})") if kind else None,
                [(" → ", link(model, other, other.form)) for other in instead],
                _but(model, item),
                class_="chip",
            )
        )
    return found


def _name(model: Model, item: Item) -> str:
    """The place in the paper; with its key where other main results stand there too."""
    if not item.title:
        return ""
    alike = [
        other
        for other in model.papers[item.paper]
        if other.name == item.name and other.line["kind"] in RESULTS
    ]
    return item.name if len(alike) < 2 else f"{item.name} ({item.label})"


def _but(model: Model, item: Item) -> Markup | None:
    """What speaks against an entry that stands, and what other readings say."""
    marks, why = [], []
    if item.verdict in STANDS and model.weak(item):
        marks.append("weak")
        why.append("rests on a statement that fell")
    stands = item.line.get("stands")
    if stands:
        marks.append(f"stands in {stands['in']} of {stands['of']} readings")
        why.append(f"{item.readings}; the word is that of the literal reading")
    return el("small", f" ({', '.join(marks)})", title="; ".join(why)) if why else None


def _divided(item: Item) -> bool:
    """Whether it stands in some of its readings, and in some it does not."""
    stands = item.line.get("stands")
    return stands is not None and 0 < stands["in"] < stands["of"]


def _repairs(rows: list[Markup]) -> Markup:
    names = ("printed, and what stands instead", "how it falls")
    head = el("tr", [el("th", name, scope="col") for name in names])
    table = el("table", el("thead", head), el("tbody", rows), class_="repairs")
    title = f"What fell, and which repair stands ({len(rows)})"
    return el("details", el("summary", title), el("div", table, class_="scroll"))


def _repair(model: Model, item: Item) -> Markup:
    """One fallen result: what is printed, how it falls, and under it what stands instead."""
    fails = item.line.get("fails") or {}
    deciding = item.deciding or {}
    words_of = fails_in_words(item.line) or str(deciding.get("reason", ""))
    hint = str(deciding.get("hint", ""))
    others = model.repairs(item)[:1]
    instead = [
        el(
            "div",
            "instead: ",
            link(model, other),
            f" {other.line.get('title') or ''}",
            el("div", _first_formula(other), class_="math"),
        )
        for other in others
    ]
    nothing = "read so" if fails.get("kind") == SLIP else "nothing in this ledger"
    return el(
        "tr",
        el(
            "td",
            link(model, item),
            el("div", _first_formula(item), class_="math"),
            instead or el("div", f"instead: {nothing}"),
        ),
        el("td", words.badge(item.verdict), " ", words_of, el("div", hint, class_="small")),
    )


def _first_formula(item: Item) -> Markup | None:
    deciding = item.deciding
    for leaf in item.leaves:
        if leaf.told is not None and deciding is not None and leaf.key == deciding["id"]:
            return formula(leaf.told.latex)
    return None


def link(model: Model, item: Item, label: str = "") -> Markup:
    """Link to an entry, with the glyph of its verdict and its name or another label."""
    glyph = words.GLYPHS.get(words.word(item.verdict), "·")
    said = f"{item.key}: {item.title}" if item.title else item.key
    return el(
        "a",
        el("b", glyph),
        label or model.called(item),
        href=f"#{item.anchor}",
        title=said,
        class_=f"ref {words.css(item.verdict)}",
    )


def paper_anchor(model: Model, paper: str) -> str:
    """Name of a paper's place in the page."""
    return f"paper-{list(model.papers).index(paper)}"
