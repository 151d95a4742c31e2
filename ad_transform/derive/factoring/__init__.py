"""Factoring: derivative code with fewer operations, the same value up to rounding.

`polish` looks at sums: it takes common factors out of the terms of each. `extract`
looks at products: it makes monomials from each other and from values of the primal.
"""
