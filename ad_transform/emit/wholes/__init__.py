"""Whole arrays of run-time length as loops over lists of numbers, row by row."""
