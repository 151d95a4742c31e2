"""Functions of Python's library and of numpy, by qualified names."""
