"""TeX to MathML: structure, refusals, and the whole library."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from verify.catalogue.library import library
from verify.report.tex.mathml import formula, mathml
from verify.report.tex.tokens import UnknownTeX


def inner(tex: str) -> str:
    """MathML without the outer element."""
    made = mathml(tex)
    return made[made.index(">") + 1 : -len("</math>")]


@each(
    ("tex", "made"),
    [
        ("x", "<mi>x</mi>"),
        ("12.5", "<mn>12.5</mn>"),
        (r"\tfrac12", "<mfrac displaystyle=false><mn>1</mn><mn>2</mn></mfrac>"),
        ("x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        ("x^{t-1}", "<msup><mi>x</mi><mrow><mi>t</mi><mo>−</mo><mn>1</mn></mrow></msup>"),
        ("x''", "<msup><mi>x</mi><mrow><mo>′</mo><mo>′</mo></mrow></msup>"),
        (r"\sum_k", "<munder><mo>∑</mo><mi>k</mi></munder>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mrow><mn>3</mn></mrow></mroot>"),
        (r"\mathbb E\mathcal N", "<mi>𝔼</mi><mi>𝒩</mi>"),
        (r"\mathbb 1", "<mi>𝟙</mi>"),
        (r"\mathrm{eff}", "<mi>eff</mi>"),
        (r"\hat x", "<mover accent=true><mi>x</mi><mo stretchy=false>^</mo></mover>"),
        (r"a\le-b", "<mi>a</mi><mo>≤</mo><mo form=prefix>−</mo><mi>b</mi>"),
        (r"\ln x", "<mi>ln</mi><mspace width=.17em /><mi>x</mi>"),
        (r"\text{a <b}", "<mtext>a\u00a0&lt;b</mtext>"),
        (
            r"\bigl(x\bigr)",
            "<mo minsize=1.2em maxsize=1.2em>(</mo><mi>x</mi>"
            "<mo minsize=1.2em maxsize=1.2em>)</mo>",
        ),
        (r"\left(x\right.", "<mrow><mo>(</mo><mi>x</mi><mo></mo></mrow>"),
        (r"\{x\}", "<mo stretchy=false>{</mo><mi>x</mi><mo stretchy=false>}</mo>"),
    ],
)
def test_structure(tex: str, made: str) -> None:
    assert inner(tex) == made


@each(
    "tex",
    [
        r"\unknown",
        "{x",
        "x}",
        "x_",
        "x_1_2",
        r"\frac1",
        "a & b",
        r"\left(x",
        r"\right)",
        "$x$",
        r"\begin{cases}x\end{cases}",
        r"\mathrm",
        r"\text{x",
        "{" * 200,
        r"\sqrt" * 2000,
        r"\left\foo x\right)",
    ],
)
def test_what_cannot_be_read_is_refused_and_shown_as_source(tex: str) -> None:
    with pytest.raises(UnknownTeX):
        mathml(tex)
    assert formula(tex).startswith("<code class=tex")


@given(st.text(alphabet=r"\{}_^ab1<>&'\"[](). frac|sqrt", max_size=30))
def test_any_text_gives_well_formed_markup(tex: str) -> None:
    made = formula(tex)
    quoted = made.replace("=tex", '="tex"').replace("=true", '="true"')
    for name in (
        "stretchy",
        "form",
        "width",
        "lspace",
        "rspace",
        "movablelimits",
        "accent",
        "displaystyle",
        "alttext",
    ):
        quoted = _quote(quoted, name)
    ET.fromstring(quoted)


def test_formulas_of_the_library_are_mathematics() -> None:
    leaves = [leaf for entry in library() for leaf in entry.leaves]
    assert len(leaves) > 100
    assert [leaf.key for leaf in leaves if not formula(leaf.latex).startswith("<math")] == []


def _quote(text: str, name: str) -> str:
    import re

    return re.sub(rf' {name}=([^"\s>]+)', rf' {name}="\1"', text)
