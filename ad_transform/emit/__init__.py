"""Printing: a derived function becomes text that a person could have written.

`schedule/` decides which values get a statement, in which order and under which name; a
folder for each target writes the statements.
"""
