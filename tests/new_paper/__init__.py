"""Author, year: training alone, tied to a start (paper key ``anchor``)."""

SHEET = """
lemma1 theorem1
"""

NOTATION = r"""
optimum x^{\star} kd
"""
"""What the symbols of the programs are called in print, see `verify.report.by_hand.notation`."""
