"""The page: one HTML file that holds everything and asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from importlib import resources

from verify.catalogue.counted import several
from verify.claim.statement import FORMS
from verify.report import words
from verify.report.drawing import draw, legend
from verify.report.entries import entry, evidence
from verify.report.figures import Figure, embed, source
from verify.report.graph import claim_graph
from verify.report.markup import Content, Markup, el, join
from verify.report.model import Item, Model
from verify.report.packing import pack, place
from verify.report.readings import readings
from verify.report.summary import paper_anchor, summary
from verify.report.witness import Witnesses

SHOWN = 5
"""Contradictions that are written out."""

WORD = (
    "What stands here is the ledger's word. For this page its verdicts were added up again from "
    "the evidence stored with them, proofs in a single certificate were checked, and witnesses "
    "that are worked out by hand were recomputed; "
)
"""What a reader may rely on, and what names the rest."""

AUDIT = " checks every proof and computes every witness again, but for those of sampled runs."


def render(
    model: Model,
    witnesses: Witnesses,
    figures: Sequence[Figure] = (),
    contradictions: Sequence[str] = (),
    observe: Callable[[str], None] | None = None,
) -> str:
    """Text of the page; the same ledger, witnesses and figures give the same text.

    Parameters
    ----------
    model : Model
    witnesses : Witnesses
    figures : sequence of Figure
    contradictions : sequence of str
        Where the ledger says something else than its evidence.
    observe : callable, optional
        Told the key of each entry that is written.
    """
    bodies = []
    for item in model.items:
        bodies.append(evidence(model, item, witnesses))
        if observe is not None:
            observe(item.key)
    sources: list[str | None] = [source(figure) for figure in figures]
    store = pack([*bodies, *(src or "" for src in sources)])
    places: list[int | None] = [None] * len(figures)
    if store is not None:
        places = [len(bodies) + i for i in range(len(figures))]
        bodies, sources = [place(i) for i in range(len(bodies))], [None] * len(figures)
    shown = [
        embed(figure, f"figure-{i}", src, number)
        for i, (figure, src, number) in enumerate(zip(figures, sources, places, strict=True), 1)
    ]
    by_key = {item.key: body for item, body in zip(model.items, bodies, strict=True)}
    beside: dict[str, list[Markup]] = {}
    apart: list[Markup] = []
    for figure, drawn in zip(figures, shown, strict=True):
        home = next((key for key in figure.entries if key in by_key), None)
        (apart if home is None else beside.setdefault(home, [])).append(drawn)
    style, script = (_asset(name) for name in ("report.css", "report.js"))
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; "
        f"script-src '{_digest(script)}'"
    )
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="generator", content=f"fedassay {model.ledger['version']}"),
        el("link", rel="icon", href="data:,"),
        el("title", f"fedassay: {', '.join(model.papers) or 'an empty ledger'}"),
        el("style", style),
    )
    body = el(
        "body",
        el("a", "Skip to the ledger", href="#ledger", class_="skip"),
        _header(model, apart),
        *_warning(contradictions),
        el("main", summary(model), _ledger(model, by_key, beside), _figures(apart)),
        store,
        el("script", script),
    )
    return f"<!DOCTYPE html>\n{el('html', head, body, lang='en')}\n"


def _warning(contradictions: Sequence[str]) -> list[Markup]:
    """Where the ledger says something else than its own evidence, the first few places."""
    if not contradictions:
        return []
    few = contradictions[:SHOWN]
    more = len(contradictions) - len(few)
    told = [el("li", line) for line in few] + ([el("li", f"and {more} more")] if more else [])
    lead = "This ledger contradicts its own evidence: do not rely on its verdicts."
    return [el("aside", el("p", el("strong", lead)), el("ul", *told), class_="warning")]


def _asset(name: str) -> Markup:
    """Style or script of the package; trusted, hence not escaped."""
    path = resources.files("verify") / "report" / "assets" / name
    return Markup(path.read_text(encoding="utf-8"))


def _digest(content: str) -> str:
    raw = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(raw).decode('ascii')}"


def _header(model: Model, figures: Sequence[Markup]) -> Markup:
    ledger = model.ledger
    made = ", ".join(f"{name} {version}" for name, version in _environment(ledger).items())
    places = [("#summary", "Summary"), ("#ledger", "Ledger")]
    if figures:
        places.append(("#figures", "Figures"))
    toggle = el(
        "button", "Theme: system", type="button", id="theme", class_="needs-script", hidden=True
    )
    return el(
        "header",
        el("h1", "fedassay"),
        el("nav", [el("a", name, href=href) for href, name in places], toggle, aria_label="page"),
        el(
            "p",
            f"Ledger of version {ledger['version']}, profile {ledger['profile']}, seed "
            f"{ledger['seed']}, {several(len(model.items), 'entry', 'entries')} of "
            f"{several(len(model.papers), 'paper')}. ",
            el("span", made, class_="small"),
        ),
        el("p", WORD, el("code", "fedassay audit"), AUDIT, class_="small"),
    )


def _environment(ledger: Mapping[str, object]) -> dict[str, str]:
    found = ledger["environment"]
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, Mapping) else {}


def _ledger(
    model: Model, bodies: Mapping[str, Markup], beside: Mapping[str, Sequence[Markup]]
) -> Markup:
    papers = [_paper(model, paper, items, bodies, beside) for paper, items in model.papers.items()]
    key = el("details", el("summary", "How to read the claim graphs"), legend(), open=True)
    return el(
        "section",
        el("h2", "Ledger", id="ledger", tabindex="-1"),
        _filters(model),
        key if any("<svg" in paper for paper in papers) else None,
        papers,
        el("p", "No entry meets these filters.", id="nothing", hidden=True),
        aria_labelledby="ledger",
    )


def _paper(
    model: Model,
    paper: str,
    items: Sequence[Item],
    bodies: Mapping[str, Markup],
    beside: Mapping[str, Sequence[Markup]],
) -> Markup:
    return el(
        "section",
        el("h3", model.titles[paper], id=paper_anchor(model, paper)),
        readings(model, paper),
        _claims(model, paper, items),
        [entry(model, item, bodies[item.key], beside.get(item.key, ())) for item in items],
        class_="paper",
        data_paper=paper,
    )


def _claims(model: Model, paper: str, items: Sequence[Item]) -> Markup | None:
    """Claim graph of a paper, where anything in it rests on anything."""
    graph = claim_graph(model, items)
    if graph is None:
        return None
    drawing = draw(model, graph, f"Claims of {paper} and what they rest on")
    left = f"{several(graph.left_out, 'further claim')} without a recorded use."
    return el(
        "details",
        el("summary", "Who rests on whom"),
        el(
            "div",
            drawing,
            class_="scroll",
            tabindex="0",
            role="region",
            aria_label=f"claim graph of {paper}",
        ),
        el("p", left, class_="small") if graph.left_out else None,
        class_="claims",
        open=True,
    )


def _filters(model: Model) -> Markup:
    """Controls; without a script they stay hidden and everything is shown."""
    present = {words.word(item.verdict) for item in model.items}
    verdicts = [
        el(
            "label",
            el("input", type="checkbox", name="verdict", value=name, checked=True),
            " ",
            words.badge(None if name == words.NO_VERDICT else name),
            title=words.MEANINGS[name],
        )
        for name in words.WORDS
        if name in present
    ]
    rungs = dict.fromkeys(item.rung for item in model.items if item.rung)
    forms = [form for form in FORMS if any(item.form == form for item in model.items)]
    return el(
        "form",
        el("fieldset", el("legend", "Verdict"), verdicts),
        _select("paper", "Paper", list(model.papers)),
        _select("rung", "Decided by", list(rungs)),
        _select("form", "Form", forms),
        el(
            "label",
            "Text ",
            el("input", type="search", name="text", placeholder="press / to search"),
        ),
        el("button", "Show all", type="reset"),
        el("button", "Open shown", type="button", id="unfold"),
        el("output", id="shown", aria_live="polite"),
        id="filters",
        class_="needs-script",
        hidden=True,
        aria_label="filters",
    )


def _select(name: str, label: str, values: Sequence[str]) -> Markup:
    choices: list[Content] = [el("option", "all", value="")]
    choices += [el("option", value, value=value) for value in values]
    return el("label", f"{label} ", el("select", choices, name=name))


def _figures(shown: Sequence[Markup]) -> Markup:
    if not shown:
        return Markup("")
    head = el("h2", "Figures", id="figures")
    return el("section", head, join(shown), class_="figures", aria_labelledby="figures")
