"""The files of the project: which name leads where, and what a module holds."""
