"""Authors, year: title (paper key ``template_paper``).

Copy this folder to ``verify/statements/<paper>/``, put your paper's key in place of
``template_paper`` in every key, and list the identifiers of its statements here, in its order.
"""

SHEET = """
lemma1 theorem1
"""

AXES = ()
"""Places that the printed words leave open, each an ``Axis`` with its options, the literal one
first, for the leaves whose keys name an option behind ``@``; none here."""
