"""Pictures of computational graphs and of their elimination, step by step.

In the order of use: `pages` (the graphs), `history` (the effects of each step on the
edges), `wording` (names and formulas), then `ranks`, `order`, `coordinates`, `layout`,
`routes`, `hulls` (the places on the sheet), and `svg`, `dot`, `html` (the files).
"""
