"""``python -m verify.cli`` is ``fedassay``."""

import sys

from verify.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
