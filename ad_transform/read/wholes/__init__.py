"""Whole arrays of run-time length as values, and numpy's functions of them."""
