"""Loops: written out or kept, their carries, and the values behind them."""
