"""Makes the helpers of this directory importable under every import mode of pytest."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
for other in ("graph", "ir"):
    sys.path.insert(0, str(Path(__file__).parents[1] / other))
