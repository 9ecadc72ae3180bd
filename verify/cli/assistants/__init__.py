"""A server for assistants (MCP): a claim goes in, a verdict with its evidence comes out.

In comes a call of one of six tools, out goes an answer of at most 2,000 characters, with files in
the workspace for what is longer.  Lines and LaTeX are parsed, never run.  The order of the files:

1. ``words``      what each verdict means, and what it does not establish
2. ``workspace``  files that the server writes and reads again, named by their digest
3. ``points``     best constants and needed hypotheses, each by a check of its own
4. ``answers``    the record of a leaf as an answer that fits
5. ``found``      entries of the library by words
6. ``work``       what a child does for one call: everything that reads or judges
7. ``children``   a warm child for each call: progress, the time limit, the end of a call
8. ``texts``      what is read as a resource, and prompts
9. ``server``     the six tools; this file and ``children`` need the package ``mcp``
10. ``command``   ``fedassay mcp``
"""
