"""A server for assistants (MCP): a claim goes in, a verdict with its evidence comes out.

In comes a call of one of six tools, out goes an answer of at most 2,000 characters, with files in
the workspace for what is longer.  Lines and LaTeX are parsed, never run.  The order of the files:

1. ``words``      what each verdict means, and what it does not establish
2. ``workspace``  files that the server writes and reads again, named by their digest
3. ``points``     best constants and needed hypotheses, each by a check of its own
4. ``answers``    the record of a leaf as an answer that fits
5. ``found``      entries of the library by words
6. ``calls``      what travels to a child, and a refusal
7. ``judged``     one claim through the ladder: its answer and its files
8. ``read``       proofs, papers and the library, in parts that fit
9. ``work``       what a child does for one call, whatever it is
10. ``children``  a warm child for each call: progress, the time limit, the end of a call
11. ``texts``     what is read as a resource, and prompts
12. ``schemas``   what the tools return, as types
13. ``server``    the six tools; it, ``schemas`` and ``children`` need the extra ``mcp``
14. ``command``   ``fedassay mcp``
"""
