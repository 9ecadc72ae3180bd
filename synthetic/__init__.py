"""Federations that know their own constants, and the noise that drives them.

Import what you need from the module that holds it; the table of families is
`synthetic.registry`. Nothing here imports torch until a noise source is asked for.
"""
