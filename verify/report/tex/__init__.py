"""TeX to MathML."""
