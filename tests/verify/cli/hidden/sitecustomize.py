"""On the path of a fresh interpreter: what FEDASSAY_HIDDEN names cannot be imported."""

import os
import sys
from typing import Any

HIDDEN = frozenset(filter(None, os.environ.get("FEDASSAY_HIDDEN", "").split(",")))


class Hide:
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


if HIDDEN:
    sys.meta_path.insert(0, Hide())  # type: ignore[arg-type]
