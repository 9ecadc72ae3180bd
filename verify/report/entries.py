"""One entry of the ledger as HTML: the statement in mathematics, and why it has its verdict."""

from __future__ import annotations

from collections.abc import Sequence

from verify.catalogue.told import Told
from verify.ledger.conclude import STANDS
from verify.ledger.explain import COMPARED
from verify.ledger.failures import fails_in_words
from verify.ledger.rests import rests_in_words
from verify.limits.foreign import NotAsWritten, file_of_others
from verify.report import words
from verify.report.evidence import facts, rungs, terms
from verify.report.markup import Markup, el, join
from verify.report.model import Item, LeafLine, Model, Use
from verify.report.summary import link
from verify.report.tex.mathml import formula
from verify.report.witness import Witnesses, witness
from verify.verdict.verdict import VIOLATED

ARXIV = "arXiv:"


def entry(model: Model, item: Item, body: Markup, pictures: Sequence[Markup] = ()) -> Markup:
    """Article of one entry.

    Parameters
    ----------
    model : Model
    item : Item
    body : Markup
        What opens below it: its evidence, or the place where that will be put.
    pictures : sequence of Markup
        Figures that are about it.
    """
    own = el("a", item.name, href=f"#{item.anchor}", class_="key")
    beside = [said for said in (fails_in_words(item.line), item.readings) if said]
    return el(
        "article",
        el(
            "h4",
            words.badge(item.verdict),
            " ",
            own,
            el("span", " ", item.title) if item.title else None,
        ),
        el("p", el("code", item.key), f" · {_meta(item)}", class_="meta"),
        [el("p", said, class_="beside") for said in beside],
        [el("div", formula(tex), class_="math") for tex in _formulas(item)[:1]],
        list(pictures),
        _weakness(model, item),
        _emptiness(item),
        None
        if item.sound
        else el(
            "p",
            "Not what the evidence stored below gives: 'fedassay audit' tells more.",
            class_="warning",
        ),
        el("details", el("summary", _what(item)), body, class_="more"),
        id=item.anchor,
        class_=f"entry {words.css(item.verdict)}",
        tabindex="-1",
        data_verdict=words.word(item.verdict),
        data_paper=item.paper,
        data_rung=item.rung or "-",
        data_form=item.form,
    )


def evidence(model: Model, item: Item, witnesses: Witnesses) -> Markup:
    """Everything below the headline of an entry, leaf by leaf.

    Parameters
    ----------
    model : Model
    item : Item
    witnesses : Witnesses
    """
    shown = _formulas(item)
    parts: list[Markup] = [_links(model, item)]
    done = {leaf.key for leaf in item.leaves}
    said: dict[str, str] = {}
    parts += [_readable(item, leaf, witnesses, shown, said) for leaf in item.leaves]
    parts += [_description(item, one, shown) for one in item.told if one.key not in done]
    if not item.told:
        lost = "Neither the library nor the ledger says what this is: run it again."
        parts.append(el("p", lost, class_="small"))
    return join(parts)


def _meta(item: Item) -> str:
    arxiv = next((one.arxiv for one in item.told if one.arxiv), "")
    parts = [
        str(item.line["kind"]),
        "" if item.form == "printed" else f"{item.form} form",
        item.where,
        f"{ARXIV}{arxiv}" if arxiv else "",
        f"decided by {item.rung}" if item.rung else "",
    ]
    deciding = item.deciding
    if deciding is not None and deciding["tightness"]:
        ratio = words.ratio(deciding["tightness"]["ratio"])
        parts.append(f"left/right {'' if ratio == words.UNBOUNDED else 'up to '}{ratio}")
    power = None if deciding is None else deciding["power"]
    if power and power["counted"]:
        parts.append(f"{power['killed']} of {power['counted']} mutants killed")
    return " · ".join(part for part in parts if part)


def _formulas(item: Item) -> list[str]:
    """Formulas of an entry, each once; that of the deciding leaf first."""
    by_key = {one.key: " ".join(one.latex.split()) for one in item.told}
    first = by_key.get(str(item.deciding["id"])) if item.deciding is not None else None
    return list(dict.fromkeys([*([first] if first else []), *by_key.values()]))


def _what(item: Item) -> str:
    if not item.leaves:
        return "what it says"
    several = f", {len(item.leaves)} parts or readings" if len(item.leaves) > 1 else ""
    return f"evidence{several}"


def _weakness(model: Model, item: Item) -> Markup | None:
    weak = model.weak(item)
    if not weak or item.verdict not in STANDS:
        return None
    named = [join(_use(model, use), " ") for use in weak]
    return el(
        "p",
        "Weakened: this line was decided on its own, but the argument for it rests on ",
        named,
        class_="weakness",
    )


def _emptiness(item: Item) -> Markup | None:
    said = rests_in_words(item.line)
    return el("p", f"Weakened: it {said}.", class_="weakness") if said else None


