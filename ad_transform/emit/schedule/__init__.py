"""The schedule, for every target: what gets a statement, in which order, which name.

What comes out are lines (`lines.py`), structured statements of expressions that are not
written yet, and names for the values that they bind.
"""
