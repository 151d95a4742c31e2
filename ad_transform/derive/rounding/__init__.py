"""Estimates of rounding errors (Iri 1984; Kubota & Iri 1991; Yoshida 1989, item 10).

Every operation of the merged, unsimplified primal makes a local error; adjoints carry
it to the results. The modules in order of use: `operations` (which operations err),
`largest_errors` (by how much), `guards` (partials that never raise), `model` (the
interface of a model of errors) with the models `linear`, `iri` and `actual`, `hook` (a
model as a hook of the reverse sweep), `sweep` (the adjoints of all operations that
err). Enclosures run forwards: the folder `enclosure` is midpoint-radius arithmetic.
"""
