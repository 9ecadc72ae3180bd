"""Formulas as MathML, by the converter of the report page: the site needs no network."""

from __future__ import annotations

from typing import Any

from docutils import nodes

from verify.report.tex.mathml import formula


def setup(app: Any) -> dict[str, Any]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer: Any, node: Any) -> None:
    text = str(formula(node.astext())).replace('displaystyle="true"', 'displaystyle="false"', 1)
    writer.body.append(f'<span class="math">{text}</span>')
    raise nodes.SkipNode


def _display(writer: Any, node: Any) -> None:
    for part in node.astext().split("\n\n"):
        text = str(formula(part)).replace("<math ", '<math display="block" ', 1)
        writer.body.append(f'<div class="math">{text}</div>\n')
    raise nodes.SkipNode
