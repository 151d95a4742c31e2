"""Enclosures: midpoint-radius arithmetic on the errors of all values, run forwards.

In order: `interval` (center and radius), the rules of operations in `arithmetic`,
`functions` and `steps` with their table in `rules`, `loops`, the `propagation` through
a program, and `model`, which asks for it.
"""
