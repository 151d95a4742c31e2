"""Loops: written out or kept, what they carry, and what stands behind them."""