def _links(model: Model, item: Item) -> Markup:
    forms = [other for other in model.forms[item.base] if other is not item]
    target = item.target
    return terms(
        [
            ("rests on", _spaced([_use(model, use) for use in model.uses(item)])),
            ("used by", _spaced([link(model, user) for user in model.used_by.get(item.key, ())])),
            ("other forms", _spaced([link(model, other) for other in forms])),
            ("about", _use(model, _as_use(model, target)) if target else None),
        ]
    )


def _as_use(model: Model, key: str) -> Use:
    entry = key.partition("/")[0].partition("@")[0]
    item = model.by_key.get(entry)
    return Use(key, entry, None if item is None else item.verdict)


def _use(model: Model, use: Use) -> Markup:
    """What is rested on: a link, with the part that is meant and its verdict."""
    item = model.by_key.get(use.entry)
    if item is None:
        return el("span", use.key, " (not in this ledger)", class_="absent")
    part = use.key.removeprefix(use.entry).lstrip("/")
    own = f" {part} ({words.word(use.verdict)})" if part else f" ({words.word(use.verdict)})"
    return join(link(model, item), own)


def _spaced(links: Sequence[Markup]) -> Markup | None:
    return join([join(", " if i else None, one) for i, one in enumerate(links)]) if links else None


def _readable(
    item: Item,
    leaf: LeafLine,
    witnesses: Witnesses,
    shown: Sequence[str],
    said: dict[str, str],
) -> Markup:
    """Leaf, or a line in its place where a ledger was edited into something that is not one."""
    try:
        with file_of_others():
            return _leaf(item, leaf, witnesses, shown, said)
    except NotAsWritten:
        lost = "The evidence stored for this line cannot be read: 'fedassay audit' tells more."
        return el("section", el("h5", leaf.key), el("p", lost, class_="warning"), class_="leaf")


def _leaf(
    item: Item,
    leaf: LeafLine,
    witnesses: Witnesses,
    shown: Sequence[str],
    said: dict[str, str],
) -> Markup:
    """Part or reading; ``said`` is what those before it said, so that nothing is said twice."""
    told, head = leaf.told, None
    if len(item.leaves) > 1:
        head = el("h5", words.badge(str(leaf.line["verdict"])), " ", _tail(leaf.key, item.key))
    own = None
    if told is not None and len(shown) > 1 and said.get("formula") != told.latex:
        own = el("div", formula(told.latex), class_="math")
        said["formula"] = told.latex
    return el(
        "section",
        head,
        own,
        _claim(told, said),
        witness(leaf, witnesses, decides(item, leaf)),
        facts(leaf.line, said),
        el("div", rungs(leaf.line), class_="scroll") if leaf.line["evidence"] else None,
        _commentary(told),
        class_=f"leaf {words.css(str(leaf.line['verdict']))}",
    )


def decides(item: Item, leaf: LeafLine) -> bool:
    """Whether a violated entry owes its word to this leaf, whose witness is then worked out."""
    deciding = item.deciding if item.verdict == VIOLATED else None
    return deciding is not None and deciding["id"] == leaf.key


def _claim(told: Told | None, said: dict[str, str]) -> Markup:
    """What is compared, for which instances, under which hypotheses."""
    if told is None or not told.relation:
        return Markup("")
    assumed = [
        el(
            "li",
            formula(one.latex),
            el("span", f" {one.name}"),
            el("small", f" ({one.tag})", class_=f"tag-{one.tag}" if one.tag == "added" else None),
        )
        for one in told.given
    ]
    relation = words.RELATIONS[told.relation]
    rows: list[tuple[str, Markup | str | None]] = [
        ("compared", f"left {relation} right: {COMPARED[told.over]}"),
        ("for", f"{told.quantifier} instances of: {told.about}"),
        ("hypotheses", el("ul", assumed) if assumed else "none"),
        ("defines", ", ".join(told.defines)),
    ]
    return terms(rows, said)


def _description(item: Item, told: Told, shown: Sequence[str]) -> Markup:
    """Record with nothing to decide, or one that this ledger does not have."""
    tail = _tail(told.key, item.key)
    note = told.missing or "it describes, and claims nothing"
    if not told.describes:
        note = "this ledger has no line for it"
    many = len(item.told) > 1
    return el(
        "section",
        el("h5", tail) if many and tail else None,
        el("div", formula(told.latex), class_="math") if len(shown) > 1 else None,
        el("p", note),
        _commentary(told),
        class_="leaf",
    )


def _commentary(told: Told | None) -> Markup | None:
    lines = [] if told is None else [line.strip() for line in told.commentary.splitlines()]
    said = "\n".join(lines)
    if not said:
        return None
    if "\n" not in said:
        return el("p", said, class_="commentary")
    first, _, rest = said.partition("\n")
    return el("details", el("summary", first), el("p", rest.strip(), class_="commentary"))


def _tail(leaf: str, key: str) -> str:
    """Part and reading of a leaf in words."""
    part, _, reading = leaf.removeprefix(key).partition("@")
    named = [part.lstrip("/"), f"reading “{reading}”" if reading else ""]
    return ", ".join(text for text in named if text)
