"""The schedule, for every target: the statements, their order, their names.

The outcome are lines (`lines.py`), structured statements of expressions that are not
written yet, and names for the values that they bind.
"""
