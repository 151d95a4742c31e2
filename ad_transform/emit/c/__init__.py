"""A schedule as text in C99."""
