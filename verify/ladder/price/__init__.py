"""What the word `holds` costs: hypotheses, terms, mutants, do-nothing bounds."""
