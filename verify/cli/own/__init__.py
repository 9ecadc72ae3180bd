"""Commands for what one writes oneself: a claim in one line, a file to begin with."""
