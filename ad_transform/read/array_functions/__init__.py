"""Functions and attributes of arrays and of lists of run-time length."""
