"""Makes the shared table of cases importable under every import mode."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
