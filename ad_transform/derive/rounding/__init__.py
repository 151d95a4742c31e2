"""Estimates of rounding errors (Iri 1984; Kubota & Iri 1991; Yoshida 1989, item 10).

Every operation of the merged, unsimplified primal makes a local error; adjoints carry
it to the results. The modules in order of use: `operations` (which operations err, and
by how much), `guards` (partials that never raise), `sweep` (adjoints of all of them),
then a module for each model. `reverse` is the sweep through branches and loops, for
which the models stand in `block_models`. Enclosures run forwards: `shifts`, the
`shift_rules` of operations, the `carrier` that takes them through a program.
"""
