"""The sweep by block: adjoints and tangents through branches and loops.

A body is cut into levels: values that depend on no statement with blocks, on one, on
two in a row, and so on. The straight run of a level is one elimination task with seeds
at its ends, so all orders compete there as they do for a whole straight body;
statements with blocks stand between the runs, and are swept block by block.
"""
