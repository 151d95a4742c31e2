"""Estimates of rounding errors (Iri 1984; Kubota & Iri 1991; Yoshida 1989, item 10).

Every operation of the merged, unsimplified primal makes a local error; adjoints carry
it to the results. The modules in order of use: `operations` (which operations err),
`largest_errors` (by how much), `guards` (partials that never raise), `sweep` (adjoints
of all of them), then a module for each model. `reverse` is the sweep through branches
and loops, for which the models stand in `block_models`. Enclosures run forwards: the
folder `enclosure` is midpoint-radius arithmetic.
"""
