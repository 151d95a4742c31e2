"""Pictures of computational graphs and of their elimination, step by step.

In the order of use: `pages` (which graphs), `history` (what each step does to the
edges), `wording` (names and formulas), then `ranks`, `order`, `coordinates`, `layout`,
`routes`, `hulls` (where everything stands), and `svg`, `dot`, `html` (the files).
"""
