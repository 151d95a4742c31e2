"""A schedule as text in Python, in the layout of black."""
