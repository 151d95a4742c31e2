"""The text of a file: bytes, syntax trees, names by scope, comments, the fence."""
