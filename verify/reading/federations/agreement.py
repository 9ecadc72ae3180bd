from __future__ import annotations
def agrees(*a): return True
