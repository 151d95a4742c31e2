"""Makes the stop watch of this directory importable, and helpers of tests/graph."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "graph"))
