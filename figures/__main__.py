"""``python -m figures``: the command ``fedassay figures``."""

from __future__ import annotations

import sys

from verify.cli import main

if __name__ == "__main__":
    sys.exit(main(["figures", *sys.argv[1:]]))
